"""What every message has in common, and the small vocabulary of constrained values.

This package is the only definition of the wire and of the log. It imports msgspec and nothing else, so that
any room may import it. Rules, storage and transport may not be in it.

Evolution (msgspec's rules): a new field needs a default; a field is never renamed, retyped or removed; a tag is
used once over all frames, commands, events and effects.
"""

from typing import Annotated, Literal, dataclass_transform

import msgspec
from msgspec import Meta, Struct

WIRE_VERSION = "boonbridge.v1"
LOG_FORMAT = 1


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A value inside a message. Immutable, camelCase on the wire, unknown fields are refused."""


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Tagged(Struct, frozen=True, rename="camel", forbid_unknown_fields=True, tag_field="t"):
    """A message or event that says its own kind in the field ``t``."""


# Patterns end in \Z: in Python, $ would let a line break through at the end.
# --- identifiers -----------------------------------------------------------------------------------------------
CommandId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22,40}\Z", description="Idempotency key, from a CSPRNG.")]
SystemId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_:.-]{1,80}\Z", description="A command id, or one of the bridge's own.")]
TableId = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,39}\Z", description="One campaign and its log.")]
UserId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z", description="A person at one table; never a name.")]
DeviceId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
ActorId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,80}\Z", description="A character or token; dots for Foundry uuids.")]
CheckId = Annotated[str, Meta(pattern=r"^[0-9]{1,16}\.[0-9]{1,3}\Z", description="`seq.n`: the n-th check of one commit.")]
RequestId = Annotated[str, Meta(pattern=r"^[0-9]{1,16}\Z", description="The `seq` of the commit that asked.")]
SourceId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:/ -]{1,80}\Z", description="What a Boon comes from; the stacking key.")]
GrantId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,80}\Z")]
CombatId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.:-]{1,80}\Z", description="A fight, as a tracker calls it.")]
MessageId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z", description="A chat message, as the chat calls it.")]
Key = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,39}(\.[A-Za-z0-9_-]{1,40})?\Z", description="A name in code: check, parameter, option."
    ),
]
NoKey = Annotated[
    str, Meta(pattern=r"^([A-Za-z][A-Za-z0-9_]{0,39}(\.[A-Za-z0-9_-]{1,40})?)?\Z", description="A key, or nothing.")
]
CodeId = Annotated[str, Meta(pattern=r"^[A-Za-z0-9]{8,40}\Z", description="A code that is open, without the code.")]
HttpOrigin = Annotated[str, Meta(pattern=r"^https?://[^/?#\s@]{1,253}\Z", description="scheme://host[:port]")]

PageAddress = Annotated[
    str, Meta(pattern=r"^https?://[^?#\s@]{1,200}\Z", description="A page's address, without query and fragment.")
]

# --- words people wrote ----------------------------------------------------------------------------------------
# No control characters: a name may end on a terminal. Text only, whatever script, emoji or direction.
Label = Annotated[
    str,
    Meta(
        max_length=80,
        pattern=r"^[^\u0000-\u001f\u007f-\u009f]*\Z",
        description="Words of a person; shown as text, never a key, never markup.",
    ),
]
Name = Annotated[
    str,
    Meta(
        max_length=80, pattern=r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*\Z"
    ),
]
Note = Annotated[str, Meta(max_length=500, pattern=r"^[^\u0000-\u0009\u000b-\u001f\u007f-\u009f]*\Z")]

# --- numbers ---------------------------------------------------------------------------------------------------
Seq = Annotated[int, Meta(ge=0, le=2**53, description="Place in one table's log; the first commit is 1.")]
Moment = Annotated[int, Meta(ge=0, le=253_402_214_399_999, description="Unix time in milliseconds, up to 9999-12-30.")]
Small = Annotated[int, Meta(ge=-9999, le=9999)]
Count = Annotated[int, Meta(ge=0, le=9999)]
Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z", description="32 bytes in lower-case hex.")]
Chance = Annotated[str, Meta(pattern=r"^[0-9]{1,2000}/[0-9]{1,2000}\Z", description="An exact probability n/d in lowest terms.")]
Whole = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Scalar = bool | Whole | str
"""A parameter or option value: no integer that a browser would round. Each is checked against its own spec, too."""

# --- closed sets -----------------------------------------------------------------------------------------------
Role = Literal["gm", "player", "observer"]
Mode = Literal["public", "gm", "blind", "secret", "self"]
Side = Literal["party", "opposition", "neutral"]
Sign = Literal["boon", "bane"]
PartName = Literal["all", "roller_gm", "gm", "roller"]
PARTS: tuple[PartName, ...] = ("all", "roller_gm", "gm", "roller")
"""The parts of a commit by reader, in the order in which they are hashed."""
MarkKind = Literal["roll", "critical", "fumble", "spent", "gained", "grant", "request", "evening", "correction", "people"]
"""What a commit may be found by in a long log."""
