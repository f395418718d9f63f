"""Outlines of cards, and the edges they are laid on."""

from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from companion.vision.contours import distinct, fitted, from_corners, outlines, shapes_of
from companion.vision.edges import contrast, snapped
from companion.vision.geometry import Image, Quad, iou, sides
from tests.vision.scene import FELT, clutter, ground, off_by, paint, plain, quad_at, table

WHITE, DARK, RED = (240, 240, 235), (30, 28, 26), (60, 60, 200)


def best(quads: Sequence[Quad], quad: Quad) -> float:
    return max((iou(found, quad) for found in quads), default=0.0)


def with_cards(image: Image, *cards: tuple[Sequence[int], Quad]) -> Image:
    for colour, quad in cards:
        paint(image, plain(colour), quad)
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.7), np.uint8)


@pytest.mark.parametrize(
    ("colour", "below"),
    [
        (WHITE, FELT),
        (DARK, (190, 195, 200)),
        (RED, (126, 100, 97)),  # as bright as the card: only its colour tells
        (WHITE, (205, 205, 200)),
    ],
    ids=["white", "dark", "coloured", "white on pale"],
)
@pytest.mark.parametrize("degrees", [0, 17, 45, 90])
def test_a_card_is_outlined(colour: Sequence[int], below: Sequence[int], degrees: float) -> None:
    quad = quad_at(300, 250, 260, degrees)
    found = outlines(shapes_of(with_cards(ground(600, 500, below), (colour, quad))))
    assert best(found, quad) > 0.95
    for other in found:
        assert sides(other)[[0, 2]].mean() <= sides(other)[[1, 3]].mean()  # portrait


def test_a_card_in_perspective() -> None:
    quad = np.array([[190, 90], [390, 105], [430, 430], [150, 410]], np.float32)
    found = outlines(shapes_of(with_cards(ground(600, 500), (WHITE, quad))))
    assert best(found, quad) > 0.93


@pytest.mark.parametrize("degrees", [0, 31])
def test_corners_are_where_the_sides_would_meet(degrees: float) -> None:
    """Not where they are rounded, which is 18 pixels away."""
    quad = quad_at(300, 250, 400, degrees)
    image = ground(600, 500, (0, 0, 0), 0)
    paint(image, plain((255, 255, 255), round_by=0.15), quad)
    mask = image[..., 0]
    whole = cv2.threshold(mask, 127, 255, cv2.THRESH_BINARY)[1]
    (found,), _ = cv2.findContours(whole, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    contour = np.asarray(found, np.int32)
    quads = [fitted(np.asarray(cv2.convexHull(contour), np.int32), contour)]
    assert quads[0] is not None
    assert off_by(quads[0], quad) < 1.2


def test_two_that_touch_are_parted() -> None:
    left = quad_at(230, 250, 252)
    right = left + np.array([sides(left)[0], 0], np.float32)
    image = ground(640, 500)
    whole = np.array([left[0], right[1], right[2], left[3]])
    cv2.fillConvexPoly(image, np.round(whole).astype(np.int32), WHITE)  # nothing shows between them
    found = outlines(shapes_of(image))
    assert best(found, left) > 0.93
    assert best(found, right) > 0.93


def test_a_bare_table_has_none() -> None:
    assert outlines(shapes_of(ground(600, 500, noise=0))) == []


def test_no_outline_of_other_shapes() -> None:
    image = ground(600, 500)
    cv2.circle(image, (150, 150), 90, WHITE, -1)
    cv2.rectangle(image, (280, 60), (590, 110), WHITE, -1)
    cv2.fillPoly(image, [np.array([[100, 480], [300, 480], [200, 300]])], DARK)
    assert outlines(shapes_of(image)) == []


@pytest.mark.parametrize("share", [0.35, 0.5, 0.65])
def test_a_card_half_under_another_by_its_corners(share: float) -> None:
    """No outline is its own; two of its corners show."""
    top = quad_at(240, 260, 252, 4)
    under = top + (top[1] - top[0]) * share
    image = with_cards(ground(640, 520), (RED, under), (WHITE, top))
    shapes = shapes_of(image)
    assert best(from_corners(shapes, [top]), under) > 0.93
    assert all(iou(quad, top) < 0.9 for quad in from_corners(shapes, [top]))


def test_distinct_keeps_the_first_of_each_group() -> None:
    one, far = quad_at(100, 100, 90), quad_at(300, 100, 90)
    quads = [one, one + 1, far, one + np.float32(12), far - 1]
    kept = distinct(quads, 0.9)
    assert [any(quad is k for k in kept) for quad in quads] == [True, False, True, True, False]
    assert len(distinct(quads, 0.9, 2)) == 2


# Edges


@pytest.mark.parametrize("degrees", [0, 12, -38])
@pytest.mark.parametrize("grow", [0.98, 1.02])
def test_snapped_finds_the_edge_again(degrees: float, grow: float) -> None:
    quad = quad_at(300, 250, 300, degrees)
    image = with_cards(ground(600, 500), (WHITE, quad))
    away = ((quad - quad.mean(axis=0)) * grow + quad.mean(axis=0) + 1.5).astype(np.float32)
    assert off_by(away, quad) > 2
    assert off_by(snapped(image, away), quad) < 1.2


def test_snapped_takes_the_outer_of_two_edges() -> None:
    """A white rim around a drawing: the drawing's frame is as strong and is not the card."""
    quad = quad_at(300, 250, 320)
    inner = ((quad - quad.mean(axis=0)) * 0.95 + quad.mean(axis=0)).astype(np.float32)
    image = with_cards(ground(600, 500, (45, 45, 45)), (WHITE, quad), (DARK, inner))
    between = ((quad + inner) / 2).astype(np.float32)
    assert off_by(snapped(image, between), quad) < 1.5


def test_snapped_stays_where_there_is_no_edge() -> None:
    quad = quad_at(300, 250, 300, 5)
    assert off_by(snapped(ground(600, 500, FELT, 1), quad), quad) < 0.01


def test_snapped_on_a_drawn_card() -> None:
    quad = quad_at(300, 250, 320, 8)
    image = table(ground(600, 500), {"eagle": quad})
    assert off_by(snapped(image, quad + np.float32(3)), quad) < 1.5


def grey(image: Image) -> Image:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def test_contrast_of_a_card_and_of_nothing() -> None:
    quad = quad_at(300, 250, 300, 9)
    image = with_cards(ground(600, 500, (60, 60, 60), 0), ((200, 200, 200), quad))
    assert contrast(grey(image), quad) == pytest.approx(140 * 1.3, rel=0.05)
    away = quad + np.float32(20)
    assert contrast(grey(image), away) < 0.3 * 140
    assert contrast(grey(ground(600, 500)), quad) < 8


def test_contrast_is_that_of_the_weakest_side() -> None:
    """Half of the table is as white as the card: one side does not show."""
    quad = quad_at(300, 250, 300)
    image = ground(600, 500, (60, 60, 60), 0)
    image[:, int(quad[1, 0]) :] = 200
    image = with_cards(image, ((200, 200, 200), quad))
    assert contrast(grey(image), quad) == pytest.approx(0.3 * 0.75 * 140, rel=0.1)


def test_a_card_in_clutter_is_among_the_outlines() -> None:
    quad = quad_at(400, 300, 300, 12)
    image = clutter(800, 600)
    image = with_cards(image, (WHITE, quad))
    assert best(outlines(shapes_of(image)), quad) > 0.93
