"""The wheel as a user gets it: built, installed by pip into an empty environment, run far from the checkout."""

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path
from urllib.parse import urljoin

import pytest

import boonbridge
from boonbridge.net.module import module_files, zipped
from tests.support.cli import Child, environment, run
from tests.support.pages import scripts

ROOT = Path(__file__).parents[2]
BIN = "Scripts" if sys.platform == "win32" else "bin"
SERVED = {
    "web": "boonbridge/web",
    "client": "boonbridge/_module/scripts/client",
    "cards": "boonbridge/_module/scripts/cards",
    "lang": "boonbridge/_module/lang",
    "styles": "boonbridge/_module/styles",
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    out = tmp_path_factory.mktemp("dist")
    words = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT]
    subprocess.run(words, check=True, capture_output=True, timeout=120)
    (made,) = out.iterdir()
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of programs of an environment that has the wheel and what it asks for, and nothing else."""
    place = tmp_path_factory.mktemp("installed")
    venv.create(place, with_pip=True)
    # As the README says, in a shell that has this environment's programs first.
    (block,) = [block for block in scripts(ROOT / "README.md") if block.how == "with the wheel"]
    (place / wheel.name).write_bytes(wheel.read_bytes())
    pinned = ROOT / "requirements" / "runtime.txt"
    env = {**os.environ, "PATH": f"{place / BIN}:{os.environ['PATH']}", "PIP_CONSTRAINT": str(pinned), "PIP_QUIET": "1"}
    done = subprocess.run(["bash", "-ec", block.text], cwd=place, env=env, capture_output=True, timeout=110, check=False)
    if done.returncode:
        # Without a network: uv has kept what `make setup` fetched.
        uv = [sys.executable, "-m", "uv", "pip", "install", "--offline", "--python", place / BIN / "python", "-c", pinned, wheel]
        subprocess.run(uv, check=True, timeout=60)
    return place / BIN


@pytest.fixture
def home(tmp_path):
    """An environment whose home is a new folder, and who knows nothing of the checkout."""
    found = environment(HOME=tmp_path / "home", XDG_DATA_HOME=tmp_path / "share", XDG_CACHE_HOME=tmp_path / "cache")
    return {key: value for key, value in found.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}


def test_its_name_and_files(wheel):
    assert wheel.name == f"boonbridge-{boonbridge.__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        texts = {name: archive.read(name) for name in names}
    tops = {name.split("/")[0] for name in names}
    assert tops == {"boonbridge", "boonbridge_schemas", f"boonbridge-{boonbridge.__version__}.dist-info"}
    stray = [name for name in names if re.search(r"test|\.pyc$|__pycache__|node_modules|/\.|~$|\.(orig|rej|bak)$", name)]
    assert not stray
    for place in (str(ROOT), str(Path.home()), "/tmp/"):
        told = [name for name, text in texts.items() if place.encode() in text and len(place) > 3]
        assert not told, (place, told)
    metadata = texts[f"boonbridge-{boonbridge.__version__}.dist-info/METADATA"].decode()
    assert "License-Expression: MIT" in metadata
    assert f"boonbridge-{boonbridge.__version__}.dist-info/licenses/LICENSE" in names


def test_everything_that_is_served_is_in_it(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    for inside in SERVED.values():
        folder = ROOT / inside.replace("boonbridge/_module", "foundry-module").replace("boonbridge/web", "bridge/boonbridge/web")
        here = [f for f in folder.rglob("*") if f.is_file() and not f.name.startswith(".")]
        assert here, folder
        missing = [f for f in here if f"{inside}/{f.relative_to(folder).as_posix()}" not in names]
        assert not missing


def test_serve_without_arguments_and_the_page_loads(wheel, installed, home, tmp_path):
    program = (str(installed / "boonbridge"),)
    ready = tmp_path / "ready.json"
    with Child("serve", "--port", "0", "--ready-json", ready, program=program, env=home, cwd=tmp_path) as serving:
        serving.wait(ready.exists, timeout=40)
        told = json.loads(ready.read_text("utf-8"))
        http = told["http"]
        assert (tmp_path / "share" / "boonbridge" / "log.sqlite").exists()
        serving.wait(lambda: "Boonbridge is ready." in serving.out)  # the file comes first, the sentence after it

        seen = crawl(http)
        assert len([url for url in seen if url.endswith(".mjs")]) > 20
        assert get(f"{http}module.zip")[1] == zipped(module_files(ROOT / "foundry-module", http.rstrip("/")))
        with zipfile.ZipFile(wheel) as archive:
            for prefix, inside in SERVED.items():
                for name in archive.namelist():
                    if name.startswith(f"{inside}/"):
                        path = f"{prefix}{name.removeprefix(inside)}"
                        path = "" if path == "web/index.html" else path  # the page itself, and there alone
                        assert get(f"{http}{path}")[1] == archive.read(name)
        assert json.loads(get(f"{http}lang/en.json")[1])
        assert "ClientFrame" in json.loads(get(f"{http}schema/v1.json")[1])["$defs"]
        assert get(f"{http}client/bridge-client.mjs")[0].startswith("text/javascript")

        # The other commands find the same folder, and a roll goes all the way.
        token = run("token", "--user", "Gina", "--role", "gm", program=program, env=home, cwd=tmp_path).out.strip()
        ask = {**home, "BOONBRIDGE_TOKEN": token}
        hero = '{"t": "SyncActor", "actor": "ada", "name": "Ada", "numbers": {"values": [{"key": "agility", "value": 12}]}}'
        assert run("do", hero, "--url", told["url"], program=program, env=ask).code == 0
        words = ("--actor", "ada", "--check", "attribute", "attribute=agility", "tn=10")
        assert "Ada: " in run("roll", "--url", told["url"], *words, program=program, env=ask).out
        assert "Pairing code" in run("pair", program=program, env=home, cwd=tmp_path).out
        assert serving.stop() == 0


def test_it_does_not_need_the_checkout(installed, home, tmp_path):
    code = (
        "import boonbridge, boonbridge_schemas; print(boonbridge.__version__, boonbridge.__file__, boonbridge_schemas.__file__)"
    )
    done = run("-c", code, program=(str(installed / "python"),), env=home, cwd=tmp_path)
    version, *places = done.out.split()
    assert version == boonbridge.__version__
    assert not [place for place in places if Path(place).is_relative_to(ROOT)]
    pip = run("-m", "pip", "check", program=(str(installed / "python"),), env=home, cwd=tmp_path)
    assert pip.code == 0, pip


def get(url):
    with urllib.request.urlopen(url, timeout=10) as answer:
        return answer.headers["Content-Type"], answer.read()


def crawl(start):
    """Every address that the page leads to: its styles, its modules, and what those import."""
    seen, waiting = set(), [start]
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        try:
            kind, body = get(url)
        except urllib.error.HTTPError as no:
            raise AssertionError((url, no.code)) from no
        text = body.decode()
        if kind.startswith("text/html"):
            found = re.findall(r"""<(?:script|link)[^>]*?\s(?:src|href)="([^"]+)\"""", text)
        elif kind.startswith("text/javascript"):
            found = re.findall(r"""(?:\bfrom|^import|\bawait import\()\s*["']([./][^"'\s]*)["']""", text, re.MULTILINE)
        elif kind.startswith("text/css"):
            found = re.findall(r"""@import\s+(?:url\()?["']([^"']+)["']""", text)
        else:
            found = []
        waiting += [urljoin(url, name) for name in found if not name.startswith(("data:", "http"))]
    return seen
