"""What is done at the tables of the golden logs, in order. ``schemas/play.py`` has the real bridge decide it.

Every step makes exactly one commit, so commit ``n`` is step ``n - 1`` (the first commit opens the table).
"""

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from boonbridge_schemas.base import Role, Seq, UserId
from boonbridge_schemas.checks import AdHoc, Attack, Number, Numbers, OnCrit, SourceClaim
from boonbridge_schemas.commands import (
    Act,
    AnswerAssist,
    AnswerRequest,
    Assist,
    Choose,
    ClearCondition,
    CloseRequest,
    Command,
    ContinueSession,
    Decline,
    DropOpportunity,
    EndCombat,
    EndRound,
    EndSession,
    EndTurn,
    EraseName,
    Grant,
    Invite,
    Override,
    RemoveActor,
    RemoveOrigin,
    RenameTable,
    RequestCheck,
    Reveal,
    RevealGrant,
    RevokeAccess,
    RevokeGrant,
    RollCheck,
    RollDice,
    RollForAbsent,
    SetCondition,
    SetOptions,
    SetRole,
    SetTableData,
    Settle,
    StartSession,
    StartTurn,
    SyncActor,
    Void,
)
from boonbridge_schemas.grants import ConditionRef, Expiry, GrantSource, Scope
from boonbridge_schemas.requests import AskedCheck

from .events import COMBAT as FIGHT
from .house_rules import LAKE
from .story import ASHA, JONAS, KESTREL, MIRA, TAMSIN, TITLE, WARDEN


class Step(Struct, frozen=True):
    """A command and who sends it; without one he takes back an id that never arrived. ``hours``: so long nothing happened."""

    by: UserId
    role: Role
    command: Command | None
    hours: int = 0


class Evening(Struct, frozen=True, kw_only=True):
    """A table from its opening on. ``proofs``: by file name the commit, and the eyes it is seen with.

    ``present``: who is connected all evening. Others send what they send, and are gone again.
    """

    table: str
    title: str
    steps: Sequence[Step]
    present: Sequence[UserId] = (MIRA, JONAS)
    proofs: Mapping[str, tuple[Seq, UserId, Role]] = {}


class _Script:
    """Steps as they are written down; each tells the number of the commit it makes."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def _next(self, by: UserId, role: Role, command: Command | None, hours: int = 0) -> Seq:
        self.steps.append(Step(by, role, command, hours))
        return len(self.steps) + 1

    def mira(self, command: Command) -> Seq:
        return self._next(MIRA, "gm", command)

    def jonas(self, command: Command | None, *, hours: int = 0) -> Seq:
        return self._next(JONAS, "player", command, hours)

    def asha(self, command: Command) -> Seq:
        return self._next(ASHA, "player", command)

    def arrive(self, kestrel: Numbers, tamsin: Numbers, warden: Numbers) -> None:
        """Everybody is invited and has numbers: nine commits."""
        self.mira(Invite(user=MIRA, name="Mira", role="gm"))
        self.mira(Invite(user=JONAS, name="Jonas", origin="http://192.168.7.20:30000"))
        self.mira(Invite(user=ASHA, name="Asha", device="old-tablet"))
        self.mira(Invite(user="shelf", name="The screen on the shelf", role="observer"))
        self.mira(SyncActor(actor=KESTREL, name="Kestrel", side="party", owners=(JONAS,), numbers=kestrel))
        self.mira(SyncActor(actor=TAMSIN, name="Old Tamsin", side="party", owners=(ASHA,)))
        self.asha(SyncActor(actor=TAMSIN, numbers=tamsin))
        self.mira(SyncActor(actor=WARDEN, name="Drowned Warden", side="opposition", numbers=warden))
        self.mira(RevokeAccess(user=ASHA, device="old-tablet"))


def _numbers(**values: int) -> Numbers:
    return Numbers(values=tuple(Number(key=key.replace("__", "."), value=value) for key, value in values.items()))


def _group_d12() -> Evening:
    play = _Script()
    play.arrive(_numbers(skill__climb=3, skill__stealth=4), _numbers(skill__climb=0, skill__lore=5), _numbers(skill__grasp=5))

    def climb(difficulty: int, **more: object) -> RollCheck:
        params: dict[str, bool | int | str] = {"skill": "skill.climb", "difficulty": difficulty}
        return RollCheck(check="skill", actors=(KESTREL,), params=params, action="Climb down the shaft", **more)  # type: ignore[arg-type]

    rope = Grant(
        actors=(KESTREL,),
        sign="boon",
        source=GrantSource(id="rope", label="Rope made fast above", kind="tools"),
        scope=Scope(checks=("skill",)),
        expiry=Expiry(when="next_roll"),
    )
    play.jonas(climb(30))  # The pool is empty, so there is nothing to choose: accepted, and the group gains a Boon.
    failed = play.jonas(climb(30))
    play.jonas(Choose(check=f"{failed}.1", choice="accept"))
    play.mira(rope)
    failed = play.jonas(climb(30))
    bought = play.jonas(Choose(check=f"{failed}.1", choice="spend"))
    play.jonas(climb(8, mode="gm"))
    play.mira(climb(8, mode="secret"))
    play.jonas(climb(8, mode="public", sources=(SourceClaim(id="dark", label="No lamp, no moon", sign="bane"),)))
    play.mira(SetOptions(options={"spend_after_limit": None}))
    play.mira(Act(verb="give_boon"))
    play.jonas(None)
    dry = play.mira(
        Grant(actors=(KESTREL, TAMSIN), sign="bane", amount=2, source=GrantSource(id="cold", label="Wet to the bone"))
    )
    play.mira(RevokeGrant(grant=f"{dry}.1"))
    play.mira(SetOptions(options={"manual_dice": True}))
    slipped = play.jonas(climb(30, faces=(4,)))
    by_hand = play.jonas(Choose(check=f"{slipped}.1", choice="spend", faces=(9,)))
    play.mira(Act(verb="give_boon"))
    play.mira(Act(verb="take_boon"))
    play.mira(Act(verb="give_boon"))
    play.mira(Act(verb="initiative", args={"winner": "opposition"}))
    play.jonas(Act(verb="keep_initiative"))
    play.asha(Act(verb="offer_resistance", args={"actor": TAMSIN, "skill": "skill.lore"}))
    play.mira(Act(verb="offer_resistance", args={"actor": WARDEN, "skill": "skill.grasp"}))
    play.mira(RemoveActor(actor=WARDEN))
    _second_evening(play, climb)
    return Evening(
        table="bell-under-the-lake",
        title=TITLE,
        steps=play.steps,
        proofs={
            "proof-choice": (bought, ASHA, "player"),
            "proof-hand": (by_hand, ASHA, "player"),
            "proof-opening": (1, ASHA, "player"),
        },
    )


def _second_evening(play: _Script, climb: Callable[..., RollCheck]) -> None:
    """Asked together, taken back, decided otherwise, and an end. Only a 12 reaches 30, and no more than a 1 misses a 1."""
    play.mira(StartSession(name="The gate"))
    over = AskedCheck(check="skill", params={"skill": "skill.climb", "difficulty": 30})
    pumps = play.mira(RequestCheck(checks=(over,), action="Past the sleeping pumps", group="one_failure"))
    answered = play.jonas(AnswerRequest(request=f"{pumps}", actor=KESTREL))
    play.mira(RollForAbsent(request=f"{pumps}"))
    play.mira(Void(what=f"check/{answered}.1", reason="There was a ladder all the time.", confirm=True))
    gate = play.mira(
        RequestCheck(
            checks=(AskedCheck(check="challenge"),), action="Haul the gate", group="challenge", difficulty=18, shown=False
        )
    )
    play.jonas(AnswerRequest(request=f"{gate}", actor=KESTREL, params={"skill": "skill.climb"}, mode="gm"))
    play.asha(Decline(request=f"{gate}", actor=TAMSIN))
    last = play.mira(RequestCheck(actors=(TAMSIN,), checks=(over,), action="After him", minutes=10))
    play.mira(CloseRequest(request=f"{last}"))
    see = RollCheck(check="opportunity", actors=(TAMSIN,), params={"skill": "skill.lore", "difficulty": 1}, action="The gears")
    seen = play.asha(see)
    play.jonas(climb(1, opportunities=(f"{seen}.1",)))
    passed = play.asha(see)
    play.mira(DropOpportunity(opportunity=f"{passed}.1"))
    shown = play.jonas(climb(30, mode="gm"))
    play.mira(Reveal(check=f"{shown}.1"))
    settled = play.jonas(climb(30, mode="gm"))
    play.mira(Settle(check=f"{settled}.1"))
    play.jonas(climb(30, mode="gm"))
    ruled = play.jonas(climb(30))
    play.mira(Override(check=f"{ruled}.1", outcome="success", reason="The current helps."))
    play.mira(SetTableData(data=LAKE, options={"boon_cap": 12}))
    play.jonas(climb(1), hours=7)
    play.mira(ContinueSession())
    play.mira(EndSession())


def _sage_d20() -> Evening:
    play = _Script()
    swords = (Attack(id="sabre", name="Sabre", attribute="agility"),)
    play.arrive(
        Numbers(values=_numbers(strength=11, agility=13, intellect=10, will=9, defense=13).values, attacks=swords),
        _numbers(strength=9, agility=10, intellect=14, will=13, defense=10),
        _numbers(strength=16, agility=8, intellect=10, will=12, defense=15),
    )
    sluice = "Scene.lake.Token.sluice-eel"
    play.mira(SyncActor(actor=sluice, name="Sluice eel", side="opposition", numbers=_numbers(strength=8, agility=15, defense=12)))

    def roll(actor: str, attribute: str, action: str, **more: object) -> RollCheck:
        return RollCheck(check="attribute", actors=(actor,), params={"attribute": attribute}, action=action, **more)  # type: ignore[arg-type]

    cut = RollCheck(check="attack", actors=(KESTREL,), targets=(WARDEN, sluice), params={"attack": "sabre"}, action="Cut both")
    for watch in range(1, 10):
        play.jonas(roll(KESTREL, "agility", f"Keep the boat off the pillars, watch {watch}"))
        play.asha(roll(TAMSIN, "intellect", f"Read the old gauge, watch {watch}", mode="gm" if watch % 3 else "blind"))
        play.mira(roll(WARDEN, "strength", f"Pull, watch {watch}", mode="secret" if watch % 2 else "public"))
        play.asha(roll(TAMSIN, "will", f"Do not listen to the bell, watch {watch}", mode="self"))
        play.mira(
            Grant(
                actors=(KESTREL,),
                sign="boon" if watch % 2 else "bane",
                amount=watch % 3 + 1,
                source=GrantSource(id=f"current_{watch}", label=f"The current of watch {watch}"),
                expiry=Expiry(when="next_roll" if watch % 3 else "none"),
            )
        )
        play.jonas(cut)
    attack = play.jonas(
        RollCheck(
            check="attack",
            actors=(KESTREL,),
            targets=(WARDEN, sluice),
            params={"attack": "sabre"},
            action="One last cut, from the gunwale",
            sources=(
                SourceClaim(id="high_ground", label="From the gunwale", sign="boon"),
                SourceClaim(id="tamsin_calls", label="Tamsin calls the moment", sign="boon", kind="assist"),
            ),
        )
    )
    play.mira(
        RollCheck(
            check="luck",
            action="Does the ferryman look up?",
            mode="gm",
            ad_hoc=AdHoc(name="The ferryman", numbers=Numbers()),
        )
    )
    play.asha(Assist(actor=KESTREL, helper=TAMSIN, action="Climb out", note="Holds the lamp."))
    play.mira(AnswerAssist(assist=f"{len(play.steps) + 1}.1", accept=True))
    play.asha(Assist(actor=KESTREL, helper=TAMSIN))
    play.mira(AnswerAssist(assist=f"{len(play.steps) + 1}.1", accept=False))
    play.mira(SetCondition(actors=(KESTREL, sluice), condition="poisoned", by=WARDEN, luck_ends=True, note="Bad water."))
    play.mira(SetCondition(actors=(TAMSIN,), condition="on_fire"))
    play.mira(SetCondition(actors=(WARDEN,), condition="impaired.strength", expiry=Expiry(when="round_end")))
    play.mira(StartTurn(actor=KESTREL, combat=FIGHT, round=1, turn=0))
    play.jonas(RollDice(formula="1d8+2", actor=KESTREL, label="Sabre", kind="damage"))
    play.jonas(EndTurn(actor=KESTREL, combat=FIGHT, round=1, turn=0))
    # Jonas is here, so his luck falls due; for the eel and for Tamsin, whose player is away, it is rolled at once.
    ended = play.mira(EndRound(combat=FIGHT, round=1, turn=0))
    play.jonas(RollCheck(check="luck", actors=(KESTREL,), ends=ConditionRef(key="poisoned", by=WARDEN)))
    play.mira(EndRound(combat=FIGHT, round=2, turn=0))
    play.mira(SetCondition(actors=(KESTREL,), condition="impaired.strength"))
    play.mira(ClearCondition(actor=KESTREL, condition="impaired.strength"))
    play.mira(EndCombat(combat=FIGHT))
    for mode in ("gm", "blind", "secret", "self"):
        play.mira(RollDice(formula="d%", label="Is the ferryman awake?", mode=mode))
    play.asha(RollDice(formula="4d6kh3-1d4", label="Coins in the silt"))
    luck = Grant(actors=(WARDEN,), sign="bane", source=GrantSource(id="omen", label="An ill omen"), hidden=True)
    play.mira(RevealGrant(grant=f"{play.mira(luck)}.1"))
    play.mira(SetRole(user="shelf", role="player"))
    play.mira(SetRole(user="shelf", role="observer"))
    play.mira(RemoveOrigin(origin="http://192.168.7.20:30000"))
    play.mira(EraseName(user="shelf"))
    play.mira(RenameTable(title="The Bell under the Ice"))
    return Evening(
        table="bell-again",
        title="The Bell again, by other dice",
        steps=play.steps,
        proofs={
            "proof-roll": (attack, JONAS, "player"),
            "proof-promise": (attack - 64, JONAS, "player"),
            "proof-round": (ended, JONAS, "player"),
            "proof-round-promise": (ended - 64, JONAS, "player"),
        },
    )


def _public_d20() -> Evening:
    play = _Script()
    bolt = Attack(id="bolt", name="Ember bolt", attribute="grace", on_crit=OnCrit(name="Ignites", amount=3))
    play.arrive(
        Numbers(values=_numbers(grace=4, attribute__might=1).values, attacks=(bolt,)),
        _numbers(grace=1, attribute__wits=5),
        _numbers(grace=3),
    )
    for time in range(1, 5):
        play.jonas(
            RollCheck(
                check="attack",
                actors=(KESTREL,),
                targets=(WARDEN,),
                params={"attack": "bolt"},
                action=f"Ember bolt {time}",
                sources=(SourceClaim(id="flank", label="Tamsin stands behind it", sign="boon", amount=time),),
            )
        )
        play.asha(
            RollCheck(
                check="task", actors=(TAMSIN,), params={"attribute": "attribute.wits", "dc": 9 + time}, action="Find the seam"
            )
        )
    play.mira(Act(verb="stagger_window", args={"open": True}))
    play.mira(SetCondition(actors=(KESTREL,), condition="exposed", amount=2))
    play.mira(SetCondition(actors=(KESTREL,), condition="exposed", amount=-1, add=True))
    play.mira(SetCondition(actors=(TAMSIN,), condition="bolstered", amount=2, expiry=Expiry(when="turn_end", actor=KESTREL)))
    play.mira(SetCondition(actors=(WARDEN,), condition="marked", by=KESTREL, expiry=Expiry(when="turn_start")))
    play.mira(
        Grant(
            actors=(KESTREL,),
            sign="boon",
            source=GrantSource(id="song", label="The song of the embers"),
            expiry=Expiry(when="turn_end"),
        )
    )
    play.asha(Assist(actor=KESTREL, helper=TAMSIN, action="Ember bolt 5"))
    play.jonas(StartTurn(actor=KESTREL))
    play.jonas(EndTurn(actor=KESTREL))
    play.mira(StartTurn(actor=WARDEN))
    play.mira(EndTurn(actor=WARDEN))
    play.mira(EndRound())
    play.mira(EndCombat())
    return Evening(table="embers", title="Embers under the Lake", steps=play.steps)


def _rank_ability() -> Evening:
    play = _Script()
    play.arrive(_numbers(rank=3, agi=8, str=6), _numbers(rank=6, lor=10), _numbers(rank=4, con=12))

    def check(action: str, *, tn: int, **more: object) -> RollCheck:
        return RollCheck(check="check", actors=(KESTREL,), params={"ability": "agi", "tn": tn}, action=action, **more)  # type: ignore[arg-type]

    for time, tn in enumerate((6, 10, 14, 18), start=1):
        play.jonas(check(f"Across beam {time}", tn=tn))
        play.asha(
            RollCheck(
                check="check",
                actors=(TAMSIN,),
                params={"ability": "lor", "tn": tn},
                action=f"Recall verse {time}",
                sources=(SourceClaim(id="ally", label="Kestrel hums along", sign="boon" if time % 2 else "bane"),),
            )
        )
    fell = play.jonas(check("Over the gap", tn=30))
    play.mira(Choose(check=f"{fell}.1", choice="danger", args={"note": "The rope frays."}))
    play.jonas(check("Over the gap", tn=30, changed="Tamsin throws a plank"))
    play.mira(SetOptions(options={"damage_boons": "if_rule_says", "retry": "warn"}))
    play.jonas(check("Over the gap", tn=6))
    edge = SourceClaim(id="keen_edge", label="Keen edge", sign="boon")
    play.jonas(
        RollDice(formula="1d8", actor=KESTREL, label="Hatchet", kind="damage", sources=(edge,), rule="Keen weapons bite deeper")
    )
    return Evening(table="beams", title="Over the Beams", steps=play.steps)


EVENINGS: Mapping[str, Evening] = {
    "rank_ability": _rank_ability(),
    "public_d20": _public_d20(),
    "sage_d20": _sage_d20(),
    "group_d12": _group_d12(),
}
"""By ruleset."""
