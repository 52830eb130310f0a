"""Ids of people that a test names itself."""

import base64
import hashlib


def user_id(table, name):
    """The id that a test gives to whoever it calls so: the same at the same table."""
    digest = hashlib.sha256(f"{table}\n{name.strip().casefold()}".encode()).digest()
    return "u-" + base64.b32encode(digest)[:12].decode().lower()
