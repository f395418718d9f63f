"""Photos with named cards cut into crops, each photo's troubles told apart from the others'."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from companion.core.errors import Fault
from companion.intake.enrolment import SKIP, Source

if TYPE_CHECKING:
    from companion.vision.enrol import Crop
    from companion.vision.geometry import Image
    from companion.vision.repair import Shot


def shot_of(source: Source) -> "tuple[Shot, str] | Fault":
    """What cutting makes of one photo and the digest of its file, or why it cannot be used."""
    from companion.vision.load import UnusablePhoto, open_photo
    from companion.vision.repair import shot

    try:
        photo = open_photo(source.photo)
        if source.wrong:
            return Fault(source.photo, source.wrong)
        cards = [f"{SKIP}{i}" if card == SKIP else card for i, card in enumerate(source.cards)]
        return shot(photo.image, cards, source.order, source.photo), photo.sha256
    except UnusablePhoto as error:
        return error.faults[0]
    except MemoryError:
        return Fault(source.photo, "needs more memory than there is", "save it smaller")
    except Exception as error:  # one photo must not end the reading of the others
        if os.environ.get("COMPANION_DEBUG"):
            raise
        said = f"the program failed on it ({type(error).__name__}: {error})"
        return Fault(source.photo, said, "please report it with the photo")


def mended_shots(
    shots: "Sequence[Shot]", known: "Sequence[Crop]", again: Callable[[str], None]
) -> "Sequence[Shot]":
    """The shots, doubtful ones cut again with the help of the deck's other cards."""
    from companion.vision.load import UnusablePhoto, open_photo
    from companion.vision.repair import mended

    def image_of(source: str) -> "Image":
        again(source)
        return open_photo(source).image

    try:
        return mended(shots, image_of, known)
    except (UnusablePhoto, MemoryError):  # a photo that was taken away meanwhile: as they were cut
        return shots


def not_cut(found: int, wanted: int) -> tuple[str, str]:
    """What is wrong with a photo whose cards could not be told apart, and what would be right."""
    if wanted == 1:
        right = "lay it on a plain ground of another colour, from above, or crop the photo to it"
        return ("no card's outline is found" if not found else f"{found} cards are found", right)
    right = "lay them apart on a plain ground of another colour, or photograph them one by one"
    return f"{wanted} cards are named and {found} found", right
