"""Reading a photo: both finders, the deck's cards kept, named, judged, and put into rows."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from card_catalog.faces.layout import Ring
from companion.vision.advice import advice, other_printing
from companion.vision.album import Album
from companion.vision.contours import Shapes, distinct, from_corners, outlines, shapes_of
from companion.vision.find import Found, cards_at
from companion.vision.geometry import Image, Pyramid, Quad, iou, sides
from companion.vision.judge import Judge, unnamed
from companion.vision.reduce import WORK, WORK_FINE, reduced
from companion.vision.rows import in_rows
from companion.vision.sighting import Reading, Sighting
from companion.vision.twins import Twins
from companion.vision.unknown import unknown_cards
from companion.vision.voting import Ballot, Votes, poses, votes_of

_LOW = 90
"""Pixels of height at working size below which cards are looked for once more."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What both finders make of a picture at its working size."""

    shapes: Shapes
    outlines: list[Quad]
    votes: Votes


class Reader:
    """Reads photos of one deck; what the deck needs is prepared once."""

    def __init__(self, album: Album) -> None:
        self.album = album
        self.ballot = Ballot(album)
        album.prepare()
        self.judge = Judge(album, Twins(album))

    def read(self, image: Image) -> Reading:
        """What an upright photo (BGR) shows."""
        pyramid = Pyramid(image)
        height, width = image.shape[:2]
        work, scale = reduced(image, WORK)
        evidence = self._evidence(work)
        found = self._found(pyramid, evidence, scale)
        if scale < 1 and _small(found, scale):
            work, scale = reduced(image, WORK_FINE)
            evidence = self._evidence(work)
            found = self._found(pyramid, evidence, scale)
        other = other_printing(found)
        seen = [self.judge.sighting(f, _cut_off(f.named.quad, width, height), other) for f in found]
        seen = self._numbered(pyramid, found, seen)
        named = [np.array(sighting.region, np.float32) for sighting in seen]
        others = unknown_cards(work, evidence.outlines, _scaled(named, scale), self.album.aspect)
        seen += [unnamed(quad) for quad in _scaled(others, 1 / scale)]
        return in_rows(seen, advice(self.album, work, found, seen), self.album.one_way)

    def name_at(self, image: Image, quad: Quad) -> Sighting:
        """What the card is that a person says lies in that outline, pixels of the upright photo."""
        pyramid = Pyramid(image)
        found = cards_at(pyramid, self.album, [quad])
        if not found:
            return unnamed(quad)
        height, width = image.shape[:2]
        best = max(found, key=lambda one: iou(one.named.quad, quad))
        seen = [self.judge.sighting(best, _cut_off(best.named.quad, width, height), False)]
        return self._numbered(pyramid, [best], seen)[0]

    def picture(self, face: str) -> Image | None:
        """How the deck's first reference of a face looks, BGR; None where it has none."""
        found = (r.image for r in self.album.references if r.face == face)
        return next(found, None)

    def _numbered(
        self, pyramid: Pyramid, found: Sequence[Found], seen: Sequence[Sighting]
    ) -> list[Sighting]:
        """The sightings with the numbers printed on them, where the deck does not know those."""
        asked = [
            (i, ring)
            for i, sighting in enumerate(seen)
            if (ring := self.album.rings.get(sighting.face or "")) and self._shows(found[i], ring)
        ]
        if not asked:
            return list(seen)
        from companion.vision.numbers import read_numbers

        read = read_numbers(pyramid, [(found[i].named.quad, ring) for i, ring in asked])
        result = list(seen)
        for (i, _), number in zip(asked, read, strict=True):
            result[i] = replace(seen[i], number=number.value)
        return result

    def _shows(self, found: Found, ring: Ring) -> bool:
        """Whether nothing covers the place of the number."""
        if found.mask is None:
            return True
        width, height = self.album.size
        mask = found.mask.reshape(height, width)
        x, y, radius = ring.x * width, ring.y * height, ring.radius * width
        part = mask[
            max(0, int(y - radius)) : int(y + radius) + 1,
            max(0, int(x - radius)) : int(x + radius) + 1,
        ]
        return bool(part.all())

    def _evidence(self, work: Image) -> Evidence:
        """Both finders at once: each leaves the interpreter to the other for most of its time."""
        with ThreadPoolExecutor(1) as beside:
            voting = beside.submit(votes_of, work, self.ballot)
            shapes = shapes_of(work)
            quads = outlines(shapes)
            return Evidence(shapes, quads, voting.result())

    def _found(self, pyramid: Pyramid, evidence: Evidence, scale: float) -> list[Found]:
        """Cards found at one working size."""
        voted = poses(evidence.votes, self.ballot)
        quads = distinct([*evidence.outlines, *voted], 0.95)
        found = cards_at(pyramid, self.album, _scaled(quads, 1 / scale))
        if found:
            more = self._more(evidence, _scaled([f.named.quad for f in found], scale))
            found = cards_at(pyramid, self.album, _scaled(more, 1 / scale), found)
        return found

    def _more(self, evidence: Evidence, known: Sequence[Quad]) -> list[Quad]:
        """Outlines of about the known cards' size beside them, for what is partly hidden."""
        tall = np.array([sides(quad)[[1, 3]].mean() for quad in known]) / self.ballot.height
        sizes = (0.75 * float(tall.min()), 1.3 * float(tall.max()))
        voted = poses(evidence.votes, self.ballot, sizes, known)
        return distinct([*voted, *from_corners(evidence.shapes, known)], 0.95)


def _scaled(quads: Sequence[Quad], by: float) -> list[Quad]:
    return [(quad * by).astype(np.float32) for quad in quads]


def _small(found: Sequence[Found], scale: float) -> bool:
    """Whether the cards are so small at working size that a larger one shows more.

    Not where none was found: a picture without cards would take twice the time and memory.
    """
    tall = [float(sides(f.named.quad)[[1, 3]].mean()) * scale for f in found]
    return bool(tall) and float(np.median(tall)) < _LOW


def _cut_off(quad: Quad, width: int, height: int) -> bool:
    """Whether a corner lies clearly outside the photo."""
    slack = 0.02 * max(np.ptp(quad[:, 0]), np.ptp(quad[:, 1]))
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((low < -slack).any() or high[0] > width + slack or high[1] > height + slack)
