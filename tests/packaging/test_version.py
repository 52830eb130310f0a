"""One number, wherever it stands."""

import json
import re
import tomllib
from importlib.metadata import version
from pathlib import Path

import boonbridge

ROOT = Path(__file__).parents[2]


def test_the_version_is_one_number():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    released = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert project == boonbridge.__version__ == released[0] == version("boonbridge")
    module = ROOT / "foundry-module" / "module.json"
    if module.exists():
        assert json.loads(module.read_text("utf-8"))["version"] == project


def test_the_changelog_is_in_order():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert text.index("## [Unreleased]") < text.index("## [0.1.0]")
    numbers = [tuple(map(int, found)) for found in re.findall(r"^## \[(\d+)\.(\d+)\.(\d+)\]", text, re.MULTILINE)]
    assert numbers == sorted(numbers, reverse=True)
