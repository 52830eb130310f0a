"""People at a bridge, over real sockets, who keep every byte they were sent and fold nothing.

``Person`` speaks plain JSON, so that it can also say what no decent client would.
"""

import asyncio
import json

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from boonbridge.net.client import new_id
from tests.support.screen import Screen
from tests.support.wait import until

CLIENT = {"name": "tests", "version": "1", "kind": "cli"}


class Person(Screen):
    """One connection. ``frames`` are all frames decoded, ``bytes`` all text as it came; ``entries`` the table as told.

    ``async with bridge.join(...)`` gives one that was welcomed; ``await Person.connect(url)`` one that said nothing yet.
    """

    def __init__(self, connection, token=None, user=None, kind="cli"):
        super().__init__()
        self.connection = connection
        self.token = token
        self.user = user
        self.client = {**CLIENT, "kind": kind}
        self.frames = []
        self.bytes = bytearray()
        self._answers = {}
        self._renewals = set()
        self._reading = asyncio.ensure_future(self._read())

    @classmethod
    async def connect(cls, url, *, origin=None, token=None, user=None, kind="cli", subprotocol="boonbridge.v1", **options):
        connection = await connect(
            url,
            subprotocols=[Subprotocol(subprotocol)],
            origin=origin,
            compression=None,
            max_size=None,
            proxy=None,
            ping_interval=None,
            **options,
        )
        return cls(connection, token, user, kind)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.close()

    async def close(self):
        await self.connection.close()
        await self._reading

    def vanish(self):
        """Go without a word, as a laptop does whose lid is closed."""
        self.connection.transport.abort()

    # --- saying ---
    async def send(self, frame):
        """A frame as a dictionary, or any text or bytes whatever."""
        await self.connection.send(json.dumps(frame) if isinstance(frame, dict | list) else frame)

    async def hello(self, *, table=None, last=None, token=None):
        """Say hello and be welcomed, or closed; returns when one of the two has happened."""
        before = len(self.of("caughtUp"))
        frame = {"t": "hello", "token": token or self.token, "client": self.client}
        if table is not None:
            frame["table"] = table
        if last is not None:
            frame["last"] = last
        await self.send(frame)
        await until(lambda: len(self.of("caughtUp")) > before or self.closed)
        return self

    async def do(self, cmd, *, id=None, seen=None, wait=True):
        """Send a command; its answer."""
        frame = {"t": "do", "id": id or new_id(), "seen": self.seq if seen is None else seen, "cmd": cmd}
        return await self.ask(frame) if wait else await self.send(frame)

    async def ask(self, frame):
        """Send a frame that has an id; its answer (of a ``minted`` and its ``ack``, the ack)."""
        frame = {"id": new_id(), **frame}
        answer = asyncio.get_running_loop().create_future()
        self._answers[frame["id"]] = answer
        if frame["t"] == "renew":
            self._renewals.add(frame["id"])
        await self.send(frame)
        async with asyncio.timeout(10):
            return await answer

    async def settled(self):
        """Return when everything that was told until now has come in: an answer queues behind it.

        Not what a command of one's own will come to, while it is being written; for that, wait for its answer.
        """
        return await self.ask({"t": "proof", "seq": 2**53})

    # --- hearing ---
    def of(self, *kinds):
        return [frame for frame in self.frames if frame["t"] in kinds]

    def events(self, *kinds):
        """All events heard live or in catch-up, of some kinds or of any."""
        heard = [event for frame in self.of("logged") for event in frame["events"]]
        return [event for event in heard if not kinds or event["t"] in kinds]

    @property
    def commits(self):
        """The numbers of the commits heard, in the order in which they came."""
        return [frame["seq"] for frame in self.of("logged", "hidden")]

    @property
    def welcome(self):
        return self.of("welcome")[-1]

    @property
    def closed(self):
        """The close code and reason, or None."""
        if not self._reading.done():
            return None
        return self.connection.close_code, self.connection.close_reason

    async def gone(self):
        """Wait until the bridge has closed; its code and reason."""
        async with asyncio.timeout(10):
            await asyncio.wait([self._reading])
        return self.closed

    async def _read(self):
        try:
            async for message in self.connection:
                self._hear(message)
        except ConnectionClosed:
            pass
        finally:
            for answer in self._answers.values():
                if not answer.done():
                    answer.cancel()

    def _hear(self, message):
        self.bytes += message.encode() + b"\n"
        frame = json.loads(message)
        self.frames.append(frame)
        self.take(frame)
        match frame["t"]:
            case "ack" | "refused" | "previewed" | "foreseen" | "page" | "asOf" | "proven" | "paired" | "roster" | "codeMade":
                self._answered(frame)
            case "minted" if frame["id"] in self._renewals:  # of an invitation the ack follows
                self._answered(frame)

    def _answered(self, frame):
        answer = self._answers.pop(frame.get("id"), None)
        if answer is not None and not answer.done():
            answer.set_result(frame)


async def settle(people):
    """Until each of some people, by name, has heard what was said so far."""
    await asyncio.gather(*(person.settled() for person in people.values()))
