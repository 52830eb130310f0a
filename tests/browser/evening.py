"""One evening with something of everything that not everybody sees, for the picture of it; and who may read which of it."""

from dataclasses import dataclass, field
from typing import Any

from boonbridge.commands.demo_tables import PEOPLE
from boonbridge.net.client import Client
from boonbridge_schemas.base import Mode, Role
from boonbridge_schemas.commands import (
    AnswerRequest,
    Choose,
    Command,
    Grant,
    RequestCheck,
    Reveal,
    RollCheck,
    Settle,
    SyncActor,
    Void,
)
from boonbridge_schemas.grants import GrantSource
from boonbridge_schemas.requests import AskedCheck
from boonbridge_schemas.server import Ack
from tests.browser.stage import TABLE, Stage, user_id

PEOPLE_THERE: dict[str, Role] = {"Rin": "gm", "Mo": "player", "Kim": "player", "Ola": "observer"}
EVERYBODY = frozenset(PEOPLE_THERE)


@dataclass
class Evening:
    """What was played: for each commit, what it was and whose log shows it."""

    stage: Stage
    shown: dict[int, tuple[str, frozenset[str]]] = field(default_factory=dict)

    async def seat(self) -> None:
        """Mira is Mo's, Teo is Kim's, the Gate Warden is nobody's."""
        (mira, mira_numbers), (teo, teo_numbers), (warden, warden_numbers) = PEOPLE["rank_ability"]
        for name, owner, numbers in ((mira, "Mo", mira_numbers), (teo, "Kim", teo_numbers), (warden, "", warden_numbers)):
            owners = (user_id(TABLE, owner),) if owner else ()
            side = "party" if owner else "opposition"
            await self.do("Rin", SyncActor(actor=actor(name), name=name, side=side, owners=owners, numbers=numbers))

    async def do(self, who: str, command: Command, *faces: int, reads: frozenset[str] = EVERYBODY, what: str = "") -> str:
        """Somebody does something; the number of its commit."""
        self.stage.tape.lay(*faces)
        async with Client(self.stage.socket, await self.stage.token(PEOPLE_THERE[who], who)) as client:
            ack = await client.do(command)
        assert isinstance(ack, Ack), ack
        assert self.stage.tape.faces == [], "not all of the dice were drawn"
        if what:
            self.shown[ack.seq] = (what, reads)
        return str(ack.seq)

    async def roll(self, who: str, name: str, action: str, mode: Mode, *faces: int, reads: frozenset[str]) -> str:
        """A check of strength, for a Boon's die too where there is one."""
        command = RollCheck(check="check", actors=(actor(name),), params={"ability": "str", "tn": 9}, action=action, mode=mode)
        return await self.do(who, command, *faces, reads=reads, what=action)

    async def play(self) -> None:
        """All five modes, a hidden difficulty, a hidden grant, and what shows, settles, takes back and rules."""
        gms, roller = frozenset({"Rin"}), frozenset({"Rin", "Mo"})
        note = {"note": "The hinges scream"}
        failed = await self.roll("Mo", "Mira", "forces the stuck door", "public", 2, 3, reads=EVERYBODY)
        await self.do("Rin", Choose(check=f"{failed}.1", choice="danger", args=note), what="a ruling")
        shown = await self.roll("Mo", "Mira", "palms the seal", "gm", 6, 7, reads=roller)
        settled = await self.roll("Mo", "Mira", "listens at the wall", "blind", 1, 4, reads=roller)
        await self.roll("Mo", "Mira", "holds her nerve", "self", 5, 6, reads=frozenset({"Mo"}))
        secret = await self.roll("Mo", "Mira", "is being followed", "secret", 3, 2, reads=gms)
        known = GrantSource(id="bell", label="A bell-pull at hand", kind="position")
        hidden = Grant(actors=(actor("Gate Warden"),), sign="boon", source=known, hidden=True)
        await self.do("Rin", hidden, reads=gms, what="a hidden grant")
        await self.roll("Rin", "Gate Warden", "hears the door", "gm", 4, 5, 9, reads=gms)
        for check in (settled, secret):  # what it brings is said at the table
            await self.do("Rin", Choose(check=f"{check}.1", choice="pass"))
        asked = RequestCheck(
            actors=(actor("Mira"), actor("Teo")),
            checks=(AskedCheck(check="check", params={"ability": "lor", "tn": 11}),),
            action="knows the sign on the wall",
            shown=False,
        )
        request = await self.do("Rin", asked, what="a request")
        answer = await self.do("Mo", AnswerRequest(request=request, actor=actor("Mira")), 3, 2, what="an answer")
        await self.do("Rin", Choose(check=f"{answer}.1", choice="pass"))
        await self.do("Kim", AnswerRequest(request=request, actor=actor("Teo")), 5, 8, what="another answer")
        await self.do("Rin", Reveal(check=f"{shown}.1"), what="shown to everybody")
        await self.do("Rin", Settle(check=f"{settled}.1"), what="settled")
        await self.do("Rin", Void(what=f"check/{failed}.1", reason="The door was open", confirm=True), what="taken back")


def actor(name: str) -> str:
    """The id of somebody."""
    return name.lower().replace(" ", "-")


def seen_by(evening: Evening, name: str) -> dict[int, Any]:
    """What somebody's log shows: the commits that he may read anything of."""
    return {seq: what for seq, (what, names) in evening.shown.items() if name in names}
