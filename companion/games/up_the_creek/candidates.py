"""The acts worth asking about in a state: what the head of the offers, or the turn, calls for."""

from collections.abc import Iterator
from itertools import combinations

from card_catalog.model import Card, Kind
from companion.games.up_the_creek import placement, specials
from companion.games.up_the_creek.acts import (
    Act,
    Attack,
    Axe,
    Beside,
    Decline,
    Destination,
    Discard,
    End,
    Lay,
    Reshuffle,
    Reveal,
    Shoot,
    Spot,
    Steal,
    Take,
)
from companion.games.up_the_creek.flow import targets_of
from companion.games.up_the_creek.piracy import SHAMAN, Target
from companion.games.up_the_creek.state import Awaiting, Offer, State
from companion.games.up_the_creek.table import ROWS, Board, canoe_at


def candidates(state: State) -> Iterator[Act]:
    """All acts worth asking about, legal or not; finite."""
    if state.over:
        return
    if state.revealed is not None and state.active is not None:
        yield from _lay(state, state.active, state.revealed)
        yield Discard(state.active, state.revealed)
    elif state.awaiting:
        yield from _answers(state, state.awaiting[0])
        yield Decline(state.awaiting[0].player)
    else:
        yield from _turn(state)


def _turn(state: State) -> Iterator[Act]:
    movers = state.players if state.active is None or not state.full else (state.active,)
    for player in movers:
        for kind in state.deck.kinds.values():
            yield Reveal(player, Card(kind))
            if not state.full:
                yield from _lay(state, player, Card(kind))
    if state.discard:
        yield Reshuffle(movers[0])


def _lay(state: State, player: str, card: Card) -> Iterator[Act]:
    for to in destinations(state.board(player), card.kind):
        yield Lay(player, card, to)


def destinations(board: Board, kind: Kind) -> Iterator[Destination]:
    """Every place that touches, and every way to lie beside a half of the same treasure."""
    for row, column in placement.spots(board):
        yield Spot(row, column)
    if kind.group not in ("half", "character"):
        return
    for row in ROWS:
        for _, other in board[row - 1].items():
            if other.kind.group == "half" and other.kind.family == kind.family:
                for side in ("left", "right"):
                    for shift in ("left", "right"):
                        yield Beside(row, other.kind.id, side, shift)


def _answers(state: State, awaited: Awaiting) -> Iterator[Act]:
    player = awaited.player
    board = state.board(player)
    match awaited.offer:
        case Offer.STEAL:
            for victim, row, column, card in _others(state, player):
                for to in destinations(board, card.kind):
                    yield Steal(player, victim, row, column, to)
                yield Steal(player, victim, row, column, None)
        case Offer.SHOOT:
            for victim, row, column, _ in _others(state, player):
                yield Shoot(player, victim, row, column)
        case Offer.SINK:
            for canoe in specials.axe(board):
                yield Axe(player, canoe.row, canoe.first)
        case Offer.SPOILS:
            for card in dict.fromkeys(awaited.cards):
                for to in destinations(board, card.kind):
                    yield Take(player, card, to)
                yield Discard(player, card)
        case Offer.ATTACK:
            yield from _attacks(state, awaited)
        case Offer.END:
            yield End(player)


def _others(state: State, player: str) -> Iterator[tuple[str, int, int, Card]]:
    for other in state.players:
        if other != player:
            for number, row in enumerate(state.board(other), 1):
                for column, card in row.items():
                    yield other, number, column, card


def _attacks(state: State, awaited: Awaiting) -> Iterator[Act]:
    player, row, column = awaited.player, awaited.row, awaited.column
    targets = [Target(victim, c.row, c.first) for c, victim in targets_of(state, player)]
    for target in targets:
        yield Attack(player, row, column, (target,))
    canoe = canoe_at(state.board(player), row, column, "span")
    if canoe is not None and canoe.holds(SHAMAN):
        for pair in combinations(targets, 2):
            yield Attack(player, row, column, pair)
