"""What would apply, and with what chance, before anybody clicks. The same functions as the roll; no die is drawn."""

from msgspec.structs import replace

from boonbridge.dice.source import NoDice, too_many_dice
from boonbridge.rulesets.base import Actor
from boonbridge_schemas.base import CheckId, GrantId, Key
from boonbridge_schemas.commands import AnswerRequest, RollCheck
from boonbridge_schemas.server import Limits, PreviewRow

from .asked import answer
from .checking import checks_of, lock_on, locked, modified, used_up, without
from .choosing import close_open
from .committing import Commit
from .decision import Context
from .evolving import evolve
from .permissions import authorise
from .state import TableState
from .tokens import named, newcomers
from .visibility import Viewer, among_gms, part_of, sees_numbers

_LIMITS = Limits()


def preview(state: TableState, command: RollCheck | AnswerRequest, viewer: Viewer) -> tuple[PreviewRow, ...]:
    """One row per actor and target. Where the viewer may not know the target, a curve of totals instead of odds.

    Raises:
        Refusal: where the roll itself would be refused; but for an action that failed before, of which ``retry`` says
            so, and for faces, which no preview has.
    """
    authorise(state, command, viewer.user, viewer.role)
    answering = None
    if isinstance(command, AnswerRequest):
        command, answering = answer(state, command, viewer.role)
    for _, event in newcomers(state, *named(state, command)):
        state = evolve(state, event)
    rules = state.ruleset
    rows: list[PreviewRow] = []
    drawn = owed = 0
    spent: set[GrantId] = set()
    seized: set[CheckId] = set()
    for actor, drafts in checks_of(state, command, viewer.user, viewer.role, answering, unseen=_unseen(command, viewer)):
        state = _decided(state, actor, command, viewer)
        checks = []
        for draft in drafts:
            checks.append(rules.prepare(state, replace(without(draft, spent, seized), owed=owed)))
            owed += command.spend_before
        modifying = [modified(state, check) for check in checks]
        spent.update(grant.id for grant in used_up(checks, modifying))
        seized.update(each.id for each in checks[0].opportunities if checks[0].open)
        for check, modifiers in zip(checks, modifying, strict=True):
            dice = rules.dice(state, check, modifiers)
            drawn += sum(die.count for die in dice)
            if drawn > _LIMITS.dice_per_command:
                raise too_many_dice(_LIMITS.dice_per_command)
            target = rules.target(state, check)
            hidden = check.target is not None and rules.hides_target(state, check)
            hidden = hidden and not sees_numbers(state, check.target, viewer)  # type: ignore[arg-type]
            hidden = hidden or (check.hidden and viewer.role != "gm")
            rows.append(
                PreviewRow(
                    actor=None if check.actor.ad_hoc else check.actor.id,
                    name=check.actor.name,
                    opponent=check.target.id if check.target else None,
                    opponent_name=check.target.name if check.target else "",
                    target=None if hidden else target,
                    sources=modifiers.sources,
                    net=modifiers.net,
                    boons=modifiers.boons,
                    banes=modifiers.banes,
                    bonus=rules.bonus(state, check),
                    dice=dice,
                    odds=None if hidden else rules.odds(state, check, modifiers),
                    curve=rules.curve(state, check, modifiers) if hidden else None,
                    retry="ask" if locked(state, check, viewer.role) else "warn" if lock_on(state, check) else "",
                )
            )
    return tuple(rows)


def _unseen(command: RollCheck, viewer: Viewer) -> Key | None:
    """What the account says of grants that only GMs know of (``Check``). To a GM it says them on any roll, to others on none."""
    if viewer.role != "gm":
        return None
    return "" if among_gms(command.mode, viewer.role) else "hidden_rolls_only"


def _decided(state: TableState, actor: Actor, command: RollCheck, viewer: Viewer) -> TableState:
    """The state after the roll has taken the default of what is still open for this actor: it may earn what is then spent."""
    dice = NoDice("a preview")
    context = Context(by=viewer.user, role=viewer.role, at=state.at, command_id="preview", dice_for=lambda _part: dice)
    commit = Commit(state, context, part_of(command.mode))
    close_open(commit, actor, commit.part, commit.by)
    return commit.state
