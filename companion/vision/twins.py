"""Telling two similar faces apart: only the places where their references differ are looked at.

Along the line from one reference to the other (a linear discriminant), 1 means that the card looks like
the first, 0 like the second. It never renames a card; a card that leans the other way is asked about.
"""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.album import Album
from companion.vision.geometry import Floats, Image, as_floats
from companion.vision.looks import evenly_lit, paper_white

_BLUR = 1.6
_TELLING = 0.6
"""Share of what tells two references apart that has to be visible to say anything."""
_NUDGE = 2
"""Pixels that two references may lie apart at an edge."""
_BARELY = 6.0
"""Difference in Lab below which two references count as the same at a place."""


class Twins:
    """The differences between the references of an album, worked out a pair when first asked for."""

    def __init__(self, album: Album) -> None:
        self._album = album
        self._views: dict[int, Floats] = {}
        self._pairs: dict[tuple[int, int], tuple[Floats, Floats, float]] = {}

    def leaning(
        self, card: Floats, one: int, other: int, visible: NDArray[np.bool_] | None = None
    ) -> float:
        """Where a card's `view` stands between two references: 1 the first, 0 the second.

        Undecided (.5) where what tells them apart is covered.
        """
        base, along, length = self._pair(one, other)
        if visible is not None:
            along = along * visible.reshape(*along.shape[:2], 1)
            seen = float((along * along).sum())
            length = seen if seen > _TELLING * length else 0.0
        if length == 0:
            return 0.5
        return float(((card - base) * along).sum() / length)

    def _pair(self, one: int, other: int) -> tuple[Floats, Floats, float]:
        known = self._pairs.get((one, other))
        if known is None:
            first, second = self._view(one), self._registered(one, other)
            along = first - second
            differs = np.maximum(_beyond_a_nudge(first, second), _beyond_a_nudge(second, first))
            along = np.where(differs[..., None] > _BARELY, along, 0).astype(np.float32)
            known = self._pairs[one, other] = (second, along, float((along * along).sum()))
        return known

    def _view(self, reference: int) -> Floats:
        if reference not in self._views:
            self._views[reference] = view(self._album.flats[reference])
        return self._views[reference]

    def _registered(self, one: int, other: int) -> Floats:
        """The second reference laid on the first, as far as the two are alike."""
        first, second = self._view(one), self._view(other)
        warp: NDArray[Any] = np.eye(2, 3, dtype=np.float32)
        stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 1e-4)
        mask = np.full(first.shape[:2], 255, np.uint8)
        try:
            score, warp = cv2.findTransformECC(
                first[..., 0].copy(), second[..., 0].copy(), warp, cv2.MOTION_AFFINE, stop, mask, 3
            )
        except cv2.error:
            return second
        off = np.abs(warp - np.eye(2, 3)).max()
        if score < 0.5 or off > 4:
            return second
        height, width = first.shape[:2]
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        return as_floats(
            cv2.warpAffine(
                second, warp, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
            )
        )


def _beyond_a_nudge(one: Floats, other: Floats) -> Floats:
    """How far each pixel of one is from the nearest like it in the other, a few pixels around.

    Along an edge that lies a little differently in two crops this is nothing; a differing area stays.
    """
    height, width = one.shape[:2]
    padded = cv2.copyMakeBorder(other, _NUDGE, _NUDGE, _NUDGE, _NUDGE, cv2.BORDER_REPLICATE)
    least = np.full((height, width), np.inf, np.float32)
    for y in range(0, 2 * _NUDGE + 1):
        for x in range(0, 2 * _NUDGE + 1):
            away = one - padded[y : y + height, x : x + width]
            least = np.minimum(least, np.einsum("ijk,ijk->ij", away, away))
    return np.sqrt(least).astype(np.float32)


def view(flat: Image) -> Floats:
    """Lab of the evenly lit card on white paper, colour counting double, blurred a little."""
    lab = cv2.cvtColor(paper_white(evenly_lit(flat)), cv2.COLOR_BGR2LAB).astype(np.float32)
    lab[..., 0] *= 100 / 255
    lab[..., 1:] = 2 * (lab[..., 1:] - 128)
    return as_floats(cv2.GaussianBlur(lab, (0, 0), _BLUR))
