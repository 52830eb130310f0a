"""Logs that were written once stay readable: every line decodes, follows the chain, and folds into a table."""

import json
from hashlib import sha256

import msgspec
import pytest

from boonbridge.core.chain import GENESIS, leaf, link
from boonbridge.core.ladder import AHEAD, Ladder
from boonbridge.core.state import TableState
from boonbridge.rulesets.registry import shipped
from boonbridge.tables.folding import fold
from boonbridge.tables.ports import StoredCommit
from boonbridge_schemas.base import PARTS
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.events import EVENTS, CheckRolled, Chosen, DiceRolled, TableOpened
from tests.schemas.common import SCHEMAS, verify

LOGS = sorted((SCHEMAS / "golden/log").glob("*.jsonl"))


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def stored(line):
    return StoredCommit(
        table=line["table"],
        seq=line["seq"],
        command_id=line["id"],
        by=line["by"],
        header=line["header"].encode(),
        parts=tuple(part.encode() for part in line["parts"]),
        hash=bytes.fromhex(line["hash"]),
    )


def parts_of(line):
    return [msgspec.json.decode(part, type=Part) for part in line["parts"] if part]


def test_every_shipped_game_has_a_log():
    assert {path.stem.removeprefix("v1-") for path in LOGS} >= set(shipped())


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_line_decodes_and_agrees_with_its_header(path):
    for number, line in enumerate(lines(path), start=1):
        header = msgspec.json.decode(line["header"], type=Header)
        assert (header.table, header.seq) == (line["table"], line["seq"]) == (line["table"], number)
        for part in parts_of(line):
            assert (part.id, part.by) == (line["id"], line["by"])


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_the_chain_and_every_promise_hold(path):
    log = lines(path)
    ladder = Ladder(sha256(f"key of {log[0]['table']}".encode()).digest(), log[0]["table"], 1)
    before = GENESIS
    for line in log:
        salts = ladder.rung(line["seq"]).salts
        leaves = {name: leaf(salts[name], part.encode()) for name, part in zip(PARTS, line["parts"], strict=True)}
        assert link(before, line["header"].encode(), leaves).hex() == line["hash"]
        promised = msgspec.json.decode(line["header"], type=Header).seed_hash
        assert promised == ladder.rung(line["seq"] + AHEAD).promise.hex()
        before = bytes.fromhex(line["hash"])
    opening = parts_of(log[0])[0].events[0]
    assert isinstance(opening, TableOpened)
    assert opening.seed_hashes == ladder.promises(1)
    assert not opening.taped


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_every_die_in_every_part_is_the_one_its_seed_gives(path):
    log = lines(path)
    ladder = Ladder(sha256(f"key of {log[0]['table']}".encode()).digest(), log[0]["table"], 1)
    count = 0
    for line in log:
        for name, part in zip(PARTS, line["parts"], strict=True):
            events = json.loads(part)["events"] if part else []
            for index, die in enumerate(verify.dice_of(events)):
                assert die["face"] == verify.face(ladder.rung(line["seq"]).seeds[name], line["id"], index, die["sides"])
                count += 1
    assert count >= 8


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_log_folds_into_a_table(path):
    log = lines(path)
    ruleset = shipped()[msgspec.json.decode(log[0]["header"], type=Header).ruleset]
    state = TableState.opening(ruleset, table=log[0]["table"])
    for line in log:
        state = fold(state, stored(line))
    assert state.seq == len(log)
    assert {"kestrel", "tamsin"} <= state.actors.keys()
    assert {user: member.role for user, member in state.people.items()} == {
        "mira": "gm",
        "jonas": "player",
        "asha": "player",
        "shelf": "observer",
    }


def test_the_logs_together_hold_every_mode_and_every_kind_of_event_but_one():
    events = [event for path in LOGS for line in lines(path) for part in parts_of(line) for event in part.events]
    assert {event.mode for event in events if isinstance(event, CheckRolled)} == {"public", "gm", "blind", "secret", "self"}
    assert any(isinstance(event, Chosen) and event.auto for event in events)
    assert any(isinstance(event, Chosen) and event.result for event in events)
    missing = {event.__name__ for event in EVENTS} - {type(event).__name__ for event in events}
    assert missing == {"LadderRestarted"}
    dice = [event for event in events if isinstance(event, DiceRolled)]
    assert {event.mode for event in dice} == {"public", "gm", "blind", "secret", "self"}
    assert any(event.auto for event in dice)
    assert any(event.sources for event in dice)
    assert any(event.manual for event in events if isinstance(event, Chosen))
    assert any(event.note for event in events if isinstance(event, Chosen))
    rolled = [event.rolled for event in events if isinstance(event, CheckRolled)]
    for what in ("manual", "auto", "again", "changed", "ends"):
        assert any(getattr(each, what) for each in rolled), what
    effects = {type(e).__name__ for event in events for e in getattr(event, "effects", ())}
    assert effects >= {"LockSet", "LockCleared", "MarkSet", "ResistanceOffered", "DieBought", "ResourceChanged"}
