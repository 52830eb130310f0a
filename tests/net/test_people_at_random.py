"""People at random over sockets, several words at once, with restarts: codes used by whom and when it happens, roles, access, names."""

import asyncio
import random

import pytest
from websockets.exceptions import ConnectionClosed

from tests.net.test_people import GAME, LINK, redeem
from tests.support.bridge import playing
from tests.support.people import new_id

pytestmark = pytest.mark.long
ROLES = ("gm", "player", "observer")


class Crowd:
    """Whoever is there, and the codes and tokens that anybody ever had."""

    def __init__(self, seed):
        self.chance = random.Random(f"people {seed}")
        self.codes, self.tokens, self.here, self.answers = [], [], [], []

    async def comes(self, bridge, token):
        person = await bridge.stranger()
        self.here.append(await person.hello(token=token))

    async def says(self, bridge):
        """One word of somebody who is in; he may be turned away before he is answered."""
        table, inside = await bridge.table(), [each for each in self.here if each.closed is None]
        if not inside:
            await self.comes(bridge, await bridge.token("Gina"))
            return
        who, about = self.chance.choice(inside), self.chance.choice(list(table.state.people))
        try:
            self.answers.append(await self._said(bridge, who, about))
        except (ConnectionClosed, asyncio.CancelledError):
            assert await who.gone()

    async def _said(self, bridge, who, about):
        chance = self.chance
        match chance.choice(("role", "access", "name", "code", "code", "pair", "pair", "list")):
            case "role":
                return await who.do({"t": "SetRole", "user": about, "role": chance.choice(ROLES)})
            case "access":
                return await who.do({"t": "RevokeAccess", "user": about, "device": chance.choice((None, "d-1"))})
            case "name":
                return await who.do({"t": "EraseName", "user": about})
            case "code":
                known = {"user": about} if chance.random() < 0.7 else {}
                made = await who.ask({**LINK, **known, "role": chance.choice(ROLES)})
                self.codes += [made["code"]] if made["t"] == "codeMade" else []
                return made
            case "pair" if self.codes:
                # One id for many codes, and one code for many: what a client gets wrong, or an attacker tries.
                paired = await redeem(bridge, chance.choice(self.codes), id=chance.choice((new_id(), "B" * 22)))
                if paired["t"] == "paired":
                    self.tokens.append(paired["token"])
                    await self.comes(bridge, paired["token"])
                return paired
            case _:
                return await who.ask({"t": "people"})


@pytest.mark.timeout(240)
@pytest.mark.parametrize("seed", range(4))
async def test_whatever_people_do_each_is_what_the_table_says(tmp_path, seed):
    crowd = Crowd(seed)
    for _ in range(3):
        async with playing(GAME, tmp_path) as bridge:  # which fails where the bridge made a mistake of its own
            for name in ("Gina", "Gwen", "Pia"):
                await crowd.comes(bridge, await bridge.token(name))
            for token in crowd.chance.sample(crowd.tokens, min(4, len(crowd.tokens))):
                await crowd.comes(bridge, token)
            for _ in range(25):
                await asyncio.gather(*(crowd.says(bridge) for _ in range(4)))
            for person in (each for each in crowd.here if each.closed is None):
                await person.settled()
            opened = await bridge.opened()
            people = opened.table.state.people
            assert any(member.role == "gm" and not member.gone for member in people.values())
            for session in opened.sessions:
                member = people[session.user]
                assert session.role == member.role
                assert not member.refuses(session.claims.device, session.claims.issued)
            assert not [user for user, member in people.items() if member.erased and user in opened.names]
            for person in crowd.here:
                await person.close()
            crowd.here.clear()
    assert "internal" not in {answer.get("code") for answer in crowd.answers}
    assert len(crowd.tokens) > 5
