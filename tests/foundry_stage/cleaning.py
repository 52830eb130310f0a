"""What Foundry's server leaves of the HTML of a chat message.

The allow-lists are those that Foundry publishes (``CONST.ALLOWED_HTML_TAGS``, ``CONST.ALLOWED_HTML_ATTRIBUTES``); the page reads the
same file. Unverified: whether single properties of a ``style`` attribute are filtered; here they pass.
"""

import html
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

_LISTS: dict[str, Any] = json.loads((Path(__file__).parent / "client" / "allowed_html.json").read_text("utf-8"))
_VOID = {"area", "br", "col", "hr", "img", "input", "source", "track"}
_IFRAME_HOSTS = ("google.com", "youtube.com")


class _Cleaner(HTMLParser):
    def __init__(self, generation: int) -> None:
        super().__init__(convert_charrefs=False)
        self.out: list[str] = []
        self._dropping = 0
        self._tags = set(_LISTS["tags"])
        self._attributes: dict[str, list[str]] = {tag: list(names) for tag, names in _LISTS["attributes"].items()}
        if generation >= 14:
            added = _LISTS["added14"]
            self._tags |= set(added["tags"])
            for tag, names in added["attributes"].items():
                self._attributes.setdefault(tag, []).extend(names)

    def _kept(self, tag: str, name: str, value: str | None) -> bool:
        known = [*self._attributes["*"], *self._attributes.get(tag, [])]
        if name not in known and not any(known_name.endswith("-*") and name.startswith(known_name[:-1]) for known_name in known):
            return False
        if name in _LISTS["schemedAttributes"]:
            scheme = re.match(r"\s*([a-z][a-z0-9+.-]*):", (value or "").lower())
            if scheme and scheme.group(1) not in _LISTS["schemes"]:
                return False
            if tag == "iframe":
                host = re.match(r"https?://([^/]+)", value or "")
                return bool(host) and any(host.group(1) == h or host.group(1).endswith(f".{h}") for h in _IFRAME_HOSTS)
        return True

    def _open(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        kept = [(name, value) for name, value in attributes if self._kept(tag, name, value)]
        text = "".join(f" {name}" if value is None else f' {name}="{html.escape(value)}"' for name, value in kept)
        self.out.append(f"<{tag}{text}>")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _LISTS["dropWithText"]:
            self._dropping += 1
        elif not self._dropping and tag in self._tags:
            self._open(tag, attrs)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._dropping and tag in self._tags:
            self._open(tag, attrs)
            if tag not in _VOID:
                self.out.append(f"</{tag}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _LISTS["dropWithText"]:
            self._dropping = max(0, self._dropping - 1)
        elif not self._dropping and tag in self._tags and tag not in _VOID:
            self.out.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropping:
            self.out.append(data.replace("<", "&lt;").replace(">", "&gt;"))

    def handle_entityref(self, name: str) -> None:
        if not self._dropping:
            self.out.append(f"&{name};")

    def handle_charref(self, name: str) -> None:
        if not self._dropping:
            self.out.append(f"&#{name};")


def clean(text: str, generation: int) -> str:
    """The HTML as it is stored."""
    cleaner = _Cleaner(generation)
    cleaner.feed(text)
    cleaner.close()
    return "".join(cleaner.out)
