"""Whose eyes a log is read with, where it is read from the folder: ``--as``."""

from collections.abc import Mapping

from boonbridge.commands.failing import fail
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.tables.exporting import nobody
from boonbridge.tables.identity import called

ROLES = {"gm": "a GM", "player": "a player", "observer": "an observer"}
"""Nobody in particular, as he is called in a sentence."""


def viewer_of(state: TableState, who: str, names: Mapping[str, str]) -> Viewer:
    """The eyes that are meant: ``player``, ``observer``, ``gm``, or one person, by id or name, in the role that he has now."""
    if who in ROLES:
        return nobody(who)  # type: ignore[arg-type]
    known = {user: names.get(user, user) for user in state.people}
    found = [who] if who in state.people else [user for user in called(who, known) if user in state.people]
    if not found:
        fail(f"There is nobody called {who!r} at this table. `boonbridge people` lists everybody.")
    if len(found) > 1:
        fail(f"More than one person is called {who!r} at this table. Say --as with an id: {', '.join(found)}.")
    member = state.people[found[0]]
    if member.gone:
        fail(f"{who!r} may not see the table any more: his access was taken back. What every player may see: --as player")
    return Viewer(found[0], member.role)
