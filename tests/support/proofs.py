"""Checking a proof as anybody can: from protocol section 6 alone, without the product."""

import json
from hashlib import sha256

from boonbridge_schemas.base import PARTS


def field(value):
    return len(value).to_bytes(4, "big") + value


def digest(*values):
    return sha256(b"".join(field(value) for value in values)).digest()


async def proven(person, seq):
    """Check a commit as protocol section 6 says, from the proof of it and of the commit that promised its seeds."""
    proof = await person.ask({"t": "proof", "seq": seq})
    parts = proof["parts"]
    leaves = [
        digest(bytes.fromhex(parts[name]["salt"]), parts[name]["bytes"].encode())
        if parts[name]["bytes"] is not None
        else bytes.fromhex(parts[name]["leaf"])
        for name in PARTS
    ]
    chained = digest(bytes.fromhex(proof["prevHash"]), proof["header"].encode(), *leaves)
    assert chained.hex() == proof["hash"], f"the chain of commit {seq}"
    hashes = [
        sha256(bytes.fromhex(parts[name]["seed"])).digest() if parts[name]["seed"] else bytes.fromhex(parts[name]["seedHash"])
        for name in PARTS
    ]
    if proof["promisedBy"] is not None:
        promise = await person.ask({"t": "proof", "seq": proof["promisedBy"]})
        ahead = seq - proof["promisedBy"]
        if ahead == 64:
            promised = json.loads(promise["header"])["seedHash"]
        else:
            (opened,) = json.loads(promise["parts"]["all"]["bytes"])["events"]
            promised = opened["seedHashes"][ahead - 1]
        assert digest(*hashes).hex() == promised, f"the seeds of commit {seq} were not promised by commit {proof['promisedBy']}"
    return proof
