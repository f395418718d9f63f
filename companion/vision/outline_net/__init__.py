"""Outlines of cards found by a small network, of whatever deck; its training and its card beside it."""
