"""The command line. Every command is one function here that reads its flags and calls its file in ``commands``."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

from boonbridge import __version__
from boonbridge.commands import asking, serving, tables

app = App(
    name="boonbridge",
    help="An authoritative dice bridge for Foundry VTT: dice decided and recorded on a server.",
    version=__version__,
)
table = App(name="table", help="Tables of a data folder.")
app.command(table)

Data = Annotated[Path | None, Parameter(env_var="BOONBRIDGE_DATA", help="The data folder; the platform's own by default.")]
Url = Annotated[str, Parameter(help="The server's address, as `serve` prints it.")]
Token = Annotated[str | None, Parameter(env_var="BOONBRIDGE_TOKEN", help="The token; better given as BOONBRIDGE_TOKEN.")]
TokenFile = Annotated[Path | None, Parameter(help="A file with the token in it.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="JSON, one record a line.")]


@app.command
def serve(
    *,
    data: Path | None = None,
    host: str | None = None,
    port: int | None = None,
    ruleset: str | None = None,
    public_url: str | None = None,
    secret_file: Path | None = None,
    log_level: Literal["debug", "info", "warning", "error"] | None = None,
    open_metrics: bool | None = None,
    ready_json: Path | None = None,
) -> None:
    """Run the server.

    Parameters
    ----------
    data
        The data folder; the platform's own by default.
    host
        The address to listen on; 127.0.0.1 by default. 0.0.0.0 lets your network in.
    port
        The port; 30300 by default, 0 takes a free one.
    ruleset
        The game of the first table (rank_ability, public_d20, sage_d20, group_d12), or the path of a game's file.
    public_url
        The address at which players reach the server from outside, where a proxy stands in front.
    secret_file
        Where the node secret is, if not in the data folder.
    log_level
        How much is logged.
    open_metrics
        Show /metrics to others than this machine.
    ready_json
        A file to write {"url","http","table","pairingCode"} to once the server listens.
    """
    flags = {
        "data": data,
        "host": host,
        "port": port,
        "ruleset": ruleset,
        "public_url": public_url,
        "secret_file": secret_file,
        "log_level": log_level,
        "open_metrics": open_metrics,
    }
    serving.serve(flags, ready_json)


@table.command(name="new")
def table_new(name: str, *, ruleset: str = "sage_d20", title: str | None = None, data: Data = None) -> None:
    """Make a table NAME for a game."""
    tables.new_table(data, name, ruleset, title)


@table.command(name="list")
def table_list(*, data: Data = None, as_json: Json = False) -> None:
    """List the tables."""
    tables.show_tables(data, as_json=as_json)


@app.command
def pair(*, table: str | None = None, data: Data = None) -> None:
    """Print a fresh pairing code for a GM's browser."""
    tables.pair(data, table)


@app.command
def token(
    *, user: str, role: Literal["gm", "player", "observer"] = "player", table: str | None = None, data: Data = None
) -> None:
    """Print a token for a person."""
    tables.token(data, table, user, role)


@app.command
def do(
    command: str,
    *,
    url: Url,
    token: Token = None,
    token_file: TokenFile = None,
    command_id: Annotated[str | None, Parameter(name="--id", help="The command id; the same again gets the same answer.")] = None,
) -> None:
    """Send one command (JSON) and print its answer and the commit."""
    asking.run(asking.do(asking.websocket_url(url), asking.read_token(token, token_file), command, command_id))


@app.command
def tail(*, url: Url, token: Token = None, token_file: TokenFile = None, as_json: Json = False) -> None:
    """Follow a table's log: everything there is, then what comes."""
    asking.run(asking.tail(asking.websocket_url(url), asking.read_token(token, token_file), as_json=as_json))


@app.command
def roll(
    *pairs: str,
    url: Url,
    actor: str,
    check: str,
    count: int = 1,
    clients: int = 1,
    token: Token = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Roll a check: key=value parameters, boon=ID[xN], bane=ID[xN], target=ID, mode=, action=.

    Parameters
    ----------
    count
        How many rolls in all.
    clients
        Over how many connections at once.
    """
    secret = asking.read_token(token, token_file)
    asking.run(asking.roll(asking.websocket_url(url), secret, actor, check, pairs, count=count, clients=clients, as_json=as_json))


@app.command
def proof(seq: int, *, url: Url, token: Token = None, token_file: TokenFile = None) -> None:
    """Print what lets anybody check the dice of commit SEQ."""
    asking.run(asking.proof(asking.websocket_url(url), asking.read_token(token, token_file), seq))


@app.command
def odds(ruleset: str, check: str, *pairs: str, as_json: Json = False) -> None:
    """Print the exact chances of a check: RULESET CHECK key=value, boon=ID[xN], number.KEY=, target.KEY=, option.NAME=."""
    from boonbridge.commands.odds import odds as show_odds

    show_odds(ruleset, check, pairs, as_json=as_json)


@app.command
def conformance(*files: Path) -> None:
    """Play files of worked examples and exact odds, and say which of them the engine does not meet."""
    from boonbridge.commands.conformance import conformance as play

    play(files)


@app.command
def demo(
    *,
    data: Path = Path(".demo"),
    ruleset: Annotated[str, Parameter(env_var="DEMO")] = "sage_d20",
    reset: Annotated[bool, Parameter(env_var="RESET", negative="")] = False,
    port: int | None = None,
    ready_json: Path | None = None,
) -> None:
    """Serve a table that is ready to play, and print a GM link and a player link."""
    from boonbridge.commands.demo import demo as run_demo

    run_demo(data=data, ruleset=ruleset, reset=reset, port=port, ready_json=ready_json)


def main() -> None:
    """The entry point."""
    app()
