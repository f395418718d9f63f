"""A table as a file says it, and the one interface that scores and questions read it through."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from card_catalog.model import Card
from companion.core.errors import Fault
from companion.games.up_the_creek.table import ROWS, Board, Row


class Tables(Protocol):
    """Whatever has the three rows of every player: a file's position, or a match as it stands."""

    @property
    def boards(self) -> Mapping[str, Board]:
        """Rows by player, in the order of the seats."""
        ...


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a position file; the first cell of a row lies in column 1."""

    name: str
    rows: tuple[tuple[Card | None, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """A position file of Up the Creek."""

    players: tuple[Seat, ...]

    @property
    def boards(self) -> Mapping[str, Board]:
        """Rows by player; missing rows are empty."""
        return {seat.name: _board(seat) for seat in self.players}


@dataclass(frozen=True, slots=True)
class Standing:
    """The tables of a match as they lie now, with their own columns."""

    boards: Mapping[str, Board] = field(hash=False)
    ended: bool | None = None
    """Whether the match is over; None where the log cannot tell."""


def _board(seat: Seat) -> Board:
    rows = [Row.of(cells) for cells in seat.rows]
    rows += [Row()] * (len(ROWS) - len(rows))
    return rows[0], rows[1], rows[2]


def faults(position: Position) -> list[Fault]:
    """More than three rows of a player."""
    return [
        Fault(
            f"players {seat.name}.rows",
            f"{len(seat.rows)} rows",
            "a player has at most 3 rows",
        )
        for seat in position.players
        if len(seat.rows) > len(ROWS)
    ]
