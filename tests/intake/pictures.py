"""Small photographs put together from the drawn cards: a ground, rows with gaps, a little tilt and noise."""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from card_catalog.faces import Face, faces, picture
from card_catalog.loader import shipped_deck

Image = NDArray[np.uint8]
TALL, WIDE = 240, 172
"""Of a card in these pictures, pixels."""
LEFT, TOP, ACROSS, DOWN = 60, 66, WIDE + 20, TALL + 38
"""The first card's place, and from one to the next."""
GROUND = (58, 84, 40)


@lru_cache(maxsize=4)
def _faces(deck: str) -> dict[str, Face]:
    return {face.name: face for face in faces(shipped_deck(deck))}


@lru_cache(maxsize=128)
def card(name: str, deck: str = "up-the-creek") -> Image:
    """One drawn card, BGR."""
    return np.ascontiguousarray(np.asarray(picture(_faces(deck)[name], TALL), np.uint8)[..., ::-1])


def table(rows: Sequence[str], deck: str = "up-the-creek", tilt: float = 0.03) -> Image:
    """A photograph of rows as they are written, `.` for a gap, `#` for a card of another deck."""
    cells = [row.split() for row in rows]
    across = max(map(len, cells))
    width, height = 2 * LEFT + across * ACROSS, 2 * TOP + len(rows) * DOWN
    image = np.full((height, width, 3), GROUND, np.uint8)
    for down, row in enumerate(cells):
        for column, name in enumerate(row):
            if name == ".":
                continue
            x, y = LEFT + column * ACROSS, TOP + down * DOWN
            image[y : y + TALL, x : x + WIDE] = _strange() if name == "#" else card(name, deck)
    return _photographed(image, tilt)


def _strange() -> Image:
    """A card that no deck here knows: rings on white."""
    image = np.full((TALL, WIDE, 3), 245, np.uint8)
    for radius, colour in ((75, (160, 40, 40)), (52, (245, 245, 245)), (30, (40, 160, 220))):
        cv2.circle(image, (WIDE // 2, TALL // 2), radius, colour, -1)
    return image


def _photographed(image: Image, tilt: float) -> Image:
    height, width = image.shape[:2]
    there = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    off = tilt * np.array([[width, 0], [-width, height * 0.4], [0, 0], [0, 0]], np.float32)
    matrix = cv2.getPerspectiveTransform(there, (there + off).astype(np.float32))
    turned = cv2.warpPerspective(image, matrix, (width, height), borderValue=GROUND)
    noise = np.random.default_rng(7).normal(0, 3, turned.shape)
    return np.clip(cv2.GaussianBlur(turned, (0, 0), 0.7) + noise, 0, 255).astype(np.uint8)


def exposed(image: Image, gamma: float) -> Image:
    """The photograph as another exposure takes it: above 1 darker, below 1 paler."""
    softer = cv2.GaussianBlur(image, (0, 0), 1.0).astype(np.float32)
    return np.clip(255 * (softer / 255) ** gamma, 0, 255).astype(np.uint8)


def save(image: Image, path: Path) -> Path:
    """The picture in a file; the kind follows the name."""
    done, data = cv2.imencode(path.suffix, image)
    assert done
    path.write_bytes(data.tobytes())
    return path
