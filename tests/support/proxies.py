"""Real proxies with real TLS: the configuration of docs/how-to/put-it-behind-a-proxy.md as it stands there, on other ports.

Debian's nginx and Caddy; `make proxies` installs them. Where one is missing the test says so and is skipped, and in CI it fails.
"""

import asyncio
import base64
import contextlib
import hashlib
import os
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.support.certificates import trusting
from tests.support.pages import ROOT, blocks
from tests.support.wait import until

PAGE = ROOT / "docs" / "how-to" / "put-it-behind-a-proxy.md"
DOMAIN = "foundry.example"


def program(name):
    """A program of this machine; where there is none the test is skipped and says so, but in CI it fails."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if found is None:
        reason = f"no {name} on this machine; `make proxies` installs it or says how"
        assert not os.environ.get("CI"), reason
        pytest.skip(reason)
    return found


def free_port():
    """A port that nobody listens at now: a proxy is told one before it starts."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def shown(language):
    """The documented configuration for Foundry's own domain."""
    return next(block.text for block in blocks(PAGE) if block.language == language and DOMAIN in block.text)


def replaced(text, *pairs):
    """The text with each of these once, which has to be there."""
    for old, new in pairs:
        assert old in text, (old, text)
        text = text.replace(old, str(new))
    return text


def nginx(place, files, *, port, bridge, foundry):
    """nginx in front of a bridge and a Foundry: a proxy that is not started yet."""
    server = replaced(
        shown("nginx"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/letsencrypt/live/foundry.example/fullchain.pem", files.cert),
        ("/etc/letsencrypt/live/foundry.example/privkey.pem", files.key),
        ("127.0.0.1:30300", f"127.0.0.1:{bridge}"),
        ("127.0.0.1:30000", f"127.0.0.1:{foundry}"),
    )
    temporary = " ".join(f"{kind}_temp_path {place}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""  # the folder of a test is its user's alone
    text = (
        f"daemon off; {user} worker_processes 1; pid {place}/pid; error_log {place}/errors warn;\n"
        f"events {{ worker_connections 256; }}\nhttp {{ access_log {place}/access; {temporary}\n{server}}}\n"
    )
    config = place / "nginx.conf"
    config.write_text(text, encoding="utf-8")
    return Proxy([program("nginx"), "-e", place / "errors", "-p", place, "-c", config], place, port)


def caddy(place, files, *, port, bridge, foundry):
    """The same with Caddy, which has its certificate from a file here instead of fetching one."""
    site = replaced(
        shown("caddy"),
        (f"{DOMAIN} {{\n", f"https://{DOMAIN}:{port} {{\n\ttls {files.cert} {files.key}\n"),
        ("127.0.0.1:30300", f"127.0.0.1:{bridge}"),
        ("127.0.0.1:30000", f"127.0.0.1:{foundry}"),
    )
    config = place / "Caddyfile"
    config.write_text(f"{{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}}\n{site}", encoding="utf-8")
    return Proxy([program("caddy"), "run", "--config", config, "--adapter", "caddyfile"], place, port)


class Proxy:
    """A proxy process. ``async with nginx(...) as proxy``; its address is ``proxy.url``."""

    def __init__(self, words, place, port, **variables):
        self._words = [str(word) for word in words]
        self._place = Path(place)
        self._variables = variables
        self.port = port
        self.url = f"https://{DOMAIN}:{port}"

    @property
    def said(self):
        """What it wrote."""
        return "".join(file.read_text("utf-8") for file in (self._place / "out", self._place / "errors") if file.is_file())

    def _listens(self):
        assert self._process.poll() is None, self.said
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    async def get(self, path, **headers):
        """One request to the domain: status and body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, ssl=trusting(), server_hostname=DOMAIN)
        lines = [f"GET {path} HTTP/1.1", f"Host: {DOMAIN}:{self.port}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode())
        answer = await reader.read()
        writer.close()
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()

    @property
    def reached(self):
        """What a websocket client needs to come through it to the domain."""
        return {"host": "127.0.0.1", "port": self.port, "ssl": trusting(), "server_hostname": DOMAIN}

    def _start(self):
        place = str(self._place)
        environment = {**os.environ, "HOME": place, "XDG_DATA_HOME": place, "XDG_CONFIG_HOME": place, **self._variables}
        with (self._place / "out").open("wb") as out:
            self._process = subprocess.Popen(self._words, stdout=out, stderr=out, stdin=subprocess.DEVNULL, env=environment)

    async def __aenter__(self):
        self._start()
        try:
            await until(self._listens)
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(signal.SIGTERM)
        try:
            await until(lambda: self._process.poll() is not None, 10)
        except TimeoutError:
            self._process.kill()
            self._process.wait()


def known_to_chromium(files):
    """What makes Chromium take this very certificate for good, and the domain for this machine. Any other is judged as always."""
    certificate = x509.load_pem_x509_certificates(files.cert.read_bytes())[0]
    key = certificate.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    pin = base64.b64encode(hashlib.sha256(key).digest()).decode()
    return [f"--ignore-certificate-errors-spki-list={pin}", f"--host-resolver-rules=MAP {DOMAIN} 127.0.0.1"]
