"""A player who may send and look at anything learns no more of what is hidden than totals and verdicts tell him.

Hidden are difficulties that a request does not show, numbers of the foe, grants that only game masters know of, and how
secret rolls fell, with what they did to the group's pool, to locks and to what stands. The player is told whatever he is told
in one world; in others only a secret is another. What he can tell apart by any byte must be what an independent solver can
tell apart that has the rules and the cards he was shown (``support/adversary.py``, ``support/solver.py``).
"""

import collections
import contextlib
import json

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
    monkeypatch.setattr(choosing, "MOST_WAITING", 2)
    monkeypatch.setattr(grouping, "KEPT_OVER", 2)
    monkeypatch.setattr(checking, "MOST_OPPORTUNITIES", 1)


def play(first, count, games=tuple(sorted(GAMES)), **how):
    """So many evenings of each game, and how often the player, or anybody, tried what."""
    tried, evenings = collections.Counter(), []
    for seed in range(first, first + count):
        for game in games:
            evening = Evening(game, seed, **how).play()
            evenings.append(evening)
            tried.update(evening.tried)
    return evenings, tried


def summary(evenings):
    """How far the solver, and so the player, came with the numbers that were hidden."""
    numbers = [(name, each) for each in evenings for name in each.spans if not name.startswith(("hidden", "blind", "secret"))]
    left = [(len(each.solver.possible(name, each.spans[name])), len(each.spans[name])) for name, each in numbers]
    apart, alike = sum(each.apart for each in evenings), sum(len(each.others) for each in evenings)
    narrowed = sum(now < before for now, before in left)
    return (
        f"{len(evenings)} evenings: {apart} other worlds told apart, by player and solver alike, {alike} by neither; "
        f"{narrowed} of {len(left)} hidden numbers narrowed, from {sum(b for _, b in left) / len(left):.1f} "
        f"to {sum(n for n, _ in left) / len(left):.1f} values"
    )


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
    evenings, tried = play(0, 13)
    assert sum(each.apart for each in evenings) > len(evenings) / 2, "he does learn what he may"
    assert len(tried) > 40, "and he tries much"


@pytest.fixture
def forgetful(monkeypatch):
    """Of what was done only the last few are remembered."""
    monkeypatch.setattr(deeds, "MOST_DEEDS", 4)
    monkeypatch.setattr(deeds, "FORGOTTEN_AT_ONCE", 1)


@pytest.mark.usefixtures("forgetful")
def test_what_is_forgotten_tells_nothing():
    """A GM can say out loud only what is remembered, so here none does: he would tell that it is."""
    evenings, _ = play(100, 2, aloud=False)
    assert len(evenings) == 2 * len(GAMES)


@pytest.mark.long
@pytest.mark.usefixtures("forgetful")
def test_what_is_forgotten_tells_nothing_over_many_evenings():
    evenings, _ = play(2_000, 50, aloud=False)
    print(summary(evenings))


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
def test_over_a_thousand_evenings_a_player_learns_no_more_than_the_cards_tell(game):
    """Of which 250 are of each game."""
    evenings, tried = play(1_000, 250, (game,), width=5, length=34)
    print(f"{game}: {summary(evenings)}")
    for probe, times in sorted(tried.items()):
        print(f"{times:7} {probe}")
    assert sum(each.apart for each in evenings) > 100


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
