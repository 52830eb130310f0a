"""Which of two sides is the older one.

Whoever speaks the same subprotocol works together, and ``features`` say what may be sent. An older side lacks what the
newer one can do, so people are told which to update. A patch adds nothing: only the first two numbers count.
"""

import re
from typing import Literal

FEATURES = ("post", "foresee", "requests", "people", "composing", "replay")
"""What a client may send beyond the first version of the wire."""

_NUMBERS = re.compile(r"([0-9]{1,6})\.([0-9]{1,6})(?:\.|[-+]|\Z)")


def to_update(client: str, bridge: str) -> Literal["client", "bridge"] | None:
    """The side to update; None where both are of an age, or one of them names no version."""
    ours, theirs = _NUMBERS.match(bridge), _NUMBERS.match(client)
    if ours is None or theirs is None:
        return None
    a, b = (tuple(map(int, found.groups())) for found in (theirs, ours))
    return None if a == b else "client" if a < b else "bridge"
