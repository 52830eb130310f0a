"""Plain HTTP on the websocket's port: the table page and its modules, the Foundry module, health, metrics, the schema.

Everything is read into memory at start: no request touches the file system.
"""

import hashlib
import ipaddress
import mimetypes
from collections.abc import Callable, Mapping
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from .module import MANIFEST, addressed, module_files, zipped

_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'{socket}; img-src 'self' data:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
"""The page runs its own scripts alone, none of them written in it, and makes none of text; it talks to its own bridge alone."""

_SAFE = {
    "Content-Security-Policy": _POLICY.format(socket=""),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
}
_MODULE = ("/module.json", "/module.zip")
_CHECKOUT = Path(__file__).resolve().parents[3]


class Asset(Struct, frozen=True):
    """A file as it is served."""

    type: str
    body: bytes
    tag: str


def assets() -> dict[str, Asset]:
    """Every file that is served, by path: the page under ``/web``, the module's client, cards, words and styles."""
    package = files("boonbridge")
    module = module_folder()
    schema = _part(package / "_schema", _CHECKOUT / "schemas" / "json")
    served: dict[str, Asset] = {}
    for prefix, folder in (
        ("/web", package / "web"),
        ("/client", module / "scripts" / "client"),
        ("/cards", module / "scripts" / "cards"),
        ("/forms", module / "scripts" / "forms"),
        ("/vendor", module / "scripts" / "vendor"),
        ("/lang", module / "lang"),
        ("/styles", module / "styles"),
    ):
        served.update(_tree(prefix, folder))
    if (page := served.pop("/web/index.html", None)) is not None:
        served["/"] = page  # there alone: the addresses in it are relative, so that it may lie below a path
    bundle = schema / "v1" / "protocol.json"
    if bundle.is_file():
        served["/schema/v1.json"] = _asset("protocol.json", bundle.read_bytes())
    return served


def module_folder() -> Traversable:
    """Where the Foundry module's files are."""
    return _part(files("boonbridge") / "_module", _CHECKOUT / "foundry-module")


def packed(base: str, parts: Mapping[str, bytes]) -> dict[str, Asset]:
    """The Foundry module for who asks at ``base``, by path. ``parts`` are its files as they lie there."""
    if not parts:
        return {}
    whole = {**parts, MANIFEST: addressed(parts[MANIFEST], base)}
    return {"/module.json": _asset("module.json", whole[MANIFEST]), "/module.zip": _asset("module.zip", zipped(whole))}


def _part(installed: Traversable, checkout: Path) -> Traversable:
    """A folder of the wheel, or of the checkout where this is an editable install."""
    return installed if installed.is_dir() else checkout


def _tree(prefix: str, folder: Traversable) -> dict[str, Asset]:
    found: dict[str, Asset] = {}
    if not folder.is_dir():
        return found
    for item in folder.iterdir():
        path = f"{prefix}/{item.name}"
        if item.is_dir():
            found.update(_tree(path, item))
        elif not item.name.startswith("."):
            found[path] = _asset(item.name, item.read_bytes())
    return found


def _asset(name: str, body: bytes) -> Asset:
    suffix = Path(name).suffix
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in ("application/json", "image/svg+xml")
    return Asset(f"{kind}; charset=utf-8" if text else kind, body, f'"{hashlib.sha256(body).hexdigest()[:20]}"')


class Site:
    """Answers GET requests. ``ready`` says whether commands can be taken, ``metrics`` renders the numbers.

    ``trouble``: what the operator should look after all the same, as a sentence that anybody may read; empty for nothing.

    ``below``: the path that all of it lies below, such as ``/boonbridge``; empty for the root. ``base`` gives the address to
    name where somebody asked at a host (and with which scheme, if a proxy says so): one of the server's own, whatever that
    host was.
    """

    def __init__(
        self,
        served: Mapping[str, Asset],
        *,
        ready: Callable[[], bool],
        metrics: Callable[[], bytes],
        open_metrics: bool,
        base: Callable[[str, str | None], str],
        below: str = "",
        trouble: Callable[[], str] = str,
    ) -> None:
        self.below = below
        self._served = served
        self._module = module_files(module_folder())
        self._packed: dict[str, dict[str, Asset]] = {}
        self._base = base
        self._ready = ready
        self._trouble = trouble
        self._metrics = metrics
        self._open_metrics = open_metrics

    def answer(self, request: Request, peer: str, scheme: str | None = None) -> Response:
        """The response to a request that is no websocket handshake."""
        found = self._answer(request, peer, scheme)
        if request.method == "HEAD":
            found.body = b""
        return found

    def _answer(self, request: Request, peer: str, scheme: str | None) -> Response:
        path = request.path.partition("?")[0]
        if self.below:
            if path == self.below:  # the page's own addresses are relative: they need the slash
                return text(HTTPStatus.TEMPORARY_REDIRECT, f"The table page is at {path}/\n", {"Location": f"{path}/"})
            if not path.startswith(f"{self.below}/"):
                return self._nothing()
            path = path.removeprefix(self.below)
        if path == "/healthz":
            return text(HTTPStatus.OK, "alive\n")
        if path == "/readyz":
            said = f"{trouble}\n" if (trouble := self._trouble()) else ""
            if self._ready():
                return text(HTTPStatus.OK, f"ready\n{said}")
            return text(HTTPStatus.SERVICE_UNAVAILABLE, f"not ready\n{said}")
        if path == "/metrics":
            if not (self._open_metrics or _loopback(peer)):
                return text(HTTPStatus.FORBIDDEN, "Metrics are for this machine only; --open-metrics changes that.\n")
            return reply(HTTPStatus.OK, "text/plain; version=0.0.4; charset=utf-8", self._metrics())
        asset = self._packed_for(request, scheme).get(path) if path in _MODULE else self._served.get(path)
        if asset is None:
            return self._nothing()
        if request.headers.get("If-None-Match") == asset.tag:
            return reply(HTTPStatus.NOT_MODIFIED, asset.type, b"", {"ETag": asset.tag, "Cache-Control": "no-cache"})
        kept = {"ETag": asset.tag, "Cache-Control": "no-cache"}
        if path == "/":
            kept["Content-Security-Policy"] = _page_policy(self._base_for(request, scheme))
        return reply(HTTPStatus.OK, asset.type, asset.body, kept)

    def _nothing(self) -> Response:
        return text(HTTPStatus.NOT_FOUND, f"There is nothing here. The table page is at {self.below}/\n")

    def _packed_for(self, request: Request, scheme: str | None) -> dict[str, Asset]:
        base = self._base_for(request, scheme)
        if base not in self._packed:
            self._packed[base] = packed(base, self._module)
        return self._packed[base]

    def _base_for(self, request: Request, scheme: str | None) -> str:
        asked = request.headers.get_all("Host")
        return self._base(asked[0] if len(asked) == 1 else "", scheme)


def _page_policy(base: str) -> str:
    """The page's policy: some browsers do not take a websocket of its own host for ``'self'``."""
    parts = urlsplit(base)
    return _POLICY.format(socket=f" ws{parts.scheme.removeprefix('http')}://{parts.netloc}")


def text(status: HTTPStatus, body: str, extra: Mapping[str, str] | None = None) -> Response:
    """A plain sentence."""
    return reply(status, "text/plain; charset=utf-8", body.encode(), extra)


def reply(status: HTTPStatus, kind: str, body: bytes, extra: Mapping[str, str] | None = None) -> Response:
    """A response with the headers that every response has."""
    headers = Headers({"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close", **_SAFE, **(extra or {})})
    return Response(status.value, status.phrase, headers, body)


def _loopback(peer: str) -> bool:
    try:
        return ipaddress.ip_address(peer.partition("%")[0]).is_loopback
    except ValueError:
        return False
