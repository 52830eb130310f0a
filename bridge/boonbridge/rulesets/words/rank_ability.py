"""Rank & Ability in words. Six, ten and fourteen are the rules' own TNs, their names are ours."""

from collections.abc import Mapping

from msgspec.structs import replace

from boonbridge.rulesets.common.options import ASSIST, Words
from boonbridge.rulesets.common.rulings import ASKED, Ruling
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    NumberSpec,
    Option,
    OutcomeWord,
    ParamSpec,
    RoleWord,
)

ABILITIES = {"str": "STR", "agi": "AGI", "con": "CON", "lor": "LOR", "pre": "PRE"}
SIZES = (4, 6, 8, 10, 12)


def _help(key: str, label: str, example: str) -> Circumstance:
    return Circumstance(id=key, label=label, sign="boon", kind=key, example=example)


def _hindrance(key: str, label: str, example: str, *, proposed: bool = False) -> Circumstance:
    return Circumstance(id=key, label=label, sign="bane", kind=key, example=example, proposed=proposed)


_DICE = tuple(Option(value=size, label=f"d{size}") for size in SIZES)
_ABILITIES = tuple(Option(value=key, label=label) for key, label in ABILITIES.items())


OPTION_WORDS: Mapping[Key, Words] = {
    "boon_keep": Words(
        "Which dice a Boon keeps",
        {"highest_two": "the best two of all three", "rank_die": "the better of Rank and Boon Die, and the Ability Die"},
        ("A-11", "A-12", "A-13", "A-14"),
        "Which dice a Boon keeps; a Bane keeps the worst in the same way.",
        "Rank Die 3, Ability Die 2, Boon Die 9: the best two make 12, the Boon Die in the Rank Die's place makes 11.",
    ),
    "rank6_boon_die": Words(
        "Boon Die at Rank 6",
        {12: "d12", 10: "d10"},
        ("A-10",),
        "How large the Boon Die is at Rank 6; below, and for every Bane, it is a d10.",
        "At Rank 6 a Boon rolls up to 12, or up to 10; at Rank 5 up to 10 in both.",
        rare=True,
    ),
    "crit_pair": Words(
        "Doubles that count",
        {"kept_pair": "any two kept dice", "rank_and_ability": "Rank and Ability Die only"},
        ("A-18", "A-20"),
        "Which doubles make a Critical Success or a Fumble.",
        "Rank Die 2, Ability Die 6, Boon Die 6 against TN 10: 6 and 6 are kept, a Critical Success or a plain one.",
        rare=True,
    ),
    "cancel_mode": Words(
        "When helps meet hindrances",
        {"any_cancels": "they cancel, however many", "net_count": "the larger number wins"},
        ("A-15", "A-16"),
        "What is left when helps and hindrances meet.",
        "3 helps and 1 hindrance: nothing is left, or one Boon.",
    ),
    "fumble_precedence": Words(
        "Double 1 that reaches the TN",
        {"fumble": "a Fumble", "success": "a success"},
        ("A-04", "A-20"),
        "What two 1s are where they reach the TN all the same.",
        "1 and 1 against TN 2: a Fumble, or a success, and a critical one since it is a double.",
        rare=True,
    ),
    "damage_boons": Words(
        "Boons on weapon damage",
        {"never": "never", "if_rule_says": "where a rule says so"},
        ("A-17",),
        "Proposed: the Boon or Bane Die is rolled along, and as many dice are kept as without it, the best or the worst.",
        "A d8 of damage shows 3 and the Boon Die 7: 3 damage, or 7 where a rule gives the Boon.",
        rare=True,
    ),
    "assist": ASSIST,
    "retry": Words(
        "Trying the same again",
        {"strict": "only when something changed", "warn": "with a warning", "off": "freely"},
        ("A-24",),
        "Whether an action that failed may be tried again as it was.",
        "The lock held at 8 against TN 10: a second try needs a word on what changed, or is only marked, or just rolls.",
    ),
    "rulings": replace(ASKED, example="8 against TN 10 failed: the card offers a GM 7 answers and waits, or nobody is asked."),
}
CHECKS: Mapping[str, CheckSpec] = {
    "check": CheckSpec(
        key="check",
        label="Check",
        params=(
            ParamSpec(
                key="ability",
                label="Ability",
                kind="number",
                choices=_ABILITIES,
                help="The one that fits the approach: a leap STR, a narrow beam AGI, poison CON, old lore LOR, a charm PRE.",
            ),
            ParamSpec(
                key="tn",
                label="TN",
                kind="integer",
                min=1,
                max=99,
                required=True,
                difficulty=True,
                ladder=(
                    Option(value=6, label="simple"),
                    Option(value=10, label="standard"),
                    Option(value=14, label="hard"),
                    Option(value=18, label="extreme", proposed=True),
                ),
                help="The task itself. What helps or hinders besides is a Boon or a Bane, never both for one thing.",
            ),
            ParamSpec(key="rank", label="Rank", kind="integer", min=1, max=6),
            ParamSpec(key="rankDie", label="Rank Die", kind="die", choices=_DICE),
            ParamSpec(key="abilityDie", label="Ability Die", kind="die", choices=_DICE),
        ),
        help="Roll when it is risky, possible, and will change something. What is safe, solved by the right tools and enough "
        "time, or impossible, the Referee simply answers. A background, a tool, a place or a plan may do away with the risk, "
        "make it possible, help (a Boon), hinder (a Bane), or make it another task (another TN). "
        "A success does what was meant, and things move on.",
    ),
}
CONDITIONS: Mapping[str, ConditionSpec] = {
    "exhausted": ConditionSpec(key="exhausted", label="Exhausted", tone="bad", help="Offers a Bane where it matters."),
    "wounded": ConditionSpec(key="wounded", label="Wounded", tone="bad", help="Offers a Bane where it matters."),
}
NUMBERS: tuple[NumberSpec, ...] = (
    NumberSpec(key="rank", label="Rank", min=1, max=6),
    NumberSpec(key="rankDie", label="Rank Die", kind="die", choices=_DICE, help="Follows from the Rank unless given (proposed)."),
    *(NumberSpec(key=key, label=label, kind="die", choices=_DICE) for key, label in ABILITIES.items()),
)
OUTCOMES: tuple[OutcomeWord, ...] = (
    OutcomeWord(key="critical_success", label="Critical success", tone="critical"),
    OutcomeWord(key="success", label="Success", tone="success"),
    OutcomeWord(key="failure", label="Failure", tone="failure"),
    OutcomeWord(key="fumble", label="Fumble", tone="worst"),
)
ROLES: tuple[RoleWord, ...] = (
    RoleWord(key="rank", label="Rank"),
    RoleWord(key="ability", label="Ability"),
    RoleWord(key="boon", label="Boon", sign="boon"),
    RoleWord(key="bane", label="Bane", sign="bane"),
)
WORDS: Mapping[Key, Label] = {
    "boon": "Boon",
    "bane": "Bane",
    "target": "TN",
    "duty.extra_benefit": "Something more goes well: the Referee says what",
    "duty.consequence": "The situation changes: it fails, costs, or brings trouble",
    "duty.serious_complication": "It goes badly wrong: the Referee says how",
}
RULINGS: Mapping[Key, tuple[Ruling, ...]] = {
    "failure": (
        Ruling("fails", "It fails: and things are no longer as they were"),
        Ruling("consequence", "It brings a consequence: something follows from it at once"),
        Ruling("costs_time", "It costs time: while something else draws near"),
        Ruling("costs_resources", "It costs resources: gear, supplies, coin"),
        Ruling("danger", "It reveals a danger: somebody heard, something stirs"),
        Ruling("closed", "It closes off this approach: another way has to be found"),
        Ruling("at_cost", "It succeeds at a cost: where a plain failure would stop play"),
    ),
    "critical_success": (
        Ruling("faster", "Faster: it takes less time"),
        Ruling("information", "More information: something is learned besides"),
        Ruling("stronger", "A stronger result: more than was asked for"),
        Ruling("opening", "An opening: an ally may make use of it"),
        Ruling("resource_saved", "A resource saved: what it should have cost is still there"),
        Ruling("danger_avoided", "A danger avoided: it never comes near"),
        Ruling("better_position", "A better position: for whatever comes next"),
    ),
    "fumble": (
        Ruling("complication", "A complication: it is not that simple any more"),
        Ruling("new_danger", "A danger: worse than before the attempt"),
        Ruling("loss", "A loss: something breaks, drops or is gone"),
        Ruling("exposure", "Exposure: seen, heard, or open to an enemy"),
        Ruling("hard_choice", "A hard choice: one of two things cannot be kept"),
    ),
}
"""Answers of the Referee by outcome; an ordinary success needs none (A-05, A-19, A-21, A-22, A-23)."""

CHANGES: tuple[Label, ...] = (
    "Another approach",
    "Better tools",
    "More time taken",
    "Somebody helps now",
    "Leverage found",
    "Magic at work",
    "The situation is a different one",
)
"""What may have changed since it failed (A-24)."""

CIRCUMSTANCES: tuple[Circumstance, ...] = (
    _help("good_tools", "Good tools", "the right picks, a rope and irons, a true map"),
    _help("strong_position", "Strong position", "from above, behind cover, with a lever"),
    _help("good_preparation", "Good preparation", "scouted, read up on, rehearsed"),
    _help("ally", "An ally helps", "holds the ladder, draws the eye, shows the way"),
    _help("background", "Useful background", "knows the trade, the land or the people"),
    _help("favourable", "Favourable conditions", "daylight, calm, time enough"),
    _hindrance("poor_tools", "Poor tools", "a bent nail, a dull blade, the wrong key"),
    _hindrance("bad_position", "Bad position", "no room, no footing, no hold"),
    _hindrance("pressure", "Pressure", "somebody is coming, somebody shouts, the fuse burns"),
    _hindrance("harsh", "Harsh conditions", "dark, wet, cold, full of smoke"),
    _hindrance("strain", "Injury or strain", "in pain, worn out, badly shaken"),
    _hindrance("no_knowledge", "Lack of knowledge", "a craft never learned"),
    _hindrance("exhausted", "Exhausted", "too tired for this", proposed=True),
    _hindrance("wounded", "Wounded", "the wound is in the way", proposed=True),
)
