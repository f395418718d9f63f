"""A red and a black card of a kind differ in their number only: that decides, where it shows."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.album import Album, Reference
from companion.vision.find import Found
from companion.vision.geometry import Pyramid, corners_of
from companion.vision.judge import Judge
from companion.vision.naming import Named, name
from companion.vision.twins import Twins
from tests.vision.scene import flat


def named_as(album: Album, face: str, in_favour_of: str, by: float) -> Named:
    """A clean picture of a face whose scores lean to another one, as uneven light makes them."""
    picture = flat(face)
    named = name(Pyramid(picture), corners_of(picture.shape[1], picture.shape[0]), album)
    best, other = album.faces.index(face), album.faces.index(in_favour_of)
    paper = named.paper.copy()
    paper[other] += float(named.total[best] - named.total[other]) + by
    return replace(named, paper=paper)


@pytest.mark.parametrize(
    ("face", "other"), [("chief:red", "chief:black"), ("chief:black", "chief:red")]
)
def test_the_number_decides(album: Album, judge: Judge, face: str, other: str) -> None:
    found = Found(named_as(album, face, other, 0.1))
    seen = judge.sighting(found)
    assert seen.face == face
    assert not [doubt for doubt in seen.doubts if other in doubt]


def test_another_kind_is_never_renamed(album: Album, judge: Judge) -> None:
    seen = judge.sighting(Found(named_as(album, "eagle", "furs", 0.1)))
    assert seen.face == "furs"
    assert not seen.sure


def test_a_hidden_number_is_asked_about(album: Album, judge: Judge) -> None:
    """Everything shows but the places where the two differ."""
    red, black = (album.flats[album.faces.index(f"chief:{c}")] for c in ("red", "black"))
    differs = np.abs(red.astype(int) - black.astype(int)).max(axis=2) > 12
    named = named_as(album, "chief:red", "chief:black", 0.02)
    mask = ~differs.reshape(-1)
    seen = judge.sighting(Found(named, float(mask.mean()), mask))
    assert seen.face == "chief:black"
    assert not seen.sure
    assert "may also be chief:red" in seen.doubts


def test_doubtful_pictures_decide_nothing(album: Album) -> None:
    doubted = Album(
        album.deck,
        [
            Reference(r.face, r.image, r.source, ("is blurred",) if ":" in r.face else ())
            for r in album.references
        ],
    )
    judge = Judge(doubted, Twins(doubted))
    seen = judge.sighting(Found(named_as(doubted, "chief:red", "chief:black", 0.1)))
    assert seen.face == "chief:black"
    assert not seen.sure
