"""A deck opened for sight: what it looks like, prepared once, and photos read with it."""

import os
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from card_catalog.faces import drawn_decks
from card_catalog.loader import shipped, shipped_deck
from card_catalog.model import Deck
from companion.core.errors import Fault, UnusableInput
from companion.intake import own_decks
from companion.intake.witness import witnessed
from companion.vision.sighting import Placed, Reading, Region, Sighting

if TYPE_CHECKING:
    from companion.vision.geometry import Image, Quad


STDIN = "-"
"""Stands for a photo on standard input."""


class Sight(Protocol):
    """Whatever reads cards of one deck in an upright photo (BGR)."""

    def read(self, image: "Image") -> Reading:
        """What the photo shows, in its pixels."""
        ...


@dataclass(frozen=True, slots=True)
class ScannedPhoto:
    """A photo that was read."""

    name: str
    """As the user gave it."""
    deck: str
    reading: Reading
    """Boxes in pixels of the upright photo as it lies in the file."""
    seconds: float
    """Reading it took, without loading the deck."""
    sha256: str


@dataclass(frozen=True, slots=True)
class Eyes:
    """A deck, and the sight of it."""

    name: str
    deck: Deck
    sight: Sight

    @property
    def game(self) -> str:
        """Id of its game; `none` for a free deck."""
        return self.deck.game

    def look(self, path: str, region: Region) -> Sighting:
        """What the card is that a person says lies there; pixels as in `read`. Raises `UnusableInput`.

        A box without a name where this deck is not read by its pictures.
        """
        from companion.vision.geometry import as_floats
        from companion.vision.load import open_photo

        name_at = getattr(self.sight, "name_at", None)
        if name_at is None:
            return Sighting(region, doubts=("cards of this deck are not looked at one by one",))
        photo = open_photo(path)
        seen: Sighting = name_at(photo.image, as_floats(region) * photo.scale)
        return replace(seen, region=_divided(seen.region, photo.scale))

    def picture(self, face: str) -> "Image | None":
        """How a face looks by the deck's own pictures, BGR; None where it has none."""
        found: Image | None = getattr(self.sight, "picture", lambda _: None)(face)
        return found

    def read(self, path: str, annotated: Path | None = None) -> ScannedPhoto:
        """What a photo shows, drawn into a copy of it where wanted; raises `UnusableInput`."""
        from companion.vision.load import LARGEST_FILE, open_photo, photo_from

        started = time.perf_counter()
        if path == STDIN:
            photo = photo_from(sys.stdin.buffer.read(LARGEST_FILE + 1), path)
        else:
            photo = open_photo(path)
        try:
            seen = witnessed(self.sight.read(photo.image), self.deck)
        except MemoryError:
            right = "save it smaller"
            raise UnusableInput([Fault(path, "needs more memory than there is", right)]) from None
        except Exception as error:  # one photo must not end the reading of the others
            if os.environ.get("COMPANION_DEBUG"):
                raise
            found = f"the program failed on it ({type(error).__name__}: {error})"
            raise UnusableInput([Fault(path, found, "please report it with the photo")]) from None
        seconds = time.perf_counter() - started
        if annotated is not None:
            from companion.vision.annotate import write_annotated

            try:
                write_annotated(photo.image, seen, annotated)
            except OSError as error:
                found = f"its copy {annotated} cannot be written: {error.strerror or error}"
                raise UnusableInput([Fault(path, found, "check --annotated")]) from None
        return ScannedPhoto(path, self.name, _enlarged(seen, photo.scale), seconds, photo.sha256)


def _enlarged(reading: Reading, scale: float) -> Reading:
    """The reading in pixels of the photo's file, which was reduced by `scale`."""
    if scale == 1.0:
        return reading
    rows = tuple(
        tuple(
            Placed(p.column, replace(p.sighting, region=_divided(p.sighting.region, scale)))
            for p in row
        )
        for row in reading.rows
    )
    return replace(reading, rows=rows)


def _divided(region: Region, scale: float) -> Region:
    a, b, c, d = ((round(x / scale, 1), round(y / scale, 1)) for x, y in region)
    return a, b, c, d


def open_eyes(name: str, letters: str = "JQK") -> Eyes:
    """The deck of that name for reading photos; raises `UnusableInput` where it cannot be seen.

    `letters` stand on jack, queen and king, where the deck is a standard one.
    """
    deck = deck_for_sight(name)
    return Eyes(name, deck, _sight(name, deck, letters))


def has_indices(deck: Deck) -> bool:
    """Whether its cards are those of a standard deck, which their corners tell, whoever printed it."""
    from companion.vision.index_reader.classes import FACES

    return bool(deck.kinds) and set(deck.kinds) <= set(FACES)


def deck_for_sight(name: str) -> Deck:
    """The catalogue of a deck, once it is clear that photos of it can be read.

    Raises `UnusableInput`; nothing heavy is loaded.
    """
    if name in shipped():
        if name not in drawn_decks() and not has_indices(shipped_deck(name)):
            game = shipped_deck(name).game
            raise UnusableInput(
                [
                    Fault(
                        "",
                        f"{name} has no pictures yet",
                        f"enrol your own deck: companion deck enrol my-deck --game {game} "
                        "--from FOLDER, then --deck my-deck",
                    )
                ]
            )
        return shipped_deck(name)
    try:
        own = own_decks.named(name)
    except UnusableInput:
        raise own_decks.unknown_deck(name) from None
    if not own.exists:
        raise own_decks.unknown_deck(name)
    if not own.toml.is_file():
        found = f"the deck {name} has pictures, but its deck file {own.toml} is gone"
        raise UnusableInput([Fault("", found, "enrol it again, or put the file back")])
    return own.catalogue()


def _sight(name: str, deck: Deck, letters: str) -> Sight:
    """What reads the deck: its drawings, its enrolled pictures, the indices or titles on its cards."""
    standard = has_indices(deck)
    if name in shipped() and not standard:
        return _Drawn(name)
    own = None if name in shipped() else own_decks.named(name)
    if own is not None and own.enrolled:
        from companion.vision.album_folder import load_album
        from companion.vision.reader import Reader

        album = load_album(own.folder, lambda face: own_decks.face_fault(deck, face))
        if not standard:
            return Reader(album)
        from companion.vision.index_reader.both import BothWitnesses
        from companion.vision.index_reader.reader import IndexReader

        return BothWitnesses(Reader(album), IndexReader(letters))
    if standard:
        from companion.vision.index_reader.reader import IndexReader

        return IndexReader(letters)
    from companion.vision.titles import TitleReader

    titles = TitleReader(deck)
    if deck.game == own_decks.FREE or (base := own_decks.base_deck(deck.game)) not in drawn_decks():
        return titles
    return _Either(_Drawn(base), titles)


class _Drawn:
    """A shipped deck as it is printed: plain, or with the names on the cards (`--titles`)."""

    def __init__(self, deck_id: str) -> None:
        from companion.vision.drawn import drawn_album
        from companion.vision.reader import Reader

        self._deck_id = deck_id
        self._plain = Reader(drawn_album(deck_id))
        self._titled: Sight | None = None

    def read(self, image: "Image") -> Reading:
        """By the plain drawings; by the titled ones where the cards look like another printing."""
        from companion.vision.advice import OTHER_DECK
        from companion.vision.drawn import drawn_album
        from companion.vision.reader import Reader

        plain = self._plain.read(image)
        if OTHER_DECK not in {warning.code for warning in plain.warnings}:
            return plain
        self._titled = self._titled or Reader(drawn_album(self._deck_id, titled=True))
        titled = self._titled.read(image)
        return titled if _sure(titled) > _sure(plain) else plain

    def name_at(self, image: "Image", quad: "Quad") -> Sighting:
        """What the card in an outline is, by the plain drawings."""
        return self._plain.name_at(image, quad)

    def picture(self, face: str) -> "Image | None":
        """The drawing of a face."""
        return self._plain.picture(face)


@dataclass(frozen=True, slots=True)
class _Either:
    """A deck file without pictures: printed from the project's drawings, or a box with titles on it."""

    drawings: _Drawn
    titles: Sight

    def name_at(self, image: "Image", quad: "Quad") -> Sighting:
        """What the card in an outline is, by the drawings."""
        return self.drawings.name_at(image, quad)

    def picture(self, face: str) -> "Image | None":
        """The drawing of a face."""
        return self.drawings.picture(face)

    def read(self, image: "Image") -> Reading:
        """By the drawings where they make most cards sure, else by whichever makes more so."""
        drawn = self.drawings.read(image)
        most = bool(drawn.rows) and 2 * _sure(drawn) >= len(drawn.sightings)
        if most and all(sighting.candidates for sighting in drawn.sightings):
            return drawn
        titled = self.titles.read(image)
        if most:
            return _with_titles(drawn, titled)
        return titled if titled.rows and _sure(titled) >= _sure(drawn) else drawn


def _with_titles(drawn: Reading, titled: Reading) -> Reading:
    """A reading whose nameless cards take the names that are printed on them: home-made ones."""
    from companion.vision.advice import UNKNOWN_CARDS

    rows = tuple(
        tuple(
            placed
            if placed.sighting.candidates
            else replace(placed, sighting=_same_place(placed.sighting, titled))
            for placed in row
        )
        for row in drawn.rows
    )
    left = any(not placed.sighting.candidates for row in rows for placed in row)
    warnings = tuple(w for w in drawn.warnings if left or w.code != UNKNOWN_CARDS)
    return Reading(rows, warnings)


def _same_place(nameless: Sighting, titled: Reading) -> Sighting:
    """What the titles say of a card; itself where they say nothing."""
    (x, y), reach = nameless.centre, _half_width(nameless.region)
    for other in titled.sightings:
        if other.candidates and max(abs(other.centre[0] - x), abs(other.centre[1] - y)) < reach:
            return other
    return nameless


def _half_width(region: Region) -> float:
    (a, b), (c, d) = region[0], region[1]
    return float(((a - c) ** 2 + (b - d) ** 2) ** 0.5) / 2


def _sure(reading: Reading) -> int:
    return sum(sighting.sure for sighting in reading.sightings)
