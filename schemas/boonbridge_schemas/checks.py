"""What a check is made of: numbers of an actor, sources, dice, the result, what may be chosen next.

Shared by commands, events and frames. A ruleset fills these records; nobody else needs to know its game.
"""

from typing import Annotated, Literal

from msgspec import Meta

from .base import (
    ActorId,
    Chance,
    CheckId,
    Count,
    GrantId,
    Key,
    Label,
    Mode,
    Name,
    NoKey,
    Note,
    Record,
    RequestId,
    Scalar,
    Side,
    Sign,
    Small,
    SourceId,
    UserId,
)
from .grants import ConditionRef


class Number(Record, frozen=True, kw_only=True):
    """One number of an actor: a fixed key of the ruleset, or ``group.slug`` with the words of the table."""

    key: Key
    value: Small
    label: Label = ""


class OnCrit(Record, frozen=True, kw_only=True):
    """What one critical of an attack does (B-23): ``amount`` for each, added and never multiplied (B-21)."""

    name: Name
    amount: Count = 1


class Attack(Record, frozen=True, kw_only=True):
    """An attack of an actor: the attribute it uses, what it is rolled against, what its criticals do."""

    id: Key
    name: Name
    attribute: Key
    against: Key = "defense"
    tags: Annotated[tuple[Key, ...], Meta(max_length=16)] = ()
    on_crit: OnCrit | None = None


class Numbers(Record, frozen=True, kw_only=True):
    """Everything a ruleset reads of an actor. At most 64 numbers and 32 attacks."""

    values: Annotated[tuple[Number, ...], Meta(max_length=64)] = ()
    attacks: Annotated[tuple[Attack, ...], Meta(max_length=32)] = ()


class AdHoc(Record, frozen=True, kw_only=True):
    """An actor for one roll only: no pool, no lock, no grants unless a GM gives it a side."""

    name: Name
    numbers: Numbers
    side: Side = "neutral"


class SourceClaim(Record, frozen=True, kw_only=True):
    """A Boon or Bane named by whoever rolls. ``origin`` tells two instances of one affliction apart."""

    id: SourceId
    label: Label
    sign: Sign
    amount: Annotated[int, Meta(ge=0, le=9999)] = 1
    kind: Key = "situation"
    origin: Label = ""


class Source(Record, frozen=True, kw_only=True):
    """One line of the account: what was looked at, whether it counted, and why.

    ``why`` is a key worded by the client (``counts``, ``cancels``, ``same_source``, ``one_at_most``,
    ``open_rolls_only``, ``not_this_check``, ...); ``grant`` names the grant it comes from, ``by`` who set it
    (``player`` only where a player did and the table marks that). ``hidden``: it stands for a grant that only GMs know of.
    """

    id: SourceId
    label: Label
    sign: Sign
    amount: Count
    counted: bool
    why: Key
    applies: bool = True
    kind: Key = "situation"
    origin: Label = ""
    grant: GrantId | None = None
    by_player: bool = False
    hidden: bool = False


class Die(Record, frozen=True, kw_only=True):
    """One die as it fell. ``mark``: ``crit`` counts as a critical, ``bought`` was paid for, ``minus`` is taken away."""

    role: Key
    sides: Annotated[int, Meta(ge=2, le=1000)]
    face: Annotated[int, Meta(ge=1, le=1000)]
    kept: bool
    mark: Literal["", "crit", "bought", "minus"] = ""


class Extra(Record, frozen=True, kw_only=True):
    """A further number of a result that only this ruleset has (``critDice``, ``boonBaneValue``, ``level``)."""

    key: Key
    value: Small


class Result(Record, frozen=True, kw_only=True):
    """What the dice said. ``total`` is what is compared; ``bonus`` what was added to the kept dice."""

    dice: Annotated[tuple[Die, ...], Meta(max_length=500)]
    net: Small
    boons: Count
    banes: Count
    bonus: Small
    total: Small
    outcome: Key
    success: bool
    crits: Count = 0
    worst: bool = False
    extras: tuple[Extra, ...] = ()


class Odds(Record, frozen=True, kw_only=True):
    """Exact chances before the click. ``success`` includes criticals."""

    success: Chance
    critical: Chance
    worst: Chance


class TotalChance(Record, frozen=True, kw_only=True):
    """One point of a curve of totals."""

    total: Small
    chance: Chance


class ChoiceOffer(Record, frozen=True, kw_only=True):
    """Something its roller or the GM may do after a check. Stays listed when it became illegal, with ``why``.

    ``note``: words of his own may go with it (``Choose.args.note``), as what exactly a ruling means. ``lapse``: what it comes
    to where very many are waiting and nobody took any.
    """

    id: Key
    label: Label
    who: Literal["roller", "gm"]
    enabled: bool = True
    why: Key | None = None
    default: bool = False
    cost: Count = 0
    left: Count | None = None
    chance: Chance | None = None
    note: bool = False
    lapse: bool = False


class PendingCheck(Record, frozen=True, kw_only=True):
    """The value of a state entry ``check/ID``: the last check of an actor, and what is still open on it."""

    check: CheckId
    actor: ActorId
    roller: UserId
    mode: Mode
    result: Result
    choices: tuple[ChoiceOffer, ...]
    note: Note = ""


class Rolled(Record, frozen=True, kw_only=True):
    """What was attempted, in the words and numbers that stood when it was rolled.

    ``params`` holds every parameter of the check with its value; ``player_set`` lists those a player set himself.
    ``target`` is absent when it may not be shown here (then a ``TargetFixed`` in the GM's part has it).
    ``changed``: what is different since the same action failed (A-24); ``again``: it was tried again with nothing
    declared. ``manual``: the dice lay on a real table and were typed in. ``ends``: the condition that a success ends;
    ``auto``: the end of the round rolled it, nobody clicked. ``request`` and ``group``: it answered a request, and how its
    rolls belong together; ``absent``: a GM rolled for an actor whose player did not.
    """

    check: CheckId
    actor: ActorId
    name: Name
    kind: Key
    params: dict[Key, Scalar]
    action: Label = ""
    side: Side = "neutral"
    opponent: ActorId | None = None
    opponent_name: Label = ""
    target: Small | None = None
    player_set: tuple[Key, ...] = ()
    ad_hoc: bool = False
    changed: Label = ""
    again: bool = False
    manual: bool = False
    ends: ConditionRef | None = None
    auto: bool = False
    request: RequestId | None = None
    group: NoKey = ""
    absent: bool = False


class Attempt(Record, frozen=True, kw_only=True):
    """A roll that is being put together: whose, which check, and what is attempted. No number and no die of it."""

    actor: ActorId
    check: Key
    action: Label = ""


class DiceTerm(Record, frozen=True, kw_only=True):
    """One group of dice in a formula. ``keep`` so many of them, the highest or the lowest; all where absent."""

    count: Annotated[int, Meta(ge=1, le=100)]
    sides: Annotated[int, Meta(ge=2, le=1000)]
    minus: bool = False
    keep: Count | None = None
    lowest: bool = False
