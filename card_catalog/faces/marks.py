"""Small marks that textures are made of: waves, leaves, pines, stones. Lengths in tenths of a millimetre."""

import math
from collections.abc import Callable
from random import Random

Mark = Callable[[Random, float, str, float], str]
"""From the generator, size, colour and line width: a mark about the origin, lying along the x axis."""


def line(d: str, colour: str, width: float) -> str:
    """A path drawn as a line."""
    return (
        f'<path d="{d}" fill="none" stroke="{colour}" stroke-width="{width:g}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def area(d: str, colour: str) -> str:
    """A path filled."""
    return f'<path d="{d}" fill="{colour}"/>'


def polygon(points: list[tuple[float, float]], colour: str) -> str:
    """A polygon filled."""
    return area("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z", colour)


def _stroke(random: Random, s: float, colour: str, width: float) -> str:
    bend = random.uniform(-0.2, 0.2) * s
    return line(f"M{-s / 2:.1f} 0Q0 {bend:.1f} {s / 2:.1f} 0", colour, width)


def _wave(random: Random, s: float, colour: str, width: float) -> str:
    high = random.uniform(0.2, 0.4) * s
    return line(f"M{-s:.1f} 0Q{-s / 2:.1f} {-high:.1f} 0 0T{s:.1f} 0", colour, width)


def _blade(random: Random, s: float, colour: str, width: float) -> str:
    tip = random.uniform(-0.5, 0.5) * s
    return area(
        f"M{-width:.1f} 0Q0 {-s / 2:.1f} {tip:.1f} {-s:.1f}Q{width:.1f} {-s / 2:.1f} {width:.1f} 0Z",
        colour,
    )


def _leaf(random: Random, s: float, colour: str, width: float) -> str:
    fat = random.uniform(0.35, 0.6) * s
    return area(
        f"M{-s / 2:.1f} 0Q0 {-fat:.1f} {s / 2:.1f} 0Q0 {fat:.1f} {-s / 2:.1f} 0Z", colour
    ) + line(f"M{-s / 2:.1f} 0L{s / 2.6:.1f} 0", "#0006", width / 2)


def _pine(random: Random, s: float, colour: str, width: float) -> str:
    wide = random.uniform(0.28, 0.42) * s
    layers = [(-s, -0.55 * s, 0.6), (-0.75 * s, -0.25 * s, 0.8), (-0.5 * s, 0.08 * s, 1.0)]
    return area(f"M{-width} 0H{width}V{s / 5:.1f}H{-width}Z", "#5b3a1e") + "".join(
        polygon([(0, top), (wide * w, low), (-wide * w, low)], colour)
        + line(f"M{wide * w:.1f} {low:.1f}L{-wide * w:.1f} {low:.1f}", "#0005", width / 2)
        for top, low, w in reversed(layers)
    )


def _stone(random: Random, s: float, colour: str, width: float) -> str:
    corners = random.randint(5, 7)
    points = [
        (
            math.cos(math.tau * i / corners) * s / 2 * random.uniform(0.8, 1.1),
            math.sin(math.tau * i / corners) * s / 2.6 * random.uniform(0.8, 1.1),
        )
        for i in range(corners)
    ]
    return polygon([(x + width, y + width) for x, y in points], "#0006") + polygon(points, colour)


def _dot(random: Random, s: float, colour: str, width: float) -> str:
    return f'<circle r="{s / 2:.1f}" fill="{colour}"/>'


def _ring(random: Random, s: float, colour: str, width: float) -> str:
    return f'<circle r="{s / 2:.1f}" fill="none" stroke="{colour}" stroke-width="{width:g}"/>'


def _star(random: Random, s: float, colour: str, width: float) -> str:
    points = random.choice((4, 5, 6))
    return polygon(
        [
            (
                math.cos(math.pi * i / points) * s / 2 * (0.4 if i % 2 else 1),
                math.sin(math.pi * i / points) * s / 2 * (0.4 if i % 2 else 1),
            )
            for i in range(2 * points)
        ],
        colour,
    )


def _diamond(random: Random, s: float, colour: str, width: float) -> str:
    high = random.uniform(0.3, 0.6) * s
    return polygon([(-s / 2, 0), (0, -high), (s / 2, 0), (0, high)], colour) + polygon(
        [(-s / 5, 0), (0, -high / 2.5), (s / 5, 0), (0, high / 2.5)], "#fff8"
    )


def _triangle(random: Random, s: float, colour: str, width: float) -> str:
    return polygon(
        [(-s / 2, s / 3), (random.uniform(-0.2, 0.2) * s, -s / 2), (s / 2, s / 3)], colour
    )


def _cross(random: Random, s: float, colour: str, width: float) -> str:
    a = s / 2
    return line(f"M{-a:.1f} 0H{a:.1f}M0 {-a:.1f}V{a:.1f}", colour, width)


def _chevron(random: Random, s: float, colour: str, width: float) -> str:
    high = random.uniform(0.3, 0.5) * s
    return line(f"M{-s / 2:.1f} {high:.1f}L0 0L{s / 2:.1f} {high:.1f}", colour, width)


def _scallop(random: Random, s: float, colour: str, width: float) -> str:
    a = s / 2
    return (
        f'<path d="M{-a:.1f} {-a:.1f}C{-a:.1f} {a:.1f} {a:.1f} {a:.1f} {a:.1f} {-a:.1f}Z" fill="{colour}" '
        f'stroke="#0008" stroke-width="{width / 2:g}"/>'
        + line(f"M0 {-a:.1f}V{a / 2:.1f}", "#0005", width / 2)
    )


def _cloud(random: Random, s: float, colour: str, width: float) -> str:
    return "".join(
        f'<circle cx="{(i - 1.5) * s / 2.4:.1f}" cy="{random.uniform(-0.15, 0.1) * s:.1f}" '
        f'r="{s * random.uniform(0.22, 0.38):.1f}" fill="{colour}"/>'
        for i in range(4)
    ) + line(f"M{-s:.1f} {s * 0.3:.1f}H{s * 0.8:.1f}", colour, width)


def _flower(random: Random, s: float, colour: str, width: float) -> str:
    petals = random.choice((5, 6))
    return (
        "".join(
            f'<ellipse cx="{s / 3.4:.1f}" rx="{s / 4:.1f}" ry="{s / 7:.1f}" fill="{colour}" '
            f'transform="rotate({360 * i / petals:.0f})"/>'
            for i in range(petals)
        )
        + f'<circle r="{s / 7:.1f}" fill="#f6d33c"/>'
    )


def _flame(random: Random, s: float, colour: str, width: float) -> str:
    lean = random.uniform(-0.3, 0.3) * s
    return area(
        f"M0 0C{-s / 2:.1f} {-s / 4:.1f} {-s / 3:.1f} {-s / 2:.1f} {lean:.1f} {-s:.1f}"
        f"C{s / 6:.1f} {-s / 2:.1f} {s / 2:.1f} {-s / 3:.1f} 0 0Z",
        colour,
    )


def _coin(random: Random, s: float, colour: str, width: float) -> str:
    flat = random.uniform(0.55, 1)
    return (
        f'<ellipse rx="{s / 2:.1f}" ry="{s / 2 * flat:.1f}" fill="{colour}" stroke="#5a3a05" stroke-width="{width / 1.6:g}"/>'
        f'<ellipse rx="{s / 3.4:.1f}" ry="{s / 3.4 * flat:.1f}" fill="none" stroke="#5a3a0599" stroke-width="{width / 2:g}"/>'
    )


def _crystal(random: Random, s: float, colour: str, width: float) -> str:
    w = random.uniform(0.14, 0.24) * s
    return polygon([(-w, 0), (-w, -s * 0.7), (0, -s), (w, -s * 0.7), (w, 0)], colour) + polygon(
        [(0, 0), (0, -s), (w, -s * 0.7), (w, 0)], "#0004"
    )


def _brick(random: Random, s: float, colour: str, width: float) -> str:
    w, h = s * random.uniform(0.8, 1.2), s * random.uniform(0.4, 0.5)
    return (
        f'<rect x="{-w / 2:.1f}" y="{-h / 2:.1f}" width="{w:.1f}" height="{h:.1f}" rx="{width:g}" '
        f'fill="{colour}" stroke="#0007" stroke-width="{width / 2:g}"/>'
    )


def _paw(random: Random, s: float, colour: str, width: float) -> str:
    toes = "".join(
        f'<ellipse cx="{x * s:.1f}" cy="{y * s:.1f}" rx="{s / 9:.1f}" ry="{s / 6:.1f}" fill="{colour}"/>'
        for x, y in ((-0.34, -0.12), (-0.13, -0.34), (0.13, -0.34), (0.34, -0.12))
    )
    return (
        toes + f'<ellipse cy="{s / 6:.1f}" rx="{s / 3.4:.1f}" ry="{s / 4.4:.1f}" fill="{colour}"/>'
    )


def _hoof(random: Random, s: float, colour: str, width: float) -> str:
    a = s / 2
    return line(
        f"M{-a / 2:.1f} {a:.1f}C{-a * 1.4:.1f} {-a:.1f} {a * 1.4:.1f} {-a:.1f} {a / 2:.1f} {a:.1f}",
        colour,
        width,
    )


def _reed(random: Random, s: float, colour: str, width: float) -> str:
    lean = random.uniform(-0.12, 0.12) * s
    return line(f"M0 0Q0 {-s / 2:.1f} {lean:.1f} {-s:.1f}", colour, width) + (
        f'<ellipse cx="{lean:.1f}" cy="{-s:.1f}" rx="{width * 1.7:.1f}" ry="{s / 8:.1f}" fill="#5c3312"/>'
        if random.random() < 0.45
        else ""
    )


def _zigzag(random: Random, s: float, colour: str, width: float) -> str:
    high = random.uniform(0.2, 0.35) * s
    points = [(s * (i / 5 - 0.5), high * (-1) ** i) for i in range(6)]
    return line("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), colour, width)


def _spiral(random: Random, s: float, colour: str, width: float) -> str:
    turn = random.uniform(0, math.tau)
    points = [
        (math.cos(turn + i * 0.8) * s * i / 32, math.sin(turn + i * 0.8) * s * i / 32)
        for i in range(17)
    ]
    return line("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), colour, width)


MARKS: dict[str, Mark] = {
    "stroke": _stroke, "wave": _wave, "blade": _blade, "leaf": _leaf, "pine": _pine, "stone": _stone,
    "dot": _dot, "ring": _ring, "star": _star, "diamond": _diamond, "triangle": _triangle,
    "cross": _cross, "chevron": _chevron, "scallop": _scallop, "cloud": _cloud, "flower": _flower,
    "flame": _flame, "coin": _coin, "crystal": _crystal, "brick": _brick, "paw": _paw, "hoof": _hoof,
    "reed": _reed, "zigzag": _zigzag, "spiral": _spiral,
}  # fmt: skip
"""Each mark by the name that pictures call it."""
