"""What a restore would bring back behind people's backs is found in the log that it is to replace."""

import json

import pytest

from boonbridge.store.backup_file import Held
from boonbridge.store.open import open_store
from boonbridge.store.refused import FolderRefused
from boonbridge.store.since import Undone, undone
from boonbridge.tables.ports import TableRow
from tests.store.commits import commit

LATER = (
    {"t": "AccessRevoked", "user": "finn"},
    {"t": "AccessRevoked", "user": "zoe", "device": "d-phone"},
    {"t": "AccessRevoked", "user": "quin"},
    {"t": "Invited", "user": "quin", "role": "player"},
    {"t": "NameErased", "user": "mia"},
    {"t": "OriginRemoved", "origin": "https://vtt.example"},
    {"t": "ActorSynced", "actor": "a", "name": "AccessRevoked", "side": "party", "owners": ["mia"]},  # a word is no event
)


async def written(folder, *events):
    """A log with a commit for each event."""
    store = open_store(folder)
    await store.tables.add_table(TableRow(id="t", title="T", ruleset="sage_d20", created=1))
    for seq, event in enumerate(events, start=1):
        assert await store.log.append([commit("t", seq, body=json.dumps({"events": [event]}).encode())])
    await store.aclose()


def held(seq, hash_=None):
    return Held(id="t", title="T", seq=seq, hash=(hash_ or commit("t", seq).hash).hex())


async def test_who_was_sent_away_whose_name_was_erased_and_which_pages_since(tmp_path):
    await written(tmp_path, {"t": "AccessRevoked", "user": "olga"}, *LATER)
    assert undone(tmp_path, held(1)) == Undone(
        goes_on=True, revoked=("finn", "zoe"), erased=("mia",), origins=("https://vtt.example",)
    )
    assert undone(tmp_path, held(5)) == Undone(goes_on=True, erased=("mia",), origins=("https://vtt.example",))
    assert undone(tmp_path, held(8)) == Undone(goes_on=True)
    assert undone(tmp_path, held(0, bytes(32))).revoked == ("olga", "finn", "zoe")


async def test_of_another_log_nothing_is_known(tmp_path):
    await written(tmp_path, *LATER)
    assert undone(tmp_path, held(3, b"x" * 32)) == Undone(goes_on=False)
    assert undone(tmp_path, held(9)) == Undone(goes_on=False), "the backup goes further"


async def test_a_log_that_cannot_be_read_is_said(tmp_path):
    store = open_store(tmp_path)
    await store.log.append([commit("t", 1, body=b'{"events": "NameErased"}')])
    await store.aclose()
    with pytest.raises(FolderRefused, match="cannot be read"):
        undone(tmp_path, held(0, bytes(32)))
