"""Older formats of the log are read as the present one, newer ones are refused by their own sentence."""

import json

import apsw
import msgspec
import pytest

from boonbridge.core import upcasting
from boonbridge.core.freezing import frozen
from boonbridge.core.state import Evening, TableState
from boonbridge.rulesets.pools.group_d12 import Pool
from boonbridge.rulesets.registry import shipped
from boonbridge.tables.folding import LogBroken, fold
from boonbridge.tables.frames import told
from boonbridge.tables.table import known_of
from boonbridge_schemas.base import LOG_FORMAT
from tests.schemas.common import SCHEMAS
from tests.schemas.test_golden_log import lines, stored
from tests.support.bridge import playing
from tests.support.cli import refused


def kept(name):
    return [stored(line) for line in lines(SCHEMAS / f"golden/log/{name}.jsonl")]


def folded(game, commits):
    state = TableState.opening(shipped()[game], table=commits[0].table)
    for commit in commits:
        state = fold(state, commit)
    return state


def altered(commit, header, part=None):
    """A commit as another format would have it: its header and its parts as functions of what they were."""
    parts = [msgspec.json.encode(part(json.loads(raw))) if raw and part else raw for raw in commit.parts]
    return msgspec.structs.replace(
        commit, header=msgspec.json.encode({**json.loads(commit.header), **header}), parts=tuple(parts)
    )


def test_every_format_before_the_present_one_has_a_step():
    assert upcasting.newest() == LOG_FORMAT == 1 + len(upcasting.STEPS)


# --- a step, by example -------------------------------------------------------------------------------------------
def older(part):
    """As if the first format had called events ``happened``, and conditions ``states``."""
    events = [{("state" if key == "condition" else key): value for key, value in event.items()} for event in part["events"]]
    return {**{key: value for key, value in part.items() if key != "events"}, "happened": events}


def step(part):
    events = [{("condition" if key == "state" else key): value for key, value in event.items()} for event in part.pop("happened")]
    return {**part, "events": events}


@pytest.mark.parametrize("game", sorted(shipped()))
def test_a_log_that_changes_its_format_on_the_way_folds_and_is_told_as_one(game, monkeypatch):
    now = kept(f"v1-{game}")
    before = [folded(game, now[: n + 1]) for n in (0, len(now) // 2, len(now) - 1)]
    monkeypatch.setattr(upcasting, "STEPS", (step,))
    half = len(now) // 2
    mixed = [altered(c, {"format": 1}, older) for c in now[:half]] + [altered(c, {"format": 2}) for c in now[half:]]
    assert all(b"happened" in commit.parts[0] + commit.parts[1] + commit.parts[2] + commit.parts[3] for commit in mixed[:half])
    after = [folded(game, mixed[: n + 1]) for n in (0, half, len(now) - 1)]
    assert [frozen(state) for state in after] == [frozen(state) for state in before]
    for was, commit in zip(now, mixed, strict=True):
        assert json.loads(msgspec.json.encode(told(commit).events)) == {
            name: json.loads(raw)["events"]
            for name, raw in zip(("all", "roller_gm", "gm", "roller"), was.parts, strict=True)
            if raw
        }
        assert known_of(commit).digest == known_of(altered(was, {"format": 2})).digest


# --- newer than ours ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "header", [{"format": 2}, {"format": 7, "clock": "lamport"}], ids=["nothing else is new", "a header of other fields"]
)
def test_a_commit_of_a_newer_format_is_refused_by_its_own_sentence(header):
    log = kept("v1-group_d12")
    state = folded("group_d12", log[:4])
    with pytest.raises(LogBroken) as refused:
        fold(state, altered(log[4], header, lambda _part: {"whatever": "that means"}))
    assert str(refused.value) == (
        f"table {log[0].table}: commit 5 was written by a newer Boonbridge "
        f"(log format {header['format']}; this one knows 1): update"
    )


def test_a_header_that_is_damaged_is_not_taken_for_a_newer_one():
    log = kept("v1-group_d12")
    with pytest.raises(LogBroken, match=r"commit 1 is not what was written"):
        folded("group_d12", [altered(log[0], {"clock": "lamport"})])


async def test_a_server_does_not_start_on_it_and_says_to_update(tmp_path):
    async with playing("sage_d20", tmp_path):
        pass
    database = apsw.Connection(str(tmp_path / "log.sqlite"))
    database.execute(
        "UPDATE commits SET header = CAST(replace(CAST(header AS TEXT), '\"format\":1', '\"format\":2') AS BLOB) WHERE seq = 3"
    )
    database.close()
    assert refused("serve", "--data", tmp_path, "--port", 0) == (
        "table tests: commit 3 was written by a newer Boonbridge (log format 2; this one knows 1): update. Nothing was changed."
    )


# --- logs that are kept ---------------------------------------------------------------------------------------------
def test_the_first_logs_of_all_fold_to_what_they_tell():
    """What stands at the end was counted by hand, event by event."""
    d12 = folded("group_d12", kept("first-group_d12"))
    assert d12.game == Pool(held=2, gained=2)  # two accepted failures, one spent, one given; what was hidden waits
    assert [(g.id, g.sign, g.amount) for actor in d12.actors.values() for g in actor.grants] == [("23.2", "bane", 2)]
    assert set(d12.actors) == {"kestrel", "tamsin"}
    assert (d12.seq, d12.epoch, d12.evening) == (25, 1, Evening(last_roll=d12.evening.last_roll))

    ranks = folded("rank_ability", kept("first-rank_ability"))
    assert {actor.id: actor.locks for actor in ranks.actors.values() if actor.locks} == {
        "kestrel": ("Across beam 3", "Across beam 4"),
        "tamsin": ("Recall verse 2", "Recall verse 4"),
    }

    sage = folded("sage_d20", kept("first-sage_d20"))
    assert [g.id for g in sage.actors["kestrel"].grants] == ["28.1", "46.1", "64.1"]  # the others went with a roll each
    assert sage.seq == 67

    public = folded("public_d20", kept("first-public_d20"))
    assert (public.seq, [len(actor.grants) for actor in public.actors.values()]) == (18, [0, 0, 0])


def test_logs_from_before_hidden_grants_fold_to_what_they_tell():
    log = kept("before-hidden-grants-group_d12")
    fight = folded("group_d12", log[:35])
    assert (fight.game.held, fight.marks) == (1, {"initiative": "party"})  # earned 2, spent 3, given 3, taken 1
    end = folded("group_d12", log)
    assert (end.game, end.evening.number, end.evening.running) == (Pool(held=0, gained=0), 1, False)
    assert [deed.id for deed in end.deeds.values() if deed.voided] == ["check/38.1"]
    assert end.options.boon_cap == 12
    assert end.revealed == {"50.1"}

    public = folded("public_d20", kept("before-hidden-grants-public_d20"))
    assert [g.id for g in public.actors["kestrel"].grants] == ["25.1"]  # 24.1 ended with the turn
    assert [(c.key, c.amount) for c in public.actors["kestrel"].conditions] == [("exposed", 1)]
    assert public.actors["tamsin"].conditions == ()

    sage = folded("sage_d20", kept("before-hidden-grants-sage_d20"))
    assert [g.id for g in sage.actors["kestrel"].grants] == ["28.1", "46.1", "64.1", "69.1"]
    assert [actor.id for actor in sage.actors.values() if actor.conditions] == []  # ended by luck, by a clock, by the fight's end
