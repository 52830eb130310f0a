"""Who may do what in Foundry: roles, permissions, ownership.

Rules of Foundry that no public page states in full (what a player may change of a combat, of a user) are the narrow reading here,
and unverified.
"""

from typing import Any

NONE, PLAYER, TRUSTED, ASSISTANT, GAMEMASTER = range(5)
OWNER = 3

# The least role that has a permission unless the world says otherwise. A Game Master has every one.
PERMISSIONS = {
    "ACTOR_CREATE": ASSISTANT,
    "BROADCAST_AUDIO": TRUSTED,
    "BROADCAST_VIDEO": TRUSTED,
    "CARDS_CREATE": ASSISTANT,
    "DRAWING_CREATE": TRUSTED,
    "FILES_BROWSE": TRUSTED,
    "FILES_UPLOAD": ASSISTANT,
    "ITEM_CREATE": ASSISTANT,
    "JOURNAL_CREATE": TRUSTED,
    "MACRO_SCRIPT": PLAYER,
    "MANUAL_ROLLS": TRUSTED,
    "MESSAGE_WHISPER": PLAYER,
    "NOTE_CREATE": TRUSTED,
    "PING_CANVAS": PLAYER,
    "PLAYLIST_CREATE": ASSISTANT,
    "QUERY_USER": PLAYER,
    "SETTINGS_MODIFY": ASSISTANT,
    "SHOW_CURSOR": PLAYER,
    "SHOW_RULER": PLAYER,
    "TEMPLATE_CREATE": PLAYER,
    "TOKEN_CONFIGURE": TRUSTED,
    "TOKEN_CREATE": ASSISTANT,
    "TOKEN_DELETE": ASSISTANT,
    "WALL_DOORS": PLAYER,
}


def defaults() -> dict[str, list[int]]:
    """Permission to roles, as ``game.permissions`` has it."""
    return {name: [role for role in range(PLAYER, GAMEMASTER + 1) if role >= least] for name, least in PERMISSIONS.items()}


def can(user: dict[str, Any], permission: str, table: dict[str, list[int]]) -> bool:
    """Whether somebody has a permission, by role or by a grant of his own."""
    if user["role"] >= GAMEMASTER:
        return True
    own = user["permissions"].get(permission)
    return bool(own) if own is not None else user["role"] in table.get(permission, [])


def is_gm(user: dict[str, Any]) -> bool:
    """Assistants count, as in ``User#isGM``."""
    return bool(user["role"] >= ASSISTANT)


def owns(user: dict[str, Any], document: dict[str, Any]) -> bool:
    """Owner level on a document."""
    if is_gm(user):
        return True
    if document.get("author") == user["_id"]:
        return True
    ownership = document.get("ownership") or {}
    level = ownership.get(user["_id"])
    if level is None or level == -1:
        level = ownership.get("default", 0)
    return bool(level >= OWNER)


def may_create(
    user: dict[str, Any], kind: str, data: dict[str, Any], parent: dict[str, Any] | None, table: dict[str, list[int]]
) -> bool:
    """Whether a document may be created; the parent is the document whose ownership counts."""
    if kind == "ChatMessage":
        own = data["author"] == user["_id"] or is_gm(user)
        return own and (not data["whisper"] or can(user, "MESSAGE_WHISPER", table))
    if kind == "Macro":
        return data["author"] == user["_id"] and (data["type"] != "script" or can(user, "MACRO_SCRIPT", table))
    if kind in ("Item", "ActiveEffect") and parent is not None:
        return owns(user, parent)
    if kind == "Token":
        return can(user, "TOKEN_CREATE", table)
    if kind in ("Actor", "Item"):
        return can(user, f"{kind.upper()}_CREATE", table)
    return is_gm(user)


def may_update(
    user: dict[str, Any], kind: str, document: dict[str, Any], change: dict[str, Any], owner: dict[str, Any] | None
) -> bool:
    """Whether a change may be made. ``owner`` is the document whose ownership counts, where it is another one."""
    if is_gm(user):
        return not (kind == "User" and change.get("role", 0) > user["role"])
    if kind == "User":
        return document["_id"] == user["_id"] and not {"role", "permissions", "name"} & change.keys()
    if kind == "Combat":
        return change.keys() <= {"_id", "round", "turn"}
    if kind in ("Token", "Combatant"):
        return owner is not None and owns(user, owner)
    if kind == "Scene":
        return False
    return owns(user, owner if owner is not None else document)


def may_delete(
    user: dict[str, Any], kind: str, document: dict[str, Any], owner: dict[str, Any] | None, table: dict[str, list[int]]
) -> bool:
    """Whether a document may be deleted."""
    if is_gm(user):
        return True
    if kind == "Token":
        return can(user, "TOKEN_DELETE", table)
    if kind in ("User", "Combat", "Combatant", "Scene"):
        return False
    return owns(user, owner if owner is not None else document)
