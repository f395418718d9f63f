"""How good the pictures of a deck are: what to photograph again, and which faces are hard to tell apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.vision.album import Album
from companion.vision.gates import AnyDoubted
from companion.vision.looks import look_at
from companion.vision.naming import compare

_HIGHEST = 3.0
"""Sum of the three scores of a picture with itself."""
_ALIKE = 0.9
"""Lead in score under which two faces are hard to tell apart: reading then compares them closely."""
_MOST = 8
"""Pairs that are told."""


@dataclass(frozen=True, slots=True)
class Alike:
    """Two faces that are hard to tell apart, by a lead in score (0: not at all)."""

    one: str
    other: str
    margin: float


@dataclass(frozen=True, slots=True)
class Quality:
    """What a deck's pictures are worth."""

    cards: int
    """Faces of the deck, with and without pictures."""
    good: int
    """Faces with at least one picture that nothing is wrong with."""
    again: tuple[tuple[str, str], ...]
    """Faces whose pictures are all doubtful, with what is wrong, the worst first."""
    single: tuple[str, ...]
    """Good faces with one picture only: a second in other light helps."""
    alike: tuple[Alike, ...]
    """The most alike first."""

    @property
    def share(self) -> float:
        """Good faces of all, 0 to 1."""
        return self.good / self.cards if self.cards else 0.0


def quality(album: Album, pictures: Sequence[AnyDoubted], missing: int = 0) -> Quality:
    """The quality of a deck: its album, all its pictures, how many faces have none."""
    doubts: dict[str, list[tuple[str, ...]]] = {}
    for picture in pictures:
        doubts.setdefault(picture.face, []).append(picture.doubts)
    good = [face for face, found in doubts.items() if not all(found)]
    spoilt = {face: min(found, key=len) for face, found in doubts.items() if all(found)}
    worst = sorted(spoilt, key=lambda face: -len(spoilt[face]))
    return Quality(
        len(doubts) + missing,
        len(good),
        tuple((face, "; ".join(spoilt[face])) for face in worst),
        tuple(face for face in good if len(doubts[face]) == 1),
        tuple(lookalikes(album)),
    )


def lookalikes(album: Album, margin: float = _ALIKE, most: int = _MOST) -> list[Alike]:
    """Pairs of faces whose pictures score nearly as one, the most alike first."""
    total = np.stack([compare(look_at(flat), album).total for flat in album.flats])
    both = (total + total.T) / 2
    closest: dict[tuple[int, int], float] = {}
    for one, other in zip(*np.nonzero(both > _HIGHEST - margin), strict=True):
        pair = (int(album.face_of[one]), int(album.face_of[other]))
        if pair[0] < pair[1]:
            closest[pair] = min(closest.get(pair, 9.0), _HIGHEST - float(both[one, other]))
    ranked = sorted(closest.items(), key=lambda found: found[1])[:most]
    return [Alike(album.faces[a], album.faces[b], round(max(m, 0.0), 2)) for (a, b), m in ranked]
