"""Plain HTTP to a bridge, byte by byte, as no library would send it."""

import asyncio


async def say(bridge, data, *, eof=False):
    """Bytes to the port; everything that comes back until the bridge closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", bridge.running.port)
    try:
        writer.write(data)
        if eof:
            writer.write_eof()
        async with asyncio.timeout(5):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def request(bridge, method="GET", path="/", headers=None):
    """One HTTP request: status, headers in small letters, body."""
    lines = [f"{method} {path} HTTP/1.1", *(f"{key}: {value}" for key, value in (headers or {"Host": "x"}).items()), "", ""]
    answer = await say(bridge, "\r\n".join(lines).encode())
    head, _, content = answer.partition(b"\r\n\r\n")
    status, *fields = head.decode().split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, _, v in (f.partition(": ") for f in fields)}, content.decode()
