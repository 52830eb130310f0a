"""What many clients did and saw, and whether one log explains all of it.

``seq`` is a total order per table, so no search is needed: the log says what happened, and everything that anybody was
answered or told has to agree with it. ``problems`` gives one sentence for each thing that does not.
"""

import json
from collections import Counter, defaultdict
from typing import Literal, NamedTuple

Mode = Literal["public", "gm", "blind", "secret", "self"]


class Op(NamedTuple):
    """A command as its sender knows it. Times of one monotonic clock; ``ended`` None and ``unknown``: never answered."""

    user: str
    id: str
    began: float
    ended: float | None
    outcome: Literal["ok", "fail", "unknown"]
    seq: int | None = None


class Seen(NamedTuple):
    """Something a connection was told. Of a ``welcome`` ``seq`` is ``from``; None: everything held was dropped."""

    viewer: str
    user: str
    role: Literal["gm", "player", "observer"]
    kind: Literal["welcome", "logged", "hidden"]
    seq: int | None
    hash: str = ""
    head: int = 0


class Entry(NamedTuple):
    """A commit as it lies in the log."""

    seq: int
    id: str
    by: str
    hash: str
    kind: Literal["roll", "withdrawn", "other"] = "roll"
    mode: Mode = "public"


class History:
    """Grows while clients run, and is written down line by line."""

    def __init__(self, path=None):
        self.ops = []
        self.seen = []
        self._file = path.open("w", encoding="utf-8") if path else None

    def add(self, record):
        (self.ops if isinstance(record, Op) else self.seen).append(record)
        if self._file:
            self._file.write(json.dumps({"t": type(record).__name__, **record._asdict()}) + "\n")

    def close(self):
        if self._file:
            self._file.close()


def problems(ops, seen, log):
    """Everything in which the history and the log do not agree."""
    return [*_of_log(log), *_of_ops(ops, log), *_of_order(ops, log), *_of_viewers(seen, log)]


def _of_log(log):
    for place, entry in enumerate(log, start=1):
        if entry.seq != place:
            yield f"the log has {entry.seq} in place {place}"
            break
    for id_, times in Counter(entry.id for entry in log).items():
        if times > 1:
            yield f"{id_} is in the log {times} times"


def _of_ops(ops, log):
    at = {entry.id: entry for entry in log}
    answered = defaultdict(set)
    for op in ops:
        entry = at.get(op.id)
        if op.outcome == "ok":
            answered[op.id].add(op.seq)
            if entry is None:
                yield f"{op.id} was acknowledged and is not in the log"
            elif entry.seq != op.seq:
                yield f"{op.id} was acknowledged as {op.seq} and is {entry.seq}"
            elif entry.by != op.user:
                yield f"{op.id} was sent by {op.user} and is logged as by {entry.by}"
        elif op.outcome == "fail" and entry is not None and entry.kind == "roll":
            yield f"{op.id} was refused and is in the log as {entry.seq}"
    for id_, seqs in answered.items():
        if len(seqs) > 1:
            yield f"{id_} was acknowledged as {sorted(seqs)}"


def _of_order(ops, log):
    """Whoever clicked after something was acknowledged comes after it. An id that is sent again was clicked when it was first."""
    at = {entry.id: entry.seq for entry in log}
    clicked, moments = {}, []
    for op in ops:
        if op.id in at:
            clicked[op.id] = min(op.began, clicked.get(op.id, op.began))
            if op.outcome == "ok":
                moments.append((op.ended, 1, at[op.id], op.id))
    # At one and the same moment the click counts as first: nothing is known of what lay before it.
    moments += [(began, 0, at[id_], id_) for id_, began in clicked.items()]
    highest, whose = 0, ""
    for _, ended, seq, id_ in sorted(moments):
        if ended:
            highest, whose = max((highest, whose), (seq, id_))
        elif seq < highest and id_ != whose:
            yield f"{id_} is {seq}, but was clicked after {whose} was acknowledged as {highest}"


def _of_viewers(seen, log):
    by_seq = {entry.seq: entry for entry in log}
    told = defaultdict(list)
    for record in seen:
        told[record.viewer].append(record)
    for viewer, records in told.items():
        place = None
        for record in records:
            if record.kind == "welcome":
                if record.seq is None:
                    place = record.head
                elif record.seq != place:
                    yield f"{viewer} held everything up to {place} and was taken up at {record.seq}"
                    place = record.seq
                continue
            if place is None or record.seq != place + 1:
                yield f"{viewer} was told {record.seq} after {place}"
            place = record.seq
            yield from _of_frame(viewer, record, by_seq.get(record.seq))
        if place != len(log):
            yield f"{viewer} came to {place} of {len(log)}"


def _of_frame(viewer, record, entry):
    if entry is None:
        yield f"{viewer} was told {record.seq}, which is not in the log"
        return
    if record.hash != entry.hash:
        yield f"{viewer} was told another {record.seq} than the log has"
    expected = "logged" if may_read(entry, record.user, record.role) else "hidden"
    if record.kind != expected:
        yield f"{viewer} was told {record.seq} ({entry.mode}) as {record.kind}, not {expected}"


def may_read(entry, user, role):
    """Whether somebody reads any part of a commit: the table of the protocol, section 4, once more in its own words."""
    roller = user == entry.by and role != "observer"
    match "gm" if entry.kind == "withdrawn" else entry.mode:
        case "public":
            return True
        case "gm" | "blind":  # of a blind roll its roller reads that it was made
            return roller or role == "gm"
        case "secret":
            return role == "gm"
        case "self":
            return roller
