"""Textures of the drawn faces: many small marks, none like its neighbour, the same at every drawing.

A picture asks for one by an element that no other program knows:

    <texture mark="wave" box="0 500 630 380" n="90" size="34" colours="#0b6f7c #e8fffb"/>
    <texture mark="stroke" d="M.. Z" fill="#7a4a21" stroke="#2b1d14" n="200" size="26" .../>

With `d` (a path of absolute M, L, C, S, Q, T, Z) the shape is filled, textured within its outline and
outlined; with `box` (x y width height) the marks fill the box. Lengths are tenths of a millimetre,
angles degrees. Marks that repeat exactly would look alike to a person and to a feature matcher; here
each has its own place, turn and size, from a generator seeded by the picture's name.
"""

import math
import re
from collections.abc import Iterator
from random import Random

from card_catalog.faces.grounds import GROUNDS, Texture
from card_catalog.faces.marks import MARKS

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def box_of(path: str) -> tuple[float, float, float, float]:
    """A box about a path: that of all its points, control points too."""
    numbers = [float(n) for n in _NUMBER.findall(path)]
    xs, ys = numbers[::2], numbers[1::2]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


def marks(texture: Texture, seed: str) -> str:
    """The SVG of all marks, from the top down."""
    random = Random(f"{seed} {texture.mark}")
    if texture.mark in GROUNDS:
        return GROUNDS[texture.mark](random, texture)
    draw = MARKS[texture.mark]
    return "".join(
        f'<g transform="translate({x:.1f} {y:.1f}) '
        f'rotate({texture.angle + random.uniform(-1, 1) * texture.spread:.0f})">'
        + draw(
            random,
            texture.size * random.uniform(0.7, 1.3),
            random.choice(texture.colours),
            texture.width,
        )
        + "</g>"
        for x, y in _places(random, texture)
    )


def _places(random: Random, texture: Texture) -> Iterator[tuple[float, float]]:
    """Places spread evenly over the box, none on a line with its neighbours."""
    left, top, width, height = texture.box
    step = math.sqrt(width * height / max(texture.n, 1))
    columns, rows = max(round(width / step), 1), max(round(height / step), 1)
    for row in range(rows):
        for column in range(columns):
            x = (
                column + 0.5 + (0.25 if row % 2 else -0.25) + random.uniform(-0.35, 0.35)
            ) / columns
            y = (row + 0.5 + random.uniform(-0.35, 0.35)) / rows
            yield left + x * width, top + y * height
