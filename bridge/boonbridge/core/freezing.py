"""A table's state as bytes, and back: the same state is always the same bytes, whichever way it came about.

Generic over what a state is made of: records, tuples, maps, sets and plain values, each with its kind, so that nothing comes
back as something else. No pickle: bytes become only records that a state of that game may hold. What the bytes are good for
may not be known here. Whoever folds may not tell equal values apart by which of them they are: here they may become one, or
two.
"""

import typing
from collections.abc import Mapping
from functools import cache, lru_cache
from math import isfinite
from typing import Any

import msgspec
from msgspec import NODEFAULT, Raw, Struct
from msgspec.structs import astuple, fields

from boonbridge.rulesets.base import OpenCheck, Ruleset

from .maps import Map
from .state import TableState

_TUPLE, _LIST, _DICT, _MAP, _SET, _CHECK, _RECORD = range(7)
"""What the first item of an array says it is; from ``_RECORD`` on a record, by its place among the names."""

_PLAIN = frozenset({str, int, bool, type(None)})
_HERE = tuple(name for name in TableState.__struct_fields__ if name != "ruleset")


class NotFreezable(Exception):  # noqa: N818 - no class of ours is called Error
    """A state holds something that could not be told from bytes again; the message names its kind."""


class NotFrozen(Exception):  # noqa: N818 - no class of ours is called Error
    """Bytes are no state of that game."""


class _Ice(Struct, array_like=True, forbid_unknown_fields=True):
    """``names``: the kinds of records, ``checks``: those that stand in several places, once; ``state``: field by field."""

    names: list[str]
    checks: list[Any]
    state: list[Any]


class _RawIce(Struct, array_like=True):
    names: list[str]
    checks: list[Raw]
    state: list[Any]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(_Ice).decode


def frozen(state: TableState) -> bytes:
    """The state as bytes. Two states of one game are the same, the order of their maps included, where their bytes are.

    Raises:
        NotFreezable: the game keeps something that is no record, tuple, map, set or plain value.
    """
    freezer = _Freezer(state.ruleset)
    fields_ = [freezer.value(getattr(state, name)) for name in _HERE]
    return _encode(_RawIce(freezer.names, [Raw(check) for check in freezer.checks], fields_))


def thawed(ice: bytes, ruleset: Ruleset) -> TableState:
    """The state that was made into these bytes, at a table of that game.

    Raises:
        NotFrozen: they are damaged, or of other records than there are.
    """
    try:
        told = _decode(ice)
        thawer = _Thawer(told.names, ruleset)
        thawer.checks = [thawer.value(check) for check in told.checks]
        values = [thawer.value(value) for value in told.state]
        return TableState(ruleset=ruleset, **dict(zip(_HERE, values, strict=True)))
    except (msgspec.MsgspecError, TypeError, ValueError, LookupError, RecursionError) as wrong:
        raise NotFrozen(f"{type(wrong).__name__}: {wrong}") from wrong


class _Freezer:
    """``names`` of records in the order in which they came, and each check that came, once."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.names: list[str] = []
        self.checks: dict[bytes, int] = {}
        self._known: dict[type, str] = {kind: name for name, kind in _kinds(ruleset).items()}
        self._places: dict[int, list[int]] = {}
        self._records: dict[type, int] = {}

    def value(self, value: Any) -> Any:
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is tuple:
            return [_TUPLE, *map(self.value, value)]
        if kind is OpenCheck:
            return self._check(value)
        if kind in self._known:
            return self._record(kind, value)
        if kind is list:
            return [_LIST, *map(self.value, value)]
        if kind is Map or kind is dict:
            pairs = (self.value(each) for pair in value.items() for each in pair)
            return [_MAP if kind is Map else _DICT, *pairs]
        if kind is frozenset and all(type(each) in _PLAIN for each in value):  # a set has no order of its own to go by
            return [_SET, *sorted(value, key=_encode)]
        if kind is float and isfinite(value):  # JSON has no word for the others
            return value
        raise NotFreezable(f"{kind.__module__}.{kind.__qualname__}")

    def _record(self, kind: type[Struct], value: Any) -> list[Any]:
        if (place := self._records.get(kind)) is None:
            place = self._records[kind] = _RECORD + len(self.names)
            self.names.append(self._known[kind])
        values = astuple(value)
        return [place, *map(self.value, values[: _told(values, _defaults(kind))])]

    def _check(self, check: OpenCheck) -> list[int]:
        """Where a check stands among the checks: the same one stands with its deed, its actor and its request."""
        if (place := self._places.get(id(check))) is None:
            body = _encode(self._record(OpenCheck, check))
            place = self._places[id(check)] = [_CHECK, self.checks.setdefault(body, len(self.checks))]
        return place


class _Thawer:
    """``checks``: those that were read so far, by their place."""

    def __init__(self, names: list[str], ruleset: Ruleset) -> None:
        known = _kinds(ruleset)
        kinds = [known[name] for name in names]
        self.checks: list[Any] = []
        self._records: list[tuple[type, tuple[str, ...]]] = [(kind, kind.__struct_fields__) for kind in kinds]

    def value(self, ice: Any) -> Any:
        if type(ice) is not list:
            return ice
        place, *inside = ice
        if place >= _RECORD:
            kind, names = self._records[place - _RECORD]
            if len(inside) > len(names):
                raise NotFrozen(f"{kind.__name__} holds no {len(inside)} values")
            return kind(**dict(zip(names, map(self.value, inside), strict=False)))
        if place == _CHECK:
            (number,) = inside
            return self.checks[number]
        inside = [self.value(each) for each in inside]
        if place == _TUPLE:
            return tuple(inside)
        if place in (_DICT, _MAP):
            pairs = dict(zip(inside[::2], inside[1::2], strict=True))
            return pairs if place == _DICT else Map(pairs)
        if place in (_SET, _LIST):
            return frozenset(inside) if place == _SET else inside
        raise NotFrozen(f"there is no {place}")


@cache
def _defaults(kind: type[Struct]) -> tuple[Any, ...]:
    """What each field of a record is where nothing is said of it; ``NODEFAULT`` where it has to be said."""
    return tuple(field.default if field.default_factory is NODEFAULT else field.default_factory() for field in fields(kind))


def _told(values: tuple[Any, ...], defaults: tuple[Any, ...]) -> int:
    """How many of a record's values have to be told: those at its end that are its defaults need not be."""
    for number in range(len(values), 0, -1):
        value, default = values[number - 1], defaults[number - 1]
        if type(value) is not type(default) or value != default:
            return number
    return 0


# --- which records there are --------------------------------------------------------------------------------------
def _kinds(ruleset: Ruleset) -> Mapping[str, type[Struct]]:
    """The kinds of records that a state of this game may be made of, by name: those that its fields are declared with."""
    options = ruleset.options()
    return _declared((type(options), type(ruleset.opening(options))))


@lru_cache(maxsize=32)
def _declared(kinds: tuple[type, ...]) -> Mapping[str, type[Struct]]:
    found: dict[str, type[Struct]] = {}
    for kind in (TableState, *kinds):
        _note(kind, found)
    del found[_name(TableState)]
    return found


def _name(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


def _note(declared: Any, found: dict[str, type[Struct]]) -> None:
    for inner in typing.get_args(declared):
        _note(inner, found)
    if isinstance(declared, type) and issubclass(declared, Struct) and _name(declared) not in found:
        found[_name(declared)] = declared
        for field in fields(declared):
            _note(field.type, found)
