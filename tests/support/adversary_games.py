"""What an adversary plays with in each game: sheets, what is hidden, what is rolled, and the readings of the rules."""

# ruff: noqa: RUF012 - what a game is played with is its class's own, and nobody changes it

LEVELS = ("worst", "low", "high", "best")
SIGNS = ("boon", "bane")


def _numbers(*attacks, **values):
    given = [{"key": key.replace("__", "."), "value": value} for key, value in values.items()]
    return {"values": given, "attacks": [{"id": name, "name": name, "attribute": attribute} for name, attribute in attacks]}


class Game:
    """One game. ``numbers``: those of the foe that players may not know, each with what it could be."""

    difficulty = ""
    difficulties = range(0)
    together = range(0)
    numbers = {}
    attacks = ()
    asks = ()
    fixes = ""
    either = ("", "", ())
    conditions = ()
    choices = ("accept", "spend", "keep", "at_cost", "pass")
    readings = {}
    always = {}
    sheets = {}
    foes = {}

    def options(self, any_):
        """Readings of the rules, some of them other than by default."""
        chosen = {key: any_.choice(values) for key, values in self.readings.items() if any_.random() < 0.3}
        ours = {"manual_dice": any_.random() < 0.3, "ad_hoc": any_.choice(("gm", "everyone"))}
        return {**self.always, **ours, **chosen}

    def foe(self, secrets):
        """The foe with the numbers that it has in one of the worlds."""
        numbers = _numbers(*self.foes.get("attacks", ()), **self.foes.get("values", {}))
        numbers["values"] += [{"key": key, "value": secrets[key]} for key in self.numbers]
        return {"t": "SyncActor", "actor": "foe", "name": "Foe", "side": "opposition", "numbers": numbers}

    def resisting(self, rolled):
        """Which number of the foe a roll was compared with."""
        raise NotImplementedError

    def roll(self, any_, actor):
        """A check against a number that everybody knows."""
        raise NotImplementedError

    def open_params(self, any_):
        return {}

    def verbs(self, any_, actor):
        return []


class RankAbility(Game):
    fixes = "ability"
    either = ("check", "ability", ("str", "agi"))
    difficulty = "tn"
    difficulties = range(3, 19)
    asks = (("each", {"check": "check"}), ("opposed", {"check": "check"}))
    conditions = (("exhausted", 1), ("wounded", 1))
    readings = {
        "boon_keep": ("highest_two", "rank_die"),
        "crit_pair": ("kept_pair", "rank_and_ability"),
        "cancel_mode": ("any_cancels", "net_count"),
        "fumble_precedence": ("fumble", "success"),
        "retry": ("strict", "warn", "off"),
        "rulings": (True, False),
    }
    sheets = {
        "hero": _numbers(rank=3, str=8, agi=6, con=8, lor=4, pre=6),
        "friend": _numbers(rank=6, str=4, agi=8, con=6, lor=10, pre=8),
    }
    foes = {"values": {"rank": 4, "str": 10, "agi": 6, "con": 10, "lor": 6, "pre": 8}}

    def roll(self, any_, actor):
        params = {"ability": any_.choice(("str", "agi")), "tn": any_.choice((8, 11))}
        return {
            "t": "RollCheck",
            "check": "check",
            "actors": [actor],
            "params": params,
            "action": any_.choice(("climb", "hide", "")),
        }

    def open_params(self, any_):
        return {"ability": any_.choice(("str", "agi", "lor"))}


class PublicD20(Game):
    fixes = "attribute"
    either = ("task", "attribute", ("attribute.might", "attribute.wits"))
    difficulty = "dc"
    difficulties = range(4, 28)
    numbers = {"grace": range(-2, 15)}
    attacks = ({"t": "RollCheck", "check": "attack", "params": {"attack": "blade"}},)
    asks = (("each", {"check": "task"}), ("opposed", {"check": "task"}), ("each", {"check": "attack", "resists": True}))
    conditions = (("bolstered", 2), ("hidden", 1), ("guard", 1), ("exposed", 1), ("slowed", 1))
    always = {"dice_public": False}
    readings = {
        "compare": ("at_least", "more_than"),
        "nat20": ("crit_if_hit", "auto_hit", "crit_regardless"),
        "fumble_scope": ("all_rolls", "attacks_only"),
        "fumble_exposed": ("add_stack", "at_least_one"),
        "defense_base": (8, 11),
        "bolstered_scope": ("attacks", "any_roll"),
    }
    sheets = {
        "hero": _numbers(("blade", "attribute.might"), grace=2, attribute__might=3, attribute__wits=1),
        "friend": _numbers(("blade", "attribute.wits"), grace=4, attribute__wits=4, attribute__might=1),
    }
    foes = {"attacks": (("blade", "attribute.might"),), "values": {"attribute__might": 2}}

    def resisting(self, rolled):
        return "grace"

    def roll(self, any_, actor):
        if any_.random() < 0.3 and actor != "foe":
            return {**self.attacks[0], "actors": [actor], "targets": [{"hero": "friend", "friend": "hero"}[actor]]}
        params = {"attribute": "attribute.might", "dc": any_.choice((10, 14))}
        return {"t": "RollCheck", "check": "task", "actors": [actor], "params": params}

    def open_params(self, any_):
        return any_.choice(({"attribute": "attribute.might"}, {"attack": "blade"}))


class SageD20(Game):
    fixes = "attribute"
    either = ("attribute", "attribute", ("agility", "strength"))
    difficulty = "tn"
    difficulties = range(4, 28)
    numbers = {"defense": range(5, 28), "will": range(5, 25)}
    attacks = (
        {"t": "RollCheck", "check": "attack", "params": {"attack": "bow"}},
        {"t": "RollCheck", "check": "against", "params": {"attribute": "agility", "against": "will"}},
    )
    asks = (("each", {"check": "attribute"}), ("opposed", {"check": "attribute"}), ("each", {"check": "attack", "resists": True}))
    conditions = (("poisoned", 1), ("vulnerable", 1), ("stunned", 1), ("unconscious", 1))
    readings = {
        "affliction_source": ("per_affliction", "per_instance"),
        "crit_failure_needs_failure": (True, False),
        "boon_die": (6, 8),
    }
    sheets = {
        "hero": _numbers(("bow", "agility"), strength=9, agility=13, intellect=11, will=10, defense=13),
        "friend": _numbers(("bow", "strength"), strength=10, agility=10, intellect=14, will=12, defense=11),
    }
    foes = {"attacks": (("bow", "strength"),), "values": {"strength": 13, "agility": 9, "intellect": 12}}

    def resisting(self, rolled):
        return "will" if rolled["kind"] == "against" else "defense"

    def roll(self, any_, actor):
        if any_.random() < 0.2:
            return {"t": "RollCheck", "check": "luck", "actors": [actor]}
        return {
            "t": "RollCheck",
            "check": "attribute",
            "actors": [actor],
            "params": {"attribute": "agility", "tn": any_.choice((10, 13))},
        }

    def open_params(self, any_):
        return any_.choice(({"attribute": "agility"}, {"attribute": "strength"}, {"attack": "bow"}))


class GroupD12(Game):
    fixes = "skill"
    either = ("skill", "skill", ("skill.athletics", "skill.lore"))
    difficulty = "difficulty"
    difficulties = range(3, 17)
    together = range(8, 32)
    numbers = {"skill.vigilance": range(-3, 9)}
    attacks = (
        {"t": "RollCheck", "check": "skill", "params": {"skill": "skill.athletics", "resist": "skill.vigilance"}},
        {
            "t": "RollCheck",
            "check": "opportunity",
            "params": {"skill": "skill.athletics", "resist": "skill.vigilance", "sign": "positive"},
        },
    )
    asks = (
        ("each", {"check": "skill"}),
        ("one_success", {"check": "skill"}),
        ("one_failure", {"check": "skill"}),
        ("challenge", {"check": "challenge"}),
    )
    readings = {
        "boon_cap": (1, 2, 10),
        "boon_cap_mode": ("gained", "held"),
        "reroll": ("best_of", "replace"),
        "spend_after_limit": (1, 2, None),
        "spend_before_limit": (1, None),
        "crit_fail_grants_boon": (True, False),
        "group_spent_boon": ("if_any_accepted", "always"),
        "challenge_reroll": ("best_of", "replace"),
        "resist_compare": ("at_least", "more_than"),
        "success_level": (True,),
        "rulings": (True, False),
    }
    sheets = {
        "hero": _numbers(skill__athletics=2, skill__lore=1),
        "friend": _numbers(skill__athletics=0, skill__lore=4),
    }
    foes = {"values": {"skill__athletics": 2}}

    def resisting(self, rolled):
        return "skill.vigilance"

    def roll(self, any_, actor):
        params = {"skill": "skill.athletics", "difficulty": any_.choice((7, 9))}
        cmd = {"t": "RollCheck", "check": "skill", "actors": [actor], "params": params}
        if any_.random() < 0.3:
            sign = any_.choice(("positive", "negative"))
            to = any_.choice(({}, {"to": any_.choice(("hero", "friend", "foe"))}))
            cmd = {**cmd, "check": "opportunity", "params": {**params, "sign": sign, **to}}
        return cmd

    def open_params(self, any_):
        return {"skill": any_.choice(("skill.athletics", "skill.lore"))}

    def verbs(self, any_, actor):
        return [
            {"t": "Act", "verb": "offer_resistance", "args": {"actor": any_.choice((actor, "foe")), "skill": "skill.athletics"}},
            {"t": "Act", "verb": "keep_initiative"},
            {"t": "Act", "verb": "give_boon"},
            {"t": "Act", "verb": "spend_xp", "args": {"actor": actor, "skill": "skill.lore"}},
        ]


GAMES = {"rank_ability": RankAbility(), "public_d20": PublicD20(), "sage_d20": SageD20(), "group_d12": GroupD12()}
