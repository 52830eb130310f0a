"""What people complain about in the logs of comparable software, and what an export, a replay and a check of ours have instead.

The expected numbers are worked out by hand from the rules, as in shared cases T-01, T-14, T-19 and T-30.
"""

import asyncio
import json
import shutil
from hashlib import sha256

import apsw
import pytest

from boonbridge.core.freezing import frozen
from tests.support.bridge import GAMES, ROLL, seat, serving
from tests.support.cli import inside
from tests.support.logs import folded

BOONS = [{"id": "height", "label": "Higher ground", "sign": "boon"}, {"id": "ally", "label": "Ana helps", "sign": "boon"}]
BANE = {"id": "rain", "label": "Driving rain", "sign": "bane"}
TABLE = {game: game.replace("_", "-") for game in GAMES}
SOURCES = {
    "sage_d20": [*BOONS, BANE],  # two Boons and one Bane leave one: one d6
    "public_d20": BOONS,  # three d20, the best is kept
    "rank_ability": [BOONS[0]],  # one d10 more, the two best are kept
    "group_d12": [],
}
FACES = {"sage_d20": (11, 4), "public_d20": (7, 15, 3), "rank_ability": (5, 6, 2), "group_d12": (4,)}
ROLLED = {
    "sage_d20": {"target": 12, "total": 11 + 3 + 4, "kept": [11, 4], "dropped": [], "outcome": "success"},
    "public_d20": {"target": 12, "total": 15 + 3, "kept": [15], "dropped": [7, 3], "outcome": "success"},
    "rank_ability": {"target": 9, "total": 5 + 6, "kept": [5, 6], "dropped": [2], "outcome": "success"},
    "group_d12": {"target": 9, "total": 4 + 3, "kept": [4], "dropped": [], "outcome": "failure"},
}
ALL = ("public", "gm", "blind", "secret", "self")
MODES = dict.fromkeys(GAMES, ALL) | {"group_d12": ("public", "gm", "secret")}
"""Where the group's Boons may move nobody rolls alone or blind."""


async def _played(folder):
    """In each game a roll with its reasons, and rolls in every mode; in the one with a pool a Boon that is given and spent."""
    async with serving(folder) as bridge:
        for game in GAMES:
            table = TABLE[game]
            await seat(bridge, game, table=table, options={"dice_public": False} if game == "public_d20" else None)
            async with bridge.join("Gina", table=table) as gina, bridge.join("Pia", table=table) as pia:
                bridge.tape.put(*FACES[game])
                roll = {**ROLL[game], "action": "over the rail", "sources": SOURCES[game]}
                if game == "group_d12":
                    assert (await gina.do({"t": "Act", "verb": "give_boon"}))["t"] == "ack"
                done = await pia.do(roll)
                assert done["t"] == "ack", done
                if game == "group_d12":
                    bridge.tape.put(2)
                    spent = await pia.do({"t": "Choose", "check": f"{done['seq']}.1", "choice": "spend"})
                    assert spent["t"] == "ack", spent
                for mode in MODES[game]:
                    done = await gina.do({**ROLL[game], "mode": mode, "action": f"and {mode}"})
                    assert done["t"] == "ack", done


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("log") / "data"
    asyncio.run(_played(place))
    return place


@pytest.fixture(scope="module")
def exports(folder, tmp_path_factory):
    """The lines of each table's export, for any player and complete."""
    place = tmp_path_factory.mktemp("exports")
    found = {}
    for game in GAMES:
        for kind, flags in (("player", ()), ("complete", ("--complete",))):
            out = place / f"{game}-{kind}.jsonl"
            done = inside("export", "--data", folder, "--table", TABLE[game], "--out", out, *flags)
            assert done.code == 0, done
            found[game, kind] = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    return found


def events_of(lines, kind):
    """Every event of a kind that can be read in an export, with its commit."""
    for line in lines:
        for part in line.get("parts", {}).values():
            if part["bytes"] is not None:
                for event in json.loads(part["bytes"])["events"] if part["bytes"] else ():
                    if event["t"] == kind:
                        yield line["seq"], event


def over_the_rail(lines):
    ((_, event),) = [each for each in events_of(lines, "CheckRolled") if each[1]["rolled"]["action"] == "over the rail"]
    return event


@pytest.mark.parametrize("game", GAMES)
def test_i115_an_export_has_the_context_of_a_roll(exports, game):
    """Who, what was attempted with which number against what, every reason with its words, whether it counted, what it came to."""
    event = over_the_rail(exports[game, "player"])
    rolled, want = event["rolled"], ROLLED[game]
    assert (rolled["actor"], rolled["name"], rolled["kind"]) == ("hero", "Hero", ROLL[game]["check"])
    assert rolled["params"].items() >= ROLL[game]["params"].items(), "the skill or attribute, and the target number"
    assert rolled["target"] == want["target"]
    told = {(source["id"], source["label"], source["sign"], source["amount"]) for source in event["sources"]}
    assert told >= {(source["id"], source["label"], source["sign"], 1) for source in SOURCES[game]}
    assert (event["result"]["total"], event["result"]["outcome"]) == (want["total"], want["outcome"])


@pytest.mark.parametrize("game", GAMES)
def test_i116_every_die_is_there_kept_or_dropped(exports, game):
    result = over_the_rail(exports[game, "player"])["result"]
    assert [die["face"] for die in result["dice"]] == list(FACES[game])
    assert [die["face"] for die in result["dice"] if die["kept"]] == ROLLED[game]["kept"]
    assert [die["face"] for die in result["dice"] if not die["kept"]] == ROLLED[game]["dropped"]
    boons, banes = (sum(source["sign"] == sign for source in SOURCES[game]) for sign in ("boon", "bane"))
    assert (result["boons"], result["banes"], result["net"]) == (boons, banes, boons - banes), "and which way it went"


def test_i117_an_export_is_made_of_the_log_alone_whatever_becomes_of_a_chat(folder, exports, tmp_path):
    """No page ever drew a card here, and what is noted of a chat changes no byte of a commit."""
    before = [line for line in exports["sage_d20", "player"] if line["t"] == "commit"]
    assert {event["rolled"]["kind"] for _, event in events_of(before, "CheckRolled")} == {"attribute"}
    shutil.copytree(folder, tmp_path / "data")
    database = apsw.Connection(str(tmp_path / "data" / "log.sqlite"))
    database.execute("INSERT INTO postings (table_id, posted) VALUES (?, ?)", (TABLE["sage_d20"], len(before)))
    database.close()
    assert inside("export", "--data", tmp_path / "data", "--table", TABLE["sage_d20"], "--out", tmp_path / "file").code == 0
    after = [json.loads(line) for line in (tmp_path / "file").read_text("utf-8").splitlines()]
    assert [line for line in after if line["t"] == "commit"] == before


def test_i118_each_modifier_stands_by_itself_so_that_others_can_check_it(exports):
    """Not `+1`: both Boons and the Bane, which of them cancel, the bonus, and the sum that they give."""
    event = over_the_rail(exports["sage_d20", "player"])
    assert {source["label"]: source["sign"] for source in event["sources"] if source["counted"]} == {
        "Higher ground": "boon",
        "Ana helps": "boon",
        "Driving rain": "bane",
    }
    assert all(source["why"] for source in event["sources"])
    result = event["result"]
    assert result["total"] == sum(ROLLED["sage_d20"]["kept"]) + result["bonus"]
    assert result["bonus"] == 13 - 10, "agility 13"


def test_i120_what_the_group_holds_can_be_followed_from_hand_to_hand(folder, exports):
    """Given by a GM, spent on a roll by its player: what was there before and after, and for what (T-30: 4, then 2, is 7)."""
    lines = exports["group_d12", "player"]
    moves = [
        (seq, effect)
        for kind in ("Acted", "Chosen", "CheckRolled")
        for seq, event in events_of(lines, kind)
        for effect in event["effects"]
    ]
    pool = [(seq, effect) for seq, effect in sorted(moves, key=lambda move: move[0]) if effect["t"] == "ResourceChanged"]
    assert [(effect["asked"], effect["applied"]) for _, effect in pool[:2]] == [(1, 1), (-1, -1)]
    assert all(effect["reason"] for _, effect in pool)
    spent_in, chosen = next(each for each in events_of(lines, "Chosen") if each[1]["choice"] == "spend")
    assert spent_in == pool[1][0]
    assert chosen["result"]["total"] == 7
    given_in, head = pool[0][0], next(line["count"] for line in lines if line["t"] == "trailer")
    moments = {given_in - 1: 0, given_in: 1, spent_in: 0, head: sum(effect["applied"] for _, effect in pool)}
    for at, held in moments.items():
        shown = inside("replay", "--data", folder, "--table", TABLE["group_d12"], "--at", at).out.splitlines()
        assert f"the group holds {held} of 10 Boons" in shown, at


@pytest.mark.parametrize("game", GAMES)
def test_i124_no_roll_is_left_out(folder, exports, game):
    """Counted: the commits of the log, those of each export, and those that come back; and every roll that was made."""
    made = 1 + len(MODES[game])
    complete, player = exports[game, "complete"], exports[game, "player"]
    assert len(list(events_of(complete, "CheckRolled"))) == made
    assert len(list(events_of(player, "CheckRolled"))) == 2, "the two that everybody saw; of the others the hashes"
    seqs = {kind: [line["seq"] for line in exports[game, kind] if line["t"] == "commit"] for kind in ("complete", "player")}
    replayed = inside("replay", "--data", folder, "--table", TABLE[game], "--as", "gm", "--json").records
    assert seqs["complete"] == seqs["player"] == [record["seq"] for record in replayed] == list(range(1, len(replayed) + 1))
    assert [line["count"] for line in complete if line["t"] == "trailer"] == [len(replayed)]


def test_t45_a_log_replayed_is_the_same_and_one_byte_of_one_face_is_found(folder, tmp_path):
    """Twice the same to the byte, and the same state; then a face is flipped, and verify names the commit."""
    table = TABLE["public_d20"]
    words = ("replay", "--data", folder, "--table", table, "--as", "gm", "--json")
    first, second = (inside(*words).out for _ in range(2))
    assert sha256(first.encode()).digest() == sha256(second.encode()).digest()

    async def states():
        async with serving(folder) as bridge:
            live = (await bridge.table(table)).state
            again = await folded(bridge.running.hub.ports.store, table, "public_d20", live.seq)
            return frozen(live), frozen(again), (await bridge.table(table)).head_hash.hex()

    live, again, head = asyncio.run(states())
    assert live == again
    assert json.loads(first.splitlines()[-1])["hash"] == head
    verify = ("verify", "--data", tmp_path / "data", "--table", table)
    shutil.copytree(folder, tmp_path / "data")
    assert inside(*verify).code == 0
    (rolled,) = [record for record in map(json.loads, first.splitlines()) if "over the rail" in json.dumps(record)]
    database = apsw.Connection(str(tmp_path / "data" / "log.sqlite"))
    where = (table, rolled["seq"])
    ((part,),) = database.execute("SELECT part_all FROM commits WHERE table_id = ? AND seq = ?", where).fetchall()
    flipped = part.replace(b'"face":15', b'"face":14')
    assert sum(one != other for one, other in zip(part, flipped, strict=True)) == 1
    database.execute("UPDATE commits SET part_all = ? WHERE table_id = ? AND seq = ?", (flipped, *where))
    database.close()
    found = inside(*verify)
    assert found.code == 1
    assert f"table {table}: commit {rolled['seq']}: " in found.err
