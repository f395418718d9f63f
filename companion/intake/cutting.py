"""Photos whose cards a person names on a screen: outlines proposed, and crops shown before they count.

Places are in pixels of `Photo.image`: upright, and reduced by `Photo.scale` where the file is very large.
A `ScannedPhoto` speaks of pixels of the file; `as_loaded` turns its regions into these.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from card_catalog.faces import drawn_decks
from companion.core.errors import Fault, UnusableInput
from companion.vision.sighting import Candidate, Region

if TYPE_CHECKING:
    from companion.intake.learning import Pupil
    from companion.vision.enrol import Crop
    from companion.vision.gates import Usual
    from companion.vision.geometry import Image, Quad
    from companion.vision.load import Photo
    from companion.vision.proposals import Proposal
    from companion.vision.reader import Reader

FEWEST_KNOWN = 10
"""Faces that a deck has to know before its own pictures find and name further cards."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A card in a photo that nobody has named yet."""

    region: Region
    """Pixels of `Photo.image`, clockwise from what is probably the card's own top left."""
    doubts: tuple[str, ...] = ()
    """What is wrong with the crop as it is, in words."""
    candidates: tuple[Candidate, ...] = ()
    """Faces that it may show, the likeliest first; empty where the deck cannot tell."""

    @property
    def suggested(self) -> str | None:
        """The likeliest face."""
        return self.candidates[0].face if self.candidates else None


@dataclass(frozen=True, slots=True, eq=False)
class Proposals:
    """A photo and the cards that seem to lie in it, in reading order."""

    photo: "Photo" = field(repr=False)
    outlines: tuple[Outline, ...]
    usual: "Usual" = field(repr=False)
    """What its crops are to be like; for `doubts_of`."""


class Proposer:
    """Proposes the cards of photos for one deck; what that needs is prepared once, when first asked."""

    def __init__(self, who: "Pupil") -> None:
        self._who = who

    def propose(self, path: str | Path) -> Proposals:
        """The cards of a photo, their number and names unknown; raises `UnusableInput`.

        Takes a second or two, and a few more the first time for a deck that knows cards.
        """
        from companion.vision.gates import Fellows
        from companion.vision.load import open_photo
        from companion.vision.proposals import proposals

        photo = open_photo(path)
        try:
            found = [self._named(photo, p) for p in proposals(photo.image, self._reader)]
        except MemoryError:
            fault = Fault(str(path), "needs more memory than there is", "save it smaller")
            raise UnusableInput([fault]) from None
        shape = self._who.index.aspect if self._who.index else 0.0
        crops = [_crop(photo.image, proposal.quad) for proposal in found]
        usual = Fellows(crops, shape).usual("")
        outlines = tuple(
            _outline(proposal, crop, usual) for proposal, crop in zip(found, crops, strict=True)
        )
        return Proposals(photo, outlines, usual)

    def _named(self, photo: "Photo", proposal: "Proposal") -> "Proposal":
        """A card that the deck's own pictures do not know, by the drawings where those are sure of it."""
        if proposal.candidates or self._drawings is None or self._drawings is self._reader:
            return proposal
        seen = self._drawings.name_at(photo.image, proposal.quad)
        return replace(proposal, candidates=seen.candidates) if seen.sure else proposal

    @cached_property
    def _drawings(self) -> "Reader | None":
        from companion.vision.drawn import drawn_album
        from companion.vision.reader import Reader

        return Reader(drawn_album(self._who.base)) if self._who.base in drawn_decks() else None

    @cached_property
    def _reader(self) -> "Reader | None":
        """What knows the deck's cards: its own pictures, else its drawings, else nothing."""
        from companion.intake import own_decks
        from companion.vision.album_folder import load_album
        from companion.vision.reader import Reader

        index, deck = self._who.index, self._who.deck
        if index is not None and len(index.faces) >= FEWEST_KNOWN and deck is not None:
            known = deck
            unknown = lambda face: own_decks.face_fault(known, face)  # noqa: E731
            return Reader(load_album(self._who.own.folder, unknown))
        return self._drawings


def as_loaded(photo: "Photo", region: Region) -> Region:
    """A region in pixels of the photo's file, as `companion scan` gives it, in pixels of `Photo.image`."""
    a, b, c, d = ((x * photo.scale, y * photo.scale) for x, y in region)
    return a, b, c, d


def crop_of(photo: "Photo", region: Region) -> "Image":
    """The card in a region, flat and upright as the region's first corner says: BGR, 512 pixels high.

    Takes a few milliseconds. Raises `UnusableInput` where the corners are not those of a card.
    """
    return _checked_crop(photo, region).image


def doubts_of(photo: "Photo", region: Region, usual: "Usual") -> tuple[str, ...]:
    """What is wrong with the crop of a region; raises `UnusableInput` as `crop_of` does."""
    from companion.vision.gates import doubts_about

    return doubts_about(_checked_crop(photo, region), usual)


def turned(region: Region, quarter_turns: int = 2) -> Region:
    """The same region with another corner first: 2 turns the crop upside down."""
    corners = [region[(i + quarter_turns) % 4] for i in range(4)]
    return corners[0], corners[1], corners[2], corners[3]


def _outline(proposal: "Proposal", crop: "Crop", usual: "Usual") -> Outline:
    from companion.vision.gates import doubts_about
    from companion.vision.judge import as_region

    crop = replace(crop, guessed=proposal.guessed)
    return Outline(as_region(proposal.quad), doubts_about(crop, usual), proposal.candidates)


def _checked_crop(photo: "Photo", region: Region) -> "Crop":
    from companion.vision.geometry import as_quad

    if faults := region_faults(photo, region):
        raise UnusableInput(faults)
    return _crop(photo.image, as_quad(region))


def region_faults(photo: "Photo", region: Region, where: str = "") -> Sequence[Fault]:
    """What is wrong with the corners of a card in a photo; empty where nothing is."""
    from companion.vision.geometry import area, as_quad, is_clockwise

    quad = as_quad(region)
    height, width = photo.image.shape[:2]
    at = f"{photo.name}: {where}" if where else photo.name
    right = "move its corners onto those of the card"
    finite = all(isfinite(x) and isfinite(y) for x, y in region)
    if not finite or not is_clockwise(quad) or area(quad) < 400:
        return [Fault(at, "the corners are not those of a card", right)]
    middle = quad.mean(axis=0)
    if not (0 <= middle[0] <= width and 0 <= middle[1] <= height):
        return [Fault(at, "the corners lie outside the photo", right)]
    return []


def _crop(image: "Image", quad: "Quad") -> "Crop":
    from companion.vision.enrol import crop_at

    return crop_at(image, quad)
