"""Taken back, decided otherwise, and shown after all: what Mira does about rolls that should not have been."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.checks import Die, Result
from boonbridge_schemas.commands import Override, Reveal, Settle, Void
from boonbridge_schemas.corrections import Left
from boonbridge_schemas.effects import (
    AssistPut,
    ConditionsPut,
    GrantPut,
    GrantTaken,
    ResourceChanged,
)
from boonbridge_schemas.events import Overridden, Revealed, Settled, Voided

from .events import HELD, HELP, SLIP
from .requests import FOR_ANYBODY
from .story import KESTREL, ROPE

BOON_BACK = ResourceChanged(resource="boons", asked=1, applied=1, reason="taken_back")
BOON_TAKEN = ResourceChanged(resource="boons", asked=-1, applied=-1, reason="taken_back", unearned=1)
BOON_GONE = ResourceChanged(resource="boons", asked=-1, applied=0, reason="taken_back", unearned=1)
ROPE_BACK = GrantPut(grant=ROPE)
USED = Left(what="resource", key="boons", label="Boons", amount=1, why="spent_since")

VOID = Void(what="check/8.1", reason="There was a ladder all the time.")
VOIDED = Voided(what=VOID.what, reason=VOID.reason, effects=(BOON_BACK, ROPE_BACK))

SWIM_DICE = (Die(role="d12", sides=12, face=4, kept=True),)

COMMANDS: Mapping[str, msgspec.Struct] = {
    "Void": VOID,
    "Void.confirmed": Void(what="check/19.1", reason="It was not her turn.", confirm=True),
    "Void.grant": Void(what="grant/7.1"),
    "Void.condition": Void(what="condition/13.1", reason="It was the other token."),
    "Void.verb": Void(what="verb/15"),
    "Override": Override(check="13.1", outcome="success", reason="The current helps."),
    "Reveal": Reveal(check="11.1"),
    "Settle": Settle(check="11.1"),
}

EFFECTS: Mapping[str, msgspec.Struct] = {
    "ResourceChanged.back": BOON_BACK,
    "ResourceChanged.gone": BOON_GONE,
    "GrantPut": ROPE_BACK,
    "GrantTaken": GrantTaken(actor=KESTREL, grant="7.3"),
    "ConditionsPut": ConditionsPut(actor=KESTREL, condition="grappled", held=(HELD,)),
    "ConditionsPut.none": ConditionsPut(actor=KESTREL, condition="grappled"),
    "AssistPut": AssistPut(assist=HELP),
}

EVENTS: Mapping[str, msgspec.Struct] = {
    "Voided": VOIDED,
    "Voided.used": Voided(what="check/19.1", reason="It was not her turn.", effects=(BOON_GONE,), left=(USED,)),
    "Voided.grant": Voided(what="grant/7.1", effects=(GrantTaken(actor=KESTREL, grant=ROPE.id),)),
    "Overridden": Overridden(
        check="13.1",
        outcome="success",
        reason="The current helps.",
        result=Result(dice=SWIM_DICE, net=0, boons=0, banes=0, bonus=2, total=6, outcome="success", success=True),
        effects=(BOON_TAKEN,),
    ),
    "Revealed": Revealed(rolled=SLIP.rolled, mode=SLIP.mode, sources=SLIP.sources, result=SLIP.result, effects=(FOR_ANYBODY,)),
    "Settled": Settled(effects=(FOR_ANYBODY,)),
    "Settled.told": Settled(check="11.1"),
}
