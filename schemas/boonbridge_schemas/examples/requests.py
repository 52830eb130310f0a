"""Asked together: Mira asks who gets past the pumps, Jonas answers, Tamsin is rolled for; and an opportunity comes of it."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.checks import SourceClaim
from boonbridge_schemas.commands import AnswerRequest, CloseRequest, Decline, DropOpportunity, RequestCheck, RollForAbsent
from boonbridge_schemas.effects import (
    ChanceGranted,
    OpportunityPut,
    OpportunityTaken,
    ResistanceOffered,
    ResistanceTaken,
    ResourceChanged,
    RowReopened,
)
from boonbridge_schemas.entries import ResistanceEntry
from boonbridge_schemas.events import (
    CheckRequested,
    Declined,
    DifficultiesSet,
    GroupRecounted,
    GroupTold,
    OpportunityDropped,
    OpportunityUsed,
    RequestAnswered,
    RequestClosed,
    RequestExpired,
)
from boonbridge_schemas.requests import AskedCheck, GroupResult, OpportunityRecord, RequestRecord, RequestRow

from .story import KESTREL, MIRA, TAMSIN, WARDEN, later

PUMPS = "16"
"""The request of commit 16: past the sleeping pumps, and one who is heard is enough to wake them (D-07)."""
GATE = "22"
"""The request of commit 22: the sluice gate, a challenge whose difficulty only Mira knows (D-23)."""

SNEAK = AskedCheck(check="skill", params={"skill": "skill.stealth", "difficulty": 8}, label="Softly")
OVER = AskedCheck(check="skill", params={"skill": "skill.climb", "difficulty": 11}, label="Over the pipes")
HAUL = AskedCheck(check="challenge")
DARK = SourceClaim(id="dark", label="No lamp, no moon", sign="bane")

ASK = RequestCheck(checks=(SNEAK, OVER), action="Past the sleeping pumps", group="one_failure", sources=(DARK,), minutes=10)
ANSWER = AnswerRequest(request=PUMPS, actor=KESTREL, spend_before=1)

ROWS = (RequestRow(actor=KESTREL, name="Kestrel"), RequestRow(actor=TAMSIN, name="Old Tamsin"))
ROLLED = (
    RequestRow(actor=KESTREL, name="Kestrel", status="rolled", check="17.1"),
    RequestRow(actor=TAMSIN, name="Old Tamsin", status="rolled", check="18.1", absent=True),
)
ASKED = RequestRecord(
    id=PUMPS,
    by=MIRA,
    checks=(SNEAK, OVER),
    action=ASK.action,
    group="one_failure",
    sources=(DARK,),
    expires_at=later(78),
    rows=ROWS,
)
GATE_ASKED = RequestRecord(
    id=GATE, by=MIRA, checks=(HAUL,), action="Haul the sluice gate up", group="challenge", shown=False, rows=ROWS
)
WOKEN = GroupResult(outcome="failure", success=False, counted=2, succeeded=1)
ONE_BOON = ResourceChanged(resource="boons", asked=1, applied=1, reason="group_failed")

OPENING = OpportunityRecord(id="20.1", label="The Warden turns away", sign="boon", by=TAMSIN, name="Old Tamsin")
FOR_ANYBODY = ChanceGranted(sign="boon")

COMMANDS: Mapping[str, msgspec.Struct] = {
    "RequestCheck": ASK,
    "RequestCheck.challenge": RequestCheck(
        actors=(KESTREL, TAMSIN),
        checks=(HAUL,),
        action=GATE_ASKED.action,
        group="challenge",
        difficulty=18,
        shown=False,
        note="Each says how he helps.",
    ),
    "RequestCheck.contest": RequestCheck(
        actors=(KESTREL, WARDEN),
        checks=(AskedCheck(check="skill", params={"difficulty": 8}),),
        action="Who has the lamp first?",
        group="opposed",
    ),
    "AnswerRequest": ANSWER,
    "AnswerRequest.other": AnswerRequest(request=PUMPS, actor=KESTREL, nth=1, mode="gm"),
    "AnswerRequest.opportunity": AnswerRequest(
        request=GATE, actor=KESTREL, params={"skill": "skill.climb"}, opportunities=(OPENING.id,)
    ),
    "Decline": Decline(request=PUMPS, actor=TAMSIN),
    "RollForAbsent": RollForAbsent(request=PUMPS),
    "RollForAbsent.one": RollForAbsent(request=GATE, actors=(TAMSIN,), params={"skill": "skill.lore"}),
    "CloseRequest": CloseRequest(request=PUMPS),
    "DropOpportunity": DropOpportunity(opportunity=OPENING.id),
}

EFFECTS: Mapping[str, msgspec.Struct] = {
    "ChanceGranted.whoever": FOR_ANYBODY,
    "OpportunityPut": OpportunityPut(opportunity=OPENING),
    "OpportunityTaken": OpportunityTaken(opportunity=OPENING.id),
    "ResistanceTaken": ResistanceTaken(actor=WARDEN),
    "RowReopened": RowReopened(request=PUMPS, actor=KESTREL),
}

EVENTS: Mapping[str, msgspec.Struct] = {
    "CheckRequested": CheckRequested(request=ASKED),
    "CheckRequested.hidden": CheckRequested(request=GATE_ASKED),
    "DifficultiesSet": DifficultiesSet(request=GATE, checks=(HAUL,), difficulty=18),
    "RequestAnswered": RequestAnswered(request=PUMPS, actor=KESTREL, check="17.1"),
    "RequestAnswered.absent": RequestAnswered(request=PUMPS, actor=TAMSIN, check="18.1", absent=True),
    "RequestAnswered.hidden": RequestAnswered(request=GATE, actor=TAMSIN),
    "Declined": Declined(request=GATE, actor=TAMSIN),
    "RequestExpired": RequestExpired(request=GATE, actors=(TAMSIN,)),
    "RequestClosed": RequestClosed(request=PUMPS, why="complete", result=WOKEN, effects=(ONE_BOON,)),
    "RequestClosed.told": RequestClosed(request=GATE, why="complete"),
    "GroupTold": GroupTold(
        request=GATE, result=GroupResult(outcome="success", success=True, counted=2, succeeded=0, total=19, target=18)
    ),
    "GroupRecounted": GroupRecounted(
        request=PUMPS,
        result=GroupResult(outcome="success", success=True, counted=1, succeeded=1),
        effects=(ResourceChanged(resource="boons", asked=-1, applied=-1, reason="taken_back", unearned=1),),
    ),
    "OpportunityUsed": OpportunityUsed(opportunity=OPENING.id, check="23.1"),
    "OpportunityDropped": OpportunityDropped(opportunity=OPENING.id),
}

RESISTANCE = ResistanceOffered(actor=WARDEN, skill="skill.grasp", difficulty=12)

ENTRIES: Mapping[str, msgspec.Struct] = {
    "RequestRecord": ASKED,
    "RequestRecord.over": msgspec.structs.replace(ASKED, rows=ROLLED, over="complete", result=WOKEN),
    "OpportunityRecord": OPENING,
    "ResistanceEntry": ResistanceEntry(actor=RESISTANCE.actor, skill=RESISTANCE.skill, difficulty=RESISTANCE.difficulty),
}
