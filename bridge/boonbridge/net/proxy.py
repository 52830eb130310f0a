"""Who is at the other end when a proxy stands in between: believed from a trusted proxy, and from nobody else.

``X-Forwarded-For`` and ``Forwarded`` (RFC 7239) are lists that every proxy adds to on the right, so they are read from the
right for as long as the proxies named there are trusted; what stands further left may be anybody's invention. Most proxies
write one of the two and hand the other through as it came. Where both are there and name different people, neither is
believed: who forges one of them gains the proxy's own address and not one of his choice.
"""

import ipaddress
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct
from websockets.datastructures import Headers

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_LOOPBACK = ("127.0.0.0/8", "::1/128")
_NAMES = {
    "loopback": _LOOPBACK,
    "private": (*_LOOPBACK, "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10"),
}
_HEADERS = ("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via")
_WITH_PORT = re.compile(r"(?:\[(?P<six>[^\]]+)\]|(?P<four>[0-9.]+))(?::\d{1,5})?\Z")
_HOPS = 32
"""So many are looked at, from the right: no chain of proxies is longer."""


class Caller(Struct, frozen=True):
    """Who is at the other end of a connection.

    ``address``: his, as far as it is known. ``scheme``: what he used towards a trusted proxy; None where none says so.
    ``forwarded``: whether a proxy stands in between, trusted or not.
    """

    address: str
    scheme: Literal["http", "https"] | None = None
    forwarded: bool = False


class Proxies:
    """The proxies that are believed."""

    def __init__(self, trusted: Iterable[Network] = ()) -> None:
        self._trusted = tuple(trusted)

    def caller(self, peer: str, headers: Headers) -> Caller:
        """Who it is, from the address that a connection comes from and the headers of its request."""
        forwarded = any(name in headers for name in _HEADERS)
        nearest = _address(peer)
        if nearest is None or not self._trusts(nearest):
            return Caller(address=peer, forwarded=forwarded)
        claims = {
            claim
            for name, parse in (("X-Forwarded-For", _listed), ("Forwarded", _for))
            if (claim := self._client(parse(headers.get_all(name)))) is not None
        }
        address = str(claims.pop()) if len(claims) == 1 else str(nearest)
        return Caller(address=address, scheme=_scheme(headers), forwarded=forwarded)

    def _client(self, hops: list[str]) -> Address | None:
        """The nearest hop that is no trusted proxy; where all are, the furthest."""
        found: Address | None = None
        for hop in reversed(hops[-_HOPS:]):
            address = _address(hop)
            if address is None:  # "unknown" or a made-up name: further left nobody vouches for anything
                break
            found = address
            if not self._trusts(address):
                break
        return found

    def _trusts(self, address: Address) -> bool:
        return any(address.version == network.version and address in network for network in self._trusted)


def networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks with commas or blanks between them; ``loopback`` and ``private`` are names of some.

    Raises ``ValueError``, whose words say which of them is none.
    """
    words = text.replace(",", " ").split()
    return tuple(ipaddress.ip_network(network) for word in words for network in _NAMES.get(word, (word,)))


def _listed(values: list[str]) -> list[str]:
    return [hop.strip() for value in values for hop in value.split(",") if hop.strip()]


def _for(values: list[str]) -> list[str]:
    """The ``for=`` of each element of ``Forwarded``; an element without one, or with two, is a hop that nobody knows."""
    hops = []
    for element in _listed(values):
        named = [value for key, value in _pairs(element) if key == "for"]
        hops.append(named[0] if len(named) == 1 else "unknown")
    return hops


def _pairs(element: str) -> Iterator[tuple[str, str]]:
    for pair in element.split(";"):
        key, _, value = pair.partition("=")
        yield key.strip().lower(), value.strip().strip('"')


def _scheme(headers: Headers) -> Literal["http", "https"] | None:
    """What the nearest proxy says that it was asked with."""
    said = [word.lower() for word in _listed(headers.get_all("X-Forwarded-Proto"))[-1:]]
    said += [v.lower() for e in _listed(headers.get_all("Forwarded"))[-1:] for k, v in _pairs(e) if k == "proto"]
    if set(said) == {"https"}:
        return "https"
    return "http" if set(said) == {"http"} else None


def _address(text: str) -> Address | None:
    """An address as it stands in a header or a socket, perhaps with a port; an IPv4 one is the same however it is written."""
    found = _WITH_PORT.match(text)
    bare = (found["six"] or found["four"]) if found else text
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
