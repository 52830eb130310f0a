"""``boonbridge fairness``: what it says, and when it fails. The statistics have tests of their own."""

import pytest

from boonbridge.commands import fairness as command
from boonbridge.dice.fairness import tally
from tests.support.cli import run


def test_the_command_says_how_each_size_looks():
    done = run("fairness", "--dice", "2000", "--sizes", "6,20")
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == ["d6", "d20"]
    assert all("chi-square" in line and "serial correlation" in line for line in lines[1:-1])
    assert lines[-1] == "Nothing speaks against fair dice."


def test_loaded_dice_are_a_failure(capsys, monkeypatch):
    monkeypatch.setattr(command, "_tallies", lambda _cores, sides, dice: [tally([1] * dice, sides)])
    with pytest.raises(SystemExit) as left:
        command.fairness(1_000, "6")
    assert left.value.code == 1
    assert "less than once in a million times: d6" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sizes", "dice", "says"),
    [
        ("six", 1_000, "--sizes takes numbers of sides"),
        ("6,1", 1_000, "There is no d1"),
        ("1001", 100_000, "There is no d1001"),
        ("20", 99, "99 dice are too few to tell anything of a d20: at least 100"),
    ],
)
def test_what_cannot_be_looked_at_is_refused(capsys, sizes, dice, says):
    with pytest.raises(SystemExit) as left:
        command.fairness(dice, sizes)
    assert left.value.code == 1
    assert says in capsys.readouterr().err
