"""Numbers of the opposition are for GMs: neither shown nor to be computed from previews, cards, offers and refusals."""

import asyncio
import json

import pytest

from tests.support.bridge import ATTACK, ROLES, SECRET_NUMBERS, playing, serving
from tests.support.evening import Evening
from tests.support.leaks import found

PLAYERS = [name for name, role in ROLES.items() if role != "gm"]
MODES = {
    "public_d20": ("public",),
    "sage_d20": ("public", "gm", "blind", "secret", "self"),
    "group_d12": ("public", "gm", "secret"),
}
LOW = {"public_d20": 2, "sage_d20": 2, "group_d12": 2}
GAMES = sorted(ATTACK)


@pytest.mark.parametrize("game", GAMES)
async def test_no_player_is_ever_told_a_number_of_the_foe(tmp_path, game):
    secret = SECRET_NUMBERS[game]
    async with playing(game, tmp_path) as bridge:  # noqa: SIM117 - the bridge is asked after they have left
        async with (
            bridge.join("Pia") as pia,
            bridge.join("Quin") as quin,
            bridge.join("Olga") as olga,
            bridge.join("Gina") as gina,
        ):
            people = {"Pia": pia, "Quin": quin, "Olga": olga}
            last = {name: person.last for name, person in people.items()}
            for mode in MODES[game]:
                for roller in (pia, gina):
                    bridge.tape.clear()
                    bridge.tape.put(*(LOW[game],) * 4)
                    ack = await roller.do({**ATTACK[game], "mode": mode})
                    assert ack["t"] == "ack", ack
            await pia.ask({"t": "preview", "check": ATTACK[game]})
            await pia.ask({"t": "preview", "check": {**ATTACK[game], "sources": [{"id": "a", "label": "a", "sign": "boon"}]}})
            for person in (pia, quin):
                for check in range(4, pia.seq + 2):
                    for choice in ("accept", "spend", "push"):
                        cmd = {"t": "Choose", "check": f"{check}.1", "choice": choice}
                        bridge.tape.clear()
                        bridge.tape.put(LOW[game])
                        await person.do(cmd)
            await gina.do({"t": "SyncActor", "actor": "foe", "name": "The foe"})
            for person in people.values():
                await person.ask({"t": "history", "limit": 200})
                for seq in range(1, pia.seq + 1):
                    await person.ask({"t": "proof", "seq": seq})
            for name, person in people.items():
                assert found(person.bytes, ("TargetFixed",), secret) == set(), name
                assert person.entries["actor/foe"]["numbers"] is None
            for name in people:
                async with bridge.join(name) as fresh, bridge.join(name, last=last[name]) as back:
                    assert found(fresh.bytes, ("TargetFixed",), secret) == set()
                    assert found(back.bytes, ("TargetFixed",), secret) == set()
            await gina.settled()
            told = json.dumps([event["target"] for event in gina.events("TargetFixed")])
            assert str(secret[-1]) in told, "and the GM is told"
            assert found(bridge.lines, (), secret) == set()
    async with serving(tmp_path) as bridge:
        for name in PLAYERS:
            async with bridge.join(name, last=last[name]) as back:
                await back.ask({"t": "history", "limit": 200})
                assert found(back.bytes, ("TargetFixed",), secret) == set()


@pytest.mark.parametrize("game", GAMES)
async def test_numbers_come_and_go_with_what_makes_them_public(tmp_path, game):
    """Side, a player as owner, the option: whoever is connected sees what a fresh state shows, at once."""
    async with playing(game, tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        steps = [
            ({"t": "SetOptions", "options": {"show_targets": True}}, True),
            ({"t": "SetOptions", "options": {"show_targets": False}}, False),
            ({"t": "SyncActor", "actor": "foe", "side": "party"}, True),
            ({"t": "SyncActor", "actor": "foe", "side": "neutral"}, False),
            ({"t": "SyncActor", "actor": "foe", "owners": [bridge.user("Quin")]}, True),
            ({"t": "SyncActor", "actor": "foe", "owners": [bridge.user("Gina")]}, False),
        ]
        for cmd, public in steps:
            assert (await gina.do(cmd))["t"] == "ack"
            await pia.settled()
            assert (pia.entries["actor/foe"]["numbers"] is not None) is public, cmd
            async with bridge.join("Pia") as fresh:
                assert fresh.entries == pia.entries
        # Gina, who owns it, becomes a player by another GM's hand: then it is a player's.
        async with bridge.join("Gwen") as gwen:
            refused = await gwen.do({"t": "Invite", "user": bridge.user("Gina"), "name": "Gina", "role": "player"})
            assert refused["code"] == "role.forbidden"
            assert (await gina.do({"t": "Invite", "user": bridge.user("Gina"), "name": "Gina", "role": "player"}))["t"] == "ack"
            await pia.settled()
            assert pia.entries["actor/foe"]["numbers"] is not None


def world(game, number):
    """A table whose foe has that hidden number, and a hero who will miss it by far."""
    evening = Evening(game, **({"dice_public": False} if game == "public_d20" else {}))
    numbers = {
        "public_d20": ("grace", "attribute.might", "attribute.might"),
        "sage_d20": ("defense", "agility", "agility"),
        "group_d12": ("skill.vigilance", "skill.athletics", None),
    }
    hidden, used, attribute = numbers[game]
    attacks = [{"id": "bow", "name": "Bow", "attribute": attribute}] if attribute else []
    hero = {"values": [{"key": used, "value": 10 if game == "sage_d20" else 0}], "attacks": attacks}
    if game == "public_d20":
        hero["values"].append({"key": "grace", "value": 0})
    foe = {"values": [{"key": hidden, "value": number}]}
    evening.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "owners": ["pia"], "numbers": hero})
    evening.do({"t": "SyncActor", "actor": "foe", "name": "Foe", "side": "opposition", "numbers": foe})
    if game == "group_d12":
        evening.do({"t": "Act", "verb": "give_boon"})
    return evening


def attack(game, **more):
    params = {"skill": "skill.athletics", "resist": "skill.vigilance"} if game == "group_d12" else {"attack": "bow"}
    return {**ATTACK[game], "params": params, **more}


@pytest.mark.parametrize("options", [{}, {"success_level": True}, {"nat20": "auto_hit"}, {"resist_compare": "more_than"}])
@pytest.mark.parametrize("mode", ["public", "gm", "self"])
@pytest.mark.parametrize("game", GAMES)
def test_two_foes_that_both_are_missed_look_alike_to_players(game, mode, options):
    """Whatever a player sees of a miss is the same at a Defense a little and far out of reach."""
    worlds = []
    for number in (16, 29):
        evening = world(game, number)
        known = {k: v for k, v in options.items() if hasattr(evening.state.options, k)}
        if known:
            evening.do({"t": "SetOptions", "options": known})
        told = [evening.previewed(attack(game), "pia")]
        for source in ([], [{"id": "x", "label": "x", "sign": "boon", "amount": 3}], [{"id": "x", "label": "x", "sign": "bane"}]):
            told.append(evening.previewed(attack(game, sources=source, mode=mode), "pia"))
            told.append(evening.tried(attack(game, sources=source, mode=mode), "pia", (2, 3, 2, 3)))
            seq = evening.state.seq
            told += [evening.shown(user) for user in ("pia", "quin", "olga")]
            for choice in ("spend", "accept", "push"):
                told.append(evening.tried({"t": "Choose", "check": f"{seq}.1", "choice": choice}, "pia", (2,)))
                told.append(evening.shown("pia"))
        worlds.append(told)
    assert worlds[0] == worlds[1]


async def test_everybody_is_told_in_their_own_way_at_once(tmp_path):
    """Rows of one commit are redacted separately (I-48): the same public attack, with and without its number."""
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia, bridge.join("Gina") as gina:
        await pia.do({**ATTACK["sage_d20"], "targets": ["foe", "friend"]})
        await asyncio.gather(pia.settled(), gina.settled())
        for person, hidden in ((pia, True), (gina, False)):
            foe, friend = person.events("CheckRolled")
            assert foe["rolled"]["target"] is None
            assert foe["odds"] is None
            assert friend["rolled"]["target"] == 11
            assert friend["odds"] is not None
            assert [event["target"] for event in person.events("TargetFixed")] == ([] if hidden else [37])
