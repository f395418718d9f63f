"""Cards that lie in a photo nobody has named yet, for a person to name: outlines, and what they may be.

The outlines come from the picture alone, and from the deck's own pictures where it has enough of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.advice import OTHER_DECK
from companion.vision.apart import card_outlines
from companion.vision.edges import contrast, snapped, softened
from companion.vision.enrol import is_card_itself, is_rim, tightened
from companion.vision.geometry import (
    Image,
    Pyramid,
    Quad,
    corners_of,
    iou,
    over_smaller,
    turned,
    upright,
)
from companion.vision.outline_net.seen import NOTHING, seen_in
from companion.vision.reader import Reader
from companion.vision.reduce import WORK, reduced
from companion.vision.rows import arranged
from companion.vision.sighting import Candidate, Sighting

_SAME_CARD = 0.8
"""Overlap (IoU) from which an outline seen and one found by the deck's pictures are one card."""
_CLEAR = 10.0
"""Contrast from which the outline that was seen is taken, not the one that the deck's pictures tell."""
_LIKELY = 0.25
"""Least confidence in a name that is suggested."""


_FEWEST = 4
"""Cards that have to be found before the places between them are looked at."""
_AS_MUCH = 0.63
"""Detail in a free place, of that on the cards, from which a card may lie there; a gap shows less."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A card without a name: its outline, and the faces that it may show, the likeliest first."""

    quad: Quad
    """Pixels of the picture; the first corner is the card's own top left where a candidate tells so."""
    candidates: tuple[Candidate, ...] = ()
    whole: bool = False
    """The picture is a card itself: nothing is to be cut."""
    guessed: bool = False
    """Its edge was not seen; something lies at a place that its neighbours leave."""


def proposals(image: Image, reader: Reader | None = None) -> list[Proposal]:
    """The cards of an upright picture in reading order, their number and names unknown.

    `reader`: the deck as far as it is known.
    """
    height, width = image.shape[:2]
    seen = _seen(image)
    known = _known(image, reader) if reader is not None else []
    if not known and is_card_itself(image) and _fills(image):
        return [Proposal(corners_of(width, height), whole=True)]
    found: list[Proposal] = []
    work, scale = reduced(image, WORK)
    grey = softened(work)
    for sighting in known:
        quad = np.array(sighting.region, np.float32)
        same = next((other for other in seen if iou(quad, other) > _SAME_CARD), None)
        if same is not None:
            clear, told = contrast(grey, same * scale), contrast(grey, quad * scale)
            quad = _turned_like(same, quad) if clear >= min(_CLEAR, told) else quad
        found.append(Proposal(quad, sighting.candidates))
    taken = [proposal.quad for proposal in found]
    pyramid = Pyramid(image)
    found += [
        Proposal(tightened(pyramid, upright(quad)))
        for quad in seen
        if all(over_smaller(quad, other) < 0.3 for other in taken)
    ]
    return in_reading_order([*found, *_between(pyramid, [p.quad for p in found])])


def in_reading_order(found: Sequence[Proposal]) -> list[Proposal]:
    """Row by row from the top, each from left to right."""
    if not found:
        return []
    grid = arranged([proposal.quad for proposal in found])
    return [found[card] for row in grid.rows for card, _ in row]


def _between(pyramid: Pyramid, found: Sequence[Quad]) -> list[Proposal]:
    """Places left free in the rows of the others where there is as much to be seen as on a card."""
    if len(found) < _FEWEST:
        return []
    usual = float(np.median([_detail(pyramid, quad) for quad in found]))
    return [
        Proposal(place, guessed=True)
        for place in arranged(found).places_to_fill()
        if _detail(pyramid, place) > _AS_MUCH * usual
        and all(over_smaller(place, quad) < 0.3 for quad in found)
    ]


def _detail(pyramid: Pyramid, quad: Quad) -> float:
    """Mean steepness of the grey levels within an outline."""
    flat = cv2.cvtColor(pyramid.rectify(quad, 72, 104), cv2.COLOR_BGR2GRAY).astype(np.float32)
    soft = cv2.GaussianBlur(flat, (0, 0), 1.0)
    slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return float(slope.mean())


def _fills(image: Image) -> bool:
    """Whether a card fills the whole picture: nothing stands out of it but a frame along its rim.

    The network is not asked: it has seen no card so near, and takes parts of one for cards.
    """
    seen = _seen(image, hears=False)
    return not seen or is_rim(image, seen[0])


def _seen(image: Image, hears: bool = True) -> list[Quad]:
    """Outlines that the picture shows, laid onto the cards' edges; `hears`: with the network."""
    work, scale = reduced(image, WORK)
    fine, finer = reduced(image, 2 * WORK)
    return [
        (snapped(fine, quad * (finer / scale)) / finer).astype(np.float32)
        for quad in card_outlines(work, seen_in(work) if hears else NOTHING)
    ]


def _known(image: Image, reader: Reader) -> list[Sighting]:
    """What the deck's pictures find; nothing where they are of another deck."""
    reading = reader.read(image)
    if OTHER_DECK in {warning.code for warning in reading.warnings}:
        return []
    return [
        sighting
        for sighting in reading.sightings
        if sighting.candidates and sighting.candidates[0].confidence >= _LIKELY
    ]


def _turned_like(quad: Quad, other: Quad) -> Quad:
    """The quad with its corners named as the other's are."""
    ways = [turned(quad, quarter) for quarter in range(4)]
    return min(ways, key=lambda way: float(np.abs(way - other).sum()))
