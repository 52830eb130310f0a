"""What a table may edit besides its readings of the rules: ladders, conditions, circumstances, prices.

Counts and dice are plain integers here, so that what does not fit is refused by name and not as a bad message.
"""

from typing import Annotated, Literal

from msgspec import Meta

from .base import Key, Label, Name, Note, Record, Sign, Whole
from .checks import OnCrit

Entries = Meta(max_length=20_000)
"""More entries than a table may have are refused by name (``data.too_many``)."""


class Step(Record, frozen=True, kw_only=True):
    """A named value of a ladder. ``proposed``: our own where the rules' table is missing."""

    value: Whole
    label: Label
    proposed: bool = False


class Ladder(Record, frozen=True, kw_only=True):
    """Named difficulties for one parameter (``tn``, ``dc``, ``difficulty``), or for a kind of group check (``challenge``)."""

    key: Key
    steps: Annotated[tuple[Step, ...], Entries] = ()


class OwnCondition(Record, frozen=True, kw_only=True):
    """A condition that the table made up. ``own``: Boons (or, below zero, Banes) on its bearer's rolls, each time it is held.

    ``against``: the same on rolls against its bearer. ``checks`` and ``attributes`` narrow both down; empty means any.
    ``implies``: whoever has it has those of the table's conditions, too.
    """

    key: Key
    label: Label
    tone: Literal["good", "bad", "plain"] = "plain"
    counted: bool = False
    own: Whole = 0
    against: Whole = 0
    checks: Annotated[tuple[Key, ...], Entries] = ()
    attributes: Annotated[tuple[Key, ...], Entries] = ()
    implies: Annotated[tuple[Key, ...], Entries] = ()
    help: Note = ""


class OwnCircumstance(Record, frozen=True, kw_only=True):
    """A ready-made reason for a Boon or a Bane, as the palettes list it. ``proposed``: our wording, not the rules'."""

    id: Key
    label: Label
    sign: Sign
    kind: Key = "situation"
    example: Note = ""
    proposed: bool = False


class Amount(Record, frozen=True, kw_only=True):
    """How much something of the game's own counts, where its rules leave it open (``hidden``, ``stunned.against``)."""

    key: Key
    value: Whole
    label: Label = ""
    proposed: bool = False


class TableData(Record, frozen=True, kw_only=True):
    """Everything of it, for one ruleset. Which parts a game has follows from its defaults (``RulesetInfo.data``).

    ``rankDice``: sides of the Rank Die, from Rank 1. ``levelStep``: so many above the difficulty are one success level
    more. ``xpPerLevel``: a skill's next level costs that times the new level.
    """

    ruleset: Key
    ladders: Annotated[tuple[Ladder, ...], Entries] = ()
    conditions: Annotated[tuple[OwnCondition, ...], Entries] = ()
    circumstances: Annotated[tuple[OwnCircumstance, ...], Entries] = ()
    amounts: Annotated[tuple[Amount, ...], Entries] = ()
    on_crits: Annotated[tuple[OnCrit, ...], Entries] = ()
    rank_dice: Annotated[tuple[Whole, ...], Entries] = ()
    level_step: Whole | None = None
    xp_per_level: Whole | None = None


class TableFile(Record, frozen=True, kw_only=True):
    """House rules of a table as one file: its table data, and its readings of the rules."""

    format: Literal["boonbridge.house-rules"] = "boonbridge.house-rules"
    version: Literal[1] = 1
    name: Name = "House rules"
    data: TableData
    options: dict[Key, bool | Whole | str | None] = {}
