"""Commands of corrections: void, override, reveal, settle. Each shows what it would do and asks."""

from boonbridge.commands.confirming import confirm, made
from boonbridge_schemas.commands import Override, Reveal, Settle, Void


async def void(url: str, token: str, what: str, reason: str | None, *, yes: bool, as_json: bool) -> int:
    """Take a check, a grant, a condition or a table move back. A bare ``8.1`` is the check of that number."""
    deed = what if "/" in what else f"check/{what}"
    command = made(Void, lambda: {"what": deed, "reason": reason or ""})
    return await confirm(url, token, command, yes=yes, as_json=as_json)


async def override(url: str, token: str, check: str, outcome: str, reason: str | None, *, yes: bool, as_json: bool) -> int:
    """Decide otherwise what a check came to."""
    command = made(Override, lambda: {"check": check, "outcome": outcome, "reason": reason or ""})
    return await confirm(url, token, command, yes=yes, as_json=as_json)


async def reveal(url: str, token: str, check: str, *, yes: bool, as_json: bool) -> int:
    """Show everybody a check that not everybody saw."""
    return await confirm(url, token, made(Reveal, lambda: {"check": check}), yes=yes, as_json=as_json)


async def settle(url: str, token: str, check: str, *, yes: bool, as_json: bool) -> int:
    """Let a hidden check do to the table what it does."""
    return await confirm(url, token, made(Settle, lambda: {"check": check}), yes=yes, as_json=as_json)
