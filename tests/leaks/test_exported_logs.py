"""Exports of evenings at random: what each pair of eyes is shown of them, by the table of protocol section 4 and by nothing else."""

import json
import re

import pytest

from boonbridge.core.visibility import Viewer
from boonbridge.tables.exporting import nobody
from boonbridge_schemas.base import PARTS
from tests.support.bridge import GAMES
from tests.support.logs import lines_of
from tests.support.random_log import PEOPLE, Writer

SIZES = [60, pytest.param(500, marks=pytest.mark.long)]
READS = {
    "observer": {"all"},
    "player": {"all"},
    "gm": {"all", "roller_gm", "gm"},
}
"""The parts that somebody reads of what another one sent; of his own a player and a GM read those of the roller, too."""
_HEX = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def events(part):
    return json.loads(part["bytes"])["events"] if part["bytes"] else []


def sender(commit):
    (by,) = {json.loads(part["bytes"])["by"] for part in commit["parts"].values() if part["bytes"]}
    return by


def shown_to_all_since(part, revealed):
    """Whether a part says nothing but what was shown to everybody later."""
    said = [event.get("rolled", event).get("check") for event in events(part)]
    kinds = {event["t"] for event in events(part)}
    return bool(said) and kinds <= {"CheckRolled", "Chosen", "RequestAnswered"} and set(said) <= revealed


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_t34_t36_an_export_shows_what_its_reader_may_read_and_hashes_of_the_rest(game, count):
    async with Writer(game, 34) as writer:
        await writer.arrive()
        await writer.write(count)
        state = (await writer.table()).state
        whole = [json.loads(line) for line in await lines_of(writer.store, "house")][1:-2]
        told = [event for commit in whole for event in events(commit["parts"]["all"])]
        revealed = {event["rolled"]["check"] for event in told if event["t"] == "Revealed"}
        secret = {
            part[of]: (commit["seq"], name)
            for commit in whole
            for name, part in commit["parts"].items()
            for of in ("seed", "salt")
        }
        since = 0
        viewers = [nobody(role) for role in READS] + [Viewer(user, state.people[user].role) for user in PEOPLE]
        for viewer in viewers:
            raw = await lines_of(writer.store, "house", viewer)
            read = set()
            for commit, full in zip(map(json.loads, raw[1:-2]), whole, strict=True):
                mine = viewer.user == sender(full) and viewer.role != "observer"
                for name in PARTS:
                    part, all_of_it = commit["parts"][name], full["parts"][name]
                    if name in READS[viewer.role] or (mine and name in ("roller_gm", "roller")):
                        assert part == all_of_it
                    elif part["seed"] is not None:
                        assert shown_to_all_since(all_of_it, revealed), (viewer, commit["seq"], name)
                        since += 1
                        assert part == all_of_it
                    else:
                        assert [part[key] for key in ("bytes", "salt", "seed")] == [None] * 3
                        continue
                    read.add((commit["seq"], name))
                assert {key: commit[key] for key in commit if key != "parts"} == {
                    key: full[key] for key in full if key != "parts"
                }
            found = {secret[text] for line in raw for text in _HEX.findall(line.decode()) if text in secret}
            assert found == read, viewer
            assert set(json.loads(raw[0])["names"]) <= set(state.people)
        assert since or count < 100, "a long evening reveals something"
