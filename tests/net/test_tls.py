"""TLS without a proxy: what is shown, what is refused before anybody sees it, and what happens when the files change."""

import asyncio
import signal
import socket
import ssl
import subprocess

import pytest
import structlog
from cryptography.hazmat.primitives import serialization

from boonbridge.net.client import Client, Denied
from boonbridge.net.tls import LOOK_SECONDS, Certificate, CertificateRefused
from boonbridge_schemas.codes import Close
from tests.support.bridge import ROLL, playing, serving
from tests.support.certificates import authority_file, issue, trusting
from tests.support.cli import Serving, environment, refused, run
from tests.support.http import say
from tests.support.people import Person


async def shown(port, name="localhost"):
    """The serial number of the certificate that a new connection is shown, and what a request for the page's health brings."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=trusting(), server_hostname=name)
    serial = writer.get_extra_info("peercert")["serialNumber"]
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return serial, answer


def serial_of(files):
    found = ssl._ssl._test_decode_cert(str(files.cert))
    return found["serialNumber"]


async def test_page_and_websocket_over_tls(tmp_path):
    files = issue(tmp_path / "tls")
    async with playing("sage_d20", tmp_path / "d", **files.settings) as bridge:
        port = bridge.running.port
        assert bridge.url == f"wss://localhost:{port}/ws"
        assert bridge.running.http == f"https://localhost:{port}/"
        assert bridge.running.addresses() == (f"wss://localhost:{port}/ws", f"wss://127.0.0.1:{port}/ws")
        assert bridge.running.base(f"127.0.0.1:{port}") == f"https://127.0.0.1:{port}"
        serial, answer = await shown(port)
        assert serial == serial_of(files)
        assert answer.endswith(b"alive\n")
        async with bridge.join("Pia", ssl=trusting()) as pia:
            bridge.tape.put(20)
            assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack"
            assert f"wss://localhost:{port}/ws" in pia.welcome["addresses"]


async def test_a_client_does_not_believe_a_certificate_that_nobody_vouches_for(tmp_path):
    async with playing("sage_d20", tmp_path / "d", **issue(tmp_path / "tls").settings) as bridge:
        with pytest.raises(ssl.SSLCertVerificationError):
            await Person.connect(bridge.url)
        with pytest.raises(Denied) as no:  # at once: trying again would not mend it
            async with Client(bridge.url, await bridge.token("Pia")):
                pass
        assert no.value.reason.startswith(f"The certificate of {bridge.url} is not accepted: ")


async def test_only_pages_of_the_secure_address_are_its_own(tmp_path):
    files = issue(tmp_path / "tls", "dice.example", "localhost")
    async with playing("sage_d20", tmp_path / "d", **files.settings) as bridge:
        port, token = bridge.running.port, await bridge.token("Pia")
        for origin, welcome in (
            (f"https://localhost:{port}", True),
            (f"https://dice.example:{port}", True),
            (f"http://localhost:{port}", False),
            ("https://dice.example", False),
        ):
            async with await Person.connect(f"wss://localhost:{port}/ws", origin=origin, ssl=trusting()) as page:
                await page.hello(token=token)
                assert (page.closed is None) is welcome
                assert welcome or page.closed[0] == Close.ORIGIN_UNKNOWN


@pytest.mark.parametrize(("secure", "port"), [(True, 443), (False, 80)])
async def test_the_usual_port_stands_in_no_address(tmp_path, secure, port):
    settings = issue(tmp_path / "tls", "dice.example").settings if secure else {}
    async with serving(tmp_path / "d", **settings) as bridge:
        bridge.running.port = port
        host, s = ("dice.example", "s") if secure else ("127.0.0.1", "")
        assert bridge.running.http == f"http{s}://{host}/"
        assert bridge.running.url == f"ws{s}://{host}/ws"
        assert f"http{s}://{host}" in bridge.running._hosts(), "as a browser writes it"
        assert bridge.running.base(host) == f"http{s}://{host}"


async def test_plain_text_on_the_secure_port_harms_nothing(tmp_path):
    async with playing("sage_d20", tmp_path / "d", **issue(tmp_path / "tls").settings) as bridge:
        assert b"HTTP/1.1 200" not in await say(bridge, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", eof=True)
        assert (await shown(bridge.running.port))[1].endswith(b"alive\n")


def test_old_versions_of_tls_are_not_spoken(tmp_path):
    assert Certificate(*issue(tmp_path)).context.minimum_version == ssl.TLSVersion.TLSv1_2


def refusal(cert, key):
    with pytest.raises(CertificateRefused) as caught:
        Certificate(cert, key)
    return str(caught.value)


def test_each_pair_that_will_not_do_is_refused_with_its_reason(tmp_path):
    good, other = issue(tmp_path / "good"), issue(tmp_path / "other")
    none, folder = tmp_path / "none.pem", tmp_path
    assert refusal(none, good.key) == f"The certificate {none} cannot be read: No such file or directory."
    assert refusal(good.cert, none) == f"The key {none} cannot be read: No such file or directory."
    assert refusal(folder, good.key) == f"The certificate {folder} cannot be read: Is a directory."
    assert refusal(good.cert, other.key) == f"The key {other.key} is not that of the certificate {good.cert}."
    assert refusal(good.key, good.key) == f"{good.key} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)."
    assert refusal(good.cert, good.cert) == f"{good.cert} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)."

    expired = issue(tmp_path / "expired", days=-1, age=30)
    assert refusal(*expired) == f"The certificate {expired.cert} has expired."
    early = issue(tmp_path / "early", days=30, age=-2)
    assert refusal(*early) == f"The certificate {early.cert} is not good yet. Is this machine's clock right?"

    broken = tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", encoding="ascii")
    assert refusal(broken, good.key).startswith(f"The certificate {broken} and the key {good.key} cannot be used: ")

    key = serialization.load_pem_private_key(good.key.read_bytes(), None)
    locked = tmp_path / "locked.pem"
    lock = serialization.BestAvailableEncryption(b"secret")
    locked.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, lock))
    assert refusal(good.cert, locked) == f"The key {locked} is locked with a password. The server needs one without."


def test_names_are_those_that_can_stand_in_an_address(tmp_path):
    files = issue(tmp_path, "*.dice.example", "Dice.example", "2001:db8::1", "192.0.2.7")
    assert Certificate(*files).names == ("dice.example", "[2001:db8::1]", "192.0.2.7")


def test_what_is_odd_is_said(tmp_path):
    files = issue(tmp_path, days=30)
    assert Certificate(*files).warning == ""
    files.key.chmod(0o644)
    assert Certificate(*files).warning == f"Everybody on this machine can read {files.key}. Better: chmod 600."
    files = issue(tmp_path, days=2)
    assert Certificate(*files).warning == f"The certificate {files.cert} is good for 47 more hours only."


async def test_new_files_are_taken_over_and_bad_ones_are_not(tmp_path):
    files = issue(tmp_path / "tls")
    async with playing("sage_d20", tmp_path / "d", **files.settings) as bridge:
        certificate, port = bridge.running.certificate, bridge.running.port
        first = serial_of(files)
        async with bridge.join("Pia", ssl=trusting()) as pia:
            second = serial_of(issue(tmp_path / "tls"))
            assert second != first
            certificate.look()
            assert (await shown(port))[0] == second
            assert (await pia.do(ROLL["sage_d20"]))["t"] == "ack", "who is connected stays so"

        # Half of a pair, as between two writes: the old one stays, and it is said once.
        kept = files.key.read_bytes()
        files.key.write_bytes(issue(tmp_path / "other").key.read_bytes())
        certificate.look()
        certificate.look()
        assert (await shown(port))[0] == second
        refusals = [line for line in bridge.logged if line["event"] == "certificate not taken over"]
        assert [line["reason"] for line in refusals] == [f"The key {files.key} is not that of the certificate {files.cert}."]

        files.key.unlink()
        certificate.look()
        assert (await shown(port))[0] == second
        files.key.write_bytes(kept)
        third = serial_of(issue(tmp_path / "tls"))
        certificate.look()
        assert (await shown(port))[0] == third
        assert [line["event"] for line in bridge.logged if line["event"] == "certificate taken over"] == [
            "certificate taken over"
        ] * 2
        bridge.mistakes = True  # what was refused stands in the log as an error, as it should


async def test_the_files_are_looked_at_again_and_again(tmp_path):
    files = issue(tmp_path)
    certificate = Certificate(*files)
    waits = []

    async def wait(seconds):
        waits.append(seconds)
        if len(waits) == 2:
            issue(tmp_path, "renewed.example")
        if len(waits) == 3:
            assert certificate.names == ("renewed.example",)
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await certificate.watch(wait)
    assert waits == [LOOK_SECONDS] * 3
    structlog.reset_defaults()


# --- as a process --------------------------------------------------------------------------------------------------
def test_served_from_the_command_line_and_renewed_by_a_signal(tmp_path):
    files = issue(tmp_path / "tls")
    trust = environment(SSL_CERT_FILE=authority_file(tmp_path))
    with Serving(tmp_path / "d", *files.flags) as server:
        assert server.url == f"wss://localhost:{server.port}/ws"
        server.wait(lambda: "Next:" in server.out)
        assert f"Table page   https://localhost:{server.port}/\n" in server.out
        assert f"Websocket    wss://localhost:{server.port}/ws\n" in server.out
        ask = {**trust, "BOONBRIDGE_TOKEN": server.token()}
        assert run("dice", "1d6", "--url", server.http, env=ask).code == 0

        first, second = serial_of(files), serial_of(issue(tmp_path / "tls"))
        assert asyncio.run(shown(server.port))[0] == first
        server.process.send_signal(signal.SIGHUP)
        server.wait(lambda: "certificate taken over" in server.err)
        assert asyncio.run(shown(server.port))[0] == second
        assert server.process.poll() is None
        assert run("dice", "1d6", "--url", server.url, env=ask).code == 0
        secret = files.key.read_text("ascii").splitlines()[1]
        assert secret not in server.out + server.err
        assert secret not in subprocess.run(["ps", "ax"], capture_output=True, text=True, check=False).stdout
        assert server.stop() == 0


def test_refused_in_one_sentence_before_anything_listens(tmp_path):
    expired = issue(tmp_path / "tls", days=-1, age=9)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    sentence = refused("serve", "--data", tmp_path / "d", "--port", port, *expired.flags)
    assert sentence == f"The certificate {expired.cert} has expired."
    with socket.socket() as probe:
        assert probe.connect_ex(("127.0.0.1", port)) != 0


def test_settings_of_a_file_are_found_beside_it(tmp_path):
    folder = tmp_path / "d"
    issue(folder)
    (folder / "boonbridge.toml").write_text('tls_cert = "cert.pem"\ntls_key = "key.pem"\n', encoding="utf-8")
    with Serving(folder) as server:
        assert server.http == f"https://localhost:{server.port}/"
