"""Pictures on which no card of the deck lies: what a reader must stay silent about."""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from tests.bench.sight.compose import Condition, compose
from tests.bench.sight.decks import SECOND, deck_pictures
from tests.bench.sight.tables import TABLES, noise

Image = NDArray[np.uint8]
COUNT = 60
_TEXT = """
the river runs low and the canoe is heavy so we carry it over stones until evening
order total 24.90 minutes settings account battery meeting invoice chapter figure one
"""
_WORDS = _TEXT.split()


def no_card_photo(seed: int, other: str = SECOND) -> Image:
    """A picture (BGR) without a card; seeds 0 to 59 give ten kinds, six of each.

    `other` is the deck of which faces may lie there, because it is not the one that is read.
    """
    rng = np.random.default_rng([seed, 7])
    return _KINDS[seed % len(_KINDS)](rng, other)


def kind_of(seed: int) -> str:
    """What the picture of a seed shows, in a word."""
    return _KINDS[seed % len(_KINDS)].__name__.strip("_")


def _plain(**changes: object) -> Condition:
    return Condition(**{"long_side": 2000, **changes})  # type: ignore[arg-type]


def _laid(pictures: dict[str, Image], rng: Generator, condition: Condition) -> Image:
    names = list(pictures)
    half = (len(names) + 1) // 2
    return compose(
        pictures, [names[:half], names[half:]][: 1 + (len(names) > 3)], condition, rng
    ).image


def _empty_table(rng: Generator, _: str) -> Image:
    """A bare table, with or without things: a card of one pixel's transparency frames it."""
    ghost = {"none": np.zeros((90, 60, 4), np.uint8)}
    items = ("pencil", "coin", "mug", "hand") if rng.random() < 0.5 else ()
    kind = list(TABLES)[int(rng.integers(len(TABLES)))]
    condition = _plain(tables=(kind,), items=items, fill=(0.4, 0.5), shadow=(0, 0), tilt=(0, 25))
    return compose(ghost, [["none"] * 5], condition, rng).image


def _lines(
    rng: Generator, draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int], size: int
) -> None:
    x0, y0, x1, y1 = box
    font = ImageFont.load_default(size)
    y = y0
    while y + size < y1:
        line = ""
        while draw.textlength(line, font=font) < x1 - x0 - size * 4:
            line += " " + _WORDS[int(rng.integers(len(_WORDS)))]
        if rng.random() < 0.12:
            line = line[: len(line) // 2]
        draw.text((x0, y), line.strip(), fill=(30, 30, 34), font=font)
        y += int(size * 1.5)


def _bgr(picture: Pillow.Image) -> Image:
    return np.ascontiguousarray(np.asarray(picture.convert("RGB"))[..., ::-1])


def _page(rng: Generator, _: str) -> Image:
    """A page of text on a table, or filling the photo."""
    page = Pillow.new("RGB", (1100, 1500), (248, 246, 240))
    draw = ImageDraw.Draw(page)
    _lines(rng, draw, (90, 110, 1020, 1420), int(rng.integers(22, 40)))
    if rng.random() < 0.5:
        draw.rectangle((90, 600, 1010, 1000), fill=(210, 220, 226), outline=(60, 60, 60), width=3)
    if rng.random() < 0.4:
        return _bgr(page)
    return _laid({"page": _opaque(page)}, rng, _plain(fill=(0.6, 0.9)))


def _opaque(picture: Pillow.Image) -> Image:
    return np.asarray(picture.convert("RGBA"), np.uint8).copy()


def _screen(rng: Generator, _: str) -> Image:
    """A picture of a program: bars, buttons, a grid of tiles."""
    dark = bool(rng.random() < 0.5)
    ground, ink = ((30, 32, 38), (220, 222, 228)) if dark else ((244, 245, 247), (40, 42, 48))
    picture = Pillow.new("RGB", (1080, 1920), ground)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 0, 1080, 130), fill=tuple(int(v) for v in rng.integers(20, 200, 3)))
    draw.text(
        (60, 60), "Messages", fill=(255, 255, 255), font=ImageFont.load_default(52), anchor="lm"
    )
    columns = int(rng.integers(2, 5))
    wide = (1080 - 40) // columns
    for k in range(columns * 4):
        x, y = 30 + (k % columns) * wide, 180 + (k // columns) * int(wide * 1.4)
        colour = tuple(int(v) for v in rng.integers(40, 230, 3))
        draw.rounded_rectangle((x, y, x + wide - 24, y + int(wide * 1.3)), 18, fill=colour)
        word = _WORDS[int(rng.integers(len(_WORDS)))]
        draw.text((x + 20, y + 30), word, fill=ink, font=ImageFont.load_default(30))
    return _bgr(picture)


def _business_cards(rng: Generator, _: str) -> Image:
    """White cards with a name and lines, as large as playing cards."""
    pictures: dict[str, Image] = {}
    for k in range(int(rng.integers(2, 7))):
        card = Pillow.new("RGB", (600, 900), tuple(int(v) for v in rng.integers(225, 255, 3)))
        draw = ImageDraw.Draw(card)
        tone = tuple(int(v) for v in rng.integers(20, 200, 3))
        draw.rectangle((50, 60, 160, 170), fill=tone)
        _lines(rng, draw, (50, 260, 560, 260 + 60 * int(rng.integers(2, 9))), 34)
        if rng.random() < 0.5:
            draw.line((50, 800, 550, 800), fill=tone, width=6)
        pictures[f"b{k}"] = _opaque(card)
    return _laid(pictures, rng, _plain())


def _swatches(rng: Generator, _: str) -> Image:
    """Plain coloured rectangles of a card's shape, with round corners."""
    pictures: dict[str, Image] = {}
    for k in range(int(rng.integers(3, 9))):
        card = Pillow.new("RGBA", (600, 900), (0, 0, 0, 0))
        draw = ImageDraw.Draw(card)
        draw.rounded_rectangle((0, 0, 599, 899), 30, fill=(*rng.integers(30, 240, 3).tolist(), 255))
        if rng.random() < 0.5:
            inner = (*rng.integers(30, 240, 3).tolist(), 255)
            draw.rounded_rectangle((60, 60, 539, 839), 20, fill=inner)
        pictures[f"s{k}"] = np.asarray(card, np.uint8).copy()
    return _laid(pictures, rng, _plain())


def _backs(rng: Generator, _: str) -> Image:
    """Cards face down: a lattice in a white border."""
    colour = tuple(int(v) for v in rng.integers(20, 170, 3))
    card = Pillow.new("RGBA", (600, 900), (0, 0, 0, 0))
    draw = ImageDraw.Draw(card)
    draw.rounded_rectangle((0, 0, 599, 899), 32, fill=(248, 246, 240, 255))
    lattice = Pillow.new("RGBA", (510, 810), (*colour, 255))
    ink = ImageDraw.Draw(lattice)
    step = int(rng.integers(28, 70))
    for at in range(-810, 1320, step):
        ink.line((at, 0, at + 810, 810), fill=(248, 246, 240, 255), width=6)
        ink.line((at, 810, at + 810, 0), fill=(248, 246, 240, 255), width=6)
    if rng.random() < 0.6:
        ink.ellipse(
            (135, 285, 375, 525), fill=(248, 246, 240, 255), outline=(*colour, 255), width=10
        )
    card.paste(lattice, (45, 45))
    back = np.asarray(card, np.uint8).copy()
    return _laid({f"k{k}": back for k in range(int(rng.integers(2, 9)))}, rng, _plain(any_way=0.5))


def _other_deck(rng: Generator, other: str) -> Image:
    """Faces of a deck that is not the one that is read."""
    pictures = deck_pictures(other, 700)
    names = [
        sorted(pictures)[int(k)] for k in rng.choice(len(pictures), int(rng.integers(3, 9)), False)
    ]
    return _laid({name: pictures[name] for name in names}, rng, _plain())


def _leaves(rng: Generator, _: str) -> Image:
    """Leaves on the ground: many shapes, no rectangle."""
    size = (1600, 1200)
    ground = 90 + 22 * noise(rng, size, (40, 40), 4)
    image = np.clip(ground[..., None] * np.array([0.5, 0.75, 0.9]), 0, 255).astype(np.uint8)
    for _leaf in range(260):
        at = tuple(int(v) for v in rng.uniform(0, 1, 2) * size)
        axes = (int(rng.integers(30, 120)), int(rng.integers(12, 50)))
        turn = float(rng.uniform(0, 360))
        colour = [int(v) for v in rng.uniform((10, 60, 40), (60, 170, 200))]
        cv2.ellipse(image, at, axes, turn, 0, 360, colour, -1, cv2.LINE_AA)
        reach = np.array([np.cos(np.radians(turn)), np.sin(np.radians(turn))]) * axes[0]
        ends = [tuple(int(v) for v in np.array(at) + k * reach) for k in (-1, 1)]
        cv2.line(image, ends[0], ends[1], [c // 2 for c in colour], 2, cv2.LINE_AA)
    return _grainy(rng, image)


def _noise(rng: Generator, _: str) -> Image:
    """Nothing but noise: fine, coarse, or a dark photo."""
    size = (1600, 1200)
    cell = float(rng.choice([2, 8, 40, 200]))
    planes = [noise(rng, size, (cell, cell), 3) for _plane in range(3)]
    level = float(rng.uniform(10, 160))
    image = level + level * 0.4 * np.dstack(planes)
    return _grainy(rng, np.clip(image, 0, 255).astype(np.uint8))


def _tiles(rng: Generator, _: str) -> Image:
    """Tiles on a wall or floor: a grid of rectangles that are not cards."""
    size = (1600, 1200)
    wide, tall = int(rng.integers(110, 260)), int(rng.integers(110, 320))
    image = np.full((1200, 1600, 3), 190, np.uint8)
    base = rng.uniform(60, 220, 3)
    for y in range(0, size[1], tall):
        for x in range(0, size[0], wide):
            colour = np.clip(base + rng.normal(0, 9, 3), 0, 255)
            cv2.rectangle(image, (x + 5, y + 5), (x + wide - 5, y + tall - 5), colour.tolist(), -1)
    tone = 1 + 0.05 * noise(rng, size, (120, 120), 4)
    return _grainy(rng, np.clip(image * tone[..., None], 0, 255).astype(np.uint8))


def _grainy(rng: Generator, image: Image) -> Image:
    grain = rng.normal(0, 4, image.shape[:2])[..., None]
    return np.clip(image + grain, 0, 255).astype(np.uint8)


_KINDS: tuple[Callable[[Generator, str], Image], ...] = (
    _empty_table,
    _page,
    _screen,
    _business_cards,
    _swatches,
    _backs,
    _other_deck,
    _leaves,
    _noise,
    _tiles,
)
