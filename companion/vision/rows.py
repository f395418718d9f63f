"""Sightings put into rows and columns, as they lie on the table.

The perspective is undone first: the cube root of a card's area in the photo is linear in its place
(the cards are all of one size on one plane), and the line it gives is the horizon. Then cards are
measured in card widths and heights: rows are what lies level, a column is a multiple of the pitch.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Quad, area, sides
from companion.vision.sighting import Placed, Reading, Sighting, Warn

_LEVEL = 0.5
"""Card heights within which neighbours lie in one row."""
_UNCLEAR = 0.32
"""Share of a pitch off the grid from which a column is said to be unclear."""
GAP_UNCLEAR = "gap-unclear"
"""Code of the warning that a row may have one empty place more or less."""
_CARD_SIZED = 0.11
"""How far the logarithm of a side may be from a card's."""
_SKEWED = 0.25


@dataclass(frozen=True, slots=True)
class Table:
    """The table's plane: photo pixels to card units (1 across and 1 down is a card)."""

    matrix: NDArray[np.float64]

    def flat(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Photo points (n, 2) in card units."""
        return _project(self.matrix, points)

    def seen(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Points in card units (n, 2) as photo pixels."""
        return _project(np.asarray(np.linalg.inv(self.matrix), float), points)


def _project(matrix: NDArray[np.float64], points: NDArray[Any]) -> NDArray[np.float64]:
    whole = np.column_stack([np.asarray(points, float), np.ones(len(points))]) @ matrix.T
    result: NDArray[np.float64] = whole[:, :2] / whole[:, 2:]
    return result


def table_of(quads: Sequence[Quad], upright: Sequence[bool] = ()) -> Table:
    """The plane that cards lie on, from their outlines (at least one).

    `upright` says of which cards the first corner is surely their own top left: where those agree, the
    table is seen from their side, however the photo was held.
    """
    corners = np.asarray(quads, float)
    centres = corners.mean(axis=1)
    middle, spread = (
        centres.mean(axis=0),
        max(float(np.ptp(corners.reshape(-1, 2), axis=0).max()), 1),
    )
    shift = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, spread]]) / spread
    horizon = _horizon(_project(shift, centres), np.array([area(q) for q in quads]))
    level = np.array([[1, 0, 0], [0, 1, 0], [horizon[0], horizon[1], 1]]) @ shift
    flat = np.array([_project(level, quad) for quad in corners])
    across = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
    down = (flat[:, 3] - flat[:, 0] + flat[:, 2] - flat[:, 1]) / 2
    width, height = (
        np.median(np.linalg.norm(across, axis=1)),
        np.median(np.linalg.norm(down, axis=1)),
    )
    sure = across[np.asarray(upright, bool)] if len(upright) else across[:0]
    axis = _facing(sure) if _agree(sure) else _common_axis(across)
    basis = np.array([axis * width, _square_to(axis, _common_axis(down)) * height])
    turn = np.eye(3)
    turn[:2, :2] = np.linalg.inv(basis.T)
    return Table(turn @ level)


def _horizon(at: NDArray[np.float64], areas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Slopes of the cube root of the area over the place, in units of its mean: zero for few cards."""
    if len(at) < 4:
        return np.zeros(2)
    root = areas ** (1 / 3)
    root = root / np.median(root)
    design = np.column_stack([at, np.ones(len(at))])
    weights = np.ones(len(at))
    slopes = np.array([0.0, 0.0, 1.0])
    ridge = np.diag([0.02, 0.02, 0.0]) * len(at) / 4
    for _ in range(8):
        weighed = design * weights[:, None]
        slopes = np.linalg.solve(weighed.T @ design + ridge, weighed.T @ root)
        off = np.abs(root - design @ slopes)
        weights = 1 / np.maximum(off / 0.03, 1)
    return np.asarray(np.clip(slopes[:2] / slopes[2], -0.6, 0.6), float)


def _agree(vectors: NDArray[np.float64]) -> bool:
    """Whether at least two directions all but agree."""
    return len(vectors) >= 2 and bool(abs(_directions(vectors).mean()) > 0.7)


def _facing(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction that most of the vectors have."""
    mean = _directions(vectors).mean()
    near = _directions(vectors)[np.abs(np.angle(_directions(vectors) / mean)) < 0.5]
    mean = near.mean() if len(near) else mean
    return np.asarray(np.array([mean.real, mean.imag]) / abs(mean), float)


def _directions(vectors: NDArray[np.float64]) -> NDArray[np.complex128]:
    whole = vectors[:, 0] + 1j * vectors[:, 1]
    return np.asarray(whole / np.maximum(np.abs(whole), 1e-9), complex)


def _common_axis(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction most of the vectors share up to sign; the picture's own where they do not agree."""
    angles = np.arctan2(vectors[:, 1], vectors[:, 0])
    doubled = np.exp(2j * angles)
    mean = doubled.mean()
    if abs(mean) < 0.6:
        return np.array([1.0, 0.0])
    near = np.abs(np.angle(doubled / mean)) < 0.5
    angle = np.angle(doubled[near].mean()) / 2 if near.any() else np.angle(mean) / 2
    axis = np.array([np.cos(angle), np.sin(angle)])
    return axis if axis[np.abs(axis).argmax()] > 0 else -axis


def _square_to(axis: NDArray[np.float64], down: NDArray[np.float64]) -> NDArray[np.float64]:
    """The downward axis, square to the row where the cards do not say otherwise."""
    square = np.array([-axis[1], axis[0]])
    if abs(float(down @ axis)) > 0.5:
        down = square
    return down if float(down @ square) > 0 else -down


def card_sized(quad: Quad, table: Table) -> bool:
    """Whether an outline has the size and shape that cards have on this table."""
    lengths = sides(table.flat(quad).astype(np.float32))
    across, down = lengths[[0, 2]].mean(), lengths[[1, 3]].mean()
    return bool(np.abs(np.log([across, down])).max() < _CARD_SIZED)


def of_one_size(quads: list[Quad], fewest: int = 5, off: float = 0.15) -> list[Quad]:
    """Those of the size that most are of on the table: a frame inside a card is not.

    Fewer than `fewest` are not compared; `off` is how far apart the logarithms of two areas may be.
    """
    while len(quads) >= fewest:
        table = table_of(quads)
        sizes = np.array([area(table.flat(quad).astype(np.float32)) for quad in quads])
        away = np.abs(np.log(sizes / np.median(sizes)))
        worst = int(away.argmax())
        if away[worst] < off:
            break
        quads = [quad for i, quad in enumerate(quads) if i != worst]
    return quads


@dataclass(frozen=True, slots=True)
class Grid:
    """Cards in rows and columns: for each row (index of the sighting, column) from left to right."""

    rows: tuple[tuple[tuple[int, int], ...], ...]
    table: Table
    levels: tuple[tuple[float, float], ...]
    """Of each row, its line in card units: down = first + second * across."""
    pitch: float
    """Card widths from one column to the next."""
    origins: tuple[float, ...]
    """Of each row, where its column 0 lies, card widths."""
    unclear: tuple[Warn, ...]

    def places_to_fill(self) -> list[Quad]:
        """Outlines, in photo pixels, of the places left free in a block of rows.

        The last row alone may end early.
        """
        last = max(column for row in self.rows for _, column in row)
        places = []
        for number, row in enumerate(self.rows):
            taken = {column for _, column in row}
            end = last if number < len(self.rows) - 1 else max(taken)
            empty = [c for c in range(1, end + 1) if c not in taken]
            places += [self.place(number, column) for column in empty]
        return places

    def place(self, row: int, column: int) -> Quad:
        """The outline, in photo pixels, of a card in that row (from 0) and column."""
        (base, slope), x = self.levels[row], self.origins[row] + column * self.pitch
        y = base + slope * x
        card = [[x - 0.5, y - 0.5], [x + 0.5, y - 0.5], [x + 0.5, y + 0.5], [x - 0.5, y + 0.5]]
        return self.table.seen(np.array(card)).astype(np.float32)


def arranged(quads: Sequence[Quad], upright: Sequence[bool] = ()) -> Grid:
    """The rows and columns of cards (at least one), as seen from their side; see `table_of`."""
    table = table_of(quads, upright)
    at = table.flat(np.array([np.asarray(q, float).mean(axis=0) for q in quads]))
    rows = _levelled(at)
    pitch = _pitch(at, rows)
    steps: list[list[int]] = []
    unclear: list[Warn] = []
    for number, row in enumerate(rows, 1):
        columns, doubtful = _steps(at[row, 0], pitch)
        steps.append(columns)
        if doubtful:
            text = f"row {number}: it is unclear how many empty places lie between its cards"
            unclear.append(Warn(GAP_UNCLEAR, text, number))
    origins = [
        float(np.median(at[row, 0] - pitch * np.array(c)))
        for row, c in zip(rows, steps, strict=True)
    ]
    anchor = max(range(len(rows)), key=lambda i: len(rows[i]))
    columns_of, first = [], 0
    for i in range(len(rows)):
        offset = (origins[i] - origins[anchor]) / pitch
        if abs(offset - round(offset)) > _UNCLEAR and i != anchor:
            text = f"row {i + 1}: it is unclear which columns of the others it lies under"
            unclear.append(Warn("columns-unclear", text, i + 1))
        columns_of.append([round(offset) + int(c) for c in steps[i]])
        origins[i] -= pitch * round(offset)
        first = min(first, *columns_of[-1])
    placed = tuple(
        tuple((int(card), column - first + 1) for card, column in zip(row, columns, strict=True))
        for row, columns in zip(rows, columns_of, strict=True)
    )
    origins = [origin + pitch * (first - 1) for origin in origins]
    levels = tuple(_line(at[row]) for row in rows)
    return Grid(placed, table, levels, pitch, tuple(origins), tuple(unclear))


def _levelled(at: NDArray[np.float64]) -> list[list[int]]:
    """Cards grouped into rows, each from left to right, the rows from top to bottom."""
    order = np.argsort(at[:, 0])
    rows: list[list[int]] = []
    for card in order:
        best, gap = None, _LEVEL
        for row in rows:
            recent = row[-3:]
            level = float(np.mean(at[recent, 1]))
            if len(row) >= 4:
                base, slope = _line(at[row])
                level = base + slope * at[card, 0]
            off = abs(float(at[card, 1]) - level)
            taken = any(abs(at[card, 0] - at[other, 0]) < 0.3 for other in recent)
            if off < gap and not taken:
                best, gap = row, off
        if best is None:
            rows.append([int(card)])
        else:
            best.append(int(card))
    rows.sort(key=lambda row: float(np.mean(at[row, 1])))
    return rows


def _line(at: NDArray[np.float64]) -> tuple[float, float]:
    """The line through the cards of a row: down = first + second * across."""
    if len(at) < 3:
        return float(at[:, 1].mean()), 0.0
    fitted = np.polyfit(at[:, 0], at[:, 1], 1)
    slope = float(np.clip(fitted[0], -_SKEWED, _SKEWED))
    return float((at[:, 1] - slope * at[:, 0]).mean()), slope


def _pitch(at: NDArray[np.float64], rows: Sequence[Sequence[int]]) -> float:
    """Card widths from one place of a row to the next: the smallest distance that is common."""
    gaps = np.concatenate([np.diff(at[list(row), 0]) for row in rows])
    gaps = np.sort(gaps[gaps > 0.15])
    if len(gaps) == 0:
        return 1.1
    low = float(gaps[: max(1, len(gaps) // 4)].mean())
    near = gaps[gaps < 1.45 * low]
    pitch = float(np.median(near))
    if len(gaps) <= 2 and pitch > 1.7:
        return 1.1
    return pitch


def _steps(across: NDArray[np.float64], pitch: float) -> tuple[list[int], bool]:
    """Columns of a row's cards, the first 0; whether one of them is doubtful."""
    columns, doubtful = [0], False
    for gap in np.diff(across) / pitch:
        step = max(1, round(float(gap)))
        doubtful |= step >= 1 and gap > 1 and abs(float(gap) - step) > _UNCLEAR + 0.03 * step
        columns.append(columns[-1] + step)
    return columns, doubtful


def in_rows(
    sightings: Sequence[Sighting],
    warnings: Sequence[Warn] = (),
    one_way: Collection[str] = (),
) -> Reading:
    """The reading of a photo: its sightings in rows, as the cards stand.

    `one_way`: faces that do not look the same upside down, which therefore tell where up is.
    """
    if not sightings:
        return Reading((), tuple(warnings))
    upright = [s.sure and s.face in one_way for s in sightings]
    grid = arranged([np.array(s.region, np.float32) for s in sightings], upright)
    rows = tuple(
        tuple(Placed(column, sightings[card]) for card, column in row) for row in grid.rows
    )
    return Reading(rows, (*warnings, *grid.unclear))
