"""Gates for reference pictures: what is wrong with a crop, measured against the other crops of its deck.

A doubtful crop is kept only where there is no better one of its face: one bad reference makes more
errors at the table than a missing one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.album import Album, Reference
from companion.vision.enrol import Crop
from companion.vision.geometry import Floats, Image, Pyramid, aspect, corners_of, turned
from companion.vision.looks import look_at
from companion.vision.naming import compare, nudged

TABLE_SHOWS = 0.15
"""Share of a crop's edge that looks like the table from which it is doubtful."""
_SMALL = 200
"""Pixels of height in the photo below which a crop is doubtful."""
MIXED_UP, ASKEW = "are the names mixed up?", "cut askew?"
"""Ends of the doubts about a crop that looks like another face, and of one that is not of their shape."""
_GUESSED = "its edge could not be seen: its outline is a guess"
_SHOWS = "the table shows along"
_LOW = "pixels high in the photo"
_OTHER = 0.25
"""Lead in score by which another face's picture looks more like a crop than its own other picture."""


@dataclass(frozen=True, slots=True)
class Usual:
    """What the cards beside a crop are like; what is far from it is doubtful."""

    shape: float
    """Aspect as seen."""
    slack: float
    """How far the logarithm of an aspect may be from it; infinite where too few cards tell."""
    sharpness: float


class Fellows:
    """The crops of a deck or photo, that each of them is measured against."""

    def __init__(self, crops: Sequence[Crop], shape: float = 0.0) -> None:
        """`shape`: the deck's aspect, for a photo of too few cards to tell; 0: unknown."""
        self._shapes = np.array([aspect(crop.quad) for crop in crops])
        self._sources = np.array([crop.source for crop in crops])
        sharp = [sharpness(crop.image) for crop in crops]
        self._sharpness = float(np.median(sharp)) if sharp else 0.0
        self._shape = shape

    def usual(self, source: str) -> Usual:
        """What a crop from that photo is to be like."""
        beside = self._shapes[self._sources == source]
        if len(beside) >= 3 and len(self._shapes) >= 4:  # a tilted photo shortens all its cards
            return Usual(float(np.median(beside)), 0.09, self._sharpness)
        if len(self._shapes) >= 4:
            return Usual(float(np.median(self._shapes)), 0.12, self._sharpness)
        return Usual(self._shape or 1.0, 0.12 if self._shape else float("inf"), self._sharpness)


def doubts_about(crop: Crop, usual: Usual) -> tuple[str, ...]:
    """What is wrong with a crop, in words for a person."""
    doubts = []
    its_shape, its_sharpness = aspect(crop.quad), sharpness(crop.image)
    if abs(np.log(its_shape / usual.shape)) > usual.slack:
        doubts.append(f"its shape is {its_shape:.2f}, that of others {usual.shape:.2f}: {ASKEW}")
    if crop.guessed:
        doubts.append(_GUESSED)
    if crop.band > TABLE_SHOWS:
        doubts.append(f"{_SHOWS} {round(100 * crop.band)} % of its edge")
    if its_sharpness < 0.5 * usual.sharpness or its_sharpness < 0.12:
        doubts.append("is blurred")
    if not crop.whole and crop.tall < _SMALL:
        doubts.append(f"is {round(crop.tall)} {_LOW}; {_SMALL} or more are good")
    if glare(crop.image) > 0.12:
        doubts.append("is glaring")
    return tuple(doubts)


def may_lie_elsewhere(doubts: Sequence[str]) -> bool:
    """Whether a doubt is about where the card lies; one about light or focus is not."""
    return any(
        mark in doubt for doubt in doubts for mark in (MIXED_UP, ASKEW, _GUESSED, _SHOWS, _LOW)
    )


def checked(crops: Sequence[Crop]) -> list[Crop]:
    """The crops of a deck with their doubts, each measured against its fellows."""
    if not crops:
        return []
    fellows = Fellows(crops)
    return _not_mixed_up(
        [replace(crop, doubts=doubts_about(crop, fellows.usual(crop.source))) for crop in crops]
    )


class Doubted(Protocol):
    """A picture of a face with what is wrong with it: a crop, a reference, an entry of an album."""

    @property
    def face(self) -> str:
        """The face it shows."""
        ...

    @property
    def doubts(self) -> tuple[str, ...]:
        """What is wrong with it."""
        ...


AnyDoubted = TypeVar("AnyDoubted", bound=Doubted)


def usable(crops: Sequence[AnyDoubted]) -> list[AnyDoubted]:
    """The pictures without doubts, and of a face that has none such its least doubtful one."""
    kept = [crop for crop in crops if not crop.doubts]
    good = {crop.face for crop in kept}
    spare: dict[str, AnyDoubted] = {}
    for crop in crops:
        if crop.face not in good:
            best = spare.get(crop.face)
            if best is None or len(crop.doubts) < len(best.doubts):
                spare[crop.face] = crop
    return kept + list(spare.values())


def _not_mixed_up(crops: list[Crop]) -> list[Crop]:
    """The crops, with a doubt on those that look more like another face than like their own."""
    faces = [crop.face for crop in crops]
    if len(set(faces)) == len(faces):
        return crops
    album = Album("", [Reference(crop.face, crop.image) for crop in crops])
    result = []
    for i, crop in enumerate(crops):
        own = [j for j, face in enumerate(faces) if face == crop.face and j != i]
        others = [j for j, face in enumerate(faces) if face != crop.face]
        doubts = crop.doubts
        if own and others:
            total = compare(look_at(album.flats[i]), album).total
            nearest = max(others, key=lambda j: float(total[j]))
            like = max(own, key=lambda j: float(total[j]))
            if total[nearest] > total[like]:  # perhaps cut a little differently, or upside down
                ways = [_laid_on(crop.image, album, like, turns) for turns in (0, 2)]
                total = max(ways, key=lambda way: float(way.max(initial=-9, where=_at(own, way))))
            if total[nearest] > max(float(total[j]) for j in own) + _OTHER:
                doubts = (*doubts, f"looks more like {faces[nearest]}: {MIXED_UP}")
        result.append(replace(crop, doubts=doubts))
    return result


def sharpness(image: Image) -> float:
    """How steep the strongest edges of a card are at a fixed size, as a share of its contrast."""
    grey = cv2.resize(
        cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (183, 256), interpolation=cv2.INTER_AREA
    )
    inner = grey[12:-12, 12:-12].astype(np.float32)
    slope = np.hypot(cv2.Sobel(inner, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(inner, cv2.CV_32F, 0, 1) / 8)
    contrast_range = float(np.percentile(inner, 99.5) - np.percentile(inner, 0.5))
    return float(np.percentile(slope, 99.5)) / max(contrast_range, 25.0)


def glare(image: Image) -> float:
    """Share of the card that is burnt out in one blob while its paper is not."""
    least = image.min(axis=2)
    burnt = (least >= 252).astype(np.uint8)
    if burnt.mean() > 0.5:  # white paper, brightly lit
        return 0.0
    _, _, stats, _ = cv2.connectedComponentsWithStats(burnt)
    return float(stats[1:, cv2.CC_STAT_AREA].max(initial=0) / least.size)


def _at(indices: Sequence[int], like: Floats) -> NDArray[np.bool_]:
    there = np.zeros(len(like), bool)
    there[list(indices)] = True
    return there


def _laid_on(image: Image, album: Album, reference: int, turns: int) -> Floats:
    """Scores of a crop against all references, once it is turned and nudged onto one of them."""
    whole = turned(corners_of(image.shape[1], image.shape[0]), turns)
    pyramid = Pyramid(image)
    flat = pyramid.rectify(nudged(pyramid, whole, album.flats[reference]), *album.size)
    return compare(look_at(flat), album).total
