"""The machine of ``machine.py``, once for each game."""

import pytest

from boonbridge.rulesets.registry import shipped
from tests.stateful.machine import Evening
from tests.support.random_evening import machine

TestRankAbility = machine(Evening, "rank_ability", 12, 50)
TestPublicD20 = machine(Evening, "public_d20", 12, 50)
TestSageD20 = machine(Evening, "sage_d20", 12, 50)
TestGroupD12 = machine(Evening, "group_d12", 12, 50)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("game", sorted(shipped()))
def test_thousands_of_commands(game):
    machine(Evening, game, 200, 100)("runTest").runTest()
