"""What was typed and fits nowhere is said as it was typed, never as a pattern."""

import pytest

from boonbridge.commands.confirming import made
from boonbridge_schemas.commands import AnswerRequest, RequestCheck, StartSession, Void


@pytest.mark.parametrize(
    ("kind", "fields", "said"),
    [
        (AnswerRequest, {"request": "x", "actor": "hero"}, "request cannot be 'x'."),
        (Void, {"what": "banana"}, "what cannot be 'banana'."),
        (StartSession, {"name": "x" * 81}, f"name cannot be '{'x' * 40}' and so on."),
        (RequestCheck, {"checks": [{"check": "skill"}], "minutes": 0}, "minutes cannot be '0'."),
    ],
)
def test_what_does_not_fit_is_named(capsys, kind, fields, said):
    with pytest.raises(SystemExit) as left:
        made(kind, lambda: fields)
    assert left.value.code == 1
    assert capsys.readouterr().err == f"boonbridge: {said}\n"
