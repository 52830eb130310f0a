"""Commands of what stands: grant, reveal-grant."""

from collections.abc import Sequence
from typing import Any

import msgspec

from boonbridge.commands import arguments
from boonbridge.commands.confirming import confirm, made, send
from boonbridge_schemas.commands import Grant, RevealGrant


async def grant(
    url: str,
    token: str,
    what: str,
    *,
    actors: Sequence[str],
    label: str | None,
    against: bool,
    until: str,
    turn_of: str | None,
    hidden: bool,
    note: str | None,
    as_json: bool,
) -> int:
    """Give actors the Boon or Bane that ``what`` names: ``boon=ID[xN]`` or ``bane=ID[xN]``."""

    def fields() -> dict[str, Any]:
        ((sign, value),) = arguments.pairs([what])
        if sign not in ("boon", "bane"):
            raise arguments.BadArgument(f"{what!r} is not of the form boon=ID or bane=ID.")
        try:
            claim = arguments.source(sign, value)
        except msgspec.ValidationError:
            raise arguments.BadArgument(f"{value!r} cannot be a reason's id.") from None
        return {
            "actors": actors,
            "sign": sign,
            "source": {"id": claim.id, "label": label or claim.label},
            "amount": claim.amount,
            "scope": {"side": "against" if against else "own"},
            "expiry": {"when": until, "actor": turn_of},
            "hidden": hidden,
            "note": note or "",
        }

    return await send(url, token, made(Grant, fields), as_json=as_json)


async def reveal(url: str, token: str, grant_id: str, *, yes: bool, as_json: bool) -> int:
    """Show everybody what only GMs knew of."""
    return await confirm(url, token, made(RevealGrant, lambda: {"grant": grant_id}), yes=yes, as_json=as_json)
