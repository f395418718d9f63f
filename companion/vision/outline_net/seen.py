"""What the network sees of the cards in a picture: which pixels are theirs, and the outline of each."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.contours import Shapes, outlines
from companion.vision.geometry import (
    Contour,
    Image,
    Mask,
    Quad,
    as_image,
    corners_of,
    homography,
    iou,
)
from companion.vision.outline_net.network import WIDE, OutlineNet, outline_net

_LEVELS = {0.0: 2.5, 1.5: 3.0}
"""How clear an inside has to be, and how far from the card's edge it then ends, pixels of a picture `WIDE`
long. What is clearer hangs together less: neighbours that touch part."""
_LEAST = 120
"""Square pixels of the least inside, likewise."""
_FLAT = (24, 32)
_ON_CARDS = 0.55
"""Share of an outline that has to be inside of cards."""
_ELSEWHERE = 0.8
"""What its contrast counts there."""
_IN_PLACE, _OF_ITS_OWN = 30.0, 0.4
"""What an outline counts where the network sees a card in just that place, and how much its contrast adds."""
_SAME = 0.85
"""Overlap (IoU) from which it is that place."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Cards as the network sees them, in pixels of the picture."""

    inside: Mask = field(repr=False)
    """(h, w): 255 inside of cards, 0 on the table and along every card's edge."""
    contours: tuple[Contour, ...]
    """Of what shows of each card, its edge."""
    whole: tuple[Quad, ...]
    """Outlines of the cards that show whole."""

    def heard(self, quad: Quad, contrast: float) -> float:
        """How clear an outline is that stands out so much, when the network is heard too.

        Where it sees a card an outline is clear, on the table it is none. A network that sees no card at all
        says nothing.
        """
        if not self.contours:
            return contrast
        if any(iou(quad, place) > _SAME for place in self.whole):
            return _IN_PLACE + _OF_ITS_OWN * contrast
        return _ELSEWHERE * contrast if self.share(quad) > _ON_CARDS else 0.0

    def share(self, quad: Quad) -> float:
        """How much of an outline is inside of cards, 0 to 1."""
        wide, high = _FLAT
        matrix = homography(quad, corners_of(wide, high))
        return float(cv2.warpPerspective(self.inside, matrix, _FLAT).mean()) / 255


NOTHING = Seen(np.zeros((1, 1), np.uint8), (), ())
"""What a network says that is not asked."""


def seen_in(image: Image, net: OutlineNet | None = None) -> Seen:
    """The cards in a picture (BGR), as the network with its own weights sees them, or another one."""
    clear = (net or outline_net()).insides(image)
    height, width = image.shape[:2]
    found = [contour for level, rim in _LEVELS.items() for contour in _contours(clear > level, rim)]
    whole = outlines(Shapes(width, height, tuple(found)), halves=False)
    return Seen(as_image(np.where(clear > 0, 255, 0)), tuple(found), tuple(whole))


def _contours(inside: NDArray[np.bool_], rim: float) -> Iterator[Contour]:
    """The edge of each card of which a part that hangs together is inside."""
    unit = max(inside.shape) / WIDE
    count, labels, boxes, _ = cv2.connectedComponentsWithStats(as_image(inside), connectivity=4)
    reach = max(1, round(rim * unit))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    for i in range(1, count):
        left, top, wide, high, size = boxes[i].tolist()
        if size < _LEAST * unit**2:
            continue
        part = np.pad(as_image(labels[top : top + high, left : left + wide] == i), reach)
        outer, _ = cv2.findContours(
            cv2.dilate(part, kernel), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
        )
        offset = np.array([left - reach, top - reach], np.int32)
        yield np.asarray(max(outer, key=len), np.int32) + offset
