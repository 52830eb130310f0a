"""Words of people on a terminal: nothing in them may move the cursor, change colours or turn the line around."""

import re
import unicodedata
from datetime import UTC, datetime

from boonbridge_schemas.base import Moment

_UNSAFE = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f"  # control characters, but the line break
    "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # directions, breaks, nothing at all
    "\U000e0000-\U000e007f"  # tags
    "\ud800-\udfff]"  # halves of characters
)
_FIRST_STRONG, _POP = "\u2068", "\u2069"


def plain(text: str) -> str:
    """The text with every character that would act instead of being shown written as its number."""
    return _UNSAFE.sub(_number, text)


def word(text: str) -> str:
    """A name inside a line: plain, on one line, and kept together where it runs from right to left."""
    safe = plain(text).replace("\n", " ")
    if any(unicodedata.bidirectional(char) in ("R", "AL", "AN") for char in safe):
        return f"{_FIRST_STRONG}{safe}{_POP}"
    return safe


def json_line(encoded: bytes) -> str:
    """Encoded JSON as a line that says the same and is harmless on a terminal."""
    return _UNSAFE.sub(_escape, encoded.decode())


def day_and_time(moment: Moment) -> str:
    """A moment by the clock of this machine, to the minute."""
    return datetime.fromtimestamp(moment / 1000, tz=UTC).astimezone().isoformat(sep=" ", timespec="minutes")


def so_many(count: int, one: str, many: str | None = None) -> str:
    """A number of things; ``many`` is what several are called, where that is not ``one`` with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _number(found: re.Match[str]) -> str:
    return f"<U+{ord(found[0]):04X}>"


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
