"""Outlines of cards that the deck does not know: a back, a card of another deck, one too spoilt to name.

They are listed without a name, to be asked about; so an outline has to be a card's beyond doubt: of the
size of those that were named, or, where none was, of the deck's shape and standing out on every side.
"""

from collections.abc import Sequence

import numpy as np

from companion.vision.edges import contrast, softened
from companion.vision.geometry import Image, Quad, area, aspect, evenness, over_smaller
from companion.vision.rows import card_sized, table_of

_STANDS_OUT = 14.0
"""Grey levels along the weakest side of an outline."""
_MOST = 24


def unknown_cards(
    work: Image, quads: Sequence[Quad], named: Sequence[Quad], shape: float
) -> list[Quad]:
    """Of the outlines, those of cards that lie beside the named ones; `shape`: the deck's aspect."""
    grey = softened(work)
    table = table_of(named) if len(named) >= 2 else None
    fitting: list[tuple[float, Quad]] = []
    for quad in quads:
        if any(over_smaller(quad, other) > 0.15 for other in named) or min(evenness(quad)) < 0.8:
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
