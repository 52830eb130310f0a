"""The answer to ``proof``: what lets anybody recompute seed, faces and chain of a commit he may read."""

import msgspec

from boonbridge.core.chain import GENESIS, leaf
from boonbridge.core.ladder import AHEAD, Ladder
from boonbridge.core.visibility import Viewer, readable, shown_since
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.client import Proof
from boonbridge_schemas.codes import Code
from boonbridge_schemas.commit import Header, Part
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Proven, ProvenPart

from .ports import Vault
from .table import Table

_header = msgspec.json.Decoder(Header)
_part = msgspec.json.Decoder(Part)


async def prove(table: Table, frame: Proof, viewer: Viewer, vault: Vault) -> Proven:
    """The bytes, salts and seeds of the parts this viewer reads, and of those that were revealed since; bare hashes of the rest.

    Raises:
        Refusal: ``proof.unknown``.
    """
    seq = frame.seq
    found = await table.read(after=max(0, seq - 2), limit=2)
    commit = next((c for c in found if c.seq == seq), None)
    if commit is None:
        raise Refusal(Code.PROOF_UNKNOWN, values={"seq": seq})
    previous = next((c.hash for c in found if c.seq == seq - 1), GENESIS)
    epoch = _header.decode(commit.header).epoch
    ladder = await ladder_of(table, epoch, vault)
    rung = ladder.rung(seq)
    mine = readable(viewer, commit.by)
    state = table.state
    parts: dict[PartName, ProvenPart] = {}
    for name, raw in zip(PARTS, commit.parts, strict=True):
        if name in mine or (raw and shown_since(state, _part.decode(raw).events)):
            parts[name] = ProvenPart(bytes=raw.decode(), salt=rung.salts[name].hex(), seed=rung.seeds[name].hex())
        else:
            parts[name] = ProvenPart(leaf=leaf(rung.salts[name], raw).hex(), seed_hash=rung.seed_hashes[name].hex())
    ladder.forget(seq)
    return Proven(
        id=frame.id,
        seq=seq,
        prev_hash=previous.hex(),
        hash=commit.hash.hex(),
        header=commit.header.decode(),
        parts=parts,
        promised_by=await _promised_by(table, seq, epoch),
    )


async def ladder_of(table: Table, epoch: int, vault: Vault) -> Ladder:
    """The seeds of an epoch, the present one or one before. Raises ``proof.unknown`` where its key is gone."""
    if epoch == table.ladder.epoch:
        return table.ladder
    key = await vault.table_key(table.state.table, epoch)
    if key is None:
        raise Refusal(Code.PROOF_UNKNOWN, "The key of that time is not here any more.", values={"epoch": epoch})
    return Ladder(key, table.state.table, epoch)


async def _promised_by(table: Table, seq: int, epoch: int) -> int | None:
    """The commit that published the seed hash: 64 before, or the one that opened the epoch; none for that one."""
    if epoch == table.state.epoch:
        first = table.state.epoch_from
        return None if seq == first else max(first, seq - AHEAD)
    earlier = await table.read(after=max(0, seq - AHEAD - 1), limit=AHEAD + 1)
    same = [c.seq for c in earlier if c.seq < seq and _header.decode(c.header).epoch == epoch]
    return same[0] if same else None
