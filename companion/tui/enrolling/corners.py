"""Moving the corners of a card's outline; a place is in pixels of the photo."""

from math import hypot

from companion.vision.sighting import Point, Region

NAMES = ("top left", "top right", "bottom right", "bottom left")
"""Of the card, not of the photo: a card may lie upside down."""
WHOLE = 4
"""Stands for the whole outline where one of its corners could be held."""
STEP, FINE, COARSE = 0.01, 0.002, 0.05
"""What an arrow moves, as a share of the card's longer side."""
_NEAR = 0.2
"""How near to a corner the pointer takes hold of it, as a share of the card's shorter side."""


def sides(region: Region) -> tuple[float, float]:
    """Mean length of top and bottom, and of left and right, pixels."""
    a, b, c, d = region
    across = (_apart(a, b) + _apart(c, d)) / 2
    return across, (_apart(b, c) + _apart(d, a)) / 2


def _apart(a: Point, b: Point) -> float:
    return hypot(a[0] - b[0], a[1] - b[1])


def moved(region: Region, held: int, dx: float, dy: float) -> Region:
    """The outline with one corner, or the whole of it, moved by so many pixels."""
    points = [(x + dx, y + dy) if held in (i, WHOLE) else (x, y) for i, (x, y) in enumerate(region)]
    return _region(points)


def scaled(region: Region, factor: float) -> Region:
    """The outline grown or shrunk about its middle."""
    x, y = centre(region)
    return _region([(x + (px - x) * factor, y + (py - y) * factor) for px, py in region])


def turned_round(region: Region) -> Region:
    """The corners named so that the crop is turned by a quarter, or by two where it would lie."""
    across, down = sides(region)
    quarter = 1 if across > down else 2
    return _region([region[(i + quarter) % 4] for i in range(4)])


def centre(region: Region) -> Point:
    """Mean of the corners."""
    xs, ys = zip(*region, strict=True)
    return sum(xs) / 4, sum(ys) / 4


def held_at(region: Region, place: Point) -> int | None:
    """What the pointer takes hold of there: a corner, the whole outline, or nothing."""
    nearest = min(range(4), key=lambda i: _apart(region[i], place))
    if _apart(region[nearest], place) <= _NEAR * min(sides(region)):
        return nearest
    return WHOLE if holds(region, place) else None


def holds(region: Region, place: Point) -> bool:
    """Whether a place lies in the outline."""
    x, y = place
    inside = False
    for (ax, ay), (bx, by) in zip(region, (*region[1:], region[0]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            inside = not inside
    return inside


def in_the_middle(width: int, height: int, shape: float) -> Region:
    """An upright outline of that height over width in the middle of a photo, to be moved onto a card."""
    tall = min(0.5 * height, 0.5 * width * shape)
    x, y, half, rise = width / 2, height / 2, tall / shape / 2, tall / 2
    return ((x - half, y - rise), (x + half, y - rise), (x + half, y + rise), (x - half, y + rise))


def _region(points: list[Point]) -> Region:
    a, b, c, d = points
    return a, b, c, d
