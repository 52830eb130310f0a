"""Whole evenings of all games, at random: people come, go, retry and change roles, the server restarts.

After every step: the state that lives is the state that the log gives; whoever only takes over what he is told has on
his screen what a fresh ``state`` would show him; nothing is an accident of ours; and at the end, nobody was told a
seed that he may not have.
"""

import pytest
import structlog
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from boonbridge.core.ladder import rung
from boonbridge.core.visibility import Viewer, readable
from boonbridge.tables import serving
from boonbridge_schemas.base import PARTS
from boonbridge_schemas.client import Withdraw
from tests.support.evening import GAMES, ROLES
from tests.support.house import House
from tests.support.random_evening import RandomEvening, machine

ACTORS = ("hero", "friend", "foe", "adhoc.pia", "new")
PEOPLE = sorted(ROLES)


# --- what people send -------------------------------------------------------------------------------------------
def numbers(game):
    """A sheet that a game takes."""
    specs = GAMES[game].info(GAMES[game].options()).numbers
    lines = []
    for spec in specs:
        keys = [f"{spec.key}.a", f"{spec.key}.b"] if spec.group else [spec.key]
        values = st.sampled_from([c.value for c in spec.choices]) if spec.choices else st.integers(spec.min, spec.max)
        lines += [st.fixed_dictionaries({"key": st.just(key), "value": values}) for key in keys]
    attacks = [
        {"id": "hit", "name": "Hit", "attribute": key, "onCrit": {"name": "Ouch", "amount": 99}}
        for key in ([] if not GAMES[game].attacks else ["attribute.a"] if game == "public_d20" else ["agility"])
    ]
    return st.tuples(*lines).map(lambda values: {"values": list(values), "attacks": attacks})


def sheets(game):
    full = numbers(game)
    return st.one_of(full, full, st.just({"values": [{"key": "nonsense", "value": 1}]}), st.just({}))


def params(spec):
    """Parameters of a check: mostly good ones."""
    fields = {}
    for param in spec.params:
        if param.kind == "integer":
            values = st.integers(param.min, param.max)
        elif param.choices:
            values = st.sampled_from([choice.value for choice in param.choices])
        elif param.kind == "number":
            values = st.sampled_from([f"{param.group}.a", f"{param.group}.a", f"{param.group}.b"])
        elif param.kind == "attack":
            values = st.just("hit")
        else:
            values = st.sampled_from(["hero", "friend"])
        fields[param.key] = values
    optional = {param.key: fields.pop(param.key) for param in spec.params if not param.required}
    return st.fixed_dictionaries(fields, optional=optional)


amounts = st.sampled_from([1, 1, 1, 1, 1, 2, 3, 0, 30, 99, 5000, 9999])
signs = st.sampled_from(["boon", "bane"])
sources = st.lists(
    st.fixed_dictionaries({"id": st.sampled_from(["a", "b", "luck"]), "label": st.just("x"), "sign": signs, "amount": amounts}),
    max_size=4,
)
scopes = st.fixed_dictionaries(
    {},
    optional={
        "side": st.sampled_from(["own", "against"]),
        "targets": st.just(["foe"]),
        "reach": st.sampled_from(["roll", "target"]),
        "action": st.sampled_from(["", "climb"]),
    },
)


def rolls(game):
    def of(key):
        spec = GAMES[game].checks[key]
        needed = {
            "t": st.just("RollCheck"),
            "check": st.just(key),
            "params": params(spec),
            "actors": st.sampled_from([["hero"], ["hero"], ["friend"], ["foe"], ["hero", "friend"], ["nobody"]]),
        }
        targets = st.sampled_from([["foe"], ["foe"], ["foe", "friend"], ["hero"]])
        if spec.targets == "required":
            needed["targets"] = targets
        elif spec.targets == "optional":
            needed["targets"] = st.one_of(targets, st.just([]))
        return st.fixed_dictionaries(
            needed,
            optional={
                "mode": st.sampled_from(["public", "gm", "blind", "secret", "self"]),
                "sources": sources,
                "off": st.sampled_from([[], ["luck"]]),
                "spendBefore": st.sampled_from([0, 0, 1, 2]),
                "action": st.sampled_from(["", "climb"]),
            },
        )

    def free(roll, sheet):
        return {**roll, "actors": [], "adHoc": {"name": "Somebody", "numbers": sheet}}

    complete = st.sampled_from(sorted(GAMES[game].checks)).flatmap(of)
    return st.one_of(complete, complete, complete, st.builds(free, complete, numbers(game)))


choices = st.fixed_dictionaries(
    {"t": st.just("Choose"), "check": st.integers(0, 3), "choice": st.sampled_from(["accept", "spend", "push", "stop"])}
)


def commands(game):
    """What else anybody may send."""
    options = GAMES[game].info(GAMES[game].options()).option_specs
    values = {
        spec.key: st.sampled_from([value.value for value in spec.values])
        if spec.values
        else st.booleans()
        if isinstance(spec.default, bool)
        else st.integers(spec.min, min(spec.max, 20))
        for spec in options
        if spec.values or spec.max is not None
    }
    users = st.sampled_from(PEOPLE)
    return st.one_of(
        st.just({"t": "Act", "verb": "give_boon"}),
        st.fixed_dictionaries(
            {"t": st.just("SyncActor"), "actor": st.sampled_from(ACTORS)},
            optional={
                "name": st.sampled_from(["Hero", "Somebody else"]),
                "side": st.sampled_from(["party", "opposition", "neutral"]),
                "owners": st.lists(users, max_size=2, unique=True),
                "numbers": sheets(game),
            },
        ),
        st.fixed_dictionaries({"t": st.just("RemoveActor"), "actor": st.sampled_from(ACTORS)}),
        st.fixed_dictionaries(
            {
                "t": st.just("Grant"),
                "actors": st.lists(st.sampled_from(ACTORS), min_size=1, max_size=2, unique=True),
                "sign": signs,
                "source": st.fixed_dictionaries({"id": st.sampled_from(["luck", "a"]), "label": st.just("x")}),
                "amount": st.sampled_from([1, 1, 2, 100]),
                "scope": scopes,
                "expiry": st.fixed_dictionaries(
                    {"when": st.sampled_from(["none", "next_roll", "next_roll_against", "round_end"])}
                ),
            }
        ),
        st.fixed_dictionaries({"t": st.just("RevokeGrant"), "grant": st.integers(0, 3)}),
        st.sampled_from(sorted(values)).flatmap(
            lambda key: st.fixed_dictionaries({"t": st.just("SetOptions"), "options": st.fixed_dictionaries({key: values[key]})})
        ),
        st.fixed_dictionaries(
            {
                "t": st.just("Invite"),
                "user": users,
                "name": st.just("X"),
                "role": st.sampled_from(["gm", "player", "player", "observer"]),
            }
        ),
        st.fixed_dictionaries({"t": st.just("RevokeAccess"), "user": users}),
    )


class Evening(RandomEvening):
    people = ROLES

    def __init__(self):
        super().__init__()
        self.answered = {}

    @initialize(data=st.data())
    def sit_down(self, data):
        structlog.configure(processors=[self.logs])
        self.house = House(self.game)
        self.run(self.house.hub.new_table(self.house.row))
        for user in PEOPLE:
            self.run(self.come(user))
        if self.game == "public_d20":
            self._sent("gina", {"t": "SetOptions", "options": {"dice_public": False}})
        for actor, side, owners in (("hero", "party", ["pia", "quin"]), ("friend", "party", ["quin"]), ("foe", "opposition", [])):
            sheet = data.draw(numbers(self.game))
            self._sent(
                "gina", {"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": sheet}
            )

    # --- coming and going ---
    @rule(user=st.sampled_from(PEOPLE), anew=st.booleans(), leave_first=st.booleans())
    def comes_back(self, user, anew, leave_first):
        self.goes(user)
        if not leave_first:
            self.run(self.come(user, anew=anew))

    @rule()
    def server_restarts(self):
        self.restart()

    # --- saying ---
    def _sent(self, user, cmd, id=None):
        cmd = self._filled_in(cmd)
        id = id or self.new_id()
        if not self.clients[user].here:
            self.run(self.come(user))
        session = self.clients[user].session
        self.house.clock.time += 100
        self.house.send(session, cmd, id=id)
        return self.run(self._answer(user, id)), id, cmd

    async def _answer(self, user, id):
        table = await self.house.table()
        await self.house.do(None, by="bridge", id=self.new_id())  # behind it in the queue: then it is decided
        await self.settle()
        assert not table._worker.done()
        answers = [f for f in self.clients[user].frames if f.get("id") == id and f["t"] in {"ack", "refused"}]
        return answers[-1] if answers else None

    def _filled_in(self, cmd):
        """A choice names one of the checks there are, a revocation one of the grants."""
        if not isinstance(cmd.get("check", cmd.get("grant")), int):
            return cmd
        state = self.table.state
        if cmd["t"] == "Choose":
            there = [*state.checks, "1.1"]
            return {**cmd, "check": there[-1 - cmd["check"] % len(there)]}
        there = [grant.id for actor in state.actors.values() for grant in actor.grants] or ["1.1"]
        return {**cmd, "grant": there[cmd["grant"] % len(there)]}

    @rule(data=st.data(), user=st.sampled_from(["gina", "pia", "pia", "quin", "gwen", "olga"]))
    def rolls(self, data, user):
        self._says(user, data.draw(rolls(self.game)))

    @rule(data=st.data(), user=st.sampled_from(["pia", "gina"]))
    def rolls_and_chooses(self, data, user):
        self._says(user, data.draw(rolls(self.game)))
        self._says(data.draw(st.sampled_from([user, "quin", "gina"])), data.draw(choices))

    @rule(data=st.data(), user=st.sampled_from(["gina", "gina", "gina", *PEOPLE]))
    def says_something_else(self, data, user):
        self._says(user, data.draw(commands(self.game)))

    def _says(self, user, cmd):
        answer, id, cmd = self._sent(user, cmd)
        if answer is None:
            assert self.clients[user].session.outbox.closed, "everything is answered, unless it ended the connection"
        else:
            assert answer.get("code") not in {"internal", "busy"}, cmd
            if answer["t"] == "ack" and answer["changed"]:
                self.answered[id] = user, cmd, answer

    @rule(data=st.data())
    def says_it_again(self, data):
        if self.answered:
            id = data.draw(st.sampled_from(list(self.answered)))
            user, cmd, first = self.answered[id]
            answer, _, _ = self._sent(user, cmd, id)
            assert answer is None or answer == first

    @rule(user=st.sampled_from(PEOPLE))
    def gives_up(self, user):
        session = self.clients[user].session
        if session is not None and not session.outbox.closed:
            id = self.new_id()
            serving.withdraw(session, Withdraw(id=id))
            answer = self.run(self._answer(user, id))
            assert answer["code"] == "command.withdrawn"

    # --- looking ---
    @invariant()
    def what_lives_is_what_the_log_gives(self):
        self.log_gives_what_lives()
        assert not [line for line in self.logs.entries if line["log_level"] == "error"]

    @invariant()
    def whoever_takes_over_what_he_is_told_sees_what_there_is(self):
        self.screens_show_what_there_is()

    def teardown(self):
        try:
            if hasattr(self, "house"):
                self._nobody_has_a_seed_that_he_may_not_have()
                self.run(self.house.hub.aclose())
        finally:
            structlog.reset_defaults()
            self.loop.close()

    def _nobody_has_a_seed_that_he_may_not_have(self):
        key = self.run(self.house.store.table_key("house", 1))
        log = self.run(self.house.store.read("house", after=0, limit=10_000))
        for client_user, client in self.clients.items():
            role = ROLES[client_user]
            for frame in client.frames:
                role = frame["role"] if frame["t"] == "welcome" else role
                if frame["t"] == "logged":
                    may = readable(Viewer(client_user, role), log[frame["seq"] - 1].by)
                    fixed = rung(key, "house", 1, frame["seq"])
                    assert set(frame["seeds"]) <= set(may)
                    assert all(fixed.seeds[part].hex() == seed for part, seed in frame["seeds"].items())
                    hidden = [fixed.seeds[part].hex() for part in PARTS if part not in may]
                    assert not any(seed in str(frame) for seed in hidden)


TestRankAbility = machine(Evening, "rank_ability", 15, 40)
TestPublicD20 = machine(Evening, "public_d20", 15, 40)
TestSageD20 = machine(Evening, "sage_d20", 15, 40)
TestGroupD12 = machine(Evening, "group_d12", 15, 40)
TestDeepMine = machine(Evening, "deep_mine", 15, 40)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_long_evenings(game):
    machine(Evening, game, 300, 80)("runTest").runTest()
