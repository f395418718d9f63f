"""The pictures and the indices of an enrolled deck as two witnesses."""

import numpy as np
import pytest

from companion.vision.geometry import Quad, as_floats
from companion.vision.index_reader.agreement import Verdict
from companion.vision.index_reader.both import together
from companion.vision.index_reader.card import Card, View
from companion.vision.judge import as_region
from companion.vision.sighting import Candidate, Placed, Reading, Sighting

QUAD: Quad = as_floats(np.array([[100, 100], [160, 100], [160, 185], [100, 185]]))
AWAY: Quad = as_floats(QUAD + np.float32(200))


def picture(face: str, share: float, sure: bool, quad: Quad = QUAD) -> Sighting:
    doubts = () if sure else ("does not look much like any card of the deck",)
    candidates = (Candidate(face, share),) if face else ()
    return Sighting(as_region(quad), candidates, sure, doubts=doubts)


def index(face: str, share: float, sure: bool, quad: Quad = QUAD) -> Card:
    return Card(quad, Verdict((Candidate(face, share),), () if sure else ("dim",)))


def joined(sightings: list[Sighting], cards: list[Card]) -> list[Sighting]:
    row = tuple(Placed(i + 1, sighting) for i, sighting in enumerate(sightings))
    return list(together(Reading((row,) if row else ()), View(tuple(cards), ())).sightings)


@pytest.mark.parametrize(("a", "b"), [(True, True), (True, False), (False, True), (False, False)])
def test_agreement_is_sure(a: bool, b: bool) -> None:
    (seen,) = joined([picture("KH", 0.7, a)], [index("KH", 0.6, b)])
    assert (seen.face, seen.sure, seen.doubts) == ("KH", True, ())
    assert seen.candidates[0].confidence > 0.7


def test_disagreement_asks_and_tells_both() -> None:
    (seen,) = joined([picture("KD", 0.95, True)], [index("KH", 0.97, True)])
    assert not seen.sure
    assert [c.face for c in seen.candidates] == ["KH", "KD"]
    assert seen.doubts == ("its index says KH, its picture KD",)


@pytest.mark.parametrize("sure", [True, False])
def test_an_index_that_can_hardly_be_read_leaves_it_to_the_picture(sure: bool) -> None:
    (seen,) = joined([picture("KD", 0.8, sure)], [index("KH", 0.3, False)])
    assert (seen.face, seen.sure) == ("KD", sure)


def test_what_only_one_has_seen_stays_as_it_is() -> None:
    seen = joined([picture("KD", 0.95, True)], [index("2C", 0.97, True, AWAY)])
    assert [(s.face, s.sure) for s in seen] == [("KD", True), ("2C", True)]


def test_a_nameless_card_takes_the_name_of_its_index() -> None:
    (seen,) = joined([picture("", 0, False)], [index("2C", 0.97, True)])
    assert (seen.face, seen.sure) == ("2C", True)
