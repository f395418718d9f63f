"""Consensus registration, tried and left out of the program: a crop laid on the mean edges of the others.

Only the outer part of a card is compared, where cards of a deck share border and layout.
"""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.enrol import Crop
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    as_floats,
    corners_of,
    homography,
    mapped,
)
from companion.vision.looks import evenly_lit

_WIDE, _TALL, _MARGIN = 128, 198, 12
_GAIN = 0.08
"""Gain in correlation from which a move is taken."""
_FARTHEST = 0.12
"""Share of the width that a corner may move."""


class Consensus:
    """The mean edges of the good crops of a deck."""

    def __init__(self, crops: Sequence[Crop], pictures: Mapping[str, Image]) -> None:
        self._pyramids = {source: Pyramid(image) for source, image in pictures.items()}
        self._good = [crop for crop in crops if not crop.doubts]
        self._views = [self._view(crop)[0] for crop in self._good]
        self._ring: NDArray[np.uint8] = np.full((_TALL, _WIDE), 255, np.uint8)
        self._ring[45:-45, 35:-35] = 0

    def quad(self, crop: Crop) -> Quad:
        """The crop's outline as the crops of other photos would have it."""
        others = [
            view
            for view, other in zip(self._views, self._good, strict=True)
            if other.source != crop.source
        ]
        mean = np.mean(others, axis=0)
        seen, matrix = self._view(crop)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
        try:
            before = cv2.computeECC(mean, seen, self._ring)
            after, warp = cv2.findTransformECC(
                mean, seen, np.eye(3, dtype=np.float32), cv2.MOTION_HOMOGRAPHY, stop, self._ring, 5
            )
        except cv2.error:
            return crop.quad
        moved = mapped(_inner(), warp)
        far = float(np.abs(moved - _inner()).max()) > _FARTHEST * (_WIDE - 2 * _MARGIN)
        return crop.quad if far or after - before < _GAIN else mapped(moved, matrix)

    def _view(self, crop: Crop) -> tuple[Floats, NDArray[np.float64]]:
        """Edges of the crop and a margin around it, and where that lies in its photo."""
        matrix = homography(_inner(), crop.quad.astype(np.float32))
        wide = mapped(corners_of(_WIDE, _TALL), matrix)
        flat = evenly_lit(self._pyramids[crop.source].rectify(wide, _WIDE, _TALL))
        grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)
        soft = cv2.GaussianBlur(grey, (0, 0), 1.5)
        slope = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
        return as_floats(np.sqrt(slope)), matrix


def _inner() -> Quad:
    """The card within its view."""
    inside = corners_of(_WIDE - 2 * _MARGIN, _TALL - 2 * _MARGIN)
    return as_floats(inside + np.float32(_MARGIN))
