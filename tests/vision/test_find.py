"""Overlapping cards are peeled from the one on top; what is no card is left out."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest

from companion.vision.album import Album
from companion.vision.find import Found, cards_at, clash, visible_mask
from companion.vision.geometry import Pyramid, Quad, as_floats, corners_of
from tests.vision.scene import clutter, ground, off_by, quad_at, table

ROW = ("eagle", "furs", "wigwam", "totem", "bear-a", "soldier")


def names(found: Sequence[Found], album: Album) -> list[str]:
    return [album.faces[int(f.named.order[0])] for f in found]


def overlapped(share: float, tall: float = 260) -> dict[str, Quad]:
    """A row in which each card covers that share of the one on its left."""
    step = tall * 63 / 88 * (1 - share)
    return {card: quad_at(150 + k * step, 220, tall, 2 * (k % 2)) for k, card in enumerate(ROW)}


@pytest.mark.parametrize("share", [0.15, 0.35, 0.5])
def test_a_row_of_overlapping_cards(album: Album, share: float) -> None:
    """From roughly right outlines, among wrong ones."""
    cards = overlapped(share)
    image = table(ground(1200, 440), cards)
    rough = [quad + np.float32(2) for quad in cards.values()]
    between = [as_floats(a + b) / np.float32(2) for a, b in pairwise(rough)]
    first = cards_at(Pyramid(image), album, [*between, *rough])
    found = cards_at(Pyramid(image), album, [*between, *rough], first)
    by_name = dict(zip(names(found, album), found, strict=True))
    assert set(by_name) == set(ROW)
    assert len(found) == len(ROW)
    for card, one in by_name.items():
        assert off_by(one.named.quad, cards[card]) < 6
        shows = 1 if card == ROW[-1] else 1 - share
        assert one.visible == pytest.approx(shows, abs=0.06)


def test_a_card_across_a_corner_of_another(album: Album) -> None:
    cards = {"eagle": quad_at(300, 260, 300), "furs": quad_at(440, 380, 300, 30)}
    image = table(ground(800, 640), cards)
    found = cards_at(Pyramid(image), album, list(cards.values()))
    by_name = dict(zip(names(found, album), found, strict=True))
    assert set(by_name) == {"eagle", "furs"}
    assert by_name["furs"].visible == 1
    hidden = visible_mask(cards["eagle"], [cards["furs"]], *album.size, grow=0)
    assert by_name["eagle"].visible == pytest.approx(float(hidden.mean()), abs=0.05)


def test_one_card_of_many_outlines(album: Album) -> None:
    quad = quad_at(300, 260, 300, 5)
    rng = np.random.default_rng(1)
    quads = [quad + rng.normal(0, 3, (4, 2)).astype(np.float32) for _ in range(8)]
    found = cards_at(Pyramid(table(ground(600, 520), {"totem": quad})), album, quads)
    assert names(found, album) == ["totem"]
    assert off_by(found[0].named.quad, quad) < 3


def test_no_card_in_clutter(album: Album) -> None:
    rng = np.random.default_rng(4)
    x, y, turn = rng.uniform((150, 150, 0), (450, 450, 90), (30, 3)).T
    quads = [quad_at(x[k], y[k], 250, turn[k]) for k in range(30)]
    assert cards_at(Pyramid(clutter(600, 600)), album, quads) == []
    assert cards_at(Pyramid(clutter(600, 600)), album, []) == []


def test_hardly_visible_cards_are_not_named(album: Album) -> None:
    """Nine tenths of the eagle lie under the furs."""
    under = quad_at(300, 260, 300)
    top = under + (under[1] - under[0]) * 0.1
    image = table(ground(640, 520), {"eagle": under, "furs": top})
    found = cards_at(Pyramid(image), album, [under, top])
    assert names(found, album) == ["furs"]
    again = cards_at(Pyramid(image), album, [under], found)
    assert names(again, album) == ["furs"]


def test_clash() -> None:
    quad = quad_at(100, 100, 88)
    aside = (quad[1] - quad[0]) * np.float32(1)
    assert clash(quad, quad + 0.3 * aside)
    assert not clash(quad, quad + 0.5 * aside)
    inner = ((quad - quad.mean(axis=0)) * 0.4 + quad.mean(axis=0)).astype(np.float32)
    assert clash(quad, inner)  # a frame within a card


def test_visible_mask_follows_from_the_place() -> None:
    quad, wide, tall = corners_of(63, 88), 90, 126
    over = quad + np.array([0.5 * 63, 0], np.float32)
    mask = visible_mask(quad, [over], wide, tall, grow=0)
    assert mask.shape == (tall, wide)
    assert mask[:, :44].all()
    assert not mask[:, 47:].any()
    grown = visible_mask(quad, [over], wide, tall, grow=0.1)
    assert grown.sum() == pytest.approx(0.45 * wide * tall, rel=0.04)
    assert visible_mask(quad, [], wide, tall).all()
    assert visible_mask(quad, [over + np.float32(500)], wide, tall).all()


def test_visible_mask_is_in_the_card_s_own_picture() -> None:
    """The left as seen is the right of a card on its head."""
    quad = np.roll(corners_of(63, 88), 2, axis=0)
    over = corners_of(30, 88)
    mask = visible_mask(quad, [over], 63, 88, grow=0)
    assert mask[:, :30].all()
    assert not mask[:, 36:].any()
