"""``boonbridge people``: as the operator beside a running server and as a GM over its address; what is said, and what is refused."""

import asyncio
import re

import pytest

from boonbridge.commands import scanning
from boonbridge.tables.qr import qr
from tests.support import cli
from tests.support.cli import Child, Serving, environment, inside, run
from tests.support.people import CLIENT, Person


def refused(*words, **how):
    return cli.refused(*words, by=inside, **how)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Serving(tmp_path_factory.mktemp("people") / "d") as serving:
        yield serving


@pytest.fixture
def table(server, request):
    """A table of its own at the one server."""
    name = re.sub(r"[^a-z]+", "-", request.node.name)[-40:].strip("-")
    assert inside("table", "new", name, "--data", server.folder).code == 0
    return Table(server, name)


class Table:
    def __init__(self, server, name):
        self.server, self.name, self.url, self.http = server, name, server.url, server.http
        self.folder = ("--data", server.folder, "--table", name)

    def token(self, user="Gina", role="gm"):
        return self.server.token(user, role, self.name)


class Asking:
    """The same question, by whoever asks it."""

    def __init__(self, words, env):
        self._words, self._env = words, env

    def __call__(self, *words, code=0):
        done = inside("people", *words, *self._words, env=self._env)
        assert done.code == code, done
        return done

    def refused(self, *words):
        return refused("people", *words, *self._words, env=self._env)


def as_operator(table):
    return Asking(table.folder, environment())


def as_gm(table):
    token = table.token("Gina")
    asyncio.run(come(table, token))
    return Asking(("--url", table.http), environment(BOONBRIDGE_TOKEN=token))


async def come(table, token):
    async with await Person.connect(table.url) as person:
        await person.hello(token=token)
        return person.welcome


async def pair(table, code, name="Typed"):
    async with await Person.connect(table.url) as person:
        return await person.ask({"t": "pair", "code": code, "name": name, "client": CLIENT})


def code_in(text):
    return re.search(r"#code=([A-Z2-9]{20})$", text, re.MULTILINE)[1]


@pytest.mark.parametrize("asker", [as_operator, as_gm])
def test_invited_listed_another_role_turned_away_and_forgotten(table, asker):
    people = asker(table)
    made = people("invite", "--name", "Åsa").out
    assert made.startswith(f"{table.http}#code=")
    assert "send it to that person alone" in made
    open_codes = people("codes").out
    assert re.search(r"^[0-9a-f]{16}  link   player    for Åsa, until 20", open_codes, re.MULTILINE)
    assert code_in(made) not in open_codes
    paired = asyncio.run(pair(table, code_in(made)))
    asyncio.run(come(table, paired["token"]))
    user = paired["user"]
    listed = people().out
    assert re.search(rf"^Åsa +player +{user}$", listed, re.MULTILINE)
    (record,) = [one for one in people("--json").records if one["id"] == user]
    (device,) = record["devices"]
    assert re.search(rf"^  {device['id']} +cli +tests 1  127\.0\.0\.1  (here now|last here 20.*)$", listed, re.MULTILINE)
    assert people("role", "åsa", "observer").out == f"Åsa ({user}) is observer now.\n"
    assert people("role", user, "observer").out == "That is so already; nothing was done.\n"
    assert people.refused("revoke", user, "--device", "d-none", "--yes").endswith("`boonbridge people` lists them.")
    assert "is turned away from now on" in people("revoke", user, "--device", device["id"], "--yes").out
    assert "access taken back" in people().out
    second = people("invite", "--user", user, "--json").records[0]
    assert (second["user"], second["role"], len(second["code"])) == (user, "observer", 20)
    assert people("revoke", "Åsa", "--yes").out == f"Every device of Åsa ({user}) is turned away from now on.\n"
    assert asyncio.run(pair(table, second["code"]))["code"] == "auth.code_wrong"
    assert people("erase", user, "--yes").out == f"{user} has no name any more.\n"
    assert re.search(rf"^\(no name\) +observer +{user}  access taken back$", people().out, re.MULTILINE)
    assert people.refused("erase", "Åsa", "--yes") == "Nobody called 'Åsa' is at this table. `boonbridge people` lists everybody."


def test_codes_are_dropped_and_origins_removed(table):
    people = as_operator(table)
    assert people("codes").out == "No code is open.\n"
    assert inside("pair", *table.folder).code == 0
    (operator,) = people("codes", "--json").records
    assert (operator["kind"], operator["role"], operator.get("user"), operator.get("by")) == ("typed", "gm", None, None)
    assert "for whoever types it, until" in people("codes").out
    made = people("invite", "--name", "Bo", "--role", "gm", "--typed", "--page", "http://dice.example/").out
    assert re.match(r"Code [A-Z2-9]{4}-[A-Z2-9]{4}  \(good once, until 20.*\)\nhttp://dice\.example/#code=[A-Z2-9]{8}\n\Z", made)
    (code,) = [one["id"] for one in people("codes", "--json").records if one["name"] == "Bo"]
    assert people("drop", code).out == "The code opens nothing any more.\n"
    assert people.refused("drop", code) == "There is no such code; it may have been used."
    assert people.refused("drop", "no id") == "'no id' is no id of a code; `boonbridge people codes` lists them."
    assert people("origins").out == "Only the bridge's own pages may connect.\n"
    assert people.refused("origins", "--remove", "https://a.example") == "The table does not admit that origin by itself."
    assert people.refused("origins", "--remove", "nonsense") == "origin cannot be 'nonsense'."


def test_the_log_says_who_it_was(table):
    people = as_operator(table)
    asyncio.run(come(table, table.token("Gina")))
    asyncio.run(come(table, table.token("Pia", "player")))
    people("role", "Pia", "gm")
    people("revoke", "Gina", "--yes")
    people("erase", "Pia", "--yes")
    with Child("tail", "--url", table.url, env=environment(BOONBRIDGE_TOKEN=table.token("Gwen"))) as tail:
        tail.wait(lambda: "-- caught up" in tail.out)
        for line in (r"u-\w+ is gm from now on", r"u-\w+ may not come in any more", r"the name of u-\w+ was erased"):
            assert re.search(line, tail.out), tail.out
        assert "Pia" not in tail.out


def test_what_does_not_fit(table, tmp_path):
    people = as_operator(table)
    assert people("list", code=2).err
    assert people.refused("invite").startswith("Say --name for somebody new, or --user")
    assert people.refused("invite", "--name", "A", "--user", "B").startswith("Say --name for somebody new, or --user")
    assert people.refused("invite", "--name", "  ") == "name cannot be '  '."
    assert people.refused("role", "Nobody", "gm").startswith("Nobody called 'Nobody' is at this table.")
    player = environment(BOONBRIDGE_TOKEN=table.token("Pia", "player"))
    assert refused("people", "--url", table.url, env=player) == "Your role may not do this."
    assert refused("people", "--data", tmp_path / "other").startswith("No server is running on ")
    assert refused("people", "--url", table.url, *table.folder, env=player).startswith("--url asks a server as a GM")
    asyncio.run(come(table, table.token("Gina")))
    assert people.refused("role", "Gina", "player") == "A table needs a GM."


def test_without_a_terminal_nobody_is_asked_and_nothing_is_done(table):
    asyncio.run(come(table, table.token("Gina")))
    done = run("people", "erase", "Gina", *table.folder)
    assert done.code == 1
    assert "--yes does it without asking" in done.err
    assert "Gina" in as_operator(table)().out


def test_two_of_one_name_are_told_apart_by_their_ids(table):
    people = as_operator(table)
    for _ in range(2):
        asyncio.run(pair(table, code_in(people("invite", "--name", "Mo").out)))
    sentence = people.refused("role", "Mo", "gm")
    assert sentence.startswith("More than one person is called 'Mo'; say which by his id: u-")
    assert refused("token", *table.folder, "--user", "Mo").startswith("More than one person is called 'Mo' at this table.")
    user = re.search(r"u-\w+", sentence)[0]
    assert people("role", user, "gm").out == f"Mo ({user}) is gm now.\n"


def test_a_token_is_for_the_person_who_is_called_so(table):
    people = as_operator(table)
    paired = asyncio.run(pair(table, code_in(people("invite", "--name", "Mo").out)))
    assert asyncio.run(come(table, table.token("mo", "player")))["user"] == paired["user"]


# --- pictures ------------------------------------------------------------------------------------------------------
def test_a_picture_is_read_back_as_what_it_shows(monkeypatch):
    """Each line is two rows of modules with four light ones around: what was drawn is what ``segno`` made."""
    rows = qr("http://192.168.7.20:30300/#code=K7QM2XRWPB4TN9VCHJ5D")
    halves = {" ": "00", "▀": "10", "▄": "01", "█": "11"}
    read = []
    for line in scanning.picture(rows).splitlines():
        pairs = [halves[char] for char in line]
        read += ["".join(pair[0] for pair in pairs), "".join(pair[1] for pair in pairs)]
    size = len(rows) + 8
    assert {len(row) for row in read} == {size}
    assert [row[4:-4] for row in read[4 : 4 + len(rows)]] == list(rows)
    around = [*read[:4], *read[4 + len(rows) :], *(row[:4] + row[-4:] for row in read)]
    assert not any("1" in row for row in around)


def test_pictures_only_where_somebody_looks_and_another_machine_gets_there(table, tmp_path):
    people = as_operator(table)
    assert "█" not in people("invite", "--name", "Bo", "--page", "http://dice.example/").out
    assert "█" in people("invite", "--name", "Bo", "--page", "http://dice.example/", "--qr").out
    here = people("invite", "--name", "Bo")
    assert "reaches this machine alone" in here.err
    words = ("people", "invite", "--name", "Bo", *table.folder, "--page", "http://dice.example/")
    with Child(*words, terminal=True) as child:
        child.wait(lambda: child.process.poll() is not None and "send it to that person" in child.out)
        assert "█" in child.out
        assert "\x1b[38;5;16;48;5;231m" in child.out


@pytest.mark.parametrize(
    ("terminal", "link", "flag", "shown"),
    [
        (True, "http://dice.example/", None, True),
        (True, "http://dice.example/", False, False),
        (True, "http://127.0.0.1:30300/", None, False),
        (True, "http://[::1]:30300/", None, False),
        (True, "http://localhost/", True, True),
        (False, "http://dice.example/", None, False),
        (False, "http://dice.example/", True, True),
    ],
)
def test_when_a_picture_is_shown(monkeypatch, terminal, link, flag, shown):
    monkeypatch.setattr(scanning.sys.stdout, "isatty", lambda: terminal, raising=False)
    assert scanning.wanted(link, flag) is shown


def test_pair_and_serve_give_a_link_where_others_reach_the_bridge(tmp_path):
    with Serving(tmp_path / "d", "--public-url", "https://dice.example/bb", terminal=True) as serving:
        serving.wait(lambda: "Or open" in serving.out)
        shown = re.search(r"https://dice\.example/bb/#code=([A-Z2-9]{8})\s", serving.out)[1]
        assert f"{shown[:4]}-{shown[4:]}" in serving.out
        done = inside("pair", "--data", serving.folder)
        code = re.search(r"Pairing code (\S+)", done.out)[1]
        assert done.out.splitlines()[2] == f"Or open https://dice.example/bb/#code={code.replace('-', '')}"
        assert "█" not in done.out
        assert "█" in inside("pair", "--data", serving.folder, "--qr").out
