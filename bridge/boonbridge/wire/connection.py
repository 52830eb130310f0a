"""One connection as a machine without a socket: text in, inputs out.

=========== ============================== ============================== ==================================
state        pair                           hello                          any other frame
=========== ============================== ============================== ==================================
``new``      input                          input, then ``greeting``       refused ``auth.required``
``greeting`` refused ``frame.unexpected``   refused ``frame.unexpected``   refused ``frame.unexpected``
``open``     refused ``frame.unexpected``   refused ``frame.unexpected``   input
``closed``   nothing                        nothing                        nothing
=========== ============================== ============================== ==================================

In every state but ``closed`` something that is no frame of ours is refused ``frame.bad``; the third within 10 s
closes the connection with 1008. After ``hello`` the owner calls ``opened`` or ``close``. The owner sends what
``receive`` returns as replies, hands inputs on, and closes where ``closing`` says so.

Rule 1: nothing here knows a socket, a clock or a table. Rule 2: no input is lost and none is given twice.
"""

import re
from collections import deque
from typing import Literal, NamedTuple

import msgspec

from boonbridge_schemas.client import ClientFrame, Hello, Pair
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.server import Refused

from .limits import BAD_FRAME_SECONDS, BAD_FRAMES, LIMITS

ConnectionState = Literal["new", "greeting", "open", "closed"]

_decoder = msgspec.json.Decoder(ClientFrame)


class Received(NamedTuple):
    """What came of one message: an input for the owner, or an answer to send."""

    frame: ClientFrame | None = None
    reply: Refused | None = None


class Connection:
    """The state of one connection."""

    def __init__(self) -> None:
        self.state: ConnectionState = "new"
        self.closing: Close | None = None
        self._bad: deque[float] = deque(maxlen=BAD_FRAMES)

    def receive(self, message: str | bytes, now: float) -> Received:
        """Take one message. ``now`` in seconds, of any monotonic clock. Never raises."""
        if self.state == "closed":
            return Received()
        if isinstance(message, bytes):
            return self._not_ours(now, Code.FRAME_BAD, "Messages are JSON text, not binary.")
        if len(message) > LIMITS.frame_in:
            return self._not_ours(now, Code.FRAME_TOO_LARGE, f"A message may have {LIMITS.frame_in} bytes.")
        try:
            frame = _decoder.decode(message)
        except msgspec.ValidationError as exc:
            return self._not_ours(now, Code.FRAME_BAD, _told(exc), _id_of(message))
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return self._not_ours(now, Code.FRAME_BAD, "The message is not valid JSON.")
        return self._ours(frame)

    def opened(self) -> None:
        """The owner has accepted the hello."""
        self.state = "open"

    def close(self, code: Close) -> None:
        """Nothing more is taken; the owner closes with this code."""
        self.state = "closed"
        self.closing = code

    def _ours(self, frame: ClientFrame) -> Received:
        if self.state == "open":
            if isinstance(frame, Pair | Hello):
                return _refused(Code.FRAME_UNEXPECTED, frame)
            return Received(frame=frame)
        if self.state == "greeting":
            return _refused(Code.FRAME_UNEXPECTED, frame)
        if isinstance(frame, Hello):
            self.state = "greeting"
        elif not isinstance(frame, Pair):
            return _refused(Code.AUTH_REQUIRED, frame)
        return Received(frame=frame)

    def _not_ours(self, now: float, code: Code, message: str, command_id: str | None = None) -> Received:
        self._bad.append(now)
        if len(self._bad) == BAD_FRAMES and now - self._bad[0] <= BAD_FRAME_SECONDS:
            self.close(Close.TOO_MANY_BAD_FRAMES)
        return Received(reply=Refused(code=code, message=message[:300], id=command_id))


def _refused(code: Code, frame: ClientFrame) -> Received:
    return Received(reply=Refused(code=code, message=code.meaning, id=getattr(frame, "id", None)))


# What somebody sent in the wrong place may be a token: enough of it is repeated to find it, and not the whole.
_long = re.compile(r"""((?:value ['"]|unknown field `).{24}).+(?=['"`](?: - at |\Z))""", re.DOTALL)


def _told(problem: msgspec.ValidationError) -> str:
    return _long.sub(r"\1…", str(problem))


class _OnlyId(msgspec.Struct):
    id: str = ""


_id_decoder = msgspec.json.Decoder(_OnlyId)
_ID_MIN, _ID_MAX = 22, 40


def _id_of(message: str) -> str | None:
    """The id of a frame whose other fields do not fit, so that its sender knows which click it was."""
    try:
        found = _id_decoder.decode(message).id
    except (msgspec.DecodeError, RecursionError):
        return None
    fits = _ID_MIN <= len(found) <= _ID_MAX and found.isascii() and found.replace("-", "").replace("_", "").isalnum()
    return found if fits else None
