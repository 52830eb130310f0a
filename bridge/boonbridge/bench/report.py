"""What was measured, as lines on a terminal, as JSON, and as the tables in docs/benchmarks.md.

Run as ``python -m boonbridge.bench.report JSON MARKDOWN`` to write the tables of a run between their markers.
"""

import sys
from pathlib import Path

import msgspec
from msgspec import Struct

BEGIN = "<!-- measured: begin (written by boonbridge.bench.report) -->"
END = "<!-- measured: end -->"


class Figure(Struct, frozen=True, kw_only=True, rename="camel"):
    """One figure of a benchmark: the medians of both sides, their ratio, and the goal. ``low``, ``high``: single rounds."""

    figure: str
    unit: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float
    goal: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.goal is None:
            return None
        return self.ratio >= self.goal if self.at_least else self.ratio <= self.goal


class Outcome(Struct, frozen=True, kw_only=True, rename="camel"):
    """One benchmark: its two sides and what was measured of them."""

    name: str
    ours: str
    theirs: str
    figures: tuple[Figure, ...]


class Stage(Struct, frozen=True, rename="camel"):
    """A stage of one roll and its microseconds."""

    name: str
    micros: float


class Report(Struct, frozen=True, kw_only=True, rename="camel"):
    """One run. ``fsyncMs``: what the disk took to make 8 KiB durable, the median of many."""

    version: str
    machine: str
    cores: int
    python: str
    sqlite: str
    fsync_ms: float
    rounds: int
    outcomes: tuple[Outcome, ...]
    stages: tuple[Stage, ...] = ()


_STAGES = "Where one roll's time goes in the server's process, in the rhythm of `roll`"
_HEAD = ("", "ours", "theirs", "unit", "ratio", "rounds", "goal")


def _rows(outcome: Outcome) -> list[tuple[str, ...]]:
    return [
        (
            figure.figure,
            _number(figure.ours),
            _number(figure.theirs),
            figure.unit,
            f"{figure.ratio:.2f}",
            f"{figure.low:.2f} to {figure.high:.2f}",
            ""
            if figure.goal is None
            else f"{'>=' if figure.at_least else '<='} {figure.goal} {'met' if figure.met else 'missed'}",
        )
        for figure in outcome.figures
    ]


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _machine(report: Report) -> str:
    return (
        f"boonbridge {report.version} on {report.machine}, {report.cores} cores, Python {report.python}, "
        f"SQLite {report.sqlite}, fsync {report.fsync_ms} ms; medians of {report.rounds} rounds each, in turns"
    )


def text(report: Report) -> str:
    """The tables for a terminal."""
    told = [_machine(report)]
    for outcome in report.outcomes:
        rows = [_HEAD, *_rows(outcome)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        told += ["", f"{outcome.name}: {outcome.ours} (ours) against {outcome.theirs} (theirs)"]
        told += [
            "  ".join(
                cell.rjust(width) if column in (1, 2, 4) else cell.ljust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
    if report.stages:
        told += ["", f"{_STAGES}:", *(f"{stage.micros:6.0f} µs  {stage.name}" for stage in report.stages)]
    return "\n".join(told)


def markdown(report: Report) -> str:
    """The tables for the documentation."""
    told = [f"{_machine(report)}."]
    for outcome in report.outcomes:
        told += ["", f"**`{outcome.name}`** {outcome.ours} (ours) against {outcome.theirs} (theirs)", ""]
        told += [f"| {' | '.join(_HEAD)} |", "|---|--:|--:|---|--:|---|---|"]
        told += [f"| {' | '.join(row)} |" for row in _rows(outcome)]
    if report.stages:
        told += ["", f"{_STAGES}:", "", "| stage | µs |", "|---|--:|"]
        told += [f"| {stage.name} | {stage.micros:.0f} |" for stage in report.stages]
    return "\n".join(told)


def inserted(page: str, report: Report) -> str:
    """A page with its tables replaced by those of a run. Raises ``ValueError`` where it has no markers."""
    before, after = page.index(BEGIN) + len(BEGIN), page.index(END)
    return f"{page[:before]}\n{markdown(report)}\n{page[after:]}"


if __name__ == "__main__":
    measured = msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Report)
    target = Path(sys.argv[2])
    target.write_text(inserted(target.read_text(encoding="utf-8"), measured), encoding="utf-8")
