"""What Foundry itself was told of a roll that not everybody may read: which should be that there is one, and nothing else.

Foundry delivers every document, setting and message of its socket to whoever asks, so nothing of the roll may be in any of
them, whoever it is for.
"""

import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.foundry.stage import MODULE, Evening
from tests.support.leaks import found

STUB = {"table", "epoch", "seq", "stub", "late", "words"}
"""What the module's flag on such a message may say."""
NOBODY = {"scene": None, "actor": None, "token": None, "alias": ""}


def told(evening: Evening, words: Iterable[str], numbers: Iterable[int], *, since: int = 0) -> dict[str, Any]:
    """Where Foundry has a planted word or number. ``since``: how many frames its server had sent before the roll."""
    world, server = evening.world, evening.foundry
    places = {
        **{f"documents of kind {kind}": documents for kind, documents in world.documents.collections.items()},
        "world settings": world.settings,
        "user settings": world.user_settings,
        "what pages emitted": server.emitted,
    }
    texts = {place: json.dumps(held) for place, held in places.items()}
    texts |= {f"what was sent to {sent.user}": sent.text for sent in server.sent[since:]}
    return {place: some for place, text in texts.items() if (some := found(text, words, numbers))}


def misshapen(evening: Evening, readers: Iterable[str]) -> list[str]:
    """What a stub says beside who posted it, to whom and when."""
    wrong = []
    for message in evening.messages():
        told = {
            "rolls": message["rolls"],
            "flavour": message.get("flavor") or None,
            "speaker": message["speaker"] if message["speaker"] != NOBODY else None,
            "flags": sorted(set(message["flags"].get("boonbridge", {})) - STUB),
            "other flags": sorted(set(message["flags"]) - {"boonbridge", "core", "dice-so-nice"}),
            "whisper": sorted(set(message["whisper"]) ^ {evening.ids[name] for name in readers}),
        }
        wrong += [f"{key}: {value}" for key, value in told.items() if value]
    return wrong


@dataclass(frozen=True, kw_only=True)
class Build:
    """A module that leaks: in one of its files, one text in the place of another."""

    name: str
    right: str
    wrong: str
    file: str = "scripts/foundry/posting.mjs"

    def served(self, folder: Path) -> Path:
        """The module with the mistake in it, in a folder of its own."""
        made = folder / "foundry-module"
        shutil.copytree(MODULE, made)
        path = made / self.file
        text = path.read_text("utf-8")
        assert text.count(self.right) == 1, f"{self.file} does not say once: {self.right}"
        path.write_text(text.replace(self.right, self.wrong), "utf-8")
        return made


_STUB = "{ content, whisper: readersOf(mode, commit.by), speaker: nobody() }"
_RETURN = "    return create({ ...mark, stub: true }, { content"
BUILDS = (
    Build(
        name="the stub has the dice",
        right=_STUB,
        wrong=_STUB.replace(" }", ", rolls: rollsOf(model, commit).map(({ data }) => rollOf(data)) }"),
    ),
    Build(name="the stub says who rolled", right=_STUB, wrong=_STUB.replace("nobody()", "speakerOf(commit)")),
    Build(name="the stub is for everybody", right=_STUB, wrong=_STUB.replace("readersOf(mode, commit.by)", "[]")),
    Build(
        name="the stub has what was tried as its flavour",
        right=_STUB,
        wrong=_STUB.replace(" }", ", flavor: String(storyOf(commit).checks[0]?.event.rolled.action) }"),
    ),
    Build(
        name="the stub is the card",
        right="const content = storedStub(model.words, commit.seq);",
        wrong="const content = storedCard(publicView(model), commit);",
    ),
    Build(
        name="a flag has the total",
        right="create({ ...mark, stub: true }",
        wrong="create({ ...mark, stub: true, ...{ total: storyOf(commit).checks[0]?.result.total } }",
    ),
    Build(
        name="other pages are told over the socket",
        right=_RETURN,
        wrong='    game.socket?.emit("module.boonbridge", { seen: commit });\n' + _RETURN,
    ),
    Build(
        name="the user has a flag with the roll",
        right=_RETURN,
        wrong='    await game.user?.update({ "flags.boonbridge.last": JSON.stringify(commit) });\n' + _RETURN,
    ),
)
