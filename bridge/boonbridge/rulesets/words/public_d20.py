"""The public d20 pool in words. The ladder of DCs is proposed; the rules name none."""

from collections.abc import Mapping

from boonbridge.rulesets.common.options import ASSIST, Words
from boonbridge_schemas.base import Key, Label
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

OPTION_WORDS: Mapping[Key, Words] = {
    "compare": Words("A total equal to the target", {"at_least": "is enough", "more_than": "is not enough"}, ("B-02",)),
    "nat20": Words(
        "A natural 20",
        {"crit_if_hit": "crits when it hits", "auto_hit": "always hits", "crit_regardless": "crits even on a miss"},
        ("B-20",),
    ),
    "fumble_scope": Words("A natural 1 fumbles", {"all_rolls": "on every roll", "attacks_only": "on attacks only"}, ("B-25",)),
    "fumble_exposed": Words(
        "A fumble makes Exposed", {"add_stack": "by one more stack", "at_least_one": "unless already so"}, ("B-26",)
    ),
    "exposed_expiry": Words(
        "A fumble's Exposed ends",
        {
            "start_of_own_activation": "as the own next activation begins",
            "end_of_own_activation": "as the own next activation ends",
        },
        ("B-26",),
    ),
    "marked_scope": Words(
        "A mark helps", {"whole_side": "everyone on that side", "not_the_marker": "the marker's allies"}, ("B-11",)
    ),
    "marked_stacks": Words("Several marks", {False: "are one Boon", True: "are one Boon each"}, ("B-11",)),
    "bolstered_scope": Words("Bolstered is spent on", {"attacks": "the next attack", "any_roll": "the next roll"}, ("B-14",)),
    "status_banes_on_tasks": Words(
        "Slowed and Shaken", {True: "hinder every roll", False: "hinder attacks only"}, ("B-16", "B-17")
    ),
    "defense_base": Words("Defense without Grace", {}, ("B-03",)),
    "dice_public": Words("All dice are public", {True: "yes", False: "no"}, ("B-01",)),
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
    Circumstance(id="high_ground", label="High ground", sign="boon", example="stairs, a table, a rooftop"),
    Circumstance(id="surprise", label="Surprise", sign="boon", example="nobody saw it coming"),
    Circumstance(id="darkness", label="Darkness", sign="bane", example="only sparks and shapes"),
    Circumstance(id="bad_footing", label="Bad footing", sign="bane", example="ice, rubble, a swaying rope"),
    Circumstance(id="cramped", label="Cramped space", sign="bane", example="no room to swing"),
    Circumstance(id="distraction", label="Distraction", sign="bane", example="too much at once"),
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
ROLES: tuple[RoleWord, ...] = (RoleWord(key="d20", label=""),)
WORDS: Mapping[Key, Label] = {"boon": "Boon", "bane": "Bane", "target": "DC or Defense"}
