"""System B of the vectors: the public d20 pool."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boonbridge.dice.odds import chance
from boonbridge.rulesets import public_d20 as game
from boonbridge_schemas.checks import Attack, OnCrit
from boonbridge_schemas.commands import EndTurn, RollCheck, StartTurn
from boonbridge_schemas.effects import ConditionChanged, Effect, OnCritApplied
from boonbridge_schemas.events import CheckRolled, TargetFixed

from .play import Play, Tape, claims, told


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One task or attack."""
    play = Play(game.RULESET, options, dice)
    return _rolled(play, _command(play, inputs))


def _rolled(play: Play, command: RollCheck) -> dict[str, Any]:
    events = play.do(command)
    rolled = next(event for event in events if isinstance(event, CheckRolled))
    target = next((event.target for event in events if isinstance(event, TargetFixed)), rolled.rolled.target)
    return {
        **told(rolled.result),
        "boons": rolled.result.boons,
        "banes": rolled.result.banes,
        "crit_dice": next(extra.value for extra in rolled.result.extras if extra.key == "critDice"),
        "target": target,
        "effects": [_effect(effect) for effect in rolled.effects],
        "pool_change": 0,
        "dice left": play.dice.left,
    }


def _command(play: Play, inputs: Mapping[str, Any]) -> RollCheck:
    versus, attacker, target = inputs["vs"], inputs.get("attacker", {}), inputs.get("target", {})
    play.actor("roller", attribute__any=inputs["attribute"], attacks=(_swing(inputs),))
    for key in ("hidden", "slowed", "shaken", "bolstered", "exposed"):
        play.hold("roller", key, int(attacker.get(key, 0)))
    sources = (
        claims("boon", int(attacker.get("flanking", False)), "flanking")
        + claims("boon", attacker.get("assists", 0), "assist")
        + claims("boon", inputs.get("extra_boons", 0))
        + claims("bane", inputs.get("extra_banes", 0))
    )
    if versus["kind"] == "task":
        params = {"attribute": "attribute.any", "dc": versus["dc"]}
        return RollCheck(check="task", actors=("roller",), params=params, sources=sources)
    play.actor("target", side="opposition", grace=versus["grace"])
    play.actor("ally")
    play.hold("target", "marked", target.get("marked", 0), by="roller" if inputs.get("is_marker") else "ally")
    play.hold("target", "exposed", target.get("exposed", 0))
    play.hold("target", "guard", int(target.get("guard", False)))
    return RollCheck(check="attack", actors=("roller",), targets=("target",), params={"attack": "swing"}, sources=sources)


def _swing(inputs: Mapping[str, Any]) -> Attack:
    on_crit = OnCrit(**inputs["on_crit"]) if "on_crit" in inputs else None
    return Attack(id="swing", name="swing", attribute="attribute.any", on_crit=on_crit)


def sequence(
    options: Mapping[str, Any], inputs: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Several things one after another, and what stands after each of them."""
    play = Play(game.RULESET, options)
    for name, statuses in inputs["actors"].items():
        play.actor(name)
        for key, amount in statuses.items():
            play.hold(name, key, int(amount))
    for step in steps:
        play.tape(step["dice"])
        rolled = _step(play, step["do"])
        yield {
            "statuses": {
                actor.id: {key: actor.condition(key) for key in ("bolstered", "exposed", "marked")}
                for actor in play.state.actors.values()
            },
            **({"roll": rolled} if rolled is not None else {}),
            "dice left": play.dice.left,
        }


def _step(play: Play, step: Mapping[str, Any]) -> dict[str, Any] | None:
    match step["type"]:
        case "attack":
            play.actor(step["by"], attribute__any=step["attribute"], attacks=(_swing(step),))
            play.actor(step["target"], side="opposition", grace=step["grace"])
            sources = claims("boon", step.get("extra_boons", 0)) + claims("bane", step.get("extra_banes", 0))
            who, whom = (step["by"],), (step["target"],)
            swing = RollCheck(check="attack", actors=who, targets=whom, params={"attack": "swing"}, sources=sources)
            return _rolled(play, swing)
        case "activate":
            play.do(StartTurn(actor=step["who"]))
        case "end_activation":
            play.do(EndTurn(actor=step["who"]))
        case "apply":
            play.hold(step["who"], step["status"], step["stacks"])
        case unknown:
            raise NotImplementedError(unknown)
    return None


def _effect(effect: Effect) -> dict[str, Any]:
    match effect:
        case ConditionChanged(condition=status, change=change) if change < 0:
            return {"type": "spend", "status": status, "amount": -change}
        case ConditionChanged(condition=status, change=change, now=now, until=until):
            return {"type": "gain", "status": status, "stacks": change, "now": now, "until": until}
        case OnCritApplied(name=name, times=times, amount=amount):
            return {"type": "on_crit", "name": name, "times": times, "amount_total": amount}
        case _:
            return {"type": type(effect).__name__}


def derive(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:
    """A value of one of the game's own functions."""
    match inputs["what"]:
        case "defense":
            return game.defense(inputs["grace"], game.Options(**options))
        case "net":
            return game.net(inputs["boons"], inputs["banes"])
        case "dice_count":
            return game.dice_count(inputs["boons"], inputs["banes"])
        case "crit_total":
            return game.crit_total(inputs["base"], inputs["per_crit"], inputs["crits"])
        case unknown:
            raise NotImplementedError(unknown)


def odds(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances: what names a row, what it expects, what the engine says."""
    for row in rows:
        net, bonus, target = row["net"], row["attribute"], row["target"]
        hit, fumble, dice = _odds({}, net, bonus, target)
        crits = game.crit_chances(net, bonus=bonus, target=target, options=game.Options(), attack=True)
        named = ("net", "attribute", "target")
        yield (
            " ".join(f"{key} {row[key]}" for key in named),
            {key: value for key, value in row.items() if key not in named},
            {
                "dice": dice,
                "hit": hit,
                "fumble": fumble,
                "crits": [chance(p) for p in crits],
                "crit_dice": [chance(p) for p in game.crit_dice_chances(net)],
                "hit_auto_hit": _odds({"nat20": "auto_hit"}, net, bonus, target)[0],
            },
        )


def _odds(options: Mapping[str, Any], net: int, bonus: int, target: int) -> tuple[str, str, int]:
    play = Play(game.RULESET, options)
    inputs = {
        "attribute": bonus,
        "vs": {"kind": "attack", "grace": target - play.state.options.defense_base},
        "extra_boons": max(net, 0),
        "extra_banes": max(-net, 0),
    }
    shown = play.preview(_command(play, inputs))
    assert shown.odds is not None
    return shown.odds.success, shown.odds.worst, sum(die.count for die in shown.dice)
