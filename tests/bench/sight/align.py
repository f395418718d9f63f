"""Pairs names in a known order with sightings at places, so that each is judged at its own place."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Pairs = list[tuple[int | None, int | None]]
"""Index of a name, index of a sighting; `None` where the other side has no partner."""
_AGREE, _DIFFER = 4.0, 1.0
"""A pair of unlike names is worth more than two gaps: something lies there, and is named wrongly."""


class Seen(Protocol):
    """What is needed of a sighting."""

    @property
    def name(self) -> str | None:
        """What it was called."""

    @property
    def box(self) -> NDArray[np.float64] | None:
        """Its corners."""


def aligned(names: Sequence[str], said: Sequence[str | None]) -> Pairs:
    """The alignment of two sequences that agrees most, with gaps on either side."""
    rows, columns = len(names), len(said)
    best = np.zeros((rows + 1, columns + 1))
    for t in range(rows):
        for s in range(columns):
            pair = _AGREE if names[t] == said[s] else _DIFFER
            best[t + 1, s + 1] = max(best[t, s] + pair, best[t, s + 1], best[t + 1, s])
    pairs: Pairs = []
    t, s = rows, columns
    while t or s:
        if t and s:
            pair = _AGREE if names[t - 1] == said[s - 1] else _DIFFER
            if best[t, s] == best[t - 1, s - 1] + pair:
                t, s = t - 1, s - 1
                pairs.append((t, s))
                continue
        if t and best[t, s] == best[t - 1, s]:
            t -= 1
            pairs.append((t, None))
        else:
            s -= 1
            pairs.append((None, s))
    return pairs[::-1]


def _worth(pairs: Pairs, names: Sequence[str], said: Sequence[str | None]) -> int:
    return sum(t is not None and s is not None and names[t] == said[s] for t, s in pairs)


def _middles(said: Sequence[Seen]) -> tuple[NDArray[np.float64], float]:
    boxes = [s.box if s.box is not None else np.zeros((4, 2)) for s in said]
    middles = np.array([b.mean(0) for b in boxes]).reshape(-1, 2)
    sides = [np.linalg.norm(np.roll(b, -1, 0) - b, axis=1).min() for b in boxes]
    return middles, float(np.median(sides)) if sides else 1.0


def in_sequence(names: Sequence[str], said: Sequence[Seen]) -> Pairs:
    """Names by x of the centre; two sightings nearly above each other may stand either way."""
    middles, width = _middles(said)
    order = [int(k) for k in np.argsort(middles[:, 0])] if len(said) else []
    pairs = _in_order(names, said, order)
    for k in range(len(order) - 1):
        if abs(middles[order[k], 0] - middles[order[k + 1], 0]) < 0.25 * width:
            other = [*order[:k], order[k + 1], order[k], *order[k + 2 :]]
            swapped = _in_order(names, said, other)
            called = [s.name for s in said]
            if _worth(swapped, names, called) > _worth(pairs, names, called):
                order, pairs = other, swapped
    return pairs


def _in_order(names: Sequence[str], said: Sequence[Seen], order: Sequence[int]) -> Pairs:
    pairs = aligned(names, [said[k].name for k in order])
    return [(t, None if s is None else order[s]) for t, s in pairs]


def in_rows(names: Sequence[str], said: Sequence[Seen]) -> Pairs:
    """Names in reading order: rows from the top, each from the left."""
    if not said:
        return [(t, None) for t in range(len(names))]
    middles, width = _middles(said)
    down = [int(k) for k in np.argsort(middles[:, 1])]
    rows: list[list[int]] = [[down[0]]]
    for before, now in pairwise(down):
        if middles[now, 1] - middles[before, 1] > 0.45 * width:
            rows.append([])
        rows[-1].append(now)
    order = [k for row in rows for k in sorted(row, key=lambda k: middles[k, 0])]
    return _in_order(names, said, order)
