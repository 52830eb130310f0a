"""Nothing hidden may change what an outsider is shown, offered or refused (protocol, section 4).

Two worlds are played side by side: in one somebody rolls in secret, in the other nothing happens under that number. A
person who reads nothing of the secret roll must not be able to tell them apart by anything he is shown or can try.
"""

from hypothesis import given, settings
from hypothesis import strategies as st

from boonbridge.core.visibility import Viewer, part_of, readable
from boonbridge_schemas.refusal import Refusal
from tests.support.evening import ROLES, Evening

SHEETS = {
    "rank_ability": [{"key": "rank", "value": 3}, {"key": "str", "value": 8}],
    "public_d20": [{"key": "grace", "value": 2}, {"key": "attribute.might", "value": 3}],
    "sage_d20": [{"key": "agility", "value": 13}, {"key": "defense", "value": 13}],
    "group_d12": [{"key": "skill.athletics", "value": 2}],
    "deep_mine": [{"key": "back", "value": 1}],
}
CHECKS = {
    "rank_ability": {"check": "check", "params": {"ability": "str", "tn": 9}},
    "public_d20": {"check": "task", "params": {"attribute": "attribute.might", "dc": 12}},
    "sage_d20": {"check": "attribute", "params": {"attribute": "agility", "tn": 12}},
    "group_d12": {"check": "skill", "params": {"skill": "skill.athletics", "difficulty": 11}},
    "deep_mine": {"check": "descent", "params": {"load": 9}},
}
OPTIONS = {"public_d20": {"dice_public": False}}
FACES = (2, 3, 4, 2, 3, 4, 2, 3)
"""Low enough to fail at everything, so that whatever may follow a failure does; high enough to bury nobody."""


def set_up(game):
    evening = Evening(game, **OPTIONS.get(game, {}))
    for actor, owners in (("hero", ["pia", "quin"]), ("friend", ["quin"])):
        numbers = {"values": SHEETS[game]}
        evening.do({"t": "SyncActor", "actor": actor, "name": actor, "side": "party", "owners": owners, "numbers": numbers})
    for actor, when in (("hero", "next_roll"), ("hero", "none"), ("friend", "next_roll")):
        source = {"id": f"luck.{when}", "label": "Luck"}
        evening.do({"t": "Grant", "actors": [actor], "sign": "boon", "source": source, "expiry": {"when": when}})
    if game == "group_d12":
        evening.do({"t": "Act", "verb": "give_boon"})
    return evening


def roll(game, actor, mode="public", **more):
    return {"t": "RollCheck", "actors": [actor], "mode": mode, **CHECKS[game], **more}


def probes(game, evening):
    """Everything an outsider might try to find out by."""
    for actor in ("hero", "friend"):
        yield roll(game, actor)
        yield roll(game, actor, spendBefore=1, sources=[{"id": "dark", "label": "Dark", "sign": "bane"}])
    for commit in range(max(8, evening.state.seq - 3), evening.state.seq + 2):
        for choice in ("accept", "spend", "push", "stop"):
            yield {"t": "Choose", "check": f"{commit}.1", "choice": choice}


def same_for(user, game, one, other):
    """Whatever this person looks at or tries comes to the same in both worlds."""
    assert one.shown(user) == other.shown(user)
    for cmd in probes(game, one):
        if cmd["t"] == "RollCheck":
            assert one.previewed(cmd, user) == other.previewed(cmd, user)
        before = one.state, other.state
        tried = [evening.tried(cmd, user, FACES) for evening in (one, other)]
        assert tried[0] == tried[1], cmd
        assert one.shown(user) == other.shown(user)
        one.state, other.state = before


users = st.sampled_from(sorted(ROLES))
rollers = st.sampled_from(["gina", "gwen", "pia", "quin"])
actors = st.sampled_from(["hero", "friend"])
public = st.one_of(
    st.tuples(st.just("roll"), rollers, actors),
    st.tuples(st.just("choose"), rollers, st.sampled_from(["accept", "spend", "push", "stop"])),
)
hidden = st.tuples(st.sampled_from(["gm", "blind", "secret", "self"]), rollers, actors)
after_hidden = st.tuples(st.just("choose hidden"), rollers, st.sampled_from(["push", "stop", "accept"]))


@given(
    game=st.sampled_from(sorted(SHEETS)),
    outsider=users,
    steps=st.lists(st.one_of(public, hidden, after_hidden), min_size=1, max_size=6),
)
@settings(max_examples=250, deadline=None)
def test_an_outsider_cannot_tell_that_somebody_rolled_in_secret(game, outsider, steps):
    secret, plain = set_up(game), set_up(game)
    known = []  # checks whose dice the outsider reads, and those he does not
    unknown = []
    for kind, by, what in steps:
        if kind == "roll":
            done = _in_public(secret, plain, roll(game, what), by, outsider)
            known += [f"{secret.state.seq}.1"] if done else []
        elif kind == "choose":
            check = known[-1] if known else "1.1"
            _in_public(secret, plain, {"t": "Choose", "check": check, "choice": what}, by, outsider)
        elif kind == "choose hidden":
            check = unknown[-1] if unknown else "1.1"
            _in_secret(secret, plain, {"t": "Choose", "check": check, "choice": what}, by)
        elif _outside(outsider, kind, by):
            done = _in_secret(secret, plain, roll(game, what, kind), by)
            unknown += [f"{secret.state.seq}.1"] if done else []
        same_for(outsider, game, secret, plain)


def _outside(user, mode, by):
    """Whether a person reads nothing of such a roll: neither its dice nor that a blind one was made."""
    reads = readable(Viewer(user, ROLES[user]), by)
    return part_of(mode) not in reads and not (mode == "blind" and user == by)


def _in_public(secret, plain, cmd, by, outsider):
    told = [evening.tried(cmd, by, FACES, hears=outsider) for evening in (secret, plain)]
    assert told[0] == told[1]
    return told[0][0] == "done"


def _in_secret(secret, plain, cmd, by):
    try:
        secret.do(cmd, by, FACES)
    except Refusal:
        return False
    plain.skip(by)
    return True


def test_whoever_rolled_blind_learns_the_name_of_the_check_and_nothing_of_what_came():
    for game in sorted(set(SHEETS) - {"group_d12"}):  # that game takes no blind roll of the party
        worlds = []
        for face in (1, 4):
            evening = set_up(game)
            placed = evening.do(roll(game, "hero", "blind"), "pia", (face,) * 8)
            worlds.append((evening, evening.told(placed, "pia", evening.viewer("pia"))))
        (low, told_low), (high, told_high) = worlds
        assert told_low == told_high
        ((event,), changes) = told_low
        assert b"CheckNoted" in event
        assert changes == []
        same_for("pia", game, low, high)
