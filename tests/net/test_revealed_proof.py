"""What was revealed can be proven: its part is open to everybody once all in it was shown, and not before (protocol, section 4)."""

import hmac
import json
from hashlib import sha256

import pytest

from tests.support.bridge import ATTACK, ROLL, playing, serving
from tests.support.proofs import field, proven

PART = {"gm": "roller_gm", "blind": "gm", "secret": "gm", "self": "roller"}
ROLL = ROLL["sage_d20"]


def face(seed, command, index, sides):
    """A die as section 6 says, for whoever was given its seed."""
    attempt = 0
    while True:
        message = b"".join(field(str(each).encode()) for each in (command, index, attempt))
        x = int.from_bytes(hmac.new(bytes.fromhex(seed), message, sha256).digest()[:8], "big")
        if x < 2**64 - 2**64 % sides:
            return x % sides + 1
        attempt += 1


def open_parts(proof):
    return {name for name, part in proof["parts"].items() if part["bytes"]}


@pytest.mark.parametrize("mode", PART)
async def test_a_roll_that_was_revealed_is_proven_by_whoever_was_shown_it(tmp_path, mode):
    roller, revealer = ("Pia", "Pia") if mode == "self" else ("Pia", "Gina")
    async with (
        playing("sage_d20", tmp_path, seeded=True) as bridge,
        bridge.join("Quin") as quin,
        bridge.join(roller) as pia,
        bridge.join("Gina") as gina,
    ):
        ack = await pia.do({**ROLL, "mode": mode})
        seq = ack["seq"]
        await quin.settled()
        assert open_parts(await proven(quin, seq)) == set()
        await {"Pia": pia, "Gina": gina}[revealer].do({"t": "Reveal", "check": f"{seq}.1"})
        await quin.settled()
        proof = await proven(quin, seq)
        assert open_parts(proof) == {PART[mode]}
        opened = proof["parts"][PART[mode]]
        told = json.loads(opened["bytes"])
        (rolled,) = [event for event in told["events"] if event["t"] == "CheckRolled"]
        (shown,) = [event for frame in quin.of("logged") for event in frame["events"] if event["t"] == "Revealed"]
        assert shown["result"] == rolled["result"]
        dice = rolled["result"]["dice"]
        assert [die["face"] for die in dice] == [face(opened["seed"], ack["id"], n, die["sides"]) for n, die in enumerate(dice)]


async def test_of_several_checks_all_have_to_be_shown(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Gina") as gina, bridge.join("Quin") as quin:
        seq = (await gina.do({**ROLL, "actors": ["hero", "friend"], "mode": "gm"}))["seq"]
        await gina.do({"t": "Reveal", "check": f"{seq}.1"})
        await quin.settled()
        assert open_parts(await proven(quin, seq)) == set()
        await gina.do({"t": "Reveal", "check": f"{seq}.2"})
        await quin.settled()
        assert open_parts(await proven(quin, seq)) == {"roller_gm"}


async def test_what_was_not_shown_with_it_keeps_its_part_closed(tmp_path):
    """A blind roll against a foe: the number that resists stands beside the dice, and revealing does not tell it."""
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Gina") as gina, bridge.join("Quin") as quin:
        for mode in ("blind", "gm"):
            seq = (await gina.do({**ATTACK["sage_d20"], "mode": mode}))["seq"]
            await gina.do({"t": "Reveal", "check": f"{seq}.1"})
            await quin.settled()
            # Of the roll for the GMs the dice are open, and the number stays in a part of its own.
            assert open_parts(await proven(quin, seq)) == ({"roller_gm"} if mode == "gm" else set())
        hidden = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "luck", "label": "Luck"}, "hidden": True}
        await gina.do({**hidden, "expiry": {"when": "next_roll"}})
        seq = (await gina.do({**ROLL, "mode": "secret"}))["seq"]
        await gina.do({"t": "Reveal", "check": f"{seq}.1"})
        await quin.settled()
        assert open_parts(await proven(quin, seq)) == set(), "which grant it used up was not shown"


async def test_it_stays_so_after_a_restart(tmp_path):
    async with playing("sage_d20", tmp_path, seeded=True) as bridge, bridge.join("Gina") as gina:
        seq = (await gina.do({**ROLL, "mode": "secret"}))["seq"]
        await gina.do({"t": "Reveal", "check": f"{seq}.1"})
    async with serving(tmp_path, seeded=True) as bridge, bridge.join("Quin") as quin:
        assert open_parts(await proven(quin, seq)) == {"gm"}
