"""House rules from anybody's file: through the command line, over a socket, at a table. Taken or refused in words."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.altering import Chance, altered_json
from tests.fuzz.run import by_chance
from tests.fuzz.targets import house_rules, tabledata
from tests.support.bridge import ROLL, playing
from tests.support.cli import Serving, environment, inside


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=120))
def test_house_rules_are_taken_or_refused_in_words(data):
    tabledata(data)


def test_chance_gets_every_answer():
    _, counted, _ = by_chance(tabledata, "tabledata", seconds=0, runs=250, seed=5)
    assert min(counted["no file"], counted["refused"], counted["taken"]) > 2


def altered(name, seed):
    """House rules of a game that were altered, as text."""
    (text,) = (text for game, text, _ in house_rules() if game == name)
    return altered_json(Chance(bytes((seed * 37 + n * 91) % 256 for n in range(200))), text)


@pytest.mark.parametrize("game", [name for name, _, _ in house_rules()])
async def test_over_a_socket_everything_is_answered_and_the_table_plays_on(tmp_path, game):
    async with playing(game, tmp_path) as bridge, bridge.join("Olga") as olga:
        came_to = set()
        for seed in range(24):
            frame = json.loads(altered(game, seed).decode("utf-8", "surrogatepass"))
            data = frame.get("data") if isinstance(frame, dict) else frame
            async with bridge.join("Gina") as gina:
                answer = await gina.ask({"t": "do", "seen": gina.seq, "cmd": {"t": "SetTableData", "data": data}})
            came_to.add(answer["code"] if answer["t"] == "refused" else "ack")
            assert answer["t"] == "ack" or answer["message"]
        assert "frame.bad" in came_to, "some are none of the protocol's"
        assert "internal" not in came_to
        await olga.settled()
        assert olga.closed is None
        async with bridge.join("Pia") as pia:
            assert pia.welcome["ruleset"]["id"] == game
            assert (await pia.do(ROLL[game]))["t"] in ("ack", "refused")


def test_through_the_command_line_it_is_one_sentence_or_done(tmp_path):
    with Serving(tmp_path / "data", "--ruleset", "group_d12") as serving:
        token, file = serving.token(), tmp_path / "rules.json"
        codes = set()
        for seed in range(10):
            file.write_bytes(altered("group_d12", seed))
            done = inside("rules", "import", file, "--url", serving.url, "--yes", env=environment(BOONBRIDGE_TOKEN=token))
            codes.add(done.code)
            assert done.code in (0, 1), done
            if done.code:
                assert done.err.startswith("boonbridge: "), done
                assert done.err.count("\n") == 1, done
        assert 1 in codes
        shown = inside("rules", "--url", serving.url, env=environment(BOONBRIDGE_TOKEN=token))
        assert shown.code == 0, shown
        assert serving.stop() == 0
