"""A log that was altered on disk: folded, or refused by the number of its commit; a client is told that, and no traceback."""

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boonbridge.tables.folding import LogBroken, fold
from boonbridge_schemas.codes import Close
from tests.fuzz.run import by_chance
from tests.fuzz.targets import commits, logs
from tests.support.bridge import ROLL, playing, serving
from tests.support.cli import refused


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=120))
def test_an_altered_commit_is_folded_or_named(data):
    commits(data)


def test_chance_alters_what_folds_and_what_does_not():
    _, counted, _ = by_chance(commits, "commits", seconds=0, runs=400, seed=3)
    assert min(counted["folded"], counted["refused"]) > 40


def test_untouched_they_fold():
    for log, before in logs():
        state = before[0]
        for commit in log:
            state = fold(state, commit)


def damaged(folder, sql):
    db = apsw.Connection(str(folder / "log.sqlite"))
    db.execute(sql)
    db.close()


DAMAGE = {
    "a part cut short": "UPDATE commits SET part_all = substr(part_all, 1, length(part_all) - 3) WHERE seq = 3",
    "a part of zeros": "UPDATE commits SET part_all = zeroblob(40) WHERE seq = 3",
    "an event of nobody": "UPDATE commits SET part_all = CAST(replace(CAST(part_all AS TEXT), 'ActorSynced', 'Formatted') AS BLOB)"
    " WHERE seq = 3",
    "a header of another kind": "UPDATE commits SET header = x'5b5d' WHERE seq = 3",
}


@pytest.mark.parametrize("sql", DAMAGE.values(), ids=DAMAGE)
async def test_a_client_is_told_that_something_is_wrong_and_the_log_line_names_the_commit(tmp_path, sql):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
    damaged(tmp_path, sql)
    async with serving(tmp_path) as bridge, await bridge.stranger() as pia:
        bridge.mistakes = True
        await pia.hello(token=await bridge.token("Pia"))
        assert pia.closed == (Close.INTERNAL, Close.INTERNAL.reason)
        assert [frame["t"] for frame in pia.frames] == ["bye"]
        assert "Traceback" not in pia.bytes.decode()
        (line,) = [line for line in bridge.logged if line["level"] == "error"]
        assert line["event"] == "log broken"
        assert line["reason"] == "table tests: commit 3 is not what was written, and cannot be read"


async def test_a_server_does_not_start_on_it_and_says_which_commit_it_is(tmp_path):
    async with playing("sage_d20", tmp_path):
        pass
    damaged(tmp_path, DAMAGE["a part of zeros"])
    said = refused("serve", "--data", tmp_path, "--port", 0)
    assert said.startswith("table tests: commit 3 is not what was written")
    assert "backup" in said


def test_a_commit_that_is_missing_is_named_too():
    log, before = logs()[0]
    with pytest.raises(LogBroken, match="commit 2 is missing, 3 follows"):
        fold(before[1], log[2])
