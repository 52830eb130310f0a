"""Exact chances that no dialog asks for: one file for each game that has any. They know their game, which does not know them."""
