"""Whether a number or its ring is printed in red or in black, by its ink against its own paper.

Print is measured as what share of the paper's light it sends back in each channel: coloured light falls
on both alike, and a blurred stroke, being paper and ink mixed, keeps the ink's hue.
"""

from typing import Literal

import cv2
import numpy as np

from companion.vision.geometry import Floats, Image

Ink = Literal["red", "black"]
_SIDE = 64
"""Pixels that a patch is reduced to; hue needs no more."""
_LEAST = 0.35
"""Share of the paper's light that the ink must take away to be ink at all."""
_RED, _BLACK = 0.46, 0.2
"""Redness from which ink is red, and up to which it is black."""
_YELLOW = 0.34
"""Lead of green over blue from which ink is gold or brown, which is neither."""


def ink_colour(flat_patch: Image) -> tuple[Ink | None, float]:
    """Colour of the print in a flat square picture (BGR) of a ring, and how certain, 0 to 1.

    What lies outside the circle that the picture's sides touch does not count. None: no ink there, or
    ink of another colour, or neither clearly.
    """
    if flat_patch.size == 0:
        return None, 0.0
    small = cv2.resize(flat_patch, (_SIDE, _SIDE), interpolation=cv2.INTER_AREA).astype(np.float32)
    within = _circle(_SIDE)
    paper = paper_of(small[within])
    if paper.min() < 25:
        return None, 0.0
    share = np.clip(small[within] / paper, 0, 1.2)
    taken = 1 - share.min(axis=1)
    strongest = float(np.percentile(taken, 98))
    if strongest < _LEAST:
        return None, 0.0
    at = taken > 0.7 * strongest
    if at.mean() < 0.01:
        return None, 0.0
    blue, green, red = share[at].T
    redness = float(np.median((red - (green + blue) / 2) / taken[at]))
    yellow = float(np.median((green - blue) / taken[at]))
    clear = min(1.0, (strongest - _LEAST) / 0.25)
    if abs(yellow) > _YELLOW:
        return None, 0.0
    if redness >= _RED:
        return "red", round(clear * min(1.0, 0.6 + (redness - _RED) / 0.3), 3)
    if -_BLACK <= redness <= _BLACK:
        return "black", round(clear * min(1.0, 0.6 + (_BLACK - redness) / 0.3), 3)
    return None, 0.0


def paper_of(pixels: Floats) -> Floats:
    """Colour of the paper among the pixels (n, 3) of print on paper: what most of the palest share."""
    bright = pixels.min(axis=1)
    palest = pixels[bright >= np.percentile(bright, 60)]
    paper: Floats = np.median(palest, axis=0)
    return paper


def _circle(side: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    return np.asarray(np.hypot(x, y) <= side / 2)
