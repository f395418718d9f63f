"""Suit signs drawn by code, no two decks' alike: spade, heart, club, diamond as masks."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Image

_HIGH = 120
"""Pixels of height of a mask."""
_OVER = 3
"""Drawn so many times larger, and reduced."""
Points = NDArray[np.float64]


def drawn_suits(rng: np.random.Generator) -> dict[str, Image]:
    """The four suits of one deck, each cut to its ink: 255 inside."""
    return {"S": _spade(rng), "H": _heart(rng), "C": _club(rng), "D": _diamond(rng)}


def _curve(*control: tuple[float, float]) -> Points:
    """A cubic Bezier curve as points."""
    t = np.linspace(0, 1, 24)[:, None]
    a, b, c, d = (np.array(point) for point in control)
    return np.asarray(
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d
    )


def _both_sides(right: Points) -> Points:
    return np.concatenate([right, right[::-1] * [-1, 1]])


def _lobes(rng: np.random.Generator) -> Points:
    """The right half of a heart: from the notch over the lobe to the tip, y downwards, about 1 high."""
    wide = rng.uniform(0.42, 0.6)
    notch, belly = rng.uniform(0.12, 0.34), rng.uniform(0.22, 0.42)
    swing, tip = rng.uniform(0.02, 0.22), rng.uniform(0.02, 0.2)
    top = _curve(
        (0, notch), (swing, -rng.uniform(0.1, 0.2)), (wide, -rng.uniform(0, 0.2)), (wide, belly)
    )
    low = _curve(
        (wide, belly),
        (wide, belly + rng.uniform(0.15, 0.35)),
        (tip, rng.uniform(0.68, 0.88)),
        (0, 1),
    )
    return np.concatenate([top, low])


def _stem(rng: np.random.Generator, top: float) -> Points:
    foot, waist = rng.uniform(0.14, 0.36), rng.uniform(0.02, 0.08)
    sole = rng.uniform(-0.05, 0.02)
    bend = rng.uniform(0.0, 0.9)
    right = _curve(
        (waist, top), (waist, 1 - 0.25 * bend), (waist + 0.1 * foot, 1 + sole), (foot, 1)
    )
    return _both_sides(right)


def _heart(rng: np.random.Generator) -> Image:
    return _filled(_both_sides(_lobes(rng)))


def _spade(rng: np.random.Generator) -> Image:
    leaf = _both_sides(_lobes(rng)) * [1.0, -1.0]
    leaf = (leaf - np.array([0, leaf[:, 1].min()])) * [1, rng.uniform(0.8, 0.92)]
    return _filled(leaf, _stem(rng, 0.5))


def _club(rng: np.random.Generator) -> Image:
    radius = rng.uniform(0.21, 0.27)
    apart, level = rng.uniform(0.24, 0.3), rng.uniform(0.52, 0.62)
    parts = [_disc(0, radius, radius), _disc(-apart, level, radius), _disc(apart, level, radius)]
    if rng.random() < 0.7:
        parts.append(_disc(0, 0.45, rng.uniform(0.08, 0.2)))
    else:
        parts.append(np.array([[0, radius], [apart, level], [-apart, level]]))
    return _filled(*parts, _stem(rng, 0.4))


def _diamond(rng: np.random.Generator) -> Image:
    wide, bow = rng.uniform(0.33, 0.5), rng.uniform(-0.09, 0.03)
    middle = (wide / 2 + bow, 0.25 - bow)
    below = (middle[0], 1 - middle[1])
    right = np.concatenate(
        [_curve((0, 0), middle, middle, (wide, 0.5)), _curve((wide, 0.5), below, below, (0, 1))]
    )
    return _filled(_both_sides(right))


def _disc(x: float, y: float, radius: float) -> Points:
    angles = np.linspace(0, 2 * np.pi, 40)
    return np.column_stack([x + radius * np.cos(angles), y + radius * np.sin(angles)])


def _filled(*parts: Points) -> Image:
    scale = _HIGH * _OVER
    canvas: NDArray[Any] = np.zeros((round(1.5 * scale), round(1.6 * scale)), np.uint8)
    for part in parts:
        points = np.round((part + np.array([0.8, 0.2])) * scale).astype(np.int32)
        cv2.fillPoly(canvas, [points], 255)
    x, y, wide, high = cv2.boundingRect(canvas)
    mask = canvas[y : y + high, x : x + wide]
    size = (max(8, round(wide / _OVER)), max(8, round(high / _OVER)))
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
