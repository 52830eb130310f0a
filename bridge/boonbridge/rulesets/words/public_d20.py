"""The public d20 pool in words. The ladder of DCs is proposed; the rules name none."""

from collections.abc import Mapping

from boonbridge.rulesets.common.options import ASSIST, Words
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.checks import OnCrit
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    MarkSpec,
    NumberSpec,
    Option,
    OutcomeWord,
    ParamSpec,
    RoleWord,
    VerbSpec,
)
from boonbridge_schemas.tabledata import Amount

OPTION_WORDS: Mapping[Key, Words] = {
    "compare": Words(
        "A total equal to the target",
        {"at_least": "is enough", "more_than": "is not enough"},
        ("B-02",),
        "Whether a total that equals the DC or the Defense succeeds.",
        "12 against DC 12: a success, or a failure.",
    ),
    "nat20": Words(
        "A natural 20",
        {"crit_if_hit": "crits when it hits", "auto_hit": "always hits", "crit_regardless": "crits even on a miss"},
        ("B-20",),
        "What a natural 20 does besides being 20.",
        "20 + 2 against 25: a miss, or a hit, or a miss whose critical takes effect all the same.",
    ),
    "fumble_scope": Words(
        "A natural 1 fumbles",
        {"all_rolls": "on every roll", "attacks_only": "on attacks only"},
        ("B-25",),
        "Which rolls a natural 1 on the kept die spoils.",
        "A task with 1 + 9 against DC 10: a fumble, or a success.",
        rare=True,
    ),
    "fumble_exposed": Words(
        "A fumble makes Exposed",
        {"add_stack": "by one more stack", "at_least_one": "unless already so"},
        ("B-26",),
        "How Exposed a fumble makes whoever is Exposed already.",
        "2 stacks before the fumble: 3 afterwards, or still 2.",
        rare=True,
    ),
    "exposed_expiry": Words(
        "A fumble's Exposed ends",
        {
            "start_of_own_activation": "as the own next activation begins",
            "end_of_own_activation": "as the own next activation ends",
        },
        ("B-26",),
        "When the stack that a fumble brought ends.",
        "A fumble in round 1: its stack is gone before the own activation in round 2, or after it.",
        rare=True,
    ),
    "marked_scope": Words(
        "A mark helps",
        {"whole_side": "everyone on that side", "not_the_marker": "the marker's allies"},
        ("B-11",),
        "Whom a mark on a target helps.",
        "Anna marks the ogre: she and her 3 allies have a Boon against it, or only the 3 have.",
        rare=True,
    ),
    "marked_stacks": Words(
        "Several marks",
        {False: "are one Boon", True: "are one Boon each"},
        ("B-11",),
        "Whether several marks on one target add up.",
        "2 marks on the ogre: 1 Boon against it, or 2.",
        rare=True,
    ),
    "bolstered_scope": Words(
        "Bolstered is spent on",
        {"attacks": "the next attack", "any_roll": "the next roll"},
        ("B-14",),
        "Which roll uses, and uses up, the Boons that are saved up.",
        "With 3 Boons saved up a roll to force a door leaves all 3, or takes them.",
        rare=True,
    ),
    "status_banes_on_tasks": Words(
        "Slowed and Shaken",
        {True: "hinder every roll", False: "hinder attacks only"},
        ("B-16", "B-17"),
        "Whether being Slowed or Shaken counts on tasks as it does on attacks.",
        "Slowed and Shaken, a leap has 2 Banes, or 0.",
    ),
    "defense_base": Words(
        "Defense without Grace",
        {},
        ("B-03",),
        "What Defense is before Grace is added.",
        "With 8, a Grace of 3 makes a Defense of 11.",
        rare=True,
    ),
    "dice_public": Words(
        "All dice are public",
        {True: "yes", False: "no"},
        ("B-01",),
        "Whether every roll is shown to everybody at the table.",
        "A GM's 17 is read by everybody, or may be rolled for GMs only.",
    ),
    "assist": ASSIST,
}
CHECKS: Mapping[str, CheckSpec] = {
    "task": CheckSpec(
        key="task",
        label="Task",
        params=(
            ParamSpec(
                key="attribute",
                label="Attribute",
                kind="number",
                group="attribute",
                choices=(Option(value="grace", label="Grace"),),
                required=True,
            ),
            ParamSpec(
                key="dc",
                label="DC",
                kind="integer",
                min=-99,
                max=999,
                required=True,
                difficulty=True,
                ladder=tuple(
                    Option(value=value, label=label, proposed=True)
                    for value, label in ((10, "easy"), (12, "fair"), (15, "hard"), (18, "very hard"), (20, "extreme"))
                ),
                help="The GM's number for the task.",
            ),
        ),
    ),
    "attack": CheckSpec(
        key="attack",
        label="Attack",
        params=(ParamSpec(key="attack", label="Attack", kind="attack", required=True),),
        tags=("attack",),
        targets="required",
        help="Against the target's Defense.",
    ),
}
CONDITIONS: Mapping[str, ConditionSpec] = {
    spec.key: spec
    for spec in (
        ConditionSpec(
            key="bolstered",
            label="Bolstered",
            counted=True,
            tone="good",
            help="Boons saved up. All of them go into the next attack, whether it hits or not.",
        ),
        ConditionSpec(key="hidden", label="Hidden", tone="good", help="A Boon on own attacks."),
        ConditionSpec(key="guard", label="On guard", tone="good", help="A Bane on attacks against it."),
        ConditionSpec(
            key="exposed",
            label="Exposed",
            counted=True,
            tone="bad",
            help="A Boon per stack on attacks against it. A fumble's own stacks end with the own next activation.",
        ),
        ConditionSpec(
            key="marked",
            label="Marked",
            counted=True,
            giver=True,
            tone="bad",
            help="A Boon on attacks against it, for everyone on the side of whoever marked it.",
        ),
        ConditionSpec(key="slowed", label="Slowed", tone="bad", help="A Bane on own rolls."),
        ConditionSpec(key="shaken", label="Shaken", tone="bad", help="A Bane on own rolls."),
    )
}
NUMBERS: tuple[NumberSpec, ...] = (
    NumberSpec(key="grace", label="Grace", help="Defense is 8 + Grace."),
    NumberSpec(
        key="attribute",
        label="Attributes",
        group=True,
        suggestions=("Might", "Wits", "Nerve"),
        help="Free names, about -2 to +6.",
    ),
)
OUTCOMES: tuple[OutcomeWord, ...] = (
    OutcomeWord(key="critical_success", label="Critical", tone="critical"),
    OutcomeWord(key="success", label="Success", tone="success"),
    OutcomeWord(key="failure", label="Failure", tone="failure"),
    OutcomeWord(key="fumble", label="Fumble", tone="worst"),
)
CIRCUMSTANCES: tuple[Circumstance, ...] = (
    Circumstance(id="flanking", label="Flanking", sign="boon", kind="flanking", example="a friend on the far side"),
    Circumstance(id="assist", label="Assist", sign="boon", kind="assist", example="somebody lends a hand"),
    Circumstance(id="high_ground", label="High ground", sign="boon", example="stairs, a table, a rooftop", proposed=True),
    Circumstance(id="surprise", label="Surprise", sign="boon", example="nobody saw it coming", proposed=True),
    Circumstance(id="darkness", label="Darkness", sign="bane", example="only sparks and shapes"),
    Circumstance(id="bad_footing", label="Bad footing", sign="bane", example="ice, rubble, a swaying rope"),
    Circumstance(id="cramped", label="Cramped space", sign="bane", example="no room to swing", proposed=True),
    Circumstance(id="distraction", label="Distraction", sign="bane", example="too much at once", proposed=True),
)

VERBS: tuple[VerbSpec, ...] = (
    VerbSpec(
        key="stagger_window",
        label="Stagger Window",
        params=(ParamSpec(key="open", label="Open", kind="flag", required=True),),
        help="Opens or closes it for everybody to see. It does nothing to the dice.",
    ),
)
MARKS: tuple[MarkSpec, ...] = (
    MarkSpec(
        key="stagger_window",
        label="Stagger Window",
        values=(Option(value=True, label="open"), Option(value=False, label="closed")),
        help="While it is open nothing is stronger than helping: mark, flank, assist, bolster, and hand out Boons.",
    ),
)
AMOUNTS: tuple[Amount, ...] = tuple(
    Amount(key=key, value=1, label=label, proposed=True)
    for key, label in (
        ("hidden", "Boons of being Hidden"),
        ("flanking", "Boons of flanking"),
        ("assist", "Boons of an assist"),
        ("slowed", "Banes of being Slowed"),
        ("shaken", "Banes of being Shaken"),
        ("guard", "Banes of attacking somebody on guard"),
    )
)
"""How much each counts; the rules leave it open, one is our reading (X-B7)."""

ON_CRITS: tuple[OnCrit, ...] = (
    OnCrit(name="More damage (example)", amount=3),
    OnCrit(name="Exposed stacks (example)", amount=1),
    OnCrit(name="Squares pushed (example)", amount=2),
)
"""Examples only: what criticals do is the table's to say."""

ROLES: tuple[RoleWord, ...] = (RoleWord(key="d20", label=""),)
WORDS: Mapping[Key, Label] = {"boon": "Boon", "bane": "Bane", "target": "DC or Defense"}
