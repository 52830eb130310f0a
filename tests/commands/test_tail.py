import json
import re
import unicodedata

import pytest

from tests.support.cli import Child, Serving, demo, environment

KESTREL = ("--actor", "kestrel", "--check", "attribute", "attribute=agility", "tn=12")


def following(serving, *words, token, **how):
    return Child("tail", "--url", serving.url, *words, env=environment(BOONBRIDGE_TOKEN=token), **how)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with demo(tmp_path_factory.mktemp("tail") / "demo") as serving:
        assert serving.asking("roll", *KESTREL, "action=Over the wall", token=serving.player).code == 0
        yield serving


def test_the_past_then_caught_up_then_what_comes(table):
    with following(table, "--json", token=table.gm) as tail:
        tail.wait(lambda: '"caughtUp"' in tail.out)
        past = [json.loads(line) for line in tail.out.splitlines()]
        head = past[-1]["head"]
        assert past[-1]["t"] == "caughtUp"
        assert [commit["seq"] for commit in past[:-1]] == list(range(1, head + 1))
        assert table.asking("roll", *KESTREL, "--count", "20", "--clients", "4", token=table.player).code == 0
        lines = tail.lines(head + 21)
        assert [json.loads(line)["seq"] for line in lines[head + 1 :]] == list(range(head + 1, head + 21))


def test_what_there_is_and_no_more(table):
    done = table.asking("tail", "--once", "--json", token=table.gm)
    assert done.code == 0
    assert [record["t"] for record in done.records][-1] == "caughtUp"
    assert [record["seq"] for record in done.records[:-1]] == list(range(1, done.records[-1]["head"] + 1))


def test_text_says_who_did_what_and_what_came_of_it(table):
    with following(table, token=table.gm) as tail:
        tail.wait(lambda: "-- caught up at #" in tail.out)
        lines = tail.out.splitlines()
    assert re.match(r"#1     \d\d:\d\d  table opened: Demo: ", lines[0])
    assert any(line.endswith("Bog Hag is at the table (opposition)") for line in lines)
    assert any(re.fullmatch(r"#\d+ +\d\d:\d\d  boon for kestrel: High ground", line) for line in lines)
    (wall,) = [line for line in lines if "Over the wall" in line]
    assert re.fullmatch(
        r"#\d+ +\d\d:\d\d  Kestrel: Over the wall  \(?d20:\d+\)?( \(?d6:\d\)?)* = -?\d+ vs 12  (Critical s|Critical f|S|F)(uccess|ailure)",
        wall,
    )


def test_what_one_may_not_read_is_a_line_without_content(table):
    done = table.asking("roll", *KESTREL, "mode=gm", "action=By stealth", token=table.gm)
    assert done.code == 0
    with following(table, token=table.player) as tail:
        tail.wait(lambda: "-- caught up" in tail.out)
        assert "(not for you)" in tail.out
        assert "By stealth" not in tail.out


def test_commits_told_while_the_past_is_read_are_not_lost(table):
    with (
        Child(
            "roll",
            "--url",
            table.url,
            *KESTREL,
            "--count",
            "60",
            "--clients",
            "3",
            env=environment(BOONBRIDGE_TOKEN=table.player),
        ) as rolling,
        following(table, "--json", token=table.gm) as tail,
    ):
        rolling.wait(lambda: rolling.process.poll() is not None)
        assert rolling.process.returncode == 0
        done = table.asking("do", '{"t": "SyncActor", "actor": "last", "name": "Last"}', token=table.gm)
        tail.wait(lambda: '"Last"' in tail.out)
        told = [json.loads(line) for line in tail.out.splitlines()]
        seqs = [frame["seq"] for frame in told if "seq" in frame]
        assert seqs == list(range(1, done.records[0]["seq"] + 1))


def test_it_goes_on_after_the_server_was_away(tmp_path):
    folder = tmp_path / "demo"
    with demo(folder) as first:
        port, token = first.port, first.gm
        with following(first, "--json", token=token) as tail:
            tail.wait(lambda: '"caughtUp"' in tail.out)
            assert first.stop() == 0
            with demo(folder, port=port) as second:
                # Rolled perhaps before the follower is back: it is told either way, once.
                assert second.asking("roll", *KESTREL, "--count", "5", token=token).code == 0
                done = second.asking("do", '{"t": "SyncActor", "actor": "last", "name": "Last"}', token=token)
                tail.wait(lambda: '"Last"' in tail.out)
                told = [json.loads(line) for line in tail.out.splitlines()]
                assert [frame["t"] for frame in told].count("caughtUp") == 1
                assert [frame["seq"] for frame in told if "seq" in frame] == list(range(1, done.records[0]["seq"] + 1))


EVIL = [
    ("turns the line around", "gnp\u202eexe"),
    ("isolates", "\u2066\u2067x\u2069"),
    ("marks", "a\u200eb\u200fc\u061cd"),
    ("breaks the line", "a\u2028b\u2029c"),
    ("is nothing", "a\u200b\ufeff\u00adb"),
    ("tags", "a\U000e0041\U000e007fb"),
    ("markup", "[bold red]<img src=x onerror=alert(1)>`x`"),
]


@pytest.mark.parametrize("name", [name for _, name in EVIL], ids=[what for what, _ in EVIL])
def test_names_do_no_harm_on_a_terminal(table, name):
    done = table.asking(
        "do",
        json.dumps(
            {
                "t": "SyncActor",
                "actor": "evil",
                "name": name,
                "side": "party",
                "numbers": {"values": [{"key": "agility", "value": 10}]},
            }
        ),
        token=table.gm,
    )
    assert done.code == 0, done
    assert done.records[1]["events"][0]["name"] == name
    rolled = table.asking(
        "roll", "--actor", "evil", "--check", "attribute", "attribute=agility", "tn=10", f"action={name}", token=table.gm
    )
    assert rolled.code == 0, rolled
    with following(table, token=table.gm) as text, following(table, "--json", token=table.gm) as records:
        text.wait(lambda: "caught up" in text.out)
        records.wait(lambda: "caughtUp" in records.out)
        for shown in (rolled.out, text.out, records.out, done.out):
            # The bridge's own pair around a name from right to left, which another test may have left in the log.
            unpaired = re.sub("\u2068([^\u2066-\u2069\n]*)\u2069", r"\1", shown)
            acting = {char for char in unpaired if char != "\n" and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs")}
            assert not acting, (acting, name)
    if "\u202e" in name:
        assert "gnp<U+202E>exe: gnp<U+202E>exe  " in rolled.out


def test_control_characters_are_refused_and_not_echoed(table):
    done = table.asking("do", '{"t": "SyncActor", "actor": "evil", "name": "a\\u001b[2Jb\\u009bx"}', token=table.gm)
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    rolled = table.asking("roll", "--actor", "kestrel", "--check", "attribute", "attribute=\x1b[2J", token=table.gm)
    assert rolled.code == 1
    assert "\x1b" not in rolled.out + rolled.err
    assert "\u202e" not in table.asking("roll", "--actor", "kestrel", "--check", "x\u202ey", token=table.gm).err


def test_a_name_from_right_to_left_keeps_to_itself(table):
    sheet = {
        "t": "SyncActor",
        "actor": "josef",
        "name": "يوسف",
        "side": "party",
        "numbers": {"values": [{"key": "agility", "value": 10}]},
    }
    assert table.asking("do", json.dumps(sheet), token=table.gm).code == 0
    rolled = table.asking("roll", "--actor", "josef", "--check", "attribute", "attribute=agility", "tn=10", token=table.gm)
    assert "\u2068يوسف\u2069: " in rolled.out


def test_an_empty_table_is_its_opening(tmp_path):
    with Serving(tmp_path / "d") as serving, following(serving, token=serving.token("Olga", "observer")) as tail:
        lines = tail.lines(3)
    assert "table opened: Our table (sage_d20)" in lines[0]
    assert lines[2] == "-- caught up at #2"
