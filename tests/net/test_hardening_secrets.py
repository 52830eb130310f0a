"""Planted secrets, and everything that a noisy run produced: real processes, their output, the process list, every answer.

In one process, with what an error of our own writes, it is ``test_tokens.py``; names of values in log lines are in ``tests/obs``.
"""

import asyncio
import base64
import json
import re
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from boonbridge.store.open import open_store
from boonbridge.store.secret import read_secret
from tests.support.cli import Child, Serving, environment, inside, run
from tests.support.people import CLIENT, Person, new_id

PAGE = "http://192.168.7.20:30300/"
PLANTED = "5ec7e7" * 10 + "beef"
"""The node secret of the run: a number that nothing else has."""


def shapes(secret):
    """How a secret could stand somewhere: as text, in hexadecimal, in base64 with and without its ends."""
    raw = secret if isinstance(secret, bytes) else secret.encode()
    text = raw.decode(errors="ignore")
    found = {raw.hex(), base64.b64encode(raw).decode().rstrip("="), base64.urlsafe_b64encode(raw).decode().rstrip("=")}
    return found | ({text, text.upper(), text.lower()} if isinstance(secret, str) else set())


def of_token(token):
    """A token as a whole, its signature, and what it says of itself."""
    _, payload, signature = token.split(".")
    return {token, signature, payload}


def get(url, **headers):
    """Status, headers and body of one request, as text."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=10) as answer:
            return f"{answer.status} {answer.headers} {answer.read().decode(errors='replace')}"
    except urllib.error.HTTPError as no:
        return f"{no.code} {no.headers} {no.read().decode(errors='replace')}"


def process_list():
    """What anybody on this machine sees of everybody's processes; None where that cannot be asked."""
    if Path("/proc").is_dir():
        lines = []
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                lines.append(place.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
            except OSError:
                continue  # it has ended meanwhile
        return "\n".join(lines)
    done = subprocess.run(["ps", "-axww", "-o", "command"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


async def noise(url, token, code):
    """Everything that could make a bridge say too much: right, wrong, mangled, in wrong places. What was heard, but the tokens
    that are somebody's due."""
    heard = []
    bad = [token + "x", token[:-3], token.replace(".", "..", 1), f"{token.rpartition('.')[0]}.{'A' * 43}"]
    for wrong in bad:
        async with await Person.connect(url) as stranger:
            await stranger.hello(token=wrong)
            heard.append((stranger.bytes.decode(), str(stranger.closed)))
    for frame in (
        {"t": "hello", "token": token, "table": 5, "client": CLIENT},
        {"t": token, "id": new_id()},
        {"t": "do", "id": new_id(), "seen": 0, "cmd": {"t": token}},
        {"t": "pair", "id": new_id(), "code": [code], "name": token[:70], "client": CLIENT},
        {"t": "pair", "id": new_id(), "code": "AAAA-AAAA", "name": "Mallory", "client": {**CLIENT, "version": code}},
        json.dumps({"t": "hello", "token": token})[:-2],
        f"{token}",
        token.encode(),
    ):
        async with await Person.connect(url) as stranger:
            await stranger.send(frame)
            await stranger.ask({"t": "renew"})
            heard.append((stranger.bytes.decode(), str(stranger.closed)))
    async with await Person.connect(url) as gina:
        await gina.hello(token=token)
        await gina.do({"t": "SetOptions", "options": {"default_tn": 9}})
        await gina.do({"t": "SetOptions", "options": {token[:60]: code}})
        made = [
            await gina.ask({"t": "makeCode", "kind": kind, "name": "Yan", "page": PAGE}) for kind in ("link", "typed", "link")
        ]
        codes = [frame["code"] for frame in made]
        await gina.ask({"t": "people"})
        await gina.ask({"t": "dropCode", "code": codes[2]})  # where an id is asked for, and it is none
        await gina.ask({"t": "makeCode", "kind": "link", "user": codes[0]})
        await gina.ask({"t": "dropCode", "code": made[2]["codeId"]})
        await gina.do({"t": "EraseName", "user": codes[0]})
        answers = [json.loads(line) for line in gina.bytes.decode().splitlines()]
        heard.append(("\n".join(json.dumps(one) for one in answers if one["t"] != "codeMade" and codes[0] not in str(one)), ""))
    for wrong in (codes[0][:-1] + "0", codes[2], codes[1], codes[0] + "AAAA"):
        async with await Person.connect(url) as stranger:
            await stranger.send({"t": "pair", "id": new_id(), "code": wrong, "name": "Yan", "client": CLIENT})
            await stranger.ask({"t": "renew"})
            heard.append((stranger.bytes.decode().replace(_token_in(stranger), ""), str(stranger.closed)))
    async with await Person.connect(url) as zoe:
        paired = await zoe.ask({"t": "pair", "id": new_id(), "code": code, "name": "Zoe", "client": CLIENT})
        assert paired["t"] == "paired", paired
        again = await zoe.ask({"t": "pair", "id": new_id(), "code": code, "name": "Mallory", "client": CLIENT})
        assert again["code"] == "auth.code_wrong"
        given = paired["token"]
        await zoe.hello(token=given)
        heard.append((zoe.bytes.decode().replace(given, ""), ""))
    return given, codes, "\n".join(text for pair in heard for text in pair)


def _token_in(stranger):
    """The token that somebody was given, which is his due."""
    return next((frame["token"] for frame in stranger.frames if "token" in frame), "no token")


def test_planted_secrets_stand_nowhere_after_a_noisy_run(tmp_path):
    folder, file = tmp_path / "data", tmp_path / "gina.token"
    folder.mkdir(mode=0o700)
    (folder / "node.key").write_text(PLANTED + "\n", "ascii")
    (folder / "node.key").chmod(0o600)
    places = {}
    with Serving(folder, "--log-level", "debug", "--open-metrics") as serving:
        admin = json.loads((folder / "admin.json").read_text("utf-8"))["key"]
        token = serving.token()
        file.write_text(token + "\n", "ascii")
        code = re.search(r"[A-Z0-9]{4}-[A-Z0-9]{4}", inside("pair", "--data", folder).out)[0]
        with Child("tail", "--url", serving.url, env=environment(BOONBRIDGE_TOKEN=token)) as tail:
            tail.wait(lambda: "-- caught up" in tail.out)
            with Child("tail", "--url", serving.url, "--token-file", file, "--json") as other:
                other.wait(lambda: '"caughtUp"' in other.out)
                given, codes, places["what was heard"] = asyncio.run(noise(serving.url, token, code))
                places["the process list"] = process_list() or ""
                places["a client that follows, with --token-file"] = other.out + other.err
            places["a client that follows, with BOONBRIDGE_TOKEN"] = tail.out + tail.err
        for name, words in {
            "a wrong token": ("do", "--url", serving.url, "--token-file", file, '{"t":"Format"}'),
            "an address with a token in it": (
                "tail",
                "--url",
                f"{serving.http}#token={token}x",
                "--token-file",
                tmp_path / "none",
            ),
        }.items():
            done = run(*words, env=environment())
            assert done.code == 1, done
            places[f"the command line: {name}"] = done.out + done.err
        for path in ("metrics", "readyz", f"?token={token}", f"{token}", f"ws?token={token}&code={code}", "module.json", ""):
            answer = get(serving.http + path, Authorization=f"Bearer {token}")
            places[f"GET /{'…' if token in path else path}"] = answer.replace(f"{serving.http}{path}", "")
        assert serving.stop() == 0
        places["the server's output"], places["the server's log lines"] = serving.out, serving.err
    assert "boonbridge_connections" in places["GET /metrics"]
    assert '"event": "joined"' in places["the server's log lines"], "it did log"
    assert '"event": "bad frame"' in places["the server's log lines"]
    secret = read_secret(folder / "node.key")
    keys = asyncio.run(table_keys(folder))
    for stored in folder.rglob("*"):
        if stored.is_file() and stored.name != "node.key":
            places[f"on disk: {stored.name}"] = stored.read_bytes().decode("latin-1")
    secrets = {
        "the node secret": shapes(PLANTED) | shapes(bytes.fromhex(PLANTED)),
        "the key that tokens are signed with": shapes(secret.signing_key),
        "the table's key": set().union(*(shapes(key) for key in keys)),
        "the admin channel's key": shapes(admin),
        "Gina's token": of_token(token),
        "Zoe's token": of_token(given),
        **{f"a code for one person, {n}": shapes(one) | shapes(one.replace("-", "")) for n, one in enumerate(codes)},
        "the pairing code": shapes(code) | shapes(code.replace("-", "")),
    }
    raw = {"the node secret": bytes.fromhex(PLANTED), "the key that tokens are signed with": secret.signing_key}
    found = [
        f"{name} stands in {place}"
        for place, text in places.items()
        for name, texts in secrets.items()
        if any(t in text for t in texts)
    ]
    found += [
        f"{name} stands in {place}, as bytes"
        for place, text in places.items()
        for name, value in (*raw.items(), *(("a table's key", key) for key in keys))
        if value.decode("latin-1") in text
    ]
    assert not found
    print(f"{len(secrets)} secrets were looked for in {len(places)} places, {sum(map(len, places.values())):,} characters")


async def table_keys(folder):
    store = open_store(folder)
    try:
        keys = [await store.vault.table_key(row.id, 1) for row in await store.tables.list_tables()]
    finally:
        await store.aclose()
    assert keys
    assert all(keys)
    return keys


def test_the_search_finds_what_is_there():
    token = "aaaa.bbbb.cccc"
    assert all(piece in f"x{token}y" for piece in of_token(token))
    key = bytes(range(32))
    assert key.hex() in shapes(key)
    assert base64.urlsafe_b64encode(key).decode().rstrip("=") in shapes(key)
    assert "kmq47xrt" in shapes("KMQ47XRT")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="this machine has no /proc")
def test_the_environment_of_a_process_is_its_own_user_s(tmp_path):
    """Why BOONBRIDGE_TOKEN and not a flag: others see the flags of a process, and not its environment."""
    assert Path("/proc/self/environ").stat().st_mode & 0o077 == 0
    assert Path("/proc/self/cmdline").stat().st_mode & 0o004
