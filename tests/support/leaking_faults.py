"""What is wrong with a cell that was played: what nobody should have been told, and what he was not told.

Beside marks that are found where they may not be: frames with more in them than they may have, seeds of parts that are
another's, and whatever tells a cell from its shadow to somebody who reads nothing of the roll.
"""

import json
import re
from typing import NamedTuple

from tests.support.bridge import ROLES
from tests.support.leaking import CHANNELS, GMS, LAPTOP, NOBODY, READERS, REASON, TOLD_OF, Cell
from tests.support.leaks import found


class Fault(NamedTuple):
    """``kind``: ``told`` what he may not know, ``not told`` what he may, ``shape`` of a frame, ``differs`` from the shadow,
    ``not rare`` what was planted.
    """

    channel: str
    viewer: str
    kind: str
    what: object


_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_MOMENT = re.compile(r"(?<!\d)1\d{12}(?!\d)")
_ID = re.compile(r'(?<="id":")[A-Za-z0-9_-]{22,40}(?=")|(?<=\\"id\\":\\")[A-Za-z0-9_-]{22,40}(?=\\")')
_ASYNC = ("presence", "post", "seenBy")
_ECHOED = ("refusals", "foresee", "ids", "preview")


def faults(cell, shadow=None):
    """Everything that is wrong with a cell."""
    wrong = [*_told(cell), *_of_people(cell), *_shapes(cell), *_outside(cell)]
    if shadow is not None:
        wrong += _differences(cell, shadow)
    return wrong


def _told(cell):
    planting, mode, roller = cell.planting, cell.mode, cell.roller
    marks = (planting.words, planting.numbers)
    check = f'"{cell.seq}.1"'
    heard_of_gms = {}
    for (channel, name), frames in cell.heard.items():
        text = "\n".join(frames)
        # Of a request to another it is said to him alone, whatever he named in it himself.
        told = found(text, *marks)
        may = planting.may(mode, roller, name) if name in ROLES else set()
        may |= planting.settled if channel == "afterwards" else set()
        if channel in ("state", "moment") and not planting.kept and mode != "public":
            may &= planting.gms
        if told - may:
            yield Fault(channel, name, "told", sorted(map(str, told - may)))
        if channel == "afterwards" and REASON in text and name not in READERS[mode, roller] | GMS:
            yield Fault(channel, name, "told", ["the reason of a correction"])
        if name not in ROLES:
            continue
        heard_of_gms.setdefault(name, set()).update(told & planting.gms)
        if planting.alone and channel not in _ECHOED and planting.outsider(mode, roller, name) and check in text:
            yield Fault(channel, name, "told", ["the id of the check"])
        if channel in ("live", "history", "catch-up", "proof", "looked", "replay", "export"):
            must = may - planting.gms
            if must - told:
                yield Fault(channel, name, "not told", sorted(map(str, must - told)))
    for name, told in heard_of_gms.items():
        if name in GMS and planting.gms - told and "state" in cell.channels:
            yield Fault("state", name, "not told", sorted(map(str, planting.gms - told)))


def _of_people(cell):
    """Devices are for GMs who ask, and a code is for the one who made it."""
    for (channel, name), frames in cell.heard.items():
        text = "\n".join(frames)
        if LAPTOP in text and not (channel == "people" and name in GMS):
            yield Fault(channel, name, "told", ["a device"])
        if any(code in text and not (channel == "people" and name == maker) for code, maker in cell.codes.items()):
            yield Fault(channel, name, "told", ["a code"])


def _shapes(cell):
    for (channel, name), frames in cell.heard.items():
        seeds = {}
        for text in frames:
            frame = json.loads(text)
            if channel == "ids" and frame["t"] == "ack":
                yield Fault(channel, name, "shape", "the id of another's command was answered")
            if channel == "refusals" and frame["t"] == "ack":
                yield Fault(channel, name, "shape", "something was done about a roll that he may not read")
            for each in frame["commits"] if frame["t"] == "page" else (frame,):
                yield from (Fault(channel, name, "shape", wrong) for wrong in _shape(cell, name, each))
            seeds.update({found: cell.secrets[found] for found in _HEX.findall(text) if found in cell.secrets})
        for seq, part in seeds.values():
            if part not in _parts(cell, name, seq):
                yield Fault(channel, name, "told", [f"seed or salt of part {part} of commit {seq}"])


def _parts(cell, name, seq):
    """The parts of a commit that a person reads, by the table of protocol section 4."""
    if seq not in cell.by or name not in ROLES:
        return ()
    own, role = cell.bridge.user(name, cell.table) == cell.by[seq], ROLES[name]
    if role == "observer":
        return ("all",)
    if role == "gm":
        return ("all", "roller_gm", "gm", "roller") if own else ("all", "roller_gm", "gm")
    return ("all", "roller_gm", "roller") if own else ("all",)


_FOR_GMS = ("TargetFixed", "GroupTold", "DifficultiesSet")


def _shape(cell, name, frame):
    kind, reads = frame["t"], READERS[cell.mode, cell.roller]
    if name not in ROLES:
        if kind not in ("refused", "bye"):
            yield f"a {kind} to somebody without a hello"
        return
    if kind == "hidden" and set(frame) != {"t", "seq", "hash", "seedHash"}:
        yield f"hidden with {sorted(frame)}"
    if kind in ("seenBy", "roster") and name not in GMS:
        yield f"a {kind} to somebody who is no GM"
    for event in frame.get("events", ()):
        if event["t"] in _FOR_GMS and name not in GMS:
            yield f"{event['t']} to somebody who is no GM"
    if kind == "presence":
        for user in frame["users"]:
            if set(user) - {"id", "name", "role", "online", "gone"}:
                yield f"presence with {sorted(user)}"
    if kind == "post" and cell.seq in frame["cards"] and name not in reads | TOLD_OF.get((cell.mode, cell.roller), NOBODY):
        yield "asked to post a card that he may not read"
    if cell.planting.hides and name not in GMS:
        for event in frame.get("events", ()):
            rolled = event["rolled"] if event["t"] == "CheckRolled" else {}
            if rolled and any(extra["key"] == "level" for extra in event["result"].get("extras", ())):
                yield "how far a roll went beyond a number that it hides"
            against = rolled.get("opponent") is not None or rolled.get("request") is not None
            if against and (rolled.get("target") is not None or event.get("odds") is not None):
                yield "the number to reach, or the chance, of a roll that hides it"
        if any(offer.get("chance") is not None for offers in _values(frame, "choices") for offer in offers):
            yield "the chance of a choice that would tell a hidden number"
        for row in frame.get("rows", ()):
            if row.get("target") is not None or row.get("odds") is not None:
                yield "a preview with odds that would tell a hidden number"


def _values(thing, key):
    if isinstance(thing, dict):
        for name, value in thing.items():
            if name == key:
                yield value
            yield from _values(value, key)
    elif isinstance(thing, list):
        for value in thing:
            yield from _values(value, key)


def _outside(cell):
    """What the operator's side says: log lines, metrics, plain HTTP."""
    planting = cell.planting
    for line in cell.lines.splitlines():
        told = found(line, [*planting.words, *cell.codes, LAPTOP], planting.numbers)
        if told:
            yield Fault("log lines", "operator", "told", sorted(map(str, told)))
    labels = {line.rpartition(" ")[0] for line in cell.metrics.splitlines() if line[:1] != "#"}
    for label in labels:
        told = found(label, planting.words, planting.numbers)
        if told or re.search(r"hero|friend|foe|\d+\.\d+\"|" + cell.table, label.partition('le="')[0]):
            yield Fault("metrics", "operator", "told", [label])
    if not cell.undone:
        yield Fault("afterwards", cell.roller, "not told", "that it was taken back: somebody else had done it")
    for path in sorted(cell.changed):
        yield Fault("http", "anybody", "differs", path)


def _plain(cell, frames, *, roller):
    """Frames without what differs between any two tables."""
    names = {cell.bridge.user(name, cell.table): name for name in (*ROLES, "Rex")}
    out = []
    for text in frames:
        frame = json.loads(text)
        if frame["t"] in _ASYNC or (frame["t"] == "ack" and roller):
            continue
        plain = _MOMENT.sub("0", _ID.sub("", _HEX.sub("#", text))).replace(cell.table, "TABLE")
        for user, name in names.items():
            plain = plain.replace(user, name)
        out.append(plain)
    return out


def _differences(cell, shadow):
    planting = cell.planting
    for (channel, name), frames in cell.heard.items():
        if name not in ROLES or not planting.cannot_tell(cell.mode, cell.roller, name) or channel in ("people", "afterwards"):
            continue
        own = name == cell.roller and planting.alone  # his own commit: its id is his, and so are seeds of its empty parts
        if (own and channel in ("ids", "proof", "export")) or (channel == "ids" and not planting.alone):
            continue
        one = _plain(cell, frames, roller=name == cell.roller)
        other = _plain(shadow, shadow.heard.get((channel, name), ()), roller=name == cell.roller)
        if one != other:
            yield Fault(channel, name, "differs", _first("\n".join(one), "\n".join(other)))


def _first(one, other):
    """Where two texts begin to differ, and what stands there."""
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[max(0, at - 80) : at + 120], other[max(0, at - 80) : at + 120]


async def play(bridge, planting, mode, roller, *, channels=CHANNELS, shadows=None):
    """Play a cell, and its shadow unless ``shadows`` has it; what is wrong."""
    shadows = {} if shadows is None else shadows
    key = planting.name if planting.alone else (planting.name, mode, roller)
    if key not in shadows:
        # In the shadow everybody tries what any outsider does, so that one will do for all modes.
        shadows[key] = await Cell(bridge, planting, mode, roller, channels=channels, shadow=True).play()
    cell = await Cell(bridge, planting, mode, roller, channels=channels).play()
    return [*faults(cell, shadows[key]), *_not_rare(shadows[key])]


def _not_rare(shadow):
    """What is planted nowhere may be found nowhere."""
    planting = shadow.planting
    for (channel, name), frames in shadow.heard.items() if planting.alone else ():
        told = found("\n".join(frames), planting.words, planting.numbers)
        if told - (planting.gms if name in GMS else NOBODY):
            yield Fault(channel, name, "not rare", sorted(map(str, told)))
