"""Flags and words that several commands take, each with its help."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from cyclopts.validators import Number

Data = Annotated[Path | None, Parameter(help="The data folder; BOONBRIDGE_DATA, or the platform's own, by default.")]
Url = Annotated[str, Parameter(help="The server's address, as `boonbridge serve` prints it: ws://… or http://…")]
Token = Annotated[
    str | None,
    Parameter(env_var="BOONBRIDGE_TOKEN", help="The token. Better given as BOONBRIDGE_TOKEN: process lists show flags."),
]
TokenFile = Annotated[Path | None, Parameter(help="A file with the token in it.")]
Json = Annotated[bool, Parameter(name="--json", negative="", help="JSON, one record a line.")]
Which = Annotated[str | None, Parameter(help="The table; may be left out where there is only one.")]
Game = Annotated[str | None, Parameter(help="The path of the table's game, where it is a file (./game.py).")]
ReadyJson = Annotated[Path | None, Parameter(help="A file to write addresses to, as JSON, once the server listens.")]
Faces = Annotated[
    str | None, Parameter(help="Dice rolled by hand: their faces in order, as in 4,3. Only where the table takes them.")
]
Yes = Annotated[bool, Parameter(name=("--yes", "-y"), negative="", help="Do it without showing it first and asking.")]
Actor = Annotated[str, Parameter(help="The id of an actor.")]
Request = Annotated[str, Parameter(name="REQUEST", help="The number of the request, as `boonbridge tail` shows it.")]
Check = Annotated[str, Parameter(name="CHECK", help="The roll, as `boonbridge tail` shows it: 8.1 is the first of commit 8.")]
Reason = Annotated[str | None, Parameter(help="Why, in words; it stands in the log.")]
Modes = Literal["public", "gm", "blind", "secret", "self"]
AtLeastOne = Number(gte=1)
