"""How an outline lies on the card's own edge: how much it stands out, and moved onto it exactly."""

import cv2
import numpy as np

from companion.vision.geometry import Floats, Image, Quad, as_image, crossing, is_convex, sides

_ALONG = 48
"""Places along a side where the edge is looked for."""


def snapped(image: Image, quad: Quad, reach: float = 0.035) -> Quad:
    """The quad with each side on the outermost strong edge within a share of the card's width.

    A side where no edge is found stays; the quad comes back unchanged where the result is no card.
    """
    limit = max(3.0, reach * float(sides(quad)[[0, 2]].mean()))
    offsets = np.linspace(-limit, limit, 2 * int(np.ceil(limit)) * 2 + 1).astype(np.float32)
    lab = as_image(cv2.cvtColor(image, cv2.COLOR_BGR2LAB))
    lines = [_side(lab, quad[i], quad[(i + 1) % 4], offsets) for i in range(4)]
    corners = []
    for i in range(4):
        corner = crossing(lines[i - 1], lines[i])
        if corner is None:
            return quad
        corners.append(corner)
    moved = np.array(corners, np.float32)
    if not is_convex(moved) or np.abs(moved - quad).max() > 3 * limit:
        return quad
    return moved


def _side(lab: Image, start: Floats, end: Floats, offsets: Floats) -> tuple[Floats, Floats]:
    """A point and the direction of the edge near one side."""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
    outward = np.array([along[1], -along[0]], np.float32)
    places = start + (end - start) * np.linspace(0.1, 0.9, _ALONG, dtype=np.float32)[:, None]
    grid = places[:, None] + outward * offsets[None, :, None]
    x, y = np.ascontiguousarray(grid[..., 0]), np.ascontiguousarray(grid[..., 1])
    profile = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    smooth = cv2.GaussianBlur(profile.astype(np.float32), (5, 1), 1.0)
    step = np.linalg.norm(smooth[:, 2:] - smooth[:, :-2], axis=2)
    strongest = step.max(axis=1)
    strong = step >= 0.8 * strongest[:, None]
    outermost = step.shape[1] - 1 - strong[:, ::-1].argmax(axis=1)
    rows = np.arange(len(step))
    peak = np.array([_climb(step[i], int(outermost[i])) for i in rows])
    good = strongest > 14
    if good.sum() < _ALONG // 3:
        return start.astype(np.float32), along
    points = places[good] + outward * offsets[peak[good] + 1][:, None]
    vx, vy, px, py = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
    return np.array([px, py], np.float32), np.array([vx, vy], np.float32)


def _climb(step: Floats, at: int) -> int:
    """The top of the slope that begins there, inwards."""
    while at > 0 and step[at - 1] >= step[at]:
        at -= 1
    return at


def softened(image: Image) -> Image:
    """The grey picture, a little blurred, in which `contrast` is measured."""
    return as_image(cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 1.0))


def contrast(grey: Image, quad: Quad, reach: float = 4.0) -> float:
    """Grey levels between inside and outside along a quad's weakest side, and a part of the mean."""
    steps = []
    for i in range(4):
        start, end = quad[i], quad[(i + 1) % 4]
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-6)
        across = np.array([along[1], -along[0]], np.float32) * reach
        line = start + (end - start) * np.linspace(0.15, 0.85, 24, dtype=np.float32)[:, None]
        outer, inner = _sampled(grey, line + across), _sampled(grey, line - across)
        steps.append(float(np.median(np.abs(outer - inner))))
    return min(steps) + 0.3 * float(np.mean(steps))


def _sampled(grey: Image, points: Floats) -> Floats:
    x = np.ascontiguousarray(points[:, 0], np.float32).reshape(1, -1)
    y = np.ascontiguousarray(points[:, 1], np.float32).reshape(1, -1)
    values = cv2.remap(grey, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return values.reshape(-1).astype(np.float32)
