"""The command line. Every command is one function here that reads its flags and calls its file in ``commands``."""

import errno
import os
import sys
import traceback
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter
from cyclopts.validators import Number

from boonbridge import __version__
from boonbridge.commands import asking, logs, people, playing, rolling, rules, serving, tables
from boonbridge.commands.failing import fail
from boonbridge.commands.flags import AtLeastOne, Data, Faces, Game, Json, Modes, ReadyJson, Token, TokenFile, Url, Which
from boonbridge.tables.ports import StoreUnavailable
from boonbridge_schemas.refusal import Refusal

app = App(
    name="boonbridge",
    help=(
        "An authoritative dice bridge for Foundry VTT: a server decides every roll, writes it down, and then tells everybody.\n\n"
        "Begin with `boonbridge serve`: it needs no flags, and says what to do next."
    ),
    help_epilogue="Exit codes: 0 done · 1 refused or not possible, and a sentence says why · 2 the command line does not fit.",
    version=__version__,
)
table = App(name="table", help="Make, list, rename and delete tables. A table is one campaign with a log of its own.")
app.command(table)
app.command(people.app)
app.command(rules.app)


@app.command(sort_key=1)
def serve(
    *,
    data: Annotated[Path | None, Parameter(help="The data folder; the platform's own by default. Made if there is none.")] = None,
    host: Annotated[str | None, Parameter(help="Where to listen; 127.0.0.1 by default. 0.0.0.0 lets your network in.")] = None,
    port: Annotated[int | None, Parameter(help="The port; 30300 by default, 0 takes a free one.")] = None,
    ruleset: Annotated[
        str | None,
        Parameter(
            help="The game of the first table: sage_d20 (the default), rank_ability, public_d20, group_d12, "
            "or the path of a game's file (./game.py)."
        ),
    ] = None,
    public_url: Annotated[str | None, Parameter(help="How players reach the server from outside, if through a proxy.")] = None,
    base_path: Annotated[
        str | None,
        Parameter(
            help="The path that everything lies below, as a proxy passes it on: /boonbridge. Also taken from --public-url."
        ),
    ] = None,
    trust_proxy: Annotated[
        str | None,
        Parameter(help="Proxies that are believed about who their clients are: addresses or networks, loopback, private."),
    ] = None,
    tls_cert: Annotated[Path | None, Parameter(help="A certificate with its chain (PEM), to speak TLS without a proxy.")] = None,
    tls_key: Annotated[
        Path | None, Parameter(help="Its private key (PEM). Both are read anew when they change, and at SIGHUP.")
    ] = None,
    secret_file: Annotated[Path | None, Parameter(help="The node secret, if it does not lie in the data folder.")] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None, Parameter(help="How much is logged; info by default.")
    ] = None,
    open_metrics: Annotated[bool | None, Parameter(help="Show /metrics to other machines than this one.")] = None,
    ready_json: ReadyJson = None,
) -> None:
    """Run the server, until Ctrl-C or SIGTERM.

    Each setting may also be a variable (`BOONBRIDGE_PORT`) or a line of `boonbridge.toml` in the data folder (`port = 30300`).
    A flag wins over a variable, a variable over the file.
    """
    flags = {
        "data": data,
        "host": host,
        "port": port,
        "ruleset": ruleset,
        "public_url": public_url,
        "base_path": base_path,
        "trust_proxy": trust_proxy,
        "tls_cert": tls_cert,
        "tls_key": tls_key,
        "secret_file": secret_file,
        "log_level": log_level,
        "open_metrics": open_metrics,
    }
    serving.serve(flags, ready_json)


@app.command(sort_key=2)
def pair(*, table: Which = None, data: Data = None, qr: people.Qr = None) -> None:
    """Print a pairing code, which makes a browser the GM of a table. The server must be running.

    For players, or for a second device of somebody: `boonbridge people invite`.
    """
    tables.pair(data, table, qr=qr)


@table.command(name="new")
def table_new(
    name: Annotated[str, Parameter(help="Small letters, digits and hyphens.")],
    /,
    *,
    ruleset: Annotated[str, Parameter(help="Its game: an id, or the path of a game's file.")] = "sage_d20",
    title: Annotated[str | None, Parameter(help="What people read; the name by default.")] = None,
    data: Data = None,
) -> None:
    """Make a table, also while the server runs. It keeps its game for good."""
    tables.new_table(data, name, ruleset, title)


@table.command(name="list")
def table_list(*, data: Data = None, as_json: Json = False) -> None:
    """List the tables: their games, how many commits each has, when it was last used, and what it is called."""
    tables.show_tables(data, as_json=as_json)


@table.command(name="rename")
def table_rename(
    name: Annotated[str, Parameter(name="TABLE", help="The table, as `boonbridge tables` lists it.")],
    title: Annotated[str, Parameter(name="TITLE", help="What people read from now on.")],
    /,
    *,
    ruleset: Game = None,
    data: Data = None,
) -> None:
    """Call a table something else, also while people are at it. Its id stays, in links and tokens too."""
    from boonbridge.commands.caring import rename

    rename(data, name, title, ruleset)


@table.command(name="delete")
def table_delete(
    name: Annotated[str, Parameter(name="TABLE", help="The table, as `boonbridge tables` lists it.")],
    /,
    *,
    yes: Annotated[
        bool, Parameter(name=("--yes", "-y"), negative="", help="Do it without asking, and also while somebody is there.")
    ] = False,
    data: Data = None,
) -> None:
    """Delete a table for good: its log, its keys, the names of its people. Says what goes, and has its name typed.

    Backups that were made before hold it, and are named.
    """
    from boonbridge.commands.caring import delete

    delete(data, name, yes=yes)


app.command(table_list, name="tables", sort_key=38)
app.command(table_rename, name="rename", sort_key=38)
app.command(table_delete, name="delete", sort_key=38)


@app.command(sort_key=3)
def token(
    *,
    user: Annotated[str, Parameter(help="The person's name; the same name is the same person.")],
    role: Annotated[Literal["gm", "player", "observer"], Parameter(help="What the person may do.")] = "player",
    table: Which = None,
    data: Data = None,
) -> None:
    """Print a token for a person, good for 30 days. Needs no running server, and writes nothing.

    The commands below take it as `BOONBRIDGE_TOKEN`. For a browser, `boonbridge people invite` prints a link.
    """
    tables.token(data, table, user, role)


@app.command(sort_key=4)
def module(
    *,
    out: Annotated[Path, Parameter(help="The zip file to write.")],
    public_url: Annotated[str | None, Parameter(help="Where the server is reached; Foundry looks for updates there.")] = None,
    data: Data = None,
) -> None:
    """Write the Foundry module as a zip, to be unpacked as `Data/modules/boonbridge`. Needs no running server.

    Easier, where Foundry's server reaches this one: paste the address of `/module.json` where Foundry installs modules.
    """
    from boonbridge.commands.module import write_module

    write_module(out, {"public_url": public_url, "data": data})


@app.command(sort_key=5)
def roll(
    *pairs: Annotated[
        str,
        Parameter(
            name="KEY=VALUE",
            help="A parameter of the check, or boon=ID[xN], bane=ID[xN], target=ACTOR, mode=MODE, action=TEXT, spendBefore=N, "
            "opportunity=ID.",
        ),
    ],
    url: Url,
    actor: Annotated[str, Parameter(help="Who rolls: the id of an actor.")],
    check: Annotated[str, Parameter(help="What is rolled: the key of a check of the table's game.")],
    changed: Annotated[str | None, Parameter(help="What is different since the same action failed, where the game asks.")] = None,
    faces: Faces = None,
    count: Annotated[int, Parameter(help="How many rolls in all.", validator=AtLeastOne)] = 1,
    clients: Annotated[int, Parameter(help="Over how many connections at once.", validator=AtLeastOne)] = 1,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Roll a check of an actor, once or many times. Without `mode=` everybody sees it, or as the option `npc_rolls` has it.

    Which checks a game has and what they take stands in docs/reference/rulesets.md.
    """
    secret = asking.read_token(token, token_file)
    address = asking.websocket_url(url)
    asking.run(
        rolling.roll(
            address, secret, actor, check, pairs, changed=changed, faces=faces, count=count, clients=clients, as_json=as_json
        )
    )


@app.command(sort_key=6)
def dice(
    formula: Annotated[str, Parameter(help="Like 2d6+3, 4d6kh3 or 1d20-1d4; with spaces in quotes.")],
    /,
    *,
    url: Url,
    actor: Annotated[str | None, Parameter(help="Who rolls: the id of an actor. The dice are yours if left out.")] = None,
    label: Annotated[str | None, Parameter(help="What they are for, in words.")] = None,
    damage: Annotated[bool, Parameter(negative="", help="They are damage.")] = False,
    mode: Annotated[
        Modes | None, Parameter(help="Who sees them; left out, everybody, or as the table's option npc_rolls has it.")
    ] = None,
    faces: Faces = None,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Roll other dice than those of a check: damage, an amount, a chance. Boons and Banes do not touch them."""
    secret = asking.read_token(token, token_file)
    address = asking.websocket_url(url)
    asking.run(
        rolling.dice(address, secret, formula, actor=actor, label=label, damage=damage, mode=mode, faces=faces, as_json=as_json)
    )


for _place, _command in enumerate(playing.COMMANDS, start=7):
    app.command(_command, sort_key=_place)


@app.command(sort_key=30)
def tail(
    *,
    url: Url,
    once: Annotated[bool, Parameter(negative="", help="Print what there is, and end.")] = False,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Follow a table's log: everything there is, then `caughtUp`, then what comes."""
    asking.run(asking.tail(asking.websocket_url(url), asking.read_token(token, token_file), once=once, as_json=as_json))


@app.command(sort_key=31)
def do(
    command: Annotated[str, Parameter(help="The command as JSON, as schemas/README.md lists them.")],
    /,
    *,
    url: Url,
    token: Token = None,
    token_file: TokenFile = None,
    command_id: Annotated[str | None, Parameter(name="--id", help="The command id; the same again gets the same answer.")] = None,
) -> None:
    """Send one command; print its answer and then the commit it made, as JSON lines."""
    asking.run(asking.do(asking.websocket_url(url), asking.read_token(token, token_file), command, command_id))


@app.command(sort_key=32)
def proof(
    seq: Annotated[int, Parameter(help="The number of the commit, as `boonbridge tail` shows it.")],
    /,
    *,
    url: Url,
    token: Token = None,
    token_file: TokenFile = None,
) -> None:
    """Print what lets anybody check the dice of a commit with docs/verify.py."""
    asking.run(asking.proof(asking.websocket_url(url), asking.read_token(token, token_file), seq))


for _command, _name, _place in logs.COMMANDS:
    app.command(_command, name=_name, sort_key=_place)


@app.command(sort_key=33)
def odds(
    ruleset: Annotated[str, Parameter(help="A game: an id, or the path of a game's file.")],
    check: Annotated[str, Parameter(help="The key of one of its checks.")],
    /,
    *pairs: Annotated[
        str,
        Parameter(
            name="KEY=VALUE",
            help="A parameter of the check, or boon=ID[xN], bane=ID[xN], number.KEY=N and target.KEY=N for numbers of either "
            "side, attack.FIELD=…, option.NAME=… for a reading of the rules.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """Print the exact chances of a check. Nothing is rolled, and no server is needed."""
    from boonbridge.commands.odds import odds as show_odds

    show_odds(ruleset, check, pairs, as_json=as_json)


@app.command(name="try", sort_key=34)
def try_(
    ruleset: Annotated[str, Parameter(help="A game: an id, or the path of a game's file.")],
    check: Annotated[str, Parameter(help="The key of one of its checks.")],
    /,
    *pairs: Annotated[
        str,
        Parameter(
            name="KEY=VALUE",
            help="As of `boonbridge odds`: a parameter of the check, boon=ID[xN], bane=ID[xN], number.KEY=N, target.KEY=N, "
            "attack.FIELD=…, option.NAME=…; also condition.KEY=N, target.condition.KEY=N, and spendBefore=N.",
        ),
    ],
    faces: Annotated[
        str, Parameter(help="The faces in the order in which the dice are rolled, as in 12,1; those of bought dice last.")
    ],
    choose: Annotated[
        list[str] | None, Parameter(negative="", help="What is chosen after the roll, as `spend`; may be given again for more.")
    ] = None,
    held: Annotated[int, Parameter(validator=Number(gte=0, lte=100), help="How many Boons the group holds before.")] = 0,
    side: Annotated[Literal["party", "opposition", "neutral"], Parameter(help="Which side the roll is of.")] = "party",
    boon: Annotated[list[str] | None, Parameter(negative="", help="The same as boon=ID[xN].")] = None,
    bane: Annotated[list[str] | None, Parameter(negative="", help="The same as bane=ID[xN].")] = None,
    option: Annotated[list[str] | None, Parameter(negative="", help="The same as option.NAME=VALUE, without the dot.")] = None,
    as_json: Json = False,
) -> None:
    """Show what these faces would give: dice, total, verdict, what follows, and what could be chosen then.

    Nothing is written, and no server is needed. The check is decided as a table decides it.
    """
    from boonbridge.commands.trying import show as show_tried

    words = [
        *pairs,
        *(f"boon={word}" for word in boon or ()),
        *(f"bane={word}" for word in bane or ()),
        *(f"option.{word}" for word in option or ()),
    ]
    show_tried(ruleset, check, words, by_hand=faces, choose=choose or (), held=held, side=side, as_json=as_json)


@app.command(sort_key=35)
def conformance(*files: Annotated[Path, Parameter(name="FILE", help="Worked examples or exact odds, as JSON.")]) -> None:
    """Play files of worked examples and exact odds, and say which of them the engine does not meet."""
    from boonbridge.commands.conformance import conformance as play

    play(files)


@app.command(sort_key=36)
def demo(
    *,
    data: Annotated[Path, Parameter(help="The demo's own folder; kept between runs.")] = Path(".demo"),
    ruleset: Annotated[str | None, Parameter(help="The game; DEMO, or sage_d20, by default.")] = None,
    reset: Annotated[bool, Parameter(negative="", help="Empty the demo's folder first, as RESET=1 does.")] = False,
    port: Annotated[int | None, Parameter(help="The port; 30300 by default, 0 takes a free one.")] = None,
    ready_json: ReadyJson = None,
) -> None:
    """Serve a table that is already set, and print a link for the GM and one for a player."""
    from boonbridge.commands.demo import demo as run_demo

    game = ruleset or os.environ.get("DEMO") or "sage_d20"
    anew = reset or os.environ.get("RESET", "") not in ("", "0", "no", "false")
    run_demo(data=data, ruleset=game, reset=anew, port=port, ready_json=ready_json)


@app.command(sort_key=37)
def bench(
    *names: Annotated[str, Parameter(name="NAME", help="A benchmark: roll, tables, full, replay, open, resume. All by default.")],
    rounds: Annotated[int, Parameter(validator=Number(gte=1), help="How often both sides take turns.")] = 5,
    json: Annotated[Path | None, Parameter(name="--json", help="A file for the figures.")] = None,
) -> None:
    """Measure this build in ratios against bare floors, in turns on this machine. Takes minutes."""
    from boonbridge.commands.bench import bench as run_bench

    run_bench(names, rounds=rounds, json=json)


def main() -> None:
    """The entry point. Whatever goes wrong is one sentence."""
    try:
        app(exit_on_error=True)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:  # whoever read has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except StoreUnavailable as down:  # a disk that is full or damaged, whatever was wanted of it
        fail(str(down))
    except Refusal as refusal:
        fail(refusal.message)
    except Exception as bug:  # noqa: BLE001 - the last one who can say it in words
        if os.environ.get("BOONBRIDGE_LOG_LEVEL") == "debug":
            traceback.print_exc()
        if isinstance(bug, OSError) and bug.errno in (errno.ENOSPC, errno.EDQUOT):  # where what is said is written to a file
            fail(f"{bug.filename or 'Standard output'} cannot be written: {bug.strerror}.")
        why = f"{type(bug).__name__}: {bug}" if str(bug) else type(bug).__name__
        fail(f"This is a fault of Boonbridge ({why}). BOONBRIDGE_LOG_LEVEL=debug shows where; please report it.")
