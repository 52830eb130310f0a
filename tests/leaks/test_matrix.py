"""Who learns what of a roll: planting x mode x viewer x channel (protocol, section 4; T-34, T-36; I-43 to I-60).

Rare words and numbers are planted in rolls, and every byte that anybody received is searched for them: live, caught up, as
state, from history, proofs, previews, foreseen, in refusals, in who is here and what is asked to be posted, in log lines,
metrics and plain HTTP; looked for in the past, as a moment of it, replayed in a terminal and exported. What is planted is in ``leaking_plantings``; that the search finds what it should is
``test_leaking_builds.py``'s to show.
"""

import json

import pytest

from tests.support.bridge import ROLES, ROLL, playing, serving
from tests.support.leaking import CHANNELS, GMS, MODES, PAST, READERS, TOLD_OF, in_memory
from tests.support.leaking_faults import play
from tests.support.leaking_plantings import DICE, PLANTINGS, RESISTED, SHORT, UNSEEN
from tests.support.leaks import found, reads_no_secret

CASES = [
    *(pytest.param(each, SHORT.get(each.name, each.modes), id=each.name) for each in PLANTINGS),
    *(
        pytest.param(each, each.modes, id=f"{each.name}, every mode", marks=pytest.mark.long)
        for each in PLANTINGS
        if each.name in SHORT
    ),
]
STAKES = (DICE, RESISTED, UNSEEN)
"""Of the past: the dice themselves, numbers that others hide, and what only GMs know that an actor has."""
LOOKING_BACK = [
    *(pytest.param(each, SHORT.get(each.name, each.modes), id=each.name) for each in STAKES),
    *(pytest.param(each, each.modes, id=f"{each.name}, every mode", marks=pytest.mark.long) for each in PLANTINGS),
]


@pytest.mark.parametrize(("planting", "modes"), CASES)
async def test_whoever_may_read_a_roll_is_told_it_and_nobody_else(tmp_path, planting, modes, subtests):
    await _is_told_right(tmp_path, planting, modes, CHANNELS, subtests)


@pytest.mark.parametrize(("planting", "modes"), LOOKING_BACK)
async def test_t34_t36_whoever_looks_back_replays_or_reads_an_export_is_told_the_same(tmp_path, planting, modes, subtests):
    await _is_told_right(tmp_path, planting, modes, PAST, subtests)


async def _is_told_right(folder, planting, modes, channels, subtests):
    shadows = {}
    async with in_memory(folder) as bridge:
        for mode, roller in modes:
            with subtests.test(f"{mode} by {roller}"):
                assert await play(bridge, planting, mode, roller, channels=channels, shadows=shadows) == []


def test_every_mode_is_rolled_by_a_player_and_by_a_gm():
    """The two keys of the table of protocol section 4, and each viewer of it once at least as one who reads and one who does not."""
    assert set(DICE.modes) == set(READERS) == {(mode, roller) for mode in MODES for roller in ("Pia", "Gina")}
    for name, role in ROLES.items():
        assert any(name in readers for readers in READERS.values())
        assert any(name not in readers for readers in READERS.values()) or role == "gm"
    assert any(GMS - readers for readers in READERS.values())


async def test_after_a_restart_the_same_are_told_the_same(tmp_path):
    """From the disk: each mode's roll has a word of its own."""
    words = {(mode, roller): f"Zyxwv-{mode}-{roller}" for mode, roller in READERS}
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        before = pia.last
        for (mode, roller), word in words.items():
            person = {"Pia": pia, "Gina": gina}[roller]
            ack = await person.do({**ROLL["sage_d20"], "mode": mode, "action": word})
            assert ack["t"] == "ack"
            await gina.settled()
            await pia.settled()
    async with serving(tmp_path) as bridge:
        for name, role in ROLES.items():
            told = {words[key] for key, readers in READERS.items() if name in readers | TOLD_OF.get(key, frozenset())}
            async with bridge.join(name, last=before) as back:
                assert back.welcome["from"] == before["seq"]
                assert found(back.bytes, words.values()) == told
                page = await back.ask({"t": "history", "limit": 200})
                assert found(json.dumps(page), words.values()) == told
                await reads_no_secret(bridge, back, role)
