"""Foundry's server, as far as a module can tell: documents, settings, sockets, queries, and who is connected.

It hands out the stage page and the files of the modules unchanged, keeps the world while pages come and go, and remembers every
byte that it sent to every client.
"""

import asyncio
import contextlib
import copy
import html
import json
import mimetypes
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Literal

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from tests.foundry_stage import rules
from tests.foundry_stage.cleaning import clean
from tests.foundry_stage.documents import SHAPES, Data, Documents, RefusedError, expanded, is_id, merge, new_id, shaped

HERE = Path(__file__).parent
CHECKOUT = HERE.parents[1]
CARRIED = ("module.json", "scripts", "styles", "lang", "templates")
BUILDS = {13: "13.351", 14: "14.367"}
_TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml"}


@dataclass
class Module:
    """An installed module. Its manifest is read when the world is launched, not when a page is loaded."""

    folder: Path
    manifest: Data
    active: bool = True

    @property
    def id(self) -> str:
        """What its folder under ``/modules/`` is called."""
        return str(self.manifest["id"])

    def file(self, path: str) -> Path | None:
        """A file of the module, if it is one that a package would hold."""
        parts = path.split("/")
        if parts[0] not in CARRIED or any(part in ("", "..") or part.startswith(".") for part in parts):
            return None
        found = self.folder.joinpath(*parts)
        return found if found.is_file() else None


@dataclass(eq=False)
class Session:
    """One open tab."""

    user: str
    socket: ServerConnection
    number: int


@dataclass
class Sent:
    """One frame that went to a client."""

    user: str
    tab: int
    text: str


@dataclass
class World:
    """What outlives pages and servers: give the same one to the next server and the world is as it was."""

    generation: Literal[13, 14] = 13
    duplicate_ids: Literal["replace", "reject"] = "replace"
    title: str = "An evening"
    id: str = "evening"
    system: str = "stage-system"
    documents: Documents = field(init=False)
    settings: dict[str, Any] = field(default_factory=dict)
    user_settings: dict[str, dict[str, Any]] = field(default_factory=dict)
    permissions: dict[str, list[int]] = field(default_factory=rules.defaults)
    world_time: int = 0
    paused: bool = False

    def __post_init__(self) -> None:
        self.documents = Documents(self.generation)

    def all(self, kind: str) -> list[Data]:
        """Every document of a primary kind."""
        return list(self.documents.collections[kind].values())

    def named(self, kind: str, name: str) -> Data:
        """The one document of a kind with a name."""
        (found,) = (document for document in self.all(kind) if document["name"] == name)
        return found

    def modify_free(self, parent_kind: str, parent_id: str, kind: str, data: Data) -> Data:
        """Put an embedded document in, without asking anybody."""
        parent = self.documents.collections[parent_kind][parent_id]
        made = {"_id": new_id(), **shaped(kind, data, self.generation)}
        parent[SHAPES[parent_kind]["embedded"][kind]].append(made)
        return made

    def user_id(self, name: str) -> str:
        """The id of somebody."""
        return str(self.named("User", name)["_id"])


class FoundryServer:
    """One launched world on one port."""

    def __init__(self, world: World, modules: list[Module], options: Data | None = None) -> None:
        self.world = world
        self.modules = {module.id: module for module in modules}
        self.options = options or {}
        self.sent: list[Sent] = []
        self.emitted: list[Data] = []
        self.missing: list[str] = []
        self.sessions: list[Session] = []
        self.port = 0
        self.hold: Callable[[Session, Data], Awaitable[None]] | None = None
        self._logins: dict[str, str] = {}
        self._queries: dict[str, tuple[Session, str]] = {}
        self._tabs = 0
        self._server: Server | None = None

    # --- running -----------------------------------------------------------------------------------------------

    async def start(self, port: int = 0) -> None:
        """Listen on the loopback address."""
        self._server = await serve(
            self._session, "127.0.0.1", port, process_request=self._answer, compression=None, max_size=8 << 20, close_timeout=1
        )
        self.port = int(next(iter(self._server.sockets)).getsockname()[1])

    async def stop(self) -> None:
        """Close every session and the port."""
        if self._server is not None:
            self._server.close(code=1012, reason="the world is closed")  # to which pages do not return by themselves
            await self._server.wait_closed()
            self._server = None

    @property
    def url(self) -> str:
        """Where the world is."""
        return f"http://127.0.0.1:{self.port}"

    def login(self, user: str) -> str:
        """A session of somebody, for a cookie."""
        session = secrets.token_hex(12)
        self._logins[session] = user
        return session

    def sent_to(self, user: str, tab: int | None = None) -> list[str]:
        """Every frame that the clients of a user received, or one tab of his."""
        return [sent.text for sent in self.sent if sent.user == user and tab in (None, sent.tab)]

    def active(self) -> list[str]:
        """The users with an open tab."""
        return sorted({session.user for session in self.sessions})

    # --- HTTP --------------------------------------------------------------------------------------------------

    def _answer(self, connection: ServerConnection, request: Request) -> Response | None:
        path = request.path.partition("?")[0]
        if path == "/socket":
            return None if self._user(request) else _reply(HTTPStatus.FORBIDDEN, "text/plain", b"No session.\n")
        if path == "/game":
            return _reply(HTTPStatus.OK, "text/html; charset=utf-8", self._page().encode())
        file = self._file(path)
        if path == "/favicon.ico":
            return _reply(HTTPStatus.NO_CONTENT, "image/x-icon", b"")
        if file is None:
            self.missing.append(path)
            return _reply(HTTPStatus.NOT_FOUND, "text/plain", b"Not found.\n")
        kind = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        if file.suffix == ".html" and self.world.generation >= 14:
            kind = "text/plain"  # since 14.361
        return _reply(HTTPStatus.OK, kind if kind.startswith("image/") else f"{kind}; charset=utf-8", file.read_bytes())

    def _file(self, path: str) -> Path | None:
        first, _, rest = path.lstrip("/").partition("/")
        if first == "modules":
            module = self.modules.get(rest.partition("/")[0])
            return module.file(rest.partition("/")[2]) if module else None
        if first == "stage":
            found = (
                CHECKOUT / "node_modules/handlebars/dist/handlebars.js"
                if rest == "vendor/handlebars.js"
                else HERE / "client" / rest
            )
            return found if ".." not in rest and found.is_file() else None
        if first == "icons":
            return HERE / "client" / "icon.svg"
        return None

    def _page(self) -> str:
        styles, scripts = [], []
        for module in self._active_modules():
            base = f"/modules/{module.id}/"
            for style in module.manifest.get("styles", []):
                entry = {"src": style, "layer": None} if isinstance(style, str) else style
                styles.append(f'@import url("{base}{entry["src"]}") layer({entry.get("layer") or "modules"});')
            scripts += [
                f'<script type="module" src="{base}{script}"></script>' for script in module.manifest.get("esmodules", [])
            ]
            scripts += [f'<script src="{base}{script}"></script>' for script in module.manifest.get("scripts", [])]
        page = (HERE / "stage.html").read_text("utf-8")
        page = page.replace("<!-- styles -->", "\n      ".join(styles)).replace("<!-- scripts -->", "\n    ".join(scripts))
        boot = json.dumps({"generation": self.world.generation, "options": self.options}).replace("<", "\\u003c")
        return page.replace("<!-- boot -->", boot).replace("<!-- title -->", html.escape(self.world.title))

    def _active_modules(self) -> list[Module]:
        return [module for module in self.modules.values() if module.active]

    def _user(self, request: Request) -> str | None:
        cookie = SimpleCookie(request.headers.get("Cookie", ""))
        return self._logins.get(cookie["session"].value) if "session" in cookie else None

    # --- sessions ----------------------------------------------------------------------------------------------

    async def _session(self, socket: ServerConnection) -> None:
        assert socket.request is not None
        user = self._user(socket.request)
        if user is None or user not in self.world.documents.collections["User"]:
            await socket.close(1008, "no such user")
            return
        self._tabs += 1
        session = Session(user, socket, self._tabs)
        joined = user not in self.active()
        self.sessions.append(session)
        try:
            await self._send(session, {"t": "world", "data": self._world_for(session)})
            if joined:
                await self._broadcast({"t": "presence", "user": user, "active": True}, but=session)
            async for text in socket:
                request = json.loads(text)
                if self.hold is not None:
                    await self.hold(session, request)
                await self._take(session, request)
        except ConnectionClosed:
            pass
        finally:
            self.sessions.remove(session)
            if user not in self.active():
                await self._broadcast({"t": "presence", "user": user, "active": False})

    def _world_for(self, session: Session) -> Data:
        world = self.world
        modules = [
            {**module.manifest, "active": module.active, "compatibility": module.manifest.get("compatibility", {})}
            for module in self.modules.values()
        ]
        return {
            "userId": session.user,
            "tab": session.number,
            "generation": world.generation,
            "version": BUILDS[world.generation],
            "world": {"id": world.id, "title": world.title},
            "system": {"id": world.system, "title": "Stage system", "version": "1.0.0"},
            "modules": modules,
            "activeUsers": self.active(),
            "collections": {kind: list(held.values()) for kind, held in world.documents.collections.items()},
            "settings": world.settings,
            "userSettings": world.user_settings,
            "permissions": world.permissions,
            "time": world.world_time,
            "paused": world.paused,
        }

    async def _send(self, session: Session, frame: Data) -> None:
        text = json.dumps(frame)
        self.sent.append(Sent(session.user, session.number, text))
        with contextlib.suppress(ConnectionClosed):
            await session.socket.send(text)

    async def _broadcast(self, frame: Data, *, but: Session | None = None, to: list[str] | None = None) -> None:
        for session in list(self.sessions):
            if session is not but and (to is None or session.user in to):
                await self._send(session, frame)

    # --- what clients ask for ----------------------------------------------------------------------------------

    async def _take(self, session: Session, request: Data) -> None:
        kind = request["t"]
        if kind == "emit":
            await self._emit(session, request)
            return
        if kind == "queryResult":
            await self._query_result(session, request)
            return
        if kind == "activity":
            others = [user for user in self.active() if user != session.user]
            await self._broadcast({"t": "activity", "user": session.user, "targets": request["targets"]}, to=others)
            return
        if kind == "dice3d":
            await self._broadcast(request, but=session)
            return
        try:
            if kind == "modifyDocument":
                frame = self.modify(session.user, request["operation"])
            elif kind == "setting":
                frame = self._setting(session.user, request)
            elif kind == "time":
                frame = self._time(session.user, request)
            elif kind == "query":
                await self._query(session, request)
                return
            else:
                raise RefusedError(f"the server knows no {kind}")
        except RefusedError as no:
            await self._send(session, {"t": "answer", "id": request["id"], "error": str(no)})
            return
        if frame is None:
            await self._send(session, {"t": "answer", "id": request["id"], "result": None})
            return
        # The socket that asked has its answer, every other one the same as news.
        await self._send(session, {"t": "answer", "id": request["id"], "result": frame})
        await self._broadcast({"t": "news", "news": frame}, but=session)

    async def _emit(self, session: Session, request: Data) -> None:
        name = str(request["event"])
        self.emitted.append({"user": session.user, "tab": session.number, **request})
        package = name.removeprefix("module.")
        module = self.modules.get(package)
        if module is None or name != f"module.{package}" or not module.active or module.manifest.get("socket") is not True:
            return  # in silence, as it is in Foundry
        recipients = (request.get("options") or {}).get("recipients")
        to = [str(user) for user in recipients] if isinstance(recipients, list) else None
        frame = {"t": "socket", "event": name, "data": request["data"], "sender": session.user}
        await self._broadcast(frame, but=session, to=to)

    async def _query(self, session: Session, request: Data) -> None:
        users = self.world.documents.collections["User"]
        if not rules.can(users[session.user], "QUERY_USER", self.world.permissions):
            raise RefusedError("You do not have permission to query other users.")
        target = str(request["user"])
        if target not in self.active():
            raise RefusedError("The queried user is not active.")
        key = new_id()
        self._queries[key] = (session, request["id"])
        frame = {"t": "query", "id": key, "name": request["name"], "data": request["data"], "timeout": request.get("timeout")}
        if self.world.generation >= 14:
            frame["user"] = session.user
        await self._broadcast(frame, to=[target])

    async def _query_result(self, session: Session, request: Data) -> None:
        asked = self._queries.pop(request["id"], None)  # the first answer wins
        if asked is None:
            return
        asker, number = asked
        answer = {"error": request["error"]} if "error" in request else {"result": request.get("result")}
        await self._send(asker, {"t": "answer", "id": number, **answer})

    def _time(self, user_id: str, request: Data) -> Data:
        user = self.world.documents.collections["User"][user_id]
        if not rules.is_gm(user):
            raise RefusedError("You do not have permission to change the world time.")
        self.world.world_time += int(request["delta"])
        return {
            "kind": "time",
            "time": self.world.world_time,
            "delta": request["delta"],
            "user": user_id,
            "options": request["options"],
        }

    def _setting(self, user_id: str, request: Data) -> Data | None:
        user = self.world.documents.collections["User"][user_id]
        key, value = request["key"], request["value"]
        if request["scope"] == "world":
            if not rules.can(user, "SETTINGS_MODIFY", self.world.permissions):
                raise RefusedError(f"{user['name']} lacks permission to update Setting {key}!")
            held = self.world.settings
        else:
            held = self.world.user_settings.setdefault(user_id, {})
        if key in held and held[key] == value:
            return None
        held[key] = value
        return {
            "kind": "setting",
            "scope": request["scope"],
            "key": key,
            "value": value,
            "user": user_id,
            "options": request["options"],
        }

    # --- documents ---------------------------------------------------------------------------------------------

    def modify(self, user_id: str, operation: Data) -> Data | None:
        """Carry out one operation on documents; what is told to every client. Raises ``RefusedError``."""
        user = self.world.documents.collections["User"][user_id]
        action, kind = operation["action"], operation["type"]
        does = {"create": self._create, "update": self._update, "delete": self._delete}[action]
        result = does(user, kind, operation)
        return {
            "kind": "documents",
            "action": action,
            "type": kind,
            "parent": operation.get("parent"),
            "result": result,
            "options": operation.get("options") or {},
            "user": user_id,
        }

    def _create(self, user: Data, kind: str, operation: Data) -> list[Data]:
        world, generation = self.world, self.world.generation
        parent_uuid = operation.get("parent")
        parent_kind, parent = world.documents.find(parent_uuid) if parent_uuid else ("", None)
        owner = (
            world.documents.owner(f"{parent_uuid}.{kind}")
            if parent_uuid and parent_uuid.startswith(("Actor.", "Scene."))
            else None
        )
        keep = bool((operation.get("options") or {}).get("keepId"))
        made: list[Data] = []
        for given in operation["data"]:
            data = shaped(kind, given, generation)
            identifier = given["_id"] if keep and is_id(given.get("_id")) else new_id()
            data = {"_id": identifier, **data}
            if "author" in data and data["author"] is None:
                data["author"] = user["_id"]
            if kind == "Macro" and not given.get("ownership"):
                data["ownership"] = {"default": 0, user["_id"]: rules.OWNER}
            if kind == "ChatMessage" and (generation >= 14 or data["timestamp"] is None):
                data["timestamp"] = int(time.time() * 1000)
            for name in SHAPES[kind].get("html", []):
                data[name] = clean(data[name] or "", generation)
            if not rules.may_create(user, kind, data, owner, world.permissions):
                raise RefusedError(f"{user['name']} lacks permission to create new {kind}")
            if kind == "Combat" and data["active"]:
                for other in world.documents.collections["Combat"].values():
                    other["active"] = False
            made.append(data)
        for data in made:
            self._store(kind, data, parent_kind, parent)
        return copy.deepcopy(made)

    def _store(self, kind: str, data: Data, parent_kind: str, parent: Data | None) -> None:
        if parent is None:
            held = self.world.documents.collections[kind]
            if data["_id"] in held and self.world.duplicate_ids == "reject":
                raise RefusedError(f"{kind} [{data['_id']}] already exists")
            held[data["_id"]] = data
            return
        items = parent.setdefault(SHAPES[parent_kind]["embedded"][kind], [])
        if any(item["_id"] == data["_id"] for item in items):
            raise RefusedError(f"{kind} [{data['_id']}] already exists in the parent collection")
        items.append(data)

    def _update(self, user: Data, kind: str, operation: Data) -> list[Data]:
        documents = self.world.documents
        parent = operation.get("parent")
        done: list[Data] = []
        checked = []
        for given in operation["updates"]:
            change = expanded(given)
            synthetic = kind == "Actor" and parent is not None
            uuid = f"{parent}.Actor.{change['_id']}" if synthetic else _uuid(parent, kind, change["_id"])
            document = documents.find(uuid)[1]
            if not rules.may_update(user, kind, document, change, documents.owner(uuid)):
                raise RefusedError(f"{user['name']} lacks permission to update {kind} [{change['_id']}]")
            known = {*shaped(kind, {}, self.world.generation), "_id"}
            change = {key: value for key, value in change.items() if key.removeprefix("-=") in known}
            for name in SHAPES[kind].get("html", []):
                if name in change:
                    change[name] = clean(change[name] or "", self.world.generation)
            checked.append((document, change, synthetic))
        for document, change, synthetic in checked:
            merge(document, {key: value for key, value in change.items() if key != "_id"} if synthetic else change)
            if kind == "Combat" and change.get("active"):
                for other in documents.collections["Combat"].values():
                    other["active"] = other is document
            done.append(change)
        return copy.deepcopy(done)

    def _delete(self, user: Data, kind: str, operation: Data) -> list[str]:
        documents = self.world.documents
        parent_uuid = operation.get("parent")
        ids = operation["ids"]
        if operation.get("all"):
            if not rules.is_gm(user):
                raise RefusedError(f"{user['name']} lacks permission to delete every {kind}")
            ids = list(documents.collections[kind])
        for identifier in ids:
            uuid = _uuid(parent_uuid, kind, identifier)
            document = documents.find(uuid)[1]
            if not rules.may_delete(user, kind, document, documents.owner(uuid), self.world.permissions):
                raise RefusedError(f"{user['name']} lacks permission to delete {kind} [{identifier}]")
        for identifier in ids:
            if parent_uuid is None:
                del documents.collections[kind][identifier]
                continue
            parent_kind, parent = documents.find(parent_uuid)
            items = parent[SHAPES[parent_kind]["embedded"][kind]]
            items[:] = [item for item in items if item["_id"] != identifier]
        return list(ids)

    async def act(self, user: str, operation: Data) -> Data | None:
        """Do something as a user without a page, and tell every page."""
        frame = self.modify(user, operation)
        await self._broadcast({"t": "news", "news": frame})
        return frame

    async def disconnect(self, user: str) -> None:
        """Cut every connection of a user."""
        await asyncio.gather(*(session.socket.close(1001, "going away") for session in self.sessions if session.user == user))


def _uuid(parent: str | None, kind: str, identifier: str) -> str:
    return f"{parent}.{kind}.{identifier}" if parent else f"{kind}.{identifier}"


def _reply(status: HTTPStatus, kind: str, body: bytes) -> Response:
    headers = Headers(
        {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close", "Cache-Control": "no-store"}
    )
    return Response(status.value, status.phrase, headers, body)
