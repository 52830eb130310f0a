"""Help from another player (option ``assist``), and help that is a check of its own."""

import pytest

from boonbridge_schemas.refusal import Refusal
from tests.support.evening import Evening


def table_of(game, **options):
    table = Evening(game, **options)
    for actor, owner in (("hero", "pia"), ("friend", "quin")):
        table.do({"t": "SyncActor", "actor": actor, "name": actor.title(), "side": "party", "owners": [owner]})
    return table


def help_(action="", **more):
    return {"t": "Assist", "actor": "hero", "helper": "friend", "action": action, **more}


def names(placed):
    return [type(event).__name__ for _, event in placed]


def test_free_help_is_a_boon_for_the_next_roll_of_that_action():
    table = table_of("public_d20")
    (granted,) = table.do(help_("Climb"), "quin")
    grant = granted[1].grant
    assert (grant.actor, grant.sign, grant.amount, grant.by) == ("hero", "boon", 1, "quin")
    assert (grant.source.label, grant.source.kind) == ("Help from Friend", "assist")
    assert (grant.scope.action, grant.expiry.when) == ("Climb", "next_roll")
    assert table.do(help_("Climb"), "quin") == ()
    assert names(table.do(help_(), "quin")) == ["Granted"]


@pytest.mark.parametrize("game", ["public_d20", "rank_ability"])
def test_help_with_one_action_is_one_help_however_it_is_written(game):
    table = table_of(game)
    assert table.do(help_("Climb the wall"), "quin")
    for written in ("climb the wall", " Climb  the wall", "CLIMB THE WALL"):
        assert table.do(help_(written), "quin") == ()
    assert table.do(help_("Climb"), "quin")


def test_help_waits_for_the_gm_where_the_table_says_so():
    table = table_of("rank_ability")
    (offered,) = table.do(help_("Climb", note="Holds the rope."), "quin")
    offer = offered[1].assist
    assert table.state.actors["hero"].grants == ()
    assert table.do(help_("Climb"), "quin") == ()  # the same offer
    assert f"assist/{offer.id}" in table.shown("olga")
    placed = table.do({"t": "AnswerAssist", "assist": offer.id, "accept": True})
    assert names(placed) == ["AssistAnswered", "Granted"]
    assert (placed[1][1].grant.by, placed[1][1].grant.note) == ("quin", "Holds the rope.")
    assert len(table.state.assists) == 0
    with pytest.raises(Refusal) as no:
        table.do({"t": "AnswerAssist", "assist": offer.id, "accept": True})
    assert no.value.code == "assist.unknown"


def test_help_may_be_declined():
    table = table_of("sage_d20")
    (offered,) = table.do(help_(), "quin")
    assert names(table.do({"t": "AnswerAssist", "assist": offered[1].assist.id, "accept": False})) == ["AssistAnswered"]
    assert table.state.actors["hero"].grants == ()


def test_who_offered_help_may_take_it_back_and_nobody_else():
    table = table_of("sage_d20")
    (offered,) = table.do(help_(), "quin")
    answer = {"t": "AnswerAssist", "assist": offered[1].assist.id, "accept": False}
    for by, cmd in (("pia", answer), ("quin", {**answer, "accept": True}), ("olga", answer)):
        assert table.tried(cmd, by)[:2] == ("refused", "role.forbidden")
    assert names(table.do(answer, "quin")) == ["AssistAnswered"]
    assert len(table.state.assists) == 0


def test_a_gm_needs_nobodys_leave():
    assert names(table_of("sage_d20").do(help_())) == ["Granted"]


def test_an_offer_goes_with_the_roll_it_was_for():
    table = table_of("rank_ability")
    numbers = {"values": [{"key": "rank", "value": 1}, {"key": "str", "value": 6}]}
    table.do({"t": "SyncActor", "actor": "hero", "numbers": numbers})
    table.do(help_("Climb"), "quin")
    table.do(help_("Swim"), "quin")
    roll = {"t": "RollCheck", "check": "check", "actors": ["hero"], "params": {"ability": "str", "tn": 6}, "action": "climb "}
    assert "AssistAnswered" in names(table.do(roll, "pia", (4, 6)))
    assert [offer.action for offer in table.state.assists.values()] == ["Swim"]


@pytest.mark.parametrize(
    ("game", "options", "more", "code"),
    [
        ("group_d12", {}, {}, "assist.opportunity"),
        ("public_d20", {"assist": "off"}, {}, "assist.off"),
        ("deep_mine", {}, {}, "assist.off"),
        ("public_d20", {}, {"actor": "friend"}, "assist.self"),
        ("public_d20", {}, {"actor": "nobody"}, "actor.unknown"),
        ("public_d20", {}, {"actor": "friend", "helper": "friend.token.two"}, "assist.self"),
    ],
)
def test_help_that_cannot_be_is_refused(game, options, more, code):
    table = table_of(game, **options)
    with pytest.raises(Refusal) as no:
        table.do(help_(**more), "quin")
    assert no.value.code == code


def test_offers_do_not_pile_up():
    table = table_of("rank_ability")
    for number in range(16):
        table.do(help_(f"action {number}"), "quin")
    with pytest.raises(Refusal) as no:
        table.do(help_("one more"), "quin")
    assert no.value.code == "assist.limit"


def test_help_leaves_with_who_offered_it():
    table = table_of("rank_ability")
    table.do(help_(), "quin")
    assert names(table.do({"t": "RemoveActor", "actor": "friend"})) == ["ActorRemoved", "AssistAnswered"]
    assert len(table.state.assists) == 0


def test_all_tokens_of_one_helper_are_one_help():
    table = table_of("public_d20")
    assert table.do(help_(), "quin")
    assert table.do(help_(helper="friend.token.two"), "quin") == ()
    table = table_of("rank_ability")
    assert table.do(help_(), "quin")
    assert table.do(help_(helper="friend.token.two"), "quin") == ()


@pytest.mark.parametrize("first", ["", "Climb"])
def test_one_helper_is_one_boon_whatever_he_offered_it_for(first):
    """Help with anything and help with the climb come from one source, which counts once."""
    table = table_of("public_d20")
    table.do({"t": "SyncActor", "actor": "hero", "numbers": {"values": [{"key": "attribute.might", "value": 0}]}})
    table.do(help_(first), "quin")
    table.do(help_("Climb" if first == "" else ""), "quin")
    roll = {"t": "RollCheck", "check": "task", "actors": ["hero"], "params": {"attribute": "attribute.might", "dc": 9}}
    ((_, rolled), *_) = table.do({**roll, "action": "Climb"}, "pia", (9, 9))
    assert (rolled.result.net, [line.why for line in rolled.sources]) == (1, ["counts", "same_source"])


@pytest.mark.parametrize(("game", "check", "other"), [("sage_d20", "attribute", "luck"), ("public_d20", "task", "attack")])
def test_help_with_a_check_without_a_name_does_not_count_on_another(game, check, other):
    # Somebody thinks better of what he was helped with: the Boon waits for that check and is no use for the next attack.
    table = table_of(game, assist="free")
    (granted,) = table.do(help_(check=check), "quin")
    assert (granted[1].grant.scope.checks, granted[1].grant.scope.action) == ((check,), "")
    assert table.do(help_(check=check), "quin") == ()
    assert names(table.do(help_(check=other), "quin")) == ["Granted"]
    assert names(table.do(help_(), "quin")) == ["Granted"]


def test_help_with_a_check_that_does_not_exist_is_refused():
    table = table_of("public_d20")
    with pytest.raises(Refusal) as no:
        table.do(help_(check="no_such"), "quin")
    assert no.value.code == "roll.unknown_check"
    assert table.state.actors["hero"].grants == ()


def test_an_offer_for_one_check_waits_while_another_is_rolled():
    table = table_of("sage_d20", assist="gm_approves")
    values = [{"key": key, "value": 10} for key in ("strength", "agility", "intellect", "will")]
    table.do(
        {"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": {"values": values}}
    )
    (offered,) = table.do(help_(check="attribute"), "quin")
    offer = offered[1].assist
    assert offer.check == "attribute"
    assert table.do(help_(check="attribute"), "quin") == ()
    table.do({"t": "RollCheck", "check": "luck", "actors": ["hero"]}, "pia", faces=[9])
    assert offer.id in table.state.assists
    attribute = {"t": "RollCheck", "check": "attribute", "actors": ["hero"], "params": {"attribute": "agility", "tn": 12}}
    placed = table.do(attribute, "pia", faces=[9])
    assert "AssistAnswered" in names(placed)
    assert len(table.state.assists) == 0
    table.do({"t": "Void", "what": f"check/{table.state.seq}.1"})
    assert table.state.assists[offer.id].check == "attribute", "taken back with the roll"
