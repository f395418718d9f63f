"""Photos to try readers of print on: drawn cards with numbers or names, composed with exact truth."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import numpy as np

from card_catalog.faces import Face, cutout, faces
from card_catalog.loader import shipped_deck
from card_catalog.model import Card
from companion.vision.geometry import Quad
from tests.bench.sight.compose import Condition, Image, Photo, Rows, compose

FACE_HEIGHT = 640
"""Pixels of the cut-outs that are composed."""


@lru_cache(maxsize=256)
def cut(deck: str, name: str, titled: bool = False) -> Image:
    """The cut-out of a face by its name, with a number where one is written (`chief:red=3`), RGBA."""
    face = faces_of(deck, titled)[name.partition("=")[0]]
    number = name.partition("=")[2]
    if number:
        face = Face(Card(face.card.kind, face.card.colour, int(number)), titled, face.deck)
    return np.asarray(cutout(face, FACE_HEIGHT), np.uint8)


@lru_cache(maxsize=8)
def faces_of(deck: str, titled: bool = False) -> Mapping[str, Face]:
    """The faces of a shipped deck by name, no number printed that the catalogue does not know."""
    return {face.name: face for face in faces(shipped_deck(deck), titled)}


def photo(
    deck: str, rows: Rows, condition: Condition, seed: int, titled: bool = False, **changes: object
) -> Photo:
    """A photo of these rows of faces; `changes` go into the condition."""
    pictures = {name: cut(deck, name, titled) for row in rows for name in row if name}
    taken = replace(condition, **changes)  # type: ignore[arg-type]
    return compose(pictures, rows, taken, np.random.default_rng(seed))


def quad_of(corners: object, off: float = 0.0, seed: int = 0) -> Quad:
    """The outline of a card as a finder gives it: `off` card widths of error at each corner."""
    quad = np.asarray(corners, np.float32)
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    noise = np.random.default_rng(seed).normal(0, off * wide, (4, 2))
    return (quad + noise).astype(np.float32)
