"""Who is who: tokens, and the ids of people.

A token is a PyJWT, algorithm pinned: one user, one table, one device, a role, the origins it was minted for. No
token or key passes into a log line, an error text or the log.
"""

import base64
import hmac
import secrets
from collections.abc import Mapping

import jwt
import msgspec
from msgspec import Struct

from boonbridge.core.peopling import device_of
from boonbridge_schemas.base import Role, UserId
from boonbridge_schemas.codes import Close

_ALGORITHM = "HS256"
DAY = 24 * 60 * 60 * 1000
TOKEN_LIFE = 30 * DAY
CLOCKS_APART = 5 * 60 * 1000
"""So far in the future a token may seem to be issued: the clocks of two machines are never quite the same."""


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


def user_id(key: bytes, table: str, name: str) -> UserId:
    """The id that a name given on the command line or at pairing stands for: the same name is the same person.

    Keyed, so that nobody finds out from the id, which stays in the log, what a person was called whose name was erased.
    """
    digest = hmac.digest(key, f"person\n{table}\n{_folded(name)}".encode(), "sha256")
    return "u-" + base64.b32encode(digest)[:12].decode().lower()


def random_user_id() -> UserId:
    """An id that says nothing of whose it is."""
    return "u-" + base64.b32encode(secrets.token_bytes(10))[:12].decode().lower()


def called(name: str, known: Mapping[UserId, str]) -> tuple[UserId, ...]:
    """Who is called so, however it is written."""
    return tuple(user for user, other in known.items() if _folded(other) == _folded(name))


def _folded(name: str) -> str:
    return name.strip().casefold()


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
    device: str | None = None,
) -> tuple[str, Claims]:
    """A token for 30 days from ``now``. Without a ``device`` it has one of its own, by its ``jti``."""
    claims = Claims(
        user=user,
        name=name,
        table=table,
        role=role,
        device=device or device_of(jti),
        issued=now,
        expires=(now + TOKEN_LIFE) // 1000 * 1000,  # a token says it in whole seconds
        origins=origins,
        jti=jti,
    )
    return mint(key, claims), claims
