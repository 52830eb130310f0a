"""``key=value`` words of the command line, as the parameters of a roll.

``boon=ID[xN]`` and ``bane=ID[xN]`` are sources, ``target=ID`` a target, ``opportunity=ID`` one of the table's that is used,
``mode``, ``action`` and ``spendBefore`` the fields of that name; everything else is a parameter of the check.
"""

import re
from collections.abc import Iterable

import msgspec

from boonbridge_schemas.base import Scalar
from boonbridge_schemas.checks import SourceClaim
from boonbridge_schemas.commands import RollCheck, RollDice

_INTEGER = re.compile(r"[+-]?\d{1,15}\Z")
_AMOUNT = re.compile(r"(.+?)x(\d{1,4})\Z")
_FIELDS = {"mode": "mode", "action": "action"}


class BadArgument(Exception):  # noqa: N818 - no class of ours is called Error
    """A word of the command line that is no ``key=value`` of ours."""


def pairs(words: Iterable[str]) -> list[tuple[str, str]]:
    """The words split at their first ``=``. Raises ``BadArgument``."""
    found = []
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadArgument(f"{word!r} is not of the form key=value.")
        found.append((key, value))
    return found


def scalar(value: str) -> Scalar:
    """A value as what it looks like: a whole number, true or false, or text."""
    if _INTEGER.match(value):
        return int(value)
    return {"true": True, "false": False}.get(value, value)


def source(sign: str, value: str) -> SourceClaim:
    """``ID`` or ``IDxN`` as a source."""
    amount = _AMOUNT.match(value)
    name, count = (amount.group(1), int(amount.group(2))) if amount else (value, 1)
    return msgspec.convert({"id": name, "label": name, "sign": sign, "amount": count}, SourceClaim)


def faces(text: str) -> tuple[int, ...]:
    """``4,3`` as the faces of dice that were rolled by hand, in order. Raises ``BadArgument``."""
    words = [word.strip() for word in text.split(",")]
    if not all(_INTEGER.match(word) for word in words):
        raise BadArgument(f"--faces takes whole numbers with commas between them, and {text!r} is something else.")
    return tuple(int(word) for word in words)


def roll(actor: str, check: str, words: Iterable[str], *, changed: str = "", by_hand: str | None = None) -> RollCheck:
    """The roll that some words ask for. Raises ``BadArgument``."""
    fields: dict[str, object] = {"check": check, "actors": (actor,), "changed": changed}
    if by_hand is not None:
        fields["faces"] = faces(by_hand)
    params: dict[str, Scalar] = {}
    sources: list[SourceClaim] = []
    targets: list[str] = []
    used: list[str] = []
    try:
        for key, value in pairs(words):
            if key in ("boon", "bane"):
                sources.append(source(key, value))
            elif key == "target":
                targets.append(value)
            elif key == "opportunity":
                used.append(value)
            elif key in _FIELDS:
                fields[key] = value
            elif key == "spendBefore":
                if not _INTEGER.match(value):
                    raise BadArgument(f"spendBefore takes a whole number, and {value!r} is none.")
                fields["spendBefore"] = int(value)
            else:
                params[key] = scalar(value)
        whole = {**fields, "params": params, "targets": targets, "sources": msgspec.to_builtins(sources), "opportunities": used}
        return msgspec.convert({"t": "RollCheck", **whole}, RollCheck)
    except (msgspec.ValidationError, ValueError) as problem:
        raise BadArgument(str(problem)) from None


def dice(formula: str, *, actor: str | None, label: str, damage: bool, mode: str, by_hand: str | None) -> RollDice:
    """The dice that some flags ask for. Raises ``BadArgument``."""
    fields: dict[str, object] = {"formula": formula, "label": label, "mode": mode, "kind": "damage" if damage else "dice"}
    if actor is not None:
        fields["actor"] = actor
    if by_hand is not None:
        fields["faces"] = faces(by_hand)
    try:
        return msgspec.convert({"t": "RollDice", **fields}, RollDice)
    except msgspec.ValidationError as problem:
        raise BadArgument(str(problem)) from None
