"""Tokens that open nothing: each is closed with the code of its kind and a sentence, and leaves no trace."""

import base64
import hashlib
import hmac
import json
import time

import jwt
import pytest

from boonbridge_schemas.codes import Close
from tests.support.bridge import TABLE, playing, serving
from tests.support.people import new_id

DAY = 24 * 60 * 60


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def by_hand(header, payload, key=b"", digest=hashlib.sha256):
    """A token put together without a library's scruples."""
    text = f"{encoded(json.dumps(header).encode())}.{encoded(json.dumps(payload).encode())}"
    signature = hmac.digest(key, text.encode(), digest) if key else b""
    return f"{text}.{encoded(signature)}"


def claims(bridge, **changed):
    now = int(time.time())
    full = {
        "sub": bridge.user("Gina"),
        "aud": TABLE,
        "name": "Gina",
        "role": "gm",
        "dev": "cli",
        "iat": now,
        "iam": now * 1000,
        "exp": now + DAY,
        "jti": new_id(),
        "org": [],
    }
    return {key: value for key, value in {**full, **changed}.items() if value is not ...}


async def closed_with(bridge, token, *, table=None):
    before = await bridge.footprint()
    async with await bridge.stranger() as stranger:
        await stranger.hello(token=token, table=table)
        code, reason = stranger.closed
        assert [frame["t"] for frame in stranger.frames] == ["bye"], "nothing is told before one is let in"
        assert (stranger.frames[0]["code"], stranger.frames[0]["reason"]) == (code, reason)
    assert await bridge.footprint() == before
    return Close(code)


async def test_the_same_token_unharmed_opens_the_table(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, await bridge.stranger() as gina:
        await gina.hello(token=jwt.encode(claims(bridge), await bridge.running.signing_key()))
        assert gina.welcome["role"] == "gm"


def _forged(good, key, claims):
    header, payload, signature = good.split(".")
    yield "empty", " "
    yield "no token at all", "x"
    yield "two parts", f"{header}.{payload}"
    yield "truncated", good[:-2]
    yield "cut in the middle", good[: len(good) // 2]
    yield "without its signature", f"{header}.{payload}."
    yield "another payload", f"{header}.{encoded(json.dumps({**claims, 'role': 'gm', 'sub': 'root'}).encode())}.{signature}"
    yield "another key", jwt.encode(claims, b"k" * 32)
    yield "alg none", by_hand({"alg": "none", "typ": "JWT"}, claims)
    yield "alg NONE", by_hand({"alg": "NONE"}, claims)
    yield "alg none, signed", by_hand({"alg": "none"}, claims, key)
    yield "no alg", by_hand({"typ": "JWT"}, claims, key)
    yield "HS384 with the right key", by_hand({"alg": "HS384"}, claims, key, hashlib.sha384)
    yield "HS512 with the right key", by_hand({"alg": "HS512"}, claims, key, hashlib.sha512)
    yield "RS256 with the key as public key", by_hand({"alg": "RS256"}, claims, key)
    yield "ES256 in name only", by_hand({"alg": "ES256"}, claims, key)
    yield "a header of arrays", f"{encoded(b'[' * 2500)}.{payload}.{signature}"
    yield "a header that is a list", f"{encoded(b'[]')}.{payload}.{signature}"
    yield "a critical extension", by_hand({"alg": "HS256", "crit": ["b64"], "b64": False}, claims, key)
    yield "other letters", "ключ.к.столу"
    yield "an emoji", "🎲" * 40
    yield "a null character", good + "\0"
    for name in ("exp", "aud", "sub", "jti", "role", "dev", "iam"):
        yield f"without {name}", jwt.encode({k: v for k, v in claims.items() if k != name}, key)
    yield "a role of nobody", jwt.encode({**claims, "role": "owner"}, key)
    yield "two tables", jwt.encode({**claims, "aud": [TABLE, "other"]}, key)
    yield "a user that is a list", by_hand({"alg": "HS256"}, {**claims, "sub": ["a"]}, key)
    yield "origins that are text", jwt.encode({**claims, "org": "http://a"}, key)
    yield "expiry that is text", by_hand({"alg": "HS256"}, {**claims, "exp": "tomorrow"}, key)
    yield "expiry without end", by_hand({"alg": "HS256"}, {**claims, "exp": 1e308}, key)
    yield "expiry that is infinite", by_hand({"alg": "HS256"}, {**claims, "exp": float("inf")}, key)
    yield "a payload that is a list", by_hand({"alg": "HS256"}, [1], key)


async def test_forged(tmp_path, subtests):
    async with playing("sage_d20", tmp_path) as bridge:
        key = await bridge.running.signing_key()
        good = claims(bridge)
        for name, token in _forged(jwt.encode(good, key), key, good):
            with subtests.test(name):
                assert await closed_with(bridge, token) == Close.AUTH_BAD


async def test_expired_and_of_another_table(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        key = await bridge.running.signing_key()
        now = int(time.time())
        expired = jwt.encode(claims(bridge, exp=now - 1), key)
        assert await closed_with(bridge, expired) == Close.AUTH_EXPIRED
        assert await closed_with(bridge, jwt.encode(claims(bridge, exp=now - 10 * DAY), key)) == Close.AUTH_EXPIRED
        await bridge.running.new_table("other", "Another", "sage_d20")
        other = jwt.encode(claims(bridge, aud="other"), key)
        assert await closed_with(bridge, other, table=TABLE) == Close.AUTH_REVOKED
        assert await closed_with(bridge, jwt.encode(claims(bridge, aud="gone"), key)) == Close.AUTH_REVOKED
        assert await closed_with(bridge, jwt.encode(claims(bridge, aud="../x"), key)) == Close.AUTH_REVOKED


async def test_a_token_of_another_server(tmp_path):
    async with playing("sage_d20", tmp_path / "one") as bridge:
        token = await bridge.token("Gina")
    async with playing("sage_d20", tmp_path / "two") as bridge:
        assert await closed_with(bridge, token) == Close.AUTH_BAD


@pytest.mark.parametrize("token", ["x" * 4001, "", None, 5, ["x"]])
async def test_what_cannot_be_a_token_is_no_frame(tmp_path, token):
    async with playing("sage_d20", tmp_path) as bridge, await bridge.stranger() as stranger:
        await stranger.send({"t": "hello", "token": token, "client": {"name": "x", "version": "1", "kind": "cli"}})
        answer = await stranger.ask({"t": "renew"})
        assert answer["code"] == "auth.required"
        assert stranger.frames[0]["code"] == "frame.bad"
        assert str(token or "nothing") not in stranger.frames[0]["message"]


async def test_the_role_of_the_table_wins_over_that_of_the_token(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        as_gm = await bridge.token("Pia", "gm")
        async with bridge.join("Pia"):
            pass
        async with await bridge.stranger() as pia:
            await pia.hello(token=as_gm)
            assert pia.welcome["role"] == "player"
            answer = await pia.ask({"t": "do", "seen": pia.seq, "cmd": {"t": "SetOptions", "options": {"default_tn": 9}}})
            assert answer["code"] == "role.forbidden"


async def test_no_token_code_or_key_in_log_lines_metrics_or_answers(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        key = await bridge.running.signing_key()
        secrets = [key.hex(), encoded(key)]
        code = await bridge.running.hub.pairing.new_code(TABLE)
        secrets += [code, code.replace("-", "")]
        async with bridge.join("Gina") as gina, await bridge.stranger() as zoe:
            await gina.do({"t": "Invite", "user": "zoe", "name": "Zoe"})
            minted = gina.of("minted")[0]["token"]
            client = {"name": "x", "version": "1", "kind": "page"}
            paired = await zoe.ask({"t": "pair", "code": code, "name": "Zoe", "client": client})
            for token in (gina.token, minted, paired["token"]):
                secrets += [token, token.split(".")[2], token.split(".")[1]]
            async with await bridge.stranger() as stranger:
                await stranger.hello(token=minted + "x")
            async with await bridge.stranger() as stranger:
                await stranger.send({"t": "hello", "token": minted, "table": 5, "client": client})
                await stranger.send({"t": minted, "id": new_id()})
                await stranger.ask({"t": "renew"})
            await gina.settled()
            metrics = bridge.running.metrics.render().decode()
            heard = gina.bytes.decode().replace(minted, "", 1)
        log = json.dumps([str(commit) for commit in await bridge.stored()])
        for secret in secrets:
            for place, text in (("lines", bridge.lines), ("metrics", metrics), ("frames", heard), ("log", log)):
                assert secret not in text, f"{place} hold a secret"
        (table_key,) = [await bridge.running.hub.ports.vault.table_key(TABLE, 1)]
        for place, text in (("lines", bridge.lines), ("metrics", metrics), ("frames", heard), ("log", log)):
            assert table_key.hex() not in text, place


async def test_renewal(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        async with bridge.join("Pia") as pia:
            assert (await pia.ask({"t": "renew"}))["code"] == "auth.renew_early"
        now = int(time.time() * 1000)
        half = await bridge.token("Pia", now=now - 16 * DAY * 1000)
        async with await bridge.stranger() as pia:
            await pia.hello(token=half)
            first = await pia.ask({"t": "renew", "id": "r" * 22})
            again = await pia.ask({"t": "renew", "id": "r" * 22})
            assert first["t"] == "minted"
            assert first == again, "the same again, whose answer was lost"
            assert (await pia.ask({"t": "renew"}))["code"] == "auth.renew_early"
    async with serving(tmp_path) as bridge, await bridge.stranger() as pia:
        await pia.hello(token=first["token"])
        assert pia.welcome["expiresAt"] == first["expiresAt"]
