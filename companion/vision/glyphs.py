"""Digits compared with digits drawn in several ways: a reader of numbers that needs no program."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from companion.vision.geometry import Floats

Text = tuple[str, float]
"""Digits, and how surely they are read, 0 to 1; empty where nothing is read."""


_LIKE, _LEAD = 0.8, 0.03
"""Correlation with a drawn digit, and lead over the next digit, that a reading needs."""
_CELL = (32, 40)
"""Width and height of a compared digit; 32 of the height is the digit."""


def by_likeness(digits: Sequence[Floats]) -> Text:
    """The number, and how clearly the worst of its digits is one, 0 to 1; empty where one is not."""
    text, worst = "", 1.0
    for ink in digits:
        scores = _likeness(ink)
        first, second = np.argsort(-scores)[:2]
        lead = float(scores[first] - scores[second])
        if scores[first] < _LIKE or lead < _LEAD or _holes(ink) > _MOST_HOLES[int(first)]:
            return "", 0.0
        clear = min((float(scores[first]) - _LIKE) / (0.95 - _LIKE), lead / 0.15, 1.0)
        text, worst = text + str(first), min(worst, clear)
    if len(text) > 1 and text[0] == "0":
        return "", 0.0
    return text, worst


_MOST_HOLES = (1, 0, 1, 2, 1, 1, 2, 0, 2, 2)
"""Of each digit, slits that blur may close included."""


def _holes(ink: Floats) -> int:
    """Spots of paper that the ink encloses, larger than a speck."""
    paper = (np.pad(ink, 1) < 0.4).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(paper, connectivity=4)
    return sum(int(stats[i, cv2.CC_STAT_AREA]) > 0.035 * ink.size for i in range(1, count)) - 1


def _likeness(ink: Floats) -> Floats:
    """Correlation with each digit as it is most alike drawn, (10,)."""
    known, values = _drawn_digits()
    scores = known @ _unit(_in_cell(ink))
    best = np.full(10, -1, np.float32)
    np.maximum.at(best, values, scores)
    return best


def _in_cell(ink: Floats) -> Floats:
    """The digit at the comparing height in the middle of a cell, its own width kept."""
    width, height = _CELL
    wide = int(np.clip(round(ink.shape[1] * 32 / ink.shape[0]), 3, width))
    small = cv2.resize(ink, (wide, 32), interpolation=cv2.INTER_AREA)
    cell = np.zeros((height, width), np.float32)
    left = (width - wide) // 2
    cell[4:36, left : left + wide] = small
    return np.asarray(cv2.GaussianBlur(cell, (0, 0), 1.2), np.float32)


def _unit(cell: Floats) -> Floats:
    centred = (cell - cell.mean()).reshape(-1)
    unit: Floats = centred / max(float(np.linalg.norm(centred)), 1e-6)
    return unit


@lru_cache(maxsize=1)
def _drawn_digits() -> tuple[Floats, NDArray[np.int_]]:
    """Unit vectors of digits drawn in several ways, one row each, and which digit each is."""
    rows, values = [], []
    for digit in range(10):
        for ink in _ways_to_draw(str(digit)):
            rows.append(_unit(_in_cell(ink)))
            values.append(digit)
    return np.stack(rows), np.array(values, int)


def _ways_to_draw(text: str) -> Iterator[Floats]:
    """A digit thin and bold, wide and narrow, in Pillow's letters and in OpenCV's."""
    for stroke in (0, 2, 4, 7):
        yield from _widened(drawn(text, 90, stroke))
    for font in (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX):
        for thick in (5, 11):
            canvas = np.zeros((160, 160), np.uint8)
            cv2.putText(canvas, text, (30, 130), font, 3.6, 255, thick, cv2.LINE_AA)
            yield _close(np.asarray(canvas, np.float32) / np.float32(255))


def _widened(ink: Floats) -> Iterator[Floats]:
    for by in (0.88, 1.0, 1.12):
        yield np.asarray(
            cv2.resize(ink, None, fx=by, fy=1, interpolation=cv2.INTER_AREA), np.float32
        )


def drawn(text: str, size: int, stroke: int = 0) -> Floats:
    """Text in Pillow's own letters, cut close, ink 1."""
    canvas = Pictures.new("L", (size * (1 + len(text)), 2 * size))
    ImageDraw.Draw(canvas).text(
        (size // 3, size // 3), text, 255, ImageFont.load_default(size), stroke_width=stroke
    )
    return _close(np.asarray(canvas, np.float32) / np.float32(255))


def _close(ink: Floats) -> Floats:
    y, x = np.nonzero(ink > 0.5)
    return ink[y.min() : y.max() + 1, x.min() : x.max() + 1]
