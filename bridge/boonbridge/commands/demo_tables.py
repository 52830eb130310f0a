"""The demo's people of paper: a party of two and an opponent for each game that ships."""

from boonbridge_schemas.checks import Attack, Number, Numbers, OnCrit
from boonbridge_schemas.commands import Command, Grant, SyncActor
from boonbridge_schemas.grants import Expiry, GrantSource


def _numbers(attacks: tuple[Attack, ...] = (), /, **values: int) -> Numbers:
    return Numbers(values=tuple(Number(key=key, value=value) for key, value in values.items()), attacks=attacks)


def _named(group: str, /, **values: int) -> tuple[Number, ...]:
    return tuple(Number(key=f"{group}.{name}", label=name.replace("_", " ").capitalize(), value=v) for name, v in values.items())


def _attack(name: str, attribute: str, crit: str = "", amount: int = 1) -> Attack:
    on_crit = OnCrit(name=crit, amount=amount) if crit else None
    return Attack(id=name.lower().replace(" ", "_"), name=name, attribute=attribute, on_crit=on_crit)


PEOPLE: dict[str, tuple[tuple[str, Numbers], tuple[str, Numbers], tuple[str, Numbers]]] = {
    "rank_ability": (
        ("Mira", _numbers(rank=3, str=8, agi=6, con=8, lor=4, pre=6)),
        ("Teo", _numbers(rank=2, str=4, agi=8, con=6, lor=10, pre=8)),
        ("Gate Warden", _numbers(rank=4, str=10, agi=6, con=10, lor=6, pre=8)),
    ),
    "public_d20": (
        (
            "Ash",
            Numbers(
                values=(Number(key="grace", value=2), *_named("attribute", might=3, wits=1, nerve=2)),
                attacks=(_attack("Maul", "attribute.might", "Sunder", 2),),
            ),
        ),
        (
            "Bo",
            Numbers(
                values=(Number(key="grace", value=4), *_named("attribute", might=0, wits=4, nerve=2)),
                attacks=(_attack("Ember dart", "attribute.wits", "Ignite"),),
            ),
        ),
        (
            "Gnoll",
            Numbers(
                values=(Number(key="grace", value=3), *_named("attribute", might=2, wits=0, nerve=1)),
                attacks=(_attack("Jaws", "attribute.might"),),
            ),
        ),
    ),
    "sage_d20": (
        ("Kestrel", _numbers((_attack("Longbow", "agility"),), strength=9, agility=13, intellect=11, will=10, defense=13)),
        ("Odalys", _numbers((_attack("Staff", "strength"),), strength=10, agility=10, intellect=14, will=12, defense=11)),
        ("Bog Hag", _numbers((_attack("Claws", "strength"),), strength=13, agility=9, intellect=12, will=14, defense=14)),
    ),
    "group_d12": (
        ("Ana", Numbers(values=_named("skill", athletics=3, lore=1, stealth=2, empathy=0))),
        ("Bela", Numbers(values=_named("skill", athletics=0, lore=4, stealth=1, empathy=3))),
        ("Night Watch", Numbers(values=_named("skill", athletics=2, vigilance=3))),
    ),
}


def actor_id(name: str) -> str:
    """The id of a demo actor."""
    return name.lower().replace(" ", "-")


def commands(ruleset: str, player: str) -> list[Command]:
    """What a GM does to set the demo's table: the party belongs to the player, and one Boon stands already."""
    *party, (foe, foe_numbers) = PEOPLE[ruleset]
    made: list[Command] = [
        SyncActor(actor=actor_id(name), name=name, side="party", owners=(player,), numbers=numbers) for name, numbers in party
    ]
    made.append(SyncActor(actor=actor_id(foe), name=foe, side="opposition", owners=(), numbers=foe_numbers))
    source = GrantSource(id="high_ground", label="High ground", kind="position")
    made.append(Grant(actors=(actor_id(party[0][0]),), sign="boon", source=source, expiry=Expiry(when="none")))
    return made
