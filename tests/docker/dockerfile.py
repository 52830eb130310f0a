"""Reads a Dockerfile as far as ours goes: stages, and in each its instructions in order. Anything else is an error."""

import fnmatch
import json
import re
import shlex
from pathlib import Path
from typing import NamedTuple

KNOWN = {
    "FROM",
    "ENV",
    "WORKDIR",
    "COPY",
    "RUN",
    "USER",
    "VOLUME",
    "EXPOSE",
    "STOPSIGNAL",
    "HEALTHCHECK",
    "ENTRYPOINT",
    "CMD",
}


class Step(NamedTuple):
    """One instruction, with what follows it on one line."""

    name: str
    text: str

    @property
    def words(self):
        """What follows as words, without its flags; in JSON form, or as a shell would split it."""
        rest = re.sub(r"^(--\S+\s+)+", "", self.text)
        return json.loads(rest) if rest.startswith("[") else shlex.split(rest)

    @property
    def flags(self):
        """Its flags, like ``from`` of ``--from=build``."""
        found = re.match(r"^((?:--\S+\s+)*)", self.text)[1].split()
        return dict(flag.removeprefix("--").split("=", 1) for flag in found)


class Stage(NamedTuple):
    """What one FROM begins."""

    image: str
    name: str
    steps: list[Step]

    def last(self, name):
        """The last instruction of a kind, which is the one that counts."""
        return [step for step in self.steps if step.name == name][-1]

    @property
    def environment(self):
        """All that ENV sets."""
        return dict(word.split("=", 1) for step in self.steps if step.name == "ENV" for word in step.words)


def stages(file):
    """The stages of a Dockerfile."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not re.match(r"\s*#", line)]
    found = []
    for line in re.sub(r"\\\n\s*", "", "\n".join(lines)).splitlines():
        if not line.strip():
            continue
        name, text = line.split(None, 1)
        assert name in KNOWN, line
        if name == "FROM":
            image, *alias = text.split()
            assert not alias or alias[0] == "AS", line
            found.append(Stage(image, alias[1] if alias else "", []))
        else:
            found[-1].steps.append(Step(name, text))
    return found


def context(root, ignore):
    """The files that a build is given, by the last rule of the ignore file that fits each."""
    rules = [line for line in ignore.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    tops = sorted({root / rule.removeprefix("!").split("/")[0] for rule in rules if rule.startswith("!")})
    files = [file for top in tops for file in ([top] if top.is_file() else sorted(top.rglob("*"))) if file.is_file()]
    return [file.relative_to(root) for file in files if _is_kept(file.relative_to(root), rules)]


def _is_kept(file, rules):
    kept = True
    for rule in rules:
        pattern = rule.removeprefix("!")
        if _fits(file, pattern):
            kept = rule.startswith("!")
    return kept


def _fits(file, pattern):
    """Whether a pattern names a file, or a folder that it is in."""
    places = [file, *file.parents][:-1]
    if pattern.startswith("**/"):
        return any(fnmatch.fnmatchcase(place.name, pattern.removeprefix("**/")) for place in places)
    return any(fnmatch.fnmatchcase(place.as_posix(), pattern) for place in places if place != Path())
