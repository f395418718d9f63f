"""What lies on the table: rows of cards, the canoes in them, their strength."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from card_catalog.model import Card, Kind
from card_catalog.notation import write_row

ROWS = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Row:
    """Cards in neighbouring columns with gaps (None) between, none at the ends.

    A table has no fixed left edge: `first` may be any whole number. An empty row starts in column 1.
    """

    first: int = 1
    cells: tuple[Card | None, ...] = ()

    @staticmethod
    def of(cells: Sequence[Card | None], first: int = 1) -> "Row":
        """The row of these cells, the first of them in column `first`; outer gaps are dropped."""
        start, stop = 0, len(cells)
        while start < stop and cells[start] is None:
            start += 1
        while stop > start and cells[stop - 1] is None:
            stop -= 1
        return Row(first + start, tuple(cells[start:stop])) if start < stop else Row()

    @property
    def last(self) -> int:
        """Column of the last card; `first - 1` in an empty row."""
        return self.first + len(self.cells) - 1

    def at(self, column: int) -> Card | None:
        """The card in a column, if one lies there."""
        index = column - self.first
        return self.cells[index] if 0 <= index < len(self.cells) else None

    def items(self) -> Iterator[tuple[int, Card]]:
        """Column and card of every card, left to right."""
        for column, card in enumerate(self.cells, self.first):
            if card is not None:
                yield column, card

    def cards(self) -> list[Card]:
        """Its cards, left to right."""
        return [card for card in self.cells if card is not None]

    def having(self, column: int, card: Card | None) -> "Row":
        """The row with that card in the column, or with nothing there."""
        if not self.cells:
            return Row.of((card,), column)
        before = max(0, self.first - column)
        after = max(0, column - self.last)
        cells = [*(None,) * before, *self.cells, *(None,) * after]
        first = self.first - before
        cells[column - first] = card
        return Row.of(cells, first)

    def column_of(self, kind_id: str) -> int | None:
        """Column of the first card of that kind."""
        return next((c for c, card in self.items() if card.kind.id == kind_id), None)

    def __str__(self) -> str:
        return write_row(self.cells)


Board = tuple[Row, Row, Row]
"""The three rows of one player."""

EMPTY: Board = (Row(), Row(), Row())


def with_row(board: Board, number: int, row: Row) -> Board:
    """The board with row 1, 2 or 3 replaced."""
    return (
        row if number == 1 else board[0],
        row if number == 2 else board[1],
        row if number == 3 else board[2],
    )


def cards_of(board: Board) -> list[Card]:
    """All cards of a board, row by row."""
    return [card for row in board for card in row.cards()]


def is_empty(board: Board) -> bool:
    """Whether the player has no card on the table."""
    return not (board[0].cells or board[1].cells or board[2].cells)


def strength_of(card: Card) -> int | None:
    """Fighting strength of a card; None where it is printed on the card and nobody has told it."""
    if card.number is not None:
        return card.number
    if card.kind.group == "indian":
        return card.kind.number
    return 0


def has_tribe(kind: Kind) -> bool:
    """Whether the kind is an Indian of one of the two tribes: its number has a colour."""
    return kind.coloured


@dataclass(frozen=True, slots=True)
class Canoe:
    """One canoe of a row, completed or not, from its first to its last card."""

    row: int
    first: int
    cells: tuple[Card | None, ...]
    complete: bool

    @property
    def last(self) -> int:
        """Column of its last card."""
        return self.first + len(self.cells) - 1

    @property
    def columns(self) -> list[int]:
        """`[first, last]`."""
        return [self.first, self.last]

    @property
    def where(self) -> str:
        """`columns 2-5`, or `column 3`."""
        return (
            f"columns {self.first}-{self.last}" if len(self.cells) > 1 else f"column {self.first}"
        )

    @property
    def cards(self) -> list[Card]:
        """Its cards, left to right."""
        return [card for card in self.cells if card is not None]

    @property
    def at_least(self) -> int:
        """Sum of the known strengths: the least its strength can be."""
        return sum(strength_of(card) or 0 for card in self.cards)

    @property
    def strength(self) -> int | None:
        """Sum of the strengths of its cards (`utc:strength.sum`); None when one is unknown."""
        strengths = [strength_of(card) for card in self.cards]
        return None if None in strengths else sum(s for s in strengths if s is not None)

    @property
    def unknown(self) -> list[Card]:
        """The cards whose strength nobody has told."""
        return [card for card in self.cards if strength_of(card) is None]

    @property
    def protected(self) -> bool:
        """Whether a Totem lies in it."""
        return any(card.kind.group == "totem" for card in self.cards)

    def holds(self, kind_id: str) -> bool:
        """Whether a card of the kind lies in it."""
        return any(card.kind.id == kind_id for card in self.cards)


def canoes(row: Row, number: int, extent: str) -> list[Canoe]:
    """The canoes of a row (`utc:build.extent`), left to right.

    The row is cut before each bow and after each stern, with extent `run` also at gaps. A piece
    that begins with a bow, ends with a stern and has no gap is a completed canoe.
    """
    found: list[Canoe] = []
    start = 0
    cells = row.cells
    stop = len(cells)
    for i, card in enumerate(cells):
        if card is None:
            if extent == "run":
                _cut(found, row, number, start, i)
                start = i + 1
        elif card.kind.end == "bow":
            _cut(found, row, number, start, i)
            start = i
        elif card.kind.end == "stern":
            _cut(found, row, number, start, i + 1)
            start = i + 1
    _cut(found, row, number, start, stop)
    return found


def _cut(found: list[Canoe], row: Row, number: int, start: int, stop: int) -> None:
    """Adds the piece between two cuts, without the gaps at its ends, unless it is empty."""
    cells = row.cells
    while start < stop and cells[start] is None:
        start += 1
    while stop > start and cells[stop - 1] is None:
        stop -= 1
    if start == stop:
        return
    piece = cells[start:stop]
    head, tail = piece[0], piece[-1]
    complete = (
        len(piece) > 1
        and head is not None
        and tail is not None
        and head.kind.end == "bow"
        and tail.kind.end == "stern"
        and None not in piece
    )
    found.append(Canoe(number, row.first + start, piece, complete))


def canoes_of(board: Board, extent: str) -> list[Canoe]:
    """All canoes of a player, row by row."""
    return [canoe for number in ROWS for canoe in canoes(board[number - 1], number, extent)]


def completed(board: Board) -> list[Canoe]:
    """The completed canoes of a player; how far open ones reach does not matter for them."""
    return [canoe for canoe in canoes_of(board, "span") if canoe.complete]


def canoe_at(board: Board, row: int, column: int, extent: str) -> Canoe | None:
    """The canoe that a column belongs to, its inner gaps too."""
    for canoe in canoes(board[row - 1], row, extent):
        if canoe.first <= column <= canoe.last:
            return canoe
    return None
