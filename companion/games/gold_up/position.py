"""What the file of a score sheet says, and what makes it unusable."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from card_catalog.model import Card, Group
from companion.core.errors import Fault
from companion.core.game import PlayerName
from companion.games.gold_up.cards import colour, counted, short
from companion.games.gold_up.options import Options

Chest = Annotated[Card, Group("chest")]
Key = Annotated[Card, Group("key")]


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand: the chests that each player has won, or the coins that were counted on them."""

    chests: Mapping[PlayerName, tuple[Chest, ...]] | None = None
    coins: Mapping[PlayerName, int] | None = None
    unseen: Mapping[PlayerName, int] | None = None
    """Chests a player has won whose colour nobody has told; they are not counted."""
    finished: bool = True
    """False for the hand of a match that is still being played."""


@dataclass(frozen=True, slots=True)
class Position:
    """A score sheet: the players and every hand so far."""

    players: tuple[str, ...]
    hands: tuple[Hand, ...] = ()


def coins_of(chest: Card, values: Mapping[str, int]) -> int | None:
    """Coins on a chest: written behind it, else its colour's, else the household deck's."""
    if chest.number is not None:
        return chest.number
    return values.get(colour(chest), chest.kind.number)


def faults(position: Position, options: Options) -> list[Fault]:
    """Everything on a well-formed sheet that cannot be scored: each hand and player by name."""
    found: list[Fault] = []
    values = dict(options.values)
    for number, hand in enumerate(position.hands, start=1):
        where = f"hand {number}"
        if hand.chests is None and hand.coins is None:
            found.append(Fault(where, "neither chests nor coins", "give one of the two"))
        elif hand.chests is not None and hand.coins is not None:
            found.append(Fault(where, "both chests and coins", "give one of the two"))
        for name, coins in (hand.coins or {}).items():
            if coins < 0:
                found.append(
                    Fault(f"{where}, {name}", f"{coins} coins", "use a whole number from 0")
                )
        for name, unseen in (hand.unseen or {}).items():
            if unseen < 0:
                found.append(
                    Fault(f"{where}, {name}", f"{unseen} unseen", "use a whole number from 0")
                )
        for name, chests in (hand.chests or {}).items():
            found.extend(_without_value(f"{where}, {name}", chests, values))
    return found


def _without_value(where: str, chests: tuple[Card, ...], values: Mapping[str, int]) -> list[Fault]:
    missing = Counter(short(c) for c in chests if coins_of(c, values) is None)
    return [
        Fault(
            where,
            f"{counted(number, f'{name} chest')} without a value",
            f"read the coins off the card: values = {{ {name} = ... }} under [options], "
            f"or {name}=NUMBER for this chest",
        )
        for name, number in missing.items()
    ]
