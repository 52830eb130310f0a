"""``boonbridge conformance``: worked examples and exact odds against the engine that serves tables."""

import sys
from collections.abc import Sequence
from pathlib import Path

from boonbridge.commands.failing import fail
from boonbridge.conformance.run import NotVectors, run


def conformance(files: Sequence[Path]) -> None:
    """Print what fails with expected and got, then ``N passed, M failed, K skipped``; exit code 1 where any failed."""
    if not files:
        fail("Name at least one file of examples.")
    try:
        report = run(files)
    except NotVectors as problem:
        fail(str(problem))
    for text in report.lines():
        print(text)
    sys.exit(1 if report.failed else 0)
