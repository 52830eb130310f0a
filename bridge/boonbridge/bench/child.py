"""Child processes that are told and answer by lines of JSON, so that servers and loads each have a core of their own."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Self, TypeVar

import msgspec

T = TypeVar("T")


class ChildFailed(Exception):  # noqa: N818 - no class of ours is called Error
    """A process of the measurement ended before it was told to; what it said stands on standard error."""


class Child:
    """The parent's end: ``python -m MODULE ARGUMENTS``. Ends when its standard input does, and so with its parent."""

    def __init__(self, module: str, *arguments: str) -> None:
        self._module = module
        self._process = subprocess.Popen(  # noqa: S603 - our own modules
            [sys.executable, "-m", module, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(timeout=20)
        finally:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()

    def ask(self, question: object, kind: type[T]) -> T:
        """Send a line and return the line that comes back. Raises ``ChildFailed``."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(msgspec.json.encode(question) + b"\n")
            self._process.stdin.flush()
        return self.hear(kind)

    def hear(self, kind: type[T]) -> T:
        """The next line. Raises ``ChildFailed``."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChildFailed(f"{self._module} ended with {self._process.wait()}")
        return msgspec.json.decode(line, type=kind)


# --- the child's end -------------------------------------------------------------------------------------------
def answer(record: object) -> None:
    """One line for the parent."""
    sys.stdout.buffer.write(msgspec.json.encode(record) + b"\n")
    sys.stdout.buffer.flush()


async def lines() -> AsyncIterator[bytes]:
    """What the parent says, until it says no more."""
    reader = asyncio.StreamReader(limit=2**26)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        yield line
