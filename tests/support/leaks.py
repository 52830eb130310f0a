"""Looking for what somebody should not have been told, in every byte he was."""

import re

from boonbridge.core.ladder import rung
from boonbridge.core.visibility import Viewer, readable
from boonbridge_schemas.base import PARTS
from tests.support.bridge import TABLE

_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def number(value):
    """A number standing by itself: no piece of a hash, of an id, of a moment (``07:37:12``) or of a fraction."""
    return re.compile(rf"(?<![\w./-])(?<!\d:){value}(?![\w./-])(?!:\d)")


def found(text, words=(), numbers=()):
    """Which of the words and numbers stand in a text."""
    text = text.decode() if isinstance(text, bytes | bytearray) else text
    return {word for word in words if word in text} | {value for value in numbers if number(value).search(text)}


async def secrets_of(bridge, *, table=TABLE, ahead=70):
    """Every seed and salt that the table's key fixes, far beyond its head: 64 hex digits to (commit, part)."""
    opened = await bridge.table(table)
    key = await bridge.running.hub.ports.vault.table_key(table, opened.state.epoch)
    fixed = {key.hex(): (0, "key")}
    for seq in range(1, opened.state.seq + ahead):
        of = rung(key, table, opened.state.epoch, seq)
        for part in PARTS:
            fixed[of.seeds[part].hex()] = fixed[of.salts[part].hex()] = (seq, part)
    return fixed


async def reads_no_secret(bridge, person, role, *, table=TABLE):
    """No key, no seed of a commit not yet made, no seed or salt of a part that this person may not read (I-58, T-36)."""
    fixed = await secrets_of(bridge, table=table)
    by = {commit.seq: commit.by for commit in await bridge.stored(table)}
    viewer = Viewer(person.user, role)
    seen = {fixed[text] for text in _HEX.findall(person.bytes.decode()) if text in fixed}
    for seq, part in sorted(seen):
        assert seq in by, f"{person.user} was told a seed of commit {seq}, which is not made yet"
        assert part in readable(viewer, by[seq]), f"{person.user} was told seed or salt of part {part} of commit {seq}"
    return seen
