"""How far a score can still move while some cards are unsure, and which of them move it.

A row of Up the Creek falls into pieces that score by themselves: at gaps, before each bow, after each
stern (`utc:build.extent`). In each piece all combinations of what its cards may be are counted; cards
that score alike count once. Where that is too many, the range is a bound: no total lies outside it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from card_catalog.model import Card, Deck
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.scoring import TREASURE, canoe_lines
from companion.games.up_the_creek.table import Row, canoes

MOST = 4096
"""Combinations of one piece that are counted one by one."""
_BEST_PER_CARD = 30
"""Points that one half or character can bring: a third of the triple."""
_TREASURES = ("single", "half", "character")


@dataclass(frozen=True, slots=True)
class Place:
    """A column of a row: the cards that may lie there, None for nothing."""

    cards: tuple[Card | None, ...] = (None,)
    nameless: bool = False
    """A card lies there that may be any of the deck, or none of it."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Lowest and highest points, and the indices of the places that decide."""

    lowest: int
    highest: int | None
    """None: a card without a name may bring any points."""
    deciding: tuple[int, ...] = ()


Piece = list[tuple[int, Place]]
"""Places that score together, each with its index in the row."""


def nameless(deck: Deck) -> Place:
    """A card that could not be named: one card of the deck for each way to score, or nothing."""
    return Place((*(Card(kind) for kind in deck.kinds.values()), None), nameless=True)


def row_spread(places: Sequence[Place], options: Options, gap: bool = False) -> Spread:
    """What a row of Up the Creek can score; `gap`: one gap may be there or not, wherever that is."""
    read = _spread(places, options)
    return _either_gap(read, places, options) if gap else read


def _either_gap(read: Spread, places: Sequence[Place], options: Options) -> Spread:
    spreads, deciding = [read], set(read.deciding)
    for at in range(1, len(places)):
        if places[at - 1].cards != (None,) and places[at].cards != (None,):
            spreads.append(_spread([*places[:at], Place(), *places[at:]], options))
            deciding |= {i - (i > at) for i in spreads[-1].deciding}
        elif places[at].cards == (None,):
            spreads.append(_spread([*places[:at], *places[at + 1 :]], options))
            deciding |= {i + (i >= at) for i in spreads[-1].deciding}
    highest = [s.highest for s in spreads]
    return Spread(
        min(s.lowest for s in spreads),
        None if None in highest else max(h for h in highest if h is not None),
        tuple(sorted(deciding)),
    )


def _spread(places: Sequence[Place], options: Options) -> Spread:
    spreads = [_piece_spread(piece, options) for piece in _pieces(places)]
    highest = [s.highest for s in spreads]
    return Spread(
        sum(s.lowest for s in spreads),
        None if None in highest else sum(h for h in highest if h is not None),
        tuple(sorted(index for s in spreads for index in s.deciding)),
    )


def _pieces(places: Sequence[Place]) -> list[Piece]:
    """The row cut where every reading of it is cut; gaps are left out."""
    pieces: list[Piece] = [[]]
    for index, place in enumerate(places):
        alike = _alike(place.cards)
        if alike == [None]:
            pieces.append([])
            continue
        ends = {"" if card is None else card.kind.end for card in alike}
        if ends == {"bow"}:
            pieces.append([])
        pieces[-1].append((index, Place(tuple(alike), place.nameless)))
        if ends == {"stern"}:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _alike(cards: Iterable[Card | None]) -> list[Card | None]:
    """One card for each way to score."""
    ways: dict[tuple[str, ...] | None, Card | None] = {}
    for card in cards:
        ways.setdefault(_way(card), card)
    return list(ways.values())


def _way(card: Card | None) -> tuple[str, ...] | None:
    """What the score sees of a card."""
    if card is None:
        return None
    kind = card.kind
    if kind.group not in _TREASURES:
        return (kind.end,)
    if kind.group == "single":
        return (kind.end, kind.group)
    return (kind.end, kind.group, kind.family, kind.half)


def row_points(cells: Sequence[Card | None], options: Options) -> int:
    """Points of the completed canoes of a row."""
    return sum(
        line.points
        for canoe in canoes(Row.of(cells), 1, "span")
        if canoe.complete
        for line in canoe_lines(canoe, options)
    )


def _piece_spread(piece: Piece, options: Options) -> Spread:
    cards = [place.cards for _, place in piece]
    if prod(map(len, cards)) > MOST:
        spread = _bound(piece, options)
    else:
        spread = _counted(piece, cards, lambda cells: row_points(cells, options))
    open_end = any(place.nameless for index, place in piece if index in spread.deciding)
    return Spread(spread.lowest, None if open_end else spread.highest, spread.deciding)


def _counted(
    piece: Piece,
    cards: list[tuple[Card | None, ...]],
    points: Callable[[Sequence[Card | None]], int],
) -> Spread:
    """All combinations counted; a place decides if changing it alone can change the points."""
    numbers = [range(len(options)) for options in cards]
    table = {
        choice: points([options[n] for options, n in zip(cards, choice, strict=True)])
        for choice in product(*numbers)
    }
    deciding = []
    for at, (index, _) in enumerate(piece):
        if len(cards[at]) < 2:
            continue
        others: dict[tuple[int, ...], int] = {}
        for choice, result in table.items():
            if others.setdefault(choice[:at] + choice[at + 1 :], result) != result:
                deciding.append(index)
                break
    return Spread(min(table.values()), max(table.values()), tuple(deciding))


def _bound(piece: Piece, options: Options) -> Spread:
    """A lowest and highest that no combination leaves; every unsure place is taken to decide."""
    best = [0] * (len(piece) + 1)
    for stop in range(1, len(piece) + 1):
        best[stop] = best[stop - 1]
        for start in range(stop - 1):
            if _can_be_canoe(piece[start:stop]):
                most = sum(_most(place) for _, place in piece[start:stop])
                best[stop] = max(best[stop], best[start] + _length(stop - start, options) + most)
    lowest = 0
    if _must_be_canoe(piece):
        lowest = _length(len(piece), options) + sum(_least(place, options) for _, place in piece)
    unsure = tuple(index for index, place in piece if len(place.cards) > 1)
    return Spread(lowest, best[-1], unsure)


def _length(count: int, options: Options) -> int:
    return count * (2 if count >= options.double_from else 1)


def _ends(place: Place) -> set[str | None]:
    return {None if card is None else card.kind.end for card in place.cards}


def _can_be_canoe(piece: Piece) -> bool:
    first, *inner, last = (_ends(place) for _, place in piece)
    return "bow" in first and "stern" in last and all("" in ends for ends in inner)


def _must_be_canoe(piece: Piece) -> bool:
    if len(piece) < 2:
        return False
    first, *inner, last = (_ends(place) for _, place in piece)
    return first == {"bow"} and last == {"stern"} and all(ends == {""} for ends in inner)


def _most(place: Place) -> int:
    groups = {card.kind.group for card in place.cards if card is not None}
    if groups & {"half", "character"}:
        return _BEST_PER_CARD
    return TREASURE if "single" in groups else 0


def _least(place: Place, options: Options) -> int:
    return min(_alone(card, options) for card in place.cards)


def _alone(card: Card | None, options: Options) -> int:
    """The least that a card can bring in a completed canoe, beside its part of the length."""
    if card is None or card.kind.group not in _TREASURES:
        return 0
    return min(TREASURE, options.lone_character) if card.kind.group == "character" else TREASURE


def chest_spread(places: Sequence[Sequence[int | None]]) -> Spread:
    """What chests of Gold Up are worth: of each the coins that it may hold.

    None among them: nobody knows how many; a place without any: a card without a name.
    """
    lowest, highest = 0, 0
    unknown = False
    deciding = []
    for index, coins in enumerate(places):
        known = [c for c in coins if c is not None]
        open_end = not coins or None in coins
        unknown |= open_end
        lowest += 0 if open_end else min(known)
        highest += max(known, default=0)
        if open_end or len(set(known)) > 1:
            deciding.append(index)
    return Spread(lowest, None if unknown else highest, tuple(deciding))
