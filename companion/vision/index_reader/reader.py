"""Reading a photo of standard cards that nobody enrolled: by the indices in their corners.

Cards whose outline is found are read at both ends. Indices found without an outline, as in a fan, are
joined with them.
"""

from collections.abc import Sequence

import numpy as np

from companion.vision.contours import outlines, shapes_of
from companion.vision.find import clash
from companion.vision.geometry import (
    Floats,
    Image,
    Pyramid,
    Quad,
    as_floats,
    aspect,
    homography,
    mapped,
    sides,
    turned,
    upright,
)
from companion.vision.index_reader import agreement
from companion.vision.index_reader.card import ASPECT, INDEX, STRANGE, Card, View
from companion.vision.index_reader.classes import FACES, HIGH, LABELS, WIDE
from companion.vision.index_reader.detect import find_corners
from companion.vision.index_reader.joining import covered, holds, joined
from companion.vision.index_reader.network import IndexNet
from companion.vision.index_reader.placing import reading_of
from companion.vision.judge import unnamed
from companion.vision.reduce import WORK, reduced
from companion.vision.sighting import Reading, Sighting
from companion.vision.unknown import unknown_cards

_WINDOWS = (0.26, 0.42)
"""Widths, in card widths, of the corners that are looked at: usual indices, and jumbo ones."""
_CLOSER = (0.215, 0.32)
"""The same once there is a sign of an index."""
_SIGN = 0.01
"""Share of any rank from which an outline is worth a closer look."""
_MOST = 90
"""Most outlines that are looked into."""
_BATCH = 8
"""Outlines that are looked into at once."""


class IndexReader:
    """Reads photos of any standard deck; `letters` stand on jack, queen and king."""

    def __init__(self, letters: str = "JQK") -> None:
        self._net = IndexNet(letters)

    def read(self, image: Image) -> Reading:
        """What an upright photo (BGR) shows."""
        return reading_of(self.look(image))

    def name_at(self, image: Image, quad: Quad) -> Sighting:
        """What the card is that a person says lies in that outline, pixels of the upright photo."""
        found = self.outlined(Pyramid(image), [quad])
        return found[0].sighting if found else unnamed(quad)

    def look(self, image: Image) -> View:
        """The cards of an upright photo (BGR), in no order."""
        pyramid = Pyramid(image)
        work, scale = reduced(image, WORK)
        quads = [as_floats(quad / scale) for quad in outlines(shapes_of(work), most=_MOST)]
        outlined = self.outlined(pyramid, quads)
        settled = [card.quad for card in outlined if card.settled]
        height = None
        if settled:
            height = float(np.median([sides(quad)[[0, 2]].mean() for quad in settled])) / INDEX
        corners = find_corners(pyramid, self._net, height, settled)
        cards = joined(outlined, corners.found)
        cards += covered(cards, corners.hidden)
        return View(tuple(cards), tuple(_unread(work, scale, quads, cards)))

    def outlined(self, pyramid: Pyramid, quads: Sequence[Quad]) -> list[Card]:
        """Those outlines that are cards by their corners, the clearest of each place.

        What lies over a card that both ends have named is not looked into any more.
        """
        cards: list[Card] = []
        left = list(quads)
        while left:
            settled = [card.quad for card in cards if card.settled]
            left = [quad for quad in left if not any(clash(quad, known) for known in settled)]
            cards += self._cards(pyramid, left[:_BATCH])
            left = left[_BATCH:]
        cards.sort(key=lambda card: -card.strength)
        kept: list[Card] = []
        for card in cards:
            if not any(clash(card.quad, other.quad) for other in kept):
                kept.append(card)
        return kept

    def _cards(self, pyramid: Pyramid, quads: Sequence[Quad]) -> list[Card]:
        """What the corners of these outlines say, where they say anything."""
        ends = [end for quad in map(upright, quads) for end in _ends(quad)]
        faces, none = self._windows(pyramid, ends, _WINDOWS)
        likely = np.maximum(faces.max(axis=1), none.max(axis=1)).reshape(-1, 2).max(axis=1)
        some = [i for i in range(len(ends)) if likely[i // 2] > _SIGN]
        if some:  # most outlines are no card's: they are not worth a closer look
            more, others = self._windows(pyramid, [ends[i] for i in some], _CLOSER)
            faces[some] = np.maximum(faces[some], more)
            none[some] = np.maximum(none[some], others)
        cards = []
        for i in range(0, len(ends), 2):
            one, other = faces[i], faces[i + 1]
            strange = none[i : i + 2].min(axis=0)
            if strange.max() > max(STRANGE, float(one.max()), float(other.max())):
                cards.append(Card(ends[i], None, strange=LABELS[int(strange.argmax())]))
            elif (verdict := agreement.of_ends(one, other)) is not None:
                both = (
                    one.argmax() == other.argmax() and min(one.max(), other.max()) >= agreement.BOTH
                )
                cards.append(Card(ends[i], verdict, settled=bool(both)))
        return cards

    def _windows(
        self, pyramid: Pyramid, ends: Sequence[Quad], windows: Sequence[float]
    ) -> tuple[Floats, Floats]:
        """The most that any window on each end says for each card, and for what is no rank."""
        patches = [corner_patch(pyramid, end, window) for end in ends for window in windows]
        glances = self._net.look(patches)
        faces = glances.faces.reshape(len(ends), len(windows), len(FACES)).max(axis=1)
        none = glances.none.reshape(len(ends), len(windows), len(LABELS)).max(axis=1)
        return as_floats(faces), as_floats(none)


def _unread(work: Image, scale: float, quads: Sequence[Quad], cards: Sequence[Card]) -> list[Quad]:
    """Outlines of cards that nothing was read of: backs, and what is spoilt or too small."""
    height, width = work.shape[:2]
    anchors = [point for card in cards for point in card.anchors]
    free = [
        quad
        for quad in quads
        if not _cut_off(as_floats(quad * scale), width, height)
        and not any(holds(quad, anchor) for anchor in anchors)
    ]
    known = [as_floats(card.quad * scale) for card in cards]
    found = unknown_cards(work, [as_floats(quad * scale) for quad in free], known, ASPECT)
    return [as_floats(quad / scale) for quad in found]


def _cut_off(quad: Quad, width: int, height: int) -> bool:
    """Whether an outline touches the edge of the picture: of a thing that is cut nothing can be said."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool((low < 3).any() or high[0] > width - 3 or high[1] > height - 3)


def _ends(quad: Quad) -> list[Quad]:
    """Both ends of a card, each as if it were the upper one; of one seen askew, of all four sides."""
    quarters = (0, 2) if aspect(quad) > 1.12 else (0, 2, 1, 3)
    return [turned(quad, quarter) for quarter in quarters]


def corner_patch(pyramid: Pyramid, quad: Quad, window: float) -> Image:
    """The card's upper left corner, that many card widths wide, as the network wants it."""
    card = np.array([[0, 0], [1, 0], [1, ASPECT], [0, ASPECT]], np.float32)
    tall = window * HIGH / WIDE
    place = np.array([[0, 0], [window, 0], [window, tall], [0, tall]], np.float32)
    return pyramid.rectify(mapped(place, homography(card, quad)), WIDE, HIGH)
