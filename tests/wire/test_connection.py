"""One connection without a socket: its table of states, and that nothing a peer sends can make it stumble."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from boonbridge.wire.connection import Connection
from boonbridge.wire.limits import LIMITS
from boonbridge_schemas.client import CLIENT_FRAMES
from boonbridge_schemas.codes import Close, Code

GOLDEN = sorted((Path(__file__).parents[2] / "schemas/golden/v1/client").glob("*.json"))
FRAMES = {path.stem: path.read_text(encoding="utf-8") for path in GOLDEN}
ID = "a" * 22
CODES = {str(code) for code in Code}


def a_frame(kind):
    return next(text for text in FRAMES.values() if json.loads(text)["t"] == kind)


def in_state(state):
    connection = Connection()
    if state in {"greeting", "open"}:
        connection.receive(a_frame("hello"), 0)
    if state == "open":
        connection.opened()
    if state == "closed":
        connection.close(Close.AUTH_BAD)
    assert connection.state == state
    return connection


OTHERS = (
    "do",
    "withdraw",
    "preview",
    "foresee",
    "saw",
    "composing",
    "history",
    "at",
    "proof",
    "renew",
    "posted",
    "people",
    "makeCode",
    "dropCode",
)


def test_there_is_an_example_of_every_frame():
    assert {json.loads(text)["t"] for text in FRAMES.values()} == {frame.__struct_config__.tag for frame in CLIENT_FRAMES}
    assert {"pair", "hello", *OTHERS} == {frame.__struct_config__.tag for frame in CLIENT_FRAMES}


# The table at the top of wire/connection.py, cell by cell: what becomes of the frame, and the state afterwards.
@pytest.mark.parametrize(
    ("state", "kind", "comes", "after"),
    [
        ("new", "pair", "input", "new"),
        ("new", "hello", "input", "greeting"),
        *(("new", kind, "auth.required", "new") for kind in OTHERS),
        *(("greeting", kind, "frame.unexpected", "greeting") for kind in ("pair", "hello", *OTHERS)),
        *(("open", kind, "frame.unexpected", "open") for kind in ("pair", "hello")),
        *(("open", kind, "input", "open") for kind in OTHERS),
        *(("closed", kind, "nothing", "closed") for kind in ("pair", "hello", *OTHERS)),
    ],
)
def test_state_and_frame(state, kind, comes, after):
    connection = in_state(state)
    received = connection.receive(a_frame(kind), 1)
    told = "input" if received.frame else str(received.reply.code) if received.reply else "nothing"
    assert (told, connection.state) == (comes, after)
    if received.reply and kind != "hello":
        assert received.reply.id == json.loads(a_frame(kind)).get("id"), "a refusal says which frame it is about"


BAD = {
    "no JSON": "{",
    "empty": "",
    "not an object": "[]",
    "a number": "7",
    "null": "null",
    "no tag": "{}",
    "a tag of ours that clients do not send": '{"t": "welcome"}',
    "a tag of nobody": '{"t": "format_disk"}',
    "a tag that is no text": '{"t": 5}',
    "an unknown field": json.dumps({"t": "renew", "id": ID, "role": "gm"}),
    "a field missing": '{"t": "renew"}',
    "a wrong type": json.dumps({"t": "proof", "id": ID, "seq": "1"}),
    "a float for an integer": json.dumps({"t": "proof", "id": ID, "seq": 1.5}),
    "a boolean for an integer": json.dumps({"t": "proof", "id": ID, "seq": True}),
    "zero where counting begins with one": json.dumps({"t": "proof", "id": ID, "seq": 0}),
    "an integer beyond 2^53": json.dumps({"t": "proof", "id": ID, "seq": 2**53 + 1}),
    "an integer of 5000 digits": '{{"t": "proof", "id": "{}", "seq": {}}}'.format(ID, "9" * 5000),
    "an id too short": json.dumps({"t": "renew", "id": "a" * 21}),
    "an id too long": json.dumps({"t": "renew", "id": "a" * 41}),
    "an id with a line break": json.dumps({"t": "renew", "id": ID + "\n"}),
    "an id in other letters": json.dumps({"t": "renew", "id": "é" * 22}),
    "nested too deep": "[" * 8000 + "]" * 8000,
    "nested too deep in a field": '{"t": "do", "cmd": ' + '{"a":' * 2000 + "1" + "}" * 2001,
    "two texts": f'{{"t": "renew", "id": "{ID}"}} {{}}',
    "a control character in a name": f'{{"t": "pair", "id": "{ID}", "code": "x", "name": "a\\u0007", "client": {{}}}}',
    "a lone surrogate": f'{{"t": "pair", "id": "{ID}", "code": "\\ud800", "name": "a", "client": {{}}}}',
    "a surrogate as it comes": '{"t": "\ud800"}',
    "NaN": f'{{"t": "proof", "id": "{ID}", "seq": NaN}}',
    "a byte order mark": "\ufeff{}",
}


@pytest.mark.parametrize("state", ["new", "greeting", "open"])
@pytest.mark.parametrize("message", BAD.values(), ids=BAD)
def test_what_is_no_frame_of_ours_is_refused_and_changes_nothing(state, message):
    connection = in_state(state)
    received = connection.receive(message, 0)
    assert received.frame is None
    assert received.reply.code == Code.FRAME_BAD
    assert received.reply.message
    assert connection.state == state


def test_binary_and_oversized_are_refused_in_words():
    connection = in_state("open")
    assert connection.receive(b"{}", 0).reply.message == "Messages are JSON text, not binary."
    large = connection.receive(" " * (LIMITS.frame_in + 1), 20)
    assert large.reply.code == Code.FRAME_TOO_LARGE
    assert "16384" in large.reply.message
    assert connection.receive(" " * LIMITS.frame_in, 40).reply.code == Code.FRAME_BAD, "the limit itself is within"


@pytest.mark.parametrize(
    "frame",
    [
        {"t": "SECRET"},
        {"t": "do", "id": ID, "seen": 0, "cmd": {"t": "SECRET"}},
        {"t": "renew", "id": ID, "SECRET": 1},
        {"t": "hello", "token": "x", "client": {"name": "a", "version": "1", "kind": "SECRET"}},
        {"t": "renew", "id": "SECRET"},
        {"t": "hello", "token": "x", "table": "SECRET", "client": {"name": "a", "version": "1", "kind": "cli"}},
    ],
)
@pytest.mark.parametrize("piece", ["'", "`", "\n", " - at ", "."])
def test_a_token_in_the_wrong_place_is_not_repeated(frame, piece):
    secret = piece.join(["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "x" * 60, "y" * 43])
    reply = in_state("new").receive(json.dumps(frame).replace("SECRET", json.dumps(secret)[1:-1]), 0).reply
    assert reply.code == Code.FRAME_BAD
    assert "y" * 10 not in reply.message
    assert "x" * 10 not in reply.message


@pytest.mark.parametrize("id_", [ID, "A-_9" * 6, "z" * 40])
def test_whoever_clicked_learns_which_click_it_was(id_):
    received = in_state("open").receive(json.dumps({"id": id_, "t": "do", "seen": 1, "cmd": {"t": "RollCheck", "check": 5}}), 0)
    assert received.reply.id == id_


@pytest.mark.parametrize("id_", ["short", "a" * 41, "é" * 22, "a" * 21 + "\n", 5, None, ["a" * 22], {"a": 1}])
def test_an_id_that_is_none_is_not_repeated(id_):
    received = in_state("open").receive(json.dumps({"id": id_, "t": "do"}), 0)
    assert received.reply.id is None


@pytest.mark.parametrize(
    ("times", "closes"),
    [
        ((0, 1, 2), True),
        ((0, 5, 10), True),
        ((0, 5, 10.001), False),
        ((0, 9, 18, 19.5), False),
        ((0, 9, 18, 18.5), True),
    ],
)
def test_the_third_bad_frame_within_ten_seconds_closes(times, closes):
    connection = in_state("open")
    for now in times:
        assert connection.state == "open"
        assert connection.receive("{", now).reply.code == Code.FRAME_BAD
    assert (connection.closing == Close.TOO_MANY_BAD_FRAMES) is closes
    assert (connection.state == "closed") is closes
    if closes:
        assert connection.receive(a_frame("do"), 20) == (None, None)


def test_refusals_that_are_no_bad_frames_close_nothing():
    connection = in_state("new")
    for _ in range(50):
        connection.receive(a_frame("do"), 0)
    assert connection.state == "new"


# --- whatever comes ---------------------------------------------------------------------------------------------
_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=20), st.just("__proto__"), st.just(ID)
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)),
    max_leaves=8,
)


@st.composite
def mutated(draw):
    """A golden frame with something in it changed: a value, a key, a piece of its text."""
    text = draw(st.sampled_from(sorted(FRAMES.values())))
    if draw(st.booleans()):
        return json.dumps(_changed(draw, json.loads(text)))
    cut = draw(st.integers(0, len(text)))
    end = draw(st.integers(cut, min(len(text), cut + 8)))
    return text[:cut] + draw(st.text(max_size=6)) + text[end:]


def _changed(draw, value):
    if isinstance(value, dict) and value and draw(st.integers(0, 2)):
        key = draw(st.sampled_from(sorted(value)))
        kind = draw(st.integers(0, 3))
        if kind == 0:
            return {k: v for k, v in value.items() if k != key}
        if kind == 1:
            return {
                **value,
                draw(st.sampled_from(["__proto__", "constructor", "t", "id", draw(st.text(max_size=9))])): draw(_values),
            }
        return {**value, key: _changed(draw, value[key])}
    if isinstance(value, list) and value and draw(st.booleans()):
        return [_changed(draw, value[0]), *value[1:]] * draw(st.sampled_from([1, 1, 70]))
    return draw(_values)


messages = st.one_of(
    st.text(),
    st.text(alphabet=st.characters()),
    st.binary(max_size=40),
    _values.map(json.dumps),
    mutated(),
    st.sampled_from(sorted(FRAMES.values())),
)


class Peer(RuleBasedStateMachine):
    """Anybody at all at the other end. The owner answers a hello as it likes."""

    @initialize()
    def connect(self):
        self.connection = Connection()
        self.now = 0.0
        self.heard_hello = False

    @rule(message=messages, wait=st.sampled_from([0.0, 0.5, 4.0, 11.0]))
    def sends(self, message, wait):
        self.now += wait
        before = self.connection.state
        frame, reply = self.connection.receive(message, self.now)
        assert frame is None or reply is None, "one message comes to one thing"
        if before == "closed":
            assert frame is None
            assert reply is None
        else:
            assert frame is not None or reply is not None, "everything is answered"
        if reply is not None:
            assert reply.code in CODES
            assert reply.message
        if frame is not None:
            kind = frame.__struct_config__.tag
            assert before in {"new", "open"}
            assert (kind in {"pair", "hello"}) == (before == "new")

    @rule(accepted=st.booleans())
    def owner_answers(self, accepted):
        if self.connection.state == "greeting":
            self.connection.opened() if accepted else self.connection.close(Close.AUTH_BAD)

    @invariant()
    def state_is_legal(self):
        assert self.connection.state in {"new", "greeting", "open", "closed"}
        assert (self.connection.closing is not None) == (self.connection.state == "closed")


TestPeer = Peer.TestCase
TestPeer.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)


@given(message=messages)
@settings(max_examples=1500, deadline=None)
def test_receive_never_raises(message):
    for state in ("new", "greeting", "open", "closed"):
        in_state(state).receive(message, 0)
