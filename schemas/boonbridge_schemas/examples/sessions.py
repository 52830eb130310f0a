"""The evening itself: it begins, Mira is asked whether it is still the same one, and it ends with experience."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.commands import ContinueSession, EndSession, StartSession
from boonbridge_schemas.effects import XpChanged
from boonbridge_schemas.entries import SessionEntry
from boonbridge_schemas.events import SessionContinued, SessionEnded, SessionStarted, UnsettledDropped, XpEarned

from .requests import OPENING
from .story import EVENING, KESTREL, TAMSIN

COMMANDS: Mapping[str, msgspec.Struct] = {
    "StartSession": StartSession(name="Down the well"),
    "EndSession": EndSession(),
    "EndSession.some": EndSession(actors=(KESTREL,)),
    "ContinueSession": ContinueSession(),
}

EFFECTS: Mapping[str, msgspec.Struct] = {
    "XpChanged": XpChanged(actor=KESTREL, change=-4, now=1),
}

EVENTS: Mapping[str, msgspec.Struct] = {
    "SessionStarted": SessionStarted(session=3, name="Down the well"),
    "SessionEnded": SessionEnded(
        session=3,
        xp=(
            XpEarned(actor=KESTREL, name="Kestrel", amount=2, now=5),
            XpEarned(actor=TAMSIN, name="Old Tamsin", amount=2, now=3),
        ),
        opportunities=(OPENING.id,),
    ),
    "UnsettledDropped": UnsettledDropped(checks=("11.1",)),
    "SessionContinued": SessionContinued(),
}

ENTRIES: Mapping[str, msgspec.Struct] = {
    "SessionEntry": SessionEntry(number=3, name="Down the well", since=EVENING, running=True),
    "SessionEntry.asks": SessionEntry(number=3, name="Down the well", since=EVENING, running=True, asks="new_evening"),
}
