"""What everybody at a table holds, told commit by commit; and whether frames that are shared say the same to all who get them."""

import msgspec

from boonbridge.core import entries
from boonbridge.core.visibility import readable
from boonbridge.tables.frames import raw_entries
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import ROLES


class Screens:
    """The screens of a whole table. ``do`` has a command decided and told as a hub tells it, and looks at every screen."""

    def __init__(self, evening):
        self.evening = evening
        self.held = {user: dict(evening.shown(user)) for user in ROLES}

    def do(self, cmd, by="gina", faces=()):
        placed = self.evening.do(cmd, by, faces)
        if placed:
            self._tell(placed, by)
        self.look()
        return placed

    def tries(self, cmd, by, faces=()):
        """The events, or None where it was refused; then nothing changed."""
        before = self.evening.state
        try:
            return self.do(cmd, by, faces)
        except Refusal:
            assert self.evening.state is before
            return None

    def look(self):
        for user in ROLES:
            assert self.held[user] == self.evening.shown(user), user

    def _tell(self, placed, by):
        state, events = self.evening.state, [event for _, event in placed]
        parts = {part for part, _ in placed}
        if self.evening.last.command_part is not None:
            parts.add(self.evening.last.command_part)
        keys = {role: entries.touched(state, events, role) for role in ("gm", "player")}
        assert set(keys["player"]) <= set(keys["gm"])
        shared = entries.seen_by(state, keys["gm"])
        told = {}
        for user, role in ROLES.items():
            viewer = self.evening.viewer(user)
            if not parts & set(readable(viewer, by)):
                continue
            changes = raw_entries(state, keys["gm" if role == "gm" else "player"], viewer)
            for entry in changes:
                if bytes(entry.value) == b"null":
                    self.held[user].pop(entry.key, None)
                else:
                    self.held[user][entry.key] = bytes(entry.value)
            whose = user if shared == "person" else (role, user == by) if shared == "role" or parts != {"all"} else None
            assert told.setdefault(whose, msgspec.json.encode(changes)) == msgspec.json.encode(changes), user
