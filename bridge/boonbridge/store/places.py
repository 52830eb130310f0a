"""What lies where in a data folder. Names only."""

DATABASE = "log.sqlite"
SECRET = "node.key"  # noqa: S105 - the name of the file, not what is in it
SETTINGS = "boonbridge.toml"
HEADS = "heads"
LOCK = "lock"
BACKUPS = "backups"
ASIDE = "before-restore-"
"""What a restore moved away lies in folders that are called so, and after when that was."""
UNFINISHED = "restore-unfinished"
"""There while a restore changes places; where it stays, that broke off."""
