"""Things that lie about on a table: a pencil, coins, a mug, a hand; pictures with transparency."""

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""BGRA, not premultiplied."""


@dataclass(frozen=True, slots=True)
class Item:
    """A picture with its size in millimetres and how high it stands (for its shadow)."""

    picture: Picture
    size: tuple[float, float]
    height: float


def _blank(width: int, height: int) -> Picture:
    return np.zeros((height, width, 4), np.uint8)


def _speckle(rng: Generator, picture: Picture, amount: float) -> Picture:
    tone = rng.standard_normal(picture.shape[:2], np.float32)
    tone = np.asarray(cv2.GaussianBlur(tone, (0, 0), 1.2), np.float32) * amount * 2
    colour = np.clip(picture[..., :3].astype(np.float32) + tone[..., None], 0, 255)
    return np.dstack([colour.astype(np.uint8), picture[..., 3]])


def pencil(rng: Generator) -> Item:
    """A hexagonal pencil, 7 by 150 mm."""
    p = _blank(56, 1200)
    base = [(40, 180, 240), (60, 50, 190), (140, 90, 40), (60, 120, 50)][int(rng.integers(4))]
    for i, shade in enumerate((0.7, 1.08, 0.85)):
        colour = [min(255, int(c * shade)) for c in base]
        cv2.rectangle(p, (i * 19, 190), (i * 19 + 18, 1120), (*colour, 255), -1)
    cone = np.array([[0, 190], [14, 180], [28, 190], [42, 180], [55, 190], [32, 30], [24, 30]])
    cv2.fillPoly(p, [cone.astype(np.int32)], (150, 196, 226, 255), cv2.LINE_AA)
    tip = np.array([[22, 60], [34, 60], [30, 4], [26, 4]])
    cv2.fillPoly(p, [tip.astype(np.int32)], (44, 44, 46, 255), cv2.LINE_AA)
    cv2.rectangle(p, (1, 1120), (54, 1150), (170, 180, 186, 255), -1)
    cv2.rectangle(p, (2, 1150), (53, 1196), (140, 130, 220, 255), -1)
    return Item(_speckle(rng, p, 3), (7, 150), 6)


def coin(rng: Generator) -> Item:
    """A coin of 21 to 26 mm."""
    metal = [(70, 150, 190), (60, 110, 170), (180, 184, 186)][int(rng.integers(3))]
    p = _blank(240, 240)
    cv2.circle(p, (120, 120), 118, (*[int(c * 0.8) for c in metal], 255), -1, cv2.LINE_AA)
    cv2.circle(p, (120, 120), 106, (*metal, 255), -1, cv2.LINE_AA)
    cv2.circle(p, (120, 120), 104, (*[int(c * 0.7) for c in metal], 255), 2, cv2.LINE_AA)
    digit = str(int(rng.choice([1, 2, 5, 10, 20, 50])))
    light = (*[min(255, int(c * 1.2)) for c in metal], 255)
    cv2.putText(p, digit, (64, 152), cv2.FONT_HERSHEY_DUPLEX, 2.6, light, 8, cv2.LINE_AA)
    y, x = np.mgrid[-1:1:240j, -1:1:240j]
    sheen = 1 + 0.35 * np.cos(2 * (np.arctan2(y, x) - rng.uniform(0, math.pi)))
    p[..., :3] = np.clip(p[..., :3] * sheen[..., None], 0, 255).astype(np.uint8)
    size = float(rng.uniform(21, 26))
    return Item(_speckle(rng, p, 4), (size, size), 2)


def mug(rng: Generator) -> Item:
    """A mug of 85 mm from above, with its handle."""
    p = _blank(480, 400)
    body = [(236, 238, 240), (120, 70, 40), (50, 60, 160), (70, 74, 78)][int(rng.integers(4))]
    shade = tuple(int(c * 0.75) for c in body)
    cv2.ellipse(p, (400, 200), (70, 50), 0, 0, 360, (*shade, 255), 26, cv2.LINE_AA)
    cv2.circle(p, (200, 200), 196, (*body, 255), -1, cv2.LINE_AA)
    cv2.circle(p, (200, 200), 180, (*shade, 255), -1, cv2.LINE_AA)
    cv2.circle(p, (204, 206), 168, (22, 40, 66), -1, cv2.LINE_AA)
    p[..., 3] = np.where(p[..., :3].any(2), 255, p[..., 3])
    cv2.ellipse(p, (150, 150), (50, 22), 130, 0, 360, (60, 90, 124, 255), -1, cv2.LINE_AA)
    return Item(_speckle(rng, p, 2), (102, 85), 40)


def hand(rng: Generator) -> Item:
    """A hand with its arm that reaches in from below, 90 by 500 mm; fingertips 20 mm under the top."""
    p = _blank(450, 2500)
    tones = [(150, 180, 228), (110, 146, 200), (60, 92, 144)]
    tone = tones[int(rng.integers(3))]
    dark = tuple(int(c * 0.82) for c in tone)
    fingers = [(60, 250, 64), (160, 120, 68), (262, 90, 68), (358, 170, 62)]
    for x, top, wide in fingers:
        sway = int(rng.integers(-22, 22))
        cv2.line(p, (x, 560), (x + sway, top + 40), (*dark, 255), wide + 8, cv2.LINE_AA)
    for x, top, wide in fingers:
        sway = int(rng.integers(-22, 22))
        cv2.line(p, (x, 560), (x + sway, top + 44), (*tone, 255), wide - 8, cv2.LINE_AA)
        nail = tuple(min(255, c + 24) for c in tone)
        cv2.ellipse(p, (x + sway, top + 46), (18, 26), 0, 0, 360, (*nail, 255), -1, cv2.LINE_AA)
    cv2.ellipse(p, (212, 720), (200, 230), 0, 0, 360, (*tone, 255), -1, cv2.LINE_AA)
    cv2.rectangle(p, (80, 760), (350, 1150), (*tone, 255), -1)
    sleeve = [int(v) for v in rng.integers(30, 150, 3)]
    cv2.rectangle(p, (50, 1150), (380, 2499), (*sleeve, 255), -1)
    soft = cv2.GaussianBlur(p[..., :3], (0, 0), 9)
    p[..., :3] = np.where(p[..., 3:] > 0, soft // 4 + p[..., :3] // 4 * 3, p[..., :3])
    across = np.linspace(-1, 1, 450)[None, :, None]
    p[..., :3] = np.clip(p[..., :3] * (1.06 - 0.22 * across**2), 0, 255).astype(np.uint8)
    return Item(_speckle(rng, p, 3), (90, 500), 14)


ITEMS: dict[str, Any] = {"pencil": pencil, "coin": coin, "mug": mug, "hand": hand}
