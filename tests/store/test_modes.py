"""A data folder that others may read is mended, and that is said; a key that cannot be mended is not used."""

import os
import stat

import pytest
import structlog

from boonbridge.store import modes
from boonbridge.store.open import FolderRefused, open_store
from tests.store.commits import commit

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


async def used(folder, **how):
    """Use a folder once; what was said meanwhile."""
    with structlog.testing.capture_logs() as said:
        store = open_store(folder, **how)
        await store.log.append([commit("t", 1)])
        store.marks.note("t", 1, 1, commit("t", 1).hash, b"k" * 32)
        await store.aclose()
    return [line for line in said if line["log_level"] == "warning"]


async def test_a_folder_that_was_copied_carelessly_is_mended_and_said(tmp_path):
    folder = tmp_path / "data"
    assert await used(folder) == []
    (folder / "boonbridge.toml").write_text("", "utf-8")
    wide = [folder, *(path for path in folder.rglob("*"))]
    for path in wide:
        path.chmod(0o777 if path.is_dir() else 0o644)
    said = await used(folder)
    assert mode(folder) == mode(folder / "heads") == 0o700
    assert {mode(folder / name) for name in ("node.key", "log.sqlite", "lock", "heads/head-t")} == {0o600}
    assert mode(folder / "boonbridge.toml") == 0o644, "what holds no secret stays as it is"
    told = {line["path"]: (line["was"], line["now"]) for line in said}
    assert told[str(folder)] == ("0777", "0700")
    assert told[str(folder / "node.key")] == ("0644", "0600")
    assert told[str(folder / "log.sqlite")] == ("0644", "0600")
    assert await used(folder) == [], "once"


async def test_backups_and_what_was_put_aside_are_mended_too(tmp_path):
    folder = tmp_path / "data"
    await used(folder)
    (folder / "backups").mkdir()
    (folder / "before-restore-T").mkdir()
    (folder / "backups" / "daily-2026-11-30.zip").touch()
    (folder / "before-restore-T" / "node.key").touch()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    said = {line["path"] for line in await used(folder)}
    assert {mode(folder / name) for name in ("", "backups", "before-restore-T")} == {0o700}, "the folder holds what is ours alone"
    assert mode(folder / "backups" / "daily-2026-11-30.zip") == 0o600
    assert str(folder / "backups" / "daily-2026-11-30.zip") in said


async def test_a_secret_elsewhere_is_mended_too(tmp_path):
    await used(tmp_path / "one")
    secret = tmp_path / "secret"
    secret.write_bytes((tmp_path / "one" / "node.key").read_bytes())
    secret.chmod(0o664)
    (line,) = await used(tmp_path / "two", secret_file=secret)
    assert (line["path"], line["was"], line["now"]) == (str(secret), "0664", "0600")
    assert mode(secret) == 0o600


@pytest.mark.parametrize(("kept", "refuses"), [(0o444, True), (0o604, True), (0o440, False), (0o640, False)])
async def test_a_key_that_cannot_be_mended_is_used_only_where_not_everybody_can_read_it(tmp_path, monkeypatch, kept, refuses):
    await used(tmp_path / "one")
    secret = tmp_path / "secret"
    secret.write_bytes((tmp_path / "one" / "node.key").read_bytes())
    secret.chmod(kept)

    def not_ours(path, mode):
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(modes.Path, "chmod", not_ours)
    if refuses:
        with pytest.raises(FolderRefused, match=r"Everybody on this machine can read .*: chmod 600 it, or 440"):
            await used(tmp_path / "two", secret_file=secret)
        monkeypatch.undo()
        secret.chmod(0o600)
    assert len(await used(tmp_path / "two", secret_file=secret)) == (0 if refuses else 1), "and the folder was let go of"


async def test_a_folder_into_which_everybody_may_write_is_not_used(tmp_path, monkeypatch):
    await used(tmp_path)
    tmp_path.chmod(0o777)

    def does_nothing(path, mode):
        """What chmod comes to on a file system that knows no modes."""

    monkeypatch.setattr(modes.Path, "chmod", does_nothing)
    with pytest.raises(FolderRefused, match=r"may write into .*: chmod 700 it"):
        open_store(tmp_path)
    monkeypatch.undo()
    (line,) = await used(tmp_path)
    assert line["path"] == str(tmp_path)


async def test_somebody_else_s_folder_keeps_its_mode(tmp_path):
    """``--data`` may be a slip: a home, or a folder for everybody. What we put there is ours, and the folder is not."""
    tmp_path.chmod(0o755)
    (tmp_path / "letter.txt").write_text("Dear", "utf-8")
    (tmp_path / "letter.txt").chmod(0o644)
    for _ in range(2):  # the second time our files are there already
        (line,) = await used(tmp_path)
        assert line["event"].startswith("others may look into this folder")
        assert mode(tmp_path) == 0o755
    assert mode(tmp_path / "letter.txt") == 0o644
    assert {mode(tmp_path / name) for name in ("node.key", "log.sqlite", "lock")} == {0o600}
    public = tmp_path / "public"
    public.mkdir()
    (public / "letter.txt").touch()
    public.chmod(0o1777)
    for _ in range(2):
        with pytest.raises(FolderRefused, match=r"may write into .*or choose another folder"):
            open_store(public)
    assert mode(public) == 0o1777
    assert not (public / "node.key").exists()


async def test_what_is_no_bridge_s_database_is_left_alone(tmp_path):
    (tmp_path / "log.sqlite").write_bytes(b"no database, but long enough to be looked at" * 50)
    (tmp_path / "log.sqlite").chmod(0o644)
    tmp_path.chmod(0o755)
    with pytest.raises(FolderRefused):
        open_store(tmp_path)
    assert mode(tmp_path / "log.sqlite") == 0o644
