"""The desk: photos and the cards in them, which are done, where one is; it never changes, it is replaced."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.vision.sighting import Candidate, Region


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a photo as it is worked on."""

    region: Region
    """Its outline as it is now, pixels of `Photo.image`."""
    found: Region | None = None
    """Its outline as it was proposed; None: a person added it."""
    typed: str = ""
    """The name as far as it was typed."""
    learnt: str = ""
    """The face that it was learnt as."""
    taught: Region | None = None
    """Its outline when it was learnt."""
    skipped: bool = False
    """It is not to be learnt."""
    candidates: tuple[Candidate, ...] = ()

    @property
    def open(self) -> bool:
        """Whether something is to be done about it."""
        return not self.learnt and not self.skipped


@dataclass(frozen=True, slots=True)
class Sheet:
    """A photo on the desk."""

    path: str
    sha256: str = ""
    """Of the file as it was looked at."""
    cards: tuple[Card, ...] | None = None
    """None: it was not looked at yet."""
    fault: str = ""
    """Why it cannot be used."""

    @property
    def waits(self) -> bool:
        """Whether something is to be done about it, now or once it can be read again."""
        if self.cards is None:
            return not self.fault
        return any(card.open for card in self.cards)

    @property
    def open(self) -> bool:
        """Whether something can be done about it now."""
        return self.waits and not self.fault


@dataclass(frozen=True, slots=True)
class Desk:
    """What is enrolled into a deck at one sitting."""

    deck: str
    game: str
    """The shipped deck that it extends, or `none`."""
    sheets: tuple[Sheet, ...] = field(default=())
    at: tuple[int, int] = (0, 0)
    """The photo and the card of it that are on the screen, from 0."""

    @property
    def sheet(self) -> Sheet | None:
        """The photo that is on the screen."""
        return self.sheets[self.at[0]] if self.at[0] < len(self.sheets) else None

    @property
    def card(self) -> Card | None:
        """The card that is on the screen."""
        sheet = self.sheet
        if sheet is None or not sheet.cards or self.at[1] >= len(sheet.cards):
            return None
        return sheet.cards[self.at[1]]

    @property
    def open(self) -> int:
        """Photos with something to do."""
        return sum(sheet.open for sheet in self.sheets)

    def with_photos(self, paths: Sequence[str]) -> "Desk":
        """The desk with these photos too; those that could not be used are looked at again."""
        there = {sheet.path for sheet in self.sheets if not sheet.fault}
        known = {sheet.path: replace(sheet, fault="") for sheet in self.sheets}
        fresh = [known.get(path, Sheet(path)) for path in dict.fromkeys(paths) if path not in there]
        again = {sheet.path for sheet in fresh}
        kept = tuple(sheet for sheet in self.sheets if sheet.path not in again)
        after = replace(self, sheets=kept + tuple(fresh))
        here = self.sheet
        if here in kept:
            after = replace(after, at=(kept.index(here), self.at[1]))
            return after if here.open else after.onward()
        return replace(after, at=(0, 0)).onward(here=True)

    def looked_at(self, path: str, sha256: str, cards: Sequence[Card], fault: str = "") -> "Desk":
        """A photo was looked at; what was done about its cards stays where the file is the same.

        `fault`: it cannot be read, perhaps only now.
        """
        sheets = list(self.sheets)
        for i, sheet in enumerate(sheets):
            if sheet.path == path:
                same = sheet.cards is not None and sheet.sha256 == sha256
                found = Sheet(path, sha256, sheet.cards if same else tuple(cards))
                sheets[i] = replace(sheet, fault=fault) if fault else found
        return replace(self, sheets=tuple(sheets))

    def with_card(self, card: Card, place: tuple[int, int] | None = None) -> "Desk":
        """The card on the screen, or the one there, as this one."""
        number, at = self.at if place is None else place
        cards = list(self.sheets[number].cards or ())
        if at < len(cards):
            cards[at] = card
        else:
            cards.append(card)
        return self._with_cards(number, cards)

    def added(self, region: Region) -> "Desk":
        """A further outline in the photo on the screen; it is on the screen then."""
        number = self.at[0]
        cards = [*(self.sheets[number].cards or ()), Card(region)]
        return replace(self._with_cards(number, cards), at=(number, len(cards) - 1))

    def _with_cards(self, number: int, cards: Sequence[Card]) -> "Desk":
        sheets = list(self.sheets)
        sheets[number] = replace(sheets[number], cards=tuple(cards))
        return replace(self, sheets=tuple(sheets))

    def places(self) -> list[tuple[int, int]]:
        """Every card, and every photo that was not looked at yet, in order."""
        return [
            (number, at)
            for number, sheet in enumerate(self.sheets)
            if not sheet.fault
            for at in range(1 if sheet.cards is None else len(sheet.cards))
        ]

    def moved(self, step: int) -> "Desk":
        """The next card, or the one before, done or not; the last one is followed by nothing."""
        places = self.places()
        if self.at not in places:
            nearer = [place for place in places if (place < self.at) == (step < 0)]
            return replace(self, at=nearer[-1 if step < 0 else 0]) if nearer else self
        index = places.index(self.at) + step
        return replace(self, at=places[index]) if 0 <= index < len(places) else self

    def onward(self, here: bool = False) -> "Desk":
        """The next card to do something about, the photo's own first; past the end where all is done."""
        places = [place for place in self.places() if self._is_open(place)]
        after = [place for place in places if place > self.at or (here and place == self.at)]
        for rest in (after, places):
            if rest:
                return replace(self, at=rest[0])
        return replace(self, at=(len(self.sheets), 0))

    def _is_open(self, place: tuple[int, int]) -> bool:
        cards = self.sheets[place[0]].cards
        return cards is None or cards[place[1]].open

    def told_of(self, learnt: Sequence[tuple[str, str]]) -> "Desk":
        """The desk beside a deck as it is: (face, sha256 of the photo) of its pictures.

        What the deck holds of a card that was handed over before the program ended is learnt; what it
        does not hold any more is to do again.
        """
        sheets = []
        for sheet in self.sheets:
            there = {face for face, digest in learnt if digest == sheet.sha256}
            cards = sheet.cards
            if cards is not None:
                cards = tuple(
                    replace(card, learnt="", typed=card.typed or card.learnt)
                    if card.learnt and card.learnt not in there
                    else card
                    for card in cards
                )
            sheets.append(replace(sheet, cards=cards))
        return replace(self, sheets=tuple(sheets))
