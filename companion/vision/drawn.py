"""The album of a deck that ships: its own drawings, as the print-and-play sheets show them."""

import numpy as np

from card_catalog.faces import faces, picture
from card_catalog.loader import shipped_deck
from companion.vision.album import Album, Reference

HEIGHT = 512


def drawn_album(deck_id: str) -> Album:
    """References of a shipped deck with drawings; raises `KeyError` for another."""
    deck = shipped_deck(deck_id)
    references = []
    for face in faces(deck):
        drawn = np.asarray(picture(face, HEIGHT), np.uint8)[..., ::-1]
        references.append(Reference(face.name, np.ascontiguousarray(drawn), "drawn"))
    return Album(deck_id, references)
