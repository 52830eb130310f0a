"""What a dialog shows is what is rolled, and both are what the rules add up, whatever stands at the table.

Tables at random: conditions, grants, circumstances, several targets, several who roll at one word, a Boon spent before.
The sum of sources is written here once more, from the rules' text and not from the account of the product: B-06 to B-19,
A-15 and A-16, C-08 to C-12 with the table of afflictions, D-14, D-15 and D-18. Between preview and roll somebody gives
something: then the roll is the table's as it is, and not the dialog's.
"""

import random
from typing import ClassVar

import msgspec
import pytest

from boonbridge.core.decide import decide
from boonbridge.core.decision import Context
from boonbridge.core.evolving import begin
from boonbridge.core.preview import preview
from boonbridge_schemas.events import CheckRolled
from tests.support.evening import Evening, command

CHECKS_EACH = 2_500
MANY_EACH = 10_000
OWN, AGAINST = "own", "against"
ONE_USE = ("next_roll", "next_roll_against")
SCOPES = (
    {},
    {},
    {},
    {},
    {"action": "climb"},
    {"targets": ["foe"]},
    {"unlessTargets": ["foe"]},
    {"targets": ["friend"], "reach": "roll"},
)
# Conditions of the table's own: whether they are counted, what each does to own rolls and to rolls against its bearer.
TABLES_OWN = {"blessed": (False, 2, 0), "cold": (True, -1, 1), "marked_man": (True, 0, -2), "cocky": (False, 1, 1)}
IDS = ("rope", "song", "dark", "flanking", "poisoned", "impaired.strength", "blinded", "exhausted")


class AnyFace:
    """Dice of which nothing is asked here but how many there are."""

    def __init__(self, chance):
        self.chance = chance

    def draw(self, role, sides):
        return self.chance.randint(1, sides)


class World:
    """A table, and beside it what was done to it, in plain lists."""

    game = ""
    sheets: ClassVar = {}
    choices: ClassVar = {}

    def __init__(self, chance, base):
        self.chance = chance
        self.table = Evening(self.game)
        self.table.state = base
        self.options = {key: chance.choice(values) for key, values in self.choices.items()}
        self.table.do({"t": "SetOptions", "options": self.options})
        self.grants = []
        self.held = {"hero": {}, "friend": {}, "foe": {}}
        self.off = ()
        self.spend = 0

    @classmethod
    def base(cls):
        table = Evening(cls.game, **({"dice_public": False} if cls.game == "public_d20" else {}))
        for actor, side, owners in (("hero", "party", ["pia"]), ("friend", "party", []), ("foe", "opposition", [])):
            table.do({"t": "SyncActor", "actor": actor, "name": actor, "side": side, "owners": owners, "numbers": cls.sheets})
        own = [
            {"key": key, "label": key, "counted": counted, "own": of_its_own, "against": against}
            for key, (counted, of_its_own, against) in TABLES_OWN.items()
        ]
        usual = msgspec.to_builtins(table.state.ruleset.table_data())
        table.do({"t": "SetTableData", "data": {**usual, "conditions": own}})
        return table.state

    # --- what is done to it ---
    def something_happens(self):
        (self._gives if self.chance.random() < 0.6 else self._sets)()

    def _gives(self):
        pick = self.chance.choice
        grant = {
            "actor": pick(("hero", "hero", "foe", "foe", "friend")),
            "sign": pick(("boon", "bane")),
            "id": pick(IDS),
            "amount": pick((1, 1, 1, 2, 3)),
            "side": pick((OWN, AGAINST)),
            "scope": pick(SCOPES),
            "when": pick(("none", "none", *ONE_USE, "round_end")),
        }
        if grant in self.grants:
            return
        self.grants.append(grant)
        self.table.do(
            {
                "t": "Grant",
                "actors": [grant["actor"]],
                "sign": grant["sign"],
                "amount": grant["amount"],
                "source": {"id": grant["id"], "label": "x"},
                "scope": {**grant["scope"], "side": grant["side"]},
                "expiry": {"when": grant["when"]},
            }
        )

    def _sets(self):
        pick = self.chance.choice
        kinds = {**self.conditions, **{key: counted for key, (counted, *_) in TABLES_OWN.items()}}
        actor, key, by = pick(("hero", "foe")), pick(tuple(kinds)), pick((None, None, "hero", "friend", "foe"))
        amount = pick((1, 2, 3)) if kinds[key] else 1
        self.held[actor][key, by] = amount
        self.table.do({"t": "SetCondition", "actors": [actor], "condition": key, "amount": amount, "by": by})

    # --- what the rules say of it ---
    def amount(self, actor, key):
        """Of a condition, over all who gave it."""
        if key in self.off:
            return 0
        return sum(amount for (held, _), amount in self.held[actor].items() if held == key)

    def covering(self, roll, actor, target, spent):
        """The grants and circumstances that reach this roll: (sign, id, amount, kind, origin).

        And the table's own conditions, of the roller and of whom it is rolled against: two bearers are two sources.
        """
        for key, (counted, own, against) in TABLES_OWN.items():
            for bearer, worth, origin in ((actor, own, ""), (target, against, target)):
                if bearer is not None and worth and (stands := self.amount(bearer, key)):
                    yield "boon" if worth > 0 else "bane", key, abs(worth) * (stands if counted else 1), "affliction", origin
        for nth, grant in enumerate(self.grants):
            if nth not in spent and self._covers(grant, roll, actor, target):
                hidden = roll["mode"] != "public" and grant["when"] in ONE_USE
                if grant["id"] not in self.off and not hidden:
                    yield grant["sign"], grant["id"], grant["amount"], "situation", ""
        for claim in roll["sources"]:
            if claim["id"] not in self.off:
                # What somebody calls a condition is not one that the table keeps.
                yield claim["sign"], claim["id"], claim["amount"], claim["kind"], claim["origin"]

    def _covers(self, grant, roll, actor, target):
        scope = grant["scope"]
        if grant["actor"] != (actor if grant["side"] == OWN else target):
            return False
        here = set(roll["targets"]) if scope.get("reach") == "roll" else {target} - {None}
        return (
            scope.get("action", roll["action"]) == roll["action"]
            and ("targets" not in scope or bool(here & set(scope["targets"])))
            and not here & set(scope.get("unlessTargets", ()))
        )

    def used_up(self, roll, actor, spent):
        """One-use grants that this actor's roll takes with it: the first roll in scope, if everybody sees it."""
        if roll["mode"] != "public":
            return set()
        gone = set()
        for nth, grant in enumerate(self.grants):
            own = grant["actor"] == actor
            if nth in spent or not (own or grant["actor"] in roll["targets"]):
                continue
            faces_this_way = (grant["side"] == OWN) == own
            reached = any(self._covers(grant, roll, actor, target) for target in roll["targets"] or [None])
            ends = grant["when"] == ("next_roll" if own else "next_roll_against")
            # One that helps the other way than its clock looks goes with any roll its clock is about.
            if ends and ((reached and grant["id"] not in self.off) or not faces_this_way):
                gone.add(nth)
        return gone

    conditions: ClassVar = {}

    def a_roll(self):
        """A command and, in plain words, what it asks."""
        pick = self.chance.choice
        check, params, against = pick(self.checks)
        roll = {
            "t": "RollCheck",
            "check": check,
            "params": params,
            "actors": pick((["hero"], ["hero"], ["hero"], ["hero", "friend"])),
            "targets": pick((["foe"], ["foe"], ["foe", "other"])) if against else [],
            "action": pick(("", "climb")),
            "mode": pick(("public", "public", "public", "gm")),
            "sources": [
                {
                    "id": pick(IDS),
                    "label": "x",
                    "sign": pick(("boon", "bane")),
                    "amount": pick((0, 1, 1, 2)),
                    "kind": pick(("situation", "affliction", "condition")),
                    "origin": pick(("", "friend", "foe")),
                }
                for _ in range(pick((0, 0, 1, 2, 3)))
            ],
        }
        roll["targets"] = [target if target != "other" else "friend" for target in roll["targets"]]
        if "friend" in roll["targets"]:
            roll["actors"] = ["hero"]
        if self.chance.random() < 0.15:
            self.off = (pick((*IDS, *self.conditions, *TABLES_OWN)),)
            roll["off"] = list(self.off)
        return roll

    def expected(self, roll):
        """(Boons, Banes, what is left, number of dice) of each row, in order."""
        spent = set()
        for actor in roll["actors"]:
            for target in roll["targets"] or [None]:
                yield self.row(roll, actor, target, list(self.covering(roll, actor, target, spent)))
            spent |= self.used_up(roll, actor, spent)


def once_each(lines):
    """One source counts once, with the largest amount; the same from somebody else is another (B-15)."""
    largest = {}
    for sign, id, amount, _, origin in lines:
        largest[sign, id, origin] = max(amount, largest.get((sign, id, origin), 0))
    return [(sign, id, amount) for (sign, id, _), amount in largest.items()]


def added(lines):
    boons = sum(amount for sign, _, amount, *_ in lines if sign == "boon")
    banes = sum(amount for sign, _, amount, *_ in lines if sign == "bane")
    return boons, banes


class PublicD20(World):
    game = "public_d20"
    sheets: ClassVar = {
        "values": [{"key": "attribute.might", "value": 2}, {"key": "grace", "value": 3}],
        "attacks": [{"id": "hit", "name": "Hit", "attribute": "attribute.might"}],
    }
    choices: ClassVar = {
        "marked_scope": ("whole_side", "not_the_marker"),
        "marked_stacks": (False, True),
        "bolstered_scope": ("attacks", "any_roll"),
        "status_banes_on_tasks": (True, False),
    }
    checks = (
        ("task", {"attribute": "attribute.might", "dc": 12}, False),
        ("attack", {"attack": "hit"}, True),
        ("attack", {"attack": "hit"}, True),
    )
    conditions: ClassVar = {
        "bolstered": True,
        "hidden": False,
        "guard": False,
        "exposed": True,
        "marked": True,
        "slowed": False,
        "shaken": False,
    }

    def row(self, roll, actor, target, lines):
        attack = roll["check"] == "attack"
        boons, banes = added([line for line in once_each(lines) if attack or line[1] != "flanking"])
        if attack or self.options["status_banes_on_tasks"]:
            banes += bool(self.amount(actor, "slowed")) + bool(self.amount(actor, "shaken"))
        if roll["mode"] == "public" and (attack or self.options["bolstered_scope"] == "any_roll"):
            boons += self.amount(actor, "bolstered")
        if attack:
            boons += self._marks(actor, target) + self.amount(target, "exposed") + bool(self.amount(actor, "hidden"))
            banes += bool(self.amount(target, "guard"))
        return boons, banes, boons - banes, 1 + abs(boons - banes)

    def _marks(self, actor, target):
        side = {"hero": "party", "friend": "party", "foe": "opposition"}
        marks = [] if "marked" in self.off else [(by, n) for (key, by), n in self.held[target].items() if key == "marked"]
        helping = [
            amount
            for by, amount in marks
            if side[actor] == (side[by] if by else {"party": "opposition", "opposition": "party"}[side[target]])
            and not (self.options["marked_scope"] == "not_the_marker" and by == actor)
        ]
        return sum(helping) if self.options["marked_stacks"] else bool(helping)


class RankAbility(World):
    game = "rank_ability"
    sheets: ClassVar = {"values": [{"key": "rank", "value": 3}, {"key": "str", "value": 8}]}
    choices: ClassVar = {"cancel_mode": ("any_cancels", "net_count"), "retry": ("off",)}
    checks = (("check", {"ability": "str", "tn": 10}, False), ("check", {"rankDie": 12, "abilityDie": 4, "tn": 7}, False))
    conditions: ClassVar = {"exhausted": False, "wounded": False}

    def row(self, roll, actor, target, lines):
        largest = {}
        for sign, id, amount, *_ in lines:
            largest[sign, id] = max(amount, largest.get((sign, id), 0))
        boons = sum(amount for (sign, _), amount in largest.items() if sign == "boon")
        banes = sum(amount for (sign, _), amount in largest.items() if sign == "bane")
        if self.options["cancel_mode"] == "any_cancels":
            boons, banes = bool(boons), bool(banes)
        net = (boons > banes) - (boons < banes)
        return boons, banes, net, 2 + abs(net)


class SageD20(World):
    game = "sage_d20"
    sheets: ClassVar = {
        "values": [{"key": key, "value": 11} for key in ("strength", "agility", "intellect", "will", "defense")],
        "attacks": [
            {"id": "cut", "name": "Cut", "attribute": "strength", "tags": ["melee"]},
            {"id": "shot", "name": "Shot", "attribute": "agility", "against": "agility", "tags": ["ranged"]},
        ],
    }
    choices: ClassVar = {"affliction_source": ("per_affliction", "per_instance")}
    rolled_with: ClassVar = {"cut": ("strength", "defense"), "shot": ("agility", "agility")}
    checks = (
        ("attribute", {"attribute": "strength"}, False),
        ("attribute", {"attribute": "will"}, False),
        ("against", {"attribute": "intellect", "against": "strength"}, True),
        ("against", {"attribute": "agility", "against": "agility"}, True),
        ("attack", {"attack": "cut"}, True),
        ("attack", {"attack": "shot"}, True),
        ("luck", {}, False),
    )
    # Afflictions of the rules' section 8: banes on own rolls, boons to rolls against it, and with which attributes.
    table_of_afflictions: ClassVar = {
        "confused": (1, 0, ("intellect", "will")),
        "frightened": (1, 1, None),
        "impaired.strength": (1, 1, ("strength",)),
        "poisoned": (1, 1, None),
        "stunned": (2, 2, None),
        "vulnerable": (0, 1, None),
        "weakened": (1, 1, ("strength", "agility")),
        "unconscious": (0, 3, None),
        "slowed": (0, 0, None),
        "deafened": (0, 0, None),
    }
    conditions: ClassVar = dict.fromkeys([*table_of_afflictions, "cursed", "prone", "held", "blinded"], False)

    def row(self, roll, actor, target, lines):
        attribute, against = roll["params"].get("attribute"), roll["params"].get("against")
        if roll["check"] == "attack":
            attribute, against = self.rolled_with[roll["params"]["attack"]]
        lines += [("bane", key, banes, "affliction", by or "") for key, by, banes in self._suffers(actor, attribute)]
        if target is not None:
            lines += [(sign, key, n, "affliction", by or "") for sign, key, by, n in self._gives_away(roll, target, against)]
        largest = {}
        for sign, id, amount, kind, origin in lines:
            # An affliction is the source; where the table counts instances, each of them (C-11, C-12, C-P4).
            apart = self.options["affliction_source"] == "per_instance" and kind == "affliction"
            source = sign, id, origin if apart else ""
            largest[source] = max(amount, largest.get(source, 0))
        boons = sum(amount for (sign, *_), amount in largest.items() if sign == "boon")
        banes = sum(amount for (sign, *_), amount in largest.items() if sign == "bane")
        failing = attribute is not None and self.amount(actor, "unconscious")
        succeeding = against == "agility" and self.amount(target, "held")
        return boons, banes, boons - banes, 0 if failing or succeeding else 1 + abs(boons - banes)

    def _suffers(self, actor, attribute):
        for key, by in self.held[actor]:
            banes, _, on = self.table_of_afflictions.get(key, (0, 0, None))
            if key in self.off:
                continue
            if key == "cursed" and attribute is None:
                yield key, by, 1
            elif banes and attribute is not None and (on is None or attribute in on):
                yield key, by, banes

    def _gives_away(self, roll, target, against):
        for key, by in self.held[target]:
            _, boons, on = self.table_of_afflictions.get(key, (0, 0, None))
            if key in self.off:
                continue
            if key == "prone" and roll["check"] == "attack":
                yield "boon" if roll["params"]["attack"] == "cut" else "bane", key, by, 1
            elif boons and (on is None or against in on):
                yield "boon", key, by, boons


class GroupD12(World):
    game = "group_d12"
    sheets: ClassVar = {"values": [{"key": "skill.climb", "value": 3}]}
    choices: ClassVar = {"spend_before_limit": (1, None)}
    checks = (
        ("skill", {"skill": "skill.climb", "difficulty": 9}, False),
        ("skill", {"skill": "skill.climb", "resist": "skill.climb"}, True),
        ("opportunity", {"skill": "skill.climb", "difficulty": 9, "to": "foe", "sign": "negative"}, False),
    )

    def a_roll(self):
        roll = super().a_roll()
        held = self.chance.choice((0, 1, 2, 3))
        for _ in range(held):
            self.table.do({"t": "Act", "verb": "give_boon"})
        # A negative chance may be bought off, one Boon each, as many as the table allows and the group has (D-18).
        if roll["mode"] == "public" and len(roll["actors"]) * max(1, len(roll["targets"])) == 1 and self.chance.random() < 0.5:
            (row,) = self.expected(roll)
            most = 99 if self.options["spend_before_limit"] is None else 1
            self.spend = max(0, min(-row[2], held, most))
            roll["spendBefore"] = self.spend
        return roll

    def row(self, roll, actor, target, lines):
        boons, banes = added(once_each(lines))
        boons += self.spend
        return boons, banes, boons - banes, 1 + abs(boons - banes)


# --- the test ---------------------------------------------------------------------------------------------------
def rolled(world, cmd):
    state = begin(world.table.state, seq=world.table.state.seq + 1, at=1, by="gina")
    context = Context(by="gina", role="gm", at=1, command_id="c", dice_for=lambda _part: AnyFace(world.chance))
    return [event for event in decide(state, command(cmd), context).events if isinstance(event, CheckRolled)]


def shown(world, cmd):
    return preview(world.table.state, command(cmd), world.table.viewer("gina"))


def play(kind, seed, count):
    """So many rolls; of how many a gift between dialog and dice changed what was rolled."""
    chance, base, changed = random.Random(seed), kind.base(), 0
    for _ in range(count):
        world = kind(chance, base)
        for _ in range(chance.randint(0, 5)):
            world.something_happens()
        roll = world.a_roll()
        before = [row[2] for row in world.expected(roll)]
        rows = shown(world, roll)
        assert [row.net for row in rows] == before, roll
        if not world.spend and chance.random() < 0.4:
            world.something_happens()
            rows = shown(world, roll)
        wanted = list(world.expected(roll))
        changed += before != [row[2] for row in wanted]
        assert [(row.boons, row.banes, row.net, sum(die.count for die in row.dice)) for row in rows] == wanted, roll
        events = rolled(world, roll)
        results = [event.result for event in events]
        assert [(result.boons, result.banes, result.net, len(result.dice)) for result in results] == wanted, roll
        for row, event in zip(rows, events, strict=True):
            assert row.sources == event.sources
            assert not row.dice or row.bonus == event.result.bonus
            assert row.odds == event.odds or event.odds is None
            assert event.rolled.target in (None, row.target)
            fell = [(die.role, die.sides) for die in event.result.dice]
            assert fell == [(spec.role, spec.sides) for spec in row.dice for _ in range(spec.count)]
    return changed


GAMES = (RankAbility, PublicD20, SageD20, GroupD12)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.game)
def test_the_dialog_the_roll_and_the_rules_agree(kind):
    assert play(kind, f"{kind.game} in short", CHECKS_EACH) > CHECKS_EACH // 100


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.game)
def test_they_agree_ten_thousand_times(kind):
    assert play(kind, f"{kind.game} at length", MANY_EACH) > MANY_EACH // 100


def test_a_boon_that_the_roll_itself_earns_is_there_for_the_dialog_too():
    """Rolling again accepts what still failed (D-04); with that Boon a negative chance is bought off (D-18)."""
    table = Evening("group_d12")
    table.do({"t": "SyncActor", "actor": "hero", "name": "Hero", "side": "party", "numbers": GroupD12.sheets})
    roll = {"t": "RollCheck", "check": "skill", "actors": ["hero"], "params": {"skill": "skill.climb", "difficulty": 9}}
    table.do({"t": "Act", "verb": "give_boon"})
    table.do(roll, faces=[2])  # 5 against 9; it waits for its player, since a Boon could be spent
    table.do({"t": "Act", "verb": "take_boon"})
    dark = {**roll, "sources": [{"id": "dark", "label": "dark", "sign": "bane"}], "spendBefore": 1}
    (row,) = preview(table.state, command(dark), table.viewer("gina"))
    assert (row.boons, row.banes, row.net) == (1, 1, 0)
    assert table.do(dark, faces=[8])
