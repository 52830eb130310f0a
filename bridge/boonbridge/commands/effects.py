"""Effects in words: what a roll, a move or a correction does to the table."""

from collections.abc import Iterable
from typing import Protocol

from boonbridge.commands.plain import word
from boonbridge_schemas.effects import (
    AssistPut,
    ChanceGranted,
    ConditionChanged,
    ConditionEnded,
    ConditionsPut,
    DieBought,
    DutyNoted,
    Effect,
    GrantPut,
    GrantTaken,
    LockCleared,
    LockSet,
    MarkSet,
    OnCritApplied,
    OpportunityPut,
    OpportunityTaken,
    ResistanceOffered,
    ResistanceTaken,
    ResourceChanged,
    RowReopened,
    XpChanged,
)
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.grants import ConditionRef, HeldCondition


class Named(Protocol):
    """Whatever names a condition: its key, and who gave it."""

    @property
    def key(self) -> str:
        """The ruleset's key, with what it is about behind a dot."""
        ...

    @property
    def by(self) -> str | None:
        """Who gave it; None: nobody in particular."""
        ...


def effects_told(effects: Iterable[Effect], ruleset: RulesetInfo) -> list[str]:
    """Each effect in words; those that change nothing anybody could tell are left out."""
    return [told for effect in effects if (told := effect_told(effect, ruleset))]


def effect_told(effect: Effect, ruleset: RulesetInfo) -> str:
    """One effect in words; empty where there is nothing to say."""
    match effect:
        case ResourceChanged(resource=resource, asked=asked, applied=applied, reason=reason):
            label = word(ruleset.words.get(f"resource.{resource}", resource))
            came = f"{label} {applied:+d}" if applied else f"{label} {asked:+d} came to nothing"
            return f"{came}{f', not {asked:+d}' if 0 != applied != asked else ''} ({_spaced(reason)})"
        case MarkSet(mark=mark, value=value):
            return f"{mark} = {word(str(value))}" if value is not None else f"{mark} as if it had never been set"
        case ResistanceOffered(actor=actor, skill=skill, difficulty=difficulty):
            return f"{actor} resists with {skill}: {difficulty}"
        case DieBought(sides=sides, face=face):
            return f"one more d{sides}: {face}"
        case ChanceGranted(to=to, sign=sign, uses=uses):
            whose = f"the next check of {to}" if to is not None else "whoever uses it"
            return f"{sign_told(sign, ruleset)} for {whose}{f', {uses} times' if uses != 1 else ''}"
        case OnCritApplied(name=name, times=times, amount=amount):
            return f"{word(name)}{f' x{times}' if times != 1 else ''}: {amount}"
        case DutyNoted(duty=duty):
            return word(ruleset.words.get(f"duty.{duty}", _spaced(duty)))
        case _:
            return _of_actor(effect, ruleset)


def _of_actor(effect: Effect, ruleset: RulesetInfo) -> str:
    """What an effect does to one actor."""
    match effect:
        case ConditionChanged(actor=actor, condition=key, change=change, now=now):
            return f"{actor}: {condition(ConditionRef(key=key), ruleset)} {change:+d}, now {now}"
        case ConditionEnded(actor=actor, condition=key, by=by):
            return f"{actor} is no longer {condition(ConditionRef(key=key, by=by), ruleset)}"
        case LockSet(actor=actor, action=action):
            return f"{actor} may not try again: {word(action)}" if action else ""
        case LockCleared(actor=actor, action=action):
            return f"{actor} may try again: {word(action)}" if action else ""
        case XpChanged(actor=actor, change=change, now=now):
            return f"{actor}: experience {change:+d}, now {now}"
        case _:
            return _corrected(effect, ruleset)


def _corrected(effect: Effect, ruleset: RulesetInfo) -> str:
    """What only corrections do."""
    match effect:
        case ConditionsPut(actor=actor, condition=key, held=held):
            if not held:
                return f"{actor} is no longer {condition(ConditionRef(key=key), ruleset)}"
            return f"{actor} is {', '.join(held_told(each, ruleset) for each in held)}"
        case GrantPut(grant=grant):
            return f"{sign_told(grant.sign, ruleset)} for {grant.actor} again: {word(grant.source.label)}"
        case GrantTaken(actor=actor, grant=grant_id):
            return f"{actor}: #{grant_id} is gone"
        case OpportunityPut(opportunity=opportunity):
            return f"there again: {word(opportunity.label)} (#{opportunity.id})"
        case OpportunityTaken(opportunity=opportunity_id):
            return f"the opportunity #{opportunity_id} is gone"
        case ResistanceTaken(actor=actor):
            return f"{actor} does not resist any more"
        case AssistPut(assist=offer):
            return f"the help of {offer.helper} for {offer.actor} waits again (#{offer.id})"
        case RowReopened(request=request, actor=actor):
            return f"{actor} may answer request #{request} again"
        case _:
            return ""


def condition(held: Named, ruleset: RulesetInfo) -> str:
    """A condition as its game calls it, with what it is about and who gave it."""
    key, _, about = held.key.partition(".")
    spec = next((spec for spec in ruleset.conditions if spec.key == key), None)
    label = spec.label if spec is not None else key
    if about:
        label += f": {next((option.label for option in spec.of if option.value == about), about) if spec else about}"
    return word(label) + (f" (by {held.by})" if held.by is not None else "")


def held_told(held: HeldCondition, ruleset: RulesetInfo) -> str:
    """A condition with its amount."""
    return f"{condition(held, ruleset)}{f' x{held.amount}' if held.amount != 1 else ''}"


def sign_told(sign: str, ruleset: RulesetInfo) -> str:
    """A Boon or a Bane, as this game calls it."""
    return word(ruleset.words.get(sign, sign))


def _spaced(key: str) -> str:
    return key.replace("_", " ")
