"""Numbers printed on cards, as they were typed while enrolling: what they say of the whole kind."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Card, Colour, Deck, Kind


@dataclass(frozen=True, slots=True)
class Printed:
    """What the faces of a deck tell."""

    strengths: Mapping[str, int] = field(default_factory=dict)
    """Of kinds whose every face shows the same number, by kind id."""
    values: Mapping[str, int] = field(default_factory=dict)
    """Coins of chests, by colour."""
    contradictions: tuple[str, ...] = ()
    """Kinds of which two numbers were told, in words."""


def printed(deck: Deck, faces: Sequence[str]) -> Printed:
    """What the numbers of some faces say of their kinds; faces without a number say nothing.

    A number in red tells nothing of the card with a black one: where only one of the two is known, the
    number stays with its face.
    """
    told: dict[str, dict[Colour | None, set[int]]] = {}
    lookup = lookup_in(deck)
    for face in faces:
        try:
            card: Card = lookup.card(face)
        except UnknownCard:
            continue
        if card.number is not None:
            told.setdefault(card.id, {}).setdefault(card.colour, set()).add(card.number)
    strengths: dict[str, int] = {}
    values: dict[str, int] = {}
    against: list[str] = []
    for kind_id, by_colour in told.items():
        kind = deck[kind_id]
        numbers = set[int]().union(*by_colour.values())
        known = _known(deck, kind)
        if any(len(found) > 1 for found in by_colour.values()):
            against.append(f"{kind_id}: the numbers {_listed(numbers)} were told for it")
        elif known is not None and numbers != {known}:
            against.append(f"{kind_id}: {_listed(numbers)} was told, the deck says {known}")
        elif len(numbers) == 1 and _whole(kind, by_colour):
            (number,) = numbers
            if kind.group == "chest":
                values[kind.family] = number
            else:
                strengths[kind_id] = number
    return Printed(strengths, values, tuple(against))


def _known(deck: Deck, kind: Kind) -> int | None:
    """The number that the deck tells for all cards of a kind."""
    return deck.values.get(kind.family) if kind.group == "chest" else kind.number


def _whole(kind: Kind, by_colour: Mapping[Colour | None, set[int]]) -> bool:
    """Whether numbers are told for each colour in which the kind is printed."""
    return not kind.coloured or None in by_colour or set(by_colour) == set(Colour)


def _listed(numbers: set[int]) -> str:
    return " and ".join(str(number) for number in sorted(numbers))
