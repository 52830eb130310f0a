"""Where the seeds and salts of stored commits come from: the keys of a table's epochs, or what came with an imported log.

Whoever tells, proves or exports a stored commit asks here; nothing else may look for a key of an earlier epoch.
"""

from collections.abc import Mapping, Sequence

from boonbridge.core.ladder import Ladder, Rung
from boonbridge.core.upcasting import header_of
from boonbridge_schemas.base import Seq
from boonbridge_schemas.codes import Code
from boonbridge_schemas.refusal import Refusal

from .ports import StoredCommit, Vault

_BLOCK = 100
"""So many that came with a log are read at once: who asks for one asks for its neighbours."""


class Rungs:
    """The rungs of one table's stored commits.

    ``ladder``: that of the present epoch, where the table is open; commits of it need no look into the vault.
    """

    def __init__(self, table: str, vault: Vault, ladder: Ladder | None = None) -> None:
        self._table = table
        self._vault = vault
        self._ladders: dict[int, Ladder | None] = {} if ladder is None else {ladder.epoch: ladder}
        self._came: Mapping[Seq, Rung] = {}

    async def of(self, commits: Sequence[StoredCommit]) -> Mapping[Seq, Rung]:
        """The rungs of some stored commits, by seq.

        Raises:
            Refusal: ``proof.unknown``: the key of that time is gone, and nothing came in its place.
        """
        return {commit.seq: await self._at(commit.seq, header_of(commit.header).epoch) for commit in commits}

    async def _at(self, seq: Seq, epoch: int) -> Rung:
        ladder = await self._ladder(epoch)
        if ladder is not None:
            rung = ladder.rung(seq)
            ladder.forget(seq)
            return rung
        if seq not in self._came:
            self._came = await self._vault.rungs(self._table, after=max(0, seq - 1 - _BLOCK // 2), limit=_BLOCK)
        if seq not in self._came:
            raise Refusal(Code.PROOF_UNKNOWN, "The key of that time is not here any more.", values={"epoch": epoch})
        return self._came[seq]

    async def _ladder(self, epoch: int) -> Ladder | None:
        """The seeds of an epoch; None where the table never had its key."""
        if epoch not in self._ladders:
            key = await self._vault.table_key(self._table, epoch)
            self._ladders[epoch] = None if key is None else Ladder(key, self._table, epoch)
        return self._ladders[epoch]
