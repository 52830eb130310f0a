"""Logs that were kept: the rules of today make the same of their commands, or the rules' version has gone up since.

Who changes what a command comes to finds it here, and raises ``version`` of the games it touches (``rulesets/base.py``).
"""

import json
from hashlib import sha256

import pytest

from boonbridge.tables.ports import StoredCommit, TableRow
from tests.reading.common import checked, found
from tests.schemas.common import SCHEMAS

BEFORE_THE_FIRST_RELEASE = {
    # The event says how much was added since then (``ConditionSet.added``), and not only what it comes to.
    "before-evenings-public_d20": (21, "event 1 of its part all (ConditionSet) is not what the rules make of its command"),
    # Whoever was let in was written down as the one who sent it; that was the player of these logs, and never the bridge.
    **{
        f"first-{game}": (2, "it has no command, and is nothing that the bridge writes by itself (Invited)")
        for game in ("group_d12", "public_d20", "rank_ability", "sage_d20")
    },
}
"""What is found in logs that no released bridge wrote. Nothing is ever added here: the version goes up instead."""

LOGS = sorted((SCHEMAS / "golden/log").glob("*.jsonl"))


def kept(path):
    """A kept log as a store would have it: its row, its commits, its keys."""
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    table, game = lines[0]["table"], json.loads(lines[0]["header"])["ruleset"]
    commits = [
        StoredCommit(
            table=table,
            seq=line["seq"],
            command_id=line["id"],
            by=line["by"],
            header=line["header"].encode(),
            parts=tuple(part.encode() for part in line["parts"]),
            hash=bytes.fromhex(line["hash"]),
        )
        for line in lines
    ]
    return TableRow(id=table, title="-", ruleset=game, created=0), commits, {1: sha256(f"key of {table}".encode()).digest()}


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_a_kept_log_still_holds_by_the_rules(path):
    if path.stem in BEFORE_THE_FIRST_RELEASE:
        broken = found(*kept(path))
        assert (broken.seq, broken.why) == BEFORE_THE_FIRST_RELEASE[path.stem]
        return
    report = checked(*kept(path)).log
    assert report.commits == report.recomputed + sum(gap.last - gap.first + 1 for gap in report.gaps) > 0
