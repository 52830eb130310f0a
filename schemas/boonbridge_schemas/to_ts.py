"""TypeScript declarations from the JSON Schema, through the npm package ``json-schema-to-typescript``."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from .to_json import Files, Json, NotGenerated, protocol

TOOL = "node_modules/json-schema-to-typescript/dist/src/cli.js"
OPTIONS = ("--additionalProperties", "false", "--style.printWidth=120")
_LEFT_OUT = {"default", "$id", "$schema", "discriminator", "minItems", "maxItems"}
BANNER = "/* Generated from schemas/boonbridge_schemas by `python -m boonbridge_schemas.generate`. Edit those instead. */"


def files(root: Path) -> Files:
    """The generated declarations. ``root`` is the checkout, where the npm packages are."""
    return {"ts/v1/protocol.d.ts": declarations(root, protocol())}


def declarations(root: Path, schema: Json) -> str:
    """``schema`` as TypeScript: one exported interface or type for each definition, by its own name."""
    node = shutil.which("node")
    if node is None:
        raise NotGenerated("Node.js was not found on PATH; the declarations are made with it. `make setup` says which one.")
    if not (root / TOOL).is_file():
        raise NotGenerated("json-schema-to-typescript is not installed in this checkout. Run `make setup` once.")
    done = subprocess.run(  # noqa: S603 - our own arguments
        [node, str(root / TOOL), *OPTIONS, "--bannerComment", BANNER],
        input=json.dumps(_rooted(_for_the_tool(schema))),
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=root,
        check=False,
    )
    if done.returncode:
        raise NotGenerated(f"json-schema-to-typescript failed:\n{done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def _rooted(schema: Json) -> Json:
    """``schema`` under an object that refers to every definition: the tool drops what nothing refers to."""
    names = schema["definitions"]
    return {
        "title": "Protocol",
        "description": "Everything there is, by name: frames, commands, events, what they are made of.",
        "type": "object",
        "properties": {name: {"$ref": f"#/definitions/{name}"} for name in names},
        "required": list(names),
        "additionalProperties": False,
        "definitions": names,
    }


def _for_the_tool(schema: Any) -> Any:
    """``schema`` as the tool likes it.

    Without ``default``: beside a reference it would make a second, numbered type of the same thing. Without the sizes
    of arrays: they would become tuples of 64.
    """
    if isinstance(schema, list):
        return [_for_the_tool(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    done: Json = {}
    for key, value in schema.items():
        if key == "properties":
            done[key] = {name: _for_the_tool(inner) for name, inner in value.items()}
        elif key == "$defs":
            done["definitions"] = {name: _for_the_tool(inner) for name, inner in value.items()}
        elif key == "$ref":
            done[key] = value.replace("#/$defs/", "#/definitions/")
        elif key not in _LEFT_OUT:
            done[key] = _for_the_tool(value)
    return done
