"""One frozen configuration of a server, from flags > environment > TOML, validated once."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import platformdirs
from msgspec import Meta, Struct

PORT = 30300
"""The fixed default port, so that a bookmark and a module's setting stay right."""


class Config(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a server is told. Each field is also a flag, a variable ``BOONBRIDGE_…`` and a key of ``boonbridge.toml``."""

    data: Path
    host: Annotated[str, Meta(min_length=1, max_length=253)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    ruleset: str = "sage_d20"
    public_url: Annotated[str, Meta(pattern=r"^(https?://[^\s?#]+)?\Z")] = ""
    secret_file: Path | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    open_metrics: bool = False


class ConfigRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """The configuration does not fit; the message names the setting and where it came from."""


def default_folder() -> Path:
    """The platform's place for a user's application data."""
    return Path(platformdirs.user_data_dir("boonbridge", appauthor=False))


def load(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Config:
    """The configuration. ``flags`` that are None were not given.

    Raises:
        ConfigRefused: with the setting, where it came from, and what it takes.
    """
    environment = os.environ if environment is None else environment
    given = {key: value for key, value in flags.items() if value is not None}
    from_environment = {
        field: environment[name] for field in Config.__struct_fields__ if (name := f"BOONBRIDGE_{field.upper()}") in environment
    }
    folder = Path(given.get("data") or from_environment.get("data") or default_folder())
    file = folder / "boonbridge.toml"
    try:
        from_file = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except (tomllib.TOMLDecodeError, OSError, UnicodeDecodeError) as problem:
        raise ConfigRefused(f"{file} cannot be read: {problem}") from None
    merged = {**from_file, **from_environment, **given, "data": folder}
    try:
        return msgspec.convert(merged, Config, strict=False)
    except msgspec.ValidationError as problem:
        field = str(problem).rpartition("`$.")[2].rstrip("`")
        where = "a flag" if field in given else f"BOONBRIDGE_{field.upper()}" if field in from_environment else str(file)
        raise ConfigRefused(f"The setting {field or '?'!r} (from {where}) does not fit: {problem}") from None
