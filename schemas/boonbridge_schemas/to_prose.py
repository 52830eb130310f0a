"""The parts of ``schemas/README.md`` that only repeat the definitions: tables, and the worked example.

Each stands between two comments, ``<!-- begin NAME -->`` and ``<!-- end NAME -->``; the prose around them is written
by people and left alone.
"""

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import get_args

import msgspec

from . import client, commands, effects, entries, events, export, server
from .codes import Close, Code
from .to_json import Files, NotGenerated
from .worked import worked_example

README = "README.md"


def files(readme: str, goldens: Mapping[str, str]) -> Files:
    """The README with its generated sections as they should be. ``goldens``: the generated examples, by path."""
    sections = {
        "client frames": _messages(get_args(client.ClientFrame)),
        "server frames": _messages(get_args(server.ServerFrame)),
        "commands": _messages(get_args(commands.Command)),
        "events": _messages(get_args(events.Event)),
        "effects": _messages(get_args(effects.Effect)),
        "entries": _messages(entries.ENTRIES),
        "export lines": _messages(export.EXPORT_LINES),
        "limits": _limits(),
        "codes": _codes(),
        "close codes": _closes(),
        "worked example": worked_example(goldens),
    }
    for name, lines in sections.items():
        readme = _replaced(readme, name, lines)
    return {README: readme}


def _replaced(readme: str, name: str, lines: Iterable[str]) -> str:
    pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
    if len(pattern.findall(readme)) != 1:
        raise NotGenerated(f"schemas/{README} needs <!-- begin {name} --> and <!-- end {name} -->, once each.")
    body = "\n".join(lines)
    return pattern.sub(lambda match: f"{match[1]}\n{body}\n\n{match[2]}", readme)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """A Markdown table."""
    cells = (row for row in (head, tuple("---" for _ in head), *rows))
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in cells]


def _messages(structs: Iterable[type[msgspec.Struct]]) -> list[str]:
    """One row for each message: its name, its fields (``?`` where one may be left out) and what its docstring says."""
    return _table(("message", "fields", "meaning"), (_message(struct) for struct in structs))


def _message(struct: type[msgspec.Struct]) -> tuple[str, str, str]:
    fields = msgspec.structs.fields(struct)
    named = ", ".join(f"`{field.encode_name}`{'' if field.required else '?'}" for field in fields)
    camel = {field.name: field.encode_name for field in fields}
    words = " ".join((inspect.getdoc(struct) or "").split())
    meaning = re.sub(r"``([^`]+)``", lambda match: f"`{camel.get(match[1], match[1])}`", words)
    tag = struct.__struct_config__.tag
    return f"`{tag or struct.__name__}`", named or "–", meaning


def _limits() -> list[str]:
    limits = server.Limits()
    rows = ((f"`{field.encode_name}`", f"{getattr(limits, field.name):,}") for field in msgspec.structs.fields(server.Limits))
    return _table(("limit", "value"), rows)


def _codes() -> list[str]:
    return _table(("code", "meaning"), ((f"`{code.value}`", code.meaning) for code in Code))


def _closes() -> list[str]:
    return _table(("code", "reason"), ((f"{int(close)}", close.reason) for close in Close))
