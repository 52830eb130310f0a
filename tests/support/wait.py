"""The one way in which a test waits for something that it cannot await."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object], timeout: float = 20.0, *, every: float = 0.005) -> None:  # noqa: ASYNC109 - reads best at the call
    """Return as soon as ``condition()`` is true; fail with TimeoutError when it never is."""
    async with asyncio.timeout(timeout):
        while not condition():  # noqa: ASYNC110 - there is nothing to await, or the caller would
            await asyncio.sleep(every)
