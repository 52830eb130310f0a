"""``boonbridge roll --count 200 --clients 32`` with one token, and the server killed in the middle of it."""

import json
import random
import time

from tests.crash.kills import GAME, read_log
from tests.support.cli import Child, Serving, environment

ACTOR = '{"t": "SyncActor", "actor": "kestrel", "name": "Kestrel", "side": "party"}'


def roll_through_a_kill(folder, *, seed, count=200, clients=32, say=print):
    """Roll, kill, start again, and see the command end by itself. Returns what is wrong."""
    say(f"seed {seed}")
    after = random.Random(seed).randint(1, count - 20)
    data = folder / "data"
    with Serving(data, "--ruleset", GAME) as server:
        port, token = server.port, server.token("Gina", "gm")
        assert server.asking("do", ACTOR, token=token).code == 0
        words = ("roll", "--url", server.url, "--actor", "kestrel", "--check", "luck", "--count", count, "--clients", clients)
        rolling = Child(*words, "--json", env=environment(BOONBRIDGE_TOKEN=token))
        rolling.wait(lambda: rolling.out.count("\n") >= after, 60)
        server.kill()
        say(f"killed after {rolling.out.count(chr(10))} of {count} rolls were acknowledged")
    with rolling, Serving(data, port=port) as server:
        began = time.monotonic()
        rolling.wait(lambda: rolling.process.poll() is not None, 90)
        say(f"`boonbridge roll` ended with {rolling.process.poll()} {time.monotonic() - began:.1f} s after the restart")
        answers = [json.loads(line) for line in rolling.out.splitlines()]
        code = rolling.process.poll()
        old = random.Random(seed).choice(answers)
        again = server.asking("do", _same(), "--id", old["id"], token=token)
        say(f"asked again for roll {old['id']} of commit {old['seq']}: {again.records[0]}")
        with Child("tail", "--url", server.url, "--json", env=environment(BOONBRIDGE_TOKEN=token)) as tail:
            tail.wait(lambda: '"caughtUp"' in tail.out, 60)
            shown = [json.loads(line) for line in tail.out.splitlines()][:-1]
        assert server.stop() == 0
    log, integrity = read_log(data)
    wrong = []
    if code != 0 or [answer["t"] for answer in answers] != ["ack"] * count:
        wrong.append(f"ended with {code} and {len(answers)} answers: {rolling.err if code is None else ''}")
    if [frame["seq"] for frame in shown] != list(range(1, len(shown) + 1)):
        wrong.append("the numbers in tail have a gap")
    rolls = {frame["id"]: frame["seq"] for frame in shown if any(event["t"] == "CheckRolled" for event in frame["events"])}
    if sorted(rolls.items()) != sorted((answer["id"], answer["seq"]) for answer in answers):
        wrong.append("the rolls in tail are not those that were acknowledged")
    if again.records[0] != old:
        wrong.append(f"an old id was answered {again.records[0]}, not {old}")
    if integrity != "ok" or len(log) != len(shown):
        wrong.append(f"integrity_check: {integrity}; {len(log)} commits on disk, {len(shown)} in tail")
    say(f"{len(answers)} acknowledged, {len(rolls)} rolls in tail, {len(log)} commits, integrity_check {integrity}")
    return wrong


def _same():
    return json.dumps({"t": "RollCheck", "check": "luck", "actors": ["kestrel"]})
