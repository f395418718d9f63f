"""A match of Gold Up in progress: what has been told so far, the rest unseen."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from card_catalog.model import Card, Deck, Kind
from companion.core.game import PlayerName
from companion.games.gold_up.actions import Cards
from companion.games.gold_up.cards import Mark
from companion.games.gold_up.layout import PLACES
from companion.games.gold_up.options import Options
from companion.games.gold_up.position import Hand, Position, coins_of

DEALT = 5
"""Keys that each player starts a hand with."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a match file."""

    players: tuple[str, ...]
    first_player: PlayerName | None = None
    """Who starts; None: whoever acts first."""
    tracking: Literal["light", "full"] = "light"
    """light: only what was won is entered; full: layout, keys and turns as well."""


@dataclass(frozen=True, slots=True)
class State:
    """The fold of all acts so far. Tuples with one entry a player follow the order of `players`."""

    players: tuple[str, ...]
    tracking: Literal["light", "full"]
    options: Options
    deck: Deck
    names: Mapping[tuple[str, str], Kind] = field(repr=False)
    """Kinds by group and name, as players write them."""
    turn: str | None
    """Whose turn it is; None: nobody has told, or turns are not tracked."""
    starter: str | None
    """Who started this hand."""
    keys: tuple[Cards | None, ...]
    """The hand of each player; None: not tracked."""
    layout: Cards = (Mark.UNSEEN,) * PLACES
    chests: tuple[Cards, ...] = ()
    """Chests lying before each player."""
    coins: tuple[int | None, ...] = ()
    """Coins that each player has counted for this hand."""
    refill: tuple[int, tuple[int, ...]] | None = None
    """The line just collected and its places that nobody has named yet."""
    missing: tuple[str, ...] = ()
    """Players who will miss their next turn."""
    acted: bool = False
    """Whether somebody has had a turn in this hand."""
    done: tuple[Hand, ...] = ()
    """The finished hands."""
    over: bool = False
    corrected: tuple[str, ...] = ()
    """Where the log was corrected by what was seen."""
    news: tuple[str, ...] = ()
    """What the last act has led to."""

    @property
    def full(self) -> bool:
        """Whether every card and turn is tracked."""
        return self.tracking == "full"

    @property
    def chests_pile(self) -> int | None:
        """Cards left in the Chests pile; None where they are not tracked."""
        if not self.full:
            return None
        lying = sum(c is not Mark.EMPTY for c in self.layout)
        return max(0, _in_box(self.deck, "chest") - lying - sum(map(len, self.chests)))

    @property
    def keys_pile(self) -> int | None:
        """Cards left in the Keys pile; None where somebody's hand is not tracked."""
        held = [len(hand) for hand in self.keys if hand is not None]
        if not self.full or len(held) < len(self.keys):
            return None
        return max(0, _in_box(self.deck, "key") - sum(held))

    @property
    def counting(self) -> bool:
        """Whether the Chests pile is empty, so that the hand is over and coins are counted."""
        return self.chests_pile == 0

    def seat(self, player: str) -> int:
        """Place of the player at the table, from 0."""
        return self.players.index(player)

    def known_keys(self) -> Iterator[Card]:
        """Key cards that are known to be in somebody's hand."""
        for hand in self.keys:
            yield from seen(hand or ())

    def known_chests(self) -> Iterator[Card]:
        """Chests that are known to lie on the table or before a player."""
        yield from seen(self.layout)
        for own in self.chests:
            yield from seen(own)

    def own_coins(self, seat: int) -> int | None:
        """Coins of this hand, counted or by the chests; None where a value or colour is missing."""
        counted = self.coins[seat]
        if counted is not None:
            return counted
        values = dict(self.options.values)
        total = 0
        for chest in self.chests[seat]:
            coins = None if isinstance(chest, Mark) else coins_of(chest, values)
            if coins is None:
                return None
            total += coins
        return total


def seen(cards: Iterable[Card | Mark]) -> Iterator[Card]:
    """The cards among them that have been told."""
    return (card for card in cards if not isinstance(card, Mark))


def _in_box(deck: Deck, group: str) -> int:
    return sum(k.copies.get("box", 0) for k in deck.kinds.values() if k.group == group)


def start(head: Head, options: Options, deck: Deck) -> State:
    """The table before the first act of a match."""
    # In light tracking a turn that is never told would only give wrong objections.
    first = head.first_player if head.tracking == "full" else None
    return fresh(
        State(
            players=head.players,
            tracking=head.tracking,
            options=options,
            deck=deck,
            names=_names(deck),
            turn=first,
            starter=first,
            keys=(),
        )
    )


def fresh(state: State) -> State:
    """The state with a new hand: five unseen keys each, eleven unseen chests."""
    hand: Cards | None = (Mark.UNSEEN,) * DEALT if state.full else None
    return replace(
        state,
        keys=(hand,) * len(state.players),
        layout=(Mark.UNSEEN,) * PLACES,
        chests=((),) * len(state.players),
        coins=(None,) * len(state.players),
        refill=None,
        missing=(),
        acted=False,
    )


def _names(deck: Deck) -> dict[tuple[str, str], Kind]:
    return {
        (kind.group, name): kind
        for kind in deck.kinds.values()
        for name in (kind.id, *kind.aliases, kind.name.lower().replace(" ", "-"))
    }


def this_hand(state: State, *, finished: bool) -> Hand:
    """The hand in progress as the sheet has it."""
    if any(c is not None for c in state.coins):
        coins = {}
        for seat, name in enumerate(state.players):
            own = state.own_coins(seat)
            if own is not None:
                coins[PlayerName(name)] = own
        return Hand(coins=coins, finished=finished)
    chests = {
        PlayerName(name): tuple(seen(own))
        for name, own in zip(state.players, state.chests, strict=True)
    }
    unseen = {
        PlayerName(name): own.count(Mark.UNSEEN)
        for name, own in zip(state.players, state.chests, strict=True)
        if Mark.UNSEEN in own
    }
    return Hand(chests=chests, unseen=unseen or None, finished=finished)


def standing(state: State) -> Position:
    """The sheet as it is now; a hand in progress is marked as unfinished."""
    hands = state.done
    begun = state.acted or any(state.chests) or any(c is not None for c in state.coins)
    if begun:
        hands = (*hands, this_hand(state, finished=False))
    return Position(state.players, hands)
