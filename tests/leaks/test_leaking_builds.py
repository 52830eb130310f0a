"""The leak test has a test of its own: builds that leak on purpose, each by one small mistake, and each has to be found."""

import pytest

from tests.support.leaking import CHANNELS, PAST, in_memory
from tests.support.leaking_builds import BUILDS
from tests.support.leaking_faults import play


def _step(channel):
    """What has to be done for a channel to be heard; the operator's side is looked at in any case."""
    return ("ids", "people") if channel in ("log lines", "metrics") else (channel,)


@pytest.mark.parametrize(
    "build", [pytest.param(build, id=build.name, marks=() if build.short else pytest.mark.long) for build in BUILDS]
)
async def test_a_build_that_leaks_is_found(tmp_path, build):
    assert build.channel in (*CHANNELS, *PAST, "log lines", "metrics")
    async with in_memory(tmp_path) as bridge:
        with pytest.MonkeyPatch.context() as patch:
            build.wrong(patch)
            wrong = await play(bridge, build.planting, build.mode, build.roller, channels=_step(build.channel))
    assert (build.channel, build.kind) in {(fault.channel, fault.kind) for fault in wrong}, wrong


@pytest.mark.long
async def test_the_same_cells_of_the_build_that_is_served_show_nothing(tmp_path):
    """Otherwise a mistake would be found by a fault that is always there."""
    cells = {(build.planting.name, build.mode, build.roller): build for build in BUILDS}
    async with in_memory(tmp_path) as bridge:
        for build in cells.values():
            everything = (*CHANNELS, *PAST)
            assert await play(bridge, build.planting, build.mode, build.roller, channels=everything) == [], build.name
