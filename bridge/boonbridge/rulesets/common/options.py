"""Named readings of the rules: the ones every table has, and how a game's record of them describes itself.

A game's options are a frozen Struct: names, values and defaults stand there once. Words for people are added beside
them; a value without a word does not pass the tests. What an option does stands where it is asked.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from boonbridge_schemas.base import Key
from boonbridge_schemas.game import IdleWhen, Option, OptionSpec


class TableOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every game lets its table choose. The core asks these; no ruleset does."""

    actor_authority: Literal["owner", "gm"] = "owner"
    ad_hoc: Literal["gm", "everyone"] = "gm"
    player_difficulty: Literal["free", "marked", "gm_only"] = "marked"
    player_sources: Literal["free", "marked", "gm_only"] = "marked"
    show_targets: bool = False
    npc_rolls: Literal["public", "gm", "secret"] = "public"
    manual_dice: bool = False


class Words(Struct, frozen=True):
    """An option in words: what it asks, what each value answers (``None`` and switches included), and its rules.

    ``help`` says in one sentence what it decides, ``example`` what that comes to in numbers. ``rare``: seldom changed.
    ``ours``: the sources do not speak of it. ``idle``: while another option has that value, this one decides nothing; one
    that the game does not have is passed over.
    """

    label: str
    values: Mapping[Any, str] = {}
    rules: tuple[str, ...] = ()
    help: str = ""
    example: str = ""
    rare: bool = False
    ours: bool = False
    idle: Mapping[Key, Any] = {}


TABLE_WORDS: Mapping[Key, Words] = {
    "actor_authority": Words(
        "Who changes a character's numbers",
        {"owner": "its owner", "gm": "only the GM"},
        help="Who may change the numbers of a character.",
        example="Anna raises a 2 on her own sheet to 3: that counts at once, or a GM has to do it.",
        rare=True,
        ours=True,
    ),
    "ad_hoc": Words(
        "Who rolls for a name without a sheet",
        {"gm": "only the GM", "everyone": "everyone"},
        help="Who may roll for somebody who has no sheet, by a name and numbers typed in.",
        example="A player rolls for “Old guide, 3”: only a GM may, or everyone.",
        rare=True,
        ours=True,
    ),
    "player_difficulty": Words(
        "Difficulties set by players",
        {"free": "like the GM's", "marked": "marked as theirs", "gm_only": "not allowed"},
        help="Whether a player who rolls unasked may set the number to reach, and whether the card says so.",
        example="Ben rolls against 12 that he chose himself: the card says nothing, or that he set it, or it is refused.",
        ours=True,
    ),
    "player_sources": Words(
        "Circumstances named by players",
        {"free": "like the GM's", "marked": "marked as theirs", "gm_only": "not allowed"},
        help="Whether a player may name what helps or hinders his own roll, and whether the card says so.",
        example="Ben adds “from above”, which counts 1: the card says nothing, or that he added it, or it is refused.",
        ours=True,
    ),
    "show_targets": Words(
        "Numbers of the opposition",
        {False: "for the GM", True: "for everyone"},
        help="Whether players see the numbers of the opposition, and with them exact chances.",
        example="A guard has to be beaten at 14: players see how often each total comes, or also how often 14 is reached.",
        ours=True,
    ),
    "npc_rolls": Words(
        "How a GM's rolls for others begin",
        {"public": "for everybody to see", "gm": "for him and the other GMs", "secret": "for GMs alone, unannounced"},
        help="With which visibility a GM's roll begins for whoever is not of the party and has no player; he can change it for "
        "each roll.",
        example="A guard's 17 against the thief's 15: everybody reads it, or GMs alone, unless its GM chooses otherwise.",
        ours=True,
        idle={"dice_public": True},
    ),
    "manual_dice": Words(
        "Dice rolled by hand",
        {False: "not taken", True: "taken, and marked"},
        help="Whether faces of dice that lay on a real table may be typed in.",
        example="A 9 and a 4 lie on the table: they are typed in, and the card says for ever that they were.",
        ours=True,
    ),
}

ASSIST = Words(
    "Help from another player",
    {"free": "at once", "gm_approves": "when the GM agrees", "off": "off"},
    help="Whether a player may help another's roll with one Boon, and whether a GM has to agree.",
    example="Anna helps Ben: his next roll has 1 Boon more, at once, or after a GM's click, or not at all.",
    ours=True,
)


def specs(options: type[Struct], words: Mapping[Key, Words]) -> tuple[OptionSpec, ...]:
    """Every option of a game, its own first, with values and limits as its Struct declares them."""
    known = {**words, **TABLE_WORDS}
    fields = {field.name: field for field in msgspec.structs.fields(options)}
    return tuple(_spec(key, fields, known[key]) for key in known if key in fields)


def _spec(key: Key, fields: Mapping[str, msgspec.structs.FieldInfo], words: Words) -> OptionSpec:
    field = fields[key]
    low: int | None = None
    high: int | None = None
    kind = msgspec.inspect.type_info(field.type)
    for each in kind.types if isinstance(kind, msgspec.inspect.UnionType) else (kind,):
        if isinstance(each, msgspec.inspect.IntType):
            low, high = each.ge, each.le
    return OptionSpec(
        key=key,
        label=words.label,
        default=field.default,
        values=tuple(Option(value=value, label=label) for value, label in words.values.items()),
        min=low,
        max=high,
        rules=words.rules,
        help=words.help,
        example=words.example,
        rare=words.rare,
        ours=words.ours,
        idle=tuple(IdleWhen(option=option, value=value) for option, value in words.idle.items() if option in fields),
    )
