"""How far a name is to be trusted: three views must agree, and the look-alikes must be ruled out.

Being sure is a promise: what is sure is passed on unasked. Every reason for doubt is kept in words.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.album import Album
from companion.vision.find import Found
from companion.vision.geometry import Quad
from companion.vision.sighting import Candidate, Region, Sighting
from companion.vision.twins import Twins, view

SURE_LOCAL = 0.72
"""Least correlation of detail for a sure name."""
MARGIN = 0.12
"""Least lead over the second face, of a sum of three scores."""
LEANING = 0.58
"""Least leaning towards a face against each of its look-alikes; .5 is undecided."""
_CLEARLY = 0.8
"""Leaning from which two faces are told apart whatever the other views say."""
_COLOUR_CLEARLY = 0.7
"""The same between the red and the black card of a kind: they differ in nothing but their number."""
_RIVAL = 0.9
"""Lead within which another face is a look-alike to be ruled out."""
_SEEN_SURE, _SEEN_CLEAR = 0.6, 0.45
"""Share of a card that has to be visible for a sure name, and for one that is clear by far."""
_CLEAR_LOCAL = 0.85
_NEAR = 0.5
"""Lead within which a doubtful reference of another face makes a name doubtful."""
_DOUBTED = 0.9
"""Most confidence in a name that is asked about."""
_POSSIBLE = 0.03
"""Least confidence of a face that a doubtful card may be instead."""
_TOLD = 8
"""Most candidates of a card that are told."""
_WARMTH = 0.16
"""Lead in score that makes one face e times as likely as another."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Turns a found card into a sighting with candidates, confidence and doubts."""

    album: Album
    twins: Twins

    def sighting(self, found: Found, edge: bool = False, other: bool = False) -> Sighting:
        """What a found card may be.

        `edge`: part of it lies outside the photo; `other`: the photo shows another printing of the deck.
        """
        found = self._in_its_colour(found)
        named, faces = found.named, self.album.faces
        order = named.order
        doubts, rivals = self._doubts(found)
        if edge:
            doubts.append("is cut off by the edge of the photo")
        if other:
            doubts.append("looks like a card of another printing of the deck")
        likely = self._likely(found)
        if doubts:  # what it may be is told with a share that counts as possible
            likely = np.minimum(likely, _DOUBTED)
            rivals = rivals or [
                int(face) for face in order[1:4]
            ]  # the doubt is about the card itself
            likely[rivals] = np.maximum(likely[rivals], _POSSIBLE)
        ranked = [int(order[0]), *sorted((int(f) for f in order[1:]), key=lambda f: -likely[f])]
        candidates = tuple(Candidate(faces[f], round(float(likely[f]), 3)) for f in ranked[:_TOLD])
        return Sighting(as_region(named.quad), candidates, not doubts, doubts=tuple(doubts))

    def _in_its_colour(self, found: Found) -> Found:
        """The card named red or black as its number is, where that is clear and the pictures are good.

        The number is so small a part of the card that the light weighs more in the scores.
        """
        named = found.named
        best = int(named.total.argmax())
        for sibling in self._siblings(best):
            pair = named.references[[best, sibling]]
            lead = float(named.total[best] - named.total[sibling])
            if lead > _NEAR or self.album.doubtful[pair].any():
                continue
            leaning = self.twins.leaning(view(named.flat), int(pair[0]), int(pair[1]), found.mask)
            if leaning < 1 - _COLOUR_CLEARLY:
                paper = named.paper.copy()
                paper[sibling] += lead + MARGIN
                return replace(found, named=replace(named, paper=paper))
        return found

    def _likely(self, found: Found) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Confidence of each face: by its lead, and by how well the best fits at all."""
        named = found.named
        total = named.total.astype(np.float64)
        share = np.exp((total - total.max()) / _WARMTH)
        share /= share.sum()
        fit = 1 / (1 + np.exp(-(named.fit - 0.48) / 0.05))
        likely: np.ndarray[tuple[int], np.dtype[np.float64]] = share * fit
        return likely

    def _doubts(self, found: Found) -> tuple[list[str], list[int]]:
        """Why the best face is not sure, and the faces that it may be instead."""
        named, faces = found.named, self.album.faces
        order = named.order
        best = int(order[0])
        doubts = []
        if named.fit < SURE_LOCAL:
            doubts.append("does not look much like any card of the deck")
        others = {int(named.local.argmax()), int(named.ink.argmax())} - {best}
        leanings = self._leanings(found, best, others)
        lead = float(named.total[best] - named.total[order[1]]) if len(order) > 1 else 9.0
        clearly = dict.fromkeys(self._siblings(best), _COLOUR_CLEARLY)
        rivals = [o for o in sorted(others) if leanings[o] < clearly.get(o, _CLEARLY)]
        second = int(order[1]) if len(order) > 1 else best
        if lead < MARGIN and leanings.get(second, 0.0) < clearly.get(second, _CLEARLY):
            rivals.append(int(order[1]))
        rivals += [rival for rival, leaning in leanings.items() if leaning < LEANING]
        doubts += [f"may also be {faces[rival]}" for rival in dict.fromkeys(rivals)]
        near = [best, *(r for r in leanings if named.total[best] - named.total[r] < _NEAR)]
        near += [r for r in self._siblings(best) if r not in near]
        doubts += [
            f"the deck's picture of {faces[r]} is doubtful"
            for r in near
            if self.album.doubtful[named.references[r]]
        ]
        clear = named.fit > _CLEAR_LOCAL and lead > _NEAR
        if found.visible < (_SEEN_CLEAR if clear else _SEEN_SURE):
            doubts.append(f"only {round(100 * found.visible)} % of it is visible")
        if named.fit < SURE_LOCAL or found.visible < _SEEN_SURE:
            rivals += [int(face) for face in order[1:4]]
        return list(dict.fromkeys(doubts)), list(dict.fromkeys(rivals))

    def _siblings(self, face: int) -> list[int]:
        """The same card with its number in the other colour."""
        faces = self.album.faces
        kind = faces[face].partition(":")[0]
        return [r for r, f in enumerate(faces) if r != face and f.partition(":")[0] == kind]

    def _leanings(self, found: Found, best: int, others: set[int]) -> dict[int, float]:
        """How far the card leans to its best face, against others and all that score nearly as well."""
        named = found.named
        close = {int(r) for r in named.order[1:6] if named.total[best] - named.total[r] < _RIVAL}
        rivals = sorted(close | others)
        seen = view(named.flat) if rivals else None
        return {
            rival: self.twins.leaning(
                seen, int(named.references[best]), int(named.references[rival]), found.mask
            )
            for rival in rivals
            if seen is not None
        }


def unnamed(quad: Quad) -> Sighting:
    """A card that the deck does not know."""
    return Sighting(as_region(quad), doubts=("looks like no card of the deck",))


def as_region(quad: Quad) -> Region:
    """The corners as plain numbers."""
    points: Sequence[tuple[float, float]] = [
        (round(float(x), 1), round(float(y), 1)) for x, y in quad
    ]
    return (points[0], points[1], points[2], points[3])
