"""Whole photos: a fixed small part of the bench, cards that the deck does not know, and photos of nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision.annotate import annotated, label
from companion.vision.geometry import Image, Quad, iou
from companion.vision.reader import Reader
from companion.vision.reduce import WORK, reduced
from companion.vision.report import document
from companion.vision.sighting import Candidate, Placed, Reading, Sighting, Warn
from companion.vision.unknown import unknown_cards
from tests.bench.sight import measure
from tests.bench.sight.compose import Photo, compose
from tests.bench.sight.conditions import SUITES
from tests.bench.sight.measure import Counts
from tests.bench.sight.nocard import no_card_photo
from tests.vision.scene import ASPECT, NAMES, clutter, cut_out, ground, paint, plain, quad_at, table

PHOTOS: Mapping[str, Sequence[str]] = {
    "standard": ("eagle furs chief:red totem", "bear-a bear-b bow soldier"),
    "touching": ("wigwam eagle dynamite horse-a chief:black furs",),
    "overlap-20": ("bow totem bear-a furs eagle soldier",),
    "overlap-50": ("furs wigwam horse-a eagle totem",),
    "patterned": ("chief:red bear-b eagle wigwam", "totem soldier bow furs"),
    "upside-down": ("horse-a dynamite chief:black eagle bear-a",),
    "gaps": ("eagle . totem furs . . bow", ". wigwam soldier . chief:red"),
    "blurred": ("wigwam furs totem eagle",),
}
"""Conditions of the bench, and what lies in each photo."""


@lru_cache(maxsize=1)
def pictures() -> Mapping[str, Image]:
    return {name: np.ascontiguousarray(cut_out(name, 640)[..., [2, 1, 0, 3]]) for name in NAMES}


def photo(condition: str) -> Photo:
    rows = [[None if w == "." else w for w in row.split()] for row in PHOTOS[condition]]
    taken = replace(SUITES[condition].condition, long_side=1500)
    return compose(pictures(), rows, taken, np.random.default_rng([7, *condition.encode()]))


def read(reader: Reader, image: Image) -> dict[str, Any]:
    return document("photo", "up-the-creek", reader.read(image), 1.0)


@pytest.mark.slow
def test_a_small_part_of_the_bench(reader: Reader) -> None:
    """Floors, by place: found, right, never sure and wrong."""
    sums, faults = Counts(), []
    for condition in PHOTOS:
        taken = photo(condition)
        truth = [asdict(card) for card in taken.cards]
        score = measure.composed(truth, read(reader, taken.image))
        sums = sums + score.counts
        faults += [(condition, f.kind, f.place, f.truth, f.said) for f in score.faults]
    assert sums.cards == sum(
        len(r.replace(".", "").split()) for rows in PHOTOS.values() for r in rows
    )
    assert sums.found >= 0.98 * sums.cards, faults
    assert sums.right >= 0.97 * sums.cards, faults
    assert sums.silent == 0, faults
    assert sums.ghosts <= 1, faults
    assert sums.flagged <= 0.1 * sums.cards, faults
    assert sums.in_place >= 0.97 * sums.found, faults


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 7])
def test_nothing_is_sure_where_no_card_lies(reader: Reader, seed: int) -> None:
    """An empty table, a page, business cards, swatches, backs, leaves."""
    image = no_card_photo(seed)
    small = cv2.resize(image, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    seen = reader.read(np.asarray(small, np.uint8)).sightings
    assert [s.face for s in seen if s.sure] == []


def test_no_card_at_all(reader: Reader) -> None:
    for image in (ground(800, 600, noise=0), np.zeros((40, 30, 3), np.uint8), clutter(700, 500)):
        assert [s for s in reader.read(image).sightings if s.sure] == []
    nothing = reader.read(ground(800, 600, noise=0))
    assert nothing.rows == ()
    assert [warning.code for warning in nothing.warnings] == ["no-cards"]


def strange(seed: int = 0) -> Image:
    """A card of another deck: white, with rings of some colours."""
    card = plain((245, 245, 245)).copy()
    rng = np.random.default_rng(seed)
    for radius in (110, 80, 50, 25):
        colour = [int(v) for v in rng.integers(0, 255, 3)]
        cv2.circle(card, (card.shape[1] // 2, card.shape[0] // 2), radius, (*colour, 255), -1)
    return card


def rows_of(reading: Reading) -> list[list[tuple[int, str | None]]]:
    return [[(p.column, p.sighting.face) for p in row] for row in reading.rows]


def test_a_card_of_another_deck_is_listed_without_a_name(reader: Reader) -> None:
    quads = [quad_at(150 + 230 * k, 220, 270, 2 * k - 3) for k in range(4)]
    image = ground(1000, 440)
    for quad, card in zip(
        quads, (cut_out("eagle"), cut_out("furs"), strange(), cut_out("bow")), strict=True
    ):
        paint(image, card, quad)
    reading = reader.read(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8))
    assert rows_of(reading) == [[(1, "eagle"), (2, "furs"), (3, None), (4, "bow")]]
    unnamed = reading.rows[0][2].sighting
    assert not unnamed.sure
    assert unnamed.doubts == ("looks like no card of the deck",)
    assert iou(np.array(unnamed.region, np.float32), quads[2]) > 0.93


def test_rows_columns_and_regions(reader: Reader) -> None:
    cards = {
        "eagle": quad_at(160, 180, 260), "furs": quad_at(400, 184, 260, 183), "totem": quad_at(880, 178, 260),
        "wigwam": quad_at(400, 480, 260, -2), "chief:red": quad_at(640, 486, 260, 1),
    }  # fmt: skip
    reading = reader.read(table(ground(1040, 660), cards))
    assert rows_of(reading) == [
        [(1, "eagle"), (2, "furs"), (4, "totem")],
        [(2, "wigwam"), (3, "chief:red")],
    ]
    for sighting in reading.sightings:
        assert sighting.sure
        assert sighting.face is not None
        away = np.array(sighting.region) - cards[sighting.face]
        assert (
            np.linalg.norm(away, axis=1).max() < 5
        )  # from the card's own top left, also on its head


def test_a_large_photo_is_judged_at_its_own_size(reader: Reader) -> None:
    """Regions are in the photo's pixels, though cards are looked for in a smaller one."""
    cards = {"eagle": quad_at(700, 700, 900, 5), "chief:black": quad_at(1700, 720, 900, -4)}
    image = ground(2400, 1400)
    for name, quad in cards.items():
        paint(image, cut_out(name, 900), quad)
    for sighting in reader.read(image).sightings:
        assert sighting.sure
        assert np.abs(np.array(sighting.region) - cards[str(sighting.face)]).max() < 12


def test_a_card_cut_off_by_the_photo_is_not_sure(reader: Reader) -> None:
    cards = {"eagle": quad_at(60, 250, 300), "furs": quad_at(360, 250, 300)}
    whole = table(
        ground(840, 500),
        {name: quad + np.array([60, 0], np.float32) for name, quad in cards.items()},
    )
    image = np.ascontiguousarray(whole[:, 60:])
    seen = {s.face: s for s in reader.read(image).sightings}
    assert seen["furs"].sure
    assert "eagle" not in seen or not seen["eagle"].sure


# Unknown cards


def unknown(image: Image, quads: Sequence[Quad], named: Sequence[Quad]) -> list[Quad]:
    return unknown_cards(
        np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8), quads, named, ASPECT
    )


def test_unknown_cards_are_of_the_named_cards_size() -> None:
    named = [quad_at(120 + 200 * k, 180, 250) for k in range(3)]
    other, small = quad_at(720, 180, 250, 4), quad_at(900, 180, 120)
    image = ground(1000, 400)
    for quad in (*named, other, small):
        paint(image, plain((240, 240, 240)), quad)
    kept = unknown(image, [other, small, named[0] + np.float32(4)], named)
    assert len(kept) == 1
    assert kept[0] is other


def test_unknown_cards_stand_out_on_every_side() -> None:
    named = [quad_at(120 + 200 * k, 180, 250) for k in range(3)]
    bare = quad_at(720, 180, 250)
    image = ground(1000, 400)
    for quad in named:
        paint(image, plain((240, 240, 240)), quad)
    assert unknown(image, [bare], named) == []


def test_unknown_cards_alone_have_the_deck_s_shape() -> None:
    card, wide = (
        quad_at(200, 200, 250),
        np.array([[400, 80], [640, 80], [640, 330], [400, 330]], np.float32),
    )
    image = ground(800, 420)
    paint(image, plain((240, 240, 240)), card)
    cv2.fillConvexPoly(image, wide.astype(np.int32), (240, 240, 240))
    kept = unknown(image, [card, wide], [])
    assert len(kept) == 1
    assert kept[0] is card


# What is made of a reading


SURE = Sighting(((10, 10), (110, 10), (110, 150), (10, 150)), (Candidate("eagle", 0.98),), True)
DOUBTED = Sighting(
    ((130, 10), (230, 10), (230, 150), (130, 150)),
    (Candidate("furs", 0.6), Candidate("bow", 0.3)),
    number=3,
    doubts=("is far away",),
)
NAMELESS = Sighting(((250, 10), (350, 10), (350, 150), (250, 150)))
READING = Reading(
    ((Placed(1, SURE), Placed(3, DOUBTED)), (Placed(2, NAMELESS),)), (Warn("x", "y"),)
)


def test_the_document_counts_cards_through_the_rows() -> None:
    said = document("a.jpg", "deck", READING, 1.2345)
    assert (said["photo"], said["deck"], said["seconds"]) == ("a.jpg", "deck", 1.23)
    cards = [card for row in said["rows"] for card in row["cards"]]
    assert [len(row["cards"]) for row in said["rows"]] == [2, 1]
    assert [(c["card"], c["sure"], c["column"], c["place"], c["number"]) for c in cards] == [
        ("eagle", True, 1, 1, None),
        ("furs", False, 3, 2, 3),
        (None, False, 2, 3, None),
    ]
    assert cards[1]["alternatives"] == [["furs", 0.6], ["bow", 0.3]]
    assert cards[1]["doubts"] == ["is far away"]
    assert (cards[2]["confidence"], cards[2]["alternatives"]) == (0.0, [])
    assert cards[0]["box"] == [[10, 10], [110, 10], [110, 150], [10, 150]]
    assert said["warnings"] == [{"code": "x", "text": "y"}]


def test_the_annotated_copy_has_a_box_a_card() -> None:
    """Green, orange and red; the photo itself stays as it is."""
    image = np.full((200, 400, 3), 128, np.uint8)
    drawn = annotated(image, READING)
    assert drawn.shape == image.shape
    assert (image == 128).all()
    for sighting, channel in ((SURE, 1), (DOUBTED, 2), (NAMELESS, 2)):
        (x, _), _, (_, bottom), _ = sighting.region
        edge = drawn[int(bottom), int(x) : int(x) + 100].astype(int)
        coloured = edge[np.abs(edge - 128).max(axis=1) > 20]
        assert len(coloured) > 40
        assert np.median(coloured.argmax(axis=1)) == channel
    assert (drawn[170:] == 128).all()
    assert [label(s) for s in (SURE, DOUBTED, NAMELESS)] == ["eagle", "furs=3?", "??"]


def test_reduced() -> None:
    image = np.zeros((1500, 3000, 3), np.uint8)
    small, scale = reduced(image)
    assert small.shape == (600, WORK, 3)
    assert scale == pytest.approx(0.4)
    tall, scale = reduced(np.zeros((3600, 1200, 3), np.uint8))
    assert tall.shape[0] == 1.5 * WORK
    assert scale == pytest.approx(0.5)
    assert reduced(small)[0] is small


# Advice


def codes(reading: Reading) -> list[str]:
    return [warning.code for warning in reading.warnings]


def three(tall: float) -> Mapping[str, Quad]:
    names = ("eagle", "totem", "bear-a")
    return {name: quad_at(120 + tall * k, 60 + tall / 2, tall) for k, name in enumerate(names)}


def test_a_good_photo_needs_no_advice(reader: Reader) -> None:
    assert codes(reader.read(table(ground(1000, 420), three(260)))) == []


def test_advice_for_a_blurred_photo(reader: Reader) -> None:
    sharp = table(ground(1000, 420), three(260))
    assert "blurred" in codes(reader.read(np.asarray(cv2.GaussianBlur(sharp, (0, 0), 7), np.uint8)))


def test_advice_for_glare(reader: Reader) -> None:
    image = table(ground(1000, 420), three(260))
    x, y = three(260)["totem"].mean(axis=0).astype(int).tolist()
    cv2.circle(image, (x, y), 45, (255, 255, 255), -1)
    assert codes(reader.read(image)) == ["glare"]


def test_advice_for_cards_of_another_deck(reader: Reader) -> None:
    image = ground(700, 420)
    for k in range(2):
        paint(image, strange(k), quad_at(170 + 300 * k, 210, 270, 3 * k))
    reading = reader.read(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8))
    assert codes(reading) == ["unknown-cards"]
    assert [s.face for s in reading.sightings] == [None, None]


def test_advice_for_small_cards(reader: Reader) -> None:
    assert "small" in codes(reader.read(table(ground(500, 200), three(75))))
