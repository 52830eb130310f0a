import asyncio
import errno
import os
import re

import pytest

from boonbridge import __version__, cli
from boonbridge.commands import people, rules
from tests.support.cli import environment, inside, run

COMMANDS = [
    "serve",
    "pair",
    "table",
    "table new",
    "table list",
    "table delete",
    "table rename",
    "token",
    "module",
    "roll",
    "dice",
    "grant",
    "reveal-grant",
    "ask",
    "answer",
    "decline",
    "roll-for-absent",
    "close-request",
    "start-session",
    "end-session",
    "continue-session",
    "void",
    "override",
    "reveal",
    "settle",
    "people",
    "people invite",
    "people role",
    "people revoke",
    "people erase",
    "people codes",
    "people drop",
    "people origins",
    "rules",
    "rules export",
    "rules import",
    "tail",
    "do",
    "proof",
    "backup",
    "delete",
    "export",
    "fairness",
    "import",
    "rename",
    "replay",
    "restore",
    "tables",
    "verify",
    "odds",
    "try",
    "conformance",
    "demo",
    "bench",
    "tables",
    "rename",
    "delete",
    "replay",
    "export",
    "import",
    "verify",
    "fairness",
    "backup",
    "restore",
    "table rename",
    "table delete",
]


def shown(*words):
    done = inside(*words)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def test_every_command_is_named_here():
    named = {"": cli.app, "table ": cli.table, "people ": people.app, "rules ": rules.app}
    found = {prefix + name for prefix, app in named.items() for name in app if not name.startswith("-")}
    assert found == set(COMMANDS)


def test_without_arguments_it_is_the_help():
    real = run()
    assert (real.code, real.err) == (0, "")
    assert real.out == run("--help").out
    assert "Begin with boonbridge serve" in real.out
    for command in COMMANDS:
        assert f" {command.split()[0]} " in real.out


def test_the_version():
    assert shown("--version").strip() == __version__


@pytest.mark.parametrize("command", COMMANDS)
def test_every_parameter_says_what_it_is(command):
    text = shown(*command.split(), "--help")
    assert text.startswith(f"Usage: boonbridge {command}")
    rows = re.findall(r"^│ (?:\* | )? *((?:--[a-z]|[A-Z=]{3,} ).*?) │$", text, re.MULTILINE)
    bare = [row for row in rows if len(re.split(r"\s{2,}", row.strip())) < 2]
    assert not bare, bare
    assert "None" not in text


def test_what_does_not_fit_is_exit_2_and_names_it():
    for words, named in [
        (("nonsense",), "nonsense"),
        (("serve", "--nope"), "--nope"),
        (("serve", "--port", "abc"), "--port"),
        (("serve", "--log-level", "loud"), "--log-level"),
        (("do", "{}"), "--url"),
        (("token", "--user", "x", "--role", "king"), "--role"),
        (("table", "new"), "NAME"),
    ]:
        done = inside(*words)
        assert (done.code, done.out) == (2, ""), (words, done)
        assert named in done.err


@pytest.mark.parametrize(("debug", "traces"), [(None, False), ("debug", True)])
def test_a_fault_of_ours_is_a_sentence_unless_one_asks_for_more(monkeypatch, capsys, debug, traces):
    def broken(*_args, **_kw):
        raise LookupError("a fault")

    monkeypatch.setattr(cli, "app", broken)
    monkeypatch.delenv("BOONBRIDGE_LOG_LEVEL", raising=False)
    if debug:
        monkeypatch.setenv("BOONBRIDGE_LOG_LEVEL", debug)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    err = capsys.readouterr().err
    assert "boonbridge: This is a fault of Boonbridge (LookupError: a fault)." in err
    assert ("Traceback" in err) is traces


@pytest.mark.parametrize(("filename", "named"), [(None, "Standard output"), ("notes.txt", "notes.txt")])
def test_a_disk_that_is_full_is_no_fault_of_ours(monkeypatch, capsys, filename, named):
    """What a command says may be on its way to a file."""

    def full(*_args, **_kw):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), filename)

    monkeypatch.setattr(cli, "app", full)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 1
    assert capsys.readouterr().err == f"boonbridge: {named} cannot be written: No space left on device.\n"


def test_ctrl_c_while_something_is_asked(monkeypatch):
    def interrupted(*_args, **_kw):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "app", interrupted)
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 130


def test_help_is_quick():
    # What a command needs is imported when it runs: the page, the store's adapter and the games are not for --help.
    code = "import sys, boonbridge.cli; print(sorted(m for m in sys.modules if m.startswith('boonbridge.conformance')))"
    assert run("-c", code, program=(run.__globals__["sys"].executable,), env=environment()).out == "[]\n"
    assert asyncio.iscoroutinefunction(cli.asking.do)
