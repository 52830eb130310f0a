"""A GM asks several actors for a check, and they answer: each with a roll of his own, or not at all (I-74, I-78).

That an actor has answered is known to everybody who knows of the request; with which roll, to those who may read it.
"""

from msgspec import UNSET
from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, Check
from boonbridge_schemas.base import ActorId, Mode
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import AnswerRequest, CloseRequest, Decline, RequestCheck, RollCheck, RollForAbsent
from boonbridge_schemas.events import (
    CheckRequested,
    CheckRolled,
    Declined,
    DifficultiesSet,
    RequestAnswered,
)
from boonbridge_schemas.game import CheckSpec, GroupSpec
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.requests import AskedCheck, RequestRecord, RequestRow
from boonbridge_schemas.server import Limits

from .asked import answer, answering, find_open, roll_of, stricter, unanswered
from .checking import Answering, allow_mode, complete, known
from .committing import TOLD_AT_ONCE, Commit
from .decision import Context, Decision
from .evolving import evolve_all
from .grouping import close
from .preview import preview
from .rolling import roll_all
from .state import BRIDGE, TableState
from .tokens import base_of, known_or_base, newcomers
from .visibility import Viewer, part_of, part_of_request

_LIMITS = Limits()
_MINUTE = 60_000


def party(state: TableState) -> tuple[ActorId, ...]:
    """Everybody of the party; tokens only where somebody names them."""
    return tuple(actor.id for actor in state.actors.values() if actor.side == "party" and base_of(actor.id) is None)


# --- asking ----------------------------------------------------------------------------------------------------
def request_check(state: TableState, command: RequestCheck, context: Context) -> Decision:
    """Ask for a check. Raises ``request.nobody``, ``request.group``, ``request.limit``, ``roll.*``, ``actor.unknown``."""
    mode = stricter(command.mode, "public")
    allow_mode(state, mode)
    if sum(asking.open for asking in state.requests.values()) >= _LIMITS.open_requests:
        raise Refusal(Code.REQUEST_LIMIT, values={"limit": _LIMITS.open_requests})
    actors = _asked_actors(state, command)
    secret = mode == "secret"
    # What only GMs know of makes no record that others would see.
    made = () if secret else newcomers(state, *actors, *((command.target,) if command.target is not None else ()))
    state = evolve_all(state, (event for _, event in made))
    asked = tuple(_known(state, actor) for actor in actors)
    target = _known(state, command.target) if command.target is not None else None
    group = _group(state, command)
    checks = tuple(_asked_check(state, each, group, target) for each in command.checks)
    if target is not None and all(state.ruleset.checks[each.check].targets == "none" for each in checks):
        raise Refusal(Code.ROLL_NO_TARGETS, values={"check": checks[0].check})
    _refuse_mode(state, asked, target, checks, mode)
    record = RequestRecord(
        id=str(state.seq),
        by=context.by,
        checks=checks,
        action=command.action.strip(),
        mode=mode,
        group=group.key,
        difficulty=command.difficulty,
        shown=command.shown,
        sources=command.sources,
        target=command.target,
        expires_at=context.at + command.minutes * _MINUTE if command.minutes is not None else None,
        note=command.note,
        rows=tuple(RequestRow(actor=actor.id, name=actor.name) for actor in asked),
    )
    if secret or command.shown:
        part = part_of("secret") if secret else "all"
        return Decision(placed=(*made, (part, CheckRequested(request=record))), command_part=part)
    told = replace(record, checks=tuple(_without_difficulty(state, each) for each in checks), difficulty=None)
    fixed = DifficultiesSet(request=record.id, checks=checks, difficulty=command.difficulty)
    return Decision(placed=(*made, ("all", CheckRequested(request=told)), ("gm", fixed)), command_part="gm")


def _asked_actors(state: TableState, command: RequestCheck) -> tuple[ActorId, ...]:
    actors = party(state) if command.actors is UNSET else command.actors
    if not actors:
        raise Refusal(Code.REQUEST_NOBODY)
    if len(set(actors)) != len(actors):
        raise Refusal(Code.ROLL_BAD_PARAMETER, "An actor is named twice.", values={"parameter": "actors"})
    if len(actors) > _LIMITS.actors_per_check:
        raise Refusal(Code.ROLL_TOO_MANY_ROWS, values={"limit": _LIMITS.actors_per_check})
    return actors


def _known(state: TableState, actor: ActorId) -> Actor:
    """An actor, or what a token's record would be made from. Raises ``actor.unknown``."""
    found = known_or_base(state, actor)
    return found if found is not None else known(state, actor)


def _group(state: TableState, command: RequestCheck) -> GroupSpec:
    """How the rolls belong together. Raises ``request.group``, ``roll.bad_parameter``."""
    spec = next((each for each in state.ruleset.groups if each.key == command.group), None)
    if spec is None:
        raise Refusal(Code.REQUEST_GROUP, values={"group": command.group})
    if spec.difficulty is None:
        if command.difficulty is not None:
            raise Refusal(
                Code.REQUEST_GROUP, f"{spec.label}: the group has no difficulty of its own.", values={"group": spec.key}
            )
        return spec
    given = {} if command.difficulty is None else {spec.difficulty.key: command.difficulty}
    complete((replace(spec.difficulty, required=True, default=None),), given)
    return spec


def _asked_check(state: TableState, asked: AskedCheck, group: GroupSpec, target: Actor | None) -> AskedCheck:
    """One of the checks, with the difficulty that its roller may not set. Raises ``roll.*``, ``request.group``."""
    spec = state.ruleset.checks.get(asked.check)
    if spec is None:
        raise Refusal(Code.ROLL_UNKNOWN_CHECK, f"There is no check {asked.check!r}.", values={"check": asked.check})
    if spec.key not in group.checks if group.checks else spec.asked:
        raise Refusal(
            Code.REQUEST_GROUP,
            f"{group.label}: {spec.label} is no check for that.",
            values={"group": group.key, "check": spec.key},
        )
    if spec.targets == "required" and target is None:
        raise Refusal(Code.ROLL_TARGET_NEEDED, values={"check": spec.key})
    # What may stay open has no default here, or its roller could not choose it.
    ours = tuple(replace(param, required=False, default=param.default if param.difficulty else None) for param in spec.params)
    params = complete(ours, asked.params)
    _refuse_open_difficulty(spec, params, target)
    return replace(asked, params=params, label=asked.label.strip())


def _refuse_open_difficulty(spec: CheckSpec, params: dict[str, bool | int | str], target: Actor | None) -> None:
    """A number to reach, or who resists with what, is the GM's to say."""
    resisted = [param for param in spec.params if param.of_target]
    if target is None and any(param.key in params for param in resisted):
        raise Refusal(Code.ROLL_TARGET_NEEDED, values={"check": spec.key})
    either = any(param.key in params for param in spec.params if param.difficulty or param.of_target)
    for param in spec.params:
        needed = param.required or (param.difficulty and bool(resisted) and not either)
        if (param.difficulty or param.of_target) and param.key not in params and needed:
            raise Refusal(
                Code.ROLL_BAD_PARAMETER,
                f"{param.label} is missing: whoever asks for a check says it.",
                values={"parameter": param.key},
            )


def _refuse_mode(
    state: TableState, actors: tuple[Actor, ...], target: Actor | None, checks: tuple[AskedCheck, ...], mode: Mode
) -> None:
    """Where a game does not take rolls of that mode, nobody could answer. Raises ``roll.mode``."""
    for actor in actors:
        for asked in checks:
            spec = state.ruleset.checks[asked.check]
            against = target if spec.targets != "none" else None
            check = Check(spec=spec, actor=actor, target=against, params=asked.params, mode=mode, request=str(state.seq))
            try:
                state.ruleset.prepare(state, check)
            except Refusal as no:
                if no.code == Code.ROLL_MODE:
                    raise


def _without_difficulty(state: TableState, asked: AskedCheck) -> AskedCheck:
    secret = {param.key for param in state.ruleset.checks[asked.check].params if param.difficulty}
    return replace(asked, params={key: value for key, value in asked.params.items() if key not in secret})


# --- answering -------------------------------------------------------------------------------------------------
def answer_request(state: TableState, command: AnswerRequest, context: Context) -> Decision:
    """Roll for a request. Raises ``request.*``, and whatever such a roll may be refused for."""
    roll, owed = answer(state, command, context.role)
    if command.spend_before:
        preview(state, command, Viewer(context.by, context.role))  # see ``roll_check``
    return _rolled(state, roll, owed, context)


def roll_for_absent(state: TableState, command: RollForAbsent, context: Context) -> Decision:
    """Roll for those who have not answered, all at once. Raises ``request.*``, and whatever such rolls may be refused for."""
    asking = find_open(state, command.request, context.role)
    waiting = tuple(row.actor for row in asking.record.rows if row.status == "sent")
    actors = waiting if command.actors is UNSET else command.actors
    if not actors:
        if command.actors is UNSET:
            raise Refusal(Code.REQUEST_ANSWERED, "Everybody has answered already.", values={"request": command.request})
        raise Refusal(Code.REQUEST_NOBODY, values={"request": command.request})
    for actor in actors:
        unanswered(asking, actor)
    roll = roll_of(state, asking, actors, nth=command.nth, params=command.params, mode=asking.record.mode)
    return _rolled(state, roll, answering(asking, absent=True), context)


def _rolled(state: TableState, roll: RollCheck, owed: Answering, context: Context) -> Decision:
    commit = Commit(state, context, part_of(roll.mode), faces=roll.faces)
    roll_all(commit, roll, context.role, owed)
    part = part_of_request(commit.state.requests[owed.request])
    rolled = [
        event.rolled for _, event in commit.placed if isinstance(event, CheckRolled) and event.rolled.request == owed.request
    ]
    for each in rolled:
        known_to_readers = RequestAnswered(request=owed.request, actor=each.actor, check=each.check, absent=owed.absent)
        if part == commit.part:
            commit.add(part, known_to_readers)
        else:
            commit.add(part, replace(known_to_readers, check=None))
            commit.add(commit.part, known_to_readers)
    return commit.decision()


def decline(state: TableState, command: Decline, context: Context) -> Decision:
    """An actor does not roll. Raises ``request.*``."""
    asking = find_open(state, command.request, context.role)
    unanswered(asking, command.actor)
    part = part_of_request(asking)
    declined = Declined(request=command.request, actor=command.actor)
    return Decision(placed=((part, declined),), command_part=part)


# --- ending ----------------------------------------------------------------------------------------------------
def close_request(state: TableState, command: CloseRequest, context: Context) -> Decision:
    """End a request, as a GM or as its time is up. Raises ``request.unknown``, ``request.closed``."""
    asking = find_open(state, command.request, context.role)
    commit = Commit(state, context, part_of_request(asking))
    close(commit, command.request, "expired" if context.by == BRIDGE else "closed", room=TOLD_AT_ONCE)
    return commit.decision()
