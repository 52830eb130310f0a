"""The golden logs and proofs: evenings that the real bridge plays, with fixed keys, ids and times.

The bridge knows these definitions and not the other way round, so it plays in a process of its own.
"""

import json
import subprocess
import sys
from pathlib import Path

from .to_json import Files, NotGenerated

SCRIPT = "schemas/play.py"


def files(root: Path) -> Files:
    """The logs and proofs by their path below ``schemas/``."""
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, str(root / SCRIPT)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise NotGenerated(f"{SCRIPT} could not play the golden evenings:\n{done.stderr.strip()}")
    told: Files = json.loads(done.stdout)
    return told
