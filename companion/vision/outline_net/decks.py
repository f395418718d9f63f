"""Decks that nobody printed, drawn by code: what the outline finder is trained on.

A deck has a shape, a paper and a way of filling its faces, so that its cards look like each other and like
no other deck's.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Image, as_image
from companion.vision.index_reader.card_faces import art_inks, draw, paint, random_style, rounded
from companion.vision.index_reader.classes import RANKS
from companion.vision.index_reader.patches import Studio
from companion.vision.index_reader.typefaces import Typeface

HIGH = 224
"""Pixels of height of a drawn face."""
_FACES = 7
"""Most different faces of a deck that lie on one table."""
Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Deck:
    """Some faces of one deck, BGR, and the shape that all have."""

    faces: tuple[Image, ...]
    shape: Image
    """255 within the card, 0 outside: its corners are more or less round."""

    @property
    def tall(self) -> float:
        """Height over width."""
        high, wide = self.shape.shape
        return float(high / wide)


def made_up_deck(rng: np.random.Generator, studio: Studio) -> Deck:
    """A deck of its own; one in five is a standard one."""
    if rng.random() < 0.22:
        return _standard(rng, studio)
    tall = rng.uniform(1.3, 1.62) if rng.random() < 0.8 else rng.uniform(1.0, 1.8)
    wide = round(HIGH / tall)
    fill = _FILLS[rng.choice(len(_FILLS), p=_SHARES)]
    base = _paper(rng) if rng.random() < 0.65 else _any_colour(rng)
    border = round(rng.uniform(0.02, 0.1) * wide) if rng.random() < 0.75 else 0
    rim = base if rng.random() < 0.5 else _paper(rng) if rng.random() < 0.7 else _any_colour(rng)
    inks = [*art_inks(rng), *(_any_colour(rng) for _ in range(3))]
    line = int(rng.integers(0, 3))
    seed = int(rng.integers(2**31))
    faces = []
    for number in range(int(rng.integers(1, _FACES + 1))):
        face = np.empty((HIGH, wide, 3), np.uint8)
        face[:] = rim
        inner = face[border : HIGH - border, border : wide - border]
        inner[:] = base
        own, alike = np.random.default_rng([seed, number]), np.random.default_rng(seed)
        fill(inner, Look(own, alike, inks, studio.faces))
        if border and line:
            corner = (wide - border, HIGH - border)
            cv2.rectangle(face, (border, border), corner, inks[0], line)
        faces.append(face)
    round_by = rng.uniform(0.02, 0.09) if rng.random() < 0.85 else 0.0
    return Deck(tuple(faces), rounded(wide, HIGH, round_by * wide, cv2.LINE_AA))


def _standard(rng: np.random.Generator, studio: Studio) -> Deck:
    style = random_style(rng, studio.faces, studio.printed)
    faces = []
    for _ in range(int(rng.integers(2, _FACES + 1))):
        card = draw(style, RANKS[rng.integers(len(RANKS))], "SHCD"[rng.integers(4)]).picture
        wide = round(HIGH * card.shape[1] / card.shape[0])
        faces.append(as_image(cv2.resize(card, (wide, HIGH), interpolation=cv2.INTER_AREA)))
    return Deck(tuple(faces), rounded(wide, HIGH, rng.uniform(0.03, 0.07) * wide, cv2.LINE_AA))


def _paper(rng: np.random.Generator) -> Colour:
    light = rng.uniform(215, 255)
    b, g, r = np.clip(light - rng.uniform(0, 1, 3) * (30, 8, 4), 0, 255)
    return int(b), int(g), int(r)


def _any_colour(rng: np.random.Generator) -> Colour:
    b, g, r = rng.integers(0, 256, 3)
    return int(b), int(g), int(r)


@dataclass(frozen=True, slots=True)
class Look:
    """What a face is filled with."""

    own: np.random.Generator
    """Of this face alone."""
    deck: np.random.Generator
    """The same for all faces of the deck."""
    inks: Sequence[Colour]
    faces: Sequence[Typeface]


def _picture(face: Image, look: Look) -> None:
    """Shapes and strokes on soft colours, as painted cards have them."""
    _clouds(face, look.own, look.deck.uniform(10, 60))
    paint(face, look.own, int(look.deck.integers(10, 40)), inks=look.inks)
    _caption(face, look)


def _illustration(face: Image, look: Look) -> None:
    """A few large flat areas, as in drawn pictures: bands of sky and land, and something before them."""
    high, wide = face.shape[:2]
    inset = round(look.deck.uniform(0, 0.08) * wide)
    foot = round(look.deck.uniform(0.72, 1.0) * high) - inset
    part = face[inset : max(foot, inset + 20), inset : wide - inset]
    tall = part.shape[0]
    top = 0
    for _ in range(int(look.own.integers(1, 5))):
        below = int(look.own.uniform(top, tall))
        part[top : below + 1] = _any_colour(look.own) if look.own.random() < 0.7 else look.inks[-1]
        top = below
    if look.own.random() < 0.5:  # a medallion behind
        size = int(look.own.uniform(0.25, 0.48) * wide)
        cv2.circle(part, (wide // 2 - inset, tall // 2), size, _paper(look.own), -1, cv2.LINE_AA)
    for _ in range(int(look.own.integers(1, 6))):
        middle = look.own.uniform(0.2, 0.8, 2) * (part.shape[1], tall)
        angles = np.sort(look.own.uniform(0, 2 * np.pi, int(look.own.integers(3, 8))))
        reach = look.own.uniform(0.1, 0.45, len(angles)) * wide
        points = middle + reach[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        ink = (
            _any_colour(look.own)
            if look.own.random() < 0.5
            else look.inks[int(look.own.integers(len(look.inks)))]
        )
        cv2.fillPoly(part, [points.astype(np.int32)], ink, cv2.LINE_AA)
    if look.deck.random() < 0.4:
        cv2.rectangle(
            face, (inset, inset), (wide - inset, foot), look.inks[0], int(look.deck.integers(1, 4))
        )
    if foot < 0.9 * high:
        at = (0.2 * wide, foot + 0.25 * (high - foot))
        _print(face, look, at, 0.4 * (high - foot), look.inks[0], 8)
    _caption(face, look)


def _clouds(face: Image, rng: np.random.Generator, depth: float) -> None:
    """Soft colours of several sizes over the face."""
    high, wide = face.shape[:2]
    sum_: NDArray[np.float32] = face.astype(np.float32)
    for cells in (2, 5, 12, 40):
        field = rng.normal(0, depth, (cells + 1, cells, 3)).astype(np.float32)
        sum_ += cv2.resize(field, (wide, high), interpolation=cv2.INTER_CUBIC)
        depth *= 0.7
    face[:] = np.clip(sum_, 0, 255)


def _caption(face: Image, look: Look) -> None:
    """A band with a few letters, and a number in a corner, where the deck has them."""
    high, wide = face.shape[:2]
    if look.deck.random() < 0.4:
        tall = round(look.deck.uniform(0.08, 0.16) * high)
        top = 0 if look.deck.random() < 0.5 else high - tall
        face[top : top + tall] = _paper(look.deck)
        _print(face, look, (0.06 * wide, top + 0.2 * tall), 0.6 * tall, look.inks[-1], 7)
    if look.deck.random() < 0.4:
        radius = round(look.deck.uniform(0.06, 0.13) * wide)
        at = (
            (radius + 3, radius + 3)
            if look.deck.random() < 0.7
            else (wide - radius - 4, radius + 3)
        )
        cv2.circle(face, at, radius, _paper(look.deck), -1, cv2.LINE_AA)
        spot = (at[0] - 0.4 * radius, at[1] - 0.6 * radius)
        _print(face, look, spot, 1.2 * radius, look.inks[-2], 1)


def _print(
    face: Image,
    look: Look,
    at: tuple[float, float],
    tall: float,
    ink: Colour,
    most: int,
) -> None:
    """Some letters from there to the right."""
    kind = look.faces[int(look.own.integers(len(look.faces)))]
    x, y = int(at[0]), int(at[1])
    for _ in range(int(look.own.integers(1, most + 1))):
        glyph = kind.glyph("A23456789JQKBVHDR"[int(look.own.integers(17))])
        scale = tall / max(glyph.shape[0], 1)
        size = (max(1, round(glyph.shape[1] * scale)), max(1, round(tall)))
        small = cv2.resize(glyph, size, interpolation=cv2.INTER_AREA)
        part = face[max(0, y) : y + size[1], max(0, x) : x + size[0]]
        if part.shape[:2] != small.shape:
            return
        share = (small.astype(np.float32) / 255)[..., None]
        part[:] = part * (1 - share) + np.array(ink, np.float32) * share
        x += size[0] + max(1, round(0.1 * tall))


def _shapes(face: Image, look: Look) -> None:
    """A few large flat signs, alike, in one ink."""
    high, wide = face.shape[:2]
    ink = look.inks[int(look.own.integers(len(look.inks)))]
    count, kind = int(look.own.integers(1, 5)), int(look.own.integers(5))
    thick = -1 if look.own.random() < 0.7 else int(look.own.integers(2, 6))
    size = wide * look.deck.uniform(0.14, 0.26)
    for i in range(count):
        x, y = wide / 2, high * (i + 1) / (count + 1)
        if kind == 0:
            cv2.circle(face, (int(x), int(y)), int(size), ink, thick, cv2.LINE_AA)
        elif kind == 1:
            a, b = (
                (int(x - 1.4 * size), int(y - 0.6 * size)),
                (int(x + 1.4 * size), int(y + 0.6 * size)),
            )
            cv2.rectangle(face, a, b, ink, thick)
        elif kind == 2:
            axes = (int(1.4 * size), int(0.7 * size))
            cv2.ellipse(face, (int(x), int(y)), axes, 0, 0, 360, ink, thick, cv2.LINE_AA)
        else:
            angles = np.arange(3 + kind) * 2 * np.pi / (3 + kind) + look.own.uniform(0, 6)
            star = size * np.where(np.arange(3 + kind) % 2, look.deck.uniform(0.4, 1), 1)
            points = np.column_stack([x + star * np.cos(angles), y + star * np.sin(angles)])
            outline = [points.astype(np.int32)]
            if thick < 0:
                cv2.fillPoly(face, outline, ink, cv2.LINE_AA)
            else:
                cv2.polylines(face, outline, True, ink, thick, cv2.LINE_AA)
    _caption(face, look)


def _back(face: Image, look: Look) -> None:
    """A pattern all over, the same on every card."""
    face[:] = look.inks[int(look.deck.integers(len(look.inks)))]
    high, wide = face.shape[:2]
    ink = (
        _paper(look.deck)
        if look.deck.random() < 0.7
        else look.inks[int(look.deck.integers(len(look.inks)))]
    )
    step, kind, thick = (
        int(look.deck.integers(5, 30)),
        look.deck.integers(4),
        int(look.deck.integers(1, 3)),
    )
    for at in range(-high, wide + high, step):
        if kind == 0:
            cv2.line(face, (at, 0), (at + high, high), ink, thick, cv2.LINE_AA)
            cv2.line(face, (at, high), (at + high, 0), ink, thick, cv2.LINE_AA)
        elif kind == 1:
            cv2.line(face, (at, 0), (at, high), ink, thick)
            cv2.line(face, (0, at), (wide, at), ink, thick)
        elif kind == 2:
            for y in range(0, high, step):
                cv2.circle(face, (at, y), max(1, step // 3), ink, thick - 2, cv2.LINE_AA)
        else:
            cv2.circle(face, (wide // 2, high // 2), max(1, abs(at)), ink, thick, cv2.LINE_AA)


def _words(face: Image, look: Look) -> None:
    """Lines of print under a heading, with a picture where the deck has one."""
    high, wide = face.shape[:2]
    if look.deck.random() < 0.6:
        part = face[
            round(0.12 * high) : round(look.deck.uniform(0.35, 0.6) * high),
            wide // 12 : -wide // 12,
        ]
        _clouds(part, look.own, 30)
        paint(part, look.own, 12, inks=look.inks)
    _print(face, look, (0.08 * wide, 0.03 * high), 0.07 * high, look.inks[0], 8)
    tall = max(2, round(look.deck.uniform(0.015, 0.03) * high))
    for y in range(round(0.64 * high), round(0.93 * high), 2 * tall):
        x = round(0.08 * wide)
        while x < 0.86 * wide:
            long = int(look.own.integers(2, 14))
            cv2.rectangle(
                face, (x, y), (min(x + long, int(0.92 * wide)), y + tall - 1), look.inks[-1], -1
            )
            x += long + 3


def _plain(face: Image, look: Look) -> None:
    """Nothing but its own soft colours."""
    _clouds(face, look.own if look.deck.random() < 0.5 else look.deck, look.deck.uniform(2, 40))


_FILLS: tuple[Callable[[Image, Look], None], ...] = (
    _illustration,
    _picture,
    _shapes,
    _back,
    _words,
    _plain,
)
_SHARES = (0.3, 0.26, 0.16, 0.1, 0.13, 0.05)
