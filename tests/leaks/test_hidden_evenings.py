"""Evenings at random with hidden grants and the same evenings without them: nobody but GMs can tell which he is in."""

import random

import pytest

from boonbridge.core.foreseeing import foresee
from boonbridge.rulesets import registry
from boonbridge_schemas.refusal import Refusal
from tests.stateful.sayings import Sayings
from tests.support.evening import ROLES, command
from tests.support.two_worlds import SUBJECTS, a_word, opening

OUTSIDERS = ("pia", "quin", "olga")
TOO_MUCH = {"roll.too_many_dice", "roll.too_many_sources", "grant.limit"}
"""What a GM may be refused for because of what he alone knows."""


class Shadow:
    """The same evening twice: in ``here`` GMs give, take, show nothing of and use up hidden grants, in ``there`` nothing of it is.

    ``counted``: how often one counted, and how often one was used up or ended.
    """

    def __init__(self, game, seed):
        self.here, self.there = opening(game, seed), opening(game, seed)
        self.counted = self.ended = 0
        if game == "sage_d20":
            for world in (self.here, self.there):
                world.do({"t": "SetOptions", "options": {"assist": "free"}})

    def say(self, said, *, hidden):
        """A word, in both, or only where hidden grants are; and what everybody else heard of it."""
        by, before = said[0], self.there.state
        heard = [self._heard(self.here, said), self._quiet(by) if hidden else self._heard(self.there, said)]
        if ROLES[by] == "gm" and str(getattr(heard[0], "code", "")) in TOO_MUCH:
            # He knows why, and leaves it.
            self.there.state = before
            heard[1] = self._quiet(by)
        for user in OUTSIDERS:
            told = [self._told(world, placed, by, user) for world, placed in zip((self.here, self.there), heard, strict=True)]
            assert told[0] == told[1], (said, user)
            assert self.here.shown(user) == self.there.shown(user), (said, user)
        events = () if isinstance(heard[0], Refusal) else [event for _, event in heard[0]]
        self.counted += sum(line.hidden and line.counted for event in events for line in getattr(event, "sources", ()))
        self.ended += not hidden and sum(type(event).__name__ in ("GrantSpent", "GrantExpired") for event in events)

    def _heard(self, world, said):
        heard = world.decided(said)
        return heard if isinstance(heard, Refusal) else heard.placed

    def _quiet(self, by):
        self.there.skip(by)
        return ()

    def _told(self, world, heard, by, user):
        """What a person is told: the refusal of his own word, or what he reads. That a GM was refused he does not hear."""
        if isinstance(heard, Refusal):
            return (str(heard.code), heard.message, heard.values) if by == user else ([], [])
        return world.told(heard, by, world.viewer(user))

    def looks(self, chance):
        """What others may try without anybody's hearing of it."""
        for user in OUTSIDERS:
            cmd = Sayings(chance, self.there.state, user).roll()
            for mode in ("public", "blind", "gm"):
                asked = {key: value for key, value in {**cmd, "mode": mode}.items() if key != "faces"}
                assert self.here.previewed(asked, user) == self.there.previewed(asked, user), (user, asked)
                told = []
                for world in (self.here, self.there):
                    try:
                        told.append(foresee(world.state, command(asked), world.viewer(user), world.state.seq + 1))
                    except Refusal as no:
                        told.append((str(no.code), no.message, no.values))
                assert told[0] == told[1], (user, asked)

    def unlike(self, cmd):
        """Whether a word is about what came out otherwise among GMs, and brings that before everybody."""
        if cmd["t"] not in ("Reveal", "Settle", "Override", "Void", "RevealGrant"):
            return False
        what = cmd.get("what") or f"check/{cmd.get('check')}"
        if cmd["t"] == "RevealGrant" or what.startswith("grant/"):
            here, there = (world.state.deeds.get(what) for world in (self.here, self.there))
            return cmd["t"] == "RevealGrant" or (here is None) != (there is None)
        here, there = (world.state.deeds.get(what) for world in (self.here, self.there))
        return (here and (here.opened, here.writes, here.voided)) != (there and (there.opened, there.writes, there.voided))


def shadowed(game, seed, words=18):
    """An evening at random. How often something hidden counted, and how often it was used up or ended by what all heard."""
    chance = random.Random(f"hidden {game} {seed}")
    shadow = Shadow(game, seed)
    for _ in range(words):
        if chance.random() < 0.3:
            cmd = a_hidden_word(chance, shadow.here.state)
            shadow.say(("gina", cmd, chance.random()), hidden=True)
            continue
        said = a_word(shadow.there, chance, SPOKEN)
        cmd = {key: value for key, value in said[1].items() if key != "hidden"}
        if cmd["t"] in ("Void", "Override"):
            cmd["confirm"] = True  # what there is to confirm is among GMs
        if cmd["t"] == "RollCheck" and chance.random() < 0.5:
            cmd["mode"] = chance.choice(("blind", "secret", "gm")) if said[0] == "gina" else "blind"
        if not shadow.unlike(cmd):
            shadow.say((said[0], cmd, said[2]), hidden=False)
        shadow.looks(chance)
    return shadow.counted, shadow.ended


SPOKEN = {**SUBJECTS, "roll": 12, "turn": 5, "session": 1, "grant": 4}


def a_hidden_word(chance, state):
    """What a GM says of a grant that only GMs know of: given, taken, taken back."""
    there = [each for actor in state.actors.values() for each in actor.grants if each.hidden]
    deeds = [name for name, deed in state.deeds.items() if name.startswith("grant/") and deed.hidden and not deed.voided]
    if there and chance.random() < 0.15:
        return {"t": "RevokeGrant", "grant": chance.choice(there).id}
    if deeds and chance.random() < 0.15:
        return {"t": "Void", "what": chance.choice(deeds), "confirm": True}
    return {**Sayings(chance, state, "gina").grant(), "hidden": True}


@pytest.mark.parametrize("game", sorted(registry.shipped()))
def test_nobody_else_can_tell_whether_there_is_anything_hidden(game):
    counted, ended = map(sum, zip(*(shadowed(game, seed) for seed in range(50)), strict=True))
    assert counted > 10
    assert ended > 20


@pytest.mark.long
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("game", sorted(registry.shipped()))
def test_nobody_else_can_tell_over_thousands_of_evenings(game):
    for seed in range(1_000, 4_000):
        shadowed(game, seed, words=25)
