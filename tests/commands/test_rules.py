"""House rules on a terminal, and as a file that goes from one table to another."""

import json

import pytest

from boonbridge.commands.rules import lines
from boonbridge.rulesets.registry import shipped
from boonbridge_schemas.examples.house_rules import FILE
from boonbridge_schemas.game import IdleWhen, OptionSpec
from tests.support.cli import demo, environment, inside


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    with demo(tmp_path_factory.mktemp("rules") / "demo", "--ruleset", "group_d12") as serving:
        yield serving


def rules(table, *words, token):
    return inside("rules", *words, "--url", table.url, env=environment(BOONBRIDGE_TOKEN=token))


def saved(table, path):
    assert rules(table, "export", path, token=table.gm).code == 0
    return json.loads(path.read_text("utf-8"))


def said(told):
    assert told.code == 1, told
    assert told.err.count("\n") == 1, told
    return told.err.removeprefix("boonbridge: ").strip()


def test_the_usual_readings_are_marked_and_the_seldom_changed_ones_last(table):
    assert table.asking("do", '{"t": "SetOptions", "options": {"boon_cap": 5}}', token=table.gm).code == 0
    told = rules(table, token=table.player)
    assert (told.code, told.err) == (0, "")
    told = told.out.splitlines()
    assert told[0].endswith("(group_d12, version 1)")
    assert any(line.startswith("  boon_cap = 5 (usually 10") for line in told)
    assert any(line.startswith("  reroll = best_of (usual)  A bought die: ") for line in told)
    seldom = told.index("Seldom changed:")
    assert any(line.startswith("  challenge_fail_boon = ") for line in told[seldom:])
    records = rules(table, "--json", token=table.player).records
    assert {"option": "boon_cap", "value": 5, "default": 10}.items() <= next(
        r for r in records if r.get("option") == "boon_cap"
    ).items()
    assert records[-1]["edited"] is False
    assert table.asking("do", '{"t": "SetOptions", "options": {"boon_cap": 10}}', token=table.gm).code == 0


def test_a_reading_that_decides_nothing_says_so_and_what_is_ours_too():
    from msgspec.structs import replace

    game = shipped()["group_d12"]
    info = game.info(game.options())
    spec = OptionSpec(
        key="boon_cap", label="Most Boons", default=3, ours=True, idle=(IdleWhen(option="reroll", value="best_of"),)
    )
    told = lines(replace(info, option_specs=(spec,), edited=True))
    assert told[1] == "  boon_cap = 10 (usually 3, ours, decides nothing now)  Most Boons"
    assert "as this table edited them" in told[-1]


def test_a_file_goes_out_and_comes_back_as_one_command(table, tmp_path):
    before = saved(table, tmp_path / "before.json")
    assert (before["format"], before["version"], before["data"]["ruleset"]) == ("boonbridge.house-rules", 1, "group_d12")
    assert before["options"]["boon_cap"] == 10
    assert json.loads(rules(table, "export", token=table.player).out) == before
    edited = json.loads(json.dumps(before))
    edited["options"] = {"boon_cap": 4}
    edited["data"]["xpPerLevel"] = 3
    edited["data"]["ladders"][0]["steps"].append({"value": 20, "label": "as deep as the bell", "proposed": False})
    (tmp_path / "edited.json").write_text(json.dumps(edited), encoding="utf-8")
    told = rules(table, "import", tmp_path / "edited.json", "--yes", token=table.gm)
    assert (told.code, told.err) == (0, "")
    lines_ = told.out.splitlines()
    assert lines_[:2] == ["would be  options: boon_cap = 4", "would be  the table's data were edited"]
    assert len(lines_) == 4
    now = saved(table, tmp_path / "now.json")
    assert now["data"] == edited["data"]
    assert now["options"] == {**before["options"], "boon_cap": 4}
    assert rules(table, "--json", token=table.gm).records[-1]["edited"] is True
    again = rules(table, "import", tmp_path / "now.json", "--yes", token=table.gm)
    assert again.out.splitlines() == ["would be  nothing: it is so already", "That is so already; nothing was done."]
    assert rules(table, "import", tmp_path / "before.json", "--yes", token=table.gm).code == 0
    assert saved(table, tmp_path / "after.json") == before


def test_what_is_no_file_of_ours_is_not_sent(table, tmp_path):
    path = tmp_path / "file.json"

    def sentence(content):
        path.write_text(content, encoding="utf-8")
        return said(rules(table, "import", path, "--yes", token=table.gm))

    good = {"format": "boonbridge.house-rules", "version": 1, "name": "x", "data": {"ruleset": "group_d12"}, "options": {}}
    assert sentence("{") == f"{path} is no JSON, so it holds no house rules."
    assert "is not of the format `boonbridge.house-rules`" in sentence("[]")
    assert "is not of the format `boonbridge.house-rules`" in sentence(json.dumps({**good, "format": "character"}))
    assert "is of another version than 1" in sentence(json.dumps({**good, "version": 2}))
    assert "ruleset" in sentence(json.dumps({**good, "data": {}}))
    assert "surprise" in sentence(json.dumps({**good, "surprise": 1}))
    assert "too large for house rules" in sentence(json.dumps({**good, "name": "x" * 70_000}))
    many = [{"key": f"of_the_lake_{n}", "label": "L" * 80, "help": "h" * 300} for n in range(60)]
    assert "a table's data may have 12288" in sentence(json.dumps({**good, "data": {"ruleset": "group_d12", "conditions": many}}))
    assert said(rules(table, "import", tmp_path / "none.json", token=table.gm)).endswith("No such file or directory.")
    assert said(rules(table, "export", tmp_path / "no" / "where.json", token=table.gm)).endswith("No such file or directory.")


@pytest.mark.parametrize(
    ("data", "options", "code"),
    [
        ({"ruleset": "sage_d20"}, {}, "data.other_ruleset"),
        ({"ruleset": "group_d12"}, {"luck": 1}, "option.unknown"),
        ({"ruleset": "group_d12"}, {"boon_cap": -1}, "option.bad_value"),
        (
            {
                "ruleset": "group_d12",
                "conditions": [{"key": "a", "label": "A", "implies": ["b"]}, {"key": "b", "label": "B", "implies": ["a"]}],
            },
            {},
            "data.cycle",
        ),
    ],
)
def test_what_the_bridge_does_not_take_has_its_code(table, tmp_path, data, options, code):
    path = tmp_path / "file.json"
    path.write_text(
        json.dumps({"format": "boonbridge.house-rules", "version": 1, "name": "x", "data": data, "options": options}),
        encoding="utf-8",
    )
    told = rules(table, "import", path, "--yes", "--json", token=table.gm)
    assert told.code == 1
    assert told.records[-1]["code"] == code
    assert said(rules(table, "import", path, "--yes", token=table.gm))


def test_only_a_gm_sets_them(table, tmp_path):
    path = tmp_path / "file.json"
    saved(table, path)
    told = rules(table, "import", path, "--yes", "--json", token=table.player)
    assert (told.code, told.records[-1]["code"]) == (1, "role.forbidden")


def test_the_example_file_is_one():
    assert (FILE.format, FILE.version) == ("boonbridge.house-rules", 1)
