"""First proposer: outlines that look like a card's, found in several masks.

Each mask is a guess at what parts card and table (brightness, paleness, edges); the outlines of all are
kept, since a wrong one costs only a comparison with the deck. Corners come from four fitted side lines,
because printed cards have round corners that no polygon meets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import (
    Contour,
    Floats,
    Image,
    Line,
    Mask,
    Quad,
    area,
    as_image,
    aspect,
    clockwise,
    corners_of,
    crossing,
    evenness,
    intersection,
    iou,
    is_convex,
    portrait,
    sides,
)

SMALLEST, LARGEST = 0.0012, 0.9
"""Share of the picture that a card may take."""
_TALL = (1.1, 2.3)
"""Aspects of a card as seen, tilted tables included."""


@dataclass(frozen=True, slots=True)
class Shapes:
    """The outlines of what stands out in a picture, in all masks."""

    width: int
    height: int
    contours: tuple[Contour, ...]


def shapes_of(image: Image, more: Sequence[Contour] = ()) -> Shapes:
    """What stands out in a picture and is neither a speck nor all of it, and more that others have seen."""
    height, width = image.shape[:2]
    least = SMALLEST * height * width
    found = []
    for mask in _masks(image):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for contour in contours:
            if len(contour) >= 60:
                box = cv2.boundingRect(contour)
                if box[2] * box[3] > least:
                    found.append(np.asarray(contour, np.int32))
    return Shapes(width, height, (*found, *more))


def outlines(shapes: Shapes, halves: bool = True, most: int = 160) -> list[Quad]:
    """Quads that may be cards, in pixels of the picture, the best formed first.

    With `halves`, also both halves of each, since two cards that touch have the outline of one.
    """
    found = [pair for contour in shapes.contours if (pair := _card_like(contour, shapes))]
    found.sort(key=lambda pair: -pair[0])
    quads = distinct([quad for _, quad in found], 0.93, most)
    return quads + _halves(quads) if halves else quads


def distinct(quads: Sequence[Quad], alike: float, most: int = 10_000) -> list[Quad]:
    """The first of each group of quads that overlap by more than that share (IoU)."""
    kept: list[Quad] = []
    middles: list[Floats] = []
    sizes: list[float] = []
    for quad in quads:
        middle, size = quad.mean(axis=0), area(quad)
        if kept:
            away = np.abs(np.array(middles) - middle).max(axis=1)
            ratio = np.array(sizes) / max(size, 1e-6)
            near = (away < (1 - alike) * size**0.5) & (ratio > alike) & (ratio < 1 / alike)
            if any(iou(quad, kept[i]) > alike for i in np.flatnonzero(near)):
                continue
        kept.append(quad)
        middles.append(middle)
        sizes.append(size)
        if len(kept) == most:
            break
    return kept


def _masks(image: Image) -> Iterator[Mask]:
    """Black and white pictures in which cards may stand out."""
    smooth = as_image(cv2.bilateralFilter(image, 5, 30, 5))
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    darkest = smooth.min(axis=2)
    hsv = cv2.cvtColor(smooth, cv2.COLOR_BGR2HSV)
    pale = np.where(hsv[..., 2] > 60, 255 - hsv[..., 1], 0).astype(np.uint8)
    for channel in (grey, darkest, pale, smooth.max(axis=2), _unlike_the_table(smooth)):
        _, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
        yield from _opened(as_image(mask))
    block = max(31, image.shape[1] // 12 | 1)
    for channel in (grey, darkest):
        yield np.asarray(
            cv2.adaptiveThreshold(
                channel, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, block, -4
            ),
            np.uint8,
        )
    edges = np.zeros(grey.shape, np.uint8)
    middle = float(np.median(grey))
    for channel in cv2.split(smooth):
        edges |= np.asarray(cv2.Canny(channel, 0.4 * middle, 1.1 * middle), np.uint8)
    for size in (3, 7):
        yield np.asarray(cv2.dilate(edges, np.ones((size, size), np.uint8)), np.uint8)


def _unlike_the_table(image: Image) -> Mask:
    """How far each pixel's colour is from that of the picture's margin, which mostly is table."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)
    height, width = lab.shape[:2]
    rim = max(4, min(height, width) // 25)
    margin = np.concatenate(
        [
            lab[:rim].reshape(-1, 3),
            lab[-rim:].reshape(-1, 3),
            lab[:, :rim].reshape(-1, 3),
            lab[:, -rim:].reshape(-1, 3),
        ]
    )
    away = np.linalg.norm(lab - np.median(margin, axis=0), axis=2)
    return as_image(np.clip(2 * away, 0, 255))


def _opened(mask: NDArray[np.uint8]) -> Iterator[Mask]:
    """The mask, and the mask with thin bridges between neighbours cut."""
    yield np.asarray(mask, np.uint8)
    yield np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((7, 7), np.uint8)), np.uint8)


def _card_like(contour: Contour, shapes: Shapes) -> tuple[float, Quad] | None:
    """How much a contour is a card's, and its quad."""
    whole = shapes.width * shapes.height
    hull = np.asarray(cv2.convexHull(contour), np.int32)
    hull_area = cv2.contourArea(hull)
    if not SMALLEST * whole < hull_area < LARGEST * whole:
        return None
    around = cv2.minAreaRect(hull)[1]
    if hull_area < 0.66 * around[0] * around[1] or max(around) > 3 * min(around):
        return None
    quad = fitted(hull, contour)
    form = 0.0 if quad is None else _form(quad, hull_area, shapes.width, shapes.height)
    return None if quad is None or form == 0 else (form, quad)


def fitted(hull: Contour, contour: Contour) -> Quad | None:
    """The quad of four lines fitted to the sides of an outline, or None where there are not four."""
    rough = _rough(hull)
    if rough is None:
        return None
    points = _thinned(contour)
    corners = []
    lines = [_side(points, rough[i], rough[(i + 1) % 4]) for i in range(4)]
    for i in range(4):
        one, two = lines[i - 1], lines[i]
        corner = None if one is None or two is None else crossing(one, two)
        if corner is None:
            return None
        corners.append(corner)
    quad = np.array(corners, np.float32)
    if not is_convex(quad) or iou(clockwise(quad), clockwise(rough)) < 0.7:
        return None
    return portrait(clockwise(quad))


def _thinned(contour: Contour, most: int = 600) -> Floats:
    """Points of a contour, evenly fewer where there are very many."""
    points = contour.reshape(-1, 2)
    return points[:: max(1, len(points) // most)].astype(np.float32)


def _side(points: Floats, start: Floats, end: Floats) -> Line | None:
    """The line through an outline's points near one rough side, its rounded ends left out."""
    along = end - start
    length = float(np.linalg.norm(along))
    if length < 8:
        return None
    unit = along / length
    offset = points - start
    t = offset @ unit / length
    off = np.abs(offset @ np.array([-unit[1], unit[0]], np.float32))
    near = points[(t > 0.12) & (t < 0.88) & (off < max(3.0, 0.06 * length))]
    if len(near) < 12:
        return None
    vx, vy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([x, y]), np.array([vx, vy])


def from_corners(shapes: Shapes, known: Sequence[Quad], most: int = 120) -> list[Quad]:
    """Quads of the known cards' size laid at every card-like corner beside them.

    A card half under another shows two or three of its corners, and no outline of its own.
    """
    width = float(np.median([sides(q)[[0, 2]].mean() for q in known]))
    height = float(np.median([sides(q)[[1, 3]].mean() for q in known]))
    found: list[Quad] = []
    for contour in shapes.contours:
        if len(contour) < 0.8 * width or not _beside(contour, known, width):
            continue
        if cv2.contourArea(contour) < 0.1 * width * height:
            continue
        for point, u, v in _corners(contour, 0.25 * width):
            if not any(
                cv2.pointPolygonTest(q, point.tolist(), True) > -0.05 * width for q in known
            ):
                found += _laid(point, u, v, width, height)
    return distinct(found, 0.9, most)


def _beside(contour: Contour, known: Sequence[Quad], width: float) -> bool:
    """Whether a contour reaches out of a known card, or begins near one."""
    x, y, wide, high = cv2.boundingRect(contour)
    near = False
    for quad in known:
        left, top = quad.min(axis=0).tolist()
        right, bottom = quad.max(axis=0).tolist()
        box = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]
        if all(cv2.pointPolygonTest(quad, corner, False) >= 0 for corner in box):
            return False
        reach = 0.3 * width
        near |= (
            x < right + reach
            and x + wide > left - reach
            and y < bottom + reach
            and y + high > top - reach
        )
    return near


def _laid(point: Floats, u: Floats, v: Floats, width: float, height: float) -> list[Quad]:
    """Cards with a corner there and sides along u and v; a side seen whole gives the exact size."""
    quads = []
    for short, long in ((u, v), (v, u)):
        seen = float(np.linalg.norm(short)) / width
        size = seen if 0.85 < seen < 1.15 else 1.0
        across = short / np.linalg.norm(short) * width * size
        down = long / np.linalg.norm(long) * height * size
        corners = [point, point + across, point + across + down, point + down]
        quads.append(portrait(clockwise(np.array(corners, np.float32))))
    return quads


def _corners(contour: Contour, least: float) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Square convex corners between two long sides: the point, and both sides as seen."""
    polygon = cv2.approxPolyDP(contour, 0.012 * cv2.arcLength(contour, True), True)
    corners = polygon.reshape(-1, 2).astype(np.float32)
    points = contour.reshape(-1, 2).astype(np.float32)
    count = len(corners)
    if not 3 <= count <= 24:
        return
    for i in range(count):
        before, here, after = corners[i - 1], corners[i], corners[(i + 1) % count]
        a, b = before - here, after - here
        long_a, long_b = float(np.linalg.norm(a)), float(np.linalg.norm(b))
        if min(long_a, long_b) < least or abs(float(a @ b)) > 0.3 * long_a * long_b:
            continue
        one, two = _side(points, before, here), _side(points, here, after)
        point = None if one is None or two is None else crossing(one, two)
        if point is not None:
            yield point.astype(np.float32), a, b


def _rough(hull: Contour) -> Quad | None:
    """Four corners of a hull: by thinning it out, else its smallest rectangle."""
    around = cv2.arcLength(hull, True)
    for share in (0.02, 0.035, 0.05, 0.08):
        thin = cv2.approxPolyDP(hull, share * around, True)
        if len(thin) == 4:
            return clockwise(thin)
        if len(thin) < 4:
            break
    return clockwise(cv2.boxPoints(cv2.minAreaRect(hull)))


def _form(quad: Quad, hull_area: float, width: int, height: int) -> float:
    """How much the outline is a card's: 0 not at all, 1 exactly four straight sides."""
    if not _TALL[0] < aspect(quad) < 2 * _TALL[1]:
        return 0.0
    if min(evenness(quad)) < 0.6:
        return 0.0
    inside = intersection(quad, corners_of(width, height)) / max(area(quad), 1e-6)
    if inside < 0.9:
        return 0.0
    filled = hull_area / area(quad)
    return 0.0 if not 0.85 < filled < 1.12 else 1 - abs(filled - 0.985)


def _halves(quads: list[Quad]) -> list[Quad]:
    """Two cards that touch along a side look like one of twice the size: its two halves."""
    cut = []
    for quad in quads:
        tall = aspect(quad)
        for ways in (0, 1):
            q = np.roll(quad, -ways, axis=0)
            split = tall / 2 if ways == 0 else 2 / tall
            if not _TALL[0] < max(split, 1 / split) < _TALL[1]:
                continue
            left, right = (q[0] + q[3]) / 2, (q[1] + q[2]) / 2
            cut.append(portrait(np.array([q[0], q[1], right, left], np.float32)))
            cut.append(portrait(np.array([left, right, q[2], q[3]], np.float32)))
    return cut
