"""``boonbridge rules``: the house rules of a table; shown, written to one file, and read from one."""

import sys
from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import App, Parameter

from boonbridge.commands import asking, confirming
from boonbridge.commands.failing import fail
from boonbridge.commands.flags import Json, Token, TokenFile, Url, Yes
from boonbridge.commands.plain import word
from boonbridge.net.client import Client
from boonbridge_schemas.commands import SetTableData
from boonbridge_schemas.game import OptionSpec, RulesetInfo
from boonbridge_schemas.server import Limits
from boonbridge_schemas.tabledata import TableFile

_FILE_LIMIT = 64 * 1024
"""Bytes of a file that is looked into at all."""

_AROUND = 3 * 1024
"""Bytes that a command has besides its data: its options, and what is around both."""

_FORMAT, _VERSION = "boonbridge.house-rules", 1


app = App(
    name="rules",
    help="Show the house rules of a table: how it reads the rules, and what it edited. "
    "`export` and `import` keep them in a file.",
)


@app.default
def rules_show(*, url: Url, token: Token = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Show how a table reads the rules, the usual readings marked, and whether it edited anything."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(_show(address, secret, as_json=as_json))


@app.command(name="export")
def rules_export(
    file: Annotated[Path | None, Parameter(name="FILE", help="The file to write; the terminal by default.")] = None,
    /,
    *,
    url: Url,
    token: Token = None,
    token_file: TokenFile = None,
) -> None:
    """Write a table's house rules to one file."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(_export(address, secret, file))


@app.command(name="import")
def rules_import(
    file: Annotated[Path, Parameter(name="FILE", help="A file that `boonbridge rules export`, or a page, wrote.")],
    /,
    *,
    url: Url,
    yes: Yes = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Set a table's house rules from a file, as a GM: what the table may edit, and the readings that the file names."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(_import(address, secret, file, yes=yes, as_json=as_json))


async def _show(url: str, token: str, *, as_json: bool) -> int:
    """Every reading of the rules, the usual ones marked, the seldom changed ones last; then what the table edited."""
    async with Client(url, token, patience=asking.PATIENCE) as client:
        info, _ = _welcomed(client)
    if as_json:
        for spec in info.option_specs:
            asking.show({"option": spec.key, "value": info.options[spec.key], "default": spec.default, "label": spec.label})
        asking.show({"edited": info.edited, "data": info.data})
        return 0
    for line in lines(info):
        sys.stdout.write(line + "\n")
    return 0


def lines(info: RulesetInfo) -> list[str]:
    """The house rules in words."""
    often = [spec for spec in info.option_specs if not spec.rare]
    seldom = [spec for spec in info.option_specs if spec.rare]
    told = [f"{word(info.title)} ({info.id}, version {info.version})", *(line for spec in often for line in _option(spec, info))]
    if seldom:
        told += ["Seldom changed:", *(line for spec in seldom for line in _option(spec, info))]
    edited = "as this table edited them" if info.edited else "the game's own"
    told.append(f"Ladders, conditions, reasons and prices: {edited}. `boonbridge rules export` writes them to a file.")
    return told


def _option(spec: OptionSpec, info: RulesetInfo) -> list[str]:
    value = info.options[spec.key]
    usual = "usual" if value == spec.default else f"usually {_plain(spec.default)}"
    idle = any(info.options.get(when.option) == when.value for when in spec.idle)
    ours = ", ours" if spec.ours else ""
    first = f"  {spec.key} = {_plain(value)} ({usual}{ours}{', decides nothing now' if idle else ''})"
    meaning = next((option.label for option in spec.values if option.value == value), "")
    return [f"{first}  {word(spec.label)}{f': {word(meaning)}' if meaning else ''}"]


def _plain(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else "none" if value is None else str(value)


async def _export(url: str, token: str, path: Path | None) -> int:
    """Write the house rules to a file: what the table may edit, and every reading of the rules."""
    async with Client(url, token, patience=asking.PATIENCE) as client:
        info, title = _welcomed(client)
    if info.data is None:
        fail("This game has nothing that a table may edit.")
    whole = TableFile(name=title, data=info.data, options=info.options)
    text = msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"
    _write(path, text)
    return 0


def _write(path: Path | None, text: str) -> None:
    if path is None:
        sys.stdout.write(text)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as problem:
        fail(f"{path} cannot be written: {problem.strerror}.")


async def _import(url: str, token: str, path: Path, *, yes: bool, as_json: bool) -> int:
    """Set a table's house rules from a file, in one command: its data, and the readings it names."""
    whole = read(path)
    command = confirming.made(SetTableData, lambda: {"data": msgspec.to_builtins(whole.data), "options": whole.options})
    size, most = len(msgspec.json.encode(command)), Limits().data_bytes
    if size > most + _AROUND:
        fail(f"{path} is too large: {size} bytes as they are sent, and a table's data may have {most}.")
    return await confirming.confirm(url, token, command, yes=yes, as_json=as_json)


def read(path: Path) -> TableFile:
    """The house rules in a file. Leaves with a sentence where it holds none."""
    try:
        size = path.stat().st_size
        if size > _FILE_LIMIT:
            fail(f"{path} is too large for house rules: {size} bytes, and at most {_FILE_LIMIT} are read.")
        raw = path.read_bytes()
    except OSError as problem:
        fail(f"{path} cannot be read: {problem.strerror}.")
    try:
        found = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        fail(f"{path} is no JSON, so it holds no house rules.")
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        fail(f"{path} is not of the format `{_FORMAT}`; `boonbridge rules export` writes such files.")
    if found.get("version") != _VERSION:
        fail(f"{path} is of another version than {_VERSION}, which this boonbridge understands.")
    try:
        return msgspec.convert(found, TableFile)
    except msgspec.ValidationError as problem:
        fail(f"{path}: {problem}")


def _welcomed(client: Client) -> tuple[RulesetInfo, str]:
    assert client.welcome is not None, "a client that is open was welcomed"
    return client.welcome.ruleset, client.welcome.title
