"""Standard cards of a deck that nobody enrolled, read in composed photographs whose truth is known."""

from dataclasses import asdict, replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.geometry import Image
from companion.vision.index_reader.card_faces import draw
from companion.vision.index_reader.classes import JOKER
from companion.vision.index_reader.reader import IndexReader
from companion.vision.report import document
from companion.vision.sighting import Reading
from tests.bench.sight.compose import Photo, compose
from tests.bench.sight.measure import Counts, composed
from tests.vision import scene
from tests.vision.standard import APART, cut_out, photo, rounded, style


@pytest.fixture(scope="module")
def reader() -> IndexReader:
    return IndexReader()


def counts(shot: Photo, reading: Reading) -> Counts:
    """What was made of a photo, by place."""
    said: dict[str, Any] = document("x", "standard-52", reading, 0.0)
    return composed([asdict(card) for card in shot.cards], said).counts


def names(reading: Reading) -> list[list[str | None]]:
    return [[placed.sighting.face for placed in row] for row in reading.rows]


def test_a_table_is_read_row_by_row(reader: IndexReader) -> None:
    rows = [["AS", "10H", "QD", "6C"], ["9C", "JH", "3D", "KS"]]
    shot = photo(rows, 3)
    reading = reader.read(shot.image)
    assert names(reading) == rows
    seen = counts(shot, reading)
    assert (seen.found, seen.right, seen.silent, seen.ghosts) == (8, 8, 0, 0)
    assert all(s.sure or s.doubts for s in reading.sightings)


def test_six_and_nine_are_told_apart_whichever_end_is_up(reader: IndexReader) -> None:
    shot = photo([["6S", "9S", "6D", "9D"]], 5, replace(APART, any_way=1.0))
    assert names(reader.read(shot.image)) == [["6S", "9S", "6D", "9D"]]


def test_touching_cards_on_a_white_table(reader: IndexReader) -> None:
    close = replace(APART, any_way=0, turn=1.0, jitter=0.01, gap=(0.0, 0.01), tables=("white",))
    row = ["2C", "7H", "JS", "5D", "KC"]
    shot = photo([row], 8, close)
    seen = counts(shot, reader.read(shot.image))
    assert seen.silent == 0
    assert seen.right >= 4


def test_a_strip_of_overlapping_cards_is_read_by_its_corners(reader: IndexReader) -> None:
    strip = replace(APART, any_way=0, turn=1.0, jitter=0.01, gap=(-0.75, -0.74), bend=(0, 0.3))
    row = ["2C", "KH", "JS", "5D", "10C", "8H", "AD"]
    said = reader.read(photo([row], 4, strip).image).sightings
    assert {s.face for s in said if s.sure} <= set(row)
    assert len({s.face for s in said} & set(row)) >= 6
    assert len([s.face for s in said if s.sure]) == len({s.face for s in said if s.sure})


@pytest.mark.parametrize("seed", [4, 5, 6, 7])
def test_a_strip_too_tight_to_read_says_so(reader: IndexReader, seed: int) -> None:
    tight = replace(APART, any_way=0, turn=1.0, jitter=0.01, gap=(-0.885, -0.875), bend=(0, 0.3))
    row = ["2C", "KH", "JS", "5D", "10C", "8H", "AD", "3S", "QC"]
    reading = reader.read(photo([row], seed, tight).image)
    sure = {s.face for s in reading.sightings if s.sure}
    assert sure < set(row)
    assert [w.code for w in reading.warnings] == ["spread-the-cards"]


@pytest.mark.parametrize("letters", ["BVH", "BDK", "VDR"])
def test_court_letters_of_other_languages(letters: str) -> None:
    row = ["JS", "QH", "KD", "AC"]
    shot = photo([row], 6, letters=letters)
    assert names(IndexReader(letters).read(shot.image)) == [row]
    english = counts(shot, IndexReader().read(shot.image))
    assert english.silent == 0


def test_cards_of_another_game_get_no_sure_name(reader: IndexReader) -> None:
    faces = ("eagle", "furs", "wigwam", "dynamite", "totem", "chief:red")
    pictures = {face: scene.cut_out(face, 528)[..., [2, 1, 0, 3]] for face in faces}
    shot = compose(pictures, [list(faces)], APART, np.random.default_rng(2))
    assert not [s.face for s in reader.read(shot.image).sightings if s.sure]


def test_a_defaced_end_is_asked_about_or_told_by_the_other(reader: IndexReader) -> None:
    spoilt: Image = draw(style(), "J", "H").picture.copy()
    high, wide = spoilt.shape[:2]
    for end in ((0, 0), (wide // 3, high // 3)), ((2 * wide // 3, 2 * high // 3), (wide, high)):
        cv2.line(spoilt, *end, (250, 250, 250), 60)
        cv2.line(spoilt, (end[1][0], end[0][1]), (end[0][0], end[1][1]), (20, 20, 20), 50)
    shot = compose({"JH": rounded(spoilt)}, [["JH"]], APART, np.random.default_rng(3))
    assert not [s for s in reader.read(shot.image).sightings if s.sure and s.face != "JH"]


def test_a_joker_is_no_card_of_the_deck(reader: IndexReader) -> None:
    pictures = {"2C": cut_out("2C"), "joker": rounded(draw(style(), JOKER, "S").picture)}
    shot = compose(pictures, [["2C", "joker"]], APART, np.random.default_rng(4))
    (row,) = reader.read(shot.image).rows
    two, joker = (placed.sighting for placed in row)
    assert (two.face, two.sure) == ("2C", True)
    assert (joker.face, joker.doubts) == (None, ("a joker",))


def test_letters_of_another_language_are_asked_for(reader: IndexReader) -> None:
    reading = reader.read(photo([["JS", "QH", "2C"]], 6, letters="BVH").image)
    assert [s.face for s in reading.sightings if s.sure] == ["2C"]
    (warning,) = reading.warnings
    assert warning.code == "court-letters"
    assert "B and V stand on cards" in warning.text


def test_an_empty_table_says_what_to_do(reader: IndexReader) -> None:
    reading = reader.read(np.full((900, 1200, 3), 90, np.uint8))
    assert reading.rows == ()
    assert [w.code for w in reading.warnings] == ["no-cards"]


def test_an_outline_drawn_by_a_person_is_named(reader: IndexReader) -> None:
    shot = photo([["AS", "10H"]], 5)
    for card in shot.cards:
        off = np.array(card.corners, np.float32) + np.array([3.0, -2.0], np.float32)
        assert reader.name_at(shot.image, off).face == card.name
    bare = np.array([[5, 5], [65, 5], [65, 90], [5, 90]], np.float32)
    assert reader.name_at(shot.image, bare).face is None
