"""Who may send which command: every cell of command x actor x role, from the protocol (sections 3 and 5).

``hero`` is Pia's, ``friend`` is Quin's, ``foe`` is nobody's; ``nobody`` is no actor at all. The table is played by
``tests/core`` on the state and by ``tests/net`` over sockets, with group_d12.
"""

from typing import NamedTuple

OK = "ok"
PEOPLE = ("Gina", "Pia", "Quin", "Olga")
NUMBERS = {"values": [{"key": "skill.athletics", "value": 5}]}
SKILL = {"check": "skill", "params": {"skill": "skill.athletics", "difficulty": 9}}
ORIGIN = "https://elsewhere.example"
BOON = {"sign": "boon", "source": {"id": "luck", "label": "Luck"}}


class Cell(NamedTuple):
    """A command, and what each person is told: ``ok`` or the code of the refusal."""

    name: str
    cmd: dict
    gm: str
    pia: str
    quin: str
    observer: str
    options: dict = {}  # noqa: RUF012 - a tuple's default, never changed

    @property
    def told(self):
        return dict(zip(PEOPLE, (self.gm, self.pia, self.quin, self.observer), strict=True))


FORBIDDEN = "role.forbidden"
NOT_YOURS = "actor.not_yours"
UNKNOWN = "actor.unknown"


def _roll(*actors, **more):
    return {"t": "RollCheck", "actors": list(actors), **SKILL, **more}


def _ad_hoc(side="neutral"):
    return _roll(adHoc={"name": "A guard", "numbers": NUMBERS, "side": side})


def _sync(actor, **more):
    return {"t": "SyncActor", "actor": actor, "numbers": NUMBERS, **more}


def _condition(actor):
    return {"t": "SetCondition", "actors": [actor], "condition": "prone"}


def _answer(request, actor):
    return {"t": "AnswerRequest", "request": request, "actor": actor, "params": {"skill": "skill.athletics"}}


def _override(check):
    return {"t": "Override", "check": check, "outcome": "success"}


def _resist(actor):
    return {"t": "Act", "verb": "offer_resistance", "args": {"actor": actor, "skill": "skill.athletics"}}


_NOT_HELD = ("condition.not_held", FORBIDDEN, FORBIDDEN, FORBIDDEN)
_NO_HELP = ("assist.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN)
_CHECK = "assist.opportunity"


ASK = {"t": "RequestCheck", "checks": [{"check": "skill", "params": {"difficulty": 9}}]}
"""Whoever is asked says with which skill."""


def cells(check_of_hero, check_of_friend, grant, olga, request):
    """The table. The ids are of a failed check of each actor, of a grant, of the observer, and of a request to both actors."""

    def choose(check, choice="accept"):
        return {"t": "Choose", "check": check, "choice": choice}

    return [
        Cell("roll hero", _roll("hero"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("roll friend", _roll("friend"), OK, NOT_YOURS, OK, FORBIDDEN),
        Cell("roll foe", _roll("foe"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("roll a token of hero", _roll("hero.token.t1"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("roll a token of foe", _roll("foe.token.t1"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("roll a token of nobody", _roll("nobody.token.t1"), UNKNOWN, UNKNOWN, UNKNOWN, FORBIDDEN),
        Cell("numbers of a token of hero", _sync("hero.token.t1"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("roll both", _roll("hero", "friend"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("roll nobody", _roll("nobody"), UNKNOWN, UNKNOWN, UNKNOWN, FORBIDDEN),
        Cell("roll ad hoc", _ad_hoc(), OK, "roll.ad_hoc", "roll.ad_hoc", FORBIDDEN),
        Cell("roll ad hoc at an open table", _ad_hoc(), OK, OK, OK, FORBIDDEN, {"ad_hoc": "everyone"}),
        Cell("roll ad hoc for a side", _ad_hoc("party"), OK, FORBIDDEN, FORBIDDEN, FORBIDDEN, {"ad_hoc": "everyone"}),
        Cell("roll hero without luck", _roll("hero", off=["luck"]), OK, "roll.sources", NOT_YOURS, FORBIDDEN),
        Cell(
            "roll at a GM's difficulty",
            _roll("hero"),
            OK,
            "roll.difficulty",
            NOT_YOURS,
            FORBIDDEN,
            {"player_difficulty": "gm_only"},
        ),
        Cell(
            "roll with sources of one's own",
            _roll("hero", sources=[{"id": "rope", "label": "Rope", "sign": "boon"}]),
            OK,
            "roll.sources",
            NOT_YOURS,
            FORBIDDEN,
            {"player_sources": "gm_only"},
        ),
        Cell("choose for hero", choose(check_of_hero), OK, OK, "choice.not_yours", FORBIDDEN),
        Cell("choose for friend", choose(check_of_friend), OK, "choice.not_yours", OK, FORBIDDEN),
        Cell("spend for hero", choose(check_of_hero, "spend"), OK, OK, "choice.not_yours", FORBIDDEN),
        Cell("choose on nothing", choose("999.1"), "check.unknown", "check.unknown", "check.unknown", FORBIDDEN),
        Cell("give a Boon", {"t": "Act", "verb": "give_boon"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("an unknown move", {"t": "Act", "verb": "fly"}, "verb.unknown", "verb.unknown", "verb.unknown", FORBIDDEN),
        Cell("numbers of hero", _sync("hero"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("numbers of friend", _sync("friend"), OK, NOT_YOURS, OK, FORBIDDEN),
        Cell("numbers of foe", _sync("foe"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("numbers at a GM's table", _sync("hero"), OK, FORBIDDEN, FORBIDDEN, FORBIDDEN, {"actor_authority": "gm"}),
        Cell("name of hero", _sync("hero", name="Zed"), OK, FORBIDDEN, NOT_YOURS, FORBIDDEN),
        Cell("side of hero", _sync("hero", side="opposition"), OK, FORBIDDEN, NOT_YOURS, FORBIDDEN),
        Cell("owners of hero", _sync("hero", owners=[]), OK, FORBIDDEN, NOT_YOURS, FORBIDDEN),
        Cell("a new actor", _sync("nobody", name="New"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("a new actor without a name", _sync("nobody"), "actor.name_missing", NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("remove hero", {"t": "RemoveActor", "actor": "hero"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("remove nobody", {"t": "RemoveActor", "actor": "nobody"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("grant to hero", {"t": "Grant", "actors": ["hero"], **BOON}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("grant to nobody", {"t": "Grant", "actors": ["nobody"], **BOON}, UNKNOWN, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("revoke a grant", {"t": "RevokeGrant", "grant": grant}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("revoke no grant", {"t": "RevokeGrant", "grant": "999.1"}, "grant.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell(
            "show what is shown already", {"t": "RevealGrant", "grant": grant}, "grant.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN
        ),
        Cell("show no grant", {"t": "RevealGrant", "grant": "999.1"}, "grant.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("other dice", {"t": "RollDice", "formula": "1d12"}, OK, OK, OK, FORBIDDEN),
        Cell("other dice of hero", {"t": "RollDice", "formula": "1d12", "actor": "hero"}, OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("other dice of foe", {"t": "RollDice", "formula": "1d12", "actor": "foe"}, OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell(
            "other dice of nobody", {"t": "RollDice", "formula": "1d12", "actor": "nobody"}, UNKNOWN, UNKNOWN, UNKNOWN, FORBIDDEN
        ),
        Cell("turn of hero", {"t": "StartTurn", "actor": "hero"}, OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("turn of foe", {"t": "StartTurn", "actor": "foe"}, OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("turn of nobody", {"t": "StartTurn", "actor": "nobody"}, UNKNOWN, UNKNOWN, UNKNOWN, FORBIDDEN),
        Cell("end of hero's turn", {"t": "EndTurn", "actor": "hero"}, OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("end of foe's turn", {"t": "EndTurn", "actor": "foe"}, OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("end of the round", {"t": "EndRound"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("end of the fight", {"t": "EndCombat"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("a condition", _condition("hero"), "condition.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("clear a condition", {"t": "ClearCondition", "actor": "hero", "condition": "prone"}, *_NOT_HELD),
        Cell("help friend", {"t": "Assist", "actor": "friend", "helper": "hero"}, _CHECK, _CHECK, NOT_YOURS, FORBIDDEN),
        Cell("help by nobody", {"t": "Assist", "actor": "friend", "helper": "nobody"}, _CHECK, _CHECK, _CHECK, FORBIDDEN),
        Cell("agree to help", {"t": "AnswerAssist", "assist": "1.1", "accept": True}, *_NO_HELP),
        Cell("decline help", {"t": "AnswerAssist", "assist": "1.1", "accept": False}, *(("assist.unknown",) * 3), FORBIDDEN),
        Cell("resist with hero", _resist("hero"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("resist with foe", _resist("foe"), OK, NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("keep the initiative", {"t": "Act", "verb": "keep_initiative"}, *(("spend.initiative_not_lost",) * 3), FORBIDDEN),
        Cell("take a Boon", {"t": "Act", "verb": "take_boon"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("ask the party", ASK, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("ask nobody", {**ASK, "actors": []}, "request.nobody", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("answer for hero", _answer(request, "hero"), OK, OK, NOT_YOURS, FORBIDDEN),
        Cell("answer for friend", _answer(request, "friend"), OK, NOT_YOURS, OK, FORBIDDEN),
        Cell("answer for foe", _answer(request, "foe"), "request.not_asked", NOT_YOURS, NOT_YOURS, FORBIDDEN),
        Cell("answer nothing", _answer("999", "hero"), "request.unknown", "request.unknown", NOT_YOURS, FORBIDDEN),
        Cell("decline for hero", {"t": "Decline", "request": request, "actor": "hero"}, OK, OK, NOT_YOURS, FORBIDDEN),
        Cell(
            "roll for who is absent",
            {"t": "RollForAbsent", "request": request, "params": {"skill": "skill.athletics"}},
            OK,
            FORBIDDEN,
            FORBIDDEN,
            FORBIDDEN,
        ),
        Cell("close a request", {"t": "CloseRequest", "request": request}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("close no request", {"t": "CloseRequest", "request": "999"}, "request.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("drop no opportunity", {"t": "DropOpportunity", "opportunity": "9.1"}, *(("opportunity.unknown",) * 3), FORBIDDEN),
        Cell("an evening", {"t": "StartSession", "name": "One"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("the end of none", {"t": "EndSession"}, "session.none", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("the same evening", {"t": "ContinueSession"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("take a check back", {"t": "Void", "what": f"check/{check_of_hero}"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("take nothing back", {"t": "Void", "what": "check/999.1"}, "correction.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("decide otherwise", _override(check_of_hero), OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("show what is shown", {"t": "Reveal", "check": check_of_hero}, "correction.open", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("settle nothing", {"t": "Settle", "check": check_of_hero}, "correction.open", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("table data as they are", {"t": "SetTableData"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("an option", {"t": "SetOptions", "options": {"boon_cap": 3}}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("invite", {"t": "Invite", "user": "zoe", "name": "Zoe"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("invite a GM", {"t": "Invite", "user": "zoe", "name": "Zoe", "role": "gm"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("revoke access", {"t": "RevokeAccess", "user": olga}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("revoke nobody's", {"t": "RevokeAccess", "user": "nobody"}, "people.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("make a player", {"t": "SetRole", "user": olga, "role": "player"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("make a GM", {"t": "SetRole", "user": olga, "role": "gm"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell(
            "a role for nobody",
            {"t": "SetRole", "user": "nobody", "role": "gm"},
            "people.unknown",
            FORBIDDEN,
            FORBIDDEN,
            FORBIDDEN,
        ),
        Cell("forget a name", {"t": "EraseName", "user": olga}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("forget nobody's", {"t": "EraseName", "user": "nobody"}, "people.unknown", FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("call the table something", {"t": "RenameTable", "title": "The Lake"}, OK, FORBIDDEN, FORBIDDEN, FORBIDDEN),
        Cell("remove no origin", {"t": "RemoveOrigin", "origin": ORIGIN}, "origin.not_listed", FORBIDDEN, FORBIDDEN, FORBIDDEN),
    ]
