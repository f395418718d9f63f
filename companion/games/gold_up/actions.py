"""What can be entered in a match of Gold Up: one frozen value a verb, the player first."""

from dataclasses import dataclass
from typing import Literal

from card_catalog.model import Card
from companion.games.gold_up.cards import Mark

Cards = tuple[Card | Mark, ...]
"""Cards of which some may not have been seen (`?`)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The keys that a player was dealt at the start of a hand."""

    player: str
    keys: Cards


@dataclass(frozen=True, slots=True)
class Layout:
    """The chests of one line, 1 to 5, as laid out at the start of a hand."""

    player: str
    line: int
    chests: Cards


@dataclass(frozen=True, slots=True)
class Collect:
    """A whole line is collected with these keys."""

    player: str
    line: int
    keys: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Takes:
    """Chests won from the table, where neither layout nor keys are tracked."""

    player: str
    chests: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Draw:
    """Keys drawn from the Keys pile; None: nobody has told which."""

    player: str
    keys: Cards | None = None


@dataclass(frozen=True, slots=True)
class StealKeys:
    """A key thief robs another pirate of keys; None: nobody has told which."""

    player: str
    victim: str
    keys: tuple[Card, ...] | None = None


@dataclass(frozen=True, slots=True)
class StealChests:
    """A chest thief and keys rob another pirate of chests."""

    player: str
    victim: str
    chests: tuple[Card, ...]
    keys: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Refill:
    """The new chests of a collected line, place by place."""

    player: str
    line: int
    chests: Cards


@dataclass(frozen=True, slots=True)
class Pass:
    """Nothing is done in this turn."""

    player: str


@dataclass(frozen=True, slots=True)
class Coins:
    """The coins that a player has counted after the hand."""

    player: str
    coins: int


@dataclass(frozen=True, slots=True)
class EndHand:
    """The hand is over and goes on the sheet."""

    player: str


@dataclass(frozen=True, slots=True)
class Observe:
    """What is really there, whatever was entered before."""

    player: str
    what: Literal["layout", "keys", "chests", "turn"]
    line: int = 0
    """For `layout`: the line, 1 to 5."""
    cards: Cards = ()


Act = (
    Deal
    | Layout
    | Collect
    | Takes
    | Draw
    | StealKeys
    | StealChests
    | Refill
    | Pass
    | Coins
    | EndHand
    | Observe
)

VERBS: dict[str, str] = {
    "deal KEYS": "the five keys that the player was dealt (only where every card is tracked)",
    "layout LINE CHESTS": "the chests of line 1 to 5 at the start of a hand, left to right",
    "collect LINE with KEYS": "takes a whole line, 1 to 7, one key or joker a chest",
    "takes CHESTS": "chests won from the table, where only results are tracked",
    "draw [KEYS]": "draws two keys, which is the whole turn",
    "steal-keys VICTIM [KEYS]": "shows a key thief and takes the victim's keys",
    "steal-chests VICTIM CHESTS with KEYS": "shows a chest thief and takes chests, a key each",
    "refill LINE CHESTS": "the new chests of the line that was just collected",
    "pass": "does nothing this turn",
    "coins N": "the coins that the player has counted after the hand",
    "end-hand": "closes the hand and adds it to the sheet",
    "observe layout LINE CHESTS": "what really lies in line 1 to 5; `.` is an empty place",
    "observe keys KEYS": "what the player really holds; `?` is an unseen card, `none` is nothing",
    "observe chests CHESTS": "what really lies before the player; `none` is nothing",
    "observe turn": "it is really this player's turn",
}
