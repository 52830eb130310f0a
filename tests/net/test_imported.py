"""A table that was written elsewhere: its past is told, proven and gone on from as if it had always been here (Show 4)."""

import asyncio
import contextlib
import json
import secrets

import pytest

from boonbridge.running import SystemClock
from boonbridge.tables.identity import new_token
from tests.support.bridge import ROLES, ROLL, TABLE, playing, serving
from tests.support.cli import inside
from tests.support.leaking import MODES
from tests.support.names import user_id
from tests.support.people import Person, new_id
from tests.support.proofs import proven

ROLL = ROLL["sage_d20"]
TAKEN = "taken"
MOMENTS = (0, 3, 12)


async def command(*words):
    """A command of the command line, beside what runs here."""
    done = await asyncio.to_thread(inside, *words)
    assert (done.code, done.err.count("boonbridge:")) == (0, 0), done
    return done


@contextlib.asynccontextmanager
async def come(bridge, name, last=None):
    """Somebody who was at the old table, at the imported one."""
    user = user_id(TABLE, name)
    given = {"now": SystemClock().now(), "jti": secrets.token_urlsafe(16)}
    token = new_token(await bridge.running.signing_key(), user=user, name=name, table=TAKEN, role=ROLES[name], **given)[0]
    async with await Person.connect(bridge.url, token=token, user=user) as person:
        yield await person.hello(last=last)


async def past(person):
    """The whole log, as this person may read it."""
    return (await person.ask({"t": "history", "after": 0, "limit": 200}))["commits"]


async def rolls(person):
    """The commits with a roll that this person may read, and their marks."""
    page = await person.ask({"t": "history", "after": 0, "limit": 200, "where": {"marks": ["roll"]}})
    return page["commits"], page["marks"]


class Old:
    """What there was at the table where it was written, and its export."""

    def __init__(self, folder):
        self.folder = folder
        self.file = folder.parent / "complete.jsonl"
        self.pages, self.entries, self.moments, self.found = {}, {}, {}, {}

    async def play(self):
        async with playing("sage_d20", self.folder, seeded=True) as bridge, bridge.everybody() as people:
            for mode in MODES:
                for roller in ("Pia", "Gina"):
                    self.ack = await people[roller].do({**ROLL, "mode": mode}, id=new_id())
                    assert self.ack["t"] == "ack"
            self.hidden = await people["Gina"].do({**ROLL, "mode": "secret"})
            self.shown = await people["Gina"].do({**ROLL, "mode": "gm"})
            await people["Gina"].do({"t": "Reveal", "check": f"{self.shown['seq']}.1"})
            self.id = new_id()
            self.again = await people["Pia"].do(ROLL, id=self.id)
            for name, person in people.items():
                self.pages[name] = await past(person)
                self.entries[name] = dict(person.entries)
                self.moments[name] = [(await person.ask({"t": "at", "seq": seq}))["entries"] for seq in MOMENTS]
                self.found[name] = await rolls(person)
            self.last = people["Pia"].last
            self.key = (await bridge.running.hub.ports.vault.table_key(TABLE, 1)).hex()
            self.signing = (await bridge.running.signing_key()).hex()
        await command("export", "--complete", "--data", self.folder, "--out", self.file)
        return self


@pytest.fixture(scope="module")
def old(tmp_path_factory):
    return asyncio.run(Old(tmp_path_factory.mktemp("old") / "data").play())


async def test_everybody_is_told_the_past_as_it_was_and_proves_it(old, tmp_path):
    async with serving(tmp_path, seeded=True) as bridge:
        await bridge.running.new_table("another", "Another", "sage_d20")
        await command("import", old.file, "--data", tmp_path, "--table", TAKEN)
        for name in ROLES:
            async with come(bridge, name) as person:
                assert (person.welcome["epoch"], person.welcome["table"]) == (2, TAKEN)
                now = await past(person)
                count = len(old.pages[name])
                assert now[:count] == old.pages[name]
                assert [event["t"] for event in now[count]["events"]] == ["LadderRestarted"]
                assert person.entries == old.entries[name]
                assert [(await person.ask({"t": "at", "seq": seq}))["entries"] for seq in MOMENTS] == old.moments[name]
                assert await rolls(person) == old.found[name]
                for seq in (*range(1, 12), *range(count - 4, count + 2)):
                    proof = await proven(person, seq)
                    assert json.loads(proof["header"])["table"] == (TABLE if seq <= count else TAKEN)
    # From the disk it is the same, for a terminal too.
    told = (await command("replay", "--data", tmp_path, "--table", TAKEN, "--as", "Pia", "--json")).records
    assert told[: len(old.pages["Pia"])] == old.pages["Pia"]
    async with serving(tmp_path, seeded=True) as bridge, come(bridge, "Pia") as pia:
        assert (await past(pia))[: len(old.pages["Pia"])] == old.pages["Pia"]
        assert pia.welcome["epoch"] == 2


async def test_it_goes_on_from_there(old, tmp_path):
    await command("import", old.file, "--data", tmp_path, "--table", TAKEN)
    async with serving(tmp_path, seeded=True) as bridge, come(bridge, "Pia") as pia, come(bridge, "Gina") as gina:
        seam = len(old.pages["Pia"]) + 1
        # An id that was used there is used here: the same answer, and nothing is rolled.
        assert (await pia.do(ROLL, id=old.id))["seq"] == old.again["seq"]
        assert (await pia.do({**ROLL, "mode": "gm"}, id=old.id))["code"] == "command.id_taken"
        # What was hidden there is revealed here, and proven with the seed it had.
        before = await pia.ask({"t": "proof", "seq": old.hidden["seq"]})
        await gina.do({"t": "Reveal", "check": f"{old.hidden['seq']}.1"})
        after = await proven(pia, old.hidden["seq"])
        assert (before["parts"]["gm"]["seed"], before["hash"]) == (None, after["hash"])
        assert json.loads(after["parts"]["gm"]["bytes"])["events"][0]["t"] == "CheckRolled"
        # New dice are of new seeds, which the commit at the seam promised.
        shown = {seed for commit in old.pages["Gina"] for seed in commit.get("seeds", {}).values()}
        for _ in range(3):
            ack = await pia.do(ROLL)
            proof = await proven(pia, ack["seq"])
            assert proof["promisedBy"] == seam
            assert proof["parts"]["all"]["seed"] not in shown


async def test_whoever_comes_back_begins_anew_at_the_seam_and_resumes_behind_it(old, tmp_path):
    await command("import", old.file, "--data", tmp_path, "--table", TAKEN)
    async with serving(tmp_path, seeded=True) as bridge:
        async with come(bridge, "Pia", last=old.last) as pia:  # with what he holds of the old bridge
            assert (pia.welcome["from"], pia.welcome["reset"]) == (None, "epoch")
            behind = pia.last
        async with come(bridge, "Gina") as gina:
            for mode in ("public", "gm"):
                await gina.do({**ROLL, "mode": mode})
        async with come(bridge, "Pia", last=behind) as pia:
            assert pia.welcome["from"] == behind["seq"]
            assert [frame["t"] for frame in pia.of("logged", "hidden")] == ["logged", "hidden"]
        # Somebody who says that he was told an old commit in the new epoch was not.
        for seq in (1, 3, old.last["seq"]):
            hash_ = old.pages["Pia"][seq - 1]["hash"]
            async with come(bridge, "Pia", last={"epoch": 2, "seq": seq, "hash": hash_}) as pia:
                assert (pia.welcome["from"], pia.welcome["reset"]) == (None, "other_log")


async def test_nobody_of_before_has_access_and_who_is_let_in_again_is_who_he_was(old, tmp_path):
    async with serving(tmp_path, seeded=True) as bridge:
        await command("import", old.file, "--data", tmp_path, "--table", TAKEN)
        listed = (await command("people", "--data", tmp_path, "--table", TAKEN, "--json")).records
        assert {row["name"]: row["role"] for row in listed} == ROLES
        invited = await command("people", "invite", "--data", tmp_path, "--table", TAKEN, "--user", "Pia", "--json")
        async with await bridge.stranger() as pia:
            code = invited.records[0]["code"]
            paired = await pia.ask(
                {"t": "pair", "code": code, "client": {"name": "t", "version": "1", "kind": "cli"}, "name": "Pia"}
            )
            assert (paired["t"], paired["user"], paired["role"]) == ("paired", user_id(TABLE, "Pia"), "player")
            await pia.hello(token=paired["token"])
            pia.user = paired["user"]
            assert (await past(pia))[: len(old.pages["Pia"])] == old.pages["Pia"]
            assert (await pia.do(ROLL))["t"] == "ack"


def test_t36_what_fixes_seeds_that_were_not_used_yet_is_in_no_file(old):
    text = old.file.read_text()
    assert old.key not in text
    assert old.signing not in text
