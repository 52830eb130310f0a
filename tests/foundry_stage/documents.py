"""The documents of one world: what is stored, and how an operation changes it.

The shapes are in ``client/documents.json``, which the page reads too.
"""

import copy
import json
import secrets
import string
from pathlib import Path
from typing import Any

Data = dict[str, Any]
SHAPES: dict[str, Data] = json.loads((Path(__file__).parent / "client" / "documents.json").read_text("utf-8"))
PRIMARY = ("User", "Actor", "Item", "Scene", "ChatMessage", "Combat", "Macro")
MERGED = ("speaker", "prototypeToken", "grid", "ownership", "duration")
CLOSED = ("speaker", "duration")  # only known keys are kept
_ALPHABET = string.ascii_letters + string.digits


class RefusedError(Exception):
    """The server does not do it; the words go to whoever asked."""


def new_id() -> str:
    """Sixteen letters and digits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(16))


def is_id(text: object) -> bool:
    """Whether something can be a document's id."""
    return isinstance(text, str) and len(text) == 16 and all(letter in _ALPHABET for letter in text)


def fields(kind: str, generation: int) -> Data:
    """The fields of a document with their initial values."""
    shape = SHAPES[kind]
    return copy.deepcopy({**shape["fields"], **shape.get(f"fields{generation}", {})})


def shaped(kind: str, data: Data, generation: int) -> Data:
    """Data with every known field, and without any unknown one."""
    full = fields(kind, generation)
    for key in full.keys() & data.keys():
        value = copy.deepcopy(data[key])
        if isinstance(full[key], dict) and isinstance(value, dict) and key in MERGED:
            known = {name: inner for name, inner in value.items() if name in full[key] or key not in CLOSED}
            value = {**full[key], **known}
        if value is not None or full[key] is None or key == "turn":
            full[key] = value
    for child, collection in SHAPES[kind]["embedded"].items():
        full[collection] = [{**shaped(child, item, generation), "_id": item.get("_id") or new_id()} for item in full[collection]]
    return full


def merge(target: Data, change: Data) -> None:
    """Apply a change as documents are updated: objects are merged, ``-=key`` removes, anything else replaces."""
    for key, value in change.items():
        if key.startswith("-="):
            target.pop(key[2:], None)
        elif isinstance(value, dict) and isinstance(target.get(key), dict):
            merge(target[key], value)
        else:
            target[key] = copy.deepcopy(value)


def expanded(change: Data) -> Data:
    """``{"a.b": 1}`` as ``{"a": {"b": 1}}``."""
    out: Data = {}
    for key, value in change.items():
        at = out
        *path, last = key.split(".")
        for step in path:
            at = at.setdefault(step, {})
        inner = expanded(value) if isinstance(value, dict) else value
        if isinstance(inner, dict) and isinstance(at.get(last), dict):
            merge(at[last], inner)
        else:
            at[last] = inner
    return out


class Documents:
    """Primary collections by id, with what is embedded inside."""

    def __init__(self, generation: int) -> None:
        self.generation = generation
        self.collections: dict[str, dict[str, Data]] = {kind: {} for kind in PRIMARY}

    def add(self, kind: str, data: Data) -> Data:
        """Put a document in, without asking anybody."""
        document = {"_id": data.get("_id") or new_id(), **shaped(kind, data, self.generation)}
        self.collections[kind][document["_id"]] = document
        return document

    def find(self, uuid: str) -> tuple[str, Data]:
        """A document by its uuid: its kind and its data. The actor of an unlinked token is that token's ``delta``."""
        kind, identifier, *rest = uuid.split(".")
        try:
            document = self.collections[kind][identifier]
            while rest:
                child, identifier, *rest = rest
                if kind == "Token" and child == "Actor":
                    kind, document = "Actor", document["delta"]
                    continue
                items = document.setdefault(SHAPES[kind]["embedded"][child], [])
                document = next(item for item in items if item["_id"] == identifier)
                kind = child
        except (KeyError, StopIteration):
            raise RefusedError(f"{uuid} does not exist!") from None
        return kind, document

    def owner(self, uuid: str) -> Data | None:
        """The document whose ownership counts for this one: the actor of a token, of a combatant, of an effect, of an item."""
        parts = uuid.split(".")
        if parts[0] == "Actor" and len(parts) > 2:
            return self.collections["Actor"].get(parts[1])
        if parts[0] == "Scene" and len(parts) > 3:
            token = self.find(".".join(parts[:4]))[1]
            return self.collections["Actor"].get(token["actorId"] or "")
        if parts[0] == "Combat" and len(parts) > 2:
            combatant = self.find(uuid)[1]
            return self.collections["Actor"].get(combatant["actorId"] or "")
        return None
