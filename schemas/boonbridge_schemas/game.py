"""How a ruleset describes itself to dialogs, forms and cards, so that no rule is in a client."""

from typing import Annotated, Literal

from msgspec import Meta

from .base import Key, Label, Mode, Name, Note, Record, Scalar, Sign, Small
from .tabledata import TableData


class Option(Record, frozen=True, kw_only=True):
    """One value of a list, with its word. ``proposed``: our own value where the rules' table is missing."""

    value: Scalar | None
    label: Label
    proposed: bool = False


class ParamSpec(Record, frozen=True, kw_only=True):
    """A parameter of a check.

    kind: ``integer`` (a number, maybe with a ``ladder`` of named values), ``die`` (one of ``choices``), ``number``
    (the key of one of the actor's numbers, from ``group`` or ``choices``), ``attack`` (the id of one of the actor's
    attacks), ``actor`` (an actor's id), ``flag``, ``choice``, ``text`` (words). A parameter without a default is required.
    ``difficulty``: it is the number to reach, so the table's rule on who sets difficulties applies. ``ofTarget``: the
    ``number`` is one of the target's, not of the roller's.
    """

    key: Key
    label: Label
    kind: Literal["integer", "die", "number", "attack", "actor", "flag", "choice", "text"]
    min: Small | None = None
    max: Small | None = None
    default: Scalar | None = None
    required: bool = False
    choices: tuple[Option, ...] = ()
    ladder: tuple[Option, ...] = ()
    group: Key | None = None
    difficulty: bool = False
    of_target: bool = False
    help: Note = ""


class CheckSpec(Record, frozen=True, kw_only=True):
    """A kind of check. ``targets``: ``none``, or ``optional``/``required`` where it is rolled against somebody.

    ``asked``: only as the answer to a request.
    """

    key: Key
    label: Name
    params: tuple[ParamSpec, ...]
    tags: tuple[Key, ...] = ()
    targets: Literal["none", "optional", "required"] = "none"
    spend_before: bool = False
    asked: bool = False
    help: Note = ""


class NumberSpec(Record, frozen=True, kw_only=True):
    """A number of an actor that the form asks for. ``group``: any number of entries ``key.slug`` with own words."""

    key: Key
    label: Name
    kind: Literal["integer", "die"] = "integer"
    group: bool = False
    min: Small = -99
    max: Small = 99
    default: Small | None = None
    choices: tuple[Option, ...] = ()
    suggestions: tuple[Label, ...] = ()
    help: Note = ""


class IdleWhen(Record, frozen=True, kw_only=True):
    """Another option's value with which an option decides nothing."""

    option: Key
    value: Scalar | None


class OptionSpec(Record, frozen=True, kw_only=True):
    """A named reading of the rules. Either one of ``values`` or an integer from ``min`` to ``max``.

    ``help`` says in a sentence what it decides, ``example`` what that means at the table. ``rare``: seldom changed, so
    clients fold it away. ``ours``: the sources do not speak of it. ``idle``: it decides nothing while another option stands so.
    """

    key: Key
    label: Name
    default: Scalar | None
    values: tuple[Option, ...] = ()
    min: Small | None = None
    max: Small | None = None
    rules: tuple[Label, ...] = ()
    help: Note = ""
    example: Note = ""
    rare: bool = False
    ours: bool = False
    idle: tuple[IdleWhen, ...] = ()


class Circumstance(Record, frozen=True, kw_only=True):
    """A ready-made reason for a Boon or a Bane. ``proposed``: our wording, not the rules'."""

    id: Key
    label: Name
    sign: Sign
    kind: Key = "situation"
    example: Note = ""
    proposed: bool = False


class ConditionSpec(Record, frozen=True, kw_only=True):
    """A named state of an actor. ``counted``: it has an amount. ``giver``: it matters who gave it.

    ``of``: it is about one of these and is set as ``key.of`` (``impaired.strength``). ``luck``: whether a luck roll at the
    end of the round may end it: where whoever sets it says so (``may``), or ``always``. ``ours``: the table's own.
    """

    key: Key
    label: Name
    counted: bool = False
    tone: Literal["good", "bad", "plain"] = "plain"
    giver: bool = False
    of: tuple[Option, ...] = ()
    luck: Literal["never", "may", "always"] = "never"
    ours: bool = False
    help: Note = ""


class VerbSpec(Record, frozen=True, kw_only=True):
    """A table move of this game (``Act``). ``who`` ``player``: GMs and players; an actor it names is then his own.

    ``needs``: public switches that have to stand so; while they do not there is nothing to offer.
    """

    key: Key
    label: Name
    params: tuple[ParamSpec, ...] = ()
    who: Literal["gm", "player"] = "gm"
    needs: dict[Key, Scalar] = {}
    help: Note = ""


class MarkSpec(Record, frozen=True, kw_only=True):
    """A public switch of the encounter, in words: what it is called, each value, and what it reminds of."""

    key: Key
    label: Name
    values: tuple[Option, ...]
    help: Note = ""


class OutcomeWord(Record, frozen=True, kw_only=True):
    """How an outcome is called and how it feels; ``tone`` chooses colour and icon of the verdict."""

    key: Key
    label: Name
    tone: Literal["critical", "success", "failure", "worst", "plain"]


class RoleWord(Record, frozen=True, kw_only=True):
    """What a die in this game is called under its face."""

    key: Key
    label: Label
    sign: Sign | None = None


class GroupSpec(Record, frozen=True, kw_only=True):
    """How the rolls of a request may belong together. ``checks``: the kinds of check it takes; empty: any that is not ``asked``.

    ``difficulty``: the group has a number of its own to reach; with ``perMember`` its ladder is for each member.
    ``ours``: not from the sources.
    """

    key: Key
    label: Name
    checks: tuple[Key, ...] = ()
    difficulty: ParamSpec | None = None
    per_member: bool = False
    ours: bool = False
    help: Note = ""


class RulesetInfo(Record, frozen=True, kw_only=True):
    """Everything a client needs to know of a game.

    ``changes``: what may have changed since an action failed, in a few ready words (A-24). ``assist``: others help with a
    Boon (``Assist``). ``luck``: the check that may end a condition as a round ends (``RollCheck.ends``); null: none does.
    ``groups``: how the rolls of a request belong together. ``xp``: a session earns experience. ``data``: what the table may
    edit, as it stands; ``edited``: it is not the game's own any more, which is in ``usual``. ``partyRefuses``: the modes
    with which no check of the party's is rolled. ``helpCheck``: the check by which one helps, where a Boon is no help.
    """

    id: Key
    title: Name
    version: Annotated[int, Meta(ge=1)]
    summary: Note
    options: dict[Key, Scalar | None]
    option_specs: tuple[OptionSpec, ...]
    checks: tuple[CheckSpec, ...]
    numbers: tuple[NumberSpec, ...]
    outcomes: tuple[OutcomeWord, ...]
    roles: tuple[RoleWord, ...]
    words: dict[Key, Label] = {}
    conditions: tuple[ConditionSpec, ...] = ()
    circumstances: tuple[Circumstance, ...] = ()
    verbs: tuple[VerbSpec, ...] = ()
    marks: tuple[MarkSpec, ...] = ()
    changes: tuple[Label, ...] = ()
    assist: bool = False
    groups: tuple[GroupSpec, ...] = ()
    xp: bool = False
    data: TableData | None = None
    edited: bool = False
    usual: TableData | None = None
    luck: Key | None = None
    attacks: bool = False
    attack_attributes: Key | None = None
    attacks_against: tuple[Key, ...] = ()
    party_refuses: tuple[Mode, ...] = ()
    help_check: Key | None = None
