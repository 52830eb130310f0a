"""What a correction can be about, and what it could not bring back."""

from typing import Annotated

from msgspec import Meta

from .base import ActorId, Count, Key, Label, NoKey, Record

DeedId = Annotated[
    str,
    Meta(
        pattern=r"^(check|grant|condition|verb|request|correction)/[0-9]{1,16}(\.[0-9]{1,3})?\Z",
        description="What a GM may take back: one check with all its choices, one grant, condition or table move.",
    ),
]


class Left(Record, frozen=True, kw_only=True):
    """Something that a correction leaves as it is, because it was used, or ended, in the meantime.

    ``what``: ``resource``, ``condition``, ``grant``, ``opportunity``, ``resistance``, ``assist``, ``choice``, ``xp``. ``key``:
    which of them, ``label`` in words. ``amount`` is what would have to be given back, or taken away. ``why``: ``spent_since``,
    ``used_since``, ``rolled_since``, ``full``, ``evening_over``, ``closed_by_it``.
    """

    what: Key
    key: NoKey = ""
    actor: ActorId | None = None
    label: Label = ""
    amount: Count = 1
    why: Key
