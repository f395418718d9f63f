"""An album: the reference pictures of one deck, ready to be compared with what a photo shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from card_catalog.faces.layout import Ring
from companion.vision.geometry import Floats, Image
from companion.vision.looks import HEIGHT, Look, local, look_at, width_for

_ONE_WAY = 0.5
"""Correlation of a picture with itself upside down below which it is one way up."""
QUICK = 48
"""Pixels of height of the pictures that weed out what is no card at all."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A flat, upright picture of one face."""

    face: str
    image: Image = field(repr=False)
    source: str = ""
    """File it was cut from."""
    doubts: tuple[str, ...] = ()
    """What is wrong with it; a name that leans on it is asked about."""


class Album:
    """References of one deck, several a face where there are; all compared at one size."""

    def __init__(
        self,
        deck: str,
        references: Sequence[Reference],
        aspect: float = 0.0,
        rings: Mapping[str, Ring] | None = None,
    ) -> None:
        self.deck = deck
        self.rings = rings or {}
        """Where a number is printed that is not known, by face."""
        self.references = tuple(references)
        self.aspect = aspect or median_aspect(references)
        self.faces = tuple(dict.fromkeys(r.face for r in references))
        self.face_of = np.array([self.faces.index(r.face) for r in references], int)

    def prepare(self) -> None:
        """Works out now what comparing needs, so that photos read side by side do not each do it."""
        _ = self.quick, self.stack.whole, self.one_way, self.doubtful

    @cached_property
    def doubtful(self) -> NDArray[np.bool_]:
        """Which references something is wrong with, one flag each."""
        return np.array([bool(r.doubts) for r in self.references], bool)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures that are compared, pixels."""
        return width_for(self.aspect), HEIGHT

    @cached_property
    def flats(self) -> tuple[Image, ...]:
        """The references at comparing size."""
        return tuple(shrunk(r.image, *self.size) for r in self.references)

    @cached_property
    def stack(self) -> "Stack":
        """How all references look, ready to be compared with a card."""
        return Stack([look_at(flat) for flat in self.flats])

    @cached_property
    def one_way(self) -> frozenset[str]:
        """Faces that look different upside down, and so tell which way up a card lies."""
        found = set()
        for reference, flat in zip(self.references, self.flats, strict=True):
            upright = quick_look(flat, self.aspect)
            turned = quick_look(np.ascontiguousarray(flat[::-1, ::-1]), self.aspect)
            if float(upright @ turned) < _ONE_WAY:
                found.add(reference.face)
        return frozenset(found)

    @cached_property
    def quick(self) -> Floats:
        """Small pictures of all references as unit vectors, one row each."""
        return np.stack([quick_look(flat, self.aspect) for flat in self.flats])


class Stack:
    """The looks of many references, one row each."""

    def __init__(self, looks: Sequence[Look]) -> None:
        self._local = np.stack([k.local for k in looks])
        self._paper = np.stack([k.paper for k in looks])
        self._ink = np.stack([k.ink for k in looks])
        self._tint = np.stack([k.tint for k in looks])

    @cached_property
    def whole(self) -> "Views":
        """The references as they are compared with a card that nothing covers."""
        return Views.of(self._local, self._paper, self._ink, self._tint)

    def seen_through(self, visible: NDArray[np.bool_]) -> "Views":
        """The references where a card is visible; `visible` is one flag a pixel."""
        at = np.flatnonzero(visible)
        parts = (self._local, self._paper, self._ink, self._tint)
        return Views.of(*(np.take(part, at, axis=1) for part in parts))


@dataclass(frozen=True, slots=True)
class Views:
    """Unit vectors of looks, one row each, so that an inner product is a correlation."""

    local: Floats
    paper: Floats
    ink: Floats
    hue: Floats
    """Mean colour of the ink in the a, b plane of Lab, (n, 2)."""
    amount: Floats
    """Mean ink, 0 to 1, (n,)."""

    @classmethod
    def of(cls, local: Floats, paper: Floats, ink: Floats, tint: Floats) -> "Views":
        """The views of looks (n, pixels, channels)."""
        total = tint[..., 2].sum(axis=1) + 1e-3
        there = np.minimum(1.0, total / (0.01 * tint.shape[1]))
        hue = tint[..., :2].sum(axis=1) / total[:, None] * there[:, None]
        amount = ink.mean(axis=(1, 2))
        return cls(_units(local), _units(_centred(paper)), _units(_centred(ink)), hue, amount)


def _centred(values: Floats) -> Floats:
    centred: Floats = values - values.mean(axis=1, keepdims=True)
    return centred


def _units(values: Floats) -> Floats:
    rows = values.reshape(len(values), -1)
    units: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)
    return units


def median_aspect(references: Sequence[Reference]) -> float:
    """Height over width that the deck's pictures agree on."""
    return float(np.median([r.image.shape[0] / r.image.shape[1] for r in references]))


def shrunk(image: Image, width: int, height: int) -> Image:
    """The picture at that size, without aliasing."""
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def quick_look(flat: Image, aspect: float) -> Floats:
    """A blurred small picture as a unit vector, for a first comparison."""
    small = shrunk(flat, width_for(aspect, QUICK), QUICK)
    values = local(np.asarray(cv2.GaussianBlur(small, (0, 0), 1.2), np.uint8), 15).reshape(-1)
    unit: Floats = values / max(float(np.linalg.norm(values)), 1e-6)
    return unit
