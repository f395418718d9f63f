"""What a card under review may be: by its looks while nothing is typed, else by the letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Card, Deck
from companion.intake.review import Box
from companion.intake.table import known_card
from companion.tui.counting.up_the_creek import suggestions

MOST = 6
"""Cards offered at once."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A card that it may be."""

    card: str
    """In notation."""
    face: str
    """As the deck's pictures are named."""
    label: str


def choices(box: Box, typed: str, deck: Deck) -> list[Choice]:
    """The cards offered for a box, the likeliest first; none where the letters name none."""
    return _typed(typed.strip(), deck) if typed.strip() else _seen(box, deck)


def _seen(box: Box, deck: Deck) -> list[Choice]:
    found = []
    told = None if box.told is None else known_card(box.told, None, deck)
    if told is not None:
        found.append(Choice(str(told), _face(told), f"said   {_named(told)}"))
    for candidate in box.seen.candidates[:MOST]:
        card = known_card(candidate.face, box.seen.number, deck)
        if card is not None and str(card) != box.told:
            share = round(100 * candidate.confidence)
            likely = f"{share:>3} %" if share else "<1 %"
            found.append(Choice(str(card), candidate.face, f"{likely}  {_named(card)}"))
    return found


def _typed(typed: str, deck: Deck) -> list[Choice]:
    lookup = lookup_in(deck)
    found: dict[str, Choice] = {}
    try:
        whole = lookup.card(typed)
        found[str(whole)] = Choice(str(whole), _face(whole), _named(whole))
    except UnknownCard:
        pass
    for word, name in suggestions(typed, lookup):
        for written in _in_full(word, deck):
            found.setdefault(written, Choice(written, written, f"{written}   {name}"))
    return list(found.values())[:MOST]


def _in_full(word: str, deck: Deck) -> Sequence[str]:
    """The card as written: of a kind in two colours both."""
    kind = lookup_in(deck).kind(word.partition(":")[0].partition("=")[0])
    if kind is not None and kind.coloured and ":" not in word:
        return (f"{word}:red", f"{word}:black", word)
    return (word,)


def fault(typed: str, deck: Deck) -> str:
    """What is wrong with letters that no card begins with."""
    try:
        lookup_in(deck).card(typed.strip())
    except UnknownCard as error:
        return str(error)
    return ""


def _named(card: Card) -> str:
    return f"{card}  {card.kind.name}"


def _face(card: Card) -> str:
    return str(card).partition("=")[0]
