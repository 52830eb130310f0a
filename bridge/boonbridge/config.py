"""One frozen configuration of a server, from flags > environment > TOML, validated once."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
import platformdirs
from msgspec import Meta, Struct

from boonbridge.net.proxy import networks

PORT = 30300
"""The fixed default port, so that a bookmark and a module's setting stay right."""

FILE = "boonbridge.toml"
"""The settings of a data folder, where they lie in it."""

_PATH = r"(?:/(?!\.{1,2}(?:/|\Z))[A-Za-z0-9._~-]{1,80}){0,8}"
_FOLDERS_AND_FILES = ("data", "secret_file", "tls_cert", "tls_key")


class Config(Struct, frozen=True, kw_only=True):
    """What a server is told. Each field is also a flag, a variable ``BOONBRIDGE_…`` and a key of ``boonbridge.toml``."""

    data: Path
    host: Annotated[str, Meta(min_length=1, max_length=253)] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = PORT
    ruleset: Annotated[str, Meta(min_length=1)] = "sage_d20"
    public_url: Annotated[str, Meta(pattern=rf"^(https?://[^\s/?#@]+{_PATH}/?)?\Z")] = ""
    base_path: Annotated[str, Meta(pattern=rf"^{_PATH}/?\Z")] = ""
    trust_proxy: str = ""
    tls_cert: Path | None = None
    tls_key: Path | None = None
    secret_file: Path | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    open_metrics: bool = False


TAKES: Mapping[str, str] = {
    "data": "the path of a folder",
    "host": "a host name or an address",
    "port": "a whole number from 0 to 65535",
    "ruleset": "the id of a game, or the path of a game's file",
    "public_url": "an address like https://dice.example or https://foundry.example/boonbridge",
    "base_path": "a path like /boonbridge, of letters, digits and . _ ~ -",
    "trust_proxy": "addresses or networks with commas between them, like 127.0.0.1 or 172.30.30.0/24, or loopback or private",
    "tls_cert": "the path of a file",
    "tls_key": "the path of a file",
    "secret_file": "the path of a file",
    "log_level": "debug, info, warning or error",
    "open_metrics": "true or false",
}
"""What each setting takes, in words."""


class ConfigRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """The configuration does not fit; the message names the setting and where it came from."""


def default_folder() -> Path:
    """The platform's place for a user's application data."""
    return Path(platformdirs.user_data_dir("boonbridge", appauthor=False))


def load(flags: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> Config:
    """The configuration. ``flags`` that are None were not given, nor were variables that are empty.

    Raises:
        ConfigRefused: with the setting, where it came from, and what it takes.
    """
    environment = os.environ if environment is None else environment
    given = {key: (value, f"--{key.replace('_', '-')}") for key, value in flags.items() if value is not None}
    for field in Config.__struct_fields__:
        name = f"BOONBRIDGE_{field.upper()}"
        if environment.get(name) and field not in given:
            given[field] = (environment[name], name)
    folder = _value("data", *given["data"]) if "data" in given else default_folder()
    merged = {**_from_file(folder / FILE), **given}
    values = {key: _value(key, *found) for key, found in merged.items()}
    origins = {key: origin for key, (_, origin) in merged.items()}
    return _agreed(Config(**{**values, "data": folder}), origins)


def _agreed(config: Config, origins: Mapping[str, str]) -> Config:
    """The configuration with what follows from two settings together.

    A path of ``public_url`` is the ``base_path``, and the other way round: a proxy passes it on as it is.
    """
    if (config.tls_cert is None) is not (config.tls_key is None):
        there, missing = ("tls_cert", "tls-key") if config.tls_key is None else ("tls_key", "tls-cert")
        raise ConfigRefused(f"{origins[there]} is set and --{missing} is not, but TLS takes both.")
    path, public = config.base_path.rstrip("/"), urlsplit(config.public_url)
    shown = public.path.rstrip("/")
    if path and shown and path != shown:
        raise ConfigRefused(
            f"{origins['public_url']} has the path {shown} and {origins['base_path']} is {path}, "
            "but the two have to be the same: a proxy passes the path on as it is."
        )
    url = f"{config.public_url.rstrip('/')}{path}" if config.public_url and path and not shown else config.public_url
    return msgspec.structs.replace(config, base_path=path or shown, public_url=url)


def _from_file(file: Path) -> dict[str, tuple[Any, str]]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except tomllib.TOMLDecodeError as problem:
        raise ConfigRefused(f"{file} is not valid TOML: {problem}.") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigRefused(f"{file} cannot be read: {problem}.") from None
    if "data" in found:
        raise ConfigRefused(f"data cannot be set in {file}, since that file lies in the data folder. Use --data.")
    for key in found:
        if key not in Config.__struct_fields__:
            known = ", ".join(field for field in Config.__struct_fields__ if field != "data")
            raise ConfigRefused(f"{file} sets {key!r}, which is no setting. There is: {known}.")
    for key in _FOLDERS_AND_FILES:
        if isinstance(found.get(key), str):
            found[key] = str(file.parent / Path(found[key]).expanduser())
    return {key: (value, f"{key} in {file}") for key, value in found.items()}


def _value(field: str, value: Any, origin: str) -> Any:
    """The value as the setting's type. Paths may begin with ``~``."""
    kind = next(f.type for f in msgspec.structs.fields(Config) if f.name == field)
    try:
        if field in _FOLDERS_AND_FILES:
            return Path(msgspec.convert(str(value) if isinstance(value, Path) else value, str)).expanduser()
        converted = msgspec.convert(value, kind, strict=False)
        if field == "trust_proxy":
            networks(converted)
        return converted
    except (msgspec.ValidationError, ValueError, RuntimeError):
        raise ConfigRefused(f"{origin} is {value!r}, but it takes {TAKES[field]}.") from None
