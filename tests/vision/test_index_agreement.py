"""When corners make a card sure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.vision.geometry import Floats, as_floats
from companion.vision.index_reader.agreement import (
    ALONE,
    BOTH,
    CLEAR,
    HINT,
    RIVAL,
    of_corner,
    of_ends,
)
from companion.vision.index_reader.classes import FACES, LABELS, LETTERS, columns


def shares(**known: float) -> Floats:
    """What a corner may say: `K="KH" ` is written `KH=.9`."""
    found = np.zeros(len(FACES), np.float32)
    for face, share in known.items():
        found[FACES.index(face.lstrip("_"))] = share
    return as_floats(found)


@pytest.mark.parametrize(
    ("one", "other", "sure"),
    [
        (shares(KH=0.6), shares(KH=0.55), True),
        (shares(KH=0.6), shares(KH=0.3), False),
        (shares(AS=0.95), shares(), True),
        (shares(AS=0.7), shares(), False),
        (shares(AS=0.95), shares(JS=0.3), False),
        (shares(_9C=0.99), shares(_6C=0.99), False),
        (shares(_9D=0.94, QD=0.58), shares(_9D=0.77), False),
    ],
)
def test_two_ends(one: Floats, other: Floats, sure: bool) -> None:
    for pair in ((one, other), (other, one)):
        verdict = of_ends(*pair)
        assert verdict is not None
        assert verdict.sure is sure
        assert verdict.sure == (not verdict.doubts)


def test_both_names_are_told_where_ends_disagree() -> None:
    verdict = of_ends(shares(_9C=0.97), shares(_6C=0.6))
    assert verdict is not None
    assert [c.face for c in verdict.candidates] == ["9C", "6C"]
    assert "one corner says 9C, the other 6C" in verdict.doubts
    assert verdict.confidence <= 0.9


def test_a_corner_that_says_nothing_is_no_card() -> None:
    assert of_ends(shares(KH=0.2), shares(KH=0.1)) is None
    assert of_corner(shares(KH=0.2)) is None


def test_a_lone_corner_has_to_be_clear() -> None:
    clear, dim = of_corner(shares(KH=0.97)), of_corner(shares(KH=0.6, KD=0.3))
    assert clear is not None
    assert clear.sure
    assert dim is not None
    assert not dim.sure
    assert [c.face for c in dim.candidates] == ["KH", "KD"]


_SHARES = st.lists(st.floats(0, 1), min_size=2, max_size=2)


@given(_SHARES, _SHARES)
def test_sure_only_where_a_rule_says_so(one: list[float], other: list[float]) -> None:
    verdict = of_ends(shares(KH=one[0], KD=one[1]), shares(KH=other[0], KD=other[1]))
    best = max(*one, *other)
    if verdict is None:
        assert best < HINT
        return
    assert verdict.candidates
    if verdict.sure:
        clear = min(max(one), max(other)) >= CLEAR
        assert clear or min(max(one[0], other[0]), max(one[1], other[1])) < RIVAL
        assert verdict.confidence >= BOTH
        agree = np.argmax(one) == np.argmax(other) and min(max(one), max(other)) >= BOTH
        assert agree or best >= ALONE


@pytest.mark.parametrize("letters", LETTERS)
def test_letters_stand_for_jack_queen_and_king(letters: str) -> None:
    assert [LABELS[i] for i in columns(letters)][10:] == list(letters)
    assert len(set(columns(letters))) == 13
