"""The limits of the wire. The numbers stand in ``boonbridge_schemas.server.Limits`` and are told to every client."""

from boonbridge_schemas.server import Limits

LIMITS = Limits()

BAD_FRAMES = 3
"""So many messages that are none of ours, within ``BAD_FRAME_SECONDS``, close the connection."""

BAD_FRAME_SECONDS = 10.0
