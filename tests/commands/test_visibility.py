"""Who sees a roll of the command line that names nobody, and what only GMs know of, given and shown from a terminal."""

import asyncio
import json

import pytest

from boonbridge.net.client import Client
from boonbridge_schemas.events import CheckRolled, DiceRolled
from boonbridge_schemas.server import Hidden
from tests.commands.test_playing import Lines, agree, code, done, gm
from tests.support.cli import demo

VIGILANCE = ("--check", "skill", "skill=skill.vigilance", "difficulty=8", "--faces", "9")
LORE = ("--check", "skill", "skill=skill.lore", "difficulty=8", "--faces", "9")
WATCH, BELA = ("--actor", "night-watch"), ("--actor", "bela")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A demo of the d12 game: Ana and Bela are the player's, the night watch a GM's."""
    with demo(tmp_path_factory.mktemp("visibility") / "demo", "--ruleset", "group_d12") as serving:
        serving.other_gm = serving.token("Gina")  # a bridge slows whoever comes all the time
        options(serving, manual_dice=True)
        yield serving


def options(table, **values):
    assert table.asking("do", json.dumps({"t": "SetOptions", "options": values}), token=table.other_gm).code == 0


def commit(table, seq, who="gm"):
    """A commit, as somebody may read it."""

    async def read():
        async with Client(table.url, getattr(table, who)) as client:
            page = await client.history(after=int(seq) - 1, limit=1)
        return page.commits[0]

    return asyncio.run(read())


def rolled(table, *words, by="gm"):
    """Roll; the number of the commit."""
    return int(done(table.asking(*words, token=getattr(table, by))).seq)


def modes(table, seqs):
    """How openly some rolls went out."""

    async def read():
        async with Client(table.url, table.other_gm) as client:
            return (await client.history(after=min(seqs) - 1, limit=200)).commits

    events = {commit.seq: commit.events for commit in asyncio.run(read())}
    return [event.mode for seq in seqs for event in events[seq] if isinstance(event, CheckRolled | DiceRolled)]


def test_a_gms_roll_for_others_begins_as_the_table_says(table):
    dice = ("dice", "2d6", "--faces", "3,4")
    expected = {}
    expected[rolled(table, "roll", *WATCH, *VIGILANCE)] = "public"
    options(table, npc_rolls="gm")
    expected[rolled(table, "roll", *WATCH, *VIGILANCE)] = "gm"
    expected[rolled(table, *dice, *WATCH)] = "gm"
    # What is said counts, whichever way.
    expected[rolled(table, "roll", *WATCH, *VIGILANCE, "mode=public")] = "public"
    expected[rolled(table, *dice, *WATCH, "--mode", "blind")] = "blind"
    # The party, dice of nobody in particular, and a player's rolls begin openly.
    expected[rolled(table, "roll", *BELA, *LORE)] = "public"
    expected[rolled(table, *dice)] = "public"
    expected[rolled(table, "roll", *BELA, *LORE, by="player")] = "public"
    assert code(table, "roll", "--actor", "no-one", *LORE) == "actor.unknown"
    options(table, npc_rolls="secret")
    secret = rolled(table, "roll", *WATCH, *VIGILANCE)
    assert isinstance(commit(table, secret, "player"), Hidden)
    options(table, npc_rolls="public")
    assert modes(table, [*expected, secret]) == [*expected.values(), "secret"]


def test_whoever_a_player_owns_is_rolled_openly(table):
    wolf = {"t": "SyncActor", "actor": "wolf", "name": "Wolf", "side": "opposition", "owners": [player_id(table)]}
    wolf["numbers"] = {"values": [{"key": "skill.vigilance", "value": 1}]}
    assert table.asking("do", json.dumps(wolf), token=table.gm).code == 0
    options(table, npc_rolls="gm")
    wolfs = rolled(table, "roll", "--actor", "wolf", *VIGILANCE)
    options(table, npc_rolls="public")
    assert modes(table, [wolfs]) == ["public"]


def player_id(table):
    async def read():
        async with Client(table.url, table.player) as client:
            return client.welcome.user

    return asyncio.run(read())


@pytest.mark.rule("D-15")
def test_what_only_gms_know_of_is_given_counts_where_they_alone_read_and_is_shown(table, monkeypatch):
    given = gm(table, "grant", "bane=lamed", "--actor", "night-watch", "--label", "Lamed", "--until", "session_end", "--hidden")
    assert given == ["bane for night-watch: Lamed (only GMs know)"]
    assert isinstance(commit(table, given.seq, "player"), Hidden)
    again = table.asking(
        "grant", "bane=lamed", "--actor", "night-watch", "--label", "Lamed", "--until", "session_end", "--hidden", token=table.gm
    )
    assert (again.code, again.out) == (0, "That is so already; nothing was done.\n")
    # D-15: a negative chance is a die more, of which the lower counts. Openly it is rolled without.
    hidden = gm(table, "roll", *WATCH, *VIGILANCE[:-1], "9,4", "mode=gm")
    assert hidden[0] == "Night Watch: Skill check  (d12:9) d12:4 = 7 vs 8  Failure (by hand)"
    openly = gm(table, "roll", *WATCH, *VIGILANCE)
    assert openly[0] == "Night Watch: Skill check  d12:9 = 12 vs 8  Success (by hand)"
    assert code(table, "reveal-grant", f"{given.seq}.1", "--yes", by="player") == "role.forbidden"
    agree(monkeypatch, "n")
    left = table.asking("reveal-grant", f"{given.seq}.1", token=table.gm)
    assert (left.code, left.out.splitlines()[0]) == (1, "would be  bane for night-watch: Lamed")
    agree(monkeypatch, "y")
    shown = table.asking("reveal-grant", f"{given.seq}.1", token=table.gm)
    assert shown.code == 0
    assert commit(table, Lines(shown.out).seq, "player").events[0].grant.source.label == "Lamed"
    assert gm(table, "roll", *WATCH, *VIGILANCE[:-1], "9,4")[0].endswith("(d12:9) d12:4 = 7 vs 8  Failure (by hand)")
    assert code(table, "reveal-grant", f"{given.seq}.1", "--yes") == "grant.unknown"
    gm(table, "void", f"grant/{Lines(shown.out).seq}.1", "--yes")
    assert gm(table, "roll", *WATCH, *VIGILANCE) == openly


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("lamed",), "'lamed' is not of the form key=value."),
        (("curse=lamed",), "'curse=lamed' is not of the form boon=ID or bane=ID."),
        (("bane=so#very",), "'so#very' cannot be a reason's id."),
    ],
)
def test_what_is_no_boon_and_no_bane_is_said(table, words, sentence):
    told = table.asking("grant", *words, "--actor", "night-watch", token=table.gm)
    assert (told.code, told.err) == (1, f"boonbridge: {sentence}\n")


def test_only_gms_give(table):
    assert code(table, "grant", "boon=x", "--actor", "bela", by="player") == "role.forbidden"
