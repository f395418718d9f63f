"""The outline network: its weights give what the trainer gave, and it sees cards, not tables."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.vision.apart import card_outlines
from companion.vision.geometry import Quad, as_floats, as_image, iou
from companion.vision.outline_net.network import HIGH, WEIGHTS, WIDE, example, outline_net
from companion.vision.outline_net.seen import NOTHING, Seen, seen_in
from companion.vision.reduce import WORK, reduced
from tests.bench.sight.conditions import photo_of
from tests.bench.sight.decks import SECOND
from tests.vision.scene import ASPECT, NAMES, ground, quad_at, table

STORED = Path(__file__).parent / "outline_outputs.npz"
"""Every twelfth cell of what torch computed for the picture that arithmetic draws."""


def test_outputs_are_those_of_the_trainer() -> None:
    with np.load(STORED) as stored:
        outputs = outline_net().outputs(example())[:, ::12, ::12]
        assert outputs.shape == stored["classes"].shape
        assert np.abs(outputs - stored["classes"]).max() < 1e-4


def test_the_weights_are_small() -> None:
    assert WEIGHTS.stat().st_size < 2_500_000


@pytest.mark.parametrize(("wide", "high"), [(1200, 900), (900, 1200), (1200, 640), (800, 800)])
def test_cards_are_seen_whichever_way_the_photo_is_held(wide: int, high: int) -> None:
    quads = [quad_at(0.3 * wide, 0.5 * high, 240, 4), quad_at(0.7 * wide, 0.48 * high, 240, -7)]
    whole = seen_in(table(ground(wide, high), dict(zip(NAMES, quads, strict=False)))).whole
    assert len(whole) == len(quads)
    for quad in quads:
        assert max(iou(quad, other) for other in whole) > 0.85


def test_cards_that_touch_are_told_apart() -> None:
    quads = [quad_at(220 + 190.5 * i, 450, 190 * ASPECT) for i in range(5)]
    image = table(ground(1200, 900), dict(zip(NAMES, quads, strict=False)))
    whole = seen_in(image).whole
    found = sum(any(iou(quad, other) > 0.8 for other in whole) for quad in quads)
    assert found >= 4


def test_what_the_masks_miss_is_outlined_with_the_network() -> None:
    """Seven cards side by side: what stands out is the row, not the cards."""
    photo = photo_of("touching", SECOND, 0, "fresh")
    work, scale = reduced(photo.image, WORK)
    places = [as_floats(np.array(card.corners) * scale) for card in photo.cards]

    def found(quads: Sequence[Quad]) -> int:
        return sum(any(iou(place, quad) > 0.85 for quad in quads) for place in places)

    assert found(card_outlines(work)) < len(places) - 1
    assert found(card_outlines(work, seen_in(work))) == len(places)


@pytest.mark.parametrize("shade", [0, 40, 128, 210, 255])
def test_a_bare_table_has_no_cards(shade: int) -> None:
    seen = seen_in(np.full((900, 1200, 3), shade, np.uint8))
    assert seen.contours == ()


def test_a_network_that_sees_nothing_says_nothing() -> None:
    assert NOTHING.heard(quad_at(300, 200, 100), 12.5) == 12.5


@settings(max_examples=25, deadline=None)
@given(st.floats(150, 490), st.floats(150, 330), st.floats(60, 180), st.floats(0, 90))
def test_an_outline_counts_where_cards_are_seen(
    x: float, y: float, tall: float, degrees: float
) -> None:
    quad = quad_at(x, y, tall, degrees)
    inside = np.zeros((HIGH, WIDE), np.uint8)
    cv2.fillConvexPoly(inside, quad.round().astype(np.int32), (255,))
    seen = Seen(inside, (quad.round().astype(np.int32).reshape(-1, 1, 2),), ())
    elsewhere = as_floats(quad + np.array([2 * WIDE, 0]))
    assert seen.share(quad) > 0.85
    assert 0 < seen.heard(quad, 9.0) < 9.0
    assert seen.share(elsewhere) == 0.0
    assert seen.heard(elsewhere, 9.0) == 0.0
    assert Seen(inside, seen.contours, (quad,)).heard(quad, 9.0) > 9.0


@pytest.mark.parametrize("shape", [(1, 1), (2, 900), (900, 3), (31, 33), (1, 5000)])
def test_odd_pictures_are_no_error(shape: tuple[int, int]) -> None:
    seen = seen_in(as_image(np.full((*shape, 3), 90)))
    assert seen.inside.shape == shape
