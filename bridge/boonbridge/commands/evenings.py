"""Commands of evenings: start-session, end-session, continue-session."""

from collections.abc import Sequence

from boonbridge.commands.confirming import confirm, made, send
from boonbridge_schemas.commands import ContinueSession, EndSession, StartSession


async def start(url: str, token: str, name: str | None, *, as_json: bool) -> int:
    """An evening begins."""
    return await send(url, token, made(StartSession, lambda: {"name": name or ""}), as_json=as_json)


async def end(url: str, token: str, actors: Sequence[str] | None, *, yes: bool, as_json: bool) -> int:
    """The evening ends; ``actors`` get its experience, or the whole party."""
    command = made(EndSession, lambda: {"actors": actors} if actors is not None else {})
    return await confirm(url, token, command, yes=yes, as_json=as_json)


async def go_on(url: str, token: str, *, as_json: bool) -> int:
    """It is still the same evening."""
    return await send(url, token, ContinueSession(), as_json=as_json)
