"""A match in progress: the finished rounds, and the round on the table as far as it is known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from card_catalog.model import Card, Deck
from companion.core.game import PlayerName
from companion.games.without_a_paddle.deal import Deal, clockwise, deal_of, rounds_of
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position, Round
from companion.games.without_a_paddle.scoring import START, points_of


@dataclass(frozen=True, slots=True)
class Head:
    """What a match file says before its acts."""

    players: tuple[str, ...]
    """Clockwise."""
    dealer: PlayerName | None = None
    """Of round 1; without it the players cut."""
    tracking: Literal["light", "full"] = "light"
    """`light`: results only; `full`: every card."""


@dataclass(frozen=True, slots=True)
class Denial:
    """A card of another suit from an unseen hand: whether it was a renege may show later."""

    player: str
    suit: str
    trick: int
    card: Card


@dataclass(frozen=True, slots=True)
class Table:
    """The round on the table; tuples by seat, None for what nobody has told."""

    bids: tuple[int | None, ...]
    said: tuple[int | None, ...]
    """Tricks of the whole round, where they were entered as a number."""
    won: tuple[int, ...]
    """Tricks seen one by one."""
    hands: tuple[frozenset[Card] | None, ...]
    """Cards still held."""
    played: tuple[tuple[Card, ...], ...]
    trick: tuple[tuple[str, Card], ...] = ()
    leader: str = ""
    """Who leads to the current trick; empty: the player left of the dealer."""
    denials: tuple[Denial, ...] = ()
    proven: tuple[int, ...] = ()
    """Reneges that the cards prove."""
    charged: tuple[int, ...] = ()
    """Reneges that the players have named."""

    @property
    def done(self) -> int:
        """Tricks that have been taken one by one."""
        return sum(self.won)

    @property
    def fresh(self) -> bool:
        """Whether nothing has happened since the deal, known hands apart."""
        return not (
            any(b is not None for b in self.bids)
            or self.done
            or self.trick
            or any(s is not None for s in self.said)
        )

    @property
    def counts(self) -> tuple[int, ...]:
        """Tricks by seat as far as told."""
        return tuple(
            won if said is None else said for said, won in zip(self.said, self.won, strict=True)
        )

    @property
    def reneges(self) -> tuple[int, ...]:
        """Reneges by seat: a named one may be the one that the cards prove."""
        return tuple(map(max, self.proven, self.charged))


def new_table(seats: int) -> Table:
    """The table after a deal: nothing told."""
    nothing, zeros = (None,) * seats, (0,) * seats
    return Table(
        bids=nothing,
        said=nothing,
        won=zeros,
        hands=nothing,
        played=((),) * seats,
        proven=zeros,
        charged=zeros,
    )


@dataclass(frozen=True, slots=True)
class State:
    """A match after some acts."""

    players: tuple[str, ...]
    options: Options
    deck: Deck = field(repr=False)
    cards: Mapping[str, Card] = field(repr=False, compare=False)
    """Every name of a card in the deck, in small letters."""
    tracking: str
    dealer: str | None
    """Of round 1."""
    cutters: tuple[str, ...]
    """Who takes part in the current cut."""
    table: Table | None
    """None before the first dealer is known and after the end."""
    cuts: tuple[tuple[str, Card], ...] = ()
    rounds: tuple[Round, ...] = ()
    news: tuple[str, ...] = ()
    """What the last act led to."""
    notes: tuple[str, ...] = ()
    """What stays worth knowing: reneges that the cards proved, acts without effect."""
    corrections: tuple[str, ...] = ()
    """Where `observe` corrected the log."""

    @property
    def number(self) -> int:
        """Of the round on the table, or the next one."""
        return len(self.rounds) + 1

    @property
    def last_round(self) -> int:
        """Rounds of the whole match."""
        return rounds_of(len(self.players), self.options.direction)

    @property
    def over(self) -> bool:
        """Whether the last round is finished."""
        return len(self.rounds) == self.last_round

    @property
    def deal(self) -> Deal:
        """The deal of the round on the table; only while there is one."""
        return self.deal_in(self.number)

    def deal_in(self, number: int) -> Deal:
        """The deal of a round; only once a dealer is known."""
        assert self.dealer is not None, "no round without a dealer"
        return deal_of(self.players, self.dealer, number, self.options.direction)

    def seat(self, player: str) -> int:
        """The place of a player in the tuples of the table."""
        return self.players.index(player)


def start(head: Head, options: Options, deck: Deck) -> State:
    """The state before the first act."""
    names: dict[str, Card] = {}
    for kind in deck.kinds.values():
        card = Card(kind)
        for name in (kind.id, *kind.aliases, kind.name):
            names[name.casefold()] = card
    return State(
        players=head.players,
        options=options,
        deck=deck,
        cards=names,
        tracking=head.tracking,
        dealer=head.dealer,
        cutters=head.players,
        table=None if head.dealer is None else new_table(len(head.players)),
    )


def standing(state: State) -> Position:
    """The finished rounds as a score sheet."""
    dealer = None if state.dealer is None else PlayerName(state.dealer)
    return Position(state.players, dealer, state.rounds)


def totals(state: State) -> dict[str, int]:
    """Points by player after the finished rounds."""
    points = dict.fromkeys(state.players, START)
    for number, written in enumerate(state.rounds, 1):
        cards = state.deal_in(number).cards
        for name in map(PlayerName, state.players):
            points[name] += points_of(
                written.bids[name],
                written.tricks[name],
                cards,
                written.reneged.count(name),
                state.options,
            )
    return points


def leading(points: Mapping[str, int]) -> list[str]:
    """Who has the most points."""
    best = max(points.values())
    return [name for name, total in points.items() if total == best]


def next_bidder(state: State, table: Table) -> str | None:
    """Whose bid is awaited; None when all have bid."""
    if None not in table.bids:
        return None
    return next(p for p in state.deal.order if table.bids[state.seat(p)] is None)


def bids_of(state: State, table: Table) -> dict[str, int]:
    """The bids made so far."""
    return {p: b for p, b in zip(state.players, table.bids, strict=True) if b is not None}


def turn(state: State, table: Table) -> str | None:
    """Who plays the next card; None when all tricks have been taken."""
    if table.done >= state.deal.cards:
        return None
    if not table.trick:
        return table.leader or state.deal.order[0]
    played = {player for player, _ in table.trick}
    return next(p for p in clockwise(state.players, table.trick[0][0]) if p not in played)


def cards_left(state: State, table: Table, player: str) -> int:
    """Cards that the player must still hold."""
    in_trick = any(name == player for name, _ in table.trick)
    return state.deal.cards - table.done - in_trick


def next_to_tell(table: Table) -> int | None:
    """The first seat whose tricks of the round are not told as a number."""
    return next((seat for seat, said in enumerate(table.said) if said is None), None)


def charged_round(state: State, number: int | None) -> int:
    """The round that a renege or a count belongs to when no round is named.

    In a round where nothing has happened yet it must be the one before.
    """
    if number is not None:
        return number
    if state.rounds and (state.table is None or state.table.fresh):
        return len(state.rounds)
    return state.number
