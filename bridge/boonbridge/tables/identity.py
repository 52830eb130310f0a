"""Who is who: tokens and pairing codes.

A token is a PyJWT, algorithm pinned: one user, one table, one device, a role, the origins it was minted for. No
token, code or key passes into a log line, an error text or the log.
"""

import asyncio
import base64
import hashlib
import hmac
import re
import secrets
from typing import Literal

import jwt
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boonbridge_schemas.base import Role, UserId
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.refusal import Refusal

from .ports import Clock, PairingCode, Vault

_ALGORITHM = "HS256"
DAY = 24 * 60 * 60 * 1000
TOKEN_LIFE = 30 * DAY
CLOCKS_APART = 5 * 60 * 1000
"""So far in the future a token may seem to be issued: the clocks of two machines are never quite the same."""

CODE_LIFE = 10 * 60 * 1000
CODE_TRIES = 5
_CODE_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without 0 O 1 I, which people mistake for each other."""


class Claims(Struct, frozen=True, kw_only=True):
    """What a token says. Times in Unix milliseconds."""

    user: UserId
    name: str
    table: str
    role: Role
    device: str
    issued: int
    expires: int
    origins: tuple[str, ...] = ()
    jti: str = ""


class TokenRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """The token does not open anything here. ``close`` says why, without a word of the token."""

    def __init__(self, close: Close) -> None:
        super().__init__(close.reason)
        self.close = close


def mint(key: bytes, claims: Claims) -> str:
    """The token for some claims; the same claims give the same token."""
    payload = {
        "sub": claims.user,
        "aud": claims.table,
        "name": claims.name,
        "role": claims.role,
        "dev": claims.device,
        "iat": claims.issued // 1000,
        "iam": claims.issued,
        "exp": claims.expires // 1000,
        "jti": claims.jti,
        "org": list(claims.origins),
    }
    return jwt.encode(payload, key, algorithm=_ALGORITHM)


def read_token(key: bytes, token: str, *, now: int) -> Claims:
    """What a valid token says. Expiry is judged by ``now``, the caller's clock.

    Raises:
        TokenRefused: 4401 not valid (signature, ``alg``, shape, issued in the future: a revocation would not reach it),
            4402 expired.
    """
    try:
        payload = jwt.decode(
            token,
            key,
            algorithms=[_ALGORITHM],
            options={
                "require": ["exp", "aud", "sub", "jti"],
                "verify_aud": False,  # compared with the table by the caller, who knows which one is meant
                "verify_exp": False,
                "verify_iat": False,
            },
        )
        claims = msgspec.convert(
            {
                "user": payload["sub"],
                "name": payload.get("name", payload["sub"]),
                "table": payload["aud"],
                "role": payload["role"],
                "device": payload["dev"],
                "issued": payload["iam"],
                "expires": payload["exp"] * 1000,
                "origins": payload.get("org", []),
                "jti": payload["jti"],
            },
            Claims,
        )
    except (jwt.InvalidTokenError, msgspec.ValidationError, KeyError, TypeError, ValueError):
        raise TokenRefused(Close.AUTH_BAD) from None
    if claims.issued > now + CLOCKS_APART:
        raise TokenRefused(Close.AUTH_BAD)
    if claims.expires <= now:
        raise TokenRefused(Close.AUTH_EXPIRED)
    return claims


def user_id(table: str, name: str) -> UserId:
    """The id that a name given on the command line or at pairing stands for: the same name is the same person."""
    digest = hashlib.sha256(f"{table}\n{name.strip().casefold()}".encode()).digest()
    return "u-" + base64.b32encode(digest)[:12].decode().lower()


def new_token(
    key: bytes,
    *,
    user: UserId,
    name: str,
    table: str,
    role: Role,
    now: int,
    jti: str,
    origins: tuple[str, ...] = (),
    device: str = "browser",
) -> tuple[str, Claims]:
    """A token for 30 days from ``now``."""
    claims = Claims(
        user=user,
        name=name,
        table=table,
        role=role,
        device=device,
        issued=now,
        expires=(now + TOKEN_LIFE) // 1000 * 1000,  # a token says it in whole seconds
        origins=origins,
        jti=jti,
    )
    return mint(key, claims), claims


# --- pairing codes ---------------------------------------------------------------------------------------------
def _normal(code: str) -> str:
    return re.sub(r"[^A-Z0-9]", "", code.upper())


def _hash(key: bytes, table: str, code: str) -> bytes:
    return hmac.digest(key, f"pairing\n{table}\n{_normal(code)}".encode(), "sha256")


class Pairing:
    """One-time codes: short, ten minutes, five tries; kept as keyed hashes only."""

    def __init__(self, vault: Vault, key: bytes, clock: Clock) -> None:
        self._vault = vault
        self._key = key
        self._clock = clock
        # One try at a time: two at once would both find the code unused, or both spend the same one of its five tries.
        self._trying = asyncio.Lock()

    async def new_code(self, table: str, role: Role = "gm") -> str:
        """A fresh code for a table, as people type it (``KMQ4-7XRT``)."""
        code = "".join(secrets.choice(_CODE_ALPHABET) for _ in range(8))
        row = PairingCode(
            table=table,
            code_hash=_hash(self._key, table, code),
            role=role,
            expires=self._clock.now() + CODE_LIFE,
            tries_left=CODE_TRIES,
        )
        await self._vault.put_code(row)
        return f"{code[:4]}-{code[4:]}"

    async def redeem(self, code: str, pair_id: str, name: str) -> tuple[PairingCode, Literal["new", "again"]]:
        """The row of a right code, used up by ``pair_id``. The same id again gets the same row.

        A wrong code costs every open code one of its five tries, since nobody can tell which one was meant.

        Raises:
            Refusal: ``auth.code_wrong``, ``auth.code_expired``.
        """
        async with self._trying:
            return await self._redeem(code, pair_id, name)

    async def _redeem(self, code: str, pair_id: str, name: str) -> tuple[PairingCode, Literal["new", "again"]]:
        now = self._clock.now()
        rows = await self._vault.codes()
        for row in rows:
            if not hmac.compare_digest(row.code_hash, _hash(self._key, row.table, code)):
                continue
            if row.used is not None:
                if row.used == pair_id and now < row.expires + CODE_LIFE:
                    return row, "again"
                raise Refusal(Code.AUTH_CODE_WRONG)
            if row.expires <= now:
                raise Refusal(Code.AUTH_CODE_EXPIRED)
            if row.tries_left <= 0:
                raise Refusal(Code.AUTH_CODE_WRONG)
            used = replace(row, used=pair_id, user=user_id(row.table, name))
            await self._vault.put_code(used)
            return used, "new"
        for row in rows:
            if row.used is None and row.expires > now and row.tries_left > 0:
                await self._vault.put_code(replace(row, tries_left=row.tries_left - 1))
        raise Refusal(Code.AUTH_CODE_WRONG)
