"""The account of a roll: every Boon and Bane that was looked at, what became of it, and why.

Claims of the roller, grants that stand on roller and target, and conditions all become lines of one list. A game says
which lines are one and the same, and whether counts add; that is the only difference between games here. No game's
own rule and no game's word may be in this file.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence

from msgspec.structs import replace

from boonbridge.rulesets.base import Check, Modifiers, same_action
from boonbridge_schemas.base import Key, Sign
from boonbridge_schemas.checks import Source
from boonbridge_schemas.grants import GrantRecord, HeldCondition, Scope
from boonbridge_schemas.tabledata import TableData

from .tabledata import had

OPEN = ""
"""``why`` of a line that nobody has judged yet."""

ONE_USE = ("next_roll", "next_roll_against")

MOST = 9999
"""What a line can say (``Count``). So many are refused in any roll, so nothing is lost by saying no more."""

OF_THE_BRIDGE = frozenset({"condition", "opportunity", "pool"})
"""Kinds of lines that a ruleset makes itself; what people name is never taken for one of them."""


def in_scope(scope: Scope, check: Check, *, attributes: Iterable[Key] = (), tags: Iterable[Key] = ()) -> bool:
    """Whether a grant covers this roll. Its bearer is the roller (``own``) or the target (``against``).

    ``attributes`` are the number the roller rolls with and the one it is rolled against. A scope that reaches the
    whole ``roll`` looks at every target of the command, one that reaches a ``target`` only at this one (I-24).
    """
    here = frozenset(check.targets) if scope.reach == "roll" else frozenset({check.target.id} if check.target else ())
    return (
        (not scope.attributes or not frozenset(scope.attributes).isdisjoint(attributes))
        and (not scope.checks or check.spec.key in scope.checks)
        and (not scope.tags or not frozenset(scope.tags).isdisjoint((*check.spec.tags, *tags)))
        and (not scope.targets or not here.isdisjoint(scope.targets))
        and here.isdisjoint(scope.unless_targets)
        and (not scope.action or same_action(scope.action) == same_action(check.action))
    )


def claimed(check: Check) -> list[Source]:
    """What the roller named for this roll, in the order given."""
    return [
        _judged(
            Source(
                id=claim.id,
                label=claim.label or claim.id,
                sign=claim.sign,
                amount=claim.amount,
                counted=False,
                why=OPEN,
                kind=_kind(claim.kind),
                origin=claim.origin,
                by_player=check.by_player,
            ),
            check,
        )
        for claim in check.claims
    ]


def _kind(named: Key) -> Key:
    return "situation" if named in OF_THE_BRIDGE else named


def granted(check: Check, *, attributes: Iterable[Key] = (), tags: Iterable[Key] = ()) -> list[Source]:
    """What stands on the roller for own rolls, then what stands on the target for rolls against it.

    What only GMs know of is there where it counts, and then only in scope: a roll may be shown later.
    """
    attributes, tags = tuple(attributes), tuple(tags)
    standing = [grant for grant in check.actor.grants if grant.scope.side == "own"]
    if check.target is not None:
        standing += [grant for grant in check.target.grants if grant.scope.side == "against"]
    lines: list[Source] = []
    for grant in standing:
        covers = in_scope(grant.scope, check, attributes=attributes, tags=tags)
        if not grant.hidden:
            lines.append(_judged(_line(grant), check, covers=covers, one_use=grant.expiry.when in ONE_USE))
        elif check.unseen is not None and (covers or check.unseen != OPEN):
            lines.append(passed_over(_judged(_line(grant), check, covers=covers), check.unseen))
    return lines


def _line(grant: GrantRecord) -> Source:
    return Source(
        id=grant.source.id,
        label=grant.source.label,
        sign=grant.sign,
        amount=grant.amount,
        counted=False,
        why=OPEN,
        kind=_kind(grant.source.kind),
        origin=grant.source.origin,
        grant=grant.id,
        hidden=grant.hidden,
    )


def from_condition(
    check: Check,
    held: HeldCondition,
    *,
    label: str,
    sign: Sign,
    amount: int,
    here: bool = True,
    bank: bool = False,
) -> Source:
    """A condition as a line. ``here``: it matters to this roll; ``bank``: it is used up, so only open rolls may."""
    line = Source(
        id=held.key,
        label=label,
        sign=sign,
        amount=amount,
        counted=False,
        why=OPEN,
        kind="condition",
        origin=held.by or "",
    )
    return _judged(line, check, covers=here, one_use=bank)


def seized(check: Check) -> list[Source]:
    """Opportunities of the table that this roll uses, each a source of its own, once (D-21, X-D11)."""
    return [
        _judged(
            Source(
                id=f"opportunity/{each.id}",
                label=each.label,
                sign=each.sign,
                amount=1,
                counted=False,
                why=OPEN,
                kind="opportunity",
                origin=each.by,
            ),
            check,
            one_use=True,
        )
        for each in check.opportunities
    ]


def of_the_table(check: Check, data: TableData, *, used: Iterable[Key] = (), resists: Iterable[Key] = ()) -> list[Source]:
    """What the table's own conditions do to this roll: those of the roller, then those of whom it is rolled against.

    ``used`` are the numbers it is rolled with, ``resists`` those it is rolled against.
    """
    sides = ((check.actor, "own", frozenset(used)), (check.target, "against", frozenset(resists)))
    lines: list[Source] = []
    for bearer, side, numbers in sides if data.conditions else ():
        if bearer is None:
            continue
        held = {each.key: bearer.condition(each.key) for each in bearer.conditions}
        for one in had(held, data):
            own, worth = one.own, one.own.own if side == "own" else one.own.against
            if worth == 0:
                continue
            here = (not own.checks or check.spec.key in own.checks) and (
                not own.attributes or not numbers.isdisjoint(own.attributes)
            )
            lines.append(
                from_condition(
                    check,
                    # Two bearers are two sources, where the game tells instances apart.
                    HeldCondition(key=own.key, by=None if side == "own" else bearer.id),
                    label=own.label if side == "own" else f"Target: {own.label}"[:80],
                    sign="boon" if worth > 0 else "bane",
                    amount=min(abs(worth) * (one.amount if own.counted else 1), MOST),
                    here=here,
                )
            )
    return lines


def _judged(line: Source, check: Check, *, covers: bool = True, one_use: bool = False) -> Source:
    """What can be said of a line without any game's rule."""
    if not covers:
        return replace(line, applies=False, why="not_this_check")
    if line.id in check.off:
        return replace(line, applies=False, why="switched_off")
    if line.amount == 0:
        return replace(line, why="nothing")
    # Nothing hidden may use up what others could still use (protocol, section 4).
    if one_use and not check.open:
        return replace(line, why="open_rolls_only")
    return line


def times(line: Source, worth: int) -> Source:
    """A line whose kind counts so much at this table, each time it is there."""
    if worth == 1 or line.why != OPEN:
        return line
    return replace(line, amount=min(line.amount * worth, MOST), why=OPEN if worth else "nothing")


def passed_over(line: Source, why: Key, *, applies: bool = True) -> Source:
    """A line that a game's rule leaves out; one that was judged before keeps its reason."""
    return replace(line, applies=applies, why=why) if line.why == OPEN else line


def one_per(lines: Iterable[Source], same: Callable[[Source], Hashable]) -> list[Source]:
    """Of lines that are one and the same, the largest counts (the first of equals); the others are listed only."""
    lines = list(lines)
    largest: dict[Hashable, int] = {}
    for i, line in enumerate(lines):
        if line.why == OPEN:
            best = largest.setdefault(same(line), i)
            if line.amount > lines[best].amount:
                largest[same(line)] = i
    chosen = frozenset(largest.values())
    return [line if i in chosen else passed_over(line, "same_source") for i, line in enumerate(lines)]


def each_once(lines: Iterable[Source]) -> list[Source]:
    """One source counts once, whatever stands for it: a grant, the same with another clock, and somebody naming it again.

    What comes from somebody else (``origin``) is another source. Conditions are what their game says they are.
    """
    return one_per(lines, lambda line: (line.kind if line.kind in OF_THE_BRIDGE else "", line.sign, line.id, line.origin))


def added_up(lines: Iterable[Source]) -> Modifiers:
    """All lines still open count with their amounts; Boons and Banes cancel one for one.

    A line that is wholly eaten by the other side says ``cancels``; those named last go first.
    """
    lines = [replace(line, counted=True) if line.why == OPEN else line for line in lines]
    boons = sum(line.amount for line in lines if line.counted and line.sign == "boon")
    banes = sum(line.amount for line in lines if line.counted and line.sign == "bane")
    return Modifiers(sources=with_cancelled(lines, min(boons, banes)), boons=boons, banes=banes, net=boons - banes)


def with_cancelled(lines: Sequence[Source], each: int) -> tuple[Source, ...]:
    """The account after ``each`` Boons met as many Banes: every counted line says what is left of it."""
    eaten: dict[Sign, int] = {"boon": each, "bane": each}
    told: list[Source] = []
    for line in reversed(lines):
        if line.counted and line.why == OPEN:
            whole = line.amount <= eaten[line.sign]
            eaten[line.sign] -= min(line.amount, eaten[line.sign])
            told.append(replace(line, why="cancels" if whole else "counts"))
        else:
            told.append(line)
    return tuple(reversed(told))
