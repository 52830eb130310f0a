"""What a table is at one moment.

Entities stand in maps and only the touched one is replaced, so that a roll costs the same at a full table as at an empty
one. How events change it is in ``evolving.py``.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, OpenCheck, Ruleset, same_action
from boonbridge_schemas.base import (
    ActorId,
    CheckId,
    CombatId,
    DeviceId,
    GrantId,
    Key,
    Label,
    Moment,
    RequestId,
    Role,
    Scalar,
    Seq,
    UserId,
)
from boonbridge_schemas.entries import ResistanceEntry
from boonbridge_schemas.grants import AssistRecord
from boonbridge_schemas.requests import AskedCheck, GroupResult, OpportunityRecord, RequestRecord
from boonbridge_schemas.tabledata import TableData

from .maps import Map

TABLE_COMBAT = "table"
"""The fight of a table without a tracker."""

LAST = 9999
"""The last round of a fight, and the last turn of a round, that an event can tell (``Count``): there counting stops."""

BRIDGE = "bridge"
"""Who sends what nobody sent: the user id of the bridge itself. No person has it."""


class Member(Struct, frozen=True, kw_only=True):
    """Somebody who may take part. ``revoked``: tokens issued before are refused; by device, "" for all of them.

    ``since`` is the commit that changed the role, if any: who holds the table as it was before saw it with other eyes.
    ``invited``: when he was last let in. ``erased_at``: when it was said last that what he is called is to be forgotten; less
    than 0 where he may have a name.
    """

    role: Role
    since: Seq = 0
    revoked: Mapping[DeviceId, Moment] = {}
    invited: Moment = 0
    erased_at: Moment = -1

    @property
    def gone(self) -> bool:
        """Whether all access was taken back, and none given since."""
        return self.revoked.get("", -1) >= self.invited

    @property
    def erased(self) -> bool:
        """Whether what he is called is to be forgotten."""
        return self.erased_at >= 0

    def refuses(self, device: DeviceId, issued: Moment) -> bool:
        """Whether a token of this person, issued then for that device, has been revoked."""
        return max(self.revoked.get("", -1), self.revoked.get(device, -1)) >= issued


def in_role(member: Member, role: Role, seq: Seq) -> Member:
    """The same person with a role that commit ``seq`` gave."""
    return member if member.role == role else replace(member, role=role, since=seq)


class Turn(Struct, frozen=True):
    """Where a fight is: its round, and whose turn it is."""

    combat: CombatId
    round: int
    actor: ActorId | None = None


class Rounds(Struct, frozen=True):
    """What was heard of a fight: the round that runs, the turns of it that began and ended, the last round that ended."""

    round: int = 1
    heard: tuple[tuple[str, int, ActorId], ...] = ()
    ended: int = 0


class Write(Struct, frozen=True):
    """One place of the table that was written: what stood there before, and what after.

    ``place``: its kind and what names it, as ``("lock", actor, action)``. ``paid``: as the price of something (a Boon spent,
    a one-use grant). ``anew``: whatever stood there before; otherwise something was added to it, or taken from it. ``giver``: of
    a condition only the part that came from him (null: from nobody in particular).
    """

    place: tuple[str, ...]
    before: Any
    after: Any
    seq: Seq = 0
    paid: bool = False
    anew: bool = False
    giver: ActorId | None = None


class Deed(Struct, frozen=True, kw_only=True):
    """Something that may be taken back, or that has to be known when something before it is: what it wrote, in order.

    ``opened``: of a check, as it stands. ``hidden``: not everybody knew of it when it was done; ``among_gms``: of a check, GMs
    alone read its dice. ``closed``: checks whose choice was taken because of it. ``defaulted``: the commit that took a choice of
    it for whoever had it. ``bought``: choices that were paid for.
    """

    id: str
    seq: Seq
    label: Label = ""
    actor: ActorId | None = None
    writes: tuple[Write, ...] = ()
    opened: OpenCheck | None = None
    closed: tuple[CheckId, ...] = ()
    defaulted: Seq = 0
    bought: tuple[Key, ...] = ()
    hidden: bool = False
    among_gms: bool = False
    voided: bool = False


class Asking(Struct, frozen=True, kw_only=True):
    """A request as the table knows it. ``record`` is what everybody may know of it, ``checks`` and ``difficulty`` all of it.

    ``members``: the rolls that answered it, as they stand. ``secret``: only GMs know of it. ``told``: its result, where
    not everybody may know it. ``past``: the evening in which it was over is over, too.
    """

    record: RequestRecord
    checks: tuple[AskedCheck, ...]
    difficulty: int | None = None
    secret: bool = False
    members: Mapping[ActorId, OpenCheck] = {}
    told: GroupResult | None = None
    past: bool = False

    @property
    def open(self) -> bool:
        """Whether somebody may still answer."""
        return self.record.over is None


class Evening(Struct, frozen=True, kw_only=True):
    """The session that runs, or the last one. ``asks``: what a GM may want to decide (``new_evening``)."""

    number: int = 0
    name: Label = ""
    since: Moment = 0
    running: bool = False
    asks: Key | None = None
    last_roll: Moment = 0


class TableState(Struct, frozen=True, kw_only=True):
    """A table after commit ``seq``. ``options`` and ``game`` are the ruleset's own records.

    ``edited``: ``data`` are not the game's own any more. ``struck``: the commit in which a clock struck last, by its name.
    ``fighting``: the fight in which somebody's last turn was, while that fight runs.
    ``remembered``: how many deeds are, by who knows of them.
    """

    table: str
    title: str
    ruleset: Ruleset
    options: Any
    game: Any
    data: TableData
    edited: bool = False
    epoch: int = 1
    epoch_from: int = 1
    epoch_why: Key = ""
    seq: int = 0
    at: Moment = 0
    by: UserId = ""
    taped: bool = False
    actors: Map[ActorId, Actor] = Map()
    checks: Map[CheckId, OpenCheck] = Map()
    undecided: Map[CheckId, OpenCheck] = Map()
    latest: Map[ActorId, tuple[CheckId, ...]] = Map()
    people: Map[UserId, Member] = Map()
    marks: Mapping[Key, Scalar] = {}
    assists: Map[GrantId, AssistRecord] = Map()
    turn: Turn | None = None
    fights: Map[CombatId, Rounds] = Map()
    fighting: Map[ActorId, CombatId] = Map()
    origins: frozenset[str] = frozenset()
    revealed: frozenset[CheckId] = frozenset()
    requests: Map[RequestId, Asking] = Map()
    opportunities: Map[CheckId, OpportunityRecord] = Map()
    resistances: Map[ActorId, ResistanceEntry] = Map()
    evening: Evening = Evening()
    deeds: Map[str, Deed] = Map()
    remembered: Mapping[str, int] = {}
    struck: Map[str, Seq] = Map()

    @classmethod
    def opening(cls, ruleset: Ruleset, options: Mapping[str, Any] | None = None, *, table: str = "table") -> "TableState":
        """An empty table of a ruleset. ``options`` differ from the defaults; raises ``msgspec.ValidationError``."""
        chosen = msgspec.convert(dict(options or {}), ruleset.options)
        data = ruleset.table_data()
        return cls(table=table, title=table, ruleset=ruleset, options=chosen, game=ruleset.opening(chosen), data=data)

    def actor(self, actor: ActorId) -> Actor | None:
        """The actor of that id, if the table has one."""
        return self.actors.get(actor)

    def actor_of(self, grant: GrantId) -> Actor | None:
        """The actor who bears a grant."""
        return next((a for a in self.actors.values() if any(g.id == grant for g in a.grants)), None)

    def role(self, user: UserId) -> Role | None:
        """The role of a person at this table; None for strangers."""
        member = self.people.get(user)
        return member.role if member else None


def fight(state: TableState, named: CombatId | None) -> CombatId:
    """The fight that a word is about: the one that runs, where none is named."""
    return named or (state.turn.combat if state.turn is not None else TABLE_COMBAT)


def rounds(state: TableState, combat: CombatId) -> Rounds:
    """What was heard of a fight so far."""
    return state.fights.get(combat) or Rounds()


def apart(state: TableState, combat: CombatId) -> frozenset[ActorId]:
    """Whose clocks the end of a round of this fight, or of the fight, is nothing to: their last turn was in another that runs.

    Turns that are counted by hand are no fight of their own: a word of theirs is about everybody, and a tracker's about them.
    """
    if combat == TABLE_COMBAT:
        return frozenset()
    others = state.fights.keys() - {combat, TABLE_COMBAT}
    return frozenset(actor for actor, fight_ in state.fighting.items() if fight_ in others) if others else frozenset()


def was_for(offer: AssistRecord, actor: ActorId, check: Key, action: str) -> bool:
    """Whether a roll is the one that help was offered for: the next one, or the next of that action or check."""
    return offer.actor == actor and offer.check in (None, check) and same_action(offer.action) in ("", same_action(action))
