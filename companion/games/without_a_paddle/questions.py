"""The questions that `check` answers: a bid, a card, a trick, a deal."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from card_catalog.model import Card
from companion.core.errors import Fault, UnusableInput
from companion.core.game import PlayerName
from companion.core.verdict import Objection, Verdict
from companion.games.without_a_paddle.bidding import changed_bid, judge_bid
from companion.games.without_a_paddle.deal import Deal, deal_of, rounds_of
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position
from companion.games.without_a_paddle.trick import SUITS, listed, not_following, suit, winner

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BidQuestion:
    """May this player bid that number? Value: `{"forbidden": [...]}`."""

    player: PlayerName
    bid: int
    round: int
    bids: Mapping[PlayerName, int]
    """Those made so far, in any order; an earlier bid of the player himself is one he changes."""

    def ask(self, position: Position, options: Options) -> Verdict:
        """The verdict under these options; raises `UnusableInput`."""
        found = _round_faults(self.round, position, options)
        if self.bid < 0:
            found.append(Fault("question.bid", f"bid {self.bid}", "use a whole number from 0"))
        found += [
            Fault(f"question.bids, {name}", f"bid {bid}", "use a whole number from 0")
            for name, bid in self.bids.items()
            if bid < 0
        ]
        if found:
            raise UnusableInput(found)
        deal = _deal(self.round, position, options)
        bids = {str(name): bid for name, bid in self.bids.items()}
        verdict = judge_bid(deal, self.player, self.bid, bids, options)
        if bids.get(self.player, self.bid) == self.bid:
            return verdict
        return changed_bid(verdict, deal, self.player, bids)


@dataclass(frozen=True, slots=True)
class PlayQuestion:
    """May this card be played from that hand?"""

    hand: tuple[Card, ...]
    card: Card
    plays: tuple[tuple[PlayerName, Card], ...] = ()
    """The trick so far; none: the card is led."""
    led: str | None = None
    """The suit led, S H D or C, where the plays are not told."""

    def ask(self, position: Position, options: Options) -> Verdict:
        """The verdict under these options; raises `UnusableInput`."""
        led = self._led(position)
        objections = []
        if self.card not in self.hand:
            objections.append(
                Objection(
                    "wap:play.from-hand",
                    f"{self.card} is not in the hand ({listed(self.hand)}).",
                    (f"a card of the hand: {listed(self.hand)}",),
                    place=(str(self.card),),
                )
            )
        if led is None:
            return Verdict(
                tuple(objections),
                needs=("wap:play.lead",),
                reasons=("The first card of a trick may be of any suit.",),
            )
        revoke = not_following(self.card, led, self.hand)
        if revoke is not None:
            objections.append(revoke)
        if suit(self.card) == led:
            reason = f"{self.card} follows suit: {SUITS[led]} were led."
        else:
            reason = f"The hand has no {SUITS[led]}, so any card may be played."
        return Verdict(tuple(objections), needs=("wap:play.follow",), reasons=(reason,))

    def _led(self, position: Position) -> str | None:
        """The letter of the suit led, None when leading; raises `UnusableInput`."""
        found = _play_faults(self.plays)
        if not self.hand:
            found.append(Fault("question.hand", "the hand is empty", "list the cards held"))
        found += [
            Fault("question.hand", f"{card} is listed twice", "every card exists once")
            for card in _twice(self.hand)
        ]
        played = {card for _, card in self.plays}
        found += [
            Fault("question.hand", f"{card} lies in the trick already", "every card exists once")
            for card in self.hand
            if card in played
        ]
        if len(self.plays) >= len(position.players):
            found.append(
                Fault(
                    "question.plays",
                    f"all {len(self.plays)} players have played",
                    "leave out whoever is about to play",
                )
            )
        led = None if self.led is None else self.led.upper()
        if led is not None and led not in SUITS:
            found.append(Fault("question.led", f"{self.led} is not a suit", "use S, H, D or C"))
        elif self.plays:
            first = self.plays[0][1]
            if led not in (None, suit(first)):
                found.append(
                    Fault(
                        "question.led",
                        f"{led}, but the first card played is {first}",
                        f"leave it out or use {suit(first)}",
                    )
                )
            led = suit(first)
        if found:
            raise UnusableInput(found)
        return led


@dataclass(frozen=True, slots=True)
class TrickQuestion:
    """Who takes this trick? Value: the name."""

    plays: tuple[tuple[PlayerName, Card], ...]
    """In the order played."""

    def ask(self, position: Position, options: Options) -> Verdict:
        """The winner of the cards played so far; raises `UnusableInput`."""
        found = _play_faults(self.plays)
        if not self.plays:
            found.append(Fault("question.plays", "no card was played", "list who played what"))
        if found:
            raise UnusableInput(found)
        name = winner(self.plays)
        led = suit(self.plays[0][1])
        best = dict(self.plays)[PlayerName(name)]
        reasons = [f"{name}'s {best} is the highest of the suit led, {SUITS[led]}."]
        needs = ["wap:trick.winner"]
        if any(suit(card) != led for _, card in self.plays):
            needs.append("wap:bid.no-trumps")
        if len(self.plays) < len(position.players):
            reasons.append(f"{len(self.plays)} of {len(position.players)} have played so far.")
        return Verdict(value=name, needs=tuple(needs), asks_value=True, reasons=tuple(reasons))


@dataclass(frozen=True, slots=True)
class DealQuestion:
    """How is this round dealt? Value: cards, dealer, first bidder, rounds and cards left over."""

    round: int

    def ask(self, position: Position, options: Options) -> Verdict:
        """What the rules fix for the round; raises `UnusableInput`."""
        found = _round_faults(self.round, position, options)
        if found:
            raise UnusableInput(found)
        deal = _deal(self.round, position, options)
        needs = ["wap:deal.cards", "wap:bid.order"]
        if options.direction == "down":
            needs.append("wap:round.count")
        else:
            needs += ["wap:variation.count", "wap:variation.down-up"]
        if self.round > 1:
            needs += ["wap:round.dealer", "wap:round.fewer"]
        cards = "1 card" if deal.cards == 1 else f"{deal.cards} cards"
        told = (
            f"{deal.dealer} deals {cards} each in round {deal.round} of {deal.rounds}; "
            f"{deal.left_over} lie aside, and {deal.order[0]} bids and leads first."
        )
        return Verdict(
            value={
                "cards": deal.cards,
                "dealer": deal.dealer,
                "first_bidder": deal.order[0],
                "rounds": deal.rounds,
                "left_over": deal.left_over,
            },
            needs=tuple(needs),
            asks_value=True,
            reasons=(told,),
        )


def _round_faults(number: int, position: Position, options: Options) -> list[Fault]:
    if position.dealer is None:
        return [Fault("dealer", "not known yet", "cut for the first deal or name the dealer")]
    most = rounds_of(len(position.players), options.direction)
    if 1 <= number <= most:
        return []
    right = f"use 1 to {most} (direction = {options.direction})"
    return [Fault("question.round", f"round {number} does not exist", right)]


def _deal(number: int, position: Position, options: Options) -> Deal:
    dealer = position.dealer
    assert dealer is not None, "checked by _round_faults"
    return deal_of(position.players, dealer, number, options.direction)


def _play_faults(plays: Sequence[tuple[str, Card]]) -> list[Fault]:
    found = [
        Fault("question.plays", f"{name} plays twice", "one card a player and trick")
        for name in _twice(name for name, _ in plays)
    ]
    return found + [
        Fault("question.plays", f"{card} is played twice", "every card exists once")
        for card in _twice(card for _, card in plays)
    ]


def _twice(items: Iterable[T]) -> list[T]:
    """Those that occur more than once, each once."""
    all_of_them = list(items)
    return [item for item in dict.fromkeys(all_of_them) if all_of_them.count(item) > 1]
