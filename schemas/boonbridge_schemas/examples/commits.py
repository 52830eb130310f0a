"""The header and one part of the climb as they are stored."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.base import LOG_FORMAT
from boonbridge_schemas.commit import Header, Part

from .commands import CLIMB as CLIMB_COMMAND
from .events import CLIMB, EVENTS
from .story import JONAS, TABLE, later, made_up

CLIMB_ID = "k7Qm2vXc9TtR4sLw8ZbN1p"

COMMIT: Mapping[str, msgspec.Struct] = {
    "Header": Header(
        format=LOG_FORMAT,
        table=TABLE,
        epoch=1,
        seq=8,
        at=later(34),
        ruleset="group_d12",
        version=1,
        seed_hash=made_up("promise 72"),
    ),
    "Part": Part(id=CLIMB_ID, by=JONAS, events=(CLIMB, EVENTS["GrantSpent"]), command=CLIMB_COMMAND),  # type: ignore[arg-type]
}
