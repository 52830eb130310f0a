"""System A of the vectors: Rank & Ability."""

from collections.abc import Iterator, Mapping
from typing import Any

from boonbridge.rulesets import rank_ability as game
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.effects import DutyNoted, Effect, LockSet
from boonbridge_schemas.events import CheckRolled

from .play import Play, Tape, claims, told


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One Check."""
    play = Play(game.RULESET, options, dice)
    command = _command(play, inputs)
    (event,) = play.do(command)
    assert isinstance(event, CheckRolled)
    return {
        **told(event.result),
        "target": event.rolled.target,
        "effects": [_effect(effect) for effect in event.effects],
        "pool_change": 0,
        "dice left": play.dice.left,
    }


def _command(play: Play, inputs: Mapping[str, Any]) -> RollCheck:
    rank = {"rank": inputs["rank"]} if "rank" in inputs else {}
    play.actor("roller", rankDie=inputs["rank_die"], str=inputs["ability_die"], **rank)
    return RollCheck(
        check="check",
        actors=("roller",),
        params={"ability": "str", "tn": inputs["tn"]},
        action="the action",
        sources=claims("boon", inputs["boons"]) + claims("bane", inputs["banes"]),
    )


def _effect(effect: Effect) -> dict[str, Any]:
    match effect:
        case DutyNoted(duty=duty):
            return {"type": duty}
        case LockSet():
            return {"type": "retry_locked"}
        case _:
            return {"type": type(effect).__name__}


def derive(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:
    """A value of one of the game's own functions."""
    chosen = game.Options(**options)
    match inputs["what"]:
        case "state":
            return {1: "boon", 0: "normal", -1: "bane"}[game.state(inputs["boons"], inputs["banes"], chosen)]
        case "boon_die_sides":
            return game.boon_die(inputs["rank"], chosen)
        case "bane_die_sides":
            return game.bane_die()
        case "boon_applies_to_damage":
            return game.boon_applies_to_damage(chosen, specific_rule=inputs["specific_rule"])
        case unknown:
            raise NotImplementedError(unknown)


def odds(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances: what names a row, what it expects, what the engine says."""
    for row in rows:
        state = row["state"]
        inputs = {
            **row,
            "boons": int(state in ("boon", "boon_d12")),
            "banes": int(state == "bane"),
            **({"rank": 6} if state == "boon_d12" else {}),
        }
        kept = _odds({"boon_keep": row["boon_keep"], "crit_pair": "kept_pair"}, inputs)
        printed = _odds({"boon_keep": row["boon_keep"], "crit_pair": "rank_and_ability"}, inputs)
        named = ("boon_keep", "state", "rank_die", "ability_die", "tn")
        yield (
            " ".join(str(row[key]) for key in named),
            {key: value for key, value in row.items() if key not in named},
            {
                "extra_die": kept["extra_die"],
                "success": kept["success"],
                "crit": kept["critical"],
                "fumble": kept["worst"],
                "crit_rank_and_ability": printed["critical"],
                "fumble_rank_and_ability": printed["worst"],
            },
        )


def _odds(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    play = Play(game.RULESET, options)
    shown = play.preview(_command(play, inputs))
    assert shown.odds is not None
    return {
        "success": shown.odds.success,
        "critical": shown.odds.critical,
        "worst": shown.odds.worst,
        "extra_die": shown.dice[2].sides if len(shown.dice) > 2 else None,
    }
