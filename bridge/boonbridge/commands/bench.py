"""``boonbridge bench``: how fast it is, in ratios against floors measured in the same run."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from boonbridge.bench.child import ChildFailed
from boonbridge.bench.report import text
from boonbridge.bench.run import BENCHMARKS, measure
from boonbridge.commands.failing import fail


def bench(names: Sequence[str], *, rounds: int, json: Path | None) -> None:
    """Measure some benchmarks, or all; print the tables and keep the figures."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        fail(f"There is no benchmark {unknown[0]!r}. There is: {', '.join(BENCHMARKS)}.")
    try:
        report = measure(names or tuple(BENCHMARKS), rounds)
    except ChildFailed as failed:
        fail(str(failed))
    print(text(report))
    if json is not None:
        json.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
