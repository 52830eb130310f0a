"""``kill -9`` while people roll: what was acknowledged is in the log once, and everybody is told the same story."""

import random

import pytest

from tests.crash.kills import evening
from tests.crash.plain import roll_through_a_kill


async def survives(folder, kills):
    told = await evening(folder, seed=random.randrange(10**6), kills=kills)
    print(told)
    assert told.problems == []
    assert told.acked > 20 * kills
    assert (told.refused, told.unknown) == (0, 0)


async def test_two_kills(tmp_path):
    await survives(tmp_path, 2)


@pytest.mark.long
async def test_five_kills(tmp_path):
    await survives(tmp_path, 5)


@pytest.mark.long  # as above, by a command that anybody can run
def test_the_plain_command_ends_by_itself(tmp_path):
    assert roll_through_a_kill(tmp_path, seed=random.randrange(10**6), count=100) == []


@pytest.mark.long
def test_the_plain_command_of_two_hundred(tmp_path):
    assert roll_through_a_kill(tmp_path, seed=random.randrange(10**6)) == []
