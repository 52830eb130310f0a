"""A player who wants to know what is hidden from him, over a whole evening, by anything that he may send or look at.

He is told of one world. The evening is played in others too, that differ from his in one or two secrets and in nothing else
(``adversary_worlds.py``). Where he is sent one byte in another world that he is not sent in his, he can tell the two apart, by
whatever reasoning; so this is the strongest adversary there is. What he may learn is what the solver learns, who has the
rules and the cards alone (``solver.py``). ``Learned`` is raised where the player knows more, ``Claimed`` where the solver does.

He tries, too: he keeps what the solver left possible and aims his rolls at the middle of it, asks for previews of all kinds,
foresees, takes choices of rolls that he has never heard of, and asks for the past.
"""

import random

import msgspec

from tests.support.adversary_games import GAMES, LEVELS, SIGNS
from tests.support.adversary_worlds import START, World
from tests.support.solver import SETTLES, Card, Solver

SECRET_MODES = ("secret", "gm")


class Learned(AssertionError):  # noqa: N818 - no mistake, but what he did
    """A player can tell that a secret is not this, and the totals and verdicts that he was shown do not say so."""

    def __init__(self, probe, secrets, mine, there):
        super().__init__(f"by {probe} he learns that it is not {secrets}\n  in his world: {mine}\n  in that one:  {there}")
        self.probe = probe


class Claimed(AssertionError):  # noqa: N818 - the same
    """The solver leaves out what the player cannot: it would hide a leak."""


class Evening:
    """One evening of a game. ``width``: worlds for each secret; ``length``: how much is said and looked at.

    ``aloud``: GMs say some of what was hidden out loud, and the solver is told as much.
    """

    def __init__(self, game, seed, *, width=4, length=30, aloud=True):
        self.game, self.known = game, GAMES[game]
        self.any = random.Random(f"{game} {seed}")
        self.options = self.known.options(self.any)
        self.player = self.any.choice(("pia", "pia", "quin"))
        self.mine, self.theirs = ("hero", "friend") if self.player == "pia" else ("friend", "hero")
        self.ally = "quin" if self.player == "pia" else "pia"
        self.width, self.length, self.aloud_at_all = width, length, aloud
        self.crowded = self.any.random() < 0.25
        """Hidden grants are so large here that with them some rolls would be of too many dice; then GMs settle nothing."""
        self.truth = World(game, seed, self.player)
        self.others = []
        self.solver = Solver(game, self.options)
        self.spans = {}
        self.requests = {}
        self.open_request = "1"
        self.checks = {}
        self.dark = {}
        self.by_level = {}
        self.blind = []
        self.grants = {}
        self.public_grants = []
        self.aloud = None
        self.last_hidden = None
        self.hides = 0
        self.tried = {}
        self.apart = 0
        self.told = []

    # --- the worlds ---
    def everywhere(self, probe, act, *, past=False):
        """Let something happen in every world, and look who can be told apart by what came of it. ``past``: it was told before."""
        self.tried[probe] = self.tried.get(probe, 0) + 1
        told = act(self.truth)
        news = not past and self.hear(told)
        self.told += () if past else told
        same = []
        for world in self.others:
            there = act(world)
            if there == told:
                if news and not self.fits(world):
                    raise Claimed(f"{probe}: {self.different(world)} of {self.truth.secrets}")
                same.append(world)
            elif self.fits(world):
                mine, other = next((a, b) for a, b in _side_by_side(told, there) if a != b)
                raise Learned(probe, self.different(world), *_where(mine, other))
            else:
                self.apart += 1
        self.others = same
        return told

    def different(self, world):
        return {name: value for name, value in world.secrets.items() if value != self.truth.secrets[name]}

    def fits(self, world):
        return all(self.solver.fits(name, value) for name, value in self.different(world).items())

    def secret(self, name, span, near=None):
        """Something is hidden from now on: one of ``span`` here, others in other worlds."""
        value = self.any.choice(span)
        others = [each for each in span if each != value]
        if near is not None:
            others.sort(key=lambda each: abs(each - value))
            others = [*others[: near + 1], *self.any.sample(others[near + 1 :], min(2, len(others[near + 1 :])))]
        others = self.any.sample(others, min(self.width, len(others)))
        self.spans[name] = span
        for world in self.others:
            world.secrets[name] = value if self.any.random() < 0.8 else self.any.choice(span)
        self.truth.secrets[name] = value
        self.others += [self.truth.fork(**{name: other}) for other in others]

    # --- what he was shown ---
    def hear(self, told):
        """Take what the player was told. Whether it says anything of a secret."""
        before = len(self.solver.cards) + len(self.solver.sums) + len(self.solver.told)
        for frame in map(msgspec.json.decode, told):
            for event in frame["events"] if frame["t"] == "logged" else ():
                self.heard(event)
        return len(self.solver.cards) + len(self.solver.sums) + len(self.solver.told) > before

    def heard(self, event):
        match event:
            case {"t": "CheckRolled", "rolled": rolled, "result": result}:
                self.checks[rolled["check"]] = self.as_compared(rolled)
                self.card(rolled["check"], result)
            case {"t": "Chosen", "check": check, "result": dict() as result} if check in self.checks:
                self.card(check, result)
            case {"t": "Revealed", "rolled": rolled, "result": result}:
                self.checks[rolled["check"]] = self.as_compared(rolled)
                self.card(rolled["check"], result)
                if (name := self.by_level.get(rolled["check"])) is not None:
                    self.solver.is_told(name, [self.truth.secrets[name]])  # each way to fall has faces of its own
            case {"t": "Overridden", "check": check}:
                self.checks.pop(check, None)  # what a GM says it came to tells no number
            case {
                "t": "RequestClosed" | "GroupRecounted",
                "request": request,
                "result": {"total": int() as total, "success": success},
            }:
                if (secret := self.requests.get((request, "together"))) is not None:
                    self.solver.sum(secret, total, success)
            case {"t": "Settled", "effects": effects} if self.aloud is not None:
                self.solver.settled(self.aloud, effects)
            case {"t": "Granted", "grant": {"sign": sign, "amount": amount}} if self.aloud is not None:
                self.solver.is_told(self.aloud, [(sign, amount)])

    def card(self, check, result):
        secret, kind, resisted = self.checks[check]
        if secret is not None:
            dice = tuple((die["role"], die["face"], die["kept"]) for die in result["dice"])
            self.solver.card(Card(secret, kind, dice, result["net"], result["total"], result["outcome"], resisted))

    def as_compared(self, rolled):
        """With which secret a roll was compared (or none), as what check, and whether somebody resisted."""
        secret = None
        if rolled.get("target") is None:
            kinds = (rolled["kind"], rolled["params"].get(self.known.fixes))
            secret = next(
                (self.requests[rolled["request"], kind] for kind in kinds if (rolled["request"], kind) in self.requests), None
            )
            if secret is None and str(rolled.get("opponent")).startswith("foe"):
                secret = self.known.resisting(rolled)
        return secret, rolled["kind"], rolled.get("opponent") is not None

    def left(self):
        """Of each number that is hidden: how many values the solver leaves, of how many."""
        numbers = [name for name, span in self.spans.items() if isinstance(span, range)]
        return [(len(self.solver.possible(name, self.spans[name])), len(self.spans[name])) for name in numbers]

    # --- the evening ---
    def play(self):
        self.seat()
        for _ in range(self.length):
            move = self.any.choice(self.moves())
            move()
        self.ends()
        return self

    def moves(self):
        others = (self.gm_asks, self.gm_rolls, self.gm_rolls, self.gm_hides, self.gm_hides, self.gm_grants)
        others = (*others, self.gm_moves, self.gm_moves, self.ally_rolls, self.ally_rolls)
        his = (self.looks, self.looks, self.foresees, self.answers, self.answers, self.attacks, self.attacks, self.tries)
        his = (*his, self.looks_back, self.rolls_blind, self.takes_choices)
        return (*others, *his)

    def seat(self):
        sheets = self.known.sheets
        if self.options:
            self.gm_says("chooses readings", {"t": "SetOptions", "options": self.options})
        for actor, owner in (("hero", "pia"), ("friend", "quin")):
            self.sync(actor, side="party", owners=[owner], numbers=sheets[actor])
        for key, span in self.known.numbers.items():
            self.secret(key, span, near=2)
        self.everywhere("a foe comes", lambda world: world.says(self.known.foe(world.secrets), "gina"))
        self.everywhere("the evening begins", lambda world: world.says({"t": "StartSession"}, "gina"))
        self.gm_boons()
        self.gm_asks()

    def sync(self, actor, **facts):
        self.everywhere(
            "an actor comes", lambda world: world.says({"t": "SyncActor", "actor": actor, "name": actor, **facts}, "gina")
        )

    def ends(self):
        self.everywhere("the evening ends", lambda world: world.says({"t": "EndSession"}, "gina"))
        self.everywhere("the table anew", lambda world: world.fresh(), past=True)
        self.everywhere("what was missed", lambda world: world.resumed(0), past=True)
        for seq in range(START + 1, self.seq + 1):
            self.everywhere("a proof", lambda world, seq=seq: world.proof(seq), past=True)

    @property
    def seq(self):
        return self.truth.state.seq

    # --- what game masters do ---
    def gm_says(self, probe, cmd):
        self.everywhere(f"a GM: {probe}", lambda world: world.says(cmd, "gina"))

    def gm_says_aloud(self, probe, name, cmd):
        """What tells of a secret (or of none), where there is something to tell: otherwise no GM does it."""
        if self.aloud_at_all and any(b'"logged"' in frame[:20] for frame in self.truth.fork().says(cmd, "gina")):
            self.aloud = name
            self.gm_says(probe, cmd)
            self.aloud = None

    def gm_asks(self):
        """A difficulty that is not shown; in group_d12 also of a challenge together."""
        if self.any.random() < 0.2:
            self.gm_asks_for_either()
            return
        name = f"difficulty {self.seq + 1}"
        group, asked = self.any.choice(self.known.asks)
        self.secret(name, self.known.together if group == "challenge" else self.known.difficulties, near=2)
        actors = self.any.choice((["hero", "friend"], [self.mine]))
        mode = self.any.choice(("public", "public", "public", "gm", "blind"))
        target = ["foe"] if asked.get("resists") else []

        def ask(world):
            hidden = world.secrets[name]
            check = {"check": asked["check"], "params": dict(asked.get("params", {}))}
            cmd = {"t": "RequestCheck", "checks": [check], "actors": actors, "shown": False, "mode": mode, "group": group}
            if group == "challenge":
                cmd["difficulty"] = hidden
            elif not target:
                check["params"][self.known.difficulty] = hidden
            return world.says({**cmd, "target": target[0]} if target else cmd, "gina")

        before = self.seq
        self.everywhere("a GM asks", ask)
        if self.seq > before:
            self.open_request = str(self.seq)
            if not target:
                self.requests[self.open_request, "together" if group == "challenge" else asked["check"]] = name

    def gm_asks_for_either(self):
        """One of two checks, each with a difficulty of its own that is not shown."""
        names = [f"{word} difficulty {self.seq + 1}" for word in ("easier", "harder")]
        for name in names:
            self.secret(name, self.known.difficulties, near=1)
        check, key, values = self.known.either

        def ask(world):
            params = [{key: value, self.known.difficulty: world.secrets[name]} for name, value in zip(names, values, strict=True)]
            checks = [{"check": check, "params": each} for each in params]
            return world.says({"t": "RequestCheck", "checks": checks, "actors": ["hero", "friend"], "shown": False}, "gina")

        self.everywhere("a GM asks for either", ask)
        self.open_request = str(self.seq)
        self.requests.update({(self.open_request, value): name for name, value in zip(names, values, strict=True)})

    def gm_rolls(self):
        """In secret, for anybody; perhaps nobody did."""
        actor, mode = self.any.choice(("hero", "friend", "foe", self.mine)), self.any.choice(SECRET_MODES)
        cmd = {**self.known.roll(self.any, actor), "mode": mode}
        self.dark_roll(cmd, "gina")

    def dark_roll(self, cmd, by):
        name = f"hidden roll {self.seq + 1}"
        self.secret(name, [*LEVELS, None])

        def roll(world):
            level = world.secrets[name]
            return world.hidden(cmd if level else None, by, level=level)

        self.everywhere("others roll in secret", roll)
        self.dark[f"{self.seq}.1"] = (name, by)
        self.by_level[f"{self.seq}.1"] = name

    def gm_settles(self):
        """What a hidden roll did to the table is said out loud; he learns by it how that fell, and nothing else."""
        check = self.one(self.dark)
        if check is None:
            return
        name, by = self.dark.pop(check)
        settles = SETTLES[self.game]
        if by != "gina" or self.crowded or self.any.random() < 0.5:
            return
        if self.game == "group_d12":
            self.everywhere("a GM accepts", lambda w: w.hidden({"t": "Choose", "check": check, "choice": "accept"}, "gina"))
        if self.truth.secrets[name] in settles:
            self.gm_says_aloud("settles", name, {"t": "Settle", "check": check})

    def gm_reveals_rolls(self):
        """A hidden roll comes out, or what the player rolled blind. Where nothing hidden may have counted on it: that would be told."""
        check = self.one([*self.dark, *self.blind])
        if check is None or self.last_hidden is not None or self.truth.secrets.get(self.by_level.get(check), 0) is None:
            return
        self.dark.pop(check, None)
        self.gm_says_aloud("reveals a roll", None, {"t": "Reveal", "check": check})

    def gm_overrules(self):
        check = self.one(self.checks)
        if check is not None:
            outcome = self.any.choice(("success", "failure", "critical_success"))
            self.gm_says_aloud("overrules", None, {"t": "Override", "check": check, "outcome": outcome, "confirm": True})

    def gm_voids(self):
        check = self.one(self.dark)
        if check is not None:
            cmd = {"t": "Void", "what": f"check/{check}", "confirm": True}
            self.everywhere("a hidden roll is taken back", lambda world: world.hidden(cmd, "gina"))
            del self.dark[check]

    def gm_hides(self):
        """A Boon or Bane that only GMs know of, for the player, his friend or the foe; perhaps there is none."""
        name = f"hidden grant {self.seq + 1}"
        self.secret(name, [None, ("boon", 1), ("bane", 1), ("boon", 3), ("bane", 100 if self.crowded else 2)])
        actor = self.any.choice((self.mine, self.mine, "foe", "friend"))
        when = self.any.choice(("none", "next_roll", "next_roll_against", "turn_end", "round_end", "session_end"))
        side = "against" if actor == "foe" else self.any.choice(("own", "own", "against"))

        def give(world):
            given = world.secrets[name]
            return world.hidden(given and hidden_grant(name, actor, given, when=when, side=side), "gina")

        self.everywhere("a GM gives in secret", give)
        self.last_hidden = hidden_grant(name, actor, ("boon", 1), when=when, side=side)
        self.hides += 1
        self.grants[f"{self.seq}.1"] = (name, when)

    def gm_reveals(self):
        grant = self.one({grant: how for grant, how in self.grants.items() if how[1] == "none"})
        if grant is None:
            return
        name, _ = self.grants.pop(grant)
        if self.truth.secrets[name] is not None and self.hides <= 3:  # with more of them some were beyond the limit elsewhere
            self.gm_says_aloud("reveals a grant", name, {"t": "RevealGrant", "grant": grant})

    def gm_takes_back(self):
        grant = self.one(self.grants)
        if grant is not None:
            cmd = self.any.choice(
                ({"t": "RevokeGrant", "grant": grant}, {"t": "Void", "what": f"grant/{grant}", "confirm": True})
            )
            self.everywhere("a GM takes back in secret", lambda world: world.hidden(cmd, "gina"))
            del self.grants[grant]

    def gm_grants(self):
        """Open Boons and Banes: used up by open rolls, and by no others."""
        actor, sign = self.any.choice((self.mine, "friend", "foe")), self.any.choice(SIGNS)
        when = self.any.choice(("next_roll", "next_roll", "none", "next_roll_against", "turn_end"))
        source = {"id": f"known.{self.any.randint(1, 3)}", "label": "Known to all"}
        grant = {"t": "Grant", "actors": [actor], "sign": sign, "source": source, "expiry": {"when": when}}
        if self.last_hidden is not None and self.any.random() < 0.4:
            grant = {**self.last_hidden, "hidden": False}  # what some have been given in secret, now to be seen by all
        self.gm_says("grants", grant)
        self.public_grants.append(f"{self.seq}.1")

    def gm_conditions(self):
        """What stands on somebody for all to see, and is used up by open rolls alone."""
        if self.known.conditions:
            condition, amount = self.any.choice(self.known.conditions)
            actor = self.any.choice((self.mine, "friend", "foe"))
            cmd = {"t": "SetCondition", "actors": [actor], "condition": condition, "amount": amount, "add": amount > 1}
            self.gm_says("sets a condition", cmd)

    def gm_asks_in_secret(self):
        """A request that only GMs know of; perhaps there is none. Then they roll for everybody."""
        name = f"secret request {self.seq + 1}"
        asked = self.known.asks[0][1]
        self.secret(name, [None, self.known.difficulties[0], self.known.difficulties[-1]])

        def ask(world):
            hidden = world.secrets[name]
            checks = [{"check": asked["check"], "params": {self.known.difficulty: hidden}}]
            cmd = {"t": "RequestCheck", "checks": checks, "actors": ["hero", "friend"], "mode": "secret"}
            return world.hidden(None if hidden is None else cmd, "gina")

        self.everywhere("a GM asks in secret", ask)
        cmd = {"t": "RollForAbsent", "request": str(self.seq), "params": self.known.open_params(self.any)}
        self.everywhere("a GM rolls for all in secret", lambda world: world.hidden(cmd, "gina"))

    def gm_boons(self):
        if self.game == "group_d12":
            for _ in range(self.any.randint(0, 2)):
                self.gm_says("gives a Boon", {"t": "Act", "verb": "give_boon"})

    def gm_moves(self):
        moves = (self.gm_settles, self.gm_settles, self.gm_voids, self.gm_reveals, self.gm_takes_back, self.gm_asks_in_secret)
        moves = (*moves, self.gm_reveals_rolls, self.gm_reveals_rolls, self.gm_overrules)
        self.any.choice((*moves, self.gm_boons, self.gm_clocks, self.gm_clocks, self.gm_conditions))()

    def gm_clocks(self):
        actor = self.any.choice(("hero", "friend", "foe"))
        check = self.one(self.checks)
        cmd = self.any.choice((
            {"t": "StartTurn", "actor": actor},
            {"t": "EndTurn", "actor": actor, "confirm": True},
            {"t": "EndRound"},
            {"t": "CloseRequest", "request": self.open_request},
            {"t": "SyncActor", "actor": "foe", "name": self.any.choice(("The foe", "A foe"))},
            {"t": "SetOptions", "options": {"player_sources": self.any.choice(("marked", "free"))}},
            *([{"t": "Void", "what": f"check/{check}", "confirm": True}] if check else []),
        ))  # fmt: skip
        self.gm_says(cmd["t"], cmd)

    # --- what others of the party do ---
    def ally_rolls(self):
        """His friend plays: in the open, or so that only GMs and the friend see it."""
        if self.any.random() < 0.5:
            self.dark_roll({**self.known.roll(self.any, self.theirs), "mode": "gm"}, self.ally)
            return
        answer = {
            "t": "AnswerRequest",
            "request": self.open_request,
            "actor": self.theirs,
            "params": self.known.open_params(self.any),
        }
        cmd = self.any.choice((answer, self.known.roll(self.any, self.theirs)))
        self.everywhere("a friend rolls", lambda world: world.says(cmd, self.ally))
        if self.any.random() < 0.5:
            choice = self.any.choice(self.known.choices)
            cmd = {"t": "Choose", "check": f"{self.seq}.1", "choice": choice}
            self.everywhere("a friend chooses", lambda world: world.says(cmd, self.ally))

    # --- what the player tries ---
    def says(self, probe, cmd):
        self.everywhere(probe, lambda world: world.says(cmd, self.player))

    def looks(self):
        """A preview, with whatever a dialog could say and more."""
        cmd = self.any.choice((self.his_roll, self.his_attack, self.his_answer))()
        if self.any.random() < 0.3:
            cmd["mode"] = self.any.choice(("gm", "blind", "self", "secret"))
        if self.any.random() < 0.3:
            cmd["spendBefore"] = self.any.randint(1, 3)
        if self.any.random() < 0.2:
            cmd["changed"] = "Another approach"
        if self.any.random() < 0.2:
            cmd["opportunities"] = [self.some_check()]
        self.everywhere(f"preview of {cmd['t']}", lambda world: world.preview(cmd))

    def foresees(self):
        cmd = self.any.choice((*self.odd_commands(), self.his_choice(), self.his_roll(), self.his_attack(), self.his_answer()))
        self.everywhere(f"foresight of {cmd['t']}", lambda world: world.foresee(cmd))

    def answers(self):
        """What was asked of him; then he keeps it, or spends a Boon where he may."""
        cmd = self.his_answer()
        if self.any.random() < 0.3:
            cmd["mode"] = self.any.choice(("gm", "gm", "blind", "secret", "self"))
        if self.any.random() < 0.1:
            cmd["spendBefore"] = 1
        self.perhaps_by_hand(cmd)
        if self.any.random() < 0.2:
            cmd["params"] = {**cmd["params"], self.known.difficulty: self.any.choice(self.known.difficulties)}
        self.everywhere("preview before it", lambda world: world.preview(cmd))
        self.says("an answer", cmd)
        if self.any.random() < 0.4:
            self.takes_choices(f"{self.seq}.1")

    def attacks(self):
        """A number of the foe, aimed at the middle of what is left of it."""
        cmd = self.his_attack()
        if self.any.random() < 0.3:
            cmd["mode"] = self.any.choice(("gm", "self", "secret"))
        self.everywhere("preview before it", lambda world: world.preview(cmd))
        self.perhaps_by_hand(cmd)
        self.says("a roll against a foe" if cmd.get("targets") else "a roll", cmd)
        if self.any.random() < 0.3:
            self.takes_choices(f"{self.seq}.1")

    def rolls_blind(self):
        """His own, of which he is told only that it was made."""
        name = f"blind roll {self.seq + 1}"
        self.secret(name, list(LEVELS))
        cmd = {**self.any.choice((self.his_roll, self.his_attack))(), "mode": "blind"}
        self.perhaps_by_hand(cmd)
        before = self.seq
        self.everywhere("a blind roll", lambda world: world.says(cmd, self.player, level=world.secrets[name]))
        if self.seq > before:
            self.blind.append(f"{self.seq}.1")
            if "faces" not in cmd:
                self.by_level[f"{self.seq}.1"] = name

    def takes_choices(self, check=None):
        cmd = self.his_choice()
        self.says("a choice", {**cmd, "check": check or cmd["check"]})

    def tries(self):
        cmd = self.any.choice(self.odd_commands())
        self.says(cmd["t"], cmd)

    def looks_back(self):
        seq = self.any.randint(0, self.seq)
        look = self.any.choice((
            ("the table anew", lambda world: world.fresh()),
            ("what was missed", lambda world: world.resumed(seq)),
            ("a proof", lambda world: world.proof(seq)),
        ))  # fmt: skip
        self.everywhere(*look, past=True)

    # --- his commands ---
    def his_roll(self):
        cmd = self.known.roll(self.any, self.mine)
        return {**cmd, "sources": self.claims(self.any.randint(-2, 3))} if self.any.random() < 0.5 else cmd

    def his_attack(self):
        if not self.known.attacks:
            return self.his_roll()
        target = self.any.choice(("foe", "foe", "foe", "foe.token.one"))
        cmd = dict(self.any.choice(self.known.attacks), actors=[self.mine], targets=[target])
        if self.truth.state.options.ad_hoc == "everyone" and self.any.random() < 0.3:
            del cmd["actors"]
            cmd["adHoc"] = {"name": "Somebody", "numbers": self.known.sheets[self.mine]}
        return {**cmd, "sources": self.claims(self.aim(self.known.resisting({"kind": cmd["check"], "params": cmd["params"]})))}

    def his_answer(self):
        request = self.open_request if self.any.random() < 0.8 else str(self.any.randint(1, self.seq + 1))
        actor = self.mine if self.any.random() < 0.9 else self.theirs
        params = self.known.open_params(self.any) if self.any.random() < 0.7 else {}
        return {"t": "AnswerRequest", "request": request, "actor": actor, "params": params, "nth": self.any.choice((0, 0, 1))}

    def perhaps_by_hand(self, cmd):
        """Faces of his own, as many as he likes: how many are taken could tell something."""
        if self.truth.state.options.manual_dice and self.any.random() < 0.5:
            cmd["faces"] = [self.any.randint(1, 12) for _ in range(self.any.randint(1, 4))]

    def his_choice(self):
        return {"t": "Choose", "check": self.some_check(), "choice": self.any.choice(self.known.choices)}

    def some_check(self):
        return f"{self.any.randint(max(1, self.seq - 8), self.seq + 1)}.{self.any.choice((1, 1, 1, 2))}"

    def aim(self, name):
        """Boons (or Banes, below zero) that bring a roll nearest to the middle of what is still possible."""
        left = self.solver.possible(name, self.spans[name])
        middle, lowest = left[len(left) // 2], self.spans[name][0]
        share = (middle - lowest) / max(1, self.spans[name][-1] - lowest)
        return round((share - 0.4) * 5)

    def claims(self, net):
        sign = SIGNS[net < 0]
        return [{"id": f"mine.{n}", "label": "As he says", "sign": sign} for n in range(abs(net))]

    def odd_commands(self):
        check, known = self.some_check(), self.any.choice((self.mine, self.theirs, "foe"))
        grant = self.one(self.grants) or self.one(dict.fromkeys(self.public_grants)) or check
        return [
            {"t": "Void", "what": f"check/{check}", "confirm": True},
            {"t": "Void", "what": f"grant/{grant}", "confirm": True},
            {"t": "Reveal", "check": check},
            {"t": "Settle", "check": check},
            {"t": "RevokeGrant", "grant": grant},
            {"t": "RevealGrant", "grant": grant},
            {"t": "RollDice", "formula": "2d6+1", "actor": known},
            {"t": "Assist", "actor": self.theirs, "helper": self.mine},
            {"t": "AnswerAssist", "assist": check, "accept": False},
            {"t": "Decline", "request": str(self.any.randint(1, self.seq)), "actor": self.theirs},
            {"t": "EndTurn", "actor": self.mine},
            {"t": "StartTurn", "actor": self.mine},
            {"t": "RemoveActor", "actor": known},
            {"t": "SyncActor", "actor": self.mine, "numbers": self.known.sheets[self.mine]},
            {"t": "SyncActor", "actor": "foe", "numbers": self.known.sheets[self.mine]},
            {"t": "DropOpportunity", "opportunity": check},
            {"t": "CloseRequest", "request": self.open_request},
            {"t": "Override", "check": check, "outcome": "success", "confirm": True},
            {"t": "SetOptions", "options": {"show_targets": True}},
            *self.known.verbs(self.any, self.mine),
        ]

    def one(self, some):
        return self.any.choice(sorted(some)) if some else None


def hidden_grant(name, actor, given, *, when, side):
    sign, amount = given
    return {
        "t": "Grant",
        "actors": [actor],
        "sign": sign,
        "amount": amount,
        "source": {"id": name.replace(" ", "."), "label": "Known to few"},
        "scope": {"side": side},
        "expiry": {"when": when},
        "hidden": True,
    }


def _side_by_side(told, there):
    longest = max(len(told), len(there))
    return zip([*told, *[b""] * (longest - len(told))], [*there, *[b""] * (longest - len(there))], strict=True)


def _where(mine, other):
    """The two frames around the first byte that differs."""
    at = next((i for i, (a, b) in enumerate(zip(mine, other, strict=False)) if a != b), min(len(mine), len(other)))
    return [f"…{frame[max(0, at - 120) : at + 80].decode(errors='replace')}…" for frame in (mine, other)]
