"""TLS without a proxy: a certificate and its key in two files, looked at before anybody sees them, read anew when they change.

Whether a certificate is good is found out as a client would: two ends in memory shake hands, and one of them looks at what the
other shows. So an expired one, one whose key is another's and one that is not for servers are refused, with a sentence.
"""

import asyncio
import ipaddress
import ssl
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import structlog

log = structlog.get_logger("boonbridge.tls")

LOOK_SECONDS = 30.0
"""How often the files are looked at. A certificate is renewed weeks before it ends, so this is no hurry."""

_SOON_SECONDS = 7 * 86_400
_NOT_YET, _EXPIRED = 9, 10  # X509_V_ERR_CERT_NOT_YET_VALID, X509_V_ERR_CERT_HAS_EXPIRED
_READ_BY_ALL = 0o004


class CertificateRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """A certificate or key that cannot be used; the message says which and why."""


class Certificate:
    """What a server shows. ``context`` stays the same while what it shows changes.

    Raises:
        CertificateRefused: where the files are not readable, do not belong together, or nobody would accept them now.
    """

    def __init__(self, cert: Path, key: Path) -> None:
        self._cert = cert
        self._key = key
        self._refused = ""
        self._files: tuple[object, ...] = ()
        self._take()
        self.context = _context()
        # OpenSSL asks for the context of each handshake here, with or without a server name in it.
        self.context.sni_callback = self._shown

    @property
    def names(self) -> tuple[str, ...]:
        """The hosts that it is for, as they stand in an address; those with a ``*`` name none."""
        return self._names

    @property
    def warning(self) -> str:
        """What the operator should know about a certificate that is good; empty where there is nothing."""
        left = self._until - time.time()
        if left < _SOON_SECONDS:
            return f"The certificate {self._cert} is good for {max(0, int(left // 3600))} more hours only."
        try:
            open_to_all = self._key.stat().st_mode & _READ_BY_ALL
        except OSError:
            open_to_all = 0
        return f"Everybody on this machine can read {self._key}. Better: chmod 600." if open_to_all else ""

    def reload(self) -> bool:
        """Read the files anew. Where they are refused the old certificate stays, and a log line says why; False then."""
        try:
            self._take()
        except CertificateRefused as no:
            if str(no) != self._refused:
                log.error("certificate not taken over", reason=str(no))  # noqa: TRY400 - the reason is enough
            self._refused = str(no)
            return False
        self._refused = ""
        log.info("certificate taken over", names=list(self._names), until=_date(self._until))
        return True

    def look(self) -> None:
        """Reload where the files are others than those in use; what was refused is tried again, as one may still be written."""
        if self._signs() != self._files:
            self.reload()

    async def watch(self, wait: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Look again and again, until cancelled."""
        while True:
            await wait(LOOK_SECONDS)
            self.look()

    def _shown(self, connection: ssl.SSLObject, _name: str | None, _context: ssl.SSLContext) -> None:
        connection.context = self._current

    def _take(self) -> None:
        signs = self._signs()
        context = _loaded(self._cert, self._key)
        told = _tried(context, self._cert)
        self._current, self._files = context, signs
        self._until = ssl.cert_time_to_seconds(told["notAfter"])
        entries = told.get("subjectAltName", ())
        self._names = tuple(_host(kind, name) for kind, name in entries if kind in ("DNS", "IP Address") and "*" not in name)

    def _signs(self) -> tuple[object, ...]:
        """What is different after a file was written or put in another's place."""
        found: list[object] = []
        for file in (self._cert, self._key):
            try:
                stat = file.stat()
                found.append((stat.st_ino, stat.st_mtime_ns, stat.st_size))
            except OSError:
                found.append(None)
        return tuple(found)


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def _loaded(cert: Path, key: Path) -> ssl.SSLContext:
    for file, what in ((cert, "certificate"), (key, "key")):
        try:
            text = file.read_bytes()
        except OSError as problem:
            raise CertificateRefused(f"The {what} {file} cannot be read: {problem.strerror}.") from None
        if what == "certificate" and b"-----BEGIN CERTIFICATE-----" not in text:
            raise CertificateRefused(f"{file} holds no certificate in PEM form (-----BEGIN CERTIFICATE-----).")
        if what == "key" and b"PRIVATE KEY-----" not in text:
            raise CertificateRefused(f"{file} holds no private key in PEM form (-----BEGIN PRIVATE KEY-----).")
    context = _context()
    try:
        context.load_cert_chain(cert, key, password=_no_password)
    except _Locked:
        raise CertificateRefused(f"The key {key} is locked with a password. The server needs one without.") from None
    except ssl.SSLError as problem:
        if problem.reason in ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH"):
            raise CertificateRefused(f"The key {key} is not that of the certificate {cert}.") from None
        reason = (problem.reason or str(problem)).replace("_", " ").lower()
        raise CertificateRefused(f"The certificate {cert} and the key {key} cannot be used: {reason}.") from None
    return context


def _tried(context: ssl.SSLContext, cert: Path) -> dict[str, Any]:
    """What a client is shown, who takes the file's own certificates for trustworthy and is strict about everything else."""
    judge = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    judge.check_hostname = False
    judge.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    judge.load_verify_locations(cert)
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = judge.wrap_bio(back, there)
    server = context.wrap_bio(there, back, server_side=True)
    try:
        for _ in range(4):
            for end in (client, server):
                try:
                    end.do_handshake()
                except ssl.SSLWantReadError:
                    continue
    except ssl.SSLCertVerificationError as problem:
        if problem.verify_code == _EXPIRED:
            raise CertificateRefused(f"The certificate {cert} has expired.") from None
        if problem.verify_code == _NOT_YET:
            raise CertificateRefused(f"The certificate {cert} is not good yet. Is this machine's clock right?") from None
        raise CertificateRefused(f"The certificate {cert} would not be accepted: {problem.verify_message}.") from None
    except ssl.SSLError as problem:
        raise CertificateRefused(f"The certificate {cert} would not be accepted: {problem.reason}.") from None
    return dict(client.getpeercert() or {})


class _Locked(Exception):  # noqa: N818
    """A key asked for a password."""


def _no_password() -> str:
    raise _Locked


def _host(kind: str, name: str) -> str:
    if kind == "DNS":
        return name.lower()
    address = ipaddress.ip_address(name)  # OpenSSL writes the long form, which is in no browser's address
    return f"[{address}]" if address.version == 6 else str(address)


def _date(moment: float) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(moment))
