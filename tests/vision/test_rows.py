"""Cards in rows and columns: any table, photographed from any side, is arranged as it was laid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.random import Generator

from companion.vision.geometry import Quad, as_floats, sides
from companion.vision.rows import arranged, in_rows, table_of
from companion.vision.sighting import Candidate, Sighting, Warn
from tests.bench.sight.camera import look_at, project
from tests.vision.scene import quad_at

WIDE, TALL = 63.0, 88.0
Laid = dict[tuple[int, int], Quad]
"""Outlines in pixels by row and column."""


def lay(
    places: list[tuple[int, int]],
    rng: Generator,
    pitch: float = 1.2,
    row_gap: float = 0.25,
    tilt: float = 0.0,
    jitter: float = 0.03,
    turn: float = 3.0,
    upside_down: bool = False,
    roll: float = 0.0,
) -> Laid:
    """Cards as hands lay them (lengths in card widths), seen by a camera that stands below the table."""
    millimetres = {}
    for row, column in places:
        dx, dy = rng.uniform(-jitter, jitter, 2) * WIDE
        x, y = column * pitch * WIDE + dx, row * (TALL + row_gap * WIDE) + dy
        angle = float(rng.uniform(-turn, turn)) + (180 * (rng.random() < 0.5) if upside_down else 0)
        millimetres[row, column] = quad_at(x, y, TALL, angle).astype(float)
    outline = np.concatenate(list(millimetres.values()))
    camera = look_at(outline, (4000, 3000), 0.9, (tilt, float(rng.uniform(-4, 4)), roll))
    return {at: project(camera.plane, quad).astype(np.float32) for at, quad in millimetres.items()}


def found(laid: Laid, shuffle: int = 0) -> dict[tuple[int, int], tuple[int, int]]:
    """For each place where it lies, the row and column it is put into."""
    places = list(laid)
    np.random.default_rng(shuffle).shuffle(places)
    grid = arranged([laid[place] for place in places])
    said = {
        places[card]: (number, column)
        for number, row in enumerate(grid.rows)
        for card, column in row
    }
    assert len(said) == len(laid)  # each card once
    return said


def assert_arranged(laid: Laid) -> None:
    """Rows and columns are the truth's up to where both begin."""
    said = found(laid)
    first_row, first_column = min(r for r, _ in laid), min(c for _, c in laid)
    rows = {r: i for i, r in enumerate(sorted({r for r, _ in laid}))}
    assert said == {(r, c): (rows[r], c - first_column + 1) for r, c in laid}, first_row


@st.composite
def tables(draw: st.DrawFn) -> list[tuple[int, int]]:
    """Rows of up to 14 cards with gaps; the rows lie under each other."""
    places = []
    for row in range(draw(st.integers(1, 3))):
        begin, count = draw(st.integers(0, 2)), draw(st.integers(3, 12))
        row_places = [begin + k for k in range(count)]
        gaps = draw(st.sets(st.integers(1, count - 2), max_size=count // 4))
        places += [(row, c) for k, c in enumerate(row_places) if k not in gaps]
    return places


@settings(deadline=None, max_examples=150)
@given(
    tables(),
    st.integers(0, 10_000),
    st.floats(1.03, 1.35),
    st.floats(0.1, 0.5),
    st.floats(0, 25),
    st.booleans(),
    st.floats(-8, 8),
)
def test_any_table_is_arranged_as_it_was_laid(
    places: list[tuple[int, int]],
    seed: int,
    pitch: float,
    row_gap: float,
    tilt: float,
    upside_down: bool,
    roll: float,
) -> None:
    rng = np.random.default_rng(seed)
    assert_arranged(
        lay(places, rng, pitch, row_gap, tilt, upside_down=upside_down, roll=roll, turn=2)
    )


@settings(deadline=None, max_examples=60)
@given(st.integers(4, 14), st.floats(0.45, 0.95), st.floats(0, 15), st.integers(0, 1000))
def test_a_row_of_overlapping_cards(count: int, pitch: float, tilt: float, seed: int) -> None:
    places = [(0, c) for c in range(count)]
    assert_arranged(lay(places, np.random.default_rng(seed), pitch, tilt=tilt, jitter=0.01, turn=1))


def test_fourteen_in_three_rows_at_25_degrees() -> None:
    places = [(r, c) for r in range(3) for c in range(14)]
    assert_arranged(lay(places, np.random.default_rng(2), 1.1, tilt=25))


def test_a_wide_gap_counts_its_empty_places() -> None:
    places = [(0, c) for c in (0, 1, 2, 8, 9)] + [(1, c) for c in (1, 2, 3)]
    assert_arranged(lay(places, np.random.default_rng(3), 1.15, tilt=10))


def test_rows_that_begin_at_different_columns() -> None:
    places = (
        [(0, c) for c in range(3, 9)] + [(1, c) for c in range(6)] + [(2, c) for c in range(5, 8)]
    )
    assert_arranged(lay(places, np.random.default_rng(4), 1.2, tilt=12))


def test_staggered_rows_keep_their_order_and_are_said_to_be_unclear() -> None:
    """The lower row lies half a pitch aside: its columns may be either."""
    laid = lay([(0, c) for c in range(5)] + [(1, c) for c in range(5)], np.random.default_rng(5))
    aside = as_floats(laid[1, 1] - laid[1, 0]) / np.float32(2)
    moved = {at: as_floats(quad + at[0] * aside) for at, quad in laid.items()}
    said = found(moved)
    assert [said[0, c] for c in range(5)] == [(0, c) for c in range(1, 6)]
    columns = [said[1, c][1] for c in range(5)]
    assert columns in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6])
    grid = arranged(list(moved.values()))
    assert [(w.code, w.row) for w in grid.unclear] == [("columns-unclear", 2)]


def test_a_gap_of_half_a_place_is_unclear() -> None:
    laid = lay([(0, c) for c in range(6)], np.random.default_rng(6), jitter=0, turn=0)
    step = laid[0, 1] - laid[0, 0]
    moved = [quad + (step * 0.5 if c > 2 else 0) for (_, c), quad in laid.items()]
    assert [(w.code, w.row) for w in arranged(moved).unclear] == [("gap-unclear", 1)]
    assert arranged(list(laid.values())).unclear == ()


@pytest.mark.parametrize("degrees", [0, 12, 180])
def test_a_single_card(degrees: float) -> None:
    grid = arranged([quad_at(500, 400, 300, degrees)])
    assert grid.rows == (((0, 1),),)
    assert grid.unclear == ()


def test_two_cards_beside_and_above_each_other() -> None:
    left, right = quad_at(300, 400, 300, 2), quad_at(560, 405, 300, -3)
    assert arranged([right, left]).rows == (((1, 1), (0, 2)),)
    below = quad_at(310, 760, 300)
    assert arranged([below, left]).rows == (((1, 1),), ((0, 1),))


def test_two_cards_far_apart_leave_places_between() -> None:
    wide = 300 * WIDE / TALL
    cards = [quad_at(300, 400, 300), quad_at(300 + 4 * 1.1 * wide, 400, 300)]
    assert arranged(cards).rows == (((0, 1), (1, 5)),)


def test_the_table_measures_in_cards() -> None:
    """Flat on the table each card is one wide and one high, near or far, however it is seen."""
    places = [(r, c) for r in range(3) for c in range(8)]
    laid = lay(places, np.random.default_rng(7), tilt=25, jitter=0, turn=0)
    table = table_of(list(laid.values()))
    lengths = {at: sides(table.flat(quad).astype(np.float32)) for at, quad in laid.items()}
    for row in range(3):
        assert np.mean([lengths[row, c] for c in range(8)]) == pytest.approx(1, abs=0.045)
    for column in range(8):
        assert np.mean([lengths[r, column] for r in range(3)]) == pytest.approx(1, abs=0.02)
    for quad in laid.values():
        assert np.abs(table.seen(table.flat(quad)) - quad).max() < 0.05


def test_empty_places_lie_where_cards_are_missing() -> None:
    whole = lay(
        [(r, c) for r in range(2) for c in range(6)],
        np.random.default_rng(8),
        tilt=15,
        jitter=0.005,
    )
    gone = {(0, 2), (1, 3), (1, 5)}
    grid = arranged([quad for at, quad in whole.items() if at not in gone])

    def near(places: list[Quad]) -> set[tuple[int, int]]:
        return {
            min(whole, key=lambda at: float(np.linalg.norm(whole[at] - place, axis=1).max()))
            for place in places
        }

    assert near(grid.places_to_fill()) == {(0, 2), (1, 3)}
    for place in grid.places_to_fill():
        wide = float(np.linalg.norm(place[1] - place[0]))
        assert (
            min(float(np.linalg.norm(whole[at] - place, axis=1).max()) for at in gone) < 0.12 * wide
        )


def test_places_to_fill_also_begin_and_end_a_full_block() -> None:
    """Above the last row every column is taken; the last row alone may end early."""
    whole = lay([(r, c) for r in range(3) for c in range(4)], np.random.default_rng(9))
    left = {at: quad for at, quad in whole.items() if at not in {(0, 0), (1, 3), (2, 2), (2, 3)}}
    places = arranged(list(left.values())).places_to_fill()
    assert len(places) == 2
    for at in ((0, 0), (1, 3)):
        wide = float(np.linalg.norm(whole[at][1] - whole[at][0]))
        away = [float(np.linalg.norm((whole[at] - place).mean(axis=0))) for place in places]
        assert min(away) < 0.1 * wide


def sighting(quad: Quad, name: str) -> Sighting:
    a, b, c, d = ((float(x), float(y)) for x, y in quad)
    return Sighting((a, b, c, d), (Candidate(name, 0.9),), True)


def test_a_reading_has_its_rows_and_warnings() -> None:
    laid = lay([(0, 0), (0, 1), (0, 3), (1, 1), (1, 2)], np.random.default_rng(10), jitter=0.01)
    seen = [sighting(quad, f"{r}-{c}") for (r, c), quad in laid.items()]
    reading = in_rows(seen[::-1], [Warn("x", "y")])
    assert [[(p.column, p.sighting.face) for p in row] for row in reading.rows] == [
        [(1, "0-0"), (2, "0-1"), (4, "0-3")],
        [(2, "1-1"), (3, "1-2")],
    ]
    assert reading.warnings == (Warn("x", "y"),)
    assert in_rows([], [Warn("x", "y")]).rows == ()


@pytest.mark.parametrize("roll", [90, 180, -90])
def test_a_photo_held_otherwise_is_read_as_the_cards_stand(roll: float) -> None:
    """The first corners are the cards' own; in a photo on its head they say where up is."""
    places = [(0, c) for c in (0, 1, 2, 4)] + [(1, c) for c in (1, 2, 3)]
    rng = np.random.default_rng(11)
    laid = lay(places, rng, tilt=0, roll=roll)
    grid = arranged(list(laid.values()), [True] * len(laid))
    said = {places[card]: (n, column) for n, row in enumerate(grid.rows) for card, column in row}
    assert said == {(r, c): (r, c + 1) for r, c in places}


def test_a_few_cards_on_their_head_do_not_turn_the_table() -> None:
    places = [(0, c) for c in range(5)] + [(1, c) for c in range(3)]
    laid = lay(places, np.random.default_rng(12), tilt=8)
    quads = [np.roll(q, 2, axis=0) if at == (0, 2) else q for at, q in laid.items()]
    grid = arranged(quads, [True] * len(quads))
    said = {places[card]: (n, column) for n, row in enumerate(grid.rows) for card, column in row}
    assert said == {(r, c): (r, c + 1) for r, c in places}
