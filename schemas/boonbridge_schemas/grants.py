"""A grant: a Boon or Bane that stands at the table, with its source, its scope and its clock."""

from typing import Annotated, Literal

from msgspec import Meta

from .base import ActorId, Count, GrantId, Key, Label, Name, Note, Record, Sign, SourceId, UserId


class GrantSource(Record, frozen=True, kw_only=True):
    """Where it comes from. ``id`` is the stacking key of the rules, ``label`` what people read."""

    id: SourceId
    label: Name
    kind: Key = "situation"
    origin: Label = ""


class Scope(Record, frozen=True, kw_only=True):
    """Which rolls it applies to: the bearer's own, or rolls against the bearer. An empty list means any.

    ``reach``: ``roll`` covers the whole roll, ``target`` each target by itself.
    """

    side: Literal["own", "against"] = "own"
    attributes: Annotated[tuple[Key, ...], Meta(max_length=16)] = ()
    checks: Annotated[tuple[Key, ...], Meta(max_length=16)] = ()
    tags: Annotated[tuple[Key, ...], Meta(max_length=16)] = ()
    targets: Annotated[tuple[ActorId, ...], Meta(max_length=16)] = ()
    unless_targets: Annotated[tuple[ActorId, ...], Meta(max_length=16)] = ()
    action: Label = ""
    reach: Literal["roll", "target"] = "target"


class Expiry(Record, frozen=True, kw_only=True):
    """When it ends. ``actor`` names whose turn, for the two turn clocks."""

    when: Literal[
        "none", "next_roll", "next_roll_against", "turn_start", "turn_end", "round_end", "combat_end", "session_end"
    ] = "none"
    actor: ActorId | None = None


class GrantRecord(Record, frozen=True, kw_only=True):
    """A grant as it stands in the state and in the log.

    ``hidden``: only GMs know of it, and it counts on rolls that nobody else reads.
    """

    id: GrantId
    actor: ActorId
    sign: Sign
    amount: Count
    source: GrantSource
    scope: Scope
    expiry: Expiry
    by: UserId
    note: Note = ""
    hidden: bool = False


class ConditionRef(Record, frozen=True, kw_only=True):
    """One condition that an actor holds: its key, and who gave it (null: nobody in particular)."""

    key: Key
    by: ActorId | None = None


class HeldCondition(Record, frozen=True, kw_only=True):
    """A condition of an actor. ``by`` and ``by_side`` say who gave it, where that matters (B-11).

    ``key``: the ruleset's, with what it is about behind a dot where it is about one thing (``impaired.strength``).
    ``fumbled``: so many of ``amount`` came from fumbles and end by themselves, at ``until``; of these ``begun`` were
    there when their bearer's activation began (B-26). ``luckEnds``: a luck roll at the end of the round ends it;
    ``luckDue``: that roll is its player's to make now (C-P2).
    """

    key: Key
    amount: Count = 1
    by: ActorId | None = None
    by_side: Key | None = None
    fumbled: Count = 0
    begun: Count = 0
    until: Key | None = None
    expiry: Expiry = Expiry()
    luck_ends: bool = False
    luck_due: bool = False
    note: Note = ""


class AssistRecord(Record, frozen=True, kw_only=True):
    """``assist/ID``: help that somebody offers and the GM has not answered yet.

    An empty ``action``: with whatever comes next, or with the next ``check`` of that key.
    """

    id: GrantId
    actor: ActorId
    helper: ActorId
    action: Label = ""
    check: Key | None = None
    by: UserId
    note: Note = ""
