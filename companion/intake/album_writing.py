"""What a deck learnt, written to its album and its deck file."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from companion.intake import own_decks
from companion.intake.own_decks import FREE
from companion.vision import album_folder
from companion.vision.album_folder import ENROLLED, MOST, Entry, Index, Origin, Picture

if TYPE_CHECKING:
    from companion.intake.learning import Pupil
    from companion.vision.enrol import Crop


def picture_of(crop: "Crop", digest: str, origin: Origin = ENROLLED) -> Picture:
    """A crop as it is stored."""
    name = Path(crop.source).name
    return Picture(Entry(crop.face, "", name, digest, crop.doubts, origin), crop.image)


def chosen(
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


def saved(who: "Pupil", kept: Sequence[Entry], added: Sequence[Picture]) -> Index:
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


def _deck_text(who: "Pupil", faces: Sequence[str]) -> str | None:
    """What the deck file is to say; None where it stays as it is."""
    if who.base == FREE and who.deck is not None:
        return own_decks.with_new_cards(own_decks.read_text(who.own.toml), who.deck, faces)
    return None if who.theirs else own_decks.new_deck_file(who.own.name, who.base, faces)
