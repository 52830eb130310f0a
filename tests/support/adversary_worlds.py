"""A table as one of its players is told of it, byte by byte, in as many worlds side by side as there are secrets to guess.

The worlds of an evening differ in nothing but a secret: a difficulty, a number of a foe, a grant that only GMs know, how a
hidden roll fell and whether there was one. Everything is said in all of them. What the player is sent comes from the core and
from the frames as tables make them; hashes, seeds and salts, which are chance by themselves, are the same everywhere.
"""

from hashlib import sha256

import msgspec

from boonbridge.core import entries
from boonbridge.core.chain import leaf
from boonbridge.core.decide import decide
from boonbridge.core.decision import Context, Decision
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.core.foreseeing import foresee
from boonbridge.core.ladder import Rung
from boonbridge.core.maps import Map
from boonbridge.core.preview import preview
from boonbridge.core.state import Member, TableState
from boonbridge.core.visibility import Viewer
from boonbridge.dice.source import SeededDice
from boonbridge.rulesets import registry
from boonbridge.tables import frames
from boonbridge.tables.ports import StoredCommit
from boonbridge_schemas.base import LOG_FORMAT, PARTS
from boonbridge_schemas.commands import Command
from boonbridge_schemas.commit import Header
from boonbridge_schemas.events import Event, Withdrawn
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Ack, Foreseen, Limits, Previewed, Proven, ProvenPart, Refused

PEOPLE = {"gina": "gm", "pia": "player", "quin": "player", "olga": "observer"}
GAMES = registry.shipped()
LIMITS = Limits()
NOTHING = b"\0" * 32
SAME = Rung(dict.fromkeys(PARTS, NOTHING), dict.fromkeys(PARTS, NOTHING), dict.fromkeys(PARTS, NOTHING), NOTHING)
ID = "the-same-id-in-every-world"
START = 5
"""So many commits are there before anybody says anything: a table is opened, and four people come."""

_event = msgspec.json.Decoder(Event)
_convert = {}


def command(cmd):
    """A command from plain data; the same one is read once."""
    key = msgspec.json.encode(cmd)
    if key not in _convert:
        if len(_convert) > 20_000:
            _convert.clear()
        try:
            _convert[key] = msgspec.convert(cmd, Command)
        except msgspec.ValidationError:
            _convert[key] = None
    return _convert[key]


_FACES = {"worst": lambda _sides: 1, "low": lambda _sides: 2, "high": lambda sides: sides - 1, "best": lambda sides: sides}


class LevelDice:
    """Every die of a hidden roll lies as badly, or as well, as one of these words says."""

    def __init__(self, level):
        self._face = _FACES[level]

    def draw(self, role, sides):
        return self._face(sides)


class Noted:
    """Dice whose faces are written down, so that the same evening can be played elsewhere."""

    def __init__(self, dice, faces):
        self._dice, self._faces = dice, faces

    def draw(self, role, sides):
        face = self._dice.draw(role, sides)
        self._faces.append(face)
        return face


class World:
    """One of the worlds. ``secrets``: name to value; a step is given them and says what is done here.

    ``script``: what was said and looked at, with the faces that fell.
    """

    def __init__(self, game, seed, player):
        self.seed = seed
        self.viewer = Viewer(player, PEOPLE[player])
        people = Map({user: Member(role=role) for user, role in PEOPLE.items()})
        state = TableState.opening(GAMES[game], table="evening")
        self.state = msgspec.structs.replace(state, people=people, seq=START, at=START)
        self.secrets = {}
        self.log = []
        self.script = []

    def fork(self, **secrets):
        """Another world that was the same until now."""
        other = object.__new__(World)
        other.__dict__.update(self.__dict__, secrets={**self.secrets, **secrets}, log=list(self.log), script=list(self.script))
        return other

    # --- commands ---
    def says(self, cmd, by, *, level=None):
        """A command of somebody. What the player is sent; of his own command the answer, too."""
        faces = []
        self.script.append(("do", by, cmd, faces))
        try:
            told = self._decided(command(cmd), by, level, faces)
            answer = Ack(id=ID, seq=self.state.seq, changed=bool(told))
        except Refusal as no:
            told, answer = [], self._refused(no)
        return [*told, frames.encode(answer)] if by == self.viewer.user else told

    def hidden(self, cmd, by, *, level=None):
        """Something that nobody but GMs hears of; where it cannot be, or ``cmd`` is None, they did something else instead."""
        faces = []
        if cmd is not None:
            try:
                if told := self._decided(command(cmd), by, level, faces):
                    self.script.append(("do", by, cmd, faces))
                    return told
            except Refusal:
                pass
        self.script.append(("withdraw", by, None, ()))
        return self._commit(Decision(placed=(("roller_gm", Withdrawn(command=ID)),)), by, None)

    def _decided(self, cmd, by, level, faces):
        begun = begin(self.state, seq=self.state.seq + 1, at=self.state.at + 1, by=by)

        def dice_for(part):
            seed = sha256(f"{self.seed}|{begun.seq}|{part}".encode()).digest()
            return Noted(SeededDice(seed, ID) if level is None else LevelDice(level), faces)

        context = Context(by=by, role=PEOPLE[by], at=begun.at, command_id=ID, dice_for=dice_for)
        decision = decide(begun, cmd, context)
        return self._commit(decision, by, cmd) if decision.placed else []

    def _commit(self, decision, by, cmd):
        state = begin(self.state, seq=self.state.seq + 1, at=self.state.at + 1, by=by)
        context = Context(by=by, role=PEOPLE[by], at=state.at, command_id=ID, dice_for=lambda _part: None)
        parts = decision.parts(cmd, context, {})
        raw = tuple(frames.encode(parts[name]) if name in parts else b"" for name in PARTS)
        header = Header(
            format=LOG_FORMAT,
            table="evening",
            epoch=1,
            seq=state.seq,
            at=state.at,
            ruleset=state.ruleset.id,
            version=state.ruleset.version,
            seed_hash=NOTHING.hex(),
        )
        stored = StoredCommit(
            table="evening", seq=state.seq, command_id=ID, by=by, header=frames.encode(header), parts=raw, hash=NOTHING
        )
        self.state = evolve_all(state, decision.events)
        self.log.append(stored)
        viewer, seen = self.viewer, frames.readable(self.viewer, by)
        changed = entries.touched(self.state, (event for part, event in decision.placed if part in seen), viewer.role)
        opened = frames.told(stored)
        return list(frames.commit_frames(opened, viewer, SAME, self.state, changed, size=LIMITS.frame_out // 4))

    # --- looks ---
    def _refused(self, no):
        return Refused(code=str(no.code), message=no.message, id=ID, values=no.values, retry_after_ms=no.retry_after_ms)

    def preview(self, cmd):
        self.script.append(("preview", self.viewer.user, cmd, ()))
        try:
            rows = preview(self.state, command(cmd), self.viewer)
        except Refusal as no:
            return [frames.encode(self._refused(no))]
        return [frames.encode(Previewed(id=ID, seen=self.state.seq, rows=rows))]

    def foresee(self, cmd):
        self.script.append(("foresee", self.viewer.user, cmd, ()))
        try:
            events = foresee(self.state, command(cmd), self.viewer, self.state.at)
        except Refusal as no:
            return [frames.encode(self._refused(no))]
        return [frames.encode(Foreseen(id=ID, seen=self.state.seq, events=events))]

    def fresh(self):
        """The whole table, as somebody is told who comes anew."""
        keys = tuple(entries.all_keys(self.state))
        return list(frames.state_frames(self.state, keys, self.viewer, size=LIMITS.frame_out // 2, nulls=False))

    def resumed(self, after):
        """What he missed since a commit, as he is told who comes back; this is how history tells it, too."""
        told, keys = [], {}
        for commit in self.log[max(0, after - START) :]:
            opened = frames.told(commit)
            told.append(frames.encode(frames.logged(opened, self.viewer, SAME, catchup=True)))
            read = frames.readable(self.viewer, commit.by)
            seen = [_event.decode(raw) for part in read for raw in opened.events.get(part, ())]
            keys.update(dict.fromkeys(entries.touched(self.state, seen, self.viewer.role)))
        return [*told, *frames.state_frames(self.state, tuple(keys), self.viewer, size=LIMITS.frame_out // 2, nulls=True)]

    def proof(self, seq):
        """The bytes of what he may read of a commit. Leaves are salted by chance: of those he may not read they tell nothing."""
        if not START < seq <= self.state.seq:
            return []
        commit = self.log[seq - START - 1]
        mine = frames.readable(self.viewer, commit.by)
        dead = ProvenPart(leaf=leaf(NOTHING, b"").hex(), seed_hash=NOTHING.hex())
        parts = {
            name: ProvenPart(bytes=raw.decode(), salt=NOTHING.hex(), seed=NOTHING.hex()) if name in mine else dead
            for name, raw in zip(PARTS, commit.parts, strict=True)
        }
        nothing = NOTHING.hex()
        proven = Proven(
            id=ID, seq=seq, prev_hash=nothing, hash=nothing, header=commit.header.decode(), parts=parts, promised_by=None
        )
        return [frames.encode(proven)]
