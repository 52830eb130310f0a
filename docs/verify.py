#!/usr/bin/env python3
"""Check one roll of a Boonbridge table, or an export of its log, without trusting the bridge.

    boonbridge proof --url URL 70 > roll.json; boonbridge proof --url URL 6 > promise.json  # 6 is `promisedBy` in roll.json
    python3 verify.py roll.json promise.json        # or both on standard input, one a line
    python3 verify.py table-player.jsonl            # what `boonbridge export` wrote

Computed anew: chain hashes, each seed against its promise, and every face you may see. A die that was rolled by hand has no
seed; that it was stands in the log for good. Not recomputed: what the rules make of the dice (`boonbridge verify` does).
"""
# ruff: noqa: ANN001, ANN002, ANN201, D103, PTH123, SIM115, T201

import json
import re
import sys
from hashlib import sha256
from hmac import digest

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


def content_of(commit):
    """The parts that may be read and are not empty."""
    return {p: json.loads(part["bytes"]) for p, part in commit["parts"].items() if part.get("bytes")}


def ladder_of(content):
    """The seed hashes with which an epoch begins, of the 64 commits that follow; none in a commit that holds anything else."""
    events = content["all"]["events"] if set(content) == {"all"} else []
    begins = {event["t"] for event in events} in ({"TableOpened"}, {"LadderRestarted"}, {"TableOpened", "LadderRestarted"})
    return events[0]["seedHashes"] if begins else None


def seed_hash(commit):
    hashes = (either(commit["parts"][p], lambda part: raw(part["seed"]), "seedHash") for p in PARTS)
    return sha256(joined(*hashes)).hexdigest()


def faces(commit, content):
    """Of every die that may be read: its part and number, the die, and the face that its seed gives."""
    for p, part in content.items():
        for i, die in enumerate(dice_of(part["events"])):
            yield p, i + 1, die, face(raw(commit["parts"][p]["seed"]), part["id"], i, die["sides"])


def checks(promise, roll):
    head, rolled = json.loads(promise["header"]), json.loads(roll["header"])
    named = (head["seq"], rolled["seq"], head["epoch"], head["table"])
    belongs = named == (roll["promisedBy"], roll["seq"], rolled["epoch"], rolled["table"]) and head["seq"] == promise["seq"]
    yield belongs, f"commit {promise['seq']} is the one that promised the seed of commit {roll['seq']}"
    for commit in (promise, roll):
        yield chain_hash(commit) == commit["hash"], f"the chain hash of commit {commit['seq']} follows from what it shows"
    ahead = roll["seq"] - promise["seq"]
    promised = head["seedHash"] if ahead == 64 else ladder_of(content_of(promise))[ahead - 1]
    yield seed_hash(roll) == promised, f"the seed of commit {roll['seq']} is the one that was promised"
    for p, part in content_of(roll).items():
        for die in dice_of(part["events"], by_hand=True):
            yield "by hand", f"part {p}: a d{die['sides']} shows {die['face']}, rolled by hand: nothing to recompute"
    for p, number, die, want in faces(roll, content_of(roll)):
        yield die["face"] == want, f"part {p}, die {number}: a d{die['sides']} shows {die['face']}, its seed gives {want}"


def export_checks(first, readline):
    """Of an export whose first line was read: everything that has to hold, commit by commit, and then its end."""
    total, head, seq, was, promised = sha256(first), json.loads(first), 0, {"hash": "0" * 64, "ids": set(), "format": 1}, {}
    dice = by_hand = 0
    while (commit := json.loads(text := readline()))["t"] == "commit":
        total.update(text)
        header, content, seq = json.loads(commit["header"]), content_of(commit), seq + 1
        ladder, of = ladder_of(content), f"of commit {seq}"
        opening = content["all"]["events"][0] if ladder else {}
        place = (commit["seq"], header["seq"], commit["prevHash"], header["format"], opening.get("t") == "TableOpened")
        yield place == (seq, seq, was["hash"], 1, seq == 1), f"commit {seq} goes on from commit {seq - 1}, in a known format"
        yield chain_hash(commit) == commit["hash"], f"the chain hash {of} follows from what it shows"
        if ladder:
            was = {"taped": opening.get("taped", False)} | was | {"first": seq, "epoch": opening.get("epoch", header["epoch"])}
            was |= {"table": header["table"]} if opening.get("reason", "imported") == "imported" else {}
            promised = dict(enumerate(ladder, seq + 1))
        yield (header["table"], header["epoch"]) == (was["table"], was["epoch"]), f"table and epoch {of} are those in force"
        yield ladder or seed_hash(commit) == promised.pop(seq), f"the seed {of} is the one that was promised"
        yield promised.setdefault(seq + 64, header["seedHash"]) == header["seedHash"], f"the promise {of} is the only one"
        yield commit["promisedBy"] == (None if ladder else max(was["first"], seq - 64)), f"what promised the seed {of}"
        ids, whose = {part["id"] for part in content.values()}, {part["by"] for part in content.values()}
        yield max(len(ids), len(whose)) < 2 and not ids & was["ids"], f"id and sender {of} are one, and the id is new"
        for p, number, die, want in () if was["taped"] else faces(commit, content):
            dice += 1
            yield die["face"] == want, f"part {p} {of}, die {number} shows {die['face']}, its seed gives {want}"
        by_hand += sum(len([*dice_of(part["events"], by_hand=True)]) for part in content.values())
        was |= {"hash": commit["hash"], "ruleset": header["ruleset"], "ids": was["ids"] | ids}
    total.update(text)
    last, end = readline(), readline()
    ends = (commit["t"], commit["count"], commit["hash"], commit["epoch"]) == ("trailer", seq, was["hash"], was["epoch"])
    named = all(head[key] == was[key] for key in ("format", "table", "ruleset"))
    yield ends and named, f"head and trailer are those of {seq} commits of table {was['table']}"
    whole = (json.loads(last)["t"], json.loads(last)["sha256"], last[-1:], end) == ("end", total.hexdigest(), b"\n", b"")
    seeded = "dice of a tape, which prove nothing" if was["taped"] else f"{dice} dice recomputed from seeds"
    yield whole, f"whole: {seq} commits; {seeded}; {by_hand} dice by hand, which have none; the last hash is {was['hash']}"


if __name__ == "__main__":
    failed = 0
    try:
        first = (files := [open(name, "rb") for name in sys.argv[1:]] or [sys.stdin.buffer])[0].readline()
        if exported := first.startswith(b'{"t":"export",'):
            found = export_checks(first, files[0].readline)
        else:
            texts = [first + files[0].read(), *(file.read() for file in files[1:])]
            texts = map(json.loads, texts if texts[1:] else texts[0].strip().splitlines())
            found = checks(*sorted(texts, key=lambda commit: commit["seq"]))
        for holds, what in found:
            failed += not holds
            if not (exported and holds) or what.startswith("whole"):
                print({True: "ok     ", False: "FAILED "}.get(holds, holds), what)
            if exported and failed:
                break
    except (ArithmeticError, AttributeError, LookupError, OSError, RecursionError, TypeError, ValueError) as why:
        failed = print("FAILED ", f"this is no export, and no roll with its promise ({type(why).__name__}: {why})") or 1
    sys.exit("Not proven: a byte was changed, or these do not belong together." if failed else print("Everything holds."))
