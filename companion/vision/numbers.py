"""Numbers printed in rings, read by two readers that know nothing of each other.

A ring is cut out at full resolution. Its paper must be seen, a whole disc: a ring under another card is
not read at all. Without ink on it the ring is empty. Otherwise the digits are compared with digits drawn
in several ways, and all numbers of a photo go, one a line, through tesseract in one call (it fails on
single digits alone, not on a column of them). A number counts only where both say the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from card_catalog.faces import HEIGHT_MM, WIDTH_MM, Ring
from companion.vision import tesseract
from companion.vision.colours import Ink, ink_colour, paper_of
from companion.vision.geometry import Floats, Image, Pyramid, Quad, corners_of, homography, mapped
from companion.vision.glyphs import Text, by_likeness, drawn

SHAPE = HEIGHT_MM / WIDTH_MM
"""Height over width of the cards that are shipped."""
SIDE = 176
"""Pixels of a ring's patch; a digit in it is some 80 high."""
REACH = 1.25
"""Radii from the ring's middle to the patch's sides."""
LONGEST = 4
"""Digits of a number."""

_RADIUS = SIDE / 2 / REACH
_FAINT, _PRINTED = 0.16, 0.3
"""Share of the paper's light: ink that takes away less is none, and from the other on it is print."""
_TEXT, _GAP = 44, 60
"""Height of the digits and the space between lines where tesseract reads them, pixels."""
_ANCHORS = ("38", "12", "47")
"""Lines of print above and below, so that tesseract sees a column, and so that it shows it can read."""


@dataclass(frozen=True, slots=True)
class NumberRead:
    """What stands in one ring."""

    value: int | None = None
    """None: empty, or not read beyond doubt."""
    confidence: float = 0.0
    """Of the value, or of the ring's being empty; else of the first candidate."""
    empty: bool = False
    """The ring is seen and nothing is printed in it."""
    candidates: tuple[int, ...] = ()
    """What it may be, the likeliest first; the value is the first."""


UNREAD = NumberRead()


@dataclass(frozen=True, slots=True)
class _Print:
    """What is printed in a ring: its digits from left to right, each a picture of its ink, 0 to 1."""

    digits: tuple[Floats, ...] = field(repr=False)
    whole: Floats = field(repr=False)
    """The number as it stands, cut close."""
    strength: float = 1.0
    """Share of the paper's light that the ink takes away."""


def read_numbers(
    pyramid: Pyramid, asked: Sequence[tuple[Quad, Ring]], shape: float = SHAPE
) -> list[NumberRead]:
    """What stands in each asked ring of cards lying upright in these quads (photo pixels).

    `shape` is the cards' height over width. Without tesseract only clear print is read, less surely.
    """
    patches = [ring_patch(pyramid, quad, ring, shape) for quad, ring in asked]
    return read_patches(patches)


def ring_colour(
    pyramid: Pyramid, quad: Quad, ring: Ring, shape: float = SHAPE
) -> tuple[Ink | None, float]:
    """Colour of a ring and its number, and how certain; the card lies upright in the quad."""
    patch = ring_patch(pyramid, quad, ring, shape)
    seen = _disc(patch)
    if seen is None:
        return None, 0.0
    (x, y), radius = seen.middle, 1.08 * _RADIUS
    left, top = max(0, round(x - radius)), max(0, round(y - radius))
    return ink_colour(patch[top : round(y + radius) + 1, left : round(x + radius) + 1])


def ring_patch(pyramid: Pyramid, quad: Quad, ring: Ring, shape: float = SHAPE) -> Image:
    """The flat picture of a ring, `SIDE` pixels square, `REACH` radii to each side of its middle."""
    unit = corners_of(1, 1)
    across, down = REACH * ring.radius, REACH * ring.radius / shape
    box = np.array(
        [
            [ring.x - across, ring.y - down], [ring.x + across, ring.y - down],
            [ring.x + across, ring.y + down], [ring.x - across, ring.y + down],
        ],
        np.float32,
    )  # fmt: skip
    return pyramid.rectify(mapped(box, homography(unit, quad.astype(np.float32))), SIDE, SIDE)


def read_patches(patches: Sequence[Image]) -> list[NumberRead]:
    """The same for the flat pictures of rings (see `ring_patch`)."""
    found = [_print_in(patch) for patch in patches]
    printed = [p for p in found if isinstance(p, _Print)]
    liked = [by_likeness(p.digits) for p in printed]
    texts = _read_in_column(printed)
    missed = [i for i, text in enumerate(texts) if not text[0] and liked[i][0]]
    if missed and len(missed) < len(printed):  # another column, another chance
        again = _read_in_column([printed[i] for i in missed])
        for i, text in zip(missed, again, strict=True):
            texts[i] = text
    agreed = iter([_agreed(*all_) for all_ in zip(printed, liked, texts, strict=True)])
    return [next(agreed) if isinstance(p, _Print) else p for p in found]


def _agreed(printed: _Print, first: Text, second: Text) -> NumberRead:
    """The number that both readers read; one of them alone is a candidate."""
    (like, likeness), (read, confidence) = first, second
    candidates = tuple(dict.fromkeys(int(t) for t in (like, read) if t))
    if like and like == read:
        certain = 0.9 + 0.1 * min(likeness, confidence)
        return NumberRead(int(like), round(certain, 3), candidates=candidates)
    if like and not tesseract.available() and likeness > 0.5 and printed.strength > _PRINTED:
        return NumberRead(int(like), round(0.6 + 0.2 * likeness, 3), candidates=candidates)
    best = 0.5 * max(likeness if like else 0.0, confidence if read else 0.0)
    return NumberRead(None, round(best, 3), candidates=candidates)


# The ring and what is in it


@dataclass(frozen=True, slots=True)
class _Disc:
    """The paper inside a ring."""

    paper: Floats
    inside: NDArray[np.bool_]
    """Its pixels and those of the print on it."""
    middle: tuple[float, float]


def _disc(patch: Image) -> _Disc | None:
    """The disc of paper in the middle of a patch; None where none is seen whole."""
    half = (SIDE // 2, SIDE // 2)
    values = cv2.resize(patch, half, interpolation=cv2.INTER_AREA).astype(np.float32)
    near = _from_middle()
    pale = paper_of(values[near < 0.8])
    rim = np.median(values[(near > 0.62) & (near < 0.82)], axis=0)
    return _disc_of(values, pale) or _disc_of(values, rim)


def _disc_of(values: Floats, paper: Floats) -> _Disc | None:
    """The disc of that paper, in a patch of half size; what is printed on it may part it into pieces."""
    near, radius = _from_middle(), _RADIUS / 2
    away = np.abs(values - paper).max(axis=2) / max(float(paper.max()), 40.0)
    flat = ((away < 0.2) & (near < 1.2)).astype(np.uint8)
    flat = np.asarray(cv2.morphologyEx(flat, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    count, labels = cv2.connectedComponents(flat)
    pieces = np.bincount(labels.ravel(), minlength=count)
    central = np.bincount(labels[near < 1], minlength=count)
    own = (central > 0.7 * pieces) & (pieces > 0.02 * radius**2)
    own[0] = False
    if not own.any():
        return None
    hull = cv2.convexHull(np.argwhere(own[labels])[:, ::-1].astype(np.int32))
    size, around = cv2.contourArea(hull), cv2.arcLength(hull, True)
    round_ = 4 * np.pi * size / max(around * around, 1.0)
    moments = cv2.moments(hull)
    x, y = moments["m10"] / max(moments["m00"], 1.0), moments["m01"] / max(moments["m00"], 1.0)
    off = np.hypot(x - SIDE / 4, y - SIDE / 4) / radius
    if not 0.7 < size / (np.pi * (0.9 * radius) ** 2) < 1.3 or round_ < 0.94 or off > 0.4:
        return None
    inside = np.zeros(flat.shape, np.uint8)
    cv2.drawContours(inside, [hull], -1, 1, cv2.FILLED)
    whole = cv2.resize(inside, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    return _Disc(paper, np.asarray(whole, bool), (2 * x + 0.5, 2 * y + 0.5))


@lru_cache(maxsize=1)
def _from_middle() -> Floats:
    """Distance of each pixel of a patch of half size from its middle, in radii of the ring."""
    y, x = np.mgrid[: SIDE // 2, : SIDE // 2] - (SIDE / 2 - 1) / 2
    return np.asarray(np.hypot(x, y) / (_RADIUS / 2), np.float32)


def _print_in(patch: Image) -> NumberRead | _Print:
    """The digits in a ring, or what is to be said without reading any."""
    disc = _disc(patch)
    if disc is None:
        return UNREAD
    taken = np.abs(patch.astype(np.float32) - disc.paper).max(axis=2)
    taken = np.clip(taken / max(float(disc.paper.max()), 40.0), 0, 1)
    taken = np.where(_shrunk(disc.inside, round(0.06 * _RADIUS)), taken, 0).astype(np.float32)
    smooth = cv2.GaussianBlur(taken, (0, 0), 1.5)
    well_in = _shrunk(disc.inside, round(0.16 * _RADIUS))
    strength = float(np.percentile(smooth[well_in], 99.3))
    if strength < _FAINT:
        burnt = float((patch.min(axis=2) >= 252)[well_in].mean())
        if burnt > 0.5 or disc.paper.max() < 70:
            return UNREAD
        return NumberRead(None, round(1 - strength / _PRINTED, 3), empty=True)
    ink = np.clip(smooth / strength, 0, 1)
    boxes = _boxes(ink, well_in)
    if not boxes:
        return UNREAD
    digits = tuple(ink[t:b, a:c] for a, t, c, b in boxes)
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    return _Print(digits, ink[top:bottom, left:right], strength)


def _shrunk(inside: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    size = 2 * by + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    return np.asarray(cv2.erode(inside.astype(np.uint8), kernel), bool)


_Box = tuple[int, int, int, int]
"""Left, top, right, bottom; the last two just outside."""


def _boxes(ink: Floats, well_in: NDArray[np.bool_]) -> list[_Box]:
    """Where the digits stand, from left to right; none where what is there is no row of digits."""
    for level in (0.42, 0.55, 0.68):
        dark = (ink > level).astype(np.uint8)
        _, labels, stats, _ = cv2.connectedComponentsWithStats(dark)
        parts = [
            (int(x), int(y), int(x + w), int(y + h))
            for number, (x, y, w, h, size) in enumerate(stats)
            if number and size > 0.01 * _RADIUS**2 and well_in[labels == number].mean() > 0.5
        ]
        if not parts:
            continue
        parts.sort()
        tall = max(b - t for _, t, _, b in parts)
        level_with = all(
            b - t > 0.7 * tall and abs(b - parts[0][3]) < 0.2 * tall for _, t, _, b in parts
        )
        if not 0.3 * _RADIUS < tall < 1.5 * _RADIUS or not level_with:
            continue
        boxes = [one for part in parts for one in _parted(ink, part)]
        if len(boxes) <= LONGEST:
            return boxes
    return []


def _parted(ink: Floats, box: _Box) -> list[_Box]:
    """The digits that touch each other there, cut where there is least ink between them."""
    left, top, right, bottom = box
    count = round((right - left) / (0.68 * (bottom - top)))
    if right - left < 1.02 * (bottom - top) or count < 2:
        return [box]
    columns = ink[top:bottom, left:right].sum(axis=0)
    wide = (right - left) / count
    cuts = [0]
    for number in range(1, count):
        low, high = round((number - 0.25) * wide), round((number + 0.25) * wide)
        cuts.append(low + int(columns[low:high].argmin()))
    cuts.append(right - left)
    pairs = pairwise(cuts)
    return [(left + a, top, left + b, bottom) for a, b in pairs]


# Second reader: tesseract, all numbers in one column


def _read_in_column(printed: Sequence[_Print]) -> list[Text]:
    """What tesseract reads for each, and how surely; empty where it reads nothing or is not there."""
    nothing: list[Text] = [("", 0.0)] * len(printed)
    if not printed or not tesseract.available():
        return nothing
    lines = [
        drawn(_ANCHORS[0], 60),
        *(p.whole for p in printed),
        *(drawn(a, 60) for a in _ANCHORS[1:]),
    ]
    words = tesseract.read_words(_column(lines), 6, tesseract.DIGITS)
    texts = [[w for w in words if _line_of(w) == number] for number in range(len(lines))]
    anchors = [texts[0], *texts[-2:]]
    if ["".join(w.text for w in a) for a in anchors] != list(_ANCHORS):
        return nothing
    return [
        (found[0].text, found[0].confidence)
        if len(found) == 1 and found[0].text.isdecimal()
        else ("", 0.0)
        for found in texts[1:-2]
    ]


def _line_of(word: tesseract.Word) -> int:
    return ((word.box[1] + word.box[3]) // 2) // (_TEXT + _GAP)


def _column(lines: Sequence[Floats]) -> Image:
    """One number a line, dark on white."""
    high = _TEXT + _GAP
    sized = [_at_height(ink, _TEXT) for ink in lines]
    page = np.full((high * len(lines), max(i.shape[1] for i in sized) + 2 * high), 255, np.uint8)
    for number, ink in enumerate(sized):
        top = number * high + _GAP // 2
        page[top : top + _TEXT, high : high + ink.shape[1]] = np.rint(255 * (1 - ink)).astype(
            np.uint8
        )
    return page


def _at_height(ink: NDArray[Any], height: int) -> Floats:
    wide = max(1, round(ink.shape[1] * height / ink.shape[0]))
    return np.asarray(cv2.resize(ink, (wide, height), interpolation=cv2.INTER_AREA), np.float32)
