"""What must be true of the definitions as a whole."""

import re
from collections import Counter
from typing import get_args

import msgspec
import pytest

from boonbridge_schemas import client, commands, effects, events, server, to_json
from boonbridge_schemas.codes import Close, Code
from boonbridge_schemas.examples import EXAMPLES
from tests.schemas.common import SCHEMAS, protocol

UNIONS = {
    "client": client.ClientFrame,
    "server": server.ServerFrame,
    "command": commands.Command,
    "event": events.Event,
    "effect": effects.Effect,
}


def tag(struct):
    return struct.__struct_config__.tag


def test_no_tag_occurs_twice_over_frames_commands_events_and_effects():
    counted = Counter(tag(struct) for union in UNIONS.values() for struct in get_args(union))
    assert [name for name, count in counted.items() if count > 1] == []


def test_the_tuples_hold_what_the_unions_hold():
    assert get_args(client.ClientFrame) == client.CLIENT_FRAMES
    assert get_args(server.ServerFrame) == server.SERVER_FRAMES
    assert get_args(commands.Command) == commands.COMMANDS
    assert get_args(events.Event) == events.EVENTS


@pytest.mark.parametrize("kind", UNIONS)
def test_frames_are_lower_camel_and_the_rest_is_called_like_its_struct(kind):
    for struct in get_args(UNIONS[kind]):
        name = struct.__name__
        assert tag(struct) == (name[0].lower() + name[1:] if kind in ("client", "server") else name)


@pytest.mark.parametrize("kind", UNIONS)
def test_every_tag_has_an_example_under_its_own_name(kind):
    examples = EXAMPLES[kind]
    assert {tag(struct) for struct in get_args(UNIONS[kind])} == {tag(type(example)) for example in examples.values()}
    for name, example in examples.items():
        assert name.split(".")[0] == tag(type(example))


def test_every_code_has_a_meaning_and_a_name_that_fits():
    for code in Code:
        assert re.fullmatch(r"[a-z]+(\.[a-z_]+)?", code)
        assert code.meaning.endswith((".", "?"))
    for close in Close:
        assert close.reason.endswith(".")
        assert 1000 <= close < 5000


def everywhere(value):
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from everywhere(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from everywhere(inner)


def test_there_is_no_float_anywhere():
    kinds = {schema["type"] for schema in everywhere(protocol()) if isinstance(schema.get("type"), str)}
    assert kinds == {"object", "array", "string", "integer", "boolean", "null"}


def test_objects_are_closed():
    for name, schema in protocol()["$defs"].items():
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False, name


def test_every_limit_in_the_schema_is_the_one_that_welcome_tells():
    limits = server.Limits()
    defs = protocol()["$defs"]
    assert defs["Label"]["maxLength"] == defs["Name"]["maxLength"] == limits.label
    assert defs["Note"]["maxLength"] == limits.note
    roll = defs["RollCheck"]["properties"]
    assert roll["actors"]["maxItems"] == limits.actors_per_check
    assert roll["targets"]["maxItems"] == limits.targets_per_check
    assert roll["sources"]["maxItems"] > limits.sources_per_check  # what is too many is refused by name
    assert defs["History"]["properties"]["limit"]["maximum"] == limits.page_commits
    for event in ("TableOpened", "LadderRestarted"):
        hashes = defs[event]["properties"]["seedHashes"]
        assert hashes["minItems"] == hashes["maxItems"] == limits.seeds_ahead


def test_no_declaration_shadows_a_name_that_scripts_cannot_do_without():
    text = (SCHEMAS / "ts/v1/protocol.d.ts").read_text("utf-8")
    names = set(re.findall(r"^export (?:type|interface) (\w+)", text, re.MULTILINE))
    assert names == {*protocol()["$defs"], "Protocol"}
    assert not names & {"Error", "Object", "Array", "String", "Promise", "Map", "Set", "Date", "Symbol", "Function"}


def test_the_schema_leaves_out_what_only_passes_bytes_on():
    assert [name for name in protocol()["$defs"] if name.startswith("Raw")] == []


def test_everything_in_the_schema_is_described_in_the_words_of_the_wire():
    for name, schema in protocol()["$defs"].items():
        if schema.get("type") == "object":
            assert schema["description"], name
        fields = set(schema.get("properties", {}))
        for word in re.findall(r"`(\w+)`", schema.get("description", "")):
            camel = re.sub(r"_(\w)", lambda match: match[1].upper(), word)
            assert word == camel or camel not in fields, f"{name}: {word} is called {camel} on the wire"


def test_a_name_that_means_two_things_is_refused(monkeypatch):
    monkeypatch.setattr(to_json, "UNIONS", {"Grant": commands.Command})
    with pytest.raises(ValueError, match="Grant"):
        to_json.protocol()


def test_a_struct_without_its_defaults_is_read_with_them():
    roll = msgspec.json.decode(b'{"t": "RollCheck", "check": "skill"}', type=commands.Command)
    assert roll == commands.RollCheck(check="skill")
