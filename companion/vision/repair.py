"""Doubtful crops cut again with the help of the deck's other cards.

Cards of a deck share a layout, so points of the good crops tell where a card lies whose edge cannot be
seen, such as a brown card on a brown table; and all cards of a photo are equal rectangles on one plane.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from companion.vision.album import Album, Reference
from companion.vision.contours import outlines, shapes_of
from companion.vision.edges import contrast, softened
from companion.vision.enrol import HEIGHT, Crop, NotCut, Order, cut, ordered, table_band
from companion.vision.gates import MIXED_UP, TABLE_SHOWS, checked, may_lie_elsewhere
from companion.vision.geometry import (
    Image,
    Pyramid,
    Quad,
    area,
    aspect,
    iou,
    over_smaller,
    sides,
    upright,
)
from companion.vision.plane import Witness, levelled
from companion.vision.reduce import WORK, WORK_FINE, reduced
from companion.vision.voting import Ballot, Pose, supported, votes_of

FEWEST_GOOD = 10
"""Good crops that a deck needs before they mend others."""
SUPPORT = 25
"""Matching points from which an outline is believed."""
WORK_NEAR, WORK_FAR = (300, 420, 600), (WORK, WORK_FINE)
"""Pixels across in which one or two cards that fill the picture are looked for, and many small ones."""
_FEW = 3
_SAME_PLACE = 0.5
"""Overlap (IoU) from which an outline speaks of a place."""
_AS_IT_WAS = 0.02
"""Share of a card's width within which a crop is left as it was cut."""
_NEAR = 0.025
"""Share of a card's width within which an edge that is seen is the one that the points tell."""
_EDGE_WEIGHT = 0.8
"""What an outline that stands out clearly counts against 100 matching points."""
_CLEAR = 30.0
"""Contrast from which it counts that much."""
_ENOUGH, _ENOUGH_ON_TABLE = SUPPORT / 100, 0.1
"""Weight of the witnesses from which an outline is no guess: alone, and on a table that is known."""
_TABLE_KNOWN = 4 * _ENOUGH
"""The weight for all cards of a photo together from which its table is known."""
_A_WORD = 0.03
"""The least that is heard on such a table."""
_SUSPECT = 0.04
"""Share of the width from which a crop that the table speaks against is doubted."""
_MIXED_UP = 2
"""Crops of one mended photo that look like other faces, from which its names are not believed."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo with named cards, and what plain cutting made of it."""

    source: str
    faces: tuple[str, ...]
    order: Order = "rows"
    crops: tuple[Crop, ...] = ()
    """In the order of the names; empty where the cards could not be told apart."""
    failure: NotCut | None = None


def shot(image: Image, faces: Sequence[str], order: Order = "rows", source: str = "") -> Shot:
    """What plain cutting makes of a photo."""
    try:
        return Shot(source, tuple(faces), order, tuple(cut(image, faces, order, source)))
    except NotCut as failure:
        return Shot(source, tuple(faces), order, failure=failure)


def mended(
    shots: Sequence[Shot],
    image_of: Callable[[str], Image],
    known: Sequence[Crop] = (),
) -> list[Shot]:
    """The shots, those with doubtful crops or none cut again where that makes them better.

    `image_of` gives the picture of a source once more; `known` are crops that the deck has already.
    """
    result = list(shots)
    good: list[Crop] = []
    for first in (True, False):  # what was mended helps to mend the rest
        before, (good, bad) = len(good), _parted(result, known)
        if len({crop.face for crop in good}) < FEWEST_GOOD or len(good) == before:
            break
        kin = _Kin(good)
        for i, one in enumerate(result):
            cut = not one.crops or any(not crop.whole for crop in one.crops)
            if cut and (one.failure or one.source in bad):
                only = None if first else bad.get(one.source, set())
                result[i] = kin.mended(one, image_of(one.source), only)
    return result


def _parted(shots: Sequence[Shot], known: Sequence[Crop]) -> tuple[list[Crop], dict[str, set[str]]]:
    """All good crops, and the faces of the doubtful ones by their source."""
    crops = [crop for one in shots for crop in one.crops]
    judged = checked([*crops, *known])
    good = [crop for crop in judged if not crop.doubts]
    bad: dict[str, set[str]] = {}
    for crop in judged[: len(crops)]:
        if may_lie_elsewhere(crop.doubts):
            bad.setdefault(crop.source, set()).add(crop.face)
    return good, bad


class _Kin:
    """The good crops of a deck, ready to tell where others of it lie."""

    def __init__(self, good: Sequence[Crop]) -> None:
        self._good = list(good)
        self._ballot = Ballot(Album("", [Reference(crop.face, crop.image) for crop in good]))
        self._aspect = float(np.median([c.image.shape[0] / c.image.shape[1] for c in good]))

    def mended(self, one: Shot, image: Image, only: set[str] | None) -> Shot:
        """The shot cut anew, or only some faces of it; as it was where that is not better."""
        others = [crop for crop in self._good if crop.source != one.source]
        if len({crop.face for crop in others}) < FEWEST_GOOD:
            return one
        poses = self._poses(image, one.source, WORK_NEAR if len(one.faces) < _FEW else WORK_FAR)
        if _lies_elsewhere(one, poses):
            one = replace(one, crops=())
        before = [crop.quad for crop in one.crops] or _places(poses, len(one.faces), one.order)
        if len(before) != len(one.faces):
            return one
        told = [(upright(pose.quad), pose.support / 100) for pose in poses]
        fit = levelled(_witnesses(before, told))
        edges = _edges(image, [crop.quad for crop in one.crops])
        near = [
            (quad, weight)
            for quad, weight in edges  # a frame inside a card is further off
            if any(
                _off(quad, other) < _NEAR and backing > SUPPORT / 100
                for other, backing in zip(fit.quads, fit.backing, strict=True)
            )
        ]
        fit = levelled(_witnesses(before, told + near))
        pyramid = Pyramid(image)
        width = round(HEIGHT / self._aspect)
        believed = len(one.faces) >= _FEW and sum(fit.backing) >= _TABLE_KNOWN
        crops = []
        for number, face in enumerate(one.faces):
            old = one.crops[number] if one.crops else None
            fitted = _Told(fit.quads[number], fit.backing[number], believed)
            touched = only is None or face in only
            if old is None or (touched and fitted.better_than(old, pyramid)):
                crops.append(fitted.crop(face, pyramid, width, one.source))
            else:
                crops.append(fitted.confirmed(old))
        if one.failure and _mixed_up(crops, others):
            return one
        return replace(one, crops=tuple(crops), failure=None)

    def _poses(self, image: Image, source: str, sizes: Sequence[int]) -> list[Pose]:
        """Outlines that the points of other photos' crops tell, the best supported first."""
        found = []
        ballot = self._ballot.among(np.array([crop.source != source for crop in self._good]))
        for across in sizes:
            work, scale = reduced(image, across)
            for pose in supported(votes_of(work, ballot), ballot):
                found.append(Pose((pose.quad / scale).astype(np.float32), pose.support))
        return sorted(found, key=lambda pose: -pose.support)


@dataclass(frozen=True, slots=True)
class _Told:
    """What the fit says of a card: its outline, its witnesses' weight, whether the table is known."""

    quad: Quad
    backing: float
    believed: bool

    @property
    def seen(self) -> bool:
        """Whether the outline is more than a guess."""
        return self.backing >= (_ENOUGH_ON_TABLE if self.believed else _ENOUGH)

    def better_than(self, old: Crop, pyramid: Pyramid) -> bool:
        """Whether the card is to be cut again; where the table is not known, it has to show less."""
        if old.whole or _off(old.quad, self.quad) < _AS_IT_WAS:
            return False
        if self.believed:
            return self.seen or self.backing > _A_WORD
        return self.seen and table_band(pyramid, self.quad) <= max(old.band, TABLE_SHOWS)

    def crop(self, face: str, pyramid: Pyramid, width: int, source: str) -> Crop:
        """The card cut as it is told."""
        flat = pyramid.rectify(self.quad, width, HEIGHT)
        # on a table of the card's own colour its rim looks like the table
        band = 0.0 if self.seen and self.believed else table_band(pyramid, self.quad)
        return Crop(face, flat, self.quad, source, guessed=not self.seen, band=band)

    def confirmed(self, old: Crop) -> Crop:
        """The crop as it is, with what the fit says of it."""
        off = _off(old.quad, self.quad)
        if old.whole or not self.believed:
            return old
        if off < _AS_IT_WAS and self.seen:
            return replace(old, guessed=False, band=0.0)
        return replace(old, guessed=old.guessed or off > _SUSPECT)


def _places(poses: Sequence[Pose], wanted: int, order: Order) -> list[Quad]:
    """As many disjoint outlines of one size as there are names; others where that is unclear."""
    kept: list[Pose] = []
    for pose in poses:
        if pose.support >= SUPPORT // 2 and all(
            over_smaller(pose.quad, other.quad) < 0.3 for other in kept
        ):
            kept.append(pose)
    if kept:
        size = float(np.median([area(pose.quad) for pose in kept[:wanted]]))
        kept = [pose for pose in kept if 0.6 < area(pose.quad) / size < 1.6]
    if len(kept) > wanted and kept[wanted].support < kept[wanted - 1].support / 2:
        kept = kept[:wanted]
    return ordered([upright(pose.quad) for pose in kept], order) if kept else []


def _lies_elsewhere(one: Shot, poses: Sequence[Pose]) -> bool:
    """Whether something else than the only card of a photo was cut out of it."""
    return (
        len(one.crops) == 1
        and bool(poses)
        and poses[0].support >= 2 * SUPPORT
        and iou(upright(poses[0].quad), one.crops[0].quad) < _SAME_PLACE
    )


def _edges(image: Image, before: Sequence[Quad]) -> list[tuple[Quad, float]]:
    """Outlines that are seen in the picture, and what they count."""
    work, scale = reduced(image, WORK)
    grey = softened(work)
    seen = [quad for quad in outlines(shapes_of(work), halves=False) if aspect(quad) < 2]
    return [
        (
            upright((quad / scale).astype(np.float32)),
            _EDGE_WEIGHT * min(contrast(grey, quad) / _CLEAR, 1.0),
        )
        for quad in [*seen, *(quad * scale for quad in before)]
    ]


def _witnesses(places: Sequence[Quad], told: Sequence[tuple[Quad, float]]) -> list[Witness]:
    """All that tells an outline for one of the places, and a word for each place as it is."""
    found = [Witness(card, place, 1e-3) for card, place in enumerate(places)]
    for quad, weight in told:
        over = [iou(quad, place) for place in places]
        best = int(np.argmax(over))
        if over[best] > _SAME_PLACE:
            found.append(Witness(best, quad, weight))
    return found


def _off(one: Quad, other: Quad) -> float:
    """How far the worst corner is from its partner, in card widths."""
    return float(np.abs(one - other).max() / max(float(sides(other)[[0, 2]].mean()), 1e-6))


def _mixed_up(crops: Sequence[Crop], good: Sequence[Crop]) -> bool:
    """Whether the names of a photo seem to belong to other cards of it."""
    judged = checked([*crops, *good])[: len(crops)]
    return sum(any(MIXED_UP in doubt for doubt in crop.doubts) for crop in judged) >= _MIXED_UP
