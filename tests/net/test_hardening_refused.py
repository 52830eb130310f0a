"""Who may not come in, and who is not who he says: each refused with a code of its own, and nothing is told or written.

One table. What is refused by which code is the protocol's (sections 1 and 5); ``test_tokens.py``, ``test_pairing.py`` and
``test_origins.py`` have each kind in all its shapes.
"""

import base64
import json

import jwt
import pytest

from boonbridge.tables.pairing import CODE_LIFE
from boonbridge_schemas.codes import Close
from tests.support.bridge import ROLL, TABLE, playing, serving
from tests.support.people import CLIENT, new_id

GAME = "sage_d20"
DAY = 24 * 60 * 60 * 1000
STRANGE = "https://evil.example"


class Later:
    """The machine's time, moved."""

    def __init__(self, real, ahead):
        self._real, self._ahead = real, ahead

    def now(self):
        return self._real.now() + self._ahead


def pieces(token):
    return token.split(".")


def part(data):
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def payload(token):
    return jwt.decode(token, options={"verify_signature": False})


# --- tokens: what Gina's good one becomes in a stranger's hands ----------------------------------------------------
async def wrong(bridge, good):
    return "not.a.token"


async def altered(bridge, good):
    header, _, signature = pieces(good)
    return f"{header}.{part({**payload(good), 'role': 'gm', 'sub': 'somebody-else'})}.{signature}"


async def unsigned(bridge, good):
    return f"{part({'alg': 'none', 'typ': 'JWT'})}.{pieces(good)[1]}."


async def signature_cut(bridge, good):
    return good[:-4]


async def foreign(bridge, good):
    return jwt.encode(payload(good), b"the key of another bridge........")


async def expired(bridge, good):
    return await bridge.token("Gina", now=bridge.running.hub.ports.clock.now() - 31 * DAY)


async def from_the_future(bridge, good):
    return await bridge.token("Gina", now=bridge.running.hub.ports.clock.now() + DAY)


async def not_yet_valid(bridge, good):
    return jwt.encode({**payload(good), "nbf": 2**40}, await bridge.running.signing_key())


async def for_another_audience(bridge, good):
    return jwt.encode({**payload(good), "aud": "no-such-table"}, await bridge.running.signing_key())


async def of_another_table(bridge, good):
    await bridge.running.new_table("other", "Another", GAME)
    return await bridge.token("Gina", table="other")


async def revoked(bridge, good):
    token = await bridge.token("Quin")
    async with bridge.join("Quin"):
        pass
    await bridge.do({"t": "RevokeAccess", "user": bridge.user("Quin")})
    return token


async def of_a_revoked_device(bridge, good):
    token = await bridge.token("Pia", device="tablet")
    async with bridge.join("Pia"):
        pass
    await bridge.do({"t": "RevokeAccess", "user": bridge.user("Pia"), "device": "tablet"})
    return token


TOKENS = [
    (wrong, Close.AUTH_BAD),
    (altered, Close.AUTH_BAD),
    (unsigned, Close.AUTH_BAD),
    (signature_cut, Close.AUTH_BAD),
    (foreign, Close.AUTH_BAD),
    (from_the_future, Close.AUTH_BAD),
    (not_yet_valid, Close.AUTH_BAD),
    (expired, Close.AUTH_EXPIRED),
    (for_another_audience, Close.AUTH_REVOKED),
    (of_another_table, Close.AUTH_REVOKED),
    (revoked, Close.AUTH_REVOKED),
    (of_a_revoked_device, Close.AUTH_REVOKED),
]


# --- codes ---------------------------------------------------------------------------------------------------------
def pair(code, name="Mallory"):
    return {"t": "pair", "id": new_id(), "code": code, "name": name, "client": CLIENT}


async def tried(bridge, code):
    async with await bridge.stranger() as stranger:
        return await stranger.ask(pair(code))


async def code_that_was_never_given(bridge):
    await bridge.running.hub.pairing.new_code(TABLE)
    return "AAAA-AAAA"


async def code_used_before(bridge):
    code = await bridge.running.hub.pairing.new_code(TABLE)
    assert (await tried(bridge, code))["t"] == "paired"
    return code


async def code_out_of_time(bridge):
    pairing = bridge.running.hub.pairing
    code = await pairing.new_code(TABLE)
    pairing._clock = Later(pairing._clock, CODE_LIFE)
    return code


async def code_after_five_wrong_ones(bridge):
    code = await bridge.running.hub.pairing.new_code(TABLE)
    for _ in range(5):
        await tried(bridge, "AAAA-AAAA")
    return code


CODES = [
    (code_that_was_never_given, "auth.code_wrong"),
    (code_used_before, "auth.code_wrong"),
    (code_after_five_wrong_ones, "auth.code_wrong"),
    (code_out_of_time, "auth.code_expired"),
]

# --- origins, with a good token ------------------------------------------------------------------------------------
ORIGINS = [STRANGE, "null", "http://localhost.evil.example", "https://127.0.0.1:{port}", "http://{host}.evil.example:{port}"]

# --- senders: what a player says of himself, and of others -----------------------------------------------------------
GINA_SAYS = {"t": "SetOptions", "options": {"default_tn": 9}}
SENDERS = [
    ("the frame names another user", lambda gina: {"user": gina, "cmd": GINA_SAYS}, "frame.bad"),
    ("the frame names another sender", lambda gina: {"by": gina, "cmd": GINA_SAYS}, "frame.bad"),
    ("the frame names another role", lambda _: {"role": "gm", "cmd": GINA_SAYS}, "frame.bad"),
    ("the frame brings another token", lambda _: {"token": "x", "cmd": GINA_SAYS}, "frame.bad"),
    ("the command names another user", lambda gina: {"cmd": {**ROLL[GAME], "user": gina}}, "frame.bad"),
    ("the command names another sender", lambda gina: {"cmd": {**GINA_SAYS, "by": gina}}, "frame.bad"),
    ("a GM's command", lambda _: {"cmd": GINA_SAYS}, "role.forbidden"),
    ("a GM's invitation, for herself", lambda gina: {"cmd": {"t": "Invite", "user": gina, "name": "Gina"}}, "role.forbidden"),
    ("a higher role for oneself", lambda _: {"cmd": {"t": "Invite", "user": "u", "name": "U", "role": "gm"}}, "role.forbidden"),
    ("a GM's revocation", lambda gina: {"cmd": {"t": "RevokeAccess", "user": gina}}, "role.forbidden"),
    ("another's actor", lambda _: {"cmd": {**ROLL[GAME], "actors": ["friend"]}}, "actor.not_yours"),
]


async def footprint(bridge):
    return await bridge.footprint()


async def test_everybody_who_may_not_is_refused_with_the_code_of_why(tmp_path, subtests):
    for number, (how, code) in enumerate(TOKENS):
        async with playing(GAME, tmp_path / f"token{number}") as bridge:
            token = await how(bridge, await bridge.token("Gina"))
            before = await footprint(bridge)
            table = TABLE if how is of_another_table else None
            with subtests.test(f"token {how.__name__}"):
                async with await bridge.stranger() as stranger:
                    await stranger.hello(token=token, table=table)
                    assert stranger.closed == (code, code.reason)
                    assert [frame["t"] for frame in stranger.frames] == ["bye"], "he is told nothing else"
                    assert await footprint(bridge) == before
    for number, (how, code) in enumerate(CODES):
        async with playing(GAME, tmp_path / f"code{number}") as bridge:
            typed = await how(bridge)
            before = await footprint(bridge)
            with subtests.test(how.__name__):
                answer = await tried(bridge, typed)
                assert (answer["t"], answer["code"]) == ("refused", code)
                assert await footprint(bridge) == before
    async with playing(GAME, tmp_path / "table") as bridge:
        good, gina = await bridge.token("Gina"), bridge.user("Gina")
        async with bridge.join("Pia"), bridge.join("Gina"):
            pass
        before = await footprint(bridge)
        for origin in ORIGINS:
            with subtests.test(f"origin {origin}"):
                said = origin.format(host="127.0.0.1", port=bridge.running.port)
                async with await bridge.stranger(origin=said) as page:
                    await page.hello(token=good)
                    assert page.closed == (Close.ORIGIN_UNKNOWN, Close.ORIGIN_UNKNOWN.reason)
                    assert [frame["t"] for frame in page.frames] == ["bye"]
        for name, said, code in SENDERS:
            with subtests.test(f"sender: {name}"):
                async with bridge.join("Pia") as pia:
                    answer = await pia.ask({"t": "do", "seen": pia.seq, **said(gina)})
                    assert (answer["t"], answer["code"]) == ("refused", code)
        with subtests.test("sender: nobody has said hello"):
            async with await bridge.stranger() as stranger:
                answer = await stranger.ask({"t": "do", "seen": 0, "cmd": ROLL[GAME]})
                assert answer["code"] == "auth.required"
        with subtests.test("sender: the id of another's command"):
            id = new_id()
            async with bridge.join("Pia") as pia, bridge.join("Gina") as gina:
                assert (await gina.do(GINA_SAYS, id=id))["t"] == "ack"
                before_that = await footprint(bridge)
                for frame in ({"t": "withdraw"}, {"t": "do", "seen": pia.seq, "cmd": ROLL[GAME]}):
                    assert (await pia.ask({**frame, "id": id}))["code"] == "command.id_taken"
                assert await footprint(bridge) == before_that
        stored = await bridge.stored()
        assert [commit.by for commit in stored[before[0] :]] == [bridge.user("Gina")], "of all this only her own command"


async def test_t44_i112_i113_nothing_looks_like_being_connected_before_the_token_was_read(tmp_path):
    async with playing(GAME, tmp_path) as bridge, bridge.join("Gwen") as gwen:
        there = gwen.of("presence")[-1]
        for token, close in (
            ("any key at all", Close.AUTH_BAD),
            (await bridge.token("Gina", now=bridge.running.hub.ports.clock.now() - 31 * DAY), Close.AUTH_EXPIRED),
            (await of_another_table(bridge, ""), Close.AUTH_REVOKED),
        ):
            async with await bridge.stranger() as stranger:
                await stranger.hello(token=token, table=TABLE)
                assert stranger.closed[0] == close
                assert not stranger.of("welcome", "state", "presence", "caughtUp")
        await gwen.settled()
        assert gwen.of("presence")[-1] == there, "nobody was seen to come"


async def test_i114_a_token_outlives_a_restart_and_another_key_is_said_at_start(tmp_path):
    from boonbridge.store.open import KeyRefused

    async with playing(GAME, tmp_path) as bridge:
        token = await bridge.token("Gina")
    async with serving(tmp_path) as bridge, await bridge.stranger() as gina:
        await gina.hello(token=token)
        assert gina.welcome["role"] == "gm"
        key = (await bridge.running.signing_key()).hex()
        assert key not in gina.bytes.decode()
        assert (tmp_path / "node.key").read_text("ascii").strip() not in gina.bytes.decode()
    (tmp_path / "node.key").write_text("ab" * 32 + "\n", "ascii")
    with pytest.raises(KeyRefused, match="is not the one it was stored with"):
        async with serving(tmp_path) as bridge, await bridge.stranger() as gina:
            await bridge.table()
