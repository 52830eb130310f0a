"""What everybody at a table holds, told commit by commit; and whether frames that are shared say the same to all who get them."""

import msgspec

from boonbridge.core import entries
from boonbridge.core.visibility import readable
from boonbridge.tables.frames import raw_entries
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import ROLES


class Screens:
    """The screens of a whole table. ``do`` has a command decided and told as a hub tells it, and looks at every screen.

    Whoever goes ``away`` is told what he missed when he is ``back``, as a resume tells it.
    """

    def __init__(self, evening):
        self.evening = evening
        self.held = {user: dict(evening.shown(user)) for user in ROLES}
        self.missed = {}

    def away(self, user):
        self.missed.setdefault(user, [])

    def back(self, user):
        viewer, state = self.evening.viewer(user), self.evening.state
        missed = self.missed.pop(user, [])
        seen = [event for by, placed in missed for part, event in placed if part in readable(viewer, by)]
        self._take(user, raw_entries(state, entries.touched(state, seen, viewer.role), viewer))
        self.look()

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
            assert user in self.missed or self.held[user] == self.evening.shown(user), user

    def _tell(self, placed, by):
        state = self.evening.state
        parts = {part for part, _ in placed}
        if self.evening.last.command_part is not None:
            parts.add(self.evening.last.command_part)
        shared = entries.seen_by(state, entries.touched(state, [event for _, event in placed], "gm"))
        told = {}
        for user, role in ROLES.items():
            if user in self.missed:
                self.missed[user].append((by, placed))
                continue
            viewer = self.evening.viewer(user)
            read = readable(viewer, by)
            if not parts & set(read):
                continue
            changes = raw_entries(state, entries.touched(state, [event for part, event in placed if part in read], role), viewer)
            self._take(user, changes)
            whose = user if shared == "person" else (role, user == by) if shared == "role" or parts != {"all"} else None
            assert told.setdefault(whose, msgspec.json.encode(changes)) == msgspec.json.encode(changes), user

    def _take(self, user, changes):
        for entry in changes:
            if bytes(entry.value) == b"null":
                self.held[user].pop(entry.key, None)
            else:
                self.held[user][entry.key] = bytes(entry.value)
