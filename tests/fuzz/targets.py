"""What chance is thrown at: a connection, stored commits, table data. Each takes bytes and raises where something gives way.

``wire``: no exception, no illegal state, everything answered with a code of ours. ``commits``: a stored part that was altered is
folded or refused as ``LogBroken``, which names the commit. ``tabledata``: a file, and a command, of house rules is taken or
refused in words; what was taken can be shown and played with.
"""

import contextlib
import io
import json
import tempfile
from functools import cache
from pathlib import Path

import msgspec

from boonbridge.commands import rules
from boonbridge.core import entries
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.rulesets.registry import shipped
from boonbridge.tables.folding import LogBroken, fold
from boonbridge.tables.ports import StoredCommit
from boonbridge.wire.connection import Connection
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.commands import SetTableData
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.tabledata import TableFile
from tests.fuzz.altering import Chance, altered_bytes, altered_json
from tests.support.bridge import ROLL
from tests.support.evening import Evening

GOLDEN = Path(__file__).parents[2] / "schemas" / "golden"
STATES = ("new", "greeting", "open", "closed")
_CODES = {str(code) for code in Code}
_COMMITS = 60
"""So many of each golden log are altered: what comes later is more of the same."""


# --- a connection ----------------------------------------------------------------------------------------------------
@cache
def frames():
    """Every golden frame that a client may send, and every golden command in one."""
    said = [path.read_bytes() for path in sorted((GOLDEN / "v1" / "client").glob("*.json"))]
    commands = [path.read_bytes() for path in sorted((GOLDEN / "v1" / "command").glob("*.json"))]
    return (*said, *(b'{"t":"do","id":"%s","seen":8,"cmd":%s}' % (b"a" * 22, command) for command in commands))


def wire(data):
    """A peer who says what he likes, and an owner who answers a hello as he likes. Returns how many messages that were."""
    chance, connection, now, said = Chance(data), Connection(), 0.0, 0
    if chance.number(3):  # most come past the door, so that what is behind it is tried as well
        _say(connection, next(frame for frame in frames() if b'"hello"' in frame).decode(), now)
        said += 1
    while not chance.used_up:
        if connection.state == "greeting" and chance.number(3) == 0:
            connection.opened() if chance.number(4) else connection.close(Close.AUTH_BAD)
        now += chance.of((0.0, 0.0, 0.5, 4.0, 11.0, 11.0))
        _say(connection, _message(chance), now)
        said += 1
    return said


def _message(chance):
    match chance.number(8):
        case 0:
            return chance.bytes(255)
        case 1:
            return chance.bytes(255).decode("utf-8", chance.of(("replace", "surrogateescape", "ignore")))
        case 2:
            return chance.of(frames()).decode()
        case 3:
            piece = chance.of(("[", '{"t":', '{"a":', '{"t":"do","cmd":', '"', "9", " "))
            return piece * chance.of((1, 100, 5_000, 16_500))
        case 4 | 5:
            return altered_bytes(chance, chance.of(frames())).decode("utf-8", "surrogateescape")
        case _:
            return altered_json(chance, chance.of(frames())).decode("utf-8", "surrogatepass")


def _say(connection, message, now):
    before = connection.state
    frame, reply = connection.receive(message, now)
    if before == "closed":
        assert (frame, reply) == (None, None), "who is closed says nothing more"
    else:
        assert (frame is None) != (reply is None), "one message comes to exactly one thing"
    if reply is not None:
        assert reply.code in _CODES
        assert 0 < len(reply.message) <= 300
        msgspec.json.encode(reply)
    if frame is not None:
        kind = frame.__struct_config__.tag
        assert before in ("new", "open")
        assert (kind in ("pair", "hello")) == (before == "new")
    assert connection.state in STATES
    assert (connection.closing is not None) == (connection.state == "closed")
    legal = {("new", "greeting"), ("new", "closed"), ("greeting", "closed"), ("open", "closed")}
    assert before == connection.state or (before, connection.state) in legal


# --- stored commits --------------------------------------------------------------------------------------------------
@cache
def logs():
    """Of every golden log: its first commits, and the table before each of them."""
    found = []
    for path in sorted((GOLDEN / "log").glob("v1-*.jsonl")):
        lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()[:_COMMITS]]
        commits = [_stored(line) for line in lines]
        state = TableState.opening(shipped()[path.stem.removeprefix("v1-")], table=commits[0].table)
        before = []
        for commit in commits:
            before.append(state)
            state = fold(state, commit)
        found.append((commits, before))
    return tuple(found)


def _stored(line):
    return StoredCommit(
        table=line["table"],
        seq=line["seq"],
        command_id=line["id"],
        by=line["by"],
        header=line["header"].encode(),
        parts=tuple(part.encode() for part in line["parts"]),
        hash=bytes.fromhex(line["hash"]),
    )


def commits(data):
    """One stored commit is altered; it and the next three are folded, and shown. Returns "folded" or "refused"."""
    chance = Chance(data)
    log, before = chance.of(logs())
    at = chance.number(len(log))
    commit = _altered(chance, log[at])
    state = before[at]
    try:
        for each in (commit, *log[at + 1 : at + 4]):
            state = fold(state, each)
    except LogBroken as broken:
        said = str(broken)
    else:
        shown(state)
        return "folded"
    assert said.startswith(f"table {commit.table}: commit ")
    assert "\n" not in said
    return "refused"


def _altered(chance, commit):
    what = chance.number(5)
    change = altered_json if chance.number(3) else altered_bytes
    if what == 4 or not commit.parts[what]:
        what = next((n for n, part in enumerate(commit.parts) if part), 4) if what != 4 else 4
    if what == 4:
        return msgspec.structs.replace(commit, header=change(chance, commit.header))
    parts = list(commit.parts)
    parts[what] = change(chance, parts[what])
    return msgspec.structs.replace(commit, parts=tuple(parts))


def shown(state):
    """Everything that anybody is shown of a table, encoded."""
    for role in ("gm", "player", "observer"):
        viewer = Viewer("somebody", role)
        for key in entries.all_keys(state):
            msgspec.json.encode(entries.value(state, key, viewer))


# --- house rules -----------------------------------------------------------------------------------------------------
@cache
def house_rules():
    """The house rules of every game as one file each, and the table they are of."""
    found = []
    for name, game in shipped().items():
        data = game.table_data()
        if data is not None:
            found.append((name, msgspec.json.encode(TableFile(name="Ours", data=data)), Evening(name)))
    return tuple(found)


@cache
def _file():
    return Path(tempfile.mkdtemp(prefix="boonbridge-fuzz-")) / "rules.json"


def tabledata(data):
    """A file of house rules as the command line reads it, then as a GM sends it, then in use.

    Returns "no file" (refused by the command line), "no frame" (by the connection), "refused" (by the table), or "taken".
    """
    chance = Chance(data)
    name, text, evening = chance.of(house_rules())
    change = altered_json if chance.number(4) else altered_bytes
    path = _file()
    path.write_bytes(change(chance, text))
    left, file = 0, None
    with contextlib.redirect_stderr(io.StringIO()) as said:
        try:
            file = rules.read(path)
        except SystemExit as exit_:
            left = exit_.code
    if file is None:
        assert left == 1
        assert said.getvalue().startswith("boonbridge: ")
        assert said.getvalue().count("\n") == 1, "one sentence"
        return "no file"
    options = {
        **file.options,
        **({chance.of(("default_tn", "assist", "x")): chance.of((1, True, "x", None))} if chance.number(2) else {}),
    }
    try:
        command = msgspec.convert({"t": "SetTableData", "data": msgspec.to_builtins(file.data), "options": options}, SetTableData)
    except msgspec.ValidationError:
        return "no frame"
    frame = msgspec.json.encode({"t": "do", "id": "a" * 22, "seen": 0, "cmd": command}).decode()
    connection = Connection()
    connection.opened()
    if connection.receive(frame, 0).frame is None:
        return "no frame"
    table = Evening(name)
    table.state = evening.state
    what, *why = table.tried(command, "gina")
    if what == "refused":
        assert why[0] in _CODES
        assert why[1]
        return "refused"
    for user in ("gina", "pia", "olga"):
        table.shown(user)
    state = table.state
    msgspec.json.encode(state.ruleset.info(state.options, state.data if state.edited else None))
    with contextlib.suppress(Refusal):
        table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "numbers": {}})
        table.previewed(ROLL[name], "gina")
    return "taken"


TARGETS = {"wire": wire, "commits": commits, "tabledata": tabledata}
