"""Textures drawn as one: planks, rays, a mosaic, the rings of a trunk."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from card_catalog.faces.marks import line, polygon


@dataclass(frozen=True, slots=True)
class Texture:
    """What a `<texture>` element asks for."""

    mark: str
    box: tuple[float, float, float, float]
    """x, y, width, height in tenths of a millimetre."""
    n: int = 60
    """About how many marks."""
    size: float = 30
    """Length of a mark in tenths of a millimetre."""
    colours: tuple[str, ...] = ("#000",)
    angle: float = 0
    """Degrees clockwise."""
    spread: float = 20
    """How far a mark may turn from `angle`, in degrees either way."""
    width: float = 5
    """Thickness of lines in tenths of a millimetre."""


def _planks(random: Random, texture: Texture) -> str:
    """Boards lying along x, each with grain, knots and nails; `size` is the height of a board."""
    left, top, width, height = texture.box
    parts, y = [], top
    while y < top + height:
        high, x = texture.size * random.uniform(0.8, 1.2), left - random.uniform(0, 200)
        while x < left + width:
            long = random.uniform(160, 330)
            parts.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{long:.1f}" height="{high:.1f}" '
                f'fill="{random.choice(texture.colours)}" stroke="#0009" stroke-width="{texture.width:g}"/>'
            )
            for _ in range(5):
                a, b = x + random.uniform(0.05, 0.6) * long, y + random.uniform(0.15, 0.85) * high
                bend = random.uniform(-0.25, 0.25) * high
                end = a + random.uniform(0.15, 0.35) * long
                parts.append(
                    line(
                        f"M{a:.1f} {b:.1f}Q{(a + end) / 2:.1f} {b + bend:.1f} {end:.1f} {b:.1f}",
                        "#0006",
                        texture.width / 1.6,
                    )
                )
            kx, ky = x + random.uniform(0.2, 0.8) * long, y + random.uniform(0.3, 0.7) * high
            parts.append(
                f'<ellipse cx="{kx:.1f}" cy="{ky:.1f}" rx="{high / 5:.1f}" ry="{high / 8:.1f}" fill="#0007"/>'
            )
            parts.append(f'<circle cx="{x + 12:.1f}" cy="{y + high / 2:.1f}" r="5" fill="#000a"/>')
            x += long
        y += high
    return "".join(parts)


def _rays(random: Random, texture: Texture) -> str:
    """Rays from the middle of the box, `n` of them, each of its own width, broken into pieces."""
    left, top, width, height = texture.box
    x, y, parts, turn = left + width / 2, top + height / 2, [], 0.0
    while turn < math.tau:
        wide = math.tau / texture.n * random.uniform(0.5, 1.5)
        near = texture.size * random.uniform(0.6, 1.2)
        while near < max(width, height):
            far = near + texture.size * random.uniform(1.2, 3.5)
            corners = [(near, turn), (far, turn), (far, turn + wide / 2), (near, turn + wide / 2)]
            parts.append(
                polygon(
                    [(x + r * math.cos(t), y + r * math.sin(t)) for r, t in corners],
                    random.choice(texture.colours),
                )
            )
            near = far + texture.size * random.uniform(0.2, 0.7)
        turn += wide
    return "".join(parts)


def _mosaic(random: Random, texture: Texture) -> str:
    """The box paved with triangles of the colours."""
    left, top, width, height = texture.box
    step = math.sqrt(width * height / max(texture.n / 2, 1))
    columns, rows = math.ceil(width / step) + 1, math.ceil(height / step) + 1
    at = {
        (i, j): (
            left + (i - 0.3 + random.uniform(-0.3, 0.3)) * step,
            top + (j - 0.3 + random.uniform(-0.3, 0.3)) * step,
        )
        for i in range(columns + 1)
        for j in range(rows + 1)
    }
    return "".join(
        polygon([at[i, j], at[i + 1, j], at[i, j + 1]], random.choice(texture.colours))
        + polygon([at[i + 1, j], at[i + 1, j + 1], at[i, j + 1]], random.choice(texture.colours))
        for i in range(columns)
        for j in range(rows)
    )


def _rings(random: Random, texture: Texture) -> str:
    """Rings of a tree trunk about the middle of the box, `n` of them, with cracks."""
    left, top, width, height = texture.box
    x, y, parts = left + width / 2, top + height / 2, []
    for i in range(texture.n):
        part = (i + random.uniform(0.3, 0.8)) / texture.n
        parts.append(
            f'<ellipse cx="{x + random.uniform(-2, 2):.1f}" cy="{y:.1f}" rx="{part * width / 2:.1f}" '
            f'ry="{part * height / 2:.1f}" fill="none" stroke="{random.choice(texture.colours)}" '
            f'stroke-width="{texture.width * random.uniform(0.5, 1.3):.1f}"/>'
        )
    for _ in range(5):
        t, near = random.uniform(0, math.tau), random.uniform(0.1, 0.4)
        parts.append(
            line(
                f"M{x + near * width / 2 * math.cos(t):.1f} {y + near * height / 2 * math.sin(t):.1f}"
                f"L{x + 0.9 * width / 2 * math.cos(t):.1f} {y + 0.9 * height / 2 * math.sin(t):.1f}",
                texture.colours[0],
                texture.width,
            )
        )
    return "".join(parts)


GROUNDS: dict[str, Callable[[Random, Texture], str]] = {
    "planks": _planks, "rays": _rays, "mosaic": _mosaic, "rings": _rings,
}  # fmt: skip
"""Each by the name that pictures call it."""
