"""What a GM says happens after the dice: one of a few ready answers, with words of his own, or none of them.

Which answers a game has stands in its words, and what one of them does to the table in its rules; no die is ever drawn
for one. A ruling has no default, so it waits until a GM takes it. No game's own rule may be in this file.
"""

from collections.abc import Sequence

from msgspec import Struct

from boonbridge.rulesets.base import OpenCheck
from boonbridge_schemas.base import Key, Label
from boonbridge_schemas.checks import ChoiceOffer

from .options import Words


class Ruling(Struct, frozen=True):
    """One answer. After a colon the label may say what it is for."""

    key: Key
    label: Label


PASS = Ruling("pass", "Said at the table: nothing to note")
"""What every set ends with: it has been told aloud, and nothing is written down."""


ASKED = Words(
    "What a result brings",
    {True: "the GM is asked on the card", False: "is said at the table, and nobody is asked"},
    help="Whether the card asks a GM what follows from a result, and waits for the answer.",
    example="A 1 on the die waits for 1 of the ready answers, or nobody is asked.",
    ours=True,
)
"""The option of games that have rulings."""


def offers(check: OpenCheck, rulings: Sequence[Ruling], *, asked: bool = True) -> tuple[ChoiceOffer, ...]:
    """The answers as offers to GMs; none once one is taken, and none where nobody but the roller saw the dice."""
    if not asked or not rulings or check.mode == "self" or ruled(check, rulings):
        return ()
    return (
        *(ChoiceOffer(id=ruling.key, label=ruling.label, who="gm", note=True) for ruling in rulings),
        ChoiceOffer(id=PASS.key, label=PASS.label, who="gm", lapse=True),
    )


def ruled(check: OpenCheck, rulings: Sequence[Ruling]) -> bool:
    """Whether one of the answers has been given."""
    return any(taken in (PASS.key, *(ruling.key for ruling in rulings)) for taken in check.taken)
