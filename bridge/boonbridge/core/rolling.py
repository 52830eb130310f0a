"""Deciding a roll.

One command is one commit: what an older check still owed, the dice, the grants they used up, and a choice that was
the only legal one, all stand in it together or not at all.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from boonbridge.rulesets.base import Actor, Check, Modifiers, OpenCheck
from boonbridge_schemas.base import CheckId, Key, Role, Scalar
from boonbridge_schemas.checks import Extra, Rolled
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import RollCheck
from boonbridge_schemas.events import AssistAnswered, CheckNoted, CheckRolled, GrantSpent, OpportunityUsed, TargetFixed
from boonbridge_schemas.refusal import Refusal

from .checking import Answering, checks_of, lock_on, locked, modified, set_by_player, used_up, without
from .choosing import close_open, let_lapse, settle_if_forced
from .committing import TOLD_AT_ONCE, Commit
from .decision import Context, Decision
from .evolving import evolve
from .preview import preview
from .state import TableState, was_for
from .tokens import named
from .visibility import (
    Viewer,
    among_gms,
    numbers_public,
    open_offers,
    part_of,
    part_of_grant,
    part_of_target,
    split_margin,
)

_NO_MARGIN: tuple[Extra, ...] = ()


def roll_check(state: TableState, command: RollCheck, context: Context) -> Decision:
    """Roll one check per actor and target. Raises ``Refusal``; then no die is in any log."""
    part = part_of(command.mode)
    if command.spend_before:
        # All of it can be paid before a die falls: were it the dice that decide, one could send again until they please.
        preview(state, command, Viewer(context.by, context.role))
    player_set = set_by_player(state, command, context.role) if command.check in state.ruleset.checks else ()
    commit = Commit(state, context, part, faces=command.faces, player_set=player_set)
    roll_all(commit, command, context.role)
    return commit.decision()


def roll_all(commit: Commit, command: RollCheck, role: Role, answering: Answering | None = None) -> None:
    """The checks of every actor of a command, as part of a commit. Raises ``Refusal``."""
    _roll_all(commit, command, role, answering, _unseen(commit, command, role, answering))


def _roll_all(commit: Commit, command: RollCheck, role: Role, answering: Answering | None, unseen: Key | None) -> None:
    commit.introduce(named(commit.state, command), keep=command.mode == "public")
    for actor, checks in checks_of(commit.state, command, commit.by, role, answering, unseen=unseen):
        spent = {event.grant for _, event in commit.placed if isinstance(event, GrantSpent)}
        used = {event.opportunity for _, event in commit.placed if isinstance(event, OpportunityUsed)}
        roll_for(commit, actor, [without(check, spent, used) for check in checks])


# --- what only GMs know of --------------------------------------------------------------------------------------
def _unseen(commit: Commit, command: RollCheck, role: Role, answering: Answering | None) -> Key | None:
    """What becomes of hidden grants with this roll (``Check``): they count where GMs alone read it.

    A player's roll is taken, or refused, as it would be without them: it is tried first, with dice that show nothing.
    """
    if not among_gms(command.mode, role):
        return None
    if role == "gm":
        return ""
    there = (commit.state.actors.get(name) for name in named(commit.state, command))
    if not any(grant.hidden for actor in there if actor is not None for grant in actor.grants):
        return None
    if not _passes(commit, command, role, answering, None):
        return None
    # Dice that were typed are as many as his dialog asked for.
    ways = ("too_many",) if command.faces is not None else ("", "too_many")
    return next((way for way in ways if _passes(commit, command, role, answering, way)), None)


def _passes(commit: Commit, command: RollCheck, role: Role, answering: Answering | None, unseen: Key | None) -> bool:
    """Whether a roll would be taken, and what it tells leaves room for the rest of its message."""
    context = Context(by=commit.by, role=role, at=commit.state.at, command_id="trial", dice_for=lambda _part: _Blank())
    try:
        trial = Commit(commit.state, context, commit.part, faces=command.faces, player_set=commit.player_set)
        _roll_all(trial, command, role, answering, unseen)
        trial.decision()
    except Refusal:
        return False
    return unseen is None or trial.size < TOLD_AT_ONCE


class _Blank:
    """Dice that show nothing."""

    def draw(self, role: str, sides: int) -> int:
        """Always 1."""
        return 1


# --- the rows of one actor --------------------------------------------------------------------------------------
def roll_for(commit: Commit, actor: Actor, checks: Sequence[Check]) -> None:
    """The checks of one actor, one for each target, with all that goes with them. Raises ``Refusal``."""
    close_open(commit, actor, commit.part, commit.by)
    # One swing at several targets: all rows see the actor as it was before the first of them.
    before = commit.state
    prepared = [before.ruleset.prepare(before, check) for check in checks]
    for check in prepared:
        if locked(before, check, commit.role):
            raise Refusal(Code.ROLL_LOCKED, values={"actor": actor.id, "action": check.action})
    modifying = [modified(before, check) for check in prepared]
    ids = [_row(commit, check, modifiers) for check, modifiers in zip(prepared, modifying, strict=True)]
    for grant in used_up(prepared, modifying):
        commit.add(part_of_grant(grant), GrantSpent(actor=grant.actor, grant=grant.id, check=ids[0]))
    if commit.part == "all":
        for opportunity in prepared[0].opportunities:
            commit.add("all", OpportunityUsed(opportunity=opportunity.id, check=ids[0]))
        if not commit.auto:
            _drop_offers(commit, prepared[0], ids[0])
    for check_id in ids:
        settle_if_forced(commit, check_id)
    let_lapse(commit)


def _row(commit: Commit, check: Check, modifiers: Modifiers) -> CheckId:
    check_id = commit.next_id()
    commit.dice.next_check()
    state, rules = commit.state, commit.state.ruleset
    target = rules.target(state, check)
    hidden = _hides(state, check)
    odds = rules.odds(state, check, modifiers)
    outcome = rules.resolve(state, check, modifiers, commit.dice)
    assert outcome.result is not None
    result, telling = split_margin(outcome.result, rules) if hidden else (outcome.result, _NO_MARGIN)
    rolled = Rolled(
        check=check_id,
        actor=check.actor.id,
        name=check.actor.name,
        kind=check.spec.key,
        params=_told(check),
        action=check.action,
        side=check.actor.side,
        opponent=check.target.id if check.target else None,
        opponent_name=check.target.name if check.target else "",
        target=None if hidden else target,
        player_set=commit.player_set,
        ad_hoc=check.actor.ad_hoc,
        changed=check.changed,
        again=lock_on(state, check) is not None,
        manual=commit.manual,
        ends=check.ends,
        auto=commit.auto,
        request=check.request,
        group=check.group,
        absent=check.absent,
    )
    asked = OpenCheck(rolled=rolled, mode=check.mode, roller=state.by, target=target, sources=modifiers.sources, result=result)
    part = part_of(check.mode)
    deferred = not check.open
    event = CheckRolled(
        rolled=rolled,
        mode=check.mode,
        sources=modifiers.sources,
        result=result,
        effects=outcome.effects,
        odds=None if hidden else odds,
        deferred=deferred,
    )
    # Offers depend on what the roll itself did to the pool, so they are asked after its effects.
    after = evolve(state, event)
    if offers := open_offers(asked, rules.choices(after, asked)):
        commit.add(part, replace(event, choices=offers))
    else:
        commit.add(part, event, after)
    if hidden and target is not None and (fixed := part_of_target(check.mode, commit.role)) is not None:
        commit.add(fixed, TargetFixed(check=check_id, target=target, odds=odds, extras=telling))
    if check.mode == "blind":
        noted = CheckNoted(check=check_id, actor=check.actor.id, name=check.actor.name, kind=check.spec.key, action=check.action)
        commit.add("roller", noted)
    return check_id


def _hides(state: TableState, check: Check) -> bool:
    """Whether the number it is compared with is for GMs: it is of hidden numbers, or the request does not show it."""
    if check.hidden:
        return True
    return check.target is not None and state.ruleset.hides_target(state, check) and not numbers_public(state, check.target)


def _told(check: Check) -> dict[Key, Scalar]:
    """The parameters as they stand with the dice: without a difficulty that the request does not show."""
    secret = {spec.key for spec in check.spec.params if spec.difficulty} if check.hidden else frozenset()
    return {key: value for key, value in check.params.items() if key not in secret}


def _drop_offers(commit: Commit, check: Check, check_id: CheckId) -> None:
    """Help that nobody answered goes with the roll it was for."""
    for offer in tuple(commit.state.assists.values()):
        if was_for(offer, check.actor.id, check.spec.key, check.action):
            commit.add("all", AssistAnswered(assist=offer.id, accepted=False, check=check_id))
