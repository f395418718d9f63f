"""Outlines of cards that the deck does not know: a back, a card of another deck, one too spoilt to name.

They are listed without a name, to be asked about; so an outline has to be a card's beyond doubt: of the
size of those that were named, or, where none was, of the deck's shape and standing out on every side.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.edges import contrast
from companion.vision.geometry import Image, Quad, area, as_image, aspect, over_smaller, sides
from companion.vision.rows import Table, table_of

_STANDS_OUT = 14.0
"""Grey levels along the weakest side of an outline."""
_MOST = 24


def unknown_cards(
    work: Image, quads: Sequence[Quad], named: Sequence[Quad], shape: float
) -> list[Quad]:
    """Of the outlines, those of cards that lie beside the named ones; `shape`: the deck's aspect."""
    grey = as_image(cv2.GaussianBlur(cv2.cvtColor(work, cv2.COLOR_BGR2GRAY), (0, 0), 1.0))
    table = table_of(named) if len(named) >= 2 else None
    fitting: list[tuple[float, Quad]] = []
    for quad in quads:
        if any(over_smaller(quad, other) > 0.15 for other in named) or not _even(quad):
            continue
        if table is not None:
            if not card_sized(quad, table):
                continue
        elif named:
            if not 0.7 < area(quad) / area(named[0]) < 1.4:
                continue
        elif abs(np.log(aspect(quad) / shape)) > 0.15 or area(quad) < 0.006 * work[..., 0].size:
            continue
        strength = contrast(grey, quad)
        if strength > _STANDS_OUT:
            fitting.append((strength * area(quad) ** 0.5, quad))
    fitting.sort(key=lambda pair: -pair[0])
    kept: list[Quad] = []
    for _, quad in fitting:
        if len(kept) < _MOST and all(over_smaller(quad, other) < 0.15 for other in kept):
            kept.append(quad)
    return kept


def card_sized(quad: Quad, table: Table) -> bool:
    """Whether an outline has the size and shape that cards have on this table."""
    lengths = sides(table.flat(quad).astype(np.float32))
    across, down = lengths[[0, 2]].mean(), lengths[[1, 3]].mean()
    return bool(np.abs(np.log([across, down])).max() < 0.11)


def _even(quad: Quad) -> bool:
    lengths = sides(quad)
    across = min(lengths[0], lengths[2]) / max(lengths[0], lengths[2])
    down = min(lengths[1], lengths[3]) / max(lengths[1], lengths[3])
    return bool(across > 0.8 and down > 0.8)
