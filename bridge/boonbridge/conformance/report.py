"""What came of the examples, and how it is told."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct


class Failed(Struct, frozen=True):
    """An example whose result is not the expected one: only the keys that differ."""

    id: str
    expected: Any
    got: Any


class Report(Struct):
    """Counts and failures of one run over any number of files."""

    passed: int = 0
    failed: list[Failed] = []
    skipped: Counter[str] = msgspec.field(default_factory=Counter)

    def compare(self, id: str, expected: dict[str, Any], got: dict[str, Any]) -> None:
        """Count one example. Keys of ``got`` that nobody expects are the product's own business."""
        differs = [key for key, value in expected.items() if key not in got or got[key] != value or _loose(got[key], value)]
        if differs:
            self.fail(id, {key: expected[key] for key in differs}, {key: got.get(key) for key in differs})
        else:
            self.passed += 1

    def fail(self, id: str, expected: Any, got: Any) -> None:
        """Count one example as failed."""
        self.failed.append(Failed(id, expected, got))

    def skip(self, kind: str) -> None:
        """Count one example of a kind that nothing here plays."""
        self.skipped[kind] += 1

    @property
    def exit_code(self) -> int:
        """1 where something failed."""
        return 1 if self.failed else 0

    def lines(self) -> Iterator[str]:
        """The report as text: failures, what was skipped, and the sum as the last line."""
        for failure in self.failed:
            yield f"{failure.id}"
            yield f"  expected {_json(failure.expected)}"
            yield f"  got      {_json(failure.got)}"
        if self.skipped:
            yield "skipped, nothing plays these: " + ", ".join(f"{kind} ({n})" for kind, n in sorted(self.skipped.items()))
        yield f"{self.passed} passed, {len(self.failed)} failed, {self.skipped.total()} skipped"


def _loose(got: Any, expected: Any) -> bool:
    """Python takes 1 for True; an exact comparison does not."""
    return isinstance(got, bool) is not isinstance(expected, bool)


def _json(value: Any) -> str:
    return msgspec.json.encode(value, enc_hook=str).decode()
