"""How a table stood at a moment, for a terminal: whose turn it was, what the group held, who had which Boons and conditions."""

from collections.abc import Iterator, Mapping
from typing import Any

from boonbridge.commands.effects import held_told, sign_told
from boonbridge.commands.plain import day_and_time, word
from boonbridge.core import entries
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer
from boonbridge.tables.looking import keys_of
from boonbridge_schemas.entries import (
    ActorEntry,
    ConditionsEntry,
    GrantsEntry,
    MarksEntry,
    PoolEntry,
    ResistanceEntry,
    SessionEntry,
    TurnEntry,
)
from boonbridge_schemas.game import RulesetInfo
from boonbridge_schemas.grants import GrantRecord
from boonbridge_schemas.requests import OpportunityRecord

_UNTIL = {
    "next_roll": "until the next roll",
    "next_roll_against": "until the next roll against it",
    "turn_start": "until the turn of {} begins",
    "turn_end": "until the turn of {} ends",
    "round_end": "until the round ends",
    "combat_end": "until the fight ends",
    "session_end": "until the evening ends",
}


def records(state: TableState, viewer: Viewer) -> Iterator[dict[str, Any]]:
    """Every entry that a viewer may read of a moment, as the wire has them; each says the moment."""
    for key in keys_of(state):
        value = entries.value(state, key, viewer)
        if value is not None:
            yield {"seq": state.seq, "at": state.at, "key": key, "value": value}


def standing(state: TableState, viewer: Viewer) -> Iterator[str]:
    """The same in lines."""
    game = state.ruleset.info(state.options, state.data if state.edited else None)
    told = {key: entries.value(state, key, viewer) for key in keys_of(state)}
    when = f", {day_and_time(state.at)}" if state.seq else ": the empty table"
    yield f"{word(state.title)} after #{state.seq}{when}"
    for value in told.values():
        if (text := _of_all(value, game)) is not None:
            yield text
    for value in told.values():
        if isinstance(value, ActorEntry):
            yield f"{word(value.name)} ({value.id}, {value.side})"
            stands = [*_on(told, value.id, game)]
            yield from (f"  {text}" for text in stands or ["nothing stands on it"])


def _of_all(value: object, game: RulesetInfo) -> str | None:
    """What belongs to nobody alone."""
    match value:
        case SessionEntry(number=number, name=name, running=running):
            return f"evening {number}{f': {word(name)}' if name else ''}{'' if running else ', which was over'}"
        case TurnEntry(round=number, actor=actor):
            return f"round {number}: {f'the turn of {actor}' if actor is not None else 'nobody has the turn'}"
        case PoolEntry(held=held, cap=cap):
            return f"the group holds {held} of {cap} {word(game.words.get('resource.boons', 'Boons'))}"
        case MarksEntry(marks=marks) if marks:
            return ", ".join(f"{key} = {word(str(now))}" for key, now in marks.items())
        case OpportunityRecord(label=label, id=id_):
            return f"there to be used: {word(label)} (#{id_})"
        case _:
            return None


def _on(told: Mapping[str, object], actor: str, game: RulesetInfo) -> Iterator[str]:
    """What stands on one actor."""
    if isinstance(grants := told.get(f"grants/{actor}"), GrantsEntry):
        yield from (_grant(grant, game) for grant in grants.grants)
    if isinstance(held := told.get(f"conditions/{actor}"), ConditionsEntry):
        yield from (held_told(each, game) for each in held.conditions)
    if isinstance(resisting := told.get(f"resistance/{actor}"), ResistanceEntry):
        yield f"resists with {resisting.skill}: {resisting.difficulty}"


def _grant(grant: GrantRecord, game: RulesetInfo) -> str:
    amount = f" x{grant.amount}" if grant.amount != 1 else ""
    until = _UNTIL.get(grant.expiry.when, "").format(grant.expiry.actor)
    more = "".join(f", {text}" for text in (until, "only GMs know" if grant.hidden else "") if text)
    return f"{sign_told(grant.sign, game)}{amount}: {word(grant.source.label)} (#{grant.id}{more})"
