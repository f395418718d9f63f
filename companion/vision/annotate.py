"""A photo with what was read in it: numbered boxes and names, what is unsure marked."""

from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from companion.vision.album_folder import write_bytes_whole
from companion.vision.geometry import Image
from companion.vision.reduce import reduced
from companion.vision.sighting import Point, Reading, Sighting

ACROSS = 2000
"""Pixels across the drawing; a larger photo is reduced to this."""
_SURE, _UNSURE, _UNNAMED = (40, 170, 60), (255, 140, 0), (220, 40, 40)
"""Green, orange, red."""


def annotated(image: Image, reading: Reading) -> Image:
    """The upright photo (BGR) with a numbered box a card, in the order of the reading."""
    work, scale = reduced(image, ACROSS)
    picture = Pictures.fromarray(np.ascontiguousarray(work[..., ::-1]))
    pen = ImageDraw.Draw(picture)
    size = max(14, round(max(picture.size) / 75))
    font = ImageFont.load_default(size)
    for number, sighting in enumerate(reading.sightings, 1):
        corners = [(x * scale, y * scale) for x, y in sighting.region]
        colour = _colour(sighting)
        _outline(pen, corners, colour, max(2, size // 6), sighting.sure)
        _label(pen, corners, f"{number} {label(sighting)}", colour, font, picture.size)
    return np.ascontiguousarray(np.asarray(picture, np.uint8)[..., ::-1])


def label(sighting: Sighting) -> str:
    """`eagle`, `eagle?` where it is not sure, `??` for what has no name; with a number that was read."""
    if sighting.face is None:
        return "??"
    number = f"={sighting.number}" if sighting.number is not None else ""
    return f"{sighting.face}{number}{'' if sighting.sure else '?'}"


def _colour(sighting: Sighting) -> tuple[int, int, int]:
    if sighting.face is None:
        return _UNNAMED
    return _SURE if sighting.sure else _UNSURE


def _outline(
    pen: ImageDraw.ImageDraw,
    corners: list[Point],
    colour: tuple[int, int, int],
    width: int,
    solid: bool,
) -> None:
    """The box; dashed where it is not sure."""
    for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
        if solid:
            pen.line([start, end], fill=colour, width=width)
            continue
        a, b = np.array(start), np.array(end)
        dashes = max(1, int(np.linalg.norm(b - a) / (8 * width)))
        for dash in range(dashes):
            first, last = a + (b - a) * dash / dashes, a + (b - a) * (dash + 0.6) / dashes
            pen.line([tuple(first), tuple(last)], fill=colour, width=width)


def _label(
    pen: ImageDraw.ImageDraw,
    corners: list[Point],
    text: str,
    colour: tuple[int, int, int],
    font: "ImageFont.FreeTypeFont | ImageFont.ImageFont",
    within: tuple[int, int],
) -> None:
    """The words in the box's top left, in white on its colour, inside the picture."""
    left, top, right, bottom = pen.textbbox((0, 0), text, font=font)
    wide, high = right - left + 8, bottom - top + 6
    x = min(max(0.0, min(p[0] for p in corners)), max(0.0, within[0] - wide))
    y = min(max(0.0, min(p[1] for p in corners)), max(0.0, within[1] - high))
    pen.rectangle([x, y, x + wide, y + high], fill=colour)
    pen.text((x + 4 - left, y + 3 - top), text, fill=(255, 255, 255), font=font)


def write_annotated(image: Image, reading: Reading, path: Path) -> None:
    """Writes the drawing; the kind of picture follows the file's name, JPEG where that says nothing."""
    suffix = path.suffix.lower()
    kind = suffix if suffix in (".jpg", ".jpeg", ".png", ".webp") else ".jpg"
    quality = [int(cv2.IMWRITE_JPEG_QUALITY), 90] if kind in (".jpg", ".jpeg") else []
    done, data = cv2.imencode(kind, annotated(image, reading), quality)
    assert done, "a picture in memory can be written"
    write_bytes_whole(path, data.tobytes())
