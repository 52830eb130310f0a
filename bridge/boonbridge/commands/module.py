"""``boonbridge module``: the Foundry module as a zip, for a Foundry that cannot fetch it from this server."""

from pathlib import Path
from typing import Any

from boonbridge.commands.failing import fail
from boonbridge.commands.folder import settings
from boonbridge.commands.plain import plain
from boonbridge.net.http import module_folder
from boonbridge.net.module import module_files, zipped


def write_module(out: Path, flags: dict[str, Any]) -> None:
    """Write the zip; what was there under that name is replaced."""
    config = settings(flags)
    files = module_files(module_folder(), config.public_url.rstrip("/"))
    if not files:
        fail("This installation has no Foundry module in it.")
    draft = out.with_name(out.name + ".new")
    try:
        draft.write_bytes(zipped(files))
        draft.replace(out)
    except OSError as problem:
        fail(f"{out} cannot be written: {problem.strerror}.")
    print(plain(f"{out}: {len(files)} files. Unpack it as Data/modules/boonbridge of your Foundry, and start Foundry again."))
