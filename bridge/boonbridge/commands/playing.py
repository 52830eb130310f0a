"""The command line of play: what stands, requests, evenings, corrections. Every command is one function that reads its flags."""

from collections.abc import Callable
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

from boonbridge.commands import asking, correcting, evenings, giving, requesting
from boonbridge.commands.flags import Actor, Check, Faces, Json, Modes, Reason, Request, Token, TokenFile, Url, Yes


def grant(
    what: Annotated[str, Parameter(name="WHAT", help="boon=ID or bane=ID, by the id of its reason; boon=IDxN is N of them.")],
    /,
    *,
    url: Url,
    actor: Annotated[list[str], Parameter(negative="", help="Who gets it, by id; again for more.")],
    label: Annotated[str | None, Parameter(help="The reason in words; its id if left out.")] = None,
    against: Annotated[bool, Parameter(negative="", help="It counts on rolls against him, not on his own.")] = False,
    until: Annotated[
        Literal["none", "next_roll", "next_roll_against", "turn_start", "turn_end", "round_end", "combat_end", "session_end"],
        Parameter(help="When it ends; by itself never, if left out."),
    ] = "none",
    turn_of: Annotated[str | None, Parameter(help="Whose turn, for turn_start and turn_end: the id of an actor.")] = None,
    hidden: Annotated[
        bool, Parameter(negative="", help="Only GMs know of it, and it counts on rolls that nobody else reads.")
    ] = False,
    note: Annotated[str | None, Parameter(help="More words.")] = None,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Give actors a Boon or a Bane that stands, as a GM. `boonbridge void grant/7.1` takes it back."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(
        giving.grant(
            address,
            secret,
            what,
            actors=actor,
            label=label,
            against=against,
            until=until,
            turn_of=turn_of,
            hidden=hidden,
            note=note,
            as_json=as_json,
        )
    )


def reveal_grant(
    grant_id: Annotated[str, Parameter(name="GRANT", help="As `boonbridge tail` shows it: 7.1 is the first of commit 7.")],
    /,
    *,
    url: Url,
    yes: Yes = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Show everybody a Boon or Bane that only GMs know of, as a GM; from then on it counts like any other."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(giving.reveal(address, secret, grant_id, yes=yes, as_json=as_json))


def ask(
    *words: Annotated[
        str,
        Parameter(
            name="CHECK",
            help="The key of a check and its parameters as KEY=VALUE; `or` and another check may follow. boon=ID[xN] and "
            "bane=ID[xN] are reasons for every roll, label=TEXT is what the check is called here.",
        ),
    ],
    url: Url,
    actor: Annotated[
        list[str] | None, Parameter(negative="", help="Whom to ask, by id; again for more. The party by default.")
    ] = None,
    group: Annotated[str, Parameter(help="How the rolls belong together, as the game has it.")] = "each",
    difficulty: Annotated[int | None, Parameter(help="What the group has to reach, where it has a number of its own.")] = None,
    hidden: Annotated[bool, Parameter(negative="", help="Players may not know the difficulties.")] = False,
    mode: Annotated[Modes, Parameter(help="Who sees the rolls; a roller may hide his more, never less.")] = "public",
    target: Annotated[str | None, Parameter(help="Whom it is rolled against, by id.")] = None,
    minutes: Annotated[int | None, Parameter(help="Until it expires; otherwise until everybody has answered.")] = None,
    action: Annotated[str | None, Parameter(help="What is attempted, in words.")] = None,
    note: Annotated[str | None, Parameter(help="More words for those who are asked.")] = None,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Ask several actors for a check, as a GM; each answers when he likes."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(
        requesting.ask(
            address,
            secret,
            words,
            actors=actor,
            group=group,
            difficulty=difficulty,
            hidden=hidden,
            mode=mode,
            target=target,
            minutes=minutes,
            action=action,
            note=note,
            as_json=as_json,
        )
    )


def answer(
    request: Request,
    /,
    *pairs: Annotated[
        str,
        Parameter(
            name="KEY=VALUE",
            help="A parameter that the request left open, spendBefore=N, or opportunity=ID for one that is used.",
        ),
    ],
    url: Url,
    actor: Actor,
    nth: Annotated[int, Parameter(help="Which of its checks, from 1.", validator=Number(gte=1, lte=8))] = 1,
    mode: Annotated[Modes, Parameter(help="Who sees the roll; never more openly than was asked.")] = "public",
    changed: Annotated[str | None, Parameter(help="What is different since the same action failed, where the game asks.")] = None,
    faces: Faces = None,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Roll what a request asks of an actor."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(
        requesting.answer(
            address, secret, request, pairs, actor=actor, nth=nth, mode=mode, changed=changed, faces=faces, as_json=as_json
        )
    )


def decline(
    request: Request, /, *, url: Url, actor: Actor, token: Token = None, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Say that an actor does not roll for a request."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(requesting.decline(address, secret, request, actor=actor, as_json=as_json))


def roll_for_absent(
    request: Request,
    /,
    *pairs: Annotated[str, Parameter(name="KEY=VALUE", help="A parameter that the request left open.")],
    url: Url,
    actor: Annotated[
        list[str] | None,
        Parameter(negative="", help="For whom, by id; again for more. Everybody who has not answered by default."),
    ] = None,
    nth: Annotated[int, Parameter(help="Which of its checks, from 1.", validator=Number(gte=1, lte=8))] = 1,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Roll for those who have not answered a request, as a GM; every such roll says so."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(requesting.roll_for_absent(address, secret, request, pairs, actors=actor, nth=nth, as_json=as_json))


def close_request(
    request: Request, /, *, url: Url, yes: Yes = False, token: Token = None, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """End a request for those who have not answered, as a GM."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(requesting.close_request(address, secret, request, yes=yes, as_json=as_json))


def start_session(
    *,
    url: Url,
    name: Annotated[str | None, Parameter(help="What the evening is called.")] = None,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Begin an evening, as a GM; the group begins it with no Boons."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(evenings.start(address, secret, name, as_json=as_json))


def end_session(
    *,
    url: Url,
    actor: Annotated[
        list[str] | None, Parameter(negative="", help="Who gets the experience, by id; again for more. The party by default.")
    ] = None,
    yes: Yes = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """End the evening, as a GM: requests close, choices take their defaults, experience is given."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(evenings.end(address, secret, actor, yes=yes, as_json=as_json))


def continue_session(*, url: Url, token: Token = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Say that it is still the same evening, as a GM, where the table asks."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(evenings.go_on(address, secret, as_json=as_json))


def void(
    what: Annotated[
        str, Parameter(name="WHAT", help="As `boonbridge tail` shows it: 8.1 for a roll, or grant/7.1, condition/9.1, verb/12.")
    ],
    /,
    *,
    url: Url,
    reason: Reason = None,
    yes: Yes = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Take a roll with its choices back, or something given, a condition, a move. It stays in the log, struck through."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(correcting.void(address, secret, what, reason, yes=yes, as_json=as_json))


def override(
    check: Check,
    outcome: Annotated[str, Parameter(name="OUTCOME", help="What it comes to: the key of an outcome of the game, as success.")],
    /,
    *,
    url: Url,
    reason: Reason = None,
    yes: Yes = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Decide otherwise what a roll came to. Its dice, and what was paid for them, stay."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(correcting.override(address, secret, check, outcome, reason, yes=yes, as_json=as_json))


def reveal(
    check: Check, /, *, url: Url, yes: Yes = False, token: Token = None, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Show everybody a roll that not everybody saw; what it does to the table happens now."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(correcting.reveal(address, secret, check, yes=yes, as_json=as_json))


def settle(
    check: Check, /, *, url: Url, yes: Yes = False, token: Token = None, token_file: TokenFile = None, as_json: Json = False
) -> None:
    """Let a hidden roll do to the table what it does, without showing it."""
    secret, address = asking.read_token(token, token_file), asking.websocket_url(url)
    asking.run(correcting.settle(address, secret, check, yes=yes, as_json=as_json))


COMMANDS: tuple[Callable[..., None], ...] = (
    grant,
    reveal_grant,
    ask,
    answer,
    decline,
    roll_for_absent,
    close_request,
    start_session,
    end_session,
    continue_session,
    void,
    override,
    reveal,
    settle,
)
"""In the order in which the help lists them."""
