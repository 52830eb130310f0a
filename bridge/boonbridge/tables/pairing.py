"""Codes that let somebody in, once: short ones to be typed, long ones in a link. Kept as keyed hashes only.

Whom a code lets in, and whether it still does, is decided by whoever redeems it (``redeem`` asks him before it is used up). No
code passes into a log line, an error text or the log.
"""

import asyncio
import hashlib
import hmac
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from boonbridge_schemas.base import Moment, Role, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

from .ports import Clock, PairingCode, Vault

CODE_LIFE = 10 * 60 * 1000
CODE_TRIES = 5
HOUR = 60 * 60 * 1000
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without 0 O 1 I, which people mistake for each other: 5 bits a character."""
_LENGTH = {"typed": 8, "link": 20}


class Wanted(Struct, frozen=True, kw_only=True):
    """A code that somebody asks for. ``frame``: the id he asks under; asked again, only the code of the second answer is good."""

    kind: Literal["typed", "link"]
    role: Role
    user: UserId
    name: str = ""
    by: UserId | None
    made: Moment
    hours: int = 24
    frame: str


def page_of(address: str) -> str:
    """The table page of the bridge at a websocket's address: ``ws://host/ws`` is at ``http://host/``."""
    return f"http{address.removeprefix('ws').removesuffix('ws')}"


def link(page: str, code: str) -> str:
    """The address that brings a code to the table page. What stands behind ``#`` is sent to no server."""
    return f"{page}#code={_normal(code)}"


def _normal(code: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", code.upper())


def _hash(key: bytes, table: str, code: str) -> bytes:
    return hmac.digest(key, f"pairing\n{table}\n{_normal(code)}".encode(), "sha256")


def is_open(code: PairingCode, now: Moment) -> bool:
    """Whether a code may still be used, as far as time and tries go."""
    return code.used is None and code.expires > now and code.tries_left > 0


class Pairing:
    """The codes of one server."""

    def __init__(self, vault: Vault, key: bytes, clock: Clock) -> None:
        self._vault = vault
        self._key = key
        self._clock = clock
        # One at a time: two tries at once would both find the code unused, or both spend the same one of its five tries.
        self._one = asyncio.Lock()

    async def new_code(self, table: str, role: Role = "gm") -> str:
        """The operator's: a fresh code for whoever types it (``KMQ4-7XRT``)."""
        code = _fresh("typed")
        now = self._clock.now()
        async with self._one:
            await self._tidy()
            await self._vault.put_code(
                PairingCode(
                    table=table,
                    code_hash=_hash(self._key, table, code),
                    id=secrets.token_hex(8),
                    role=role,
                    made=now,
                    expires=now + CODE_LIFE,
                    tries_left=CODE_TRIES,
                )
            )
        return _shown(code)

    async def make(self, table: str, wanted: Wanted, room: Callable[[list[PairingCode]], None]) -> tuple[str, PairingCode]:
        """A fresh code for one person, as it is shown, and what is kept of it.

        ``room`` is given the table's open codes and raises the ``Refusal`` where they are too many.
        """
        digest = hashlib.sha256(f"code\n{wanted.by}\n{wanted.frame}".encode())
        code, identifier, now = _fresh(wanted.kind), digest.hexdigest()[:16], self._clock.now()
        async with self._one:
            await self._tidy()
            rows = await self._vault.codes(table)
            before = [row for row in rows if row.id == identifier and row.used is None]
            room([row for row in rows if is_open(row, now) and row not in before])
            row = PairingCode(
                table=table,
                code_hash=_hash(self._key, table, code),
                id=identifier,
                kind=wanted.kind,
                role=wanted.role,
                user=wanted.user,
                name=wanted.name,
                by=wanted.by,
                made=wanted.made,
                expires=now + (CODE_LIFE if wanted.kind == "typed" else wanted.hours * HOUR),
                tries_left=CODE_TRIES,
            )
            await self._vault.put_code(row)
            await self._vault.drop_codes(table, [one.code_hash for one in before])
        return _shown(code), row

    async def open_codes(self, table: str) -> list[PairingCode]:
        """The codes of a table that may still be used, the newest first."""
        now = self._clock.now()
        rows = [row for row in await self._vault.codes(table) if is_open(row, now)]
        return sorted(rows, key=lambda row: (-row.made, row.id))

    async def drop(self, table: str, which: Callable[[PairingCode], bool]) -> bool:
        """Take codes back, used ones too, so that no lost answer is given again. Whether there were any."""
        async with self._one:
            found = [row.code_hash for row in await self._vault.codes(table) if which(row)]
            if found:
                await self._vault.drop_codes(table, found)
        return bool(found)

    async def drop_open(self, table: str, identifier: str) -> None:
        """Take one code back. Raises ``code.unknown`` where it is not open any more."""
        now = self._clock.now()
        if not await self.drop(table, lambda row: row.id == identifier and is_open(row, now)):
            raise Refusal(Code.CODE_UNKNOWN)

    async def redeem(
        self, code: str, pair_id: str, whose: Callable[[PairingCode], Awaitable[UserId]]
    ) -> tuple[PairingCode, Literal["new", "again"]]:
        """The row of a right code, used up by ``pair_id``. The same id again gets the same row.

        A wrong code costs every open code that is typed one of its five tries, since nobody can tell which one was meant. Those
        in links are too long to be guessed, and nobody can use them up for others.

        ``whose`` says whom the code lets in, and raises the ``Refusal`` where it lets nobody in any more; it is not used up then.

        Raises:
            Refusal: ``auth.code_wrong``, ``auth.code_expired``.
        """
        async with self._one:
            return await self._redeem(code, pair_id, whose)

    async def _redeem(
        self, code: str, pair_id: str, whose: Callable[[PairingCode], Awaitable[UserId]]
    ) -> tuple[PairingCode, Literal["new", "again"]]:
        now = self._clock.now()
        rows = await self._vault.codes()
        hashes = {table: _hash(self._key, table, code) for table in {row.table for row in rows}}
        for row in rows:
            if not hmac.compare_digest(row.code_hash, hashes[row.table]):
                continue
            if row.used is not None:
                if row.used == pair_id and now < row.expires + CODE_LIFE:
                    return row, "again"
                raise Refusal(Code.AUTH_CODE_WRONG)
            if row.expires <= now:
                raise Refusal(Code.AUTH_CODE_EXPIRED)
            if row.tries_left <= 0:
                raise Refusal(Code.AUTH_CODE_WRONG)
            # Its time goes on from its use: after ten minutes nobody waits for a lost answer any more.
            used = replace(row, used=pair_id, user=await whose(row), expires=min(row.expires, now + CODE_LIFE))
            await self._vault.put_code(used)
            return used, "new"
        for row in rows:
            if row.kind == "typed" and is_open(row, now):
                await self._vault.put_code(replace(row, tries_left=row.tries_left - 1))
        raise Refusal(Code.AUTH_CODE_WRONG)

    async def _tidy(self) -> None:
        """Forget what is of no use to anybody any more; names may stand in it."""
        now = self._clock.now()
        for row in await self._vault.codes():
            if now >= row.expires + CODE_LIFE:
                await self._vault.drop_codes(row.table, [row.code_hash])


def _fresh(kind: Literal["typed", "link"]) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH[kind]))


def _shown(code: str) -> str:
    """A code as people read it."""
    return f"{code[:4]}-{code[4:]}" if len(code) == _LENGTH["typed"] else code
