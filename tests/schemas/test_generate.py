"""The generated files are the ones of these Structs, and the generator says what it needs."""

import json

import pytest

from boonbridge.rulesets.registry import shipped
from boonbridge_schemas import generate, played, to_prose, to_ts, worked
from boonbridge_schemas.examples.evenings import EVENINGS
from boonbridge_schemas.to_json import NotGenerated
from tests.schemas.common import ROOT, SCHEMAS


@pytest.fixture(scope="module")
def built():
    return generate.build(ROOT)


def test_what_is_committed_is_what_the_structs_say(built):
    assert generate.check(SCHEMAS, built) == [], f"run: {generate.COMMAND}"


def test_generating_twice_gives_the_same(built):
    assert generate.build(ROOT) == built


def test_check_names_what_differs_what_is_missing_and_what_is_left_over(built, tmp_path):
    generate.write(tmp_path, built)
    assert generate.check(tmp_path, built) == []
    codes = tmp_path / "json/v1/codes.json"
    codes.write_text(codes.read_text("utf-8").replace("Too fast", "Too slow"), "utf-8")
    (tmp_path / "ts/v1/protocol.d.ts").unlink()
    (tmp_path / "golden/v1/client/shout.json").write_text("{}", "utf-8")
    left_over, different, missing = generate.check(tmp_path, built)
    assert left_over == "schemas/golden/v1/client/shout.json: nothing generates this file any more"
    assert different.startswith("schemas/json/v1/codes.json: differs")
    assert "Too slow" in different
    assert "Too fast" in different
    assert missing == "schemas/ts/v1/protocol.d.ts: missing"


def test_generating_mends_what_differed(built, tmp_path):
    generate.write(tmp_path, built)
    (tmp_path / "ts/v1/protocol.d.ts").unlink()
    (tmp_path / "golden/v1/client/shout.json").write_text("{}", "utf-8")
    assert generate.write(tmp_path, built) == [
        "removed schemas/golden/v1/client/shout.json",
        "wrote schemas/ts/v1/protocol.d.ts",
    ]
    assert generate.check(tmp_path, built) == []


def test_a_long_difference_is_cut_short(built, tmp_path):
    generate.write(tmp_path, built)
    (tmp_path / "json/v1/protocol.json").write_text("[]\n" * 99, "utf-8")
    (said,) = generate.check(tmp_path, built)
    assert said.endswith("more lines")
    assert said.count("\n") == generate.SHOWN + 1


def test_the_command_line_exits_with_1_where_something_differs(built, monkeypatch, capsys):
    monkeypatch.setattr(generate, "build", lambda root: {**built, "json/v1/codes.json": "{}\n"})
    assert generate.main(["--check"]) == 1
    said = capsys.readouterr().out
    assert "schemas/json/v1/codes.json: differs" in said
    assert f"Run: {generate.COMMAND}" in said


def test_the_command_line_is_content_with_what_is_up_to_date(built, monkeypatch, capsys):
    monkeypatch.setattr(generate, "build", lambda root: built)
    assert generate.main(["--check"]) == 0
    assert generate.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{len(built)} generated files are up to date.",
        f"{len(built)} generated files were up to date.",
    ]


def test_an_installed_package_says_that_it_needs_a_checkout(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(generate, "__file__", str(tmp_path / "site-packages/boonbridge_schemas/generate.py"))
    assert generate.checkout() is None
    assert generate.main(["--check"]) == 2
    assert "checkout" in capsys.readouterr().err


def test_without_node_it_says_what_to_do(monkeypatch, capsys, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert generate.main(["--check"]) == 2
    assert "Node.js was not found" in capsys.readouterr().err


def test_without_the_npm_packages_it_says_what_to_do(tmp_path):
    with pytest.raises(NotGenerated, match="make setup"):
        to_ts.files(tmp_path)


def test_when_the_tool_fails_its_own_words_are_shown(tmp_path, monkeypatch):
    tool = tmp_path / to_ts.TOOL
    tool.parent.mkdir(parents=True)
    tool.write_text("console.error('out of ideas'); process.exit(3);", "utf-8")
    with pytest.raises(NotGenerated, match="out of ideas"):
        to_ts.files(tmp_path)


def test_an_evening_that_cannot_be_played_is_told_in_its_own_words(tmp_path):
    (tmp_path / "schemas").mkdir()
    (tmp_path / played.SCRIPT).write_text("raise SystemExit('the bell is silent')", "utf-8")
    with pytest.raises(NotGenerated, match="the bell is silent"):
        played.files(tmp_path)


def test_prose_that_lost_a_section_is_told(built):
    readme = (SCHEMAS / "README.md").read_text("utf-8")
    goldens = {name: text for name, text in built.items() if name.startswith("golden/")}
    with pytest.raises(NotGenerated, match="begin codes"):
        to_prose.files(readme.replace("<!-- end codes -->", ""), goldens)


def test_what_people_wrote_around_the_sections_stays(built):
    readme = (SCHEMAS / "README.md").read_text("utf-8")
    goldens = {name: text for name, text in built.items() if name.startswith("golden/")}
    again = to_prose.files(readme.replace("Fold nothing", "Fold NOTHING"), goldens)
    assert again == {"README.md": readme.replace("Fold nothing", "Fold NOTHING")}


def test_the_command_line_says_what_it_wrote(built, monkeypatch, capsys, tmp_path):
    (tmp_path / "schemas").mkdir()
    monkeypatch.setattr(generate, "checkout", lambda: tmp_path)
    monkeypatch.setattr(generate, "build", lambda root: {"json/v1/codes.json": built["json/v1/codes.json"]})
    assert generate.main([]) == 0
    assert capsys.readouterr().out == "wrote schemas/json/v1/codes.json\n"
    assert generate.main(["--check"]) == 0


def test_every_evening_belongs_to_a_shipped_game():
    assert set(EVENINGS) == set(shipped())


def test_a_worked_example_that_does_not_work_is_refused(built):
    goldens = {name: text for name, text in built.items() if name.startswith("golden/")}
    roll = json.loads(goldens[worked.ROLL])
    roll["parts"]["all"]["seed"] = "0" * 64
    with pytest.raises(ValueError, match=r"die \d+ of the golden proof"):
        worked.worked_example({**goldens, worked.ROLL: json.dumps(roll)})
