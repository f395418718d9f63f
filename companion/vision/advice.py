"""What is wrong with a photo as a whole, and what to do about it: told beside what was read."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.vision.album import Album
from companion.vision.find import Found
from companion.vision.gates import glare, sharpness
from companion.vision.geometry import Image, sides
from companion.vision.sighting import Sighting, Warn

OTHER_DECK, UNKNOWN_CARDS = "other-deck", "unknown-cards"
"""Codes of the warnings that the cards are of another printing, and that some are not of the deck."""
_LOW = 90
"""Pixels of height below which a card can hardly be read."""
_BLUNT = 0.45
"""Share of the deck's own sharpness below which a photo is called blurred."""
_BURNT = 0.06
"""Share of a card burnt out in one blob that is called glare."""
_OTHER = 0.87
"""Median correlation of a photo's cards below which they are not of this printing of the deck."""


def other_printing(found: Sequence[Found]) -> bool:
    """Whether the cards, though named, look too little like the deck's pictures to be of that deck."""
    fits = [f.named.fit for f in found if f.visible > 0.9]
    return bool(fits) and float(np.median(fits)) < _OTHER


def advice(
    album: Album, work: Image, found: Sequence[Found], seen: Sequence[Sighting]
) -> list[Warn]:
    """The warnings for a photo; `seen` are all sightings, those without a name too."""
    if not any(s.candidates for s in seen):
        return _nothing(work, seen)
    warnings = []
    tall = [float(sides(f.named.quad)[[1, 3]].mean()) for f in found]
    if tall and np.median(tall) < _LOW:
        warnings.append(
            Warn(
                "small",
                f"the cards are {round(np.median(tall))} pixels high; {_LOW} or more are needed: go "
                "nearer, or take two photos",
            )
        )
    if found and _sharpness_of(found) < _BLUNT * _own_sharpness(album):
        warnings.append(Warn("blurred", "the photo is blurred: hold still, or wait for the focus"))
    glaring = sum(glare(f.named.flat) > _BURNT for f in found)
    if glaring:
        warnings.append(
            Warn(
                "glare",
                f"a lamp is reflected in {_cards(glaring)}: tilt the phone or move the lamp",
            )
        )
    cut = sum("is cut off by the edge of the photo" in s.doubts for s in seen)
    if cut:
        warnings.append(
            Warn("cut-off", f"the edge of the photo cuts {_cards(cut)} off: go further back")
        )
    if other_printing(found):
        text = (
            "these cards look like another printing of the deck: enrol yours (companion deck enrol)"
        )
        warnings.append(Warn(OTHER_DECK, text))
    unknown = sum(not s.candidates for s in seen)
    if unknown:
        are = "looks" if unknown == 1 else "look"
        text = f"{_cards(unknown)} {are} like none of the deck: turn backs over, take others away"
        warnings.append(Warn(UNKNOWN_CARDS, text))
    return warnings


def _nothing(work: Image, seen: Sequence[Sighting]) -> list[Warn]:
    grey = cv2.cvtColor(work, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, [2, 98])
    if high - low < 30 or high < 50:
        return [
            Warn("no-cards", "no card is to be seen: the photo is all of one colour, or too dark")
        ]
    if seen:
        text = "outlines of cards, but none of this deck: their backs, or another deck (--deck)?"
        return [Warn(UNKNOWN_CARDS, text)]
    text = "no card of the deck is to be seen: is it the right deck, and are they face up, near and sharp?"
    return [Warn("no-cards", text)]


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _sharpness_of(found: Sequence[Found]) -> float:
    return float(np.median([sharpness(f.named.flat) for f in found]))


def _own_sharpness(album: Album) -> float:
    return float(np.median([sharpness(flat) for flat in album.flats]))
