"""A pinhole camera over a table: millimetres on the table to pixels, and what height does to a point."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """Table coordinates: x to the right, y down the photo, z up towards the camera, millimetres."""

    plane: Floats
    """Homography of the table (z = 0) to pixels."""
    eye: tuple[float, float, float]

    def back(self) -> Floats:
        """From pixels to the table."""
        return np.asarray(np.linalg.inv(self.plane), np.float64)

    def on_table(self, points: Floats, height: Floats | float = 0.0) -> Floats:
        """Where the line of sight through points that lie so high meets the table."""
        eye = np.array(self.eye[:2])
        up = np.asarray(height, dtype=np.float64).reshape(-1, 1)
        shifted: Floats = points + up * (points - eye) / (self.eye[2] - up)
        return shifted

    def pixels(self, points: Floats, height: Floats | float = 0.0) -> Floats:
        """Pixels of points on the table, or above it."""
        return project(self.plane, self.on_table(points, height))


def project(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 2) through a homography."""
    ones = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    result: Floats = ones[:, :2] / ones[:, 2:]
    return result


def _turn(tilt: float, yaw: float, roll: float) -> Floats:
    ct, st = math.cos(-tilt), math.sin(-tilt)
    cy, sy = math.cos(yaw), math.sin(yaw)
    cr, sr = math.cos(roll), math.sin(roll)
    about_x = np.array([[1, 0, 0], [0, ct, -st], [0, st, ct]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cr, -sr, 0], [sr, cr, 0], [0, 0, 1]])
    turned: Floats = about_z @ about_x @ about_y
    return turned


def look_at(
    corners: Floats,
    size: tuple[int, int],
    fill: float,
    angles: tuple[float, float, float],
    offset: tuple[float, float] = (0.0, 0.0),
    focal: float = 0.8,
) -> Camera:
    """The camera that sees these table points fill so much of a photo (width, height).

    `angles` are tilt (the far side is at the top), yaw and roll in degrees; `focal` is in long sides.
    """
    width, height = size
    length = focal * max(size)
    turn = _turn(*(math.radians(a) for a in angles))
    middle = (corners.min(0) + corners.max(0)) / 2

    def plane(distance: float, cx: float, cy: float) -> Floats:
        lens = np.array([[length, 0, cx], [0, length, cy], [0, 0, 1.0]])
        moved = np.column_stack([turn[:, :2], turn[:, :2] @ -middle + (0, 0, distance)])
        result: Floats = lens @ moved
        return result

    near, far = float(np.ptp(corners, axis=0).max()) * 0.3, 1e5
    for _ in range(60):
        distance = math.sqrt(near * far)
        seen = project(plane(distance, 0, 0), corners)
        wide, high = np.ptp(seen, axis=0)
        behind = (np.column_stack([corners - middle]) @ turn[2, :2] + distance).min() <= 0
        if behind or max(wide / width, high / height) > fill:
            near = distance
        else:
            far = distance
    seen = project(plane(far, 0, 0), corners)
    centre = (seen.min(0) + seen.max(0)) / 2
    spare = np.array(size) - np.ptp(seen, axis=0)
    shift = np.array(size) / 2 - centre + spare / 2 * np.array(offset) * 0.8
    eye = -turn.T @ np.array([0, 0, far])
    return Camera(
        plane(far, float(shift[0]), float(shift[1])),
        (float(eye[0] + middle[0]), float(eye[1] + middle[1]), float(-eye[2])),
    )


def placement(centre: tuple[float, float], size: tuple[float, float], angle: float) -> Floats:
    """Matrix of a sheet's own millimetres (from its top left) to the table."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    w, h = size
    x, y = centre
    return np.array(
        [
            [c, -s, x - c * w / 2 + s * h / 2],
            [s, c, y - s * w / 2 - c * h / 2],
            [0, 0, 1.0],
        ]
    )


def corners_of(matrix: Floats, size: tuple[float, float]) -> Floats:
    """The four corners of a sheet on the table, clockwise from its own top left."""
    w, h = size
    return project(matrix, np.array([[0, 0], [w, 0], [w, h], [0, h]], dtype=np.float64))


Image = NDArray[np.uint8]
AnyArray = NDArray[Any]
