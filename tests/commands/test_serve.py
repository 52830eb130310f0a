import json
import re
import shutil
import signal
import socket
import stat
import urllib.request
from pathlib import Path

import pytest

from tests.support import toy_game
from tests.support.cli import Child, Serving, environment, inside, refused, run

TOY = Path(toy_game.__file__)
CODE = re.compile(r"[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}")


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def test_a_first_start_makes_a_folder_for_its_owner_alone_and_a_table(tmp_path):
    folder = tmp_path / "new" / "data"
    with Serving(folder) as serving:
        assert get(f"{serving.http}healthz") == b"alive\n"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        serving.wait(lambda: "backup made" in serving.err)  # until then there are files that go again
        assert {stat.S_IMODE(f.stat().st_mode) & 0o077 for f in folder.rglob("*")} == {0}
        (row,) = inside("table", "list", "--data", folder, "--json").records
        assert (row["id"], row["title"], row["ruleset"], row["commits"]) == ("main", "Our table", "sage_d20", 1)
        assert serving.stop() == 0


def test_ready_json_says_where_it_listens_and_how_to_come_in(tmp_path):
    with Serving(tmp_path / "d") as serving:
        assert list(serving.ready) == ["url", "http", "table", "pairingCode"]
        assert serving.port > 0
        assert serving.url == f"ws://127.0.0.1:{serving.port}/ws"
        assert serving.http == f"http://127.0.0.1:{serving.port}/"
        assert serving.table == "main"
        assert CODE.fullmatch(serving.ready["pairingCode"])
        assert stat.S_IMODE(serving._ready.stat().st_mode) == 0o600
        assert get(f"{serving.http}readyz") == b"ready\n"


def test_without_flags_it_is_the_platforms_folder_and_the_fixed_port(tmp_path):
    # On an address of this machine that no other test listens on, so that the fixed port is free.
    home = environment(HOME=tmp_path, XDG_DATA_HOME=tmp_path / "share", BOONBRIDGE_HOST="127.0.0.83")
    with Child("serve", env=home, cwd=tmp_path) as serving:
        serving.wait(lambda: "Boonbridge is ready." in serving.out)
        assert "http://127.0.0.83:30300/" in serving.out
        assert b"boonbridge" in get("http://127.0.0.83:30300/schema/v1.json").lower()
        assert serving.stop() == 0
    assert (tmp_path / "share" / "boonbridge" / "log.sqlite").exists()


def test_a_person_at_a_terminal_reads_the_next_step(tmp_path):
    with Serving(tmp_path / "d", terminal=True) as serving:
        serving.wait(lambda: "Next:" in serving.out)
        shown = serving.out
        assert serving.http in shown
        assert serving.url in shown
        assert serving.ready["pairingCode"] in shown
        assert "Next: open the table page and type the code." in shown
        assert not any(line.startswith("{") for line in shown.splitlines())
        assert serving.stop(signal.SIGINT) == 0
        assert "draining" in serving.out


def test_what_is_kept_in_a_file_holds_the_next_step_and_no_code(tmp_path):
    with Serving(tmp_path / "d") as serving:
        serving.wait(lambda: "Next:" in serving.out)
        assert f"Next: boonbridge pair --data {tmp_path / 'd'}" in serving.out
        assert not CODE.search(serving.out + serving.err)


def test_log_lines_are_json_where_there_is_no_terminal_and_hold_no_secret(tmp_path):
    folder = tmp_path / "d"
    with Serving(folder, "--log-level", "debug") as serving:
        code = inside("pair", "--data", folder).out
        token = serving.token()
        done = serving.asking("do", '{"t": "SyncActor", "actor": "a", "name": "A"}', token=token)
        assert done.code == 0, done
        assert serving.asking("tail", token=token + "x").code == 1
        assert serving.stop() == 0
        lines = [json.loads(line) for line in serving.err.splitlines()]
        assert [line["event"] for line in lines][-2:] == ["draining", "stopped"]
        assert {"event", "level", "timestamp"} <= set(lines[0])
        assert any(line["event"] == "joined" and line["role"] == "gm" for line in lines)
        secrets = [token, token.split(".")[2], CODE.search(code)[0], (folder / "node.key").read_text("utf-8").strip()]
        seeds = [seed for record in done.records for seed in record.get("seeds", {}).values()]
        assert seeds
        for secret in (*secrets, *seeds, serving.ready["pairingCode"]):
            assert secret not in serving.err
            assert secret not in serving.out


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_drains_at_a_signal_and_a_second_start_goes_on(tmp_path, how):
    folder = tmp_path / "d"
    with Serving(folder) as serving:
        token = serving.token()
        assert serving.asking("do", '{"t": "SyncActor", "actor": "a", "name": "A"}', token=token).code == 0
        assert serving.stop(how) == 0
    assert not (folder / "admin.json").exists()
    with Serving(folder) as again:
        with Child("tail", "--url", again.url, "--json", env=environment(BOONBRIDGE_TOKEN=token)) as tail:
            told = [json.loads(line) for line in tail.lines(4)]
        assert [line.get("seq") for line in told] == [1, 2, 3, None]
        assert told[2]["events"][0]["name"] == "A"


def test_once_a_gm_has_come_no_code_is_shown(tmp_path):
    folder = tmp_path / "d"
    with Serving(folder) as serving:
        assert serving.asking("proof", "1", token=serving.token()).code == 0
        assert serving.stop() == 0
    with Serving(folder, terminal=True) as again:
        again.wait(lambda: "boonbridge pair" in again.out)
        assert again.ready["pairingCode"] is None
        assert "A GM has paired." in again.out


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        sentence = refused("serve", "--data", tmp_path / "d", "--port", port)
    assert sentence.startswith(f"Port {port} on 127.0.0.1 is taken")
    assert "--port N" in sentence
    with Serving(tmp_path / "d") as serving:  # the folder was let go
        assert serving.stop() == 0


def test_a_port_by_number(tmp_path):
    port = free_port()
    with Serving(tmp_path / "d", port=port) as serving:
        assert serving.port == port


def test_an_address_that_is_not_ours(tmp_path):
    sentence = refused("serve", "--data", tmp_path / "d", "--port", 0, "--host", "192.0.2.1")
    assert sentence == "Cannot listen on 192.0.2.1, port 0: Cannot assign requested address. Others: --host and --port."
    assert refused("serve", "--data", tmp_path / "d", "--host", "nowhere.invalid").startswith(
        "Cannot listen on nowhere.invalid, port 30300: "
    )


def test_a_second_server_on_the_same_folder(tmp_path):
    with Serving(tmp_path / "d") as first:
        sentence = refused("serve", "--data", tmp_path / "d", "--port", 0)
        assert sentence == (
            f"Another Boonbridge server is using {tmp_path / 'd'}. Stop it first, or give this one a folder of its own with --data."
        )
        assert first.stop() == 0


def test_a_ruleset_that_is_not_there_leaves_no_folder_behind(tmp_path):
    sentence = refused("serve", "--data", tmp_path / "d", "--ruleset", "chess")
    assert sentence == (
        "There is no ruleset 'chess'. There is: rank_ability, public_d20, sage_d20, group_d12, or the path of a game's file (./game.py)."
    )
    assert (
        refused("serve", "--data", tmp_path / "d", "--ruleset", "./none.py", cwd=tmp_path) == "./none.py: there is no such file"
    )
    (tmp_path / "bad.py").write_text("import nothing_of_that_name\n", encoding="utf-8")
    assert "nothing_of_that_name" in refused("serve", "--data", tmp_path / "d", "--ruleset", tmp_path / "bad.py")
    assert not (tmp_path / "d").exists()


def test_a_game_from_a_file(tmp_path):
    folder, games = tmp_path / "d", tmp_path / "games"
    games.mkdir()
    shutil.copy(TOY, games)
    with Serving(folder, "--ruleset", f"./{TOY.name}", cwd=games) as serving:
        token = serving.token()
        hero = '{"t": "SyncActor", "actor": "ada", "name": "Ada", "side": "party", "numbers": {"values": [{"key": "back", "value": 1}]}}'
        assert serving.asking("do", hero, token=token).code == 0
        rolled = serving.asking("roll", "--actor", "ada", "--check", "descent", "load=5", token=token)
        assert rolled.code == 0, rolled
        assert "Ada: Descent" in rolled.out
        assert serving.stop() == 0
    # Without the file its table cannot be opened, and that is a sentence.
    done = run("serve", "--data", folder, "--port", 0)
    assert done.code == 1
    assert done.err.splitlines() == [
        "boonbridge: Table main cannot be opened: its game deep_mine is not here. A game in a file: --ruleset FILE.py",
        "boonbridge: No table in this folder can be opened.",
    ]
    assert inside("table", "new", "other", "--data", folder).code == 0
    with Serving(folder) as serving:
        assert serving.table == "other"
        assert "Table main cannot be opened" in serving.err
        lost = serving.asking("tail", token=serving.token(table="main"))
        assert (lost.code, lost.out) == (1, "")
        assert "deep_mine" in serving.err


def test_a_file_may_not_take_the_name_of_a_game_that_ships(tmp_path):
    text = TOY.read_text("utf-8").replace('id = "deep_mine"', 'id = "sage_d20"')
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    assert "there is one of that id already" in refused("serve", "--data", tmp_path / "d", "--ruleset", tmp_path / "mine.py")


def test_another_ruleset_than_the_tables_have_says_how_to_get_one(tmp_path):
    folder = tmp_path / "d"
    assert inside("table", "new", "first", "--data", folder).code == 0
    with Serving(folder, "--ruleset", "group_d12") as serving:
        serving.wait(lambda: "group_d12" in serving.err)
        assert "No table here plays group_d12 yet: boonbridge table new NAME --ruleset group_d12" in serving.err


def test_the_address_from_outside_is_what_people_are_told(tmp_path):
    with Serving(tmp_path / "d", "--public-url", "https://dice.example") as serving:
        assert serving.http == "https://dice.example/"
        assert serving.url == "wss://dice.example/ws"
        serving.wait(lambda: "Next:" in serving.out)
        assert "Table page   https://dice.example/\n" in serving.out


def test_a_server_for_the_whole_network_names_an_address_of_it(tmp_path):
    from boonbridge.running import local_hosts

    with Serving(tmp_path / "d", "--host", "0.0.0.0") as serving:
        serving.wait(lambda: "Next:" in serving.out)
        assert f"Table page   http://{local_hosts()[0]}:{serving.port}/\n" in serving.out
        assert get(f"http://{local_hosts()[0]}:{serving.port}/healthz") == b"alive\n"


def test_folders_that_cannot_be_used(tmp_path):
    (tmp_path / "file").touch()
    assert refused("serve", "--data", tmp_path / "file") == f"{tmp_path / 'file'} cannot be used as data folder: File exists."
    (tmp_path / "d").mkdir(mode=0o700)
    (tmp_path / "d" / "log.sqlite").write_bytes(b"no database, but long enough to be looked at" * 50)
    assert refused("serve", "--data", tmp_path / "d").startswith(f"{tmp_path / 'd' / 'log.sqlite'} cannot be opened: ")


def test_a_ready_file_that_cannot_be_written_stops_the_server(tmp_path):
    done = run("serve", "--data", tmp_path / "d", "--port", 0, "--ready-json", tmp_path / "none" / "r.json")
    assert (done.code, done.err.splitlines()[0]) == (
        1,
        f"boonbridge: {tmp_path / 'none' / 'r.json'} cannot be written: No such file or directory.",
    )


def test_a_node_secret_elsewhere(tmp_path):
    folder, secret = tmp_path / "d", tmp_path / "secret"
    assert str(secret) in refused("serve", "--data", folder, "--port", 0, "--secret-file", secret)
    with Serving(tmp_path / "other") as other:
        assert other.stop() == 0
    secret.write_bytes((tmp_path / "other" / "node.key").read_bytes())
    secret.chmod(0o600)
    with Serving(folder, "--secret-file", secret) as serving:
        assert not (folder / "node.key").exists()
        # The commands of the folder find it where the server finds it.
        found = environment(BOONBRIDGE_SECRET_FILE=secret)
        token = inside("token", "--data", folder, "--user", "Gina", "--role", "gm", env=found).out.strip()
        assert serving.asking("proof", "1", token=token).code == 0
