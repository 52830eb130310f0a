"""Who learns what of a roll: mode x viewer x channel (protocol, section 4; T-34, T-36; I-43 to I-60).

Rare words and numbers are planted in a roll, and every byte that anybody received is searched for them.
"""

import asyncio
import json

import pytest

from tests.support.bridge import ROLES, ROLL, playing, serving
from tests.support.leaks import found, reads_no_secret

ACTION = "Zyxwv-action"
LABEL = "Qqzzk-label"
SOURCE = "kkqqj.source"
WORDS = (ACTION, LABEL, SOURCE)
FACE, TOTAL = 97, 117  # d20: 17, d100: 97; agility 13
NUMBERS = (FACE, TOTAL)
EVERYTHING = {*WORDS, *NUMBERS}
NOTED = {ACTION}  # that the check was made, and its name
NOTHING = set()

# What each person may read, by mode and by who rolled. The table of protocol section 4.
READS = {
    ("public", "Pia"): dict.fromkeys(ROLES, EVERYTHING),
    ("gm", "Pia"): {"Pia": EVERYTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("blind", "Pia"): {"Pia": NOTED, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("secret", "Pia"): {"Pia": NOTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("self", "Pia"): {"Pia": EVERYTHING, "Quin": NOTHING, "Gina": NOTHING, "Gwen": NOTHING, "Olga": NOTHING},
    ("public", "Gina"): dict.fromkeys(ROLES, EVERYTHING),
    ("gm", "Gina"): {"Pia": NOTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("blind", "Gina"): {"Pia": NOTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("secret", "Gina"): {"Pia": NOTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": EVERYTHING, "Olga": NOTHING},
    ("self", "Gina"): {"Pia": NOTHING, "Quin": NOTHING, "Gina": EVERYTHING, "Gwen": NOTHING, "Olga": NOTHING},
}
CASES = sorted(READS)
PLANTED = {
    **ROLL["sage_d20"],
    "action": ACTION,
    "sources": [{"id": SOURCE, "label": LABEL, "sign": "boon"}],
}


class Everybody:
    """All five at one table."""

    def __init__(self, bridge):
        self.bridge = bridge
        self.people = {}
        self._joins = []

    async def __aenter__(self):
        for name in ROLES:
            join = self.bridge.join(name)
            self._joins.append(join)
            self.people[name] = await join.__aenter__()
        await self.settled()
        return self

    async def __aexit__(self, *error):
        for join in self._joins:
            await join.__aexit__(*error)

    async def settled(self):
        await asyncio.gather(*(person.settled() for person in self.people.values()))

    def forget(self):
        for person in self.people.values():
            person.bytes.clear()
            person.frames.clear()


@pytest.mark.parametrize(("mode", "roller"), CASES, ids=[f"{mode} by {roller}" for mode, roller in CASES])
async def test_whoever_may_read_a_roll_is_told_it_and_nobody_else(tmp_path, mode, roller, subtests):
    reads = READS[mode, roller]
    async with playing("sage_d20", tmp_path, options={"boon_die": 100}) as bridge, Everybody(bridge) as all_:
        # Before: nobody knows a word of it, and no number stands there by chance.
        for name, person in all_.people.items():
            assert found(person.bytes, WORDS, NUMBERS) == NOTHING, name
        before = {name: person.last for name, person in all_.people.items()}
        all_.forget()
        bridge.tape.put(17, 97)
        ack = await all_.people[roller].do({**PLANTED, "mode": mode})
        seq = ack["seq"]
        await all_.settled()

        for name, person in all_.people.items():
            with subtests.test(f"live, {name}"):
                assert found(person.bytes, WORDS, NUMBERS) == reads[name]
                (frame,) = person.of("logged", "hidden")
                if not reads[name]:
                    assert set(frame) == {"t", "seq", "hash", "seedHash"}
                    assert frame["t"] == "hidden"
                else:
                    assert frame["by"] == bridge.user(roller)
                assert frame["seq"] == seq

        for name, person in all_.people.items():
            with subtests.test(f"history, {name}"):
                person.bytes.clear()
                page = await person.ask({"t": "history", "limit": 200})
                assert found(person.bytes, WORDS, NUMBERS) == reads[name]
                assert page["commits"][-1]["seq"] == seq
            with subtests.test(f"proof, {name}"):
                person.bytes.clear()
                proof = await person.ask({"t": "proof", "seq": seq})
                assert found(person.bytes, WORDS, NUMBERS) == reads[name]
                for part in proof["parts"].values():
                    assert (
                        (part["bytes"] is None) == (part["seed"] is None) == (part["salt"] is None) == (part["leaf"] is not None)
                    )
            with subtests.test(f"refusals, {name}"):
                person.bytes.clear()
                answer = await person.ask(
                    {"t": "do", "seen": seq, "cmd": {"t": "Choose", "check": f"{seq}.1", "choice": "accept"}}
                )
                assert answer["t"] == "refused"
                if name != roller:
                    taken = await person.do({**PLANTED, "mode": mode, "actors": ["friend"]}, id=ack["id"])
                    assert taken["t"] == "refused"
                    await person.ask({"t": "withdraw", "id": ack["id"]})
                assert found(person.bytes, WORDS, NUMBERS) == NOTHING
            with subtests.test(f"preview, {name}"):
                person.bytes.clear()
                await person.ask({"t": "preview", "check": ROLL["sage_d20"]})
                assert found(person.bytes, WORDS, NUMBERS) == NOTHING

        for name in ROLES:
            with subtests.test(f"fresh state, {name}"):
                async with bridge.join(name) as fresh:
                    assert found(fresh.bytes, WORDS, NUMBERS) == NOTHING, "a roll that is done stands in no state"
                    await reads_no_secret(bridge, fresh, ROLES[name])
            with subtests.test(f"catch-up, {name}"):
                async with bridge.join(name, last=before[name]) as back:
                    assert back.welcome["from"] == before[name]["seq"]
                    assert found(back.bytes, WORDS, NUMBERS) == reads[name]
                    await reads_no_secret(bridge, back, ROLES[name])
        for name, person in all_.people.items():
            await reads_no_secret(bridge, person, ROLES[name])

        assert found(bridge.lines, WORDS, NUMBERS) == NOTHING, "log lines"
        assert found(bridge.running.metrics.render(), WORDS) == NOTHING, "metrics"
        assert "hero" not in bridge.running.metrics.render().decode()

    async with serving(tmp_path) as bridge:
        for name in ROLES:
            with subtests.test(f"after a restart, {name}"):
                async with bridge.join(name, last=before[name]) as back:
                    assert found(back.bytes, WORDS, NUMBERS) == reads[name]
                    page = await back.ask({"t": "history", "limit": 200})
                    assert found(json.dumps(page), WORDS, NUMBERS) == reads[name]
