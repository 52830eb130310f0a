"""The command line of logs: reading, checking, copying and putting back. Every command is one function that reads its flags.

What a command needs is loaded when it is called.
"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from boonbridge.commands.flags import Data, Game, Json, Which, Yes


def replay(
    *,
    table: Which = None,
    as_: Annotated[
        str,
        Parameter(
            name="--as",
            help="Whose eyes: player (anybody at the table), observer, gm, or one person, by id or name, with his own rolls.",
        ),
    ] = "player",
    from_: Annotated[int | None, Parameter(name="--from", help="The first commit to print.", validator=Number(gte=1))] = None,
    at: Annotated[
        int | None, Parameter(help="Instead of the log, how the table stood after that commit.", validator=Number(gte=0))
    ] = None,
    ruleset: Game = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Print a table's log from its first commit on, read from the folder, also while the server runs.

    Lines are those of `boonbridge tail`. Nothing is rolled, written or told to anybody.
    """
    from boonbridge.commands.replaying import replay as show_past

    show_past(data, table, as_, first=from_, at=at, ruleset=ruleset, as_json=as_json)


def verify(
    file: Annotated[Path | None, Parameter(help="An export, as `boonbridge export` wrote it.")] = None,
    /,
    *,
    data: Data = None,
    table: Annotated[str | None, Parameter(help="Only this table of the data folder.")] = None,
    ruleset: Game = None,
) -> None:
    """Check logs: that nothing was changed, every seed promised, every die of its seed, every event what the rules make of it.

    Without FILE the tables of the data folder are checked, also while the server runs. With --data, FILE is also checked for the
    mark that only the bridge of its table can make. Says what could not be checked; exits with 1 where something does not hold.
    """
    from boonbridge.commands.verify import verify as check

    check(file, data, table, ruleset=ruleset)


def fairness(
    *,
    dice: Annotated[int, Parameter(validator=Number(gte=10, lte=10**10), help="How many of each size.")] = 10_000_000,
    sizes: Annotated[str, Parameter(help="Numbers of sides with commas between them.")] = "4,6,8,10,12,20,100",
) -> None:
    """Draw very many dice as a table does, and say how they look: chi-square, and whether one die tells of the next.

    Takes minutes, on all cores. Needs no server and writes nothing. What it says of: the way from a seed to faces. What dice of
    yours were is what `boonbridge verify` and docs/verify.py say.
    """
    from boonbridge.commands.fairness import fairness as look

    look(dice, sizes)


def backup(
    *,
    out: Annotated[
        Path | None, Parameter(help="The file to write, or a folder for it; by default one of that time in DATA/backups.")
    ] = None,
    secret_file: Annotated[Path | None, Parameter(help="The node secret, if it does not lie in the data folder.")] = None,
    data: Data = None,
) -> None:
    """Write everything the data folder holds to one file, also while the server runs. It was checked when it has its name.

    `boonbridge serve` makes one a day by itself, in DATA/backups, and keeps seven.
    """
    from boonbridge.commands.backup import backup as make_backup

    make_backup({"data": data, "secret_file": secret_file}, out)


def restore(
    file: Annotated[Path, Parameter(name="FILE", help="A backup.")],
    /,
    *,
    yes: Yes = False,
    secret_file: Annotated[Path | None, Parameter(help="The node secret, where the backup was made without it.")] = None,
    data: Data = None,
) -> None:
    """Put a backup in the place of what the data folder holds. The server has to be stopped.

    Says first what goes and what comes back with it. What was there is moved aside and not deleted.
    """
    from boonbridge.commands.restore import restore as put_back

    put_back({"data": data, "secret_file": secret_file}, file, yes=yes)


def export(
    *,
    table: Which = None,
    as_: Annotated[
        str | None,
        Parameter(
            name="--as",
            help="Whose eyes it is for: player (the default), observer, gm, or one person, by id or name, with his own rolls.",
        ),
    ] = None,
    complete: Annotated[
        bool, Parameter(negative="", help="Everything there is, for the operator alone; only this can be imported.")
    ] = False,
    out: Annotated[
        Path | None,
        Parameter(allow_leading_hyphen=True, help="The file, TABLE-player.jsonl or the like by default; - is standard output."),
    ] = None,
    without_names: Annotated[bool, Parameter(negative="", help="Leave out what people are called; the log has ids.")] = False,
    force: Annotated[bool, Parameter(negative="", help="Write over a file that is there.")] = False,
    ruleset: Game = None,
    data: Data = None,
) -> None:
    """Write a table's log to a file, for reading and checking, also while the server runs.

    By default it holds what any player may see. Of everything else there are hashes, so that `boonbridge verify` can check it.
    """
    from boonbridge.commands.export import export as write_export

    write_export(data, table, as_, complete=complete, out=out, with_names=not without_names, force=force, ruleset=ruleset)


def import_(
    file: Annotated[Path, Parameter(name="FILE", help="What `boonbridge export --complete` wrote.")],
    /,
    *,
    table: Annotated[str, Parameter(help="The table that it becomes: small letters, digits and hyphens, not taken yet.")],
    title: Annotated[str | None, Parameter(help="What people read from now on; as it was by default.")] = None,
    ruleset: Game = None,
    data: Data = None,
) -> None:
    """Make a table of a complete export, also while the server runs: its log as it was, then a new epoch of seeds.

    The file is verified whole first; where anything in it does not hold, nothing is done.
    """
    from boonbridge.commands.importing import import_file

    import_file(file, data, table, title, ruleset=ruleset)


COMMANDS = (
    (replay, "replay", 30),
    (export, "export", 40),
    (import_, "import", 41),
    (verify, "verify", 39),
    (fairness, "fairness", 39),
    (backup, "backup", 39),
    (restore, "restore", 39),
)
"""Each with its name, and its place in the list."""
