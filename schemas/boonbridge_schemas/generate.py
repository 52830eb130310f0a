"""Everything that is made from the Structs: JSON Schema, TypeScript declarations, golden examples, tables of prose.

::

    python -m boonbridge_schemas.generate            write them anew
    python -m boonbridge_schemas.generate --check    compare with what is committed; exit 1 where something differs
"""

import argparse
import difflib
import sys
from pathlib import Path

from . import examples, played, to_json, to_prose, to_ts

COMMAND = "python -m boonbridge_schemas.generate"
OWNED = ("json/v1", "ts/v1", "golden/v1")
"""Folders below ``schemas/`` that hold nothing but generated files. (``golden/log`` also keeps what older ones wrote.)"""

SHOWN = 12
"""Lines of difference shown for each file."""


def checkout() -> Path | None:
    """The top folder of the checkout this package lies in, or None where it was installed by itself."""
    schemas = Path(__file__).resolve().parents[1]
    inside = schemas.name == "schemas" and (schemas.parent / "package.json").is_file()
    return schemas.parent if inside else None


def build(root: Path) -> to_json.Files:
    """Every generated text by its path below ``schemas/``."""
    goldens = examples.files() | played.files(root)
    readme = (root / "schemas" / to_prose.README).read_text(encoding="utf-8")
    return to_json.files() | to_ts.files(root) | goldens | to_prose.files(readme, goldens)


def stale(schemas: Path, files: to_json.Files) -> list[str]:
    """Files in the generated folders that nothing generates any more."""
    found = (path for folder in OWNED for path in (schemas / folder).rglob("*") if path.is_file())
    return sorted({path.relative_to(schemas).as_posix() for path in found} - files.keys())


def check(schemas: Path, files: to_json.Files) -> list[str]:
    """What differs between ``files`` and the checkout, in words and the first lines of each difference."""
    said = [f"schemas/{name}: nothing generates this file any more" for name in stale(schemas, files)]
    for name, wanted in sorted(files.items()):
        path = schemas / name
        if not path.is_file():
            said.append(f"schemas/{name}: missing")
            continue
        have = path.read_text(encoding="utf-8")
        if have != wanted:
            lines = list(difflib.unified_diff(have.splitlines(), wanted.splitlines(), "committed", "generated", n=1, lineterm=""))
            more = [f"... {len(lines) - SHOWN} more lines"] if len(lines) > SHOWN else []
            said.append("\n    ".join([f"schemas/{name}: differs", *lines[:SHOWN], *more]))
    return said


def write(schemas: Path, files: to_json.Files) -> list[str]:
    """Bring the checkout up to date. Returns what changed."""
    changed = []
    for name in stale(schemas, files):
        (schemas / name).unlink()
        changed.append(f"removed schemas/{name}")
    for name, wanted in sorted(files.items()):
        path = schemas / name
        if not path.is_file() or path.read_text(encoding="utf-8") != wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted, encoding="utf-8", newline="\n")
            changed.append(f"wrote schemas/{name}")
    return changed


def main(arguments: list[str] | None = None) -> int:
    """The command line. Returns the exit code."""
    parser = argparse.ArgumentParser(prog=COMMAND, description="Generate everything that is made from the Structs.")
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs and exit 1")
    options = parser.parse_args(arguments)
    root = checkout()
    if root is None:
        print("This works in a checkout of Boonbridge only: an installed package has no schemas/ folder.", file=sys.stderr)
        return 2
    try:
        files = build(root)
    except to_json.NotGenerated as missing:
        print(missing, file=sys.stderr)
        return 2
    if not options.check:
        changed = write(root / "schemas", files)
        print("\n".join(changed) if changed else f"{len(files)} generated files were up to date.")
        return 0
    said = check(root / "schemas", files)
    if said:
        print("\n".join(said))
        print(f"\nThe Structs changed, or a generated file was edited. Run: {COMMAND}")
        return 1
    print(f"{len(files)} generated files are up to date.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
