"""The decks that there are, as a screen lists them: what they know, what to photograph again."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from card_catalog.loader import shipped, shipped_deck
from companion import library
from companion.core.errors import UnusableInput
from companion.intake import own_decks
from companion.intake.own_decks import FREE, OwnDeck
from companion.tui.enrolling import later
from companion.tui.enrolling.desk import Desk

if TYPE_CHECKING:
    from companion.vision.geometry import Image
    from companion.vision.quality import Alike

ANY = "any other cards"
"""What is said for the game of a free deck."""


def games() -> list[tuple[str, str]]:
    """What a deck of one's own may be for: the id, and its title."""
    titles = [(name, library.load(name).game.title) for name in library.SHIPPED]
    return [*titles, (FREE, ANY[0].upper() + ANY[1:])]


def title_of(game: str) -> str:
    """The title of a game, for a person."""
    return dict(games()).get(game, game) if game != FREE else ANY


@dataclass(frozen=True, slots=True)
class Reference:
    """A picture of a face."""

    file: Path | None
    """None: it is drawn."""
    photo: str
    doubts: tuple[str, ...] = ()
    at_table: bool = False
    """It was confirmed at the table, not enrolled."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card of a deck, with the pictures that it is known by."""

    name: str
    references: tuple[Reference, ...] = ()

    @property
    def again(self) -> str:
        """Why it is to be photographed again; empty where it is not."""
        if not self.references:
            return "has no picture yet"
        if all(reference.doubts for reference in self.references):
            return "; ".join(self.references[0].doubts)
        return ""


@dataclass(frozen=True, slots=True)
class Shelved:
    """A deck as it is listed."""

    name: str
    game: str = ""
    """Title of its game."""
    own: bool = False
    faces: tuple[Face, ...] = ()
    fault: str = ""
    """Why it cannot be used."""
    photos: str = ""
    """How it did on the photos that were confirmed lately."""
    waiting: int = 0
    """Photos whose cards are not all enrolled yet."""

    @property
    def learnt(self) -> int:
        """Cards with a picture."""
        return sum(bool(face.references) for face in self.faces)

    @property
    def at_table(self) -> int:
        """Pictures that were learnt at the table."""
        return sum(reference.at_table for face in self.faces for reference in face.references)

    def line(self, wide: int, title: int) -> str:
        """The deck in a line, its name and the game's title in so many columns."""
        head = f"{self.name:{wide}}  {self.game:{title}}"
        if self.fault:
            return f"{head}  cannot be used"
        if not self.own:
            return f"{head}  {len(self.faces):3} cards, ships"
        waiting = ""
        if self.waiting:
            waiting = f", {self.waiting} {'photo waits' if self.waiting == 1 else 'photos wait'}"
        return f"{head}  {self.learnt:3} of {len(self.faces)} cards{waiting}"

    @property
    def quality(self) -> str:
        """What its pictures are like, and what to photograph again, in a few lines."""
        if self.fault:
            return self.fault
        if not self.own:
            known = "Drawn: it is known without a photo." if self.learnt else _PRINT
            return known + self._photos_line
        pictures = sum(len(face.references) for face in self.faces)
        if not pictures:
            return "It has no pictures yet: E enrols its cards."
        again = [face for face in self.faces if face.references and face.again]
        text = f"{pictures} {'picture' if pictures == 1 else 'pictures'} of {self.learnt} cards"
        if self.at_table:
            text += f", {self.at_table} of them learnt at the table"
        if again:
            names = ", ".join(face.name for face in again[:6])
            text += f". Photograph again: {names}{' …' if len(again) > 6 else ''}"
        missing = len(self.faces) - self.learnt
        if missing:
            text += f". {missing} without a picture"
        return f"{text}.{self._photos_line}"

    @property
    def _photos_line(self) -> str:
        return f" Confirmed photos: {self.photos}." if self.photos else ""


_PRINT = "Known by what is printed in its corners; enrol your own cards to be sure."


def decks() -> list[Shelved]:
    """The decks that ship, then the household's own by name, those too that were only begun."""
    own = {deck.name: _own(deck) for deck in own_decks.own_decks()}
    begun = [desk for desk in later.waiting() if desk.deck not in own]
    own |= {desk.deck: _begun(desk) for desk in begun}
    return [_shipped(name) for name in shipped()] + [own[name] for name in sorted(own)]


def _begun(desk: Desk) -> Shelved:
    cards = own_decks.cards_of(shipped_deck(desk.game)) if desk.game in shipped() else []
    game = shipped_deck(desk.game).game if desk.game in shipped() else FREE
    faces = tuple(Face(card) for card in cards)
    return Shelved(desk.deck, title_of(game), own=True, faces=faces, waiting=desk.open)


def deck_named(name: str) -> Shelved:
    """The deck of that name, there or not."""
    return _shipped(name) if name in shipped() else _own(OwnDeck(name))


def _shipped(name: str) -> Shelved:
    from card_catalog.faces import drawn_decks

    deck = shipped_deck(name)
    drawn = (Reference(None, "drawn"),) if name in drawn_decks() else ()
    faces = tuple(Face(card, drawn) for card in own_decks.cards_of(deck))
    return Shelved(name, title_of(deck.game), faces=faces, photos=_photos(name))


def _own(own: OwnDeck) -> Shelved:
    try:
        deck, index = own.catalogue(), own.index()
    except UnusableInput as error:
        return Shelved(own.name, own=True, fault="; ".join(map(str, error.faults)))
    waiting = later.read(own.name)
    found: dict[str, tuple[Reference, ...]] = {}
    for face in index.faces if index else ():
        assert index is not None
        found[face] = tuple(
            Reference(own.folder / e.file, e.photo, e.doubts, e.origin == "table")
            for e in index.of(face)
        )
    missing = own_decks.missing(deck, list(found))
    faces = [Face(name, references) for name, references in found.items()]
    faces += [Face(name) for name in missing]
    order = Counter({card: -i for i, card in enumerate(own_decks.cards_of(deck))})
    faces.sort(key=lambda face: -order[face.name.partition("=")[0]])
    return Shelved(
        own.name,
        title_of(deck.game),
        own=True,
        faces=tuple(faces),
        photos=_photos(own.name),
        waiting=waiting.open if waiting is not None else 0,
    )


def _photos(deck: str) -> str:
    """`last 20 photos: 97 % right, 0 silent`; empty where none were confirmed."""
    from companion.intake.confirmed import summary

    return summary(deck)


def picture_of(deck: str, face: str, reference: Reference) -> "Image | None":
    """The picture itself, BGR; None where it cannot be read."""
    import cv2
    import numpy as np

    if reference.file is not None:
        data = (
            np.frombuffer(reference.file.read_bytes(), np.uint8)
            if reference.file.is_file()
            else None
        )
        image = None if data is None else cv2.imdecode(data, cv2.IMREAD_COLOR)
        return None if image is None else np.asarray(image, np.uint8)
    from card_catalog.faces import faces, picture

    drawn = next((one for one in faces(shipped_deck(deck)) if one.name == face), None)
    if drawn is None:
        return None
    return np.ascontiguousarray(np.asarray(picture(drawn, 512).convert("RGB"), np.uint8)[..., ::-1])


@dataclass(frozen=True, slots=True)
class Judged:
    """What comparing all pictures of a deck with each other says."""

    line: str = ""
    """How good the deck is, in words; empty for one that ships."""
    alike: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For a face, those that it is hard to tell apart from, the most alike first."""


def judged(deck: Shelved) -> Judged:
    """How good a deck is; a second or two."""
    from companion.intake.deck_quality import quality_of
    from companion.vision.drawn import drawn_album
    from companion.vision.quality import lookalikes

    if not deck.learnt or deck.fault:
        return Judged()
    if not deck.own:
        return Judged(alike=_by_face(lookalikes(drawn_album(deck.name))))
    try:
        found = quality_of(OwnDeck(deck.name))
    except UnusableInput as error:
        return Judged("; ".join(map(str, error.faults)))
    if found is None:
        return Judged()
    line = f"Quality: {int(100 * found.share)} %, {found.good} of {found.cards} cards are good"
    if found.single:
        line += f"; {len(found.single)} of them have one picture only: a second one helps"
    return Judged(f"{line}.", _by_face(found.alike))


def _by_face(pairs: "Iterable[Alike]") -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for pair in pairs:
        found[pair.one] = (*found.get(pair.one, ()), pair.other)
        found[pair.other] = (*found.get(pair.other, ()), pair.one)
    return found
