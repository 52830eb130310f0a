"""The one exception that says no.

::

    Exception
    └── Refusal          the rules or the bridge decline; nothing was stored; the client is told why

A peer's fault on the wire is not an exception but an answer (``wire/connection.py``); our own fault is any other
exception and is logged with the command id.
"""

from collections.abc import Mapping

from .base import Scalar
from .codes import Code


class Refusal(Exception):  # noqa: N818 - no class of ours is called Error
    """A coded no, with the values that fill the sentence and what to do next.

    ``message`` is the English fallback of clients without the word; by default the meaning of the code.
    """

    def __init__(
        self,
        code: Code,
        message: str = "",
        /,
        *,
        values: Mapping[str, Scalar] | None = None,
        retry_after_ms: int | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message or code.meaning
        self.values: dict[str, Scalar] = dict(values or {})
        self.retry_after_ms = retry_after_ms
