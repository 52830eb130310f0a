"""House rules: the readings a table chose, what it may edit, and what it is called. Logged, and good from then on."""

from collections.abc import Mapping
from typing import Any

import msgspec

from boonbridge_schemas.base import Key, Scalar
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RenameTable, SetOptions, SetTableData
from boonbridge_schemas.events import Event, OptionsSet, TableDataSet, TableRenamed
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .decision import Context, Decision, placed
from .state import TableState

_LIMITS = Limits()


def readings(state: TableState) -> dict[Key, Scalar | None]:
    """The readings in force that are not the game's own default, as a commit stores them with its command."""
    plain = state.ruleset.options()
    return {key: value for key, value in msgspec.to_builtins(state.options).items() if value != getattr(plain, key)}


def set_options(state: TableState, command: SetOptions, _context: Context) -> Decision:
    """Choose readings. Raises ``option.unknown``, ``option.bad_value``, ``option.contradiction``."""
    events = _chosen(state, command.options)
    return Decision(placed=placed("all", events), command_part="all") if events else Decision()


def set_table_data(state: TableState, command: SetTableData, _context: Context) -> Decision:
    """Edit what the table may edit, with readings or without. Raises ``data.*``, ``option.*``."""
    events = _chosen(state, command.options)
    data = command.data
    if data is not None:
        size = len(msgspec.json.encode(data))
        if size > _LIMITS.data_bytes:
            raise Refusal(Code.DATA_TOO_MANY, values={"limit": _LIMITS.data_bytes, "size": size})
        state.ruleset.validate_data(data)
        if data == state.ruleset.table_data():
            data = None
    if data != (state.data if state.edited else None):
        events.append(TableDataSet(data=data))
    return Decision(placed=placed("all", events), command_part="all") if events else Decision()


def rename_table(state: TableState, command: RenameTable, _context: Context) -> Decision:
    """Call the table something else; nothing to do where it is called so."""
    title = command.title.strip()
    return Decision() if title == state.title else Decision(placed=(("all", TableRenamed(title=title)),), command_part="all")


def _chosen(state: TableState, options: Mapping[Key, Scalar | None]) -> list[Event]:
    """The change of options, none where nothing changes; checked one by one, then against each other."""
    now: dict[str, Any] = msgspec.to_builtins(state.options)
    for key, value in options.items():
        if key not in now:
            raise Refusal(Code.OPTION_UNKNOWN, f"There is no option {key!r}.", values={"option": key})
        try:
            msgspec.convert({**now, key: value}, type(state.options))
        except msgspec.ValidationError:
            raise Refusal(Code.OPTION_BAD_VALUE, f"The option {key!r} has no such value.", values={"option": key}) from None
    changed = {key: value for key, value in options.items() if now[key] != value or type(now[key]) is not type(value)}
    if not changed:
        return []
    state.ruleset.validate_options(msgspec.convert({**now, **changed}, type(state.options)))
    return [OptionsSet(options=changed)]
