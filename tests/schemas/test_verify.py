"""The script anybody can check a roll with: it takes the goldens, and finds every changed byte in them."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boonbridge_schemas.base import PARTS
from tests.schemas.common import GOLDEN, verify

PAIRS = {
    "a roll promised by a header": ("proof-roll.json", "proof-promise.json"),
    "a bought die promised by the opening": ("proof-choice.json", "proof-opening.json"),
    "a round that rolls by itself": ("proof-round.json", "proof-round-promise.json"),
}
HAND = ("proof-hand.json", "proof-opening.json")


def pair(name):
    roll, promise = (json.loads((GOLDEN / file).read_text("utf-8")) for file in PAIRS.get(name, HAND))
    return promise, roll


def found(promise, roll):
    """Whether the script finds something wrong."""
    try:
        return not all(holds for holds, _ in verify.checks(promise, roll))
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return True


def places(promise, roll):
    """Every text in both that something is claimed by, as a commit and a path into it.

    Not the seeds of the promise itself: what they are worth stands in the commit that promised them in turn.
    """
    for which, commit in (("promise", promise), ("roll", roll)):
        yield from ((which, (key,)) for key in ("header", "hash", "prevHash"))
        for part in PARTS:
            for key, text in commit["parts"][part].items():
                if text and not (which == "promise" and key in ("seed", "seedHash")):
                    yield which, ("parts", part, key)


def text_at(commit, path):
    for key in path:
        commit = commit[key]
    return commit


def changed(name, which, path, position, char):
    """Both commits, with one character of one text changed."""
    commits = dict(zip(("promise", "roll"), copy.deepcopy(pair(name)), strict=True))
    holder = text_at(commits[which], path[:-1])
    text = holder[path[-1]]
    holder[path[-1]] = text[:position] + char + text[position + 1 :]
    return commits["promise"], commits["roll"]


@pytest.mark.parametrize("name", PAIRS)
def test_the_goldens_hold_and_dice_are_among_what_was_checked(name):
    said = list(verify.checks(*pair(name)))
    assert [what for holds, what in said if not holds] == []
    assert sum(" die " in what for _, what in said) >= 1


def test_dice_of_checks_and_others_are_counted_in_the_order_in_which_they_stand():
    _, roll = pair("a round that rolls by itself")
    events = json.loads(roll["parts"]["all"]["bytes"])["events"]
    kinds = [event["t"] for event in events if event["t"] in ("DiceRolled", "CheckRolled")]
    assert kinds == ["DiceRolled"] * 3 + ["CheckRolled"] * 2
    in_order = [die for event in events for die in event.get("dice") or (event.get("result") or {}).get("dice", [])]
    assert list(verify.dice_of(events)) == in_order
    assert [die["sides"] for die in in_order[:3]] == [6, 6, 6]
    assert len(in_order) >= 5


def test_dice_rolled_by_hand_have_no_seed_and_it_says_so():
    said = list(verify.checks(*pair("by hand")))
    assert all(holds for holds, _ in said)
    assert [what for holds, what in said if holds == "by hand"] == [
        "part all: a d12 shows 9, rolled by hand: nothing to recompute"
    ]
    assert not any(" die " in what for _, what in said)
    done = run(*(str(GOLDEN / file) for file in HAND))
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Everything holds.")
    assert "by hand part all: a d12 shows 9, rolled by hand" in done.stdout


@pytest.mark.parametrize("face", [1, 12])
def test_a_die_rolled_by_hand_that_is_changed_later_is_found(face):
    promise, roll = pair("by hand")
    part = roll["parts"]["all"]
    part["bytes"] = part["bytes"].replace('"face":9', f'"face":{face}')
    assert found(promise, roll)


@pytest.mark.parametrize("name", PAIRS)
def test_every_changed_character_is_found(name):
    promise, roll = pair(name)
    commits = {"promise": promise, "roll": roll}
    count = 0
    for which, path in places(promise, roll):
        holder, key = text_at(commits[which], path[:-1]), path[-1]
        whole = holder[key]
        for position, char in enumerate(whole):
            other = "0" if char != "0" else "1"
            holder[key] = whole[:position] + other + whole[position + 1 :]
            assert found(promise, roll), f"{which} {'.'.join(path)}[{position}]: {char!r} became {other!r}"
            count += 1
        holder[key] = whole
    assert count > 1000


@given(st.data())
def test_whatever_a_character_becomes_is_found(data):
    name = data.draw(st.sampled_from(sorted(PAIRS)))
    promise, roll = pair(name)
    which, path = data.draw(st.sampled_from(list(places(promise, roll))))
    text = text_at({"promise": promise, "roll": roll}[which], path)
    position = data.draw(st.integers(0, len(text) - 1))
    char = data.draw(st.characters(codec="utf-8").filter(lambda char: char != text[position]))
    assert found(*changed(name, which, path, position, char))


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("key", ["seq", "promisedBy"])
def test_another_number_is_found(name, key):
    promise, roll = pair(name)
    assert found(promise, {**roll, key: roll[key] + 1})


@pytest.mark.parametrize("name", PAIRS)
def test_a_die_that_is_changed_and_hashed_anew_is_still_not_what_its_seed_gives(name):
    promise, roll = pair(name)
    part = roll["parts"]["all"]
    content = json.loads(part["bytes"])
    die = next(verify.dice_of(content["events"]))
    die["face"] = die["face"] % die["sides"] + 1
    part["bytes"] = json.dumps(content)
    roll["hash"] = verify.chain_hash(roll)
    assert next(what for holds, what in verify.checks(promise, roll) if not holds).startswith("part all, die 1")


def run(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-I", verify.__file__, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_from_files_it_says_what_holds():
    done = run(*(str(GOLDEN / file) for file in PAIRS["a roll promised by a header"]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Everything holds."
    assert all(line.startswith("ok ") for line in done.stdout.splitlines()[:-1])


def test_from_lines_on_standard_input_in_any_order_too():
    lines = [json.dumps(commit) for commit in reversed(pair("a roll promised by a header"))]
    assert run(stdin="\n".join(lines) + "\n").returncode == 0


def test_it_names_what_failed_and_exits_with_1():
    promise, roll = pair("a roll promised by a header")
    roll["parts"]["all"]["seed"] = "0" * 64
    done = run(stdin=json.dumps(promise) + "\n" + json.dumps(roll))
    assert done.returncode == 1
    assert f"FAILED  the seed of commit {roll['seq']} is the one that was promised" in done.stdout
    assert "Not proven" in done.stderr


@pytest.mark.parametrize("stdin", ["", "{}", "[1]\n[2]", "not json", '{"seq": 1}\n{"seq": 2}'])
def test_anything_else_is_not_proven(stdin):
    done = run(stdin=stdin)
    assert done.returncode == 1
    assert "Not proven" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_is_short_and_needs_nothing_but_python():
    text = Path(verify.__file__).read_text("utf-8")
    assert len(text.splitlines()) <= 150
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported <= sys.stdlib_module_names
