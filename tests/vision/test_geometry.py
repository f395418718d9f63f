"""Quadrilaterals: order, area, overlap, and the flat picture of what lies in one."""

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision import geometry as g
from companion.vision.geometry import Pyramid, Quad
from tests.vision.scene import ASPECT, off_by, quad_at

PLACE = st.floats(-50, 250)
SIZE = st.floats(20, 200)


@st.composite
def quads(draw: st.DrawFn) -> Quad:
    """A card somewhere, turned, as a camera may see it."""
    quad = quad_at(draw(PLACE), draw(PLACE), draw(SIZE), draw(st.floats(-180, 180)))
    wide = float(g.sides(quad)[0])
    moves = [[draw(st.floats(-0.15, 0.15)) * wide for _ in "xy"] for _ in range(4)]
    return quad + np.array(moves, np.float32)


def rectangle(left: float, top: float, right: float, bottom: float) -> Quad:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


SQUARE = rectangle(0, 0, 10, 10)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 0, 3, 1), (3, 2, 1, 0), (1, 3, 0, 2)])
def test_clockwise_whatever_the_order(order: tuple[int, ...]) -> None:
    quad = g.clockwise(rectangle(2, 3, 8, 9)[list(order)])
    ax, ay = (quad[1] - quad[0]).tolist()
    bx, by = (quad[2] - quad[1]).tolist()
    assert ax * by - ay * bx == pytest.approx(36)  # to the right as seen, y downwards
    assert sorted(map(tuple, quad.tolist())) == [(2, 3), (2, 9), (8, 3), (8, 9)]


def test_sides_area_and_aspect() -> None:
    quad = rectangle(0, 0, 30, 40)
    assert g.sides(quad).tolist() == [30, 40, 30, 40]
    assert g.area(quad) == 1200
    assert g.area(quad[::-1]) == 1200
    assert g.aspect(quad) == pytest.approx(4 / 3)
    assert g.aspect(quad_at(50, 60, 88, 33)) == pytest.approx(ASPECT, rel=1e-5)
    kite = np.array([[0, -10], [4, 0], [0, 20], [-4, 0]], np.float32)
    assert g.area(kite) == 8 * 30 / 2


def test_convex() -> None:
    assert g.is_convex(SQUARE)
    assert g.is_convex(SQUARE[::-1])
    assert not g.is_convex(np.array([[0, 0], [10, 0], [2, 2], [0, 10]], np.float32))
    assert not g.is_convex(SQUARE[[0, 2, 1, 3]])
    assert not g.is_convex(np.array([[0, 0], [5, 0.1], [10, 0], [5, 10]], np.float32))


def test_portrait_and_upright() -> None:
    lying = rectangle(0, 0, 40, 30)
    assert g.sides(g.portrait(lying))[0] == 30
    standing = rectangle(0, 0, 30, 40)
    assert np.array_equal(g.portrait(standing), standing)
    on_its_head = g.turned(standing, 2)
    assert on_its_head[0].tolist() == [30, 40]
    assert np.array_equal(g.upright(on_its_head), standing)
    assert np.array_equal(g.upright(standing), standing)


def test_turned_names_the_next_corner_first() -> None:
    assert g.turned(SQUARE, 1)[0].tolist() == [10, 0]
    assert np.array_equal(g.turned(g.turned(SQUARE, 3), 1), SQUARE)


def test_intersection_of_known_figures() -> None:
    assert g.intersection(SQUARE, rectangle(6, 7, 20, 20)) == pytest.approx(4 * 3)
    assert g.intersection(SQUARE, rectangle(2, 3, 4, 6)) == pytest.approx(2 * 3)
    assert g.intersection(SQUARE, rectangle(10.5, 0, 20, 10)) == 0
    assert g.intersection(SQUARE, rectangle(0, 20, 10, 30)) == 0
    centre = SQUARE.mean(axis=0)
    turn = np.array([[1, 1], [-1, 1]]) / 2**0.5
    diamond = ((SQUARE - centre) @ turn + centre).astype(np.float32)
    assert g.intersection(SQUARE, diamond) == pytest.approx(100 * 2 * (2**0.5 - 1), rel=1e-5)
    # boxes meet, quads do not
    assert g.intersection(quad_at(0, 0, 100, 45), quad_at(80, 80, 100, 45)) == 0


def test_iou_and_share_of_the_smaller() -> None:
    other = rectangle(5, 0, 15, 10)
    assert g.iou(SQUARE, other) == pytest.approx(50 / 150)
    assert g.over_smaller(SQUARE, rectangle(5, 0, 9, 10)) == pytest.approx(1)
    assert g.over_smaller(SQUARE, rectangle(8, 0, 12, 10)) == pytest.approx(0.5)


def test_two_outlines_of_one_card_that_share_an_edge() -> None:
    """OpenCV's intersectConvexConvex finds nothing common to these two."""
    one = [
        [81.00001, 1191.751],
        [284.76517, 1185.3815],
        [289.70853, 1519.3195],
        [80.99999, 1522.9701],
    ]
    two = [
        [81.00001, 1191.4053],
        [285.0276, 1185.2136],
        [289.77826, 1519.3632],
        [80.99999, 1523.521],
    ]
    assert g.iou(np.array(one, np.float32), np.array(two, np.float32)) > 0.95


@settings(deadline=None)
@given(quads(), quads(), st.integers(0, 3), st.booleans())
def test_overlap_of_any_two(one: Quad, other: Quad, start: int, backwards: bool) -> None:
    common = g.intersection(one, other)
    smaller = min(g.area(one), g.area(other))
    close = 1e-3 * smaller + 0.05
    assert 0 <= common <= smaller + close
    assert g.intersection(other, one) == pytest.approx(common, abs=close)
    again = np.roll(other, start, axis=0)[:: -1 if backwards else 1]
    assert g.intersection(one, again) == pytest.approx(common, abs=close)
    assert 0 <= g.iou(one, other) <= 1 + 1e-3


@settings(deadline=None)
@given(quads(), st.floats(-30, 30), st.floats(-30, 30))
def test_overlap_with_itself_and_moved(quad: Quad, across: float, down: float) -> None:
    assert g.intersection(quad, quad) == pytest.approx(g.area(quad), rel=1e-3)
    other = quad_at(100, 100, 90, 20)
    move = np.array([across, down], np.float32)
    together = g.intersection(quad + move, other + move)
    assert together == pytest.approx(g.intersection(quad, other), abs=0.5)


@settings(deadline=None)
@given(quads(), quads())
def test_overlap_as_it_is_painted(one: Quad, other: Quad) -> None:
    """Pixels that lie in both, counted at four times the size."""
    size, scale = 2400, 4
    masks = []
    for quad in (one, other):
        mask = np.zeros((size, size), np.uint8)
        cv2.fillConvexPoly(mask, np.round((quad + 200) * scale).astype(np.int32), (1,))
        masks.append(mask)
    painted = cv2.countNonZero(masks[0] & masks[1]) / scale**2
    around = float(g.sides(one).sum() + g.sides(other).sum())
    assert g.intersection(one, other) == pytest.approx(painted, abs=0.3 * around + 1)


@settings(deadline=None)
@given(quads(), quads())
def test_a_homography_there_and_back(one: Quad, other: Quad) -> None:
    there, back = g.homography(one, other), g.homography(other, one)
    assert off_by(g.mapped(one, there), other) < 0.05
    middle = one.mean(axis=0, keepdims=True)
    assert np.abs(g.mapped(g.mapped(middle, there), back) - middle).max() < 0.1


# The flat picture


def checker(wide: int, tall: int, square: int) -> g.Image:
    y, x = np.mgrid[:tall, :wide] // square
    tone = np.where((x + y) % 2, 220, 40).astype(np.uint8)
    return np.repeat(tone[..., None], 3, axis=2)


def test_rectify_undoes_perspective() -> None:
    flat = checker(160, 220, 20)
    quad = np.array([[90, 60], [330, 95], [300, 420], [60, 350]], np.float32)
    matrix = g.homography(g.corners_of(160, 220), quad)
    seen = cv2.warpPerspective(flat, matrix, (420, 480), flags=cv2.INTER_LINEAR)
    again = Pyramid(g.as_image(seen)).rectify(quad, 160, 220)
    y, x = np.mgrid[:220, :160]
    inner = (np.abs(x % 20 - 9.5) < 7) & (np.abs(y % 20 - 9.5) < 7)  # away from edges
    assert np.abs(again.astype(int) - flat)[inner].max() <= 8


def test_rectify_at_another_start_turns_the_picture() -> None:
    flat = checker(80, 120, 40)
    flat[:40, :40] = (0, 0, 255)
    upside_down = Pyramid(flat).rectify(g.turned(g.corners_of(80, 120), 2), 80, 120)
    assert upside_down[100, 60].tolist() == [0, 0, 255]


def test_rectify_does_not_alias() -> None:
    """Stripes finer than a pixel of the flat picture become grey."""
    stripes = np.zeros((800, 640, 3), np.uint8)
    stripes[:, ::2] = 255
    small = Pyramid(stripes).rectify(g.corners_of(640, 800), 80, 100)
    assert abs(float(small.mean()) - 127.5) < 3
    assert float(small[3:-3, 3:-3].std()) < 3


def test_levels_are_halves_and_made_once() -> None:
    pyramid = Pyramid(checker(160, 80, 8))
    assert pyramid.level(2).shape == (20, 40, 3)
    assert pyramid.level(2) is pyramid.level(2)
    assert pyramid.level(2)[0, 0, 0] == 40  # squares of 8 are still squares of 2
    assert pyramid.level(2)[0, 2, 0] == 220
