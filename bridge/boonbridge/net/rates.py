"""How fast somebody may be: one person at his table, and everybody at one address. The numbers stand in ``Limits``.

A rate is kept as the moment at which all that was taken has flowed off again, so that a key costs one number, a wait is
known exactly, and what lies in the past may be forgotten. Nothing in here waits or reads a clock.
"""

import ipaddress
from collections.abc import Hashable
from typing import NamedTuple

from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

_IPV6_NETWORK = 64


class Rate(NamedTuple):
    """So many a second, and ``burst`` at once after a pause."""

    per_second: float
    burst: float

    def times(self, factor: int) -> "Rate":
        """The same for so many people together."""
        return Rate(self.per_second * factor, self.burst * factor)


class Pace(NamedTuple):
    """How fast one kind of frame may come, and for how many seconds it is only slowed before it is refused."""

    rate: Rate
    wait: float


def paces(limits: Limits) -> dict[str, Pace]:
    """Each kind of what people ask for, per person. ``frames`` is everything a connection sends, and is never refused."""
    commands, looks, pages = limits.commands_per_second, limits.previews_per_second, limits.history_per_second
    asked = commands + looks + pages
    wait = limits.command_wait_seconds
    return {
        "do": Pace(Rate(commands, limits.commands_burst), wait),
        "preview": Pace(Rate(looks, looks), 1),
        "history": Pace(Rate(pages, pages * 2), 2),
        "at": Pace(Rate(pages, pages * 2), 2),
        "saw": Pace(Rate(looks, looks), 2),
        "composing": Pace(Rate(limits.composing_per_second, limits.composing_per_second * 2), 0),
        "posted": Pace(Rate(looks, looks), 2),
        "hello": Pace(Rate(limits.hellos_per_minute / 60, limits.hellos_burst), wait),
        "frames": Pace(Rate(asked * 2, asked * 4), float("inf")),
    }


def address(peer: str) -> str:
    """Who counts as one address: an IPv4 address, or the network of 64 bits that one line usually has of IPv6."""
    try:
        found = ipaddress.ip_address(peer.partition("%")[0])
    except ValueError:
        return peer
    if found.version == 6:
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        if not found.is_loopback:
            return str(ipaddress.ip_network((found, _IPV6_NETWORK), strict=False))
    return str(found)


class Rates:
    """What was taken of how many rates. Times in seconds of any monotonic clock."""

    def __init__(self) -> None:
        self._free_at: dict[Hashable, float] = {}
        self._crowd = 1024

    def wait(self, key: Hashable, rate: Rate, now: float) -> float:
        """Seconds until there is room for one more; 0 where there is."""
        return max(0.0, self._free_at.get(key, now) - now - (rate.burst - 1) / rate.per_second)

    def take(self, key: Hashable, rate: Rate, now: float) -> None:
        """One more, whether or not there is room."""
        if len(self._free_at) >= self._crowd:  # strangers' addresses are many; those that are free again say nothing
            self._free_at = {k: at for k, at in self._free_at.items() if at > now}
            self._crowd = max(1024, 2 * len(self._free_at))
        self._free_at[key] = max(now, self._free_at.get(key, now)) + 1 / rate.per_second

    def give_back(self, key: Hashable, rate: Rate) -> None:
        """One that was taken counts for nothing."""
        if key in self._free_at:
            self._free_at[key] -= 1 / rate.per_second

    def __len__(self) -> int:
        return len(self._free_at)


class Guesses:
    """Wrong pairing codes: counted by address, and in all as from as many addresses as one has people.

    Whoever is over either is refused before his code is looked at, the right one too: his answer tells nothing.
    """

    def __init__(self, limits: Limits) -> None:
        self._rates = Rates()
        self._each = Rate(limits.wrong_codes_per_minute / 60, limits.wrong_codes_burst)
        self._all = self._each.times(limits.people_per_address)

    def try_one(self, who: str, now: float) -> None:
        """A code is about to be tried. Raises the ``Refusal`` of too many wrong ones, with the time to wait."""
        kept = ((who, self._each), (None, self._all))
        if wait := max(self._rates.wait(key, rate, now) for key, rate in kept):
            raise Refusal(Code.RATE_LIMITED, retry_after_ms=in_ms(wait))
        for key, rate in kept:  # before it is known to be wrong, so that many at once are counted, too
            self._rates.take(key, rate, now)

    def was_not_wrong(self, who: str) -> None:
        """The code that was tried counts for nothing."""
        self._rates.give_back(who, self._each)
        self._rates.give_back(None, self._all)


def in_ms(seconds: float) -> int:
    """Milliseconds after which it will do."""
    return int(seconds * 1000) + 1


class Pacing:
    """How fast one server is spoken to: what is allowed, and what was taken of it, by whom."""

    def __init__(self, limits: Limits) -> None:
        self.paces = paces(limits)
        self.rates = Rates()
        self.guesses = Guesses(limits)
