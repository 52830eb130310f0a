"""One example of every message, and together one evening: what the golden files hold.

Three friends play the d12 game. Mira leads; Kestrel (Jonas) and Old Tamsin (Asha) are after the bell under the lake,
and the Drowned Warden is against it. Whoever writes a client can lay the goldens beside the schema and see a table live.
"""

import json
from collections.abc import Mapping

import msgspec

from . import commands, commits, effects, entries, events, frames

EXAMPLES: Mapping[str, Mapping[str, msgspec.Struct]] = {
    "client": frames.CLIENT,
    "server": frames.SERVER,
    "command": commands.COMMANDS,
    "event": events.EVENTS,
    "effect": effects.EFFECTS,
    "entry": entries.ENTRIES,
    "commit": commits.COMMIT,
}
"""By kind, then by name: the tag, or ``tag.variant`` where one example does not show enough."""


def files() -> dict[str, str]:
    """The golden examples by their path below ``schemas/``."""
    return {f"golden/v1/{kind}/{name}.json": text(example) for kind, named in EXAMPLES.items() for name, example in named.items()}


def text(example: msgspec.Struct) -> str:
    """A message as its golden file has it: the keys in the order they are sent, for reading."""
    return json.dumps(json.loads(msgspec.json.encode(example)), indent=2, ensure_ascii=False) + "\n"
