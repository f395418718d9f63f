"""The rules as witnesses of what was read: they ask about a card, and never overrule what is seen.

Players do make illegal rows, so a row that the rules do not allow is only a reason to look again at its
least certain card.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Deck, Kind
from companion.vision.sighting import Placed, Reading

CERTAIN = 0.985
"""Confidence from which a card is passed on whatever the rules would expect."""


def witnessed(reading: Reading, deck: Deck) -> Reading:
    """The reading, with cards that the rules do not expect there asked about unless they are certain."""
    doubts: dict[tuple[int, int], str] = {}
    if deck.game == "up-the-creek":
        for number, row in enumerate(reading.rows):
            doubts |= {(number, i): text for i, text in _in_a_row(row, deck)}
    doubts |= dict(_too_many(reading, deck))
    rows = tuple(
        tuple(
            _asked(placed, doubts[number, i]) if (number, i) in doubts else placed
            for i, placed in enumerate(row)
        )
        for number, row in enumerate(reading.rows)
    )
    return replace(reading, rows=rows)


def _asked(placed: Placed, doubt: str) -> Placed:
    seen = placed.sighting
    return replace(placed, sighting=replace(seen, sure=False, doubts=(*seen.doubts, doubt)))


def _kind(placed: Placed, deck: Deck) -> Kind | None:
    if placed.sighting.face is None:
        return None
    try:
        return lookup_in(deck).card(placed.sighting.face).kind
    except UnknownCard:
        return None


def _confidence(placed: Placed) -> float:
    return placed.sighting.candidates[0].confidence


def _in_a_row(row: Sequence[Placed], deck: Deck) -> Iterator[tuple[int, str]]:
    """Cards that stand in one row twice (utc:build.duplicate): all but the most certain of them."""
    kinds = [_kind(placed, deck) for placed in row]
    for kind, count in Counter(k.id for k in kinds if k is not None).items():
        here = [i for i, k in enumerate(kinds) if k is not None and k.id == kind]
        if count > 1:
            for i in sorted(here, key=lambda i: _confidence(row[i]))[: count - 1]:
                if _confidence(row[i]) < CERTAIN:
                    yield i, f"{kind} stands {count} times in this row"


def _too_many(reading: Reading, deck: Deck) -> Iterator[tuple[tuple[int, int], str]]:
    """Cards of a kind of which the box holds fewer than were seen."""
    most = {kind.id: max(kind.copies.values()) for kind in deck.kinds.values() if kind.copies}
    found: dict[str, list[tuple[float, int, int]]] = {}
    for number, row in enumerate(reading.rows):
        for i, placed in enumerate(row):
            kind = _kind(placed, deck)
            if kind is not None and kind.id in most:
                found.setdefault(kind.id, []).append((_confidence(placed), number, i))
    for kind_id, places in found.items():
        for confidence, number, i in sorted(places)[: max(0, len(places) - most[kind_id])]:
            if confidence < CERTAIN:
                text = f"the box holds {most[kind_id]} of {kind_id}, and {len(places)} were seen"
                yield (number, i), text
