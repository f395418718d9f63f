"""Indices found without the outlines of their cards: in fans, strips, columns, and on pale tables.

An index is two dark or red blobs on light ground, the rank above the suit. Every such pair is cut out
upright and shown to the network, which rejects nearly all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Image, Pyramid, Quad, as_floats, as_image
from companion.vision.index_reader.classes import HIGH, WIDE
from companion.vision.index_reader.network import IndexNet

_ACROSS = 1632
"""Pixels across the picture in which blobs are looked for first; then in halves of it."""
_LEVELS = 3
_LEAST, _MOST = 7, 46
"""Pixels of the longer side of a blob at a level."""
_GROUND = 27
"""Pixels within which blobs are filled to see the paper under them."""
_INKED = 0.27
"""Share of the ground's light that ink takes."""
_PALE = 70
"""Grey level from which the ground is paper."""
_FILL = 0.72
"""Height of the index in its patch."""
_PAIRS = 1600
"""Most pairs that are shown to the network."""
_BEST = (36.0, 22.0)
"""Heights of an index, in pixels, at which its blobs part best: strokes, and what surrounds them."""
_SEEN = 0.2
"""Share from which a pair is looked at again, a little moved."""
_HIDDEN = 0.85
"""Share from which a suit stands under a rank that is covered."""
_MOVES = ((-6.0, 1.0), (6.0, 1.0), (0.0, 0.9), (0.0, 1.13))
"""Degrees and scales by which it is moved."""


Mask = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Pose:
    """Where an index may stand, and which way up."""

    centre: Floats
    """Pixels of the photo."""
    down: Floats
    """Unit vector from rank to suit."""
    height: float
    """From the top of the rank to the foot of the suit, pixels."""
    odd: float = 0.0
    """How unlike an index the two blobs stand."""

    def moved(self, degrees: float, factor: float) -> "Pose":
        """The same place, a little turned and scaled."""
        turn = np.deg2rad(degrees)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        return Pose(self.centre, as_floats(spin @ self.down), factor * self.height)

    def near(self, other: "Pose") -> bool:
        """Whether both cannot be two indices: those of a fan stand close side by side, never over each other."""
        away, high = other.centre - self.centre, max(self.height, other.height)
        right = np.array([self.down[1], -self.down[0]], np.float32)
        return abs(float(away @ self.down)) < 0.55 * high and abs(float(away @ right)) < 0.3 * high

    def box(self, high: float, shape: float) -> Quad:
        """An upright box of that height around it; `shape`: its width over its height."""
        right = np.array([self.down[1], -self.down[0]], np.float32)
        x, y = right * (high * shape / 2), self.down * (high / 2)
        middle = self.centre
        return as_floats([middle - x - y, middle + x - y, middle + x + y, middle - x + y])


@dataclass(frozen=True, slots=True)
class Corner:
    """An index found, and what it may be."""

    pose: Pose
    faces: Floats
    """Share of each card, (52,)."""

    @property
    def confidence(self) -> float:
        """Of the best name."""
        return float(self.faces.max())

    @property
    def region(self) -> Quad:
        """Its outline, with a margin, clockwise from the index's own top left."""
        return self.pose.box(1.15 * self.pose.height, 0.78)


@dataclass(frozen=True, slots=True)
class Corners:
    """The indices of a photo."""

    found: tuple[Corner, ...]
    hidden: tuple[Pose, ...]
    """Those with a suit, but a rank that is covered."""


@dataclass(frozen=True, slots=True)
class _Blobs:
    """Blobs of one level, in pixels of the photo."""

    centres: Floats
    spread: Floats
    """Covariance (n, 2, 2)."""
    size: Floats
    """Longer side of the box."""
    solid: Floats
    """Share of its hull that is filled."""
    tint: Floats
    """Mean colour, (n, 3)."""


def find_corners(
    pyramid: Pyramid, net: IndexNet, height: float | None = None, settled: Sequence[Quad] = ()
) -> Corners:
    """Every index in a photo, the clearest first, each once; and those whose rank is covered.

    `height` of an index in pixels, where cards that were read tell it; `settled` are cards of which no
    more need be known: what lies along them is their own print.
    """
    image = pyramid.levels[0]
    first = min(_ACROSS / image.shape[1], 1.5 * _ACROSS / image.shape[0], 1.0)
    scales = [first / 2**level for level in range(_LEVELS)]
    if height is not None:
        scales = [min(best / height, 1.0) for best in _BEST]
    poses: list[Pose] = []
    for scale in scales:
        if min(image.shape[:2]) * scale < 120:
            break
        size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
        work = as_image(cv2.resize(image, size, interpolation=cv2.INTER_AREA))
        blobs = _blobs(work, scale)
        poses += _pairs(blobs)
        if height is not None:
            poses += _joined(blobs, height)
    poses = [pose for pose in poses if not any(_along(pose, quad) for quad in settled)]
    poses.sort(key=lambda pose: pose.odd)
    return _seen(pyramid, net, poses[:_PAIRS])


def _along(pose: Pose, quad: Quad) -> bool:
    """Whether a pose lies in a card and along it, either way up."""
    x, y = (float(v) for v in pose.centre)
    if cv2.pointPolygonTest(quad, (x, y), False) < 0:
        return False
    long = quad[3] - quad[0]
    return abs(float(pose.down @ long)) > 0.97 * float(np.linalg.norm(long))


def inks_of(work: Image) -> list[Mask]:
    """Where a picture is darker, or redder, than the pale ground around: 255 there.

    Several guesses: as printed; with figures joined that stand close (the 10); without the thin grey
    lines that tie a rank to a frame; and pale print under glare.
    """
    smooth = [cv2.GaussianBlur(work.min(axis=2), (0, 0), blur) for blur in (0.8, 1.5)]
    around = cv2.getStructuringElement(cv2.MORPH_RECT, (_GROUND, _GROUND))
    ground = cv2.blur(cv2.morphologyEx(smooth[0], cv2.MORPH_CLOSE, around), (9, 9))
    least = np.maximum(22, _INKED * ground)
    pale = ground > _PALE
    printed, heavy, faint = (
        np.where((ground.astype(np.int16) - dark > share * least) & pale, 255, 0).astype(np.uint8)
        for dark, share in ((smooth[0], 1.0), (smooth[0], 1.8), (smooth[1], 0.6))
    )
    near = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    return [printed, as_image(cv2.morphologyEx(printed, cv2.MORPH_CLOSE, near)), heavy, faint]


def _blobs(work: Image, scale: float) -> _Blobs:
    found = []
    for kind, ink in enumerate(inks_of(work)):
        contours, tree = cv2.findContours(ink, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
        for contour, (_, _, _, parent) in zip(
            contours, [] if tree is None else tree[0], strict=True
        ):
            if parent >= 0:  # a hole; a card in the hole of a dark table has blobs all the same
                continue
            x, y, wide, high = cv2.boundingRect(contour)
            longer = max(wide, high)
            if not _LEAST <= longer <= _MOST or min(wide, high) < 0.16 * longer:
                continue
            moments = cv2.moments(contour)
            m = moments["m00"]
            if m < 12 or m < 0.12 * wide * high:
                continue
            centre = (moments["m10"] / m, moments["m01"] / m)
            shape = (moments["mu20"] / m, moments["mu11"] / m, moments["mu02"] / m)
            part = work[y : y + high, x : x + wide][ink[y : y + high, x : x + wide] > 0]
            hull = cv2.contourArea(cv2.convexHull(contour))
            found.append((*centre, *shape, longer, m / max(hull, 1.0), *part.mean(axis=0), kind))
    table = np.array(found, np.float32).reshape(-1, 11)
    table = _without_twins(table)
    spread = table[:, [2, 3, 3, 4]].reshape(-1, 2, 2) / scale**2
    return _Blobs(
        as_floats((table[:, :2] + 0.5) / scale),
        as_floats(spread),
        as_floats(table[:, 5] / scale),
        as_floats(table[:, 6]),
        as_floats(table[:, 7:10]),
    )


def _without_twins(table: Floats) -> Floats:
    """Each blob once, however many of the masks have it."""
    kept = table[table[:, 10] == 0]
    for kind in range(1, 4):
        more = table[table[:, 10] == kind]
        if len(kept) and len(more):
            away = np.abs(more[:, None, :2] - kept[None, :, :2]).max(axis=2)
            size, other = more[:, None, 5], kept[None, :, 5]
            same = (away < 1.2) & (np.abs(size - other) <= 2 + 0.08 * other)
            more = more[~same.any(axis=1)]
        kept = np.concatenate([kept, more])
    return as_floats(kept)


def _pairs(blobs: _Blobs) -> list[Pose]:
    """Every two blobs that may be rank over suit."""
    count = len(blobs.centres)
    if count < 2:
        return []
    size, centres = blobs.size, blobs.centres
    apart = centres[None] - centres[:, None]
    distance = np.linalg.norm(apart, axis=2)
    mean = (size[:, None] + size[None]) / 2
    ratio = size[:, None] / size[None]
    near = (distance > 0.5 * mean) & (distance < 2.5 * mean) & (ratio > 0.5) & (ratio < 3.6)
    near &= (blobs.solid > 0.6)[None]  # a suit is one solid sign
    tints = np.abs(blobs.tint[:, None] - blobs.tint[None]).max(axis=2)
    near &= tints < 75
    ranks, suits = np.nonzero(near)
    down = apart[ranks, suits] / distance[ranks, suits, None]
    # a blob's length along the axis, from its spread
    rank_long = 3.7 * np.sqrt(
        np.maximum(np.einsum("ni,nij,nj->n", down, blobs.spread[ranks], down), 0)
    )
    suit_long = 4.2 * np.sqrt(
        np.maximum(np.einsum("ni,nij,nj->n", down, blobs.spread[suits], down), 0)
    )
    side = np.stack([-down[:, 1], down[:, 0]], axis=1)
    suit_wide = 4.2 * np.sqrt(
        np.maximum(np.einsum("ni,nij,nj->n", side, blobs.spread[suits], side), 0)
    )
    gap = (distance[ranks, suits] - (rank_long + suit_long) / 2) / np.maximum(rank_long, 1)
    shape = suit_long / np.maximum(suit_wide, 1)
    fits = (
        (gap > -0.35) & (gap < 0.9) & (rank_long > 0.6 * suit_long) & (shape > 0.5) & (shape < 2.4)
    )
    found = []
    for k in np.flatnonzero(fits):
        axis = down[k]
        top = centres[ranks[k]] - axis * rank_long[k] / 2
        foot = centres[suits[k]] + axis * suit_long[k] / 2
        odd = abs(float(gap[k]) - 0.12) + 0.01 * float(tints[ranks[k], suits[k]])
        height = float(np.linalg.norm(foot - top))
        found.append(Pose(as_floats((top + foot) / 2), as_floats(axis), height, odd))
    return found


def _joined(blobs: _Blobs, expected: float) -> list[Pose]:
    """Long blobs of about an index's height, either way up: a rank may touch its suit."""
    found = []
    large = (blobs.size > 0.6 * expected) & (blobs.size < 1.6 * expected)
    for k in np.flatnonzero(large & (blobs.solid > 0.5)):
        spans, axes = np.linalg.eigh(blobs.spread[k].astype(np.float64))
        if not 1.5 < float((spans[1] / max(spans[0], 1e-6)) ** 0.5) < 3.2:
            continue
        for down in (axes[:, 1], -axes[:, 1]):
            height = float(3.9 * spans[1] ** 0.5)
            found.append(Pose(blobs.centres[k], as_floats(down), height, 0.6))
    return found


def _seen(pyramid: Pyramid, net: IndexNet, poses: Sequence[Pose]) -> Corners:
    """Poses that the network takes for an index, seen once more and each place once."""
    first = net.look([cut(pyramid, pose) for pose in poses])
    kept: list[tuple[Pose, Floats]] = []
    for i in np.argsort(-first.faces.max(axis=1)):
        if first.faces[i].max() < _SEEN:
            break
        if sum(poses[i].near(other) for other, _ in kept) < 2:
            kept.append((poses[i], as_floats(first.faces[i])))
    moved = [pose.moved(*by) for pose, _ in kept for by in _MOVES]
    again = net.look([cut(pyramid, pose) for pose in moved]).faces
    corners = []
    for i, (pose, faces) in enumerate(kept):
        shares = np.concatenate([faces[None], again[i * len(_MOVES) : (i + 1) * len(_MOVES)]])
        corners.append(Corner(pose, as_floats(np.median(shares, axis=0))))
    corners.sort(key=lambda corner: -corner.confidence)
    result: list[Corner] = []
    for corner in corners:
        if not any(known.pose.near(corner.pose) for known in result):
            result.append(corner)
    hidden: list[Pose] = []
    for i in np.argsort(-first.hidden):
        if first.hidden[i] < _HIDDEN:
            break
        known = [*(corner.pose for corner in result), *hidden]
        if not any(pose.near(poses[i]) or poses[i].near(pose) for pose in known):
            hidden.append(poses[i])
    return Corners(tuple(result), tuple(hidden))


def cut(pyramid: Pyramid, pose: Pose) -> Image:
    """The patch of an index at a pose."""
    return pyramid.rectify(pose.box(pose.height / _FILL, WIDE / HIGH), WIDE, HIGH)
