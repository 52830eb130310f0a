"""A table's log as a file: for whose eyes, what is in it, and what is said where there can be none."""

import asyncio
import errno
import json
import os
import re
import stat
from pathlib import Path

import apsw
import pytest

from boonbridge.core.ladder import rung
from boonbridge.reading.exported import lines_of, verify_file
from boonbridge.store.beside import open_beside
from boonbridge_schemas.base import PARTS
from tests.support import cli, toy_game
from tests.support.bridge import ROLES, ROLL, TABLE, playing
from tests.support.cli import Serving, inside, run
from tests.support.evening import GAMES
from tests.support.leaking import MODES, READERS, TOLD_OF
from tests.support.names import user_id

SHOWN = {
    "all": {"Gina", "Gwen", "Pia", "Quin", "Olga", "player", "observer", "gm"},
    "roller_gm": {"Gina", "Gwen", "gm"},
    "gm": {"Gina", "Gwen", "gm"},
    "roller": set(),
}
"""Who reads a part of a commit that he did not send (protocol section 4); its sender reads ``roller_gm`` and ``roller`` too."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder whose table has a roll in every mode by a player and by a GM, and somebody whose access was taken back."""
    place = tmp_path_factory.mktemp("export") / "data"

    async def play():
        async with playing("sage_d20", place, seeded=True) as bridge, bridge.everybody() as people:
            for roller in ("Pia", "Gina"):
                for mode in MODES:
                    ack = await people[roller].do({**ROLL["sage_d20"], "mode": mode, "action": f"{mode} by {roller}"})
                    assert ack["t"] == "ack"
            for name in ("Rex", "Eve"):
                who = {"user": bridge.user(name), "name": name, "role": "player", "device": "d"}
                await people["Gina"].do({"t": "Invite", **who})
            await people["Gina"].do({"t": "RevokeAccess", "user": bridge.user("Rex")})
            await people["Gina"].do({"t": "EraseName", "user": bridge.user("Eve")})

    asyncio.run(play())
    return place


def refused(*words, **how):
    return cli.refused("export", *words, by=inside, **how)


def exported(folder, *words, out):
    done = inside("export", "--data", folder, "--out", out, *words)
    assert (done.code, done.err) == (0, ""), done
    return [json.loads(line) for line in Path(out).read_bytes().splitlines()]


def texts(part):
    return json.loads(part["bytes"])["events"] if part.get("bytes") else []


def test_by_default_it_is_what_a_player_may_see_and_for_its_owner_alone(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = inside("export", "--data", folder)
    assert (done.code, done.err) == (0, "")
    path = tmp_path / f"{TABLE}-player.jsonl"
    lines = path.read_bytes().splitlines()
    assert done.out.startswith(f"{path.name}: {len(lines) - 3} commits of table {TABLE}, as a player may see it.")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]  # and no draft of it
    head = json.loads(lines[0])
    assert (head["t"], head["table"], head["ruleset"], head["viewer"]) == (
        "export",
        TABLE,
        "sage_d20",
        {"role": "player", "user": None},
    )
    assert refused("--data", folder) == f"{path.name} is there already. Say --force to write over it, or --out with another name."
    assert path.read_bytes().splitlines() == lines
    assert inside("export", "--data", folder, "--force").code == 0
    assert [json.loads(line)["t"] for line in lines[:2] + lines[-2:]] == ["export", "commit", "trailer", "end"]


@pytest.mark.parametrize("who", ["player", "observer", "gm", *ROLES])
def test_t34_each_part_is_shown_to_whom_protocol_section_4_says(folder, tmp_path, who):
    """Every viewer's file has every commit, holds as a log, and hides what its reader may not see."""
    lines = exported(folder, "--as", who, out=tmp_path / "x")
    with (tmp_path / "x").open("rb") as file:
        report = verify_file(lines_of(file), GAMES.get)
    assert (report.log.commits, report.head.viewer is not None) == (len(lines) - 3, True)
    told = set()
    whole = exported(folder, "--complete", out=tmp_path / "whole")
    for line, all_of_it in zip(lines[1:-2], whole[1:-2], strict=True):
        (sender,) = {json.loads(part["bytes"])["by"] for part in all_of_it["parts"].values() if part["bytes"]}
        for name in PARTS:
            part, mine = line["parts"][name], user_id(TABLE, who) == sender
            if who in SHOWN[name] or (mine and ROLES.get(who) != "observer" and name in ("roller_gm", "roller")):
                assert part == all_of_it["parts"][name]
                told |= {event["rolled"]["action"] for event in texts(part) if event["t"] == "CheckRolled"}
            else:
                assert (part["bytes"], part["salt"], part["seed"]) == (None, None, None)
    role = {"gm": "Gwen", "player": "Quin", "observer": "Olga"}.get(who, who)
    assert told == {f"{mode} by {roller}" for (mode, roller), readers in READERS.items() if role in readers}
    noted = {e["check"] for line in lines[1:-2] for part in line["parts"].values() for e in texts(part) if e["t"] == "CheckNoted"}
    assert bool(noted) == any(role in readers for readers in TOLD_OF.values()) or role in ("Gina", "Gwen")


async def _fixed(folder):
    """Every seed and salt that the table's key fixes, far beyond its head, and the key: hex to (commit, part)."""
    store = open_beside(folder)
    try:
        key = await store.vault.table_key(TABLE, 1)
        head, _ = await store.log.head(TABLE)
    finally:
        await store.aclose()
    fixed = {key.hex(): (0, "key")}
    for seq in range(1, head + 70):
        of = rung(key, TABLE, 1, seq)
        for part in PARTS:
            fixed[of.seeds[part].hex()] = fixed[of.salts[part].hex()] = (seq, part)
    return fixed, head


@pytest.mark.parametrize("who", ["player", "observer", "gm", *ROLES, None])
def test_t36_no_key_no_seed_to_come_and_none_of_a_part_that_its_reader_may_not_read(folder, tmp_path, who):
    fixed, head = asyncio.run(_fixed(folder))
    lines = exported(folder, *(("--as", who) if who else ("--complete",)), out=tmp_path / "x")
    told = {
        fixed[text]
        for text in re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", (tmp_path / "x").read_text())
        if text in fixed
    }
    read = {(line["seq"], name) for line in lines[1:-2] for name, part in line["parts"].items() if part["bytes"] is not None}
    assert told == read
    assert max(seq for seq, _ in told) == head
    assert len(read) < 4 * head or who is None


def test_a_complete_export_has_every_part_of_every_commit(folder, tmp_path):
    head, *commits, trailer, _ = exported(folder, "--complete", out=tmp_path / "x")
    assert head["viewer"] is None
    assert all(part["seed"] and part["salt"] and part["bytes"] is not None for c in commits for part in c["parts"].values())
    assert [c["seq"] for c in commits] == list(range(1, trailer["count"] + 1))
    said = {
        event["rolled"]["action"] for c in commits for part in c["parts"].values() for event in texts(part) if "rolled" in event
    }
    assert said == {f"{mode} by {roller}" for mode, roller in READERS}
    assert "either --complete or --as" in refused("--complete", "--as", "gm", "--data", folder)


def test_what_people_are_called_stands_in_the_head_unless_it_was_erased_or_is_not_wanted(folder, tmp_path):
    for words in ((), ("--complete",)):
        names = exported(folder, *words, out=tmp_path / f"with-{len(words)}")[0]["names"]
        assert sorted(names.values()) == sorted([*ROLES, "Rex"])
        assert exported(folder, *words, "--without-names", out=tmp_path / f"without-{len(words)}")[0]["names"] == {}
        for name in (*ROLES, "Rex", "Eve"):
            assert name.encode() not in (tmp_path / f"without-{len(words)}").read_bytes().replace(b" by " + name.encode(), b"")


def test_whose_eyes_there_are(folder, tmp_path):
    assert refused("--data", folder, "--as", "Nobody").startswith("There is nobody called 'Nobody' at this table.")
    assert refused("--data", folder, "--as", "").startswith("There is nobody called '' at this table.")
    assert "his access was taken back" in refused("--data", folder, "--as", "Rex")
    by_id = exported(folder, "--as", user_id(TABLE, "Pia"), out=tmp_path / "by-id")
    by_name = exported(folder, "--as", "pia ", out=tmp_path / "by-name")
    assert by_id[0]["viewer"] == {"role": "player", "user": user_id(TABLE, "Pia")}
    assert by_id[1:-2] == by_name[1:-2]


def test_it_goes_to_standard_output_for_programs(folder):
    done = run("export", "--data", folder, "--out", "-")
    assert (done.code, done.err) == (0, "")
    assert [line["t"] for line in done.records[-2:]] == ["trailer", "end"]
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        process = cli.subprocess.run(
            [*cli.BOONBRIDGE, "export", "--data", str(folder), "--out", "-"],
            env=cli.environment(),
            stdout=full,
            stderr=cli.subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    assert (process.returncode, process.stderr) == (
        1,
        "boonbridge: Standard output cannot be written: No space left on device.\n",
    )


def test_beside_a_running_server_it_is_the_log_up_to_now(tmp_path):
    with Serving(tmp_path / "d") as server:
        before = exported(tmp_path / "d", out=tmp_path / "1")
        gm = server.token()
        assert server.asking("do", '{"t": "StartSession"}', token=gm).code == 0
        after = exported(tmp_path / "d", out=tmp_path / "2")
        assert after[1 : len(before) - 2] == before[1:-2]
        assert any(event["t"] == "SessionStarted" for event in texts(after[-3]["parts"]["all"]))


def test_where_it_cannot_be_written_nothing_is_left(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert (
        refused("--data", folder, "--out", "no/such/folder/x") == "no/such/folder/x cannot be written: No such file or directory."
    )
    assert refused("--data", folder, "--out", tmp_path).endswith("is a folder. Say --out with the name of a file.")
    os.mkfifo(pipe := tmp_path / "pipe")
    assert "is no file, and is not replaced by one" in refused("--data", folder, "--out", pipe, "--force")
    assert pipe.is_fifo()
    pipe.unlink()

    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert refused("--data", folder, "--out", "x") == "x cannot be written: No space left on device."
    assert not list(tmp_path.iterdir())


def test_a_folder_without_a_log_says_so(tmp_path):
    assert refused("--data", tmp_path).startswith(f"There is no table in {tmp_path} yet.")


def test_a_game_that_is_not_here_is_asked_for(tmp_path):
    toy = Path(toy_game.__file__)
    assert inside("table", "new", "mine", "--ruleset", toy, "--data", tmp_path / "d").code == 0
    assert refused("--data", tmp_path / "d") == (
        "Table 'mine' plays deep_mine, which is not here. A game in a file: --ruleset FILE.py"
    )
    assert exported(tmp_path / "d", "--ruleset", toy, out=tmp_path / "x")[0]["ruleset"] == "deep_mine"


def test_a_damaged_database_is_named_and_no_file_is_written(folder, tmp_path):
    data = tmp_path / "d"
    cli.shutil.copytree(folder, data)
    path = data / "log.sqlite"
    raw = path.read_bytes()
    path.write_bytes(raw[:4096] + bytes(x ^ 0xFF for x in raw[4096:]))  # all pages but the first
    said = refused("--data", data, "--out", tmp_path / "x")
    assert str(path) in said
    assert "boonbridge restore" in said
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("column", ["part_gm", "hash", "header"])
def test_a_damaged_commit_is_named_and_no_file_is_written(folder, tmp_path, column):
    data = tmp_path / "d"
    cli.shutil.copytree(folder, data)
    database = apsw.Connection(str(data / "log.sqlite"))
    rows = database.execute(f"SELECT seq, {column} FROM commits WHERE length({column}) > 0 ORDER BY seq DESC LIMIT 1")
    ((seq, raw),) = rows.fetchall()
    at = raw.rindex(b"2") if column == "header" else len(raw) // 2
    raw = raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :]
    database.execute(f"UPDATE commits SET {column} = ? WHERE seq = ?", (raw, seq))
    database.close()
    assert f"commit {seq} " in refused("--data", data, "--out", tmp_path / "x")
    assert not (tmp_path / "x").exists()
