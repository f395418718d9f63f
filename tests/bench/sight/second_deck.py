"""A second deck for Up the Creek, drawn another way: full colour, frames, discs; for measuring only.

Its numbers are made up and never enter the catalogue. `pictures(height)` gives every face by name.
"""

import math
import zlib
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from card_catalog.loader import shipped_deck
from card_catalog.model import Kind
from tests.bench.sight.motifs import INK, MOTIFS, WHOLE

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
RATIO = 1.55
_WIDE, _TALL = 640, 992
_GROUNDS: list[Colour] = [
    (226, 196, 148),
    (150, 186, 160),
    (232, 176, 138),
    (160, 188, 214),
    (216, 206, 130),
    (196, 170, 200),
    (238, 226, 204),
    (186, 156, 128),
]


def numbers() -> dict[str, int]:
    """The number printed on each face."""
    return {name: _number(name) for name in names()}


def names() -> list[str]:
    """Names of the faces: kinds, and kinds with their colour."""
    return [
        f"{k.id}:{c}" if c else k.id
        for k in shipped_deck("up-the-creek").kinds.values()
        for c in _colours(k)
    ]


def pictures(height: int) -> dict[str, Picture]:
    """RGBA cut-outs with round corners, by face name."""
    width = round(height / RATIO)
    return {
        name: np.asarray(face(name).resize((width, height), Image.Resampling.LANCZOS))
        for name in names()
    }


def _colours(kind: Kind) -> tuple[str, ...]:
    return ("red", "black") if kind.coloured else ("",)


def _number(name: str) -> int:
    kind, _, colour = name.partition(":")
    fixed = shipped_deck("up-the-creek").kinds[kind].number
    if fixed is not None:
        return fixed
    return 1 + (zlib.crc32(kind.encode()) + (1 if colour == "red" else 0)) % 5


@lru_cache(maxsize=64)
def face(name: str) -> Image.Image:
    """One face at its full size."""
    kind_id, _, colour = name.partition(":")
    deck = shipped_deck("up-the-creek")
    kind = deck.kinds[kind_id]
    index = list(deck.kinds).index(kind_id)
    picture = Image.new("RGB", (_WIDE, _TALL), (246, 240, 226))
    draw = ImageDraw.Draw(picture)
    ground = _GROUNDS[(index * 3 + index // 8) % len(_GROUNDS)]
    framed = kind.group not in ("indian", "section", "half")
    if framed:
        draw.rounded_rectangle((26, 26, _WIDE - 27, _TALL - 27), 26, fill=ground)
        _pattern(picture, index, ground, (26, 26, _WIDE - 26, _TALL - 26))
        draw.rounded_rectangle((26, 26, _WIDE - 27, _TALL - 27), 26, outline=INK["k"], width=5)
    else:
        draw.rectangle((0, 0, _WIDE, _TALL), fill=ground)
        _pattern(picture, index, ground, (0, 0, _WIDE, _TALL))
    if kind.half:
        _half(picture, kind)
    else:
        box = (70, 260, 570, 760) if framed else (60, 330, 580, 850)
        if framed:
            draw.ellipse((44, 224, _WIDE - 44, 776), fill=INK["w"], outline=INK["k"], width=5)
        shapes(draw, MOTIFS[kind_id], box[0], box[1], (box[2] - box[0]) / 100)
    _border(draw, kind, index)
    _title(picture, draw, kind.name.split(" (")[0], framed)
    _disc(draw, name, colour, kind)
    return _cut(_paper(picture, index))


def shapes(draw: ImageDraw.ImageDraw, text: str, x: float, y: float, unit: float) -> None:
    """Draws shapes (see `motifs`) with their square's top left at x, y."""
    for shape in text.split(";"):
        kind, ink, *words = shape.split()
        values = [float(w) for w in words]
        width = 1
        if kind in "lo":
            width = max(1, round(values.pop(0) * unit))
        points = [
            (x + values[i] * unit, y + values[i + 1] * unit) for i in range(0, len(values), 2)
        ]
        colour, line = INK[ink], max(1, round(unit * 0.9))
        if kind == "p":
            draw.polygon(points, fill=colour, outline=INK["k"], width=line)
        elif kind == "e":
            draw.ellipse((*points[0], *points[1]), fill=colour, outline=INK["k"], width=line)
        elif kind == "r":
            draw.rectangle((*points[0], *points[1]), fill=colour, outline=INK["k"], width=line)
        elif kind == "o":
            draw.ellipse((*points[0], *points[1]), outline=colour, width=width)
        else:
            draw.line(points, fill=colour, width=width, joint="curve")


def _half(picture: Image.Image, kind: Kind) -> None:
    """Half of a whole that goes over the edge of the card."""
    draw = ImageDraw.Draw(picture)
    unit = 6.0
    draw.rectangle((0, 720, _WIDE, 860), fill=INK["d"] if kind.family != "gold" else INK["n"])
    left = 20.0 if kind.half == "a" else _WIDE - 20 - 200 * unit
    shapes(draw, WHOLE[str(kind.family)], left + (20 if kind.half == "a" else -20), 210, unit)
    tick = INK["y"] if kind.half == "a" else INK["c"]
    x = _WIDE - 26 if kind.half == "a" else 0
    draw.rectangle((x, 180, x + 26, 860), fill=tick)


def _shade(colour: Colour, factor: float) -> Colour:
    return (
        min(255, int(colour[0] * factor)),
        min(255, int(colour[1] * factor)),
        min(255, int(colour[2] * factor)),
    )


def _pattern(
    picture: Image.Image, index: int, ground: Colour, box: tuple[int, int, int, int]
) -> None:
    """A quiet printed pattern over the ground, one of six."""
    x0, y0, x1, y1 = box
    tile = Image.new("RGB", (x1 - x0, y1 - y0), ground)
    draw = ImageDraw.Draw(tile)
    dark, light = _shade(ground, 0.86), _shade(ground, 1.1)
    width, height = tile.size
    style, step = index % 6, 34 + 6 * (index % 3)
    for k in range(-height // step, (width + height) // step + 1):
        at = k * step
        if style == 0:
            draw.line((at, 0, at + height, height), fill=dark, width=6)
        elif style == 1:
            draw.line((0, at, width, at), fill=light if k % 2 else dark, width=9)
        elif style == 2:
            draw.line((at, 0, at, height), fill=dark, width=5)
            draw.line((0, at, width, at), fill=dark, width=5)
        elif style == 3:
            for j in range(height // step + 1):
                x, y = at + (j % 2) * step / 2, j * step
                draw.ellipse((x, y, x + 11, y + 11), fill=dark)
        elif style == 4:
            points = [(x, at + (14 if (x // 28) % 2 else 0)) for x in range(0, width + 28, 28)]
            draw.line(points, fill=dark, width=5)
        else:
            reach = at + 20
            if at >= 0:
                cx, cy = width / 2, height / 2
                draw.ellipse(
                    (cx - reach, cy - reach, cx + reach, cy + reach), outline=dark, width=6
                )
    picture.paste(tile, (x0, y0))


def _border(draw: ImageDraw.ImageDraw, kind: Kind, index: int) -> None:
    """Corner symbols of the card's group, and an inner line."""
    colour = INK["rbgpokd"[index % 7]]
    for x, y in ((62, 62), (_WIDE - 62, _TALL - 62)):
        points = []
        corners = {"single": 4, "axe": 3, "totem": 6, "half": 5, "character": 8}.get(kind.group, 3)
        for k in range(corners * 2):
            radius = (
                30
                if k % 2 == 0
                else (30 * math.cos(math.pi / corners) * (0.6 if corners > 4 else 1))
            )
            turn = math.pi * k / corners - math.pi / 2
            points.append((x + radius * math.cos(turn), y + radius * math.sin(turn)))
        draw.polygon(points, fill=colour, outline=INK["w"], width=4)
    inset = 104 if kind.group in ("indian", "section") else 12
    if kind.group != "half":
        draw.line((inset, 110, _WIDE - inset, 110), fill=colour, width=5)
        draw.line((inset, _TALL - 110, _WIDE - inset, _TALL - 110), fill=colour, width=5)


def _title(picture: Image.Image, draw: ImageDraw.ImageDraw, title: str, framed: bool) -> None:
    font = ImageFont.load_default(50)
    y = _TALL - 72
    if framed:
        draw.rounded_rectangle((110, y - 34, _WIDE - 110, y + 34), 12, fill=INK["k"])
        draw.text((_WIDE / 2, y), title, fill=INK["w"], font=font, anchor="mm")
    else:
        draw.text((_WIDE / 2, y), title.upper(), fill=INK["k"], font=font, anchor="mm")


def _disc(draw: ImageDraw.ImageDraw, name: str, colour: str, kind: Kind) -> None:
    """The number: white in a red or black disc, or dark in a gold ring."""
    x, y, r = (_WIDE - 92, 92, 66) if kind.half != "a" else (_WIDE - 120, 92, 66)
    fill = {"red": INK["r"], "black": INK["k"]}.get(colour, INK["w"])
    ring = INK["w"] if colour else INK["y"]
    draw.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=ring, width=9)
    draw.ellipse((x - r, y - r, x + r, y + r), outline=INK["k"], width=3)
    font = ImageFont.load_default(88)
    ink = INK["w"] if colour else INK["k"]
    draw.text((x, y), str(_number(name)), fill=ink, font=font, anchor="mm")


def _paper(picture: Image.Image, seed: int) -> Image.Image:
    """The printed dots and the paper's tooth."""
    rng = np.random.default_rng(seed)
    values = np.asarray(picture, np.float32) * 0.94 + 8
    values += rng.normal(0, 2.5, values.shape[:2]).astype(np.float32)[..., None]
    return Image.fromarray(np.clip(values, 0, 255).astype(np.uint8))


def _cut(picture: Image.Image) -> Image.Image:
    mask = Image.new("L", (_WIDE * 2, _TALL * 2), 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, _WIDE * 2 - 1, _TALL * 2 - 1), 72, fill=255)
    result = picture.convert("RGBA")
    result.putalpha(mask.resize((_WIDE, _TALL), Image.Resampling.LANCZOS))
    return result
