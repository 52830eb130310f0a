"""System D of the vectors: d12 with group Boons."""

from collections.abc import Iterator, Mapping
from typing import Any

from boonbridge.dice.odds import chance
from boonbridge.rulesets import group_d12 as game
from boonbridge.rulesets.chances import group_d12 as chances
from boonbridge_schemas.checks import ChoiceOffer
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Act, Choose, RollCheck
from boonbridge_schemas.effects import ChanceGranted, DieBought, DutyNoted, Effect, MarkSet, ResourceChanged
from boonbridge_schemas.events import Acted, CheckRolled, Chosen, Event, TargetFixed
from boonbridge_schemas.refusal import Refusal

from .play import Play, Tape, claims, told

LATER = frozenset({"group_check", "challenge"})

_REASONS = {
    Code.SPEND_NO_NEGATIVE: "no_negative_chances",
    Code.SPEND_LIMIT: "limit",
    Code.POOL_EMPTY: "pool_empty",
    Code.SPEND_NOT_FAILED: "not_failed",
    Code.SPEND_CRITICAL_FAILURE: "critical_failure",
    Code.SPEND_NEGATIVE: "negative_chances",
    Code.SPEND_NOT_A_PLAYER: "not_a_player",
    Code.SPEND_INITIATIVE: "initiative_not_lost",
}
_WHEN = {"spent_before": "before", "spent_after": "after", "kept_initiative": "initiative", "taken": "session"}


class _Sitting:
    """One check with everything that follows it."""

    def __init__(self, options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> None:
        self.play = Play(game.RULESET, options)
        self.events: list[Event] = []
        self.rejected: list[dict[str, Any]] = []
        fill(self.play, **inputs["pool"])
        self.play.tape(dice)
        self._roll(_command(self.play, inputs), inputs["spend_before"])
        for _ in range(inputs["spend_after"]):
            self._spend()
        if any(offer.id == "accept" for offer in self._offers()):
            self._add(self.play.do(Choose(check=self._check, choice="accept")))

    def _add(self, events: tuple[Event, ...]) -> None:
        self.events += events

    def _roll(self, command: RollCheck, boons: int) -> None:
        """Ask for Boons before the roll; where one is refused, with one less."""
        for asked in range(boons, -1, -1):
            try:
                self._add(self.play.do(RollCheck(**{**_fields(command), "spend_before": asked})))
            except Refusal as refusal:
                if not asked:
                    raise
                self._reject("spend_before", refusal.code)
            else:
                return

    def _spend(self) -> None:
        """Ask for a Boon after the roll; an offer that stands there disabled says why, as the player reads it."""
        shown = next((offer for offer in self._shown() if offer.id == "spend"), None)
        if shown is not None and shown.why is not None:
            self._reject("spend_after", Code(shown.why))
            return
        try:
            self._add(self.play.do(Choose(check=self._check, choice="spend")))
        except Refusal as refusal:
            self._reject("spend_after", refusal.code)

    def _reject(self, what: str, code: Code) -> None:
        self.rejected.append({"what": what, "reason": _REASONS.get(code, code.value)})

    @property
    def _check(self) -> str:
        (rolled,) = (event for event in self.events if isinstance(event, CheckRolled))
        return rolled.rolled.check

    def _shown(self) -> tuple[ChoiceOffer, ...]:
        """The offers that came with the last dice, before the only legal one was taken."""
        last = [e for e in self.events if isinstance(e, CheckRolled) or (isinstance(e, Chosen) and e.result is not None)]
        return last[-1].choices

    def _offers(self) -> tuple[ChoiceOffer, ...]:
        last = [event for event in self.events if isinstance(event, CheckRolled | Chosen)]
        return last[-1].choices

    def told(self) -> dict[str, Any]:
        """The check as it stands in the end."""
        results = [event.result for event in self.events if isinstance(event, CheckRolled | Chosen) and event.result]
        rolled = next(event.rolled for event in self.events if isinstance(event, CheckRolled))
        effects = [effect for event in self.events if isinstance(event, CheckRolled | Chosen) for effect in event.effects]
        target = next((event.target for event in self.events if isinstance(event, TargetFixed)), rolled.target)
        pool = self.play.state.game
        return {
            **told(results[-1]),
            "target": target,
            "effects": [line for effect in effects for line in _effect(effect)],
            "rejected": self.rejected,
            "pool": {"held": pool.held, "gained": pool.gained},
            "dice left": self.play.dice.left,
        }


def roll(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """One skill check, with the Boons asked for before and after."""
    got = _Sitting(options, inputs, dice).told()
    return {**got, "pool_change": got["pool"]["held"] - inputs["pool"]["held"]}


def fill(play: Play, held: int, gained: int) -> None:
    """Bring the pool to where an example begins: so many earned and taken away again, then so many given."""
    play.actor("somebody", skill__any=0)
    for _ in range(gained):
        play.tape([{"role": "d12", "sides": game.D12, "face": game.D12}])
        play.do(RollCheck(check="skill", actors=("somebody",), params={"skill": "skill.any", "difficulty": 1}))
        play.do(Act(verb="take_boon"))
    for _ in range(held):
        play.do(Act(verb="give_boon"))


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


def _fields(command: RollCheck) -> dict[str, Any]:
    return {name: getattr(command, name) for name in command.__struct_fields__}


def _effect(effect: Effect) -> list[dict[str, Any]]:
    match effect:
        case ResourceChanged(asked=asked, reason=reason) if asked < 0:
            return [{"type": "boon_spent", "when": _WHEN[reason]}]
        case ResourceChanged(applied=applied, reason=reason):
            return [{"type": "boon_gained" if applied else "boon_lost_to_cap", "reason": reason}]
        case DutyNoted(duty=duty):
            return [{"type": duty}]
        case ChanceGranted(to=to, sign=sign, uses=uses):
            return [{"type": "grant_chance", "sign": "positive" if sign == "boon" else "negative", "to": to, "uses": uses}]
        case DieBought() | MarkSet():
            return []  # these stand in the result, and in the initiative
        case _:
            return [{"type": type(effect).__name__}]


def session(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What becomes of the pool over an evening."""
    play = Play(game.RULESET, options)
    fill(play, **inputs.get("pool", {"held": 0, "gained": 0}))
    play.actor("hero", skill__any=0)
    start: game.Pool = play.state.game
    log: list[dict[str, Any]] = []
    effects: list[dict[str, Any]] = []
    for event in inputs["events"]:
        try:
            effects += [line for effect in _happens(play, event) for line in _effect(effect)]
        except Refusal as refusal:
            effects.append({"type": "rejected", "reason": _REASONS[refusal.code]})
        log.append({"event": event, **_pool(play)})
    initiative = play.state.marks.get(game.INITIATIVE)
    return {
        "log": log,
        "effects": effects,
        "pool": _pool(play),
        "pool_change": play.state.game.held - start.held,
        "lost_to_cap": sum(effect["type"] == "boon_lost_to_cap" for effect in effects),
        "xp_per_character": game.xp_per_character(play.state.game),
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
            # What several do together comes later; what it earns is known.
            earned = game.gain(play.state.game, event, play.state.options)
            told = (Acted(verb="give_boon", effects=(earned,)),)
            play.happened(*told)
        case unknown:
            raise NotImplementedError(unknown)
    for each in told:
        if isinstance(each, CheckRolled | Chosen | Acted):
            yield from each.effects


def derive(options: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:  # noqa: ARG001 - asked of every system alike
    """A value of one of the game's own functions."""
    match inputs["what"]:
        case "resistance_difficulty":
            return game.resistance_difficulty(inputs["bonus"])
        case "dice_count":
            return game.dice_count(inputs["positive"], inputs["negative"])
        case "xp_per_character":
            return game.xp_per_character(game.Pool(inputs["held"]))
        case "pool_at_session_start":
            return game.new_session().held
        case unknown:
            raise NotImplementedError(unknown)


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
