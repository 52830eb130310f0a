"""Commits that mean nothing, for tests of the places where commits are kept."""

from hashlib import sha256

import msgspec

from boonbridge.tables.ports import StoredCommit
from boonbridge_schemas.base import LOG_FORMAT
from boonbridge_schemas.commit import Header


def header(table: str, seq: int) -> Header:
    return Header(
        format=LOG_FORMAT, table=table, epoch=1, seq=seq, at=seq, ruleset="sage_d20", version=1, seed_hash=bytes(32).hex()
    )


def commit(table: str, seq: int, command_id: str | None = None, *, body: bytes = b"{}") -> StoredCommit:
    identifier = command_id or f"{table}-command-{seq:08d}-000000"
    return StoredCommit(
        table=table,
        seq=seq,
        command_id=identifier,
        by="user-1",
        header=msgspec.json.encode(header(table, seq)),
        parts=(body, b"", b'{"gm":true}', b""),
        hash=sha256(f"{table}|{seq}|{identifier}".encode()).digest(),
    )


def log(table: str, first: int, last: int) -> list[StoredCommit]:
    return [commit(table, seq) for seq in range(first, last + 1)]
