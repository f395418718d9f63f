"""From SVG to pixels, with the letters and digits drawn at the final size.

No font of the system is needed: Pillow has a scalable one of its own.
"""

import io
from functools import lru_cache

import resvg_py
from PIL import Image, ImageDraw, ImageFont

from card_catalog.faces.drawing import CORNER, HEIGHT, TRIBE, WIDTH
from card_catalog.faces.layout import WORTH, Ring
from card_catalog.model import Colour

_INK = "#2b1d14"
_PAPER = "#fffaf0"


def rasterised(svg: str, height: int) -> Image.Image:
    """The picture of a whole card, `height` pixels high, RGB."""
    width = round(height * WIDTH / HEIGHT)
    data = resvg_py.svg_to_bytes(svg_string=svg, width=width, height=height, skip_system_fonts=True)
    with Image.open(io.BytesIO(bytes(data))) as drawn:
        picture = drawn.convert("RGB")
    return picture if picture.size == (width, height) else picture.resize((width, height))


def write_number(picture: Image.Image, ring: Ring, number: int, colour: Colour | None) -> None:
    """Writes a number into its ring."""
    ink, digits = TRIBE[colour] if colour is not None else _INK, str(number)
    wide = min(0.66 + 0.06 * len(digits), 0.88)
    _write(
        picture, [digits], _within(picture, ring, wide), ink, 0.035 if len(digits) < 3 else 0.015
    )


def write_worth(picture: Image.Image, ring: Ring) -> None:
    """Writes a treasure's worth into its medal."""
    _write(picture, [str(WORTH)], _within(picture, ring, 0.74), _INK, 0.04)


def write_title(picture: Image.Image, band: tuple[float, float, float, float], title: str) -> None:
    """Lays a light band over the picture and writes the title on it, in one line or two."""
    width, height = picture.size
    box = (band[0] * width, band[1] * height, band[2] * width, band[3] * height)
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle(
        box, radius=0.02 * width, fill=_PAPER, outline=_INK, width=max(1, round(width / 200))
    )
    pad = 0.018 * width
    room = (box[0] + pad, box[1] + pad / 2, box[2] - pad, box[3] - pad / 2)
    _write(picture, _lines(title, room), room, _INK, 0.02)


def cut_corners(picture: Image.Image) -> Image.Image:
    """The card with its rounded corners transparent, RGBA."""
    width, height = picture.size
    fine = Image.new("L", (4 * width, 4 * height))
    ImageDraw.Draw(fine).rounded_rectangle(
        (0, 0, 4 * width - 1, 4 * height - 1), radius=4 * CORNER * width / WIDTH, fill=255
    )
    cut = picture.convert("RGBA")
    cut.putalpha(fine.resize((width, height), Image.Resampling.LANCZOS))
    return cut


Room = tuple[float, float, float, float]
"""Left, top, right and bottom in pixels."""


def _within(picture: Image.Image, ring: Ring, wide: float) -> Room:
    """A box for digits within a ring, `wide` radii to either side."""
    x, y, r = ring.x * picture.width, ring.y * picture.height, ring.radius * picture.width
    return x - wide * r, y - 0.58 * r, x + wide * r, y + 0.58 * r


def _lines(title: str, room: Room) -> list[str]:
    """The title in one line, or parted where two lines can be written larger."""
    words = title.split()
    ways = [[title]] + [[" ".join(words[:i]), " ".join(words[i:])] for i in range(1, len(words))]
    return max(ways, key=lambda lines: _size(tuple(lines), room[2] - room[0], room[3] - room[1]))


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


@lru_cache(maxsize=1024)
def _extent(line: str) -> tuple[float, float]:
    """Width and height of a line's ink at size 100."""
    left, top, right, bottom = _font(100).getbbox(line)
    return right - left, bottom - top


def _is_number(lines: tuple[str, ...]) -> bool:
    return len(lines) == 1 and lines[0].isdigit()


def _size(lines: tuple[str, ...], width: float, height: float) -> float:
    """The largest font size at which the lines fit."""
    widest = max(_extent(line)[0] for line in lines)
    high = _extent(lines[0])[1] if _is_number(lines) else 92 * len(lines) + 24
    return 100 * min(width / (1.06 * widest), height / high)


def _write(picture: Image.Image, lines: list[str], room: Room, ink: str, bold: float) -> None:
    left, top, right, bottom = room
    size = _size(tuple(lines), right - left, bottom - top)
    draw, stroke = ImageDraw.Draw(picture), round(bold * size)
    for i, line in enumerate(lines):
        y = top + (bottom - top) * (i + 0.5) / len(lines)
        if _is_number(tuple(lines)):  # centred by its ink: digits have no parts below the line
            a, b, c, d = _font(size).getbbox(line)
            place, anchor = ((left + right) / 2 - (a + c) / 2, y - (b + d) / 2), "la"
        else:
            place, anchor = ((left + right) / 2, y), "mm"
        draw.text(place, line, ink, _font(size), anchor, stroke_width=stroke, stroke_fill=ink)
