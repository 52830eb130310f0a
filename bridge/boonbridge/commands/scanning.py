"""A QR code on a terminal: two rows of modules in a line of text."""

import sys
from urllib.parse import urlsplit

_MARGIN = 4
"""Light modules on every side (ISO/IEC 18004, 9.1)."""

_HALVES = {"00": " ", "10": "▀", "01": "▄", "11": "█"}
_BLACK_ON_WHITE, _AS_BEFORE = "\x1b[38;5;16;48;5;231m", "\x1b[0m"


def wanted(link: str, qr: bool | None) -> bool:  # noqa: FBT001 - the flag as it was given, or not
    """Whether to show a picture of a link: as was said, otherwise where somebody is looking and another machine gets there."""
    return sys.stdout.isatty() and not only_here(link) if qr is None else qr


def only_here(link: str) -> bool:
    """Whether an address is of this machine, seen from itself."""
    host = urlsplit(link).hostname or ""
    return host in ("localhost", "::1") or host.startswith("127.")


def picture(rows: tuple[str, ...]) -> str:
    """The code as lines. On a terminal it is black on white, whatever that one's colours are; elsewhere there is no colour."""
    size = len(rows) + 2 * _MARGIN
    empty = ["0" * size] * _MARGIN
    framed = [*empty, *(f"{'0' * _MARGIN}{row}{'0' * _MARGIN}" for row in rows), *empty, "0" * size]
    lines = ["".join(_HALVES[a + b] for a, b in zip(*framed[at : at + 2], strict=True)) for at in range(0, size, 2)]
    if sys.stdout.isatty():
        lines = [f"{_BLACK_ON_WHITE}{line}{_AS_BEFORE}" for line in lines]
    return "".join(f"{line}\n" for line in lines)
