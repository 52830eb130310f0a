"""From a ``RollCheck`` to the checks it asks for: parameters validated, actors and targets found, roles respected.

Preview and roll both begin here, so that they cannot differ.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from boonbridge.dice.source import too_many_dice
from boonbridge.rulesets.base import Actor, Check, Modifiers
from boonbridge_schemas.base import CheckId, GrantId, Key, Label, Mode, RequestId, Role, Scalar, UserId
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.game import CheckSpec, ParamSpec
from boonbridge_schemas.grants import GrantRecord
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .opportunities import seized
from .state import TableState

_LIMITS = Limits()
MOST_OF_A_SIGN = 9999
"""So many Boons, and so many Banes, a result can say it had (``Count``)."""
MOST_OPPORTUNITIES = 32
"""So many wait at a table for whoever uses them (D-21)."""
MOST_LEFT = 999
"""So many may be left of them: a game that adds them to a total still stays within what a result can say."""


class Answering(Struct, frozen=True, kw_only=True):
    """What a roll has from the request that it answers: difficulty and sources are the GM's, and ``hidden`` says who knows."""

    request: RequestId
    group: Key
    hidden: bool
    absent: bool = False


def checks_of(
    state: TableState,
    command: RollCheck,
    user: UserId,
    role: Role,
    answering: Answering | None = None,
    *,
    unseen: Key | None = None,
) -> Iterator[tuple[Actor, tuple[Check, ...]]]:
    """Each actor of the command with its checks, one per target (or one without).

    The checks are validated but not yet ``prepare``d by the ruleset. ``unseen``: see ``Check``.

    Raises:
        Refusal: ``roll.*``, ``actor.unknown``, ``spend.*``, ``request.only``, ``opportunity.*``; before the first pair is
            given where it concerns all.
    """
    spec = state.ruleset.checks.get(command.check)
    if spec is None:
        known = ", ".join(state.ruleset.checks)
        raise Refusal(
            Code.ROLL_UNKNOWN_CHECK, f"There is no check {command.check!r}; there is {known}.", values={"check": command.check}
        )
    if spec.asked and answering is None:
        raise Refusal(Code.REQUEST_ONLY, values={"check": spec.key})
    allow_mode(state, command.mode)
    params = complete(spec.params, command.params)
    if answering is None:
        _player_limits(state, command, spec, role)
    if command.spend_before and not spec.spend_before:
        raise Refusal(Code.SPEND_NOT_OFFERED)
    if spec.key == state.ruleset.help_check and "to" not in params and len(state.opportunities) >= MOST_OPPORTUNITIES:
        raise Refusal(Code.OPPORTUNITY_LIMIT, values={"limit": MOST_OPPORTUNITIES})
    actors = _actors(state, command, user)
    targets = _targets(state, command, spec)
    if len(actors) * max(1, len(targets)) > _LIMITS.actors_per_check:
        raise Refusal(Code.ROLL_TOO_MANY_ROWS, values={"limit": _LIMITS.actors_per_check})
    if command.ends is not None:
        _ends(state, command, actors, role)
    marked = answering is None and role == "player" and getattr(state.options, "player_sources", "marked") == "marked"
    seizing = [seized(state, command.opportunities, actor, role) for actor in actors]
    for actor, opportunities in zip(actors, seizing, strict=True):
        yield (
            actor,
            tuple(
                Check(
                    spec=spec,
                    actor=actor,
                    target=target,
                    targets=command.targets,
                    params=params,
                    action=command.action,
                    mode=command.mode,
                    claims=command.sources,
                    off=frozenset(command.off),
                    by_player=marked,
                    spend_before=command.spend_before,
                    changed=command.changed.strip(),
                    ends=command.ends,
                    request=answering.request if answering else None,
                    group=answering.group if answering else "",
                    hidden=answering is not None and answering.hidden,
                    absent=answering is not None and answering.absent,
                    opportunities=opportunities,
                    unseen=unseen,
                )
                for target in (targets or (None,))
            ),
        )


def modified(state: TableState, check: Check) -> Modifiers:
    """What applies to a prepared check.

    Raises ``roll.too_many_sources``; ``roll.bad_parameter``, ``roll.too_many_dice`` where it adds up to more than can be
    written or rolled.
    """
    # What does not count may not change the account of what does, in any game; so it is made without.
    counts = not check.unseen
    found = state.ruleset.modifiers(state, check if counts else replace(check, unseen=None))
    if sum(line.applies for line in found.sources) > _LIMITS.sources_per_check:
        raise Refusal(Code.ROLL_TOO_MANY_SOURCES, values={"limit": _LIMITS.sources_per_check})
    if max(found.boons, found.banes) > MOST_OF_A_SIGN:
        raise Refusal(
            Code.ROLL_BAD_PARAMETER,
            f"Boons or Banes add up to more than {MOST_OF_A_SIGN}.",
            values={"parameter": "sources", "limit": MOST_OF_A_SIGN},
        )
    if abs(found.net) > MOST_LEFT:
        raise too_many_dice(_LIMITS.dice_per_check)
    if counts:
        return found
    passed_over = tuple(line for line in state.ruleset.modifiers(state, check).sources if line.hidden)
    return replace(found, sources=(*found.sources, *passed_over))


def used_up(checks: Sequence[Check], modifying: Sequence[Modifiers]) -> Iterator[GrantRecord]:
    """The one-use grants that go with the checks of one actor: all in scope, counted or not.

    One that helps in the other direction than its clock looks (a Boon against its bearer until he rolls himself) goes with
    any roll that its clock is about. With a roll that not everybody sees goes only what not everybody knows of, where it counts.
    """
    hidden = not checks[0].open
    if hidden and checks[0].unseen != "":
        return
    roller = checks[0].actor
    in_scope = {s.grant for m in modifying for s in m.sources if s.applies and s.why != "switched_off"}
    bearers = {roller.id: roller, **{check.target.id: check.target for check in checks if check.target}}
    for bearer in bearers.values():
        for grant in bearer.grants:
            now = "next_roll" if bearer.id == roller.id else "next_roll_against"
            this_way = (grant.scope.side == "own") == (bearer.id == roller.id)
            if grant.hidden == hidden and grant.expiry.when == now and (grant.id in in_scope or not this_way):
                yield grant


def without(check: Check, spent: Collection[GrantId], gone: Collection[CheckId] = ()) -> Check:
    """The check without what an actor before in the same command has used up: the first roll has it (T-31)."""
    if gone:
        left = tuple(each for each in check.opportunities if each.id not in gone)
        check = replace(check, opportunities=left)
    if not spent:
        return check
    return replace(check, actor=_less(check.actor, spent), target=_less(check.target, spent) if check.target else None)


def _less(actor: Actor, spent: Collection[GrantId]) -> Actor:
    return replace(actor, grants=tuple(grant for grant in actor.grants if grant.id not in spent))


def set_by_player(state: TableState, command: RollCheck, role: Role) -> tuple[Key, ...]:
    """The parameters that a player set himself and that cards mark as such (option ``player_difficulty``)."""
    if role != "player" or getattr(state.options, "player_difficulty", "marked") != "marked":
        return ()
    spec = state.ruleset.checks[command.check]
    return tuple(p.key for p in spec.params if p.difficulty and p.key in command.params)


def complete(specs: tuple[ParamSpec, ...], given: Mapping[Key, Scalar]) -> dict[Key, Scalar]:
    """The parameters with their defaults. Raises ``roll.unknown_parameter``, ``roll.bad_parameter``."""
    known = {spec.key for spec in specs}
    for key in given:
        if key not in known:
            raise Refusal(Code.ROLL_UNKNOWN_PARAMETER, f"There is no parameter {key!r}.", values={"parameter": key})
    full: dict[Key, Scalar] = {}
    for spec in specs:
        value = given.get(spec.key, spec.default)
        if value is None:
            if spec.required:
                raise Refusal(Code.ROLL_BAD_PARAMETER, f"{spec.label} is missing.", values={"parameter": spec.key})
            continue
        full[spec.key] = _checked(spec, value)
    return full


def _checked(spec: ParamSpec, value: Scalar) -> Scalar:
    if spec.kind == "flag":
        good = isinstance(value, bool)
    elif spec.kind in ("integer", "die"):
        good = isinstance(value, int) and not isinstance(value, bool)
        good = good and (spec.min is None or value >= spec.min) and (spec.max is None or value <= spec.max)  # type: ignore[operator]
        good = good and (spec.kind != "die" or not spec.choices or any(c.value == value for c in spec.choices))
    elif spec.kind == "choice":
        good = any(c.value == value and type(c.value) is type(value) for c in spec.choices)
    else:
        good = isinstance(value, str) and 0 < len(value) <= _LIMITS.label and value.isprintable()
    if not good:
        span = f" from {spec.min} to {spec.max}" if spec.min is not None and spec.max is not None else ""
        raise Refusal(
            Code.ROLL_BAD_PARAMETER,
            f"{spec.label} does not take that value{span and ', only'}{span}.",
            values={"parameter": spec.key},
        )
    return value


def allow_mode(state: TableState, mode: Mode) -> None:
    """Raises ``roll.mode`` where the dice of the table are public (option ``dice_public``, B-01)."""
    if mode != "public" and getattr(state.options, "dice_public", False):
        raise Refusal(Code.ROLL_MODE, "The dice of this table are public (option dice_public).", values={"mode": mode})


def lock_on(state: TableState, check: Check) -> Label | None:
    """The lock on what is attempted, where the table keeps any and nothing is said to have changed (A-24)."""
    if check.changed or getattr(state.options, "retry", "off") == "off":
        return None
    return check.actor.lock(check.action)


def locked(state: TableState, check: Check, role: Role) -> bool:
    """Whether what is attempted failed before, and whoever rolls has to say what changed; a GM need not (A-24)."""
    return role != "gm" and lock_on(state, check) is not None and getattr(state.options, "retry", "off") == "strict"


def _ends(state: TableState, command: RollCheck, actors: tuple[Actor, ...], role: Role) -> None:
    """A luck roll ends a condition that its actor has and that luck ends; a player rolls it when it is due (C-P2)."""
    held = actors[0].held(command.ends) if command.ends is not None and len(actors) == 1 else None
    if command.check != state.ruleset.luck or held is None or not held.luck_ends:
        raise Refusal(Code.ROLL_ENDS_NOTHING)
    if role != "gm" and not held.luck_due:
        raise Refusal(Code.ROLL_ENDS_NOTHING, "That luck roll comes at the end of the round.")
    if command.mode != "public":
        raise Refusal(Code.ROLL_MODE, "A roll that ends something is for everybody to see.", values={"mode": command.mode})


def _player_limits(state: TableState, command: RollCheck, spec: CheckSpec, role: Role) -> None:
    if role != "player":
        return
    sets_difficulty = any(p.difficulty and p.key in command.params for p in spec.params)
    if sets_difficulty and getattr(state.options, "player_difficulty", "marked") == "gm_only":
        raise Refusal(Code.ROLL_DIFFICULTY)
    if command.sources and getattr(state.options, "player_sources", "marked") == "gm_only":
        raise Refusal(Code.ROLL_SOURCES)


def _actors(state: TableState, command: RollCheck, user: UserId) -> tuple[Actor, ...]:
    if command.ad_hoc is not None:
        if command.actors:
            raise Refusal(Code.ROLL_NO_ACTOR, "Either actors or a name and numbers, not both.")
        state.ruleset.validate_numbers(command.ad_hoc.numbers)
        free = command.ad_hoc
        return (Actor(id=f"adhoc.{user}", name=free.name, side=free.side, numbers=free.numbers, ad_hoc=True),)
    if not command.actors:
        raise Refusal(Code.ROLL_NO_ACTOR)
    if len(set(command.actors)) != len(command.actors):
        raise Refusal(Code.ROLL_BAD_PARAMETER, "An actor is named twice.", values={"parameter": "actors"})
    return tuple(known(state, actor) for actor in command.actors)


def known(state: TableState, actor: str) -> Actor:
    """The actor of that id. Raises ``actor.unknown``."""
    found = state.actors.get(actor)
    if found is None:
        raise Refusal(Code.ACTOR_UNKNOWN, values={"actor": actor})
    return found


def _targets(state: TableState, command: RollCheck, spec: CheckSpec) -> tuple[Actor, ...]:
    if spec.targets == "none" and command.targets:
        raise Refusal(Code.ROLL_NO_TARGETS, values={"check": spec.key})
    if spec.targets == "required" and not command.targets:
        raise Refusal(Code.ROLL_TARGET_NEEDED, values={"check": spec.key})
    if len(set(command.targets)) != len(command.targets):
        raise Refusal(Code.ROLL_BAD_PARAMETER, "A target is named twice.", values={"parameter": "targets"})
    return tuple(known(state, target) for target in command.targets)
