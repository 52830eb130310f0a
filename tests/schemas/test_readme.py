"""The prose leads where it says, and shows messages that the definitions know."""

import json
import re

from boonbridge_schemas.codes import Code
from boonbridge_schemas.server import Limits, Welcome
from tests.schemas.common import SCHEMAS, protocol

README = (SCHEMAS / "README.md").read_text("utf-8")


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_link_leads_somewhere():
    anchors = {anchor(heading) for heading in re.findall(r"^#+ (.+)$", README, re.MULTILINE)}
    for target in re.findall(r"\]\(([^)]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif not target.startswith("https://"):
            assert (SCHEMAS / target).exists(), target


def test_every_message_that_is_shown_or_named_exists():
    tags = {
        schema["properties"]["t"]["enum"][0] for schema in protocol()["$defs"].values() if "t" in schema.get("properties", {})
    }
    assert set(re.findall(r'"t": "(\w+)"', README)) <= tags
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    names = {name for name in re.findall(r"`([A-Z]\w+)`", prose) if not name.startswith("H")}
    assert names <= tags | protocol()["$defs"].keys()


def test_every_code_and_limit_that_is_named_exists():
    assert set(re.findall(r"`((?:frame|auth|command|dice|rate)\.[a-z_]+)`", README)) <= {str(code) for code in Code}
    for named in re.findall(r"`limits\.(\w+)`", README):
        assert named in Limits.__struct_encode_fields__
    for named in re.findall(r"`welcome\.(\w+)", README):
        assert named in Welcome.__struct_encode_fields__


def test_the_header_that_is_shown_is_one():
    shown = json.loads(re.search(r"```json\n(.*?)\n```", README, re.DOTALL)[1])
    assert list(shown) == protocol()["$defs"]["Header"]["required"]
