"""The photos of a review on the disk, opened when they are looked at: the photo, and single cards of it."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import Fault, UnusableInput
from companion.vision.sighting import Point, Region

if TYPE_CHECKING:
    from companion.vision.geometry import Image, Pyramid

ACROSS = 1600
"""Pixels of the longer side of a photo as it is looked at."""
_MARGIN = 0.02
"""Table shown around the cards, as a share of the photo."""
_OPEN = 2
"""Photos held in memory, 36 MB and more each."""


@dataclass(frozen=True, slots=True)
class View:
    """A part of a photo, smaller."""

    image: "Image"
    scale: float
    """Its pixels for one of the photo's file."""
    corner: Point
    """Where its top left lies, pixels of the file."""

    def shown(self, point: Point) -> Point:
        """Where a point of the file lies in it."""
        return (point[0] - self.corner[0]) * self.scale, (point[1] - self.corner[1]) * self.scale

    def told(self, x: float, y: float) -> Point:
        """The point of the file at a place of it."""
        return x / self.scale + self.corner[0], y / self.scale + self.corner[1]


class Crops:
    """Photos by the sha256 of their files. For any thread; one photo is opened at a time."""

    def __init__(self, elsewhere: Callable[[str], Path | None] = lambda _: None) -> None:
        """`elsewhere` finds the file of a photo whose own is gone: the household's shelf."""
        self._files: dict[str, Path] = {}
        self._elsewhere = elsewhere
        self._open: dict[str, tuple[Pyramid, float]] = {}
        self._lock = threading.Lock()

    def told(self, sha256: str, path: str | Path) -> None:
        """Where a photo lies."""
        self._files[sha256] = Path(path)

    def path(self, sha256: str) -> Path | None:
        """The file of a photo, if it is still there."""
        own = self._files.get(sha256)
        return own if own is not None and own.is_file() else self._elsewhere(sha256)

    def around(self, sha256: str, regions: Sequence[Region]) -> "View":
        """The part of the photo in which the regions lie, for looking at; raises `UnusableInput`."""
        from companion.vision.reduce import reduced

        pyramid, scale = self._pyramid(sha256)
        image = pyramid.level(0)
        height, width = image.shape[:2]
        left, top, right, bottom = 0, 0, width, height
        if regions:
            xs, ys = zip(*(point for region in regions for point in region), strict=True)
            margin = _MARGIN * max(width, height)
            left, right = _within(min(xs) * scale - margin, max(xs) * scale + margin, width)
            top, bottom = _within(min(ys) * scale - margin, max(ys) * scale + margin, height)
        small, by = reduced(image[top:bottom, left:right], ACROSS)
        return View(small, by * scale, (left / scale, top / scale))

    def card(self, sha256: str, region: Region, height: int = 320) -> "Image":
        """One card flat and upright, so many pixels high; raises `UnusableInput`."""
        from companion.vision.geometry import as_floats, sides

        pyramid, scale = self._pyramid(sha256)
        quad = as_floats(region) * scale
        across, down = sides(quad)[[0, 2]].mean(), sides(quad)[[1, 3]].mean()
        width = round(height * min(3.0, max(0.2, float(across / max(down, 1.0)))))
        return pyramid.rectify(quad, max(16, width), height)

    def _pyramid(self, sha256: str) -> "tuple[Pyramid, float]":
        from companion.vision.geometry import Pyramid
        from companion.vision.load import open_photo

        with self._lock:
            if sha256 not in self._open:
                path = self.path(sha256)
                if path is None:
                    right = "it was moved, or thrown away with its match"
                    raise UnusableInput([Fault("", "the photo is not there any more", right)])
                photo = open_photo(path)
                while len(self._open) >= _OPEN:
                    self._open.pop(next(iter(self._open)))
                self._open[sha256] = Pyramid(photo.image), photo.scale
            return self._open[sha256]


def _within(low: float, high: float, size: int) -> tuple[int, int]:
    """A span inside the photo, at least a pixel wide whatever was drawn by hand."""
    start = min(max(0, int(low)), size - 1)
    return start, max(start + 1, min(int(high), size))
