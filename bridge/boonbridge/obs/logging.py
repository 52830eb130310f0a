"""Log lines: readable on a terminal, JSON otherwise.

A line never holds a token, a code, a key, a seed or a die of a roll: callers log ids and codes, and this is the
last net: values under a secret-looking name are dropped.
"""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, TextIO

import structlog

_SECRET = ("token", "code_plain", "pairing_code", "key", "secret", "seed", "salt", "authorization")


def configure(*, level: str = "info", stream: TextIO | None = None, terminal: bool | None = None) -> None:
    """Set up structlog and the standard library's logging for a server process.

    Args:
        level: ``debug``, ``info``, ``warning`` or ``error``.
        stream: Where lines go; standard error by default.
        terminal: Colours and columns instead of JSON; by default whether ``stream`` is a terminal.
    """
    out = stream or sys.stderr
    pretty = out.isatty() if terminal is None else terminal
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="%H:%M:%S" if pretty else "iso", utc=not pretty),
        _without_secrets,
    ]
    renderer: list[Any]
    if pretty:
        shared.append(_printable)
        # Not rich's traceback: it shows the values of local variables, and some of them are keys.
        renderer = [structlog.dev.ConsoleRenderer(colors=True, exception_formatter=structlog.dev.plain_traceback)]
    else:
        renderer = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.WriteLoggerFactory(file=out),
        cache_logger_on_first_use=False,
    )
    # The libraries' own lines would name requests; only their errors are wanted, in the same form as ours.
    handler = logging.StreamHandler(out)
    drop = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(foreign_pre_chain=shared, processors=[drop, *renderer]))
    logging.basicConfig(level=logging.ERROR, handlers=[handler], force=True)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


def _printable(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """What a peer says of itself ends on somebody's terminal, where some characters are commands."""
    for name, value in event.items():
        if isinstance(value, str) and not value.isprintable():
            event[name] = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in value)
    return event


def _without_secrets(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    for name in [n for n in event if n.lower() in _SECRET]:
        event[name] = "(not logged)"
    return event
