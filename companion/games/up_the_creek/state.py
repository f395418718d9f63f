"""A match in progress: the tables, whose turn it is, what is offered. Frozen; `apply` makes new ones."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from card_catalog.model import Card, Deck
from companion.core.game import PlayerName
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.table import EMPTY, Board


class Offer(StrEnum):
    """What a player may, or must, do next."""

    STEAL = "steal"
    SHOOT = "shoot"
    SINK = "axe"
    SPOILS = "spoils"
    ATTACK = "attack"
    END = "end"


@dataclass(frozen=True, slots=True)
class Awaiting:
    """One offer and whose it is. All but a Wild Axe may be declined."""

    offer: Offer
    player: str
    row: int = 0
    """Of an attack: row of the canoe; of spoils: the row that already took one, if any."""
    column: int = 0
    """Of an attack: first column of the canoe."""
    cards: tuple[Card, ...] = ()
    """Of spoils: the cards still to be laid."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a match file."""

    players: tuple[str, ...]
    tracking: Literal["light", "full"] = "light"
    """`full`: every card is revealed before it is placed; `light`: only what is placed is told."""
    first_player: PlayerName | None = None
    """Who starts; else whoever acts first."""


@dataclass(frozen=True, slots=True)
class State:
    """A match after some acts."""

    players: tuple[str, ...]
    options: Options
    deck: Deck = field(compare=False, repr=False)
    full: bool
    boards: tuple[Board, ...]
    turn: int | None = None
    """Index of the player whose turn it is; None before anybody has acted."""
    revealed: Card | None = None
    ending: str = ""
    """Why the turn ends once the revealed card and all offers are dealt with; empty: it goes on."""
    awaiting: tuple[Awaiting, ...] = ()
    lost: tuple[Awaiting, ...] = ()
    """Offers of this turn that nothing could answer: who tries all the same is told why."""
    discard: tuple[Card, ...] = ()
    """The discard pile, as far as the log tells."""
    out: int = 0
    """Cards that have come to the table and not gone back into a deck."""
    continued: frozenset[str] = frozenset()
    """Who went on although the game might have been ended."""
    over: str = ""
    """Why the match is over; empty while it is not."""
    observed: tuple[str, ...] = ()
    """Where the log was corrected."""
    news: tuple[str, ...] = field(default=(), compare=False)
    """What the last act led to, in sentences."""

    def board(self, player: str) -> Board:
        """The rows of a player."""
        return self.boards[self.players.index(player)]

    @property
    def tables(self) -> Mapping[str, Board]:
        """Rows by player."""
        return dict(zip(self.players, self.boards, strict=True))

    @property
    def active(self) -> str | None:
        """Whose turn it is."""
        return None if self.turn is None else self.players[self.turn]

    def held(self) -> list[Card]:
        """Cards on their way: the revealed one and spoils not yet laid."""
        cards = [card for awaited in self.awaiting for card in awaited.cards]
        return [*cards, self.revealed] if self.revealed is not None else cards


def start(head: Head, options: Options, deck: Deck) -> State:
    """The state before the first act."""
    turn = None if head.first_player is None else head.players.index(head.first_player)
    return State(
        head.players, options, deck, head.tracking == "full", (EMPTY,) * len(head.players), turn
    )
