"""Events of rolls and of what stands between them. The climb of commit 8 fails; the Boon of commit 9 saves it."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.checks import ChoiceOffer, DiceTerm, Die, Odds, Result, Rolled, Source
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    AssistOffered,
    CheckNoted,
    CheckRolled,
    Chosen,
    CombatEnded,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    DiceRolled,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    Invited,
    LadderRestarted,
    LuckDue,
    NameErased,
    NumbersSet,
    OptionsSet,
    OriginAdded,
    OriginRemoved,
    RoleSet,
    RoundEnded,
    TableOpened,
    TableRenamed,
    TargetFixed,
    TurnEnded,
    TurnStarted,
    Withdrawn,
)
from boonbridge_schemas.grants import AssistRecord, HeldCondition

from .effects import BOON_GAINED, BOON_GIVEN, BOON_SPENT, BOUGHT, OPPORTUNITY
from .story import ASHA, JONAS, KESTREL, KESTREL_NUMBERS, ROPE, TAMSIN, TITLE, WARDEN, seed_hashes

# Two d12, the better counts, and 8 or more is needed: 1 - (7/12)² = 95/144.
CLIMB_ODDS = Odds(success="95/144", critical="23/144", worst="1/144")
CLIMB_DICE = (
    Die(role="d12", sides=12, face=5, kept=True),
    Die(role="d12", sides=12, face=2, kept=False),
)
CLIMB_RESULT = Result(dice=CLIMB_DICE, net=1, boons=1, banes=0, bonus=3, total=8, outcome="failure", success=False)
CLIMB_OFFERS = (
    ChoiceOffer(id="accept", label="Accept: the group gains a Boon", who="roller", default=True),
    ChoiceOffer(id="spend", label="Spend a Boon for one more die", who="roller", cost=1, left=1, chance="5/12"),
)
CLIMB = CheckRolled(
    rolled=Rolled(
        check="8.1",
        actor=KESTREL,
        name="Kestrel",
        kind="skill",
        params={"skill": "skill.climb", "difficulty": 11},
        action="Climb down the well shaft",
        side="party",
        target=11,
        player_set=("difficulty",),
    ),
    mode="public",
    sources=(
        Source(
            id="rope",
            label="Rope made fast above",
            sign="boon",
            amount=1,
            counted=True,
            why="counts",
            kind="tools",
            grant=ROPE.id,
        ),
    ),
    result=CLIMB_RESULT,
    choices=CLIMB_OFFERS,
    odds=CLIMB_ODDS,
)
SAVED = Chosen(
    check="8.1",
    choice="spend",
    actor=KESTREL,
    result=Result(
        dice=(
            Die(role="d12", sides=12, face=5, kept=False),
            Die(role="d12", sides=12, face=2, kept=False),
            Die(role="reroll", sides=12, face=9, kept=True, mark="bought"),
        ),
        net=1,
        boons=1,
        banes=0,
        bonus=3,
        total=12,
        outcome="success",
        success=True,
    ),
    drawn=1,
    effects=(BOON_SPENT, BOUGHT),
)
SLIP = CheckRolled(
    rolled=Rolled(
        check="11.1",
        actor=TAMSIN,
        name="Old Tamsin",
        kind="skill",
        params={"skill": "skill.stealth", "difficulty": 8},
        action="Slip past the Warden",
        side="party",
        opponent=WARDEN,
        opponent_name="Drowned Warden",
    ),
    mode="gm",
    sources=(),
    result=Result(
        dice=(Die(role="d12", sides=12, face=12, kept=True, mark="crit"),),
        net=0,
        boons=0,
        banes=0,
        bonus=1,
        total=13,
        outcome="critical_success",
        success=True,
        crits=1,
    ),
    effects=(OPPORTUNITY,),
    deferred=True,
)
COMBAT = "Hx3nQv7tBw2mZc5k"
HELP = AssistRecord(id="7.2", actor=KESTREL, helper=TAMSIN, action="Climb down the well shaft", by=ASHA, note="Holds the lamp.")
HELD = HeldCondition(key="grappled", by=WARDEN)

EVENTS: Mapping[str, msgspec.Struct] = {
    "TableOpened": TableOpened(title=TITLE, ruleset="group_d12", seed_hashes=seed_hashes(2)),
    "Invited": Invited(user=JONAS, role="player"),
    "OriginAdded": OriginAdded(origin="http://192.168.7.20:30000"),
    "OptionsSet": OptionsSet(options={"spend_after_limit": None}),
    "ActorSynced": ActorSynced(actor=KESTREL, name="Kestrel", side="party", owners=(JONAS,)),
    "NumbersSet": NumbersSet(actor=KESTREL, numbers=KESTREL_NUMBERS),
    "Granted": Granted(grant=ROPE),
    "CheckRolled": CLIMB,
    "CheckRolled.deferred": SLIP,
    "GrantSpent": GrantSpent(actor=KESTREL, grant=ROPE.id, check="8.1"),
    "Chosen": SAVED,
    "Chosen.auto": Chosen(check="8.1", choice="accept", actor=KESTREL, auto=True, effects=(BOON_GAINED,)),
    "TargetFixed": TargetFixed(check="11.1", target=12, odds=Odds(success="1/6", critical="1/12", worst="1/12")),
    "CheckNoted": CheckNoted(check="12.1", actor=KESTREL, name="Kestrel", kind="skill", action="Hear what moves down there"),
    "ConditionSet": ConditionSet(actor=KESTREL, condition=HELD),
    "ConditionCleared": ConditionCleared(actor=KESTREL, key="grappled", by=WARDEN),
    "ConditionExpired": ConditionExpired(actor=KESTREL, key="exposed", amount=1, now=0, why="turn_start"),
    "GrantExpired": GrantExpired(actor=KESTREL, grant="7.3", why="round_end"),
    "AssistOffered": AssistOffered(assist=HELP),
    "AssistAnswered": AssistAnswered(assist=HELP.id, accepted=True),
    "LuckDue": LuckDue(actor=KESTREL, key="poisoned", by=WARDEN),
    "TurnStarted": TurnStarted(combat=COMBAT, round=1, turn=0, actor=KESTREL),
    "TurnEnded": TurnEnded(combat=COMBAT, round=1, turn=0, actor=KESTREL),
    "RoundEnded": RoundEnded(combat=COMBAT, round=1),
    "CombatEnded": CombatEnded(combat=COMBAT),
    "DiceRolled": DiceRolled(
        roll="14.1",
        actor=KESTREL,
        name="Kestrel",
        kind="damage",
        label="Boathook",
        mode="public",
        formula="2d6+3",
        terms=(DiceTerm(count=2, sides=6),),
        dice=(Die(role="d6", sides=6, face=5, kept=True), Die(role="d6", sides=6, face=2, kept=True)),
        bonus=3,
        total=10,
    ),
    "Acted": Acted(verb="give_boon", effects=(BOON_GIVEN,)),
    "GrantRevoked": GrantRevoked(actor=KESTREL, grant=ROPE.id),
    "ActorRemoved": ActorRemoved(actor=WARDEN),
    "Withdrawn": Withdrawn(command="Zt5rWq8nYb3kHc6vXm1sPg"),
    "AccessRevoked": AccessRevoked(user=ASHA, device="old-tablet"),
    "RoleSet": RoleSet(user=ASHA, role="observer"),
    "NameErased": NameErased(user=ASHA),
    "TableRenamed": TableRenamed(title="The Bell under the Ice"),
    "OriginRemoved": OriginRemoved(origin="http://192.168.7.20:30000"),
    "LadderRestarted": LadderRestarted(epoch=2, reason="restored", seed_hashes=seed_hashes(21)),
}
