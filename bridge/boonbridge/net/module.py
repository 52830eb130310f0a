"""The Foundry module as it is installed: its files, and one zip of them whose bytes are the same every time.

A manifest says where its own next version is, so ``module.json`` is written for the address that the server is asked at. It is
the same file in the zip, which is the one that stays installed.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from importlib.resources.abc import Traversable

MANIFEST = "module.json"
PARTS = ("LICENSE", "lang", "scripts", "styles", "templates")
"""What an installation needs beside the manifest."""

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_FILE = 0o100644 << 16


def module_files(folder: Traversable, base: str = "") -> dict[str, bytes]:
    """The module's files by their path in it, in order; none where ``folder`` holds no module.

    ``base``: where a server gives ``/module.json`` and ``/module.zip``; without it the manifest stays as it is.
    """
    manifest = folder / MANIFEST
    if not manifest.is_file():
        return {}
    found = {MANIFEST: addressed(manifest.read_bytes(), base)}
    for part in PARTS:
        found.update(_below(part, folder / part))
    return dict(sorted(found.items()))


def addressed(manifest: bytes, base: str) -> bytes:
    """The manifest with the addresses under which Foundry finds it again."""
    if not base:
        return manifest
    values = {**json.loads(manifest), "manifest": f"{base}/{MANIFEST}", "download": f"{base}/module.zip"}
    return json.dumps(values, indent=2, ensure_ascii=False).encode() + b"\n"


def zipped(files: Mapping[str, bytes]) -> bytes:
    """The files as a zip. Stored and not deflated: what a compressor makes of them changes with its version."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, body in files.items():
            entry = zipfile.ZipInfo(name, _LONG_AGO)
            entry.create_system = 3  # wherever it is made
            entry.external_attr = _FILE
            archive.writestr(entry, body)
    return out.getvalue()


def _below(path: str, item: Traversable) -> dict[str, bytes]:
    if item.is_file():
        return {path: item.read_bytes()}
    found: dict[str, bytes] = {}
    if item.is_dir():
        for inner in item.iterdir():
            if not inner.name.startswith("."):
                found.update(_below(f"{path}/{inner.name}", inner))
    return found
