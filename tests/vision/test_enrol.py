"""Reference pictures cut out of named photos, and the gates that doubt bad ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.vision import contours, enrol
from companion.vision.contours import Shapes
from companion.vision.enrol import HEIGHT, Crop, NotCut, cards_in, cut, tightened
from companion.vision.gates import checked, sharpness, usable
from companion.vision.geometry import Image, Pyramid, Quad, corners_of, iou
from tests.vision.scene import (
    ASPECT,
    FELT,
    cut_out,
    flat,
    ground,
    off_by,
    paint,
    plain,
    quad_at,
    table,
)

SHEET = (("eagle", "furs", "wigwam", "totem"), ("bear-a", "bear-b", "soldier", "bow"))


def places(rows: Sequence[Sequence[str]] = SHEET, tall: float = 250) -> dict[str, Quad]:
    """Rows of cards, each a little askew."""
    return {
        name: quad_at(160 + 240 * c, 170 + 310 * r, tall, 3 * ((r + 2 * c) % 3 - 1))
        for r, row in enumerate(rows)
        for c, name in enumerate(row)
    }


@pytest.fixture(scope="module")
def sheet() -> Image:
    return table(ground(1060, 660), places())


def likeness(crop: Crop, name: str) -> float:
    size = (180, 256)
    one, other = (
        cv2.resize(i, size, interpolation=cv2.INTER_AREA).astype(float)
        for i in (crop.image, flat(name))
    )
    return float(np.corrcoef(one.ravel(), other.ravel())[0, 1])


def test_a_sheet_in_reading_order(sheet: Image) -> None:
    named = [name for row in SHEET for name in row]
    crops = cut(sheet, named, "rows", "sheet.jpg")
    assert [crop.face for crop in crops] == named
    for crop in crops:
        assert off_by(crop.quad, places()[crop.face]) < 3
        assert likeness(crop, crop.face) > 0.95
        assert crop.image.shape[0] == HEIGHT
        assert crop.image.shape[0] / crop.image.shape[1] == pytest.approx(ASPECT, rel=0.03)
        assert (crop.source, crop.whole, crop.guessed) == ("sheet.jpg", False, False)
        assert crop.tall == pytest.approx(250, abs=5)
        assert crop.band < 0.1


def test_a_sheet_by_x() -> None:
    """Cards at all heights, named by how far to the right they lie."""
    cards = {
        "furs": quad_at(140, 500, 250, 5),
        "eagle": quad_at(380, 180, 250),
        "totem": quad_at(640, 420, 250, -6),
        "bow": quad_at(900, 200, 250, 2),
    }
    crops = cut(table(ground(1060, 660), cards), list(cards), "x")
    assert all(likeness(crop, crop.face) > 0.95 for crop in crops)


def test_wrong_names_are_taken_as_told(sheet: Image) -> None:
    """Cutting does not look at pictures: the gates do."""
    crops = cut(sheet, ["furs", "eagle", *[name for row in SHEET for name in row][2:]])
    assert likeness(crops[0], "eagle") > 0.95


def test_a_single_card_lying_askew() -> None:
    quad = quad_at(300, 300, 380, 14)
    (crop,) = cut(table(ground(600, 600), {"wigwam": quad}), ["wigwam"])
    assert off_by(crop.quad, quad) < 3
    assert likeness(crop, "wigwam") > 0.95


def test_a_picture_that_is_the_card_itself() -> None:
    """A scan cut at the card's edge: rings on white, no frame."""
    scan = np.full((700, 500, 3), 245, np.uint8)
    for radius, colour in ((200, (160, 40, 40)), (130, (245, 245, 245)), (60, (40, 160, 220))):
        cv2.circle(scan, (250, 350), radius, colour, -1)
    (crop,) = cut(scan, ["rings"], source="scan.png")
    assert crop.whole
    assert crop.quad.tolist() == [[0, 0], [500, 0], [500, 700], [0, 700]]
    assert crop.image.shape[:2] == (HEIGHT, round(HEIGHT / 1.4))
    assert checked([crop])[0].doubts == ()


def test_a_picture_that_is_a_framed_card_itself() -> None:
    (crop,) = cut(flat("eagle"), ["eagle"], source="scan.png")
    assert iou(crop.quad, corners_of(258, 360)) > 0.97


@pytest.mark.parametrize(("count", "found"), [(6, 6), (0, 0)])
def test_not_cut_says_how_many(count: int, found: int) -> None:
    """More names than cards."""
    cards = dict(list(places().items())[:count])
    with pytest.raises(NotCut) as raised:
        cut(table(ground(1060, 660, noise=1), cards), [f"card-{k}" for k in range(11)])
    assert (raised.value.found, raised.value.wanted) == (found, 11)
    assert str(raised.value) == f"{found} of 11 cards found"


def test_no_more_than_wanted(sheet: Image) -> None:
    """The drawings hold frames and rectangles: of nine outlines eight are cards."""
    quads, guessed = cards_in(sheet, 8)
    assert (len(quads), guessed) == (8, 0)
    assert all(max(iou(q, place) for q in quads) > 0.95 for place in places().values())


def test_an_outline_that_is_missing_is_filled_in(
    monkeypatch: pytest.MonkeyPatch, sheet: Image
) -> None:
    """Whatever lies near the wigwam's place is kept from the finder."""
    hidden = places()["wigwam"]

    def blind(shapes: Shapes, *more: Any, **words: Any) -> list[Quad]:
        return [quad for quad in found(shapes, *more, **words) if iou(quad, hidden) < 0.2]

    found = contours.outlines
    monkeypatch.setattr(enrol, "outlines", blind)
    named = [name for row in SHEET for name in row]
    crops = cut(sheet, named)
    assert [crop.face for crop in crops if crop.guessed] == ["wigwam"]
    assert iou(crops[2].quad, hidden) > 0.9
    assert likeness(crops[2], "wigwam") > 0.9
    doubted = [crop for crop in checked(crops) if crop.doubts]
    assert [crop.face for crop in doubted] == ["wigwam"]
    assert "its edge could not be seen: its outline is a guess" in doubted[0].doubts


def test_tightened_takes_a_band_of_table_away() -> None:
    quad = quad_at(300, 280, 400, 6)
    image = table(ground(600, 560), {"eagle": quad})
    loose = quad.copy()
    loose[[1, 2]] += 0.05 * (quad[1] - quad[0])  # the right side 5 % out
    tight = tightened(Pyramid(image), loose)
    assert off_by(loose, quad) > 12
    assert off_by(tight, quad) < 5
    assert off_by(tightened(Pyramid(image), quad), quad) < 0.01


def test_a_crop_with_the_table_along_it_is_doubted() -> None:
    crop = replace(good("eagle"), band=0.3)
    (doubted,) = checked([crop])
    assert doubted.doubts == ("the table shows along 30 % of its edge",)


# Gates


def good(face: str, picture: str = "", tall: float = 300.0, source: str = "") -> Crop:
    image = cv2.resize(flat(picture or face), (round(HEIGHT / ASPECT), HEIGHT))
    return Crop(face, np.asarray(image, np.uint8), quad_at(300, 300, tall), source)


def blurred(crop: Crop, sigma: float) -> Crop:
    return replace(crop, image=np.asarray(cv2.GaussianBlur(crop.image, (0, 0), sigma), np.uint8))


FACES = ("eagle", "furs", "wigwam", "totem", "soldier", "bow")


def doubts(crops: Sequence[Crop]) -> dict[int, tuple[str, ...]]:
    return {k: crop.doubts for k, crop in enumerate(checked(crops)) if crop.doubts}


def test_good_crops_have_no_doubts() -> None:
    assert doubts([good(face) for face in FACES]) == {}
    assert checked([]) == []


def test_blur() -> None:
    crops = [good(face) for face in FACES]
    crops[3] = blurred(crops[3], 9)
    assert doubts(crops) == {3: ("is blurred",)}
    assert sharpness(crops[3].image) < 0.5 * sharpness(good("totem").image)


def test_sharpness_does_not_depend_on_contrast() -> None:
    pale = np.asarray(good("eagle").image * 0.4 + 120, np.uint8)
    assert sharpness(pale) == pytest.approx(sharpness(good("eagle").image), rel=0.15)


def test_small() -> None:
    crops = [good(face, tall=150 if face == "bow" else 260) for face in FACES]
    assert doubts(crops) == {5: ("is 150 pixels high in the photo; 200 or more are good",)}
    whole = [replace(crops[5], whole=True)]
    assert doubts(whole) == {}


def test_glare() -> None:
    crops = [good(face) for face in FACES]
    shining = crops[2].image.copy()
    cv2.circle(shining, (180, 250), 110, (255, 255, 255), -1)
    crops[2] = replace(crops[2], image=shining)
    assert doubts(crops) == {2: ("is glaring",)}
    white = np.full_like(shining, 255)
    white[100:400, 150:200] = 30  # a pale card, brightly lit
    assert doubts([replace(crops[2], image=white)]) == {}


def test_a_skewed_cut() -> None:
    crops = [good(face, source="a.jpg") for face in FACES]
    tall = quad_at(300, 300, 300)
    tall[2:] += (tall[3] - tall[0]) * 0.15
    crops[1] = replace(crops[1], quad=tall)
    ((which, (doubt,)),) = doubts(crops).items()
    assert which == 1
    assert doubt == f"its shape is {1.15 * ASPECT:.2f}, that of others {ASPECT:.2f}: cut askew?"


def test_a_tilted_photo_shortens_all_its_cards_alike() -> None:
    """Measured against those of its own photo, none is odd."""
    flat_ones = [good(face, source="a.jpg") for face in FACES]
    low = quad_at(300, 300, 300)
    low[2:] -= (low[3] - low[0]) * 0.15
    tilted = [replace(good(face, source="b.jpg"), quad=low) for face in FACES[:3]]
    assert doubts([*flat_ones, *tilted]) == {}


def test_mixed_up_names() -> None:
    """Two sheets; on the second the names of eagle and furs are exchanged."""
    first = [good(face) for face in FACES]
    second = [blurred(good(face), 0.8) for face in FACES]
    second[0] = blurred(good("eagle", "furs"), 0.8)
    second[1] = blurred(good("furs", "eagle"), 0.8)
    found = doubts([*first, *second])
    assert set(found) == {0, 1, 6, 7}
    assert found[6] == ("looks more like furs: are the names mixed up?",)
    assert found[7] == ("looks more like eagle: are the names mixed up?",)


def test_usable_keeps_the_better() -> None:
    clean, poor = good("eagle"), replace(good("eagle"), doubts=("is blurred",))
    worse = replace(good("furs"), doubts=("is blurred", "is glaring"))
    less = replace(good("furs"), doubts=("is glaring",))
    kept = usable([poor, clean, worse, less])
    assert [(crop.face, crop.doubts) for crop in kept] == [("eagle", ()), ("furs", ("is glaring",))]
    assert usable([]) == []
    assert len(usable([clean, clean])) == 2


def test_a_card_on_its_head_is_not_called_mixed_up() -> None:
    """The same face on two sheets, once on its head: cards are read both ways up."""
    first = [good(face) for face in FACES]
    second = [blurred(good(face), 0.8) for face in FACES]
    second[3] = replace(second[3], image=np.ascontiguousarray(second[3].image[::-1, ::-1]))
    assert doubts([*first, *second]) == {}


def test_cards_on_their_head_are_cut_as_they_lie() -> None:
    quad = quad_at(300, 300, 380, 180)
    image = ground(600, 600)
    paint(image, cut_out("eagle"), quad)
    (crop,) = cut(image, ["eagle"])
    turned = replace(crop, image=np.ascontiguousarray(crop.image[::-1, ::-1]))
    assert likeness(turned, "eagle") > 0.9


def test_plain_white_cards_on_felt() -> None:
    """Nothing but outlines to go by."""
    image = ground(1060, 660, FELT)
    for quad in places().values():
        paint(image, plain((245, 245, 245)), quad)
    quads, _ = cards_in(np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8), 8)
    assert all(min(off_by(q, place) for q in quads) < 3 for place in places().values())
