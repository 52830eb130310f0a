"""Whole evenings of all games, at random: people come, go, retry and change roles, the server restarts.

After every step: the state that lives is the state that the log gives; whoever only takes over what he is told has on
his screen what a fresh ``state`` would show him; nothing is an accident of ours; and at the end, nobody was told a
seed that he may not have.
"""

import asyncio

import msgspec
import pytest
import structlog
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from boonbridge.core import entries
from boonbridge.core.chain import GENESIS
from boonbridge.core.ladder import rung
from boonbridge.core.state import TableState
from boonbridge.core.visibility import Viewer, readable
from boonbridge.tables import serving
from boonbridge.tables.folding import catch_up
from boonbridge.tables.hub import Rejected
from boonbridge_schemas.base import PARTS
from boonbridge_schemas.client import Withdraw
from tests.support.evening import GAMES, ROLES
from tests.support.house import House, Sink
from tests.support.screen import Screen

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


class Client:
    """Somebody's screen, over as many connections as he needs one after the other."""

    def __init__(self):
        self.screen = Screen()
        self.session = None
        self.sink = None
        self.read = 0
        self.bytes = []

    def look(self):
        for frame in self.sink.sent[self.read :]:
            if frame["t"] in {"logged", "hidden"}:
                assert frame["seq"] == self.screen.seq + 1, "gapless, in order, each once"
            self.screen.take(frame)
        self.bytes += self.sink.sent[self.read :]
        self.read = len(self.sink.sent)


class Evening(RuleBasedStateMachine):
    game = ""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.clients = {user: Client() for user in PEOPLE}
        self.answered = {}
        self.ids = 0
        self.logs = structlog.testing.LogCapture()

    def _new_id(self):
        self.ids += 1
        return f"id-{self.ids:022}"

    def run(self, work):
        return self.loop.run_until_complete(work)

    @initialize(data=st.data())
    def sit_down(self, data):
        structlog.configure(processors=[self.logs])
        self.house = House(self.game)
        self.run(self.house.hub.new_table(self.house.row))
        for user in PEOPLE:
            self.run(self._come(user))
        if self.game == "public_d20":
            self._sent("gina", {"t": "SetOptions", "options": {"dice_public": False}})
        for actor, side, owners in (("hero", "party", ["pia", "quin"]), ("friend", "party", ["quin"]), ("foe", "opposition", [])):
            sheet = data.draw(numbers(self.game))
            self._sent(
                "gina", {"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": sheet}
            )

    # --- coming and going ---
    async def _come(self, user, *, anew=False):
        client = self.clients[user]
        self.house.clock.time += 100
        last = None if anew or client.screen.hash is None else client.screen.last
        sink = Sink()
        try:
            session, _ = await self.house.admit(user, ROLES[user], sink=sink, last=last)
        except Rejected:
            return
        client.session, client.sink, client.read = session, sink, 0
        await self._settle()
        client.look()

    async def _settle(self):
        """Until nothing is on its way to anybody."""
        while True:
            busy = {*self.house.hub._tasks}
            for client in self.clients.values():
                drainer = client.session and client.session.outbox._drainer
                if drainer is not None and not drainer.done():
                    busy.add(drainer)
            if not busy:
                return
            await asyncio.wait(busy)

    @rule(user=st.sampled_from(PEOPLE), anew=st.booleans(), leave_first=st.booleans())
    def comes_back(self, user, anew, leave_first):
        client = self.clients[user]
        if client.session is not None:
            self.house.hub.leave(client.session)
            client.session = None
        if not leave_first:
            self.run(self._come(user, anew=anew))

    @rule()
    def server_restarts(self):
        for client in self.clients.values():
            client.session = None
        self.run(self.house.restart())

    # --- saying ---
    def _sent(self, user, cmd, id=None):
        cmd = self._filled_in(cmd)
        id = id or self._new_id()
        if self.clients[user].session is None or self.clients[user].session.outbox.closed:
            self.run(self._come(user))
        session = self.clients[user].session
        self.house.clock.time += 100
        self.house.send(session, cmd, id=id)
        return self.run(self._answer(user, id)), id, cmd

    async def _answer(self, user, id):
        table = await self.house.table()
        await self.house.do(None, by="bridge", id=self._new_id())  # behind it in the queue: then it is decided
        await self._settle()
        assert not table._worker.done()
        for client in self.clients.values():
            if client.session is not None:
                client.look()
        answers = [f for f in self.clients[user].bytes if f.get("id") == id and f["t"] in {"ack", "refused"}]
        return answers[-1] if answers else None

    def _filled_in(self, cmd):
        """A choice names one of the checks there are, a revocation one of the grants."""
        if not isinstance(cmd.get("check", cmd.get("grant")), int):
            return cmd
        state = self.run(self.house.table()).state
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
            id = self._new_id()
            serving.withdraw(session, Withdraw(id=id))
            answer = self.run(self._answer(user, id))
            assert answer["code"] == "command.withdrawn"

    # --- looking ---
    @invariant()
    def what_lives_is_what_the_log_gives(self):
        table = self.run(self.house.table())
        empty = TableState.opening(self.house.game, table="house")
        state, head = self.run(catch_up(self.house.store, empty, GENESIS))
        assert state == table.state
        assert head == table.head_hash
        assert not [line for line in self.logs.entries if line["log_level"] == "error"]

    @invariant()
    def whoever_takes_over_what_he_is_told_sees_what_there_is(self):
        state = self.run(self.house.table()).state
        for user, client in self.clients.items():
            session = client.session
            if session is None or session.outbox.closed:
                continue
            client.look()
            assert session.role == state.people[user].role
            viewer = Viewer(user, session.role)
            there = {key: entries.value(state, key, viewer) for key in entries.all_keys(state)}
            there = {key: msgspec.to_builtins(value) for key, value in there.items() if value is not None}
            assert client.screen.entries == msgspec.json.decode(msgspec.json.encode(there)), user
            assert client.screen.seq == state.seq

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
            for frame in client.bytes:
                role = frame["role"] if frame["t"] == "welcome" else role
                if frame["t"] == "logged":
                    may = readable(Viewer(client_user, role), log[frame["seq"] - 1].by)
                    fixed = rung(key, "house", 1, frame["seq"])
                    assert set(frame["seeds"]) <= set(may)
                    assert all(fixed.seeds[part].hex() == seed for part, seed in frame["seeds"].items())
                    hidden = [fixed.seeds[part].hex() for part in PARTS if part not in may]
                    assert not any(seed in str(frame) for seed in hidden)


def machine(game_name, examples, steps):
    class OneGame(Evening):
        game = game_name

    test = OneGame.TestCase
    test.settings = settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],  # explaining takes minutes
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
    )
    return test


TestRankAbility = machine("rank_ability", 15, 40)
TestPublicD20 = machine("public_d20", 15, 40)
TestSageD20 = machine("sage_d20", 15, 40)
TestGroupD12 = machine("group_d12", 15, 40)
TestDeepMine = machine("deep_mine", 15, 40)


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_long_evenings(game):
    machine(game, 300, 80)("runTest").runTest()
