"""A language that nobody speaks: every sentence of ours is wrapped and a third longer, so that what is not ours shows.

What stands outside the brackets is not from the language file. It must be people's own words or the game's, which the
server sends; anything else was written into the code.
"""

import json
import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec
from playwright.async_api import Page

from boonbridge.net.client import Client

CHECKOUT = Path(__file__).parents[2]
LONGER = "óüäé"

_OUTSIDE = """(roots) => {
  const found = [];
  let depth = 0;
  const outside = (text) => {
    let out = '';
    for (const sign of text) {
      if (sign === '⟦') depth += 1;
      else if (sign === '⟧') depth -= 1;
      else if (depth === 0) out += sign;
    }
    return out;
  };
  const hasWords = (text) => /\\p{L}/u.test(text);
  for (const root of document.querySelectorAll(roots)) {
    depth = 0;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = root; node !== null; node = walker.nextNode()) {
      if (node.nodeType === 3) {
        if (node.parentElement.closest('script, style, noscript, .bb-code-big, .link-text, .message-header')) continue;
        const text = outside(node.data);
        if (hasWords(text)) found.push([text.trim(), `in <${node.parentElement.tagName.toLowerCase()} class="${node.parentElement.className}"> of ${node.parentElement.closest('[data-testid]')?.dataset.testid}`]);
        continue;
      }
      if (node.closest('.header-control, .message-header')) continue;  // Foundry's own
      const kept = depth;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-tooltip', 'aria-description', 'aria-valuetext']) {
        const value = node.getAttribute(name);
        depth = 0;
        const text = value === null ? '' : outside(value);
        if (hasWords(text)) found.push([text.trim(), `${name} of <${node.tagName.toLowerCase()} class="${node.className}"> ${node.dataset?.testid ?? ''}`]);
      }
      depth = kept;
    }
    if (depth !== 0) found.push(['brackets', 'are not paired']);
  }
  return found;
}"""


def longer(text: str) -> str:
    """A sentence in that language: in brackets, a third longer, with its ``{names}`` as they were."""
    plain = len(re.sub(r"\{[^}]*\}", "", text))
    letters = "".join(LONGER[number % len(LONGER)] + (" " if number % 9 == 8 else "") for number in range(max(1, plain // 3)))
    return f"⟦{text}{letters.strip()}⟧"


def module_in_it(folder: Path) -> Path:
    """The Foundry module with its words in that language, in a folder of its own."""
    copy = folder / "module"
    shutil.copytree(CHECKOUT / "foundry-module", copy)
    path = copy / "lang" / "en.json"
    words = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({key: longer(text) for key, text in words.items()}, ensure_ascii=False), "utf-8")
    return copy


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)


def _pieces(text: str) -> list[str]:
    """The words of a text between its signs and numbers. A single letter is a die's d, or the first of a name."""
    between = re.split(r"\{[^}]*\}|[^\w'’. -]+|[\d_]+|(?<![^\W\d_])[-.]|[-.](?![^\W\d_])", text)
    return [piece for each in between if len(piece := each.strip(" .-")) > 1]


async def servers_words(client: Client) -> set[str]:
    """Everything in words that the server tells somebody of a table: the game's own, names, and what people wrote."""
    page = await client.history(after=0, limit=200)
    told = [msgspec.to_builtins(client.welcome), msgspec.to_builtins(page), msgspec.to_builtins(client.entries)]
    found = {piece for each in told for text in _strings(each) for piece in _pieces(text)}
    return found | {piece[0].upper() + piece[1:] for piece in found}  # a sentence may begin with a word of the game


async def hard_coded(page: Page, known: set[str], roots: str = "body") -> list[str]:
    """What is read on a page, seen or heard, and comes from no language file and from nobody."""
    found: list[tuple[str, str]] = await page.evaluate(_OUTSIDE, roots)
    wrong = [
        f"{piece!r} {where}"
        for text, where in found
        for piece in _pieces(text)
        if piece not in known and piece not in ("Boonbridge", "AM", "PM")
    ]
    return list(dict.fromkeys(wrong))
