"""Photographs of cards on tables, composed with exact truth: which card lies where, and how much shows.

`compose(pictures, rows, condition, rng)` draws one. Everything follows from the generator of random
numbers, so a seed is a photograph.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from tests.bench.sight import optics
from tests.bench.sight.camera import Camera, corners_of, look_at, placement, project
from tests.bench.sight.items import ITEMS, Item
from tests.bench.sight.sheets import Canvas, Sheet
from tests.bench.sight.tables import table

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Rows = Sequence[Sequence[str | None]]
Span = tuple[float, float]
Point = tuple[float, float]

CARD_WIDTH = 60.0
"""Millimetres; the height follows from the picture."""


@dataclass(frozen=True, slots=True)
class Condition:
    """How a photo is taken; spans are drawn from evenly, lengths are in card widths unless said."""

    tables: tuple[str, ...] = ("wood", "felt", "cloth", "dark")
    gap: Span = (0.12, 0.35)
    """Between neighbours; negative is overlap."""
    row_gap: Span = (0.15, 0.4)
    jitter: float = 0.03
    turn: float = 4.0
    """Degrees that a card may lie askew, either way."""
    any_way: float = 0.0
    """Chance that a card lies upside down."""
    tilt: Span = (0, 10)
    roll: Span = (-4, 4)
    yaw: Span = (-3, 3)
    fill: Span = (0.84, 0.95)
    bend: Span = (0, 1.5)
    """Millimetres that the ends of a card stand up."""
    shadow: Span = (0.25, 0.55)
    shadow_length: Span = (0.4, 2.0)
    """Millimetres."""
    gradient: Span = (0.05, 0.3)
    vignette: Span = (0.05, 0.28)
    warmth: Span = (-0.08, 0.16)
    brightness: Span = (0.82, 1.06)
    patches: int = 0
    """Patches of hard light."""
    glare: int = 0
    """Reflections on cards."""
    glare_size: Span = (0.2, 0.5)
    glare_strength: Span = (0.5, 0.9)
    lens: Span = (-0.012, 0.015)
    blur: Span = (0.4, 1.0)
    """Sigma in pixels of a photo 4000 wide."""
    motion: Span = (0, 2)
    """Length in pixels of a photo 4000 wide."""
    noise: Span = (1.5, 4.5)
    sharpen: Span = (0.0, 0.6)
    quality: tuple[int, int] = (80, 94)
    ink: float = 1.0
    """How far print may differ from the drawing: tone, saturation, a cut out of true (0: not at all)."""
    long_side: int = 3000
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """The truth of one card; corners clockwise from the card's own top left, in pixels."""

    name: str
    corners: tuple[Point, Point, Point, Point]
    row: int
    column: int
    visible: float
    """Share of its area that shows, 0 to 1."""
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo (BGR) with its truth; `jpeg` is the file whose pixels `image` are."""

    image: Image
    cards: tuple[Placed, ...]
    jpeg: bytes


@dataclass(frozen=True, slots=True)
class _Lying:
    key: str
    row: int
    column: int
    size: tuple[float, float]
    matrix: Floats
    bend: float


def _draw(rng: Generator, span: Span) -> float:
    return float(rng.uniform(*span))


def compose(
    pictures: Mapping[str, Image],
    rows: Rows,
    condition: Condition,
    rng: Generator,
    numbers: Mapping[str, int] | None = None,
) -> Photo:
    """A photo of these rows; `pictures` are RGBA cut-outs by name, `None` in a row is a gap.

    A name may carry a number (`eagle=3`, with a picture of that name); the truth tells it apart.
    """
    lying = _lay(pictures, rows, condition, rng)
    outline = np.concatenate([corners_of(c.matrix, c.size) for c in lying])
    spread = np.ptp(outline, axis=0)
    long, short = condition.long_side, condition.long_side * 3 // 4
    size = (long, short) if spread[0] >= spread[1] * 1.05 else (short, long)
    angles = (_draw(rng, condition.tilt), _draw(rng, condition.yaw), _draw(rng, condition.roll))
    offset = (float(rng.uniform(-1, 1)), float(rng.uniform(-1, 1)))
    camera = look_at(outline, size, _draw(rng, condition.fill), angles, offset)
    canvas = _on_table(camera, size, condition, rng)
    press = _Press.of(rng, condition.ink)
    for index in _order(lying, rng):
        card = lying[index]
        canvas.put(
            Sheet(press.printed(pictures[card.key], rng), card.size, card.matrix, card.bend),
            index + 1,
        )
    things = [*condition.items]
    for k, (item, matrix) in enumerate(_strewn(things, lying, camera, size, rng)):
        canvas.put(Sheet(item.picture, item.size, matrix, 0.0, item.height), 250 - k)
    lens = _draw(rng, condition.lens)
    image, data = _photograph(canvas, lying, camera, lens, condition, rng)
    truth = tuple(
        _truth(card, canvas.shown(k + 1), camera, size, lens, numbers or {})
        for k, card in enumerate(lying)
    )
    return Photo(image, truth, data)


@dataclass(frozen=True, slots=True)
class _Press:
    """The printer of a deck: its tones, its saturation, how true its cards are cut."""

    tones: Floats
    saturation: float
    cut: float
    """Deviation in card widths."""

    @classmethod
    def of(cls, rng: Generator, amount: float) -> "_Press":
        gamma, lift, paper = rng.uniform((-0.12, 0, -14), (0.2, 20, 0)) * amount
        curve = lift + (255 + paper - lift) * (np.arange(256) / 255) ** (1 + gamma)
        return cls(curve, 1 + float(rng.uniform(-0.18, 0.08)) * amount, 0.006 * amount)

    def printed(self, picture: Image, rng: Generator) -> Image:
        """A picture (RGBA) as printed, BGRA."""
        height, width = picture.shape[:2]
        values = self.tones.astype(np.float32)[picture[..., 2::-1]]
        grey = values.mean(-1, keepdims=True)
        values = np.clip(grey + (values - grey) * self.saturation, 0, 255).astype(np.uint8)
        dx, dy = rng.normal(0, self.cut, 2) * width
        move = np.array([[1, 0, dx], [0, 1, dy]])
        flat = np.dstack([values, picture[..., 3]])
        moved = cv2.warpAffine(flat, move, (width, height), borderMode=cv2.BORDER_REPLICATE)
        inside = (moved[..., 3:] > 250) & (flat[..., 3:] > 0)
        return np.dstack([np.where(inside, moved[..., :3], values), picture[..., 3]])


def _lay(
    pictures: Mapping[str, Image], rows: Rows, condition: Condition, rng: Generator
) -> list[_Lying]:
    """Cards in rows on the table, as hands lay them: nearly straight, nearly even."""
    lying: list[_Lying] = []
    gap, row_gap = _draw(rng, condition.gap), _draw(rng, condition.row_gap)
    pitch = CARD_WIDTH * (1 + gap)
    first = next(name for row in rows for name in row if name)
    tall = CARD_WIDTH * pictures[first].shape[0] / pictures[first].shape[1]
    jitter = condition.jitter * CARD_WIDTH
    for r, row in enumerate(rows):
        slope = float(rng.normal(0, 0.006))
        aside = float(rng.uniform(-2, 2)) * jitter
        for c, name in enumerate(row):
            dx, dy = rng.uniform(-jitter, jitter, 2)
            turn = float(
                np.clip(rng.normal(0, condition.turn / 2), -condition.turn, condition.turn)
            )
            turn += 180.0 if rng.random() < condition.any_way else 0.0
            bend = _draw(rng, condition.bend)
            if name is None:
                continue
            picture = pictures[name]
            size = (CARD_WIDTH, CARD_WIDTH * picture.shape[0] / picture.shape[1])
            x = c * pitch + dx + aside
            y = r * (tall + row_gap * CARD_WIDTH) + 1.5 * dy + slope * c * pitch
            lying.append(_Lying(name, r + 1, c + 1, size, placement((x, y), size, turn), bend))
    return lying


def _order(lying: list[_Lying], rng: Generator) -> list[int]:
    """Which card is laid when: along the row from one side, so that each covers its neighbour's side."""
    order = list(range(len(lying)))
    return order[::-1] if rng.random() < 0.5 else order


def _on_table(
    camera: Camera, size: tuple[int, int], condition: Condition, rng: Generator
) -> Canvas:
    """The bare table as the camera sees it."""
    width, height = size
    edge = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    margin = (edge - edge.mean(0)) * 1.06 + edge.mean(0)
    seen = project(camera.back(), margin)
    low, spread = seen.min(0), np.ptp(seen, axis=0)
    scale = min(0.75 * max(size) / max(spread), 3400 / max(spread))
    kind = condition.tables[int(rng.integers(len(condition.tables)))]
    pixels = (int(spread[0] * scale) + 1, int(spread[1] * scale) + 1)
    top = table(kind, rng, pixels, 1 / scale)
    matrix = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    image = cv2.warpPerspective(
        top, camera.plane @ matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    towards = rng.uniform(0, 2 * np.pi)
    length = _draw(rng, condition.shadow_length)
    return Canvas(
        np.asarray(image, np.uint8),
        camera,
        _draw(rng, condition.shadow),
        (float(np.cos(towards) * length), float(np.sin(towards) * length)),
    )


def _strewn(
    names: list[str], lying: list[_Lying], camera: Camera, size: tuple[int, int], rng: Generator
) -> list[tuple[Item, Floats]]:
    """Items at free places; a hand reaches over the lower corner of a card."""
    width, height = size
    inverse = camera.back()
    taken = [corners_of(c.matrix, c.size) for c in lying]
    result: list[tuple[Item, Floats]] = []
    for name in names:
        item: Item = ITEMS[name](rng)
        if name == "hand":
            lowest = max(c.row for c in lying)
            under = [k for k, c in enumerate(lying) if c.row == lowest]
            corner = taken[under[int(rng.integers(len(under)))]]
            x, y = corner[np.argmax(corner[:, 1] + rng.uniform(-9, 9, 4))]
            y += item.size[1] / 2 - 20 - float(rng.uniform(2, 26))
            at = (float(x) + float(rng.uniform(-30, 30)), float(y))
            result.append((item, placement(at, item.size, float(rng.uniform(-4, 4)))))
            continue
        for _ in range(60):
            spot = rng.uniform(0.02, 0.98, 2) * (width, height)
            x, y = project(inverse, spot[None])[0]
            matrix = placement((float(x), float(y)), item.size, float(rng.uniform(0, 360)))
            corners = corners_of(matrix, item.size)
            if not any(_meet(corners, other) for other in taken):
                taken.append(corners)
                result.append((item, matrix))
                break
    return result


def _meet(one: Floats, other: Floats) -> bool:
    area, _ = cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))
    return area > 0


def _photograph(
    canvas: Canvas,
    lying: list[_Lying],
    camera: Camera,
    lens: float,
    condition: Condition,
    rng: Generator,
) -> tuple[Image, bytes]:
    """Light, lens and sensor."""
    height, width = canvas.image.shape[:2]
    size, scale = (width, height), max(width, height) / 4000
    lit = optics.light(
        rng,
        size,
        _draw(rng, condition.gradient),
        _draw(rng, condition.vignette),
        _draw(rng, condition.warmth),
        condition.patches,
        _draw(rng, condition.brightness),
    )
    shine = None
    if condition.glare:
        spots = []
        for _ in range(condition.glare):
            quad = camera.pixels(_corners(lying[int(rng.integers(len(lying)))]))
            across, down = rng.uniform(0.1, 0.9, 2)
            at = quad[0] + across * (quad[1] - quad[0]) + down * (quad[3] - quad[0])
            radius = np.hypot(*(quad[1] - quad[0])) * _draw(rng, condition.glare_size)
            spots.append((float(at[0]), float(at[1]), float(radius)))
        shine = optics.glare(rng, size, spots, _draw(rng, condition.glare_strength))
    optics.expose(canvas.image, lit, shine, canvas.labels)
    image = optics.bent(canvas.image, lens)
    blur = max(_draw(rng, condition.blur) * scale, 0.35)
    image = optics.blurred(rng, image, blur, _draw(rng, condition.motion) * scale)
    image = optics.sensor(rng, image, _draw(rng, condition.noise), _draw(rng, condition.sharpen))
    data = optics.jpeg(image, int(rng.integers(condition.quality[0], condition.quality[1] + 1)))
    return optics.opened(data), data


def _corners(card: _Lying) -> Floats:
    return corners_of(card.matrix, card.size)


def _truth(
    card: _Lying,
    shown: int,
    camera: Camera,
    size: tuple[int, int],
    lens: float,
    numbers: Mapping[str, int],
) -> Placed:
    quad = camera.pixels(_corners(card), card.bend)
    area = float(cv2.contourArea(quad.astype(np.float32)))
    quad = optics.bend_points(quad, size, lens)
    name, _, printed = card.key.partition("=")
    number = int(printed) if printed else numbers.get(name)
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    visible = min(1.0, shown / max(area * 0.985, 1.0))
    return Placed(name, (a, b, c, d), card.row, card.column, round(visible, 3), number)
