"""Equal cards on one plane, fitted to witnesses of whom some err."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.geometry import Quad, as_floats, mapped
from companion.vision.plane import Witness, levelled

WIDE, TALL = 100.0, 150.0


def seen(places: Sequence[tuple[float, float, float]], tilt: float) -> list[Quad]:
    """Cards at (x, y, degrees) on a table, through a tilted camera."""
    camera = np.array([[1, 0.05, 40], [0, 1 - tilt / 2, 30], [0, tilt / 2000, 1]])
    found = []
    for x, y, degrees in places:
        turn = np.radians(degrees)
        around = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        corner = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2 * (WIDE, TALL)
        found.append(mapped(as_floats(corner @ around + (x, y)), camera))
    return found


def off(one: Quad, other: Quad) -> float:
    return float(np.abs(one - other).max()) / WIDE


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Quad], int]:
    rows, columns = draw(st.integers(2, 3)), draw(st.integers(2, 4))
    turn = st.floats(-6, 6)
    places = [
        (100 + 140 * c, 120 + 190 * r, draw(turn)) for r in range(rows) for c in range(columns)
    ]
    quads = seen(places, draw(st.floats(0, 0.4)))
    return quads, draw(st.integers(0, len(quads) - 1))


@settings(deadline=None, max_examples=25)
@given(tables(), st.integers(0, 2**31))
def test_what_is_told_rightly_stays(table: tuple[list[Quad], int], seed: int) -> None:
    """A few pixels of error in each corner grow smaller, not larger."""
    quads, _ = table
    noise = np.random.default_rng(seed).normal(0, 1.0, (len(quads), 4, 2))
    told = [as_floats(quad + n) for quad, n in zip(quads, noise, strict=True)]
    fit = levelled([Witness(i, quad) for i, quad in enumerate(told)])
    before = np.mean([off(a, b) for a, b in zip(told, quads, strict=True)])
    after = np.mean([off(a, b) for a, b in zip(fit.quads, quads, strict=True)])
    assert after < max(before, 0.02)


@settings(deadline=None, max_examples=25)
@given(tables())
def test_a_card_is_put_right_by_the_others(table: tuple[list[Quad], int]) -> None:
    """A corner of one card is told 25 % off; the other cards say how large it is."""
    quads, wrong = table
    told = [quad.copy() for quad in quads]
    told[wrong][1] += (0.25 * WIDE, 0)
    fit = levelled([Witness(i, quad) for i, quad in enumerate(told)])
    assert off(fit.quads[wrong], quads[wrong]) < 0.05
    others = [i for i in range(len(quads)) if i != wrong]
    assert max(off(fit.quads[i], quads[i]) for i in others) < 0.03


def test_witnesses_who_agree_outweigh_one_who_does_not() -> None:
    quads = seen([(100 + 140 * c, 120 + 190 * r, c - r) for r in (0, 1) for c in (0, 1, 2)], 0.3)
    wrong = as_floats(quads[4] + (0.3 * WIDE, 0.1 * WIDE))
    told = [Witness(i, quad, 0.5) for i, quad in enumerate(quads)]
    fit = levelled([*told, Witness(4, quads[4], 0.4), Witness(4, wrong, 0.6)])
    assert off(fit.quads[4], quads[4]) < 0.01
    assert fit.backing[4] == pytest.approx(0.9, abs=0.05)
    assert all(backing == pytest.approx(0.5, abs=0.05) for backing in fit.backing[:4])


def test_fewer_than_three_cards_keep_the_witness_whom_most_agree_with() -> None:
    one, other = seen([(100, 120, 0), (250, 120, 0)], 0.2)
    told = [Witness(0, one, 0.2), Witness(0, other, 0.7), Witness(0, one + np.float32(0.1), 0.6)]
    fit = levelled([*told, Witness(1, other, 0.1)])
    assert off(fit.quads[0], one) < 0.01
    assert np.array_equal(fit.quads[1], other)
