"""What cannot be taken back, decided, shown or chosen as a house rule, over sockets: refused with a code of its own each.

As in ``test_bad_input_rules.py`` nothing has changed afterwards, on disk, on any screen, and no die has fallen. Whoever asks
first what it would come to is told the same.
"""

import msgspec
import pytest

from boonbridge.rulesets import registry
from tests.support.people import new_id
from tests.support.refused import answer, ask, cases, clear, condition, gathered, grant, spend, stays_refused

CASES = []
case = cases(CASES)


def void(what, **more):
    return {"t": "Void", "what": what, **more}


def override(check, outcome="success", **more):
    return {"t": "Override", "check": check, "outcome": outcome, **more}


# --- what is taken back -----------------------------------------------------------------------------------------
@case("take a roll back twice", "correction.done", by="Gina")
async def _(at):
    check = f"check/{await at.failed(9)}"
    await at.gm(void(check))
    return void(check)


@case("take a grant back twice", "correction.done", "sage_d20", by="Gina")
async def _(at):
    given = f"grant/{await at.grant()}"
    await at.gm(void(given))
    return void(given)


@case("take a condition back twice", "correction.done", "public_d20", by="Gina")
async def _(at):
    seq = await at.gm(condition("slowed"))
    await at.gm(void(f"condition/{seq}.1"))
    return void(f"condition/{seq}.1")


@case("take a table move back twice", "correction.done", by="Gina")
async def _(at):
    seq = await at.gm({"t": "Act", "verb": "give_boon"})
    await at.gm(void(f"verb/{seq}"))
    return void(f"verb/{seq}")


@case("undo an undo", "correction.final", by="Gina")
async def _(at):
    return void(f"correction/{await at.gm(void(f'check/{await at.failed(9)}'))}", confirm=True)


@case("undo what was decided otherwise", "correction.final", by="Gina")
async def _(at):
    return void(f"correction/{await at.gm(override(await at.failed(9), 'failure'))}")


for unknown in ("check/99.1", "grant/99.1", "condition/99.1", "verb/99", "request/3"):
    case(f"take back {unknown}, which is not there", "correction.unknown", by="Gina")(
        lambda at, unknown=unknown: _ready(at, void(unknown, confirm=True))
    )


async def _ready(_at, cmd):
    return cmd


@case("take back a row that a roll has not", "correction.unknown", by="Gina")
async def _(at):
    return void(f"check/{(await at.failed(9)).replace('.1', '.2')}")


@case("take back a roll as if it were a grant", "correction.unknown", by="Gina")
async def _(at):
    return void(f"grant/{await at.failed(9)}")


@case("take back other dice", "correction.unknown", "sage_d20", by="Gina")
async def _(at):
    return void(f"check/{await at.of('Pia', {'t': 'RollDice', 'formula': '2d6'}, 3, 4)}.1")


@case("take back what a group came to", "correction.unknown", by="Gina")
async def _(at):
    request = await at.gm(ask(actors=["hero"], group="one_success"))
    await at.of("Pia", answer(request), 2)
    return void(f"request/{request}")


@case("take back a roll that one's player alone has seen", "correction.unknown", "sage_d20", by="Gina")
async def _(at):
    return void(f"check/{await at.failed(2, mode='self')}")


@case("take back a roll whose Boon was spent", "correction.used", by="Gina")
async def _(at):
    first = await at.failed()
    await at.of("Pia", spend(await at.failed()), 9)
    return void(f"check/{first}")


@case("take back a roll that took a choice for its player", "correction.used", by="Gina")
async def _(at):
    await at.boons(1)
    await at.failed()
    return void(f"check/{await at.failed(12)}")


@case("take back a grant that a roll has used", "correction.used", "sage_d20", by="Gina")
async def _(at):
    given = await at.grant(when="next_roll")
    await at.of("Pia", at.roll, 11, 3)
    return void(f"grant/{given}")


@case("a roll taken back by its player", "role.forbidden")
async def _(at):
    return void(f"check/{await at.failed(9)}")


@case("a hidden roll taken back by its player", "role.forbidden")
async def _(at):
    return void(f"check/{await at.failed(9, mode='gm')}")


@case("a grant taken back by a player", "role.forbidden", "sage_d20")
async def _(at):
    return void(f"grant/{await at.grant()}")


@case("choose on a roll that was taken back", "choice.done")
async def _(at):
    await at.boons(1)
    check = await at.failed()
    await at.gm(void(f"check/{check}"))
    return spend(check)


@case("revoke a grant that was taken back", "grant.unknown", "sage_d20", by="Gina")
async def _(at):
    given = await at.grant()
    await at.gm(void(f"grant/{given}"))
    return {"t": "RevokeGrant", "grant": given}


@case("clear a condition that was taken back", "condition.not_held", "public_d20", by="Gina")
async def _(at):
    await at.gm(void(f"condition/{await at.gm(condition('slowed'))}.1"))
    return clear("slowed")


# --- what is decided otherwise, shown, settled ------------------------------------------------------------------
@case("an outcome that no game has", "correction.outcome", by="Gina")
async def _(at):
    return override(await at.failed(9), "glorious")


@case("an outcome of another game", "correction.outcome", "sage_d20", by="Gina")
async def _(at):
    return override(await at.failed(9), "fumble")


@case("an outcome of a roll that was taken back", "correction.done", by="Gina")
async def _(at):
    check = await at.failed(9)
    await at.gm(void(f"check/{check}"))
    return override(check, "failure")


@case("an outcome of no roll", "correction.unknown", by="Gina")
async def _(at):
    return override("99.1")


@case("an outcome of a roll that one's player alone has seen", "correction.unknown", "sage_d20", by="Gina")
async def _(at):
    return override(await at.failed(2, mode="self"))


@case("an outcome whose Boon was spent", "correction.used", by="Gina")
async def _(at):
    first = await at.failed()
    await at.of("Pia", spend(await at.failed()), 9)
    return override(first)


@case("an outcome by a player", "role.forbidden")
async def _(at):
    return override(await at.failed())


@case("show what everybody sees", "correction.open", by="Gina")
async def _(at):
    return {"t": "Reveal", "check": await at.failed(9)}


@case("settle what everybody sees", "correction.open", by="Gina")
async def _(at):
    return {"t": "Settle", "check": await at.failed(9)}


@case("show what was shown", "correction.open", by="Gina")
async def _(at):
    check = await at.failed(9, mode="gm")
    await at.gm({"t": "Reveal", "check": check})
    return {"t": "Reveal", "check": check}


@case("settle what was taken back", "correction.done", by="Gina")
async def _(at):
    check = await at.failed(12, mode="gm")
    await at.gm(void(f"check/{check}"))
    return {"t": "Settle", "check": check}


@case("settle no roll", "correction.unknown", by="Gina")
async def _(at):
    return {"t": "Settle", "check": "99.1"}


@case("show a roll that one's player alone has seen", "correction.unknown", "sage_d20", by="Gina")
async def _(at):
    return {"t": "Reveal", "check": await at.failed(2, mode="self")}


@case("show a roll of another that nobody else has seen", "role.forbidden", "sage_d20", by="Quin")
async def _(at):
    return {"t": "Reveal", "check": await at.failed(2, mode="self")}


@case("show a roll that is the GM's to show", "role.forbidden")
async def _(at):
    return {"t": "Reveal", "check": await at.failed(9, mode="gm")}


@case("settle by a player", "role.forbidden")
async def _(at):
    return {"t": "Settle", "check": await at.failed(12, mode="gm")}


# --- house rules ------------------------------------------------------------------------------------------------
def options(name, code, game="group_d12", by="Gina", **chosen):
    case(name, code, game, by=by)(lambda at: _ready(at, {"t": "SetOptions", "options": chosen}))


options("an option below its range", "option.bad_value", boon_cap=-1)
options("an option above its range", "option.bad_value", boon_cap=1_000_000)
options("an option with a value of another kind", "option.bad_value", boon_cap="ten")
options("an option with no such value", "option.bad_value", reroll="as_you_like")
options("an option of another game", "option.unknown", boon_keep="highest_two")
options("a good option beside a bad one", "option.bad_value", boon_cap=5, reroll="as_you_like")
options(
    "two options that contradict each other",
    "option.contradiction",
    "rank_ability",
    ad_hoc="everyone",
    player_difficulty="gm_only",
)
options("an option chosen by a player", "role.forbidden", by="Pia", boon_cap=5)


@case("an option that contradicts one that stands", "option.contradiction", "rank_ability", by="Gina", ad_hoc="everyone")
async def _(at):
    return {"t": "SetOptions", "options": {"player_difficulty": "gm_only"}}


def usual(game):
    return msgspec.to_builtins(registry.shipped()[game].table_data())


def data(name, code, game="group_d12", by="Gina", *, chosen=None, **parts):
    cmd = {"t": "SetTableData", "data": {**usual(game), **parts}, "options": chosen or {}}
    case(name, code, game, by=by)(lambda at: _ready(at, cmd))


def own(key, **more):
    return {"key": key, "label": key.title(), **more}


def steps(*values):
    return [{"value": value, "label": f"step {n}"} for n, value in enumerate(values)]


data("table data of another game", "data.other_ruleset", ruleset="sage_d20")
data("table data of no game", "data.other_ruleset", ruleset="chess")
data("conditions in a circle", "data.cycle", conditions=[own("tired", implies=["weary"]), own("weary", implies=["tired"])])
data("a condition that implies itself", "data.cycle", conditions=[own("tired", implies=["tired"])])
data(
    "conditions in a wide circle",
    "data.cycle",
    conditions=[own("a", implies=["b"]), own("b", implies=["c", "d"]), own("c"), own("d", implies=["a"])],
)
data("a die of less than nothing", "data.bad_die", "rank_ability", rankDice=[4, 6, 8, 10, 12, -12])
data("a die that is not there to be had", "data.bad_die", "rank_ability", rankDice=[4, 6, 8, 10, 12, 13])
data("one Rank too few", "data.bad_value", "rank_ability", rankDice=[4, 6, 8, 10, 12])
data("65 conditions", "data.too_many", conditions=[own(f"c{n}") for n in range(65)])
data("three thousand entries", "data.too_many", "rank_ability", rankDice=[4] * 3_000)
data("65 steps of a ladder", "data.too_many", ladders=[{"key": "difficulty", "steps": steps(*range(65))}])
data("a step out of reach", "data.bad_value", ladders=[{"key": "difficulty", "steps": steps(5, 90_000)}])
data("two steps of one value", "data.twice", ladders=[{"key": "difficulty", "steps": steps(5, 5)}])
data("a ladder of another game", "data.unknown", ladders=[{"key": "dc", "steps": steps(5)}])
data("a part of another game", "data.unknown", "sage_d20", xpPerLevel=2)
data("two conditions of one name", "data.twice", conditions=[own("tired"), own("tired")])
data("a condition that the game has", "data.twice", "public_d20", conditions=[own("exposed")])
data("a condition that implies nothing known", "data.unknown", conditions=[own("tired", implies=["weary"])])
data("a condition for a check that is not there", "data.unknown", conditions=[own("tired", checks=["lottery"])])
data("a price of nothing", "data.bad_value", xpPerLevel=0)
data("a condition of a thousand Banes", "data.bad_value", conditions=[own("tired", own=-1_000)])
data("good data with an option that is none", "option.bad_value", conditions=[own("tired")], chosen={"boon_cap": -1})
data("table data by a player", "role.forbidden", by="Pia", conditions=[own("tired")])


@pytest.mark.parametrize(("game", "options", "prepare", "by", "code"), CASES)
async def test_refused_with_its_own_code_and_nothing_changed(tmp_path, game, options, prepare, by, code):  # noqa: PLR0917
    async with gathered(game, tmp_path, options) as at:
        await stays_refused(at, await prepare(at), by, code)


# --- what may be confirmed, and what cannot be asked -----------------------------------------------------------
async def test_what_was_used_is_listed_and_then_taken_back_all_the_same(tmp_path):
    async with gathered("group_d12", tmp_path, {}) as at:
        first = await at.failed()
        second = await at.failed()
        await at.of("Pia", spend(second), 9)
        cmd, gina, olga = void(f"check/{first}"), at.people["Gina"], at.people["Olga"]
        assert (await gina.do(cmd))["code"] == "correction.used"
        before = await at.standing()
        foreseen = await gina.ask({"t": "foresee", "cmd": cmd})
        assert await at.standing() == before
        (voided,) = foreseen["events"]
        assert [(left["what"], left["key"], left["why"]) for left in voided["left"]] == [("resource", "boons", "spent_since")]
        await at.gm({**cmd, "confirm": True})
        await olga.settled()
        assert olga.events("Voided") == [voided], "what comes is what was foreseen, for everybody"
        assert (await at.bridge.table()).state.game.held == 0


@pytest.mark.parametrize(
    "cmd",
    [
        {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.athletics", "difficulty": 9}},
        {"t": "RollDice", "formula": "2d6"},
    ],
)
@pytest.mark.parametrize("by", ["Gina", "Pia"])
async def test_what_dice_will_say_cannot_be_foreseen(tmp_path, cmd, by):
    async with gathered("group_d12", tmp_path, {}) as at:
        at.bridge.tape.put(12)
        before = await at.standing()
        answered = await at.people[by].ask({"t": "foresee", "cmd": cmd})
        assert (answered["t"], answered["code"]) == ("refused", "foresee.rolls")
        assert answered["message"].endswith(".")
        assert await at.standing() == before


async def test_nor_what_dice_of_a_hand_would_say(tmp_path):
    """Face by face it would tell what a foe is hard to reach by, and nobody would hear of it."""
    async with gathered("group_d12", tmp_path, {"manual_dice": True}) as at:
        await at.boons(1)
        check = await at.failed(2)
        before = await at.standing()
        for cmd in ({**at.attack, "faces": [11]}, {**at.attack, "faces": []}, spend(check, faces=[12])):
            answered = await at.people["Pia"].ask({"t": "foresee", "cmd": cmd})
            assert answered["code"] == "foresee.rolls"
        assert await at.standing() == before


async def test_an_answer_to_a_request_cannot_be_foreseen(tmp_path):
    async with gathered("group_d12", tmp_path, {}) as at:
        request = await at.gm(ask())
        at.bridge.tape.put(12)
        before = await at.standing()
        for cmd in (answer(request), {"t": "RollForAbsent", "request": str(request)}):
            assert (await at.people["Gina"].ask({"t": "foresee", "cmd": cmd}))["code"] == "foresee.rolls"
        assert await at.standing() == before


@pytest.mark.parametrize("cmd", [grant(), void("check/1.1"), {"t": "EndSession"}, {"t": "SetTableData"}])
async def test_a_player_does_not_foresee_what_he_may_not_do(tmp_path, cmd):
    async with gathered("sage_d20", tmp_path, {}) as at:
        before = await at.standing()
        for person in ("Pia", "Olga"):
            answered = await at.people[person].ask({"t": "foresee", "cmd": cmd})
            assert answered["code"] == "role.forbidden"
        assert await at.standing() == before


async def test_ten_thousand_entries_are_more_than_a_message_may_have(tmp_path):
    """A client says so before it sends them (``boonbridge rules import``); the bridge hears no more than 16 KiB."""
    async with gathered("rank_ability", tmp_path, {}) as at, at.bridge.join("Gina") as gina:
        before = await at.standing()
        cmd = {"t": "SetTableData", "data": {**usual("rank_ability"), "rankDice": [4] * 10_000}}
        await gina.send({"t": "do", "id": new_id(), "seen": gina.seq, "cmd": cmd})
        code, _ = await gina.gone()
        assert code == 1009
        assert await at.standing() == before


@pytest.mark.parametrize("what", ["check/x", "check/1.1/2", "actor/hero", "", "check/1.1\n", "check/" + "9" * 17])
async def test_what_is_no_deed_is_no_message(tmp_path, what):
    async with gathered("sage_d20", tmp_path, {}) as at:
        before = await at.standing()
        answered = await at.people["Gina"].do(void(what))
        assert (answered["t"], answered["code"]) == ("refused", "frame.bad")
        assert await at.standing() == before
