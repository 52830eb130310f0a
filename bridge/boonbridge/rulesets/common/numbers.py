"""Numbers of actors and parameters of checks, compared with what a game declares of them.

Refuses what does not fit, with words that say what would. Shared by all games; knows none of them.
"""

from collections.abc import Iterable

from boonbridge.rulesets.base import Actor, Check, Table
from boonbridge_schemas.base import Key
from boonbridge_schemas.checks import Attack, Numbers
from boonbridge_schemas.codes import Code
from boonbridge_schemas.game import NumberSpec
from boonbridge_schemas.refusal import Refusal

DICE_PER_CHECK = 100
"""More are refused, never clamped (X-B10)."""

ON_CRIT_AT_MOST = 99
"""With every die of a check a critical, what they do together is still a number that a result can hold."""


def validate(numbers: Numbers, specs: Iterable[NumberSpec], *, attacks: bool, against: Iterable[Key] = ()) -> None:
    """Raises ``actor.bad_number`` where a number or an attack is not one of this game."""
    specs = tuple(specs)
    seen: set[Key] = set()
    for number in numbers.values:
        spec = spec_of(number.key, specs)
        if spec is None:
            raise _bad(number.key, f"This game knows no number {number.key!r}.")
        if number.key in seen:
            raise _bad(number.key, f"{spec.label} stands there twice.")
        seen.add(number.key)
        if spec.choices and all(choice.value != number.value for choice in spec.choices):
            words = ", ".join(choice.label for choice in spec.choices)
            raise _bad(number.key, f"{spec.label} is one of {words}.")
        if not spec.choices and not spec.min <= number.value <= spec.max:
            raise _bad(number.key, f"{spec.label} is from {spec.min} to {spec.max}.")
    _validate_attacks(numbers, specs, attacks=attacks, against=frozenset(against))


def _validate_attacks(numbers: Numbers, specs: tuple[NumberSpec, ...], *, attacks: bool, against: frozenset[Key]) -> None:
    if numbers.attacks and not attacks:
        raise _bad("attacks", "This game has no attacks of its own.")
    ids = [attack.id for attack in numbers.attacks]
    for attack in numbers.attacks:
        if ids.count(attack.id) > 1:
            raise _bad(attack.id, f"Two attacks have the id {attack.id!r}.")
        if spec_of(attack.attribute, specs) is None:
            raise _bad(attack.id, f"The attack {attack.name!r} uses {attack.attribute!r}, which this game does not know.")
        if attack.on_crit is not None and attack.on_crit.amount > ON_CRIT_AT_MOST:
            raise _bad(attack.id, f"A critical of the attack {attack.name!r} does at most {ON_CRIT_AT_MOST}.")
        if attack.against not in against:
            raise _bad(attack.id, f"The attack {attack.name!r} is rolled against one of {', '.join(sorted(against))}.")


def _bad(key: Key, message: str) -> Refusal:
    return Refusal(Code.ACTOR_BAD_NUMBER, message, values={"number": key})


def spec_of(key: Key, specs: Iterable[NumberSpec]) -> NumberSpec | None:
    """What a game says of a number: of one by its own name, or of one of a group (``skill.stealth``)."""
    group, dot, _ = key.partition(".")
    return next(
        (spec for spec in specs if (spec.key == group if spec.group and dot else spec.key == key and not spec.group)), None
    )


def number(actor: Actor, key: Key, specs: Iterable[NumberSpec]) -> int:
    """A number of an actor, or what the game gives everybody. Raises ``actor.number_missing``."""
    value = actor.number(key)
    if value is None:
        spec = spec_of(key, specs)
        value = spec.default if spec is not None else None
    if value is None:
        raise Refusal(
            Code.ACTOR_NUMBER_MISSING, f"{actor.name} has no number {key!r} yet.", values={"actor": actor.id, "number": key}
        )
    return value


def text(check: Check, key: Key) -> str | None:
    """A parameter that is a key or an id; None where it was not given."""
    value = check.params.get(key)
    return value if isinstance(value, str) else None


def integer(check: Check, key: Key) -> int | None:
    """A parameter that is a number or a die; None where it was not given."""
    value = check.params.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def needed(check: Check, key: Key) -> str:
    """A key or id that the check cannot do without. Raises ``roll.bad_parameter``."""
    value = text(check, key)
    if value is None:
        raise bad_parameter(key, f"{label(check, key)} is missing.")
    return value


def one_of(check: Check, key: Key) -> str:
    """A parameter of kind ``number``: one of the keys or of the group that its spec allows.

    Raises:
        Refusal: ``roll.bad_parameter``.
    """
    value = needed(check, key)
    spec = next(spec for spec in check.spec.params if spec.key == key)
    group, dot, _ = value.partition(".")
    if not (dot and group == spec.group) and all(choice.value != value for choice in spec.choices):
        raise bad_parameter(key, f"{spec.label} cannot be {value!r}.")
    return value


def attack_of(check: Check, key: Key = "attack") -> Attack:
    """The attack that a check names. Raises ``roll.bad_parameter``."""
    name = needed(check, key)
    found = next((attack for attack in check.actor.numbers.attacks if attack.id == name), None)
    if found is None:
        raise bad_parameter(key, f"{check.actor.name} has no attack {name!r}.")
    return found


def named_actor(table: Table, check: Check, key: Key) -> Actor:
    """The actor that a parameter names. Raises ``roll.bad_parameter``, ``actor.unknown``."""
    name = needed(check, key)
    found = table.actor(name)
    if found is None:
        raise Refusal(Code.ACTOR_UNKNOWN, values={"actor": name})
    return found


def target_of(check: Check) -> Actor:
    """Whom it is rolled against. Raises ``roll.target_needed``."""
    if check.target is None:
        raise Refusal(Code.ROLL_TARGET_NEEDED, values={"check": check.spec.key})
    return check.target


def label(check: Check, key: Key) -> str:
    """What a parameter is called."""
    return next((spec.label for spec in check.spec.params if spec.key == key), key)


def bad_parameter(key: Key, message: str) -> Refusal:
    """The refusal of one parameter."""
    return Refusal(Code.ROLL_BAD_PARAMETER, message, values={"parameter": key})


def within_limit(count: int) -> None:
    """Raises ``roll.too_many_dice`` before anybody draws, or computes, what would not be rolled anyway."""
    if count > DICE_PER_CHECK:
        raise Refusal(
            Code.ROLL_TOO_MANY_DICE, f"{count} dice; a check may have at most {DICE_PER_CHECK}.", values={"limit": DICE_PER_CHECK}
        )
