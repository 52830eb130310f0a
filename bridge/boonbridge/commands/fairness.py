"""``boonbridge fairness``: many dice through the very functions that a table draws with, and what statistics say of them."""

import os
import secrets
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import reduce
from operator import add

from boonbridge.commands.failing import fail
from boonbridge.commands.progress import progress
from boonbridge.core.ladder import KEY_BYTES, Ladder
from boonbridge.dice.fairness import Finding, Tally, chi_square, drawn, serial_correlation, spread, tally
from boonbridge.dice.source import SeededDice
from boonbridge_schemas.server import Limits

SIZES = "4,6,8,10,12,20,100"
LARGEST = 1000
PER_FACE = 5
"""So often every face has to be expected at least, or chi-square says nothing."""

_PIECE = 100_000
_AT_ONCE = Limits().dice_per_check
_WITHIN = 4.8916
"""So many standard deviations a normal value is beyond once in a million."""


def fairness(dice: int, sizes: str) -> None:
    """Draw, count, and say for each size how it looks. Exits with 1 where one would not believe in fair dice any more."""
    chosen = _sizes(sizes)
    for sides in chosen:
        if dice < sides * PER_FACE:
            fail(f"{dice:,} dice are too few to tell anything of a d{sides}: at least {sides * PER_FACE:,}.")
    print(
        f"{dice:,} dice of each size, drawn as a table draws them: from seeds of a ladder with a key of its own, and random ids."
    )
    with ProcessPoolExecutor(os.cpu_count() or 1, initializer=_quiet) as cores:
        suspicious = [sides for sides in chosen if not _look(sides, reduce(add, _tallies(cores, sides, dice)))]
    if suspicious:
        fail(
            f"Fair dice look like that less than once in a million times: d{', d'.join(map(str, suspicious))}. "
            "Try again; where it comes again, please report it."
        )
    print("Nothing speaks against fair dice.")


def _sizes(text: str) -> list[int]:
    try:
        sizes = [int(word) for word in text.split(",")]
    except ValueError:
        fail(f"--sizes takes numbers of sides with commas between them, as in {SIZES}.")
    wrong = [sides for sides in sizes if not 2 <= sides <= LARGEST]
    if wrong:
        fail(f"There is no d{wrong[0]}: dice have 2 to {LARGEST} sides.")
    return list(dict.fromkeys(sizes))


def _look(sides: int, counted: Tally) -> bool:
    """Whether dice of one size look fair; a line says how they look."""
    even, apart = chi_square(counted), serial_correlation(counted)
    bound = _WITHIN * spread(counted)
    print(
        f"d{sides:<4} chi-square {even.value:9.2f} with {sides - 1} degrees of freedom, p = {_p(even)}   "
        f"serial correlation {apart.value:+.6f}, within {bound:.6f}, p = {_p(apart)}"
    )
    sys.stdout.flush()
    return not even.suspicious and not apart.suspicious


def _p(finding: Finding) -> str:
    return f"{finding.p:.4f}" if finding.p >= 0.0001 else f"{finding.p:.1e}"


def _tallies(cores: ProcessPoolExecutor, sides: int, dice: int) -> Iterator[Tally]:
    """The dice in pieces, on every core there is."""
    pieces = [min(_PIECE, dice - start) for start in range(0, dice, _PIECE)]
    with progress() as seen:
        told, done = seen(f"of {dice:,} dice of a d{sides} drawn"), 0
        for piece in as_completed([cores.submit(_piece, sides, count) for count in pieces]):
            counted = piece.result()
            done += counted.dice
            told(done)
            yield counted


def _quiet() -> None:
    """Leave Ctrl-C to whoever asked for the dice."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _piece(sides: int, count: int) -> Tally:
    """So many dice, one check after another: each with the next seed of a ladder, and an id as a client makes it."""
    ladder = Ladder(secrets.token_bytes(KEY_BYTES), "fairness", 1)
    faces: list[int] = []
    seq = 0
    while len(faces) < count:
        seq += 1
        dice = SeededDice(ladder.rung(seq).seeds["all"], secrets.token_urlsafe(16))
        faces += drawn(dice, sides, min(_AT_ONCE, count - len(faces)))
        ladder.forget(seq)
    return tally(faces, sides)
