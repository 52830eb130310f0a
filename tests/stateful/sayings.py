"""What people at a table say, sensible and not, for any game: plain commands, made of what stands at the table now.

``Sayings`` makes them. A test for each game feeds them to a real table; that some of them are nonsense is the point.
"""

import msgspec

from boonbridge.core.preview import preview
from boonbridge.core.visibility import Viewer
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import GAMES, command

MAKERS = {"hero": ("party", ["pia"]), "friend": ("party", ["quin"]), "foe": ("opposition", [])}
ACTORS = (*MAKERS, "foe.token.t1", "hero.token.t1", "passer_by")
NOBODY = "nobody"
MODES = (*["public"] * 10, "gm", "blind", "secret", "self")
CLOCKS = ("none", "next_roll", "next_roll", "next_roll_against", "turn_start", "turn_end", "round_end", "combat_end")
OUTCOMES = ("success", "success", "failure", "failure", "critical_success", "critical_failure", "fumble")
ACTIONS = ("", "", "climb", "Climb ", "sing")


def fixed(spec):
    """The parameters of a check that only a request may set."""
    return {param.key for param in spec.params if param.difficulty or param.of_target}


def sheet(game, chance):
    """A sheet that a game takes."""
    rules = GAMES[game]
    values = []
    for spec in rules.info(rules.options()).numbers:
        keys = [f"{spec.key}.a", f"{spec.key}.b"] if spec.group else [spec.key]
        takes = [c.value for c in spec.choices] or range(max(spec.min, 0), min(spec.max, 12) + 1)
        values += [{"key": key, "value": chance.choice(takes)} for key in keys]
    attribute = {"public_d20": "attribute.a", "sage_d20": "agility"}.get(game)
    crit = {"name": "Ouch", "amount": 3}
    attacks = [{"id": "hit", "name": "Hit", "attribute": attribute, "tags": ["melee"], "onCrit": crit}] if attribute else []
    return {"values": values, "attacks": attacks}


class Sayings:
    """Commands for one table. ``state`` is what stands there now, ``user`` who is about to speak, ``chance`` a Random."""

    def __init__(self, chance, state, user):
        self.chance = chance
        self.state = state
        self.user = user
        self.role = state.role(user) or "observer"
        self.game = state.ruleset.id

    def one(self, *of):
        return self.chance.choice(of)

    def whole(self, low, high):
        return self.chance.randint(low, high)

    def sometimes(self):
        return self.chance.random() < 0.5

    def seldom(self):
        return self.chance.random() < 0.03

    def mostly(self):
        return self.chance.random() < 0.9

    def an_actor(self):
        return NOBODY if self.seldom() else self.one("hero", "hero", "friend", "foe", "foe", *ACTORS)

    def my_actor(self):
        """Mostly one that may act for the speaker."""
        mine = [actor.id for actor in self.state.actors.values() if self.user in actor.owners]
        return self.one(*mine) if mine and self.role == "player" and self.mostly() else self.an_actor()

    # --- dice ---
    def roll(self):
        rules = self.state.ruleset
        spec = rules.checks[self.one(*(key for key, spec in rules.checks.items() if not spec.asked or self.seldom()))]
        cmd = {
            "t": "RollCheck",
            "check": spec.key if self.mostly() else self.one(*rules.checks, "lottery"),
            "actors": [self.my_actor()],
            "params": self._params(spec),
            "mode": self.one(*MODES),
            "action": self.one(*ACTIONS),
        }
        if self.seldom():
            cmd["actors"] = [self.an_actor(), self.an_actor()]
        if (
            spec.targets == "required"
            or "resist" in cmd["params"]
            or (spec.targets == "optional" and self.sometimes())
            or self.seldom()
        ):
            cmd["targets"] = [self.an_actor()] if self.mostly() else self.one([], ["foe", "friend"], ["hero", "hero"])
        if self.chance.random() < 0.3:
            cmd["sources"] = [self._claim() for _ in range(self.whole(1, 3))]
        if self.seldom():
            cmd["sources"] = [{"id": f"s{i}", "label": "x", "sign": "bane", "amount": 1} for i in range(self.one(64, 65))]
        if self.seldom():
            cmd["off"] = ["luck"]
        if self.game == "group_d12" and self.chance.random() < 0.2:
            cmd["spendBefore"] = self.one(1, 1, 2, 100)
            cmd["sources"] = [{"id": "dark", "label": "dark", "sign": "bane", "amount": self.whole(0, 2)}]
        if self.sometimes():
            cmd["changed"] = self.one("", "another rope")
        if self.state.opportunities and self.sometimes():
            cmd["opportunities"] = [self.one(*self.state.opportunities)]
        if self.seldom():
            cmd |= {"actors": self.one([], ["hero"]), "adHoc": {"name": "Somebody", "numbers": sheet(self.game, self.chance)}}
        if self.seldom() or (cmd["check"] == "luck" and self.sometimes()):
            cmd |= self._luck()
        return self._by_hand(cmd) if self.state.options.manual_dice or self.seldom() else cmd

    def _params(self, spec):
        given = {}
        for param in spec.params:
            if not param.required and self.sometimes():
                continue
            if param.kind == "integer":
                given[param.key] = self.whole(max(param.min, 1), min(param.max, 16)) if self.mostly() else 9999
            elif param.kind == "number":
                given[param.key] = self.one(
                    *(option.value for option in param.choices), *([f"{param.group}.a"] * 4 if param.group else ())
                )
            elif param.choices:
                given[param.key] = self.one(*(option.value for option in param.choices))
            else:
                given[param.key] = "hit" if param.kind == "attack" else self.an_actor()
        if self.game == "group_d12" and self.mostly():
            given.pop(self.one("resist", "resist", "difficulty"), None)
            if "resist" not in given:
                given.setdefault("difficulty", 9)
        if self.seldom():
            given[self.one("tn", "dc", "nonsense")] = self.one(True, "x", -1)
        return given

    def _claim(self):
        return {
            "id": self.one("a", "b", "luck", "flanking", "bolstered", "exhausted", "dropped_prone"),
            "label": "x",
            "sign": self.one("boon", "bane"),
            "amount": self.one(*[1] * 20, 2, 2, 3, 3, 0, 99, 101, 9999),
            "kind": self.one("situation", "pool", "condition", "affliction"),
        }

    def _luck(self):
        due = [(a.id, h.key, h.by) for a in self.state.actors.values() for h in a.conditions if h.luck_ends]
        actor, key, by = self.one(*due) if due and self.mostly() else ("hero", "on_fire", None)
        return {"check": "luck", "params": {}, "targets": [], "actors": [actor], "ends": {"key": key, "by": by}}

    def _by_hand(self, cmd):
        """With faces: as many as the dialog shows dice, or not; on dice that have them, or not."""
        try:
            rows = preview(self.state, command(cmd), Viewer(self.user, self.role))
        except Refusal:
            rows = ()
        sizes = [die.sides for row in rows for die in row.dice for _ in range(die.count)][:1000]
        faces = [self.whole(1, sides) for sides in sizes[:20]]
        if self.seldom():
            faces = self.one(faces[:-1], [*faces, 1], [0 for _ in faces], [101 for _ in faces])
        return {**cmd, "faces": faces}

    def dice(self):
        cmd = {
            "t": "RollDice",
            "formula": self.one("2d6+3", "d%", "4d6kh3", "1d20-1d4", "100d6", "101d6", "0d6", "2d1", "kitchen", "3-2", "2d6kh3"),
            "mode": self.one(*MODES),
            "kind": self.one("dice", "damage"),
        }
        if self.sometimes():
            cmd["actor"] = self.my_actor()
        if self.seldom():
            cmd |= {"sources": [self._claim()], "rule": self.one("", "Sharp")}
        if self.seldom():
            cmd["faces"] = [self.whole(0, 7) for _ in range(self.whole(0, 4))]
        return cmd

    # --- after the dice ---
    def choice(self):
        if not self.state.undecided and self.mostly():
            return self.roll()
        check = self.one(*self.state.undecided) if self.state.undecided and self.mostly() else self.one(*self.state.checks, "1.1")
        opened = self.state.checks.get(check)
        offers = [offer.id for offer in self.state.ruleset.choices(self.state, opened)] if opened else []
        cmd = {
            "t": "Choose",
            "check": check,
            "choice": self.one(*offers) if offers and self.mostly() else self.one("accept", "spend", "pass", "at_cost", "dance"),
        }
        if self.seldom():
            cmd["args"] = self.one({"note": "as you like it"}, {"note": 3}, {"note": "x" * 501}, {"other": True})
        if self.seldom() or (self.state.options.manual_dice and cmd["choice"] == "spend"):
            cmd["faces"] = self.one([], [12], [7], [13], [3, 3])
        return cmd

    # --- what stands at the table ---
    def grant(self):
        scope = {}
        if self.sometimes():
            scope["side"] = self.one("own", "against")
        if self.seldom():
            scope |= self.one(
                {"targets": ["foe"]}, {"unlessTargets": ["foe"]}, {"action": "climb"}, {"checks": ["attack"]}, {"reach": "roll"}
            )
        return {
            "t": "Grant",
            "actors": [self.an_actor()] if self.mostly() else ["hero", "friend", "hero"],
            "sign": self.one("boon", "bane"),
            "source": {"id": self.one("luck", "a", "b"), "label": "x", "kind": self.one("situation", "pool")},
            "amount": self.one(*[1] * 10, 2, 2, 100),
            "scope": scope,
            "expiry": self._expiry(),
            "hidden": self.chance.random() < 0.3,
        }

    def _expiry(self):
        expiry = {"when": "session_end" if self.seldom() else self.one(*CLOCKS)}
        if self.chance.random() < 0.3:
            expiry["actor"] = self.an_actor()
        return expiry

    def revocation(self):
        there = [grant.id for actor in self.state.actors.values() for grant in actor.grants]
        hidden = [grant.id for actor in self.state.actors.values() for grant in actor.grants if grant.hidden]
        if (hidden and self.sometimes()) or self.seldom():
            return {"t": "RevealGrant", "grant": self.one(*hidden) if hidden and self.mostly() else self.one("1.1", *there)}
        return {"t": "RevokeGrant", "grant": self.one(*there) if there and self.mostly() else "1.1"}

    def _condition(self):
        keys = [f"{key}.{spec.of[0].value}" if spec.of else key for key, spec in self.state.ruleset.conditions.items()]
        return self.one(*keys) if keys and self.mostly() else self.one("marked", "on_fire", "wounded", "impaired.nose", "tired")

    def condition(self):
        if not self.state.ruleset.conditions and self.mostly():
            return self.move()
        cmd = {
            "t": "SetCondition",
            "actors": [self.an_actor()] if self.mostly() else ["hero", "friend"],
            "condition": self._condition(),
            "amount": self.one(*[1] * 8, 2, 3, 0, -1, 99, 100, 9999),
            "expiry": self._expiry() if self.sometimes() else {},
            "luckEnds": self.sometimes(),
        }
        if self.sometimes():
            cmd["add"] = True
        if self.seldom():
            cmd["by"] = self.an_actor()
        if self.game != "sage_d20" and self.mostly():
            del cmd["luckEnds"]
        return cmd

    def relief(self):
        held = [(a.id, h.key, h.by) for a in self.state.actors.values() for h in a.conditions]
        actor, key, by = self.one(*held) if held and self.mostly() else (self.an_actor(), self._condition(), None)
        return {"t": "ClearCondition", "actor": actor, "condition": key, "by": by}

    def help(self):
        if self.state.ruleset.assist is None and self.mostly():
            return self.move()
        return {"t": "Assist", "actor": self.an_actor(), "helper": self.my_actor(), "action": self.one(*ACTIONS)}

    def answer(self):
        if not self.state.assists and self.mostly():
            return self.help()
        there = list(self.state.assists) or ["1.1"]
        return {"t": "AnswerAssist", "assist": self.one(*there), "accept": self.sometimes()}

    def move(self):
        verbs = {verb.key: verb for verb in self.state.ruleset.info(self.state.options).verbs}
        verb = (
            self.one(*verbs, *["give_boon"] * ("give_boon" in verbs))
            if verbs and self.mostly()
            else self.one("keep_initiative", "stagger_window", "fly")
        )
        args = {}
        for param in verbs[verb].params if verb in verbs else ():
            if param.kind == "flag":
                args[param.key] = self.sometimes()
            elif param.choices:
                args[param.key] = self.one(*(option.value for option in param.choices))
            else:
                args[param.key] = self.my_actor() if param.kind == "actor" else f"{param.group}.a"
        if self.seldom():
            args = self.one({}, {"nonsense": 1}, {**args, "skill": "skill"})
        return {"t": "Act", "verb": verb, "args": args}

    # --- together ---
    def asking(self):
        rules = self.state.ruleset
        group = self.one(*rules.groups)
        takes = group.checks or [key for key, spec in rules.checks.items() if not spec.asked]
        cmd = {
            "t": "RequestCheck",
            "checks": [self._asked(rules.checks[self.one(*takes)]) for _ in range(self.one(1, 1, 2, 3))],
            "mode": self.one(*MODES),
            "group": group.key if self.mostly() else "crowd",
            "action": self.one(*ACTIONS),
            "shown": self.sometimes(),
        }
        if group.difficulty is not None if self.mostly() else self.sometimes():
            cmd["difficulty"] = self.one(5, 12, 20)
        if self.sometimes():
            cmd["actors"] = self.one(["hero"], ["hero", "friend"], ["foe", "hero"], ["friend", "hero.token.t1"])
        if self.seldom():
            cmd["actors"] = self.one([], ["hero", "hero"], [NOBODY])
        if self.chance.random() < 0.3:
            cmd["minutes"] = self.one(1, 30, 1440)
        if any(rules.checks[key].targets == "required" for key in takes) or self.chance.random() < 0.2:
            cmd["target"] = self.an_actor()
        if self.chance.random() < 0.2:
            cmd["sources"] = [self._claim()]
        return cmd

    def _asked(self, spec):
        """A check with its difficulty; the rest may be its roller's to say."""
        params = self._params(spec)
        left = {key for key in params if key not in fixed(spec) and self.sometimes()}
        return {"check": spec.key, "params": {key: value for key, value in params.items() if key not in left}}

    def replying(self):
        there = [asking for asking in self.state.requests.values() if asking.open or self.seldom()]
        if not there:
            return self.asking() if self.role == "gm" and self.mostly() else self.roll()
        asking = self.one(*there)
        request = asking.record.id if self.mostly() else "1"
        waiting = [row.actor for row in asking.record.rows if row.status == "sent"]
        mine = [actor for actor in waiting if self.role == "gm" or self.user in self._owners(actor)]
        actor = self.one(*(mine or waiting)) if waiting and self.mostly() else self.an_actor()
        nth = self.whole(0, len(asking.checks) - 1) if self.mostly() else 7
        asked = asking.checks[min(nth, len(asking.checks) - 1)]
        spec = self.state.ruleset.checks[asked.check]
        missing = {key: value for key, value in self._params(spec).items() if key not in asked.params}
        params = {key: value for key, value in missing.items() if key not in fixed(spec)}
        if self.seldom():
            params["nonsense"] = 1
        cmd = {"t": "AnswerRequest", "request": request, "actor": actor, "nth": nth, "params": params, "mode": self.one(*MODES)}
        if self.state.opportunities and self.sometimes():
            cmd["opportunities"] = [self.one(*self.state.opportunities)]
        if self.game == "group_d12" and self.seldom():
            cmd["spendBefore"] = 1
        rest = {"t": "RollForAbsent", "request": request, "nth": nth, "params": params}
        if self.sometimes():
            rest["actors"] = [actor]
        end = {"t": "CloseRequest", "request": request}
        others = [{"t": "Decline", "request": request, "actor": actor}] + [rest, rest, end] * (self.role == "gm" or self.seldom())
        return cmd if self.chance.random() < 0.7 else self.one(*others)

    def _owners(self, actor):
        known = self.state.actors.get(actor)
        return known.owners if known is not None else ()

    def opportunity(self):
        if not self.state.opportunities and self.mostly():
            if self.game != "group_d12":
                return self.roll()
            params = {"skill": "skill.a", "difficulty": self.one(1, 5, 12), "sign": self.one("positive", "negative")}
            return {"t": "RollCheck", "check": "opportunity", "actors": [self.my_actor()], "params": params}
        there = list(self.state.opportunities) or ["1.1"]
        return {"t": "DropOpportunity", "opportunity": self.one(*there)}

    def session(self):
        running = self.state.evening.running
        usual = ("EndSession", "ContinueSession", "ContinueSession") if running else ("StartSession",)
        what = self.one(*usual) if self.mostly() else self.one("StartSession", "EndSession", "ContinueSession")
        cmd = {"t": what}
        if what == "StartSession" and self.sometimes():
            cmd["name"] = "The bridge"
        if what == "EndSession" and self.sometimes():
            cmd["actors"] = self.one([], ["hero"], ["hero", "friend"], ["hero", "hero"], [NOBODY], ["foe"])
        return cmd

    # --- corrections ---
    def correction(self):
        deeds = [deed for deed in self.state.deeds.values() if not deed.voided or self.seldom()][-20:]
        checks = [deed.opened for deed in deeds if deed.opened is not None]
        hidden = [opened for opened in checks if opened.mode != "public"]
        what = self.one(*["Void"] * 4, "Override", "Override", "Reveal", "Settle")
        if what in ("Reveal", "Settle"):
            check = self.one(*(hidden or checks)).rolled.check if checks and self.mostly() else "1.1"
            return {"t": what, "check": check}
        cmd = {"t": what, "confirm": self.chance.random() < 0.8, "reason": self.one("", "It was raining.")}
        if what == "Void":
            there = [deed.id for deed in deeds if not deed.id.startswith(("other/", "unseen/", "settled/"))]
            cmd["what"] = (
                self.one(*there) if there and self.mostly() else self.one("check/1.1", "correction/3", "request/2", "verb/2")
            )
            return cmd
        cmd["outcome"] = self.one(*OUTCOMES) if self.mostly() else "glorious"
        cmd["check"] = self.one(*checks).rolled.check if checks and self.mostly() else "1.1"
        return cmd

    # --- turns ---
    def turn(self):
        what = self.one("StartTurn", "EndTurn", "StartTurn", "EndTurn", "EndRound", "EndRound", "EndCombat")
        if self.sometimes() and (due := self._due()):
            return self.one(*due)
        cmd = {"t": what}
        if what in ("StartTurn", "EndTurn"):
            cmd["actor"] = self.my_actor()
        if what == "EndTurn" and self.sometimes():
            cmd["confirm"] = True
        if self.sometimes():
            cmd["combat"] = self.one("east", "west")
        if self.sometimes():
            cmd["round"] = self.one(1, 2, 3, 4, 5, 0, 9999)
        if self.sometimes():
            cmd["turn"] = self.one(0, 1, 2, 3, 9999)
        return cmd

    def _due(self):
        """What would make a clock strike that runs now."""
        ends = {"turn_start": "StartTurn", "turn_end": "EndTurn", "round_end": "EndRound", "combat_end": "EndCombat"}
        actors = self.state.actors.values()
        clocks = [g.expiry for a in actors for g in a.grants] + [h.expiry for a in actors for h in a.conditions]
        due = [{"t": ends[c.when], **({"actor": c.actor} if c.actor else {})} for c in clocks if c.when in ends]
        return due + [{"t": "EndRound"} for a in actors for h in a.conditions if h.luck_ends]

    def _waited_for(self):
        """Whose turn somebody else's Boon or condition waits for, who helps, and who gave what others have."""
        actors = list(self.state.actors.values())
        expiries = [(a.id, g.expiry.actor) for a in actors for g in a.grants]
        expiries += [(a.id, who) for a in actors for h in a.conditions for who in (h.expiry.actor, h.by)]
        return [who for bearer, who in expiries if who and who != bearer] + [o.helper for o in self.state.assists.values()]

    # --- table and people ---
    def actor(self):
        cmd = {"t": "SyncActor", "actor": self.one(*ACTORS)}
        if self.mostly():
            cmd["name"] = self.one("Hero", "Somebody else")
        if self.seldom():
            cmd["side"] = self.one("party", "opposition", "neutral")
        if cmd["actor"] == "passer_by" or self.seldom():
            cmd["owners"] = self.one([], ["pia"], ["pia", "quin"], ["gina"])
        if self.sometimes():
            cmd["numbers"] = sheet(self.game, self.chance) if self.mostly() else {"values": [{"key": "nonsense", "value": 1}]}
        return cmd

    def removal(self):
        return {"t": "RemoveActor", "actor": self.one(*self._waited_for(), self.an_actor())}

    def options(self):
        specs = [spec for spec in self.state.ruleset.info(self.state.options).option_specs if spec.key != "dice_public"]
        spec = self.one(*specs)
        if spec.values and self.mostly():
            value = self.one(*(option.value for option in spec.values))
        else:
            value = self.one(True, False, 0, 1, 2, 6, 10, None, "manual")
        if self.seldom():
            return {"t": "SetOptions", "options": self.one({"nonsense": 1}, {"boon_cap": 1000}, {"manual_dice": 1})}
        return {"t": "SetOptions", "options": {spec.key: value}}

    def house_rules(self):
        """The table's own data: as they are, changed a little, or such as no table takes."""
        if self.chance.random() < 0.2:
            return {"t": "SetTableData"}
        data = msgspec.to_builtins(self.state.data)
        own = {"key": self.one("tired", "lucky"), "label": "Tired", "own": self.whole(-2, 2), "against": self.whole(-1, 1)}
        own |= {"counted": self.sometimes(), "implies": self.one([], [], ["lucky"], ["tired"])}
        what = self.chance.random()
        if what < 0.5:
            data["conditions"] = [own] if self.mostly() else [own, {**own, "key": "lucky"}]
        elif what < 0.7:
            ladder = self.one(*data["ladders"]) if data["ladders"] else {"key": "dc", "steps": []}
            steps = [{"value": self.one(3, 7, 11, 90_000), "label": "odd"}]
            data["ladders"] = [{**each, "steps": steps} if each["key"] == ladder["key"] else each for each in data["ladders"]]
        elif what < 0.8:
            data["amounts"] = [{**each, "value": self.whole(0, 3)} for each in data["amounts"]]
        elif what < 0.9:
            data["circumstances"] = [{"id": "fog", "label": "Fog", "sign": "bane"}]
        else:
            data |= self.one({"ruleset": "chess"}, {"rankDice": [-4] * 6}, {"levelStep": 0}, {"xpPerLevel": self.whole(1, 3)})
        cmd = {"t": "SetTableData", "data": data}
        if self.seldom():
            cmd["options"] = self.one({"nonsense": 1}, {"manual_dice": True})
        return cmd

    def people(self):
        user = self.one("gina", "pia", "quin", "olga", "stranger", "bridge")
        if self.seldom():
            return {"t": "RevokeAccess", "user": user}
        if self.chance.random() < 0.3:
            return self.one(
                {"t": "SetRole", "user": user, "role": self.one("player", "observer", "gm")},
                {"t": "SetRole", "user": user, "role": self.one("player", "gm")},
                {"t": "EraseName", "user": user},
                {"t": "RemoveOrigin", "origin": "https://elsewhere.example"},
            )
        return {"t": "Invite", "user": user, "name": "X", "role": self.one("player", "player", "observer", "gm")}
