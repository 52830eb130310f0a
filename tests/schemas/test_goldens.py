"""Every golden is read alike by the Structs, by jsonschema and by ajv, and so is every way to spoil it."""

import copy
import json

import msgspec
import pytest

from tests.schemas.common import FILES, by_ajv, by_jsonschema, by_structs, definition_of, golden


@pytest.mark.parametrize("name", FILES)
def test_python_reads_a_golden_and_writes_the_same(name):
    value = golden(name)
    _, type_ = definition_of(name)
    message = msgspec.json.decode(json.dumps(value), type=type_)
    assert json.loads(msgspec.json.encode(message)) == value


@pytest.mark.parametrize("name", FILES)
def test_jsonschema_accepts_a_golden(name):
    assert by_jsonschema(definition_of(name)[0], golden(name)) == []


def test_ajv_accepts_every_golden():
    errors = by_ajv([(definition_of(name)[0], golden(name)) for name in FILES])
    assert dict(zip(FILES, errors, strict=True)) == {name: [] for name in FILES}


def spoilt(value):
    """The message with one thing wrong at a time, with words for it."""
    yield "an unknown field", {**value, "surprise": 1}
    if "t" in value:
        yield "an unknown kind", {**value, "t": "Surprise"}
        yield "no kind", {key: inner for key, inner in value.items() if key != "t"}
    for key, inner in value.items():
        if key in ("t", "value", "args", "params", "options"):
            continue  # of any type, or with values of any scalar type
        wrong = {"nested": []} if not isinstance(inner, dict) else "text instead of an object"
        yield f"{key} of another type", {**value, key: wrong}
        if isinstance(inner, int) and not isinstance(inner, bool):
            yield f"{key} with a fraction", {**value, key: inner + 0.5}
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            deeper = copy.deepcopy(value)
            deeper[key][0]["surprise"] = None
            yield f"an unknown field inside {key}", deeper


def test_what_is_wrong_with_a_message_is_wrong_for_everybody():
    cases = [(name, what, value) for name in FILES for what, value in spoilt(golden(name))]
    assert len(cases) > 300
    for_ajv = by_ajv([(definition_of(name)[0], value) for name, _, value in cases])
    for (name, what, value), ajv in zip(cases, for_ajv, strict=True):
        definition, type_ = definition_of(name)
        assert by_structs(type_, value), f"{name}: Python takes {what}"
        assert by_jsonschema(definition, value), f"{name}: jsonschema takes {what}"
        assert ajv, f"{name}: ajv takes {what}"


@pytest.mark.parametrize(
    ("definition", "good"),
    [
        ("CommandId", "k7Qm2vXc9TtR4sLw8ZbN1p"),
        ("TableId", "bell-under-the-lake"),
        ("ActorId", "Scene.lake.Token.warden"),
        ("Key", "skill.climb"),
        ("Hex", "0" * 64),
        ("Chance", "95/144"),
        ("HttpOrigin", "http://192.168.7.20:30000"),
        ("Label", "Großmutter Weiß 🎲 سلام"),
    ],
)
def test_no_line_break_slips_in_behind_a_value(definition, good):
    from boonbridge_schemas import base

    assert by_structs(getattr(base, definition), good) == []
    assert by_structs(getattr(base, definition), good + "\n")
    assert by_ajv([(definition, good)]) == [[]]
    assert by_ajv([(definition, good + "\n")]) != [[]]
