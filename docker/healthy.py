"""Whether the server of this container takes commands: exit code 0 or 1, and a word. Reads the settings that the server reads."""

import http.client
import ssl
import sys

from boonbridge.config import load

config = load({})
if config.tls_cert is None:
    server = http.client.HTTPConnection("127.0.0.1", config.port, timeout=4)
else:
    # This is about whether it answers. Who it is was found out by those who connect under its name.
    server = http.client.HTTPSConnection(
        "127.0.0.1",
        config.port,
        timeout=4,
        context=ssl._create_unverified_context(),  # noqa: S323, SLF001 - see above
    )
try:
    server.request("GET", f"{config.base_path}/readyz")
    answer = server.getresponse()
    print(answer.read().decode().strip())
    sys.exit(answer.status != http.client.OK)
except OSError as problem:
    print(problem)
    sys.exit(1)
