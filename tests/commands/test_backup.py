"""Backups from the command line: made beside a server, put back without one, and said before anything is done."""

import json
import re
import stat
import urllib.request

import apsw
import pytest

from boonbridge.store.open import read_signing_key
from boonbridge.tables.identity import user_id
from tests.support import cli
from tests.support.cli import Child, Serving, environment, inside, run
from tests.support.damage import overwrite
from tests.support.full import small_disk
from tests.support.tree import tree

SYNC = '{"t": "SyncActor", "actor": "%s", "name": "A"}'
TIME = r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ"


def refused(*words, **how):
    return cli.refused(*words, by=inside, **how)


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.read().decode()


@pytest.fixture
def folder(tmp_path):
    """A data folder without a server, with the table ``main``."""
    assert inside("table", "new", "main", "--title", "Our table", "--data", tmp_path / "d").code == 0
    return tmp_path / "d"


def made(folder, *words):
    done = inside("backup", "--data", folder, *words)
    assert (done.code, done.err) == (0, ""), done
    return done


def test_an_evening_is_backed_up_beside_its_server_and_comes_back(tmp_path):
    folder = tmp_path / "d"
    with Serving(folder) as serving:
        gina = serving.token()
        for actor in ("a", "b"):
            assert serving.asking("do", SYNC % actor, token=gina).code == 0
        done = made(folder, "--out", tmp_path)
        (file,) = tmp_path.glob("boonbridge-*.zip")
        assert re.fullmatch(rf"boonbridge-{TIME}\.zip", file.name)
        assert done.out.startswith(f"{file}: ")
        assert "treat it like a password" in done.out
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert "Stop it first" in refused("restore", file, "--yes", "--data", folder)
        assert serving.asking("do", SYNC % "d", token=gina).code == 0
        serving.wait(lambda: list((folder / "backups").glob("daily-*.zip")))  # by itself, at its first start of the day
        assert get(f"{serving.http}readyz") == "ready\n"
        serving.wait(
            lambda: re.search(r"^boonbridge_backup_timestamp_seconds 1\.\d+e\+09$", get(f"{serving.http}metrics"), re.MULTILINE)
        )
        assert serving.stop() == 0
    assert sorted(path.name for path in folder.iterdir() if "sqlite-" not in path.name) == [
        "backups",
        "heads",
        "lock",
        "log.sqlite",
        "node.key",
    ]
    before = tree(folder)
    done = run("restore", file, "--data", folder)
    assert done.code == 1
    assert done.err.endswith("Nobody answers here. --yes does it without asking.\n")
    assert {**before, "log.sqlite-shm": 0, "log.sqlite-wal": 0} == {**tree(folder), "log.sqlite-shm": 0, "log.sqlite-wal": 0}
    done = inside("restore", file, "--yes", "--data", folder)
    assert (done.code, done.err) == (0, "")
    assert re.search(r"main  Our table: \d+ commits; the last 1 go\n", done.out)
    aside = re.search(rf"What was there lies in (.*/before-restore-{TIME})\. To go back", done.out)[1]
    assert "What is there now is moved aside, and not deleted.\n" in done.out
    with (
        Serving(folder) as serving,
        Child("tail", "--url", serving.url, "--json", env=environment(BOONBRIDGE_TOKEN=gina)) as tail,
    ):
        tail.wait(lambda: '"caughtUp"' in tail.out)
        lines = [json.loads(line) for line in tail.out.splitlines()]
        events = [event for line in lines for event in line.get("events", ())]
        assert [event["actor"] for event in events if event["t"] == "ActorSynced"][:2] == ["a", "b"]
        assert "d" not in [event.get("actor") for event in events]
        assert [(event["epoch"], event["reason"]) for event in events if event["t"] == "LadderRestarted"] == [(2, "restored")]
        assert serving.stop() == 0
        assert "others may look into this folder" not in serving.err
        assert (tmp_path / "d" / aside.rpartition("/")[2] / "log.sqlite").exists()


@pytest.mark.long
def test_a_log_from_elsewhere_can_still_be_proven_after_two_restores(folder, tmp_path):
    assert inside("export", "--complete", "--out", tmp_path / "x.jsonl", "--data", folder).code == 0
    assert inside("import", tmp_path / "x.jsonl", "--table", "copy", "--data", folder).code == 0
    made(folder, "--out", tmp_path / "b.zip")
    for life in (1, 2):
        with Serving(folder) as serving:
            gina = serving.token(table="copy")
            assert serving.asking("do", SYNC % "a", token=gina).code == 0
            (proven,) = serving.asking("proof", 1, token=gina).records
            assert proven["parts"]["all"]["seed"]
            assert serving.stop() == 0
        done = inside("verify", "--data", folder)
        assert (done.code, done.err) == (0, ""), (life, done)
        assert inside("restore", tmp_path / "b.zip", "--yes", "--data", folder).code == 0


@pytest.mark.long
def test_what_comes_back_is_said_by_name(tmp_path):
    folder = tmp_path / "d"
    with Serving(folder) as serving:
        gina = serving.token()
        assert serving.asking("do", SYNC % "a", token=gina).code == 0
        for name in ("Finn", "Mia Rosenau", "Zoe"):
            assert serving.asking("tail", token=serving.token(name, "player"), by=_first_line).code == 0
        made(folder, "--out", tmp_path / "b.zip")
        for word, name in (("revoke", "Finn"), ("revoke", "Zoe"), ("erase", "Mia Rosenau")):
            assert inside("people", word, name, "--data", folder, "--yes").code == 0
        zoe = user_id(read_signing_key(folder), "main", "Zoe")
        assert serving.asking("do", json.dumps({"t": "Invite", "user": zoe, "name": "Zoe"}), token=gina).code == 0
        assert serving.stop() == 0
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", folder)
    assert done.code == 0, done
    told = done.out.partition("This comes back with it, and has to be done again:\n")[2].splitlines()
    assert told[:2] == [
        "  main: access that was taken back since: Finn",
        "  main: names that were erased since: Mia Rosenau",
    ]


def _first_line(*words, env):
    with Child(*words, env=env) as child:
        child.lines(1)
    return cli.Done(0, "", "")


def test_another_table_another_log_and_a_lost_one_are_said(folder, tmp_path):
    made(folder, "--out", tmp_path / "b.zip")
    assert inside("table", "new", "lake", "--data", folder).code == 0
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", folder)
    assert "  lake  lake: 1 commit; all of it goes, since it is not in the backup\n" in done.out
    assert "  main  Our table: 1 commit; none of it goes\n" in done.out
    assert inside("table", "new", "main", "--data", tmp_path / "other").code == 0
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", tmp_path / "other")
    assert "  main  main: 1 commit; all of it goes, since that of the backup is another log\n" in done.out
    db = apsw.Connection(str(folder / "log.sqlite"))
    db.execute('UPDATE commits SET seq = 2, command_id = \'x\', part_all = CAST(\'{"events": [{"t": "Invited"}]}\' AS BLOB)')
    db.execute("INSERT INTO commits SELECT table_id, 1, 'y', by, header, part_all, x'', x'', x'', hash FROM commits")
    db.close()
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", folder)
    assert (done.code, done.err) == (0, "")
    assert "  main  Our table: 2 commits; it cannot be read what goes of it, and what comes back\n" in done.out
    (folder / "log.sqlite").write_bytes(b"\xee" * 9_000)
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", folder)
    assert (done.code, done.err) == (0, "")
    assert "cannot be read, so it is not known what goes" in done.out
    assert [row["id"] for row in inside("table", "list", "--data", folder, "--json").records] == ["main"]


def test_refusals_are_one_sentence_and_change_nothing(folder, tmp_path):
    made(folder, "--out", tmp_path / "b.zip")
    before = tree(folder)
    (tmp_path / "cut.zip").write_bytes((tmp_path / "b.zip").read_bytes()[:-40])
    assert "is there already" in refused("backup", "--data", folder, "--out", tmp_path / "b.zip")
    assert "nothing to back up" in refused("backup", "--data", tmp_path / "none")
    assert "is no backup of Boonbridge, or it was cut off" in refused("restore", tmp_path / "cut.zip", "--yes", "--data", folder)
    assert "No such file" in refused("restore", tmp_path / "none.zip", "--yes", "--data", folder)
    assert "without its node secret" in refused("restore", _without_secret(folder, tmp_path), "--yes", "--data", folder)
    assert {**before, "log.sqlite-shm": 0, "log.sqlite-wal": 0} == {**tree(folder), "log.sqlite-shm": 0, "log.sqlite-wal": 0}
    assert not (tmp_path / "none").exists()


def _without_secret(folder, tmp_path):
    secret = tmp_path / "kept.key"
    secret.write_bytes((folder / "node.key").read_bytes())
    done = made(folder, "--secret-file", secret, "--out", tmp_path / "without.zip")
    assert f"The node secret is not in it, since it lies elsewhere ({secret})" in done.out
    return tmp_path / "without.zip"


def test_a_backup_that_fails_by_itself_is_seen_from_outside(tmp_path):
    folder = tmp_path / "d"
    folder.mkdir(mode=0o700)
    (folder / "backups").write_text("no folder")
    with Serving(folder) as serving:
        serving.wait(lambda: "the daily backup failed" in serving.err)
        serving.wait(lambda: "boonbridge_backup_failing 1.0" in get(f"{serving.http}metrics"))
        assert get(f"{serving.http}readyz") == "ready\nThe last daily backup failed; the log says why.\n"
        assert serving.stop() == 0


@pytest.mark.parametrize("what", [pytest.param("the first page", marks=pytest.mark.long), "tables"])
def test_nothing_comes_from_a_damaged_folder(folder, tmp_path, what):
    if what == "tables":
        overwrite(folder / "log.sqlite", "tables")
    else:
        with (folder / "log.sqlite").open("r+b") as file:
            file.seek(100)
            file.write(b"\xee" * 3_000)
    said = cli.refused("serve", "--data", folder, "--port", 0)
    assert "log.sqlite" in said
    assert "boonbridge restore FILE" in said
    for words in (("backup",), ("tables",), ("export", "--out", tmp_path / "x.jsonl"), ("rename", "main", "x")):
        assert "log.sqlite" in refused(*words, "--data", folder)
    assert "log.sqlite" in cli.refused("table", "new", "lake", "--data", folder)
    for words in (("delete", "main", "--yes"), ("verify",)):
        done = inside(*words, "--data", folder)
        assert (done.code, "log.sqlite" in done.err) == (1, True)
    assert not (tmp_path / "x.jsonl").exists()


@pytest.mark.long
def test_a_disk_without_room_for_a_table_is_said(tmp_path):
    for size in ("60k", "100k"):  # in the middle of the database, and behind it
        with small_disk(tmp_path / size, size) as small:
            assert "full" in cli.refused("serve", "--data", small / "d", "--port", 0)


def test_a_database_of_before_can_be_backed_up_before_it_is_changed(folder, tmp_path):
    db = apsw.Connection(str(folder / "log.sqlite"))
    db.execute("DROP TABLE snapshots; DROP TABLE rungs; ALTER TABLE tables DROP COLUMN restart; PRAGMA user_version = 3")
    db.close()
    made(folder, "--out", tmp_path / "b.zip")
    done = inside("restore", tmp_path / "b.zip", "--yes", "--data", folder)
    assert done.code == 0, done
    with Serving(folder) as serving:
        assert serving.table == "main"
