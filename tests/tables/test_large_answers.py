"""What a dialog asks before anybody clicks is answered in one frame of the size that was agreed, or refused by name."""

import msgspec

from boonbridge.core.maps import Map
from boonbridge.rulesets.base import Actor
from boonbridge.tables import serving
from boonbridge_schemas.client import Foresee, Preview
from boonbridge_schemas.commands import Command
from tests.support.house import House, Sink
from tests.support.people import new_id
from tests.support.wait import until

FRAME_OUT = 256 * 1024  # protocol, section 7
SKILL = {"values": [{"key": "skill.might", "value": 2}]}
ACTORS = [f"actor{number}" for number in range(64)]
MANY = [{"id": f"s{n}", "label": "\u00fc" * 80, "sign": ("boon", "bane")[n % 2], "amount": 1} for n in range(64)]
ROLL = {"t": "RollCheck", "check": "skill", "params": {"skill": "skill.might", "difficulty": 9}}


class Scale(Sink):
    """A peer who notes how large the last frame was."""

    def write(self, frame):
        self.size = len(frame)
        super().write(frame)


async def seated(house):
    for actor in ACTORS:
        await house.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "numbers": SKILL})
    return await welcomed(house)


async def welcomed(house):
    session, sink = await house.admit("gina", "gm", sink=Scale())
    await until(lambda: sink.of("presence"))  # from now on she is answered at once
    return session, sink


async def test_a_preview_of_more_than_a_frame_can_tell_is_refused_as_its_roll_is():
    async with House("group_d12") as house:
        session, sink = await seated(house)
        cmd = {**ROLL, "actors": ACTORS, "sources": MANY}
        serving.preview_check(session, Preview(id=new_id(), check=msgspec.convert(cmd, Command)))
        assert (sink.sent[-1]["t"], sink.sent[-1]["code"]) == ("refused", "frame.too_large")
        assert (await house.do(cmd)).code == "frame.too_large"
        serving.preview_check(session, Preview(id=new_id(), check=msgspec.convert({**cmd, "actors": ACTORS[:4]}, Command)))
        assert sink.sent[-1]["t"] == "previewed"
        assert sink.size <= FRAME_OUT


async def test_what_would_not_fit_into_a_commit_is_not_foreseen_to_happen():
    async with House("group_d12") as house:
        table = await house.table()
        names = ["\u00fc" * 70 + str(number) for number in range(1900)]
        party = {f"actor{n}": Actor(id=f"actor{n}", name=name, side="party") for n, name in enumerate(names)}
        table.state = msgspec.structs.replace(table.state, actors=Map(party))
        session, sink = await welcomed(house)
        await house.do({"t": "StartSession"})
        end = {"t": "EndSession"}
        serving.foresee_command(house.hub, session, Foresee(id=new_id(), cmd=msgspec.convert(end, Command)))
        assert (sink.sent[-1]["t"], sink.sent[-1]["code"]) == ("refused", "frame.too_large")
        assert (await house.do(end)).code == "frame.too_large"
        some = {**end, "actors": list(party)[:64]}  # a GM may list who earns
        serving.foresee_command(house.hub, session, Foresee(id=new_id(), cmd=msgspec.convert(some, Command)))
        assert (sink.sent[-1]["t"], sink.size <= FRAME_OUT) == ("foreseen", True)
        assert (await house.do(some)).changed
