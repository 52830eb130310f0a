"""The Foundry module as it is handed out: the files that are tested, under addresses of this server and no other."""

import http.client
import io
import json
import os
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest

import boonbridge
from boonbridge.net.module import MANIFEST, module_files, zipped
from tests.support.bridge import serving
from tests.support.cli import environment, inside, refused

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "foundry-module"
PARTS = ("LICENSE", "lang", "scripts", "styles", "templates")
SCHEMA = json.loads((ROOT / "schemas/module/manifest.schema.json").read_text("utf-8"))


def checked(manifest):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    errors = [error.message for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(manifest)]
    assert errors == []
    return manifest


def source():
    """The files of the checkout that an installation needs."""
    found = {MANIFEST: (MODULE / MANIFEST).read_bytes()}
    for part in PARTS:
        files = [MODULE / part] if (MODULE / part).is_file() else (MODULE / part).rglob("*")
        found |= {
            file.relative_to(MODULE).as_posix(): file.read_bytes()
            for file in files
            if file.is_file() and not any(name.startswith(".") for name in file.relative_to(MODULE).parts)
        }
    return found


def unpacked(body):
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        assert archive.testzip() is None
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def fetch(address, path, host=None):
    """A plain request, as Foundry's server sends it; ``host`` may be any lie."""
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=10)
    connection.request("GET", path, headers={} if host is None else {"Host": host})
    with connection.getresponse() as answer:
        body = answer.read()
        assert answer.status == 200, body
        return answer.headers["Content-Type"], body


# --- the manifest --------------------------------------------------------------------------------------------------
def test_the_manifest_is_one():
    manifest = checked(json.loads((MODULE / MANIFEST).read_text("utf-8")))
    assert manifest["version"] == boonbridge.__version__
    for path in (
        *manifest["esmodules"],
        *manifest["styles"],
        *(one["path"] for one in manifest["languages"]),
        manifest["license"],
    ):
        assert (MODULE / path).is_file(), path
    assert not {"manifest", "download"} & set(manifest), "only a server knows its own addresses"


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": "boon"},
        {"version": "0.1"},
        {"socket": False},
        {"esmodules": []},
        {"esmodules": ["scripts/main.js"]},
        {"styles": ["../a.css"]},
        {"compatibility": {"minimum": "12"}},
        {"compatibility": {"verified": "14"}},
        {"languages": []},
        {"surprise": 1},
        {"download": "module.zip"},
    ],
    ids=str,
)
def test_a_manifest_with_a_mistake_is_none(wrong):
    manifest = json.loads((MODULE / MANIFEST).read_text("utf-8"))
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors({**manifest, **wrong}))


def test_the_license_goes_with_it():
    assert (MODULE / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


# --- the zip -------------------------------------------------------------------------------------------------------
def test_the_zip_holds_what_is_tested_and_nothing_else():
    files = source()
    assert module_files(MODULE) == files
    assert unpacked(zipped(module_files(MODULE))) == files
    assert not [name for name in files if name.endswith(".d.ts") or "node_modules" in name]


def test_the_same_files_are_the_same_bytes(tmp_path):
    for path, body in reversed(source().items()):  # made in another order, at another time, with other rights
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(body)
        (tmp_path / path).chmod(0o700)
        os.utime(tmp_path / path, (1, 1))
    assert zipped(module_files(tmp_path)) == zipped(module_files(MODULE))
    (tmp_path / "scripts" / "main.mjs").write_bytes(b"other")
    assert zipped(module_files(tmp_path)) != zipped(module_files(MODULE))


def test_a_folder_without_a_module(tmp_path):
    assert module_files(tmp_path) == {}


# --- as a server hands it out --------------------------------------------------------------------------------------
async def served(bridge, path, host=None):
    import asyncio

    return await asyncio.to_thread(fetch, f"http://127.0.0.1:{bridge.running.port}", path, host)


async def test_what_is_served_is_what_is_installed(tmp_path):
    async with serving(tmp_path) as bridge:
        kind, body = await served(bridge, "/module.json")
        assert kind.startswith("application/json")
        manifest = checked(json.loads(body))
        base = f"http://127.0.0.1:{bridge.running.port}"
        assert (manifest["manifest"], manifest["download"]) == (f"{base}/module.json", f"{base}/module.zip")
        kind, packed = await served(bridge, urlsplit(manifest["download"]).path)
        assert kind == "application/zip"
        files = unpacked(packed)
        assert files.pop(MANIFEST) == body, "what is installed looks for its updates where it was found"
        assert {**files, MANIFEST: (MODULE / MANIFEST).read_bytes()} == source()
        assert {**manifest, "manifest": 0, "download": 0} == {
            **json.loads((MODULE / MANIFEST).read_text("utf-8")),
            "manifest": 0,
            "download": 0,
        }
        for prefix in ("client", "cards", "forms", "vendor"):  # the page runs the very files that are installed
            for name in (name for name in files if name.startswith(f"scripts/{prefix}/")):
                assert (await served(bridge, name.removeprefix("scripts")))[1] == files[name]


@pytest.mark.parametrize("host", ["evil.example", "evil.example:30300", "127.0.0.1:1", "127.0.0.1@evil.example", "a b", ""])
async def test_a_host_that_is_not_ours_is_never_named(tmp_path, host):
    async with serving(tmp_path) as bridge:
        manifest = json.loads((await served(bridge, "/module.json", host))[1])
        assert manifest["download"] == f"http://127.0.0.1:{bridge.running.port}/module.zip"


async def test_a_host_that_is_ours_is(tmp_path):
    async with serving(tmp_path) as bridge:
        for host in (f"localhost:{bridge.running.port}", f"LocalHost:{bridge.running.port}", f"[::1]:{bridge.running.port}"):
            manifest = checked(json.loads((await served(bridge, "/module.json", host))[1]))
            assert manifest["download"] == f"http://{host.lower()}/module.zip"
            assert json.loads(unpacked((await served(bridge, "/module.zip", host))[1])[MANIFEST]) == manifest


@pytest.mark.parametrize("host", [None, "evil.example", "dice.example", "localhost"])
async def test_a_public_address_is_the_one_that_lasts(tmp_path, host):
    async with serving(tmp_path, public_url="https://dice.example/") as bridge:
        manifest = checked(json.loads((await served(bridge, "/module.json", host))[1]))
        assert manifest["manifest"] == "https://dice.example/module.json"
        assert manifest["download"] == "https://dice.example/module.zip"


# --- as the command line hands it out ------------------------------------------------------------------------------
def test_the_command_writes_the_same_zip(tmp_path):
    out = tmp_path / "boonbridge.zip"
    for _ in range(2):
        done = inside("module", "--out", out, "--data", tmp_path)
        assert done.code == 0, done
        assert "Data/modules/boonbridge" in done.out
        assert out.read_bytes() == zipped(module_files(MODULE))
    assert [path.name for path in tmp_path.iterdir()] == ["boonbridge.zip"]


def test_the_command_knows_the_public_address(tmp_path):
    out = tmp_path / "boonbridge.zip"
    inside("module", "--out", out, "--data", tmp_path, "--public-url", "https://dice.example")
    flagged = out.read_bytes()
    assert checked(json.loads(unpacked(flagged)[MANIFEST]))["download"] == "https://dice.example/module.zip"
    inside("module", "--out", out, "--data", tmp_path, env=environment(BOONBRIDGE_PUBLIC_URL="https://dice.example/"))
    assert out.read_bytes() == flagged


def test_what_the_command_cannot_do(tmp_path):
    assert "No such file or directory" in refused("module", "--out", tmp_path / "no" / "x.zip", by=inside)
    assert "--public-url" in refused("module", "--out", tmp_path / "x.zip", "--public-url", "dice", by=inside)
