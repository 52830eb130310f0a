"""Turning chance into something that is nearly right. Everything follows from given bytes, so that a fuzzer can steer it."""

import json

ODD = (
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    65,
    2**31,
    2**53,
    2**53 + 1,
    -(2**63),
    1.5,
    1e308,
    "",
    "a",
    "__proto__",
    "constructor",
    "a" * 81,
    "x" * 501,
    "a" * 22,
    "\u202eolleh",
    "\x00",
    "🎲",
    "gm",
    "self",
    "none",
    "1/2",
    "1/0",
    "12.1",
    "../../etc/passwd",
    [],
    [None],
    [[[]]],
    {},
    {"t": "RollCheck"},
    {"": {"": {}}},
    ["a"] * 70,
)
"""Values that somebody may have forgotten to think of."""

_PIECES = (
    b"",
    b"0",
    b"-",
    b"9" * 20,
    b"e5",
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
)


class Chance:
    """Choices out of bytes; what follows the last byte is zero."""

    def __init__(self, data):
        self._data = data
        self._at = 0

    @property
    def used_up(self):
        return self._at >= len(self._data)

    def number(self, below):
        """From 0 to below ``below``."""
        size = 1 if below <= 256 else 3
        piece = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(piece, "big") % below

    def of(self, things):
        return things[self.number(len(things))]

    def bytes(self, most):
        size = self.number(most + 1)
        piece = self._data[self._at : self._at + size]
        self._at += size
        return piece


def altered_bytes(chance, text):
    """Some bytes with up to four small changes."""
    for _ in range(1 + chance.number(4)):
        at = chance.number(len(text) + 1)
        match chance.number(6):
            case 0:
                text = text[:at] + chance.bytes(4) + text[at + 1 :]
            case 1:
                text = text[:at] + text[at + 1 + chance.number(40) :]
            case 2:
                text = text[:at] + chance.of(_PIECES) + text[at:]
            case 3:
                text = text[: at + chance.number(60)] + text[at:]
            case 4 if at < len(text):
                text = text[:at] + bytes([text[at] ^ 1 << chance.number(8)]) + text[at + 1 :]
            case _:
                text = text[:at]
    return text


def altered_value(chance, value, depth=0):
    """Plain data with one thing in it changed: a value, a key, how many there are."""
    if isinstance(value, dict) and value and chance.number(8):
        key = chance.of(sorted(value))
        match chance.number(8) if depth else chance.number(5) + 3:
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                return {**value, chance.of(("__proto__", "t", "id", "by", "user", "", "x" * 200)): chance.of(ODD)}
            case 2:
                return {**value, key: chance.of(ODD)}
        return {**value, key: altered_value(chance, value[key], depth + 1)}
    if isinstance(value, list) and value and chance.number(6):
        at = chance.number(len(value))
        match chance.number(6):
            case 0:
                return value[:at] + value[at + 1 :]
            case 1:
                return value[: at + 1] * chance.of((2, 70))
            case 2:
                return value[::-1]
        return [*value[:at], altered_value(chance, value[at], depth + 1), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and chance.number(2):
        return value + chance.of((1, -1, 10, -10, 1000, -value, -2 * value))
    if isinstance(value, str) and value and chance.number(2):
        at = chance.number(len(value))
        return value[:at] + chance.of(("", "a", " ", "\n", "é", ".", "/")) + value[at + 1 :]
    return chance.of(ODD)


def altered_json(chance, text):
    """JSON with up to three things in it changed, as bytes."""
    value = json.loads(text)
    for _ in range(1 + chance.number(3)):
        value = altered_value(chance, value)
    return json.dumps(value, ensure_ascii=bool(chance.number(4))).encode("utf-8", "surrogatepass")
