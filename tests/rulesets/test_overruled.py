"""A GM says that a check failed which its dice would have made: a Boon buys it off by the new die alone (D-05, D-17)."""

import pytest

from tests.support.evening import Evening

NUMBERS = {"values": [{"key": "skill.might", "value": 2}]}
SKILL = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.might", "difficulty": 9}}


def events(placed, kind):
    return [event for _, event in placed if type(event).__name__ == kind]


def overruled(face=11, **options):
    """11 + 2 reaches 9, and the GM says that it failed all the same. The group holds two Boons."""
    table = Evening("group_d12", **options)
    table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": NUMBERS})
    for _ in range(2):
        table.do({"t": "Act", "verb": "give_boon"})
    check = events(table.do(SKILL, "pia", [face]), "CheckRolled")[0].rolled.check
    (ruled,) = events(table.do({"t": "Override", "check": check, "outcome": "failure"}), "Overridden")
    assert {offer.id: offer.chance for offer in ruled.choices} == {"accept": None, "spend": "1/2"}  # 7 to 12 of 12
    return table, check


def spend(table, check, face):
    return events(table.do({"t": "Choose", "check": check, "choice": "spend"}, "pia", [face]), "Chosen")


@pytest.mark.parametrize(
    ("face", "outcome", "total"),
    # The dice that lie there came to a failure, whatever they show; a bought 1 is no worse than that.
    [(12, "critical_success", 14), (7, "success", 9), (6, "failure", 13), (1, "failure", 13)],
)
def test_only_the_new_die_may_succeed(face, outcome, total):
    table, check = overruled()
    chosen = spend(table, check, face)
    after = chosen[0].result
    assert (after.outcome, after.success, after.total) == (outcome, outcome != "failure", total)
    assert [(die.face, die.kept) for die in after.dice] == [(11, outcome == "failure"), (face, outcome != "failure")]
    # D-05: having failed again earns nothing; a 12 earns its Boon (D-10).
    assert table.state.game.held == (2 if face == 12 else 1)
    assert [event.choice for event in chosen] == (["spend", "accept"] if outcome == "failure" else ["spend"])


def test_where_a_bought_die_replaces_the_others_it_stands_alone_anyway():
    table, check = overruled(reroll="replace")
    after = spend(table, check, 6)[0].result
    assert (after.outcome, after.total) == ("failure", 8)


def test_every_further_boon_has_its_own_chance_where_a_table_lets_several_be_spent():
    table, check = overruled(spend_after_limit=None)
    assert spend(table, check, 3)[0].result.outcome == "failure"
    after = spend(table, check, 8)[0].result
    assert (after.outcome, after.total) == ("success", 10)
    assert [(die.face, die.kept) for die in after.dice] == [(11, False), (3, False), (8, True)]


def test_without_a_ruling_all_dice_count_as_ever():
    table = Evening("group_d12")
    table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": NUMBERS})
    table.do({"t": "Act", "verb": "give_boon"})
    check = events(table.do(SKILL, "pia", [5]), "CheckRolled")[0].rolled.check
    after = spend(table, check, 2)[0].result
    assert (after.outcome, [(die.face, die.kept) for die in after.dice]) == ("failure", [(5, True), (2, False)])
