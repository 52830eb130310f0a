"""The poster rule by itself: which commits have a card, who is asked, and what is asked for at once."""

import itertools
import random

import msgspec
import pytest
from msgspec import Raw

from boonbridge.core.visibility import Viewer
from boonbridge.tables.frames import Told
from boonbridge.tables.posting import Card, Desk, card_of, next_run, poster
from boonbridge_schemas.examples import EXAMPLES

EVENTS = EXAMPLES["event"]


def a_card(seq, by="pia", parts=("all",), *, missed=False):
    return Card(seq=seq, by=by, parts=parts, missed=missed)


def desk(name, role="player", user=None, *, tried=False):
    return Desk(connection=name, viewer=Viewer(user or name, role), tried=tried)


GM, GM2 = desk("gm", "gm"), desk("gm2", "gm")
PIA, PIA2, QUIN = desk("pia"), desk("pia2", user="pia"), desk("quin")
OLGA = desk("olga", "observer")


# --- which commits have a card -------------------------------------------------------------------------------------
def commit(**parts):
    events = {name: tuple(Raw(msgspec.json.encode(event)) for event in inside) for name, inside in parts.items()}
    return Told(seq=7, epoch=1, at=0, hash="", seed_hash="", by="pia", id="x", events=events)


def rolled(mode="public", kind="CheckRolled"):
    return {**msgspec.to_builtins(EVENTS[kind]), "mode": mode}


def dice(mode="public"):
    return rolled(mode, "DiceRolled")


def chosen(drawn):
    return {**msgspec.to_builtins(EVENTS["Chosen"]), "drawn": drawn}


def without_result():
    return {**msgspec.to_builtins(EVENTS["RequestClosed"]), "result": None}


def test_dice_requests_and_corrections_have_a_card_and_nothing_else_has():
    with_card = {name.split(".")[0] for name, event in EVENTS.items() if card_of(commit(all=[event]))}
    asked, corrected = {"CheckRequested", "RequestClosed"}, {"Voided", "Overridden", "Revealed"}
    assert with_card == {"CheckRolled", "DiceRolled", "CheckNoted", "Chosen"} | asked | corrected


@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        ({"all": [rolled()]}, ("all",)),
        ({"all": [rolled()], "gm": [EVENTS["TargetFixed"]]}, ("all",)),
        ({"all": [EVENTS["GrantSpent"]], "roller_gm": [rolled("gm")]}, ("roller_gm",)),
        ({"gm": [rolled("blind")], "roller": [EVENTS["CheckNoted"]]}, ("gm", "roller")),
        ({"roller": [rolled("self")]}, ("roller",)),
        ({"gm": [rolled("secret")]}, None),
        ({"all": [dice()]}, ("all",)),
        ({"roller_gm": [dice("gm")]}, ("roller_gm",)),
        ({"gm": [dice("blind")], "roller": [EVENTS["CheckNoted"]]}, ("gm", "roller")),
        ({"roller": [dice("self")]}, ("roller",)),
        ({"gm": [dice("secret")]}, None),
        ({"all": [EVENTS["RoundEnded"], dice(), rolled(), dice(), EVENTS["LuckDue"]]}, ("all",)),
        ({"all": [chosen(0)]}, None),
        ({"all": [chosen(1)]}, ("all",)),
        ({"roller_gm": [chosen(2)]}, ("roller_gm",)),
        ({"gm": [chosen(1)]}, None),
        ({"all": [chosen(0), rolled()]}, ("all",)),
        ({"all": [EVENTS["CheckRequested"]]}, ("all",)),
        ({"gm": [EVENTS["CheckRequested"]]}, None),
        ({"all": [EVENTS["RequestClosed"]]}, ("all",)),
        ({"gm": [EVENTS["RequestClosed"]]}, None),
        ({"all": [without_result()], "gm": [EVENTS["GroupTold"]]}, None),
        ({"all": [EVENTS["RequestAnswered"], EVENTS["Declined"], EVENTS["RequestExpired"]]}, None),
        ({"all": []}, None),
        ({}, None),
    ],
)
def test_which_parts_a_card_stands_in(parts, wanted):
    found = card_of(commit(**parts))
    assert (found and found.parts) == wanted


# --- who posts -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("desks", "wanted"),
    [
        ([], None),
        ([OLGA, GM, PIA, GM2, PIA2, QUIN], PIA2),
        ([OLGA, GM, GM2, QUIN], GM2),
        ([OLGA, QUIN], OLGA),
        ([QUIN, OLGA], QUIN),
    ],
)
def test_who_posts_a_public_roll(desks, wanted):
    assert poster(a_card(1), desks) == wanted


@pytest.mark.parametrize(
    ("parts", "desks", "wanted"),
    [
        (("roller_gm",), [OLGA, QUIN], None),
        (("roller_gm",), [QUIN, GM, OLGA], GM),
        (("roller",), [GM, QUIN], None),
        (("roller",), [GM, PIA], PIA),
        (("gm",), [PIA, QUIN], None),
        (("gm",), [PIA, GM], GM),
        (("gm", "roller"), [GM, PIA], PIA),
    ],
)
def test_who_posts_what_not_everybody_reads(parts, desks, wanted):
    assert poster(a_card(1, parts=parts), desks) == wanted


def test_what_was_missed_goes_to_whoever_came_first():
    assert poster(a_card(1, missed=True), [QUIN, GM, PIA]) == QUIN
    assert poster(a_card(1, parts=("roller_gm",), missed=True), [QUIN, GM, PIA]) == GM


def test_who_did_not_answer_comes_last():
    asleep = desk("pia", tried=True)
    assert poster(a_card(1), [QUIN, GM, asleep]) == GM
    assert poster(a_card(1), [asleep]) == asleep
    assert poster(a_card(1, missed=True), [asleep, QUIN]) == QUIN


# --- what is asked for at once -------------------------------------------------------------------------------------
def run(cards, desks, apart=20):
    found = next_run(cards, desks, apart=apart)
    return found and (found[0].connection, [card.seq for card in found[1]])


def test_a_run_ends_where_somebody_else_posts():
    cards = [a_card(1, "pia"), a_card(2, "pia"), a_card(3, "quin"), a_card(4, "pia")]
    assert run(cards, [PIA, QUIN, GM]) == ("pia", [1, 2])
    assert run(cards, [GM]) == ("gm", [1, 2, 3, 4])
    assert run(cards, []) is None
    assert run([], [GM]) is None


def test_what_nobody_here_may_read_is_passed_over():
    cards = [a_card(1, parts=("gm",)), a_card(2), a_card(3, parts=("roller",), by="gm"), a_card(4)]
    assert run(cards, [PIA]) == ("pia", [2, 4])
    assert run(cards[:1], [PIA]) is None


def test_what_somebody_else_may_read_is_not():
    cards = [a_card(1), a_card(2, "gm", ("gm",)), a_card(3)]
    assert run(cards, [PIA, GM]) == ("pia", [1])


def test_live_cards_come_in_few_and_missed_ones_all_at_once():
    assert run([a_card(n) for n in range(1, 30)], [PIA]) == ("pia", list(range(1, 21)))
    assert run([a_card(n, missed=True) for n in range(1, 30)], [PIA]) == ("pia", list(range(1, 30)))
    mixed = [a_card(1, missed=True), a_card(2, missed=True), a_card(3)]
    assert run(mixed, [PIA]) == ("pia", [1, 2])


def test_whatever_happens_each_card_is_asked_for_once_and_in_order():
    dice = random.Random(70)
    desks = [GM, GM2, PIA, PIA2, QUIN, OLGA]
    parts = [("all",), ("roller_gm",), ("gm",), ("roller",), ("gm", "roller")]
    for _ in range(300):
        here = dice.sample(desks, dice.randint(1, 6))
        senders = itertools.cycle(dice.sample(["pia", "quin", "gm", "olga"], 4))
        cards = [a_card(n, next(senders), dice.choice(parts), missed=n < 8 and dice.random() < 0.9) for n in range(1, 40)]
        left, asked = list(cards), []
        while found := next_run(left, here, apart=5):
            who, taken = found
            assert all(card.seen_by(who.viewer) for card in taken)
            asked += [card.seq for card in taken]
            left = [card for card in left if card.seq > asked[-1]]
        readable = [card.seq for card in cards if any(card.seen_by(one.viewer) for one in here)]
        assert asked == readable
