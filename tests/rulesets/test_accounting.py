"""The account of a roll: which grants are in scope, what counts once, what cancels, and what is only listed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.rulesets.base import Actor, Check
from boonbridge.rulesets.common import accounting as account
from boonbridge_schemas.checks import Source, SourceClaim
from boonbridge_schemas.game import CheckSpec
from boonbridge_schemas.grants import Expiry, GrantRecord, GrantSource, Scope

SPEC = CheckSpec(key="attack", label="Attack", params=(), tags=("attack",))


def grant(actor="hero", sign="boon", id="charm", amount=1, when="none", **scope):
    return GrantRecord(
        id=f"{actor}.{id}",
        actor=actor,
        sign=sign,
        amount=amount,
        source=GrantSource(id=id, label=id),
        scope=Scope(**scope),
        expiry=Expiry(when=when),
        by="gm",
    )


def check(*grants, against=(), **fields):
    actor = Actor(id="hero", name="Hero", grants=grants)
    target = Actor(id="foe", name="Foe", grants=against)
    return Check(**{"spec": SPEC, "actor": actor, "target": target, "targets": ("foe",), **fields})


@pytest.mark.parametrize(
    ("scope", "covers"),
    [
        ({}, True),
        ({"attributes": ("strength",)}, True),
        ({"attributes": ("agility", "defense")}, True),  # what it is rolled against counts as well
        ({"attributes": ("will",)}, False),
        ({"checks": ("attack", "luck")}, True),
        ({"checks": ("luck",)}, False),
        ({"tags": ("melee",)}, True),  # of the attack
        ({"tags": ("attack",)}, True),  # of the check
        ({"tags": ("spell",)}, False),
        ({"targets": ("foe", "other")}, True),
        ({"targets": ("other",)}, False),
        ({"unless_targets": ("other",)}, True),
        ({"unless_targets": ("foe",)}, False),
        ({"action": "leap the gap"}, True),  # whatever the capitals
        ({"action": " Leap  the gap "}, True),  # and the spaces, as a lock has it
        ({"action": "swim"}, False),
        ({"tags": ("melee",), "attributes": ("will",)}, False),  # all of it has to fit
    ],
)
def test_i23_a_scope_covers_what_it_names(scope, covers):
    roll = check(action="Leap the Gap")
    assert account.in_scope(Scope(**scope), roll, attributes=("strength", "defense"), tags=("melee",)) is covers


@pytest.mark.parametrize("kind", ["targets", "unless_targets"])
def test_i24_a_scope_that_reaches_the_roll_looks_at_every_target(kind):
    roll = check(targets=("foe", "other"))
    whole, single = Scope(**{kind: ("other",)}, reach="roll"), Scope(**{kind: ("other",)}, reach="target")
    assert account.in_scope(whole, roll) is (kind == "targets")
    assert account.in_scope(single, roll) is (kind == "unless_targets")


def test_a_scope_that_needs_a_target_does_not_cover_a_roll_without_one():
    assert not account.in_scope(Scope(targets=("foe",)), check(target=None, targets=()))
    assert account.in_scope(Scope(unless_targets=("foe",)), check(target=None, targets=()))


def test_i23_own_grants_are_the_rollers_and_grants_against_are_the_targets():
    own, other = grant(id="mine"), grant(id="useless", side="against")
    lines = account.granted(check(own, other, against=(grant("foe", id="weak", side="against"), grant("foe", id="its own"))))
    assert [(line.id, line.grant) for line in lines] == [("mine", "hero.mine"), ("weak", "foe.weak")]


def test_without_a_target_nothing_stands_against():
    assert account.granted(check(target=None)) == []


@pytest.mark.parametrize(
    ("made", "mode", "off", "why", "applies"),
    [
        (grant(), "public", (), account.OPEN, True),
        (grant(checks=("luck",)), "public", (), "not_this_check", False),
        (grant(), "public", ("charm",), "switched_off", False),
        (grant(when="next_roll"), "public", (), account.OPEN, True),
        (grant(when="next_roll"), "gm", (), "open_rolls_only", True),
        (grant(when="next_roll_against"), "secret", (), "open_rolls_only", True),
        (grant(when="round_end"), "gm", (), account.OPEN, True),
        (grant(when="next_roll", checks=("luck",)), "gm", (), "not_this_check", False),
    ],
)
def test_what_can_be_said_without_any_games_rule(made, mode, off, why, applies):
    (line,) = account.granted(check(made, mode=mode, off=frozenset(off)))
    assert (line.why, line.applies, line.counted) == (why, applies, False)


def test_a_claim_says_whose_it_is():
    claim = SourceClaim(id="high ground", label="", sign="boon", origin="hill")
    (line,) = account.claimed(check(claims=(claim,), by_player=True))
    assert (line.label, line.origin, line.by_player, line.grant) == ("high ground", "hill", True, None)


def test_a_source_of_none_is_nothing():
    (line,) = account.claimed(check(claims=(SourceClaim(id="faded", label="faded", sign="boon", amount=0),)))
    assert line.why == "nothing"
    assert account.added_up([line]).sources == (line,)


def test_a_line_keeps_its_first_reason():
    (line,) = account.granted(check(grant(checks=("luck",))))
    assert account.passed_over(line, "one_at_most") is line


# --- adding up --------------------------------------------------------------------------------------------------
LINES = st.lists(
    st.builds(
        Source,
        id=st.sampled_from("abcde"),
        label=st.just("x"),
        sign=st.sampled_from(["boon", "bane"]),
        amount=st.integers(1, 4),
        counted=st.just(False),
        why=st.sampled_from([account.OPEN, account.OPEN, account.OPEN, "not_this_check"]),
    ),
    max_size=12,
)


@given(LINES)
def test_the_account_adds_up(lines):
    sums = account.added_up(lines)
    assert [(s.id, s.sign, s.amount) for s in sums.sources] == [(s.id, s.sign, s.amount) for s in lines]
    for sign, total in (("boon", sums.boons), ("bane", sums.banes)):
        assert total == sum(s.amount for s in sums.sources if s.counted and s.sign == sign)
    assert sums.net == sums.boons - sums.banes
    assert all(s.counted is (s.why in ("counts", "cancels")) for s in sums.sources)
    # The smaller side is gone altogether, the larger side keeps something.
    left = [s.sign for s in sums.sources if s.why == "counts"]
    assert set(left) == ({"boon"} if sums.net > 0 else {"bane"} if sums.net < 0 else set())


@given(LINES)
def test_of_the_same_the_largest_counts_and_no_other(lines):
    told = account.one_per(lines, lambda line: (line.sign, line.id))
    for key in {(s.sign, s.id) for s in lines if s.why == account.OPEN}:
        same = [s for s in told if (s.sign, s.id) == key and s.why in (account.OPEN, "same_source")]
        kept = [s for s in same if s.why == account.OPEN]
        assert len(kept) == 1
        assert kept[0].amount == max(s.amount for s in same)


def test_what_was_named_last_is_eaten_first():
    lines = [
        Source(id=id, label=id, sign=sign, amount=amount, counted=False, why=account.OPEN)
        for id, sign, amount in (("a", "boon", 2), ("b", "boon", 1), ("c", "bane", 2))
    ]
    assert [s.why for s in account.added_up(lines).sources] == ["counts", "cancels", "cancels"]


@pytest.mark.parametrize("kind", ["condition", "pool"])
def test_what_people_name_is_never_taken_for_a_line_of_the_bridge(kind):
    claim = SourceClaim(id="bolstered", label="bolstered", sign="boon", kind=kind)
    made = GrantRecord(
        id="g",
        actor="hero",
        sign="boon",
        amount=1,
        source=GrantSource(id="x", label="x", kind=kind),
        scope=Scope(),
        expiry=Expiry(),
        by="gm",
    )
    roll = check(made, claims=(claim,))
    assert [line.kind for line in (*account.granted(roll), *account.claimed(roll))] == ["situation", "situation"]
