"""Quadrilaterals in a photo: order, overlap, and the flat picture of what lies in one.

A quad is a float32 array (4, 2): corners in pixels, clockwise as seen, the first two the top edge.
"""

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Quad = NDArray[np.float32]
Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Mask = NDArray[np.uint8]
"""(h, w), 255 or 0."""
Contour = NDArray[np.int32]
"""Points (n, 1, 2) along an edge, in order."""


def as_image(values: Any) -> Image:
    """What OpenCV returned, as bytes."""
    return np.asarray(values, np.uint8)


def as_floats(values: Any) -> Floats:
    """What OpenCV or numpy returned, in single precision."""
    return np.asarray(values, np.float32)


def as_quad(corners: Sequence[tuple[float, float]]) -> Quad:
    """Four points as plain numbers."""
    return np.array(corners, np.float32).reshape(4, 2)


def clockwise(points: NDArray[Any]) -> Quad:
    """The four points clockwise as seen in the picture (y grows downwards)."""
    quad = np.asarray(points, np.float32).reshape(4, 2)
    middle = quad.mean(axis=0)
    angles = np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0])
    return quad[np.argsort(angles)]


def sides(quad: Quad) -> Floats:
    """Lengths of the four sides, pixels: top, right, bottom, left."""
    lengths: Floats = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return lengths


def area(quad: Quad) -> float:
    """Area in square pixels."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return float(abs((ax - cx) * (by - dy) - (bx - dx) * (ay - cy))) / 2


def is_convex(quad: Quad) -> bool:
    """Whether every corner turns the same way, by more than a few degrees."""
    edges = np.roll(quad, -1, axis=0) - quad
    after = np.roll(edges, -1, axis=0)
    turn = edges[:, 0] * after[:, 1] - edges[:, 1] * after[:, 0]
    sine = turn / np.maximum(np.linalg.norm(edges, axis=1) * np.linalg.norm(after, axis=1), 1e-6)
    return bool((sine > 0.4).all() or (sine < -0.4).all())


def is_clockwise(quad: Quad) -> bool:
    """Whether it is convex and its corners run clockwise as seen, so that a cut-out is no mirror image."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad.tolist()
    return is_convex(quad) and (cx - ax) * (dy - by) - (cy - ay) * (dx - bx) > 0


def portrait(quad: Quad) -> Quad:
    """The corners turned so that the top edge is a short side; which end is up stays open."""
    lengths = sides(quad)
    if lengths[0] + lengths[2] > lengths[1] + lengths[3]:
        return np.roll(quad, -1, axis=0)
    return quad


def upright(quad: Quad) -> Quad:
    """The portrait quad with that end on top which is higher in the picture."""
    quad = portrait(quad)
    return turned(quad, 2) if quad[:2, 1].sum() > quad[2:, 1].sum() else quad


def turned(quad: Quad, quarter_turns: int) -> Quad:
    """The same quad with another corner named first: the card's picture turned by quarter turns."""
    return np.roll(quad, -quarter_turns, axis=0)


def aspect(quad: Quad) -> float:
    """Long side over short side as seen, perspective not undone."""
    lengths = sides(quad)
    across, down = (lengths[0] + lengths[2]) / 2, (lengths[1] + lengths[3]) / 2
    return float(max(across, down) / max(min(across, down), 1e-6))


def intersection(a: Quad, b: Quad) -> float:
    """Common area of two convex quads, square pixels (Sutherland and Hodgman, 1974).

    Not `cv2.intersectConvexConvex`: for two outlines of one card that share an edge it can say 0.
    """
    left, window = [(x, y) for x, y in a.tolist()], b.tolist()
    for axis in (0, 1):  # plain numbers: numpy is slower on so few
        mine, theirs = [p[axis] for p in left], [p[axis] for p in window]
        if max(mine) < min(theirs) or max(theirs) < min(mine):
            return 0.0
    around = sum(window[i - 1][0] * y - x * window[i - 1][1] for i, (x, y) in enumerate(window))
    sign = 1.0 if around > 0 else -1.0
    for i in range(4):
        left = _clipped(left, window[i - 1], window[i], sign)
    twice = sum(left[i - 1][0] * y - x * left[i - 1][1] for i, (x, y) in enumerate(left))
    return float(abs(twice)) / 2


def _clipped(
    polygon: list[tuple[float, float]], start: list[float], end: list[float], sign: float
) -> list[tuple[float, float]]:
    """What of a polygon lies on the inner side of a line."""
    across, down = sign * (end[0] - start[0]), sign * (end[1] - start[1])
    inner = [across * (y - start[1]) - down * (x - start[0]) for x, y in polygon]
    left = []
    for i, (x, y) in enumerate(polygon):
        if (inner[i] >= 0) != (inner[i - 1] >= 0):
            t = inner[i - 1] / (inner[i - 1] - inner[i])
            before = polygon[i - 1]
            left.append((before[0] + t * (x - before[0]), before[1] + t * (y - before[1])))
        if inner[i] >= 0:
            left.append((x, y))
    return left


def iou(a: Quad, b: Quad) -> float:
    """Intersection over union, 0 to 1."""
    common = intersection(a, b)
    return common / max(area(a) + area(b) - common, 1e-6)


def over_smaller(a: Quad, b: Quad) -> float:
    """Intersection over the smaller of the two, 0 to 1."""
    return intersection(a, b) / max(min(area(a), area(b)), 1e-6)


def corners_of(width: int, height: int) -> Quad:
    """The quad of a whole picture."""
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)


def homography(source: Quad, target: Quad) -> NDArray[np.float64]:
    """The homography that takes one quad to the other (3, 3)."""
    return np.asarray(cv2.getPerspectiveTransform(source, target), np.float64)


def mapped(quad: Quad, matrix: NDArray[Any]) -> Quad:
    """A quad, or any (n, 2) points, taken through a homography."""
    return as_floats(cv2.perspectiveTransform(quad.reshape(-1, 1, 2), matrix).reshape(-1, 2))


def evenness(quad: Quad) -> tuple[float, float]:
    """How alike the top and bottom are, and the left and right side: shorter over longer, 0 to 1."""
    top, right, bottom, left = sides(quad).tolist()
    across = min(top, bottom) / max(top, bottom, 1e-6)
    return across, min(right, left) / max(right, left, 1e-6)


Line = tuple[NDArray[Any], NDArray[Any]]
"""A point of it, and its direction as a unit vector."""


def crossing(one: Line, two: Line) -> NDArray[Any] | None:
    """Where two lines meet; None where they are all but parallel."""
    (p, u), (q, v) = one, two
    cross = float(u[0] * v[1] - u[1] * v[0])
    if abs(cross) < 0.2:
        return None
    t = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return np.asarray(p + t * u)


class Pyramid:
    """A picture at full, half, quarter ... size, so that small cut-outs are not aliased."""

    def __init__(self, image: Image) -> None:
        self.levels = [image]

    def level(self, number: int) -> Image:
        """The picture halved so many times, as often as there is something left to halve."""
        while len(self.levels) <= number:
            self.levels.append(_half(self.levels[-1]))
        return self.levels[number]

    @property
    def deepest(self) -> int:
        """The last level that is at least a few pixels wide and high."""
        return max(0, int(np.log2(min(self.levels[0].shape[:2]))) - 3)

    def rectify(self, quad: Quad, width: int, height: int) -> Image:
        """What lies in the quad, flat and of that size in pixels."""
        across, down = sides(quad)[[0, 2]].mean(), sides(quad)[[1, 3]].mean()
        shrink = min(across / width, down / height)
        number = int(np.floor(np.log2(max(shrink, 1.0)) + 0.25))
        number = min(max(0, number), self.deepest)
        scaled = (quad / 2**number).astype(np.float32)
        matrix = homography(scaled, corners_of(width, height))
        return _warped(self.level(number), scaled, matrix, width, height)


def _half(image: Image) -> Image:
    return np.asarray(
        cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8
    )


def _warped(
    image: Image, quad: Quad, matrix: NDArray[np.float64], width: int, height: int
) -> Image:
    flat = cv2.warpPerspective(
        image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)
