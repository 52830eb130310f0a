"""The benchmarks measure what they say: both sides do the same outward job, and the tables say what was measured."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import msgspec
import pytest

from boonbridge.bench import load, report, run
from boonbridge.bench.child import Child, ChildFailed
from boonbridge.bench.product import Spent
from boonbridge.bench.report import BEGIN, END, Figure, Outcome, Report, Stage
from boonbridge.bench.stopwatch import Stopwatch
from tests.support.cli import inside

DOCS = Path(__file__).parents[2] / "docs"
FIGURE = Figure(figure="p50", unit="ms", ours=0.5, theirs=0.25, ratio=2.0, low=1.5, high=2.5, goal=1.3)
REPORT = Report(
    version="1",
    machine="here",
    cores=2,
    python="3",
    sqlite="3",
    fsync_ms=0.1,
    rounds=5,
    outcomes=(
        Outcome(
            name="roll",
            ours="the product",
            theirs="the floor",
            figures=(
                FIGURE,
                msgspec.structs.replace(FIGURE, figure="rate", ours=1234.5, ratio=0.8, goal=0.7, at_least=True),
                msgspec.structs.replace(FIGURE, figure="p99", goal=None),
            ),
        ),
    ),
    stages=(Stage("decide", 41.4),),
)


# --- what is told -----------------------------------------------------------------------------------------------
def test_a_goal_is_met_from_its_own_side():
    assert [figure.met for figure in REPORT.outcomes[0].figures] == [False, True, None]
    assert msgspec.structs.replace(FIGURE, ratio=1.3).met
    assert not msgspec.structs.replace(FIGURE, ratio=0.69, goal=0.7, at_least=True).met


def test_the_terminal_shows_every_figure():
    told = report.text(REPORT).splitlines()
    assert told[0].startswith("boonbridge 1 on here, 2 cores")
    assert told[2] == "roll: the product (ours) against the floor (theirs)"
    assert [line.split() for line in told[4:7]] == [
        ["p50", "0.5", "0.25", "ms", "2.00", "1.50", "to", "2.50", "<=", "1.3", "missed"],
        ["rate", "1,234", "0.25", "ms", "0.80", "1.50", "to", "2.50", ">=", "0.7", "met"],
        ["p99", "0.5", "0.25", "ms", "2.00", "1.50", "to", "2.50"],
    ]
    assert told[-1].split() == ["41", "µs", "decide"]


def test_the_documentation_is_what_was_measured():
    page = f"before\n{BEGIN}\nold\n{END}\nafter\n"
    once = report.inserted(page, REPORT)
    assert "old" not in once
    assert "| p50 | 0.5 | 0.25 | ms | 2.00 | 1.50 to 2.50 | <= 1.3 missed |" in once
    assert "| decide | 41 |" in once
    assert report.inserted(once, REPORT) == once
    page = (DOCS / "benchmarks.md").read_text(encoding="utf-8")
    measured = msgspec.json.decode((DOCS / "benchmarks.json").read_bytes(), type=Report)
    assert report.inserted(page, measured) == page, "python -m boonbridge.bench.report docs/benchmarks.json docs/benchmarks.md"
    assert [outcome.name for outcome in measured.outcomes] == list(run.BENCHMARKS)
    assert measured.rounds >= 5


def test_a_benchmark_that_there_is_not():
    done = inside("bench", "nothing")
    assert (done.code, done.err) == (
        1,
        "boonbridge: There is no benchmark 'nothing'. There is: roll, tables, full, replay, open, resume.\n",
    )


def test_times_of_stages_inside_one_another_are_not_counted_twice(monkeypatch):
    moments = iter(range(100))
    monkeypatch.setattr("time.thread_time", lambda: next(moments))

    class Work:
        def inner(self):
            return "done"

        def outer(self):
            return [self.inner(), self.inner()]

    watch = Stopwatch()
    watch.around("outer", Work, "outer")
    watch.around("inner", Work, "inner")
    assert Work().outer() == ["done", "done"]
    assert watch.spent == {"inner": 2, "outer": 3}


# --- what is measured -------------------------------------------------------------------------------------------
@pytest.fixture
def bench(tmp_path):
    return run.Bench(tmp_path, 2, lambda _said: None)


def test_both_sides_do_the_same_outward_job(bench):
    with ExitStack() as stack:
        ours = bench.product(stack, "product", ["bench-0", "bench-1"])
        theirs = bench.floor(stack, "floor", ours)
        assert ours.seats == theirs.seats == 10
        for job, least in ((load.Click("one", rolls=20), 20), (load.Click("all", seconds=0.2), 10)):
            bench.take_turns(ours, theirs, job)
            for side in (ours, theirs):
                assert len(side.clicked) == len(side.cpu) == 2
                assert all(clicked.rolls >= least for clicked in side.clicked)
            # A success has another length than a failure; on average over some rolls little is left of it.
            assert theirs.clicked[0].frame == pytest.approx(ours.clicked[0].frame, rel=0.02)
            # A busy machine writes fewer commits in the same time, and a commit's number has one to four digits.
            assert theirs.clicked[0].ack == pytest.approx(ours.clicked[0].ack, abs=4)
            ours.clicked.clear(), ours.cpu.clear(), theirs.clicked.clear(), theirs.cpu.clear()


def test_a_whole_run(monkeypatch):
    monkeypatch.setattr(run, "_ONE", load.Click("one", rolls=20))
    monkeypatch.setattr(run, "ACTORS", 12)
    monkeypatch.setattr(run, "COMMITS", 60)
    monkeypatch.setattr(run, "LONG", 120)
    measured = run.measure(["roll", "full", "replay"], 1)
    assert [outcome.name for outcome in measured.outcomes] == ["roll", "full", "replay"]
    assert all(figure.ours > 0 and figure.theirs > 0 for outcome in measured.outcomes for figure in outcome.figures)
    assert [stage.name for stage in measured.stages][-1] == "together"
    assert len(measured.stages) == 10
    assert msgspec.json.decode(msgspec.json.encode(measured), type=Report) == measured


@pytest.mark.long
def test_coming_to_a_long_log(monkeypatch):
    monkeypatch.setattr(run, "LONG", 120)
    monkeypatch.setattr(run, "SHORT", 80)
    monkeypatch.setattr(run, "MISSED", 20)
    measured = run.measure(["open", "resume"], 1)
    assert [outcome.name for outcome in measured.outcomes] == ["open", "resume"]
    assert all(figure.ours > 0 and figure.theirs > 0 for outcome in measured.outcomes for figure in outcome.figures)


def test_a_side_that_fails_says_so():
    with Child("boonbridge.bench.product") as child, pytest.raises(ChildFailed, match="product ended with 1"):
        child.ask(None, Spent)


class Wire:
    """A transport that keeps what is written."""

    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(bytes(data))


def served(payload, opcode=1):
    size = len(payload)
    head = bytes([0x80 | opcode, size]) if size < 126 else bytes([0x80 | opcode, 126]) + size.to_bytes(2, "big")
    return head + payload


@pytest.mark.parametrize("piece", [1, 2, 3, 7, 100, 10_000])
async def test_the_load_reads_frames_however_they_are_cut(piece):
    wire = Wire()
    viewer = load.Viewer(b'{"t":"hello"}', b'{"t":"RollCheck"}', "here")
    viewer.connection_made(wire)
    assert wire.sent[0].startswith(b"GET /ws HTTP/1.1\r\nHost: here\r\n")

    def hear(data):
        for at in range(0, len(data), piece):
            viewer.data_received(data[at : at + piece])

    hear(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n" + served(b'{"t":"caughtUp","head":41}'))
    await viewer.ready
    assert wire.sent[1] == load.frame(b'{"t":"hello"}')
    viewer.click()
    *_, clicked = wire.sent
    assert b'"seen":41,"cmd":{"t":"RollCheck"}}' in clicked
    told = b'{"t":"logged","seq":42,"pad":"%s"}' % (b"." * 2_000)
    hear(served(told) + served(b"are you there", 9) + served(b'{"t":"ack","id":"%s","seq":42}' % viewer._id))
    await viewer.idle
    assert (viewer.told, viewer.told_bytes, viewer.acks) == (1, len(told), 1)
    assert wire.sent[-1] == load.frame(b"are you there", 10)
    viewer.click()
    assert b'"seen":42' in wire.sent[-1]
    viewer.idle = asyncio.get_running_loop().create_future()
    hear(served(b'{"t":"refused","code":"busy"}'))
    with pytest.raises(AssertionError, match="busy"):
        await viewer.idle
