"""The trained network, run by OpenCV."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.vision.geometry import Floats, Image, as_floats
from companion.vision.index_reader.classes import (
    FACES,
    HIGH,
    LABELS,
    REJECT_RANK,
    REJECT_SUIT,
    SUITS,
    WIDE,
    columns,
)

WEIGHTS = Path(__file__).parent / "model.onnx"
_AT_ONCE = 64
"""Patches a run: more take memory and no less time."""


@dataclass(frozen=True, slots=True)
class Glances:
    """What patches may show: shares between 0 and 1."""

    faces: Floats
    """(n, 52): of each card of `classes.FACES`."""
    none: Floats
    """(n, labels): of each rank class that is no rank of the deck, its columns as `classes.LABELS`."""
    hidden: Floats
    """(n,): that there is a suit, but a rank that cannot be read."""


class IndexNet:
    """Tells what stands in the corner of a card; may be used by several threads."""

    def __init__(self, letters: str = "JQK", weights: Path = WEIGHTS) -> None:
        self._net = cv2.dnn.readNetFromONNX(str(weights))
        self._ranks = columns(letters)
        self._turn = threading.Lock()

    def look(self, patches: Sequence[Image]) -> Glances:
        """What patches (HIGH, WIDE, 3; BGR) show."""
        if not patches:
            ranks, suits = (np.zeros((0, len(c) + 1), np.float32) for c in (LABELS, SUITS))
        else:
            ranks, suits = (softmax(output) for output in self.outputs(patches))
        ours = ranks[:, self._ranks]
        faces = (ours[:, :, None] * suits[:, None, :REJECT_SUIT]).reshape(len(patches), len(FACES))
        none = ranks[:, : len(LABELS)].copy()
        none[:, self._ranks] = 0
        hidden = ranks[:, REJECT_RANK] * suits[:, :REJECT_SUIT].max(axis=1)
        return Glances(faces, none, hidden)

    def outputs(self, patches: Sequence[Image]) -> tuple[Floats, Floats]:
        """The network's own two outputs, (n, ranks + 1) and (n, suits + 1)."""
        ranks, suits = [], []
        for i in range(0, len(patches), _AT_ONCE):
            some = list(patches[i : i + _AT_ONCE])
            blob = cv2.dnn.blobFromImages(some, 1 / 64, (WIDE, HIGH), (127.5, 127.5, 127.5))
            with self._turn:
                self._net.setInput(blob)
                rank, suit = self._net.forward(["rank", "suit"])
            ranks.append(rank)
            suits.append(suit)
        return as_floats(np.concatenate(ranks)), as_floats(np.concatenate(suits))


def softmax(values: Floats) -> Floats:
    """Shares that sum to 1 along the last axis."""
    away = np.exp(values - values.max(axis=-1, keepdims=True))
    return as_floats(away / away.sum(axis=-1, keepdims=True))
