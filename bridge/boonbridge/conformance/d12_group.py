"""System D where several roll for one request: group checks and challenges."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from boonbridge.dice.odds import chance
from boonbridge.dice.source import TapeDice
from boonbridge.rulesets import group_d12 as game
from boonbridge.rulesets.chances import group_d12 as chances
from boonbridge.rulesets.pools.group_d12 import Pool
from boonbridge_schemas.base import ActorId, Key, Scalar, Sign
from boonbridge_schemas.commands import AnswerRequest, Grant, RequestCheck
from boonbridge_schemas.events import CheckRequested, Event, RequestClosed
from boonbridge_schemas.grants import GrantSource
from boonbridge_schemas.requests import AskedCheck, GroupResult

from .d12_check import Followed, fill, lines
from .play import Play, Tape


class _Member:
    """One of those asked: his check, and where his dice stand on the example's tape. What he buys lies apart from his roll."""

    def __init__(self, play: Play, inputs: Mapping[str, Any], tape: list[Mapping[str, Any]]) -> None:
        self.name: str = inputs["name"]
        self.inputs = inputs
        self.places = [i for i, die in enumerate(tape) if die.get("member") == self.name]
        mine = [(die["role"], die["sides"], die["face"]) for die in (tape[i] for i in self.places)]
        self.rolls = TapeDice(die for die in mine if die[0] != "reroll")
        self.bought = TapeDice(die for die in mine if die[0] == "reroll")
        self.check = Followed(play)
        play.actor(self.name, skill__any=inputs["bonus"])
        _chances(play, self.name, "boon", inputs.get("positive", 0))
        _chances(play, self.name, "bane", inputs.get("negative", 0))

    def places_where(self, *, kept: bool) -> list[int]:
        return [place for place, die in zip(self.places, self.check.result.dice, strict=False) if die.kept is kept]

    def told(self, *, judged: bool) -> dict[str, Any]:
        result = self.check.result
        (kept,) = self.places_where(kept=True) or (None,)
        told = {"name": self.name, "net": result.net, "kept": kept, "total": result.total}
        if not judged:
            return told
        accepted = not result.success and not self.check.spent
        return {**told, "success": result.success, "outcome": result.outcome, "accepted": accepted}


def group_check(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """Several against one difficulty, where one success or one failure is enough."""
    asked = AskedCheck(check="skill", params={"difficulty": inputs["difficulty"]})
    members, closed, got = _together(Play(game.RULESET, options), inputs, dice, asked, group=inputs["mode"])
    return {
        **got,
        "members": [each.told(judged=True) for each in members],
        "target": members[0].check.target,
        "total": closed.total,
    }


def challenge(options: Mapping[str, Any], inputs: Mapping[str, Any], dice: Tape) -> dict[str, Any]:
    """Several whose results are added up against one difficulty."""
    play, asked = Play(game.RULESET, options), AskedCheck(check="challenge")
    members, closed, got = _together(play, inputs, dice, asked, group="challenge", difficulty=inputs["difficulty"])
    return {**got, "members": [each.told(judged=False) for each in members], "target": closed.target, "total": closed.total}


def _together(
    play: Play, inputs: Mapping[str, Any], dice: Tape, asked: AskedCheck, *, group: Key, difficulty: int | None = None
) -> tuple[list[_Member], GroupResult, dict[str, Any]]:
    """All first rolls lie open, then everybody spends or lets it stand, in order."""
    fill(play, **inputs["pool"])
    before: Pool = play.state.game
    tape = list(dice)
    members = [_Member(play, each, tape) for each in inputs["members"]]
    happened: list[Event] = []
    request = ask(play, [each.name for each in members], asked, group, difficulty)
    for each in members:
        play.dice = each.rolls
        answer = AnswerRequest(request=request, actor=each.name, params={"skill": "skill.any"})
        happened += each.check.roll(answer, each.inputs.get("spend_before", 0))
    for each in members:
        play.dice = each.bought
        for _ in range(each.inputs.get("spend_after", 0)):
            happened += each.check.spend()
        happened += each.check.settle()
    (closed,) = (event for event in happened if isinstance(event, RequestClosed))
    assert closed.result is not None
    pool: Pool = play.state.game
    kept = sorted(place for each in members for place in each.places_where(kept=True))
    dropped = sorted(place for each in members for place in each.places_where(kept=False))
    drawn = sum(each.rolls.drawn + each.bought.drawn for each in members)
    return (
        members,
        closed.result,
        {
            "kept": kept,
            "dropped": dropped,
            "kept_faces": [tape[i]["face"] for i in kept],
            "dropped_faces": [tape[i]["face"] for i in dropped],
            "success": closed.result.success,
            "outcome": closed.result.outcome,
            "crits": closed.result.crits,
            "fumble": closed.result.worst > 0,
            "effects": list(_effects(members, closed)),
            "rejected": [{**refused, "member": each.name} for each in members for refused in each.check.rejected],
            "pool": {"held": pool.held, "gained": pool.gained},
            "pool_change": pool.held - before.held,
            "dice left": len(tape) - drawn,
        },
    )


def ask(play: Play, actors: Iterable[ActorId], asked: AskedCheck, group: Key, difficulty: int | None = None) -> str:
    """Send a request; its id."""
    events = play.do(RequestCheck(actors=tuple(actors), checks=(asked,), group=group, difficulty=difficulty))
    (event,) = (event for event in events if isinstance(event, CheckRequested))
    return event.request.id


def _effects(members: Iterable[_Member], closed: RequestClosed) -> Iterator[dict[str, Any]]:
    for each in members:
        yield from ({**line, "member": each.name} for line in each.check.effects())
    for effect in closed.effects:
        yield from lines(effect)


def _chances(play: Play, actor: ActorId, sign: Sign, count: int) -> None:
    """Chances of one member: the request itself is alike for all."""
    for n in range(count):
        play.do(Grant(actors=(actor,), sign=sign, source=GrantSource(id=f"{sign} {n}", label=f"{sign} {n}")))


def odds_group(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances of groups of equals."""
    named = ("members", "bonus", "difficulty", "mode")
    for row in rows:
        success = chances.group_chance(row["mode"], row["members"], row["bonus"], row["difficulty"])
        yield _row(row, named, success=chance(success))


def odds_challenge(rows: list[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Rows of exact chances of challenges."""
    named = ("members", "bonus_each", "difficulty")
    for row in rows:
        success = chances.challenge_chance(row["members"], row["bonus_each"], row["difficulty"])
        yield _row(row, named, success=chance(success))


def _row(row: Mapping[str, Any], named: tuple[str, ...], **got: Scalar) -> tuple[str, dict[str, Any], dict[str, Any]]:
    told = " ".join(f"{key} {row[key]}" for key in named)
    return told, {key: value for key, value in row.items() if key not in named}, got
