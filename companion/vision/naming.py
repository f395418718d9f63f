"""Which face a flat card shows: three scores over the whole album, and whether they are to be trusted.

The outline is first nudged until the picture lies best on the most similar references (ECC: Evangelidis
and Psarakis, 2008), since a card cut a few pixels askew looks like its neighbour in the deck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.album import Album, Reference, Views
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    as_floats,
    corners_of,
    mapped,
    turned,
)
from companion.vision.looks import Look, evenly_lit, local, look_at

Visible = NDArray[np.bool_] | None
"""Which pixels of the flat card nothing covers, one flag each; None: all."""

_TRIED = 3
"""Most similar references that the outline is nudged to."""
_EXCELLENT = 2.5
"""Sum of the scores that no further nudge need better."""


@dataclass(frozen=True, slots=True)
class Scores:
    """How much a card looks like each reference of the album, in three ways and together, (n,)."""

    local: Floats
    paper: Floats
    ink: Floats

    @property
    def total(self) -> Floats:
        """The sum that ranks."""
        return self.local + self.paper + self.ink


@dataclass(frozen=True, slots=True)
class Named(Scores):
    """A card and what each face of the album scores for it: its best reference's scores, (faces,)."""

    quad: Quad
    """The outline after the nudge, the first corner the card's own top left; photo pixels."""
    references: NDArray[np.int_]
    """Which reference that is, (faces,)."""
    flat: Image = field(repr=False)

    @property
    def order(self) -> NDArray[np.int_]:
        """Faces, the best first."""
        return np.argsort(-self.total)

    @property
    def fit(self) -> float:
        """Correlation of detail with the best face."""
        return float(self.local[self.total.argmax()])

    def correlation_at(self, album: Album, face: int, at: NDArray[np.bool_]) -> float:
        """Correlation with a face's best reference at some pixels of the flat picture."""
        seen = local(evenly_lit(self.flat)).reshape(-1, 3)[at].reshape(-1)
        known = local(evenly_lit(album.flats[self.references[face]])).reshape(-1, 3)[at].reshape(-1)
        lengths = float(np.linalg.norm(seen) * np.linalg.norm(known))
        return float(seen @ known) / max(lengths, 1e-6)


def ways_up(album: Album) -> tuple[int, ...]:
    """Quarter turns in which a card of the deck may lie in a portrait quad."""
    return (0, 1, 2, 3) if album.aspect < 1.12 else (0, 2)


def name(pyramid: Pyramid, quad: Quad, album: Album, visible: Visible = None) -> Named:
    """The card in the quad against all faces, judged on its visible part; both ways up are tried.

    A part can be visible in one way up only, so with `visible` the quad is taken as upright.
    """
    best: Named | None = None
    ranked: list[tuple[float, int, Quad]] = []
    for quarter in ways_up(album) if visible is None else (0,):
        named = _named(pyramid, turned(quad, quarter), album, visible)
        total, references = named.total, named.references
        ranked += [(float(total[f]), int(references[f]), named.quad) for f in named.order[:_TRIED]]
        if best is None or total.max() > best.total.max():
            best = named
    assert best is not None
    ranked.sort(key=lambda r: -r[0])
    for _, reference, upright in ranked[:_TRIED]:
        placed = nudged(pyramid, upright, album.flats[reference], visible)
        named = _named(pyramid, placed, album, visible)
        if named.total.max() > best.total.max():
            best = named
        if best.total.max() > _EXCELLENT:
            break
    return best


def closest(image: Image, pictures: Sequence[Image]) -> float:
    """Sum of the scores of a flat picture against that of some which is most like it; -9 of none."""
    if not pictures:
        return -9.0
    album = Album("", [Reference("", picture) for picture in pictures])
    flat = Pyramid(image).rectify(corners_of(image.shape[1], image.shape[0]), *album.size)
    return float(compare(look_at(flat), album).total.max())


def _named(pyramid: Pyramid, quad: Quad, album: Album, visible: Visible) -> Named:
    flat = pyramid.rectify(quad, *album.size)
    scores = compare(look_at(flat), album, visible)
    best = _best_references(scores.total, album)
    return Named(scores.local[best], scores.paper[best], scores.ink[best], quad, best, flat)


def _best_references(total: Floats, album: Album) -> NDArray[np.int_]:
    """Of each face, the reference that scores best, (faces,)."""
    best = np.full(len(album.faces), -1, int)
    for reference, face in enumerate(album.face_of):
        if best[face] < 0 or total[reference] > total[best[face]]:
            best[face] = reference
    return best


def compare(look: Look, album: Album, visible: Visible = None) -> Scores:
    """One look against every reference, where the card is visible (None: everywhere)."""
    parts = (look.local, look.paper, look.ink, look.tint)
    if visible is None:
        known, seen = album.stack.whole, Views.of(*(part[None] for part in parts))
    else:
        at = np.flatnonzero(visible)
        known, seen = album.stack.seen_through(visible), Views.of(*(p[None, at] for p in parts))
    off = np.linalg.norm(known.hue - seen.hue[0], axis=1) / 60
    more = np.abs(np.log((known.amount + 0.03) / (seen.amount[0] + 0.03)))
    return Scores(
        _along(known.local, seen.local[0]),
        _along(known.paper, seen.paper[0]),
        _along(known.ink, seen.ink[0]) - off - 0.5 * more,
    )


def _along(rows: Floats, vector: Floats) -> Floats:
    """Inner products; einsum reads the rows once, where BLAS starts threads for so little."""
    products: Floats = np.einsum("ij,j->i", rows, vector)
    return products


def nudged(pyramid: Pyramid, quad: Quad, reference: Image, visible: Visible = None) -> Quad:
    """The quad moved a little so that its picture lies best on the reference (ECC)."""
    height, width = reference.shape[:2]
    flat = pyramid.rectify(quad, width, height)
    warp: NDArray[Any] = np.eye(3, dtype=np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 25, 1e-3)
    template, seen = _prepared(reference), _prepared(flat)
    mask = np.full(seen.shape, 255, np.uint8)
    limit = 0.16 * width
    try:
        if visible is None:
            _, warp = cv2.findTransformECC(
                template, seen, warp, cv2.MOTION_HOMOGRAPHY, stop, mask, 5
            )
        else:  # too few pixels to hold a homography; the hidden end may move far
            mask = np.where(visible.reshape(seen.shape), 255, 0).astype(np.uint8)
            limit = 0.4 * width
            _, warp[:2] = cv2.findTransformECC(
                template, seen, warp[:2].copy(), cv2.MOTION_AFFINE, stop, mask, 9
            )
    except cv2.error:
        return quad
    corners = corners_of(width, height)
    moved = mapped(corners, warp)
    if np.abs(moved - corners).max() > limit:
        return quad
    back = cv2.getPerspectiveTransform(corners, quad)
    return mapped(moved, back)


def _prepared(image: Image) -> Floats:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    smooth = cv2.GaussianBlur(grey, (0, 0), 1.0)
    return as_floats(smooth - cv2.GaussianBlur(smooth, (0, 0), 16))
