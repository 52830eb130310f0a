"""Worked examples against the real engine: files of golden rolls and golden odds, played through ``core.decide``.

The driver only translates names. Every roll is a command with a tape of faces; every number it compares was computed
by the same code that runs a table. No rule of any game may be in this room.
"""

from .report import Report
from .run import NotVectors, run

__all__ = ["NotVectors", "Report", "run"]
