"""Rank & Ability: what failed is not simply tried again (A-24, examples A080 and A081), and what ends that (X-A8)."""

import pytest

from boonbridge.rulesets import rank_ability
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import DutyNoted, LockCleared, LockSet
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import Sitting, ad_hoc

FAILS, FUMBLES, SUCCEEDS, CRITICAL = [2, 3], [1, 1], [5, 6], [6, 6]
CONSEQUENCE, COMPLICATION = DutyNoted(duty="consequence"), DutyNoted(duty="serious_complication")
LOCKED = LockSet(actor="hero", action="Pick the lock")
LIFTED = LockCleared(actor="hero", action="Pick the lock")


def table(faces=(), **options):
    sitting = Sitting(rank_ability.RULESET, faces, **options)
    sitting.actor("hero", rank=3, agi=6)
    sitting.owned("hero", "anna")
    return sitting


def tries(sitting, faces, action="Pick the lock", **more):
    sitting.faces(*faces)
    return sitting.rolled("check", ability="agi", tn=10, action=action, **more)


def again(sitting, faces, **more):
    """As the player, who may not simply try again."""
    return tries(sitting, faces, by="anna", role="player", **more)


def locks(sitting):
    return sitting.state.actors["hero"].locks


@pytest.mark.parametrize(("faces", "duty"), [(FAILS, CONSEQUENCE), (FUMBLES, COMPLICATION)])
def test_what_failed_is_locked(faces, duty):
    sitting = table()
    assert tries(sitting, faces).effects == (duty, LOCKED)
    assert locks(sitting) == ("Pick the lock",)


@pytest.mark.parametrize(("faces", "effects"), [(SUCCEEDS, ()), (CRITICAL, (DutyNoted(duty="extra_benefit"),))])
def test_what_succeeded_is_not(faces, effects):
    sitting = table()
    assert tries(sitting, faces).effects == effects
    assert locks(sitting) == ()


def test_no_label_no_lock():
    sitting = table()
    tries(sitting, FAILS, action="")
    assert locks(sitting) == ()
    assert again(sitting, SUCCEEDS, action="").result.success


@pytest.mark.rule("A-24")
def test_the_same_again_is_refused_until_something_changed():
    sitting = table()
    tries(sitting, FAILS)
    with pytest.raises(Refusal) as refused:
        again(sitting, SUCCEEDS)
    assert (refused.value.code, sitting.dice.drawn) == (Code.ROLL_LOCKED, 0)
    rolled = again(sitting, SUCCEEDS, changed="Better tools")
    assert rolled.effects == (LIFTED,)
    assert locks(sitting) == ()


def test_who_fails_again_is_locked_again():
    sitting = table()
    tries(sitting, FAILS)
    assert again(sitting, FAILS, changed="Better tools").effects == (LIFTED, CONSEQUENCE, LOCKED)
    assert locks(sitting) == ("Pick the lock",)


def test_the_lock_is_lifted_as_it_was_worded_and_set_as_it_is_worded_now():
    sitting = table()
    tries(sitting, FAILS)
    rolled = again(sitting, FAILS, action="  pick THE  lock", changed="More time")
    assert rolled.effects == (LIFTED, CONSEQUENCE, LockSet(actor="hero", action="  pick THE  lock"))
    assert locks(sitting) == ("  pick THE  lock",)


def test_another_action_is_another_lock():
    sitting = table()
    tries(sitting, FAILS)
    assert again(sitting, FAILS, action="Break the door").effects[0] == CONSEQUENCE
    assert locks(sitting) == ("Pick the lock", "Break the door")


def test_a_change_where_nothing_was_locked_lifts_nothing():
    sitting = table()
    assert tries(sitting, FAILS, changed="Better tools").effects == (CONSEQUENCE, LOCKED)


def test_the_gm_may_always_and_the_lock_stays():
    sitting = table()
    tries(sitting, FAILS)
    assert tries(sitting, SUCCEEDS).effects == ()
    assert locks(sitting) == ("Pick the lock",)


def test_a_table_that_only_warns_locks_too():
    sitting = table(retry="warn")
    assert tries(sitting, FAILS).effects == (CONSEQUENCE, LOCKED)
    assert again(sitting, FAILS).effects == (CONSEQUENCE, LOCKED)


def test_a_table_that_lets_people_try_again_sets_no_lock():
    sitting = table(retry="off")
    assert tries(sitting, FAILS).effects == (CONSEQUENCE,)
    assert again(sitting, FAILS).effects == (CONSEQUENCE,)


def test_a_roll_for_a_mere_name_locks_nothing_and_lifts_nothing():
    sitting = table()
    sitting.faces(*FAILS)
    somebody = ad_hoc(rank=1, agi=4)
    rolled = sitting.rolled("check", ad_hoc=somebody, ability="agi", tn=10, action="Pick the lock", changed="Better tools")
    assert rolled.effects == (CONSEQUENCE,)
    (ruled,) = sitting.choose(rolled.rolled.check, "at_cost")
    assert ruled.effects == ()


# --- success at a cost ------------------------------------------------------------------------------------------
@pytest.mark.rule("X-A8")
def test_who_succeeded_at_a_cost_has_nothing_to_try_again():
    sitting = table()
    rolled = tries(sitting, FAILS)
    (ruled,) = sitting.choose(rolled.rolled.check, "at_cost")
    assert (ruled.effects, ruled.result, ruled.drawn) == ((LIFTED,), None, 0)
    assert locks(sitting) == ()
    assert again(sitting, SUCCEEDS).effects == ()


@pytest.mark.parametrize("ruling", ["fails", "consequence", "costs_time", "costs_resources", "danger", "closed", "pass"])
def test_any_other_ruling_leaves_the_lock(ruling):
    sitting = table()
    (ruled,) = sitting.choose(tries(sitting, FAILS).rolled.check, ruling)
    assert ruled.effects == ()
    assert locks(sitting) == ("Pick the lock",)


def test_without_a_lock_a_success_at_a_cost_lifts_none():
    sitting = table(retry="off")
    (ruled,) = sitting.choose(tries(sitting, FAILS).rolled.check, "at_cost")
    assert ruled.effects == ()
    sitting = table()
    (ruled,) = sitting.choose(tries(sitting, FAILS, action="").rolled.check, "at_cost")
    assert ruled.effects == ()


def test_a_hidden_failure_changes_nothing_yet_and_neither_does_its_ruling():
    sitting = table()
    rolled = tries(sitting, FAILS, mode="gm")
    assert (rolled.deferred, rolled.effects, locks(sitting)) == (True, (CONSEQUENCE, LOCKED), ())
    (ruled,) = sitting.choose(rolled.rolled.check, "at_cost")
    assert (ruled.deferred, ruled.effects) == (True, (LIFTED,))


def test_a_hidden_success_at_a_cost_does_not_lift_what_an_open_failure_locked():
    sitting = table()
    tries(sitting, FAILS)
    rolled = tries(sitting, FAILS, mode="gm")
    (ruled,) = sitting.choose(rolled.rolled.check, "at_cost")
    assert (ruled.deferred, locks(sitting)) == (True, ("Pick the lock",))


def test_what_may_have_changed_is_ready_in_a_few_words():
    changes = rank_ability.RULESET.info(rank_ability.Options()).changes
    assert len(changes) == len(set(changes)) == 7
    assert all(0 < len(change) <= 40 for change in changes)
