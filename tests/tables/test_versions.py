"""Which side to update: said where something may be missing, and not at every patch."""

import pytest

from boonbridge import __version__
from boonbridge.tables.versions import to_update


@pytest.mark.parametrize(
    ("client", "bridge", "wanted"),
    [
        ("0.1.0", "0.1.0", None),
        ("0.1.7", "0.1.0", None),
        ("0.1.0", "0.1.12", None),
        ("0.1.9", "0.2.0", "client"),
        ("0.9.0", "0.10.0", "client"),
        ("0.10.0", "0.9.9", "bridge"),
        ("1.0.0", "0.9.0", "bridge"),
        ("0.99.0", "1.0.0", "client"),
        ("1.0", "1.0.0", None),
        ("1.1.0-rc.1", "1.1.0", None),
        ("1.0.0+local", "1.1.0", "client"),
        ("", "1.0.0", None),
        ("#{VERSION}#", "1.0.0", None),
        ("1", "2.0.0", None),
        ("v1.0.0", "2.0.0", None),
        ("٣.٠.٠", "2.0.0", None),
        ("9999999.0.0", "2.0.0", None),
        ("1.0x", "2.0.0", None),
    ],
)
def test_the_older_side(client, bridge, wanted):
    assert to_update(client, bridge) == wanted


def test_our_own_version_is_one_that_can_be_compared():
    assert to_update("9999.0.0", __version__) == "bridge"
    assert to_update("0.0.0", __version__) == "client"
