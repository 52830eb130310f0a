"""System D of the vectors: d12 with group Boons."""

from collections.abc import Iterator, Mapping
from typing import Any

from boonbridge.dice.odds import chance
from boonbridge.rulesets import group_d12 as game
from boonbridge.rulesets.chances import group_d12 as chances
from boonbridge.rulesets.pools.group_d12 import Pool
from boonbridge_schemas.commands import Act, AnswerRequest, Choose, EndSession, RollCheck, StartSession
from boonbridge_schemas.effects import Effect
from boonbridge_schemas.events import Acted, CheckRolled, Chosen, Event, RequestClosed, SessionEnded
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import AskedCheck

from .d12_check import REASONS, Followed, fill, lines
from .d12_group import ask, challenge, group_check, odds_challenge, odds_group
from .play import Play, Tape, claims, told

ODDS = {"D_group": odds_group, "D_challenge": odds_challenge}
KINDS = {"group_check": group_check, "challenge": challenge}


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One skill check, with the Boons asked for before and after."""
    play = Play(game.RULESET, options)
    fill(play, **inputs["pool"])
    play.tape(dice)
    check = Followed(play)
    check.roll(_command(play, inputs), inputs["spend_before"])
    for _ in range(inputs["spend_after"]):
        check.spend()
    check.settle()
    pool = _pool(play)
    return {
        **told(check.result),
        "target": check.target,
        "effects": list(check.effects()),
        "rejected": check.rejected,
        "pool": pool,
        "pool_change": pool["held"] - inputs["pool"]["held"],
        "dice left": play.dice.left,
    }


def _command(play: Play, inputs: Mapping[str, Any]) -> RollCheck:
    opponent = inputs.get("roller") == "opponent"
    play.actor("roller", side="opposition" if opponent else "party", skill__any=inputs["bonus"])
    params: dict[str, bool | int | str] = {"skill": "skill.any", "difficulty": inputs["difficulty"]}
    targets: tuple[str, ...] = ()
    if inputs.get("resisted"):
        play.actor("resisting", side="opposition", skill__any=inputs["difficulty"] - game.resistance_difficulty(0))
        params = {"skill": "skill.any", "resist": "skill.any"}
        targets = ("resisting",)
    opportunity = inputs.get("opportunity")
    if opportunity:
        play.actor(opportunity["to"])
        params |= {"sign": opportunity["sign"], "to": opportunity["to"]}
    return RollCheck(
        check="opportunity" if opportunity else "skill",
        actors=("roller",),
        targets=targets,
        params=params,
        sources=claims("boon", inputs["positive"]) + claims("bane", inputs["negative"]),
    )


def session(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of the pool over an evening."""
    play = Play(game.RULESET, options)
    play.do(StartSession())
    fill(play, **inputs.get("pool", {"held": 0, "gained": 0}))
    play.actor("hero", skill__any=0)
    start: Pool = play.state.game
    log: list[dict[str, Any]] = []
    effects: list[dict[str, Any]] = []
    for event in inputs["events"]:
        try:
            effects += [line for effect in _happens(play, event) for line in lines(effect)]
        except Refusal as refusal:
            effects.append({"type": "rejected", "reason": REASONS[refusal.code]})
        log.append({"event": event, **_pool(play)})
    initiative = play.state.marks.get(game.INITIATIVE)
    pool = _pool(play)
    return {
        "log": log,
        "effects": effects,
        "pool": pool,
        "pool_change": pool["held"] - start.held,
        "lost_to_cap": sum(effect["type"] == "boon_lost_to_cap" for effect in effects),
        "xp_per_character": _xp_of(play, "hero"),
        **({"initiative": "players" if initiative == "party" else "opponents"} if initiative else {}),
    }


def _pool(play: Play) -> dict[str, int]:
    return {"held": play.state.game.held, "gained": play.state.game.gained}


def _happens(play: Play, event: str) -> Iterator[Effect]:
    """The effects of one line of an evening."""
    match event:
        case "critical_success" | "accepted_failure":
            play.tape([{"role": "d12", "sides": game.D12, "face": game.D12 if event == "critical_success" else 2}])
            told = play.do(RollCheck(check="skill", actors=("hero",), params={"skill": "skill.any", "difficulty": 9}))
            rolled = next(each for each in told if isinstance(each, CheckRolled))
            if not play.state.checks[rolled.rolled.check].done:
                told += play.do(Choose(check=rolled.rolled.check, choice="accept"))
        case "spend":
            told = play.do(Act(verb="take_boon"))
        case "spend_initiative_lost" | "spend_initiative_won":
            winner = "opposition" if event == "spend_initiative_lost" else "party"
            play.do(Act(verb="initiative", args={"winner": winner}))
            told = play.do(Act(verb="keep_initiative"))
        case "group_failure" | "challenge_failure":
            told = _fails_together(play, event)
        case unknown:
            raise NotImplementedError(unknown)
    for each in told:
        if isinstance(each, CheckRolled | Chosen | Acted | RequestClosed):
            yield from each.effects


def _fails_together(play: Play, event: str) -> tuple[Event, ...]:
    """A request that fails: a group check of which one failure is enough, or a challenge that is out of reach."""
    play.tape([{"role": "d12", "sides": game.D12, "face": 2}])
    if event == "group_failure":
        request = ask(play, ["hero"], AskedCheck(check="skill", params={"difficulty": 9}), "one_failure")
    else:
        request = ask(play, ["hero"], AskedCheck(check="challenge"), "challenge", 9)
    check = Followed(play)
    answer = AnswerRequest(request=request, actor="hero", params={"skill": "skill.any"})
    return (*check.roll(answer, 0), *check.settle())


def derive(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:  # noqa: ARG001 - asked of every system alike
    """A value of one of the game's own functions."""
    match inputs["what"]:
        case "resistance_difficulty":
            return game.resistance_difficulty(inputs["bonus"])
        case "dice_count":
            return game.dice_count(inputs["positive"], inputs["negative"])
        case "xp_per_character":
            return _xp_of(_evening(inputs["held"]), "somebody")
        case "pool_at_session_start":
            play = _evening(inputs["held_at_end"])
            play.do(EndSession())
            play.do(StartSession())
            return _pool(play)["held"]
        case unknown:
            raise NotImplementedError(unknown)


def _evening(held: int) -> Play:
    """An evening that runs, with so many Boons."""
    play = Play(game.RULESET, {})
    play.do(StartSession())
    fill(play, held=held, gained=0)
    return play


def _xp_of(play: Play, actor: str) -> int:
    """What the evening that ends now was worth to somebody."""
    (ended,) = (event for event in play.do(EndSession(actors=(actor,))) if isinstance(event, SessionEnded))
    return next((earned.amount for earned in ended.xp if earned.actor == actor), 0)


def odds(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances: what names a row, what it expects, what the engine says."""
    for row in rows:
        net, bonus, difficulty = row["chances"], row["bonus"], row["difficulty"]
        play = Play(game.RULESET, {})
        inputs = {"bonus": bonus, "difficulty": difficulty, "positive": max(net, 0), "negative": max(-net, 0)}
        shown = play.preview(_command(play, inputs))
        assert shown.odds is not None
        best_of, replaced = game.Options(), game.Options(reroll="replace")
        bought = chances.with_boon(net, bonus, difficulty, best_of)
        named = ("bonus", "difficulty", "chances")
        yield (
            " ".join(f"{key} {row[key]}" for key in named),
            {key: value for key, value in row.items() if key not in named},
            {
                "success": shown.odds.success,
                "crit_success": shown.odds.critical,
                "crit_failure": shown.odds.worst,
                "pool_change": chance(chances.pool_change(net, bonus, difficulty, best_of)),
                "with_boon": {
                    "when": "before" if net < 0 else "after",
                    "spent": chance(bought.spent),
                    "success": chance(bought.success),
                    "crit_success": chance(bought.critical),
                    "crit_failure": chance(bought.worst),
                    "crit_failure_replace": chance(chances.with_boon(net, bonus, difficulty, replaced).worst),
                    "pool_change": chance(bought.pool_change),
                },
            },
        )
