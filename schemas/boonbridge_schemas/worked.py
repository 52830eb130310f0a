"""The worked example of the README: one die and one chain hash of the golden proof, number by number."""

import hmac
import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from .base import PARTS

ROLL = "golden/v1/proof-roll.json"
PROMISE = "golden/v1/proof-promise.json"


def field(value: bytes) -> bytes:
    """One field of a hashed message."""
    return len(value).to_bytes(4, "big") + value


def worked_example(goldens: Mapping[str, str]) -> list[str]:
    """The example as Markdown."""
    roll, promise = json.loads(goldens[ROLL]), json.loads(goldens[PROMISE])
    header = json.loads(roll["header"])
    where, part = next((name, part) for name, part in roll["parts"].items() if part["bytes"])
    content = json.loads(part["bytes"])
    return [
        f"Commit {roll['seq']} of the table `{header['table']}`, epoch {header['epoch']}, as `golden/v1/proof-roll.json` has it;",
        f"commit {promise['seq']} (`golden/v1/proof-promise.json`) promised its seed.",
        "",
        *_seed(roll, promise),
        "",
        *_dice(content, part, where),
        "",
        *_chain(roll),
    ]


def _seed(roll: Mapping[str, Any], promise: Mapping[str, Any]) -> list[str]:
    lines = ["**The seed.** `H` of each part is SHA-256 of its seed, or the `seedHash` given in its stead.", "", "```text"]
    hashes = []
    for name in PARTS:
        part = roll["parts"][name]
        hashes.append(sha256(bytes.fromhex(part["seed"])).hexdigest() if part["seed"] else part["seedHash"])
        lines.append(f"H_{name:<9} {hashes[-1]}{'' if part['seed'] else '   (given)'}")
    total = sha256(b"".join(field(bytes.fromhex(one)) for one in hashes)).hexdigest()
    lines += ["", f"SHA-256( H_all | H_roller_gm | H_gm | H_roller ) = {total}", "```", ""]
    ahead = roll["seq"] - promise["seq"]
    place = (
        "the `seedHash` in its header"
        if ahead == 64
        else f"number {ahead} of the `seedHashes` in its event ({ahead} commits ahead)"
    )
    return [*lines, f"That is what commit {promise['seq']} promised: {place}."]


def _dice(content: Mapping[str, Any], part: Mapping[str, Any], where: str) -> list[str]:
    seed, command_id = part["seed"], content["id"]
    lines = [
        f"**The dice** of part `{where}`, seed `{seed}`,",
        f"command id `{command_id}`. The message of the first die is",
        "",
        "```text",
        f"{field(command_id.encode()).hex()} {field(b'0').hex()} {field(b'0').hex()}",
        "```",
        "",
        "| die | sides | attempt | x, the first 8 bytes of the HMAC | x mod sides + 1 |",
        "| --- | --- | --- | --- | --- |",
    ]
    drawn = [die for event in content["events"] if event["t"] == "CheckRolled" for die in event["result"]["dice"]]
    for index, die in enumerate(drawn):
        attempt = 0
        while True:
            message = b"".join(field(one) for one in (command_id.encode(), b"%d" % index, b"%d" % attempt))
            x = int.from_bytes(hmac.digest(bytes.fromhex(seed), message, sha256)[:8], "big")
            if x < 2**64 - 2**64 % die["sides"]:
                break
            attempt += 1
        shown = x % die["sides"] + 1
        if shown != die["face"]:
            raise ValueError(f"die {index + 1} of the golden proof shows {die['face']}, its seed gives {shown}")
        lines.append(f"| {index} | {die['sides']} | {attempt} | {x} | {shown} |")
    return lines


def _chain(roll: Mapping[str, Any]) -> list[str]:
    lines = ["**The chain.** A leaf is SHA-256( salt | bytes of the part ), or the `leaf` given in its stead.", "", "```text"]
    leaves = []
    for name in PARTS:
        part = roll["parts"][name]
        known = part["bytes"] is not None
        leaves.append(
            sha256(field(bytes.fromhex(part["salt"])) + field(part["bytes"].encode())).hexdigest() if known else part["leaf"]
        )
        size = len(part["bytes"].encode()) if known else 0
        lines.append(f"leaf_{name:<9} {leaves[-1]}   ({f'{size} bytes' if known else 'given'})")
    message = b"".join(
        field(one) for one in (bytes.fromhex(roll["prevHash"]), roll["header"].encode(), *map(bytes.fromhex, leaves))
    )
    return [
        *lines,
        "",
        f"previous hash  {roll['prevHash']}",
        f"header         {len(roll['header'].encode())} bytes",
        "SHA-256( previous hash | header | leaf_all | leaf_roller_gm | leaf_gm | leaf_roller )",
        f"             = {sha256(message).hexdigest()}",
        "```",
    ]
