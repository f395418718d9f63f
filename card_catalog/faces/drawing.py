"""Composes a card as SVG: border, window with the kind's picture, frame, and the marks of its group.

Lengths are tenths of a millimetre: a card is 630 by 880. The pictures are `DECK/KIND.svg`; both halves
of a treasure share `DECK/FAMILY.svg`, twice as wide, of which the front half shows the left. Besides
SVG they may hold `<texture .../>` (see `textures`) and `<part name="_face" color="..." .../>`, which puts
`_face.svg` of the same folder, or of this one, there. `currentColor` is the tribe's colour in a picture, and in a part
the colour given with it.
"""

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from card_catalog.faces.grounds import Texture
from card_catalog.faces.layout import Mark, layout
from card_catalog.faces.textures import box_of, marks
from card_catalog.model import Card, Colour

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 630, 880
"""Of a card, in tenths of a millimetre."""
BORDER = "#f7f3e6"
"""Colour of the border; `picture` fills the corners outside the rounded card with it too."""
CORNER = 30
"""Radius of the card's corners, in tenths of a millimetre."""
_EDGE = 24
_INK = "#2b1d14"
TRIBE = {Colour.RED: "#c81e1e", Colour.BLACK: "#17171c"}
"""What red and black look like in print."""
_PLAIN = "#8a5a2b"
"""The tribe's colour where nobody says whether it is red or black."""

_ELEMENT = re.compile(r"<(texture|part)\b([^>]*?)/>")
_ATTRIBUTE = re.compile(r"([\w-]+)=\"([^\"]*)\"")
_ROOT = re.compile(r"<svg\b([^>]*)>(.*)</svg>", re.DOTALL)


def has_picture(deck_id: str, kind_id: str, family: str) -> bool:
    """Whether the kind has a drawing."""
    return _source(deck_id, kind_id, family) is not None


def _source(deck_id: str, kind_id: str, family: str) -> Path | None:
    for name in (kind_id, family):
        path = FOLDER / deck_id / f"{name}.svg"
        if name and path.is_file():
            return path
    return None


def compose(deck_id: str, card: Card) -> str:
    """The SVG of a card without its letters and digits; raises `KeyError` where there is no drawing."""
    kind = card.kind
    path = _source(deck_id, kind.id, kind.family)
    if path is None:
        raise KeyError(f"no drawing of {kind.id!r} in the deck {deck_id!r}")
    attributes, inner = _read(path)
    shift = -WIDTH if kind.half == "b" else 0
    tribe = TRIBE[card.colour] if card.colour is not None else _PLAIN
    picture = _expanded(inner, path, f"{kind.id} {card.colour or ''}" if shift == 0 else kind.id)
    frame = attributes.get("data-frame-b" if shift else "data-frame", _INK)
    left, right, top, bottom, r = _EDGE, WIDTH - _EDGE, _EDGE, HEIGHT - _EDGE, 16
    opening = (
        f"M{left + r} {top}H{right - r}Q{right} {top} {right} {top + r}V{bottom - r}Q{right} {bottom} "
        f"{right - r} {bottom}H{left + r}Q{left} {bottom} {left} {bottom - r}V{top + r}Q{left} {top} "
        f"{left + r} {top}Z"
    )
    return (  # the border lies over the picture: cutting the picture to its window takes resvg longer
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" color="{tribe}">'
        f'<g transform="translate({shift} 0)">{picture}</g>{_band(card)}'
        f'<path d="M0 0H{WIDTH}V{HEIGHT}H0Z{opening}" fill="{BORDER}" fill-rule="evenodd"/>'
        f'<path d="{opening}" fill="none" stroke="{frame}" stroke-width="7"/>'
        + "".join(_drawn(mark, path.parent) for mark in layout(kind))
        + "</svg>"
    )


@lru_cache(maxsize=128)
def _read(path: Path) -> tuple[dict[str, str], str]:
    """The attributes of the outermost element of a picture, and what is in it."""
    found = _ROOT.search(path.read_text("utf-8"))
    if found is None:
        raise ValueError(f"{path.name} is no SVG")
    return dict(_ATTRIBUTE.findall(found[1])), found[2]


def _expanded(text: str, path: Path, seed: str) -> str:
    """The picture with its textures and parts drawn."""
    count = 0

    def drawn(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        has = dict(_ATTRIBUTE.findall(found[2]))
        name = f"{path.stem} {count}"  # the same for red and black: only what is red differs
        if found[1] == "part":
            part = _part(path.parent, has["name"])
            inner = _expanded(_read(part)[1], part, f"{seed} {count}")
            given = " ".join(f'{k}="{v}"' for k, v in has.items() if k != "name")
            return f"<g {given}>{inner}</g>"
        return _textured(has, name, "t" + re.sub(r"\W", "", f"{seed}x{path.stem}x{count}"))

    return _ELEMENT.sub(drawn, text)


def _part(folder: Path, name: str) -> Path:
    """A part of the deck's own, or of those that all decks share."""
    own = folder / f"{name}.svg"
    return own if own.is_file() else FOLDER / f"{name}.svg"


def _textured(has: dict[str, str], seed: str, mark_id: str) -> str:
    path = has.get("d")
    box = box_of(path) if path else tuple(float(n) for n in has["box"].split())
    texture = Texture(
        has["mark"],
        (box[0], box[1], box[2], box[3]),
        int(has.get("n", "60")),
        float(has.get("size", "30")),
        tuple(has.get("colours", "#000").split()),
        float(has.get("angle", "0")),
        float(has.get("spread", "20")),
        float(has.get("width", "5")),
    )
    inner = marks(texture, has.get("seed", seed))
    if "opacity" in has:
        inner = f'<g opacity="{has["opacity"]}">{inner}</g>'
    if not path:
        return inner
    turned = f' transform="{has["transform"]}"' if "transform" in has else ""
    line = (
        f'<path d="{path}" fill="none" stroke="{has["stroke"]}" stroke-width="{has.get("line", "7")}" '
        'stroke-linejoin="round"/>'
        if "stroke" in has
        else ""
    )
    return (
        f'<g{turned}><clipPath id="{mark_id}"><path d="{path}"/></clipPath>'
        f'<path d="{path}" fill="{has.get("fill", "none")}"/>'
        f'<g clip-path="url(#{mark_id})">{inner}</g>{line}</g>'
    )


def _band(card: Card) -> str:
    """The band of pattern at the top of an Indian's card: diamonds for red, steps for black."""
    if not card.kind.coloured:
        return ""
    random = Random(f"band {card.kind.id}")
    light = random.choice(("#ffe9b0", "#f4d9a6", "#fff3d6"))
    bright = random.choice(("#2fa7a0", "#e2a21b", "#6fae3a", "#e5782e"))
    parts, x = [f'<rect width="{WIDTH}" height="96" fill="currentColor"/>'], 10.0
    while x < WIDTH:
        wide = random.uniform(36, 64)
        a, b, c = x, x + wide / 2, x + wide
        if card.colour is Colour.BLACK:
            step = wide / 5
            parts.append(
                f'<path d="M{a:.0f} 92V76H{a + step:.0f}V58H{a + 2 * step:.0f}V38H{c - 2 * step:.0f}V58'
                f'H{c - step:.0f}V76H{c:.0f}V92Z" fill="{light}"/>'
                f'<path d="M{b - 7:.0f} 92V64H{b + 7:.0f}V92Z" fill="{bright}"/>'
            )
        else:
            parts.append(
                f'<path d="M{a:.0f} 62L{b:.0f} 34L{c:.0f} 62L{b:.0f} 90Z" fill="{light}"/>'
                f'<path d="M{a + wide / 4:.0f} 62L{b:.0f} 48L{c - wide / 4:.0f} 62L{b:.0f} 76Z" fill="{bright}"/>'
            )
        x += wide + random.uniform(4, 14)
    return "".join(parts) + f'<rect y="96" width="{WIDTH}" height="7" fill="{light}"/>'


def _drawn(mark: Mark, folder: Path) -> str:
    x, y, r = mark.x * WIDTH, mark.y * HEIGHT, mark.radius * WIDTH
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="#fffaf0" stroke="{{}}" stroke-width="{{}}"/>'
    if mark.what == "ring":
        return disc.format("#fffaf0", 26) + disc.format("currentColor", 13)
    if mark.what == "coins":
        return disc.format("#7a4d06", 24) + disc.format("#f2bf3a", 13)
    if mark.what == "worth":
        return disc.format(_INK, 6)
    symbol = _read(folder / f"_symbol-{mark.family}.svg")[1]
    return (
        f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}" rx="18" '
        f'fill="#fffaf0" stroke="{_INK}" stroke-width="6"/>'
        f'<g transform="translate({x:.1f} {y:.1f}) scale({r / 50:.3f})">{symbol}</g>'
    )
