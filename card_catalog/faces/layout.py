"""Where the marks of a card stand: the number ring, the worth of a treasure, its symbol, the title."""

from dataclasses import dataclass
from typing import Literal

from card_catalog.model import Kind

TREASURES = frozenset({"single", "half", "character"})
"""Groups whose cards have 10 printed at the bottom: the rulebook says what each is worth."""
WORTH = 10


@dataclass(frozen=True, slots=True)
class Ring:
    """The ring about a printed number; it is empty where the number is not known."""

    x: float
    """Of the middle, in card widths from the left."""
    y: float
    """Of the middle, in card heights from the top."""
    radius: float
    """In card widths."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark over the picture."""

    what: Literal["ring", "coins", "worth", "symbol"]
    x: float
    """Of the middle, in card widths from the left."""
    y: float
    """Of the middle, in card heights from the top."""
    radius: float
    """In card widths."""
    family: str = ""
    """The treasure a symbol stands for."""


NUMBER_AT = {"indian": Ring(0.195, 0.145, 0.125), "chest": Ring(0.5, 0.86, 0.13)}
"""The number ring of each group that has one: strength at the top, coins at the bottom."""
_WORTH_AT = Ring(0.84, 0.885, 0.095)
_SYMBOL_AT = Ring(0.16, 0.885, 0.1)
_TITLE_TOP = (0.05, 0.04, 0.95, 0.15)
_TITLE_BOTTOM = (0.05, 0.85, 0.95, 0.96)


def ring_of(kind: Kind) -> Ring | None:
    """The number ring of the kind's cards, or None where no number is printed."""
    return NUMBER_AT.get(kind.group)


def title_place(kind: Kind) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the title's band, in card widths and heights."""
    return _TITLE_BOTTOM if kind.group in ("indian", "section") else _TITLE_TOP


def layout(kind: Kind) -> tuple[Mark, ...]:
    """The marks of the kind's cards."""
    found = []
    if (ring := ring_of(kind)) is not None:
        found.append(
            Mark("ring" if kind.group == "indian" else "coins", ring.x, ring.y, ring.radius)
        )
    if kind.group in TREASURES:
        found.append(Mark("worth", _WORTH_AT.x, _WORTH_AT.y, _WORTH_AT.radius))
    if kind.group in ("half", "character"):
        found.append(Mark("symbol", _SYMBOL_AT.x, _SYMBOL_AT.y, _SYMBOL_AT.radius, kind.family))
    return tuple(found)


def worth_place(kind: Kind) -> Ring | None:
    """Where the treasure's worth is printed, or None where the card is no treasure."""
    return _WORTH_AT if kind.group in TREASURES else None
