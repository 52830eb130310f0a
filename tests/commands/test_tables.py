import json
import re
import time
from pathlib import Path

import pytest

from boonbridge.store.open import read_signing_key
from boonbridge.tables.identity import read_token
from tests.support import cli, toy_game
from tests.support.cli import Child, Serving, environment, inside

TOY = Path(toy_game.__file__)


def now():
    return time.time_ns() // 1_000_000


def refused(*words, **how):
    return cli.refused(*words, by=inside, **how)


@pytest.fixture(params=["with a server", "without a server"])
def folder(request, tmp_path):
    """A data folder with the table ``main``, whose server runs or does not."""
    if request.param == "without a server":
        assert inside("table", "new", "main", "--title", "Our table", "--data", tmp_path / "d").code == 0
        yield tmp_path / "d"
    else:
        with Serving(tmp_path / "d"):
            yield tmp_path / "d"


def listed(folder):
    return [(row["id"], row["ruleset"], row["title"]) for row in inside("table", "list", "--data", folder, "--json").records]


def test_new_tables_are_listed_oldest_first(folder):
    done = inside("table", "new", "lake", "--data", folder, "--ruleset", "group_d12", "--title", "The Bell under the Lake")
    assert (done.code, done.err) == (0, "")
    assert "boonbridge pair --table lake" in done.out
    assert inside("table", "new", "plain", "--data", folder).code == 0
    assert listed(folder) == [
        ("main", "sage_d20", "Our table"),
        ("lake", "group_d12", "The Bell under the Lake"),
        ("plain", "sage_d20", "plain"),
    ]
    text = inside("tables", "--data", folder).out.splitlines()
    assert text == inside("table", "list", "--data", folder).out.splitlines()
    shown = r"lake {21}group_d12 {14}1 commit +\d{4}-\d\d-\d\d \d\d:\d\d[+-]\d\d:\d\d  The Bell under the Lake"
    assert re.fullmatch(shown, text[1])
    lake = inside("tables", "--data", folder, "--json").records[1]
    assert lake["commits"] == 1, "its opening"
    assert 0 <= now() - lake["last"] < 60_000


def test_what_a_table_may_not_be(folder):
    assert refused("table", "new", "main", "--data", folder) == "There is a table 'main' already."
    assert refused("table", "new", "x", "--data", folder, "--ruleset", "chess").startswith(
        "There is no ruleset 'chess'. There is: "
    )
    for name in ("Lake", "a b", "-x" * 30, "", "ä", "a/b", "x" * 41):
        assert "small letters, digits and hyphens, at most 40" in refused("table", "new", "--data", folder, "--", name)
    for title in ("a\x1b[31mb", "a\nb", "", "x" * 81):
        assert refused("table", "new", "y", "--data", folder, f"--title={title}").startswith("--title takes 1 to 80 characters")
    assert listed(folder) == [("main", "sage_d20", "Our table")]


def test_a_table_for_a_game_in_a_file(tmp_path):
    assert inside("table", "new", "mine", "--data", tmp_path, "--ruleset", TOY).code == 0
    assert listed(tmp_path) == [("mine", "deep_mine", "mine")]
    with Serving(tmp_path, "--ruleset", TOY):
        assert inside("table", "new", "mine-2", "--data", tmp_path, "--ruleset", TOY).code == 0


def test_a_running_server_that_does_not_have_the_game(folder):
    done = inside("table", "new", "mine", "--data", folder, "--ruleset", TOY)
    if done.code:
        assert done.err.startswith("boonbridge: The running server says: There is no ruleset 'deep_mine'.")


def test_a_new_table_keeps_its_title_whatever_script_it_is_in(folder):
    assert inside("table", "new", "t", "--data", folder, "--title", "הפעמון 🎲\u202egnp.exe").code == 0
    assert listed(folder)[-1] == ("t", "sage_d20", "הפעמון 🎲\u202egnp.exe")
    assert "\u202e" not in inside("table", "list", "--data", folder).out


def test_a_table_is_called_something_else_and_deleted_by_its_name(folder, monkeypatch):
    assert inside("table", "new", "lake", "--data", folder, "--title", "The Lake").code == 0
    assert inside("rename", "lake", " The Bell ", "--data", folder).out == "Table lake is called The Bell now.\n"
    assert inside("table", "rename", "lake", "The Bell", "--data", folder).out.startswith("It is called so already")
    assert listed(folder)[1] == ("lake", "sage_d20", "The Bell")
    for title in ("a\x1b[31mb", "a\nb", " ", "x" * 81):
        assert refused("rename", "lake", title, "--data", folder) == "TITLE takes 1 to 80 characters, on one line."
    for command in (("rename", "tarn", "X"), ("delete", "tarn"), ("delete", "tarn", "--yes")):
        assert refused(*command, "--data", folder).startswith("There is no table 'tarn' in ")
    said = []
    for typed, code in (("Lake", 1), ("", 1), (EOFError, 1), ("lake", 0)):

        def answer(typed=typed):
            if typed is EOFError:
                raise EOFError
            return typed

        monkeypatch.setattr("builtins.input", answer)
        said.append(inside("delete", "lake", "--data", folder))
        assert said[-1].code == code, (typed, said[-1])
        assert [row[0] for row in listed(folder)] == ["main", "lake"][: 1 + code]
    assert "goes for good: 2 commits, 0 evenings, the names of 0 people, every key and code" in said[0].out
    # A server makes a backup as it starts, and may have come to it by now.
    assert "No backup in this folder holds it" in said[0].out or str(folder / "backups" / "daily-") in said[0].out
    assert said[0].err == "Type its name to delete it: boonbridge: Nothing was done.\n"
    assert "--yes does it without asking" in said[2].err
    assert said[3].out.endswith("Table lake is deleted.\n")
    assert inside("table", "new", "lake", "--data", folder, "--title", "Another").code == 0


@pytest.mark.long  # a server and somebody who follows it; over sockets it is shown each time
def test_what_is_deleted_is_counted_and_the_copies_that_keep_it_are_named(tmp_path):
    with (
        Serving(tmp_path / "d") as serving,
        Child("tail", "--url", serving.url, env=environment(BOONBRIDGE_TOKEN=serving.token())) as here,
    ):
        here.wait(lambda: "caught up" in here.out)
        looks_like_one = {"t": "SyncActor", "actor": "kestrel", "name": '{"t":"SessionStarted"'}
        for command in ({"t": "StartSession"}, looks_like_one):
            assert serving.asking("do", json.dumps(command), token=serving.token()).code == 0
        assert refused("delete", "main", "--data", tmp_path / "d") == (
            "Somebody is at table main now (1 connection). --yes deletes it all the same."
        )
        assert inside("backup", "--data", tmp_path / "d").code == 0
        (tmp_path / "d" / "backups" / "c.zip").write_bytes(b"no zip")
        done = inside("delete", "main", "--data", tmp_path / "d", "--yes")
        assert done.code == 0, done
        assert ": 4 commits, 1 evening, the names of 1 person, every key and code." in done.out
        assert "These hold it" in done.out
        kept = {path.name for path in (tmp_path / "d" / "backups").glob("*.zip")} - {"c.zip"}
        assert kept, "what was made just now, and that of the day, if it is done by now"
        named = {line.rpartition("/")[2] for line in done.out.splitlines() if line.endswith(".zip")}
        assert {path for path in kept if path.startswith("boonbridge-")} <= named <= kept
        here.wait(lambda: here.process.poll() is not None)
        assert "Ask the GM for a new link" in here.err
    assert listed(tmp_path / "d") == []


def test_a_table_whose_game_is_in_a_file(tmp_path):
    assert inside("table", "new", "mine", "--data", tmp_path, "--ruleset", TOY).code == 0
    assert refused("rename", "mine", "Deep", "--data", tmp_path) == (
        "Table mine plays deep_mine, which is not here. A game in a file: --ruleset FILE.py"
    )
    assert inside("rename", "mine", "Deep", "--data", tmp_path, "--ruleset", TOY).code == 0
    assert listed(tmp_path) == [("mine", "deep_mine", "Deep")]
    assert inside("delete", "mine", "--data", tmp_path, "--yes").code == 0


def test_an_empty_folder_has_no_tables_and_stays_empty(tmp_path):
    done = inside("table", "list", "--data", tmp_path / "d")
    assert done.code == 0
    assert "`boonbridge table new NAME --ruleset R`" in done.out
    assert inside("table", "list", "--data", tmp_path / "d", "--json").out == ""
    for command in (("pair",), ("token", "--user", "Gina")):
        assert "boonbridge serve" in refused(*command, "--data", tmp_path / "d")
    assert not (tmp_path / "d").exists()


def test_pair_prints_a_fresh_code_and_where_to_type_it(tmp_path):
    with Serving(tmp_path / "d") as serving:
        codes = set()
        for _ in range(2):
            done = inside("pair", "--data", tmp_path / "d")
            assert (done.code, done.err) == (0, "")
            codes.add(re.search(r"Pairing code (\S{4}-\S{4}) ", done.out)[1])
            assert f"Type it at {serving.http}" in done.out
        assert len(codes | {serving.ready["pairingCode"]}) == 3


def test_pair_finds_the_folder_in_the_environment(tmp_path):
    with Serving(tmp_path / "d"):
        assert inside("pair", env=environment(BOONBRIDGE_DATA=tmp_path / "d")).code == 0


def test_pair_needs_a_running_server(tmp_path):
    assert inside("table", "new", "main", "--data", tmp_path).code == 0
    assert refused("pair", "--data", tmp_path) == (
        f"No server is running on {tmp_path}. A code is good for ten minutes, so start `boonbridge serve` first."
    )


def test_pair_is_not_fooled_by_what_a_killed_server_left(tmp_path):
    with Serving(tmp_path / "d") as serving:
        serving.kill()
    assert (tmp_path / "d" / "admin.json").exists()
    assert refused("pair", "--data", tmp_path / "d").startswith("No server is running on ")
    assert inside("table", "new", "more", "--data", tmp_path / "d").code == 0


def test_which_table_has_to_be_said_where_there_are_several(folder):
    assert inside("table", "new", "lake", "--data", folder).code == 0
    assert refused("token", "--data", folder, "--user", "Gina") == "Which table? Say --table with one of: main, lake."
    assert (
        refused("token", "--data", folder, "--user", "Gina", "--table", "no")
        == f"There is no table 'no' in {folder}. There is: main, lake."
    )
    assert inside("token", "--data", folder, "--user", "Gina", "--table", "lake").code == 0


def test_a_token_says_who_and_is_good_for_thirty_days(folder):
    text = inside("token", "--data", folder, "--user", "  Gina ", "--role", "observer").out.strip()
    key = read_signing_key(folder)
    claims = read_token(key, text, now=now())
    assert (claims.name, claims.table, claims.role) == ("Gina", "main", "observer")
    assert (
        0 <= claims.expires - claims.issued - 30 * 24 * 3600 * 1000 < 1000
        or claims.expires - claims.issued <= 30 * 24 * 3600 * 1000
    )
    again = read_token(key, inside("token", "--data", folder, "--user", "GINA").out.strip(), now=now())
    assert (again.user, again.role) == (claims.user, "player")


def test_a_token_is_signed_without_writing_anything(tmp_path):
    with Serving(tmp_path / "d") as serving:
        assert serving.stop() == 0

    def contents():
        # SQLite makes and removes its own companions when it only reads.
        return {f: f.read_bytes() for f in (tmp_path / "d").rglob("*") if f.is_file() and not f.name.endswith(("-shm", "-wal"))}

    before = contents()
    assert inside("token", "--data", tmp_path / "d", "--user", "Gina", "--role", "gm").code == 0
    assert contents() == before


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "a\nb", "a\x1b[2Jb", "a\x00b".replace("\x00", "\x07")])
def test_names_that_are_none(folder, name):
    assert refused("token", "--data", folder, f"--user={name}") == "--user takes a name of 1 to 80 characters, on one line."


@pytest.mark.parametrize("name", ["Zoë", "يوسف", "👨‍👩‍👧", "O'Brien <b>", '"; DROP TABLE'])
def test_names_in_every_script(tmp_path, name):
    assert inside("table", "new", "main", "--data", tmp_path).code == 0
    text = inside("token", "--data", tmp_path, "--user", name).out.strip()
    assert read_token(read_signing_key(tmp_path), text, now=now()).name == name
