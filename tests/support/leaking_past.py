"""The past as a leak test hears it: what is looked for, moments, replays in a terminal, and exports, for one pair of eyes.

``after_the_fact`` gives what somebody would be told by each way, as JSON texts, so that it is searched like any frame.
"""

import contextlib
import io
import json
import re
from types import SimpleNamespace

from boonbridge.commands import replaying
from boonbridge.tables.exporting import exported
from boonbridge.tables.folding import as_it_stands
from tests.support.evening import GAMES

_TIME = re.compile(r"(?<!\d)\d\d:\d\d(?!\d)|\d{4}-\d\d-\d\d")
MARKS = ("roll", "critical", "fumble", "spent", "gained", "grant", "request", "evening", "correction", "people")


def _unseen(_seq):
    """How far it has come is of no interest."""


def _frame(kind, text):
    """Something that is JSON, as if it were a frame."""
    return json.dumps({"t": kind, **json.loads(text)}, separators=(",", ":"), ensure_ascii=False)


async def exports(store, table, viewer):
    """Every line of an export, and what stands in each part that it shows."""
    row = await store.tables.get_table(table)
    state = await as_it_stands(store.log, row, GAMES[row.ruleset], _unseen)
    lines = [line async for line in exported(store.log, store.vault, state, viewer, bridge="t", made=0, seen=_unseen)]
    parts = [part["bytes"] for line in lines for part in json.loads(line).get("parts", {}).values() if part["bytes"]]
    return [line.decode().rstrip("\n") for line in lines] + [_frame("part", part) for part in parts]


async def replays(store, table, viewer):
    """What ``boonbridge replay`` prints: as records, in words, and as the last moment both ways."""
    row = await store.tables.get_table(table)
    head, _ = await store.log.head(table)
    past = replaying._Past(SimpleNamespace(log=store.log, vault=store.vault), row, GAMES[row.ruleset], head)
    moment = await past.moment(head)
    lines = []
    for as_json in (True, False):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            await replaying._show_log(past, viewer, 1, as_json=as_json)
            log = out.getvalue()
        with contextlib.redirect_stdout(io.StringIO()) as out:
            replaying._show_moment(moment, viewer, as_json=as_json)
            stood = out.getvalue()
        if as_json:
            lines += log.splitlines() + [_frame("entry", line) for line in stood.splitlines()]
        else:
            lines += [json.dumps({"t": "line", "said": _TIME.sub("", line)}) for line in (log + stood).splitlines()]
    return lines


def looked_for(*people):
    """The frames with which somebody looks for everything there could be: by any mark, by actors, by who did it."""
    wanted = [{"marks": [mark]} for mark in MARKS] + [{"actor": "hero"}, {"actor": "foe"}]
    for where in (*wanted, *({"user": user} for user in people)):
        yield {"t": "history", "limit": 200, "where": where}
    yield {"t": "history", "limit": 1, "after": 0, "where": {"marks": ["roll"]}}
