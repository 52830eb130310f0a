"""Exports: an honest one holds, for whoever's eyes it was made; a damaged one is found by the bridge and by the script alike.

The script (``docs/verify.py``) knows nothing of the bridge: it was written from the protocol alone.
"""

import io
import json
import random
from hashlib import sha256

import pytest

from boonbridge.core.ladder import rung
from boonbridge.reading.evidence import TooNew
from boonbridge.reading.exported import LONGEST_LINE, lines_of, marked, verify_file
from boonbridge_schemas.base import PARTS
from tests.reading.common import GAMES, by_the_script, file_of, found_in_file, log
from tests.schemas.common import verify
from tests.support.house import ROW

FEW = 64
EYES = (None, "gm", "player", "observer")


def sealed(lines):
    """The lines with the last one made anew: whoever changes a file can do that."""
    return [*lines[:-1], json.dumps({"t": "end", "sha256": sha256(b"".join(lines[:-1])).hexdigest()}).encode() + b"\n"]


def both_find(lines):
    """What the bridge finds; the script finds something, too."""
    data = b"".join(lines)
    broken = found_in_file(data)
    assert broken is not None
    assert by_the_script(data) is not None, broken
    return broken


def line(lines, n, **change):
    """The lines with some keys of the n-th changed, counted from 0."""
    made = json.loads(lines[n]) | change
    return [*lines[:n], json.dumps(made).encode() + b"\n", *lines[n + 1 :]]


@pytest.fixture
def complete():
    return file_of(*log("group_d12", FEW))


@pytest.fixture
def players():
    return file_of(*log("group_d12", FEW), "player")


# --- honest ones --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("eyes", EYES)
def test_an_honest_export_holds_for_both(game, eyes):
    row, commits, keys = log(game, FEW)
    data = b"".join(file_of(row, commits, keys, eyes))
    report = verify_file(lines_of(io.BytesIO(data)), GAMES.get)
    assert by_the_script(data) is None
    assert (report.log.commits, report.log.hash) == (len(commits), commits[-1].hash)
    assert report.log.whole == (eyes is None)
    assert report.log.recomputed == (len(commits) if eyes is None else 0)
    key = keys[report.log.epoch]
    assert marked(report.trailer, ROW.id, key)
    assert not marked(report.trailer, ROW.id, bytes(32))
    assert not marked(report.trailer, "other", key)


def test_progress_is_told_commit_by_commit(players):
    seen = []
    verify_file(players, GAMES.get, seen.append)
    assert seen == list(range(1, len(players) - 2))


# --- damage -------------------------------------------------------------------------------------------------------------
def bytes_are_found(data, chance, count):
    for at in chance.sample(range(len(data)), count):
        changed = data[:at] + bytes([chance.choice([byte for byte in range(256) if byte != data[at]])]) + data[at + 1 :]
        assert found_in_file(changed) is not None, at
        assert by_the_script(changed) is not None, at


def cuts_are_found(data, places):
    for at in places:
        assert found_in_file(data[:at]) is not None, at
        assert by_the_script(data[:at]) is not None, at


@pytest.mark.parametrize("eyes", [None, "player"])
def test_a_byte_changed_anywhere_is_found_by_both(eyes):
    data = b"".join(file_of(*log("group_d12", FEW), eyes))
    bytes_are_found(data, random.Random(1), 40)


def test_a_file_that_was_cut_off_is_found_by_both(players):
    data = b"".join(players)
    ends = [len(b"".join(players[:n])) for n in range(0, len(players), 8)]
    cuts_are_found(data, [*ends, len(data) - 1, *random.Random(2).sample(range(len(data)), 10)])


@pytest.mark.long
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize(("game", "eyes"), [("group_d12", None), ("sage_d20", "player"), ("public_d20", "gm")])
def test_many_bytes_and_every_line_of_a_long_export(game, eyes):
    lines = file_of(*log(game, 150), eyes)
    data = b"".join(lines)
    bytes_are_found(data, random.Random(3), 500)
    cuts_are_found(data, [len(b"".join(lines[:n])) for n in range(len(lines))])
    for n in range(1, len(lines) - 2):
        both_find(sealed(lines[:n] + lines[n + 1 :]))
        both_find(sealed([*lines[: n + 1], *lines[n:]]))
        both_find(sealed([*lines[:n], lines[n + 1], lines[n], *lines[n + 2 :]]))


def test_a_commit_removed_repeated_or_swapped_is_named(complete, players):
    for lines in (complete, players):
        assert both_find(sealed(lines[:9] + lines[10:])).seq == 9
        assert both_find(sealed([*lines[:10], *lines[9:]])).seq == 9
        assert both_find(sealed([*lines[:9], lines[10], lines[9], *lines[11:]])).seq == 9


def test_a_tail_that_was_cut_is_found_by_the_trailer(complete):
    count = len(complete) - 3
    broken = both_find(sealed([*complete[: count - 4], *complete[-2:]]))
    assert broken.why == f"its trailer counts {count} commits, and there are {count - 5}"
    last = json.loads(complete[count - 5])
    fitted = line([*complete[: count - 4], *complete[-2:]], -2, count=count - 5, hash=last["hash"])
    data = b"".join(sealed(fitted))
    report = verify_file(lines_of(io.BytesIO(data)), GAMES.get)  # that far it holds, and the key alone knows better
    assert by_the_script(data) is None
    _, _, keys = log("group_d12", FEW)
    assert not marked(report.trailer, ROW.id, keys[1])


# --- made to fit --------------------------------------------------------------------------------------------------------
def test_parts_of_two_exports_in_one_file_are_found():
    one, other = (file_of(*log("group_d12", count), "player") for count in (FEW, FEW + 1))
    foreign = file_of(*log("sage_d20", FEW), "player")
    assert both_find(sealed([*one[:20], *foreign[20:]])).seq == 20
    assert both_find(sealed([*one[:-2], *foreign[-2:]])).seq is None
    assert both_find([*one, *other]).why == "it goes on after its end"
    assert both_find(sealed([*one[:20], *other])).why == "line 21 is a second head: parts of two exports are mixed"
    assert both_find(sealed([foreign[0], *one[1:]])) is not None


def test_a_commit_for_other_eyes_fits_since_it_is_the_same_commit(complete, players):
    """A player who also holds the complete one learns nothing false: every line of both is of one log."""
    data = b"".join(sealed([*players[:20], *complete[20:]]))
    assert found_in_file(data) is None
    assert by_the_script(data) is None
    broken = found_in_file(b"".join(sealed([*complete[:20], *players[20:]])))
    assert (broken.seq, broken.why) == (20, "a part of it is not shown, and the head says that the export is complete")


def changed_part(lines, n, name, **change):
    parts = json.loads(lines[n])["parts"]
    parts[name] = {key: value for key, value in (parts[name] | change).items() if value is not None}
    return sealed(line(lines, n, parts=parts))


def test_seeds_salts_and_hashes_that_are_others_are_found(complete, players):
    wrong = "0" * 64
    assert both_find(changed_part(complete, 9, "gm", seed=wrong)).why == "its seeds are not those that commit 1 promised"
    assert both_find(changed_part(players, 9, "gm", seedHash=wrong)).why == "its seeds are not those that commit 1 promised"
    for lines, key in ((complete, "salt"), (players, "leaf")):
        broken = both_find(changed_part(lines, 9, "gm", **{key: wrong}))
        assert broken.why == "its hash does not follow from what it holds: something in it was changed"


def test_seeds_of_another_commit_are_found(complete):
    _, _, keys = log("group_d12", FEW)
    other = rung(keys[1], ROW.id, 1, 10)
    seeds = {name: {"seed": other.seeds[name].hex()} for name in PARTS}
    parts = {name: part | seeds[name] for name, part in json.loads(complete[9])["parts"].items()}
    assert both_find(sealed(line(complete, 9, parts=parts))).why == "its seeds are not those that commit 1 promised"


def test_who_promised_is_checked(players):
    assert both_find(sealed(line(players, 9, promisedBy=2))).why == (
        "it is said that commit 2 promised its seeds; that was commit 1"
    )
    assert both_find(sealed(line(players, 9, promisedBy=None))).seq == 9


def test_a_public_part_that_is_not_shown_is_found(players):
    n, commit = 9, json.loads(players[9])
    public = commit["parts"]["all"]
    hidden = {"leaf": sha256(verify.joined(bytes.fromhex(public["salt"]), public["bytes"].encode())).hexdigest()}
    hidden["seedHash"] = sha256(bytes.fromhex(public["seed"])).hexdigest()
    broken = found_in_file(b"".join(sealed(line(players, n, parts=commit["parts"] | {"all": hidden}))))
    assert (broken.seq, broken.why) == (9, "the part that everybody reads is not there")


def test_a_part_that_is_neither_shown_nor_hidden_is_found(players):
    broken = found_in_file(b"".join(changed_part(players, 9, "all", seed=None)))
    assert (broken.seq, broken.why) == (9, "part all is neither shown nor hidden")


# --- head, trailer, end -------------------------------------------------------------------------------------------------
def test_a_head_that_names_another_table_is_found(players):
    broken = both_find(sealed(line(players, 0, table="other")))
    assert broken.why == "its head says table other, group_d12, and its commits are of house, group_d12"


def test_a_newer_export_is_said_to_be_newer(players):
    broken = both_find(sealed(line(players, 0, format=2, more="nobody knows yet")))
    assert isinstance(broken, TooNew)
    assert str(broken) == "a newer Boonbridge wrote it (export format 2; this one knows 1): update"


@pytest.mark.parametrize("change", [{"count": 1}, {"hash": "0" * 64}, {"epoch": 9}])
def test_a_trailer_of_another_log_is_found(players, change):
    assert both_find(sealed(line(players, -2, **change))).seq is None


DEEP = b"[" * 100_000 + b"]" * 100_000
NONE = [b"", b"\n", b"{}\n", b"[]\n", b"\xff\xfe\n", b"null\n", b'{"t":"end"}\n', b"no JSON at all\n", DEEP + b"\n"]


@pytest.mark.parametrize("data", [*NONE, b'{"a":' + DEEP + b',"t":"export"}\n'], ids=range(len(NONE) + 1))
def test_what_is_no_export_is_refused(data):
    assert found_in_file(data).seq is None
    assert by_the_script(data) is not None


def test_what_goes_too_deep_is_damage(players):
    lines = [*players[:9], b'{"seq":' + DEEP + b',"t":"commit"}\n', *players[10:]]
    assert both_find(lines).why == "line 10, after commit 8, is damaged"
    for header in (DEEP.decode(), '{"format":' + DEEP.decode() + "}"):
        assert both_find(sealed(line(players, 9, header=header))).why == "its header is not one, or was damaged"


def test_a_line_without_an_end_is_not_read_into_memory():
    class Endless:
        def __init__(self):
            self.asked = 0

        def readline(self, limit):
            self.asked += 1
            return b"x" * limit

    endless = Endless()
    with pytest.raises(Exception, match="a line is longer than any that Boonbridge writes"):
        verify_file(lines_of(endless), GAMES.get)
    assert (endless.asked, LONGEST_LINE) == (1, 16 * 2**20)
