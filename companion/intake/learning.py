"""A household's deck learns its cards: photos are cut, the crops checked, and what is good is kept."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from card_catalog.loader import shipped, shipped_deck
from card_catalog.lookup import UnknownCard
from card_catalog.model import Deck
from companion.core.errors import Fault, UnusableInput
from companion.intake import own_decks
from companion.intake.album_writing import chosen, picture_of, saved
from companion.intake.cropping import mended_shots, not_cut, shot_of
from companion.intake.cutting import region_faults
from companion.intake.enrolment import SKIP, Names, Source
from companion.intake.own_decks import FREE, OwnDeck
from companion.intake.printed_numbers import Printed, printed
from companion.vision import album_folder
from companion.vision.album_folder import ENROLLED, TABLE, Entry, Index, Origin, Picture
from companion.vision.sighting import Region

if TYPE_CHECKING:
    from companion.vision.enrol import Crop
    from companion.vision.load import Photo
    from companion.vision.repair import Shot

_AT_A_TIME = 4
"""Photos cut at the same time, at most."""
MOST_LEARNT = 2
"""References of a face that come from the table, at most."""
_ENOUGH = 4
"""References of a face from which the table adds none."""
_KNOWN = 2.9
"""Sum of the three scores from which a crop shows nothing new: it looks almost like a reference."""


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
    declined: tuple[tuple[str, str], ...] = ()
    """Faces of crops that were not taken, and why, in words."""
    troubles: tuple[Fault, ...] = field(default=())
    """Photos that could not be used, and why."""
    replaced: int = 0
    """Earlier pictures of the same photos, whose place the new ones take."""
    unnamed: tuple[str, ...] = ()
    """What lies among the deck's pictures and is none of them."""
    printed: Printed = field(default_factory=Printed)
    """Numbers that hold for a kind, from the names of the faces; and which of them contradict."""

    @property
    def doubtful(self) -> list[Entry]:
        """The new references with doubts."""
        return [entry for entry in self.added if entry.doubts]


@dataclass(frozen=True, slots=True)
class Renamed:
    """Cards that lost their number."""

    faces: tuple[str, ...]
    """As they were named."""
    by_hand: Path | None = None
    """The deck file, where the household wrote or changed it: a number that it tells stays."""


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


def learn(
    who: Pupil,
    sources: Sequence[Source],
    done: Callable[[], None] = lambda: None,
    again: Callable[[str], None] = lambda _: None,
) -> Learnt:
    """Teaches the photos to the deck.

    `done` is called after each photo, `again` before one is looked at once more: its cards are doubtful or
    could not be told apart, and the deck's other cards help to cut it. That takes some seconds a photo.
    """
    shots: list[Shot] = []
    digests: dict[str, str] = {}
    troubles: list[Fault] = []
    with ThreadPoolExecutor(min(os.cpu_count() or 1, _AT_A_TIME)) as pool:
        for source, found in zip(sources, pool.map(shot_of, sources), strict=True):
            done()
            if isinstance(found, Fault):
                troubles.append(found)
            else:
                shots.append(found[0])
                digests[source.photo] = found[1]
    crops: list[Crop] = []
    known = [crop for entry, crop in _known(who) if entry.sha256 not in digests.values()]
    for one in mended_shots(shots, known, again):
        if one.failure is not None:
            fault = Fault(one.source, *not_cut(one.failure.found, one.failure.wanted))
            troubles.append(fault)
        crops += [crop for crop in one.crops if not crop.face.startswith(SKIP)]
    return _learnt(who, crops, digests, troubles)


def _learnt(
    who: Pupil, crops: "Sequence[Crop]", digests: dict[str, str], troubles: Sequence[Fault]
) -> Learnt:
    """Checks crops against each other and what the deck knows, and keeps them."""
    from companion.vision.gates import checked

    who, crops = _one_face_a_card(who, crops)
    before = who.index.entries if who.index else ()
    again = {(crop.face, digests[crop.source]) for crop in crops}
    fellows = [crop for entry, crop in _known(who) if (entry.face, entry.sha256) not in again]
    looked_at = checked([*crops, *fellows])[: len(crops)] if crops else []
    new = [picture_of(crop, digests[crop.source]) for crop in looked_at]
    added, over, kept = chosen(before, new)
    if not added and not (who.index and over):
        return Learnt(troubles=tuple(troubles))
    index = saved(who, kept, added)
    new_entries = index.entries[len(kept) :]
    missing = own_decks.missing(own_decks.named(who.own.name).catalogue(), index.faces)
    return Learnt(
        index,
        new_entries,
        tuple(p.entry for p in over),
        tuple(missing),
        troubles=tuple(troubles),
        replaced=len(before) - len(kept),
        unnamed=tuple(album_folder.unnamed(who.own.folder, index)),
        printed=_printed(who, index.faces),
    )


def _one_face_a_card(who: Pupil, crops: "Sequence[Crop]") -> "tuple[Pupil, Sequence[Crop]]":
    """Pupil and crops with one name for a card that was named with its number and without.

    Where two numbers were told for a card, these are two faces, and what was told without stays.
    """
    if who.base == FREE:
        return who, crops
    entries = who.index.entries if who.index else ()
    numbered: dict[str, set[str]] = {}
    for face in [*(entry.face for entry in entries), *(crop.face for crop in crops)]:
        if "=" in face:
            numbered.setdefault(face.partition("=")[0], set()).add(face)
    names = {plain: found.pop() for plain, found in numbered.items() if len(found) == 1}
    crops = [replace(crop, face=names.get(crop.face, crop.face)) for crop in crops]
    if who.index is not None:
        renamed = tuple(replace(e, face=names.get(e.face, e.face)) for e in entries)
        who = replace(who, index=replace(who.index, entries=renamed))
    return who, crops


def _printed(who: Pupil, faces: Sequence[str]) -> Printed:
    """What the numbers that the faces were named with tell of their kinds."""
    if who.base == FREE:
        return Printed()
    deck = who.deck if who.theirs and who.deck is not None else shipped_deck(who.base)
    return printed(deck, faces)


@dataclass(frozen=True, slots=True)
class Cut:
    """A card that a person has named and outlined in a photo."""

    face: str
    """As it was typed: any name of a card of the deck, with its number if so."""
    photo: "Photo" = field(repr=False)
    region: Region
    """Pixels of `photo.image`, clockwise from the card's own top left."""


def learn_cuts(who: Pupil, cuts: Sequence[Cut], origin: Origin = ENROLLED) -> Learnt:
    """Teaches cards that a person has outlined; raises `UnusableInput` with every fault of them.

    What a person enrols is kept as by plain enrolment: doubtful crops with their doubts. What was
    confirmed at the table is taken only without any doubt, as far as it shows something new, and two
    references a face at most. The deck is read anew under its lock, so `who` may be old; pictures are
    only ever added: remove the deck first to start anew. Raises `UnusableInput` too where the deck has
    no pictures of its own and `origin` is the table.
    """
    with own_decks.locked(who.own):
        fresh = pupil(who.own.name, who.base, replacing=False)
        if origin == TABLE and fresh.index is None:
            raise _not_its_own(who.own.name)
        crops, digests = _told_crops(fresh, cuts)
        if origin == TABLE:
            return _learnt_at_table(fresh, crops, digests)
        return _learnt(fresh, crops, digests, ())


def pupil_at_table(name: str) -> Pupil:
    """The deck of that name, to learn confirmed cards; raises `UnusableInput` where it cannot.

    Only a deck with pictures of its own learns: what ships is drawn and stays as it is.
    """
    if name in shipped():
        raise _not_its_own(name)
    who = pupil(name, "", replacing=False)
    if who.index is None:
        raise _not_its_own(name)
    return who


def _not_its_own(name: str) -> UnusableInput:
    found = f"{name} is known by drawings or by what is printed on it, so it learns no pictures"
    right = "enrol your own cards as a deck: companion deck enrol NAME --game GAME --from FOLDER"
    return UnusableInput([Fault("", found, right)])


def _told_crops(who: Pupil, cuts: Sequence[Cut]) -> "tuple[list[Crop], dict[str, str]]":
    """The crops of outlines that a person set, and the digests of their photos by name."""
    from companion.vision.enrol import crop_at
    from companion.vision.geometry import as_quad

    faults: list[Fault] = []
    faces: list[str] = []
    names = who.names
    for number, cut in enumerate(cuts, 1):
        faults += region_faults(cut.photo, cut.region, f"card {number}")
        try:
            faces.append(names.face(cut.face))
        except UnknownCard as error:
            faults.append(Fault(f"{cut.photo.name}: card {number}", str(error)))
    if faults:
        raise UnusableInput(faults)
    crops = [
        crop_at(cut.photo.image, as_quad(cut.region), face, cut.photo.name)
        for cut, face in zip(cuts, faces, strict=True)
    ]
    return crops, {cut.photo.name: cut.photo.sha256 for cut in cuts}


def _learnt_at_table(who: Pupil, crops: "Sequence[Crop]", digests: dict[str, str]) -> Learnt:
    """Of confirmed crops, those that are good and show something new are kept."""
    from companion.vision.gates import checked
    from companion.vision.naming import closest

    who, crops = _one_face_a_card(who, crops)
    assert who.index is not None
    known = [crop for _, crop in _known(who)]
    looked_at = checked([*crops, *known])[: len(crops)]
    count = Counter(entry.face for entry in who.index.entries)
    learnt = Counter(entry.face for entry in who.index.entries if entry.origin == TABLE)
    taken = {(entry.face, entry.sha256) for entry in who.index.entries}
    new: list[Picture] = []
    declined: list[tuple[str, str]] = []
    for crop in looked_at:
        face, digest = crop.face, digests[crop.source]
        if crop.doubts:
            why = "; ".join(crop.doubts)
        elif (face, digest) in taken:
            why = "was learnt from this photo already"
        elif learnt[face] >= MOST_LEARNT or count[face] >= _ENOUGH:
            why = "has enough pictures"
        elif closest(crop.image, [c.image for c in known if c.face == face]) > _KNOWN:
            why = "looks just like a picture that it has"
        else:
            new.append(picture_of(crop, digest, TABLE))
            taken.add((face, digest))
            learnt[face] += 1
            count[face] += 1
            continue
        declined.append((face, why))
    if not new:
        return Learnt(index=who.index, declined=tuple(declined))
    index = saved(who, who.index.entries, new)
    added = index.entries[len(who.index.entries) :]
    return Learnt(index, added, declined=tuple(declined), printed=_printed(who, index.faces))


def forget_learnt(own: OwnDeck) -> int:
    """Removes the references that were learnt at the table; how many. Raises `UnusableInput`."""
    return len(_forget(own, lambda entry: entry.origin == TABLE))


def forget_card(own: OwnDeck, card: str) -> tuple[Entry, ...]:
    """Removes the references of a card, or one of them: `eagle`, `eagle.2` (the second).

    What was removed. Raises `UnusableInput` where there is none such, or no other would be left.
    """
    word, _, number = card.rpartition(".")
    one = int(number) if word and number.isdigit() else 0
    index = own.index()
    if index is None:
        raise UnusableInput(
            [Fault("", f"{own.name} has no pictures", "there is nothing to remove")]
        )
    try:
        face = pupil(own.name, "", replacing=False).names.face(word if one else card)
    except UnknownCard as error:
        raise UnusableInput([Fault(card, str(error))]) from None
    its = index.of(face)
    if not its or one > len(its):
        has = f"has {len(its)} pictures" if its else "has no picture"
        raise UnusableInput([Fault(card, f"{face} {has} in {own.name}", "see companion deck show")])
    chosen = its[one - 1 : one] if one else its
    return _forget(own, lambda entry: entry in chosen)


def forget_number(own: OwnDeck, card: str) -> Renamed:
    """Takes the number off a card's name; its pictures stay, and the deck file says it no longer.

    `chief` stands for both colours, `chief:red=3` for that number alone. Raises `UnusableInput` where no
    number was told.
    """
    with own_decks.locked(own):
        who = pupil(own.name, "", replacing=False)
        entries = who.index.entries if who.index else ()
        try:
            wanted = who.names.face(card)
        except UnknownCard as error:
            raise UnusableInput([Fault(card, str(error))]) from None
        faces = [e.face for e in entries if who.base != FREE and _has_number(e.face, wanted)]
        if who.index is None or not faces:
            found = f"no number was told with {wanted} in {own.name}"
            right = f"{own.toml} is yours: change its numbers there" if who.theirs else ""
            raise UnusableInput([Fault(card, found, right or "see companion deck show")])
        bare = [
            replace(e, face=e.face.partition("=")[0]) if e.face in faces else e for e in entries
        ]
        who = replace(who, index=replace(who.index, entries=tuple(bare)))
        who, _ = _one_face_a_card(who, ())  # one of two numbers may be left
        assert who.index is not None
        saved(who, who.index.entries, ())
    return Renamed(tuple(dict.fromkeys(faces)), own.toml if who.theirs else None)


def _has_number(face: str, wanted: str) -> bool:
    """Whether a face is the card wanted, of either colour and with any number where it tells none."""
    plain, _, number = face.partition("=")
    name, _, one = wanted.partition("=")
    return bool(number) and one in ("", number) and name in (plain, plain.partition(":")[0])


def _forget(own: OwnDeck, gone: Callable[[Entry], bool]) -> tuple[Entry, ...]:
    """Removes some references of a deck."""
    with own_decks.locked(own):
        index = own.index()
        if index is None:
            return ()
        removed = tuple(entry for entry in index.entries if gone(entry))
        kept = [entry for entry in index.entries if entry not in removed]
        if removed and not kept:
            right = f"forget the whole deck: companion deck remove {own.name}"
            raise UnusableInput([Fault("", f"{own.name} would have no picture left", right)])
        if removed:
            album_folder.save_album(own.folder, index, kept, ())
    return removed


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
