"""Crops whose card's edge cannot be seen, cut again with the help of the deck's other cards."""

from dataclasses import replace

import numpy as np
import pytest

from companion.vision.enrol import Crop, NotCut
from companion.vision.gates import checked
from companion.vision.geometry import Image, Quad, corners_of
from companion.vision.repair import FEWEST_GOOD, Shot, mended, shot
from tests.vision.scene import NAMES, flat, ground, off_by, quad_at, table

ROWS = (("eagle", "furs", "wigwam"), ("bear-a", "soldier", "bow"))
FACES = tuple(name for row in ROWS for name in row)
PAPER = (246, 246, 246)
"""A table of the cards' own colour: their edge is not to be seen."""


def places() -> dict[str, Quad]:
    return {
        name: quad_at(200 + 260 * c, 210 + 350 * r, 290, 2 * ((r + c) % 3 - 1))
        for r, row in enumerate(ROWS)
        for c, name in enumerate(row)
    }


def known(names: tuple[str, ...] = NAMES) -> list[Crop]:
    """Good pictures that the deck has of other photos."""
    found = []
    for name in names:
        image = flat(name)
        quad = corners_of(image.shape[1], image.shape[0])
        found.append(Crop(name, image, quad, f"{name}.png", whole=True))
    return found


@pytest.fixture(scope="module")
def unseen() -> Image:
    """A sheet on a ground of the cards' colour."""
    return table(ground(920, 780, PAPER, 1.5), places())


def test_a_sheet_that_could_not_be_cut(unseen: Image) -> None:
    failed = Shot("sheet.jpg", FACES, failure=NotCut(2, len(FACES)))
    (done,) = mended([failed], lambda _: unseen, known())
    assert done.failure is None
    assert [crop.face for crop in done.crops] == list(FACES)
    for crop in done.crops:
        assert off_by(crop.quad, places()[crop.face]) < 8
    judged = checked([*done.crops, *known()])[: len(FACES)]
    assert sum(bool(crop.doubts) for crop in judged) <= 1


def test_a_deck_that_never_saw_these_cards_helps_all_the_same(unseen: Image) -> None:
    """Cards of a deck share a layout: half of the named cards are known from elsewhere, half are not."""
    failed = Shot("sheet.jpg", FACES, failure=NotCut(2, len(FACES)))
    others = tuple(name for name in NAMES if name not in ("eagle", "bow"))
    assert len(others) >= FEWEST_GOOD
    (done,) = mended([failed], lambda _: unseen, known(others))
    for crop in done.crops:
        assert off_by(crop.quad, places()[crop.face]) < 12


def test_crops_that_are_askew(unseen: Image) -> None:
    seen = table(ground(920, 780), places())
    good = shot(seen, FACES, "rows", "sheet.jpg")
    assert good.failure is None
    askew = list(good.crops)
    askew[1] = replace(askew[1], quad=askew[1].quad + np.float32(22), guessed=True)
    (done,) = mended([replace(good, crops=tuple(askew))], lambda _: seen, known())
    assert off_by(done.crops[1].quad, places()["furs"]) < 6
    assert not done.crops[1].guessed
    for before, after in zip(good.crops, done.crops, strict=True):
        if before.face != "furs":  # what was well cut is not moved
            assert off_by(after.quad, before.quad) < 6


def test_nothing_is_touched_where_nothing_is_wrong_or_too_little_is_known() -> None:
    seen = table(ground(920, 780), places())
    good = shot(seen, FACES, "rows", "sheet.jpg")

    def none(_: str) -> Image:
        raise AssertionError("no photo needs to be looked at again")

    assert mended([good], none, known()) == [good]
    failed = Shot("other.jpg", FACES, failure=NotCut(2, len(FACES)))
    assert mended([failed], none, known(NAMES[: FEWEST_GOOD - 1])) == [failed]


def test_names_that_belong_to_other_cards_are_not_believed(unseen: Image) -> None:
    """A sheet whose names are in another order stays refused, rather than teach wrong names."""
    failed = Shot("sheet.jpg", FACES[::-1], failure=NotCut(2, len(FACES)))
    (done,) = mended([failed], lambda _: unseen, known())
    assert done.failure is not None


def test_a_photo_with_another_number_of_cards_stays_refused(unseen: Image) -> None:
    failed = Shot("sheet.jpg", (*FACES, "totem", "horse-a"), failure=NotCut(2, 8))
    (done,) = mended([failed], lambda _: unseen, known())
    assert done.failure is not None


def test_one_card_that_fills_the_photo() -> None:
    """Points are compared at the size at which the deck's pictures have them."""
    place = quad_at(450, 640, 1000, 3)
    seen = table(ground(900, 1280, PAPER, 1.5), {"soldier": place})
    failed = Shot("one.jpg", ("soldier",), failure=NotCut(0, 1))
    (done,) = mended([failed], lambda _: seen, known())
    assert done.failure is None
    assert off_by(done.crops[0].quad, place) < 30


def test_something_else_that_was_cut_in_the_place_of_the_card() -> None:
    place = quad_at(600, 640, 800, 3)
    seen = table(ground(1100, 1280, PAPER, 1.5), {"soldier": place})
    elsewhere = quad_at(120, 150, 160)
    wrong = Crop("soldier", flat("soldier"), elsewhere, "one.jpg", guessed=True)
    (done,) = mended([Shot("one.jpg", ("soldier",), crops=(wrong,))], lambda _: seen, known())
    assert off_by(done.crops[0].quad, place) < 30
