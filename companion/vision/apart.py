"""Outlines of cards that lie apart, where neither the deck's pictures nor the number of cards is known.

Of the outlines that look like a card's, those of one size are taken that together cover most and stand out
most. A card has halves, and two neighbours look like one card of twice the size: both count less. What the
network takes for a card counts however little it stands out; what it takes for table does not count.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from companion.vision.contours import outlines, shapes_of
from companion.vision.edges import contrast, softened
from companion.vision.geometry import Image, Quad, area, aspect, evenness, over_smaller
from companion.vision.outline_net.seen import NOTHING, Seen
from companion.vision.rows import card_sized, of_one_size, table_of

_MOST = 60
"""Cards in a photo."""
_BY_AREA = 0.8
"""A card is worth more than its halves, two cards are worth more than the one that they look like."""
_MODELS = 300
"""Outlines that are looked at."""


def card_outlines(work: Image, seen: Seen = NOTHING) -> list[Quad]:
    """Outlines of all cards of one size that lie apart, in pixels of the picture; their number is open.

    `seen`: what the network sees of the picture.
    """
    grey = softened(work)
    quads = [
        quad
        for quad in outlines(shapes_of(work, seen.contours))
        if aspect(quad) < 2 and prod(evenness(quad)) > 0.6
    ]
    clear = [
        seen.heard(quad, min(contrast(grey, quad), 40.0) * prod(evenness(quad)) ** 3)
        for quad in quads
    ]
    strength = [c * area(quad) ** 0.5 for c, quad in zip(clear, quads, strict=True)]
    order = sorted(range(len(quads)), key=lambda i: -strength[i])
    strong = [i for i in order if clear[i] > 8][:_MODELS]
    near = _overlaps([quads[i] for i in strong], 0.2)
    sizes, shapes = (np.log([f(quads[i]) for i in strong]) for f in (area, aspect))
    worth = np.array([clear[i] * area(quads[i]) ** _BY_AREA for i in strong])
    worth *= np.where(_halved([quads[i] for i in strong]), 0.5, 1.0)
    best, best_worth = [], 0.0
    for model in range(len(strong)):
        alike = (np.abs(sizes - sizes[model]) < 0.6) & (np.abs(shapes - shapes[model]) < 0.25)
        kept: list[int] = []
        for one in np.flatnonzero(alike)[np.argsort(-worth[alike])]:
            if not near[one, kept].any():
                kept.append(int(one))
        if worth[kept].sum() > best_worth:
            best, best_worth = kept, float(worth[kept].sum())
    found = of_one_size([quads[strong[i]] for i in best], 4, 0.2)
    return _joined(found, [quads[i] for i in order if clear[i] > 4])


def _overlaps(
    quads: Sequence[Quad], share: float
) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Which two of the outlines overlap by more than that share of the smaller."""
    count = len(quads)
    found = np.zeros((count, count), bool)
    for i in range(count):
        for j in range(i):
            found[i, j] = found[j, i] = over_smaller(quads[i], quads[j]) > share
    return found


def _halved(quads: Sequence[Quad]) -> list[bool]:
    """Which outlines are just half of another one: of a card, or a card that touches another."""
    sizes = np.array([area(quad) for quad in quads])
    return [
        any(
            over_smaller(quad, quads[int(j)]) > 0.96
            for j in np.flatnonzero(np.abs(sizes / size - 2) < 0.06)
        )
        for quad, size in zip(quads, sizes, strict=True)
    ]


def _joined(found: list[Quad], others: Sequence[Quad]) -> list[Quad]:
    """The cards that are found, and what fits beside them and is of their size on the table."""
    if len(found) < 2:
        return found
    table = table_of(found)
    kept = list(found)
    for quad in others:
        fits = len(kept) < _MOST and card_sized(quad, table)
        if fits and all(over_smaller(quad, other) < 0.12 for other in kept):
            kept.append(quad)
    return kept
