"""The benchmarks: two sides each, taking turns, and what came of it."""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import apsw
import msgspec

from boonbridge import __version__

from .child import Child
from .coming import Came
from .floor import Shape
from .folding import Folded
from .load import Click, Clicked, Connect, Seated
from .prepare import fill
from .product import Serving, Spent
from .report import Figure, Outcome, Report, Stage

ROUNDS = 5
ACTORS, COMMITS = 2_000, 20_000
TABLES = 100
LONG, SHORT, MISSED = 100_000, 1_000, 500
"""Commits of a long log and of a short one, at tables that are alike otherwise; and how many somebody missed."""
SITTING = 50
_TABLE = "bench-0"
_ONE = Click("one", rolls=500)
_ALL = Click("all", seconds=2.0)


class Side:
    """A server with its load."""

    def __init__(self, server: Child, load: Child, serving: Serving, seated: Seated) -> None:
        self._server = server
        self._load = load
        self.serving = serving
        self.seats = seated.seats
        self.clicked: list[Clicked] = []
        self.cpu: list[float] = []

    def click(self, job: Click, *, keep: bool = True) -> Clicked:
        """Have the load click."""
        before = self._server.ask(None, Spent).cpu
        clicked = self._load.ask(job, Clicked)
        if keep:
            self.clicked.append(clicked)
            self.cpu.append((self._server.ask(None, Spent).cpu - before) / clicked.rolls)
        return clicked

    def stages(self, job: Click) -> dict[str, float]:
        """Microseconds of each stage of a roll, and of all the rest."""
        before = self._server.ask(None, Spent)
        rolls = self._load.ask(job, Clicked).rolls
        after = self._server.ask(None, Spent)
        spent = {name: (seconds - before.stages[name]) / rolls * 1e6 for name, seconds in after.stages.items()}
        whole = (after.cpu - before.cpu) / rolls * 1e6
        return {**spent, "all the rest: event loop, websockets, rates, metrics": whole - sum(spent.values()), "together": whole}

    def shape(self) -> Shape:
        """What a roll is in bytes on this side."""
        clicked = self.click(Click("one", rolls=20), keep=False)
        row = self._server.ask(None, Spent).row
        assert row is not None
        return Shape(row, clicked.frame, clicked.ack)


@contextmanager
def _side(server: Child, serving: Serving, places: Serving) -> Iterator[Side]:
    with Child("boonbridge.bench.load") as load:
        seated = load.ask(Connect(serving.url, places.places), Seated)
        yield Side(server, load, serving, seated)


class Bench:
    """A place on disk, and how sides are started in it."""

    def __init__(self, folder: Path, rounds: int, say: Callable[[str], None]) -> None:
        self.folder = folder
        self.rounds = rounds
        self.say = say

    def log(self, commits: int) -> Path:
        """A data folder in which one table has so many commits; made where it is not there yet."""
        folder = self.folder / f"log-{commits}"
        if not folder.exists():
            asyncio.run(fill(folder, _TABLE, actors=SITTING, commits=commits))
        return folder

    def product(self, stack: ExitStack, name: str, tables: Sequence[str]) -> Side:
        """The product over a folder of its own."""
        server = stack.enter_context(Child("boonbridge.bench.product", str(self.folder / name), *tables))
        serving = server.hear(Serving)
        return stack.enter_context(_side(server, serving, serving))

    def stages(self) -> tuple[Stage, ...]:
        """Where the time of a roll goes on the product's side; the medians of some rounds."""
        with ExitStack() as stack:
            server = stack.enter_context(Child("boonbridge.bench.stopwatch", str(self.folder / "stages"), "bench-0"))
            serving = server.hear(Serving)
            side = stack.enter_context(_side(server, serving, serving))
            side.click(_ONE, keep=False)
            rounds = [side.stages(_ONE) for _ in range(self.rounds)]
        return tuple(Stage(name, round(statistics.median(each[name] for each in rounds), 1)) for name in rounds[0])

    def floor(self, stack: ExitStack, name: str, product: Side) -> Side:
        """The floor, with the product's sizes and as many people."""
        shape = msgspec.json.encode(product.shape()).decode()
        server = stack.enter_context(Child("boonbridge.bench.floor", str(self.folder / name), shape))
        return stack.enter_context(_side(server, server.hear(Serving), product.serving))

    def take_turns(self, ours: Side, theirs: Side, job: Click) -> None:
        """A B A B, after a round each that does not count."""
        for number in range(self.rounds + 1):
            for side in (ours, theirs):
                side.click(job, keep=number > 0)
            self.say(f"  round {number} of {self.rounds}" if number else "  warm")


def _roll(bench: Bench) -> Outcome:
    with ExitStack() as stack:
        ours = bench.product(stack, "roll", ["bench-0"])
        theirs = bench.floor(stack, "roll-floor", ours)
        bench.take_turns(ours, theirs, _ONE)
        return Outcome(name="roll", ours="the product", theirs="the floor", figures=_latencies(ours, theirs, goal=1.3))


def _tables(bench: Bench) -> Outcome:
    with ExitStack() as stack:
        ours = bench.product(stack, "tables", [f"bench-{number}" for number in range(TABLES)])
        theirs = bench.floor(stack, "tables-floor", ours)
        bench.take_turns(ours, theirs, _ALL)
        rates = _compare("rolls a second", "1/s", ours, theirs, lambda c: c.rolls / c.seconds, goal=0.7, at_least=True)
        return Outcome(
            name="tables",
            ours="the product",
            theirs="the floor",
            figures=(
                rates,
                _compare("p50", "ms", ours, theirs, lambda c: c.p50 * 1e3),
                _compare("p99", "ms", ours, theirs, lambda c: c.p99 * 1e3),
                _cpu(ours, theirs),
                _compare("the load computed", "%", ours, theirs, lambda c: c.busy * 100),
            ),
        )


def _full(bench: Bench) -> Outcome:
    asyncio.run(fill(bench.folder / "full", _TABLE, actors=ACTORS, commits=COMMITS))
    with ExitStack() as stack:
        ours = bench.product(stack, "full", [_TABLE])
        theirs = bench.product(stack, "empty", [_TABLE])
        bench.take_turns(ours, theirs, _ONE)
        name = f"a table with {ACTORS:,} actors and {COMMITS:,} commits"
        return Outcome(name="full", ours=name, theirs="an empty table", figures=_latencies(ours, theirs, goal=1.2))


def _replay(bench: Bench) -> Outcome:
    folder = bench.log(LONG)
    with Child("boonbridge.bench.folding", str(folder), _TABLE, str(bench.rounds)) as child:
        folded = child.hear(Folded)
    ours, theirs = ([folded.events / seconds for seconds in side] for side in (folded.fold, folded.decode))
    return Outcome(
        name="replay",
        ours=f"a log of {LONG:,} commits folded",
        theirs="the same bytes decoded with msgspec",
        figures=(_measured("events a second", "1/s", ours, theirs, goal=0.25, at_least=True),),
    )


def _come(bench: Bench) -> tuple[list[Came], list[Came]]:
    """To the long log and to the short one, in turns, a server just started each time; a round each does not count."""
    sides: tuple[list[Came], list[Came]] = ([], [])
    for number in range(bench.rounds + 1):
        for came, commits in zip(sides, (LONG, SHORT), strict=True):
            with Child("boonbridge.bench.coming", str(bench.log(commits)), _TABLE, str(MISSED)) as child:
                came.append(child.hear(Came))
        bench.say(f"  round {number} of {bench.rounds}" if number else "  warm")
    return sides[0][1:], sides[1][1:]


def _beside(
    figure: str, unit: str, came: tuple[list[Came], list[Came]], of: Callable[[Came], float], goal: float | None = None
) -> Figure:
    ours, theirs = ([of(each) for each in side] for side in came)
    return _measured(figure, unit, ours, theirs, goal=goal)


def _open(bench: Bench) -> Outcome:
    came = _come(bench)
    return Outcome(
        name="open",
        ours=f"the first who comes to a table with {LONG:,} commits",
        theirs=f"to one with {SHORT:,}",
        figures=(
            _beside("until the welcome", "ms", came, lambda each: each.first.welcome * 1e3, 1.2),
            _beside("both ends computed until then", "ms", came, lambda each: each.first.welcome_cpu * 1e3),
            _beside("until all is told", "ms", came, lambda each: each.first.all * 1e3),
            _beside("memory of the process then", "MB", came, lambda each: each.memory / 1e6, 1.2),
            _beside("of which the table brought", "MB", came, lambda each: each.grown / 1e6),
        ),
    )


def _resume(bench: Bench) -> Outcome:
    came = _come(bench)
    return Outcome(
        name="resume",
        ours=f"somebody who missed {MISSED:,} of {LONG:,} commits",
        theirs=f"{MISSED:,} of {SHORT:,}",
        figures=(
            _beside("until all is told", "ms", came, lambda each: each.again.all * 1e3, 1.2),
            _beside("both ends computed until then", "ms", came, lambda each: each.again.all_cpu * 1e3),
        ),
    )


BENCHMARKS: dict[str, Callable[[Bench], Outcome]] = {
    "roll": _roll,
    "tables": _tables,
    "full": _full,
    "replay": _replay,
    "open": _open,
    "resume": _resume,
}


def _latencies(ours: Side, theirs: Side, *, goal: float) -> tuple[Figure, ...]:
    return (
        _compare("p50", "ms", ours, theirs, lambda c: c.p50 * 1e3, goal=goal),
        _compare("p99", "ms", ours, theirs, lambda c: c.p99 * 1e3),
        _cpu(ours, theirs),
    )


def _cpu(ours: Side, theirs: Side) -> Figure:
    return _measured("the server computed", "µs a roll", [c * 1e6 for c in ours.cpu], [c * 1e6 for c in theirs.cpu])


def _compare(
    figure: str,
    unit: str,
    ours: Side,
    theirs: Side,
    of: Callable[[Clicked], float],
    *,
    goal: float | None = None,
    at_least: bool = False,
) -> Figure:
    return _measured(figure, unit, [of(c) for c in ours.clicked], [of(c) for c in theirs.clicked], goal=goal, at_least=at_least)


def _measured(
    figure: str, unit: str, ours: list[float], theirs: list[float], *, goal: float | None = None, at_least: bool = False
) -> Figure:
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    ratio = statistics.median(ours) / statistics.median(theirs)
    return Figure(
        figure=figure,
        unit=unit,
        ours=round(statistics.median(ours), 3),
        theirs=round(statistics.median(theirs), 3),
        ratio=round(ratio, 3),
        low=round(min(ratios), 3),
        high=round(max(ratios), 3),
        goal=goal,
        at_least=at_least,
    )


def measure(names: Sequence[str], rounds: int) -> Report:
    """Run benchmarks by name. Raises ``ChildFailed``."""
    interactive = sys.stderr.isatty()

    def say(text: str) -> None:
        if interactive:
            print(text, file=sys.stderr, flush=True)

    outcomes = []
    stages: tuple[Stage, ...] = ()
    with tempfile.TemporaryDirectory(prefix="boonbridge-bench-") as folder:
        for name in names:
            say(name)
            bench = Bench(Path(folder), rounds, say)
            outcomes.append(BENCHMARKS[name](bench))
            if name == "roll":
                stages = bench.stages()
        fsync = _fsync(Path(folder))
    return Report(
        version=__version__,
        machine=f"{platform.system()} {platform.machine()}",
        cores=os.cpu_count() or 0,
        python=platform.python_version(),
        sqlite=apsw.sqlite_lib_version(),
        fsync_ms=fsync,
        rounds=rounds,
        outcomes=tuple(outcomes),
        stages=stages,
    )


def _fsync(folder: Path) -> float:
    taken = []
    with (folder / "probe").open("wb", buffering=0) as file:
        for _ in range(200):
            file.write(b"x" * 8192)
            began = time.perf_counter()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    return round(statistics.median(taken) * 1e3, 3)
