#!/usr/bin/env python3
"""Write the generated parts of the reference anew, between their markers; with ``--check`` say what differs.

docs/reference/command-line.md comes from the command line itself, docs/reference/rulesets.md from what each game says of itself,
docs/reference/rules-coverage.md from the tests and examples that show a rule (rule_index.py).
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import rule_index

from boonbridge.cli import app
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.game import (
    ConditionSpec,
    GroupSpec,
    MarkSpec,
    NumberSpec,
    Option,
    OptionSpec,
    ParamSpec,
    RulesetInfo,
    VerbSpec,
)
from boonbridge_schemas.tabledata import TableData

HERE = Path(__file__).parent

_FEW = 3
"""So many tests, examples or places stand in a row; the others are counted."""


def command_line() -> str:
    """Every command with its flags."""
    text = app.generate_docs(output_format="markdown", include_hidden=False)
    commands = text[text.index("## boonbridge ") :]
    commands = re.sub(r"^(#+) boonbridge (.+)$", r"\1 `\2`", commands, flags=re.MULTILINE)
    return commands.replace("](#boonbridge-", "](#").replace("```console\n", "```text\n").strip()


def rulesets() -> str:
    """Every game: checks, numbers of an actor, ready-made reasons, conditions, moves, switches, and what a table may choose."""
    return "\n\n".join(_game(game.info(game.options())) for game in shipped().values())


def _game(info: RulesetInfo) -> str:
    parts = [f"## `{info.id}`: {info.title}", info.summary, "### Checks"]
    for check in info.checks:
        against = {"none": "", "optional": "; may be against somebody", "required": "; against somebody"}[check.targets]
        parts += [f"**`{check.key}`** ({check.label}{against})", "\n".join(map(_parameter, check.params)) or "No parameters."]
    numbers = "\n".join(map(_number, info.numbers))
    parts += ["### Numbers of an actor", numbers]
    if info.circumstances:
        parts += ["### Ready-made reasons", _reasons(info)]
    if info.conditions:
        parts += ["### Conditions", "\n".join(map(_condition, info.conditions))]
    if info.verbs:
        parts += ["### Moves at the table", "\n".join(map(_move, info.verbs))]
    if info.groups:
        parts += ["### Asked together", "\n".join(map(_together, info.groups))]
    if info.marks:
        parts += ["### Switches for everybody to see", "\n".join(map(_switch, info.marks))]
    rows = "\n".join(map(_option, info.option_specs))
    parts += [
        "### What a table may choose",
        f"| option | what it asks | values (the first is usual) |\n| --- | --- | --- |\n{rows}",
    ]
    if info.data is not None:
        parts += ["### What a table may edit", "\n".join(_editable(info.data))]
    return "\n\n".join(parts)


def _editable(data: TableData) -> Iterator[str]:
    """The parts of its data that a game has, with what it has of its own; ``°`` stands where the sources leave it open."""
    for ladder in data.ladders:
        steps = ", ".join(f"{step.value} {step.label}{_open(proposed=step.proposed)}" for step in ladder.steps)
        yield f"- ladder `{ladder.key}`: {steps or 'no named values yet'}"
    for amount in data.amounts:
        label = f" ({amount.label})" if amount.label else ""
        yield f"- amount `{amount.key}`{label}: {amount.value}{_open(proposed=amount.proposed)}"
    if data.on_crits:
        yield f"- what criticals do: {', '.join(f'{each.name} {each.amount}' for each in data.on_crits)}"
    if data.rank_dice:
        yield f"- dice by Rank: {', '.join(f'{rank} d{sides}' for rank, sides in enumerate(data.rank_dice, start=1))}"
    if data.level_step is not None:
        yield f"- one success level more for every {data.level_step} above the difficulty"
    if data.xp_per_level is not None:
        yield f"- a skill's next level costs {data.xp_per_level} times the new level"
    yield "- ready-made reasons, and conditions of its own"


def _open(*, proposed: bool) -> str:
    return "°" if proposed else ""


def _parameter(param: ParamSpec) -> str:
    kind = {"number": f"one of the {'target' if param.of_target else 'actor'}'s numbers", "attack": "one of the actor's attacks"}
    kind |= {"actor": "an actor", "flag": "true or false", "die": "the sides of a die"}
    said = kind.get(param.kind, _range(param.min, param.max))
    if param.kind == "choice":
        said = _values(param.choices)
    elif param.kind == "number" and param.group:
        said += f", `{param.group}.…`"
    elif param.choices:
        said += f": {_values(param.choices)}"
    if param.ladder:
        said += f" ({', '.join(f'{rung.value} {rung.label}' for rung in param.ladder)})"
    usual = f", {param.default} if left out" if param.default is not None else "" if param.required else ", may be left out"
    return f"- `{param.key}` ({param.label}): {said}{usual}"


def _number(number: NumberSpec) -> str:
    key = f"{number.key}.…" if number.group else number.key
    said = _values(number.choices) if number.choices else _range(number.min, number.max)
    usual = f", usually {number.default}" if number.default is not None else ""
    free = ", any number of them under names of your own" if number.group else ""
    return f"- `{key}` ({number.label}): {said}{usual}{free}"


def _reasons(info: RulesetInfo) -> str:
    named = [f"{'▲' if each.sign == 'boon' else '▼'} {each.label} (`{each.id}`)" for each in info.circumstances]
    return ", ".join(named)


def _condition(spec: ConditionSpec) -> str:
    luck = {"never": "", "may": "a luck roll may end it", "always": "a luck roll ends it"}[spec.luck]
    more = ["has an amount" if spec.counted else "", "remembers who gave it" if spec.giver else "", luck]
    about = f"one for each of {_values(spec.of)}, as `{spec.key}.…`" if spec.of else ""
    said = ", ".join(each for each in (*more, about) if each)
    return f"- `{spec.key}` ({spec.label}{f'; {said}' if said else ''}) {spec.help}".rstrip()


def _move(verb: VerbSpec) -> str:
    who = {"gm": "GMs", "player": "players and GMs"}[verb.who]
    asks = f" Asks for {', '.join(f'`{param.key}`' for param in verb.params)}." if verb.params else ""
    return f"- `{verb.key}` ({verb.label}; {who}) {verb.help}{asks}".rstrip()


def _switch(mark: MarkSpec) -> str:
    values = ", ".join(f"`{_plain(value.value)}` {value.label}" for value in mark.values)
    return f"- `{mark.key}` ({mark.label}): {values}. {mark.help}".rstrip()


def _option(option: OptionSpec) -> str:
    values = sorted(option.values, key=lambda value: value.value != option.default)
    said = "; ".join(f"`{_plain(value.value)}` {value.label}" for value in values)
    if option.min is not None or option.max is not None:
        whole = f"`{_plain(option.default)}`, or {_range(option.min, option.max)}"
        others = "; ".join(f"`{_plain(value.value)}` {value.label}" for value in option.values if value.value != option.default)
        said = f"{whole}{f'; {others}' if others else ''}"
    elif not option.values:
        said = f"`{_plain(option.default)}`"
    where = " ".join(filter(None, (", ".join(option.rules), "ours, not the rules'" if option.ours else "")))
    asks = " ".join(filter(None, (f"{option.label}.", option.help, option.example, _idle(option))))
    return f"| `{option.key}` | {asks}{f' ({where})' if where else ''} | {said} |"


def _idle(option: OptionSpec) -> str:
    """With which values of others it decides nothing."""
    idle = " or ".join(f"`{when.option}` is `{_plain(when.value)}`" for when in option.idle)
    return f"Decides nothing while {idle}." if idle else ""


def _together(spec: GroupSpec) -> str:
    """A way in which the rolls of a request belong together."""
    of = f" Takes {', '.join(f'`{check}`' for check in spec.checks)}." if spec.checks else ""
    own = (
        f" The group has a number of its own to reach{', for each member' if spec.per_member else ''}." if spec.difficulty else ""
    )
    return f"- `{spec.key}` ({spec.label}{', ours' if spec.ours else ''}) {spec.help}{of}{own}".rstrip()


def _values(options: tuple[Option, ...]) -> str:
    return ", ".join(f"`{_plain(option.value)}`" for option in options)


def _range(low: int | None, high: int | None) -> str:
    return f"a whole number from {low} to {high}" if low is not None and high is not None else "a whole number"


def _plain(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else "none" if value is None else str(value)


def coverage() -> str:
    """Every rule with what shows it, and what carries it."""
    listed = rule_index.rules()
    parts: list[str] = []
    for game, info in ((name, game.info(game.options())) for name, game in shipped().items()):
        rows = "\n".join(_rule(rule) for rule in listed if rule.game == game)
        parts += [
            f"## `{info.id}`: {info.title}",
            f"| rule | what it says | shown by | carried by |\n| --- | --- | --- | --- |\n{rows}",
        ]
    return "\n\n".join(parts)


def _rule(rule: rule_index.Rule) -> str:
    shown = [f"example {', '.join(rule.examples[:_FEW])}{_more(rule.examples)}"] if rule.examples else []
    shown += [f"`{test.removeprefix('tests/')}`" for test in rule.tests[:_FEW]]
    carried = [f"option `{option}`" for option in rule.options] + [f"command `{command}`" for command in rule.commands]
    places = list(dict.fromkeys(where for _, where in rule.says))
    carried += [f"words at `{where}`" for where in places[:_FEW]]
    return f"| {rule.id} | {rule.title} | {'; '.join(shown)}{_more(rule.tests)} | {'; '.join(carried)}{_more(places)} |"


def _more(found: list[str]) -> str:
    return f" and {len(found) - _FEW} more" if len(found) > _FEW else ""


PAGES = {
    "reference/command-line.md": ("command line", command_line),
    "reference/rulesets.md": ("rulesets", rulesets),
    "reference/rules-coverage.md": ("rules coverage", coverage),
}


def written(page: str, text: str) -> str:
    """The text of a page with its generated part as it should be."""
    name, made = PAGES[page]
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n\n{made()}\n\n{end}{rest.partition(end)[2]}"


def main() -> None:
    """Write, or compare."""
    stale = []
    for page in PAGES:
        path = HERE / page
        text = path.read_text("utf-8")
        if (fresh := written(page, text)) != text:
            stale.append(page)
            if "--check" not in sys.argv:
                path.write_text(fresh, encoding="utf-8")
    if stale and "--check" in sys.argv:
        sys.exit(f"Not as generated: {', '.join(stale)}. `make docs` writes them anew.")


if __name__ == "__main__":
    main()
