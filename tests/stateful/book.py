"""A second book of the group's Boons, kept by hand from the events, as rules D-16 to D-19 say it."""

EARNED = ("critical_success", "accepted_failure", "critical_failure", "group_failure", "challenge_failure")
PAID = ("spent_before", "spent_after", "spent_challenge", "kept_initiative", "taken")


class Book:
    """What the group holds and has gained. ``enter`` asserts that each change was one the rules allow."""

    def __init__(self):
        self.held = 0
        self.gained = 0
        self.highest_cap = 10
        self.back = 0

    def begin(self):
        """An evening begins, or ends: with no Boons (D-16, X-D14)."""
        self.held = self.gained = self.back = 0

    def enter(self, effect, options):
        cap = options.boon_cap
        self.highest_cap = max(self.highest_cap, cap)
        if effect["reason"] == "taken_back":
            self._corrected(effect)
        elif effect["reason"] in PAID:
            assert (effect["asked"], effect["applied"]) == (-1, -1)
            assert self.held >= 1, "nobody pays with what is not there"
        elif effect["reason"] == "given":
            assert (effect["asked"], effect["applied"]) == (1, int(self.held < cap))
        else:
            assert effect["reason"] in EARNED
            full = (self.held if options.boon_cap_mode == "held" else self.gained) >= cap
            assert (effect["asked"], effect["applied"]) == (1, int(not full)), "a gain at the cap is lost"
            self.gained += effect["applied"]
        self.held += effect["applied"]
        assert self.held >= 0
        assert self.gained >= 0
        # At most ``cap`` are gained in a session (or held at once); what a GM gives stops at ``cap`` held.
        assert self.held <= 2 * self.highest_cap + self.back
        assert effect["reason"] not in EARNED or not effect["applied"] or min(self.held, self.gained) <= cap

    def _corrected(self, effect):
        """What is taken back is not more than there is; what comes back is what was paid."""
        asked, applied = effect["asked"], effect["applied"]
        assert applied == max(asked, -self.held) if asked < 0 else 0 <= applied <= asked
        self.back += max(0, applied)
        self.gained -= effect.get("unearned", 0)
