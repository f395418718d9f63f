"""Cards of a photo that nobody has named: found, in reading order, with what they may be."""

import numpy as np
import pytest

from companion.vision import proposals as module
from companion.vision.apart import card_outlines
from companion.vision.geometry import Image, Quad, iou
from companion.vision.outline_net.seen import Seen
from companion.vision.proposals import Proposal, in_reading_order, proposals
from companion.vision.reader import Reader
from tests.vision.scene import flat, ground, off_by, quad_at, table

ROWS = (("eagle", "furs", "wigwam", "totem"), ("bear-a", "bear-b", "soldier", "bow"))


def places(rows: tuple[tuple[str, ...], ...] = ROWS) -> dict[str, Quad]:
    return {
        name: quad_at(160 + 240 * c, 170 + 310 * r, 250, 3 * ((r + 2 * c) % 3 - 1))
        for r, row in enumerate(rows)
        for c, name in enumerate(row)
    }


def test_all_are_found_in_reading_order() -> None:
    found = proposals(table(ground(1060, 660), places()))
    assert len(found) == 8
    for proposal, place in zip(found, places().values(), strict=True):
        assert off_by(proposal.quad, place) < 4
        assert not proposal.guessed
        assert proposal.candidates == ()


def test_names_are_suggested_by_a_deck_that_knows_them(reader: Reader) -> None:
    found = proposals(table(ground(1060, 660), places()), reader)
    assert [p.candidates[0].face for p in found] == [name for row in ROWS for name in row]


def test_a_card_upside_down_is_turned_by_a_deck_that_knows_it(reader: Reader) -> None:
    upside = places()
    upside["eagle"] = np.roll(upside["eagle"], 2, axis=0)
    found = proposals(table(ground(1060, 660), upside), reader)
    assert np.abs(found[0].quad - upside["eagle"]).max() < 6


def test_a_card_whose_edge_is_hidden_is_guessed_from_its_neighbours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As a brown card on a brown table: no outline is seen, but something is printed there."""
    unseen = places()["bear-b"]

    def all_but_one(work: Image, seen: Seen) -> list[Quad]:
        return [quad for quad in card_outlines(work, seen) if iou(quad, unseen) < 0.5]

    monkeypatch.setattr(module, "card_outlines", all_but_one)
    found = proposals(table(ground(1060, 660), places()))
    assert [proposal.guessed for proposal in found] == [name == "bear-b" for name in places()]
    assert off_by(found[5].quad, unseen) < 20
    gap = {name: quad for name, quad in places().items() if name != "bear-b"}
    assert len(proposals(table(ground(1060, 660), gap))) == 7


def test_a_gap_is_no_card() -> None:
    gap = {name: quad for name, quad in places().items() if name != "bear-b"}
    assert len(proposals(table(ground(1060, 660), gap))) == 7


def test_a_picture_that_is_a_card() -> None:
    image = flat("eagle")
    (whole,) = proposals(image)
    assert whole.whole
    assert np.array_equal(whole.quad[2], (image.shape[1], image.shape[0]))


def test_nothing_lies_there() -> None:
    assert proposals(ground(600, 400)) == []
    assert in_reading_order([]) == []
    one = Proposal(quad_at(100, 100, 90))
    assert in_reading_order([one]) == [one]
