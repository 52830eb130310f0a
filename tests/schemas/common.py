"""The goldens, and three ways to judge a message: by the Structs, by jsonschema, by ajv."""

import json
import shutil
import subprocess
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import jsonschema
import msgspec
import pytest

from boonbridge_schemas import client, commands, commit, effects, entries, events, server, tabledata

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas"
GOLDEN = SCHEMAS / "golden" / "v1"

UNIONS = {
    "client": ("ClientFrame", client.ClientFrame),
    "server": ("ServerFrame", server.ServerFrame),
    "command": ("Command", commands.Command),
    "event": ("Event", events.Event),
    "effect": ("Effect", effects.Effect),
}
PLAIN = {type_.__name__: type_ for type_ in (commit.Header, commit.Part, tabledata.TableFile, *entries.ENTRIES)}

FILES = sorted(path.relative_to(GOLDEN).as_posix() for path in GOLDEN.rglob("*.json"))


def _script(path):
    """A script as a module."""
    spec = spec_from_file_location(path.stem, path)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify = _script(ROOT / "docs/verify.py")
"""The second implementation of section 6 of the protocol, which needs nothing of ours."""


def definition_of(name):
    """The definition that a golden file is an example of, and its type."""
    kind, _, file = name.partition("/")
    if not file:  # the proofs
        return UNIONS["server"]
    if kind in UNIONS:
        return UNIONS[kind]
    struct = file.split(".")[0]
    return struct, PLAIN[struct]


def golden(name):
    return json.loads((GOLDEN / name).read_text("utf-8"))


@cache
def protocol():
    return json.loads((SCHEMAS / "json/v1/protocol.json").read_text("utf-8"))


@cache
def _validator(definition):
    whole = protocol()
    schema = {"$schema": whole["$schema"], "$ref": f"#/$defs/{definition}", "$defs": whole["$defs"]}
    return jsonschema.Draft202012Validator(schema)


def by_structs(type_, value):
    """Whether Python takes the message."""
    try:
        msgspec.json.decode(json.dumps(value), type=type_)
    except msgspec.ValidationError as error:
        return [str(error)]
    return []


def by_jsonschema(definition, value):
    return [error.message for error in _validator(definition).iter_errors(value)]


def by_ajv(pairs):
    """The errors of each pair of definition and value."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules/ajv").is_dir():
        pytest.fail("Node.js and node_modules are needed here: run `make setup`")
    lines = "\n".join(json.dumps({"definition": definition, "value": value}) for definition, value in pairs)
    done = subprocess.run(
        [node, str(ROOT / "tests/schemas/ajv.mjs"), str(SCHEMAS / "json/v1/protocol.json")],
        input=lines,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]
