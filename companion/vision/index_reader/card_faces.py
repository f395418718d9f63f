"""Standard cards of decks that nobody printed, drawn by code: to train the index reader, and to try it.

A deck has a `Style`: its letters, suit signs, inks, and where all this stands. Lengths in millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Image
from companion.vision.index_reader.classes import JOKER
from companion.vision.index_reader.suit_shapes import drawn_suits
from companion.vision.index_reader.typefaces import Typeface

PER_MM = 6
"""Pixels of a drawn card a millimetre."""
Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in millimetres of the upright card."""

_LEFT, _MIDDLE, _RIGHT = 0.3, 0.5, 0.7
_PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.5, 0.5)],
    "2": [(0.5, 0.2), (0.5, 0.8)],
    "3": [(0.5, 0.2), (0.5, 0.5), (0.5, 0.8)],
    "4": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.8)],
    "5": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.8)] + [(0.5, 0.5)],
    "6": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)],
    "7": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)] + [(0.5, 0.35)],
    "8": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.5, 0.8)] + [(0.5, 0.35), (0.5, 0.65)],
    "9": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.4, 0.6, 0.8)] + [(0.5, 0.5)],
    "10": [(x, y) for x in (_LEFT, _RIGHT) for y in (0.2, 0.4, 0.6, 0.8)]
    + [(0.5, 0.3), (0.5, 0.7)],
}


@dataclass(frozen=True, slots=True)
class Style:
    """How the cards of one deck look."""

    face: Typeface
    suits: dict[str, Image]
    inks: dict[str, Colour]
    """Of each suit, BGR."""
    ground: Colour = (250, 252, 252)
    width: float = 63.0
    height: float = 88.0
    rank_high: float = 8.0
    narrow: float = 0.8
    """Width of the ranks over what the typeface has."""
    suit_high: float = 6.0
    gap: float = 1.3
    """Between rank and suit."""
    left: float = 2.5
    top: float = 3.5
    ten_gap: float = 0.06
    pip_high: float = 13.0
    corners: int = 2
    """Indices: two, or four."""
    one_end: bool = False
    frame: bool = False
    """A line around the middle of every card."""
    plain: bool = False
    """No pips but one."""
    court: int = 0
    """Seed of the pictures."""
    letters: dict[str, str] | None = None
    """What stands on the card instead of a rank."""


@dataclass(frozen=True, slots=True)
class DrawnCard:
    """A card drawn: its picture, `PER_MM` pixels a millimetre, and where its index stands."""

    picture: Image
    rank: str
    """As drawn: `10`, `Q`, `V`, or `joker`."""
    suit: str
    rank_box: Box
    suit_box: Box
    style: Style

    @property
    def index(self) -> Box:
        """Rank and suit together."""
        a, b = self.rank_box, self.suit_box
        return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def random_style(
    rng: np.random.Generator,
    faces: Sequence[Typeface],
    printed: Sequence[dict[str, Image]],
    strange: Sequence[str] = (),
) -> Style:
    """A deck of its own; `strange`: what stands for its court ranks and ace, of other languages."""
    suits = drawn_suits(rng) if rng.random() < 0.55 else printed[int(rng.integers(len(printed)))]
    size = rng.random()
    if size < 0.62:
        rank_high = rng.uniform(6.0, 9.8)
    elif size < 0.76:
        rank_high = rng.uniform(4.2, 6.0)
    else:
        rank_high = rng.uniform(9.8, 20.0)
    jumbo = rank_high > 10
    wide = rng.uniform(56, 64)
    style = Style(
        face=faces[int(rng.integers(len(faces)))],
        suits=suits,
        inks=_inks(rng),
        ground=_ground(rng),
        width=wide,
        height=wide * rng.uniform(1.36, 1.6),
        rank_high=rank_high,
        narrow=rng.uniform(0.5, 1.0) if not jumbo else rng.uniform(0.7, 1.05),
        suit_high=rank_high * (rng.uniform(0.5, 1.0) if not jumbo else rng.uniform(0.4, 1.0)),
        gap=rank_high * rng.uniform(0.03, 0.3),
        left=rng.uniform(1.4, 3.6),
        top=rng.uniform(1.8, 5.5),
        ten_gap=rng.uniform(-0.06, 0.22),
        pip_high=rng.uniform(9, 15),
        corners=4 if rng.random() < 0.15 else 2,
        one_end=rng.random() < 0.04,
        frame=rng.random() < 0.2,
        plain=jumbo and rng.random() < 0.4,
        court=int(rng.integers(1 << 30)),
    )
    if strange:
        courts = {r: str(rng.choice(strange)) for r in ("J", "Q", "K", "A", "10", "9")}
        style = replace(style, letters=courts)
    return style


def _inks(rng: np.random.Generator) -> dict[str, Colour]:
    def near(b: float, g: float, r: float, by: float = 18) -> Colour:
        values = np.clip(np.array([b, g, r]) + rng.normal(0, by, 3), 0, 255)
        return int(values[0]), int(values[1]), int(values[2])

    black = near(28, 26, 26, 12)
    red = near(35 + rng.uniform(-15, 40), 25 + rng.uniform(0, 40), rng.uniform(165, 235), 10)
    inks = {"S": black, "C": black, "H": red, "D": red}
    if rng.random() < 0.14:  # four colours
        inks["C"] = near(45, rng.uniform(90, 150), 25)
        inks["D"] = (
            near(rng.uniform(150, 220), 90, 30) if rng.random() < 0.7 else near(20, 120, 235)
        )
    return inks


def _ground(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.8:
        light = rng.uniform(238, 255)
        return int(light - rng.uniform(0, 8)), int(light - rng.uniform(0, 4)), int(light)
    light = rng.uniform(215, 250)
    return int(light - rng.uniform(0, 45)), int(light - rng.uniform(0, 18)), int(light)


def draw(style: Style, rank: str, suit: str) -> DrawnCard:
    """One card of the deck."""
    wide, high = round(style.width * PER_MM), round(style.height * PER_MM)
    picture = np.empty((high, wide, 3), np.uint8)
    picture[:] = style.ground
    halves = [picture] if style.one_end else [picture, picture[::-1, ::-1]]
    written = (style.letters or {}).get(rank, rank)
    rank_box, suit_box = _places(style, written, suit)
    index_right = max(rank_box[2], suit_box[2])
    if style.frame:
        inset = (index_right + 0.8, style.top + 0.5)
        for half in halves:
            _frame(half, inset, style)
    if rank in ("J", "Q", "K", JOKER):
        _court(picture, style, rank, suit, index_right)
    else:
        _pips(picture, style, rank, suit)
    for half in halves:
        _index(half, style, written, suit, rank_box, suit_box)
    if style.corners == 4 and written != JOKER:
        across = style.width
        for half in halves:
            _index(
                half, style, written, suit, _mirrored(rank_box, across), _mirrored(suit_box, across)
            )
    return DrawnCard(picture, written, suit, rank_box, suit_box, style)


def _mirrored(box: Box, across: float) -> Box:
    return across - box[2], box[1], across - box[0], box[3]


def rank_mask(style: Style, text: str) -> Image:
    """What stands in the corner, as a mask."""
    if text == "10":
        return style.face.ten(style.ten_gap)
    return style.face.glyph(text)


def _places(style: Style, rank: str, suit: str) -> tuple[Box, Box]:
    """Where rank and suit of the index stand."""
    sign = style.suits[suit]
    if rank == JOKER:
        high = style.rank_high + style.gap + style.suit_high * 1.3
        wide = high * 0.2
        return (style.left, style.top, style.left + wide, style.top + high), (
            style.left,
            style.top,
            style.left,
            style.top,
        )
    mask = rank_mask(style, rank)
    wide = style.rank_high * mask.shape[1] / mask.shape[0] * style.narrow
    wide = min(wide, style.rank_high * (1.15 if len(rank) > 1 else 0.95))
    suit_wide = style.suit_high * sign.shape[1] / sign.shape[0]
    most = max(wide, suit_wide, style.rank_high * 0.62)
    middle = style.left + most / 2
    top = style.top
    below = top + style.rank_high + style.gap
    return (
        (middle - wide / 2, top, middle + wide / 2, top + style.rank_high),
        (middle - suit_wide / 2, below, middle + suit_wide / 2, below + style.suit_high),
    )


def _index(canvas: Image, style: Style, rank: str, suit: str, rank_box: Box, suit_box: Box) -> None:
    if rank == JOKER:
        _down(canvas, style, rank_box, suit)
        return
    stamp(canvas, rank_mask(style, rank), rank_box, style.inks[suit])
    stamp(canvas, style.suits[suit], suit_box, style.inks[suit])


def _down(canvas: Image, style: Style, box: Box, suit: str) -> None:
    """JOKER, its letters under each other, or on their side."""
    left, top, right, bottom = box
    if style.court % 3 == 0:
        word = np.ascontiguousarray(np.rot90(style.face.glyph("JOKER"), 3))
        stamp(canvas, word, box, style.inks[suit])
        return
    step = (bottom - top) / 5
    for i, letter in enumerate("JOKER"):
        mask = style.face.glyph(letter)
        wide = min(right - left, 0.85 * step * mask.shape[1] / mask.shape[0])
        middle, y = (left + right) / 2, top + i * step
        stamp(
            canvas,
            mask,
            (middle - wide / 2, y, middle + wide / 2, y + 0.86 * step),
            style.inks[suit],
        )


def stamp(canvas: Image, mask: Image, box: Box, ink: Colour) -> None:
    """Prints a mask into a box of a canvas, `PER_MM` pixels a millimetre; what stands over is cut."""
    x, y = round(box[0] * PER_MM), round(box[1] * PER_MM)
    wide, high = (
        max(1, round((box[2] - box[0]) * PER_MM)),
        max(1, round((box[3] - box[1]) * PER_MM)),
    )
    shrinks = wide < mask.shape[1]
    how = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(mask, (wide, high), interpolation=how), np.uint8)
    x0, y0 = max(0, -x), max(0, -y)
    x1, y1 = min(wide, canvas.shape[1] - x), min(high, canvas.shape[0] - y)
    if x1 <= x0 or y1 <= y0:
        return
    share = small[y0:y1, x0:x1, None].astype(np.uint16)
    under = canvas[y + y0 : y + y1, x + x0 : x + x1]
    under[:] = ((255 - share) * under + share * np.array(ink, np.uint16)) // 255


def _frame(canvas: Image, inset: tuple[float, float], style: Style) -> None:
    x, y = round(inset[0] * PER_MM), round(inset[1] * PER_MM)
    ink = style.inks["S"] if style.court % 2 else style.inks["H"]
    high, wide = canvas.shape[:2]
    thick = 1 + style.court % 3
    canvas[y : y + thick, x : wide - x] = ink
    canvas[y : high // 2 + 1, x : x + thick] = ink
    canvas[y : high // 2 + 1, wide - x - thick : wide - x] = ink


def _pips(canvas: Image, style: Style, rank: str, suit: str) -> None:
    sign = style.suits[suit]
    places = [(0.5, 0.5)] if style.plain else _PIPS.get(rank, [(0.5, 0.5)])
    high = style.pip_high
    if len(places) == 1:
        high *= 1 + (style.court % 100) / 45
    wide = high * sign.shape[1] / sign.shape[0]
    for x, y in places:
        # pips of the lower half stand on their heads
        flip = y > 0.51
        target = canvas[::-1, ::-1] if flip else canvas
        cx = (1 - x if flip else x) * style.width
        cy = (1 - y if flip else y) * style.height
        stamp(
            target,
            sign,
            (cx - wide / 2, cy - high / 2, cx + wide / 2, cy + high / 2),
            style.inks[suit],
        )


def _court(canvas: Image, style: Style, rank: str, suit: str, index_right: float) -> None:
    """A picture of shapes, the same from both ends, in a frame; it comes near the index."""
    rng = np.random.default_rng((style.court, len(rank) + ord(rank[0]), ord(suit)))
    high, wide = canvas.shape[:2]
    framed = rng.random() < 0.7
    x0 = (
        round((index_right + rng.uniform(-0.2, 2.5)) * PER_MM)
        if rng.random() < 0.8
        else round(rng.uniform(2, 5) * PER_MM)
    )
    y0 = round((style.top + rng.uniform(-1.5, 3)) * PER_MM)
    x0, y0 = min(x0, wide // 3), max(3, min(y0, high // 4))
    part = np.empty((high // 2 - y0, wide - 2 * x0, 3), np.uint8)
    part[:] = style.ground
    paint(part, rng, 26, suits=[style.suits[suit]], inks=[style.inks[suit], *art_inks(rng)])
    if rng.random() < 0.75:  # a big pip beside the index
        sign = style.suits[suit]
        size = min(style.pip_high, 12) * rng.uniform(0.7, 1.1)
        box = (0.6, 0.8, 0.6 + size * sign.shape[1] / sign.shape[0], 0.8 + size)
        if rng.random() < 0.6:
            x, y = round((box[2] + 0.5) * PER_MM), round((box[3] + 0.5) * PER_MM)
            part[:y, :x] = style.ground
        stamp(part, sign, box, style.inks[suit])
    canvas[y0 : high // 2, x0 : wide - x0] = part
    canvas[high - high // 2 : high - y0, x0 : wide - x0] = part[::-1, ::-1]
    if framed:
        thick = int(rng.integers(1, 4))
        line = style.inks["S"] if rng.random() < 0.7 else (180, 90, 30)
        cv2.rectangle(canvas, (x0, y0), (wide - x0, high - y0), line, thick)
    if x0 < index_right * PER_MM:  # a picture that runs under the index leaves paper around it
        pad = round(1.0 * PER_MM)
        x = round(index_right * PER_MM) + pad
        y = round((style.top + style.rank_high + style.gap + style.suit_high) * PER_MM) + pad
        for half in (canvas, canvas[::-1, ::-1]):
            half[:y, :x] = style.ground


def art_inks(rng: np.random.Generator) -> list[Colour]:
    """Inks of a court picture."""
    usual: list[Colour] = [(30, 200, 240), (40, 40, 200), (170, 80, 20), (25, 25, 25), (25, 25, 25)]
    more: list[Colour] = [(int(b), int(g), int(r)) for b, g, r in rng.integers(0, 256, (2, 3))]
    return usual + more


def paint(
    canvas: Image,
    rng: np.random.Generator,
    strokes: int,
    suits: Sequence[Image] = (),
    inks: Sequence[Colour] = (),
) -> None:
    """Fills a canvas with shapes, lines and signs: court pictures, tablecloths, whatever is no index."""
    high, wide = canvas.shape[:2]
    for _ in range(strokes):
        ink = inks[int(rng.integers(len(inks)))]
        x, y = float(rng.uniform(0, wide)), float(rng.uniform(0, high))
        reach = float(rng.uniform(0.05, 0.3)) * wide
        kind = rng.integers(7)
        if kind == 0:
            angles = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 7))))
            points = np.column_stack([x + reach * np.cos(angles), y + reach * np.sin(angles)])
            cv2.fillPoly(canvas, [points.astype(np.int32)], ink, cv2.LINE_AA)
        elif kind == 1:
            thick = -1 if rng.random() < 0.4 else int(rng.integers(1, 5))
            cv2.circle(canvas, (int(x), int(y)), int(reach / 2) + 1, ink, thick, cv2.LINE_AA)
        elif kind == 2:
            angle = float(rng.uniform(0, np.pi))
            step = max(4.0, reach / 8)
            dx, dy = np.cos(angle), np.sin(angle)
            for i in range(int(rng.integers(2, 9))):
                a = (int(x - dy * i * step), int(y + dx * i * step))
                b = (int(a[0] + dx * reach * 2), int(a[1] + dy * reach * 2))
                cv2.line(canvas, a, b, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        elif kind == 3:
            angle, sweep = int(rng.integers(360)), int(rng.integers(40, 300))
            axes = (int(reach) + 1, int(reach * rng.uniform(0.3, 1)) + 1)
            cv2.ellipse(
                canvas,
                (int(x), int(y)),
                axes,
                angle,
                0,
                sweep,
                ink,
                int(rng.integers(1, 6)),
                cv2.LINE_AA,
            )
        elif kind == 4:
            cv2.rectangle(canvas, (int(x), int(y)), (int(x + reach), int(y + 2 * reach)), ink, -1)
        elif kind == 5 and suits:
            sign = suits[int(rng.integers(len(suits)))]
            size = rng.uniform(3, 12)
            left, top = x / PER_MM, y / PER_MM
            stamp(
                canvas,
                sign,
                (left, top, left + size * sign.shape[1] / sign.shape[0], top + size),
                ink,
            )
        else:
            points = np.column_stack([rng.normal(x, reach, 6), rng.normal(y, reach, 6)])
            cv2.polylines(
                canvas, [points.astype(np.int32)], False, ink, int(rng.integers(1, 4)), cv2.LINE_AA
            )


def rounded(wide: int, high: int, radius: float, line: int = cv2.LINE_8) -> Image:
    """A card's shape, 255 inside, its corners of that radius, pixels; `line`: how their edge is drawn."""
    shape = np.zeros((high, wide), np.uint8)
    r = round(radius)
    shape[r : high - r] = 255
    shape[:, r : wide - r] = 255
    for x in (r, wide - r - 1):
        for y in (r, high - r - 1):
            cv2.circle(shape, (x, y), r, (255,), -1, line)
    return shape


def ground_texture(rng: np.random.Generator, wide: int, high: int) -> Image:
    """A table: plain, grainy, striped, or patterned."""
    base = (
        rng.uniform(10, 245, 3)
        if rng.random() < 0.6
        else np.full(3, rng.uniform(15, 240)) + rng.normal(0, 8, 3)
    )
    canvas: NDArray[np.float32] = np.empty((high, wide, 3), np.float32)
    canvas[:] = base
    kind = rng.integers(4)
    if kind >= 1:
        shape = (max(2, high // int(rng.integers(2, 30))), max(2, wide // int(rng.integers(2, 30))))
        grain = rng.normal(0, rng.uniform(3, 30), shape).astype(np.float32)
        canvas += cv2.resize(grain, (wide, high), interpolation=cv2.INTER_LINEAR)[..., None]
    picture = np.clip(canvas, 0, 255).astype(np.uint8)
    if kind == 3:
        paint(picture, rng, 12, inks=art_inks(rng))
    return picture
