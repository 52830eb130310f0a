"""Requests, evenings and corrections from a terminal, with dice rolled by hand so that everything can be worked out."""

import json
import re

import pytest

from tests.support.cli import demo

SKILL = "skill=skill.lore"
NOBODY = "request.unknown"


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A demo of the d12 game: Ana (who has the high ground: one positive chance) and Bela are the player's."""
    with demo(tmp_path_factory.mktemp("playing") / "demo", "--ruleset", "group_d12") as serving:
        assert serving.asking("do", '{"t": "SetOptions", "options": {"manual_dice": true}}', token=serving.gm).code == 0
        yield serving


class Lines(list):
    """What a command printed, without number and time; ``seq`` is the last commit's number."""

    def __init__(self, text):
        found = [re.fullmatch(r"#(\d+) +\d\d:\d\d  (.*)", line) for line in text.splitlines()]
        super().__init__(each[2] if each else line for each, line in zip(found, text.splitlines(), strict=True))
        self.seq = next((each[1] for each in reversed(found) if each), None)


def gm(table, *words):
    return done(table.asking(*words, token=table.gm))


def player(table, *words):
    return done(table.asking(*words, token=table.player))


def done(told):
    assert (told.code, told.err) == (0, ""), told
    return Lines(told.out)


def said(told):
    """The one sentence of a command that was refused."""
    assert told.code == 1, told
    assert told.err.count("\n") == 1, told
    return told.err.removeprefix("boonbridge: ").strip()


def code(table, *words, by="gm"):
    told = table.asking(*words, "--json", token=getattr(table, by))
    assert told.code == 1, told
    return told.records[-1]["code"]


def emptied(table):
    """The group holds no Boon, so a failure leaves nothing to choose."""
    while table.asking("do", '{"t": "Act", "verb": "take_boon"}', token=table.gm).code == 0:
        pass


def agree(monkeypatch, answer):
    def asked():
        if answer is None:
            raise EOFError
        return answer

    monkeypatch.setattr("builtins.input", asked)


# --- requests ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("D-01", "C-01", "D-06", "D-08")
def test_a_request_is_asked_answered_declined_and_over(table):
    emptied(table)
    asked = gm(
        table,
        *("ask", "skill", "skill=skill.stealth", "difficulty=8", "or", "skill", SKILL, "difficulty=5", "label=By the book"),
        *("--group", "one_success", "--action", "Past the pumps"),
    )
    request = asked.seq
    assert asked == [f"asked of Ana, Bela: Past the pumps: Skill check 8 or By the book 5, One success is enough (#{request})"]
    # D-14: the better of 3 and 4, with stealth 2: 6 against 8. D-06: it is the group that earns a Boon, if it fails.
    first = player(table, "answer", request, "--actor", "ana", "--faces", "3,4")
    assert first[0] == "Ana: Past the pumps  (d12:3) d12:4 = 6 vs 8  Failure (by hand)"
    assert f"request #{request}: ana rolled #{first.seq}.1" in first
    assert code(table, "answer", request, "--actor", "ana", "--faces", "3,4") == "request.answered"
    last = player(table, "decline", request, "--actor", "bela")
    assert last == [
        f"request #{request}: bela does not roll",
        f"request #{request}: everybody has answered: Failure  0 of 1 succeeded, Boons +1 (group failure)",
    ]
    assert code(table, "decline", request, "--actor", "bela") == "request.closed"
    assert code(table, "answer", request, "--actor", "bela", "--faces", "3", by="player") == "request.closed"


def test_for_those_who_are_away_a_gm_rolls_the_check_that_he_chooses(table):
    request = gm(table, "ask", "skill", SKILL, "difficulty=30", "or", "skill", "difficulty=1", "--actor", "bela").seq
    rolled = gm(table, "roll-for-absent", request, "skill=skill.empathy", "--nth", "2", "--actor", "bela")
    assert "1" in rolled[0]
    assert f"request #{request}: bela rolled #{rolled.seq}.1 (a GM, for him)" in rolled


def test_a_request_that_is_closed_shows_first_who_has_not_answered(table, monkeypatch):
    request = gm(table, "ask", "skill", SKILL, "difficulty=8", "bane=dark", "--hidden").seq
    agree(monkeypatch, "n")
    left = table.asking("close-request", request, token=table.gm)
    assert (left.code, left.out.splitlines()) == (
        1,
        [f"would be  request #{request}: no answer from ana, bela", f"would be  request #{request}: it was closed"],
    )
    assert left.err == "Do that? [y/N] boonbridge: Nothing was done.\n"
    agree(monkeypatch, None)
    assert "--yes" in table.asking("close-request", request, token=table.gm).err
    agree(monkeypatch, "y")
    closed = table.asking("close-request", request, token=table.gm)
    assert closed.code == 0
    assert Lines(closed.out)[-1] == f"request #{request}: it was closed"
    assert code(table, "close-request", request, "--yes") == "request.closed"


@pytest.mark.parametrize(
    ("words", "refusal"),
    [
        (("ask", "skill", SKILL), "roll.bad_parameter"),
        (("ask", "challenge", "--group", "challenge"), "roll.bad_parameter"),
        (("ask", "skill", SKILL, "difficulty=8", "--group", "choir"), "request.group"),
        (("ask", "sing", "difficulty=8"), "roll.unknown_check"),
        (("ask", "skill", SKILL, "difficulty=8", "--actor", "nobody"), "actor.unknown"),
        (("answer", "99", "--actor", "ana"), NOBODY),
        (("decline", "99", "--actor", "ana"), NOBODY),
        (("roll-for-absent", "99"), NOBODY),
        (("close-request", "99", "--yes"), NOBODY),
    ],
)
def test_what_the_bridge_refuses_is_its_sentence_and_exit_1(table, words, refusal):
    assert code(table, *words) == refusal
    assert said(table.asking(*words, token=table.gm)).endswith((".", "first", "?"))


def test_only_gms_ask(table):
    assert code(table, "ask", "skill", SKILL, "difficulty=8", by="player") == "role.forbidden"


@pytest.mark.parametrize(
    "words",
    [
        ("ask",),
        ("ask", "difficulty=8"),
        ("ask", "skill", "or"),
        ("ask", "or", "skill"),
        ("ask", "skill", "difficulty"),
        ("ask", "skill", "difficulty=8", "--minutes", "0"),
        ("ask", "skill", "boon=<b>", "difficulty=8"),
        ("answer", "1", "--actor", "ana", "spendBefore=x"),
        ("answer", "one", "--actor", "ana"),
        ("answer", "1", "--actor", "ana", "--faces", "a"),
        ("roll-for-absent", "1", "skill"),
        ("override", "8", "success", "--yes"),
        ("void", "everything/1", "--yes"),
    ],
)
def test_words_that_make_no_command_are_one_sentence(table, words):
    assert said(table.asking(*words, token=table.gm))


@pytest.mark.rule("D-20", "D-21", "X-D11")
def test_two_opportunities_are_two_dice_more_and_go_with_the_roll(table):
    see = ("roll", "--actor", "bela", "--check", "opportunity", SKILL, "difficulty=5")
    made = [f"{player(table, *see, '--faces', '8').seq}.1" for _ in range(2)]
    roll = ("roll", "--actor", "bela", "--check", "skill", SKILL, "difficulty=12")
    rolled, *used = player(table, *roll, *(f"opportunity={each}" for each in made), "--faces", "3,9,4")
    assert rolled == "Bela: Skill check  (d12:3) d12:9 (d12:4) = 13 vs 12  Success (by hand)"
    assert [line.partition(" went with ")[0] for line in used] == [f"the opportunity #{each}" for each in made]
    assert code(table, *roll, f"opportunity={made[0]}", "--faces", "3,9", by="player") == "opportunity.unknown"


# --- corrections ------------------------------------------------------------------------------------------------
def failed(table, *more):
    """Bela fails by hand, 3 + 4 against 12, while the group has nothing to spend or keeps it; his roll."""
    rolled = player(table, "roll", "--actor", "bela", "--check", "skill", SKILL, "difficulty=12", "--faces", "3", *more)
    check = f"{rolled.seq}.1"
    assert rolled[0] == "Bela: Skill check  d12:3 = 7 vs 12  Failure (by hand)"
    if len(rolled) == 1:
        accept = json.dumps({"t": "Choose", "check": check, "choice": "accept"})
        assert table.asking("do", accept, token=table.player).code == 0
    return check


def test_a_roll_is_taken_back_after_it_was_shown_what_that_does(table, monkeypatch):
    check = failed(table)
    agree(monkeypatch, "yes")
    told = table.asking("void", check, "--reason", "Not now.", token=table.gm)
    assert told.code == 0
    # D-04 gave the group a Boon for the failure; it goes.
    line = f"taken back: the roll #{check} (Not now.): Boons -1 (taken back)"
    assert told.out.splitlines()[0] == f"would be  {line}"
    assert Lines(told.out)[-1] == line
    assert code(table, "void", check, "--yes") == "correction.done"
    assert code(table, "void", f"check/{check}", "--yes") == "correction.done"


def test_what_cannot_be_taken_back_is_listed_and_confirmed_by_reading_it(table):
    check = failed(table)
    emptied(table)
    told = gm(table, "void", check, "--yes")
    assert told[-1] == f"taken back: the roll #{check}: Boons -1 came to nothing (taken back), stays: 1 Boons (spent since)"


def test_a_roll_is_decided_otherwise(table):
    check = failed(table)
    told = gm(table, "override", check, "success", "--reason", "The door was open.", "--yes")
    assert told[-1] == f"decided otherwise: #{check} is now Success (The door was open.): Boons -1 (taken back)"
    assert code(table, "override", check, "maybe", "--yes") == "correction.outcome"
    again = table.asking("override", check, "success", "--yes", token=table.gm)
    assert Lines(again.out)[-1] == "That is so already; nothing was done."


def test_a_hidden_roll_is_settled_and_then_shown(table):
    hidden = player(table, "roll", "--actor", "bela", "--check", "skill", SKILL, "difficulty=12", "--faces", "12", "mode=gm")
    check = f"{hidden.seq}.1"
    settled = gm(table, "settle", check, "--yes")
    # D-10: a critical success earns a Boon.
    assert "a hidden roll was settled: Boons +1 (critical success)" in settled
    shown = gm(table, "reveal", check, "--yes")
    assert shown[-1] == f"revealed: Bela: Skill check (#{check})  d12:12 = 16  Critical success"
    assert code(table, "reveal", check, "--yes") == "correction.open"
    assert code(table, "settle", check, "--yes") == "correction.open"
    assert code(table, "void", "correction/3", "--yes") == "correction.final"


# --- evenings ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("D-28", "X-D14")
def test_an_evening_begins_goes_on_and_ends_with_experience(table):
    (began,) = gm(table, "start-session", "--name", "Down the well")
    assert re.fullmatch(r"evening \d begins: Down the well", began)
    assert code(table, "start-session") == "session.running"
    failed(table)
    # D-28: one for each Boon that is held: the one of that failure.
    ended = gm(table, "end-session", "--actor", "bela", "--yes")
    assert re.fullmatch(r"evening \d ended: Bela: experience \+1, now 1", ended[-1])
    assert code(table, "end-session", "--yes") == "session.none"


def test_it_is_still_the_same_evening(table):
    gm(table, "start-session")
    gm(table, "continue-session")
    gm(table, "end-session", "--yes")
