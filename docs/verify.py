#!/usr/bin/env python3
"""Check one roll of a Boonbridge table without trusting the bridge.

    boonbridge proof --url URL 70 > roll.json       # `promisedBy` in it names the commit that promised its seed
    boonbridge proof --url URL 6 > promise.json
    python3 verify.py roll.json promise.json        # or both on standard input, one a line

Computed anew: the chain hash of both commits, the seed against its promise, and every face you may see. A die that was
rolled by hand has no seed; that it was stands in the log for good.
"""
# ruff: noqa: ANN001, ANN002, ANN201, D103, T201

import json
import re
import sys
from hashlib import sha256
from hmac import digest
from pathlib import Path

PARTS = ("all", "roller_gm", "gm", "roller")


def joined(*fields):
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def raw(text):
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(f"{text!r} is not 32 bytes in lower-case hex")
    return bytes.fromhex(text)


def face(seed, command_id, index, sides, attempt=0):
    x = int.from_bytes(digest(seed, joined(command_id.encode(), b"%d" % index, b"%d" % attempt), "sha256")[:8], "big")
    return x % sides + 1 if x < 2**64 - 2**64 % sides else face(seed, command_id, index, sides, attempt + 1)


def either(part, shown, bare):
    """What follows from a part that may be read; of any other part it is given bare."""
    return raw(part[bare]) if part.get("bytes") is None else sha256(shown(part)).digest()


def chain_hash(commit):
    leaves = [either(commit["parts"][p], lambda part: joined(raw(part["salt"]), part["bytes"].encode()), "leaf") for p in PARTS]
    return sha256(joined(raw(commit["prevHash"]), commit["header"].encode(), *leaves)).hexdigest()


def dice_of(events, *, by_hand=False):
    for event in events:  # others, as Revealed, repeat dice that fell earlier
        if event["t"] in ("CheckRolled", "DiceRolled", "Chosen") and event.get("rolled", event).get("manual", False) == by_hand:
            dice = (event.get("result") or event).get("dice", [])
            yield from dice[len(dice) - event.get("drawn", len(dice)) :]


def checks(promise, roll):
    head, rolled = json.loads(promise["header"]), json.loads(roll["header"])
    named = (head["seq"], rolled["seq"], head["epoch"], head["table"])
    belongs = named == (roll["promisedBy"], roll["seq"], rolled["epoch"], rolled["table"]) and head["seq"] == promise["seq"]
    yield belongs, f"commit {promise['seq']} is the one that promised the seed of commit {roll['seq']}"
    for commit in (promise, roll):
        yield chain_hash(commit) == commit["hash"], f"the chain hash of commit {commit['seq']} follows from what it shows"
    content = {p: json.loads(part.get("bytes") or '{"events": []}') for p, part in roll["parts"].items()}
    opening = json.loads(promise["parts"]["all"].get("bytes") or '{"events": []}')["events"]
    ahead, ladders = roll["seq"] - promise["seq"], [event["seedHashes"] for event in opening if "seedHashes" in event]
    promised = head["seedHash"] if ahead == 64 else ladders[0][ahead - 1]
    hashes = [either(roll["parts"][p], lambda part: raw(part["seed"]), "seedHash") for p in PARTS]
    yield sha256(joined(*hashes)).hexdigest() == promised, f"the seed of commit {roll['seq']} is the one that was promised"
    for p in PARTS:
        for die in dice_of(content[p]["events"], by_hand=True):
            yield "by hand", f"part {p}: a d{die['sides']} shows {die['face']}, rolled by hand: nothing to recompute"
        for i, die in enumerate(dice_of(content[p]["events"])):
            want = face(raw(roll["parts"][p]["seed"]), content[p]["id"], i, die["sides"])
            yield die["face"] == want, f"part {p}, die {i + 1}: a d{die['sides']} shows {die['face']}, its seed gives {want}"


if __name__ == "__main__":
    texts = [Path(name).read_text("utf-8") for name in sys.argv[1:]] or sys.stdin.read().strip().splitlines()
    failed = 0
    try:
        for holds, what in checks(*sorted(map(json.loads, texts), key=lambda commit: commit["seq"])):
            print({True: "ok     ", False: "FAILED "}.get(holds, holds), what)
            failed += not holds
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as why:
        failed = print("FAILED ", f"these are not a roll and the promise of its seed ({type(why).__name__}: {why})") or 1
    sys.exit("Not proven: a byte was changed, or these two do not belong together." if failed else print("Everything holds."))
