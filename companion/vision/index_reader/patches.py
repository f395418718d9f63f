"""Training patches: corners of drawn cards as a phone would see them, and what is no index at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Floats, Image, as_floats
from companion.vision.index_reader.card_faces import (
    PER_MM,
    Box,
    DrawnCard,
    Style,
    art_inks,
    draw,
    ground_texture,
    paint,
    random_style,
    rounded,
)
from companion.vision.index_reader.classes import (
    HIGH,
    JOKER,
    RANK_CLASSES,
    RANKS,
    REJECT_RANK,
    REJECT_SUIT,
    SUITS,
    WIDE,
)
from companion.vision.index_reader.typefaces import Typeface

ANY = -1
"""A label that is not learnt from."""
STRANGE = (
    tuple("CEFGILMNOPSTUWXYZ1ÖÜÆØ")
    + tuple("ДТКВФ")
    + ("0", "11", "12", "13", "14", "21", "Kn", "Kg", "Ás", "Re")
)
"""What stands in corners of other decks, and is none of the ranks."""
_HIDDEN, _WHOLE = 0.32, 0.07
"""Share of a sign that is covered from which it is not to be read, and up to which it is."""


@dataclass(frozen=True, slots=True)
class Patch:
    """What the network sees, and what it is to say."""

    picture: Image
    """(HIGH, WIDE, 3), BGR."""
    rank: int
    suit: int


@dataclass(frozen=True, slots=True)
class Studio:
    """What pictures are made of."""

    faces: Sequence[Typeface]
    printed: Sequence[dict[str, Image]]
    strangers: Sequence[Image] = ()
    """Faces of other games, `PER_MM` pixels a millimetre."""


def patches_of_a_table(rng: np.random.Generator, studio: Studio) -> list[Patch]:
    """Some patches of one drawn card and its neighbours."""
    kind = rng.random()
    if kind < 0.05 and studio.strangers:
        return [_stranger(rng, studio) for _ in range(2)]
    if kind < 0.09:
        return [_clutter(rng, studio) for _ in range(2)]
    strange = STRANGE if kind < 0.16 else tuple("BVHDR") if kind < 0.34 else ()
    style = random_style(rng, studio.faces, studio.printed, strange)
    rank = _rank(rng, style)
    suit = "SHCD"[rng.integers(4)]
    card = draw(style, rank, suit)
    other = draw(style, _rank(rng, style), "SHCD"[rng.integers(4)])
    table = ground_texture(rng, 160, 200)
    found = []
    for _ in range(6):
        found.append(_index(rng, card, other, table))
    found.append(_elsewhere(rng, card, other, table))
    if rank not in ("J", "Q", "K", JOKER) and rng.random() < 0.8:
        found.append(_pip_pair(rng, card, other, table))
    return [patch for patch in found if patch is not None]


def _rank(rng: np.random.Generator, style: Style) -> str:
    if style.letters:
        return str(rng.choice(list(style.letters)))
    return JOKER if rng.random() < 0.03 else RANKS[rng.integers(len(RANKS))]


def _index(
    rng: np.random.Generator, card: DrawnCard, other: DrawnCard, table: Image
) -> Patch | None:
    """A corner with its index, seen in one of the ways in which the reader looks."""
    left, top, right, bottom = card.index
    box_high, box_wide = bottom - top, right - left
    if rng.random() < 0.45:  # a window that begins at the card's corner
        fit = max(box_high + top, (box_wide + left) * HIGH / WIDE) / 0.97
        high = fit * rng.uniform(1.0, 1.75)
        x, y = rng.normal(0, 0.7, 2)
    else:  # a window around a pair of blobs
        fill = rng.uniform(0.5, 0.93)
        high = max(box_high / fill, box_wide * HIGH / WIDE / 0.95)
        wide = high * WIDE / HIGH
        x = left - rng.uniform(-0.02, 1.02) * max(0.1, wide - box_wide)
        y = top - rng.uniform(-0.02, 1.02) * max(0.1, high - box_high)
        if rng.random() < 0.6:  # mostly about in the middle
            x = left + box_wide / 2 - wide / 2 + rng.normal(0, 0.06) * wide
            y = top + box_high / 2 - high / 2 + rng.normal(0, 0.04) * high
    angle = rng.normal(0, 5) if rng.random() < 0.8 else rng.uniform(-16, 16)
    window = _window(rng, x, y, high, angle)
    rank: int = RANK_CLASSES.get(card.rank, REJECT_RANK)
    suit = ANY if card.rank == JOKER else SUITS.index(card.suit)
    over = _over(rng, card, other) if rng.random() < 0.4 else None
    if over is not None:
        rank, suit = _left_to_see(card, over, rank, suit)
    for box, what in ((card.rank_box, "rank"), (card.suit_box, "suit")):
        out = _outside(window, box)
        if out > 0.12:
            if what == "rank":
                rank = REJECT_RANK if out > 0.4 else ANY
            else:
                suit = ANY
    if rank == ANY:
        return None
    if rng.random() < 0.07:  # upside down, or on its side: no index
        window = np.roll(window, int(rng.integers(1, 4)) if rng.random() < 0.3 else 2, axis=0)
        rank, suit = REJECT_RANK, REJECT_SUIT
    seen = _look(rng, window, card, other, over, table)
    return Patch(_degraded(rng, seen), rank, suit)


def _window(rng: np.random.Generator, x: float, y: float, high: float, angle: float) -> Floats:
    """Corners, in millimetres of the card, of what a patch shows; a little askew."""
    wide = high * WIDE / HIGH
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]]) - [wide / 2, high / 2]
    corners *= [np.exp(rng.normal(0, 0.07)), 1]
    turn = np.deg2rad(angle)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    shear = np.array([[1, rng.normal(0, 0.06)], [0, 1]])
    corners = corners @ shear.T @ spin.T + rng.normal(0, 0.018 * high, (4, 2))
    return as_floats(corners + np.array([wide / 2 + x, high / 2 + y]))


def _outside(window: Floats, box: Box) -> float:
    """Share of a box that lies outside the window."""
    xs, ys = np.linspace(box[0], box[2], 7), np.linspace(box[1], box[3], 7)
    inside = [
        cv2.pointPolygonTest(window, (float(x), float(y)), False) >= 0 for x in xs for y in ys
    ]
    return 1 - sum(inside) / len(inside)


def _over(rng: np.random.Generator, card: DrawnCard, other: DrawnCard) -> Floats:
    """Corners, in millimetres of the card, of another that lies on it, as in a fan or a column."""
    wide, high = other.style.width, other.style.height
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]])
    turn = np.deg2rad(rng.normal(4, 5))
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    left, top, right, bottom = card.index
    if rng.random() < 0.7:  # to the right
        shift = [rng.uniform(left + 0.4 * (right - left), right + 8), rng.uniform(-4, 8)]
    elif rng.random() < 0.7:  # below
        shift = [rng.uniform(-6, 6), rng.uniform(top + 0.5 * (bottom - top), bottom + 10)]
    else:  # the corner is under the other's foot
        shift = [rng.uniform(-wide + 1, left + 2), rng.uniform(bottom, bottom + 9)]
    return as_floats(corners @ spin.T + shift)


def _left_to_see(card: DrawnCard, over: Floats, rank: int, suit: int) -> tuple[int, int]:
    """The labels once another card lies on it; `ANY` where it is a matter of taste."""

    def hidden(box: Box) -> float:
        xs, ys = np.linspace(box[0], box[2], 9), np.linspace(box[1], box[3], 9)
        under = [
            cv2.pointPolygonTest(over, (float(x), float(y)), False) >= 0 for x in xs for y in ys
        ]
        return sum(under) / len(under)

    of_rank, of_suit = hidden(card.rank_box), hidden(card.suit_box)
    if of_rank > _WHOLE:
        rank = REJECT_RANK if of_rank > _HIDDEN else ANY
    if of_suit > 2 * _WHOLE:
        suit = REJECT_SUIT if of_suit > 0.6 else ANY
    return rank, suit


def _elsewhere(
    rng: np.random.Generator, card: DrawnCard, other: DrawnCard, table: Image
) -> Patch | None:
    """Some other place of the card: pips, pictures, edges, bare paper."""
    _, top, _, bottom = card.index
    index_high = bottom - top
    high = index_high * rng.uniform(0.7, 2.0) if rng.random() < 0.7 else rng.uniform(10, 40)
    wide = high * WIDE / HIGH
    across, down = card.style.width, card.style.height
    if rng.random() < 0.4:  # the corners where an index may not be
        x, y = across - wide * rng.uniform(0.8, 1.1), rng.normal(0, 1.0)
        if card.style.corners == 4:
            return None
    else:
        x, y = (
            rng.uniform(-0.3 * wide, across - 0.6 * wide),
            rng.uniform(-0.3 * high, down - 0.6 * high),
        )
    window = _window(rng, x, y, high, rng.normal(0, 8))
    if rng.random() < 0.2:
        window = np.roll(window, int(rng.integers(1, 4)), axis=0)
    boxes = [card.rank_box]
    if card.style.corners == 4:
        boxes.append(
            (
                across - card.rank_box[2],
                card.rank_box[1],
                across - card.rank_box[0],
                card.rank_box[3],
            )
        )
    if any(_outside(window, box) < 0.55 for box in boxes):
        return None
    return Patch(
        _degraded(rng, _look(rng, window, card, other, None, table)), REJECT_RANK, REJECT_SUIT
    )


def _pip_pair(
    rng: np.random.Generator, card: DrawnCard, other: DrawnCard, table: Image
) -> Patch | None:
    """Pips over each other, or one alone, as the detector would cut them: they look like a 9, or an A."""
    style = card.style
    wide_mm, high_mm = style.width, style.height
    pips = [
        (0.3, 0.2),
        (0.7, 0.2),
        (0.3, 0.5),
        (0.5, 0.5),
        (0.3, 0.8),
        (0.5, 0.35),
        (0.5, 0.2),
        (0.7, 0.6),
    ]
    px, py = pips[rng.integers(len(pips))]
    size = style.pip_high
    high = size * rng.uniform(1.2, 3.4)
    wide = high * WIDE / HIGH
    x = px * wide_mm - wide / 2 + rng.normal(0, 0.1) * wide
    y = py * high_mm - high / 2 + rng.uniform(-0.35, 0.35) * high
    window = _window(rng, x, y, high, rng.normal(0, 8))
    if rng.random() < 0.4:
        window = np.roll(window, 2 if rng.random() < 0.8 else 1, axis=0)
    if _outside(window, card.rank_box) < 0.75:
        return None
    return Patch(
        _degraded(rng, _look(rng, window, card, other, None, table)), REJECT_RANK, REJECT_SUIT
    )


def _stranger(rng: np.random.Generator, studio: Studio) -> Patch:
    """A corner, or any other part, of a card of another game."""
    face = studio.strangers[int(rng.integers(len(studio.strangers)))]
    high_px, wide_px = face.shape[:2]
    across, down = wide_px / PER_MM, high_px / PER_MM
    high = rng.uniform(10, 42)
    wide = high * WIDE / HIGH
    if rng.random() < 0.5:
        x, y = rng.normal(0, 1, 2)
    else:
        x, y = (
            rng.uniform(-0.2 * wide, across - 0.7 * wide),
            rng.uniform(-0.2 * high, down - 0.7 * high),
        )
    window = _window(rng, x, y, high, rng.normal(0, 5))
    if rng.random() < 0.5:
        window = as_floats(np.array([across, down]) - window)
    table = ground_texture(rng, 96, 144)
    canvas = np.asarray(cv2.resize(table, (2 * WIDE, 2 * HIGH)), np.uint8)
    _lay(canvas, face, window, None)
    return Patch(_degraded(rng, canvas), REJECT_RANK, REJECT_SUIT)


def _clutter(rng: np.random.Generator, studio: Studio) -> Patch:
    """A table, shapes, words: whatever lies around."""
    canvas = ground_texture(rng, 2 * WIDE, 2 * HIGH)
    kind = rng.random()
    if kind < 0.5:
        paint(canvas, rng, int(rng.integers(1, 14)), inks=art_inks(rng))
    elif kind < 0.85:  # words and letters
        face = studio.faces[int(rng.integers(len(studio.faces)))]
        for _ in range(int(rng.integers(1, 5))):
            word = "".join(
                rng.choice(list("abcdefghimnoprstuwxyEFGLMNPSTUWXYZ"))
                for _ in range(int(rng.integers(1, 5)))
            )
            mask = face.glyph(word)
            size = rng.uniform(20, 90)
            ink = art_inks(rng)[int(rng.integers(7))]
            wide = int(size * mask.shape[1] / mask.shape[0]) + 2
            small = cv2.resize(mask, (wide, int(size)), interpolation=cv2.INTER_AREA)
            at = int(rng.integers(-20, 100)), int(rng.integers(-10, 170))
            _print_over(canvas, np.asarray(small, np.uint8), at, ink)
    return Patch(_degraded(rng, canvas), REJECT_RANK, REJECT_SUIT)


def _print_over(canvas: Image, mask: Image, at: tuple[int, int], ink: tuple[int, int, int]) -> None:
    from companion.vision.index_reader.card_faces import stamp

    x, y = at
    box = (x / PER_MM, y / PER_MM, (x + mask.shape[1]) / PER_MM, (y + mask.shape[0]) / PER_MM)
    stamp(canvas, mask, box, ink)


def _look(
    rng: np.random.Generator,
    window: Floats,
    card: DrawnCard,
    other: DrawnCard,
    over: Floats | None,
    table: Image,
) -> Image:
    """What the window shows, at twice the size of a patch."""
    x, y = int(rng.integers(0, table.shape[1] - WIDE)), int(rng.integers(0, table.shape[0] - HIGH))
    under = table[y : y + HIGH, x : x + WIDE]
    canvas = np.asarray(
        cv2.resize(under, (2 * WIDE, 2 * HIGH), interpolation=cv2.INTER_LINEAR), np.uint8
    )
    if rng.random() < 0.3:  # it lies on another card
        beneath = as_floats(_over(rng, card, other) - rng.uniform(5, 60, 2))
        _lay_at(canvas, other.picture, window, beneath, rng)
    _lay(canvas, card.picture, window, rng if rng.random() < 0.5 else None)
    if over is not None:
        _lay_at(canvas, other.picture, window, over, rng)
    return canvas


def _lay(canvas: Image, picture: Image, window: Floats, shade: np.random.Generator | None) -> None:
    """Lays a card on the canvas, which shows the window of it (millimetres of that card)."""
    target = np.array([[0, 0], [2 * WIDE, 0], [2 * WIDE, 2 * HIGH], [0, 2 * HIGH]], np.float32)
    matrix = cv2.getPerspectiveTransform(as_floats(window * PER_MM), target)
    _paste(canvas, picture, np.asarray(matrix, np.float64), shade)


def _lay_at(
    canvas: Image, picture: Image, window: Floats, place: Floats, rng: np.random.Generator
) -> None:
    """Lays another card on the canvas, its corners at `place` in millimetres of the first."""
    high, wide = picture.shape[:2]
    own = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    target = np.array([[0, 0], [2 * WIDE, 0], [2 * WIDE, 2 * HIGH], [0, 2 * HIGH]], np.float32)
    to_first = cv2.getPerspectiveTransform(own, as_floats(place))
    to_canvas = cv2.getPerspectiveTransform(window, target)
    _paste(canvas, picture, np.asarray(to_canvas @ to_first, np.float64), rng)


def _paste(
    canvas: Image, picture: Image, matrix: NDArray[np.float64], shade: np.random.Generator | None
) -> None:
    size = (canvas.shape[1], canvas.shape[0])
    mask = _rounded(picture.shape[1], picture.shape[0])
    seen = cv2.warpPerspective(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(mask, matrix, size).astype(np.float32) / 255
    if shade is not None:  # its edge throws a shadow
        reach = 2 * int(shade.integers(1, 8)) + 1
        spread = cv2.blur(share, (reach, reach))
        light = 1 - float(shade.uniform(0.1, 0.5)) * spread
        canvas[:] = cv2.multiply(canvas, cv2.merge([light] * 3), dtype=cv2.CV_8U)
    cv2.blendLinear(seen, canvas, share, 1 - share, canvas)


_MASKS: dict[tuple[int, int], Image] = {}


def _rounded(wide: int, high: int) -> Image:
    """A card's shape, its corners round."""
    if (wide, high) not in _MASKS:
        if len(_MASKS) > 200:
            _MASKS.clear()
        _MASKS[wide, high] = rounded(wide, high, 3.2 * PER_MM)
    return _MASKS[wide, high]


def _degraded(rng: np.random.Generator, canvas: Image) -> Image:
    """As a phone would have it: light, colour cast, glare, blur, few pixels, noise, JPEG."""
    seen: NDArray[Any] = canvas.astype(np.float32)
    high, wide = seen.shape[:2]
    light = rng.uniform(0.35, 1.08) if rng.random() < 0.5 else rng.uniform(0.75, 1.05)
    cast = np.exp(rng.normal(0, 0.07, 3)) if rng.random() < 0.7 else np.exp(rng.normal(0, 0.2, 3))
    seen *= (light * cast / cast.max()).astype(np.float32)
    if rng.random() < 0.4:  # uneven light
        ramp = cv2.resize(rng.uniform(0.55, 1.15, (2, 2)).astype(np.float32), (wide, high))
        seen *= ramp[..., None]
    if rng.random() < 0.25:
        seen = seen + rng.uniform(0, 50)  # haze
    if rng.random() < 0.12:  # glare
        spot: NDArray[Any] = np.zeros((high, wide), np.float32)
        at = int(rng.integers(wide)), int(rng.integers(high))
        axes = int(rng.integers(12, 60)), int(rng.integers(12, 90))
        cv2.ellipse(spot, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        spot = cv2.GaussianBlur(spot, (0, 0), 12)
        seen += (rng.uniform(40, 200) * spot)[..., None]
    small_by = rng.uniform(0.55, 1.0) if rng.random() < 0.6 else rng.uniform(0.26, 0.6)
    size = (max(14, round(WIDE * small_by)), max(20, round(HIGH * small_by)))
    seen = np.clip(seen, 0, 255)
    if rng.random() < 0.55:
        seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.5, 2.6)))
    if rng.random() < 0.1:  # a hand that moved
        length = int(rng.integers(3, 9))
        kernel: NDArray[Any] = np.zeros((length, length), np.float32)
        kernel[length // 2] = 1 / length
        spun = cv2.getRotationMatrix2D(
            (length / 2 - 0.5, length / 2 - 0.5), float(rng.uniform(0, 180)), 1
        )
        kernel = cv2.warpAffine(kernel, spun, (length, length))
        seen = cv2.filter2D(seen, -1, as_floats(kernel / max(float(kernel.sum()), 1e-3)))
    little: NDArray[Any] = cv2.resize(seen, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.3:  # sharpened by the phone
        little = little + rng.uniform(0.3, 1.2) * (little - cv2.GaussianBlur(little, (0, 0), 1.0))
    little = little + rng.normal(0, rng.uniform(0.5, 9), little.shape)
    done: Image = np.clip(little, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        quality = int(rng.integers(25, 92))
        _, data = cv2.imencode(".jpg", done, [int(cv2.IMWRITE_JPEG_QUALITY), quality])
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    how = cv2.INTER_LINEAR if rng.random() < 0.7 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(done, (WIDE, HIGH), interpolation=how), np.uint8)
