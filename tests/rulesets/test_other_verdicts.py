"""What a correction asks of a game: another verdict and what it brings, what has waited, what can be taken back."""

import pytest
from msgspec.structs import replace

from boonbridge.rulesets import group_d12, public_d20, rank_ability, sage_d20
from boonbridge.rulesets.group_d12 import Options, Pool
from boonbridge_schemas.checks import Attack, OnCrit
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RemoveActor
from boonbridge_schemas.effects import (
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    DutyNoted,
    LockCleared,
    LockSet,
    OnCritApplied,
    ResourceChanged,
)
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, boon


def d12(faces, held=0, **options):
    sitting = Sitting(group_d12.RULESET, faces, **options)
    sitting.actor("hero", skill__climb=3)
    sitting.actor("friend", skill__climb=1)
    sitting.actor("ogre", side="opposition", skill__climb=1)
    for _ in range(held):
        sitting.act("give_boon")
    return sitting


def opened(sitting, event):
    return sitting.state.checks[event.rolled.check]


def other(sitting, event, outcome):
    """What the game makes of another outcome of a check that was just rolled."""
    return sitting.state.ruleset.overridden(sitting.state, opened(sitting, event), outcome)


def flags(result):
    return result.outcome, result.success, result.crits, result.worst


def refused(call, *args):
    with pytest.raises(Refusal) as problem:
        call(*args)
    return problem.value.code


# --- another verdict --------------------------------------------------------------------------------------------
GAIN = ResourceChanged(resource="boons", asked=1, applied=1, reason="critical_success")


@pytest.mark.parametrize(
    ("outcome", "expected", "effects"),
    [
        ("critical_success", ("critical_success", True, 1, False), (GAIN,)),
        ("success", ("success", True, 0, False), ()),
        ("critical_failure", ("critical_failure", False, 0, True), (DutyNoted(duty="severe_consequence"),)),
    ],
)
def test_another_verdict_of_the_d12_game(outcome, expected, effects):
    sitting = d12([4], held=1)
    event = sitting.rolled("skill", skill="skill.climb", difficulty=10)
    got = other(sitting, event, outcome)
    assert (flags(got.result), got.effects) == (expected, effects)
    assert (got.result.total, got.result.dice) == (7, event.result.dice)


def test_a_verdict_it_has_already_or_cannot_have_is_refused():
    sitting = d12([4], held=1)
    event = sitting.rolled("skill", skill="skill.climb", difficulty=10)
    for outcome in ("failure", "fumble", "contributed", "nonsense"):
        assert refused(other, sitting, event, outcome) is Code.CORRECTION_OUTCOME, outcome


def test_a_contribution_to_a_challenge_has_no_other_verdict():
    sitting = d12([], held=1)
    request = sitting.asked("challenge", "hero", group="challenge", together=20)
    events = sitting.answers(request, "hero", 6, skill="skill.climb")
    event = next(event for event in events if hasattr(event, "rolled"))
    assert refused(other, sitting, event, "success") is Code.CORRECTION_OUTCOME


def test_opponents_earn_nothing_by_another_verdict():
    sitting = d12([4])
    event = sitting.rolled("skill", actor="ogre", skill="skill.climb", difficulty=10)
    assert other(sitting, event, "critical_success").effects == ()


@pytest.mark.parametrize(("reading", "effects"), [("none", ()), ("each", (GAIN,))])
def test_in_a_group_another_verdict_earns_by_the_same_option(reading, effects):
    sitting = d12([], held=1, group_crit_boon=reading)
    request = sitting.asked("skill", "hero", "friend", group="one_success", difficulty=10)
    event = next(event for event in sitting.answers(request, "hero", 4, skill="skill.climb") if hasattr(event, "rolled"))
    assert other(sitting, event, "critical_success").effects == effects


def test_an_opportunity_that_succeeds_after_all_gives_its_chance():
    sitting = d12([4], held=1)
    event = sitting.rolled("opportunity", skill="skill.climb", difficulty=10, sign="negative")
    assert other(sitting, event, "success").effects == (ChanceGranted(to=None, sign="bane"),)
    assert ChanceGranted(to=None, sign="bane") in other(sitting, event, "critical_success").effects


def test_a_success_level_follows_the_verdict():
    """7 against 10 is no success; called one it is level 1, for no level of a success is less."""
    sitting = d12([4], held=1, success_level=True)
    event = sitting.rolled("skill", skill="skill.climb", difficulty=10)
    levels = {
        outcome: [e.value for e in other(sitting, event, outcome).result.extras] for outcome in ("success", "critical_failure")
    }
    assert levels == {"success": [1], "critical_failure": [0]}


def test_what_was_spent_stays_spent_under_another_verdict():
    """A Boon bought a success; called a failure it may be accepted, which earns nothing (D-05), but not bought again."""
    sitting = d12([4, 9], held=2)
    event = sitting.rolled("skill", skill="skill.climb", difficulty=10)
    sitting.choose(event.rolled.check, "spend")
    changed = sitting.overrides(event.rolled.check, "failure")
    assert {offer.id: (offer.enabled, offer.why) for offer in changed.choices} == {
        "accept": (True, None),
        "spend": (False, "spend.limit"),
    }
    assert sitting.state.game == Pool(held=1)


def public(faces, **options):
    sitting = Sitting(public_d20.RULESET, faces, **options)
    axe = Attack(id="axe", name="axe", attribute="attribute.might", on_crit=OnCrit(name="bleeding", amount=2))
    sitting.actor("hero", attribute__might=2, attacks=(axe,))
    sitting.actor("ogre", side="opposition", grace=7)
    return sitting


def test_another_verdict_of_the_public_pool():
    """Two 20s and 2 against 15 hit; called a fumble nobody crits, and called a crit again both do."""
    sitting = public([20, 20, 3])
    event = sitting.rolled("attack", boon("a"), boon("b"), targets=("ogre",), attack="axe")
    assert (event.result.outcome, event.result.crits) == ("critical_success", 2)
    fumbled = other(sitting, event, "fumble")
    assert flags(fumbled.result) == ("fumble", False, 0, True)
    assert fumbled.effects == (
        ConditionChanged(actor="hero", condition="exposed", change=1, now=1, until="start_of_own_activation"),
    )
    assert (flags(other(sitting, event, "success").result), other(sitting, event, "success").effects) == (
        ("success", True, 0, False),
        (),
    )
    sitting.overrides(event.rolled.check, "failure", confirm=True)
    again = other(sitting, event, "critical_success")
    assert (again.result.crits, again.effects) == (2, (OnCritApplied(name="bleeding", times=2, amount=4),))


def test_a_critical_without_a_20_is_one():
    sitting = public([14])
    event = sitting.rolled("attack", targets=("ogre",), attack="axe")
    got = other(sitting, event, "critical_success")
    assert (got.result.crits, got.effects) == (1, (OnCritApplied(name="bleeding", times=1, amount=2),))


def test_a_task_has_no_effect_of_a_critical():
    sitting = public([14])
    event = sitting.rolled("task", attribute="attribute.might", dc=12)
    assert other(sitting, event, "critical_success").effects == ()


def test_whoever_is_gone_is_not_exposed():
    sitting = public([14])
    event = sitting.rolled("attack", targets=("ogre",), attack="axe")
    check = opened(sitting, event)
    sitting.do(RemoveActor(actor="hero"))
    for outcome in ("fumble", "critical_success"):
        assert sitting.state.ruleset.overridden(sitting.state, check, outcome).effects == ()


def ranked(faces, **options):
    sitting = Sitting(rank_ability.RULESET, faces, **options)
    sitting.actor("hero", rankDie=8, str=8)
    return sitting


@pytest.mark.parametrize(
    ("outcome", "effects"),
    [
        ("success", ()),
        ("critical_success", (DutyNoted(duty="extra_benefit"),)),
        ("fumble", (DutyNoted(duty="serious_complication"), LockSet(actor="hero", action="pick the lock"))),
    ],
)
def test_another_verdict_of_rank_and_ability(outcome, effects):
    sitting = ranked([4, 5])
    event = sitting.rolled("check", ability="str", tn=10, action="pick the lock")
    got = other(sitting, event, outcome)
    assert (got.effects, got.result.total, got.result.outcome) == (effects, 9, outcome)


def test_without_locks_another_verdict_sets_none():
    sitting = ranked([6, 5], retry="off")
    event = sitting.rolled("check", ability="str", tn=10, action="pick the lock")
    assert other(sitting, event, "failure").effects == (DutyNoted(duty="consequence"),)


def test_what_had_changed_still_lifts_the_lock_under_another_verdict():
    sitting = ranked([4, 5, 4, 4])
    sitting.rolled("check", ability="str", tn=10, action="pick the lock")
    event = sitting.rolled("check", ability="str", tn=10, action="pick the lock", changed="Better tools")
    got = other(sitting, event, "success")
    assert got.effects == (LockCleared(actor="hero", action="pick the lock"),)


@pytest.mark.parametrize(("outcome", "ends"), [("success", True), ("critical_success", True), ("critical_failure", False)])
def test_a_luck_roll_that_succeeds_after_all_ends_what_it_was_for(outcome, ends):
    sitting = Sitting(sage_d20.RULESET, [4])
    sitting.actor("hero", strength=10)
    sitting.until_luck("hero", "poisoned")
    event = sitting.rolled("luck", ends="poisoned")
    got = other(sitting, event, outcome)
    assert got.effects == ((ConditionEnded(actor="hero", condition="poisoned"),) if ends else ())
    assert (got.result.total, got.result.success) == (4, ends)


# --- what has waited --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("pool", "options", "applied"),
    [
        (Pool(3, 9), {}, 1),
        (Pool(3, 10), {}, 0),
        (Pool(10, 3), {"boon_cap_mode": "held"}, 0),
        (Pool(3, 12), {"boon_cap_mode": "held"}, 1),
    ],
)
def test_a_boon_earned_unseen_meets_the_cap_as_it_is_now(pool, options, applied):
    sitting = d12([], **options)
    at_ten = replace(sitting.state, game=pool)
    waited = ResourceChanged(resource="boons", asked=1, applied=1, reason="accepted_failure")
    assert group_d12.RULESET.anew(at_ten, waited) == replace(waited, applied=applied)


def test_other_effects_wait_as_they_are():
    sitting = d12([])
    for effect in (
        DutyNoted(duty="severe_consequence"),
        ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_after"),
    ):
        assert group_d12.RULESET.anew(sitting.state, effect) == effect


@pytest.mark.parametrize(
    ("reading", "stands", "change", "now"), [("add_stack", 2, 1, 3), ("at_least_one", 2, 0, 2), ("at_least_one", 0, 1, 1)]
)
def test_a_fumble_unseen_exposes_by_what_stands_now(reading, stands, change, now):
    sitting = public([], dice_public=False, fumble_exposed=reading)
    if stands:
        sitting.condition("hero", "exposed", stands)
    waited = ConditionChanged(actor="hero", condition="exposed", change=1, now=1, until="start_of_own_activation")
    assert public_d20.RULESET.anew(sitting.state, waited) == replace(waited, change=change, now=now)


# --- what can be taken back -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "after", "now", "options", "expected"),
    [
        # An accepted failure: one held and one gained less.
        (Pool(2, 2), Pool(3, 3), Pool(3, 3), {}, (-1, -1, 1)),
        # The Boon is gone since: it is still not gained.
        (Pool(0, 0), Pool(1, 1), Pool(0, 1), {}, (-1, 0, 1)),
        # A Boon that was spent comes back.
        (Pool(3, 5), Pool(2, 5), Pool(2, 5), {}, (1, 1, 0)),
        # Spent, and a critical success earned with it: only the gain goes.
        (Pool(3, 5), Pool(3, 6), Pool(4, 7), {}, (0, 0, 1)),
        # What may be held is full: it cannot come back.
        (Pool(3, 3), Pool(2, 3), Pool(10, 10), {"boon_cap_mode": "held"}, (1, 0, 0)),
        (Pool(3, 3), Pool(2, 3), Pool(10, 10), {}, (1, 1, 0)),
        (Pool(9, 9), Pool(7, 9), Pool(9, 9), {"boon_cap_mode": "held"}, (2, 1, 0)),
        # A new session began: nothing of it was gained in that one.
        (Pool(2, 2), Pool(3, 3), Pool(0, 0), {}, (-1, 0, 0)),
        # Nothing moved.
        (Pool(2, 2), Pool(2, 2), Pool(5, 7), {}, None),
    ],
)
def test_what_a_check_did_to_the_pool_is_taken_back_as_far_as_it_is_there(before, after, now, options, expected):
    state = replace(d12([], **options).state, game=now)
    got = group_d12.RULESET.taken_back(state, before, after)
    if expected is None:
        assert got is None
        return
    assert (got.asked, got.applied, got.unearned, got.reason, got.resource) == (*expected, "taken_back", "boons")
    pool = group_d12.RULESET.evolve(now, got)
    assert pool == Pool(now.held + expected[1], now.gained - expected[2])
    assert pool.held >= 0


def test_evolving_never_makes_the_gains_less_than_none():
    lost = ResourceChanged(resource="boons", asked=-1, applied=0, reason="taken_back", unearned=3)
    assert group_d12.RULESET.evolve(Pool(1, 2), lost) == Pool(1, 0)


def test_games_without_a_pool_have_nothing_to_take_back():
    for game in (rank_ability.RULESET, public_d20.RULESET, sage_d20.RULESET):
        assert game.taken_back(None, None, None) is None
        assert game.session_begun(None) is None
        assert game.xp(None) is None


@pytest.mark.parametrize(
    ("check", "scope", "mode", "uses"),
    [
        ("attack", "attacks", "public", True),
        ("task", "attacks", "public", False),
        ("task", "any_roll", "public", True),
        ("attack", "attacks", "gm", False),
    ],
)
def test_which_rolls_use_what_is_banked(check, scope, mode, uses):
    sitting = public([14], bolstered_scope=scope, dice_public=False)
    params = {"attack": "axe"} if check == "attack" else {"attribute": "attribute.might", "dc": 12}
    event = sitting.rolled(check, targets=("ogre",) if check == "attack" else (), mode=mode, **params)
    game = public_d20.RULESET
    assert game.would_use(sitting.state, opened(sitting, event), "bolstered") is uses
    assert game.would_use(sitting.state, opened(sitting, event), "exposed") is False
    assert rank_ability.RULESET.would_use(sitting.state, opened(sitting, event), "exhausted") is False


# --- evenings ---------------------------------------------------------------------------------------------------
def test_an_evening_begins_with_none_and_is_worth_what_is_held():
    assert group_d12.RULESET.session_begun(Pool(4, 9)) == Pool()
    assert group_d12.RULESET.xp(replace(d12([]).state, game=Pool(4, 9))) == 4
    assert Options().boon_cap == 10
