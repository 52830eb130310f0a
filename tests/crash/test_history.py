"""The checker finds every kind of wrong history, and nothing in a right one."""

import pytest

from tests.crash.history import Entry, History, Op, Seen, may_read, problems

LOG = [
    Entry(1, "open", "bridge", "h1", "other"),
    Entry(2, "a", "ann", "h2"),
    Entry(3, "b", "bob", "h3", mode="gm"),
    Entry(4, "c", "ann", "h4"),
    Entry(5, "w", "bob", "h5", "withdrawn"),
]
OPS = [
    Op("ann", "a", 1.0, 2.0, "ok", 2),
    Op("bob", "b", 1.5, 3.0, "ok", 3),
    Op("ann", "c", 2.5, None, "unknown"),
    Op("bob", "w", 4.0, 5.0, "fail"),
    Op("ann", "never", 6.0, 7.0, "fail"),
    Op("ann", "lost", 6.0, None, "unknown"),
    Op("ann", "a", 8.0, 9.0, "ok", 2),
]
SEEN = [
    Seen("ann-1", "ann", "player", "welcome", None, head=1),
    Seen("ann-1", "ann", "player", "logged", 2, "h2"),
    Seen("ann-1", "ann", "player", "hidden", 3, "h3"),
    Seen("ann-1", "ann", "player", "welcome", 3, head=5),
    Seen("ann-1", "ann", "player", "logged", 4, "h4"),
    Seen("ann-1", "ann", "player", "hidden", 5, "h5"),
    Seen("gm-1", "gm", "gm", "welcome", None, head=1),
    Seen("gm-1", "gm", "gm", "logged", 2, "h2"),
    Seen("gm-1", "gm", "gm", "welcome", None, head=4),
    Seen("gm-1", "gm", "gm", "logged", 5, "h5"),
    Seen("bob-1", "bob", "player", "welcome", None, head=5),
]


def changed(records, place, **fields):
    return [record._replace(**fields) if at == place else record for at, record in enumerate(records)]


def without(records, place):
    return [record for at, record in enumerate(records) if at != place]


def test_a_right_history():
    assert problems(OPS, SEEN, LOG) == []
    assert problems([], [], []) == []


@pytest.mark.parametrize(
    ("ops", "seen", "log", "said"),
    [
        (OPS, [], without(LOG, 2), "the log has 4 in place 3"),
        (OPS, [], [*LOG, Entry(6, "a", "ann", "h6")], "a is in the log 2 times"),
        ([*OPS, Op("ann", "gone", 9.0, 9.5, "ok", 6)], [], LOG, "gone was acknowledged and is not in the log"),
        (changed(OPS, 0, seq=4), [], LOG, "a was acknowledged as 4 and is 2"),
        (changed(OPS, 6, seq=4), [], LOG, "a was acknowledged as [2, 4]"),
        (changed(OPS, 0, user="bob"), [], LOG, "a was sent by bob and is logged as by ann"),
        (changed(OPS, 1, outcome="fail"), [], LOG, "b was refused and is in the log as 3"),
        (changed(OPS, 0, began=3.5, ended=3.6), [], LOG, "a is 2, but was clicked after b was acknowledged as 3"),
        ([*OPS, Op("ann", "c", 0.1, 0.2, "ok", 4)], [], LOG, "a is 2, but was clicked after c was acknowledged as 4"),
        ([], without(SEEN, 1), LOG, "ann-1 was told 3 after 1"),
        ([], [*SEEN[:2], *SEEN[1:]], LOG, "ann-1 was told 2 after 2"),
        ([], without(SEEN, 0), LOG, "ann-1 was told 2 after None"),
        ([], changed(SEEN, 3, seq=2), LOG, "ann-1 held everything up to 3 and was taken up at 2"),
        ([], changed(SEEN, 1, hash="other"), LOG, "ann-1 was told another 2 than the log has"),
        ([], changed(SEEN, 2, kind="logged"), LOG, "ann-1 was told 3 (gm) as logged, not hidden"),
        ([], changed(SEEN, 7, kind="hidden"), LOG, "gm-1 was told 2 (public) as hidden, not logged"),
        ([], SEEN[:5], LOG, "ann-1 came to 4 of 5"),
        ([], [*SEEN, Seen("bob-1", "bob", "player", "logged", 6, "h6")], LOG, "bob-1 was told 6, which is not in the log"),
    ],
)
def test_a_wrong_history(ops, seen, log, said):
    assert said in problems(ops, seen, log)


def test_an_op_that_nobody_knows_the_end_of_still_comes_after_what_was_acknowledged_before():
    log = [Entry(1, "late", "ann", "h1"), Entry(2, "early", "bob", "h2")]
    ops = [Op("bob", "early", 1.0, 2.0, "ok", 2), Op("ann", "late", 3.0, None, "unknown")]
    assert problems(ops, [], log) == ["late is 1, but was clicked after early was acknowledged as 2"]
    assert problems([ops[0], ops[1]._replace(began=1.5)], [], log) == []


@pytest.mark.parametrize(
    ("mode", "readers"),
    [
        ("public", {"roller", "player", "gm", "observer"}),
        ("gm", {"roller", "gm"}),
        ("blind", {"roller", "gm"}),
        ("secret", {"gm"}),
        ("self", {"roller"}),
    ],
)
def test_who_reads_what(mode, readers):
    entry = Entry(1, "x", "roller", "h", mode=mode)
    people = {"roller": "player", "player": "player", "gm": "gm", "observer": "observer"}
    assert {user for user, role in people.items() if may_read(entry, user, role)} == readers


def test_a_history_is_written_down(tmp_path):
    history = History(tmp_path / "history.jsonl")
    for record in (*OPS, *SEEN):
        history.add(record)
    history.close()
    assert (history.ops, history.seen) == (OPS, SEEN)
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == len(OPS) + len(SEEN)
