"""What rolls and moves come to. Where the d12 game has none of a kind, another game of the same friends lends it."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.effects import (
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    DieBought,
    DutyNoted,
    LockCleared,
    LockSet,
    MarkSet,
    OnCritApplied,
    ResistanceOffered,
    ResourceChanged,
)

from .story import KESTREL, TAMSIN, WARDEN

BOON_SPENT = ResourceChanged(resource="boons", asked=-1, applied=-1, reason="spent_after")
BOON_GAINED = ResourceChanged(resource="boons", asked=1, applied=1, reason="accepted_failure")
BOON_GIVEN = ResourceChanged(resource="boons", asked=1, applied=1, reason="given")
BOUGHT = DieBought(sides=12, face=9)
OPPORTUNITY = ChanceGranted(to=TAMSIN, sign="boon")

EFFECTS: Mapping[str, msgspec.Struct] = {
    "ResourceChanged": BOON_SPENT,
    "ResourceChanged.capped": ResourceChanged(resource="boons", asked=1, applied=0, reason="critical_success"),
    "ConditionChanged": ConditionChanged(actor=KESTREL, condition="exposed", change=1, now=2, until="start_of_own_activation"),
    "ConditionEnded": ConditionEnded(actor=KESTREL, condition="poisoned", by=WARDEN),
    "LockSet": LockSet(actor=KESTREL, action="Pick the lock of the pump house"),
    "LockCleared": LockCleared(actor=KESTREL, action="Pick the lock of the pump house"),
    "MarkSet": MarkSet(mark="initiative", value="party"),
    "ResistanceOffered": ResistanceOffered(actor=TAMSIN, skill="skill.lore", difficulty=11),
    "DieBought": BOUGHT,
    "ChanceGranted": OPPORTUNITY,
    "OnCritApplied": OnCritApplied(name="Ignites", times=2, amount=6),
    "DutyNoted": DutyNoted(duty="severe_consequence"),
}
