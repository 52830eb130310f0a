"""The composition root: config -> store -> hub -> server -> admin channel. The only place that knows them all."""

import asyncio
import contextlib
import gc
import socket
import sys
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import structlog

from boonbridge import __version__
from boonbridge.admin_handlers import AdminHandlers
from boonbridge.config import Config
from boonbridge.net.admin import Admin
from boonbridge.net.http import Site, assets
from boonbridge.net.proxy import Proxies, networks
from boonbridge.net.server import Server
from boonbridge.net.tls import Certificate
from boonbridge.obs.metrics import Metrics
from boonbridge.reading.evidence import Broken
from boonbridge.reading.exported import lines_of
from boonbridge.rulesets import registry
from boonbridge.rulesets.base import Ruleset
from boonbridge.store.daily import Daily
from boonbridge.store.open import Store, open_store
from boonbridge.tables.fingerprint import made_by
from boonbridge.tables.hub import Hub
from boonbridge.tables.importing import FileChanged, ImportRefused, Taking
from boonbridge.tables.opening import Ports
from boonbridge.tables.pairing import page_of
from boonbridge.tables.ports import StoreUnavailable, TableRow, Timer
from boonbridge.tables.table import KeyRing
from boonbridge.wire.limits import LIMITS
from boonbridge_schemas.server import Limits, Refused

log = structlog.get_logger("boonbridge")
T = TypeVar("T")


class SystemClock:
    """The machine's time."""

    def now(self) -> int:
        """Unix time in milliseconds."""
        return time.time_ns() // 1_000_000

    def at(self, moment: int, call: Callable[[], None]) -> Callable[[], None]:
        """Have ``call`` called at that moment, in the running event loop; what is returned calls it off."""
        return asyncio.get_running_loop().call_later(max(0, moment - self.now()) / 1000, call).cancel


class UnknownRuleset(StoreUnavailable):
    """There is no game of that name, so its tables cannot be opened now; the message lists those there are."""


class Running:
    """A server that listens. Made by ``start``, ended by ``stop``; several may run in one process (tests)."""

    def __init__(
        self, config: Config, store: Store, games: dict[str, Ruleset], *, limits: Limits, keyring: KeyRing | None, clock: Timer
    ) -> None:
        self.config = config
        self.games = games
        self.port = config.port
        self.metrics = Metrics()
        self._store = store
        self._key = b""
        self._limits = limits
        self._keyring = keyring
        self._clock = clock
        self._ready = False
        self.certificate: Certificate | None = None
        self._watch: asyncio.Task[None] | None = None
        self._daily: Daily | None = None
        self.hub: Hub
        self._server: Server
        self._admin: Admin

    @property
    def http(self) -> str:
        """The page's address on this machine, or the public one."""
        if self.config.public_url:
            return self.config.public_url.rstrip("/") + "/"
        host = self.certificate.names[0] if self.certificate is not None and self.certificate.names else _shown(self.config.host)
        return f"{self._origin(host)}{self.config.base_path}/"

    @property
    def url(self) -> str:
        """The websocket's address."""
        return f"ws{self.http.removeprefix('http')}ws"

    async def listen(self) -> None:
        """Put everything together and take connections. Raises ``OSError`` where the port is taken."""
        if self.config.tls_cert is not None and self.config.tls_key is not None:
            self.certificate = Certificate(self.config.tls_cert, self.config.tls_key)
        self._key = await self.signing_key()
        for game in self.games.values():
            made_by(game)  # as it was loaded, whatever becomes of the files while we run
        ports = Ports(
            store=self._store.log,
            vault=self._store.vault,
            snapshots=self._store.snapshots,
            marks=self._store.marks,
            clock=self._clock,
            ruleset=self.game,
            keyring=self._keyring,
        )
        self.hub = Hub(
            ports,
            self._store.tables,
            self._key,
            posted=self._store.posted,
            timer=self._clock,
            limits=self._limits,
            hosts=self._hosts,
            addresses=self.addresses,
            metrics=self.metrics,
        )
        site = Site(
            assets(),
            ready=lambda: self._ready and not ports.batcher.failing,
            metrics=self.metrics.render,
            open_metrics=self.config.open_metrics,
            base=self.base,
            below=self.config.base_path,
            trouble=lambda: _NO_BACKUP if self._daily is not None and self._daily.failing else "",
        )
        self._server = Server(
            self.hub,
            site,
            self.metrics,
            self._limits,
            proxies=Proxies(networks(self.config.trust_proxy)),
            certificate=self.certificate,
        )
        self.port = await self._server.start(self.config.host, self.config.port)
        self._admin = Admin(self.config.data, AdminHandlers(self).by_word())
        await self._admin.start()
        if self.certificate is not None:
            self._watch = asyncio.get_running_loop().create_task(self.certificate.watch())
        self._ready = True

    def keep_backups(self) -> None:
        """Make a backup each day, from now on."""
        self._daily = Daily(
            self.config.data, self._clock, secret_file=self.config.secret_file, bridge=__version__, told=self.metrics.backup
        )
        self._daily.start()

    async def stop(self) -> None:
        """Close connections, decide and write what is queued, let go of the folder."""
        self._ready = False
        if self._daily is not None:
            await self._daily.aclose()
        if self._watch is not None:
            self._watch.cancel()
        with contextlib.suppress(AttributeError):  # never came to listen
            await self._admin.stop()
            await self._server.stop()
            await self.hub.aclose()
        await self._store.aclose()

    async def signing_key(self) -> bytes:
        """What tokens are signed with."""
        return await self._store.vault.node_secret()

    def game(self, name: str) -> Ruleset:
        """A ruleset by its id. Raises ``UnknownRuleset``."""
        found = self.games.get(name)
        if found is None:
            raise UnknownRuleset(f"There is no ruleset {name!r}. There is: {', '.join(sorted(self.games))}.")
        return found

    async def new_table(self, table: str, title: str, ruleset: str) -> bool:
        """Make a table. False where the id is taken; raises ``UnknownRuleset``."""
        row = TableRow(id=table, title=title, ruleset=self.game(ruleset).id, created=self._clock.now())
        return await self.hub.new_table(row)

    async def import_table(self, table: str, file: Path, sha256: str, title: str | None) -> None:
        """Take over a verified export as a new table: all of it or nothing. Raises ``ImportRefused``."""
        try:
            with file.open("rb") as source:
                taking = Taking(lines_of(source), table, sha256)
                head = taking.head
                ruleset = self.game(head.ruleset).id
                row = TableRow(id=table, title=head.title, ruleset=ruleset, created=self._clock.now(), restart="imported")
                made = await self._store.tables.import_table(row, taking, head.names)
        except (Broken, FileChanged):
            raise ImportRefused(f"{file} was changed since it was verified. Nothing was imported.") from None
        except OSError as problem:
            raise ImportRefused(f"{file} cannot be read by the server: {problem.strerror}.") from problem
        except StoreUnavailable as problem:
            raise ImportRefused(f"{str(problem).rstrip('.')}. Nothing was imported.") from problem
        if not made:
            raise ImportRefused(f"There is a table {table!r} already. Nothing was imported.")
        try:
            await self.hub.at(table)
            if title is not None:
                answer = await self.hub.rename(table, title)
                if isinstance(answer, Refused):
                    raise ImportRefused(f"{answer.message} The log is there as table {table!r}, under its old name.")
        except StoreUnavailable as problem:
            reason = str(problem).rstrip(".")
            raise ImportRefused(f"{reason}. The log is there as table {table!r}, and is opened when somebody comes.") from problem

    @property
    def page(self) -> str:
        """The page's address that reaches furthest, for links to be sent to others."""
        return page_of(self.addresses()[0])

    def addresses(self) -> tuple[str, ...]:
        """Every websocket address this server can be reached at, the most public one first."""
        found = [self.url] if self.config.public_url else []
        found += [f"ws{self._origin(host).removeprefix('http')}{self.config.base_path}/ws" for host in self._reached_as()]
        return tuple(dict.fromkeys(found))

    def _reached_as(self) -> list[str]:
        """The hosts that stand in our own addresses, the one that reaches furthest first."""
        if self.certificate is not None and self.certificate.names:
            return list(self.certificate.names)  # under any other a browser would refuse it
        return local_hosts() if self.config.host in _ANYWHERE else [_shown(self.config.host)]

    def _origin(self, host: str) -> str:
        """Our own origin under a host, as a browser writes it."""
        scheme, usual = ("http", 80) if self.certificate is None else ("https", 443)
        return f"{scheme}://{host}" if self.port == usual else f"{scheme}://{host}:{self.port}"

    def _hosts(self) -> tuple[str, ...]:
        """Origins that are the bridge itself; never merely what a Host header says."""
        hosts = {"127.0.0.1", "localhost", "[::1]", _shown(self.config.host), *self._reached_as()}
        if self.config.host in _ANYWHERE:
            hosts.update(local_hosts())
        origins = [self._origin(host) for host in sorted(hosts)]
        if self.config.public_url:
            parts = urlsplit(self.config.public_url)
            origins.append(f"{parts.scheme}://{parts.netloc}")
        return tuple(origins)

    def base(self, host: str, scheme: str | None = None) -> str:
        """The address to name to somebody who asked at ``host``: the public one, otherwise one of those we listen at.

        ``scheme``: what he used towards a trusted proxy. It has a port of its own, so only the host has to be one of ours then.
        """
        if self.config.public_url:
            return self.config.public_url.rstrip("/")
        origins = [urlsplit(origin) for origin in self._hosts()]
        asked = urlsplit(f"//{host.lower()}")
        if scheme is not None and asked.netloc == host.lower() and asked.hostname in {origin.hostname for origin in origins}:
            return f"{scheme}://{asked.netloc}{self.config.base_path}"
        listed = {origin.netloc: origin.geturl() for origin in origins}
        if (found := listed.get(host.lower())) is not None:
            return f"{found}{self.config.base_path}"
        return f"http{self.addresses()[0].removeprefix('ws').removesuffix('/ws')}"


_NO_BACKUP = "The last daily backup failed; the log says why."
_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - recognised, not bound


def _shown(host: str) -> str:
    if host in _ANYWHERE:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def local_hosts() -> list[str]:
    """The addresses of this machine's interfaces, as they stand in a URL; loopback last."""
    found: list[str] = []
    with contextlib.suppress(OSError):
        for *_, address in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            found.append(_shown(str(address[0]).partition("%")[0]))
    # Connecting a datagram socket sends nothing; it only asks which interface would be used.
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        found.append(str(probe.getsockname()[0]))
    outside = [host for host in dict.fromkeys(found) if not host.startswith("127.") and host != "[::1]"]
    return [*outside, "127.0.0.1", "localhost"]


def run_loop(work: Coroutine[Any, Any, T]) -> T:
    """Run a server's main coroutine in a process of its own, set up for it."""
    # A busy event loop must not keep the writing thread from the interpreter for 5 ms at a time.
    sys.setswitchinterval(1e-4)
    # A roll makes some hundred objects and hardly a cycle, and what is imported stays: little is worth looking through.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    try:
        import uvloop  # noqa: PLC0415 - an extra, not on Windows
    except ImportError:
        return asyncio.run(work)
    return uvloop.run(work)


async def start(
    config: Config,
    *,
    games: dict[str, Ruleset] | None = None,
    limits: Limits = LIMITS,
    keyring: KeyRing | None = None,
    clock: Timer | None = None,
    open_folder: Callable[[Path], Store] | None = None,
) -> Running:
    """Open the data folder and listen.

    Raises:
        FolderInUse, FolderRefused, NotARuleset, CertificateRefused, OSError: it cannot be served; the message says why.
    """
    known = registry.discover() if games is None else games
    store = open_folder(config.data) if open_folder else open_store(config.data, secret_file=config.secret_file)
    running = Running(config, store, known, limits=limits, keyring=keyring, clock=clock or SystemClock())
    try:
        await running.listen()
    except BaseException:
        await running.stop()
        raise
    return running
