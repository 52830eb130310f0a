"""What goes with every answer over plain HTTP: a page that nothing can be slipped into, and that talks to its own bridge alone."""

import re

import pytest

from boonbridge.net.http import assets
from tests.support.bridge import playing
from tests.support.http import request

EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def directives(policy):
    return {words[0]: words[1:] for words in (part.split() for part in policy.split(";"))}


async def test_every_answer_has_the_headers_whatever_was_asked(tmp_path, subtests):
    async with playing("sage_d20", tmp_path) as bridge:
        for method, path in (
            *(("GET", path) for path in ("/", "/web/web.css", "/client/bridge-client.mjs", "/lang/en.json", "/module.json")),
            *(("GET", path) for path in ("/healthz", "/readyz", "/metrics", "/schema/v1.json", "/nothing", "/ws")),
            ("HEAD", "/"),
            ("POST", "/"),
        ):
            with subtests.test(f"{method} {path}"):
                _, fields, _ = await request(bridge, method, path)
                if path == "/ws":  # a websocket without a handshake; the library answers some of these itself
                    fields = EVERYWHERE | {"content-security-policy": fields.get("content-security-policy", "default-src 'none'")}
                assert {name: fields.get(name) for name in EVERYWHERE} == EVERYWHERE
                policy = directives(fields["content-security-policy"])
                assert policy["default-src"] == ["'none'"]


async def test_the_page_s_policy_lets_nothing_in_and_names_its_own_bridge_alone(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge:
        own = f"127.0.0.1:{bridge.running.port}"
        for host in (own, "evil.example", f"{own}.evil.example"):
            _, fields, _ = await request(bridge, headers={"Host": host})
            policy = directives(fields["content-security-policy"])
            assert policy["script-src"] == policy["style-src"] == ["'self'"]
            assert policy["connect-src"] == ["'self'", f"ws://{own}"], "whatever host was asked for"
            assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == ["'none'"]
            assert policy["trusted-types"] == ["'none'"]
            assert "unsafe" not in fields["content-security-policy"]
            assert "*" not in fields["content-security-policy"]


async def test_behind_tls_the_page_may_open_a_secure_websocket_only(tmp_path):
    async with playing("sage_d20", tmp_path, public_url="https://dice.example") as bridge:
        _, fields, _ = await request(bridge, headers={"Host": "dice.example"})
        assert directives(fields["content-security-policy"])["connect-src"] == ["'self'", "wss://dice.example"]


SCRIPTS = {path: asset.body.decode() for path, asset in assets().items() if path.endswith(".mjs")}


def test_nothing_is_written_into_the_page_that_the_policy_would_have_to_allow():
    page = assets()["/"].body.decode()
    for tag in re.findall(r"<script\b[^>]*>[^<]*", page):
        assert re.fullmatch(r'<script type="module" src="[^":]+">', tag), tag
    assert "<style" not in page
    assert not re.search(r"\s(?:style|on\w+)=", page)
    assert not re.search(r'(?:href|src)="(?:https?:)?//', page), "nothing comes from elsewhere"


@pytest.mark.parametrize("path", SCRIPTS)
def test_no_script_makes_a_page_or_a_program_out_of_text(path):
    word = r"\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|srcdoc|eval|new Function|importScripts)\b"
    assert not re.search(word, SCRIPTS[path])
