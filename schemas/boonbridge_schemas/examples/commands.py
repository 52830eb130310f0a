"""Commands of rolls, and of what stands between them, in the order of the evening."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.checks import AdHoc, Attack, Number, Numbers, OnCrit, SourceClaim
from boonbridge_schemas.commands import (
    Act,
    AnswerAssist,
    Assist,
    Choose,
    ClearCondition,
    EndCombat,
    EndRound,
    EndTurn,
    EraseName,
    Grant,
    Invite,
    RemoveActor,
    RemoveOrigin,
    RenameTable,
    RevealGrant,
    RevokeAccess,
    RevokeGrant,
    RollCheck,
    RollDice,
    SetCondition,
    SetOptions,
    SetRole,
    StartTurn,
    SyncActor,
)
from boonbridge_schemas.grants import ConditionRef, Expiry

from .story import ASHA, JONAS, KESTREL, KESTREL_NUMBERS, MIRA, ROPE, TAMSIN, WARDEN

CLIMB = RollCheck(
    check="skill",
    actors=(KESTREL,),
    params={"skill": "skill.climb", "difficulty": 11},
    action="Climb down the well shaft",
)
SPEND = Choose(check="8.1", choice="spend")

COMMANDS: Mapping[str, msgspec.Struct] = {
    "Invite": Invite(user=JONAS, name="Jonas", origin="http://192.168.7.20:30000"),
    "SetOptions": SetOptions(options={"spend_after_limit": None}),
    "SyncActor": SyncActor(actor=KESTREL, name="Kestrel", side="party", owners=(JONAS,), numbers=KESTREL_NUMBERS),
    "SyncActor.numbers": SyncActor(
        actor="kestrel-in-the-dungeon-game",
        numbers=Numbers(
            values=(Number(key="grace", value=3), Number(key="might", value=1)),
            attacks=(Attack(id="bolt", name="Ember bolt", attribute="grace", on_crit=OnCrit(name="Ignites", amount=3)),),
        ),
    ),
    "Grant": Grant(
        actors=(ROPE.actor,), sign=ROPE.sign, source=ROPE.source, scope=ROPE.scope, expiry=ROPE.expiry, note=ROPE.note
    ),
    "RollCheck": CLIMB,
    "RollCheck.group": RollCheck(
        check="skill",
        actors=(KESTREL, TAMSIN),
        params={"skill": "skill.stealth", "difficulty": 8},
        action="Past the sleeping pumps",
        mode="gm",
        sources=(SourceClaim(id="dark", label="No lamp, no moon", sign="bane"),),
    ),
    "RollCheck.adHoc": RollCheck(
        check="skill",
        params={"skill": "skill.row", "difficulty": 8},
        action="Bring the boat about",
        ad_hoc=AdHoc(name="The ferryman", numbers=Numbers(values=(Number(key="skill.row", value=2, label="Row"),))),
    ),
    "RollCheck.luck": RollCheck(check="luck", actors=(KESTREL,), ends=ConditionRef(key="poisoned", by=WARDEN)),
    "RollCheck.changed": RollCheck(
        check="check", actors=(KESTREL,), params={"ability": "agi", "tn": 10}, action="Pick the lock", changed="Better tools"
    ),
    "RollDice": RollDice(formula="2d6+3", actor=KESTREL, label="Boathook", kind="damage"),
    "RollDice.manual": RollDice(formula="1d6", faces=(4,)),
    "Choose": SPEND,
    "Choose.ruling": Choose(check="8.1", choice="danger", args={"note": "The rope frays."}),
    "Act": Act(verb="give_boon"),
    "Assist": Assist(actor=KESTREL, helper=TAMSIN, action="Climb down the well shaft", note="Holds the lamp."),
    "AnswerAssist": AnswerAssist(assist="7.2", accept=True),
    "SetCondition": SetCondition(actors=(KESTREL,), condition="marked", by=WARDEN, expiry=Expiry(when="turn_end", actor=WARDEN)),
    "SetCondition.less": SetCondition(actors=(KESTREL,), condition="exposed", amount=-1, add=True),
    "ClearCondition": ClearCondition(actor=KESTREL, condition="impaired.strength"),
    "StartTurn": StartTurn(actor=KESTREL, combat="Hx3nQv7tBw2mZc5k", round=1, turn=0),
    "EndTurn": EndTurn(actor=KESTREL, combat="Hx3nQv7tBw2mZc5k", round=1, turn=0, present=(MIRA, JONAS)),
    "EndRound": EndRound(combat="Hx3nQv7tBw2mZc5k", round=1, turn=3, present=(MIRA, JONAS)),
    "EndCombat": EndCombat(),
    "RevokeGrant": RevokeGrant(grant=ROPE.id),
    "RemoveActor": RemoveActor(actor=WARDEN),
    "RevokeAccess": RevokeAccess(user=ASHA, device="old-tablet"),
    "SetRole": SetRole(user=ASHA, role="observer"),
    "EraseName": EraseName(user=ASHA),
    "RenameTable": RenameTable(title="The Bell under the Ice"),
    "RemoveOrigin": RemoveOrigin(origin="http://192.168.7.20:30000"),
    "RevealGrant": RevealGrant(grant="14.1"),
}
