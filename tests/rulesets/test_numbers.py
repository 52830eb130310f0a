"""Numbers of actors and parameters, compared with what a game declares: refusals that say what would fit."""

import pytest
from msgspec.structs import replace

from boonbridge.rulesets.common import numbers as given
from boonbridge_schemas.checks import Attack, Number, Numbers, OnCrit
from boonbridge_schemas.codes import Code
from boonbridge_schemas.game import NumberSpec, Option
from boonbridge_schemas.refusal import Refusal
from tests.rulesets.sitting import numbers

SPECS = (
    NumberSpec(key="grace", label="Grace", min=-5, max=5, default=0),
    NumberSpec(key="die", label="Die", kind="die", choices=(Option(value=6, label="d6"), Option(value=8, label="d8"))),
    NumberSpec(key="skill", label="Skills", group=True, max=9),
)
AXE = Attack(id="axe", name="Axe", attribute="grace")


def refused(whole, *, attacks=True):
    with pytest.raises(Refusal) as problem:
        given.validate(whole, SPECS, attacks=attacks, against=("defense",))
    assert problem.value.code is Code.ACTOR_BAD_NUMBER
    return problem.value.values["number"], problem.value.message


@pytest.mark.parametrize(
    ("values", "key", "says"),
    [
        ({"luck": 1}, "luck", "knows no number"),
        ({"grace": 6}, "grace", "Grace is from -5 to 5"),
        ({"die": 7}, "die", "Die is one of d6, d8"),
        ({"skill": 1}, "skill", "knows no number"),
        ({"grace__own": 1}, "grace.own", "knows no number"),
        ({"skill__climb": 10}, "skill.climb", "Skills is from -99 to 9"),
    ],
)
def test_a_number_that_does_not_fit_says_what_would(values, key, says):
    got, message = refused(numbers(**values))
    assert got == key
    assert says in message


def test_a_number_stands_once():
    twice = Numbers(values=(Number(key="grace", value=1), Number(key="grace", value=2)))
    assert refused(twice) == ("grace", "Grace stands there twice.")


@pytest.mark.parametrize(
    ("attacks", "key", "says"),
    [
        ((AXE, AXE), "axe", "Two attacks"),
        ((replace(AXE, attribute="luck"),), "axe", "does not know"),
        ((replace(AXE, against="will"),), "axe", "rolled against one of defense"),
        ((replace(AXE, on_crit=OnCrit(name="Sunder", amount=100)),), "axe", "at most 99"),
    ],
)
def test_an_attack_that_does_not_fit_says_what_would(attacks, key, says):
    got, message = refused(Numbers(attacks=attacks))
    assert got == key
    assert says in message


def test_a_game_without_attacks_takes_none():
    assert refused(Numbers(attacks=(AXE,)), attacks=False)[0] == "attacks"


def test_what_fits_is_taken():
    whole = replace(numbers(grace=-5, die=8, skill__climb=9, skill__swim=-99), attacks=(AXE,))
    given.validate(whole, SPECS, attacks=True, against=("defense",))


@pytest.mark.parametrize(("key", "spec"), [("grace", 0), ("skill.climb", 2), ("skill", None), ("grace.x", None), ("x.y", None)])
def test_a_key_belongs_to_a_number_or_to_a_group(key, spec):
    assert given.spec_of(key, SPECS) == (None if spec is None else SPECS[spec])
