"""What is shown of a stored commit to whoever checks it: of parts that he may read their bytes, of any other part hashes.

``proof`` and every export ask here, so that a file never tells more than an answer. Who reads which part is decided in
``core.visibility`` alone.
"""

from collections.abc import Mapping

from boonbridge.core.chain import leaf
from boonbridge.core.ladder import Rung
from boonbridge.core.state import TableState
from boonbridge.core.upcasting import header_of, part_of
from boonbridge.core.visibility import Viewer, readable, shown_since
from boonbridge_schemas.base import PARTS, PartName
from boonbridge_schemas.server import ProvenPart

from .ports import StoredCommit


def shown(commit: StoredCommit, rung: Rung, viewer: Viewer | None, state: TableState) -> Mapping[PartName, ProvenPart]:
    """Bytes, salts and seeds of the parts this viewer reads, and of those that were revealed since; bare hashes of the rest.

    ``viewer`` None: the operator's complete export, every part. ``state`` is how the table stands now.
    """
    mine = PARTS if viewer is None else readable(viewer, commit.by)
    its = header_of(commit.header).format
    parts: dict[PartName, ProvenPart] = {}
    for name, raw in zip(PARTS, commit.parts, strict=True):
        if name in mine or (raw and shown_since(state, part_of(raw, its).events)):
            parts[name] = ProvenPart(bytes=raw.decode(), salt=rung.salts[name].hex(), seed=rung.seeds[name].hex())
        else:
            parts[name] = ProvenPart(leaf=leaf(rung.salts[name], raw).hex(), seed_hash=rung.seed_hashes[name].hex())
    return parts
