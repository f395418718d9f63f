"""What is fixed about a round before anybody bids: its cards, its dealer and the order of bids."""

from dataclasses import dataclass
from functools import lru_cache

FEWEST, MOST = 3, 8
"""Players of a match."""
DECK_SIZE = 52


@dataclass(frozen=True, slots=True)
class Deal:
    """One round as the rules of dealing make it."""

    round: int
    """1 for the first."""
    rounds: int
    """Rounds of the whole match."""
    cards: int
    """Cards dealt to each player, and so the tricks of the round."""
    dealer: str
    order: tuple[str, ...]
    """All players clockwise from the dealer's left: the order of bids and of the first trick."""

    @property
    def last(self) -> bool:
        """Whether it is the last round of the match."""
        return self.round == self.rounds

    @property
    def left_over(self) -> int:
        """Cards that lie aside."""
        return DECK_SIZE - self.cards * len(self.order)


def first_hand(players: int) -> int:
    """Cards each in the first round, for 3 to 8 players (wap:deal.cards)."""
    if players <= 4:
        return 10
    return 8 if players <= 6 else 6


def rounds_of(players: int, direction: str) -> int:
    """Rounds of a match (wap:round.count, wap:variation.count)."""
    most = first_hand(players)
    return most if direction == "down" else 2 * most - 1


def cards_in(number: int, players: int, direction: str) -> int:
    """Cards each in round `number` (from 1); the one-card round comes once."""
    most = first_hand(players)
    down = most - number + 1
    if direction == "down" or down >= 1:
        return down
    return number - most + 1


def clockwise(players: tuple[str, ...], first: str) -> tuple[str, ...]:
    """All players, beginning with `first`."""
    seat = players.index(first)
    return players[seat:] + players[:seat]


@lru_cache(maxsize=256)
def deal_of(players: tuple[str, ...], first_dealer: str, number: int, direction: str) -> Deal:
    """Round `number` of a match whose round 1 `first_dealer` deals; the deal passes left."""
    seat = (players.index(first_dealer) + number - 1) % len(players)
    dealer = players[seat]
    return Deal(
        round=number,
        rounds=rounds_of(len(players), direction),
        cards=cards_in(number, len(players), direction),
        dealer=dealer,
        order=clockwise(players, players[(seat + 1) % len(players)]),
    )
