"""One example of every message, and together one evening: what the golden files hold.

Three friends play the d12 game. Mira leads; Kestrel (Jonas) and Old Tamsin (Asha) are after the bell under the lake,
and the Drowned Warden is against it. Whoever writes a client can lay the goldens beside the schema and see a table live.
"""

import json
from collections.abc import Mapping

import msgspec

from . import commands, commits, corrections, effects, entries, events, frames, house_rules, requests, sessions

_SUBJECTS = (requests, sessions, corrections, house_rules)


def _of(kind: str) -> dict[str, msgspec.Struct]:
    """The examples of one kind, subject by subject."""
    return {name: example for subject in _SUBJECTS for name, example in getattr(subject, kind, {}).items()}


EXAMPLES: Mapping[str, Mapping[str, msgspec.Struct]] = {
    "client": frames.CLIENT,
    "server": frames.SERVER,
    "command": {**commands.COMMANDS, **_of("COMMANDS")},
    "event": {**events.EVENTS, **_of("EVENTS")},
    "effect": {**effects.EFFECTS, **_of("EFFECTS")},
    "entry": {**entries.ENTRIES, **_of("ENTRIES")},
    "commit": commits.COMMIT,
    "file": house_rules.FILES,
}
"""By kind, then by name: the tag, or ``tag.variant`` where one example does not show enough."""


def files() -> dict[str, str]:
    """The golden examples by their path below ``schemas/``."""
    return {f"golden/v1/{kind}/{name}.json": text(example) for kind, named in EXAMPLES.items() for name, example in named.items()}


def text(example: msgspec.Struct) -> str:
    """A message as its golden file has it: the keys in the order they are sent, for reading."""
    return json.dumps(json.loads(msgspec.json.encode(example)), indent=2, ensure_ascii=False) + "\n"
