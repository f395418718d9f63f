"""The nouns of the catalogue: a kind of card, a card as it lies on the table, a deck of kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Colour(StrEnum):
    """Colour of the number printed on a card."""

    RED = "red"
    BLACK = "black"


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of card of a deck.

    Two kinds are equal when their ids are: a household's deck may know more about a kind than the
    shipped deck does, and it is still the same card.
    """

    id: str
    name: str = field(compare=False)
    group: str = field(compare=False)
    """What the rules of its game look at: `section`, `indian`, `single`, `half`, `chest`, `key` ..."""
    code: str = field(default="", compare=False)
    """Up to three letters for a card drawn in little room."""
    family: str = field(default="", compare=False)
    """What belongs together: the treasure of a half or character, a suit, the colour of a chest."""
    end: str = field(default="", compare=False)
    """`bow` or `stern` where the card closes a canoe on that side."""
    half: str = field(default="", compare=False)
    """`a` or `b` where the card is one half of a composite treasure."""
    number: int | None = field(default=None, compare=False)
    """What is printed on every card of this kind, where known: strength, coins or rank."""
    numbered: bool = field(default=False, compare=False)
    """Whether `=N` may be written behind it: a number is printed on the card."""
    coloured: bool = field(default=False, compare=False)
    """Whether that number is printed in red or black."""
    copies: Mapping[str, int] = field(default_factory=dict, compare=False)
    """Cards of this kind in each set (`basic`, `expanded`, `box`), where the rulebook shows it."""
    aliases: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Card:
    """A card as it lies on the table: its kind, and what is printed on this very copy."""

    kind: Kind
    colour: Colour | None = None
    number: int | None = None
    """The number written behind it (`=N`); None: see `value`."""

    @property
    def id(self) -> str:
        """The id of its kind."""
        return self.kind.id

    @property
    def value(self) -> int | None:
        """The number that counts: the one written with the card, else the catalogue's, else None."""
        return self.kind.number if self.number is None else self.number

    def __str__(self) -> str:
        text = self.kind.id
        if self.colour is not None:
            text += f":{self.colour}"
        if self.number is not None:
            text += f"={self.number}"
        return text


@dataclass(frozen=True, slots=True)
class Group:
    """Marks a field that takes cards of one group only: `Annotated[Card, Group("chest")]`."""

    name: str


@dataclass(frozen=True, slots=True)
class Deck:
    """The kinds of cards of one game, as shipped or as a household's box has them."""

    id: str
    game: str
    title: str
    kinds: Mapping[str, Kind] = field(repr=False)
    values: Mapping[str, int] = field(default_factory=dict)
    """Coins a chest colour, where the household has told them; the shipped deck has none."""

    def __getitem__(self, kind_id: str) -> Kind:
        return self.kinds[kind_id]

    def copies_in(self, set_name: str) -> dict[str, int]:
        """Known number of cards a kind id in the set; kinds whose count is unknown are left out."""
        return {k.id: k.copies[set_name] for k in self.kinds.values() if set_name in k.copies}
