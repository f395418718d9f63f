"""Cards of a photo as what they are: equal rectangles on one plane, each with a place and a turn only.

Outlines told by several witnesses (an edge that was seen, points that match) are fitted together, so that
a witness who errs about one card is put right by the others. Robust least squares: Levenberg and
Marquardt's steps, Cauchy's weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.vision.geometry import Quad, as_floats, sides
from companion.vision.rows import table_of

_SURE = 0.012
"""Share of a card's width by which a good outline's corner may be off."""
_STEPS = 25
_STIFF = 1e-3


@dataclass(frozen=True, slots=True)
class Witness:
    """An outline that is told for a card, upright like the others, and how much it counts."""

    card: int
    quad: Quad
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Levelled:
    """Outlines of equal cards on one plane."""

    quads: tuple[Quad, ...]
    backing: tuple[float, ...]
    """Of each card, the weight of the witnesses that agree with it."""


def levelled(witnesses: Sequence[Witness]) -> Levelled:
    """The outlines that fit the witnesses best; of each card from 0 there is one at least.

    Fewer than three cards say nothing about the plane: each keeps the witness whom most agree with.
    """
    count = 1 + max(w.card for w in witnesses)
    agreed = [_most_agreed([w for w in witnesses if w.card == i]) for i in range(count)]
    quads = [witness.quad for witness, _ in agreed]
    if count < 3:
        return Levelled(tuple(quads), tuple(backing for _, backing in agreed))
    fit = _Fit(witnesses, quads)
    fit.run()
    return fit.result()


def _most_agreed(witnesses: Sequence[Witness]) -> tuple[Witness, float]:
    """The witness of a card that most weight agrees with, its own included; and that weight."""
    quads = np.array([w.quad for w in witnesses], float)
    weight = np.array([w.weight for w in witnesses])
    width = sides(witnesses[0].quad)[[0, 2]].mean()
    off = np.linalg.norm(quads[:, None] - quads[None], axis=3).max(axis=2) / width
    backing = (weight[None] / (1 + (off / _SURE) ** 2)).sum(axis=1)
    return witnesses[int(backing.argmax())], float(backing.max())


class _Fit:
    """The unknowns: the plane's homography, the cards' aspect, and of each card its place and turn."""

    def __init__(self, witnesses: Sequence[Witness], quads: Sequence[Quad]) -> None:
        self._card = np.array([w.card for w in witnesses])
        self._seen = np.array([w.quad for w in witnesses], float)
        self._weight = np.array([w.weight for w in witnesses], float)
        self._width = np.array([sides(w.quad)[[0, 2]].mean() for w in witnesses])
        table = table_of(quads)
        shape = float(np.median([sides(q)[[1, 3]].mean() / sides(q)[[0, 2]].mean() for q in quads]))
        flat = np.array([table.flat(q) for q in quads]) * (1, shape)
        across = (flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]) / 2
        places = np.column_stack([flat.mean(axis=1), np.arctan2(across[:, 1], across[:, 0])])
        matrix = np.linalg.inv(table.matrix) @ np.diag([1, 1 / shape, 1])
        self._matrix_scale = np.abs(matrix / matrix[2, 2]).max()
        self._unknowns = np.concatenate(
            [(matrix / matrix[2, 2]).ravel()[:8], [shape], places.ravel()]
        )

    def _quads(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        matrix = np.append(unknowns[:8], 1.0).reshape(3, 3)
        x, y, turn = unknowns[9:].reshape(-1, 3).T
        corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * (1, unknowns[8])
        cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
        points = np.stack(
            [
                x[:, None] + cos * corner[:, 0] - sin * corner[:, 1],
                y[:, None] + sin * corner[:, 0] + cos * corner[:, 1],
                np.ones((len(x), 4)),
            ],
            axis=-1,
        )
        seen = points @ matrix.T
        result: NDArray[np.float64] = seen[..., :2] / seen[..., 2:]
        return result

    def _off(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Of each witness, its corners' distances from the card in card widths, (n, 4, 2)."""
        off: NDArray[np.float64] = (self._quads(unknowns)[self._card] - self._seen) / (
            self._width[:, None, None]
        )
        return off

    def _trust(self, off: NDArray[np.float64]) -> NDArray[np.float64]:
        """Weights of the corners: those that are far off count little."""
        square = (off**2).sum(axis=2) / _SURE**2
        result: NDArray[np.float64] = self._weight[:, None] / (1 + square)
        return result

    def run(self) -> None:
        """Fits."""
        stiff = _STIFF
        for _ in range(_STEPS):
            off = self._off(self._unknowns)
            root = np.sqrt(self._trust(off))[..., None]
            residual = (root * off).ravel()
            slopes = self._slopes(root, off)
            normal, gradient = slopes.T @ slopes, slopes.T @ residual
            scale = np.diag(normal) + 1e-9 * np.diag(normal).max()
            step = np.linalg.solve(normal + np.diag(stiff * scale + 1e-12), gradient)
            after = self._unknowns - step
            moved = (root * self._off(after)).ravel()
            if moved @ moved < residual @ residual:
                self._unknowns, stiff = after, stiff / 3
                if residual @ residual - moved @ moved < 1e-6 * (residual @ residual):
                    break
            else:
                stiff *= 5

    def _slopes(self, root: NDArray[np.float64], off: NDArray[np.float64]) -> NDArray[np.float64]:
        columns = []
        for k, value in enumerate(self._unknowns):
            small = 1e-6 * max(abs(value), 1e-3 if k in (6, 7) else 1.0)
            moved = self._unknowns.copy()
            moved[k] += small
            columns.append((root * (self._off(moved) - off) / small).ravel())
        return np.stack(columns, axis=1)

    def result(self) -> Levelled:
        """The cards as they were fitted."""
        trust = self._trust(self._off(self._unknowns)).min(axis=1)
        count = (len(self._unknowns) - 9) // 3
        backing = [float(trust[self._card == i].sum()) for i in range(count)]
        return Levelled(tuple(as_floats(q) for q in self._quads(self._unknowns)), tuple(backing))
