"""A mapping that never changes: setting a key gives another one, and both share what they have in common.

Its order depends on what was set and taken alone, never on when what it is made of was copied: a table that was folded from
its whole log and one that went on from a snapshot come to the same.

A dict would be copied whole for every event, and a roll at a full table would cost more than at an empty one. What is in
the mapping may not matter here.
"""

from collections.abc import Iterator, Mapping
from typing import TypeVar, overload

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_MANY = 32
"""So many changes stand beside the shared dict before a new one is made of both."""


class Map(Mapping[K, V]):
    """Reads as a dict does: in order of insertion, equal where it holds the same. Values are never None."""

    __slots__ = ("_changes", "_count", "_shared")

    def __init__(self, given: Mapping[K, V] | None = None) -> None:
        self._shared: dict[K, V] = dict(given or {})
        self._changes: dict[K, V | None] = {}
        self._count = len(self._shared)

    def having(self, key: K, value: V) -> "Map[K, V]":
        """The same, with a key set; at the end where it had none."""
        if self._changes.get(key, self) is None:  # it was taken: nothing of its old place may be left
            return self._settled().having(key, value)
        return self._changed(key, value, self._count + (key not in self))

    def without(self, key: K) -> "Map[K, V]":
        """The same, without a key; itself where it has none."""
        return self._changed(key, None, self._count - 1) if key in self else self

    def _changed(self, key: K, value: V | None, count: int) -> "Map[K, V]":
        made: Map[K, V] = Map.__new__(Map)
        made._shared, made._changes, made._count = self._shared, {**self._changes, key: value}, count
        if len(made._changes) > _MANY:
            made._take_over()
        return made

    def _settled(self) -> "Map[K, V]":
        """The same, with nothing beside the shared dict."""
        made: Map[K, V] = Map.__new__(Map)
        made._shared, made._changes, made._count = self._shared, self._changes, self._count
        made._take_over()
        return made

    def _take_over(self) -> None:
        """Make one dict of both: copied whole, which is much faster than key by key."""
        shared, changes = {**self._shared}, self._changes
        for key, value in changes.items():
            if value is None:
                shared.pop(key, None)
            else:
                shared[key] = value
        self._shared, self._changes = shared, {}

    @overload
    def get(self, key: K, /) -> V | None: ...
    @overload
    def get(self, key: K, /, default: V | T) -> V | T: ...
    def get(self, key: K, /, default: T | None = None) -> V | T | None:
        """The value of a key, or ``default``: asked for all the time, and a ``KeyError`` costs more than a look."""
        found = self._changes[key] if key in self._changes else self._shared.get(key)
        return default if found is None else found

    def __getitem__(self, key: K) -> V:
        value = self._changes[key] if key in self._changes else self._shared[key]
        if value is None:
            raise KeyError(key)
        return value

    def __contains__(self, key: object) -> bool:
        return self._changes[key] is not None if key in self._changes else key in self._shared

    def __iter__(self) -> Iterator[K]:
        for key in self._shared:
            if self._changes.get(key, self) is not None:
                yield key
        for key, value in self._changes.items():
            if value is not None and key not in self._shared:
                yield key

    def __len__(self) -> int:
        return self._count

    def __repr__(self) -> str:
        return f"Map({dict(self)!r})"
