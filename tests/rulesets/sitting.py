"""A table for a test: commands through the core, faces given beforehand, what stood before through events."""

from msgspec.structs import replace

from boonbridge.conformance.play import Play
from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin, evolve_all
from boonbridge.dice.source import TapeDice
from boonbridge_schemas.checks import AdHoc, Number, Numbers, SourceClaim
from boonbridge_schemas.commands import (
    Act,
    AnswerRequest,
    Choose,
    Grant,
    Override,
    RequestCheck,
    RollCheck,
    SetCondition,
    SetTableData,
    SyncActor,
)
from boonbridge_schemas.events import CheckRequested, CheckRolled, Chosen, ConditionSet, Overridden, RequestClosed
from boonbridge_schemas.grants import ConditionRef, Expiry, GrantSource, HeldCondition, Scope
from boonbridge_schemas.requests import AskedCheck


def boon(id, amount=1, **more):
    return SourceClaim(id=id, label=id, sign="boon", amount=amount, **more)


def bane(id, amount=1, **more):
    return SourceClaim(id=id, label=id, sign="bane", amount=amount, **more)


def numbers(**values):
    return Numbers(values=tuple(Number(key=key.replace("__", "."), value=value) for key, value in values.items()))


class Sitting(Play):
    def __init__(self, game, faces=(), **options):
        super().__init__(game, options)
        self.dice = TapeDice(faces)

    def do(self, command, by="gm", role="gm"):
        state = begin(self.state, seq=self.state.seq + 1, at=0, by=by)
        context = Context(by=by, role=role, at=0, command_id="test", dice_for=lambda _part: self.dice)
        decision = decide(state, command, context)
        self.state = evolve_all(state, decision.events)
        return decision.events

    def happened(self, *events):
        """What stands at the table before anybody did anything."""
        self.state = evolve_all(self.state, events)

    def faces(self, *faces):
        self.dice = TapeDice(faces)

    def roll(
        self,
        check,
        *sources,
        actor="hero",
        targets=(),
        mode="public",
        off=(),
        spend=0,
        action="",
        ad_hoc=None,
        changed="",
        ends=None,
        by="gm",
        role="gm",
        **params,
    ):
        """All events of one roll. ``ends``: the key of the condition that a success ends, or the key and its giver."""
        return self.do(
            RollCheck(
                check=check,
                actors=() if ad_hoc else (actor,),
                targets=tuple(targets),
                params=params,
                sources=sources,
                mode=mode,
                off=off,
                spend_before=spend,
                action=action,
                ad_hoc=ad_hoc,
                changed=changed,
                ends=_ref(ends),
            ),
            by=by,
            role=role,
        )

    def rolled(self, *args, **kwargs):
        """The one check of a roll."""
        (event,) = (event for event in self.roll(*args, **kwargs) if isinstance(event, CheckRolled))
        return event

    def result(self, *args, **kwargs):
        return self.rolled(*args, **kwargs).result

    def choose(self, check, choice, by="gm", role="gm", **args):
        events = self.do(Choose(check=check, choice=choice, args=args), by=by, role=role)
        return [event for event in events if isinstance(event, Chosen)]

    def asked(self, check, *actors, group="each", together=None, **params):
        """A request; its id. ``together``: what the group has to reach."""
        checks = (AskedCheck(check=check, params=params),)
        events = self.do(RequestCheck(actors=actors, checks=checks, group=group, difficulty=together))
        (event,) = (event for event in events if isinstance(event, CheckRequested))
        return event.request.id

    def answers(self, request, actor, *faces, **params):
        """All events of one answer."""
        self.faces(*faces)
        return self.do(AnswerRequest(request=request, actor=actor, params=params))

    def overrides(self, check, outcome, confirm=False):
        """A GM decides otherwise: the event."""
        events = self.do(Override(check=check, outcome=outcome, confirm=confirm))
        return next(event for event in events if isinstance(event, Overridden))

    def edits(self, **parts):
        """The table's data with some parts other than the game has them."""
        self.do(SetTableData(data=replace(self.state.ruleset.table_data(), **parts)))

    def act(self, verb, by="gm", role="gm", **args):
        """The effects of a table move."""
        (acted,) = self.do(Act(verb=verb, args=args), by=by, role=role)
        return acted.effects

    def owned(self, actor, *owners):
        self.do(SyncActor(actor=actor, owners=owners))

    def shows(self, check, *sources, actor="hero", targets=(), mode="public", off=(), **params):
        """What the dialog shows for a roll."""
        return self.preview(
            RollCheck(check=check, actors=(actor,), targets=tuple(targets), params=params, sources=sources, mode=mode, off=off)
        )

    def grant(self, actor, sign, id, *, amount=1, when="none", kind="situation", origin="", **scope):
        source = GrantSource(id=id, label=id, kind=kind, origin=origin)
        self.do(Grant(actors=(actor,), sign=sign, source=source, amount=amount, scope=Scope(**scope), expiry=Expiry(when=when)))

    def condition(self, actor, key, amount=1, **more):
        self.happened(ConditionSet(actor=actor, condition=HeldCondition(key=key, amount=amount, **more)))

    def until_luck(self, actor, condition, by=None):
        """A condition that a luck roll ends (C-P2)."""
        self.do(SetCondition(actors=(actor,), condition=condition, by=by, luck_ends=True))

    def held(self, actor, key):
        return self.state.actors[actor].condition(key)


def _ref(ends):
    if ends is None:
        return None
    key, by = (ends, None) if isinstance(ends, str) else ends
    return ConditionRef(key=key, by=by)


def closing(events):
    """How the request ended in these events; None while it is open."""
    return next((event for event in events if isinstance(event, RequestClosed)), None)


def offered(event):
    """The choices of a check or a choice: their ids."""
    return [offer.id for offer in event.choices]


def ad_hoc(name="Somebody", side="neutral", **values):
    return AdHoc(name=name, numbers=numbers(**values), side=side)


def whys(event):
    """What became of each source: its id (or the grant's) and why."""
    return {source.id: source.why for source in event.sources}


def faces_of(result):
    return [die.face for die in result.dice]


def kept_of(result):
    return [die.face for die in result.dice if die.kept]
