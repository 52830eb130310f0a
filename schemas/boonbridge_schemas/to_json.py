"""The JSON Schema (2020-12) of the wire and the log, and the list of codes, from the Structs.

One document holds everything: ``$defs`` has one schema for every Struct by its own name, one for every named
value (``CommandId``, ``Mode``), and one for every union (``ClientFrame``, ``ServerFrame``, ``Command``, ``Event``).
"""

import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from . import base, client, codes, commands, commit, corrections, effects, entries, events, export, server, tabledata

Json = dict[str, Any]
Files = dict[str, str]
"""Texts by their path below ``schemas/``."""


class NotGenerated(Exception):  # noqa: N818 - no class of ours is called Error
    """Something that generating needs is not there; the message says what, and what to do."""


DIALECT = "https://json-schema.org/draft/2020-12/schema"
REF = "#/$defs/{name}"

VALUES: Mapping[str, Any] = {
    name: getattr(base, name)
    for name in [
        "CommandId",
        "SystemId",
        "TableId",
        "UserId",
        "DeviceId",
        "ActorId",
        "CheckId",
        "RequestId",
        "SourceId",
        "GrantId",
        "Key",
        "NoKey",
        "HttpOrigin",
        "Label",
        "Name",
        "Note",
        "Seq",
        "Moment",
        "Small",
        "Count",
        "Hex",
        "Chance",
        "Scalar",
        "Role",
        "Mode",
        "Side",
        "Sign",
        "PartName",
        "MarkKind",
    ]
} | {"DeedId": corrections.DeedId}
UNIONS: Mapping[str, Any] = {
    "ClientFrame": client.ClientFrame,
    "ServerFrame": server.ServerFrame,
    "Command": commands.Command,
    "Event": events.Event,
    "Effect": effects.Effect,
}
OTHERS: tuple[type[msgspec.Struct], ...] = (
    commit.Header,
    commit.Part,
    tabledata.TableFile,
    *export.EXPORT_LINES,
    *entries.ENTRIES,
)


def files() -> Files:
    """The generated JSON files."""
    return {"json/v1/protocol.json": text(protocol()), "json/v1/codes.json": text(code_list())}


def text(value: Any) -> str:
    """JSON as it is committed: keys sorted, two spaces, a newline at the end."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def protocol() -> Json:
    """The whole protocol as one JSON Schema. At its root it describes any frame."""
    roots = [*VALUES.values(), *UNIONS.values(), *OTHERS]
    schemas, structs = msgspec.json.schema_components(roots, ref_template=REF)
    named = dict(zip([*VALUES, *UNIONS], schemas, strict=False))
    clash = named.keys() & structs.keys()
    if clash:
        raise ValueError(f"these names are used for a Struct and for something else: {', '.join(sorted(clash))}")
    names = {_fingerprint(schema): name for name, schema in named.items()}
    defs = {name: {"title": name, **_named_inside(schema, names, top=True)} for name, schema in named.items()}
    defs |= {name: _named_inside(schema, names, top=True) for name, schema in structs.items()}
    return {
        "$schema": DIALECT,
        "$id": f"urn:{base.WIRE_VERSION.replace('.', ':')}",
        "title": "Frame",
        "description": f"Any message of the websocket subprotocol {base.WIRE_VERSION}, in either direction.",
        "anyOf": [{"$ref": REF.format(name=name)} for name in ("ClientFrame", "ServerFrame")],
        "$defs": _readable(defs, _camel_names(structs)),
    }


def code_list() -> Json:
    """Every code of a refusal and of a close, with its meaning."""
    return {
        "refused": {str(code.value): code.meaning for code in codes.Code},
        "close": {str(int(code)): {"name": code.name, "reason": code.reason} for code in codes.Close},
    }


def _fingerprint(schema: Json) -> str:
    return json.dumps(schema, sort_keys=True)


def _named_inside(schema: Any, names: Mapping[str, str], *, top: bool = False) -> Any:
    """``schema`` with every copy of a named value replaced by a reference to it; a default stays beside it."""
    if isinstance(schema, list):
        return [_named_inside(item, names) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if not top:
        bare = {key: value for key, value in schema.items() if key != "default"}
        name = names.get(_fingerprint(bare))
        if name is not None:
            kept = {"default": schema["default"]} if "default" in schema else {}
            return {"$ref": REF.format(name=name), **kept}
    done: Json = {}
    for key, value in schema.items():
        if key == "default":
            done[key] = value
        elif key == "properties":
            done[key] = {name: _named_inside(inner, names) for name, inner in value.items()}
        elif key == "propertyNames":  # msgspec leaves the type out there
            done[key] = _named_inside({"type": "string", **value} if "pattern" in value else value, names)
        else:
            done[key] = _named_inside(value, names)
    return done


def _camel_names(structs: Mapping[str, Json]) -> Mapping[str, str]:
    """The name on the wire of every field that has another one in Python."""
    found: dict[str, str] = {}
    for schema in structs.values():
        for name in schema.get("properties", {}):
            found[re.sub(r"[A-Z]", lambda match: "_" + match[0].lower(), name)] = name
    return found


def _readable(value: Any, camel: Mapping[str, str]) -> Any:
    """Patterns as JSON Schema writes them; descriptions in Markdown, with fields called what they are on the wire."""
    if isinstance(value, list):
        return [_readable(item, camel) for item in value]
    if not isinstance(value, dict):
        return value
    done = {key: _readable(inner, camel) for key, inner in value.items()}
    if isinstance(value.get("pattern"), str):
        # Python's $ also stands before a line break at the end; the $ of JSON Schema is what \Z is there.
        done["pattern"] = value["pattern"].replace(r"\Z", "$")
    if isinstance(value.get("description"), str):
        done["description"] = re.sub(r"``([^`]+)``", lambda match: f"`{camel.get(match[1], match[1])}`", value["description"])
    return done
