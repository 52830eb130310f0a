"""A peer that reads only when it is told to, with as little buffer as the system allows: the slow reader of the tests."""

import asyncio
import base64
import json
import os
import socket
import struct

from tests.support.people import CLIENT


class Sleeper:
    """Speaks just enough of the websocket protocol to come in and then not listen."""

    def __init__(self, sock):
        self._sock = sock
        self._loop = asyncio.get_running_loop()

    @classmethod
    async def join(cls, bridge, name):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.setblocking(False)
        sleeper = cls(sock)
        await sleeper._loop.sock_connect(sock, ("127.0.0.1", bridge.running.port))
        lines = [
            "GET /ws HTTP/1.1",
            "Host: x",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Protocol: boonbridge.v1",
        ]
        await sleeper._loop.sock_sendall(sock, ("\r\n".join(lines) + "\r\n\r\n").encode())
        await sleeper.send({"t": "hello", "token": await bridge.token(name), "client": CLIENT})
        return sleeper

    async def send(self, frame):
        data, mask = json.dumps(frame).encode(), os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        masked = bytes(byte ^ mask[n % 4] for n, byte in enumerate(data))
        await self._loop.sock_sendall(self._sock, b"\x81" + size + mask + masked)

    def close_own_half(self):
        self._sock.shutdown(socket.SHUT_WR)

    async def wake(self):
        """Read everything there is, to the end; the last close frame's code and reason, or None."""
        data = b""
        async with asyncio.timeout(10):
            while True:
                try:
                    more = await self._loop.sock_recv(self._sock, 1 << 20)
                except ConnectionError:
                    break
                if not more:
                    break
                data += more
                if (closed := _close_frame(data)) is not None:
                    return closed
        return _close_frame(data)

    def gone(self):
        self._sock.close()


def _close_frame(data):
    """The close frame in what a server sent (its frames are not masked), walking frame by frame."""
    at = data.find(b"\r\n\r\n") + 4
    while at + 2 <= len(data):
        kind, size = data[at] & 0x0F, data[at + 1]
        start = at + 2
        if size in (126, 127):  # the length stands in 2 or 8 bytes more, if they have come
            more = 2 if size == 126 else 8
            size, start = int.from_bytes(data[start : start + more], "big"), start + more
        if start + size > len(data):
            return None
        if kind == 0x8:
            return struct.unpack(">H", data[start : start + 2])[0], data[start + 2 : start + size].decode()
        at = start + size
    return None
