"""The answer to ``proof``: what lets anybody recompute seed, faces and chain of a commit he may read."""

from boonbridge.core.chain import GENESIS
from boonbridge.core.ladder import AHEAD, promised_by
from boonbridge.core.upcasting import header_of
from boonbridge.core.visibility import Viewer
from boonbridge_schemas.client import Proof
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Proven

from .ports import Vault
from .rungs import Rungs
from .shown import shown
from .table import Table


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
    rungs = await Rungs(table.state.table, vault, table.ladder).of((commit,))
    return Proven(
        id=frame.id,
        seq=seq,
        prev_hash=previous.hex(),
        hash=commit.hash.hex(),
        header=commit.header.decode(),
        parts=dict(shown(commit, rungs[seq], viewer, table.state)),
        promised_by=await _promised_by(table, seq, header_of(commit.header).epoch),
    )


async def _promised_by(table: Table, seq: int, epoch: int) -> int | None:
    """The commit that published the seed hash: 64 before, or the one that opened the epoch; none for that one."""
    if epoch == table.state.epoch:
        return promised_by(seq, table.state.epoch_from)
    earlier = await table.read(after=max(0, seq - AHEAD - 1), limit=AHEAD + 1)
    same = [c.seq for c in earlier if c.seq < seq and header_of(c.header).epoch == epoch]
    return same[0] if same else None
