"""What a dialog shows is what the roll does: also in being refused."""

import pytest

from tests.support.bridge import ROLL
from tests.support.evening import Evening

SHEETS = {
    "rank_ability": [{"key": "rank", "value": 3}, {"key": "str", "value": 8}],
    "public_d20": [{"key": "grace", "value": 2}, {"key": "attribute.might", "value": 3}],
    "sage_d20": [{"key": "agility", "value": 13}, {"key": "defense", "value": 13}],
    "group_d12": [{"key": "skill.athletics", "value": 2}],
}


def table(game, actors):
    evening = Evening(game)
    for n in range(actors):
        evening.do({"t": "SyncActor", "actor": f"a{n}", "name": "A", "numbers": {"values": SHEETS[game]}})
    return evening


# 100 dice a check and 400 a command; in rank_ability a Boon is one die at most.
@pytest.mark.parametrize(
    ("game", "actors", "boons", "code"),
    [
        ("public_d20", 1, 99, None),
        ("public_d20", 1, 100, "roll.too_many_dice"),
        ("public_d20", 4, 99, None),
        ("public_d20", 5, 79, None),
        ("public_d20", 5, 80, "roll.too_many_dice"),
        ("sage_d20", 40, 9, None),
        ("sage_d20", 41, 9, "roll.too_many_dice"),
        ("group_d12", 64, 5, None),
        ("group_d12", 64, 6, "roll.too_many_dice"),
        ("rank_ability", 64, 99, None),
    ],
)
def test_dice_without_end_are_refused_in_the_dialog_as_in_the_roll(game, actors, boons, code):
    evening = table(game, actors)
    source = {"id": "x", "label": "x", "sign": "boon", "amount": boons}
    cmd = {**ROLL[game], "actors": [f"a{n}" for n in range(actors)], "sources": [source]}
    shown, rolled = evening.previewed(cmd, "gina"), evening.tried(cmd, "gina", [1] * 500)
    if code is None:
        assert isinstance(shown, bytes)
        assert rolled[0] == "done"
    else:
        assert shown[0] == rolled[1] == code
        assert shown == rolled[1:], "word for word"
