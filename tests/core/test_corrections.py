"""What a GM takes back: as if it had never been, as far as nothing was done with it; and what is left is said (I-03, I-94)."""

import pytest

from boonbridge.core.foreseeing import foresee
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening, command

STANDS = ("pool", "grants/", "conditions/", "actor/", "marks", "opportunity/", "resistance/", "assist/", "request/", "check/")


def table_of(game="group_d12", *, values=None, **options):
    table = Evening(game, **options)
    numbers = {"values": [{"key": key, "value": value} for key, value in (values or {"skill.might": 2}).items()]}
    for actor, side, owners in (("hero", "party", ["pia"]), ("friend", "party", ["quin"]), ("ogre", "opposition", [])):
        table.do({"t": "SyncActor", "actor": actor, "name": actor.title(), "side": side, "owners": owners, "numbers": numbers})
    return table


def standing(table):
    """What everybody sees of the table, but for the options and the people."""
    return {key: value for key, value in table.shown("gina").items() if key.startswith(STANDS)}


def roll(table, faces, *, actor="hero", difficulty=9, check="skill", by="pia", **more):
    """A skill check; its id."""
    params = {"skill": "skill.might", "difficulty": difficulty, **more.pop("params", {})}
    placed = table.do({"t": "RollCheck", "check": check, "actors": [actor], "params": params, **more}, by, faces)
    return next(event.rolled.check for _, event in placed if type(event).__name__ == "CheckRolled")


def choose(table, check, choice, faces=(), by="pia"):
    table.do({"t": "Choose", "check": check, "choice": choice}, by, faces)


def accept(table, check, by="pia"):
    """Accept a failure, where it has not been for want of a Boon."""
    if not table.state.checks[check].done:
        choose(table, check, "accept", by=by)


def void(table, what, *, by="gina", **more):
    placed = table.do({"t": "Void", "what": what, **more}, by)
    return next(event for _, event in placed if type(event).__name__ == "Voided")


def refused(table, cmd, by="gina"):
    before = table.state
    with pytest.raises(Refusal) as no:
        table.do(cmd, by)
    assert table.state is before
    return str(no.value.code)


def pool(table):
    return (table.state.game.held, table.state.game.gained)


# --- a check with its choices --------------------------------------------------------------------------------------
def test_an_accepted_failure_is_taken_back_with_its_boon():
    table = table_of()
    before = standing(table)
    check = roll(table, [3])  # 3 + 2 is less than 9
    accept(table, check)
    assert pool(table) == (1, 1)  # D-04
    voided = void(table, f"check/{check}", reason="The door was open.")
    assert pool(table) == (0, 0)
    assert (voided.reason, voided.left) == ("The door was open.", ())
    (effect,) = voided.effects
    assert (effect.asked, effect.applied, effect.unearned) == (-1, -1, 1)
    assert standing(table) == before


def test_a_boon_that_was_spent_since_is_owed_and_the_gm_is_told_first():
    table = table_of()
    first = roll(table, [3])
    accept(table, first)
    second = roll(table, [4])
    choose(table, second, "spend", [9])  # 9 + 2 reaches 9
    assert pool(table) == (0, 1)
    assert refused(table, {"t": "Void", "what": f"check/{first}"}) == "correction.used"
    told = foresee(table.state, command({"t": "Void", "what": f"check/{first}"}), table.viewer("gina"), 0)
    (voided,) = told
    assert [(left.what, left.key, left.amount, left.why) for left in voided.left] == [("resource", "boons", 1, "spent_since")]
    assert pool(table) == (0, 1)  # nothing happened yet
    assert void(table, f"check/{first}", confirm=True) == voided
    (effect,) = voided.effects
    assert (effect.asked, effect.applied) == (-1, 0)
    assert pool(table) == (0, 0)  # it was never gained, but it is gone


def test_a_boon_that_was_spent_on_a_check_comes_back_with_it():
    table = table_of()
    accept(table, roll(table, [3]))
    before = standing(table)
    check = roll(table, [4])
    choose(table, check, "spend", [5])  # 5 + 2 fails again: no Boon (D-05)
    assert pool(table) == (0, 1)
    void(table, f"check/{check}")
    assert pool(table) == (1, 1)
    assert standing(table) == before


def test_what_is_open_on_a_check_closes_with_it():
    table = table_of()
    table.do({"t": "Act", "verb": "give_boon"})
    before = standing(table)
    check = roll(table, [3])
    assert f"check/{check}" in table.shown("pia")
    void(table, f"check/{check}")
    assert standing(table) == before
    assert refused(table, {"t": "Choose", "check": check, "choice": "accept"}) == "choice.done"


def test_a_boon_spent_before_the_dice_comes_back():
    table = table_of()
    table.do({"t": "Act", "verb": "give_boon"})
    before = standing(table)
    dark = [{"id": "dark", "label": "Dark", "sign": "bane"}]
    check = roll(table, [12], sources=dark, spendBefore=1)  # bought off (D-18); a 12 gains one (D-10)
    assert pool(table) == (1, 1)
    void(table, f"check/{check}")
    assert standing(table) == before


def test_a_one_use_grant_comes_back_unless_a_roll_since_would_have_used_it():
    table = table_of()
    rope = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "rope", "label": "Rope"}}
    table.do({**rope, "expiry": {"when": "next_roll"}})
    before = standing(table)
    check = roll(table, [9, 3])  # two dice, the better counts: 9 + 2 reaches 9
    assert table.state.actors["hero"].grants == ()
    void(table, f"check/{check}")
    assert standing(table) == before

    first = roll(table, [9, 3])
    roll(table, [10])
    voided = void(table, f"check/{first}", confirm=True)
    assert [(left.what, left.label, left.why) for left in voided.left] == [("grant", "Rope", "rolled_since")]
    assert table.state.actors["hero"].grants == ()


def test_a_roll_out_of_its_scope_does_not_keep_a_grant_from_coming_back():
    table = table_of(values={"skill.might": 2, "skill.lore": 1})
    table.do(
        {
            "t": "Grant",
            "actors": ["hero"],
            "sign": "boon",
            "source": {"id": "rope", "label": "Rope"},
            "scope": {"attributes": ["skill.might"]},
            "expiry": {"when": "next_roll"},
        }
    )
    first = roll(table, [9, 3])
    roll(table, [11], params={"skill": "skill.lore"})
    assert void(table, f"check/{first}").left == ()
    assert [grant.source.label for grant in table.state.actors["hero"].grants] == ["Rope"]


def test_the_choice_that_a_roll_took_for_its_player_stays_taken_and_is_listed():
    table = table_of()
    table.do({"t": "Act", "verb": "give_boon"})
    first = roll(table, [3], action="Climb")
    second = roll(table, [8])  # takes the default of the first: accepted
    assert pool(table) == (2, 1)
    assert refused(table, {"t": "Void", "what": f"check/{second}"}) == "correction.used"
    voided = void(table, f"check/{second}", confirm=True)
    assert [(left.what, left.label, left.why) for left in voided.left] == [("choice", "Climb", "closed_by_it")]
    assert pool(table) == (2, 1)
    assert first != second


def test_a_lock_goes_with_the_failure_that_set_it():
    table = table_of("rank_ability", values={"rankDie": 6})
    cmd = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"rankDie": 6, "abilityDie": 6, "tn": 10}}
    cmd |= {"action": "Pick the lock"}
    before = standing(table)
    table.do(cmd, "pia", [2, 3])  # 5 fails, and locks
    assert table.state.actors["hero"].locks == ("Pick the lock",)
    void(table, f"check/{table.state.seq}.1")
    assert standing(table) == before

    table.do(cmd, "gina", [2, 3])
    first = f"check/{table.state.seq}.1"
    table.do(cmd, "gina", [2, 4])
    second = f"check/{table.state.seq}.1"
    void(table, first)
    assert table.state.actors["hero"].locks == ("Pick the lock",)  # the second failure locks it all the same
    void(table, second)
    assert standing(table) == before


def test_a_lock_that_came_and_went_with_a_check_is_no_news():
    table = table_of("rank_ability", values={"rankDie": 6})
    cmd = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"rankDie": 6, "abilityDie": 6, "tn": 10}}
    table.do({**cmd, "action": "Pick the lock"}, "pia", [2, 3])  # locked
    check = f"{table.state.seq}.1"
    table.do({"t": "Choose", "check": check, "choice": "at_cost"})  # and free again (X-A8)
    assert void(table, f"check/{check}").effects == ()


def test_stacks_that_a_fumble_left_go_with_it_and_others_stay():
    table = table_of("public_d20", values={"grace": 0})
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 2})
    before = standing(table)
    task = {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "grace", "dc": 10}}
    table.do(task, "pia", [1])  # a fumble (B-25): one stack more (B-26)
    assert table.state.actors["hero"].condition("exposed") == 3
    check = f"check/{table.state.seq}.1"
    void(table, check)
    assert standing(table) == before

    table.do(task, "pia", [1])
    check = f"check/{table.state.seq}.1"
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": -1, "add": True})
    void(table, check)
    assert table.state.actors["hero"].condition("exposed") == 1  # 2 + 1 - 1 - 1


# --- a grant, a condition, a table move ----------------------------------------------------------------------------
def test_a_grant_is_taken_back_and_one_that_was_used_is_listed():
    table = table_of()
    rope = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "rope", "label": "Rope"}}
    before = standing(table)
    table.do(rope)
    void(table, f"grant/{table.state.seq}.1")
    assert standing(table) == before

    table.do({**rope, "expiry": {"when": "next_roll"}})
    grant = f"grant/{table.state.seq}.1"
    roll(table, [9, 3])
    assert refused(table, {"t": "Void", "what": grant}) == "correction.used"
    voided = void(table, grant, confirm=True)
    assert [(left.what, left.label, left.why) for left in voided.left] == [("grant", "Rope", "used_since")]


def test_a_condition_is_as_it_was_before():
    table = table_of("public_d20", values={"grace": 0})
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed", "amount": 2})
    before = standing(table)
    table.do({"t": "SetCondition", "actors": ["hero", "friend"], "condition": "exposed", "amount": 5})
    seq = table.state.seq
    void(table, f"condition/{seq}.1")
    void(table, f"condition/{seq}.2")
    assert standing(table) == before
    table.do({"t": "ClearCondition", "actor": "hero", "condition": "exposed"})
    void(table, f"condition/{table.state.seq}.1")
    assert standing(table) == before


def test_a_table_move_is_taken_back():
    table = table_of()
    before = standing(table)
    table.do({"t": "Act", "verb": "give_boon"})
    give = f"verb/{table.state.seq}"
    table.do({"t": "Act", "verb": "initiative", "args": {"winner": "opposition"}})
    lost = f"verb/{table.state.seq}"
    table.do({"t": "Act", "verb": "keep_initiative"}, "pia")
    keep = f"verb/{table.state.seq}"
    for what in (keep, lost, give):
        void(table, what)
    assert standing(table) == before


def test_a_correction_is_final():
    table = table_of()
    check = roll(table, [3])
    void(table, f"check/{check}")
    assert refused(table, {"t": "Void", "what": f"check/{check}"}) == "correction.done"
    assert refused(table, {"t": "Override", "check": check, "outcome": "success"}) == "correction.done"
    assert refused(table, {"t": "Void", "what": f"correction/{table.state.seq}"}) == "correction.final"
    assert refused(table, {"t": "Void", "what": "check/999.1"}) == "correction.unknown"
    assert refused(table, {"t": "Void", "what": f"check/{check}"}, "pia") == "role.forbidden"


# --- another outcome -------------------------------------------------------------------------------------------
def test_i03_a_gm_decides_otherwise_and_the_original_stays():
    table = table_of()
    check = roll(table, [3])
    accept(table, check)
    assert pool(table) == (1, 1)
    placed = table.do({"t": "Override", "check": check, "outcome": "success", "reason": "She had a crowbar."})
    (event,) = (event for _, event in placed if type(event).__name__ == "Overridden")
    assert (event.outcome, event.result.success, event.result.total) == ("success", True, 5)
    assert [die.face for die in event.result.dice] == [3]
    assert pool(table) == (0, 0)  # nobody accepted a failure
    assert table.state.checks[check].done


def test_a_success_that_a_gm_calls_a_failure_waits_for_its_player():
    table = table_of()
    table.do({"t": "Act", "verb": "give_boon"})
    check = roll(table, [12])  # a critical success: a Boon (D-10)
    assert pool(table) == (2, 1)
    table.do({"t": "Override", "check": check, "outcome": "failure"})
    assert pool(table) == (1, 0)
    assert f"check/{check}" in table.shown("pia")
    choose(table, check, "accept")
    assert pool(table) == (2, 1)


def test_what_was_paid_stays_paid():
    table = table_of()
    table.do({"t": "Act", "verb": "give_boon"})
    check = roll(table, [3])
    choose(table, check, "spend", [4])  # fails again
    assert pool(table) == (0, 0)
    table.do({"t": "Override", "check": check, "outcome": "success"})
    assert pool(table) == (0, 0)


def test_an_outcome_that_the_game_does_not_have_is_refused():
    table = table_of()
    check = roll(table, [9])
    assert refused(table, {"t": "Override", "check": check, "outcome": "glorious"}) == "correction.outcome"
    assert table.do({"t": "Override", "check": check, "outcome": "success"}) == ()


# --- hidden checks ---------------------------------------------------------------------------------------------
def test_a_hidden_failure_does_what_it_does_when_it_is_settled_and_once():
    table = table_of()
    roll(table, [12], mode="gm")
    check = f"{table.state.seq}.1"
    assert pool(table) == (0, 0)
    placed = table.do({"t": "Settle", "check": check})
    assert [(part, type(event).__name__) for part, event in placed] == [("all", "Settled"), ("gm", "Settled")]
    assert placed[0][1].check is None
    assert pool(table) == (1, 1)
    assert table.do({"t": "Settle", "check": check}) == ()
    void(table, f"check/{check}")
    assert pool(table) == (0, 0)


def test_a_revealed_check_is_everybodys_and_does_what_it_does():
    table = table_of()
    roll(table, [12], mode="gm")
    check = f"{table.state.seq}.1"
    placed = table.do({"t": "Reveal", "check": check})
    (event,) = (event for _, event in placed if type(event).__name__ == "Revealed")
    assert (event.rolled.check, event.mode, event.result.outcome, event.alone) == (check, "gm", "critical_success", False)
    assert pool(table) == (1, 1)
    assert refused(table, {"t": "Reveal", "check": check}) == "correction.open"
    assert refused(table, {"t": "Settle", "check": check}) == "correction.open"


def test_what_waited_is_counted_as_the_table_stands_now():
    table = table_of(boon_cap=1)
    roll(table, [12], mode="gm")
    check = f"{table.state.seq}.1"
    roll(table, [12], actor="friend", by="quin")
    assert pool(table) == (1, 1)
    (event,) = (e for part, e in table.do({"t": "Settle", "check": check}) if part == "all")
    assert [(effect.asked, effect.applied) for effect in event.effects] == [(1, 0)]  # the cap is reached (D-16)
    assert pool(table) == (1, 1)


def test_a_hidden_fumble_exposes_as_the_table_says_when_it_is_settled():
    table = table_of("public_d20", values={"grace": 0}, dice_public=False, fumble_exposed="at_least_one")
    task = {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "grace", "dc": 10}, "mode": "gm"}
    table.do(task, "pia", [1])
    check = f"{table.state.seq}.1"
    table.do({"t": "SetCondition", "actors": ["hero"], "condition": "exposed"})
    table.do({"t": "Settle", "check": check})
    assert table.state.actors["hero"].condition("exposed") == 1  # exposed already, so not once more (B-26)


def test_an_opportunity_that_is_settled_is_for_any_ally_though_nobody_hears_who_made_it():
    table = table_of()
    roll(table, [9], check="opportunity", mode="gm", action="Sand in their eyes")
    table.do({"t": "Settle", "check": f"{table.state.seq}.1"})
    (waits,) = table.state.opportunities.values()
    assert (waits.by, waits.label, waits.side) == ("nobody", "Opportunity", "party")
    roll(table, [3, 9], actor="friend", by="quin", opportunities=[waits.id])  # D-21: any ally who uses the situation
    assert len(table.state.opportunities) == 0


def test_what_a_group_earned_in_an_evening_that_is_over_is_not_paid_in_the_next():
    table = table_of()
    table.do({"t": "StartSession"})
    asked = [{"check": "skill", "params": {"skill": "skill.might", "difficulty": 9}}]
    table.do({"t": "RequestCheck", "checks": asked, "group": "one_success", "actors": ["hero"]})
    request = str(table.state.seq)
    table.do({"t": "AnswerRequest", "request": request, "actor": "hero", "mode": "gm"}, "pia", [3])
    check = f"{table.state.seq}.1"
    table.do({"t": "EndSession"})
    table.do({"t": "StartSession"})
    placed = table.do({"t": "Reveal", "check": check})
    (counted,) = (event for _, event in placed if type(event).__name__ == "GroupRecounted")
    assert (counted.result.success, counted.brings) == (False, ())
    assert pool(table) == (0, 0)


def test_a_roll_of_ones_own_may_be_shown_and_does_nothing():
    table = table_of("sage_d20", values={"strength": 12})
    table.do(
        {"t": "RollCheck", "check": "attribute", "actors": ["hero"], "params": {"attribute": "strength"}, "mode": "self"},
        "pia",
        [15],
    )
    check = f"{table.state.seq}.1"
    assert refused(table, {"t": "Reveal", "check": check}) == "correction.unknown"  # the GM does not know of it
    assert refused(table, {"t": "Reveal", "check": check}, "quin") == "role.forbidden"
    placed = table.do({"t": "Reveal", "check": check}, "pia")
    assert [(part, event.alone) for part, event in placed] == [("all", True)]


def test_what_rolls_cannot_be_foreseen():
    table = table_of()
    asked = command({"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.might", "difficulty": 9}})
    with pytest.raises(Refusal) as no:
        foresee(table.state, asked, table.viewer("gina"), 0)
    assert str(no.value.code) == "foresee.rolls"
