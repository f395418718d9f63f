"""A standard deck drawn with the font that the image library carries: none that the reader was trained on."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from companion.vision.geometry import Image
from companion.vision.index_reader.card_faces import PER_MM, Style, draw
from companion.vision.index_reader.classes import FACES
from companion.vision.index_reader.suit_shapes import drawn_suits
from companion.vision.index_reader.typefaces import Typeface
from tests.bench.sight.compose import Condition, Photo, compose

APART = Condition(any_way=0.5, turn=8.0, long_side=1800)
_BLACK, _RED = (30, 28, 26), (40, 35, 200)


def _glyph(text: str) -> Image:
    picture = Pictures.new("L", (160, 160))
    pen = ImageDraw.Draw(picture)
    pen.text((30, 10), text, fill=255, font=ImageFont.load_default(100), stroke_width=2)
    mask = np.asarray(picture, np.uint8)
    rows, columns = np.flatnonzero(mask.max(axis=1)), np.flatnonzero(mask.max(axis=0))
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


@lru_cache(maxsize=4)
def style(letters: str = "JQK", corners: int = 2) -> Style:
    """How the deck looks."""
    glyphs = {text: _glyph(text) for text in "A0123456789JQKBVHDROE"}
    written = {"J": letters[0], "Q": letters[1], "K": letters[2]}
    face = Typeface(Path("none"), "the library's own", glyphs)
    inks = {"S": _BLACK, "C": _BLACK, "H": _RED, "D": _RED}
    suits = drawn_suits(np.random.default_rng(7))
    return Style(face, suits, inks, corners=corners, court=11, letters=written)


@lru_cache(maxsize=64)
def cut_out(face: str, letters: str = "JQK") -> Image:
    """A card of the deck, RGBA, its round corners transparent."""
    picture = draw(style(letters), face[:-1], face[-1]).picture
    return rounded(picture)


def rounded(picture: Image) -> Image:
    """A card (BGR) with round corners, RGBA."""
    high, wide = picture.shape[:2]
    mask = np.zeros((high, wide), np.uint8)
    r = 3 * PER_MM
    cv2.rectangle(mask, (r, 0), (wide - r, high), 255, -1)
    cv2.rectangle(mask, (0, r), (wide, high - r), 255, -1)
    for x in (r, wide - r - 1):
        for y in (r, high - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1)
    return np.dstack([picture[..., ::-1], mask]).astype(np.uint8)


def deck(names: Sequence[str], letters: str = "JQK") -> Mapping[str, Image]:
    """Some cards of the deck, or any of them."""
    assert set(names) <= set(FACES)
    return {name: cut_out(name, letters) for name in names}


def photo(
    rows: Sequence[Sequence[str]], seed: int, condition: Condition = APART, letters: str = "JQK"
) -> Photo:
    """A photograph of rows of cards."""
    names = sorted({name for row in rows for name in row})
    return compose(deck(names, letters), rows, condition, np.random.default_rng(seed))
