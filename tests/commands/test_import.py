"""A complete export becomes a table: beside a running server or without one, all of it or nothing."""

import asyncio
import contextlib
import hashlib
import json
import re
from pathlib import Path

import apsw
import pytest

from boonbridge.reading.exported import lines_of
from boonbridge.rulesets import registry
from boonbridge.store.open import open_store
from boonbridge.tables.importing import ImportRefused, Taking
from boonbridge.tables.ports import TableRow
from tests.support import cli, toy_game
from tests.support.bridge import ROLES, ROLL, playing, serving
from tests.support.cli import Serving, inside

NOTHING = "Nothing was imported."
WAYS = ("with a server", "without a server")


@pytest.fixture(scope="module")
def exports(tmp_path_factory):
    """Files of one table (``complete``, ``player``, ``gm``) and of another one (``other``)."""
    place = tmp_path_factory.mktemp("exports")

    async def play(folder, word):
        async with playing("sage_d20", folder, seeded=True) as bridge, bridge.everybody() as people:
            for mode in ("public", "gm", "secret", "self", "public"):
                assert (await people["Gina"].do({**ROLL["sage_d20"], "mode": mode, "action": word}))["t"] == "ack"

    for name in ("data", "other-data"):
        asyncio.run(play(place / name, name))
    for name, data, words in (
        ("complete", "data", ["--complete"]),
        ("nameless", "data", ["--complete", "--without-names"]),
        ("player", "data", []),
        ("gm", "data", ["--as", "gm"]),
        ("other", "other-data", ["--complete"]),
    ):
        assert inside("export", "--data", place / data, "--out", place / name, *words).code == 0
    return place


@pytest.fixture
def folder(tmp_path):
    """A data folder with a table of its own."""
    assert inside("table", "new", "main", "--data", tmp_path / "d").code == 0
    return tmp_path / "d"


def contents(folder):
    """All that the database holds: unchanged means that nothing was stored."""
    database = apsw.Connection(str(folder / "log.sqlite"), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        names = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {name: database.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    finally:
        database.close()


def refused(folder, file, *words, table="taken"):
    """The sentence; the folder is as it was."""
    before = contents(folder)
    said = cli.refused("import", file, "--data", folder, "--table", table, *words, by=inside)
    assert contents(folder) == before
    return said


def resealed(lines):
    """Lines whose last one is right again: as whoever changes a file on purpose would leave it."""
    body = b"".join(lines[:-1])
    return body + json.dumps({"t": "end", "sha256": hashlib.sha256(body).hexdigest()}).encode() + b"\n"


# --- what comes of it -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", WAYS)
def test_it_becomes_a_table_under_the_name_one_gives_it(exports, folder, tmp_path, way):
    count = (exports / "complete").read_bytes().count(b"\n") - 3
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(Serving(folder)) if way == WAYS[0] else None
        done = inside("import", exports / "complete", "--data", folder, "--table", "taken", "--title", "The Old Lake")
        assert (done.code, done.err) == (0, ""), done
        assert done.out.startswith(str(exports / "complete")), done
        assert f"verified, {count} commits; they are table taken now. A new epoch of seeds has begun there." in done.out
        assert all(name in done.out for name in ROLES)
        rows = inside("table", "list", "--data", folder, "--json").records
        assert [(row["id"], row["title"]) for row in rows] == [("main", "main"), ("taken", "The Old Lake")]
        if server is not None:
            gina = server.token("Gina", table="taken")
            assert server.asking("do", '{"t": "StartSession"}', token=gina).code == 0
    assert inside("verify", "--data", folder).code == 0
    again = inside("export", "--complete", "--data", folder, "--table", "taken", "--out", tmp_path / "again")
    assert again.code == 0
    first, second = ((p).read_bytes().splitlines()[1:-2] for p in (exports / "complete", tmp_path / "again"))
    assert second[: len(first)] == first
    events = [json.loads(json.loads(line)["parts"]["all"]["bytes"])["events"] for line in second[len(first) :]]
    assert [[event["t"] for event in each] for each in events][:2] == [["LadderRestarted"], ["TableRenamed"]]
    assert (events[0][0]["epoch"], events[0][0]["reason"]) == (2, "imported")
    assert "There is a table 'taken' already" in refused(folder, exports / "complete")


def test_an_empty_folder_is_made_for_it_and_serves_it(exports, tmp_path):
    assert inside("import", exports / "nameless", "--data", tmp_path / "new", "--table", "taken").code == 0
    with Serving(tmp_path / "new") as server:
        assert server.table == "taken"
        assert server.asking("do", '{"t": "StartSession"}', token=server.token()).code == 0
    assert inside("verify", "--data", tmp_path / "new").code == 0


def test_rules_that_are_not_here_any_more_are_said_and_are_no_hindrance(exports, folder, tmp_path, monkeypatch):
    count = (exports / "complete").read_bytes().count(b"\n") - 3
    rules = type(registry.shipped()["sage_d20"])
    old = rules.version
    monkeypatch.setattr(rules, "version", old + 1)
    done = inside("import", exports / "complete", "--data", folder, "--table", "taken")
    assert (done.code, done.err) == (0, "")
    assert (
        f"The rules sage_d20 version {old} are not here any more, so commits 1 to {count} were taken over without being decided again."
        in done.out.splitlines()
    )
    assert inside("export", "--complete", "--data", folder, "--table", "taken", "--out", tmp_path / "x").code == 0
    *before, seam = [
        json.loads(json.loads(line)["header"])["version"] for line in (tmp_path / "x").read_bytes().splitlines()[1:-2]
    ]
    assert (set(before), seam) == ({old}, old + 1)


# --- what is not taken ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["player", "gm"])
def test_what_was_made_for_somebodys_eyes_is_not(exports, folder, name):
    said = refused(folder, exports / name)
    assert f"it was made for the eyes of a {name}." in said.replace("a GM", "a gm")
    assert said.endswith("Only what `boonbridge export --complete` wrote can be imported.")


def test_a_viewers_export_that_calls_itself_complete_is_not(exports, folder, tmp_path):
    lines = (exports / "gm").read_bytes().splitlines(keepends=True)
    head = json.loads(lines[0])
    (tmp_path / "x").write_bytes(resealed([json.dumps({**head, "viewer": None}).encode() + b"\n", *lines[1:]]))
    assert "is not shown, and the head says that the export is complete" in refused(folder, tmp_path / "x")


def cut_at(place):
    return lambda lines, _other: b"".join(lines)[: int(len(b"".join(lines)) * place)]


def flipped(number, at=0.5):
    """A byte of a line is another; its end is as it was."""

    def change(lines, _other):
        line = lines[number]
        place = int(len(line) * at)
        changed = [*lines]
        changed[number] = line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]
        return b"".join(changed)

    return change


def put(number, **what):
    """A line says something else, and the end was made anew."""

    def change(lines, _other):
        line = json.dumps({**json.loads(lines[number]), **what}).encode() + b"\n"
        return resealed([*lines[:number], line, *lines[number + 1 :]])

    return change


def with_another_checksum(lines, _other):
    sha256 = json.loads(lines[-1])["sha256"]
    return b"".join(
        [*lines[:-1], lines[-1].replace(sha256.encode(), (sha256[:-1] + ("1" if sha256[-1] == "0" else "0")).encode())]
    )


def header_of_a_newer_version(lines, _other):
    line = json.loads(lines[4])
    line["header"] = line["header"].replace('"format":1', '"format":2')
    return resealed([*lines[:4], json.dumps(line).encode() + b"\n", *lines[5:]])


def without_its_last_commit(lines, _other):
    trailer = {**json.loads(lines[-2]), "count": len(lines) - 4, "hash": json.loads(lines[-4])["hash"]}
    return resealed([*lines[:-3], json.dumps(trailer).encode() + b"\n", lines[-1]])


BAD = {
    "nothing": (lambda _lines, _other: b"", "cut off"),
    "another file": (lambda _lines, _other: b"once upon a time\n", "is not the head of an export"),
    "cut off in the head": (cut_at(0.005), "cut off"),
    "cut off in the middle": (cut_at(0.5), "cut off"),
    "cut off in the end": (cut_at(0.9999), "cut off|is not the end"),
    "one byte of a commit": (flipped(7), r"commit 7|damaged"),
    "one byte of the last": (with_another_checksum, "is another"),
    "one byte of the trailer": (flipped(-2, 0.9), "is another|trailer|damaged"),
    "a commit of another file": (lambda a, b: resealed([*a[:9], b[9], *a[10:]]), "commit 9"),
    "the other's second half": (lambda a, b: resealed([*a[:8], *b[8:]]), "commit 8"),
    "two whole files": (lambda a, b: b"".join(a + b), "goes on after its end"),
    "one commit less": (lambda a, _b: resealed([*a[:6], *a[7:]]), "commit 6: it is missing"),
    "one commit twice": (lambda a, _b: resealed([*a[:7], *a[6:]]), "commit 6: it comes again"),
    "two swapped": (lambda a, _b: resealed([*a[:6], a[7], a[6], *a[8:]]), "commit 6: it is missing"),
    "a newer file": (put(0, format=2), "a newer Boonbridge wrote it .*: update"),
    "a newer log": (header_of_a_newer_version, "commit 4: it was written by a newer Boonbridge .*: update"),
    "another table in the head": (put(0, table="elsewhere"), "its head says table elsewhere"),
    "another game in the head": (put(0, ruleset="group_d12"), "its head says"),
    "a line that is no line": (lambda a, _b: resealed([*a[:5], b"{}\n", *a[5:]]), "is damaged"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_does_not_hold_is_not_taken(exports, folder, tmp_path, what):
    change, sentence = BAD[what]
    lines, other = ((exports / name).read_bytes().splitlines(keepends=True) for name in ("complete", "other"))
    (tmp_path / "x").write_bytes(change(lines, other))
    said = refused(folder, tmp_path / "x")
    assert said.startswith(f"{tmp_path / 'x'}: ")
    assert re.search(sentence, said), said


def test_names_titles_and_games_that_cannot_be(exports, folder, tmp_path):
    good = exports / "complete"
    assert "There is a table 'main' already" in refused(folder, good, table="main")
    for table in ("Lake", "a b", "", "x" * 41, "ä"):
        assert "small letters, digits and hyphens, at most 40" in refused(folder, good, table=table)
    assert refused(folder, good, "--title", "x" * 81).startswith("--title takes 1 to 80 characters")
    assert refused(folder, tmp_path / "none") == f"{tmp_path / 'none'} cannot be read: No such file or directory."
    assert "It is read twice, so it cannot be a pipe" in refused(folder, tmp_path)


def test_a_game_that_is_not_here(folder, tmp_path):
    toy = Path(toy_game.__file__)
    assert inside("table", "new", "mine", "--ruleset", toy, "--data", tmp_path / "m").code == 0
    assert inside("export", "--complete", "--ruleset", toy, "--data", tmp_path / "m", "--out", tmp_path / "x").code == 0
    assert refused(folder, tmp_path / "x") == (
        f"The table in {tmp_path / 'x'} plays deep_mine, which is not here. A game in a file: --ruleset FILE.py"
    )
    with Serving(folder):  # which does not have it either
        assert "The running server says: " in refused(folder, tmp_path / "x", "--ruleset", toy)
    assert inside("import", tmp_path / "x", "--ruleset", toy, "--data", folder, "--table", "taken").code == 0


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


async def test_the_server_takes_nothing_but_what_was_verified(exports, tmp_path):
    good = exports / "complete"
    async with serving(tmp_path) as bridge:
        await bridge.running.new_table("main", "main", "sage_d20")
        before = contents(tmp_path)
        for file, digest, why in (
            (exports / "other", sha256(good), "was changed since it was verified"),
            (exports / "gm", sha256(exports / "gm"), "was changed since it was verified"),
            (tmp_path / "none", "", "cannot be read by the server"),
        ):
            with pytest.raises(ImportRefused, match=why):
                await bridge.running.import_table("taken", file, digest, None)
        with pytest.raises(ImportRefused, match="There is a table 'main' already"):
            await bridge.running.import_table("main", good, sha256(good), None)
        assert contents(tmp_path) == before
        await bridge.running.import_table("taken", good, sha256(good), None)


async def test_a_disk_that_is_full_half_way_leaves_nothing(exports, tmp_path):
    good = exports / "complete"
    async with serving(tmp_path) as bridge:
        bridge.mistakes = True
        await bridge.running.new_table("main", "main", "sage_d20")
        before = contents(tmp_path)
        writer = bridge.running._store.log._writer

        def small(db):
            return db.pragma("max_page_count", db.pragma("page_count") + 4)

        assert await writer.call(small)
        with pytest.raises(ImportRefused, match=NOTHING):
            await bridge.running.import_table("taken", good, sha256(good), None)
        assert contents(tmp_path) == before
        await writer.call(lambda db: db.pragma("max_page_count", 2**30))
        await bridge.running.import_table("taken", good, sha256(good), None)
        assert (await bridge.table("taken")).state.epoch == 2


async def _kept_but_not_opened(folder, file):
    """As where the server ended between the two."""
    store = open_store(folder)
    try:
        with file.open("rb") as source:
            taking = Taking(lines_of(source), "taken", sha256(file))
            row = TableRow(id="taken", title="Taken", ruleset="sage_d20", created=7, restart="imported")
            assert await store.tables.import_table(row, taking, {})
    finally:
        await store.aclose()


def test_what_was_not_opened_yet_has_no_key_and_begins_its_epoch_when_it_is(exports, folder, tmp_path):
    asyncio.run(_kept_but_not_opened(folder, exports / "complete"))
    words = ("export", "--data", folder, "--table", "taken", "--out", tmp_path / "x")
    assert cli.refused(*words, by=inside) == (
        "Table 'taken' has not been opened since it was imported. Start `boonbridge serve` on this folder once."
    )
    assert not (tmp_path / "x").exists()
    with Serving(folder) as server:
        assert server.asking("do", '{"t": "StartSession"}', token=server.token(table="taken")).code == 0
    assert inside(*words).code == 0
    assert inside("verify", tmp_path / "x").code == 0
