"""Who may take part, decided on the state alone: the last GM, who is gone and comes back, a name that is forgotten, old codes."""

import pytest
from msgspec.structs import replace

from boonbridge.core.maps import Map
from boonbridge.core.peopling import device_of, still_opens
from boonbridge.core.state import Member
from boonbridge_schemas.events import AccessRevoked, Invited, NameErased, OriginAdded, OriginRemoved, RoleSet
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Limits
from tests.support.evening import Evening

HERE, THERE = "https://foundry.example:30000", "https://other.example"


@pytest.fixture
def evening():
    return Evening("sage_d20")


def role(user, role):
    return {"t": "SetRole", "user": user, "role": role}


def revoke(user, **more):
    return {"t": "RevokeAccess", "user": user, **more}


def invite(user, **more):
    return {"t": "Invite", "user": user, "name": "N", **more}


def refused(evening, cmd, by="gina"):
    before = evening.state
    with pytest.raises(Refusal) as caught:
        evening.do(cmd, by)
    assert evening.state is before
    return str(caught.value.code)


def test_a_role_is_set_for_everybody_to_see_and_once(evening):
    assert evening.do(role("pia", "gm")) == (("all", RoleSet(user="pia", role="gm")),)
    assert evening.do(role("pia", "gm")) == ()
    assert (evening.state.people["pia"].role, evening.state.people["pia"].since) == ("gm", 1)
    assert refused(evening, role("nobody", "gm")) == "people.unknown"


def test_the_last_gm_stays_one_whichever_way(evening):
    evening.do(role("gwen", "player"))
    for cmd in (role("gina", "player"), role("gina", "observer"), invite("gina", role="player")):
        assert refused(evening, cmd) == "people.last_gm"
    assert evening.do(role("olga", "player")), "of others it is not asked"
    evening.do(role("gwen", "gm"))
    assert evening.do(role("gina", "player"))


def test_who_is_gone_is_no_gm_that_a_table_has(evening):
    evening.do(revoke("gwen"))
    assert evening.state.people["gwen"].gone
    assert refused(evening, role("gina", "player")) == "people.last_gm"
    evening.do(invite("gwen", role="gm"))
    assert not evening.state.people["gwen"].gone
    assert evening.do(role("gina", "player"))


def test_the_bridge_itself_takes_no_last_gm_away(evening):
    """The operator is no GM of the table: he first lets another one in."""
    evening.state = replace(evening.state, people=evening.state.people.having("gwen", Member(role="player")))
    from tests.support import evening as support

    support.ROLES["bridge"] = "gm"
    try:
        assert refused(evening, revoke("gina"), by="bridge") == "people.last_gm"
        assert evening.do(revoke("gina", device="d-1"), "bridge"), "one device of his is another matter"
    finally:
        del support.ROLES["bridge"]


def test_nobody_takes_his_own_access_away_but_for_a_device(evening):
    assert refused(evening, revoke("gina")) == "people.self"
    assert evening.do(revoke("gina", device="d-1")) == (("all", AccessRevoked(user="gina", device="d-1")),)
    assert not evening.state.people["gina"].gone


def test_a_name_is_forgotten_also_one_s_own_and_is_there_again_with_an_invitation(evening):
    for user in ("pia", "gina"):
        for _ in range(2):  # again, too: a code may have been made since, with a name on it
            assert evening.do({"t": "EraseName", "user": user}) == (("all", NameErased(user=user)),)
            assert evening.state.people[user].erased
        assert evening.do(invite(user, role=evening.state.people[user].role))
        assert not evening.state.people[user].erased
        assert evening.do({"t": "EraseName", "user": user}) == (("all", NameErased(user=user)),)
    assert refused(evening, {"t": "EraseName", "user": "nobody"}) == "people.unknown"


def test_an_invitation_has_a_device_that_follows_from_its_id(evening):
    ((_, event),) = evening.do(invite("zoe"))
    assert event == Invited(user="zoe", role="player", device=device_of("c"))
    ((_, named),) = evening.do(invite("zoe", device="tablet"))
    assert named.device == "tablet"
    assert len({device_of(f"{n}") for n in range(200)} | {device_of("1")}) == 200


def test_origins_come_and_go(evening):
    placed = evening.do(invite("zoe", origin=HERE))
    assert placed[1] == ("all", OriginAdded(origin=HERE))
    assert refused(evening, {"t": "RemoveOrigin", "origin": THERE}) == "origin.not_listed"
    assert evening.do({"t": "RemoveOrigin", "origin": HERE}) == (("all", OriginRemoved(origin=HERE)),)
    assert refused(evening, {"t": "RemoveOrigin", "origin": HERE}) == "origin.not_listed"
    assert evening.state.origins == frozenset()


def test_a_table_holds_so_many_people(evening):
    most = Limits().people
    crowd = {f"u{n}": Member(role="player") for n in range(most - 1)}
    evening.state = replace(evening.state, people=Map({"gina": Member(role="gm"), **crowd}))
    assert refused(evening, invite("zoe")) == "people.limit"
    assert evening.do(invite("u1")), "who is known takes no place"


# --- codes ---------------------------------------------------------------------------------------------------------
PEOPLE = {
    "gm": Member(role="gm"),
    "gone_gm": Member(role="gm", revoked={"": 50}),
    "was_gm": Member(role="player"),
    "phone_lost": Member(role="gm", revoked={"d-1": 50}),
    "gone": Member(role="player", revoked={"": 50}),
    "back": Member(role="player", revoked={"": 50}, invited=60),
    "pia": Member(role="player", revoked={"d-1": 50}),
}


# By whom it was made (None: the operator), for whom, when; access was taken at 50 where it was.
@pytest.mark.parametrize(
    ("by", "user", "made", "opens"),
    [
        ("gm", "new", 10, True),
        (None, "new", 10, True),
        (None, None, 10, True),
        ("gm", "gone", 10, False),
        ("gm", "gone", 50, False),
        ("gm", "gone", 51, True),
        (None, "gone", 10, False),
        (None, "gone", 51, True),
        ("gm", "back", 10, False),
        ("gm", "back", 55, True),
        ("gone", "gone", 10, False),
        ("pia", "pia", 10, False),
        ("pia", "pia", 51, True),
        ("gm", "pia", 10, True),
        ("gone_gm", "new", 10, False),
        ("phone_lost", "new", 10, False),
        ("phone_lost", "new", 51, True),
        ("was_gm", "new", 10, False),
        ("was_gm", "was_gm", 10, True),
        ("pia", "new", 51, False),
    ],
)
def test_which_codes_still_open(evening, by, user, made, opens):
    state = replace(evening.state, people=Map(PEOPLE))
    assert still_opens(state, user=user, by=by, made=made) is opens
