"""What a commit may be found by, read off by hand from a log that is kept."""

import msgspec
import pytest

from boonbridge.core.visibility import Viewer, readable
from boonbridge.reading.marks import actors_of, found, marks_of
from boonbridge.rulesets.registry import shipped
from boonbridge.tables.frames import told
from boonbridge_schemas.base import MarkKind
from boonbridge_schemas.checks import Result
from boonbridge_schemas.client import Wanted
from boonbridge_schemas.events import Chosen, Event
from tests.core.test_upcasting import kept

D12 = shipped()["group_d12"]
TONES = {word.key: word.tone for word in D12.info(D12.options()).outcomes}
LOG = kept("before-hidden-grants-group_d12")
EVENT = msgspec.json.Decoder(Event)

FOR_A_GM = {
    2: "people", 3: "people", 4: "people", 5: "people", 10: "people",
    11: "roll gained", 12: "roll", 13: "gained",  # a failure that is accepted at once, and one that is accepted later
    14: "grant", 15: "roll spent", 16: "spent",  # a one-use grant goes with the roll, a Boon buys a die
    17: "roll fumble", 18: "roll", 19: "roll",  # what a hidden roll would earn waits
    21: "gained", 23: "grant", 24: "grant", 26: "roll", 27: "spent", 28: "gained", 29: "spent", 30: "gained", 32: "spent",
    36: "evening", 37: "request", 38: "roll", 39: "roll gained request", 40: "gained correction",
    41: "request", 42: "roll", 43: "request", 44: "request", 45: "request",
    46: "roll grant", 47: "roll spent", 48: "roll grant",  # an opportunity comes, and is used
    50: "roll", 51: "roll gained", 52: "roll", 53: "gained", 54: "roll",  # shown to all; settled
    55: "roll critical gained", 56: "correction", 58: "roll", 60: "evening",
}  # fmt: skip
"""All others have no mark: numbers, options, what was withdrawn, a switch, a pass, a removal."""

HIDDEN_FROM_ASHA = {17, 18, 42, 50, 52, 54}  # rolls of Jonas for GMs and himself, and of a GM; whether 42 is one everybody hears
KESTRELS = {11, 12, 13, 14, 15, 16, 17, 18, 19, 23, 24, 26, 27, 37, 38, 41, 42, 47, 50, 51, 52, 54, 55, 58, 60}


def read_by(commit, user, role):
    opened = told(commit)
    return [EVENT.decode(raw) for part in readable(Viewer(user, role), commit.by) for raw in opened.events.get(part, ())]


def all_marks(user, role):
    marks = {commit.seq: " ".join(marks_of(read_by(commit, user, role), TONES)) for commit in LOG}
    return {seq: said for seq, said in marks.items() if said}


def test_a_gm_finds_what_he_may_read():
    assert all_marks("mira", "gm") == FOR_A_GM


def test_a_player_finds_nothing_of_what_is_hidden_from_him():
    assert all_marks("asha", "player") == {seq: said for seq, said in FOR_A_GM.items() if seq not in HIDDEN_FROM_ASHA}


def test_its_own_roller_finds_what_he_rolled_for_the_gm():
    mine = all_marks("jonas", "player")
    assert mine.keys() - all_marks("asha", "player").keys() == {17, 42, 50, 52, 54}
    assert mine[17] == "roll fumble"


def test_whom_a_commit_is_about():
    about = {commit.seq for commit in LOG if "kestrel" in set(actors_of(read_by(commit, "mira", "gm")))}
    assert about == KESTRELS


def test_marks_actor_and_person_are_asked_together_and_any_mark_is_enough():
    def seqs(where, user="mira", role="gm"):
        read = [(commit, read_by(commit, user, role)) for commit in LOG]
        about = [(c, events) for c, events in read if where.actor is None or where.actor in set(actors_of(events))]
        return [c.seq for c, events in about if found(where, c.by, events, TONES) is not None]

    assert seqs(Wanted(marks=("critical", "fumble"))) == [17, 55]
    assert seqs(Wanted(marks=("critical", "fumble")), "asha", "player") == [55]
    assert seqs(Wanted(marks=("roll",), actor="tamsin")) == [39, 46, 48]
    assert seqs(Wanted(marks=("spent",), user="jonas")) == [15, 16, 27, 32, 47]
    assert seqs(Wanted(user="bridge")) == [1]
    assert seqs(Wanted()) == list(range(1, 61))
    assert seqs(Wanted(), "asha", "player") == [n for n in range(1, 61) if n not in {17, 18, 22, 34, 50, 52, 54, 59}]
    assert seqs(Wanted(actor="nobody")) == []


def test_the_order_of_marks_is_that_of_the_protocol():
    order = MarkKind.__args__
    for said in all_marks("mira", "gm").values():
        assert said.split() == sorted(said.split(), key=order.index)


@pytest.mark.parametrize(("after", "marks"), [("critical_success", ("roll", "critical")), ("success", ("roll",))])
def test_a_verdict_is_the_one_that_stands_at_the_end_of_the_commit(after, marks):
    rolled = next(event for event in read_by(LOG[25], "mira", "gm") if type(event).__name__ == "CheckRolled")
    result = Result(dice=(), net=0, boons=0, banes=0, bonus=0, total=20, outcome=after, success=True)
    chosen = Chosen(check=rolled.rolled.check, choice="spend", actor="kestrel", result=result)
    fumbled = msgspec.structs.replace(rolled, result=msgspec.structs.replace(rolled.result, outcome="critical_failure"))
    assert marks_of([fumbled, chosen], TONES) == marks
    assert marks_of([fumbled], TONES) == ("roll", "fumble")
