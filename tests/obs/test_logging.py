import io
import json
import logging

import pytest
import structlog

from boonbridge.obs import logging as log_lines


@pytest.fixture(autouse=True)
def as_before():
    root = logging.getLogger()
    handlers, level, websockets = root.handlers[:], root.level, logging.getLogger("websockets").level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    logging.getLogger("websockets").setLevel(websockets)
    structlog.reset_defaults()


def lines(**how):
    stream = io.StringIO()
    log_lines.configure(stream=stream, **how)
    return structlog.get_logger("boonbridge.test"), stream


def failing(secret):
    key_of_the_table = f"{secret}{secret}"
    raise LookupError(len(key_of_the_table))


def test_json_lines():
    log, stream = lines()
    log.info("joined", table="t", user="u")
    line = json.loads(stream.getvalue())
    assert {key: line[key] for key in ("event", "level", "table", "user")} == {
        "event": "joined",
        "level": "info",
        "table": "t",
        "user": "u",
    }
    assert line["timestamp"].endswith("Z")


def test_readable_lines_on_a_terminal():
    log, stream = lines(terminal=True)
    log.info("joined", table="t")
    assert "joined" in stream.getvalue()
    assert not stream.getvalue().startswith("{")


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("wicked", ["\x1b[2J", "\x9b2J", "a\nlevel=info", "a\r", "\x07", "\u202eolleh", "\u2028", "\x00"])
def test_what_a_peer_says_commands_no_terminal(terminal, wicked):
    log, stream = lines(terminal=terminal)
    log.info("joined", version=wicked, origin=f"http://{wicked}")
    assert wicked not in stream.getvalue()
    assert len(stream.getvalue().splitlines()) == 1


@pytest.mark.parametrize("terminal", [False, True])
def test_values_under_a_secret_looking_name_are_dropped(terminal):
    log, stream = lines(terminal=terminal)
    log.warning("x", token="hunter2", Seed="hunter2", pairing_code="hunter2", authorization="hunter2", table="t")
    assert "hunter2" not in stream.getvalue()
    assert "(not logged)" in stream.getvalue()


@pytest.mark.parametrize("terminal", [False, True])
def test_a_failure_is_logged_without_the_values_of_variables(terminal):
    log, stream = lines(terminal=terminal)
    try:
        failing("hunter2")
    except LookupError:
        log.exception("it failed")
    assert "LookupError: 14" in stream.getvalue()
    assert "hunter2hunter2" not in stream.getvalue()


def test_lines_of_libraries_have_the_same_form():
    _, stream = lines()
    logging.getLogger("asyncio").error("Task exception was never retrieved")
    logging.getLogger("asyncio").warning("slow")
    logging.getLogger("websockets.server").error("a request")
    (line,) = stream.getvalue().splitlines()
    assert json.loads(line)["event"] == "Task exception was never retrieved"


def test_the_level_is_kept():
    log, stream = lines(level="warning")
    log.info("no")
    log.warning("yes")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["yes"]
