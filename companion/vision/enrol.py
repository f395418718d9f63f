"""Reference pictures cut out of photos whose cards are named: one card a photo, or a sheet of several.

Accuracy later depends on these crops more than on anything else, so each is checked and every doubt is
told: what to photograph again is known at once, not at the table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from companion.vision.contours import outlines, shapes_of
from companion.vision.edges import contrast, snapped, softened
from companion.vision.geometry import (
    Image,
    Pyramid,
    Quad,
    area,
    aspect,
    corners_of,
    evenness,
    homography,
    iou,
    mapped,
    over_smaller,
    portrait,
    sides,
    upright,
)
from companion.vision.outline_net.seen import NOTHING, seen_in
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import arranged, of_one_size

Order = Literal["rows", "x"]
"""How the cards of a sheet are named: in reading order, or by x of their centre."""

HEIGHT = 512
"""Pixels of height of a stored reference."""
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
    if len(faces) == 1 and is_card_itself(image) and (not quads or is_rim(image, quads[0])):
        quads, whole = [corners_of(image.shape[1], image.shape[0])], True
    if len(quads) != len(faces):
        raise NotCut(len(quads), len(faces))
    unseen = quads[len(quads) - guessed :]
    pyramid = Pyramid(image)
    shape = float(np.median([aspect(q) for q in quads]))
    width = round(HEIGHT / shape)
    crops = []
    for face, seen in zip(faces, ordered(quads, order), strict=True):
        quad = seen if whole else tightened(pyramid, upright(seen))
        flat = pyramid.rectify(quad, width, HEIGHT)
        band = 0.0 if whole else table_band(pyramid, quad)
        is_guess = any(seen is other for other in unseen)
        crops.append(Crop(face, flat, quad, source, whole, is_guess, band))
    return crops


def crop_at(image: Image, quad: Quad, face: str = "", source: str = "") -> Crop:
    """The card in an outline that a person, or the deck's pictures, set; it is cut as it is told."""
    height, width = image.shape[:2]
    quad = portrait(quad)
    whole = bool(np.abs(quad - corners_of(width, height)).max() < 2) and is_card_itself(image)
    pyramid = Pyramid(image)
    flat = pyramid.rectify(quad, max(16, round(HEIGHT / aspect(quad))), HEIGHT)
    return Crop(face, flat, quad, source, whole, band=0.0 if whole else table_band(pyramid, quad))


def is_card_itself(image: Image) -> bool:
    """Whether a picture has the shape of a card, so that it may be one from edge to edge."""
    height, width = image.shape[:2]
    return bool(_PLAIN_ASPECTS[0] < height / width < _PLAIN_ASPECTS[1])


def is_rim(image: Image, quad: Quad) -> bool:
    """Whether an outline is a frame printed inside the rim of a card that fills the whole picture.

    A rim is even on all sides; the table around a card in a photo hardly ever is.
    """
    height, width = image.shape[:2]
    off = np.abs(upright(quad) - corners_of(width, height)).reshape(-1) / width
    return bool(off.max() < 0.1 and np.ptp(off) < 0.015)


def ordered(quads: list[Quad], order: Order) -> list[Quad]:
    """The outlines in the order in which the cards of a sheet are named."""
    if order == "x":
        return sorted(quads, key=lambda q: float(q[:, 0].mean()))
    return [quads[card] for row in arranged(quads).rows for card, _ in row]


def cards_in(image: Image, wanted: int) -> tuple[list[Quad], int]:
    """Outlines, in photo pixels, of that many cards of one size lying apart; fewer if not found.

    The last of them, as many as the number returned beside, were not seen but stand where the others
    leave a place in their rows.
    """
    work, scale = reduced(image, WORK)
    grey = softened(work)
    seen = seen_in(work) if wanted > 1 else NOTHING  # it knows no card that fills a picture
    weighed = [
        (seen.heard(quad, contrast(grey, quad)), area(quad), quad)
        for quad in outlines(shapes_of(work, seen.contours), halves=False)
        if aspect(quad) < 2
    ]
    clear = [w for w in weighed if w[0] > 6]
    quads = of_one_size(_best_group(clear, wanted))
    places = _missing(quads, wanted) if 0 < len(quads) < wanted else []
    for place in list(places):
        fits = [
            w
            for w in weighed
            if iou(w[2], place) > 0.72 and all(over_smaller(w[2], q) < 0.3 for q in quads)
        ]
        if fits:
            quads.append(max(fits, key=lambda w: w[0] * iou(w[2], place))[2])
            places = [p for p in places if p is not place]
    fine, finer = reduced(image, 2 * WORK)
    found = [(snapped(fine, quad * (finer / scale)) / finer) for quad in quads]
    guessed = [(snapped(fine, quad * (finer / scale), 0.07) / finer) for quad in places]
    return [quad.astype(np.float32) for quad in (*found, *guessed)], len(guessed)


_AS_CLEAR = 0.5
"""Share of a card's worth from which an outline too many is a card too."""
_Weighed = tuple[float, float, Quad]
"""Contrast along the outline, area, outline."""


def _best_group(weighed: list[_Weighed], wanted: int) -> list[Quad]:
    """The disjoint outlines of one size and shape that stand out most; more than wanted if as clear."""
    best: list[_Weighed] = []
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
        value = sum(_worth(w) for w in kept)
        if value > best_value:
            best_value, best = value, kept
    if len(best) > wanted:  # what stands out much less than the wanted ones is no card
        weakest = _worth(best[wanted - 1])
        best = [w for i, w in enumerate(best) if i < wanted or _worth(w) > _AS_CLEAR * weakest]
    return [w[2] for w in best]


def _worth(weighed: _Weighed) -> float:
    """How much an outline stands out, less where its opposite sides differ."""
    across, down = evenness(weighed[2])
    even = across * down
    return float(min(weighed[0], 40.0) * weighed[1] ** 0.75 * even**3)


def _missing(quads: list[Quad], wanted: int) -> list[Quad]:
    """The places of the cards that were not seen, where the rows of the others leave no doubt."""
    if 2 * len(quads) < wanted:
        return []
    places = arranged(quads).places_to_fill()
    if any(over_smaller(place, quad) > 0.3 for place in places for quad in quads):
        return []
    return places if len(places) == wanted - len(quads) else []


_FLAT = (216, 302)
"""Pixels of the flat picture in which a crop's edge is compared with its surroundings."""
_MARGIN = 12
"""Pixels of surroundings around the card in it."""


def tightened(pyramid: Pyramid, quad: Quad) -> Quad:
    """The quad with each side moved inwards as long as the table shows along it."""
    for _ in range(14):
        shares = _table_along(pyramid, quad)
        if max(shares) < 0.3:
            break
        inward = np.zeros((4, 2), np.float32)
        for side in np.flatnonzero(np.array(shares) >= 0.3):
            start, end = int(side), (int(side) + 1) % 4
            inward[start] += 0.006 * (quad[(start - 1) % 4] - quad[start])
            inward[end] += 0.006 * (quad[(end + 1) % 4] - quad[end])
        quad = quad + inward
    return quad


def table_band(pyramid: Pyramid, quad: Quad) -> float:
    """Share of the crop's outer edge whose colour is the surroundings', not the card's."""
    return float(np.mean(_table_along(pyramid, quad)))


def _table_along(pyramid: Pyramid, quad: Quad) -> list[float]:
    """Of each side, the share of the crop's outer edge that looks like what lies around the card."""
    width, height = _FLAT
    corners = corners_of(width, height) + _MARGIN * np.array(
        [[1, 1], [-1, 1], [-1, -1], [1, -1]], np.float32
    )
    wide = mapped(corners_of(width, height), homography(corners, quad))
    flat = pyramid.rectify(wide, width, height).astype(np.float32)
    shares = []
    for turns in range(4):
        lying = np.rot90(flat, turns)  # the side in question on top: top, right, bottom, left
        across = np.linspace(0.15, 0.85, 60) * (lying.shape[1] - 1)
        at = across.astype(int)
        outside, edge, inside = lying[3, at], lying[_MARGIN + 2, at], lying[_MARGIN + 16, at]
        away, near = np.linalg.norm(edge - inside, axis=1), np.linalg.norm(edge - outside, axis=1)
        shares.append(float(((near < 0.5 * away) & (away > 20)).mean()))
    return shares
