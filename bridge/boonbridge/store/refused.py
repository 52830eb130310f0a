"""Why a data folder cannot be used, in sentences for the person who started the server."""


class FolderRefused(Exception):  # noqa: N818 - no class of ours is called Error
    """The folder cannot be used; the message says what to do about it."""


class FolderInUse(FolderRefused):
    """Another server has the folder open."""


class KeyRefused(Exception):  # noqa: N818
    """A stored table key cannot be opened, or would be replaced by another one. Never retried: somebody has to look."""


class BackupRefused(Exception):  # noqa: N818
    """A backup cannot be made, or is none that can be put back; the message says why. Nothing was changed."""
