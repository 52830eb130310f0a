"""How a ruleset describes itself to dialogs, forms and cards, so that no rule is in a client."""

from typing import Annotated, Literal

from msgspec import Meta

from .base import Key, Label, Name, Note, Record, Scalar, Sign, Small


class Option(Record, frozen=True, kw_only=True):
    """One value of a list, with its word. ``proposed``: our own value where the rules' table is missing."""

    value: Scalar | None
    label: Label
    proposed: bool = False


class ParamSpec(Record, frozen=True, kw_only=True):
    """A parameter of a check.

    kind: ``integer`` (a number, maybe with a ``ladder`` of named values), ``die`` (one of ``choices``), ``number``
    (the key of one of the actor's numbers, from ``group`` or ``choices``), ``attack`` (the id of one of the actor's
    attacks), ``actor`` (an actor's id), ``flag``, ``choice``. A parameter without a default is required.
    ``difficulty``: it is the number to reach, so the table's rule on who sets difficulties applies. ``ofTarget``: the
    ``number`` is one of the target's, not of the roller's.
    """

    key: Key
    label: Label
    kind: Literal["integer", "die", "number", "attack", "actor", "flag", "choice"]
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
    """A kind of check. ``targets``: ``none``, or ``optional``/``required`` where it is rolled against somebody."""

    key: Key
    label: Name
    params: tuple[ParamSpec, ...]
    tags: tuple[Key, ...] = ()
    targets: Literal["none", "optional", "required"] = "none"
    spend_before: bool = False
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


class OptionSpec(Record, frozen=True, kw_only=True):
    """A named reading of the rules. Either one of ``values`` or an integer from ``min`` to ``max``.

    ``waiting``: kept and logged, but no rule asks for it yet, so clients do not offer it.
    """

    key: Key
    label: Name
    default: Scalar | None
    values: tuple[Option, ...] = ()
    min: Small | None = None
    max: Small | None = None
    rules: tuple[Label, ...] = ()
    help: Note = ""
    waiting: bool = False


class Circumstance(Record, frozen=True, kw_only=True):
    """A ready-made reason for a Boon or a Bane. ``proposed``: our wording, not the rules'."""

    id: Key
    label: Name
    sign: Sign
    kind: Key = "situation"
    example: Note = ""


class ConditionSpec(Record, frozen=True, kw_only=True):
    """A named state of an actor. ``counted``: it has an amount. ``giver``: it matters who gave it.

    ``of``: it is about one of these and is set as ``key.of`` (``impaired.strength``). ``luck``: whether a luck roll at the
    end of the round may end it: where whoever sets it says so (``may``), or ``always``.
    """

    key: Key
    label: Name
    counted: bool = False
    tone: Literal["good", "bad", "plain"] = "plain"
    giver: bool = False
    of: tuple[Option, ...] = ()
    luck: Literal["never", "may", "always"] = "never"
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
    tone: Literal["critical", "success", "failure", "worst"]


class RoleWord(Record, frozen=True, kw_only=True):
    """What a die in this game is called under its face."""

    key: Key
    label: Label
    sign: Sign | None = None


class RulesetInfo(Record, frozen=True, kw_only=True):
    """Everything a client needs to know of a game.

    ``changes``: what may have changed since an action failed, in a few ready words (A-24). ``assist``: others help with a
    Boon (``Assist``). ``luck``: the check that may end a condition as a round ends (``RollCheck.ends``); null: none does.
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
    luck: Key | None = None
    attacks: bool = False
    attack_attributes: Key | None = None
    attacks_against: tuple[Key, ...] = ()
