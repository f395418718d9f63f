"""A household's deck learns its cards: photos are cut, the crops checked, and what is good is kept."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from card_catalog.loader import shipped_deck
from card_catalog.model import Deck
from companion.core.errors import Fault, UnusableInput
from companion.intake import own_decks
from companion.intake.enrolment import SKIP, Names, Source
from companion.intake.own_decks import FREE, OwnDeck
from companion.vision import album_folder
from companion.vision.album_folder import MOST, Entry, Index, Picture

if TYPE_CHECKING:
    from companion.vision.enrol import Crop

_AT_A_TIME = 4
"""Photos cut at the same time, at most."""


@dataclass(frozen=True, slots=True)
class Pupil:
    """The deck that is to learn, as it is before."""

    own: OwnDeck
    base: str
    """The shipped deck that it extends; `none` for a free deck."""
    deck: Deck | None
    """Its cards; None for a free deck that is not there yet."""
    index: Index | None
    """Its pictures so far; None where there are none, or where they are to be replaced."""
    written: str
    """sha256 of the deck file as an earlier enrolment wrote it."""

    @property
    def names(self) -> Names:
        """How its cards may be called."""
        if self.base != FREE:
            return Names(self.deck or shipped_deck(self.base))
        kinds = self.deck.kinds.values() if self.deck is not None else ()
        faces = self.index.faces if self.index is not None else ()
        return Names(None, [*(kind.name for kind in kinds), *faces])

    @property
    def theirs(self) -> bool:
        """Whether the household wrote or changed the deck file."""
        return self.own.toml.is_file() and not self.written


@dataclass(frozen=True, slots=True)
class Learnt:
    """What an enrolment came to."""

    index: Index | None = None
    """None: nothing was learnt and nothing was written."""
    added: tuple[Entry, ...] = ()
    over: tuple[Entry, ...] = ()
    """Not kept: their faces have as many references as are kept."""
    missing: tuple[str, ...] = ()
    """Faces of the deck that are still without a picture."""
    troubles: tuple[Fault, ...] = field(default=())
    """Photos that could not be used, and why."""
    replaced: int = 0
    """Earlier pictures of the same photos, whose place the new ones take."""
    unnamed: tuple[str, ...] = ()
    """What lies among the deck's pictures and is none of them."""

    @property
    def doubtful(self) -> list[Entry]:
        """The new references with doubts."""
        return [entry for entry in self.added if entry.doubts]


def pupil(name: str, game: str, replacing: bool) -> Pupil:
    """The deck to teach; `game` may be empty for one that is there. Raises `UnusableInput`."""
    own = own_decks.named(name)
    base = own_decks.base_deck(game) if game else ""
    broken: UnusableInput | None = None
    index = None
    try:
        index = own.index()
    except UnusableInput as error:
        broken = error
    if broken is not None and not replacing:
        raise broken
    written = index.deck_file if index else ""
    kept = None if replacing else index
    if not own.toml.is_file():
        if not base:
            right = "name it: --game up-the-creek, gold-up, without-a-paddle or none"
            raise UnusableInput([Fault("--game", f"{name} is new, so its game is needed", right)])
        deck = shipped_deck(base) if base != FREE else None
        return Pupil(own, base, deck, kept, "")
    deck = own.catalogue()
    its_base = FREE if deck.game == FREE else own_decks.base_deck(deck.game)
    ours = bool(written) and own_decks.digest(own_decks.read_text(own.toml)) == written
    if base and base != its_base:
        if replacing and ours:
            return Pupil(own, base, shipped_deck(base) if base != FREE else None, None, written)
        found = f"{name} is a deck for {deck.game}, not for {game}"
        raise UnusableInput([Fault("--game", found, "leave --game out, or choose another name")])
    if replacing and ours and its_base == FREE:
        return Pupil(own, FREE, None, None, written)
    return Pupil(own, its_base, deck, kept, written if ours else "")


def learn(who: Pupil, sources: Sequence[Source], done: Callable[[], None] = lambda: None) -> Learnt:
    """Teaches the photos to the deck; `done` is called after each."""
    from companion.vision.gates import checked

    before = who.index.entries if who.index else ()
    known = _known(who)
    crops: list[Crop] = []
    digests: dict[str, str] = {}
    troubles: list[Fault] = []
    with ThreadPoolExecutor(min(os.cpu_count() or 1, _AT_A_TIME)) as pool:
        for source, found in zip(sources, pool.map(_crops, sources), strict=True):
            done()
            if isinstance(found, Fault):
                troubles.append(found)
            else:
                crops += found[0]
                digests[source.photo] = found[1]
    again = {(crop.face, digests[crop.source]) for crop in crops}
    fellows = [crop for entry, crop in known if (entry.face, entry.sha256) not in again]
    looked_at = checked([*crops, *fellows])[: len(crops)] if crops else []
    new = [_picture(crop, digests[crop.source]) for crop in looked_at]
    added, over, kept = _chosen(before, new)
    if not added and not (who.index and over):
        return Learnt(troubles=tuple(troubles))
    index = _saved(who, kept, added)
    new_entries = index.entries[len(kept) :]
    missing = own_decks.missing(own_decks.named(who.own.name).catalogue(), index.faces)
    return Learnt(
        index,
        new_entries,
        tuple(p.entry for p in over),
        tuple(missing),
        tuple(troubles),
        len(before) - len(kept),
        tuple(album_folder.unnamed(who.own.folder, index)),
    )


def _known(who: Pupil) -> "list[tuple[Entry, Crop]]":
    """What the deck knows already, for the new crops to be measured against."""
    from companion.vision.enrol import Crop
    from companion.vision.gates import usable
    from companion.vision.geometry import corners_of

    if who.index is None:
        return []
    found = []
    for picture in album_folder.load_pictures(who.own.folder, usable(who.index.entries)):
        height, width = picture.image.shape[:2]
        entry, corners = picture.entry, corners_of(width, height)
        source = str(who.own.folder / entry.file)
        found.append((entry, Crop(entry.face, picture.image, corners, source, whole=True)))
    return found


def _crops(source: Source) -> "tuple[list[Crop], str] | Fault":
    """The cards of one photo and the digest of its file, or why there are none."""
    from companion.vision.enrol import NotCut, cut
    from companion.vision.load import UnusablePhoto, open_photo

    try:
        photo = open_photo(source.photo)
        if source.wrong:
            return Fault(source.photo, source.wrong)
        crops = cut(photo.image, source.cards, source.order, source.photo)
    except UnusablePhoto as error:
        return error.faults[0]
    except NotCut as error:
        return Fault(source.photo, *_not_cut(error.found, error.wanted))
    except MemoryError:
        return Fault(source.photo, "needs more memory than there is", "save it smaller")
    except Exception as error:  # one photo must not end the reading of the others
        if os.environ.get("COMPANION_DEBUG"):
            raise
        said = f"the program failed on it ({type(error).__name__}: {error})"
        return Fault(source.photo, said, "please report it with the photo")
    return [crop for crop in crops if crop.face != SKIP], photo.sha256


def _not_cut(found: int, wanted: int) -> tuple[str, str]:
    if wanted == 1:
        right = "lay it on a plain ground of another colour, from above, or crop the photo to it"
        return ("no card's outline is found" if not found else f"{found} cards are found", right)
    right = "lay them apart on a plain ground of another colour, or photograph them one by one"
    return f"{wanted} cards are named and {found} found", right


def _picture(crop: "Crop", digest: str) -> Picture:
    name = Path(crop.source).name
    return Picture(Entry(crop.face, "", name, digest, crop.doubts), crop.image)


def _chosen(
    before: Sequence[Entry], new: Sequence[Picture]
) -> tuple[list[Picture], list[Picture], list[Entry]]:
    """The new pictures that are kept, those over the limit, and what stays of the old ones.

    A photo that was learnt before takes the place of its old self; good crops go before doubtful ones.
    """
    again = {(p.entry.face, p.entry.sha256) for p in new}
    kept = [entry for entry in before if (entry.face, entry.sha256) not in again]
    count = Counter(entry.face for entry in kept)
    added: list[Picture] = []
    over: list[Picture] = []
    for picture in sorted(new, key=lambda p: bool(p.entry.doubts)):
        count[picture.entry.face] += 1
        (added if count[picture.entry.face] <= MOST else over).append(picture)
    place = {id(picture): i for i, picture in enumerate(new)}
    added.sort(key=lambda p: place[id(p)])
    return added, over, kept


def _saved(who: Pupil, kept: Sequence[Entry], added: Sequence[Picture]) -> Index:
    """Writes pictures, index and deck file, in this order; then the old pictures go."""
    faces = list(dict.fromkeys([e.face for e in kept] + [p.entry.face for p in added]))
    shapes = [p.image.shape[0] / p.image.shape[1] for p in added]
    aspect = who.index.aspect if who.index else 0.0
    if shapes:
        share = len(shapes) / (len(kept) + len(shapes)) if aspect else 1.0
        aspect = (1 - share) * aspect + share * median(shapes)
    text = _deck_text(who, faces)
    digest = own_decks.digest(own_decks.read_text(who.own.toml) if text is None else text)
    index = Index(who.own.name, aspect, (), "" if who.theirs else digest)

    def write_deck() -> None:
        if text is not None:
            album_folder.write_whole(who.own.toml, text)

    return album_folder.save_album(who.own.folder, index, kept, added, write_deck)


def _deck_text(who: Pupil, faces: Sequence[str]) -> str | None:
    """What the deck file is to say; None where it stays as it is."""
    if who.base == FREE and who.deck is not None:
        return own_decks.with_new_cards(own_decks.read_text(who.own.toml), who.deck, faces)
    return None if who.theirs else own_decks.new_deck_file(who.own.name, who.base, faces)
