"""Sage d20 in words."""

from collections.abc import Mapping

from boonbridge.rulesets.common.options import ASSIST, Words
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    NumberSpec,
    Option,
    OutcomeWord,
    ParamSpec,
    RoleWord,
)

ATTRIBUTES = {"strength": "Strength", "agility": "Agility", "intellect": "Intellect", "will": "Will"}
DROPPED_PRONE = "dropped_prone"
"""A boon on the luck roll of somebody on fire, and on no other roll (C-P3)."""
OPTION_WORDS: Mapping[Key, Words] = {
    "affliction_source": Words(
        "The same affliction twice",
        {"per_affliction": "is one source", "per_instance": "is two"},
        ("C-11", "C-12", "C-P4"),
        "Whether one affliction from two sides counts once or twice.",
        "Poisoned by a dart and by the wine: 1 bane, or 2.",
    ),
    "crit_failure_needs_failure": Words(
        "A total of 0 or less",
        {False: "is a critical failure", True: "is one only when it fails"},
        ("C-17",),
        "Whether a total of 0 or less is a critical failure even where it reaches the target number.",
        "0 against a target number of 0: a critical failure, or a success.",
        rare=True,
    ),
    "default_tn": Words(
        "Target number when nobody resists",
        {},
        ("C-03",),
        "What has to be reached where nobody resists and nobody says otherwise.",
        "With 10, an 8 and a modifier of +2 just succeed.",
    ),
    "boon_die": Words(
        "Sides of a boon die",
        {},
        ("C-08", "C-09"),
        "How many sides the dice of boons and banes have.",
        "With 6, two boons that show 2 and 5 add 5.",
        rare=True,
    ),
    "assist": ASSIST,
}
_SCORES = tuple(Option(value=key, label=label) for key, label in ATTRIBUTES.items())
_ATTRIBUTE = ParamSpec(key="attribute", label="Attribute", kind="number", choices=_SCORES, required=True)
CHECKS: Mapping[str, CheckSpec] = {
    "attribute": CheckSpec(
        key="attribute",
        label="Attribute roll",
        params=(
            _ATTRIBUTE,
            ParamSpec(
                key="tn", label="Target number", kind="integer", min=0, max=99, difficulty=True, help="10 when nobody resists."
            ),
        ),
        tags=("attribute",),
    ),
    "attack": CheckSpec(
        key="attack",
        label="Attack",
        params=(ParamSpec(key="attack", label="Attack", kind="attack", required=True),),
        tags=("attribute", "attack"),
        targets="required",
        help="Against Defense, unless the attack says otherwise. One roll for each target.",
    ),
    "against": CheckSpec(
        key="against",
        label="Roll against",
        params=(
            _ATTRIBUTE,
            ParamSpec(
                key="against",
                label="Against",
                kind="number",
                choices=(Option(value="defense", label="Defense"), *_SCORES),
                of_target=True,
                required=True,
            ),
        ),
        tags=("attribute",),
        targets="required",
        help="Against the target's Defense or one of its scores. One roll for each target.",
    ),
    "luck": CheckSpec(key="luck", label="Luck roll", params=(), tags=("luck",), help="A bare d20 against 10."),
}
NUMBERS: tuple[NumberSpec, ...] = (
    *(
        NumberSpec(key=key, label=label, min=0, max=50, help="A score; its modifier is score - 10.")
        for key, label in ATTRIBUTES.items()
    ),
    NumberSpec(
        key="defense", label="Defense", min=0, max=99, default=10, help="The higher of natural (10) and armour, with bonuses."
    ),
)
OUTCOMES: tuple[OutcomeWord, ...] = (
    OutcomeWord(key="critical_success", label="Critical success", tone="critical"),
    OutcomeWord(key="success", label="Success", tone="success"),
    OutcomeWord(key="failure", label="Failure", tone="failure"),
    OutcomeWord(key="critical_failure", label="Critical failure", tone="worst"),
)
ROLES: tuple[RoleWord, ...] = (
    RoleWord(key="d20", label=""),
    RoleWord(key="boon", label="boon", sign="boon"),
    RoleWord(key="bane", label="bane", sign="bane"),
)
CIRCUMSTANCES: tuple[Circumstance, ...] = (
    Circumstance(id="aid", label="Aid", sign="boon", kind="assist", example="a companion lends a hand", proposed=True),
    Circumstance(
        id="high_ground", label="High ground", sign="boon", example="from above, from a wall or a saddle", proposed=True
    ),
    Circumstance(
        id="preparation", label="Preparation", sign="boon", example="planned, rehearsed, the right tool at hand", proposed=True
    ),
    Circumstance(id="surprise", label="Surprise", sign="boon", example="it comes out of nowhere", proposed=True),
    Circumstance(id=DROPPED_PRONE, label="Dropped prone first", sign="boon", example="on fire: on the luck roll to put it out"),
    Circumstance(id="darkness", label="Darkness", sign="bane", example="little to see by", proposed=True),
    Circumstance(id="bad_footing", label="Bad footing", sign="bane", example="mud, ice, loose stones", proposed=True),
    Circumstance(id="cramped", label="Cramped space", sign="bane", example="no room to move", proposed=True),
    Circumstance(id="distraction", label="Distraction", sign="bane", example="noise, fear, a fight close by", proposed=True),
    Circumstance(id="blinded", label="Acting blind", sign="bane", kind="affliction", example="by guess; usually three banes"),
)

WORDS: Mapping[Key, Label] = {"boon": "boon", "bane": "bane", "target": "target number"}
