"""Pictures of the decks that photographs are composed of: the shipped ones, and the second one."""

import zlib
from collections.abc import Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from card_catalog.loader import shipped_deck
from card_catalog.model import Card, Colour
from tests.bench.sight import second_deck

Picture = NDArray[np.uint8]
SECOND = "second"
"""The name here of the second deck for Up the Creek."""


class NoPictures(Exception):
    """The deck's faces are not there (yet)."""


@lru_cache(maxsize=3)
def deck_pictures(deck: str, height: int) -> Mapping[str, Picture]:
    """RGBA cut-outs of a deck by face name; `second` or the id of a shipped deck."""
    return second_deck.pictures(height) if deck == SECOND else shipped_pictures(deck, height)


def shipped_pictures(deck_id: str, height: int) -> dict[str, Picture]:
    """The shipped faces of a deck, RGBA cut-outs by face name; raises `NoPictures`.

    Their rings carry made-up numbers, as a household's cards carry theirs: the shipped deck knows none.
    """
    try:
        from card_catalog.faces import cutout, faces

        drawn = faces(shipped_deck(deck_id), numbers=invented(deck_id))
    except (ImportError, KeyError) as error:
        raise NoPictures(f"{deck_id}: {error}") from None
    return {face.name: np.asarray(cutout(face, height).convert("RGBA"), np.uint8) for face in drawn}


def invented(deck_id: str) -> dict[str, int]:
    """A number for each numbered face, made up unless the deck tells it; it never enters the catalogue."""
    found = {}
    for kind in shipped_deck(deck_id).kinds.values():
        for card in [Card(kind, c) for c in Colour] if kind.coloured else [Card(kind)]:
            if kind.numbered:
                told = kind.number
                found[str(card)] = 1 + zlib.crc32(str(card).encode()) % 6 if told is None else told
    return found


def deck_numbers(deck: str) -> Mapping[str, int]:
    """The numbers printed on the faces, where a face has a ring for one."""
    if deck == SECOND:
        return second_deck.numbers()
    from card_catalog.faces import faces, ring

    numbers = invented(deck)
    drawn = [f for f in faces(shipped_deck(deck)) if ring(f) is not None]
    return {f.name: numbers[f.name] for f in drawn if f.name in numbers}
