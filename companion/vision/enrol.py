"""Reference pictures cut out of photos whose cards are named: one card a photo, or a sheet of several.

Accuracy later depends on these crops more than on anything else, so each is checked and every doubt is
told: what to photograph again is known at once, not at the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np

from companion.vision.contours import outlines, shapes_of
from companion.vision.edges import contrast, snapped
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    area,
    aspect,
    corners_of,
    iou,
    over_smaller,
    sides,
)
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import arranged, table_of

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
    guessed: bool = False
    """Its outline was not seen but follows from its neighbours'."""
    band: float = 0.0
    """Share of its outer edge that looks like the table."""
    doubts: tuple[str, ...] = ()

    @property
    def tall(self) -> float:
        """Height of the card in the photo, pixels."""
        return float(sides(self.quad)[[1, 3]].mean())


def cut(image: Image, faces: Sequence[str], order: Order = "rows", source: str = "") -> list[Crop]:
    """The named cards of an upright photo; raises `NotCut` where their number differs."""
    quads, guessed = cards_in(image, len(faces))
    whole = False
    if len(faces) == 1 and not quads and _card_itself(image):
        quads, whole = [corners_of(image.shape[1], image.shape[0])], True
    if len(quads) != len(faces):
        raise NotCut(len(quads), len(faces))
    unseen = quads[len(quads) - guessed :]
    pyramid = Pyramid(image)
    shape = float(np.median([aspect(q) for q in quads]))
    width = round(HEIGHT / shape)
    crops = []
    for face, quad in zip(faces, _ordered(quads, order), strict=True):
        flat = pyramid.rectify(quad, width, HEIGHT)
        band = 0.0 if whole else _band(pyramid, quad)
        is_guess = any(quad is other for other in unseen)
        crops.append(Crop(face, flat, quad, source, whole, is_guess, band))
    return crops


def _card_itself(image: Image) -> bool:
    height, width = image.shape[:2]
    return _PLAIN_ASPECTS[0] < height / width < _PLAIN_ASPECTS[1]


def _ordered(quads: list[Quad], order: Order) -> list[Quad]:
    if order == "x":
        return sorted(quads, key=lambda q: float(q[:, 0].mean()))
    return [quads[card] for row in arranged(quads).rows for card, _ in row]


def cards_in(image: Image, wanted: int) -> tuple[list[Quad], int]:
    """Outlines, in photo pixels, of that many cards of one size lying apart; fewer if not found.

    The last of them, as many as the number returned beside, were not seen but stand where the others
    leave a place in their rows.
    """
    work, scale = reduced(image, WORK)
    grey = cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    weighed = [(contrast(grey, quad), area(quad), quad) for quad in outlines(shapes_of(work)) if aspect(quad) < 2]
    clear = [w for w in weighed if w[0] > 6]
    quads = _of_one_size(_best_group(clear, wanted))
    places = _missing(quads, wanted) if 0 < len(quads) < wanted else []
    for place in list(places):
        fits = [w for w in weighed if iou(w[2], place) > 0.72]
        if fits:
            quads.append(max(fits, key=lambda w: w[0] * iou(w[2], place))[2])
            places = [p for p in places if p is not place]
    fine, finer = reduced(image, 2 * WORK)
    found = [(snapped(fine, quad * (finer / scale)) / finer) for quad in quads]
    guessed = [(snapped(fine, quad * (finer / scale), 0.07) / finer) for quad in places]
    return [quad.astype(np.float32) for quad in (*found, *guessed)], len(guessed)


_Weighed = tuple[float, float, Quad]
"""Contrast along the outline, area, outline."""


def _best_group(weighed: list[_Weighed], wanted: int) -> list[Quad]:
    """The disjoint outlines of one size and shape that stand out most, at most the wanted number."""
    best: list[Quad] = []
    best_value = 0.0
    for _, size, model in weighed:
        group = [
            w
            for w in weighed
            if 0.55 * size < w[1] < 1.8 * size and abs(np.log(aspect(w[2]) / aspect(model))) < 0.3
        ]
        group.sort(key=_worth, reverse=True)
        kept: list[_Weighed] = []
        for one in group:
            if all(over_smaller(one[2], other[2]) < 0.3 for other in kept):
                kept.append(one)
        kept = kept[:wanted]
        value = sum(_worth(w) for w in kept)
        if value > best_value:
            best_value, best = value, [w[2] for w in kept]
    return best


def _worth(weighed: _Weighed) -> float:
    """How much an outline stands out, less where its opposite sides differ."""
    lengths = sides(weighed[2])
    even = min(lengths[0], lengths[2]) * min(lengths[1], lengths[3])
    even /= max(lengths[0], lengths[2]) * max(lengths[1], lengths[3])
    return float(min(weighed[0], 40.0) * weighed[1] ** 0.5 * even**3)


def _of_one_size(quads: list[Quad]) -> list[Quad]:
    """Those that are of the others' size on the table: a frame inside a card is not."""
    while len(quads) >= 5:
        table = table_of(quads)
        sizes = np.array([area(table.flat(quad).astype(np.float32)) for quad in quads])
        off = np.abs(np.log(sizes / np.median(sizes)))
        worst = int(off.argmax())
        if off[worst] < 0.15:
            break
        quads = [quad for i, quad in enumerate(quads) if i != worst]
    return quads


def _missing(quads: list[Quad], wanted: int) -> list[Quad]:
    """The places of the cards that were not seen, where the rows of the others leave no doubt."""
    if 2 * len(quads) < wanted:
        return []
    places = arranged(quads).places_to_fill()
    return places if len(places) == wanted - len(quads) else []


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
        if crop.guessed:
            doubts.append("its outline was not seen, only where its neighbours leave a place")
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
