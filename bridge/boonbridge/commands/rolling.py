"""Commands that roll: roll (a check) and dice (any other)."""

import asyncio
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Literal

from boonbridge.commands import arguments, asking, modes
from boonbridge.commands.failing import fail
from boonbridge.commands.plain import plain
from boonbridge.net.client import Client, Unreachable, new_id
from boonbridge_schemas.commands import RollCheck, RollDice
from boonbridge_schemas.server import Ack, Refused

Came = Literal["acked", "refused", "unanswered"]


async def roll(
    url: str,
    token: str,
    actor: str,
    check: str,
    words: Sequence[str],
    *,
    changed: str | None = None,
    faces: str | None = None,
    count: int,
    clients: int,
    as_json: bool,
) -> int:
    """Roll the same check many times over some connections at once; every roll answered or said not to be."""
    if faces is not None and count > 1:
        fail("--faces are the dice of one roll; with --count there are more.")
    try:
        command = arguments.roll(actor, check, words, changed=changed or "", by_hand=faces)
        named = any(key == "mode" for key, _ in arguments.pairs(words))
    except arguments.BadArgument as problem:
        fail(str(problem))
    return await _rolled(url, token, command, named=named, count=count, clients=clients, as_json=as_json)


async def dice(
    url: str,
    token: str,
    formula: str,
    *,
    actor: str | None,
    label: str | None,
    damage: bool,
    mode: str | None,
    faces: str | None,
    as_json: bool,
) -> int:
    """Roll other dice than those of a check."""
    try:
        command = arguments.dice(formula, actor=actor, label=label or "", damage=damage, mode=mode or "public", by_hand=faces)
    except arguments.BadArgument as problem:
        fail(str(problem))
    return await _rolled(url, token, command, named=mode is not None, count=1, clients=1, as_json=as_json)


async def _rolled(
    url: str, token: str, command: RollCheck | RollDice, *, named: bool, count: int, clients: int, as_json: bool
) -> int:
    """``named``: somebody said who is to see it."""
    left = iter(range(count))
    began = time.perf_counter()
    came: list[Came] = []
    rollers = (
        _roller(url, token, command, left, came, named=named, as_json=as_json, shown=count == 1)
        for _ in range(min(clients, count))
    )
    lost = [problem for problem in await asyncio.gather(*rollers) if problem is not None]
    if lost and not came:
        raise lost[0]
    if not as_json and count > 1:
        seconds = time.perf_counter() - began
        unsent = count - len(came)
        told = f"{came.count('acked')} rolled, {came.count('refused')} refused, {came.count('unanswered')} unanswered"
        sys.stdout.write(f"{told}{f', {unsent} not sent' if unsent else ''} in {seconds:.2f} s\n")
    return 0 if came.count("acked") == count else 1


async def _roller(
    url: str,
    token: str,
    command: RollCheck | RollDice,
    left: Iterator[int],
    came: list[Came],
    *,
    named: bool,
    as_json: bool,
    shown: bool,
) -> Unreachable | None:
    """Rolls over one connection until none are left; returns what kept it from connecting at all."""
    try:
        async with Client(url, token, patience=asking.PATIENCE) as client:
            if not named:
                command = modes.begun(client, command)
            for _ in left:
                command_id = new_id()
                try:
                    answer = await client.do(command, command_id)
                except (TimeoutError, Unreachable):
                    came.append("unanswered")
                    if as_json:
                        asking.show({"t": "unanswered", "id": command_id})
                    continue
                came.append("acked" if isinstance(answer, Ack) else "refused")
                if as_json:
                    asking.show(answer)
                elif isinstance(answer, Refused):
                    sys.stderr.write(f"boonbridge: {plain(answer.message)}\n")
                elif shown:
                    await asking.print_past(client, answer.seq - 1, answer.seq, as_json=False)
    except Unreachable as problem:
        return problem
    return None
