"""The trained network, run by OpenCV: what of a picture is table, rim of a card, or inside of one."""

import threading
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Image, as_floats, as_image

WEIGHTS = Path(__file__).parent / "model.onnx"
TABLE, RIM, INSIDE = 0, 1, 2
CLASSES = 3
WIDE, HIGH = 640, 480
"""Pixels of the picture that the network looks at."""
STEP = 2
"""Pixels of it that one cell of the output stands for, both ways."""


class OutlineNet:
    """Tells the insides of cards from all else; may be used by several threads."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights))
        self._turn = threading.Lock()

    def insides(self, image: Image) -> Floats:
        """How clearly each pixel of a picture (BGR) is inside of a card: above 0 it is, below it is not.

        It is not on the table, nor within some pixels of any card's edge. Cards are told best where they
        are 24 to 190 pixels wide when the picture is `WIDE` pixels long.
        """
        lying = image if image.shape[1] >= image.shape[0] else as_image(np.rot90(image))
        high, wide = lying.shape[:2]
        scale = min(WIDE / wide, HIGH / high)
        size = (max(1, round(scale * wide)), max(1, round(scale * high)))
        small = cv2.resize(lying, size, interpolation=cv2.INTER_AREA)
        right, below = WIDE - size[0], HIGH - size[1]
        framed = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
        classes = self.outputs(as_image(framed))
        clear = classes[INSIDE] - np.maximum(classes[TABLE], classes[RIM])
        near = cv2.resize(clear, (WIDE, HIGH), interpolation=cv2.INTER_LINEAR)
        whole = cv2.resize(near[: size[1], : size[0]], (wide, high))
        return as_floats(whole if lying is image else np.rot90(whole, -1))

    def outputs(self, image: Image) -> Floats:
        """The network's own output for a picture (HIGH, WIDE, 3): (CLASSES, h, w), larger is likelier."""
        blob = cv2.dnn.blobFromImage(image, 1 / 64, (WIDE, HIGH), (127.5, 127.5, 127.5))
        with self._turn:
            self._net.setInput(blob)
            return as_floats(self._net.forward()[0])


@cache
def outline_net() -> OutlineNet:
    """The network with its weights, read once."""
    return OutlineNet()


def example() -> Image:
    """A picture from nothing but arithmetic, whose outputs the tests hold the weights to."""
    rows, columns = np.mgrid[:HIGH, :WIDE]
    picture: NDArray[np.float64] = np.stack(
        [60 + rows / 8, 90 + columns / 9, 70 + 20 * np.sin(columns / 7)], axis=-1
    )
    for x, y, shade in ((60, 70, 230), (180, 80, 245), (290, 75, 215), (420, 200, 240)):
        picture[y : y + 140, x : x + 100] = shade
        picture[y + 40 : y + 90, x + 25 : x + 75] = (200 - y, x / 3, 120)
    return as_image(picture)
