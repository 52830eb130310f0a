"""How a command says no: one sentence on standard error, exit code 1, never a traceback."""

import sys
from typing import NoReturn

from boonbridge.commands.plain import plain


def fail(sentence: str, code: int = 1) -> NoReturn:
    """Say why not and leave."""
    print(f"boonbridge: {plain(sentence)}", file=sys.stderr)
    sys.exit(code)
