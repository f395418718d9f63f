"""Drawn faces of the cards: the project's own pictures, to print and play, and to try readers on.

Numbers that no rulebook gives are never invented: their ring stays empty until somebody tells them.
Lengths in millimetres and pixels as each function says; places in card widths and heights.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from card_catalog.faces import drawing
from card_catalog.faces.layout import NUMBER_AT, Ring, ring_of, title_place, worth_place
from card_catalog.loader import shipped_deck
from card_catalog.model import Card, Colour, Deck, Kind

if TYPE_CHECKING:
    from PIL import Image

__all__ = [
    "HEIGHT_MM", "NUMBER_AT", "WIDTH_MM", "Face", "Ring", "cutout", "drawn_decks", "faces", "picture",
    "ring", "svg", "title_band",
]  # fmt: skip

WIDTH_MM, HEIGHT_MM = 63, 88
"""Size of a card in millimetres."""


@dataclass(frozen=True, slots=True)
class Face:
    """One face of a deck: what makes two cards look different."""

    card: Card
    """With red or black where its kind is coloured; its number, or else the kind's, is printed."""
    titled: bool = False
    """Whether its name stands on it."""
    deck: str = ""
    """Id of the drawn deck; empty: the first that has a drawing of the kind."""

    @property
    def name(self) -> str:
        """The card as written, without its number: `paddlers-2:red`, `eagle`."""
        return name_of(self.card)


def name_of(card: Card) -> str:
    """The card as written, without its number."""
    return str(Card(card.kind, card.colour))


@lru_cache(maxsize=1)
def drawn_decks() -> tuple[str, ...]:
    """Ids of the shipped decks that are drawn."""
    return tuple(sorted(p.name for p in drawing.FOLDER.iterdir() if any(p.glob("*.svg"))))


def faces(
    deck: Deck, titled: bool = False, numbers: Mapping[str, int] | None = None
) -> tuple[Face, ...]:
    """Every distinct face of a deck in its order; a coloured kind has a red one, then a black one.

    `numbers` tells what is printed, by the name of a face or the id of a kind. A household's deck has the
    drawings of the shipped deck it extends. Raises `KeyError` for a deck, kind or name without a drawing.
    """
    told = dict(numbers or {})
    drawn = _drawn(deck)
    found = []
    for kind in deck.kinds.values():
        if not drawing.has_picture(drawn, kind.id, kind.family):
            raise KeyError(f"no drawing of {kind.id!r}; {deck.id} has kinds that {drawn} has not")
        for card in _cards(kind):
            number = told.get(name_of(card), told.get(kind.id))
            if number is None and kind.group == "chest":
                number = deck.values.get(kind.family)
            found.append(Face(Card(kind, card.colour, number), titled, drawn))
    known = {f.name for f in found} | set(deck.kinds)
    if strange := sorted(set(told) - known):
        raise KeyError(f"no such card: {', '.join(strange)}")
    return tuple(found)


def _drawn(deck: Deck) -> str:
    """Id of the drawn deck whose pictures a deck has."""
    if deck.id in drawn_decks():
        return deck.id
    for drawn in drawn_decks():
        if shipped_deck(drawn).game == deck.game:
            return drawn
    raise KeyError(f"the deck {deck.id!r} has no drawings; drawn are {', '.join(drawn_decks())}")


def _cards(kind: Kind) -> Iterator[Card]:
    yield from (Card(kind, c) for c in Colour) if kind.coloured else (Card(kind),)


def svg(face: Face) -> str:
    """The face as SVG, in tenths of a millimetre, without letters and digits (see `picture`)."""
    return drawing.compose(_deck_of(face), Card(face.card.kind, face.card.colour))


def _deck_of(face: Face) -> str:
    kind = face.card.kind
    for deck in (face.deck,) if face.deck else drawn_decks():
        if drawing.has_picture(deck, kind.id, kind.family):
            return deck
    raise KeyError(f"no drawing of {kind.id!r}; drawn are {', '.join(drawn_decks())}")


def picture(face: Face, height: int = 1056) -> "Image.Image":
    """The face, RGB, `height` pixels high; the corners outside the card have the border's colour."""
    from card_catalog.faces import raster

    drawn = raster.rasterised(svg(face), height)
    kind = face.card.kind
    at, number = ring_of(kind), face.card.value
    if at is not None and number is not None:
        raster.write_number(drawn, at, number, face.card.colour)
    if (worth := worth_place(kind)) is not None:
        raster.write_worth(drawn, worth)
    if face.titled:
        raster.write_title(drawn, title_band(face), kind.name)
    return drawn


def cutout(face: Face, height: int = 1056) -> "Image.Image":
    """The face as cut out: RGBA, `height` pixels high, the rounded corners transparent."""
    from card_catalog.faces import raster

    return raster.cut_corners(picture(face, height))


def ring(face: Face) -> Ring | None:
    """The ring of the face's number: x and radius in card widths, y in card heights; None: no ring."""
    return ring_of(face.card.kind)


def title_band(face: Face) -> tuple[float, float, float, float]:
    """Where its title stands, if it is titled: left, top, right, bottom in card widths and heights."""
    return title_place(face.card.kind)
