"""How good a household's deck is for reading photos."""

from typing import TYPE_CHECKING

from companion.intake import own_decks
from companion.intake.own_decks import FREE, OwnDeck

if TYPE_CHECKING:
    from companion.vision.quality import Quality


def quality_of(own: OwnDeck) -> "Quality | None":
    """The quality of its pictures; None where it has none. Raises `UnusableInput`.

    Takes a second or two: every picture is compared with every other.
    """
    from companion.vision.album_folder import load_album
    from companion.vision.quality import quality

    index = own.index()
    if index is None:
        return None
    deck = own.catalogue()
    missing = [] if deck.game == FREE else own_decks.missing(deck, index.faces)
    album = load_album(own.folder, lambda face: own_decks.face_fault(deck, face))
    return quality(album, index.entries, len(missing))
