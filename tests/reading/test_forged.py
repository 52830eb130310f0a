"""Exports that somebody without any key made to fit, hash by hash: what no hash can show is found, or not claimed to be checked."""

import io
import json
from hashlib import sha256

import pytest

from tests.commands.test_verify import failing
from tests.reading.common import by_the_script, file_of, found_in_file, log
from tests.schemas.common import verify
from tests.support.cli import environment, inside, run

FEW = 64


def made_to_fit(lines):
    """The lines with every hash after the head computed anew, as whoever changed something in them would do."""
    head, *commits, trailer, _ = map(json.loads, lines)
    before = "0" * 64
    for commit in commits:
        commit["prevHash"] = before
        before = commit["hash"] = verify.chain_hash(commit)
    trailer["hash"] = before
    made = [json.dumps(each).encode() + b"\n" for each in (head, *commits, trailer)]
    # What a file begins with tells the script what it is.
    made[0] = lines[0]
    return [*made, json.dumps({"t": "end", "sha256": sha256(b"".join(made)).hexdigest()}).encode() + b"\n"]


def players():
    """A player's export as records: the head, the commits, trailer and end."""
    return [json.loads(line) for line in file_of(*log("sage_d20", FEW), "player")]


def written(records):
    lines = [json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in records]
    return made_to_fit(lines)


def a_roll(records):
    """A commit whose dice everybody sees, the last one: its record and what stands in its public part."""
    for record in reversed(records):
        if record["t"] == "commit" and record["parts"]["all"].get("bytes"):
            content = json.loads(record["parts"]["all"]["bytes"])
            if list(verify.dice_of(content["events"])):
                return record, content
    raise AssertionError("nobody rolled")


def with_another_seed(record, content):
    """Its dice as another seed gives them, which nobody promised."""
    part = record["parts"]["all"]
    part["seed"] = "5" * 64
    for index, die in enumerate(verify.dice_of(content["events"])):
        die["face"] = verify.face(bytes.fromhex(part["seed"]), content["id"], index, die["sides"])


def test_what_is_made_to_fit_and_says_the_same_holds():
    lines = written(players())
    assert found_in_file(b"".join(lines)) is None
    assert by_the_script(b"".join(lines)) is None


@pytest.mark.parametrize("with_promises", ["none", "in the roll", "as an opening", "as a new epoch", "of its own"])
def test_a_seed_that_was_not_promised_is_found_whatever_promises_stand_with_it(with_promises):
    records = players()
    record, content = a_roll(records)
    with_another_seed(record, content)
    header = json.loads(record["header"])
    later = [each for each in records if each["t"] == "commit" and each["seq"] > record["seq"]]
    promises = [verify.seed_hash(each) for each in later]
    promises += ["0" * 64] * (63 - len(promises)) + [header["seedHash"]]
    if with_promises == "in the roll":
        content["events"][0]["seedHashes"] = promises
    elif with_promises == "as an opening":
        content["events"].insert(0, {"t": "TableOpened", "title": "-", "ruleset": "sage_d20", "seedHashes": promises})
    elif with_promises == "as a new epoch":
        header["epoch"] += 1
        event = {"t": "LadderRestarted", "epoch": header["epoch"], "reason": "restored", "seedHashes": promises}
        content["events"].insert(0, event)
    elif with_promises == "of its own":
        content["seedHashes"] = promises
    record["header"] = json.dumps(header)
    record["parts"]["all"]["bytes"] = json.dumps(content)
    for each in (record, *later):
        if with_promises not in ("none", "of its own"):
            each["promisedBy"] = None if each is record else record["seq"]
        if with_promises == "as a new epoch":
            each["header"] = json.dumps(json.loads(each["header"]) | {"epoch": header["epoch"]})
    if with_promises == "as a new epoch":
        records[-2]["epoch"] = header["epoch"]
    data = b"".join(written(records))
    assert found_in_file(data) is not None
    assert by_the_script(data) is not None


def test_a_tape_that_is_said_to_have_been_there_is_said_again(tmp_path):
    records = players()
    opening = json.loads(records[1]["parts"]["all"]["bytes"])
    opening["events"][0]["taped"] = True
    records[1]["parts"]["all"]["bytes"] = json.dumps(opening)
    record, content = a_roll(records)
    for die in verify.dice_of(content["events"]):
        die["face"] = die["sides"]
    record["parts"]["all"]["bytes"] = json.dumps(content)
    file = tmp_path / "made-up.jsonl"
    file.write_bytes(b"".join(written(records)))
    assert "came from a tape" in inside("verify", file).out
    what = list(verify.export_checks(*_opened(file)))
    assert all(holds for holds, _ in what)
    assert "a tape, which prove nothing" in what[-1][1]


def test_dice_that_are_said_to_have_been_rolled_by_hand_are_counted(tmp_path):
    records = players()
    record, content = a_roll(records)
    count = len(list(verify.dice_of(content["events"])))
    by_hand = _by_hand(records)
    for event in content["events"]:
        if event["t"] in ("CheckRolled", "DiceRolled", "Chosen"):
            event.get("rolled", event)["manual"] = True
            for die in (event.get("result") or event).get("dice", []):
                die["face"] = die["sides"]
    record["parts"]["all"]["bytes"] = json.dumps(content)
    file = tmp_path / "made-up.jsonl"
    file.write_bytes(b"".join(written(records)))
    assert f"{by_hand + count} dice were rolled by hand and have none" in inside("verify", file).out
    assert f"; {by_hand + count} dice by hand" in list(verify.export_checks(*_opened(file)))[-1][1]


def test_nothing_is_claimed_of_whoever_wrote_it(tmp_path):
    """A log made up from the first commit on holds; only the mark of the table's key tells whose it is, and that is said."""
    file = tmp_path / "made-up.jsonl"
    file.write_bytes(b"".join(written(players())))
    said = inside("verify", file).out
    assert "since it was written" not in said
    assert "Its mark was not checked, so it is not shown which bridge wrote any of it" in said
    other = tmp_path / "other"
    assert inside("table", "new", "house", "--data", other).code == 0
    assert "is not marked with the key of this table" in failing(file, "--data", other).err


@pytest.mark.parametrize("moment", [253_402_214_400_000, 2**53, 2**63, 10**30])
def test_a_moment_that_has_no_date_is_found_and_named(tmp_path, moment):
    """The first is that after 9999-12-30T23:59:59.999Z: wherever one is, there are words for that one."""
    records = players()
    header = json.loads(records[-3]["header"])
    records[-3]["header"] = json.dumps(header | {"at": moment})
    file = tmp_path / "made-up.jsonl"
    file.write_bytes(b"".join(written(records)))
    assert f"commit {FEW}: its header is not one" in failing(file).err


@pytest.mark.parametrize(("zone", "when"), [("UTC", "9999-12-30 23:59+00:00"), ("<+14>-14", "9999-12-31 13:59+14:00")])
def test_the_last_moment_there_is_has_its_date(tmp_path, zone, when):
    records = players()
    records[-3]["header"] = json.dumps(json.loads(records[-3]["header"]) | {"at": 253_402_214_399_999})
    file = tmp_path / "made-up.jsonl"
    file.write_bytes(b"".join(written(records)))
    assert f"the last of {when}" in run("verify", file, env=environment(TZ=zone)).out


def _by_hand(records):
    parts = (part for each in records if each["t"] == "commit" for part in verify.content_of(each).values())
    return sum(len(list(verify.dice_of(part["events"], by_hand=True))) for part in parts)


def _opened(file):
    source = io.BytesIO(file.read_bytes())
    return source.readline(), source.readline
