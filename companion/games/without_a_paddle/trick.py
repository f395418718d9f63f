"""Suits, tricks and who must follow (wap:play.follow, wap:trick.winner)."""

from collections.abc import Iterable, Sequence

from card_catalog.model import Card
from companion.core.verdict import Objection

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
"""The suits by the letter that stands for them in a card's id."""


def suit(card: Card) -> str:
    """The letter of its suit."""
    return card.kind.family


def winner(plays: Sequence[tuple[str, Card]]) -> str:
    """Who takes the trick: the highest card of the suit of its first card."""
    led = suit(plays[0][1])
    name, _ = max(
        (play for play in plays if suit(play[1]) == led), key=lambda play: play[1].value or 0
    )
    return name


def listed(cards: Iterable[Card]) -> str:
    """Cards as text, by suit and from high to low."""
    order = {letter: place for place, letter in enumerate(SUITS)}
    ranked = sorted(cards, key=lambda c: (order.get(suit(c), 9), -(c.value or 0)))
    return " ".join(map(str, ranked))


def not_following(card: Card, led: str, hand: Iterable[Card], player: str = "") -> Objection | None:
    """The objection to a card of another suit while the hand holds the suit led, if it does."""
    could = [] if suit(card) == led else [c for c in hand if suit(c) == led]
    if not could:
        return None
    who = f"{player} holds" if player else "the hand holds"
    return Objection(
        "wap:play.follow",
        f"{card} does not follow suit: {SUITS[led]} were led, and {who} {listed(could)}.",
        tuple(f"play {c}" for c in listed(could).split()),
        place=(player, str(card)),
    )
