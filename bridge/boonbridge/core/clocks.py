"""Until when something is to stand, as it is asked for: whose turn a clock of turns waits for.

What strikes when is in ``turns.py``.
"""

from boonbridge_schemas.base import ActorId
from boonbridge_schemas.grants import Expiry

from .checking import known
from .state import TableState

_OF_TURNS = ("turn_start", "turn_end")


def whose_turn(expiry: Expiry) -> tuple[ActorId, ...]:
    """Whose turn a clock waits for, where somebody is named."""
    return (expiry.actor,) if expiry.actor is not None and expiry.when in _OF_TURNS else ()


def clock(state: TableState, expiry: Expiry, bearer: ActorId) -> Expiry:
    """When something ends, with whose turn filled in: the bearer's own where nobody is named.

    Raises ``actor.unknown``.
    """
    if expiry.when not in _OF_TURNS:
        return Expiry(when=expiry.when)
    return Expiry(when=expiry.when, actor=known(state, expiry.actor or bearer).id)
