"""Certificates for tests, from an authority that exists as long as the test process does."""

import datetime as dt
import functools
import ssl
from pathlib import Path
from typing import NamedTuple

import trustme


@functools.cache
def authority():
    """The authority that every certificate here is from."""
    return trustme.CA()


class Files(NamedTuple):
    """A certificate and its key as files."""

    cert: Path
    key: Path

    @property
    def flags(self):
        """What `boonbridge serve` takes."""
        return ("--tls-cert", self.cert, "--tls-key", self.key)

    @property
    def settings(self):
        """The same as settings."""
        return {"tls_cert": self.cert, "tls_key": self.key}


def issue(folder, *names, days=30, age=1):
    """A certificate for some hosts, put into a folder in place of what is there. ``days``: how long it is good from now on."""
    now = dt.datetime.now(dt.UTC)
    issued = authority().issue_cert(
        *(names or ("localhost", "127.0.0.1")),
        not_before=now - dt.timedelta(days=age),
        not_after=now + dt.timedelta(days=days),
    )
    folder.mkdir(exist_ok=True)
    files = Files(folder / "cert.pem", folder / "key.pem")
    chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
    for file, text in ((files.cert, chain), (files.key, issued.private_key_pem.bytes())):
        draft = file.with_suffix(".new")
        draft.write_bytes(text)
        draft.chmod(0o600)
        draft.replace(file)
    return files


def authority_file(folder):
    """The authority's own certificate, as ``SSL_CERT_FILE`` takes it."""
    file = folder / "authority.pem"
    authority().cert_pem.write_to_path(file)
    return file


def trusting():
    """What a client that trusts the authority connects with."""
    context = ssl.create_default_context()
    authority().configure_trust(context)
    return context
