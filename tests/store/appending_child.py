"""A process that appends for ever and says on standard output what was acknowledged, until somebody kills it.

Run as ``python appending_child.py FOLDER``. It goes on where the logs end.
"""

import asyncio
import os
import sys
from pathlib import Path

from boonbridge.store.open import open_store
from boonbridge.tables.batcher import Batcher
from boonbridge.tables.ports import Appended
from tests.store.commits import commit

TABLES = [f"t{n}" for n in range(8)]


async def main(folder):
    store = open_store(folder)
    batcher = Batcher(store.log)

    async def append(table):
        seq, _ = await store.log.head(table)
        while True:
            seq += 1
            written = commit(table, seq, f"{table}-{os.getpid()}-{seq:012d}", body=b"x" * (seq * 37 % 3_000))
            assert await batcher.append(written) == Appended()
            # One write per line, past every buffer: what was said before the kill is all there.
            os.write(1, f"{table} {seq} {written.command_id} {written.hash.hex()}\n".encode())

    await asyncio.gather(*(append(table) for table in TABLES))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
