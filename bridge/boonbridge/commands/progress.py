"""How far something long has come: one line on a terminal that goes away; nothing where a program listens."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Seen = Callable[[int], None]
_EVERY = 500
"""A line of a terminal costs more than a commit."""


@contextmanager
def progress() -> Iterator[Callable[[str], Seen]]:
    """What makes, for ``commits read`` and the like, a function that is told each seq."""
    on_terminal = sys.stderr.isatty()

    def stage(words: str) -> Seen:
        shown = 0

        def seen(seq: int) -> None:
            nonlocal shown
            if on_terminal and not shown <= seq < shown + _EVERY:
                shown = seq
                sys.stderr.write(f"\r\x1b[K{seq} {words}")
                sys.stderr.flush()

        return seen

    try:
        yield stage
    finally:
        if on_terminal:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
