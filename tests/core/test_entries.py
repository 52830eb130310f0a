"""Which entries a commit tells anew: those that may be others now, and not everything that is open."""

from boonbridge.core import entries
from tests.support.evening import Evening

SKILL = {"t": "RollCheck", "check": "skill", "params": {"skill": "skill.athletics", "difficulty": 9}}


def test_the_groups_boons_renew_what_can_be_paid_and_no_ruling_that_waits():
    table = Evening("group_d12")
    numbers = {"values": [{"key": "skill.athletics", "value": 0}]}
    for actor, owner in (("hero", "pia"), ("friend", "quin")):
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": [owner], "numbers": numbers})
    for _ in range(30):  # critical failures: each waits for the GM's word (D-12)
        table.do({**SKILL, "actors": ["hero"]}, "pia", (1,))
    table.do({**SKILL, "actors": ["friend"]}, "quin", (2,))  # fails, and may be paid for (D-17)
    open_to_friend = f"check/{table.state.seq}.1"
    assert len(table.state.undecided) == 31
    placed = table.do({"t": "Act", "verb": "take_boon"})
    assert entries.touched(table.state, [event for _, event in placed], "player") == ("pool", open_to_friend)
    placed = table.do({"t": "SetOptions", "options": {"rulings": False}})
    # Resistance is as public as numbers are.
    assert len(entries.touched(table.state, [event for _, event in placed], "player")) == 31 + 2 + 2 * 2
