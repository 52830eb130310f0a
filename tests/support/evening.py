"""A table without a server: commands of several people through the core, as many worlds side by side as a test wants."""

import msgspec

from boonbridge.core import entries
from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.maps import Map
from boonbridge.core.preview import preview
from boonbridge.core.state import Member, TableState
from boonbridge.core.visibility import Viewer, readable
from boonbridge.dice.source import TapeDice
from boonbridge.rulesets import registry
from boonbridge.tables.frames import raw_entries
from boonbridge_schemas.commands import AnswerRequest, Command, RollCheck
from boonbridge_schemas.refusal import Refusal
from tests.support import toy_game

GAMES = {**registry.shipped(), toy_game.RULESET.id: toy_game.RULESET}
ROLES = {"gina": "gm", "gwen": "gm", "pia": "player", "quin": "player", "olga": "observer"}


def command(cmd):
    """A command from plain data."""
    return msgspec.convert(cmd, Command) if isinstance(cmd, dict) else cmd


class Evening:
    """One table. ``do`` gives the events as (part, event), or raises the ``Refusal``. ``late``: milliseconds that passed."""

    late = 0

    def __init__(self, game, **options):
        self.state = TableState.opening(GAMES[game], options)
        self.state = msgspec.structs.replace(self.state, people=Map({user: Member(role=role) for user, role in ROLES.items()}))

    def viewer(self, user):
        return Viewer(user, ROLES[user])

    def do(self, cmd, by="gina", faces=()):
        begun = begin(self.state, seq=self.state.seq + 1, at=self.state.seq + self.late, by=by)
        dice = TapeDice(faces)
        context = Context(by=by, role=ROLES[by], at=begun.at, command_id="c", dice_for=lambda _part: dice)
        decision = self.last = decide(begun, command(cmd), context)
        self.state = evolve_all(begun, decision.events)
        return decision.placed

    def tried(self, cmd, by, faces=(), *, hears=None):
        """What a person is told of a command of his, or ``hears``: the refusal word for word, or the events he reads."""
        try:
            placed = self.do(cmd, by, faces)
        except Refusal as no:
            return "refused", str(no.code), no.message, no.values
        return "done", self.told(placed, by, self.viewer(hears or by))

    def told(self, placed, by, viewer):
        """The events that a viewer reads of the last commit, and the entries it changed for him; encoded."""
        parts = readable(viewer, by)
        events = [msgspec.json.encode(event) for part, event in placed if part in parts]
        touched = entries.touched(self.state, [event for part, event in placed if part in parts], viewer.role)
        changes = [msgspec.json.encode(entry) for entry in raw_entries(self.state, touched, viewer)]
        return events, changes if events else []

    def skip(self, by):
        """A commit of which nothing is known but its number."""
        self.state = begin(self.state, seq=self.state.seq + 1, at=self.state.seq, by=by)

    def shown(self, user):
        """The table as a fresh ``state`` shows it to a person, encoded."""
        viewer = self.viewer(user)
        told = {key: entries.value(self.state, key, viewer) for key in entries.all_keys(self.state)}
        return {key: msgspec.json.encode(value) for key, value in told.items() if value is not None}

    def previewed(self, cmd, user):
        """What a dialog shows a person, or why it shows nothing."""
        try:
            asked = command(cmd)
            assert isinstance(asked, RollCheck | AnswerRequest)
            return msgspec.json.encode(preview(self.state, asked, self.viewer(user)))
        except Refusal as no:
            return str(no.code), no.message, no.values
