"""System C of the vectors: Sage's attribute rolls."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boonbridge.rulesets import sage_d20 as game
from boonbridge.rulesets.base import Actor, Check
from boonbridge.rulesets.common.accounting import claimed
from boonbridge_schemas.base import Scalar, Sign
from boonbridge_schemas.checks import Attack, SourceClaim
from boonbridge_schemas.commands import Grant, RollCheck
from boonbridge_schemas.events import CheckRolled, TargetFixed
from boonbridge_schemas.grants import GrantSource, Scope

from .play import Play, Tape, claims, told

_CHECKS: Mapping[str, tuple[str, Mapping[str, Scalar]]] = {
    "none": ("attribute", {"attribute": "strength"}),
    "attribute": ("against", {"attribute": "strength"}),
    "defense": ("attack", {"attack": "blade"}),
    "luck": ("luck", {}),
}


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One attribute roll."""
    play = Play(game.RULESET, options, dice)
    _roller(play, inputs)
    sources = _sources("boon", inputs.get("boons", ())) + _sources("bane", inputs.get("banes", ()))
    against = inputs["against"]
    if "value" in against:
        _target(play, "target", against)
    (got,) = _roll(play, against, ("target",) if "value" in against else (), sources)
    return {**got, "dice left": play.dice.left}


def multi(options: Mapping[str, Any], rolls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """One command with several targets: what helps or hinders against one of them stands on that one."""
    play = Play(game.RULESET, options, [die for each in rolls for die in each["dice"]])
    _roller(play, rolls[0]["inputs"])
    for each in rolls:
        inputs = each["inputs"]
        _target(play, each["name"], inputs["against"])
        for source in _sources("boon", inputs.get("boons", ())) + _sources("bane", inputs.get("banes", ())):
            given = GrantSource(id=source.id, label=source.label, kind=source.kind, origin=source.origin)
            scope = Scope(side="against")
            play.do(Grant(actors=(each["name"],), sign=source.sign, amount=source.amount, source=given, scope=scope))
    got = _roll(play, rolls[0]["inputs"]["against"], tuple(each["name"] for each in rolls), ())
    return [{**each, "dice left": play.dice.left} for each in got]


def _roller(play: Play, inputs: Mapping[str, Any]) -> None:
    score = inputs["score"] if "score" in inputs else inputs["modifier"] + 10
    play.actor("roller", strength=score, attacks=(Attack(id="blade", name="blade", attribute="strength"),))


def _target(play: Play, name: str, against: Mapping[str, Any]) -> None:
    key = "defense" if against["kind"] == "defense" else against["name"]
    play.actor(name, side="opposition", **{key: against["value"]})


def _sources(sign: Sign, listed: Sequence[Mapping[str, Any]]) -> tuple[SourceClaim, ...]:
    return tuple(
        SourceClaim(
            id=each["source"],
            label=each["source"],
            sign=sign,
            amount=each["count"],
            kind="affliction" if each.get("affliction") else "situation",
            origin=each.get("from", ""),
        )
        for each in listed
    )


def _roll(
    play: Play, against: Mapping[str, Any], targets: tuple[str, ...], sources: tuple[SourceClaim, ...]
) -> list[dict[str, Any]]:
    check, params = _CHECKS[against["kind"]]
    if "name" in against:
        params = {**params, "against": against["name"]}
    events = play.do(RollCheck(check=check, actors=("roller",), targets=targets, params=dict(params), sources=sources))
    fixed = {event.check: event.target for event in events if isinstance(event, TargetFixed)}
    return [
        {
            **told(event.result),
            "boons": event.result.boons,
            "banes": event.result.banes,
            "boon_bane_value": next(extra.value for extra in event.result.extras if extra.key == "boonBaneValue"),
            "modifier": event.result.bonus,
            "target": fixed.get(event.rolled.check, event.rolled.target),
            "effects": [{"type": type(effect).__name__} for effect in event.effects],
            "pool_change": 0,
        }
        for event in events
        if isinstance(event, CheckRolled)
    ]


def derive(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:
    """A value of one of the game's own functions."""
    chosen = game.Options(**options)
    match inputs["what"]:
        case "modifier":
            return game.modifier(inputs["score"])
        case "target_number":
            against = inputs["against"]
            return game.LUCK_TARGET if against["kind"] == "luck" else game.target_number(against.get("value"), chosen)
        case "net":
            sources = _sources("boon", inputs["boons"]) + _sources("bane", inputs["banes"])
            check = Check(spec=game.RULESET.checks["luck"], actor=Actor(id="roller", name="roller"), claims=sources)
            return game.counted(claimed(check), chosen).net
        case "roll_count":
            return game.roll_count(inputs["targets"])
        case unknown:
            raise NotImplementedError(unknown)


def odds(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances: what names a row, what it expects, what the engine says."""
    for row in rows:
        play = Play(game.RULESET, {})
        _roller(play, row)
        shown = play.preview(
            RollCheck(
                check="attribute",
                actors=("roller",),
                params={"attribute": "strength", "tn": row["tn"]},
                sources=claims("boon", max(row["net"], 0)) + claims("bane", max(-row["net"], 0)),
            )
        )
        assert shown.odds is not None
        named = ("net", "modifier", "tn")
        yield (
            " ".join(f"{key} {row[key]}" for key in named),
            {key: value for key, value in row.items() if key not in named},
            {"success": shown.odds.success, "crit_success": shown.odds.critical, "crit_failure": shown.odds.worst},
        )
