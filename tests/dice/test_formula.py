"""Dice as people write them. Expected values by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge.dice import formula
from boonbridge.dice.formula import ExtraDie, Formula, fall, parse
from boonbridge.dice.source import TapeDice
from boonbridge_schemas.checks import DiceTerm
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal


def dice(count, sides, **more):
    return DiceTerm(count=count, sides=sides, **more)


# --- reading ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "terms", "bonus", "written"),
    [
        ("2d6+3", [dice(2, 6)], 3, "2d6+3"),
        ("d6", [dice(1, 6)], 0, "1d6"),
        ("d%", [dice(1, 100)], 0, "1d100"),
        ("4d6kh3", [dice(4, 6, keep=3)], 0, "4d6kh3"),
        ("4d6dl1", [dice(4, 6, keep=3)], 0, "4d6kh3"),
        ("2d20kl", [dice(2, 20, keep=1, lowest=True)], 0, "2d20kl1"),
        ("2d20dh", [dice(2, 20, keep=1, lowest=True)], 0, "2d20kl1"),
        ("3d8dh1", [dice(3, 8, keep=2, lowest=True)], 0, "3d8kl2"),
        ("2d6kh2", [dice(2, 6)], 0, "2d6"),
        ("2d6dl0", [dice(2, 6)], 0, "2d6"),
        ("1d20-1d4", [dice(1, 20), dice(1, 4, minus=True)], 0, "1d20-1d4"),
        ("10 - 2d4 - 1", [dice(2, 4, minus=True)], 9, "-2d4+9"),
        (" 1 D 6 + 2\u22123 ", [dice(1, 6)], -1, "1d6-1"),
        ("+d6+d6", [dice(1, 6), dice(1, 6)], 0, "1d6+1d6"),
        ("02d06+003", [dice(2, 6)], 3, "2d6+3"),
        ("9d1000+999", [dice(9, 1000)], 999, "9d1000+999"),
    ],
)
def test_what_a_formula_means(text, terms, bonus, written):
    found = parse(text)
    assert (list(found.terms), found.bonus, found.text) == (terms, bonus, written)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "There is no formula."),
        ("   ", "There is no formula."),
        ("5", "There is no die"),
        ("+", "Nothing stands behind one plus"),
        ("2d6-", "Nothing stands behind one minus"),
        ("2d6++3", "Nothing stands behind one plus"),
        ("2d6*2", "'2d6*2' is neither dice nor a whole number."),
        ("1 2d6", "'1 2d6' is neither"),
        ("1.5d6", "'1.5d6' is neither"),
        ("2d6kh1kh1", "'2d6kh1kh1' is neither"),
        ("2d", "'2d' is neither"),
        ("@level", "'@level' is neither"),
        ("\u0663d6", "is neither"),
        ("0d6", "'0d6' has no dice."),
        ("1d1", "A die has 2 to 1000 sides"),
        ("1d1001", "A die has 2 to 1000 sides"),
        ("1d99999999999999999999", "A die has 2 to 1000 sides"),
        ("2d6kh0", "keeps no die"),
        ("2d6dl2", "keeps no die"),
        ("2d6kh3", "or more than it rolls"),
        ("2d6dh3", "keeps no die"),
        ("9d1000+1000", "more than 9999"),
        ("1d6+99999999999999999999", "more than 9999"),
        ("1d6-10000", "more than 9999"),
        ("10001-9d6", "more than 9999"),
        ("-10d1000", "more than 9999"),
        ("d6" * 41, "at most 80 characters"),
        ("+".join(["d6"] * 27), "Written out"),
    ],
)
def test_what_is_no_formula_says_what_is_wrong(text, why):
    with pytest.raises(Refusal, match=why.replace("*", r"\*")) as refused:
        parse(text)
    assert refused.value.code is Code.DICE_BAD_FORMULA


@pytest.mark.parametrize("text", ["101d6", "51d6+50d4", "99999999999999999999d6", "100d6-1d4"])
def test_more_than_a_hundred_dice_are_refused(text):
    with pytest.raises(Refusal) as refused:
        parse(text)
    assert (refused.value.code, refused.value.values) == (Code.ROLL_TOO_MANY_DICE, {"limit": 100})


def test_a_hundred_are_not():
    assert parse("50d6 + 50d4").count == 100


@st.composite
def terms(draw):
    count, sides, keep = draw(st.integers(1, 12)), draw(st.integers(2, 80)), draw(st.integers(1, 12))
    kept = {"keep": keep, "lowest": draw(st.booleans())} if keep < count else {}
    return dice(count, sides, minus=draw(st.booleans()), **kept)


@given(st.builds(Formula, st.lists(terms(), min_size=1, max_size=5).map(tuple), st.integers(-999, 999)))
def test_what_is_written_out_reads_as_the_same(made):
    assert parse(made.text) == made
    assert parse(made.text.upper().replace("+", " +  ")) == made


@given(st.one_of(st.text(max_size=90), st.text("0123456789d%khl+- ", max_size=90)))
def test_whatever_is_typed_is_a_formula_or_refused(text):
    try:
        found = parse(text)
    except Refusal:
        return
    assert found == parse(found.text)
    assert 1 <= found.count <= 100
    assert len(found.text) <= formula.LONGEST


# --- falling ----------------------------------------------------------------------------------------------------
def fallen(text, *faces, extra=None):
    tape = TapeDice(faces)
    came = fall(tape, parse(text), extra)
    assert tape.left == 0
    return came


def kept(came):
    return [die.face for die in came.dice if die.kept]


def test_dice_fall_group_by_group_and_numbers_are_added():
    came = fallen("2d6+1d8+3-1", 5, 2, 7)
    assert [(d.role, d.sides, d.face, d.kept, d.mark) for d in came.dice] == [
        ("d6", 6, 5, True, ""),
        ("d6", 6, 2, True, ""),
        ("d8", 8, 7, True, ""),
    ]
    assert came.total == 16


def test_dice_behind_a_minus_are_taken_away():
    came = fallen("1d6-2d4", 2, 3, 4)
    assert [d.mark for d in came.dice] == ["", "minus", "minus"]
    assert came.total == -5


@pytest.mark.parametrize(
    ("text", "faces", "keeps", "total"),
    [
        ("4d6kh3", (3, 6, 1, 4), [3, 6, 4], 13),
        ("4d6kl1+10", (3, 6, 1, 4), [1], 11),
        ("4d6dh1", (3, 6, 1, 4), [3, 1, 4], 8),
        ("20-3d6kh1", (3, 6, 1), [6], 14),
    ],
)
def test_only_what_is_kept_counts(text, faces, keeps, total):
    came = fallen(text, *faces)
    assert (kept(came), came.total) == (keeps, total)


def test_of_equal_dice_the_first_stays():
    assert [d.kept for d in fallen("3d6kh2", 4, 4, 4).dice] == [True, True, False]
    assert [d.kept for d in fallen("3d6kl1", 4, 4, 4).dice] == [True, False, False]


def test_one_more_die_competes_with_all_of_them():
    boon = fallen("1d6+1d8+2", 2, 5, 9, extra=ExtraDie("boon", 10))
    assert ([(d.role, d.kept) for d in boon.dice], boon.total) == ([("d6", False), ("d8", True), ("boon", True)], 16)
    bane = fallen("2d6", 2, 5, 1, extra=ExtraDie("bane", 10, lowest=True))
    assert (kept(bane), bane.total) == ([2, 1], 3)
    useless = fallen("2d6", 2, 5, 1, extra=ExtraDie("boon", 10))
    assert (kept(useless), useless.total) == ([2, 5], 7)


@given(text=st.sampled_from(["3d6", "4d6kh3", "2d6kl1+4", "9-3d8dl1", "d%+d4"]), seed=st.randoms(use_true_random=False))
def test_a_total_stays_between_what_it_can_come_to(text, seed):
    class Chance:
        def draw(self, role, sides):
            return seed.randint(1, sides)

    made = parse(text)
    came = fall(Chance(), made)
    signs = {"minus": -1, "": 1}
    assert came.total == made.bonus + sum(signs[d.mark] * d.face for d in came.dice if d.kept)
    assert len(came.dice) == made.count
