"""What changed at the table, its people and its fight, as a line: everything in a log but what was rolled."""

from boonbridge.commands.corrections import corrected
from boonbridge.commands.effects import condition, effects_told, held_told
from boonbridge.commands.gatherings import gathered
from boonbridge.commands.plain import word
from boonbridge_schemas.events import (
    AccessRevoked,
    Acted,
    ActorRemoved,
    ActorSynced,
    AssistAnswered,
    AssistOffered,
    CombatEnded,
    ConditionCleared,
    ConditionExpired,
    ConditionSet,
    Event,
    Granted,
    GrantExpired,
    GrantRevoked,
    GrantSpent,
    Invited,
    LadderRestarted,
    LuckDue,
    NameErased,
    NumbersSet,
    OptionsSet,
    OriginAdded,
    OriginRemoved,
    RoleSet,
    RoundEnded,
    TableOpened,
    TableRenamed,
    TurnEnded,
    TurnStarted,
    Withdrawn,
)
from boonbridge_schemas.game import RulesetInfo

_ANEW = {
    "log_cut": "the end of the log was missing",
    "restored": "a backup was put back",
    "imported": "what came before was written elsewhere",
}
_WHY = {
    "turn_start": "as a turn began",
    "turn_end": "as a turn ended",
    "round_end": "with the round",
    "combat_end": "with the fight",
    "session_end": "with the evening",
    "actor_removed": "whose turn it waited for is gone",
}


def changed(event: Event, ruleset: RulesetInfo) -> str:
    """An event that is no roll."""
    match event:
        case TableOpened(title=title, ruleset=game):
            return f"table opened: {word(title)} ({game})"
        case LadderRestarted(epoch=epoch, reason=reason):
            return f"dice promised anew, epoch {epoch}: {_ANEW.get(reason, reason)}"
        case TableRenamed(title=title):
            return f"the table is called {word(title)}"
        case OptionsSet(options=options):
            return "options: " + ", ".join(f"{key} = {word(str(value))}" for key, value in options.items())
        case Withdrawn(command=command):
            return f"command {command} was taken back"
        case Invited() | AccessRevoked() | RoleSet() | NameErased() | OriginAdded() | OriginRemoved():
            return _who_may_come(event)
        case ActorSynced(name=name, side=side):
            return f"{word(name)} is at the table ({side})"
        case NumbersSet(actor=actor):
            return f"{actor} has new numbers"
        case ActorRemoved(actor=actor):
            return f"{actor} left the table"
        case Acted(verb=verb, effects=effects):
            label = next((known.label for known in ruleset.verbs if known.key == verb), verb)
            return ", ".join((word(label), *effects_told(effects, ruleset)))
        case ConditionSet() | ConditionCleared() | ConditionExpired() | LuckDue():
            return _condition(event, ruleset)
        case _:
            return _between(event, ruleset)


def _who_may_come(event: Invited | AccessRevoked | RoleSet | NameErased | OriginAdded | OriginRemoved) -> str:
    match event:
        case Invited(user=user, role=role):
            return f"{user} may come in as {role}"
        case AccessRevoked(user=user, device=None):
            return f"{user} may not come in any more"
        case AccessRevoked(user=user, device=device):
            return f"{user} may not come in any more with {device}"
        case RoleSet(user=user, role=role):
            return f"{user} is {role} from now on"
        case NameErased(user=user):
            return f"the name of {user} was erased"
        case OriginAdded(origin=origin):
            return f"pages of {origin} may connect"
        case OriginRemoved(origin=origin):
            return f"pages of {origin} may not connect any more"


def _between(event: Event, ruleset: RulesetInfo) -> str:
    """Boons and Banes that stand on actors, help, and turns."""
    match event:
        case Granted(grant=grant):
            return f"{grant.sign} for {grant.actor}: {word(grant.source.label)}{' (only GMs know)' if grant.hidden else ''}"
        case GrantRevoked(actor=actor, grant=grant_id):
            return f"{actor}: #{grant_id} was taken back"
        case GrantSpent(actor=actor, grant=grant_id, check=check):
            return f"{actor}: #{grant_id} was used up by #{check}"
        case GrantExpired(actor=actor, grant=grant_id, why=why):
            return f"{actor}: #{grant_id} ended {_WHY.get(why, why)}"
        case AssistOffered(assist=offer):
            what = word(offer.action or offer.check or "")
            return f"{offer.helper} offers to help {offer.actor}{f': {what}' if what else ''} (#{offer.id})"
        case AssistAnswered(assist=offer_id, accepted=accepted):
            return f"help #{offer_id} was {'accepted' if accepted else 'not taken'}"
        case TurnStarted(actor=actor, round=number):
            return f"round {number}: the turn of {actor} begins"
        case TurnEnded(actor=actor, round=number):
            return f"round {number}: the turn of {actor} ended"
        case RoundEnded(round=number):
            return f"round {number} ended"
        case CombatEnded():
            return "the fight ended"
        case _:
            return gathered(event, ruleset) or corrected(event, ruleset) or type(event).__name__


def _condition(event: ConditionSet | ConditionCleared | ConditionExpired | LuckDue, ruleset: RulesetInfo) -> str:
    match event:
        case ConditionSet(actor=actor, condition=held):
            return f"{actor} is {held_told(held, ruleset)}"
        case ConditionCleared(actor=actor):
            return f"{actor} is no longer {condition(event, ruleset)}"
        case ConditionExpired(actor=actor, now=now, why=why):
            return f"{actor}: {condition(event, ruleset)} ended {_WHY.get(why, why)}{f', {now} left' if now else ''}"
        case LuckDue(actor=actor):
            return f"{actor}: a luck roll may end {condition(event, ruleset)}"
