"""docker/: what its files say, and what becomes of them. With a Docker engine the image is built; without one its steps are run
as they stand in a scratch root. The test says which of the two it did."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
import yaml

from boonbridge import __version__
from boonbridge.config import Config, load
from tests.docker import scratch
from tests.docker.dockerfile import context, stages
from tests.support import proxies
from tests.support.bridge import playing
from tests.support.pages import ROOT
from tests.support.people import Person
from tests.support.wait import until

DOCKER = ROOT / "docker"
DOCKERFILE, IGNORE, COMPOSE, CADDYFILE = (
    DOCKER / name for name in ("Dockerfile", "Dockerfile.dockerignore", "compose.yaml", "Caddyfile")
)
VERSION = re.compile(r"[a-z0-9./-]+:\d+\.\d+\.\d+(-[a-z0-9.-]+)?\Z")


def composed(**variables):
    """compose.yaml with its variables filled in, as Compose does it."""

    def value(found):
        name, _, rest = found[1].partition(":")
        given = variables.get(name, "")
        if not given and rest.startswith("?"):
            raise LookupError(rest[1:])
        return given or rest.removeprefix("-")

    return yaml.safe_load(re.sub(r"\$\{([^}]+)\}", value, COMPOSE.read_text("utf-8")))


# --- the Dockerfile ------------------------------------------------------------------------------------------------
def test_two_stages_of_one_pinned_image():
    build, last = stages(DOCKERFILE)
    assert VERSION.match(build.image)
    assert build.image == last.image, "a virtual environment is moved from one to the other"
    assert build.name == "build"
    assert build.environment.keys() & {"PIP_NO_CACHE_DIR"}


def test_every_version_is_that_of_the_requirements():
    for stage in stages(DOCKERFILE):
        for step in stage.steps:
            if step.name == "RUN":
                for install in re.findall(r"\binstall\b(?! --directory)([^&|]*)", step.text):
                    assert "--requirement requirements/" in install or ("--no-deps" in install and "--no-index" in install), (
                        install
                    )
                assert not re.search(r"\b(curl|wget|apt-get|npm|git)\b|https?://", step.text), step.text
    for name in ("runtime", "build"):
        lines = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8").splitlines()
        assert all(line.startswith("#") or "==" in line for line in lines)


def test_it_runs_as_nobody_with_one_volume():
    last = stages(DOCKERFILE)[-1]
    assert last.last("USER").words == ["10001:10001"]
    assert [step.words for step in last.steps if step.name == "VOLUME"] == [["/data"]]
    after = [step.name for step in last.steps[last.steps.index(last.last("USER")) :]]
    assert not {"RUN", "COPY"} & set(after), "nothing is made once the user is nobody"
    assert last.environment["BOONBRIDGE_DATA"] == "/data"
    assert last.last("EXPOSE").words == [str(Config(data=ROOT).port)]
    assert (last.last("ENTRYPOINT").words, last.last("CMD").words) == (["boonbridge"], ["serve"])
    assert last.last("STOPSIGNAL").words == ["SIGTERM"], "which is what the server drains at"
    copied = {step.words[0] for step in last.steps if step.name == "COPY"}
    assert copied == {"/opt/boonbridge", "docker/healthy.py"}, "no source, no tool of the build"


def test_only_what_is_needed_reaches_the_build():
    files = {file.as_posix() for file in context(ROOT, IGNORE)}
    assert {"pyproject.toml", "bridge/boonbridge/cli.py", "foundry-module/module.json", "docker/healthy.py", "LICENSE"} <= files
    allowed = ("requirements/", "bridge/", "schemas/", "foundry-module/", "docker/healthy.py", "pyproject.toml", "hatch_build.py")
    assert {file for file in files if not file.startswith(allowed)} == {"README.md", "LICENSE"}
    assert not [file for file in files if "__pycache__" in file or "/." in file or file.endswith((".key", ".pem", ".sqlite"))]


def test_no_setting_in_the_image_or_the_compose_file_is_unknown():
    names = {f"BOONBRIDGE_{field.upper()}" for field in Config.__struct_fields__}
    service = composed(BOONBRIDGE_DOMAIN="dice.example")["services"]["boonbridge"]
    assert service["environment"].keys() <= names
    assert {name for name in stages(DOCKERFILE)[-1].environment if name.startswith("BOONBRIDGE_")} <= names


# --- compose.yaml --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", ["", "/boonbridge"])
def test_what_compose_gives_the_bridge_is_a_configuration(tmp_path, path):
    found = composed(BOONBRIDGE_DOMAIN="dice.example", BOONBRIDGE_BASE_PATH=path)
    config = load({"data": tmp_path}, found["services"]["boonbridge"]["environment"])
    assert (config.public_url, config.base_path) == (f"https://dice.example{path}", path)
    assert config.trust_proxy == found["networks"]["inside"]["ipam"]["config"][0]["subnet"]
    caddy = found["services"]["caddy"]["environment"]
    assert (caddy["BOONBRIDGE_DOMAIN"], caddy["BOONBRIDGE_BASE_PATH"]) == ("dice.example", path)


def test_without_a_domain_compose_says_so():
    with pytest.raises(LookupError, match=r"docker/\.env"):
        composed()
    example = dict(
        line.split("=", 1) for line in (DOCKER / "example.env").read_text("utf-8").splitlines() if re.match(r"[A-Z]", line)
    )
    assert composed(**example)["services"]


def test_both_containers_are_closed_as_far_as_they_can_be():
    found = composed(BOONBRIDGE_DOMAIN="dice.example")
    for service in found["services"].values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "privileged" not in service
        assert VERSION.match(service["image"]), service["image"]
        assert not [volume for volume in service["volumes"] if "docker.sock" in volume]
    bridge, caddy = found["services"]["boonbridge"], found["services"]["caddy"]
    assert bridge["image"] == f"boonbridge:{__version__}"
    assert bridge["user"] == stages(DOCKERFILE)[-1].last("USER").words[0]
    assert bridge["volumes"] == ["data:/data"]
    assert "cap_add" not in bridge
    assert "ports" not in bridge, "nobody goes past Caddy"
    assert bridge["networks"] == ["inside"]
    assert found["networks"]["inside"]["internal"] is True
    assert caddy["cap_add"] == ["NET_BIND_SERVICE"]
    assert caddy["depends_on"] == {"boonbridge": {"condition": "service_healthy"}}
    assert (COMPOSE.parent / bridge["build"]["context"]).resolve() == ROOT
    assert ROOT / bridge["build"]["dockerfile"] == DOCKERFILE
    named = {volume.split(":")[0] for service in found["services"].values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == found["volumes"].keys()


# --- the Caddyfile -------------------------------------------------------------------------------------------------
def caddy_environment(place, **variables):
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(place),
        "XDG_DATA_HOME": str(place),
        "XDG_CONFIG_HOME": str(place),
        **variables,
    }


@pytest.mark.parametrize("path", ["", "/boonbridge"])
def test_caddy_itself_takes_the_caddyfile(tmp_path, path):
    words = [proxies.program("caddy"), "validate", "--config", CADDYFILE, "--adapter", "caddyfile"]
    variables = composed(BOONBRIDGE_DOMAIN="dice.example", BOONBRIDGE_BASE_PATH=path)["services"]["caddy"]["environment"]
    done = subprocess.run(words, env=caddy_environment(tmp_path, **variables), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Valid configuration" in done.stdout + done.stderr
    assert "not formatted" not in done.stderr


@pytest.mark.parametrize("path", ["", "/boonbridge"])
async def test_the_caddyfile_leads_to_the_bridge_and_to_foundry(tmp_path, path):
    """On a plain port of this machine: without a certificate, everything else as it stands."""

    async def foundry(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nFoundry")
        writer.close()

    async def get(place):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {place} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: close\r\n\r\n".encode())
        body = (await reader.read()).partition(b"\r\n\r\n")[2].decode()
        writer.close()
        return body

    port, settings = proxies.free_port(), {"base_path": path, "trust_proxy": "127.0.0.1"}
    async with (
        playing("sage_d20", tmp_path / "d", **settings) as bridge,
        await asyncio.start_server(foundry, "127.0.0.1") as other,
    ):
        variables = {
            "BOONBRIDGE_DOMAIN": f"http://localhost:{port}",
            "BOONBRIDGE_BASE_PATH": path,
            "BOONBRIDGE_UPSTREAM": f"127.0.0.1:{bridge.running.port}",
            "FOUNDRY_UPSTREAM": f"127.0.0.1:{other.sockets[0].getsockname()[1]}",
        }
        words = [proxies.program("caddy"), "run", "--config", CADDYFILE, "--adapter", "caddyfile"]
        async with proxies.Proxy(words, tmp_path, port, **variables):
            assert await get(f"{path}/healthz") == "alive\n"
            assert await get("/join") == ("Foundry" if path else "There is nothing here. The table page is at /\n")
            async with await Person.connect(f"ws://localhost:{port}{path}/ws") as pia:
                await pia.hello(token=await bridge.token("Pia"))
                assert pia.welcome["role"] == "player"


# --- what becomes of the Dockerfile --------------------------------------------------------------------------------
def engine():
    """Whether a Docker engine answers here; the client alone is none."""
    docker = shutil.which("docker")
    return docker and subprocess.run([docker, "info"], capture_output=True, check=False, timeout=60).returncode == 0


@pytest.mark.long
def test_the_image_serves_as_nobody_on_a_root_that_nobody_can_write(tmp_path, capfd):
    if engine():
        with capfd.disabled():
            print("\ndocker/Dockerfile: built and run by the Docker engine of this machine.")
        _with_docker()
        return
    if why := scratch.can():
        assert not os.environ.get("CI"), why
        pytest.skip(f"no Docker engine answers here, and {why}")
    with capfd.disabled():
        print("\ndocker/Dockerfile: no Docker engine answers here. Its steps are run as they stand in a scratch root instead,")
        print(f"with this machine's programs and its Python in the place of {stages(DOCKERFILE)[0].image}.")
    _in_scratch(tmp_path)


def _with_docker():
    tag, name = "boonbridge:tests", f"boonbridge-tests-{os.getpid()}"
    subprocess.run(["docker", "build", "--file", DOCKERFILE, "--tag", tag, ROOT], check=True, timeout=900)
    closed = ["--read-only", "--cap-drop=ALL", "--security-opt=no-new-privileges", "--tmpfs=/tmp", "--health-interval=2s"]
    try:
        subprocess.run(["docker", "run", "--detach", "--name", name, *closed, tag], check=True, capture_output=True, timeout=120)

        def state(form):
            return subprocess.run(
                ["docker", "inspect", "--format", form, name], capture_output=True, text=True, check=True
            ).stdout.strip()

        asyncio.run(until(lambda: state("{{.State.Health.Status}}") == "healthy", 90, every=1))
        asked = subprocess.run(["docker", "exec", name, "id", "-u"], capture_output=True, text=True, check=True)
        assert asked.stdout.strip() == "10001"
        subprocess.run(["docker", "stop", name], check=True, capture_output=True, timeout=60)
        assert state("{{.State.ExitCode}}") == "0"
    finally:
        subprocess.run(["docker", "rm", "--force", "--volumes", name], capture_output=True, check=False)
        subprocess.run(["docker", "rmi", tag], capture_output=True, check=False)


def _in_scratch(tmp_path):
    place = tmp_path / "roots"
    place.mkdir()
    tmp_path.chmod(0o755)
    root, ran = scratch.build(stages(DOCKERFILE), ROOT, IGNORE, place)
    assert ran == [step.text for stage in stages(DOCKERFILE) for step in stage.steps if step.name == "RUN"]
    last = stages(DOCKERFILE)[-1]
    data = root.inside("/data")
    assert (data.stat().st_uid, data.stat().st_mode & 0o777) == (10001, 0o700)
    assert "boonbridge:x:10001:10001:" in root.inside("/etc/passwd").read_text("ascii")
    assert not list(root.inside("/opt/boonbridge").rglob("pip")), "nothing in the image can install anything"

    user, port = last.last("USER").words[0], proxies.free_port()
    root.environment["BOONBRIDGE_PORT"] = str(port)  # a scratch root shares this machine's network
    root.environment["BOONBRIDGE_BASE_PATH"] = "/boonbridge"
    check = json.loads(last.last("HEALTHCHECK").text.partition("CMD ")[2])

    def inside(*words):
        command = root.command(list(words), user=user, sealed="/data")
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)

    assert inside(*check).returncode == 1, "nobody answers yet"
    log = tmp_path / "log"
    command = root.command([*last.last("ENTRYPOINT").words, *last.last("CMD").words], user=user, sealed="/data")
    with scratch.process(command, log) as server:
        asyncio.run(until(lambda: "Next:" in log.read_text("utf-8") or server.poll() is not None, 40))
        assert server.poll() is None, log.read_text("utf-8")
        healthy = inside(*check)
        assert (healthy.returncode, healthy.stdout) == (0, "ready\n"), healthy
        assert inside("id", "-u").stdout == "10001\n"
        for folder in ("/", "/opt/boonbridge", "/etc", "/usr"):
            refused = inside("sh", "-c", f"touch {folder}/x")
            assert "Read-only file system" in refused.stderr or "Permission denied" in refused.stderr, (folder, refused)
        assert "CapEff:\t0000000000000000" in inside("cat", "/proc/self/status").stdout
        assert "Pairing code" in inside("boonbridge", "pair").stdout
        stored = {file.name for file in data.iterdir()}
        assert {"log.sqlite", "node.key"} <= stored
        assert {file.stat().st_uid for file in data.iterdir()} == {10001}

        # SIGTERM reaches the server and not only the processes that hold its root.
        begun = time.monotonic()
        served = [int(pid) for pid in _below(server.pid) if "boonbridge" in _words(pid) and "unshare" not in _words(pid)]
        os.kill(served[-1], signal.SIGTERM)
        assert server.wait(20) == 0
        assert time.monotonic() - begun < 10
    assert "Traceback" not in log.read_text("utf-8")


def _below(pid):
    """The processes that a process started, and theirs."""
    found = []
    children = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
    ).stdout.split()
    for child in children:
        found += [child, *_below(child)]
    return found


def _words(pid):
    return subprocess.run(["ps", "-o", "args=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
