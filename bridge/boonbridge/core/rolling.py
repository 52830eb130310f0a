"""Deciding a roll and the choices after it.

One command is one commit: what an older check still owed, the dice, the grants they used up, and a choice that was
the only legal one, all stand in it together or not at all.
"""

from msgspec.structs import replace

from boonbridge.dice.source import BudgetedDice
from boonbridge.rulesets.base import Actor, Check, Modifiers, OpenCheck
from boonbridge_schemas.base import CheckId, Key, Mode, PartName, Role, Scalar, UserId
from boonbridge_schemas.checks import Extra, Rolled
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commands import Choose, RollCheck
from boonbridge_schemas.events import CheckNoted, CheckRolled, Chosen, Event, GrantSpent, TargetFixed
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits

from .checking import checks_of, modified, set_by_player
from .decision import Context, Decision
from .state import TableState, evolve
from .tokens import named, newcomers
from .visibility import Viewer, hides_target, numbers_public, open_offers, part_of, same_readers, sees_check, split_margin, within

_LIMITS = Limits()
_NO_MARGIN: tuple[Extra, ...] = ()


class _Commit:
    """The commit under way: events with their parts, and the state as they have changed it so far."""

    def __init__(self, state: TableState, dice: BudgetedDice, role: Role, player_set: tuple[Key, ...] = ()) -> None:
        self.state = state
        self.dice = dice
        self.role = role
        self.player_set = player_set
        self.placed: list[tuple[PartName, Event]] = []

    def add(self, part: PartName, event: Event, after: TableState | None = None) -> None:
        """Place an event. ``after``: the state with it, where it is known already."""
        self.placed.append((part, event))
        self.state = after or evolve(self.state, event)


def _budget(context: Context, part: PartName) -> BudgetedDice:
    return BudgetedDice(context.dice_for(part), per_check=_LIMITS.dice_per_check, per_command=_LIMITS.dice_per_command)


def roll_check(state: TableState, command: RollCheck, context: Context) -> Decision:
    """Roll one check per actor and target. Raises ``Refusal``; then no die is in any log."""
    part = part_of(command.mode)
    player_set = set_by_player(state, command, context.role) if command.check in state.ruleset.checks else ()
    commit = _Commit(state, _budget(context, part), context.role, player_set)
    for where, event in newcomers(state, *named(state, command)):
        if command.mode == "public":
            commit.add(where, event)
        else:  # for this roll alone
            commit.state = evolve(commit.state, event)
    state = commit.state
    number = 0
    for actor, checks in checks_of(state, command, context.by, context.role):
        close_open(commit, actor, part, context.by)
        ids: list[CheckId] = []
        # One swing at several targets: all rows see the actor as it was before the first of them.
        before = commit.state
        prepared = [before.ruleset.prepare(before, check) for check in checks]
        modifying = [modified(before, check) for check in prepared]
        for check, modifiers in zip(prepared, modifying, strict=True):
            number += 1
            ids.append(f"{state.seq}.{number}")
            _row(commit, ids[-1], check, modifiers)
        if command.mode == "public":
            _spend_grants(commit, ids[0], prepared, modifying)
        for check_id in ids:
            _settle_if_forced(commit, check_id)
    return Decision(placed=tuple(commit.placed), command_part=part)


def _row(commit: _Commit, check_id: CheckId, check: Check, modifiers: Modifiers) -> None:
    commit.dice.next_check()
    state, rules = commit.state, commit.state.ruleset
    target = rules.target(state, check)
    hidden = check.target is not None and rules.hides_target(state, check) and not numbers_public(state, check.target)
    odds = rules.odds(state, check, modifiers)
    outcome = rules.resolve(state, check, modifiers, commit.dice)
    assert outcome.result is not None
    result, telling = split_margin(outcome.result, rules) if hidden else (outcome.result, _NO_MARGIN)
    rolled = Rolled(
        check=check_id,
        actor=check.actor.id,
        name=check.actor.name,
        kind=check.spec.key,
        params=dict(check.params),
        action=check.action,
        side=check.actor.side,
        opponent=check.target.id if check.target else None,
        opponent_name=check.target.name if check.target else "",
        target=None if hidden else target,
        player_set=commit.player_set,
        ad_hoc=check.actor.ad_hoc,
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
    if hidden and target is not None and (fixed := _part_of_target(check.mode, commit.role)) is not None:
        commit.add(fixed, TargetFixed(check=check_id, target=target, odds=odds, extras=telling))
    if check.mode == "blind":
        noted = CheckNoted(check=check_id, actor=check.actor.id, name=check.actor.name, kind=check.spec.key, action=check.action)
        commit.add("roller", noted)


def _part_of_target(mode: Mode, role: Role) -> PartName | None:
    """Where a hidden number stands: with those who read the dice and may know it. Of a player's lone roll, nobody."""
    if part_of(mode) != "roller":
        return "gm"
    return "roller" if role == "gm" else None


def _spend_grants(commit: _Commit, check_id: CheckId, checks: list[Check], modifying: list[Modifiers]) -> None:
    """One-use grants go with the first logged roll in their scope, counted or not."""
    state = commit.state
    bearers: dict[str, Actor] = {checks[0].actor.id: checks[0].actor}
    bearers.update({check.target.id: check.target for check in checks if check.target})
    in_scope = {s.grant for m in modifying for s in m.sources if s.applies and s.why != "switched_off"}
    for bearer_id in bearers:
        bearer = state.actors.get(bearer_id)
        for grant in bearer.grants if bearer else ():
            own = bearer_id == checks[0].actor.id
            one_use = "next_roll" if own and grant.scope.side == "own" else "next_roll_against"
            if grant.expiry.when == one_use and grant.id in in_scope:
                commit.add("all", GrantSpent(actor=bearer_id, grant=grant.id, check=check_id))


def close_open(commit: _Commit, actor: Actor, part: PartName, by: UserId) -> None:
    """An actor's next check takes the default of whatever is still open on the one before.

    But only where nobody hears of it who does not hear of the new roll: nothing hidden may decide what others see open.
    """
    for check_id in commit.state.latest.get(actor.id, ()):
        opened = commit.state.checks.get(check_id)
        if opened is None or opened.done:
            continue
        if not (same_readers(opened, by) and within(part_of(opened.mode), part)):
            continue
        offers = commit.state.ruleset.choices(commit.state, opened)
        default = next((offer for offer in offers if offer.default and offer.enabled), None)
        if default is not None:
            _take(commit, opened, default.id)


def _settle_if_forced(commit: _Commit, check_id: CheckId) -> None:
    """Where only one choice is legal there is nothing to ask: it resolves in the same commit."""
    while not (opened := commit.state.checks[check_id]).done:
        enabled = [offer for offer in commit.state.ruleset.choices(commit.state, opened) if offer.enabled]
        if len(enabled) != 1:
            return
        _take(commit, opened, enabled[0].id)


class _NoDice:
    def draw(self, role: str, sides: int) -> int:
        raise AssertionError(f"a choice that nobody made drew a {role} d{sides}")


def _take(commit: _Commit, opened: OpenCheck, choice: Key, args: dict[Key, Scalar] | None = None) -> None:
    """Take a choice; without ``args`` nobody made it, and then it may not draw."""
    state, rules = commit.state, commit.state.ruleset
    drawn_before = commit.dice.drawn
    outcome = rules.decide_choice(state, opened, choice, args or {}, _NoDice() if args is None else commit.dice)
    result, telling = outcome.result, _NO_MARGIN
    if result is not None and hides_target(opened):
        result, telling = split_margin(result, rules)
    deferred = opened.mode != "public"
    draft = Chosen(
        check=opened.rolled.check,
        choice=choice,
        actor=opened.rolled.actor,
        auto=args is None,
        result=result,
        drawn=commit.dice.drawn - drawn_before,
        effects=outcome.effects,
        deferred=deferred,
    )
    after = evolve(state, draft)
    offers = open_offers(opened, rules.choices(after, after.checks[opened.rolled.check]))
    commit.add(part_of(opened.mode), replace(draft, choices=offers))
    if telling and opened.target is not None and (fixed := _part_of_target(opened.mode, commit.role)) is not None:
        commit.add(fixed, TargetFixed(check=opened.rolled.check, target=opened.target, extras=telling))


def choose(state: TableState, command: Choose, context: Context) -> Decision:
    """Take a choice of a check. Raises ``check.unknown``, ``choice.*``, and the ruleset's own reasons."""
    opened = state.checks.get(command.check)
    if opened is None or not sees_check(opened, Viewer(context.by, context.role)):
        raise Refusal(Code.CHECK_UNKNOWN, values={"check": command.check})
    rules = state.ruleset
    rules.refuse_choice(state, opened, command.choice)
    if not same_readers(opened, context.by):
        raise Refusal(Code.CHOICE_NOT_YOURS, "On a roll that not everybody sees, whoever rolled it chooses.")
    offer = next((o for o in rules.choices(state, opened) if o.id == command.choice), None)
    if opened.done or offer is None:
        raise Refusal(Code.CHOICE_DONE if opened.done else Code.CHOICE_NOT_OFFERED, values={"choice": command.choice})
    if offer.who == "gm" and context.role != "gm":
        raise Refusal(Code.CHOICE_NOT_YOURS)
    part = part_of(opened.mode)
    commit = _Commit(state, _budget(context, part), context.role)
    _take(commit, opened, command.choice, args=dict(command.args))
    _settle_if_forced(commit, command.check)
    return Decision(placed=tuple(commit.placed), command_part=part)
