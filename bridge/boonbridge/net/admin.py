"""The admin channel: how the command line talks to the server that uses a data folder.

A loopback port of its own and a key in ``admin.json`` (mode 0600) in the folder: whoever may read the folder may
ask. One JSON line in, one out. The same on every platform, so that there is one way to test.
"""

import asyncio
import hmac
import os
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import structlog
from msgspec import Struct

log = structlog.get_logger("boonbridge.admin")

FILE = "admin.json"
_LONGEST = 2**20
"""Bytes of an answer: a full table's people are more than a line usually has."""

Handler = Callable[[Mapping[str, Any]], Awaitable[Mapping[str, Any]]]


class _Door(Struct):
    port: int
    key: str
    pid: int


class Admin:
    """The server's end."""

    def __init__(self, folder: Path, handlers: Mapping[str, Handler]) -> None:
        self._path = folder / FILE
        self._handlers = handlers
        self._key = secrets.token_urlsafe(32)
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen, and write the file that says where."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=16 * 1024)
        port = self._server.sockets[0].getsockname()[1]
        draft = self._path.with_suffix(".new")
        draft.unlink(missing_ok=True)
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.encode(_Door(port=port, key=self._key, pid=os.getpid())))
        draft.replace(self._path)

    async def stop(self) -> None:
        """Take the file away and close."""
        self._path.unlink(missing_ok=True)
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(10):
                line = await reader.readline()
            reply = await self._answer(line)
            writer.write(msgspec.json.encode(reply) + b"\n")
            await writer.drain()
        except (TimeoutError, ConnectionError, ValueError):
            pass
        finally:
            writer.close()

    async def _answer(self, line: bytes) -> Mapping[str, Any]:
        try:
            asked = msgspec.json.decode(line, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            return {"ok": False, "message": "not JSON"}
        if not hmac.compare_digest(str(asked.get("key", "")).encode(), self._key.encode()):
            return {"ok": False, "message": "wrong key"}
        handler = self._handlers.get(str(asked.get("do", "")))
        if handler is None:
            return {"ok": False, "message": "This server does not know that; it may be older than the command line."}
        try:
            return {"ok": True, **await handler(asked)}
        except Exception as exc:
            log.exception("admin request failed", do=asked.get("do"))
            return {"ok": False, "message": f"The server could not do it ({type(exc).__name__}); its log says why."}


async def ask(folder: Path, do: str, *, patience: float = 10, **values: object) -> dict[str, Any] | None:
    """Ask the server that uses a folder. None where no server answers within ``patience`` seconds."""
    try:
        door = msgspec.json.decode((folder / FILE).read_bytes(), type=_Door)
        async with asyncio.timeout(patience):
            reader, writer = await asyncio.open_connection("127.0.0.1", door.port, limit=_LONGEST)
            try:
                writer.write(msgspec.json.encode({"key": door.key, "do": do, **values}) + b"\n")
                await writer.drain()
                line = await reader.readline()
            finally:
                writer.close()
        return msgspec.json.decode(line, type=dict[str, Any])
    except (OSError, TimeoutError, msgspec.DecodeError):
        return None
