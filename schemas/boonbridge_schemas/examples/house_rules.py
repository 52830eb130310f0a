"""What the friends edited: a ladder without a gap, a condition of the lake, and a price of their own."""

from collections.abc import Mapping

import msgspec

from boonbridge_schemas.commands import SetTableData
from boonbridge_schemas.events import TableDataSet
from boonbridge_schemas.tabledata import Ladder, OwnCircumstance, OwnCondition, Step, TableData, TableFile

from .story import RULESET

LAKE = TableData(
    ruleset=RULESET.id,
    ladders=(
        Ladder(
            key="difficulty",
            steps=(
                Step(value=5, label="easy", proposed=True),
                Step(value=8, label="moderate", proposed=True),
                Step(value=9, label="as deep as the second landing"),
                Step(value=11, label="hard", proposed=True),
            ),
        ),
    ),
    conditions=(
        OwnCondition(
            key="drenched", label="Drenched", tone="bad", own=-1, checks=("skill",), help="Until somebody lights a fire."
        ),
    ),
    circumstances=(OwnCircumstance(id="bell", label="The bell hums", sign="bane", example="Nobody hears himself think."),),
    level_step=3,
    xp_per_level=3,
)
FILE = TableFile(name="The Bell under the Lake", data=LAKE, options={"spend_after_limit": None})

COMMANDS: Mapping[str, msgspec.Struct] = {
    "SetTableData": SetTableData(data=LAKE, options=FILE.options),
    "SetTableData.own": SetTableData(),
}

EVENTS: Mapping[str, msgspec.Struct] = {
    "TableDataSet": TableDataSet(data=LAKE),
    "TableDataSet.own": TableDataSet(data=None),
}

ENTRIES: Mapping[str, msgspec.Struct] = {
    "RulesetInfo": msgspec.structs.replace(RULESET, data=LAKE, edited=True),
}

FILES: Mapping[str, msgspec.Struct] = {"TableFile": FILE}
