"""A commit that changes more than one frame can tell: nobody is sent a larger one, and everybody has all of it."""

import msgspec

from boonbridge.core import entries
from tests.support.house import House, Sink
from tests.support.screen import Screen

FRAME_OUT = 256 * 1024  # protocol, section 7
NOTE = "\u00fc" * 500


class Scale(Sink):
    """A peer who notes how large a frame is."""

    def __init__(self):
        super().__init__()
        self.sizes = []

    def write(self, frame):
        self.sizes.append(len(frame))
        super().write(frame)


async def test_what_does_not_fit_into_the_frame_of_a_commit_goes_before_it():
    async with House("sage_d20") as house:
        actors = [f"actor{number}" for number in range(64)]
        for actor in actors:
            await house.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party"})
        (_, gm), (pia, player) = await house.admit("gina", "gm", sink=Scale()), await house.admit("pia", "player", sink=Scale())
        for condition in ("poisoned", "stunned", "prone", "vulnerable", "weakened", "confused"):
            answer = await house.do({"t": "SetCondition", "actors": actors, "condition": condition, "note": NOTE})
            assert answer.changed
        assert max(gm.sizes + player.sizes) <= FRAME_OUT
        kinds = [frame["t"] for frame in player.sent[-4:]]
        assert kinds[-1] == "logged"
        assert "state" in kinds
        table = await house.table()
        screen = Screen()
        for frame in player.sent:
            screen.take(frame)
        shown = {key: entries.value(table.state, key, pia.viewer) for key in entries.all_keys(table.state)}
        assert screen.entries == {
            key: msgspec.json.decode(msgspec.json.encode(value)) for key, value in shown.items() if value is not None
        }
        await house.do({"t": "EndCombat"})  # nothing is left over from what came before
        for actor in actors:
            await house.do({"t": "ClearCondition", "actor": actor, "condition": "prone"})
        assert max(gm.sizes + player.sizes) <= FRAME_OUT
