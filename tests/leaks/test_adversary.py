"""A player who may send and look at anything learns no more of what is hidden than totals and verdicts tell him.

Hidden are difficulties that a request does not show, numbers of the foe, grants that only game masters know of, and how
secret rolls fell, with what they did to the group's pool, to locks and to what stands. The player is told whatever he is told
in one world; in others only a secret is another. What he can tell apart by any byte must be what an independent solver can
tell apart that has the rules and the cards he was shown (``support/adversary.py``, ``support/solver.py``).
"""

import collections
import contextlib
import json
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from boonbridge.core import checking, choosing, deeds, granting, grouping
from tests.support.adversary import Evening, Learned
from tests.support.adversary_games import GAMES
from tests.support.adversary_leaks import LEAKS
from tests.support.adversary_worlds import START
from tests.support.bridge import TABLE, serving

WITHIN = 60
"""So many evenings the adversary has to find a leak in; most he finds in the first."""
FEW = (
    "odds where a Defense is hidden",
    "the pool moved by a hidden roll",
    "the lock of a hidden failure",
    "ids of checks with gaps",
)


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    """Everything of which a table keeps so many and no more is so narrow that an evening comes to its end."""
    monkeypatch.setattr(granting, "_LIMITS", replace(granting._LIMITS, grants_per_actor=3))
    monkeypatch.setattr(grouping, "KEPT_OVER", 2)
    monkeypatch.setattr(checking, "MOST_OPPORTUNITIES", 1)


class Came(NamedTuple):
    """What came of some evenings: worlds told apart, worlds alike, of each hidden number what is left of how many, probes."""

    evenings: int
    apart: int
    alike: int
    left: list
    tried: collections.Counter

    def __str__(self):
        narrowed = sum(now < before for now, before in self.left)
        before, now = (sum(each[i] for each in self.left) / len(self.left) for i in (1, 0))
        return (
            f"{self.evenings} evenings: {self.apart} other worlds told apart, by player and solver alike, {self.alike} by neither; "
            f"{narrowed} of {len(self.left)} hidden numbers narrowed, on average from {before:.1f} to {now:.1f} values"
        )


def play(first, count, games=(), **how):
    """So many evenings of each game (or of some), one after the other. Raises where the player learns too much."""
    evenings, apart, alike, left, tried = 0, 0, 0, [], collections.Counter()
    for seed in range(first, first + count):
        for game in games or sorted(GAMES):
            evening = Evening(game, seed, **how).play()
            evenings, apart, alike = evenings + 1, apart + evening.apart, alike + len(evening.others)
            left += evening.left()
            tried.update(evening.tried)
    return Came(evenings, apart, alike, left, tried)


def found(leak, within):
    """By what, and after how many evenings, a leaking build is found; None: it is not."""
    games, leaking = LEAKS[leak]
    with leaking():
        for nth in range(within):
            try:
                Evening(games[nth % len(games)], f"leak {nth}").play()
            except Learned as learned:
                return learned.probe, nth + 1
    return None


def test_a_player_learns_no_more_than_the_cards_tell():
    came = play(0, 13)
    assert came.apart > came.evenings, "he does learn what he may"
    assert len(came.tried) > 40, "and he tries much"


@pytest.fixture
def forgetful(monkeypatch):
    """Of what was done only the last few are remembered, and only a few rolls wait for a ruling."""
    monkeypatch.setattr(choosing, "MOST_WAITING", 2)
    monkeypatch.setattr(deeds, "MOST_DEEDS", 4)
    monkeypatch.setattr(deeds, "FORGOTTEN_AT_ONCE", 1)


@pytest.mark.usefixtures("forgetful")
def test_what_is_forgotten_tells_nothing():
    """A GM can say out loud only what is remembered, so here none does: he would tell that it is."""
    assert play(100, 2, aloud=False).evenings == 2 * len(GAMES)


@pytest.mark.long
@pytest.mark.usefixtures("forgetful")
def test_what_is_forgotten_tells_nothing_over_many_evenings():
    print(play(2_000, 50, aloud=False))


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
def test_over_a_thousand_evenings_a_player_learns_no_more_than_the_cards_tell(game):
    """Of which 250 are of each game."""
    came = play(1_000, 250, (game,), width=5, length=34)
    print(f"{game}: {came}")
    for probe, times in sorted(came.tried.items()):
        print(f"{times:7} {probe}")
    assert came.apart > 250, "he does learn what he may"


@pytest.mark.parametrize("leak", FEW)
def test_a_leaking_build_is_found(leak):
    assert found(leak, WITHIN) is not None


@pytest.mark.long
@pytest.mark.parametrize("leak", sorted(LEAKS))
def test_every_leaking_build_is_found(leak):
    by = found(leak, 4 * WITHIN)
    assert by is not None, leak
    print(f"{leak}: by {by[0]}, evening {by[1]}")


# --- over sockets --------------------------------------------------------------------------------------------------
CHANCE = {"hash", "seedHash", "seeds", "headHash", "seedHashes", "prevHash", "leaf", "salt", "seed"}
MOMENT = {"at", "since", "expiresAt", "addresses", "device"}
"""What is another at every table: hashes, seeds and salts; and each time: moments, the port of the bridge, ids of devices."""
LIVE = ("logged", "hidden", "ack", "refused", "previewed", "foreseen")


def without_chance(value, *, top=True):
    """A frame without hashes, seeds, salts and times, and without the command's id; bytes of a proof are opened."""
    if isinstance(value, dict):
        gone = {*CHANCE, *MOMENT, *(["id"] if top else [])}
        return {key: without_chance(each, top=key == "commits") for key, each in value.items() if key not in gone}
    if isinstance(value, list):
        return [without_chance(each, top=top) for each in value]
    if isinstance(value, str) and value.startswith('{"'):
        return without_chance(json.loads(value))
    return value


def heard(bridge, person, since=0):
    """All that a person was sent, in order, but for who is here; people by their names. ``since``: so many bytes later."""
    text = person.bytes[since:].decode()
    for name in NAMES.values():
        text = text.replace(bridge.user(name), name.lower())
    return [without_chance(frame) for frame in map(json.loads, text.splitlines()) if frame["t"] != "presence"]


NAMES = {"gina": "Gina", "pia": "Pia", "quin": "Quin", "olga": "Olga"}
HERE = {"gina": "gm", "pia": "player", "quin": "player", "olga": "observer"}


async def over_sockets(game, world, folder):
    """The evening of a world over real sockets. What its player was sent, and then what he is sent when he looks back."""
    me = NAMES[world.viewer.user]
    async with serving(folder) as bridge, contextlib.AsyncExitStack() as door:
        await bridge.running.new_table(TABLE, "An evening", game)
        people = {user: await door.enter_async_context(bridge.join(NAMES[user], role)) for user, role in HERE.items()}
        mine = people[world.viewer.user]
        await mine.settled()
        assert mine.seq == START
        before, last = len(mine.bytes), mine.last
        for what, by, cmd, faces in world.script:
            await say(bridge, people[by], what, cmd, faces)
        await mine.settled()
        live = [frame for frame in heard(bridge, mine, before) if frame["t"] in LIVE and frame.get("code") != "proof.unknown"]
        await mine.ask({"t": "history", "limit": 200})
        for seq in range(1, mine.seq + 1):
            await mine.ask({"t": "proof", "seq": seq})
        for id in foreign_ids(people):
            await mine.ask({"t": "withdraw", "id": id})
        async with bridge.join(me) as anew, bridge.join(me, last=last) as back:
            past = [heard(bridge, anew), heard(bridge, back)]
        return live, [heard(bridge, mine), *past]


async def say(bridge, person, what, cmd, faces):
    if cmd is not None:
        text = json.dumps(cmd)
        for user, name in NAMES.items():
            text = text.replace(f'"{user}"', f'"{bridge.user(name)}"')
        cmd = json.loads(text)
    match what:
        case "do":
            bridge.tape.put(*faces)
            await person.do(cmd)
            bridge.tape.clear()
        case "withdraw":
            await person.ask({"t": "withdraw", "id": f"gives-up-{person.seq:020}"})
        case "preview":
            await person.ask({"t": "preview", "check": cmd})
        case "foresee":
            await person.ask({"t": "foresee", "cmd": cmd})


def foreign_ids(people):
    """Ids of others' commands, as far as anybody but he could know them, and some of nobody's."""
    known = [frame["id"] for frame in people["gina"].of("logged")[-12:]]
    return [*known, *(f"nobody-sent-this-{n:020}" for n in range(3))]


async def compare_over_sockets(game, seed, tmp_path):
    evening = Evening(game, seed).play()
    core = [without_chance(frame) for frame in map(json.loads, evening.told)]
    live, sent = await over_sockets(game, evening.truth, tmp_path / "here")
    assert live == core
    others = [world for world in evening.others if len(evening.different(world)) == 1]
    assert others
    _, there = await over_sockets(game, evening.any.choice(others), tmp_path / "there")
    for mine, other in zip(sent, there, strict=True):
        assert [frame for frame in mine if frame not in other] == [frame for frame in other if frame not in mine]
        assert mine == other


async def test_over_real_sockets_it_is_the_same(tmp_path):
    await compare_over_sockets("group_d12", 1, tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_over_real_sockets_it_is_the_same_in_every_game(game, seed, tmp_path):
    await compare_over_sockets(game, seed, tmp_path)
