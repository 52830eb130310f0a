"""Commits that mean nothing, for tests of the places where commits are kept."""

from hashlib import sha256

from boonbridge.tables.ports import StoredCommit


def commit(table: str, seq: int, command_id: str | None = None, *, body: bytes = b"{}") -> StoredCommit:
    identifier = command_id or f"{table}-command-{seq:08d}-000000"
    return StoredCommit(
        table=table,
        seq=seq,
        command_id=identifier,
        by="user-1",
        header=b'{"seq":%d,"epoch":1}' % seq,
        parts=(body, b"", b'{"gm":true}', b""),
        hash=sha256(f"{table}|{seq}|{identifier}".encode()).digest(),
    )


def log(table: str, first: int, last: int) -> list[StoredCommit]:
    return [commit(table, seq) for seq in range(first, last + 1)]
