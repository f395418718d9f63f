"""Companion: keeps score of a card game, rules on disputes and remembers the household's matches."""

__version__ = "0.1.0"
