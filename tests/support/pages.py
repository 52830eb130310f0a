"""The fenced blocks of the documentation, and how they are run.

Every ``sh`` block is run as it stands, those of a page one after the other in one shell. What follows ``sh`` says how:

* nothing: it runs to its end, and must end well.
* ``until ready``: its last command serves. It goes on beside the blocks that follow, until the page ends or the next server starts;
  then it gets Ctrl-C, and must end well (``make`` says 130 then, as it does).
* ``with the wheel``: run where the wheel lies (tests/packaging).
* ``not run``: not run. Only ``make test``, which would run itself.

Blocks of any other language are shown, not run; those of ``caddy`` and ``nginx`` are what tests/support/proxies.py runs these with.
"""

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
HOW = ("", "until ready", "with the wheel", "not run")


class Block(NamedTuple):
    """A fenced block: its language, how it is run, and what is in it."""

    language: str
    how: str
    text: str


def blocks(page):
    """The blocks of a page, in order."""
    found = re.findall(r"^( *)```(\S+)(?: ([^\n]+))?\n(.*?)^ *```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [Block(language, how, textwrap.dedent(text)) for _, language, how, text in found]


def scripts(page):
    """The blocks that are commands."""
    return [block for block in blocks(page) if block.language == "sh"]
