"""The cards of Gold Up: colours, keys that open, cards that nobody has seen yet."""

from collections.abc import Iterable
from enum import StrEnum

from card_catalog.model import Card

COLOURS = ("white", "red", "blue", "green", "purple", "yellow")
"""From the most common to the rarest."""

JOKER = "key-joker"
KEY_THIEF = "key-thief"
CHEST_THIEF = "chest-thief"
THIEVES = frozenset({KEY_THIEF, CHEST_THIEF})

_SHORT = {JOKER: "joker", KEY_THIEF: KEY_THIEF, CHEST_THIEF: CHEST_THIEF}


class Mark(StrEnum):
    """What stands where no known card does."""

    UNSEEN = "?"
    """A card lies there, or is held, and nobody has told which."""
    EMPTY = "."
    """No card lies there."""


def short(card: Card | Mark) -> str:
    """The name a player types: `white`, `yellow=12`, `joker`, `key-thief`, `?`."""
    if isinstance(card, Mark):
        return card.value
    name = _SHORT.get(card.id) or card.kind.family or card.id
    return name if card.number is None else f"{name}={card.number}"


def colour(card: Card | Mark) -> str:
    """The colour that key and chest must share; empty for jokers, thieves and unseen cards."""
    return "" if isinstance(card, Mark) else card.kind.family


def is_joker(card: Card | Mark) -> bool:
    """Whether it replaces any key."""
    return not isinstance(card, Mark) and card.id == JOKER


def is_thief(card: Card | Mark) -> bool:
    """Whether it is a thief of either kind, which opens nothing."""
    return not isinstance(card, Mark) and card.id in THIEVES


def in_box(card: Card) -> int | None:
    """How many of its kind the box holds; None where the deck does not say."""
    return card.kind.copies.get("box")


def counted(number: int, noun: str) -> str:
    """`1 chest`, `3 chests`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(cards: Iterable[Card | Mark]) -> str:
    """Cards in a sentence: `white, white and joker`; `none` when there are none."""
    names = [short(card) for card in cards]
    if len(names) < 2:
        return names[0] if names else "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"
