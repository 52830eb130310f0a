"""What follows from totals and verdicts alone: a solver that has the rules of the games and nothing else of the product.

It is told the cards that somebody was rightly shown, and says which hidden numbers could have given them. Rule ids are
those of the rules: A-18, A-20 (pairs), B-02, B-03, B-20, B-25 (d20s), C-05, C-15, C-17 (totals), D-03, D-10, D-11, D-22,
D-23 (d12s). It knows no more than these, and so it is the measure of what an adversary may come to know.
"""

from typing import NamedTuple


class Card(NamedTuple):
    """A roll as its reader saw it. ``secret``: the hidden number that it was compared with; ``resisted``: it is of a foe."""

    secret: str
    kind: str
    dice: tuple[tuple[str, int, bool], ...]
    """Role, face, and whether it counts."""
    net: int
    total: int
    outcome: str
    resisted: bool


def rank_ability(card, tn, options):
    kept = [(role, face) for role, face, counts in card.dice if counts]
    pair = kept[0][1] == kept[1][1]
    if options.get("crit_pair") == "rank_and_ability":
        pair = pair and {role for role, _ in kept} == {"rank", "ability"}
    if pair and kept[0][1] == 1 and (options.get("fumble_precedence") != "success" or card.total < tn):
        return "fumble"
    if card.total < tn:
        return "failure"
    return "critical_success" if pair else "success"


def public_d20(card, number, options):
    target = options.get("defense_base", 8) + number if card.resisted else number
    (kept,) = [face for _, face, counts in card.dice if counts]
    if kept == 1 and (card.resisted or options.get("fumble_scope") != "attacks_only"):
        return "fumble"
    hit = card.total > target if options.get("compare") == "more_than" else card.total >= target
    if not hit and not (kept == 20 and options.get("nat20") == "auto_hit"):
        return "failure"
    counted = [face for _, face, _ in card.dice] if card.net >= 0 else [kept]
    return "critical_success" if 20 in counted else "success"


def sage_d20(card, tn, options):
    if not card.dice:  # certain whatever the number
        return card.outcome
    if card.total <= 0 and not options.get("crit_failure_needs_failure"):
        return "critical_failure"
    if card.total >= tn:
        return "critical_success" if card.total >= 20 and card.total >= tn + 5 else "success"
    return "critical_failure" if card.total <= 0 else "failure"


def group_d12(card, number, options):
    if card.kind == "challenge":
        return "contributed"
    (chosen,) = [face for _, face, counts in card.dice if counts]
    if chosen in (1, 12):
        return "critical_failure" if chosen == 1 else "critical_success"
    difficulty = 7 + number if card.resisted else number
    more = card.resisted and options.get("resist_compare") == "more_than"
    return "success" if (card.total > difficulty if more else card.total >= difficulty) else "failure"


VERDICTS = {"rank_ability": rank_ability, "public_d20": public_d20, "sage_d20": sage_d20, "group_d12": group_d12}

SETTLES = {
    "rank_ability": {"worst": "LockSet", "low": "LockSet"},
    "public_d20": {"worst": "ConditionChanged"},
    "sage_d20": {},
    "group_d12": {"worst": "critical_failure", "best": "critical_success", "low": "accepted_failure"},
}
"""What a hidden roll did to the table, as its settling tells it, by how it fell (A-24, B-26, D-04, D-10, D-11).

A failure in group_d12 does something once it is accepted.
"""


class Solver:
    """What is still possible. ``possible`` of a secret: those of its numbers with which every card is as it was."""

    def __init__(self, game, options):
        self.game = game
        self.options = options
        self.cards = []
        self.sums = []
        self.told = {}

    def card(self, card):
        """A total and its verdict."""
        self.cards.append(card)

    def sum(self, secret, total, success):
        """What several came to together, and whether that was enough (D-23)."""
        self.sums.append((secret, total, success))

    def settled(self, secret, effects):
        """What a hidden roll did to the table was said out loud, and so as much of how it fell."""
        words = {effect["t"] for effect in effects} | {effect.get("reason") for effect in effects}
        told = [level for level, word in SETTLES[self.game].items() if word in words]
        # A success that made an opportunity, critical or not, where nothing is earned by it (D-16, D-21).
        self.is_told(secret, told or ["high", "best"])

    def is_told(self, secret, values):
        """Something was said out loud: the secret is one of these."""
        self.told[secret] = set(values)

    def fits(self, secret, value):
        """Whether a secret could be this."""
        if secret in self.told and value not in self.told[secret]:
            return False
        verdict = VERDICTS[self.game]
        mine = (card for card in self.cards if card.secret == secret)
        if any(verdict(card, value, self.options) != card.outcome for card in mine):
            return False
        return all((total >= value) is success for name, total, success in self.sums if name == secret)

    def possible(self, secret, values):
        return [value for value in values if self.fits(secret, value)]
