import pytest

from boonbridge import config as configuration
from boonbridge.config import PORT, Config, ConfigRefused, load
from tests.support.cli import environment, inside, refused

PUBLIC = "an address like https://dice.example or https://foundry.example/boonbridge"
PATH = "a path like /boonbridge, of letters, digits and . _ ~ -"
PROXIES = "addresses or networks with commas between them, like 127.0.0.1 or 172.30.30.0/24, or loopback or private"


def toml(folder, text):
    folder.mkdir(exist_ok=True)
    (folder / "boonbridge.toml").write_text(text, encoding="utf-8")
    return folder


def refusal(flags, variables=None):
    with pytest.raises(ConfigRefused) as caught:
        load(flags, variables or {})
    return str(caught.value)


def test_without_anything_it_is_loopback_on_the_fixed_port_in_the_platforms_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(configuration.platformdirs, "user_data_dir", lambda *_args, **_kw: str(tmp_path / "home" / "boonbridge"))
    assert load({}, {}) == Config(data=tmp_path / "home" / "boonbridge", host="127.0.0.1", port=30300, ruleset="sage_d20")
    assert PORT == 30300


def test_a_flag_wins_over_a_variable_and_a_variable_over_the_file(tmp_path):
    folder = toml(tmp_path, 'port = 1001\nhost = "10.0.0.1"\nruleset = "group_d12"\n')
    variables = {"BOONBRIDGE_PORT": "1002", "BOONBRIDGE_HOST": "10.0.0.2"}
    found = load({"data": folder, "port": 1003, "host": None}, variables)
    assert (found.port, found.host, found.ruleset) == (1003, "10.0.0.2", "group_d12")


def test_the_folder_of_a_variable_is_where_the_file_is_looked_for(tmp_path):
    folder = toml(tmp_path / "elsewhere", "port = 1001\n")
    assert load({}, {"BOONBRIDGE_DATA": str(folder)}) == Config(data=folder, port=1001)
    assert load({"data": tmp_path}, {"BOONBRIDGE_DATA": str(folder)}) == Config(data=tmp_path)


@pytest.mark.parametrize("field", [field for field in Config.__struct_fields__ if field != "data"])
def test_every_setting_can_be_a_flag_a_variable_and_a_line_of_the_file(tmp_path, field):
    values = {
        "host": ("::1", "::1", '"::1"'),
        "port": (0, "0", "0"),
        "ruleset": ("public_d20", "public_d20", '"public_d20"'),
        "public_url": ("https://dice.example/", "https://dice.example/", '"https://dice.example/"'),
        "base_path": ("/boonbridge", "/boonbridge", '"/boonbridge"'),
        "trust_proxy": ("127.0.0.1, 10.0.0.0/8", "127.0.0.1, 10.0.0.0/8", '"127.0.0.1, 10.0.0.0/8"'),
        "tls_cert": (tmp_path / "c", str(tmp_path / "c"), '"c"'),
        "tls_key": (tmp_path / "k", str(tmp_path / "k"), '"k"'),
        "secret_file": (tmp_path / "s", str(tmp_path / "s"), '"s"'),
        "log_level": ("debug", "debug", '"debug"'),
        "open_metrics": (True, "true", "true"),
    }
    flag, variable, line = values[field]
    other = {"tls_cert": {"tls_key": tmp_path / "k"}, "tls_key": {"tls_cert": tmp_path / "c"}}.get(field, {})
    assert getattr(load({"data": tmp_path, field: flag, **other}, {}), field) == flag
    assert getattr(load({"data": tmp_path, **other}, {f"BOONBRIDGE_{field.upper()}": variable}), field) == flag
    toml(tmp_path, f"{field} = {line}\n")
    assert getattr(load({"data": tmp_path, **other}, {}), field) == flag


@pytest.mark.parametrize(("text", "value"), [("1", True), ("True", True), ("false", False), ("0", False)])
def test_a_switch_in_a_variable(tmp_path, text, value):
    assert load({"data": tmp_path}, {"BOONBRIDGE_OPEN_METRICS": text}).open_metrics is value


def test_an_empty_variable_is_one_that_was_not_set(tmp_path):
    assert load({"data": tmp_path}, {"BOONBRIDGE_PORT": "", "BOONBRIDGE_DATA": ""}) == Config(data=tmp_path)


def test_paths_may_begin_with_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load({}, {"BOONBRIDGE_DATA": "~/x", "BOONBRIDGE_SECRET_FILE": "~/s"}) == Config(
        data=tmp_path / "x", secret_file=tmp_path / "s"
    )


@pytest.mark.parametrize(
    ("field", "value", "takes"),
    [
        ("port", "abc", "a whole number from 0 to 65535"),
        ("port", "70000", "a whole number from 0 to 65535"),
        ("public_url", "https://dice.example/a b", PUBLIC),
        ("public_url", "https://dice.example/../a", PUBLIC),
        ("public_url", "https://dice.example/?a", PUBLIC),
        ("base_path", "boonbridge", PATH),
        ("base_path", "/a//b", PATH),
        ("base_path", "/a/../b", PATH),
        ("base_path", "/a<b>", PATH),
        ("trust_proxy", "caddy", PROXIES),
        ("trust_proxy", "10.0.0.1/8", PROXIES),
        ("trust_proxy", "127.0.0.1, everybody", PROXIES),
        ("public_url", "ftp://x", PUBLIC),
        ("log_level", "loud", "debug, info, warning or error"),
        ("open_metrics", "perhaps", "true or false"),
        ("host", "x" * 300, "a host name or an address"),
    ],
)
def test_a_bad_value_is_a_sentence_with_the_setting_and_its_origin(tmp_path, field, value, takes):
    flag, name = f"--{field.replace('_', '-')}", f"BOONBRIDGE_{field.upper()}"
    assert refusal({"data": tmp_path, field: value}) == f"{flag} is {value!r}, but it takes {takes}."
    assert refusal({"data": tmp_path}, {name: value}) == f"{name} is {value!r}, but it takes {takes}."
    file = toml(tmp_path, f'{field} = "{value}"\n') / "boonbridge.toml"
    assert refusal({"data": tmp_path}) == f"{field} in {file} is {value!r}, but it takes {takes}."


def test_a_bad_value_that_something_better_overrides_does_no_harm(tmp_path):
    toml(tmp_path, 'port = "x"\n')
    assert load({"data": tmp_path, "port": 7}, {"BOONBRIDGE_PORT": "y"}).port == 7


def test_a_file_with_an_unknown_setting_says_which_there_are(tmp_path):
    sentence = refusal({"data": toml(tmp_path, "prot = 3\n")})
    assert sentence == (
        f"{tmp_path / 'boonbridge.toml'} sets 'prot', which is no setting. "
        "There is: host, port, ruleset, public_url, base_path, trust_proxy, tls_cert, tls_key, secret_file, log_level, open_metrics."
    )


@pytest.mark.parametrize(
    ("public_url", "base_path", "together"),
    [
        ("https://x.example", "/boonbridge", ("https://x.example/boonbridge", "/boonbridge")),
        ("https://x.example/", "/boonbridge/", ("https://x.example/boonbridge", "/boonbridge")),
        ("https://x.example/boonbridge/", None, ("https://x.example/boonbridge/", "/boonbridge")),
        ("https://x.example/a/b", "/a/b/", ("https://x.example/a/b", "/a/b")),
        ("https://x.example/", "/", ("https://x.example/", "")),
        (None, "/boonbridge/", ("", "/boonbridge")),
    ],
)
def test_the_path_of_the_public_address_is_the_base_path(tmp_path, public_url, base_path, together):
    found = load({"data": tmp_path, "public_url": public_url, "base_path": base_path}, {})
    assert (found.public_url, found.base_path) == together


def test_two_different_paths_are_refused(tmp_path):
    assert refusal({"data": tmp_path, "public_url": "https://x.example/a"}, {"BOONBRIDGE_BASE_PATH": "/b"}) == (
        "--public-url has the path /a and BOONBRIDGE_BASE_PATH is /b, "
        "but the two have to be the same: a proxy passes the path on as it is."
    )


@pytest.mark.parametrize(("there", "missing"), [("cert", "key"), ("key", "cert")])
def test_half_of_tls_is_refused(tmp_path, there, missing):
    sentence = refusal({"data": tmp_path, f"tls_{there}": tmp_path / "x"})
    assert sentence == f"--tls-{there} is set and --tls-{missing} is not, but TLS takes both."


def test_a_file_cannot_say_where_it_lies(tmp_path):
    assert "Use --data." in refusal({"data": toml(tmp_path, 'data = "/x"\n')})


def test_a_file_that_is_no_toml(tmp_path):
    assert refusal({"data": toml(tmp_path, 'port = "x\n')}).startswith(f"{tmp_path / 'boonbridge.toml'} is not valid TOML: ")
    (tmp_path / "boonbridge.toml").write_bytes(b"\xff\xfe")
    assert refusal({"data": tmp_path}).startswith(f"{tmp_path / 'boonbridge.toml'} cannot be read: ")


@pytest.mark.parametrize("command", [("serve",), ("pair",), ("table", "list"), ("table", "new", "x"), ("token", "--user", "x")])
def test_every_command_of_a_folder_says_so_in_one_sentence(tmp_path, command):
    toml(tmp_path, "prot = 3\n")
    assert "sets 'prot', which is no setting." in refused(*command, "--data", tmp_path, by=inside)


def test_the_demo_says_so_too(tmp_path):
    sentence = refused("demo", "--data", tmp_path / "d", by=inside, env=environment(BOONBRIDGE_PUBLIC_URL="here"))
    assert sentence.startswith("BOONBRIDGE_PUBLIC_URL is 'here', but it takes an address like")
