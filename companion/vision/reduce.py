"""The size at which cards are looked for; they are judged at full size."""

import cv2
import numpy as np

from companion.vision.geometry import Image

WORK = 1200
"""Pixels across the picture in which cards are looked for."""
WORK_FINE = 1632
"""The same where cards are small."""


def reduced(image: Image, across: int = WORK) -> tuple[Image, float]:
    """The picture at most so many pixels across (and 1.5 times that high), and its scale."""
    height, width = image.shape[:2]
    scale = min(across / width, 1.5 * across / height, 1.0)
    if scale == 1.0:
        return image, 1.0
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), scale
