"""What the documentation tells people to type works, and what it points at is there."""

import itertools
import os
import re
import shlex
import shutil
import signal
import socket
import sys
from pathlib import Path

import pytest

from tests.support.cli import BOONBRIDGE, Child, environment, inside, run
from tests.support.pages import HOW, PAGES, ROOT, blocks, scripts

PRELUDE = r"""
set -euo pipefail
serving=
stop() {
  [ -z "$serving" ] && return
  kill -INT "-$serving"
  wait "$serving" || [ $? = 130 ] || { cat "$LOG"; exit 1; }
  serving=
}
trap '[ -z "$serving" ] || kill -KILL "-$serving"' EXIT
serve() {  # a block whose last command serves, in a process group of its own, as a terminal has it
  stop
  set -m
  : > "$LOG"
  bash -euo pipefail -c "$1" > "$LOG" 2>&1 &
  serving=$!
  set +m
  timeout 40 grep -q " is ready" <(exec timeout 40 tail -n +1 -f "$LOG") || { cat "$LOG"; exit 1; }
}
"""


def named(page):
    return page.relative_to(ROOT).as_posix()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def checkout(place):
    """A folder that looks like a fresh clone which is set up, without a copy of anything large."""
    place.mkdir()
    for item in ROOT.iterdir():
        if item.name not in (".git", ".venv", ".demo", ".lanterns", "dist", "node_modules"):
            (place / item.name).symlink_to(item)
    (place / ".venv").mkdir()
    here = Path(sys.prefix)
    for name in ("bin", "lib", "lib64", "include"):
        if (here / name).exists():
            (place / ".venv" / name).symlink_to(here / name)
    shutil.copy(here / "pyvenv.cfg", place / ".venv")
    for stamp in (".stamp-venv", ".stamp-runtime", ".stamp-dev"):
        (place / ".venv" / stamp).touch()
    return place


@pytest.fixture
def shell(tmp_path):
    """What runs a script as a person with a terminal in the checkout, with a home and a port of his own."""
    port = str(free_port())
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "boonbridge").write_text(f'#!/bin/sh\nexec {shlex.join(BOONBRIDGE)} "$@"\n', encoding="utf-8")
    (programs / "boonbridge").chmod(0o755)
    (programs / "python3").symlink_to(sys.executable)
    env = environment(
        PATH=f"{programs}:{os.environ['PATH']}",
        HOME=tmp_path / "home",
        XDG_DATA_HOME=tmp_path / "share",
        BOONBRIDGE_PORT=port,
        LOG=tmp_path / "log",
    )
    place = checkout(tmp_path / "boonbridge")

    def runs(script):
        return run("-c", script.replace("30300", port), program=("bash",), env=env, cwd=place, timeout=100)

    return runs


LONG_PAGES = {
    "run-an-evening.md",
    "keep-your-logs.md",
    "back-it-up.md",
    "look-back.md",
    "settle-a-dispute.md",
    "check-a-roll.md",
    "run-it-for-your-group.md",
    "put-it-behind-a-proxy.md",
}
"""Many commands, each a process of its own; what they type is tested each time command by command."""


@pytest.mark.parametrize(
    "page",
    [pytest.param(page, marks=[pytest.mark.long] * (page.name in LONG_PAGES)) for page in PAGES if scripts(page)],
    ids=named,
)
def test_what_a_page_says_to_type_works(page, shell):
    parts = []
    for block in scripts(page):
        if block.how == "until ready":
            parts.append(f"serve {shlex.quote(block.text)}")
        elif block.how == "":
            parts.append(block.text)
    done = shell("\n".join([PRELUDE, *parts, "stop", 'echo "the page ends here"']))
    assert done.code == 0, done
    assert done.out.endswith("the page ends here\n"), done


def test_blocks_are_marked_with_what_is_known_and_only_one_is_not_run():
    marked = [(named(page), block) for page in PAGES for block in scripts(page)]
    assert {block.how for _, block in marked} <= set(HOW)
    assert [(page, block.text) for page, block in marked if block.how == "not run"] == [("README.md", "make test\n")]
    assert {block.language for page in PAGES for block in blocks(page)} <= {"sh", "text", "python", "json", "caddy", "nginx"}


def test_what_odds_are_shown_are_those_that_are_told():
    found = blocks(ROOT / "README.md")
    shown = [
        (one.text, two.text)
        for one, two in itertools.pairwise(found)
        if one.text.startswith("boonbridge odds") and two.language == "text"
    ]
    assert len(shown) == 2
    for command, text in shown:
        words = shlex.split(command.replace("docs/", f"{ROOT}/docs/"))[1:]
        assert inside(*words).out == text


def test_the_game_that_is_shown_is_the_one_in_the_examples():
    (block,) = [block for block in blocks(ROOT / "README.md") if block.language == "python"]
    assert block.text == (ROOT / "docs" / "examples" / "two_lanterns.py").read_text("utf-8")


def test_the_generated_pages_are_as_generated():
    done = run(ROOT / "docs" / "generate.py", "--check", program=(sys.executable,))
    assert (done.code, done.err) == (0, "")


def anchors(page):
    headings = re.findall(r"^#+ (.+)$", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    "page", [*PAGES, *(ROOT / f"{name}.md" for name in ("ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG"))], ids=named
)
def test_every_link_leads_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    targets = re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    for target in targets:
        if target.startswith(("https://", "http://")):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), (named(page), target)
        assert file.is_relative_to(ROOT), (named(page), target)
        if anchor:
            assert anchor in anchors(file), (named(page), target)


def test_every_command_is_in_the_readme():
    text = (ROOT / "README.md").read_text("utf-8")
    from boonbridge import cli

    for command in cli.app:
        if not command.startswith("-"):
            assert f"`{command}" in text


def test_make_help_lists_every_target():
    done = run("help", program=("make", "--no-print-directory", "-C", str(ROOT)))
    listed = set(re.findall(r"^  make (\S+) ", done.out, re.MULTILINE))
    declared = set(re.findall(r"^\.PHONY: (\S+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert done.code == 0
    assert listed == declared
    assert {"demo", "test", "docs"} <= listed
    assert run(program=("make", "--no-print-directory", "-C", str(ROOT))).out == done.out


def test_make_demo_passes_its_settings_on_and_stops_cleanly(tmp_path):
    place = checkout(tmp_path / "boonbridge")
    words = ("--no-print-directory", "demo", "DEMO=group_d12", "RESET=1")
    with Child(*words, program=("make",), env=environment(BOONBRIDGE_PORT=0), cwd=place) as demo:
        demo.wait(lambda: "Ctrl-C stops it" in demo.out, timeout=40)
        assert "a group_d12 table" in demo.out
        os.killpg(demo.process.pid, signal.SIGINT)  # as a terminal does
        code = demo.process.wait(20)
        # The demo ends well; make says that it was interrupted, or (2) that it ended before make came to look after it.
        assert code in (0, -signal.SIGINT) or "wait: No child processes" in demo.err, (code, demo.err)
        assert "Error" not in demo.err
    assert (place / ".demo" / "log.sqlite").exists()
