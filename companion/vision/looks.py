"""What a flat picture of a card looks like, in three ways that fail on different decks.

- *local*: colour after the mean and contrast around each pixel are taken out; strong on pictures with
  much detail, blind to the colour of large flat shapes.
- *paper*: Lab colour against the paper's white, colour counting double; strong on flat colours,
  led astray by coloured light.
- *ink*: where there is how much ink, of which hue; strong on few shapes on white.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.geometry import Floats, Image, as_image

HEIGHT = 128
"""Pixels of the pictures that are compared; the width follows the deck's aspect."""
_WINDOW = 29
_FLAT = 10.0
"""Contrast in grey levels below which a place counts as flat: noise is not made large."""


def width_for(aspect: float, height: int = HEIGHT) -> int:
    """Pixels across for a deck of that aspect (height over width)."""
    return max(16, round(height / aspect))


@dataclass(frozen=True, slots=True)
class Look:
    """The three views of one flat picture, pixel by pixel; the hue and amount follow from the ink."""

    local: Floats
    """(pixels, 3)"""
    paper: Floats
    """(pixels, 3): lightness, and twice a and b."""
    ink: Floats
    """(pixels, 1), 0 to 1"""
    tint: Floats
    """(pixels, 3): a and b weighted by how much coloured ink there is, and that weight."""


def look_at(flat: Image) -> Look:
    """The look of a flat card of `HEIGHT` pixels."""
    even = evenly_lit(flat)
    lab = cv2.cvtColor(paper_white(even), cv2.COLOR_BGR2LAB).astype(np.float32)
    lightness, a, b = lab[..., 0] * (100 / 255), lab[..., 1] - 128, lab[..., 2] - 128
    chroma = np.hypot(a, b)
    ink = np.clip(np.hypot((100 - lightness) * 0.9, chroma) / 100, 0, 1)
    weight = ink * np.clip(chroma / 12, 0, 1)
    paper = cv2.GaussianBlur(np.stack([lightness, 2 * a, 2 * b], axis=-1), (0, 0), 1.0)
    return Look(
        local(even).reshape(-1, 3),
        paper.reshape(-1, 3).astype(np.float32),
        cv2.GaussianBlur(ink, (0, 0), 1.5).reshape(-1, 1).astype(np.float32),
        np.stack([a * weight, b * weight, weight], axis=-1).reshape(-1, 3).astype(np.float32),
    )


def local(flat: Image, window: int = _WINDOW) -> Floats:
    """Colour with the mean around each pixel taken out and the contrast around it made one."""
    values = cv2.GaussianBlur(flat, (0, 0), 0.8).astype(np.float32)
    mean = cv2.blur(values, (window, window), borderType=cv2.BORDER_REFLECT)
    grey = values.mean(axis=2)
    grey_mean = mean.mean(axis=2)
    spread = cv2.blur(grey * grey, (window, window), borderType=cv2.BORDER_REFLECT)
    deviation = np.sqrt(np.maximum(spread - grey_mean * grey_mean, 0))
    result: Floats = (values - mean) / (deviation + _FLAT)[..., None]
    return result


def evenly_lit(flat: Image) -> Image:
    """The picture without shadows and falling light: brightness over the brightest nearby.

    Only brightness is evened, so that a large coloured area stays coloured.
    """
    bright = cv2.GaussianBlur(flat.max(axis=2), (0, 0), 1.0)
    reach = round(0.42 * flat.shape[1]) | 1
    around = cv2.morphologyEx(
        bright,
        cv2.MORPH_CLOSE,
        cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (reach, reach)),
        borderType=cv2.BORDER_REFLECT,
    )
    light = np.maximum(cv2.GaussianBlur(around, (0, 0), 1.5).astype(np.float32), 30)
    return as_image(np.clip(flat * (230 / light)[..., None], 0, 255))


def paper_white(flat: Image) -> Image:
    """The picture in light that makes its palest part white."""
    sample = flat.reshape(-1, 3).astype(np.float32)
    bright = sample.sum(axis=1)
    palest = sample[bright >= np.percentile(bright, 85)]
    white = np.maximum(np.median(palest, axis=0), 40)
    return as_image(np.clip(flat * (250 / white), 0, 255))
