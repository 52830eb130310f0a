"""The group's Boons in the d12 game: earned and lost to the cap, given, spent, taken back (D-16, D-19, D-28)."""

from typing import Literal, Protocol

from msgspec import Struct

from boonbridge_schemas.base import Key
from boonbridge_schemas.codes import Code
from boonbridge_schemas.effects import ResourceChanged
from boonbridge_schemas.refusal import Refusal

BOONS = "boons"


class Capped(Protocol):
    """The readings that say how many Boons there may be."""

    @property
    def boon_cap(self) -> int:
        """At so many nothing more is earned."""
        ...

    @property
    def boon_cap_mode(self) -> Literal["gained", "held"]:
        """What is counted."""
        ...


class Pool(Struct, frozen=True):
    """Boons the group holds now, and has gained in this session."""

    held: int = 0
    gained: int = 0


GAINS = ("critical_success", "accepted_failure", "critical_failure", "group_failure", "challenge_failure")


def gain(pool: Pool, reason: Key, options: Capped) -> ResourceChanged:
    """A Boon earned; at the cap it is lost, and said to be (D-16)."""
    full = (pool.held if options.boon_cap_mode == "held" else pool.gained) >= options.boon_cap
    return ResourceChanged(resource=BOONS, asked=1, applied=0 if full else 1, reason=reason)


def give(pool: Pool, options: Capped) -> ResourceChanged:
    """A Boon from the GM: it is held but not gained, and never beyond the cap."""
    return ResourceChanged(resource=BOONS, asked=1, applied=int(pool.held < options.boon_cap), reason="given")


def take(pool: Pool) -> ResourceChanged:
    """A Boon that the GM takes away. Raises ``pool.empty``."""
    return spend(pool, "taken")


def spend(pool: Pool, reason: Key) -> ResourceChanged:
    """A Boon paid. Raises ``pool.empty``."""
    if pool.held < 1:
        raise Refusal(Code.POOL_EMPTY)
    return ResourceChanged(resource=BOONS, asked=-1, applied=-1, reason=reason)


def keep_initiative(pool: Pool, *, lost: bool) -> ResourceChanged:
    """A Boon keeps an initiative that was lost (D-19). Raises ``spend.initiative_not_lost``, ``pool.empty``."""
    if not lost:
        raise Refusal(Code.SPEND_INITIATIVE)
    return spend(pool, "kept_initiative")


def changed(pool: Pool, effect: ResourceChanged) -> Pool:
    """The pool afterwards."""
    earned = effect.applied if effect.reason in GAINS else 0
    return Pool(held=pool.held + effect.applied, gained=max(0, pool.gained + earned - effect.unearned))


def undone(pool: Pool, before: Pool, after: Pool, options: Capped) -> ResourceChanged | None:
    """What takes back that the pool went from ``before`` to ``after``, as far as it is there; None: nothing.

    A Boon that was spent since cannot be taken away, one that was paid comes back up to the cap of what may be held.
    """
    asked, gained = before.held - after.held, max(0, after.gained - before.gained)
    unearned = min(gained, pool.gained)
    if asked == 0 and unearned == 0:
        return None
    most = max(0, options.boon_cap - pool.held) if options.boon_cap_mode == "held" else asked
    applied = max(asked, -pool.held) if asked < 0 else min(asked, most)
    return ResourceChanged(resource=BOONS, asked=asked, applied=applied, reason="taken_back", unearned=unearned)


def new_session() -> Pool:
    """The group begins a session with no Boons (D-16, X-D14)."""
    return Pool()


def xp_per_character(pool: Pool) -> int:
    """What a session was worth to each: the Boons that were not spent (D-28)."""
    return pool.held
