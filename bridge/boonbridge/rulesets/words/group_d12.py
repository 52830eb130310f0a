"""d12 with group Boons in words: Boons are the group's, and what changes dice is a chance. Its ladder is proposed."""

from collections.abc import Mapping

from msgspec.structs import replace

from boonbridge.rulesets.common.options import Words
from boonbridge.rulesets.common.rulings import ASKED, Ruling
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    GroupSpec,
    MarkSpec,
    NumberSpec,
    Option,
    OutcomeWord,
    ParamSpec,
    RoleWord,
    VerbSpec,
)

OPTION_WORDS: Mapping[Key, Words] = {
    "boon_cap": Words(
        "Most Boons",
        {},
        ("D-16",),
        "At how many Boons the group gains no more.",
        "With 10, the eleventh accepted failure of an evening earns nothing.",
    ),
    "boon_cap_mode": Words(
        "The cap counts",
        {"gained": "Boons gained in an evening", "held": "Boons held at once"},
        ("D-16",),
        "What the cap counts.",
        "10 gained and 3 of them spent: the next accepted failure earns nothing, or an eighth Boon to hold.",
        rare=True,
        idle={"boon_cap": 0},
    ),
    "reroll": Words(
        "A bought die",
        {"best_of": "joins the others, the best counts", "replace": "replaces them"},
        ("D-17",),
        "Which die counts once a Boon bought another.",
        "A 4 failed and the bought die shows 1: the 4 still counts, or the 1 does and is a critical failure.",
        idle={"spend_after_limit": 0},
    ),
    "spend_after_limit": Words(
        "Boons after a failed roll",
        {None: "no limit"},
        ("D-05", "D-17"),
        "How many Boons may be spent on one check after its roll.",
        "With 1, a 4 that failed and a bought 5 that fails again end it; with no limit a third die may follow.",
    ),
    "spend_before_limit": Words(
        "Boons before a roll",
        {None: "no limit"},
        ("D-18",),
        "How many negative chances may be bought off before one roll.",
        "2 negative chances and 2 Boons: with 1, one chance stays; with no limit, none.",
        rare=True,
    ),
    "spend_after_gate": Words(
        "No retry with",
        {"net": "a negative chance left", "gross": "any negative chance at all"},
        ("D-17",),
        "Which negative chances forbid a retry.",
        "1 positive and 1 negative chance cancel: after the failure a Boon may be spent, or not.",
        rare=True,
        idle={"spend_after_limit": 0},
    ),
    "crit_fail_grants_boon": Words(
        "A critical failure earns a Boon",
        {True: "yes", False: "no"},
        ("D-04", "D-11"),
        "Whether a critical failure earns the Boon of an accepted one.",
        "The die shows 1: the group has 1 Boon more, or not.",
        rare=True,
    ),
    "before_spend_forfeits_boon": Words(
        "A failure after a Boon spent before the roll",
        {False: "earns a Boon", True: "earns none"},
        ("D-05", "D-18"),
        "Whether a check still earns a Boon by failing when one was spent before its roll.",
        "1 Boon buys off a negative chance, and the check fails: accepted, it earns 1 Boon, or 0.",
        rare=True,
        idle={"spend_before_limit": 0},
    ),
    "group_crit_boon": Words(
        "Critical successes in a group check",
        {"none": "earn nothing", "each": "earn a Boon each"},
        ("D-08", "D-10"),
        "Whether critical successes earn Boons in a group check.",
        "2 of 4 members roll a 12: no Boon for it, or 2.",
        rare=True,
    ),
    "group_spent_boon": Words(
        "A failed group check earns its Boon",
        {"if_any_accepted": "if somebody accepted a failure", "always": "always"},
        ("D-05", "D-08"),
        "Whether a failed group check earns its Boon when everybody who failed had spent one.",
        "Only Bela failed, twice, with 1 Boon spent between: the group earns 0, or 1.",
        rare=True,
    ),
    "challenge_reroll": Words(
        "A bought roll in a challenge",
        {"best_of": "the better one counts", "replace": "replaces the first"},
        ("D-25",),
        "Which roll counts once a Boon bought a second one in a challenge.",
        "A 5, then a 2: the 5 goes into the sum, or the 2.",
        rare=True,
        idle={"spend_after_limit": 0},
    ),
    "challenge_fail_boon": Words(
        "A failed challenge earns its Boon",
        {"always": "always", "not_if_spent": "unless one was spent"},
        ("D-05", "D-25"),
        "Whether a failed challenge earns its Boon even if one was spent on a roll in it.",
        "19 against 20 with 1 Boon spent: the group earns 1, or 0.",
        rare=True,
        idle={"spend_after_limit": 0},
    ),
    "resist_compare": Words(
        "Against resistance an equal total",
        {"at_least": "is enough", "more_than": "is not enough"},
        ("D-03", "D-22"),
        "Whether a total that equals somebody's resistance succeeds.",
        "10 against the resistance of a skill of 3, which is 7 + 3: a success, or a failure.",
        rare=True,
    ),
    "opportunity_self": Words(
        "Using one's own opportunity",
        {True: "allowed", False: "for others only"},
        ("D-21",),
        "Whether whoever created an opportunity may use it himself.",
        "Anna creates one and rolls next: 2 dice and the best, or it waits for an ally.",
    ),
    "success_level": Words(
        "Success level",
        {False: "not counted", True: "counted"},
        ("D-13",),
        "Proposed: whether a success says how well it went, one level more for every step above the difficulty.",
        "With steps of 3, a 14 against 8 is level 3.",
        ours=True,
    ),
    "rulings": replace(ASKED, example="The die shows 1: the card offers a GM 3 consequences and waits, or nobody is asked."),
}
_SKILL = ParamSpec(
    key="skill", label="Skill", kind="number", group="skill", required=True, help="The one that fits the approach best."
)
_DIFFICULTY = ParamSpec(
    key="difficulty",
    label="Difficulty",
    kind="integer",
    min=-99,
    max=999,
    difficulty=True,
    ladder=tuple(
        Option(value=value, label=label, proposed=True)
        for value, label in ((5, "easy"), (8, "moderate"), (11, "hard"), (14, "very hard"), (17, "extreme"))
    ),
    help="The GM's number, unless somebody resists.",
)
_RESIST = ParamSpec(
    key="resist",
    label="Resisted with",
    kind="number",
    group="skill",
    of_target=True,
    help="A skill of the target: 7 + its bonus.",
)
CHECKS: Mapping[str, CheckSpec] = {
    "skill": CheckSpec(
        key="skill", label="Skill check", params=(_SKILL, _DIFFICULTY, _RESIST), targets="optional", spend_before=True
    ),
    "opportunity": CheckSpec(
        key="opportunity",
        label="Create an opportunity",
        params=(
            _SKILL,
            _DIFFICULTY,
            _RESIST,
            ParamSpec(
                key="sign",
                label="It gives",
                kind="choice",
                default="positive",
                choices=(
                    Option(value="positive", label="an ally a positive chance"),
                    Option(value="negative", label="an opponent a negative chance"),
                ),
            ),
            ParamSpec(
                key="to",
                label="To whom",
                kind="actor",
                help="Left out: it waits for whoever uses the situation, or is affected by it, once.",
            ),
        ),
        targets="optional",
        spend_before=True,
        help="On a success the next check of whoever it is for has one chance more, or one against it.",
    ),
    "challenge": CheckSpec(
        key="challenge",
        label="Part in a challenge",
        params=(_SKILL,),
        spend_before=True,
        asked=True,
        help="Die and bonus go into one sum with those of the others. 12 and 1 are only numbers here.",
    ),
}
GROUPS: tuple[GroupSpec, ...] = (
    GroupSpec(
        key="one_success",
        label="One success is enough",
        checks=("skill",),
        help="The group succeeds if anybody does. If it fails, it gains one Boon in all.",
    ),
    GroupSpec(
        key="one_failure",
        label="One failure is enough",
        checks=("skill",),
        help="The group fails if anybody does. If it fails, it gains one Boon in all.",
    ),
    GroupSpec(
        key="challenge",
        label="Skill challenge",
        checks=("challenge",),
        difficulty=ParamSpec(
            key="challenge",
            label="Difficulty of the challenge",
            kind="integer",
            min=-99,
            max=999,
            required=True,
            difficulty=True,
            ladder=tuple(
                Option(value=value, label=label, proposed=True)
                for value, label in ((7, "easy"), (9, "moderate"), (11, "hard"), (13, "very hard"))
            ),
            help="What all results together have to reach. The ladder is for each member.",
        ),
        per_member=True,
        help="Everybody's die and bonus are added up. A Boon buys a roll again. A challenge that fails earns one.",
    ),
)
NUMBERS: tuple[NumberSpec, ...] = (
    NumberSpec(
        key="skill",
        label="Skills",
        group=True,
        min=-20,
        max=30,
        suggestions=("Stealth", "Athletics", "Persuasion", "Lore", "Fighting"),
    ),
)
OUTCOMES: tuple[OutcomeWord, ...] = (
    OutcomeWord(key="critical_success", label="Critical success", tone="critical"),
    OutcomeWord(key="success", label="Success", tone="success"),
    OutcomeWord(key="failure", label="Failure", tone="failure"),
    OutcomeWord(key="critical_failure", label="Critical failure", tone="worst"),
    OutcomeWord(key="contributed", label="Contributed", tone="plain"),
)
WORDS: Mapping[Key, Label] = {
    "boon": "positive chance",
    "bane": "negative chance",
    "target": "difficulty",
    "resource.boons": "Boons",
    "duty.severe_consequence": "A severe consequence, at once: the GM says what",
}
CIRCUMSTANCES: tuple[Circumstance, ...] = (
    Circumstance(id="advantage", label="In a good spot", sign="boon", example="above, behind, unseen", proposed=True),
    Circumstance(id="tools", label="The right tools", sign="boon", example="made for just this", proposed=True),
    Circumstance(id="darkness", label="Darkness", sign="bane", example="hardly a hand before the eyes", proposed=True),
    Circumstance(id="bad_footing", label="Bad footing", sign="bane", example="wet, loose, moving", proposed=True),
    Circumstance(id="haste", label="Haste", sign="bane", example="no time to do it well", proposed=True),
)

ROLES: tuple[RoleWord, ...] = (RoleWord(key="d12", label=""), RoleWord(key="reroll", label="bought"))
_WINNERS = (Option(value="party", label="the group"), Option(value="opposition", label="the opposition"))
VERBS: tuple[VerbSpec, ...] = (
    VerbSpec(key="give_boon", label="Give the group a Boon", help="It is held, but does not count as gained this evening."),
    VerbSpec(key="take_boon", label="Take a Boon from the group", help="One that was given or earned by mistake, or is owed."),
    VerbSpec(
        key="initiative",
        label="Who has the initiative",
        params=(ParamSpec(key="winner", label="Won by", kind="choice", choices=_WINNERS, required=True),),
        help="Decided at the table. If the opposition has it, the group may spend a Boon to keep it.",
    ),
    VerbSpec(
        key="keep_initiative",
        label="Keep the initiative",
        who="player",
        needs={"initiative": "opposition"},
        help="Costs the group a Boon, once the initiative is lost.",
    ),
    VerbSpec(
        key="offer_resistance",
        label="Offer resistance",
        params=(
            ParamSpec(key="actor", label="Who resists", kind="actor", required=True),
            ParamSpec(key="skill", label="Skill", kind="number", group="skill", required=True, help="The one that resists best."),
        ),
        who="player",
        help="No dice: whoever acts against it has to reach 7 + the skill's bonus.",
    ),
    VerbSpec(
        key="spend_xp",
        label="Spend experience",
        params=(
            ParamSpec(key="actor", label="Who learns", kind="actor", required=True),
            ParamSpec(key="skill", label="Skill", kind="number", group="skill", required=True),
            ParamSpec(
                key="amount", label="XP", kind="integer", min=1, max=9999, help="Left out: the table's price for the next level."
            ),
            ParamSpec(key="note", label="Note", kind="text", help="What it was spent on, in your words."),
        ),
        who="player",
        help="The level itself is raised on the sheet. Proposed price: 2 XP times the new level.",
    ),
)
MARKS: tuple[MarkSpec, ...] = (
    MarkSpec(
        key="initiative",
        label="Initiative",
        values=_WINNERS,
        help="When the opposition has it, a Boon of the group keeps it on the group's side.",
    ),
)
RULINGS: tuple[Ruling, ...] = (
    Ruling("danger", "A danger: somebody is in the thick of it, now"),
    Ruling("lost_resource", "A lost resource: something that mattered is gone"),
    Ruling("obstacle", "A new obstacle: for whoever failed, or for the allies"),
)
"""The severe consequence of a critical failure, whoever rolled it (D-12)."""
