"""System B of the vectors: the public d20 pool."""

from collections.abc import Iterator, Mapping
from typing import Any

from boonbridge.dice.odds import chance
from boonbridge.rulesets import public_d20 as game
from boonbridge_schemas.checks import Attack, OnCrit
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.effects import ConditionChanged, Effect, OnCritApplied
from boonbridge_schemas.events import CheckRolled, ConditionSet, TargetFixed
from boonbridge_schemas.grants import HeldCondition

from .play import Play, Tape, claims, told

LATER = frozenset({"sequence"})


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One task or attack."""
    play = Play(game.RULESET, options, dice)
    events = play.do(_command(play, inputs))
    rolled = events[0]
    assert isinstance(rolled, CheckRolled)
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
    on_crit = OnCrit(**inputs["on_crit"]) if "on_crit" in inputs else None
    swing = Attack(id="swing", name="swing", attribute="attribute.any", on_crit=on_crit)
    play.actor("roller", attribute__any=inputs["attribute"], attacks=(swing,))
    for key in ("hidden", "slowed", "shaken", "bolstered", "exposed"):
        _hold(play, "roller", key, int(attacker.get(key, 0)))
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
    marker = "roller" if inputs.get("is_marker") else "an ally"
    _hold(play, "target", "marked", target.get("marked", 0), by=marker)
    _hold(play, "target", "exposed", target.get("exposed", 0))
    _hold(play, "target", "guard", int(target.get("guard", False)))
    return RollCheck(check="attack", actors=("roller",), targets=("target",), params={"attack": "swing"}, sources=sources)


def _hold(play: Play, actor: str, key: str, amount: int, by: str | None = None) -> None:
    if amount:
        held = HeldCondition(key=key, amount=amount, by=by, by_side="party" if by else None)
        play.happened(ConditionSet(actor=actor, condition=held))


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
