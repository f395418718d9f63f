"""Numbered outlines over a picture, drawn at the size at which it is shown so that they can be read.

A mark is told apart by more than colour: the selected one is drawn thicker and its words stand between
arrows; one that is not sure is dashed and ends in a question mark.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.vision.geometry import Floats, Image

_TOO_SMALL = 10
"""Pixels of a mark's shorter side below which it is not outlined, where a pixel is half a cell."""
Corners = Sequence[tuple[float, float]]
"""Pixels of the picture, in order around the mark; two or more."""
Scale = tuple[float, float]
"""Pixels across and down of a reduced picture for one of the whole picture."""
SELECTED, SURE, UNSURE, UNNAMED = (255, 225, 60), (70, 210, 90), (255, 150, 30), (240, 70, 70)
HELD = (255, 120, 220)
"""RGB; a mark without words to doubt is as `SURE`."""


@dataclass(frozen=True, slots=True)
class Label:
    """Words over a picture, in black on their ground."""

    text: str
    x: float
    """Of its middle, in pixels of the reduced picture."""
    y: float
    ground: tuple[int, int, int]
    """RGB."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An outline in a picture, with a few words (a number, mostly)."""

    corners: Corners
    words: str = ""
    selected: bool = False
    sure: bool = True
    named: bool = True
    """False: nothing is known of it; red."""
    handles: int = -1
    """The corner that is held, from 0; with `4`, all are shown as handles; -1: none is."""

    @property
    def colour(self) -> tuple[int, int, int]:
        """RGB."""
        if self.selected:
            return SELECTED
        return (SURE if self.sure else UNSURE) if self.named else UNNAMED

    @property
    def text(self) -> str:
        """The words as they are shown."""
        doubted = self.words + ("" if self.sure or not self.words else "?")
        return f"▸{doubted}◂" if self.selected and doubted else doubted

    def labels(self, scale: Scale) -> list[Label]:
        """What is written over the picture: the numbers of its handles, then its words."""
        found = []
        if self.handles >= 0:
            for i, (x, y) in enumerate(self.corners):
                ground = HELD if i == self.handles else (255, 255, 255)
                text = f"▸{i + 1}" if i == self.handles else str(i + 1)
                found.append(Label(text, x * scale[0], y * scale[1], ground))
        if self.text:
            xs, ys = zip(*self.corners, strict=True)
            middle = sum(xs) / len(xs) * scale[0], sum(ys) / len(ys) * scale[1]
            found.append(Label(self.text, *middle, self.colour))
        return found


def outlined(image: "Image", marks: Sequence[Mark], scale: Scale, fine: bool) -> "Image":
    """A copy of a picture that was reduced by `scale`, with the outlines; `fine`: with the labels too.

    Without `fine` a pixel is half a cell: lines are a pixel wide, and the labels are written as cells.
    """
    import cv2
    import numpy as np

    drawn = np.ascontiguousarray(image.copy())
    for mark in sorted(marks, key=lambda m: m.selected):  # the selected one lies on top
        corners = np.asarray(mark.corners, np.float32) * np.array(scale, np.float32) - 0.5
        colour = mark.colour[::-1]
        width = (4 if mark.selected else 2) if fine else 1
        kind = cv2.LINE_AA if fine else cv2.LINE_8
        small = float(np.ptp(corners, axis=0).min()) < _TOO_SMALL
        if small and not fine and not mark.selected:
            continue  # the line would cover the card; its words say where it is
        if fine:
            _line(drawn, corners, (0, 0, 0), width + 2, mark.sure, kind)
        _line(drawn, corners, colour, width, mark.sure, kind)
    labels = [label for mark in marks for label in mark.labels(scale)]
    return _written(drawn, labels) if fine and labels else drawn


def _line(
    image: "Image", corners: "Floats", colour: Sequence[int], width: int, solid: bool, kind: int
) -> None:
    import cv2
    import numpy as np

    if solid:
        cv2.polylines(image, [np.round(corners).astype(np.int32)], True, colour, width, kind)
        return
    dash = 3.0 if width == 1 else 5.0 * width
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length = max(1.0, float(np.linalg.norm(end - start)))
        for at in np.arange(0, length, 2 * dash):
            a = start + (end - start) * at / length
            b = start + (end - start) * min(length, at + dash) / length
            points = [tuple(round(v) for v in p) for p in (a, b)]
            cv2.line(image, points[0], points[1], colour, width, kind)


def _written(image: "Image", labels: Sequence[Label]) -> "Image":
    """The picture with the labels on it."""
    import numpy as np
    from PIL import Image as Pictures
    from PIL import ImageDraw, ImageFont

    picture = Pictures.fromarray(np.ascontiguousarray(image[..., ::-1]))
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(20)
    for label in labels:
        text = label.text.replace("▸", ">").replace("◂", "<").replace("✓", " ok")  # signs it has
        left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
        half = ((right - left) / 2 + 4, (bottom - top) / 2 + 4)
        x = min(max(label.x, half[0]), picture.width - half[0])
        y = min(max(label.y, half[1]), picture.height - half[1])
        pen.rectangle([x - half[0], y - half[1], x + half[0], y + half[1]], fill=label.ground)
        at = (x - (right - left) / 2 - left, y - (bottom - top) / 2 - top)
        pen.text(at, text, fill=(0, 0, 0), font=font)
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[..., ::-1])
