"""The last Boon of the group, wanted by two in the same millisecond, a thousand times (T-25, I-90).

Both commands are in the table's queue before its worker takes the first; over sockets it is played in ``tests/net``.
"""

import asyncio

from boonbridge.core import entries
from boonbridge.core.visibility import Viewer
from tests.support.house import BOON, HERO, ROLL, House

ROUNDS = 1_000
PLAYERS = {"hero": "pia", "friend": "quin"}
EYES = (Viewer("pia", "player"), Viewer("quin", "player"), Viewer("gina", "gm"), Viewer("olga", "observer"))


async def test_t25_i90_two_spend_the_last_boon_at_once_a_thousand_times():
    async with House() as house:
        for actor, player in PLAYERS.items():
            await house.do({**HERO, "actor": actor, "name": actor, "owners": [player]})
        await house.do(BOON)
        winners = [await last_boon(house, turn) for turn in range(ROUNDS)]
        assert winners == [list(PLAYERS)[turn % 2] for turn in range(ROUNDS)], "whoever comes first has it"
        table = await house.table()
        assert table.state.game.held == 1
        node = await house.node()  # as it is read back from the log
        assert (node.state, node.head_hash) == (table.state, table.head_hash)
        await node.aclose()


async def last_boon(house, turn):
    """One round with one Boon left, and one left after it. Whose actor had it."""
    table = await house.table()
    checks = {}
    for actor, player in PLAYERS.items():
        house.tape.put(2)
        checks[actor] = f"{(await house.do({**ROLL, 'actors': [actor]}, by=player, role='player')).seq}.1"
    for check in checks.values():
        assert all(offered(table, check, eyes) == {"accept": (True, None), "spend": (True, None)} for eyes in EYES)
    first, second = list(checks)[:: -1 if turn % 2 else 1]
    seq = table.state.seq
    house.tape.put(9)
    taken, empty = await asyncio.gather(*(choose(house, actor, checks[actor], "spend", table) for actor in (first, second)))
    assert (taken.seq, table.state.seq) == (seq + 1, seq + 1)
    assert (empty.code, table.state.game.held) == ("pool.empty", 0)
    assert not house.tape.tape, "exactly one die was drawn"
    # Neither decision was taken from its player: one is made as he wanted it, the other is still his.
    assert checks[first] not in table.state.checks or table.state.checks[checks[first]].done
    for eyes in EYES:
        assert offered(table, checks[first], eyes) is None
        assert offered(table, checks[second], eyes) == {"accept": (True, None), "spend": (False, "pool.empty")}
    assert (await choose(house, second, checks[second], "spend")).code == "pool.empty"
    if turn % 4 > 1:
        await house.do(BOON)
        assert offered(table, checks[second], EYES[0])["spend"] == (True, None)
        house.tape.put(9)
        assert (await choose(house, second, checks[second], "spend")).changed
    else:
        assert (await choose(house, second, checks[second], "accept")).changed
    if not table.state.game.held:  # to accept earns a Boon ten times a session (D-16)
        await house.do(BOON)
    return first


def choose(house, actor, check, choice, table=None):
    return house.do({"t": "Choose", "check": check, "choice": choice}, by=PLAYERS[actor], role="player", table=table)


def offered(table, check, eyes):
    """What is open on a check on somebody's screen; None where nothing is."""
    entry = entries.value(table.state, f"check/{check}", eyes)
    return entry and {offer.id: (offer.enabled, offer.why) for offer in entry.choices}
