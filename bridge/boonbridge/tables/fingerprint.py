"""Which code folds the log of a game: what some other code folded is never taken for what this one would come to."""

import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from inspect import unwrap
from pathlib import Path
from types import FunctionType

import msgspec

from boonbridge.dice.source import field
from boonbridge.rulesets.base import Ruleset

_FOLDING = ("boonbridge.core", "boonbridge.dice", "boonbridge.rulesets", "boonbridge_schemas")


def made_by(ruleset: Ruleset) -> str | None:
    """A fingerprint of the code that folds the log of a game, the game itself included; None where that cannot be read.

    It is that of the files as they were when this was asked first: ask as soon as a game is loaded, before they can change.
    """
    return _fingerprint(type(ruleset))


@cache
def _fingerprint(game: type) -> str | None:
    own = _own(game)
    if own is None:
        return None
    texts = (field(text) for text in sorted(path.read_bytes() for path in own))
    return sha256(field(_ours()) + b"".join(texts)).hexdigest()


@cache
def _ours() -> bytes:
    digest = sha256(field(sys.version.encode()) + field(msgspec.__version__.encode()))
    for package in _FOLDING:
        for path, text in sorted(_sources(files(package), package)):
            digest.update(field(path.encode()) + field(text))
    return digest.digest()


def _sources(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for inside in folder.iterdir():
        if inside.is_dir():
            yield from _sources(inside, f"{path}/{inside.name}")
        elif inside.name.endswith(".py"):
            yield f"{path}/{inside.name}", inside.read_bytes()


def _own(game: type) -> frozenset[Path] | None:
    """The files in which a game and what it is derived from are written, and what lies beside them where it is a package.

    None where one of them cannot be read. Asked of its functions, since a game from a file is no module that can be found.
    """
    functions = [unwrap(each) for kind in game.__mro__ for each in vars(kind).values() if callable(each)]
    written = {Path(each.__code__.co_filename) for each in functions if isinstance(each, FunctionType)}
    if not written or not all(path.is_file() for path in written):
        return None
    packages = {path.parent for path in written if (path.parent / "__init__.py").is_file()}
    return frozenset(written.union(*(package.rglob("*.py") for package in packages)))
