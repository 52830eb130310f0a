"""Command x role x owner, cell by cell, on the state alone."""

from typing import get_args

import pytest

from boonbridge.core.permissions import PERMISSIONS
from boonbridge_schemas.base import Role
from boonbridge_schemas.commands import COMMANDS
from tests.support.evening import Evening
from tests.support.role_table import ASK, BOON, NUMBERS, OK, PEOPLE, SKILL, cells

TABLE = cells("5.1", "6.1", "7.1", "olga", "8")


def evening(options):
    table = Evening("group_d12")
    table.do({"t": "Act", "verb": "give_boon"})
    for actor, owners in (("hero", ["pia"]), ("friend", ["quin"]), ("foe", [])):
        side = "party" if owners else "opposition"
        numbers = {"values": [{"key": "skill.athletics", "value": 0}]}
        table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers})
    for actor in ("hero", "friend"):
        table.do({"t": "RollCheck", "actors": [actor], **SKILL}, faces=(2,))
    table.do({"t": "Grant", "actors": ["hero"], **BOON, "amount": 2})
    table.do(ASK)
    if options:
        table.do({"t": "SetOptions", "options": options})
    return table


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("cell", TABLE, ids=[cell.name for cell in TABLE])
def test_cell(cell, who):
    table = evening(cell.options)
    before = table.state
    told = table.tried(cell.cmd, who.lower(), faces=(12,) * 8)
    if cell.told[who] == OK:
        assert told[0] == "done"
    else:
        assert told[:2] == ("refused", cell.told[who])
        assert told[2].endswith(".")
        assert table.state is before


def test_the_table_has_every_command_and_every_role():
    assert set(PERMISSIONS) == set(COMMANDS)
    assert all(set(rights) == set(get_args(Role)) for rights in PERMISSIONS.values())
    assert {cell.cmd["t"] for cell in TABLE} == {command.__name__ for command in COMMANDS}
    assert NUMBERS["values"]
