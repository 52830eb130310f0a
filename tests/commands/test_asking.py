import asyncio
import json
import os
import re
import subprocess
import time

import msgspec
import pytest
from websockets.asyncio.server import serve

from boonbridge.commands import arguments, asking
from boonbridge.net.client import new_id
from boonbridge.store.open import read_signing_key
from boonbridge.tables.identity import TOKEN_LIFE, new_token
from boonbridge_schemas.base import WIRE_VERSION
from tests.support.cli import BOONBRIDGE, Child, demo, environment, inside, refused
from tests.support.names import user_id

ROLL = '{"t": "RollCheck", "check": "attribute", "actors": ["kestrel"], "params": {"attribute": "agility", "tn": 12}}'
KESTREL = ("--actor", "kestrel", "--check", "attribute", "attribute=agility", "tn=12")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A demo with the party of ``sage_d20``; every test adds to its log."""
    with demo(tmp_path_factory.mktemp("asking") / "demo") as serving:
        yield serving


# --- do ---------------------------------------------------------------------------------------------------------
def test_do_prints_the_answer_and_the_commit(table):
    sent = new_id()
    done = table.asking("do", ROLL, "--id", sent, token=table.player)
    assert (done.code, done.err) == (0, "")
    ack, commit = done.records
    assert (ack["t"], ack["id"]) == ("ack", sent)
    assert (commit["t"], commit["seq"], commit["id"]) == ("logged", ack["seq"], sent)
    assert commit["events"][0]["t"] == "CheckRolled"
    assert commit["events"][0]["rolled"]["name"] == "Kestrel"


def test_do_twice_with_the_same_id_is_one_roll_with_one_answer(table):
    sent = new_id()
    first = table.asking("do", ROLL, "--id", sent, token=table.player)
    assert table.asking("do", ROLL, "--id", sent, token=table.player) == first
    other = table.asking("do", ROLL.replace("12", "13"), "--id", sent, token=table.player)
    assert other.code == 1
    assert [record["code"] for record in other.records] == ["command.id_taken"]


def test_do_that_is_refused_is_the_refusal_and_exit_1(table):
    done = table.asking("do", ROLL.replace("kestrel", "nobody"), token=table.player)
    assert done.code == 1
    (answer,) = done.records
    assert (answer["t"], answer["code"]) == ("refused", "actor.unknown")
    assert answer["message"].endswith(".")


def test_do_that_changes_nothing_has_no_commit(table):
    grant = '{"t": "SetOptions", "options": {"show_targets": false}}'
    assert [r["t"] for r in table.asking("do", grant, token=table.gm).records] == ["ack"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "{}", '{"t": "Nothing"}', ROLL.replace("actors", "actor"), "[" * 5_000, '"\\ud800"']
)
def test_do_with_what_is_no_command(text):
    done = inside("do", "--url", "ws://127.0.0.1:1", "--token", "x", "--", text)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("boonbridge: That is no command: ")
    assert done.err.count("\n") == 1


def test_the_example_in_that_sentence_is_a_command(table):
    assert table.asking("do", asking._EXAMPLE, token=table.player).code == 0


@pytest.mark.parametrize("bad", ["short", "x" * 41, "with space and more than 22"])
def test_do_with_what_is_no_id(bad):
    done = inside("do", ROLL, "--url", "ws://127.0.0.1:1", "--token", "x", "--id", bad)
    assert done.err.startswith(f"boonbridge: --id {bad!r} is no command id: 22 to 40 characters")


def test_do_with_a_command_that_is_too_large(table):
    long = json.dumps({**json.loads(ROLL), "params": {"attribute": "agility", "x": "y" * 20_000}})
    done = table.asking("do", long, token=table.player)
    assert done.code == 1
    assert "too large" in done.err
    assert "16384" in done.err


def test_do_for_an_invitation_prints_the_token_the_answer_and_the_commit(table):
    done = table.asking("do", '{"t": "Invite", "user": "jonas", "name": "Jonas", "role": "player"}', token=table.gm)
    assert done.code == 0, done
    minted, ack, commit = done.records
    assert [minted["t"], ack["t"], commit["t"]] == ["minted", "ack", "logged"]
    assert ack["seq"] == commit["seq"]
    assert table.asking("proof", "1", token=minted["token"]).code == 0


# --- roll -------------------------------------------------------------------------------------------------------
def test_one_roll_is_told_in_words(table):
    done = table.asking("roll", *KESTREL, "boon=high_ground", "action=Over the wall", token=table.player)
    assert (done.code, done.err) == (0, "")
    assert "Kestrel: Over the wall  d20:" in done.out
    assert " vs 12  " in done.out


def test_many_rolls_over_some_connections(table):
    done = table.asking("roll", *KESTREL, "--count", "40", "--clients", "5", token=table.player)
    assert done.code == 0, done
    assert done.out.startswith("40 rolled, 0 refused, 0 unanswered in ")


def test_rolls_as_json_are_their_answers(table):
    done = table.asking("roll", *KESTREL, "--count", "7", "--clients", "9", "--json", token=table.player)
    assert done.code == 0
    assert [record["t"] for record in done.records] == ["ack"] * 7
    assert len({record["seq"] for record in done.records}) == 7


def test_a_roll_that_is_refused(table):
    done = table.asking("roll", "--actor", "kestrel", "--check", "flying", token=table.player)
    assert (done.code, done.out) == (1, "")
    assert done.err == "boonbridge: There is no check 'flying'; there is attribute, attack, against, luck.\n"
    done = table.asking("roll", "--actor", "kestrel", "--check", "flying", "--count", "3", token=table.player)
    assert done.code == 1
    assert done.out.startswith("0 rolled, 3 refused, 0 unanswered in ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("skill",), "'skill' is not of the form key=value."),
        (("=3",), "'=3' is not of the form key=value."),
        (("spendBefore=x",), "spendBefore"),
        (("mode=loud",), "loud"),
        (("boon=",), "boon"),
    ],
)
def test_words_that_are_no_parameters(words, sentence):
    done = inside("roll", *KESTREL, *words, "--url", "ws://127.0.0.1:1", "--token", "x")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert sentence in done.err


@pytest.mark.parametrize("flag", ["--count", "--clients"])
def test_fewer_than_one_is_no_number_of_rolls(flag):
    done = inside("roll", *KESTREL, f"{flag}=0", "--url", "ws://127.0.0.1:1", "--token", "x")
    assert done.code == 2
    assert flag in done.err


def test_a_roll_says_what_changed_since_it_failed(table):
    done = table.asking("roll", *KESTREL, "action=Over the wall", "--changed", "A ladder", token=table.player)
    assert (done.code, done.err) == (0, "")
    assert "Kestrel: Over the wall (changed: A ladder)  d20:" in done.out


def test_dice_rolled_by_hand(table):
    refused = table.asking("roll", *KESTREL, "--faces", "14", token=table.player)
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == "boonbridge: This table does not take dice rolled by hand.\n"
    allowed = '{"t": "SetOptions", "options": {"manual_dice": true}}'
    assert table.asking("do", allowed, token=table.gm).code == 0
    done = table.asking("roll", *KESTREL, "--faces", "14,2", token=table.player)  # a Boon stands on Kestrel
    assert (done.code, done.err) == (0, "")
    assert "d20:14 d6:2 = " in done.out
    assert done.out.endswith(" (by hand)\n")
    done = table.asking("dice", "2d6+3", "--faces", "4, 3", token=table.player)
    assert done.out.endswith("  dice  2d6+3  d6:4 d6:3 = 10 (by hand)\n")
    done = table.asking("dice", "2d6+3", "--faces", "4", token=table.player)
    assert (done.code, done.err) == (1, "boonbridge: 1 faces were given for 2 dice.\n")


@pytest.mark.parametrize("given", ["", "x", "4 3", "4,,3", "4.5"])
def test_what_are_no_faces(given):
    for words in (("roll", *KESTREL), ("dice", "2d6")):
        sentence = refused(*words, f"--faces={given}", "--url", "ws://127.0.0.1:1", "--token", "x", by=inside)
        assert sentence == f"--faces takes whole numbers with commas between them, and {given!r} is something else."


def test_faces_are_those_of_one_roll():
    words = ("roll", *KESTREL, "--faces", "14", "--count", "2", "--url", "ws://127.0.0.1:1", "--token", "x")
    assert refused(*words, by=inside) == "--faces are the dice of one roll; with --count there are more."


# --- dice -------------------------------------------------------------------------------------------------------
def test_other_dice_are_told_in_words(table):
    done = table.asking("dice", "2d6+3", "--actor", "kestrel", "--label", "Boathook", "--damage", token=table.player)
    assert (done.code, done.err) == (0, "")
    (seen,) = re.findall(r"  Kestrel: Boathook  2d6\+3  d6:(\d) d6:(\d) = (\d+)\n", done.out)
    first, second, total = map(int, seen)
    assert first + second + 3 == total


def test_other_dice_as_json_are_their_answer_and_are_seen_by_whom_they_are_for(table):
    done = table.asking("dice", "d20", "--mode", "self", "--json", token=table.player)
    assert [record["t"] for record in done.records] == ["ack"]
    seq = str(done.records[0]["seq"])
    assert b'"DiceRolled"' in table.asking("proof", seq, token=table.player).out.replace("\\", "").encode()
    assert b'"DiceRolled"' not in table.asking("proof", seq, token=table.gm).out.replace("\\", "").encode()


def test_other_dice_that_are_refused(table):
    done = table.asking("dice", "2d6*2", token=table.player)
    assert (done.code, done.out) == (1, "")
    assert done.err == ("boonbridge: '2d6*2' is neither dice nor a whole number. Write it like 2d6+3, 4d6kh3 or 1d20-1d4.\n")
    assert inside("dice", "d6", "--mode", "loud", "--url", "ws://127.0.0.1:1", "--token", "x").code == 2
    for words in (("--label", "x" * 81), ("--actor", "no such id"), ("--label", "two\nlines")):
        assert refused("dice", "d6", *words, "--url", "ws://127.0.0.1:1", "--token", "x", by=inside)
    assert refused("dice", "d" * 81, "--url", "ws://127.0.0.1:1", "--token", "x", by=inside)


# --- proof ------------------------------------------------------------------------------------------------------
def test_a_proof_holds_and_a_commit_that_is_not_there_is_refused(table):
    done = table.asking("proof", "1", token=table.player)
    assert [r["t"] for r in done.records] == ["proven"]
    done = table.asking("proof", "99999", token=table.player)
    assert done.code == 1
    assert [r["t"] for r in done.records] == ["refused"]


# --- coming in --------------------------------------------------------------------------------------------------
EVERY = [("tail",), ("do", ROLL), ("proof", "1"), ("roll", *KESTREL), ("dice", "2d6+3")]


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[0])
def test_without_a_token(words):
    sentence = refused(*words, "--url", "ws://127.0.0.1:1", by=inside)
    assert sentence == "A token is needed: BOONBRIDGE_TOKEN, --token-file, or --token. `boonbridge token` prints one."


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[0])
def test_with_a_token_that_is_wrong(table, words):
    sentence = refused(*words, "--url", table.url, "--token", f"{table.player[:-4]}AAAA", by=inside)
    assert sentence.endswith("Where the bridge runs, `boonbridge token` prints a new one.")
    assert "not valid" in sentence
    assert table.player[:20] not in sentence


def signed(serving, **how):
    key, now = read_signing_key(serving.folder), time.time_ns() // 1_000_000
    told = {
        "user": user_id(serving.table, "Late"),
        "name": "Late",
        "table": serving.table,
        "role": "gm",
        "now": now,
        "jti": "x",
        **how,
    }
    return new_token(key, **told)[0]


def test_with_a_token_that_has_expired(table):
    old = signed(table, now=time.time_ns() // 1_000_000 - TOKEN_LIFE - 1_000)
    sentence = refused("tail", "--url", table.url, "--token", old, by=inside)
    assert sentence.startswith("The token has expired.")
    assert "`boonbridge token`" in sentence


def test_with_a_token_of_a_table_that_is_not_there(table):
    sentence = refused("tail", "--url", table.url, "--token", signed(table, table="elsewhere"), by=inside)
    assert "belongs to another table" in sentence


def test_a_token_from_a_file(table, tmp_path):
    (tmp_path / "token").write_text(f"{table.player}\n", encoding="utf-8")
    assert inside("proof", "1", "--url", table.url, "--token-file", tmp_path / "token").code == 0
    (tmp_path / "empty").touch()
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    words = ("proof", "1", "--url", table.url, "--token-file")
    assert refused(*words, tmp_path / "none", by=inside) == f"{tmp_path / 'none'} cannot be read: No such file or directory."
    assert refused(*words, tmp_path / "empty", by=inside).startswith("A token is needed: ")
    assert refused(*words, tmp_path / "bytes", by=inside) == f"{tmp_path / 'bytes'} holds no token."


@pytest.mark.parametrize("words", EVERY, ids=lambda words: words[0])
def test_a_bridge_that_is_not_there(monkeypatch, words):
    monkeypatch.setattr(asking, "PATIENCE", 0.3)
    sentence = refused(*words, "--url", "ws://127.0.0.1:1", "--token", "x", by=inside)
    assert sentence == "No bridge answers at ws://127.0.0.1:1/ws (connection refused). Is `boonbridge serve` running there?"


async def test_a_bridge_that_is_slow_to_answer_is_waited_for():
    async def slow(websocket):
        await websocket.recv()
        ready = asyncio.Event()
        asyncio.get_running_loop().call_later(0.6, ready.set)
        await ready.wait()
        await websocket.close(4401, "It read a long log, and then said no.")

    async with serve(slow, "127.0.0.1", 0, subprotocols=[WIRE_VERSION]) as server:
        client = asking.Client(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}/ws", "x", patience=0.1)
        with pytest.raises(asking.Denied, match="a long log"):
            await client.__aenter__()


def test_a_web_server_that_is_no_bridge(table, monkeypatch):
    monkeypatch.setattr(asking, "PATIENCE", 0.3)
    sentence = refused("tail", "--url", f"{table.http}elsewhere", "--token", "x", by=inside)
    assert sentence.startswith(f"At {table.url[:-3]}/elsewhere/ws is no bridge that speaks boonbridge.v1: ")


@pytest.mark.parametrize("url", ["", "x", "ws://", "ftp://a/", "http://a:b/", "http://a:99999", "http://[::1/"])
def test_what_is_no_address(url):
    sentence = refused("tail", f"--url={url}", "--token", "x", by=inside)
    assert sentence == f"{url!r} is no address; it begins with ws:// or http://, as `boonbridge serve` prints it."


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("http://127.0.0.1:30300/", "ws://127.0.0.1:30300/ws"),
        ("http://127.0.0.1:30300", "ws://127.0.0.1:30300/ws"),
        ("https://dice.example/table/", "wss://dice.example/table/ws"),
        ("ws://127.0.0.1:30300/ws", "ws://127.0.0.1:30300/ws"),
        ("wss://dice.example/ws/", "wss://dice.example/ws"),
        ("http://127.0.0.1:30300/#token=secret", "ws://127.0.0.1:30300/ws"),
        ("http://[::1]:30300/", "ws://[::1]:30300/ws"),
    ],
)
def test_every_address_that_is_printed_can_be_given(given, found):
    assert asking.websocket_url(given) == found


# --- when the bridge goes away ----------------------------------------------------------------------------------
@pytest.mark.long  # kills are tested each time in tests/crash
def test_rolls_over_a_kill_are_each_there_once_or_said_not_to_be(tmp_path):
    folder = tmp_path / "d"
    with demo(folder) as first:
        port, player = first.port, first.player
        words = ("roll", "--url", first.url, *KESTREL, "--count", "150", "--clients", "8", "--json")
        with Child(*words, env=environment(BOONBRIDGE_TOKEN=player)) as rolling:
            rolling.lines(30)
            first.kill()
            with demo(folder, port=port) as second:
                rolling.wait(lambda: rolling.process.poll() is not None, timeout=60)
                answers = [json.loads(line) for line in rolling.out.splitlines()]
                acked = [answer for answer in answers if answer["t"] == "ack"]
                assert len(acked) == 150, (rolling.err, [a for a in answers if a["t"] != "ack"])
                with Child("tail", "--url", second.url, "--json", env=environment(BOONBRIDGE_TOKEN=player)) as tail:
                    tail.wait(lambda: '"caughtUp"' in tail.out)
                    log = [json.loads(line) for line in tail.out.splitlines()][:-1]
                assert [commit["seq"] for commit in log] == list(range(1, len(log) + 1))
                ids = [commit.get("id") for commit in log]
                assert {answer["id"]: answer["seq"] for answer in acked} == {
                    i: ids.index(i) + 1 for i in ids if i in {a["id"] for a in acked}
                }
                assert len([i for i in ids if i in {a["id"] for a in acked}]) == 150
                # An old id gets its old answer.
                command = msgspec.json.encode(arguments.roll("kestrel", "attribute", KESTREL[4:])).decode()
                again = second.asking("do", command, "--id", acked[0]["id"], token=player)
                assert again.code == 0, again
                assert again.records[0]["seq"] == acked[0]["seq"]


def test_a_command_whose_answer_never_comes_says_how_to_ask_again(table, monkeypatch):
    class Gone(asking.Client):
        async def do(self, command, command_id=None):
            raise TimeoutError

    monkeypatch.setattr(asking, "Client", Gone)
    sent = new_id()
    done = table.asking("do", ROLL, "--id", sent, token=table.player)
    assert (done.code, done.out) == (1, ""), done
    assert done.err.endswith(f"Ask again with the same id: --id {sent}\n")


def test_a_reader_that_has_seen_enough(table):
    reading, writing = os.pipe()
    os.close(reading)
    words = (*BOONBRIDGE, "tail", "--url", table.url)
    done = subprocess.run(
        words, env=environment(BOONBRIDGE_TOKEN=table.player), stdout=writing, stderr=subprocess.PIPE, timeout=30, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")
