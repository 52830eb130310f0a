"""State entries of what stands at a table, as values of the keys that clients are given."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.checks import PendingCheck
from boonbridge_schemas.entries import (
    ActorEntry,
    ConditionsEntry,
    GrantsEntry,
    MarksEntry,
    OptionsEntry,
    PersonEntry,
    PoolEntry,
    TableEntry,
    TurnEntry,
)

from .events import CLIMB_OFFERS, CLIMB_RESULT, HELD, HELP
from .story import JONAS, KESTREL, KESTREL_NUMBERS, ROPE, RULESET, WARDEN

ACTOR = ActorEntry(id=KESTREL, name="Kestrel", side="party", owners=(JONAS,), numbers=KESTREL_NUMBERS)
GRANTS = GrantsEntry(actor=KESTREL, grants=(ROPE,))
PENDING = PendingCheck(check="8.1", actor=KESTREL, roller=JONAS, mode="public", result=CLIMB_RESULT, choices=CLIMB_OFFERS)
POOL = PoolEntry(held=2, gained=2, cap=10)
OPTIONS = OptionsEntry(options=dict(RULESET.options))
PERSON = PersonEntry(id=JONAS, role="player")

ENTRIES: Mapping[str, msgspec.Struct] = {
    "ActorEntry": ACTOR,
    "ActorEntry.hidden": ActorEntry(id=WARDEN, name="Drowned Warden", side="opposition", owners=()),
    "GrantsEntry": GRANTS,
    "ConditionsEntry": ConditionsEntry(actor=KESTREL, conditions=(HELD,)),
    "PendingCheck": PENDING,
    "AssistRecord": HELP,
    "PoolEntry": POOL,
    "MarksEntry": MarksEntry(marks={"initiative": "opposition"}),
    "TurnEntry": TurnEntry(combat="Hx3nQv7tBw2mZc5k", round=1, actor=KESTREL),
    "OptionsEntry": OPTIONS,
    "TableEntry": TableEntry(title="The Bell under the Ice"),
    "PersonEntry": PERSON,
}
