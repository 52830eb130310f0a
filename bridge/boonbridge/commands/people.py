"""``boonbridge people``: who may take part, with which devices; roles, codes, access taken back, names forgotten.

As a GM over ``--url``, or as the operator over the data folder of a running server.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Literal, TypeVar

import msgspec
from cyclopts import App, Parameter
from cyclopts.validators import Number

from boonbridge.commands import asking, confirming, scanning
from boonbridge.commands.agreeing import agreed
from boonbridge.commands.asking_people import Place, accepted, door
from boonbridge.commands.failing import fail
from boonbridge.commands.flags import Json, Yes
from boonbridge.commands.plain import day_and_time as _time
from boonbridge.commands.plain import word
from boonbridge_schemas.client import DropCode, MakeCode
from boonbridge_schemas.commands import EraseName, RemoveOrigin, RevokeAccess, SetRole
from boonbridge_schemas.server import Ack, CodeMade, CodeOpen, Device, PersonDevices

Who = Annotated[str, Parameter(name="USER", help="The id of a person, or his name where only he is called so.")]
Roles = Literal["gm", "player", "observer"]
Qr = Annotated[bool | None, Parameter(help="Show the link as a QR code; on a terminal it is shown by default.")]

_HERE = Place()
T = TypeVar("T")

app = App(
    name="people",
    help="List the people of a table, invite somebody, change a role, take access back, forget a name. "
    "As a GM with --url, or as the operator beside a running server.",
)


@app.default
def people_list(
    *,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """List everybody with his role, his devices, and when they were last here."""

    async def work() -> int:
        async with door(place) as people:
            everybody = (await people.roster()).people
        return _listed(everybody, _person, "Nobody has come to this table yet.", as_json=as_json)

    asking.run(work())


@app.command(name="invite")
def people_invite(
    *,
    name: Annotated[str | None, Parameter(help="What somebody new is called.")] = None,
    user: Annotated[str | None, Parameter(help="Somebody who is known, by his id or name, for another device.")] = None,
    role: Annotated[Roles, Parameter(help="What somebody new may do; who is known stays what he is.")] = "player",
    hours: Annotated[int, Parameter(help="How long a link is good.", validator=Number(gte=1, lte=168))] = 24,
    typed: Annotated[bool, Parameter(negative="", help="A short code to be typed instead, good for ten minutes.")] = False,
    page: Annotated[str | None, Parameter(help="The address of the table page, as the other person reaches it.")] = None,
    qr: Qr = None,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """Print a link that lets one person in, once: somebody new (--name), or a second device of somebody (--user)."""
    if (name is None) is (user is None):
        fail("Say --name for somebody new, or --user for another device of somebody who is known.")

    async def work() -> int:
        async with door(place) as people:
            whose = (await people.person(user)).id if user is not None else None
            address = page or people.page

            kind = "typed" if typed else "link"
            fields = {"kind": kind, "user": whose, "name": name, "role": role, "hours": hours, "page": address}

            def frame(id_: str) -> MakeCode:
                return msgspec.convert({"id": id_, **fields}, MakeCode)

            try:
                frame("0" * 22)
            except msgspec.ValidationError as problem:
                fail(confirming.unfit(str(problem), fields))
            made = accepted(await people.frame(frame))
        assert isinstance(made, CodeMade), made
        if as_json:
            asking.show(made)
            return 0
        _show_code(made, typed=typed, qr=qr)
        return 0

    asking.run(work())


@app.command(name="role")
def people_role(
    user: Who,
    role: Annotated[Roles, Parameter(name="ROLE", help="gm, player or observer.")],
    /,
    *,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """Change what a person may do, at once, on open connections too."""

    async def work() -> int:
        async with door(place) as people:
            person = await people.person(user)
            answer = accepted(await people.do(SetRole(user=person.id, role=role)))
        return _done(answer, f"{_called(person)} is {role} now.", as_json=as_json)

    asking.run(work())


@app.command(name="revoke")
def people_revoke(
    user: Who,
    /,
    *,
    device: Annotated[str | None, Parameter(help="One of his devices, by its id; all of them if left out.")] = None,
    yes: Yes = False,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """Take a person's access back, or that of one device: at once, on open connections too. His codes open nothing any more."""

    async def work() -> int:
        async with door(place) as people:
            person = await people.person(user)
            if device is not None and all(one.id != device for one in person.devices):
                fail(f"{_called(person)} has no device {device!r}. `boonbridge people` lists them.")
            what = "Every device" if device is None else f"The device {device}"
            _ask(f"{what} of {_called(person)} is turned away.", yes=yes, as_json=as_json)
            answer = accepted(await people.do(RevokeAccess(user=person.id, device=device)))
        return _done(answer, f"{what} of {_called(person)} is turned away from now on.", as_json=as_json)

    asking.run(work())


@app.command(name="erase")
def people_erase(
    user: Who,
    /,
    *,
    yes: Yes = False,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """Forget what a person is called, and his devices. The log never had his name; his id stays in it.

    He may still take part; `people revoke` ends that. Backups made before keep the name.
    """

    async def work() -> int:
        async with door(place) as people:
            person = await people.person(user)
            _ask(
                f"The name and the devices of {_called(person)} are forgotten. Only backups made before now keep them, "
                "also those that the bridge makes each day.",
                yes=yes,
                as_json=as_json,
            )
            answer = accepted(await people.do(EraseName(user=person.id)))
        return _done(answer, f"{person.id} has no name any more.", as_json=as_json)

    asking.run(work())


@app.command(name="codes")
def people_codes(
    *,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """List the codes that nobody used yet, without the codes themselves."""

    async def work() -> int:
        async with door(place) as people:
            codes = (await people.roster()).codes
        return _listed(codes, _open, "No code is open.", as_json=as_json)

    asking.run(work())


@app.command(name="drop")
def people_drop(
    code: Annotated[str, Parameter(name="CODE", help="The id of a code, as `boonbridge people codes` lists it.")],
    /,
    *,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """Take a code back that nobody used yet."""

    def frame(id_: str) -> DropCode:
        return msgspec.convert({"id": id_, "code": code}, DropCode)

    try:
        frame("0" * 22)
    except msgspec.ValidationError:
        fail(f"{code!r} is no id of a code; `boonbridge people codes` lists them.")

    async def work() -> int:
        async with door(place) as people:
            answer = accepted(await people.frame(frame))
        return _done(answer, "The code opens nothing any more.", as_json=as_json)

    asking.run(work())


@app.command(name="origins")
def people_origins(
    *,
    remove: Annotated[str | None, Parameter(help="Take one off the list: scheme://host:port.")] = None,
    place: Place = _HERE,
    as_json: Json = False,
) -> None:
    """List the origins of pages that may connect besides the bridge's own, or take one off the list."""

    async def work() -> int:
        async with door(place) as people:
            if remove is not None:
                command = confirming.made(RemoveOrigin, lambda: {"origin": remove})
                answer = accepted(await people.do(command))
                return _done(answer, f"Pages of {remove} may not connect any more.", as_json=as_json)
            origins = (await people.roster()).origins
        rows = [{"origin": origin} for origin in origins]
        return _listed(rows, lambda row: row["origin"], "Only the bridge's own pages may connect.", as_json=as_json)

    asking.run(work())


# --- in words --------------------------------------------------------------------------------------------------
def _called(person: PersonDevices) -> str:
    return f"{word(person.name)} ({person.id})" if person.named else person.id


def _person(person: PersonDevices) -> str:
    name = word(person.name) if person.named else "(no name)"
    line = f"{name:<24} {person.role:<9} {person.id}{'  access taken back' if person.gone else ''}"
    return "\n  ".join((line, *map(_device, person.devices)))


def _device(device: Device) -> str:
    when = "here now" if device.online else f"last here {_time(device.seen)}"
    gone = "  access taken back" if device.gone else ""
    return f"{device.id:<22} {device.kind:<8} {word(device.client)} {word(device.version)}  {device.address}  {when}{gone}"


def _open(code: CodeOpen) -> str:
    whose = word(code.name) or code.user or "whoever types it"
    return f"{code.id}  {code.kind:<6} {code.role:<9} for {whose}, until {_time(code.expires_at)}"


def _show_code(made: CodeMade, *, typed: bool, qr: bool | None) -> None:
    link = made.link
    if typed or link is None:
        sys.stdout.write(f"Code {made.code}  (good once, until {_time(made.expires_at)})\n")
    if link is None:
        return
    sys.stdout.write(f"{link}\n")
    if scanning.only_here(link):
        sys.stderr.write(
            "boonbridge: This address reaches this machine alone. --page says how the other person reaches the page.\n"
        )
    if scanning.wanted(link, qr):
        sys.stdout.write(scanning.picture(made.qr))
    if not typed:
        sys.stdout.write(
            f"Good once, until {_time(made.expires_at)}. Whoever opens it first is let in: send it to that person alone.\n"
        )


def _ask(sentence: str, *, yes: bool, as_json: bool) -> None:
    if not yes:
        (sys.stderr if as_json else sys.stdout).write(f"{sentence}\n")
        sys.stdout.flush()
        if not agreed():
            fail("Nothing was done.")


def _listed(rows: Sequence[T], line: Callable[[T], str], nothing: str, *, as_json: bool) -> int:
    for row in rows:
        asking.show(row) if as_json else sys.stdout.write(f"{line(row)}\n")
    if not rows and not as_json:
        sys.stdout.write(f"{nothing}\n")
    return 0


def _done(answer: object, sentence: str, *, as_json: bool) -> int:
    if as_json:
        asking.show(answer)
    elif isinstance(answer, Ack) and not answer.changed:
        sys.stdout.write("That is so already; nothing was done.\n")
    else:
        sys.stdout.write(f"{sentence}\n")
    return 0
