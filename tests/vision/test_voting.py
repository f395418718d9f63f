"""The second finder: poses that points vote for, in clutter, turned, small, tilted; and none from nothing."""

import cv2
import numpy as np
import pytest

from companion.vision.album import Album
from companion.vision.geometry import Image, Quad, sides
from companion.vision.voting import Ballot, Votes, poses, votes_of
from tests.vision.scene import clutter, ground, quad_at, table


@pytest.fixture(scope="module")
def ballot(album: Album) -> Ballot:
    return Ballot(album)


def worst(found: list[Quad], quad: Quad) -> float:
    """Of the best pose, the worst corner, each against its own: the card is upright in it; card widths."""
    off = [float(np.linalg.norm(other - quad, axis=1).max()) for other in found]
    return min(off, default=9999.0) / float(sides(quad)[[0, 2]].mean())


@pytest.mark.parametrize(
    "quad",
    [
        quad_at(400, 300, 300),
        quad_at(400, 300, 300, 180),
        quad_at(400, 300, 280, 63),
        quad_at(380, 310, 170, -20),
        np.array([[300, 120], [500, 135], [560, 470], [270, 430]], np.float32),
    ],
    ids=["straight", "upside down", "turned", "small", "tilted"],
)
@pytest.mark.parametrize("name", ["eagle", "chief:red"])
def test_a_planted_card_is_found_in_clutter(ballot: Ballot, name: str, quad: Quad) -> None:
    votes = votes_of(table(clutter(800, 600), {name: quad}), ballot)
    assert worst(poses(votes, ballot), quad) < 0.02


def test_blur_and_noise(ballot: Ballot) -> None:
    quad = quad_at(400, 300, 300, 10)
    image = cv2.GaussianBlur(table(clutter(800, 600), {"wigwam": quad}), (0, 0), 1.5)
    assert worst(poses(votes_of(np.asarray(image, np.uint8), ballot), ballot), quad) < 0.03


def test_several_cards_at_once(ballot: Ballot) -> None:
    cards = {
        "eagle": quad_at(200, 300, 240, 3),
        "totem": quad_at(400, 300, 240, 182),
        "bear-a": quad_at(600, 310, 240, -4),
    }
    found = poses(votes_of(table(ground(800, 600), cards), ballot), ballot)
    for quad in cards.values():
        assert worst(found, quad) < 0.02


def test_an_overlapped_card(ballot: Ballot) -> None:
    under, top = quad_at(350, 300, 300), quad_at(440, 300, 300)
    votes = votes_of(table(ground(800, 600), {"eagle": under, "furs": top}), ballot)
    assert worst(poses(votes, ballot), under) < 0.03


def test_points_inside_known_cards_do_not_vote(ballot: Ballot) -> None:
    one, other = quad_at(250, 300, 280), quad_at(550, 300, 280)
    votes = votes_of(table(ground(800, 600), {"eagle": one, "totem": other}), ballot)
    wide = ((one - one.mean(axis=0)) * 1.1 + one.mean(axis=0)).astype(np.float32)
    found = poses(votes, ballot, apart_from=[wide])
    assert worst(found, other) < 0.02
    assert worst(found, one) > 0.5


def test_sizes_are_kept(ballot: Ballot) -> None:
    quad = quad_at(400, 300, 300)
    votes = votes_of(table(ground(800, 600), {"eagle": quad}), ballot)
    size = 300 / ballot.height
    assert worst(poses(votes, ballot, (0.8 * size, 1.25 * size)), quad) < 0.02
    assert worst(poses(votes, ballot, (2 * size, 3 * size)), quad) > 0.3


@pytest.mark.parametrize(
    "image",
    [ground(800, 600, noise=20), np.full((600, 800, 3), 90, np.uint8)],
    ids=["noise", "nothing"],
)
def test_nothing_from_nothing(ballot: Ballot, image: Image) -> None:
    assert poses(votes_of(image, ballot), ballot) == []


def test_a_vote_tells_where_the_centre_is(ballot: Ballot) -> None:
    """Most votes on a single card fall on its centre, at its size and turn."""
    quad = quad_at(400, 300, 300, 30)
    votes: Votes = votes_of(table(ground(800, 600), {"eagle": quad}), ballot)
    near = np.hypot(*(votes.centre - (400, 300)).T) < 20
    assert near.sum() > 20
    assert np.median(votes.scale[near]) == pytest.approx(300 / ballot.height, rel=0.06)
    assert np.rad2deg(np.median(np.angle(np.exp(1j * votes.angle[near])))) == pytest.approx(
        30, abs=4
    )
