"""Somebody in a process of his own who sends as fast as he is let: ``python -m tests.support.flooder URL TOKEN-FILE``.

On each line ``go`` he sends 200 commands and 1,000 previews a second over one connection until a line ``stop``; then he says in one
line of JSON what he wanted to send, what went out, and what he was told.
"""

import asyncio
import contextlib
import json
import sys
import time
from collections import Counter
from pathlib import Path

from tests.support.people import Person, new_id

COMMANDS, PREVIEWS = 200, 1_000
_ROLL = {"t": "RollCheck", "check": "attribute", "actors": ["hero"], "params": {"attribute": "agility", "tn": 12}}


async def flood(person, stop):
    """Send until told to stop; how many it should have been, and how many went out."""
    began, sent, kinds = time.monotonic(), 0, Counter()
    while not stop.is_set():
        due = (time.monotonic() - began) * (COMMANDS + PREVIEWS)
        if sent >= due:
            await asyncio.sleep((sent + 1 - due) / (COMMANDS + PREVIEWS))
            continue
        kind = "do" if sent % 6 == 0 else "preview"
        frame = {"id": new_id(), "t": kind}
        frame |= {"seen": person.seq, "cmd": _ROLL} if kind == "do" else {"check": _ROLL}
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):  # the bridge reads no further: the sender's own buffers are full
                await person.send(frame)
                kinds[kind] += 1
        sent += 1
    return due, kinds, time.monotonic() - began


async def main(url, token):
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    print("ready", flush=True)
    while (await lines.readline()).strip() == b"go":
        person = await Person.connect(url)
        await person.hello(token=token)
        heard, stop = len(person.frames), asyncio.Event()
        flooding = asyncio.ensure_future(flood(person, stop))
        await lines.readline()
        stop.set()
        due, kinds, took = await flooding
        told = Counter(frame.get("code", frame["t"]) for frame in person.frames[heard:])
        person.vanish()  # with all that the bridge has not read yet
        await person.gone()
        print(json.dumps({"wanted": round(due), "sent": kinds, "seconds": took, "told": told}), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], Path(sys.argv[2]).read_text("utf-8").strip()))
