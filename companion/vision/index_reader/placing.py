"""The reading of a photo of standard cards: rows, fans as rows of their own, and what is to be said."""

from collections.abc import Sequence

import numpy as np

from companion.vision.index_reader.card import COVERED, NEXT, Card, View
from companion.vision.index_reader.classes import JOKER, LETTERS
from companion.vision.judge import as_region
from companion.vision.rows import arranged
from companion.vision.sighting import Placed, Reading, Sighting, Warn

_TIGHT = 0.2
"""Share of lone corners in doubt from which the cards have to be spread."""
_WIDE_STEP = 1.7
"""How many usual steps of a fan from one index to the next leave room for a card that was not read."""
_STEPS = 3
"""Fewest steps of a fan that tell what is usual."""
_UNREAD = "no index can be read: a back, or spoilt, or of no standard deck"
SPREAD = "spread-the-cards"
"""Code of the warning that too little of the indices is to be seen."""


def reading_of(view: View, warnings: Sequence[Warn] = ()) -> Reading:
    """The cards in rows, with what is to be said of the photo."""
    fans = _fans(view.cards)
    told = (*warnings, *_warnings(view, fans))
    fanned = {id(card) for fan in fans for card in fan}
    apart = [card for card in view.cards if id(card) not in fanned]
    sightings = [card.sighting for card in apart]
    sightings += [Sighting(as_region(quad), doubts=(_UNREAD,)) for quad in view.others]
    quads = [*(card.quad for card in apart), *view.others]
    rows = [
        tuple(Placed(column, sightings[card]) for card, column in row)
        for row in (arranged(quads).rows if quads else ())
    ]
    rows += [tuple(Placed(i, card.sighting) for i, card in enumerate(fan, 1)) for fan in fans]
    if fans:
        rows.sort(key=lambda row: min(placed.sighting.centre[1] for placed in row))
    return Reading(tuple(rows), told)


def _fans(cards: Sequence[Card]) -> list[list[Card]]:
    """Cards that overlap in fans, columns and strips, each from left to right or from top to bottom."""
    lone = [card.corner.pose for card in cards if card.corner is not None]
    if not lone:
        return []
    reach = NEXT * float(np.median([pose.height for pose in lone]))
    groups: list[list[Card]] = []
    for card in cards:
        near = [g for g in groups if any(_beside(card, other, reach) for other in g)]
        groups = [g for g in groups if not any(g is n for n in near)]
        groups.append([card, *(other for group in near for other in group)])
    fans = [g for g in groups if len(g) > 1 and any(card.corner is not None for card in g)]
    for fan in fans:
        at = np.array([card.anchors[0] for card in fan])
        axis = int(np.ptp(at[:, 1]) > 1.3 * np.ptp(at[:, 0]))
        fan.sort(key=lambda card: float(card.anchors[0][axis]))
    return fans


def _beside(one: Card, other: Card, reach: float) -> bool:
    if one.corner is None and other.corner is None:
        return False
    away = np.linalg.norm(one.anchors[:, None] - other.anchors[None], axis=2)
    return float(away.min()) < reach


def _uneven(fan: Sequence[Card]) -> bool:
    """Whether a fan leaves room between two indices for one that was not read."""
    lone = np.array([card.anchors[0] for card in fan if card.corner is not None])
    at = np.array(  # of a card that lies on top, the index on the fan's side
        [min(c.anchors, key=lambda a: float(np.linalg.norm(lone - a, axis=1).min())) for c in fan]
    )
    steps = np.linalg.norm(np.diff(at, axis=0), axis=1)
    return len(steps) >= _STEPS and bool(steps.max() > _WIDE_STEP * np.median(steps))


def _warnings(view: View, fans: Sequence[Sequence[Card]]) -> list[Warn]:
    found = []
    lone = [card for card in view.cards if card.corner is not None]
    unsure = [c for c in lone if c.verdict is None or not c.verdict.sure]
    covered = any(card.strange == COVERED for card in view.cards)
    if covered or len(unsure) > max(1, _TIGHT * len(lone)):
        cards = "1 card" if len(unsure) == 1 else f"{len(unsure)} cards"
        text = (
            f"of {cards} too little is to be seen, and of others perhaps nothing: spread the cards, so "
            "that rank and suit of each lie free"
        )
        found.append(Warn(SPREAD, text))
    elif any(_uneven(fan) for fan in fans):
        text = (
            "between two cards of a fan there is room for one that was not read: spread the cards"
        )
        found.append(Warn(SPREAD, text))
    strange = sorted({card.strange for card in view.cards} - {"", JOKER, COVERED})
    if strange:
        verb = "stands" if len(strange) == 1 else "stand"
        text = (
            f"{' and '.join(strange)} {verb} on cards: say what jack, queen and king carry "
            f"(--letters {', '.join(LETTERS[1:-1])} or {LETTERS[-1]})"
        )
        found.append(Warn("court-letters", text))
    if not view.cards:
        if view.others:
            text = "outlines of cards, but no index that can be read: backs, too small, or blurred?"
        else:
            text = "no standard card is to be seen: are they face up, near and sharp?"
        found.append(Warn("no-cards", text))
    return found
