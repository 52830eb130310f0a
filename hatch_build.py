"""Put the Foundry module and the JSON Schema into the wheel.

An installed server serves both itself (``/module.json``, ``/module.zip``, ``/client/…``, ``/schema/v1.json``), so both travel
inside it: ``boonbridge/_module`` and ``boonbridge/_schema``. An editable install gets neither: there the server reads the
checkout, and a copy would only go stale.
"""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = {
    "foundry-module/module.json": "boonbridge/_module/module.json",
    "foundry-module/LICENSE": "boonbridge/_module/LICENSE",
    "foundry-module/scripts": "boonbridge/_module/scripts",
    "foundry-module/styles": "boonbridge/_module/styles",
    "foundry-module/lang": "boonbridge/_module/lang",
    "foundry-module/templates": "boonbridge/_module/templates",
    "schemas/json": "boonbridge/_schema",
}


class CarryModule(BuildHookInterface):
    """Adds what is carried, file by file, so that nothing hidden slips in."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add to ``build_data`` every file below the carried paths that exist."""
        if version == "editable":
            return
        root = Path(self.root)
        for source, target in CARRIED.items():
            path = root / source
            for file in [path] if path.is_file() else sorted(path.rglob("*")):
                if file.is_file() and not file.name.startswith("."):
                    inside = file.relative_to(path).as_posix()
                    build_data["force_include"][str(file)] = target if inside == "." else f"{target}/{inside}"
