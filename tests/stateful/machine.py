"""One evening of one game, at random: everybody says everything, sensible or not, and after each word all is looked at.

Through the real table layer: hub, table, store, sessions. What is looked at stands under "looking"; at the end every
choice that is still open is ended by those who may.
"""

import random

import msgspec
import structlog
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from boonbridge.core.checking import MOST_OPPORTUNITIES
from boonbridge.core.foreseeing import foresee
from boonbridge.core.preview import preview
from boonbridge.core.visibility import Viewer, readable
from boonbridge.tables.frames import told
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits, Refused
from tests.stateful.book import Book
from tests.stateful.sayings import MAKERS, NOBODY, Sayings, sheet
from tests.support.evening import command
from tests.support.house import House
from tests.support.random_evening import RandomEvening, fresh

PEOPLE = {"gina": "gm", "pia": "player", "quin": "player", "olga": "observer"}
SEEDS = st.integers(0, 2**64)
GMS_MOSTLY = ("gina", "gina", "gina", "gina", "gina", "pia", "quin", "olga")
SPEAKERS = ("gina", "gina", "gina", "gina", "gina", "pia", "pia", "pia", "pia", "quin", "quin", "olga")
OF_GMS = {
    *("Grant", "RevokeGrant", "RevealGrant", "SetCondition", "ClearCondition", "EndRound", "EndCombat"),
    *("RequestCheck", "RollForAbsent", "CloseRequest", "StartSession", "EndSession", "ContinueSession"),
    *("Override", "Settle", "SetTableData", "SetOptions", "Invite", "RevokeAccess", "RemoveActor"),
    *("SetRole", "EraseName", "RemoveOrigin"),
}
WITH_A_DIALOG = ("RollCheck", "AnswerRequest")
OF_A_FIGHT = {"turn_start", "turn_end", "round_end", "combat_end"}
LIMITS = Limits()


class Counted:
    """The dice of the table, and how many of them fell since somebody asked."""

    def __init__(self, keyring):
        self.keyring = keyring
        self.fallen = 0

    def dice(self, *of):
        return _Counting(self, self.keyring.dice(*of))


class _Counting:
    def __init__(self, counted, dice):
        self.counted = counted
        self.dice = dice

    def draw(self, role, sides):
        self.counted.fallen += 1
        return self.dice.draw(role, sides)


class Evening(RandomEvening):
    people = PEOPLE

    def __init__(self):
        super().__init__()
        self.said = {}
        self.looked_at = 0
        self.book = Book()
        self.clocks = {}
        self.seen_hashes = []

    @initialize(seed=SEEDS)
    def sit_down(self, seed):
        self.seed = seed
        structlog.configure(processors=[self.logs])
        self.house = House(self.game)
        self.house.tape = self.counted = Counted(self.house.tape)
        self.house.hub = self.house._hub()
        self.run(self.house.hub.new_table(self.house.row))
        for user in PEOPLE:
            self.run(self.come(user))
        if self.game == "public_d20":
            self._say("gina", {"t": "SetOptions", "options": {"dice_public": False}})
        for actor, (side, owners) in MAKERS.items():
            numbers = sheet(self.game, self._chance(seed))
            self._say(
                "gina", {"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": numbers}
            )

    # --- coming and going ------------------------------------------------------------------------------------------
    @rule(user=st.sampled_from(sorted(PEOPLE)), anew=st.booleans(), stays_away=st.booleans())
    def somebody_comes_or_goes(self, user, anew, stays_away):
        self.goes(user)
        if not stays_away or user == "gina":
            self.run(self.come(user, anew=anew))

    @rule()
    def server_restarts(self):
        before = self.table.state
        self.restart()
        assert self.table.state == before
        for user in PEOPLE:
            self.run(self.come(user))

    # --- saying ----------------------------------------------------------------------------------------------------
    @rule(seed=SEEDS)
    def somebody_rolls(self, seed):
        self._speaks(seed, SPEAKERS, *["roll"] * 6, "dice")
        self._speaks(seed, SPEAKERS, "choice")

    @rule(seed=SEEDS)
    def somebody_rolls_and_somebody_else_too(self, seed):
        self._speaks(seed, SPEAKERS, "roll")
        self._speaks(seed, SPEAKERS, "roll", "choice")

    @rule(seed=SEEDS)
    def what_stands_changes(self, seed):
        self._speaks(seed, GMS_MOSTLY, "grant", "grant", "revocation", "condition", "condition", "condition", "relief")

    @rule(seed=SEEDS)
    def something_happens(self, seed):
        self._speaks(seed, GMS_MOSTLY, "turn", "turn", "turn", "help", "help", "answer", "answer", "move", "move")

    @rule(seed=SEEDS)
    def something_stands_for_a_time(self, seed):
        self._speaks(seed, ("gina",), "grant", "condition", "condition")
        self._speaks(seed, GMS_MOSTLY, "turn", "turn", "turn", "removal")

    @rule(seed=SEEDS)
    def the_table_changes(self, seed):
        self._speaks(seed, GMS_MOSTLY, *["actor"] * 3, "removal", "options", "options", "house_rules", "house_rules", "people")

    @rule(seed=SEEDS)
    def somebody_asks_for_a_check(self, seed):
        self._speaks(seed, GMS_MOSTLY, "asking")
        self._speaks(seed, SPEAKERS, "replying")

    @rule(seed=SEEDS)
    def somebody_answers(self, seed):
        self._speaks(seed, SPEAKERS, "replying")
        self._speaks(seed, SPEAKERS, "replying", "replying", "choice", "opportunity")

    @rule(seed=SEEDS)
    def nobody_answers_in_time(self, seed):
        """The bridge itself ends what was to be answered by now."""
        due = [asking.record for asking in self.table.state.requests.values() if asking.open and asking.record.expires_at]
        if not due:
            self._speaks(seed, ("gina",), "asking")
            return
        late = self._chance(seed).choice(due)
        self.house.clock.time = max(self.house.clock.time, late.expires_at)
        answer = self._say("bridge", {"t": "CloseRequest", "request": late.id}, role="gm", id=f"expire:{late.id}")
        assert answer.changed
        assert self.table.state.requests[late.id].record.over == "expired"

    @rule(seed=SEEDS)
    def something_is_taken_back(self, seed):
        self._speaks(seed, GMS_MOSTLY, "correction")

    @rule(seed=SEEDS)
    def something_is_done_and_taken_back(self, seed):
        self._speaks(seed, SPEAKERS, "roll", "roll", "grant", "condition", "move", "opportunity", "replying")
        self._speaks(seed, GMS_MOSTLY, "correction")

    @rule(seed=SEEDS)
    def an_evening_begins_or_ends(self, seed):
        self._speaks(seed, GMS_MOSTLY, "session")

    @rule(seed=SEEDS)
    def something_is_said_again(self, seed):
        if not self.said:
            return
        id = self._chance(seed).choice(list(self.said))
        user, cmd, first = self.said[id]
        before = self.table.state
        assert self._sent(user, cmd, id) == first
        other = self._sent(user, {"t": "RevokeGrant", "grant": "1.1"}, id)
        assert other.code == Code.COMMAND_ID_TAKEN
        assert self.table.state == before

    @rule(seed=SEEDS)
    def nonsense_is_said(self, seed):
        """By a GM, who may do anything: each kind has its own code, and nothing happens."""
        nonsense = list(self._nonsense())
        for cmd, code in self._chance(seed).sample(nonsense, 3):
            if self.table.state.role("gina") == "gm":
                answer = self._say("gina", cmd)
                assert getattr(answer, "code", None) == code, (cmd, answer)

    def _speaks(self, seed, speakers, *subjects):
        """Somebody says something on one of the subjects."""
        chance = self._chance(seed)
        user = chance.choice(speakers)
        sayings = Sayings(chance, self.table.state, user)
        self._say(user, getattr(sayings, chance.choice(subjects))())

    def _chance(self, seed):
        # The generator of examples likes to repeat itself; the evening's own seed and the count of words keep them apart.
        return random.Random(f"{self.seed} {seed} {self.ids}")

    def _nonsense(self):
        state = self.table.state
        source = {"id": "a", "label": "x"}
        check = next(iter(state.ruleset.checks))
        yield {"t": "Choose", "check": "999999.1", "choice": "accept"}, Code.CHECK_UNKNOWN
        yield {"t": "RevokeGrant", "grant": "999999.1"}, Code.GRANT_UNKNOWN
        yield {"t": "RevealGrant", "grant": "999999.1"}, Code.GRANT_UNKNOWN
        yield {"t": "AnswerAssist", "assist": "999999.1", "accept": True}, Code.ASSIST_UNKNOWN
        yield {"t": "Grant", "actors": [NOBODY], "sign": "boon", "source": source}, Code.ACTOR_UNKNOWN
        yield {"t": "StartTurn", "actor": NOBODY}, Code.ACTOR_UNKNOWN
        yield {"t": "EndTurn", "actor": NOBODY}, Code.ACTOR_UNKNOWN
        yield {"t": "RollDice", "formula": "2d6", "actor": NOBODY}, Code.ACTOR_UNKNOWN
        yield {"t": "RollDice", "formula": "101d6"}, Code.ROLL_TOO_MANY_DICE
        yield {"t": "RollCheck", "check": "lottery", "actors": ["hero"]}, Code.ROLL_UNKNOWN_CHECK
        yield {"t": "SetOptions", "options": {"nonsense": 1}}, Code.OPTION_UNKNOWN
        yield {"t": "Act", "verb": "fly"}, Code.VERB_UNKNOWN
        yield {"t": "AnswerRequest", "request": "999999", "actor": "hero"}, Code.REQUEST_UNKNOWN
        yield {"t": "Decline", "request": "999999", "actor": "hero"}, Code.REQUEST_UNKNOWN
        yield {"t": "CloseRequest", "request": "999999"}, Code.REQUEST_UNKNOWN
        yield {"t": "RequestCheck", "actors": [], "checks": [{"check": check}]}, self._nobody(state)
        yield {"t": "DropOpportunity", "opportunity": "999999.1"}, Code.OPPORTUNITY_UNKNOWN
        yield {"t": "Void", "what": "check/999999.1"}, Code.CORRECTION_UNKNOWN
        yield {"t": "Void", "what": "correction/1"}, Code.CORRECTION_FINAL
        yield {"t": "Override", "check": "999999.1", "outcome": "success"}, Code.CORRECTION_UNKNOWN
        yield {"t": "Reveal", "check": "999999.1"}, Code.CORRECTION_UNKNOWN
        yield {"t": "Settle", "check": "999999.1"}, Code.CORRECTION_UNKNOWN
        yield {"t": "SetTableData", "data": {"ruleset": "chess"}}, Code.DATA_OTHER_RULESET
        if state.evening.running:
            yield {"t": "StartSession"}, Code.SESSION_RUNNING
        else:
            yield {"t": "EndSession"}, Code.SESSION_NONE
        foreign = "marked" if self.game != "public_d20" else "impaired.strength"
        yield {"t": "SetCondition", "actors": ["hero"], "condition": foreign}, Code.CONDITION_UNKNOWN
        if not state.options.manual_dice:
            yield {"t": "RollDice", "formula": "1d6", "faces": [3]}, Code.FACES_NOT_TAKEN
        else:
            yield {"t": "RollDice", "formula": "1d6", "faces": [7]}, Code.FACES_RANGE
            yield {"t": "RollDice", "formula": "1d6", "faces": [3, 3]}, Code.FACES_COUNT
        if "hero" in state.actors:
            yield {"t": "RollCheck", "check": check, "actors": ["hero", "hero"]}, Code.ROLL_BAD_PARAMETER

    def _nobody(self, state):
        full = sum(asking.open for asking in state.requests.values()) >= LIMITS.open_requests
        return Code.REQUEST_LIMIT if full else Code.REQUEST_NOBODY

    def _sent(self, user, cmd, id, role=None):
        role = role or self.table.state.role(user) or PEOPLE.get(user, "observer")
        self.house.clock.time += 100
        answer = self.run(self.house.do(cmd, by=user, role=role, id=id))
        self.run(self.settle())
        return answer

    def _say(self, user, cmd, *, role=None, id=None):
        """Have a command decided; whatever comes of it, it comes whole."""
        id = id or self.new_id()
        table = self.table
        before, head = table.state, table.head_hash
        role = role or before.role(user)
        shown = {who: fresh(before, Viewer(who, before.role(who))) for who in before.people if who != "bridge"}
        shown_first = self._dialog(before, user, role or "observer", cmd)
        ahead = self._foreseen(table, user, role or "observer", cmd)
        assert table.state is before
        self.counted.fallen = 0
        answer = self._sent(user, cmd, id, role)
        assert not [line for line in self.logs.entries if line["log_level"] == "error"], cmd
        if isinstance(answer, Refused) or not answer.changed:
            assert table.state is before, "nothing of what was refused happened"
            assert table.head_hash == head
            assert self.run(self.house.store.read("house", after=before.seq, limit=1)) == []
            if isinstance(answer, Refused):
                assert answer.code in set(Code)
                assert answer.code not in {Code.INTERNAL, Code.BUSY, Code.DICE_STALE, Code.FRAME_TOO_LARGE}, cmd
                # What the dice show never decides whether a command is taken: one could send it until they please.
                foreseen = isinstance(shown_first, Refusal) and shown_first.code == answer.code
                assert not self.counted.fallen or foreseen or answer.code == Code.ROLL_TOO_MANY_DICE, (cmd, answer)
                # A round ends, whatever stands in the way of the dice that fall with it.
                assert cmd["t"] != "EndRound" or role != "gm", answer
        else:
            assert answer.seq == before.seq + 1
            if user != "bridge":
                self.said[id] = user, cmd, answer
            self._look_at_the_commit(before, shown)
        self._was_allowed(before, user, role, cmd, answer)
        if cmd["t"] in WITH_A_DIALOG:
            self._was_as_the_dialog_said(before, shown_first, cmd, role, answer)
        self._was_foreseen(before, ahead, Viewer(user, role or "observer"), cmd, answer)
        return answer

    def _foreseen(self, table, user, role, cmd):
        """What it would come to, or why nobody can say."""
        try:
            asked = table.completed(command(cmd))
            return foresee(table.state, asked, Viewer(user, role), self.house.clock.time + 100)
        except Refusal as no:
            return no

    def _was_foreseen(self, before, foreseen, viewer, cmd, answer):
        """What happened is what was foreseen, word for word, as far as whoever asked may read it."""
        if isinstance(foreseen, Refusal):
            rolls = foreseen.code == Code.FORESEE_ROLLS
            assert rolls or (isinstance(answer, Refused) and answer.code == foreseen.code), (cmd, foreseen, answer)
            return
        if isinstance(answer, Refused):
            # A correction is foreseen as confirmed; what else there is to refuse is the table's, not of the rules.
            assert answer.code == Code.CORRECTION_USED, (cmd, foreseen, answer)
            assert not cmd.get("confirm")
            assert any(getattr(event, "left", ()) for event in foreseen), "what it leaves is listed"
            return
        if not answer.changed:
            assert foreseen == ()
            return
        (stored,) = self.run(self.house.store.read("house", after=before.seq, limit=1))
        mine = readable(viewer, viewer.user)
        happened = [msgspec.json.decode(raw) for part, raws in told(stored).events.items() if part in mine for raw in raws]
        order = msgspec.json.encode
        ahead = msgspec.json.decode(order(foreseen))
        if cmd["t"] == "Invite":  # the device is named after the id of the command
            happened, ahead = ([{**event, "device": None} for event in events] for events in (happened, ahead))
        assert sorted(map(order, happened)) == sorted(map(order, ahead)), cmd

    def _dialog(self, before, user, role, cmd):
        """What the dialog shows before the roll: its rows, or why there are none."""
        try:
            roll = command({key: value for key, value in cmd.items() if key != "faces"})
            return preview(before, roll, Viewer(user, role)) if cmd["t"] in WITH_A_DIALOG else ()
        except Refusal as no:
            return no

    def _was_as_the_dialog_said(self, before, shown_first, cmd, role, answer):
        several = len(cmd.get("actors", ())) > 1  # what the first of them rolls may change what the next one has
        if isinstance(answer, Refused):
            aside = answer.code == Code.ROLL_LOCKED or str(answer.code).startswith("faces.")
            same = isinstance(shown_first, Refusal) and shown_first.code == answer.code
            assert same or aside or several, (cmd, shown_first, answer)
            return
        assert not isinstance(shown_first, Refusal), (cmd, shown_first)
        (stored,) = self.run(self.house.store.read("house", after=answer.seq - 1, limit=1))
        events = [msgspec.json.decode(raw) for raws in told(stored).events.values() for raw in raws]
        rolled = [event for event in events if event["t"] == "CheckRolled"]
        assert len(rolled) == len(shown_first)
        for row, event in zip(shown_first, rolled, strict=True):
            if several and event["rolled"]["actor"] != cmd["actors"][0]:
                break
            counted = [line for line in row.sources if line.why != "hidden_rolls_only"]
            if role != "gm" and any(line.get("hidden") for line in event["sources"]):
                assert not any(line.hidden for line in row.sources), "a player's dialog knows nothing of it"
                assert event["mode"] in ("blind", "secret"), "he reads nothing of it"
                continue
            assert msgspec.json.decode(msgspec.json.encode(counted)) == event["sources"], cmd
            assert [row.net, row.boons, row.banes] == [event["result"][key] for key in ("net", "boons", "banes")]
            assert len(event["result"]["dice"]) == sum(die.count for die in row.dice)

    def _was_allowed(self, before, user, role, cmd, answer):
        """Who may what, by hand: observers nothing, players nothing of the GM's and nothing with what is another's."""
        refused = isinstance(answer, Refused)
        if role == "observer" or (role == "player" and cmd["t"] in OF_GMS):
            assert refused
            assert answer.code == Code.ROLE_FORBIDDEN
        if role == "player" and cmd["t"] == "AnswerAssist" and not refused:
            offer = before.assists[cmd["assist"]]
            assert not cmd["accept"]
            assert user == offer.by or user in before.actors[offer.helper].owners
        if role == "player" and not refused:
            acting = {
                "RollCheck": cmd.get("actors"),
                "RollDice": [cmd.get("actor")],
                "StartTurn": [cmd.get("actor")],
                "EndTurn": [cmd.get("actor")],
                "Assist": [cmd.get("helper")],
                "AnswerRequest": [cmd.get("actor")],
                "Decline": [cmd.get("actor")],
            }.get(cmd["t"], [])
            after = self.table.state
            for actor in acting:
                assert actor is None or user in after.actors[actor].owners if actor in after.actors else True
            if cmd["t"] in ("Void", "Reveal"):
                opened = before.deeds[cmd["what"] if cmd["t"] == "Void" else f"check/{cmd['check']}"].opened
                assert (opened.mode, opened.roller) == ("self", user), "only what nobody else has seen is his"

    # --- looking at a commit ---------------------------------------------------------------------------------------
    def _look_at_the_commit(self, before, shown):
        (stored,) = self.run(self.house.store.read("house", after=before.seq, limit=10))
        after = self.table.state
        assert after.seq == before.seq + 1 == stored.seq
        assert stored.by == after.by
        opened = told(stored)
        events = {part: [msgspec.json.decode(raw) for raw in raws] for part, raws in opened.events.items()}
        flat = [event for part in events.values() for event in part]
        for event in flat:
            if event["t"] in ("SessionStarted", "SessionEnded"):
                self.book.begin()
            counts = not event.get("deferred") and event["t"] != "GroupTold"
            for effect in (*event.get("effects", ()), *event.get("brings", ())) if counts else ():
                if effect["t"] == "ResourceChanged":
                    self.book.enter(effect, before.options)
            if event["t"] in ("CheckRolled", "Chosen"):
                opened = after.undecided.get(event["check"] if event["t"] == "Chosen" else event["rolled"]["check"])
                offers = after.ruleset.choices(after, opened) if opened else ()
                assert sum(offer.enabled for offer in offers) != 1, "where there is nothing to choose nobody is asked"
        self._one_use_is_used(before, after, events)
        self._clocks_struck(before, after, flat)
        # Who may read nothing of a commit is shown nothing else than before.
        for who, was in shown.items():
            role = before.role(who)
            if after.role(who) == role and not set(readable(Viewer(who, role), stored.by)) & set(events):
                assert fresh(after, Viewer(who, role)) == was

    def _one_use_is_used(self, before, after, events):
        """An open roll uses up what stood for the next one of its actor (I-23), one among GMs what they alone know of."""
        standing = {g.id: g for a in before.actors.values() for g in a.grants}
        spent = {part: {e["grant"] for e in events.get(part, ()) if e["t"] == "GrantSpent"} for part in events}
        for part, grants in spent.items():
            assert part in ("all", "gm") or not grants
            for grant in grants & set(standing):
                assert standing[grant].expiry.when in ("next_roll", "next_roll_against")
                assert standing[grant].hidden == (part == "gm")
        rolled = [e for e in events.get("all", ()) if e["t"] == "CheckRolled"]
        assert rolled or not spent.get("all")
        unseen = [e for part in ("roller_gm", "gm") for e in events.get(part, ()) if e["t"] == "CheckRolled"]
        assert unseen or not spent.get("gm")
        for event in rolled:
            assert event.get("mode", "public") == "public"
            actor = after.actors.get(event["rolled"]["actor"])
            if actor is None or event["rolled"].get("adHoc"):
                continue
            switched_off = {line["id"] for line in event["sources"] if line["why"] == "switched_off"}
            for grant in actor.grants:
                if grant.hidden:
                    continue
                plain = grant.id in standing and grant.expiry.when == "next_roll" and grant.scope == type(grant.scope)()
                assert not plain or grant.source.id in switched_off

    def _clocks_struck(self, before, after, flat):
        """Nothing outlives its clock; what is said to have ended is gone; time does not run backwards."""
        standing = [(a.id, g.expiry) for a in after.actors.values() for g in a.grants]
        standing += [(a.id, h.expiry) for a in after.actors.values() for h in a.conditions]
        for event in flat:
            match event["t"]:
                case "TurnStarted":
                    assert not [e for _, e in standing if (e.when, e.actor) == ("turn_start", event["actor"])]
                    assert (after.turn.combat, after.turn.actor) == (event["combat"], event["actor"])
                case "TurnEnded":
                    assert not [e for _, e in standing if (e.when, e.actor) == ("turn_end", event["actor"])]
                    assert after.turn.actor != event["actor"]
                case "RoundEnded":
                    assert not [e for _, e in standing if e.when == "round_end"]
                    assert after.fights[event["combat"]].round == min(event["round"] + 1, 9999)
                case "CombatEnded":
                    assert not [e for _, e in standing if e.when in OF_A_FIGHT]
                    assert not [h for a in after.actors.values() for h in a.conditions if h.luck_ends or h.fumbled]
                    assert event["combat"] not in after.fights
                case "GrantExpired" | "GrantSpent" | "GrantRevoked":
                    assert after.actor_of(event["grant"]) is None
        for combat, rounds in before.fights.items():
            now = after.fights.get(combat)
            assert now is None or (now.round, now.ended) >= (rounds.round, rounds.ended), "time runs backwards"

    # --- looking at the table --------------------------------------------------------------------------------------
    @invariant()
    def the_log_gives_what_lives(self):
        log = self.log_gives_what_lives()
        assert [commit.seq for commit in log] == list(range(1, self.table.state.seq + 1))
        assert len({commit.command_id for commit in log}) == len(log)

    @invariant()
    def whoever_takes_over_what_he_is_told_sees_what_there_is(self):
        self.screens_show_what_there_is()

    @invariant()
    def the_pool_is_what_the_book_says(self):
        if self.game == "group_d12":
            game = self.table.state.game
            assert (game.held, game.gained) == (self.book.held, self.book.gained)

    @invariant()
    def what_stands_is_sound(self):
        state = self.table.state
        grants = [grant for actor in state.actors.values() for grant in actor.grants]
        assert len({grant.id for grant in grants}) == len(grants)
        for actor in state.actors.values():
            assert len({(h.key, h.by) for h in actor.conditions}) == len(actor.conditions)
            assert all(sum(g.hidden is hidden for g in actor.grants) <= LIMITS.grants_per_actor for hidden in (True, False))
            assert len(actor.conditions) <= LIMITS.conditions_per_actor
            for held in actor.conditions:
                assert held.amount >= 1
                assert 0 <= held.begun <= held.fumbled <= held.amount
                assert (held.until is not None) == (held.fumbled > 0)
                assert held.luck_ends or not held.luck_due
            for expiry in (*(g.expiry for g in actor.grants), *(h.expiry for h in actor.conditions)):
                assert (expiry.actor in state.actors) == (expiry.when in ("turn_start", "turn_end"))
        assert all({offer.actor, offer.helper} <= set(state.actors) for offer in state.assists.values())
        assert state.turn is None or state.turn.combat in state.fights

    @invariant()
    def what_is_hidden_is_on_no_other_screen(self):
        state = self.table.state
        unseen = {grant.id for actor in state.actors.values() for grant in actor.grants if grant.hidden}
        for user, client in self.clients.items():
            if client.here and state.role(user) != "gm":
                entries = [entry for key, entry in client.screen.entries.items() if key.startswith("grants/")]
                assert all(entry["grants"] for entry in entries)
                assert not unseen & {grant["id"] for entry in entries for grant in entry["grants"]}

    @invariant()
    def what_is_open_offers_something(self):
        state = self.table.state
        assert set(state.undecided) == {check for check, opened in state.checks.items() if not opened.done}
        asked = getattr(state.options, "rulings", True)
        for check in state.undecided:
            # What waited for a ruling when the table chose to rule aloud waits unseen, in case it asks again.
            assert not asked or any(offer.enabled for offer in state.ruleset.choices(state, state.checks[check])), check
            assert check in state.latest[state.checks[check].rolled.actor]
        for user, member in state.people.items():
            for key, entry in fresh(state, Viewer(user, member.role)).items():
                if key.startswith("check/"):
                    assert any(offer.enabled for offer in entry.choices)

    @invariant()
    def what_is_asked_is_sound(self):
        """What is open waits for somebody; what is over waits for nobody, and counts those whose rolls stand."""
        state = self.table.state
        assert sum(asking.open for asking in state.requests.values()) <= LIMITS.open_requests
        assert len(state.opportunities) <= MOST_OPPORTUNITIES
        assert all(offered.actor in state.actors for offered in state.resistances.values())
        for asking in state.requests.values():
            rows = {row.actor: row for row in asking.record.rows}
            assert len(rows) == len(asking.record.rows)
            sent = [row for row in rows.values() if row.status == "sent"]
            assert set(asking.members) <= set(rows)
            for actor, member in asking.members.items():
                assert rows[actor].status == "rolled", (rows[actor], member)
                assert member == state.checks.get(member.rolled.check, member), "it is known as it stands"
            if asking.open:
                waits = [each for each in asking.members.values() if each.rolled.check in state.undecided]
                assert sent or waits, "nobody is waited for"
                assert asking.record.result is None is asking.told
                continue
            assert not sent
            result, stand = asking.record.result or asking.told, [each for each in asking.members.values() if not each.voided]
            assert result is None or result.counted == len(stand)
            assert result is None or set(result.winners) <= {each.rolled.actor for each in stand}

    # --- the end of the evening ------------------------------------------------------------------------------------
    def teardown(self):
        try:
            if hasattr(self, "house"):
                self._everything_open_ends()
        finally:
            if hasattr(self, "house"):
                self.run(self.house.hub.aclose())
            structlog.reset_defaults()
            self.loop.close()

    def _everything_is_over(self):
        state = self.table.state
        assert not [check for check in state.undecided.values() if check.mode == "public"]
        assert not [asking for asking in state.requests.values() if asking.open]
        assert not state.opportunities
        assert not state.assists
        assert not [grant for actor in state.actors.values() for grant in actor.grants if grant.expiry.when == "session_end"]
        assert not [deed for deed in state.deeds.values() if deed.opened and deed.opened.waiting and deed.opened.mode != "self"]
        assert (state.evening.running, state.evening.asks) == (False, None)
        if self.game == "group_d12":
            assert (state.game.held, state.game.gained) == (0, 0)  # X-D14

    def _everything_open_ends(self):
        # A GM comes whom nobody has sent away, and asks everybody back.
        self.run(self.house.admit("gwen", "gm"))
        for user, role in PEOPLE.items():
            if self.table.state.role(user) not in (role, "gm"):
                self._say("gwen", {"t": "Invite", "user": user, "name": "X", "role": role})
        if not getattr(self.table.state.options, "rulings", True):
            self._say("gwen", {"t": "SetOptions", "options": {"rulings": True}})
        for actor in list(self.table.state.actors)[::2]:
            self._say("gwen", {"t": "EndTurn", "actor": actor, "confirm": True})
        if not self.table.state.evening.running:
            assert self._say("gwen", {"t": "StartSession"}).changed
        assert self._say("gwen", {"t": "EndSession"}).changed
        self._everything_is_over()
        for check in tuple(self.table.state.undecided):
            for _ in range(20):
                opened = self.table.state.undecided.get(check)
                if opened is None:
                    break
                offers = self.table.state.ruleset.choices(self.table.state, opened)
                offer = next(offer for offer in offers if offer.enabled)
                who = opened.roller if offer.who == "roller" else "gwen"
                answer = self._say(who, {"t": "Choose", "check": check, "choice": offer.id})
                assert not isinstance(answer, Refused), (opened, offer, answer)
        assert not self.table.state.undecided
        self._everything_is_over()
        for user in PEOPLE:
            self.goes(user)
            self.run(self.come(user, anew=True))
            assert not [key for key in self.clients[user].screen.entries if key.startswith("check/")]
        self.the_log_gives_what_lives()
