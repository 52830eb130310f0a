"""Asking the person at the terminal before something is done; where there is none, the answer is no."""

import sys

from boonbridge.commands.failing import fail


def agreed() -> bool:
    """Whether he says yes."""
    return typed("Do that? [y/N] ").lower() in ("y", "yes")


def typed(question: str) -> str:
    """What he types."""
    sys.stderr.write(question)
    sys.stderr.flush()
    try:
        return input().strip()
    except EOFError:
        fail("Nobody answers here. --yes does it without asking.")
