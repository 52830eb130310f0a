"""Boonbridge: an authoritative dice bridge for Foundry Virtual Tabletop."""

__version__ = "0.1.0"
