"""What went wrong elsewhere between a click and the table, over sockets: each after its id.

The last Boon is in ``test_last_boon.py``, who may do what in ``test_roles.py``, four hundred rolls in ``test_client.py``;
which id is shown where, in ``tests/core/test_complaints_named.py``.
"""

import asyncio

import pytest

from tests.support.bridge import GAMES, ROLL, playing

SONG = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "song", "label": "Song"}}


@pytest.mark.parametrize("game", GAMES)
async def test_t31_i36_of_two_rolls_at_once_the_first_logged_has_the_boon(tmp_path, game):
    async with (
        playing(game, tmp_path) as bridge,
        bridge.join("Pia") as one,
        bridge.join("Pia") as two,
        bridge.join("Olga") as olga,
    ):
        for _ in range(10):
            given = await bridge.do({**SONG, "expiry": {"when": "next_roll"}})
            await asyncio.gather(one.settled(), two.settled())
            before = await bridge.footprint()
            for person in (one, two):  # a dialog is opened, and closed again
                (row,) = (await person.ask({"t": "preview", "check": ROLL[game]}))["rows"]
                assert row["net"] == 1
            assert await bridge.footprint() == before
            assert [grant["id"] for grant in one.entries["grants/hero"]["grants"]] == [f"{given.seq}.1"]
            heard = len(olga.frames)
            answers = await asyncio.gather(one.do(ROLL[game]), two.do(ROLL[game]))
            assert [answer["t"] for answer in answers] == ["ack", "ack"]
            await olga.settled()
            first, second = [frame["events"] for frame in olga.frames[heard:] if frame["t"] == "logged"]
            (boon,) = [event["result"]["net"] for event in first if event["t"] == "CheckRolled"]
            (none,) = [event["result"]["net"] for event in second if event["t"] == "CheckRolled"]
            assert (boon, none) == (1, 0)
            assert [event["grant"] for event in (*first, *second) if event["t"] == "GrantSpent"] == [f"{given.seq}.1"]
            assert "grants/hero" not in olga.entries


@pytest.mark.parametrize("game", GAMES)
async def test_i16_i20_a_roll_without_a_dialog_is_the_roll_of_the_dialog(tmp_path, game):
    named = [{"id": "rope", "label": "Rope", "sign": "boon", "amount": 2}, {"id": "mud", "label": "Mud", "sign": "bane"}]
    cmd = {**ROLL[game], "sources": named}
    async with playing(game, tmp_path) as bridge, bridge.join("Pia") as pia:
        await bridge.do(SONG)
        await pia.do(cmd)
        (row,) = (await pia.ask({"t": "preview", "check": cmd}))["rows"]
        await pia.do(cmd)
        await pia.settled()
        unseen, seen = pia.events("CheckRolled")
        assert unseen["sources"] == seen["sources"] == row["sources"]
        assert [(line["id"], line["amount"]) for line in row["sources"]] == [("song", 1), ("rope", 2), ("mud", 1)]
        assert unseen["result"]["net"] == seen["result"]["net"] == row["net"]


async def test_t41_i81_i82_nobody_decides_or_rolls_again_on_anothers_card(tmp_path):
    async with playing("group_d12", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Quin") as quin:
        await bridge.do({"t": "Act", "verb": "give_boon"})
        bridge.tape.put(2, 3)  # a failure that may be paid for
        check = f"{(await pia.do(ROLL['group_d12']))['seq']}.1"
        before = await bridge.footprint()
        for choice in ("spend", "accept"):
            no = await quin.do({"t": "Choose", "check": check, "choice": choice})
            assert (no["t"], no["code"]) == ("refused", "choice.not_yours")
        no = await quin.do(ROLL["group_d12"])  # his own roll of another's actor
        assert (no["t"], no["code"]) == ("refused", "actor.not_yours")
        for wish in ({"t": "Void", "what": f"check/{check}"}, {"t": "Override", "check": check, "outcome": "success"}):
            assert (await quin.do(wish))["code"] == "role.forbidden"
        assert await bridge.footprint() == before
        assert (await pia.do({"t": "Choose", "check": check, "choice": "accept"}))["t"] == "ack"
