"""Photos put together into what lies before each player: their rows, one under the other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Card, Deck
from companion.vision.sighting import Placed, Reading, Sighting

_ONCE = ("single", "half", "character", "totem", "axe")
"""Groups of Up the Creek whose cards are in the box once."""
LIKELY = 0.02
"""Least confidence of a candidate that an unsure card may turn out to be."""
_UNCLEAR, _GAP = "columns-unclear", "gap-unclear"
"""Codes of the warnings that a row may lie under other columns, and that a gap may not be as read."""
FIRST = "Player 1"
"""Whose photos they are where nobody said."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A card's place in a photo, and its number there: cards are counted row by row."""

    number: int
    placed: Placed

    @property
    def sighting(self) -> Sighting:
        """What was seen there."""
        return self.placed.sighting


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A row of a photo, from left to right; its columns are the photo's."""

    photo: str
    spots: tuple[Spot, ...]

    def cells(self) -> list[Spot | None]:
        """Every column from the first on; None where nothing lies."""
        by_column = {spot.placed.column: spot for spot in self.spots}
        return [by_column.get(column) for column in range(1, max(by_column, default=0) + 1)]


@dataclass(frozen=True, slots=True)
class Seen:
    """All that the photos of one player show."""

    player: str
    rows: tuple[SeenRow, ...] = ()
    unread: tuple[str, ...] = ()
    """Photos of theirs that could not be read."""
    unclear: tuple[str, ...] = ()
    """Where it is not clear in which column a card lies, in words."""
    gaps: tuple[int, ...] = ()
    """Rows, from 1, in which a gap may be there or not."""

    @property
    def spots(self) -> list[Spot]:
        """All cards, row by row."""
        return [spot for row in self.rows for spot in row.spots]

    @property
    def settled(self) -> bool:
        """Whether every photo was read, every card is sure and every gap clear."""
        sure = all(spot.sighting.sure for spot in self.spots)
        return sure and not self.unread and not self.gaps


Shot = tuple[str, str, Reading | None]
"""A player, a photo's name, and what it shows; None where it could not be read."""


def rows_of(photo: str, reading: Reading) -> tuple[SeenRow, ...]:
    """The rows of a photo, their cards numbered."""
    rows, number = [], 0
    for row in reading.rows:
        spots = [Spot(number + i, placed) for i, placed in enumerate(row, 1)]
        number += len(spots)
        rows.append(SeenRow(photo, tuple(spots)))
    return tuple(rows)


def seated(shots: Iterable[Shot]) -> list[Seen]:
    """What lies before each player, in the order in which they were first named."""
    seen: dict[str, Seen] = {}
    for player, photo, reading in shots:
        before = seen.get(player, Seen(player))
        if reading is None:
            seen[player] = replace(before, unread=(*before.unread, photo))
        else:
            rows = (*before.rows, *rows_of(photo, reading))
            doubts = [w for w in reading.warnings if w.code in (_UNCLEAR, _GAP)]
            seen[player] = replace(
                before,
                rows=rows,
                unclear=(*before.unclear, *(f"{photo}: {w.text}" for w in doubts)),
                gaps=(*before.gaps, *(len(before.rows) + w.row for w in doubts if w.code == _GAP)),
            )
    return list(seen.values())


def card_of(face: str, number: int | None, deck: Deck) -> Card:
    """The card of a face; the number that was read is kept where the catalogue does not say it.

    Only strengths and coins are: what is printed on a treasure are its points.
    """
    card = lookup_in(deck).card(face)
    counts = card.kind.numbered and (card.kind.coloured or card.kind.group == "chest")
    if number is not None and counts and number != card.value:
        return Card(card.kind, card.colour, number)
    return card


def known_card(face: str | None, number: int | None, deck: Deck) -> Card | None:
    """The card of a face; None without one, or where the deck does not know it."""
    try:
        return None if face is None else card_of(face, number, deck)
    except UnknownCard:
        return None


def single_in(deck: Deck) -> Callable[[str], bool]:
    """Tells of a card's name whether the box holds it once, so that it cannot lie in two places."""

    def single(face: str) -> bool:
        card = known_card(face, None, deck)
        if card is None:
            return False
        return card.kind.group in _ONCE or deck.game == "without-a-paddle"

    return single


def read_card(spot: Spot, deck: Deck) -> Card | None:
    """The card by the best reading; None where it has no name."""
    face = spot.sighting.face
    return None if face is None else card_of(face, spot.sighting.number, deck)


def may_be(spot: Spot, deck: Deck) -> list[Card]:
    """All cards that the place may turn out to hold, the best reading first; none without a name."""
    return [card_of(face, spot.sighting.number, deck) for face in likely(spot.sighting)]


def likely(sighting: Sighting) -> list[str]:
    """The names that what was seen may turn out to have, the best reading first."""
    if sighting.face is None:
        return []
    others = () if sighting.sure else sighting.candidates[1:]
    return [sighting.face, *(c.face for c in others if c.confidence >= LIKELY)]


def unsettled(rows: Sequence[SeenRow]) -> list[tuple[int, Spot]]:
    """Number of the row, from 1, and place of every card that has to be asked about."""
    return [
        (number, spot)
        for number, row in enumerate(rows, 1)
        for spot in row.spots
        if not spot.sighting.sure
    ]
