"""Who plays, with which numbers, by which game: what the examples have in common."""

from hashlib import sha256

from boonbridge_schemas.checks import Number, Numbers
from boonbridge_schemas.client import ClientInfo
from boonbridge_schemas.game import (
    CheckSpec,
    Circumstance,
    ConditionSpec,
    GroupSpec,
    NumberSpec,
    Option,
    OptionSpec,
    OutcomeWord,
    ParamSpec,
    RoleWord,
    RulesetInfo,
    VerbSpec,
)
from boonbridge_schemas.grants import Expiry, GrantRecord, GrantSource, Scope

TABLE = "bell-under-the-lake"
TITLE = "The Bell under the Lake"

MIRA, JONAS, ASHA = "mira", "jonas", "asha"
KESTREL, TAMSIN, WARDEN = "kestrel", "tamsin", "Scene.lake.Token.warden"

EVENING = 1_791_310_200_000
"""The moment the table opens, in Unix milliseconds."""


def later(minutes: int) -> int:
    """So many minutes into the evening."""
    return EVENING + minutes * 60_000


def made_up(what: str) -> str:
    """32 bytes in hex that stand where a real hash or seed would (``proof-roll.json`` has real ones)."""
    return sha256(what.encode()).hexdigest()


def seed_hashes(first: int) -> tuple[str, ...]:
    """The promises for 64 commits."""
    return tuple(made_up(f"promise {seq}") for seq in range(first, first + 64))


FOUNDRY = ClientInfo(name="boonbridge-module", version="0.1.0", kind="foundry")
PAGE = ClientInfo(name="boonbridge-page", version="0.1.0", kind="page")

KESTREL_NUMBERS = Numbers(
    values=(
        Number(key="skill.climb", value=3, label="Climb"),
        Number(key="skill.stealth", value=4, label="Stealth"),
        Number(key="skill.swim", value=2, label="Swim"),
    )
)

ROPE = GrantRecord(
    id="7.1",
    actor=KESTREL,
    sign="boon",
    amount=1,
    source=GrantSource(id="rope", label="Rope made fast above", kind="tools"),
    scope=Scope(checks=("skill",), action="Climb down the well shaft"),
    expiry=Expiry(when="next_roll"),
    by=MIRA,
    note="Tamsin tied it; it holds one climb.",
)

RULESET = RulesetInfo(
    id="group_d12",
    title="d12 with group Boons",
    version=1,
    summary="d12 + skill against a difficulty. Accepted failures earn the group Boons; a Boon buys another chance.",
    options={"boon_cap": 10, "reroll": "best_of", "spend_after_limit": 1},
    option_specs=(
        OptionSpec(
            key="boon_cap",
            label="Boons per session",
            default=10,
            min=1,
            max=100,
            rules=("D-16",),
            help="So many Boons may the group gain in an evening; further ones are lost.",
            example="With 3, the fourth accepted failure brings nothing.",
            rare=True,
        ),
        OptionSpec(
            key="reroll",
            label="A bought die",
            default="best_of",
            values=(Option(value="best_of", label="best of all"), Option(value="replace", label="replaces the first")),
            rules=("D-17",),
        ),
        OptionSpec(
            key="spend_after_limit",
            label="Boons spent after one failure",
            default=1,
            values=(Option(value=1, label="one"), Option(value=None, label="no limit")),
            rules=("D-05", "D-17"),
            help="Whether a second Boon may follow the first.",
            example="With one, a check that fails again has failed.",
        ),
    ),
    checks=(
        CheckSpec(
            key="skill",
            label="Skill check",
            params=(
                ParamSpec(key="skill", label="Skill", kind="number", group="skill", required=True),
                ParamSpec(
                    key="difficulty",
                    label="Difficulty",
                    kind="integer",
                    min=1,
                    max=40,
                    default=8,
                    ladder=(
                        Option(value=5, label="easy"),
                        Option(value=8, label="moderate"),
                        Option(value=11, label="hard"),
                    ),
                    difficulty=True,
                ),
            ),
            spend_before=True,
        ),
        CheckSpec(
            key="challenge",
            label="Skill challenge",
            params=(ParamSpec(key="skill", label="Skill", kind="number", group="skill", required=True),),
            asked=True,
            help="One of several rolls that are added up.",
        ),
    ),
    numbers=(
        NumberSpec(key="skill", label="Skill", group=True, min=0, max=6, default=0, suggestions=("Climb", "Stealth", "Swim")),
    ),
    outcomes=(
        OutcomeWord(key="critical_success", label="Critical success", tone="critical"),
        OutcomeWord(key="success", label="Success", tone="success"),
        OutcomeWord(key="failure", label="Failure", tone="failure"),
        OutcomeWord(key="critical_failure", label="Critical failure", tone="worst"),
    ),
    roles=(RoleWord(key="d12", label="d12"), RoleWord(key="reroll", label="bought", sign="boon")),
    words={"boon": "positive chance", "bane": "negative chance", "target": "difficulty", "resource.boons": "Boons"},
    conditions=(ConditionSpec(key="grappled", label="Held", tone="bad", help="Somebody has hold of you."),),
    circumstances=(
        Circumstance(id="tools", label="The right tools", sign="boon", kind="tools", example="A rope made fast above."),
        Circumstance(id="dark", label="Darkness", sign="bane", example="No lamp, no moon."),
    ),
    verbs=(VerbSpec(key="give_boon", label="Give the group a Boon"),),
    groups=(
        GroupSpec(key="each", label="Each for himself", ours=True, help="Everybody's roll stands alone."),
        GroupSpec(
            key="one_failure", label="One failure is enough", checks=("skill",), help="If one fails, the group has failed."
        ),
        GroupSpec(
            key="challenge",
            label="Skill challenge",
            checks=("challenge",),
            difficulty=ParamSpec(
                key="difficulty",
                label="Difficulty",
                kind="integer",
                min=1,
                max=400,
                required=True,
                ladder=(Option(value=7, label="easy", proposed=True), Option(value=9, label="moderate", proposed=True)),
                difficulty=True,
            ),
            per_member=True,
            help="The rolls are added up.",
        ),
    ),
    xp=True,
)
