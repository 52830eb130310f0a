"""Read the files, play every example, say what came of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from boonbridge.dice.source import TapeMismatch
from boonbridge_schemas.refusal import Refusal

from . import group_d12, public_d20, rank_ability, sage_d20
from .report import Report

SYSTEMS: Mapping[str, ModuleType] = {"A": rank_ability, "B": public_d20, "C": sage_d20, "D": group_d12}
Rows = Callable[[list[dict[str, Any]]], Iterator[tuple[str, dict[str, Any], dict[str, Any]]]]
LISTS: Mapping[str, Rows] = {**{letter: system.odds for letter, system in SYSTEMS.items()}, **group_d12.ODDS}
"""Every list of odds, with what answers for its rows."""
ROLLS, ODDS = "boons-and-banes golden rolls", "boons-and-banes golden odds"
ALL_DRAWN = {"dice left": 0}


class NotVectors(Exception):  # noqa: N818 - no class of ours is called Error
    """A file is not a file of examples; the message says why."""


def run(paths: Iterable[str | Path]) -> Report:
    """Play every example of some files, rolls and odds alike (a file says its kind in ``format``).

    Raises:
        NotVectors: a file cannot be read, or is something else.
    """
    report = Report()
    for path in paths:
        content = _read(Path(path))
        kind = content.get("format")
        if kind == ROLLS:
            for example in content["examples"]:
                play_example(report, example)
        elif kind == ODDS:
            _odds(report, content)
        else:
            raise NotVectors(f"{path}: the format is {kind!r}; known are {ROLLS!r} and {ODDS!r}")
    return report


def _read(path: Path) -> dict[str, Any]:
    try:
        content = msgspec.json.decode(path.read_bytes())
    except OSError as problem:
        raise NotVectors(f"{path}: {problem.strerror}") from problem
    except msgspec.DecodeError as problem:
        raise NotVectors(f"{path}: {problem}") from problem
    if not isinstance(content, dict):
        raise NotVectors(f"{path}: this is no file of examples")
    return content


def play_example(report: Report, example: Mapping[str, Any]) -> None:
    """Play one example and count it."""
    system, kind, id = SYSTEMS[example["system"]], example["kind"], example["id"]
    try:
        expected, got = _played(system, kind, example)
    except (Refusal, TapeMismatch) as problem:
        code = f"{problem.code.value}: {problem}" if isinstance(problem, Refusal) else str(problem)
        report.fail(id, example.get("expect"), code)
    except KeyError as problem:
        report.fail(id, example.get("expect"), f"the example has no {problem}")
    except NotImplementedError as problem:
        report.fail(id, example.get("expect"), f"nothing computes {problem}")
    else:
        report.compare(id, expected, got)


def _played(system: ModuleType, kind: str, example: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    options = example["options"]
    if kind == "derive":
        return example["expect"], {"value": system.derive(options, example["inputs"])}
    if kind == "session":
        return example["expect"], system.session(options, example["inputs"])
    if kind == "multi":
        rolls = example["rolls"]
        got = system.multi(options, rolls)
        names = [each["name"] for each in rolls]
        return (
            {name: {**each["expect"], **ALL_DRAWN} for name, each in zip(names, rolls, strict=True)},
            {name: _only(each, rolled["expect"]) for name, each, rolled in zip(names, got, rolls, strict=True)},
        )
    if kind == "sequence":
        steps = example["steps"]
        got = system.sequence(options, example["inputs"], steps)
        expected = [{**step["expect"], **ALL_DRAWN} for step in steps]
        return _by_step(expected), _by_step(got)
    play = getattr(system, "KINDS", {}).get(kind, system.roll)
    return {**example["expect"], **ALL_DRAWN}, play(options, example["inputs"], example["dice"])


def _by_step(steps: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """What stands after each step as one flat record, so that a single wrong number is told by its name."""
    return {f"step {n} {key}": value for n, step in enumerate(steps, start=1) for key, value in _flat(step)}


def _flat(value: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for key, each in value.items():
        if isinstance(each, dict):
            yield from _flat(each, f"{before}{key} ")
        else:
            yield f"{before}{key}", each


def _only(got: Mapping[str, Any], expected: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in got.items() if key in expected or key in ALL_DRAWN}


def _odds(report: Report, content: Mapping[str, Any]) -> None:
    for listed, rows in content.items():
        if listed in LISTS:
            for row, expected, got in LISTS[listed](rows):
                report.compare(f"{listed} {row}", expected, got)
        elif isinstance(rows, list):
            for _ in rows:
                report.skip(f"odds {listed}")
