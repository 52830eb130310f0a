"""``boonbridge odds``: words of a command line become a question, and the answer is exact."""

import json

import pytest

from boonbridge.commands.odds import ask, lines, odds
from tests.rulesets.test_registry import TOY


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # The samples of the rules' own table of reference odds.
        ("rank_ability check rankDie=8 abilityDie=8 tn=10", "7/16 1/16 1/64"),
        ("rank_ability check rankDie=8 abilityDie=8 tn=10 boon=rope", "243/320 7/64 1/640"),
        ("rank_ability check rankDie=8 abilityDie=8 tn=10 boon=rope option.boon_keep=rank_die", "109/160 3/40 1/640"),
        ("rank_ability check rankDie=8 abilityDie=8 tn=10 boon=rope rank=6", "307/384 35/384 1/768"),
        ("rank_ability check number.rank=3 number.agi=8 ability=agi tn=10 bane=dark", "81/320 3/64 3/80"),
        ("rank_ability check rankDie=8 abilityDie=8 tn=10 bane=dark option.boon_keep=rank_die", "49/160 3/80 17/640"),
        ("public_d20 task attribute=3 dc=15", "9/20 1/20 1/20"),
        ("public_d20 task attribute=3 dc=15 boon=a boon=b", "6669/8000 1141/8000 1/8000"),
        ("public_d20 attack number.might=3 target.grace=7 bane=dark boon=a bane=fogx2", "729/8000 1/8000 1141/8000"),
        ("sage_d20 attribute attribute=strength number.strength=12 tn=12", "11/20 3/20 0/1"),
        ("sage_d20 attack number.strength=12 target.defense=12 boon=aidx2", "557/720 269/720 0/1"),
        ("sage_d20 against number.will=12 against=agility target.agility=12 bane=a bane=b", "47/144 1/144 1/8"),
        ("group_d12 skill skill=3 difficulty=10", "1/2 1/12 1/12"),
        ("group_d12 skill skill=climb number.climb=3 difficulty=10 bane=dark", "1/4 1/144 23/144"),
        ("group_d12 skill skill=3 resist=hold target.hold=3 option.spend_after_limit=none", "1/2 1/12 1/12"),
    ],
)
def test_the_answer_is_exact(question, answer):
    game, check, *words = question.split()
    told = ask(game, check, words).odds
    assert f"{told.success} {told.critical} {told.worst}" == answer


def test_json_is_one_record(capsys):
    odds("sage_d20", "luck", ["boon=charm"], as_json=True)
    told = json.loads(capsys.readouterr().out)
    assert (told["ruleset"], told["check"], told["target"], told["net"]) == ("sage_d20", "luck", 10, 1)
    assert told["odds"] == {"success": "29/40", "critical": "9/40", "worst": "0/1"}
    assert told["dice"] == [{"role": "d20", "sides": 20, "count": 1}, {"role": "boon", "sides": 6, "count": 1}]
    assert told["curve"][0] == {"total": 2, "chance": "1/120"}
    assert told["sources"][0]["why"] == "counts"


def test_text_says_what_is_rolled_and_why(capsys):
    odds("sage_d20", "attribute", ["attribute=strength", "number.strength=8", "tn=12", "boon=aidx2", "bane=dark"], as_json=False)
    assert capsys.readouterr().out.splitlines() == [
        "sage_d20 attribute: d20 + d6 (boon) - 2 against 12",
        "  success    52.5 %  21/40",
        "  critical   12.5 %  1/8",
        "  worst       0.8 %  1/120",
        "  boon aid x2: counts",
        "  bane dark: cancels",
    ]


def test_each_game_calls_things_by_its_own_names(capsys):
    odds("group_d12", "skill", ["skill=3", "difficulty=10", "bane=haste"], as_json=False)
    assert capsys.readouterr().out.splitlines()[-1] == "  negative chance haste: counts"


def test_a_game_in_a_file_answers_too():
    told = ask(str(TOY), "descent", ["load=5"])
    assert (told.ruleset, told.odds.worst) == ("deep_mine", "1/6")


def test_where_nothing_is_compared_the_curve_is_told():
    from msgspec.structs import replace

    told = lines(replace(ask("sage_d20", "luck", []), odds=None, target=None))
    assert told[0] == "sage_d20 luck: d20"
    assert told[1].split() == ["1", "5.0", "%", "1/20"]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("chess move", "there is no game 'chess'"),
        ("nowhere.py move", "no such file"),
        ("sage_d20 sing", "There is no check 'sing'"),
        ("sage_d20 attribute", "Attribute is missing"),
        ("sage_d20 attribute strength", "not of the form key=value"),
        ("sage_d20 attribute attribute=strength", "no number 'strength'"),
        ("sage_d20 attribute attribute=strength number.strength=x", "Expected `int`"),
        ("sage_d20 attribute attribute=strength number.strength=99", "Strength is from 0 to 50"),
        ("sage_d20 luck luck=1", "no parameter 'luck'"),
        ("sage_d20 luck option.default_tn=soon", "The option 'default_tn' has no such value."),
        ("sage_d20 luck option.sides=3", "There is no option 'sides'."),
        ("sage_d20 attack target.defense=12", "Say what the attack uses"),
        ("public_d20 task attribute=3 dc=15 boon=much boon=morex99", "101 dice"),
        ("sage_d20 luck boon=<b>", "Expected `str` matching"),
    ],
)
def test_what_is_no_question_gets_one_sentence(capsys, question, says):
    game, check, *words = question.split()
    with pytest.raises(SystemExit) as left:
        odds(game, check, words, as_json=False)
    told = capsys.readouterr()
    assert left.value.code == 1
    assert told.out == ""
    assert says in told.err
    assert len(told.err.splitlines()) == 1
