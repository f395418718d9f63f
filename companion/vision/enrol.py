"""Reference pictures cut out of photos whose cards are named: one card a photo, or a sheet of several.

Accuracy later depends on these crops more than on anything else, so each is checked and every doubt is
told: what to photograph again is known at once, not at the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np

from companion.vision.contours import outlines
from companion.vision.edges import snapped
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    area,
    aspect,
    corners_of,
    over_smaller,
    sides,
)
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import arranged

Order = Literal["rows", "x"]
"""How the cards of a sheet are named: in reading order, or by x of their centre."""

HEIGHT = 512
"""Pixels of height of a stored reference."""
_SMALL = 200
"""Pixels of height in the photo below which a crop is doubtful."""
_PLAIN_ASPECTS = (1.2, 1.9)
"""Shape of a picture that is taken as a card itself when no outline is found in it."""


class NotCut(Exception):
    """The cards of a photo could not be told apart; `found` of `wanted` were."""

    def __init__(self, found: int, wanted: int) -> None:
        self.found = found
        self.wanted = wanted
        super().__init__(f"{found} of {wanted} cards found")


@dataclass(frozen=True, slots=True)
class Crop:
    """A card cut out of a photo, flat and upright as named."""

    face: str
    image: Image = field(repr=False)
    """BGR, `HEIGHT` pixels high."""
    quad: Quad = field(repr=False)
    """Where it lay, pixels of the photo."""
    source: str = ""
    whole: bool = False
    """The picture was a card itself: nothing was cut."""
    band: float = 0.0
    """Share of its outer edge that looks like the table."""
    doubts: tuple[str, ...] = ()

    @property
    def tall(self) -> float:
        """Height of the card in the photo, pixels."""
        return float(sides(self.quad)[[1, 3]].mean())


def cut(image: Image, faces: Sequence[str], order: Order = "rows", source: str = "") -> list[Crop]:
    """The named cards of an upright photo; raises `NotCut` where their number differs."""
    quads = cards_in(image, len(faces))
    whole = False
    if len(faces) == 1 and not quads and _card_itself(image):
        quads, whole = [corners_of(image.shape[1], image.shape[0])], True
    if len(quads) != len(faces):
        raise NotCut(len(quads), len(faces))
    pyramid = Pyramid(image)
    shape = float(np.median([aspect(q) for q in quads]))
    width = round(HEIGHT / shape)
    return [
        Crop(
            face,
            pyramid.rectify(quad, width, HEIGHT),
            quad,
            source,
            whole,
            0.0 if whole else _band(pyramid, quad),
        )
        for face, quad in zip(faces, _ordered(quads, order), strict=True)
    ]


def _card_itself(image: Image) -> bool:
    height, width = image.shape[:2]
    return _PLAIN_ASPECTS[0] < height / width < _PLAIN_ASPECTS[1]


def _ordered(quads: list[Quad], order: Order) -> list[Quad]:
    if order == "x":
        return sorted(quads, key=lambda q: float(q[:, 0].mean()))
    return [quads[card] for row in arranged(quads).rows for card, _ in row]


def cards_in(image: Image, wanted: int) -> list[Quad]:
    """Outlines, in photo pixels, of that many cards of one size lying apart; fewer if not found."""
    work, scale = reduced(image, WORK)
    grey = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    weighed = [(contrast(grey, quad), area(quad), quad) for quad in outlines(work) if aspect(quad) < 2]
    weighed = [w for w in weighed if w[0] > 6]
    best: list[Quad] = []
    best_key = (-float("inf"), -float("inf"))
    for _, size, _ in weighed:
        group = [w for w in weighed if 0.55 * size < w[1] < 1.8 * size]
        group.sort(key=lambda w: -min(w[0], 40.0) * w[1] ** 0.5)
        kept: list[tuple[float, float, Quad]] = []
        for one in group:
            if all(over_smaller(one[2], other[2]) < 0.3 for other in kept):
                kept.append(one)
        kept = kept[:wanted] if len(kept) > wanted and _clear(kept, wanted) else kept
        key = (-float(abs(len(kept) - wanted)), sum(min(w[0], 40.0) * w[1] for w in kept))
        if key > best_key:
            best_key, best = key, [w[2] for w in kept]
    fine, finer = reduced(image, 2 * WORK)
    return [(snapped(fine, quad * (finer / scale)) / finer).astype(np.float32) for quad in best]


def _clear(kept: list[tuple[float, float, Quad]], wanted: int) -> bool:
    """Whether what comes after the wanted ones is clearly less of a card."""
    value = [min(w[0], 40.0) * w[1] ** 0.5 for w in kept]
    return value[wanted] < 0.6 * value[wanted - 1]


def contrast(grey: Image, quad: Quad, reach: float = 4.0) -> float:
    """Grey levels between inside and outside along a quad's weakest side, and a part of the mean."""
    steps = []
    for i in range(4):
        start, end = quad[i], quad[(i + 1) % 4]
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        across = np.array([along[1], -along[0]], np.float32) * reach
        line = start + (end - start) * np.linspace(0.15, 0.85, 24, dtype=np.float32)[:, None]
        outer, inner = _sampled(grey, line + across), _sampled(grey, line - across)
        steps.append(float(np.median(np.abs(outer - inner))))
    return min(steps) + 0.3 * float(np.mean(steps))


def _sampled(grey: Image, points: Floats) -> Floats:
    x = np.ascontiguousarray(points[:, 0], np.float32).reshape(1, -1)
    y = np.ascontiguousarray(points[:, 1], np.float32).reshape(1, -1)
    values = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(-1).astype(np.float32)


def _band(pyramid: Pyramid, quad: Quad) -> float:
    """Share of the crop's outer edge whose colour is the surroundings', not the card's."""
    middle = quad.mean(axis=0)
    wide = (middle + (quad - middle) * 1.08).astype(np.float32)
    flat = pyramid.rectify(wide, 216, 302).astype(np.float32)
    outside, edge, inside = _ring(flat, 1), _ring(flat, 12), _ring(flat, 24)
    away, near = np.linalg.norm(edge - inside, axis=1), np.linalg.norm(edge - outside, axis=1)
    return float(((near < 0.5 * away) & (away > 20)).mean())


def _ring(flat: Floats, inset: int) -> Floats:
    """The pixels of a rectangle so far inside the edge, corners left out, in a fixed order."""
    height, width = flat.shape[:2]
    x = np.linspace(0.15, 0.85, 60) * (width - 1)
    y = np.linspace(0.15, 0.85, 80) * (height - 1)
    x, y = x.astype(int), y.astype(int)
    return np.concatenate(
        [flat[inset, x], flat[height - 1 - inset, x], flat[y, inset], flat[y, width - 1 - inset]]
    )


def checked(crops: Sequence[Crop]) -> list[Crop]:
    """The crops of a deck with their doubts, each measured against its fellows."""
    if not crops:
        return []
    shapes = np.array([aspect(crop.quad) for crop in crops])
    sharp = np.array([sharpness(crop.image) for crop in crops])
    usual = float(np.median(sharp))
    result = []
    for crop, its_shape, its_sharpness in zip(crops, shapes, sharp, strict=True):
        doubts = []
        fellows = shapes[[other.source == crop.source for other in crops]]
        near = len(fellows) >= 3  # a tilted photo shortens all its cards
        shape = float(np.median(fellows if near else shapes))
        if len(crops) >= 4 and abs(np.log(its_shape / shape)) > (0.09 if near else 0.12):
            doubts.append(f"its shape is {its_shape:.2f}, that of others {shape:.2f}: cut askew?")
        if crop.band > 0.15:
            doubts.append(f"the table shows along {round(100 * crop.band)} % of its edge")
        if its_sharpness < 0.5 * usual or its_sharpness < 0.12:
            doubts.append("is blurred")
        if not crop.whole and crop.tall < _SMALL:
            doubts.append(f"is {round(crop.tall)} pixels high in the photo; {_SMALL} or more are good")
        if _glare(crop.image) > 0.12:
            doubts.append("is glaring")
        result.append(replace(crop, doubts=tuple(doubts)))
    return result


def sharpness(image: Image) -> float:
    """How steep the strongest edges of a card are at a fixed size, as a share of its contrast."""
    grey = cv2.resize(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (183, 256), interpolation=cv2.INTER_AREA)
    inner = grey[12:-12, 12:-12].astype(np.float32)
    slope = np.hypot(cv2.Sobel(inner, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(inner, cv2.CV_32F, 0, 1) / 8)
    contrast_range = float(np.percentile(inner, 99.5) - np.percentile(inner, 0.5))
    return float(np.percentile(slope, 99.5)) / max(contrast_range, 25.0)


def _glare(image: Image) -> float:
    """Share of the card that is burnt out in one blob while its paper is not."""
    least = image.min(axis=2)
    burnt = (least >= 252).astype(np.uint8)
    if burnt.mean() > 0.5:  # white paper, brightly lit
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(burnt)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0) / least.size)
