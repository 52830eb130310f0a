"""``python -m boonbridge``."""

from boonbridge.cli import main

main()
