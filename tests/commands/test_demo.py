import json
import re

import pytest

from tests.support.cli import Child, Serving, demo, environment, inside, refused

KESTREL = ("--actor", "kestrel", "--check", "attribute", "attribute=agility", "tn=12")


def past(serving):
    with Child("tail", "--url", serving.url, "--json", env=environment(BOONBRIDGE_TOKEN=serving.gm)) as tail:
        tail.wait(lambda: '"caughtUp"' in tail.out)
        return [json.loads(line) for line in tail.out.splitlines()][:-1]


def test_it_prints_a_link_for_the_gm_and_one_for_a_player(tmp_path):
    with demo(tmp_path / "demo") as serving:
        serving.wait(lambda: "Ctrl-C stops it" in serving.out)
        links = re.findall(r"^http://127\.0\.0\.1:\d+/#token=\S+$", serving.out, re.MULTILINE)
        assert links == [serving.ready["gm"], serving.ready["player"]]
        assert serving.err == ""
        # The player's party is the player's, and the GM is a GM.
        assert serving.asking("roll", *KESTREL, token=serving.player).code == 0
        assert serving.asking("roll", "--actor", "bog-hag", *KESTREL[2:], token=serving.player).code == 1
        assert serving.asking("roll", "--actor", "bog-hag", *KESTREL[2:], token=serving.gm).code == 0
        assert serving.stop() == 0


@pytest.mark.parametrize("game", ["rank_ability", "public_d20", "sage_d20", "group_d12"])
def test_each_game_has_a_party_of_two_and_an_opponent(tmp_path, game):
    with demo(tmp_path / "demo", env=environment(DEMO=game)) as serving:
        assert serving.table == f"demo-{game.replace('_', '-')}"
        events = [event for commit in past(serving) for event in commit["events"]]
        assert events[0]["ruleset"] == game
        assert [event["side"] for event in events if event["t"] == "ActorSynced"] == ["party", "party", "opposition"]


def test_rolls_are_kept_between_runs_also_when_another_game_is_played(tmp_path):
    folder = tmp_path / "demo"
    with demo(folder) as first:
        assert first.asking("roll", *KESTREL, token=first.player).code == 0
        before = past(first)
        assert first.stop() == 0
    with demo(folder, env=environment(DEMO="group_d12")) as other:
        assert past(other)[0]["events"][0]["ruleset"] == "group_d12"
        assert other.stop() == 0
    with demo(folder) as again:
        assert past(again)[: len(before)] == before


def test_reset_begins_anew(tmp_path):
    folder = tmp_path / "demo"
    with demo(folder) as first:
        assert first.asking("roll", *KESTREL, "--count", "5", token=first.player).code == 0
        rolled = past(first)
        assert first.stop() == 0
    with demo(folder, env=environment(RESET="1")) as again:
        assert len(past(again)) < len(rolled)
        assert again.asking("proof", "1", token=first.player).code == 1  # of a table that is no more
        assert again.stop() == 0
    for nothing in ("0", ""):
        with demo(folder, env=environment(RESET=nothing)) as kept:
            assert kept.stop() == 0
        with demo(folder) as kept:
            assert kept.asking("proof", "1", token=again.player).code == 0


def test_a_folder_that_is_no_demo_is_neither_emptied_nor_played_in(tmp_path):
    with Serving(tmp_path / "real") as serving:
        assert serving.stop() == 0
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "dear.txt").write_text("x", encoding="utf-8")
    (tmp_path / "file").touch()
    for folder in (tmp_path / "real", tmp_path / "letters", tmp_path / "file"):
        before = sorted(tmp_path.rglob("*"))
        for words in ((), ("--reset",)):
            sentence = refused("demo", "--data", folder, *words, by=inside)
            assert sentence == f"{folder} holds something else than a demo, and is left as it is. Another folder: --data."
        assert sorted(tmp_path.rglob("*")) == before


def test_a_demo_that_is_running_is_not_emptied(tmp_path):
    with demo(tmp_path / "demo") as running:
        sentence = refused("demo", "--data", tmp_path / "demo", "--reset", "--port", 0)
        assert sentence == f"A demo is running in {tmp_path / 'demo'}. Stop it first; then it can begin anew."
        assert "Another Boonbridge server is using" in refused("demo", "--data", tmp_path / "demo", "--port", 0)
        assert running.asking("roll", *KESTREL, token=running.player).code == 0


def test_a_game_without_a_demo(tmp_path):
    sentence = refused("demo", "--data", tmp_path / "demo", by=inside, env=environment(DEMO="chess"))
    assert sentence == "The demo has no table for 'chess'. It has: rank_ability, public_d20, sage_d20, group_d12."
    assert not (tmp_path / "demo").exists()
