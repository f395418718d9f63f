"""Flat things drawn onto a photo: their picture through the camera, their shadow, who covers whom."""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.sight.camera import Camera, corners_of

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Field = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A picture (BGRA) of a size in millimetres at its place; `bend` is how high its ends stand."""

    picture: Image
    size: tuple[float, float]
    matrix: Floats
    bend: float = 0.0
    thick: float = 0.3


@dataclass(slots=True)
class Canvas:
    """A photo that is being drawn, and which thing each pixel shows (0 the table)."""

    image: Image
    camera: Camera
    darkness: float
    cast: tuple[float, float]
    """Where shadows fall, millimetres for a card."""
    labels: Image = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        self.labels = np.zeros(self.image.shape[:2], np.uint8)

    def shown(self, label: int) -> int:
        """How many pixels show this thing."""
        return int(cv2.countNonZero(cv2.inRange(self.labels, label, label)))

    def put(self, sheet: Sheet, label: int) -> None:
        """Draws a thing over all that lies there."""
        quad = self.camera.pixels(corners_of(sheet.matrix, sheet.size), sheet.bend)
        width_px = float(np.linalg.norm(quad[1] - quad[0]))
        per_mm = width_px / sheet.size[0]
        reach = self._fall(sheet, per_mm)
        pad = int(abs(reach).max() + 10 * per_mm + 4)
        height, width = self.labels.shape
        x0, y0 = np.maximum(np.floor(quad.min(0)).astype(int) - pad, 0)
        x1, y1 = np.minimum(np.ceil(quad.max(0)).astype(int) + pad, (width, height))
        if x1 <= x0 or y1 <= y0:
            return
        layer = self._warped(sheet, width_px, (int(x0), int(y0), int(x1), int(y1)))
        alpha = layer[..., 3:] / 255.0
        part = self.image[y0:y1, x0:x1].astype(np.float32)
        part *= self._shadow(alpha[..., 0], sheet, reach, per_mm)
        part = part * (1 - alpha) + layer[..., :3]
        self.image[y0:y1, x0:x1] = np.clip(part, 0, 255).astype(np.uint8)
        self.labels[y0:y1, x0:x1][alpha[..., 0] > 0.5] = label

    def _fall(self, sheet: Sheet, per_mm: float) -> Floats:
        more = 1 + 0.5 * sheet.bend + 0.15 * max(sheet.thick - 1, 0)
        result: Floats = np.array(self.cast) * more * per_mm
        return result

    def _shadow(self, alpha: Field, sheet: Sheet, reach: Floats, per_mm: float) -> Field:
        """Factors: a close dark line, and a wide soft one to the side away from the light."""
        height, width = alpha.shape
        small = max(1, int(per_mm))
        mask = cv2.resize(
            alpha, (width // small + 1, height // small + 1), interpolation=cv2.INTER_AREA
        )
        result = np.ones_like(mask)
        tall = 1 + 0.5 * sheet.bend + 0.1 * sheet.thick
        for share, sigma, depth in ((0.35, 0.5, 0.7), (1.0, 1.5 * tall, 0.6)):
            dx, dy = reach * share / small
            move = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
            moved = cv2.warpAffine(mask, move, (mask.shape[1], mask.shape[0]))
            soft = cv2.GaussianBlur(moved, (0, 0), max(sigma * per_mm / small, 0.4))
            result = result * (1 - self.darkness * depth * soft)
        full = cv2.resize(result, (width, height), interpolation=cv2.INTER_LINEAR)
        return np.asarray(full, np.float32)[..., None]

    def _warped(self, sheet: Sheet, width_px: float, box: tuple[int, int, int, int]) -> Field:
        """The picture within a box of the photo, premultiplied."""
        x0, y0, x1, y1 = box
        picture = _shrunk(sheet.picture, width_px)
        rows, columns = picture.shape[:2]
        scale = np.diag([sheet.size[0] / columns, sheet.size[1] / rows, 1.0])
        move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
        matrix = move @ self.camera.plane @ sheet.matrix @ scale
        source = picture.astype(np.float32)
        source[..., :3] *= source[..., 3:] / 255
        if not sheet.bend:
            flat = cv2.warpPerspective(source, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
            return np.asarray(flat, np.float32)
        bow = (2 * (np.arange(rows, dtype=np.float32) + 0.5) / rows - 1) ** 2
        source[..., :3] *= (1 - 0.018 * sheet.bend * (2 * np.linspace(0, 1, rows) - 1))[
            :, None, None
        ].astype(np.float32)
        maps = self._maps(matrix, (x1 - x0, y1 - y0))
        along = self._slope(sheet) * sheet.bend / np.array([scale[0, 0], scale[1, 1]])
        lift = np.interp(maps[..., 1], np.arange(rows), bow).astype(np.float32)
        maps -= lift[..., None] * along.astype(np.float32)
        drawn = cv2.remap(source, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR)
        return np.asarray(drawn, np.float32)

    def _slope(self, sheet: Sheet) -> Floats:
        """How far a millimetre of height moves a point, in the sheet's own millimetres."""
        middle = corners_of(sheet.matrix, sheet.size).mean(0)
        moved = self.camera.on_table(middle[None], 1.0)[0] - middle
        result: Floats = sheet.matrix[:2, :2].T @ moved
        return result

    @staticmethod
    def _maps(matrix: Floats, size: tuple[int, int]) -> Any:
        """Where each pixel of a box lies in the picture."""
        width, height = size
        inverse = np.linalg.inv(matrix)
        x = np.arange(width)[None, :]
        y = np.arange(height)[:, None]
        under = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
        u = (inverse[0, 0] * x + inverse[0, 1] * y + inverse[0, 2]) / under
        v = (inverse[1, 0] * x + inverse[1, 1] * y + inverse[1, 2]) / under
        return np.dstack([u, v]).astype(np.float32)


def _shrunk(picture: Image, width_px: float) -> Image:
    """Brought near the size at which it is drawn, so that nothing flickers."""
    factor = picture.shape[1] / max(width_px, 1)
    if factor < 1.4:
        return picture
    size = (max(2, round(width_px * 1.1)), max(2, round(picture.shape[0] / factor * 1.1)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
