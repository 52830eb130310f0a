"""Commands of requests: ask, answer, decline, roll-for-absent, close-request."""

from collections.abc import Sequence
from typing import Any

import msgspec

from boonbridge.commands import arguments, confirming
from boonbridge.commands.arguments import BadArgument
from boonbridge.commands.confirming import made
from boonbridge_schemas.base import Scalar
from boonbridge_schemas.commands import AnswerRequest, CloseRequest, Decline, RequestCheck, RollForAbsent

_OR = "or"


async def ask(
    url: str,
    token: str,
    words: Sequence[str],
    *,
    actors: Sequence[str] | None,
    group: str,
    difficulty: int | None,
    hidden: bool,
    mode: str,
    target: str | None,
    minutes: int | None,
    action: str | None,
    note: str | None,
    as_json: bool,
) -> int:
    """Ask several actors for a check: one of those that the words name, with ``or`` between them."""
    fields: dict[str, Any] = {"group": group, "difficulty": difficulty, "shown": not hidden, "mode": mode, "target": target}
    fields |= {"minutes": minutes, "action": action or "", "note": note or ""}
    if actors is not None:
        fields["actors"] = actors
    return await confirming.send(url, token, made(RequestCheck, lambda: fields | _checks(words)), as_json=as_json)


def _checks(words: Sequence[str]) -> dict[str, Any]:
    """``skill skill=climb difficulty=11 or skill skill=stealth``: the checks, and the reasons for all of them."""
    checks: list[dict[str, Any]] = []
    sources: list[Any] = []
    expected = True
    for word in words:
        if word == _OR and not expected:
            expected = True
        elif expected:
            if "=" in word or word == _OR:
                raise BadArgument(f"The key of a check belongs where {word!r} stands.")
            checks.append({"check": word, "params": {}})
            expected = False
        else:
            ((key, value),) = arguments.pairs([word])
            if key in ("boon", "bane"):
                sources.append(msgspec.to_builtins(arguments.source(key, value)))
            elif key == "label":
                checks[-1]["label"] = value
            else:
                checks[-1]["params"][key] = arguments.scalar(value)
    if expected:
        raise BadArgument("Say which check: `boonbridge ask skill skill=climb difficulty=11`.")
    return {"checks": checks, "sources": sources}


async def answer(
    url: str,
    token: str,
    request: str,
    words: Sequence[str],
    *,
    actor: str,
    nth: int,
    mode: str,
    changed: str | None,
    faces: str | None,
    as_json: bool,
) -> int:
    """Roll what a request asks of an actor."""

    def fields() -> dict[str, Any]:
        params, used, before = _answer_words(words)
        given: dict[str, Any] = {"request": request, "actor": actor, "nth": nth - 1, "mode": mode, "changed": changed or ""}
        given |= {"params": params, "opportunities": used, "spendBefore": before}
        return given | ({"faces": arguments.faces(faces)} if faces is not None else {})

    return await confirming.send(url, token, made(AnswerRequest, fields), as_json=as_json)


def _answer_words(words: Sequence[str]) -> tuple[dict[str, Scalar], list[str], Scalar]:
    """The parameters that were left open, the opportunities that are used, and what is spent before the dice."""
    params: dict[str, Scalar] = {}
    used: list[str] = []
    before: Scalar = 0
    for key, value in arguments.pairs(words):
        if key == "opportunity":
            used.append(value)
        elif key == "spendBefore":
            before = arguments.scalar(value)
        else:
            params[key] = arguments.scalar(value)
    return params, used, before


async def decline(url: str, token: str, request: str, *, actor: str, as_json: bool) -> int:
    """An actor does not roll for a request."""
    return await confirming.send(url, token, made(Decline, lambda: {"request": request, "actor": actor}), as_json=as_json)


async def roll_for_absent(
    url: str, token: str, request: str, words: Sequence[str], *, actors: Sequence[str] | None, nth: int, as_json: bool
) -> int:
    """Roll for those who have not answered."""

    def fields() -> dict[str, Any]:
        params = {key: arguments.scalar(value) for key, value in arguments.pairs(words)}
        return {"request": request, "nth": nth - 1, "params": params} | ({"actors": actors} if actors is not None else {})

    return await confirming.send(url, token, made(RollForAbsent, fields), as_json=as_json)


async def close_request(url: str, token: str, request: str, *, yes: bool, as_json: bool) -> int:
    """End a request for those who have not answered."""
    command = made(CloseRequest, lambda: {"request": request})
    return await confirming.confirm(url, token, command, yes=yes, as_json=as_json)
