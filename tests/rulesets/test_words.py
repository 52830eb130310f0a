"""What games say of themselves: every option of the rules with its default, and a word for everything people meet."""

import json
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.codes import Code
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.refusal import Refusal

GAMES = shipped()
SYSTEM = {"rank_ability": "A", "public_d20": "B", "sage_d20": "C", "group_d12": "D"}
DEFAULTS = json.loads((Path(__file__).parent / "vectors" / "golden-rolls.json").read_text())["defaults"]
EVERY_TABLE = {
    "actor_authority": "owner",
    "ad_hoc": "gm",
    "player_difficulty": "marked",
    "player_sources": "marked",
    "show_targets": False,
    "npc_rolls": "public",
    "manual_dice": False,
}
OWN = {
    "rank_ability": {"assist": "gm_approves", "retry": "strict", "rulings": True},
    "public_d20": {"assist": "free", "dice_public": True},
    "sage_d20": {"assist": "gm_approves"},
    "group_d12": {"opportunity_self": True, "success_level": False, "rulings": True},
}

by_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@by_game
def test_options_have_the_defaults_of_the_rules(game):
    rules = DEFAULTS[SYSTEM[game.id]]
    assert msgspec.structs.asdict(game.options()) == {**rules, **EVERY_TABLE, **OWN[game.id]}


@by_game
def test_every_option_has_words_for_every_value(game):
    specs = {spec.key: spec for spec in game.info(game.options()).option_specs}
    hints = get_type_hints(game.options)
    assert set(specs) == set(hints)
    for key, hint in hints.items():
        spec = specs[key]
        assert spec.label
        named = [option.value for option in spec.values]
        if get_origin(hint) is Literal:
            assert sorted(named, key=str) == sorted(get_args(hint), key=str), key
        elif hint is bool:
            assert sorted(named) == [False, True], key
        else:
            assert spec.min is not None, key
            assert spec.max is not None, key
        assert all(option.label for option in spec.values), key
        assert spec.default == getattr(game.options(), key)


@by_game
def test_readings_of_the_rules_name_their_rule(game):
    letter = SYSTEM[game.id]
    for spec in game.info(game.options()).option_specs:
        if spec.key in DEFAULTS[letter]:
            assert spec.rules, spec.key
        assert all(rule.startswith(f"{letter}-") for rule in spec.rules)


@by_game
@pytest.mark.parametrize("wrong", [{"boon_keep": "all"}, {"defense_base": "8"}, {"nonsense": 1}, {"show_targets": 1}])
def test_an_option_takes_only_what_it_declares(game, wrong):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(wrong, game.options)


@by_game
def test_a_game_survives_the_wire(game):
    info = game.info(game.options())
    assert msgspec.json.decode(msgspec.json.encode(info), type=RulesetInfo) == info


@by_game
def test_the_words_are_there(game):
    info = game.info(game.options())
    tones = {word.tone for word in info.outcomes} - {"plain"}
    assert tones == {"critical", "success", "failure", "worst"}
    assert {"boon", "bane", "target"} <= set(info.words)
    assert {circumstance.sign for circumstance in info.circumstances} == {"boon", "bane"}
    ids = [circumstance.id for circumstance in info.circumstances]
    assert len(ids) == len(set(ids))
    for check in info.checks:
        assert check.label
        assert all(param.label for param in check.params)
        for param in check.params:
            assert param.kind not in ("die", "choice") or param.choices
            assert param.kind != "number" or param.choices or param.group


@by_game
def test_a_difficulty_is_marked_as_one_and_its_ladder_climbs(game):
    ladders = [param.ladder for check in game.checks.values() for param in check.params if param.difficulty]
    assert ladders
    for ladder in ladders:
        values = [step.value for step in ladder]
        assert values == sorted(values)


def test_what_the_rules_do_not_say_is_marked_as_proposed():
    def ladder(game, check, key):
        (param,) = (param for param in GAMES[game].checks[check].params if param.key == key)
        return {step.value: step.proposed for step in param.ladder}

    assert ladder("rank_ability", "check", "tn") == {6: False, 10: False, 14: False, 18: True}
    assert ladder("group_d12", "skill", "difficulty") == dict.fromkeys((5, 8, 11, 14, 17), True)
    assert all(ladder("public_d20", "task", "dc").values())


def test_texts_fit_where_they_are_shown():
    for game in GAMES.values():
        info = game.info(game.options())
        for spec in info.option_specs:
            assert len(spec.label) <= 60, spec.label
            assert all(len(option.label) <= 60 for option in spec.values)
        assert all(len(word) <= 80 for word in info.words.values())
        for ruling in (ruling for group in _rulings(game) for ruling in group):
            assert len(ruling.label) <= 80, ruling.label


def _rulings(game):
    from boonbridge.rulesets.words import group_d12, rank_ability

    return {"rank_ability": tuple(rank_ability.RULINGS.values()), "group_d12": (group_d12.RULINGS,)}.get(game.id, ())


def test_answers_have_a_name_and_keys_of_their_own():
    for game in GAMES.values():
        for group in _rulings(game):
            keys = [ruling.key for ruling in group]
            assert len(keys) == len(set(keys))
            assert "pass" not in keys, "every set ends with it anyway"
        names = [ruling.label.partition(": ")[0] for group in _rulings(game) for ruling in group]
        assert all(names)
    everything = [ruling.key for group in _rulings(GAMES["rank_ability"]) for ruling in group]
    assert len(everything) == len(set(everything)), "a card names a ruling without its outcome"


@by_game
def test_moves_marks_and_conditions_are_told(game):
    info = game.info(game.options())
    for verb in info.verbs:
        assert verb.label, verb.key
        assert verb.help, verb.key
        assert all(param.label and (param.kind not in ("choice", "die") or param.choices) for param in verb.params)
    for mark in info.marks:
        assert mark.label, mark.key
        assert mark.help, mark.key
        assert mark.values
        assert all(value.label for value in mark.values)
    for condition in info.conditions:
        assert condition.label, condition.key
        assert condition.help, condition.key
        assert all(about.label for about in condition.of)


def test_which_moves_and_marks_there_are():
    def keys(records):
        return [record.key for record in records]

    infos = {game.id: game.info(game.options()) for game in GAMES.values()}
    assert {id: keys(info.verbs) for id, info in infos.items()} == {
        "rank_ability": [],
        "public_d20": ["stagger_window"],
        "sage_d20": [],
        "group_d12": ["give_boon", "take_boon", "initiative", "keep_initiative", "offer_resistance", "spend_xp"],
    }
    assert {id: keys(info.marks) for id, info in infos.items()} == {
        "rank_ability": [],
        "public_d20": ["stagger_window"],
        "sage_d20": [],
        "group_d12": ["initiative"],
    }


def test_help_is_a_circumstance_where_it_is_a_boon():
    for game in GAMES.values():
        named = {circumstance.id: circumstance.sign for circumstance in game.info(game.options()).circumstances}
        assert game.info(game.options()).assist is (game.id != "group_d12")
        assert game.assist is None or named[game.assist] == "boon"
        assert ("assist" in game.info(game.options()).options) is (game.id != "group_d12")


def test_a_game_says_which_of_its_checks_is_luck():
    for game in shipped().values():
        assert game.info(game.options()).luck == ("luck" if game.id == "sage_d20" else None), "C-P2"
        ends = {spec.luck for spec in game.conditions.values()} - {"never"}
        assert bool(ends) is (game.luck in game.checks), "what luck ends, and the roll for it, come together"


@by_game
def test_every_option_says_in_a_sentence_what_it_decides_and_gives_an_example_with_numbers(game):
    for spec in game.info(game.options()).option_specs:
        assert spec.help.endswith("."), spec.key
        assert spec.help.count(". ") == 0, f"{spec.key}: one sentence"
        assert 20 <= len(spec.help) <= 140, spec.key
        assert spec.example.endswith("."), spec.key
        assert any(sign.isdigit() for sign in spec.example), spec.key
        assert len(spec.example) <= 140, spec.key


@by_game
def test_what_the_sources_do_not_speak_of_is_ours_and_nothing_else(game):
    letter = SYSTEM[game.id]
    for spec in game.info(game.options()).option_specs:
        ours = spec.key in {*EVERY_TABLE, "assist", "rulings", "success_level"}
        assert spec.ours is ours, spec.key
        assert bool(spec.rules) is (spec.key not in {*EVERY_TABLE, "assist", "rulings"}), spec.key
        assert not (ours and spec.key in DEFAULTS[letter])


@by_game
def test_some_options_are_folded_away_and_most_are_not_hidden_altogether(game):
    rare = [spec.key for spec in game.info(game.options()).option_specs if spec.rare]
    assert {"actor_authority", "ad_hoc"} <= set(rare)
    assert len(rare) < len(get_type_hints(game.options))


def test_no_word_of_the_d12_game_calls_a_chance_a_bane():
    info = GAMES["group_d12"].info(GAMES["group_d12"].options())
    told = {**msgspec.to_builtins(info), "id": ""}
    for part in ("option_specs", "optionSpecs", "checks", "groups", "verbs", "outcomes", "circumstances", "summary"):
        words = [text for text in _texts(told.get(part, ())) if text not in ("bane", "boon")]
        assert not [text for text in words if "bane" in text.lower()], part


def _texts(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)


IDLE = {
    ("public_d20", "npc_rolls"): {"dice_public": True},
    ("group_d12", "boon_cap_mode"): {"boon_cap": 0},
    ("group_d12", "reroll"): {"spend_after_limit": 0},
    ("group_d12", "spend_after_gate"): {"spend_after_limit": 0},
    ("group_d12", "before_spend_forfeits_boon"): {"spend_before_limit": 0},
    ("group_d12", "challenge_reroll"): {"spend_after_limit": 0},
    ("group_d12", "challenge_fail_boon"): {"spend_after_limit": 0},
}


def test_which_options_decide_nothing_while_another_stands_so():
    told = {
        (game.id, spec.key): {when.option: when.value for when in spec.idle}
        for game in GAMES.values()
        for spec in game.info(game.options()).option_specs
        if spec.idle
    }
    assert told == IDLE
    for (game, _), others in told.items():
        for option, value in others.items():
            assert msgspec.convert({option: value}, GAMES[game].options), "a value that the other can have"


@by_game
def test_a_game_names_the_modes_that_it_refuses_the_party(game):
    # Protocol, section 4: group_d12 takes no check of the party's alone or blind.
    assert game.info(game.options()).party_refuses == (("self", "blind") if game.id == "group_d12" else ())


@by_game
def test_the_defaults_contradict_nothing(game):
    game.validate_options(game.options())


def test_readings_that_contradict_each_other_are_named_both():
    """Where every check needs a difficulty that only GMs may set, nobody else can roll for a mere name."""
    both = {"ad_hoc": "everyone", "player_difficulty": "gm_only"}
    rank = GAMES["rank_ability"]
    with pytest.raises(Refusal) as refused:
        rank.validate_options(msgspec.convert(both, rank.options))
    assert refused.value.code is Code.OPTION_CONTRADICTION
    assert refused.value.values == {"option": "ad_hoc", "other": "player_difficulty"}
    for one, value in both.items():
        rank.validate_options(msgspec.convert({one: value}, rank.options))
    # Elsewhere a roll may be against somebody's Defense, resistance, or the usual number.
    for game in (GAMES["public_d20"], GAMES["sage_d20"], GAMES["group_d12"]):
        game.validate_options(msgspec.convert(both, game.options))


def test_groups_are_told():
    for game in GAMES.values():
        info = game.info(game.options())
        for group in info.groups:
            assert group.label
            assert group.help.endswith(".")
            assert all(check in game.checks for check in group.checks)
        outcomes = {"each", "won", "tie"} | ({"success", "failure"} if game.id == "group_d12" else set())
        assert {f"group.{outcome}" for outcome in outcomes} <= set(info.words)
    asked = {check.key for game in GAMES.values() for check in game.checks.values() if check.asked}
    assert asked == {"challenge"}
    (challenge,) = (group for group in GAMES["group_d12"].groups if group.key == "challenge")
    assert (challenge.checks, challenge.per_member, challenge.difficulty.difficulty) == (("challenge",), True, True)


def test_only_the_game_with_experience_says_so():
    assert {game.id for game in GAMES.values() if game.info(game.options()).xp} == {"group_d12"}


def test_our_own_reading_of_boons_on_damage_says_that_it_is_ours():
    (spec,) = (
        spec for spec in GAMES["rank_ability"].info(GAMES["rank_ability"].options()).option_specs if spec.key == "damage_boons"
    )
    assert "Proposed" in spec.help
    assert spec.rules == ("A-17",)
