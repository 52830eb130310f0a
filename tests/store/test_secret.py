"""The node secret and what is wrapped with it."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor

import apsw
import pytest

from boonbridge.store.open import KeyRefused, open_store
from boonbridge.store.refused import FolderRefused
from boonbridge.store.secret import NodeSecret, make_secret, read_secret

SECRET = NodeSecret(bytes(range(32)))
KEY = bytes(range(100, 132))


def test_a_wrapped_key_opens_again():
    assert SECRET.unwrap("t", 3, SECRET.wrap("t", 3, KEY)) == KEY


def test_no_two_wrappings_are_alike():
    wrapped = [SECRET.wrap("t", 1, KEY) for _ in range(100)]
    assert len({w[1:33] for w in wrapped}) == len({w[33:65] for w in wrapped}) == 100
    assert all(KEY not in w for w in wrapped)


def test_every_changed_bit_is_noticed():
    wrapped = SECRET.wrap("t", 1, KEY)
    for place in range(len(wrapped) * 8):
        changed = bytearray(wrapped)
        changed[place // 8] ^= 1 << place % 8
        with pytest.raises(KeyRefused, match=r"node\.key"):
            SECRET.unwrap("t", 1, bytes(changed))


@pytest.mark.parametrize("length", [0, 1, 32, 33, 64, 65, 96, 98, 200])
def test_every_other_length_is_noticed(length):
    wrapped = SECRET.wrap("t", 1, KEY)
    with pytest.raises(KeyRefused):
        SECRET.unwrap("t", 1, (wrapped * 3)[:length])


def test_a_wrapped_key_opens_nowhere_else():
    wrapped = SECRET.wrap("t1", 1, KEY)
    for table, epoch in (("t1", 2), ("t2", 1), ("t", 11), ("t11", 1)):
        with pytest.raises(KeyRefused):
            SECRET.unwrap(table, epoch, wrapped)
    with pytest.raises(KeyRefused):
        NodeSecret(bytes(32)).unwrap("t1", 1, wrapped)


def test_the_two_uses_share_no_key():
    derived = [SECRET._signing, SECRET._encryption, SECRET._authentication, bytes(range(32))]
    assert len(set(derived)) == 4
    assert "signing" not in repr(SECRET)
    assert SECRET.signing_key.hex() not in repr(SECRET)


def test_the_derivation_is_fixed():
    """Changing it would orphan every stored key and end every token."""
    assert SECRET.signing_key.hex() == "eaf9edcbd9115b049dc6e19197f33ea53389c25ffe672adcf659eb052cf6e570"
    wrapped = bytes.fromhex(
        "016e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6e6edc18852994fe15709488ec893dea487017c1aceecb5f426ca2d8a706ee11cf657b673c30e2e62fb85c43c55a17caf3bcfef57cb13a3af3f425c9b0dbbe870235"
    )
    assert SECRET.unwrap("t", 1, wrapped) == KEY


def test_lengths_are_held():
    with pytest.raises(ValueError, match="32"):
        NodeSecret(b"short")
    with pytest.raises(ValueError, match="32"):
        SECRET.wrap("t", 1, b"short")


def test_the_file_is_made_once_for_its_owner_alone(tmp_path):
    path = tmp_path / "node.key"
    assert read_secret(path) is None
    made = make_secret(path)
    assert len(path.read_bytes()) == 65
    if os.name != "nt":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert make_secret(path).signing_key == made.signing_key == read_secret(path).signing_key
    assert [p.name for p in tmp_path.iterdir()] == ["node.key"]


def test_all_who_make_it_at_once_get_the_same(tmp_path):
    path = tmp_path / "node.key"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: make_secret(path).signing_key, range(32)))
    assert set(made) == {read_secret(path).signing_key}
    assert [p.name for p in tmp_path.iterdir()] == ["node.key"]


def test_a_file_system_without_hard_links(tmp_path, monkeypatch):
    def link(*_):
        raise PermissionError

    monkeypatch.setattr(os, "link", link)
    path = tmp_path / "node.key"
    assert make_secret(path).signing_key == make_secret(path).signing_key
    assert [p.name for p in tmp_path.iterdir()] == ["node.key"]


@pytest.mark.parametrize("content", [b"", b"\n", b"ab" * 31, b"ab" * 33, b"zz" * 32, bytes(32)])
def test_a_file_with_something_else_is_refused_and_kept(tmp_path, content):
    path = tmp_path / "node.key"
    path.write_bytes(content)
    with pytest.raises(FolderRefused, match="64 hexadecimal digits"):
        read_secret(path)
    with pytest.raises(FolderRefused, match="64 hexadecimal digits"):
        open_store(tmp_path)
    assert path.read_bytes() == content


async def test_neither_secret_nor_key_is_ever_in_the_database(tmp_path):
    store = open_store(tmp_path)
    await store.vault.put_table_key("t", 1, KEY)
    signing = await store.vault.node_secret()
    secret = bytes.fromhex((tmp_path / "node.key").read_text())
    needles = [raw for plain in (KEY, secret, signing) for raw in (plain, plain.hex().encode())]
    for path in tmp_path.glob("log.sqlite*"):
        content = path.read_bytes()
        assert not any(needle in content for needle in needles)
    await store.aclose()
    content = (tmp_path / "log.sqlite").read_bytes()
    assert b"table_keys" in content
    assert not any(needle in content for needle in needles)


async def test_a_changed_row_is_refused_by_the_vault(tmp_path):
    store = open_store(tmp_path)
    await store.vault.put_table_key("a", 1, KEY)
    await store.vault.put_table_key("b", 1, bytes(32))
    await store.aclose()
    db = apsw.Connection(str(tmp_path / "log.sqlite"))
    db.execute("UPDATE table_keys SET wrapped = (SELECT wrapped FROM table_keys WHERE table_id = 'a') WHERE table_id = 'b'")
    db.close()
    store = open_store(tmp_path)
    assert await store.vault.table_key("a", 1) == KEY
    with pytest.raises(KeyRefused, match="table b"):
        await store.vault.table_key("b", 1)
    await store.aclose()
