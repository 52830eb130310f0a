"""Builds that leak on purpose: each tells a player, in one way, what he may not know. The adversary has to find every one.

A leak is a patch of the product, in force as long as the context lasts. ``LEAKS``: what it does, in words, to the games in
which it can be found and the context.
"""

import contextlib
from unittest import mock

from msgspec.structs import replace

from boonbridge.core import asked, choosing, entries, evolving, foreseeing, granting, permissions, preview, rolling, turns
from boonbridge.core.applying import apply, sameness
from boonbridge.core.committing import Commit
from boonbridge.core.visibility import Viewer, open_offers, sees_check
from boonbridge.rulesets.base import Check
from boonbridge.tables import frames
from boonbridge_schemas.effects import ConditionChanged, LockSet, ResourceChanged
from boonbridge_schemas.events import CheckRolled, Chosen

ALL = ("rank_ability", "public_d20", "sage_d20", "group_d12")
WITH_FOES = ALL[1:]


@contextlib.contextmanager
def at_once(kind):
    """What a hidden roll does to the table happens now instead of waiting."""

    def also(then):
        def evolve(state, event):
            after = then(state, event)
            done = [effect for effect in event.effects if event.deferred and isinstance(effect, kind)]
            check = event.rolled.check if isinstance(event, CheckRolled) else event.check
            return apply(after, f"check/{check}", done, check=check)

        return evolve

    kinds = {each: also(evolving._EVOLVE[each]) for each in (CheckRolled, Chosen)}
    with mock.patch.dict(evolving._EVOLVE, kinds):
        yield


@contextlib.contextmanager
def odds_of_a_request():
    then = preview.answer

    def answer(state, command, role):
        roll, answering = then(state, command, role)
        return roll, replace(answering, hidden=False)

    with mock.patch.object(preview, "answer", answer):
        yield


@contextlib.contextmanager
def ids_that_count_hidden_rolls():
    then = Commit.next_id

    def next_id(self):
        self.number += sum(deed.hidden for deed in self.state.deeds.values()) if not self.number else 0
        return then(self)

    with mock.patch.object(Commit, "next_id", next_id):
        yield


@contextlib.contextmanager
def foreseen_dice():
    class Ten:
        def draw(self, role, sides):
            return sides // 2

    with mock.patch.object(foreseeing, "_Unforeseen", Ten):
        yield


@contextlib.contextmanager
def rulings_on_blind_rolls():
    """The table lists the rulings that wait on a blind roll to whoever rolled it: there are others for each outcome."""
    seen = lambda check, viewer: sees_check(check, viewer) or viewer.user == check.roller  # noqa: E731
    all_of_them = lambda check, offers, _viewer: open_offers(check, offers)  # noqa: E731
    with mock.patch.object(entries, "sees_check", seen), mock.patch.object(entries, "offers_for", all_of_them):
        yield


@contextlib.contextmanager
def answers_about_hidden_checks():
    """A choice on a hidden roll is refused by what became of it, and not as one of an unknown check."""
    with (
        mock.patch.object(permissions, "sees_check", return_value=True),
        mock.patch.object(choosing, "sees_check", return_value=True),
        mock.patch.object(choosing, "_for_gms_alone", return_value=False),
    ):
        yield


@contextlib.contextmanager
def defaults_taken_in_secret():
    """A hidden roll takes the default of what is open on the actor's last public one."""
    with mock.patch.object(choosing, "within", return_value=True), mock.patch.object(choosing, "same_readers", return_value=True):
        yield


@contextlib.contextmanager
def requests_as_gms_see_them():
    then = entries._request
    with mock.patch.object(entries, "_request", lambda asking, viewer: then(asking, Viewer(viewer.user, "gm"))):
        yield


@contextlib.contextmanager
def keys_of_what_gms_read():
    """Entries that a commit touched are named as for GMs, whether there is something to show or not."""
    then = entries.touched
    with (
        mock.patch.object(entries, "touched", lambda after, events, _role: then(after, events, "gm")),
        mock.patch.object(entries, "tells", return_value=True),
    ):
        yield


@contextlib.contextmanager
def a_refusal_with_the_number():
    """Whoever sets the difficulty of a request himself is refused with the one that it has."""
    then = asked._refuse_fixed

    def refuse(asking, check, spec, params):
        if not asking.record.shown and any(param.difficulty and params.get(param.key) for param in spec.params):
            known = next((check.params[p.key] for p in spec.params if p.difficulty and p.key in check.params), 0)
            too_low = any(isinstance(given, int) and given < known for given in params.values())
            params = params if too_low else {}
        then(asking, check, spec, params)

    with mock.patch.object(asked, "_refuse_fixed", refuse):
        yield


def patched(where, name, value):
    return lambda: mock.patch.object(where, name, value)


@contextlib.contextmanager
def chances_of_offers():
    same = lambda _check, offers: offers  # noqa: E731
    with mock.patch.object(rolling, "open_offers", same), mock.patch.object(choosing, "open_offers", same):
        yield


@contextlib.contextmanager
def grants_counted_together():
    then = granting._refuse_beyond

    def refuse(actor, grant):
        then(replace(actor, grants=tuple(replace(each, hidden=grant.hidden) for each in actor.grants)), grant)

    with mock.patch.object(granting, "_refuse_beyond", refuse):
        yield


def _the_same(actor, grant):
    """Whether the same one stands, in the open or in secret."""
    return any(sameness(replace(grant, hidden=each.hidden)) == sameness(each) for each in actor.grants)


@contextlib.contextmanager
def ends_of_hidden_grants():
    with (
        mock.patch.object(rolling, "part_of_grant", return_value="all"),
        mock.patch.object(turns, "part_of_grant", return_value="all"),
    ):
        yield


def _gms_part_too(viewer, by):
    return ("all", "roller_gm", "gm") if viewer.role == "player" else ("all",)


LEAKS = {
    "odds where a Defense is hidden": (WITH_FOES, patched(preview, "sees_numbers", lambda *_: True)),
    "odds where a difficulty is not shown": (ALL, odds_of_a_request),
    "the margin on the card": (("group_d12",), patched(rolling, "split_margin", lambda result, _rules: (result, ()))),
    "the difficulty among the parameters of the card": (ALL, patched(rolling, "_told", lambda check: dict(check.params))),
    "the number itself where all read it": (ALL, patched(rolling, "part_of_target", lambda *_: "all")),
    "the chance of an offer": (("group_d12",), chances_of_offers),
    "the pool moved by a hidden roll": (("group_d12",), lambda: at_once(ResourceChanged)),
    "the lock of a hidden failure": (("rank_ability",), lambda: at_once(LockSet)),
    "Exposed by a hidden fumble": (("public_d20",), lambda: at_once(ConditionChanged)),
    "what stands used up in secret": (("public_d20", "group_d12"), patched(Check, "open", True)),
    "ids of checks with gaps": (ALL, ids_that_count_hidden_rolls),
    "the keys of what GMs read": (ALL, keys_of_what_gms_read),
    "rulings that wait on a blind roll": (("rank_ability",), rulings_on_blind_rolls),
    "answers about hidden checks": (ALL, answers_about_hidden_checks),
    "defaults taken by hidden rolls": (("group_d12",), defaults_taken_in_secret),
    "requests as GMs see them": (ALL, requests_as_gms_see_them),
    "dice that are foreseen": (ALL, foreseen_dice),
    "a refusal that compares with the number": (ALL, a_refusal_with_the_number),
    "a hidden grant in previews": (ALL, patched(preview, "_unseen", lambda *_: "")),
    "a hidden grant that counts on open rolls": (ALL, patched(rolling, "_unseen", lambda *_: "")),
    "a blind roll refused for a hidden grant": (ALL[1:3], patched(rolling, "_passes", lambda *_: True)),
    "hidden grants that leave no room for open ones": (ALL, grants_counted_together),
    "an open grant that is given in secret already": (ALL, patched(granting, "_stands", _the_same)),
    "the end of a hidden grant": (ALL, ends_of_hidden_grants),
    "hidden grants in the list of grants": (ALL, patched(entries, "grants_for", lambda actor, _viewer: actor.grants)),
    "the GMs' part": (ALL, patched(frames, "readable", _gms_part_too)),
}
