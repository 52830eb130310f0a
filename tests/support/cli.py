"""The command line as people use it: real processes, and what they wrote.

Every output that passes through here is looked at: none of it may be a traceback, whatever a test is about.
"""

import asyncio
import contextlib
import io
import json
import os
import pty
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import structlog

from boonbridge import cli
from tests.support.wait import until

BOONBRIDGE = (sys.executable, "-m", "boonbridge")


class Done(NamedTuple):
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def records(self):
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


def environment(**more):
    """This environment without settings of Boonbridge or of the make that runs the tests, and with a home of its own."""
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("BOONBRIDGE_", "XDG_")) and key not in ("DEMO", "RESET", "ARGS", "JOBS", "MAKEFLAGS", "MFLAGS")
    }
    return {**kept, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONWARNINGS": "error", **{k: str(v) for k, v in more.items()}}


def sound(text):
    """The text, which is no traceback."""
    assert "Traceback" not in text, text
    return text


def run(*words, env=None, cwd=None, timeout=60, program=BOONBRIDGE):
    """Run a command to its end."""
    done = subprocess.run(
        [*program, *map(str, words)],
        env=env or environment(),
        cwd=cwd,
        timeout=timeout,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return Done(done.returncode, sound(done.stdout), sound(done.stderr))


def inside(*words, env=None):
    """Run a command to its end in this process, which is quicker. Not for a server."""
    out, err = io.StringIO(), io.StringIO()
    kept, logging = dict(os.environ), structlog.is_configured()
    os.environ.clear()
    os.environ.update(env or environment())
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.app([str(word) for word in words])
    except SystemExit as left:
        code = left.code or 0
    finally:
        os.environ.clear()
        os.environ.update(kept)
        if not logging:  # what a command says of its log lines is for its own process
            structlog.reset_defaults()
    return Done(code, sound(out.getvalue()), sound(err.getvalue()))


def refused(*words, code=1, by=run, **how):
    """Run a command that must fail; its sentence."""
    done = by(*words, **how)
    assert done.code == code, done
    assert not done.out, done
    assert done.err.startswith("boonbridge: "), done
    assert done.err.count("\n") == 1, done
    return done.err.removeprefix("boonbridge: ").strip()


def _whole(written, *, running):
    """What was written up to the end of a line, as a test that sees its beginning goes on to read the rest of it."""
    return (written[: written.rfind(b"\n") + 1] if running else written).decode()


class Child:
    """A command that goes on: its output so far, and its end."""

    def __init__(self, *words, env=None, cwd=None, terminal=False, program=BOONBRIDGE):
        self.place = Path(tempfile.mkdtemp())
        self._shown = bytearray()
        self._screen = None
        with contextlib.ExitStack() as stack:
            if terminal:
                self._screen, line = pty.openpty()
                os.set_blocking(self._screen, False)
                stack.callback(os.close, line)
                out = err = line
            else:
                out, err = (stack.enter_context((self.place / name).open("wb")) for name in ("out", "err"))
            self.process = subprocess.Popen(
                [*program, *map(str, words)],
                env=env or environment(),
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )

    @property
    def out(self):
        """Standard output so far, in whole lines; on a terminal, everything that was shown."""
        if self._screen is None:
            return self._lines("out")
        running = self.process.poll() is None
        with contextlib.suppress(OSError):  # nothing more now, or the other end is closed
            while chunk := os.read(self._screen, 65_536):
                self._shown += chunk
        return _whole(self._shown, running=running)

    @property
    def err(self):
        """Standard error so far, in whole lines."""
        return self._lines("err") if self._screen is None else ""

    def _lines(self, name):
        running = self.process.poll() is None  # asked first: what has ended has written everything
        return _whole((self.place / name).read_bytes(), running=running)

    def wait(self, condition, timeout=20.0):
        """Return when the condition holds; fail with what was written where it never does, or the process ends before."""
        try:
            asyncio.run(until(lambda: condition() or self.process.poll() is not None, timeout, every=0.01))
        except TimeoutError:
            raise AssertionError((self.out, self.err)) from None
        assert condition(), (self.process.poll(), self.out, self.err)

    def lines(self, count, timeout=20.0):
        """The first lines of standard output, once there are as many."""
        self.wait(lambda: self.out.count("\n") >= count, timeout)
        return self.out.splitlines()

    def stop(self, how=signal.SIGTERM):
        """Ask it to end; its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(20)
        sound(self.out)
        sound(self.err)
        return code

    def kill(self):
        """End it as a power cut does."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        self.process.wait(20)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
        try:
            sound(self.out + self.err)
        finally:
            shutil.rmtree(self.place)
            if self._screen is not None:
                os.close(self._screen)


class Serving(Child):
    """A server process that listens. ``url``, ``http``, ``table``, ``code`` as it wrote them down."""

    def __init__(self, folder, *words, command="serve", port=0, **how):
        self.folder = folder
        with tempfile.NamedTemporaryFile(suffix=".json") as name:
            self._ready = Path(name.name)
        super().__init__(command, "--data", folder, "--port", port, "--ready-json", self._ready, *words, **how)

    def __enter__(self):
        try:
            self.wait(self._ready.exists)
        except BaseException:
            self.__exit__()
            raise
        self.ready = json.loads(self._ready.read_text("utf-8"))
        self.url, self.http, self.table = self.ready["url"], self.ready["http"], self.ready["table"]
        return self

    @property
    def port(self):
        return int(self.http.rstrip("/").rpartition(":")[2])

    def __exit__(self, *what):
        super().__exit__(*what)
        self._ready.unlink(missing_ok=True)

    def token(self, user="Gina", role="gm", table=None):
        """A token, as the command line prints it."""
        done = inside("token", "--data", self.folder, "--table", table or self.table, "--user", user, "--role", role)
        assert done.code == 0, done
        return done.out.strip()

    def asking(self, command, *words, token, by=inside, **how):
        """Run one of the commands that talk to a server, to its end."""
        return by(command, "--url", self.url, *words, env=environment(BOONBRIDGE_TOKEN=token), **how)


def demo(folder, *words, **how):
    """A demo that listens, with its tokens in ``gm`` and ``player``."""
    return _Demo(folder, *words, command="demo", **how)


class _Demo(Serving):
    def __enter__(self):
        super().__enter__()
        self.gm, self.player = (self.ready[role].partition("#token=")[2] for role in ("gm", "player"))
        return self
