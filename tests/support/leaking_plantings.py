"""What is planted: each a kind of thing that somebody may not know, in a roll of a game that has it.

Numbers are worked out by hand beside the faces. Words and numbers are rare: in the shadow of a cell, where nothing happens,
none of them may be found.
"""

from dataclasses import replace

from tests.support.bridge import ATTACK, ROLL
from tests.support.leaking import MODES, Planting

CALL = "Zyxwv-action"
LABEL = "Qqzzk-label"
SOURCE = "kkqqj.source"
NOTE = "Wvvxq-note"
WORDS = frozenset({LABEL, SOURCE})
BOON = {"action": CALL, "sources": [{"id": SOURCE, "label": LABEL, "sign": "boon"}]}
GOES_ON = (
    ("Gina", {"t": "SetOptions", "options": {"ad_hoc": "everyone"}}),
    ("Gina", {"t": "StartTurn", "actor": "hero"}),
    ("Gina", {"t": "EndTurn", "actor": "hero", "confirm": True}),
    ("Quin", {"t": "StartTurn", "actor": "friend"}),
    ("Gina", {"t": "EndRound"}),
)
"""An option touches whatever is open; turns and the round let clocks strike."""
PARTY = tuple((mode, roller) for roller in ("Pia", "Gina") for mode in ("public", "gm", "secret"))
"""What group_d12 takes of a check that may move the pool."""


def given(expiry, sign="boon", **more):
    """A Boon that everybody knows of."""
    return {"t": "Grant", "actors": ["hero"], "sign": sign, "source": {"id": f"luck.{expiry['when']}", "label": "Luck"}} | {
        "expiry": expiry,
        **more,
    }


def rolls(game, actor="hero", **more):
    """The game's plain check, before everybody's eyes."""
    return {**ROLL[game], "actors": [actor], **more}


DICE = Planting(
    name="dice, total, words",
    game="sage_d20",
    options={"boon_die": 100},
    roll={**ROLL["sage_d20"], **BOON},
    faces=(17, 97),
    dice=WORDS | {97, 117},  # 17, agility 13 is +3, and 97
    call=frozenset({CALL}),
    kept=False,
    later=(*GOES_ON, ("Pia", rolls("sage_d20"))),
)
FOE = Planting(
    name="a number of the foe",
    game="sage_d20",
    options={"boon_die": 100},
    roll={**ATTACK["sage_d20"], **BOON},
    faces=(11, 71),
    dice=WORDS | {71, 85},  # 11 + 3 + 71
    call=frozenset({CALL}),
    gms=frozenset({37}),  # Defense
    hides=True,
    preview=ATTACK["sage_d20"],
    later=(*GOES_ON, ("Pia", {**ATTACK["sage_d20"]})),
)
GRACE = Planting(
    name="a fumble against the foe",
    game="public_d20",
    options={"dice_public": False},
    roll={**ATTACK["public_d20"], **BOON},
    faces=(1, 1),
    dice=WORDS,
    call=frozenset({CALL}),
    gms=frozenset({29}),  # Grace
    hides=True,
    preview=ATTACK["public_d20"],
    later=(*GOES_ON, ("Pia", rolls("public_d20"))),
)
LOCK = Planting(
    name="a lock",
    game="rank_ability",
    options={"retry": "strict"},
    roll={**ROLL["rank_ability"], **BOON},
    faces=(1, 2, 1),
    dice=WORDS,
    call=frozenset({CALL}),
    settled=frozenset({CALL}),
    later=(*GOES_ON, ("Pia", rolls("rank_ability")), ("Gina", rolls("rank_ability", "friend"))),
)
POOL = Planting(
    name="the group's Boons",
    game="group_d12",
    before=(("Gina", {"t": "Act", "verb": "give_boon"}),),
    roll={**ROLL["group_d12"], **BOON, "params": {"skill": "skill.athletics", "difficulty": 47}},
    faces=(2, 3),
    dice=WORDS | {47},
    call=frozenset({CALL}),
    modes=PARTY,
    later=(*GOES_ON, ("Pia", rolls("group_d12")), ("Quin", rolls("group_d12", "friend", spendBefore=1))),
)
RESISTED = Planting(
    name="a number that resists",
    game="group_d12",
    before=(("Gina", {"t": "Act", "verb": "give_boon"}),),
    options={"success_level": True},
    roll={**ATTACK["group_d12"], **BOON},
    faces=(2, 3),
    dice=WORDS,
    call=frozenset({CALL}),
    gms=frozenset({29, 36}),  # Vigilance, and with 7 what has to be reached
    hides=True,
    preview=ATTACK["group_d12"],
    modes=PARTY,
    later=GOES_ON,
)
LEVEL = replace(RESISTED, name="how well it went against a hidden number", faces=(12, 3))
WAITING = replace(
    POOL,
    name="a choice that everybody sees",
    before=(*POOL.before, ("Pia", rolls("group_d12"))),
    later=(("Pia", rolls("group_d12")), *GOES_ON),
)
OPEN = Planting(
    name="what is open on a roll",
    game="deep_mine",
    roll={**ROLL["deep_mine"], **BOON, "params": {"load": 91}},
    faces=(3,),
    dice=WORDS | {91},
    call=frozenset({CALL}),
    later=(*GOES_ON, ("Quin", rolls("deep_mine", "friend"))),
)
OTHER_DICE = Planting(
    name="other dice",
    game="sage_d20",
    roll={"t": "RollDice", "formula": "1d100+800", "actor": "hero", "label": CALL},
    faces=(71,),
    dice=frozenset({71, 871}),
    call=frozenset({CALL}),
    kept=False,
    later=GOES_ON,
)
SPENT = Planting(
    name="one-use and timed Boons",
    game="sage_d20",
    options={"boon_die": 100},
    before=(
        ("Gina", given({"when": "next_roll"})),
        ("Gina", given({"when": "turn_end", "actor": "hero"})),
        ("Gina", given({"when": "round_end"}, "bane")),
        ("Gina", {"t": "SetCondition", "actors": ["hero"], "condition": "poisoned", "expiry": {"when": "round_end"}}),
    ),
    roll={**ROLL["sage_d20"], **BOON},
    faces=(19, 2, 2, 2, 2),
    dice=WORDS,
    call=frozenset({CALL}),
    kept=False,
    later=(("Pia", rolls("sage_d20")), *GOES_ON, ("Pia", rolls("sage_d20"))),
)
ASKED = {
    "t": "RequestCheck",
    "checks": [{"check": "skill", "params": {"difficulty": 43}}],
    "actors": ["hero", "friend"],
    "shown": False,
    "group": "one_success",
}
ANSWERS = {"t": "AnswerRequest", "request": "{request}", "actor": "hero", "params": {"skill": "skill.athletics"}}
DIFFICULTY = Planting(
    name="a difficulty that is not shown",
    game="group_d12",
    before=(("Gina", {"t": "Act", "verb": "give_boon"}), ("Gina", ASKED)),
    roll=ANSWERS,
    faces=(11,),
    other=(2,),
    alone=False,
    gms=frozenset({43}),
    hides=True,
    modes=(("public", "Pia"), ("gm", "Pia"), ("secret", "Pia")),
    later=GOES_ON,
)
GROUP = Planting(
    name="what a group came to",
    game="group_d12",
    before=(
        (
            "Gina",
            {
                "t": "RequestCheck",
                "checks": [{"check": "challenge"}],
                "actors": ["hero"],
                "group": "challenge",
                "difficulty": 53,
                "shown": False,
            },
        ),
    ),
    roll=ANSWERS,
    faces=(11,),
    other=(2,),
    alone=False,
    gms=frozenset({53}),
    hides=True,
    modes=(("public", "Pia"), ("gm", "Pia"), ("secret", "Pia")),
    later=GOES_ON,
)
ALONE = Planting(
    name="a request to one, who has still to choose",
    game="deep_mine",
    before=(
        (
            "Gina",
            {"t": "RequestCheck", "checks": [{"check": "descent", "params": {"load": 43}}], "actors": ["hero"], "shown": False},
        ),
    ),
    roll={**ANSWERS, "params": {}},
    faces=(3,),
    other=(1,),  # buried: there is nothing to choose
    alone=False,
    gms=frozenset({43}),
    hides=True,
    modes=(("gm", "Pia"), ("secret", "Pia"), ("blind", "Pia")),
    later=GOES_ON,
)
SECRET_REQUEST = Planting(
    name="a request that only GMs know of",
    game="sage_d20",
    before=(
        (
            "Gina",
            {
                "t": "RequestCheck",
                "checks": [{"check": "attribute", "params": {"attribute": "agility", "tn": 83}}],
                "actors": ["hero", "friend"],
                "mode": "secret",
                "action": CALL,
                "note": NOTE,
            },
        ),
    ),
    roll={"t": "RollForAbsent", "request": "{request}", "actors": ["hero"]},
    faces=(13,),
    gms=frozenset({CALL, NOTE, 83}),
    modes=(("secret", "Gina"),),
    later=GOES_ON,
)
CURSE = {"id": "hxqvv.curse", "label": "Hxqvv-curse"}


def unseen(sign, expiry, **more):
    """A Boon or a Bane that only GMs know of."""
    given = {"t": "Grant", "actors": ["hero"], "sign": sign, "source": CURSE, "note": NOTE, "hidden": True, "expiry": expiry}
    return "Gina", {**given, **more}


ROPE = {"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "rope", "label": "Rope"}}
UNSEEN = Planting(
    name="what only GMs know that an actor has",
    game="sage_d20",
    options={"boon_die": 100},
    secretly=(
        unseen("bane", {"when": "next_roll"}),
        unseen("bane", {"when": "turn_end", "actor": "hero"}),
        unseen("boon", {"when": "round_end"}, amount=67),
        unseen("bane", {"when": "combat_end"}),
    ),
    roll={**ROLL["sage_d20"], "action": CALL},
    faces=(11, *(2,) * 90),
    other=(11, *(2,) * 90),
    alone=False,
    dice=frozenset(),
    call=frozenset({CALL}),
    gms=frozenset({NOTE, CURSE["id"], CURSE["label"], 67}),
    later=(("Gina", ROPE), *GOES_ON, ("Pia", rolls("sage_d20")), ("Gina", {"t": "EndCombat"})),
)
PLANTINGS = (
    DICE, FOE, GRACE, LOCK, POOL, RESISTED, LEVEL, WAITING, OPEN, OTHER_DICE, SPENT, DIFFICULTY, GROUP, ALONE, SECRET_REQUEST,
    UNSEEN,
)  # fmt: skip
BY_NAME = {planting.name: planting for planting in PLANTINGS}

# The modes in which each planting's secret is at stake most; with these every mode and both rollers come at least twice.
SHORT = {
    FOE.name: (("public", "Pia"), ("gm", "Pia"), ("self", "Pia")),
    GRACE.name: (("blind", "Pia"), ("self", "Gina")),
    LOCK.name: (("public", "Pia"), ("gm", "Pia"), ("secret", "Pia"), ("self", "Pia")),
    POOL.name: (("public", "Pia"), ("secret", "Pia"), ("gm", "Gina")),
    RESISTED.name: (("public", "Pia"), ("gm", "Pia"), ("secret", "Pia")),
    LEVEL.name: (("public", "Pia"),),
    WAITING.name: (("gm", "Pia"),),
    OPEN.name: (("gm", "Pia"), ("blind", "Pia"), ("self", "Pia"), ("blind", "Gina")),
    OTHER_DICE.name: (("blind", "Pia"), ("secret", "Gina")),
    SPENT.name: (("gm", "Pia"), ("blind", "Pia"), ("self", "Pia")),
    DIFFICULTY.name: (("public", "Pia"), ("gm", "Pia")),
    GROUP.name: (("public", "Pia"), ("gm", "Pia")),
    ALONE.name: (("gm", "Pia"),),
    UNSEEN.name: (("public", "Pia"), ("gm", "Pia"), ("blind", "Pia"), ("gm", "Gina")),
    SECRET_REQUEST.name: (("secret", "Gina"),),
}
assert set(MODES) == {mode for modes in SHORT.values() for mode, _ in modes}
