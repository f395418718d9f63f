"""Training pictures: drawn cards on drawn tables as a phone would see them, and where each card lies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import (
    Floats,
    Image,
    Quad,
    as_floats,
    as_image,
    corners_of,
    homography,
)
from companion.vision.index_reader.card_faces import art_inks, paint
from companion.vision.index_reader.patches import Studio
from companion.vision.outline_net.decks import Deck, made_up_deck

SIDE = 320
"""Pixels of a scene, both ways."""
MOST = 72
"""Most cards of a scene."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A picture (SIDE, SIDE, 3; BGR) and its cards."""

    picture: Image
    quads: tuple[Quad, ...]
    """All of each card, also what is covered, in the order in which they were laid."""


Place = tuple[float, float, float]
"""Middle of a card, in card widths, and degrees that it is turned."""


def scene(rng: np.random.Generator, studio: Studio) -> Scene:
    """Cards on a table; one picture in sixteen shows none."""
    decks = [made_up_deck(rng, studio)]
    if rng.random() < 0.12:
        decks.append(made_up_deck(rng, studio))
    places = [] if rng.random() < 0.06 else _layout(rng, decks[0].tall)
    plane = _camera(rng, places)
    canvas = _table(rng, plane)
    _strew(rng, canvas, plane, before=True)
    light = _Light.of(rng)
    quads = []
    for x, y, degrees in places[:MOST]:
        deck = decks[int(rng.integers(len(decks)))] if rng.random() < 0.3 else decks[0]
        quads.append(_projected(_corners(x, y, degrees, deck.tall), plane))
        _lay(canvas, deck, quads[-1], light, rng)
    _strew(rng, canvas, plane, before=False)
    return Scene(_seen(rng, canvas), tuple(quads))


def _layout(rng: np.random.Generator, tall: float) -> list[Place]:
    """Cards as hands lay them: in rows, columns, fans, tricks, heaps, or one alone."""
    kind = rng.random()
    jitter, askew = rng.uniform(0, 0.06), rng.uniform(0, 5)

    def place(x: float, y: float, turn: float = 0.0) -> Place:
        dx, dy = rng.normal(0, jitter, 2)
        return x + float(dx), y + float(dy), turn + float(rng.normal(0, askew))

    if kind < 0.1:
        return [place(0, 0)]
    if kind < 0.58:
        columns, rows = int(rng.integers(2, 15)), int(rng.choice([1, 1, 2, 3, 4]))
        how = rng.random()
        if how < 0.3:
            gap, jitter, askew = rng.uniform(0, 0.03), rng.uniform(0, 0.01), rng.uniform(0, 0.6)
        else:
            gap = rng.uniform(0.03, 0.5) if how < 0.6 else -rng.uniform(0.1, 0.75)
        down = tall + (rng.uniform(0.0, 0.5) if rng.random() < 0.75 else -rng.uniform(0.1, 1.1))
        places = [
            place(c * (1 + gap), r * down)
            for r in range(rows)
            for c in range(columns)
            if rng.random() < 0.93
        ]
        return places[::-1] if rng.random() < 0.5 else places
    if kind < 0.7:  # a fan
        count, reach = int(rng.integers(3, 14)), rng.uniform(1.2, 3.5)
        step = rng.uniform(4, 14)
        turns = [(i - count / 2) * step for i in range(count)]
        return [
            place(reach * np.sin(np.deg2rad(t)), -reach * np.cos(np.deg2rad(t)), t) for t in turns
        ]
    if kind < 0.8:  # columns, as in patience
        columns, deep = int(rng.integers(1, 7)), int(rng.integers(2, 9))
        gap, step = rng.uniform(0.05, 0.4), rng.uniform(0.22, 0.7)
        return [place(c * (1 + gap), r * step) for c in range(columns) for r in range(deep)]
    count = int(rng.integers(2, 12))  # a trick, or cards strewn
    spread = rng.uniform(0.8, 1.6) * np.sqrt(count)
    turned = 180.0 if rng.random() < 0.7 else 12.0
    strewn = []
    for _ in range(count):
        x, y = rng.uniform(-spread, spread, 2).tolist()
        strewn.append(place(x, y, float(rng.uniform(-turned, turned))))
    return strewn


def _corners(x: float, y: float, degrees: float, tall: float) -> Floats:
    """Corners of a card on the table, in card widths."""
    turn = np.deg2rad(degrees)
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    own = np.array([[-0.5, -tall / 2], [0.5, -tall / 2], [0.5, tall / 2], [-0.5, tall / 2]])
    return as_floats(own @ spin.T + (x, y))


def _camera(rng: np.random.Generator, places: Sequence[Place]) -> NDArray[np.float64]:
    """The homography from the table, in card widths, to the picture."""
    middles = np.array([p[:2] for p in places]) if places else np.zeros((1, 2))
    spread = float(np.ptp(middles, axis=0).max()) + 1.6
    wide = SIDE / spread * rng.uniform(0.7, 1.15)
    wide = float(np.clip(wide, 16, 190)) if rng.random() < 0.85 else float(rng.uniform(18, 150))
    turn = rng.normal(0, 5) if rng.random() < 0.6 else rng.uniform(-180, 180)
    turn += float(rng.choice([0, 0, 0, 90, 180]))
    tilt = rng.uniform(0, 14) if rng.random() < 0.7 else rng.uniform(14, 42)
    yaw, turn, tilt = np.deg2rad([rng.normal(0, 4), turn, tilt])
    flat = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    nod = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    shake = np.array([[np.cos(yaw), 0, np.sin(yaw)], [0, 1, 0], [-np.sin(yaw), 0, np.cos(yaw)]])
    pose = shake @ nod @ flat
    focal = SIDE * rng.uniform(1.0, 2.2)
    look = np.column_stack([pose[:, 0], pose[:, 1], (0, 0, focal / wide)])
    low, high = middles.min(axis=0), middles.max(axis=0)
    centre = (low + high) / 2 + rng.normal(0, 0.25, 2)
    lens = np.array([[focal, 0, SIDE / 2], [0, focal, SIDE / 2], [0, 0, 1]])
    move = np.array([[1, 0, -centre[0]], [0, 1, -centre[1]], [0, 0, 1]])
    found: NDArray[np.float64] = lens @ look @ move
    return found


def _projected(points: Floats, plane: NDArray[np.float64]) -> Quad:
    seen = np.column_stack([points, np.ones(len(points))]) @ plane.T
    under = np.where(seen[:, 2:] > 0.05, seen[:, 2:], 0.05)
    return as_floats(np.clip(seen[:, :2] / under, -4 * SIDE, 5 * SIDE))


@dataclass(frozen=True, slots=True)
class _Light:
    """How shadows fall."""

    dark: float
    away: tuple[float, float]
    """In card widths."""
    soft: float

    @classmethod
    def of(cls, rng: np.random.Generator) -> "_Light":
        angle, far = rng.uniform(0, 2 * np.pi), rng.uniform(0, 0.05)
        return cls(
            float(rng.uniform(0, 0.75)),
            (float(np.cos(angle) * far), float(np.sin(angle) * far)),
            float(rng.uniform(0.005, 0.04)),
        )


def _lay(canvas: Image, deck: Deck, quad: Quad, light: _Light, rng: np.random.Generator) -> None:
    """Lays a card over what lies there."""
    face, shape = deck.faces[int(rng.integers(len(deck.faces)))], deck.shape
    if rng.random() < 0.5:
        face = as_image(face[::-1, ::-1])
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    pad = round(0.12 * wide) + 3
    low = np.clip(np.floor(quad.min(axis=0)) - pad, 0, SIDE).astype(int)
    high = np.clip(np.ceil(quad.max(axis=0)) + pad, 0, SIDE).astype(int)
    if (high - low < 2).any():
        return
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    shrink = min(1.0, 1.15 * wide / face.shape[1])
    if shrink < 0.9:
        small = (max(6, round(face.shape[1] * shrink)), max(8, round(face.shape[0] * shrink)))
        face = as_image(cv2.resize(face, small, interpolation=cv2.INTER_AREA))
        shape = as_image(cv2.resize(shape, small, interpolation=cv2.INTER_AREA))
    own = corners_of(face.shape[1], face.shape[0]) - 0.5
    matrix = homography(as_floats(own), as_floats(quad - low - 0.5))
    seen = cv2.warpPerspective(face, matrix, size, borderMode=cv2.BORDER_REPLICATE)
    share = cv2.warpPerspective(shape, matrix, size).astype(np.float32) / 255
    part = canvas[low[1] : high[1], low[0] : high[0]]
    if light.dark > 0.05:
        move = np.array([[1, 0, light.away[0] * wide], [0, 1, light.away[1] * wide]], np.float32)
        cast = cv2.warpAffine(share, move, size)
        cast = cv2.GaussianBlur(cast, (0, 0), max(0.4, light.soft * wide))
        part[:] = cv2.multiply(part, cv2.merge([1 - light.dark * cast] * 3), dtype=cv2.CV_8U)
    cv2.blendLinear(seen, np.ascontiguousarray(part), share, 1 - share, seen)
    part[:] = seen


def _table(rng: np.random.Generator, plane: NDArray[np.float64]) -> Image:
    """The bare table through the camera."""
    frame = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float32)
    on_table = _projected(frame, np.asarray(np.linalg.inv(plane), np.float64))
    low, spread = on_table.min(axis=0), float(np.ptp(on_table, axis=0).max())
    pixels = 420
    top = _texture(rng, pixels, pixels / min(spread, 60))
    scale = min(spread, 60) / pixels
    matrix = plane @ np.array([[scale, 0, low[0]], [0, scale, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(top, matrix, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)
    return as_image(seen)


def _texture(rng: np.random.Generator, pixels: int, unit: float) -> Image:
    """A table of that many pixels both ways; `unit`: pixels of a card's width."""
    base = (
        rng.uniform(5, 250, 3)
        if rng.random() < 0.45
        else rng.uniform(15, 250) + rng.normal(0, 8, 3)
    )
    if rng.random() < 0.14:  # white, as many cards are
        base = rng.uniform(200, 255) + rng.normal(0, 4, 3)
    top: NDArray[Any] = np.empty((pixels, pixels, 3), np.float32)
    top[:] = base
    kind = rng.random()
    if kind < 0.3:
        _grain(rng, top)
    elif kind < 0.42:
        _planks(rng, top, unit)
    elif kind < 0.72:
        _pattern(rng, top, unit)
    elif kind < 0.8:
        picture = np.clip(top, 0, 255).astype(np.uint8)
        paint(picture, rng, int(rng.integers(4, 60)), inks=art_inks(rng))
        top = picture.astype(np.float32)
    if rng.random() < 0.8:
        for cells in (3, 16, 90, pixels):
            depth = rng.uniform(0, 9)
            noise = rng.normal(0, depth, (cells, cells)).astype(np.float32)
            top += cv2.resize(noise, (pixels, pixels), interpolation=cv2.INTER_LINEAR)[..., None]
    if rng.random() < 0.12:  # the table ends, and something else begins
        at = int(rng.uniform(0, 0.35) * pixels)
        top[:at] = rng.uniform(0, 255, 3)
        top = np.rot90(top, int(rng.integers(4)))
    return np.ascontiguousarray(np.clip(top, 0, 255).astype(np.uint8))


def _grain(rng: np.random.Generator, top: NDArray[Any]) -> None:
    """Long soft streaks, as in wood or woven cloth."""
    pixels = top.shape[0]
    for _ in range(3):
        cells = (int(rng.integers(2, 12)), int(rng.integers(20, pixels)))
        if rng.random() < 0.5:
            cells = cells[::-1]
        streaks = rng.normal(0, rng.uniform(2, 16), cells).astype(np.float32)
        top += cv2.resize(streaks, (pixels, pixels), interpolation=cv2.INTER_CUBIC)[..., None]


def _planks(rng: np.random.Generator, top: NDArray[Any], unit: float) -> None:
    """Boards or tiles with joints."""
    pixels = top.shape[0]
    step = max(6, int(unit * rng.uniform(0.6, 4)))
    joint = rng.uniform(-60, 30)
    across = rng.random() < 0.5
    _grain(rng, top)
    for at in range(int(rng.integers(step)), pixels, step):
        top[:, at : at + step] += rng.normal(0, 7)
        top[:, at : at + max(1, int(unit * 0.02))] += joint
        if across:
            top[at : at + max(1, int(unit * 0.02)), :] += joint


def _pattern(rng: np.random.Generator, top: NDArray[Any], unit: float) -> None:
    """A tablecloth: checks, stripes, dots, flowers, lattices, or tiles as large as cards."""
    pixels = top.shape[0]
    step = max(4, int(unit * np.exp(rng.uniform(np.log(0.12), np.log(1.6)))))
    other = rng.uniform(0, 255, 3)
    share = rng.uniform(0.3, 0.7)
    kind = rng.integers(6)
    picture = np.clip(top, 0, 255).astype(np.uint8)
    ink = tuple(int(v) for v in other)
    rows = np.arange(pixels) % step < share * step
    if kind == 0:
        down = int(step * rng.uniform(0.7, 1.6)) + 1
        columns = np.arange(pixels) % down < share * down
        mix = (rows[:, None].astype(np.float32) + columns[None, :]) / 2
        picture = np.clip(top + mix[..., None] * (other - top), 0, 255).astype(np.uint8)
    elif kind == 1:
        picture[rows] = ink
    elif kind == 2:
        for x in range(0, pixels, step):
            for y in range(0, pixels, step):
                odd = x + (step // 2 if y // step % 2 else 0)
                cv2.circle(picture, (odd, y), max(1, int(share * step / 2)), ink, -1, cv2.LINE_AA)
    elif kind == 3:
        for _ in range(int(rng.integers(20, 200))):
            x, y = (int(v) for v in rng.integers(0, pixels, 2))
            petal = max(1, int(step * rng.uniform(0.1, 0.4)))
            inks = art_inks(rng)
            for angle in np.arange(0, 6.2, 1.256):
                at = (int(x + petal * np.cos(angle)), int(y + petal * np.sin(angle)))
                cv2.circle(picture, at, max(1, petal * 2 // 3), inks[int(rng.integers(7))], -1)
            cv2.circle(picture, (x, y), max(1, petal // 2), ink, -1)
    elif kind == 4:
        thick = max(1, int(step * rng.uniform(0.03, 0.2)))
        for x in range(-pixels, 2 * pixels, step):
            cv2.line(picture, (x, 0), (x + pixels, pixels), ink, thick, cv2.LINE_AA)
            cv2.line(picture, (x, pixels), (x + pixels, 0), ink, thick, cv2.LINE_AA)
    else:  # tiles: what is nearest to a card and is none
        down = int(step * rng.uniform(0.6, 1.7)) + 2
        joint = max(1, int(unit * rng.uniform(0.01, 0.06)))
        for x in range(0, pixels, step):
            for y in range(0, pixels, down):
                tile = picture[y : y + down, x : x + step]
                tile[:] = np.clip(top[0, 0] + rng.normal(0, 10), 0, 255)
                tile[:joint] = tile[:, :joint] = ink
    top[:] = picture
    if rng.random() < 0.5:
        soft = cv2.GaussianBlur(top, (0, 0), float(rng.uniform(0.5, 2)))
        top[:] = soft


def _strew(
    rng: np.random.Generator,
    canvas: Image,
    plane: NDArray[np.float64],
    before: bool,
) -> None:
    """Things that are no cards: paper, a phone, coins, mugs, pencils; seldom a finger over a card."""
    for _ in range(int(rng.poisson(0.8 if before else 0.25))):
        thing = np.zeros_like(canvas)
        mask = np.zeros(canvas.shape[:2], np.uint8)
        x, y = rng.uniform(0, SIDE, 2)
        unit = float(np.clip(abs(np.linalg.det(plane[:2, :2])) ** 0.5 / abs(plane[2, 2]), 12, 160))
        colour = tuple(int(v) for v in rng.uniform(0, 255, 3))
        kind = rng.integers(5)
        if before and kind == 0:  # paper, a book, a box: much larger than a card, or much longer
            long = unit * rng.uniform(2.6, 5)
            shape = rng.uniform(1.2, 1.6) if rng.random() < 0.5 else rng.uniform(2.1, 6)
            box = ((x, y), (long, long / shape), float(rng.uniform(0, 180)))
            points = cv2.boxPoints(box).astype(np.int32)
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA)
            thing[:] = colour if rng.random() < 0.5 else rng.uniform(200, 255)
            if rng.random() < 0.5:
                for at in range(0, SIDE, max(3, int(unit * 0.12))):
                    cv2.line(thing, (0, at), (SIDE, at), colour, 1)
        elif kind == 1:
            centre = (int(x), int(y))
            cv2.circle(
                mask, centre, max(2, int(unit * rng.uniform(0.15, 0.22))), 255, -1, cv2.LINE_AA
            )
            thing[:] = colour
        elif before and kind == 2:
            radius = max(4, int(unit * rng.uniform(0.5, 0.9)))
            cv2.circle(mask, (int(x), int(y)), radius, 255, -1, cv2.LINE_AA)
            thing[:] = colour
            inner = tuple(int(v) for v in rng.uniform(0, 120, 3))
            cv2.circle(thing, (int(x), int(y)), radius * 4 // 5, inner, -1, cv2.LINE_AA)
        else:  # a pencil, a finger, an arm
            thick = unit * rng.uniform(0.08, 0.35)
            box = ((x, y), (unit * rng.uniform(1.5, 4), thick), float(rng.uniform(0, 180)))
            points = cv2.boxPoints(box).astype(np.int32)
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA)
            thing[:] = colour
        share = mask.astype(np.float32) / 255
        dark = cv2.GaussianBlur(share, (0, 0), max(0.6, 0.05 * unit)) * rng.uniform(0.1, 0.6)
        canvas[:] = cv2.multiply(canvas, cv2.merge([1 - dark] * 3), dtype=cv2.CV_8U)
        cv2.blendLinear(thing, canvas.copy(), share, 1 - share, canvas)


def _seen(rng: np.random.Generator, canvas: Image) -> Image:
    """As a phone would have it: light, shadows, colour cast, glare, blur, noise, JPEG."""
    seen: NDArray[Any] = canvas.astype(np.float32)
    gain = rng.uniform(0.4, 1.1) if rng.random() < 0.4 else rng.uniform(0.75, 1.08)
    cast = np.exp(rng.normal(0, 0.08, 3))
    seen *= (gain * cast / cast.max()).astype(np.float32)
    if rng.random() < 0.6:
        ramp = cv2.resize(
            rng.uniform(0.5, 1.12, (2, 2)).astype(np.float32),
            (SIDE, SIDE),
            interpolation=cv2.INTER_LINEAR,
        )
        seen *= ramp[..., None]
    if rng.random() < 0.2:  # the shadow of somebody, or a patch of sun
        mask: NDArray[Any] = np.zeros((SIDE, SIDE), np.float32)
        points = rng.uniform(-0.2 * SIDE, 1.2 * SIDE, (int(rng.integers(3, 6)), 2))
        cv2.fillPoly(mask, [_around(points)], 1.0)
        mask = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(1, 14)))
        seen *= 1 - (rng.uniform(-0.3, 0.55) * mask)[..., None]
    for _ in range(int(rng.poisson(0.35))):
        spot: NDArray[Any] = np.zeros((SIDE, SIDE), np.float32)
        at = (int(rng.integers(SIDE)), int(rng.integers(SIDE)))
        axes = (int(rng.integers(6, 50)), int(rng.integers(6, 50)))
        cv2.ellipse(spot, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        seen += (rng.uniform(40, 220) * cv2.GaussianBlur(spot, (0, 0), 9))[..., None]
    if rng.random() < 0.15:
        seen += rng.uniform(0, 50)
    blur = rng.uniform(0.3, 0.9) if rng.random() < 0.85 else rng.uniform(0.9, 2.0)
    if rng.random() < 0.75:
        seen = cv2.GaussianBlur(seen, (0, 0), float(blur))
    if rng.random() < 0.25:
        seen = seen + rng.uniform(0.3, 1.0) * (seen - cv2.GaussianBlur(seen, (0, 0), 1.0))
    seen = seen + rng.normal(0, rng.uniform(0.5, 6), seen.shape)
    done: Image = np.clip(seen, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        _, data = cv2.imencode(
            ".jpg", done, [int(cv2.IMWRITE_JPEG_QUALITY), int(rng.integers(40, 95))]
        )
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return done


def _around(points: NDArray[Any]) -> NDArray[np.int32]:
    """Points around their middle, so that their polygon does not cross itself."""
    off = points - points.mean(axis=0)
    return points[np.argsort(np.arctan2(off[:, 1], off[:, 0]))].astype(np.int32)
