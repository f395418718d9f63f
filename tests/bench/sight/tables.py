"""Table tops made by code: wood, felt, cloth, white, patterned cloths, dark wood, granite."""

from collections.abc import Callable
from typing import Any, cast

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Field = NDArray[np.float32]
Image = NDArray[np.uint8]
Colour = tuple[int, int, int]


def noise(
    rng: Generator, size: tuple[int, int], cell: tuple[float, float], octaves: int = 4
) -> Field:
    """Smooth noise, mean 0 and deviation 1; `size` is (width, height), `cell` the largest wave in pixels."""
    width, height = size
    total = np.zeros((height, width), np.float32)
    weight = 1.0
    cx, cy = cell
    for _ in range(octaves):
        small = (max(2, int(width / max(cx, 1)) + 2), max(2, int(height / max(cy, 1)) + 2))
        if small[0] >= width and small[1] >= height:
            break
        small = (min(small[0], width), min(small[1], height))
        grid = rng.standard_normal((small[1], small[0]), np.float32)
        total += weight * np.asarray(
            cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC), np.float32
        )
        weight *= 0.55
        cx, cy = cx / 2, cy / 2
    spread = float(total.std()) or 1.0
    return cast(Field, (total - total.mean()) / spread)


def blend(field: Field, colours: list[Colour]) -> Field:
    """Colours (BGR) along a field from 0 to 1."""
    steps = np.linspace(0, 255, len(colours))
    table = np.stack(
        [np.interp(np.arange(256), steps, [c[k] for c in colours]) for k in range(3)], 1
    ).astype(np.float32)
    index = np.clip(field * 255, 0, 255).astype(np.uint8)
    return table[index]


def _finish(rng: Generator, image: Field, grain: float) -> Image:
    h, w = image.shape[:2]
    fine = rng.standard_normal((h, w), np.float32) * grain
    return cast(Image, np.clip(image + fine[..., None], 0, 255).astype(np.uint8))


def _grid(size: tuple[int, int], mm: float) -> tuple[Field, Field]:
    """Millimetres along x and y, to be broadcast."""
    x = (np.arange(size[0], dtype=np.float32) * mm)[None, :]
    y = (np.arange(size[1], dtype=np.float32) * mm)[:, None]
    return x, y


_WOODS: list[list[Colour]] = [
    [(92, 140, 188), (120, 172, 214), (146, 194, 228)],
    [(40, 74, 118), (58, 98, 146), (84, 128, 176)],
    [(62, 104, 160), (86, 132, 186), (112, 158, 206)],
    [(110, 142, 166), (142, 172, 194), (168, 196, 214)],
]


def _wood(rng: Generator, size: tuple[int, int], mm: float, palette: list[Colour]) -> Image:
    flip = bool(rng.random() < 0.3)
    w, h = size[::-1] if flip else size
    _, y = _grid((w, h), mm)
    plank = float(rng.uniform(70, 160))
    bend = noise(rng, (w, h), (400 / mm, 60 / mm), 3)
    rings = np.sin((y + bend * rng.uniform(4, 10)) * 2 * np.pi / rng.uniform(9, 22)).astype(
        np.float32
    )
    fibres = noise(rng, (w, h), (90 / mm, 1.6 / mm), 2)
    pores = noise(rng, (w, h), (14 / mm, 0.7 / mm), 1)
    tone = 0.5 + 0.13 * rings + 0.1 * fibres + 0.06 * noise(rng, (w, h), (300 / mm, 80 / mm), 2)
    tone -= 0.18 * np.clip(pores - 1.3, 0, 1)
    if rng.random() < 0.6:
        board = np.floor(y / plank).astype(int)
        shades = rng.normal(0, 0.12, int(board.max()) + 1).astype(np.float32)
        tone += shades[board]
        edge = np.abs(y / plank - np.round(y / plank)) * plank
        tone -= (0.55 * np.exp(-((edge / 0.9) ** 2))).astype(np.float32)
    image = _finish(rng, blend(tone, palette), 2.5)
    return cast(Image, np.ascontiguousarray(image.transpose(1, 0, 2)) if flip else image)


def wood(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """Light to middling brown boards with grain."""
    return _wood(rng, size, mm, _WOODS[int(rng.integers(len(_WOODS)))])


def dark(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """Dark wood or a black lacquered top."""
    if rng.random() < 0.5:
        return _wood(rng, size, mm, [(14, 20, 34), (24, 34, 58), (40, 54, 86)])
    tone = 0.5 + 0.1 * noise(rng, size, (200 / mm, 200 / mm), 3)
    return _finish(rng, blend(tone, [(18, 18, 20), (30, 30, 34), (44, 44, 46)]), 3)


def felt(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A green, blue or red gaming cloth: mottled, with fibres."""
    base = [(78, 106, 22), (52, 92, 30), (110, 74, 34), (46, 36, 116)][int(rng.integers(4))]
    tone = 1 + 0.06 * noise(rng, size, (160 / mm, 160 / mm), 3)
    tone += 0.055 * noise(rng, size, (3 / mm, 0.8 / mm), 1)
    tone += 0.055 * noise(rng, size, (0.8 / mm, 3 / mm), 1)
    return _finish(rng, tone[..., None] * np.array(base, np.float32), 5)


def _weave(rng: Generator, size: tuple[int, int], mm: float, depth: float) -> Field:
    """Brightness of threads that go over and under."""
    x, y = _grid(size, mm)
    pitch = max(float(rng.uniform(0.8, 1.5)), 2.5 * mm)
    wobble = noise(rng, size, (30 / mm, 30 / mm), 2) * 0.15
    warp = np.sin(2 * np.pi * x / pitch + wobble)
    weft = np.sin(2 * np.pi * y / pitch - wobble)
    threads = noise(rng, size, (60 / mm, 0.8 / mm), 1) + noise(rng, size, (0.8 / mm, 60 / mm), 1)
    return cast(Field, (1 + depth * (0.6 * warp * weft + 0.35 * threads)).astype(np.float32))


def cloth(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A plain cloth whose weave can be seen, with a few soft folds."""
    base = [(120, 82, 40), (84, 104, 44), (148, 160, 168), (60, 58, 122)][int(rng.integers(4))]
    tone = _weave(rng, size, mm, 0.09) * (1 + 0.05 * _folds(rng, size, mm))
    return _finish(rng, tone[..., None] * np.array(base, np.float32), 3)


def _folds(rng: Generator, size: tuple[int, int], mm: float) -> Field:
    long = noise(rng, size, (420 / mm, 90 / mm), 2)
    return long + 0.6 * noise(rng, size, (110 / mm, 380 / mm), 2)


def white(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A white laminate table."""
    base = np.array([232, 234, 236], np.float32) - rng.uniform(0, 14)
    tone = 1 + 0.008 * noise(rng, size, (250 / mm, 250 / mm), 3)
    tone -= 0.02 * np.clip(noise(rng, size, (1.5 / mm, 1.5 / mm), 1) - 2.4, 0, 1)
    return _finish(rng, tone[..., None] * base, 1.5)


def checks(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """Gingham: bands of a colour both ways."""
    x, y = _grid(size, mm)
    pitch = float(rng.uniform(28, 60))
    sway = noise(rng, size, (300 / mm, 300 / mm), 2) * 2
    bands = (np.mod(x + sway, pitch) < pitch / 2).astype(np.float32) + (
        np.mod(y + sway, pitch) < pitch / 2
    )
    colour = [(52, 44, 186), (150, 82, 38), (74, 128, 52)][int(rng.integers(3))]
    image = blend(bands / 2, [(232, 236, 238), colour])
    shade = _weave(rng, size, mm, 0.06) * (1 + 0.05 * _folds(rng, size, mm))
    return _finish(rng, image * shade[..., None], 3)


def stripes(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A cloth with stripes of several widths."""
    x, y = _grid(size, mm)
    along = x if rng.random() < 0.5 else y
    palette = np.array(
        [
            [206, 214, 220],
            [86, 98, 40],
            [186, 198, 204],
            [58, 82, 178],
            [204, 212, 216],
            [120, 90, 52],
        ],
        np.float32,
    )
    edges = np.cumsum(rng.uniform(6, 34, len(palette)))
    phase = np.mod(along + noise(rng, size, (300 / mm, 300 / mm), 2) * 1.5, edges[-1])
    index = np.searchsorted(edges, np.minimum(phase, edges[-1] - 1e-3), side="right")
    shade = _weave(rng, size, mm, 0.07) * (1 + 0.05 * _folds(rng, size, mm))
    return _finish(rng, palette[index] * shade[..., None], 3)


def flowers(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A printed cloth: flowers and leaves strewn over a plain ground."""
    ground = [(206, 222, 230), (140, 100, 62), (196, 204, 176)][int(rng.integers(3))]
    w, h = size
    image = np.full((h, w, 3), ground, np.uint8)
    pitch = float(rng.uniform(34, 56)) / mm
    petals = [(80, 60, 200), (186, 110, 200), (60, 170, 230), (220, 220, 240), (190, 120, 60)]
    for gy in np.arange(-pitch, h + pitch, pitch):
        for gx in np.arange(-pitch, w + pitch, pitch):
            cx, cy = (gx, gy) + rng.uniform(-0.35, 0.35, 2) * pitch
            _flower(rng, image, (cx, cy), pitch * rng.uniform(0.16, 0.34), petals)
    shade = _weave(rng, size, mm, 0.05) * (1 + 0.04 * _folds(rng, size, mm))
    return _finish(rng, image.astype(np.float32) * shade[..., None], 3)


def _flower(
    rng: Generator, image: Image, at: tuple[float, float], radius: float, petals: list[Colour]
) -> None:
    colour = petals[int(rng.integers(len(petals)))]
    turn = rng.uniform(0, 360)
    count = int(rng.integers(5, 8))
    for k in range(2):
        _petal(image, at, radius * 1.7, turn + 40 + 160 * k, (58, 120, 66), 0.22)
    for k in range(count):
        _petal(image, at, radius, turn + 360 * k / count, colour, 0.34)
    centre = (int(at[0] * 16), int(at[1] * 16))
    cv2.circle(image, centre, int(radius * 0.28 * 16), (40, 180, 230), -1, cv2.LINE_AA, 4)


def _petal(
    image: Image, at: tuple[float, float], length: float, angle: float, colour: Colour, wide: float
) -> None:
    reach = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * length * 0.55
    centre = (int((at[0] + reach[0]) * 16), int((at[1] + reach[1]) * 16))
    axes = (int(length * 0.55 * 16), max(1, int(length * wide * 16)))
    cv2.ellipse(image, centre, axes, angle, 0, 360, colour, -1, cv2.LINE_AA, 4)


def granite(rng: Generator, size: tuple[int, int], mm: float) -> Image:
    """A speckled worktop."""
    base = [[(96, 100, 104), (150, 154, 158)], [(52, 54, 58), (96, 100, 106)]][int(rng.integers(2))]
    image = blend(0.5 + 0.2 * noise(rng, size, (24 / mm, 24 / mm), 3), base)
    for cell, level, colour in (
        (3.0, 1.1, (40, 40, 42)),
        (2.2, 1.3, (196, 202, 206)),
        (1.4, 1.5, (24, 24, 26)),
        (1.6, 1.7, (110, 130, 170)),
    ):
        spots = np.clip((noise(rng, size, (cell / mm, cell / mm), 1) - level) * 4, 0, 1)[..., None]
        image = image * (1 - 0.8 * spots) + np.array(colour, np.float32) * 0.8 * spots
    return _finish(rng, image, 4)


TABLES: dict[str, Callable[[Generator, tuple[int, int], float], Image]] = {
    "wood": wood,
    "felt": felt,
    "cloth": cloth,
    "white": white,
    "dark": dark,
    "checks": checks,
    "stripes": stripes,
    "flowers": flowers,
    "granite": granite,
}


def table(kind: str, rng: Generator, size: tuple[int, int], mm: float) -> NDArray[Any]:
    """A table top of (width, height) pixels, each `mm` wide."""
    return TABLES[kind](rng, size, mm)
