"""Which face a card shows, and how far that is to be trusted."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.album import Album, Reference
from companion.vision.find import Found, visible_mask
from companion.vision.geometry import Image, Pyramid, Quad, as_floats, turned
from companion.vision.judge import Judge, unnamed
from companion.vision.looks import look_at
from companion.vision.naming import Named, compare, name, nudged, ways_up
from companion.vision.sighting import Sighting
from companion.vision.twins import Twins, view
from tests.vision.scene import NAMES, cut_out, flat, ground, off_by, paint, quad_at, table

QUAD = quad_at(300, 260, 300, 7)


def seen(card: str, quad: Quad = QUAD) -> Pyramid:
    return Pyramid(table(ground(600, 520), {card: quad}))


def best(named: Named, album: Album) -> str:
    return album.faces[int(named.order[0])]


def said(judge: Judge, image: Image, quad: Quad = QUAD) -> Sighting:
    return judge.sighting(Found(name(Pyramid(image), quad, judge.album)))


@pytest.mark.parametrize("card", NAMES)
def test_every_face_has_its_name(judge: Judge, card: str) -> None:
    sighting = said(judge, table(ground(600, 520), {card: QUAD}))
    assert (sighting.face, sighting.sure, sighting.doubts) == (card, True, ())
    assert off_by(np.array(sighting.region, np.float32), QUAD) < 3
    assert sighting.candidates[0].confidence > 0.9
    assert sum(c.confidence for c in sighting.candidates) <= 1.001


@pytest.mark.parametrize("card", ["eagle", "bow", "chief:black"])
def test_upside_down_it_has_the_same_name_and_its_own_top_left(judge: Judge, card: str) -> None:
    """The card lies turned by 180 degrees; the outline is given as seen."""
    named = name(seen(card, turned(QUAD, 2)), QUAD, judge.album)
    assert best(named, judge.album) == card
    assert np.linalg.norm(named.quad[0] - QUAD[2]) < 4


def test_in_dim_warm_light(judge: Judge) -> None:
    image = table(ground(600, 520), {"furs": QUAD})
    warm = np.clip(image * np.array([0.45, 0.55, 0.7]), 0, 255).astype(np.uint8)
    assert said(judge, warm).face == "furs"


def test_a_skewed_outline_is_laid_right(album: Album) -> None:
    away = QUAD + np.array([[4, 2], [-3, 4], [2, -4], [-4, -2]], np.float32)
    named = name(seen("wigwam"), away, album)
    assert off_by(named.quad, QUAD) < 0.01 * 300


def test_a_nudge_that_leads_astray_is_not_made(album: Album) -> None:
    pyramid = Pyramid(ground(600, 520, noise=15))
    assert off_by(nudged(pyramid, QUAD, album.flats[0]), QUAD) < 0.25 * 300


def test_a_part_is_named_by_what_shows(judge: Judge) -> None:
    """The right 45 % lie under another card."""
    album = judge.album
    over = QUAD + (QUAD[1] - QUAD[0]) * 0.55
    image = table(ground(800, 560), {"eagle": QUAD, "dynamite": over})
    mask = visible_mask(QUAD, [over], *album.size).reshape(-1)
    named = name(Pyramid(image), QUAD, album, mask)
    assert best(named, album) == "eagle"
    whole = name(Pyramid(image), QUAD, album)
    assert named.total.max() > whole.total.max()
    sighting = judge.sighting(Found(named, 0.5, mask))
    assert sighting.face == "eagle"


def test_square_cards_may_lie_four_ways(album: Album) -> None:
    square = Album("x", [Reference("a", np.zeros((100, 100, 3), np.uint8))])
    assert ways_up(square) == (0, 1, 2, 3)
    assert ways_up(album) == (0, 2)


def test_scores_are_best_with_itself_and_bounded(album: Album) -> None:
    for index, picture in enumerate(album.flats):
        scores = compare(look_at(picture), album)
        assert int(scores.total.argmax()) == index
        assert scores.local[index] == pytest.approx(1, abs=1e-3)
        assert scores.total[index] == pytest.approx(3, abs=0.01)
        assert scores.local.max() < 1.001


# Twins


def flat_of(card: str, album: Album) -> Image:
    return name(seen(card), QUAD, album).flat


@pytest.mark.parametrize(
    ("one", "other"), [("chief:red", "chief:black"), ("bear-a", "bear-b"), ("eagle", "furs")]
)
def test_leaning_tells_two_faces_apart(judge: Judge, one: str, other: str) -> None:
    album, twins = judge.album, judge.twins
    a, b = album.faces.index(one), album.faces.index(other)
    assert twins.leaning(view(flat_of(one, album)), a, b) > 0.8
    assert twins.leaning(view(flat_of(other, album)), a, b) < 0.2
    assert twins.leaning(view(flat_of(other, album)), b, a) > 0.8


def test_leaning_between_two_is_undecided(album: Album) -> None:
    """Half of each, pixel by pixel; and a card against itself."""
    twins = Twins(album)
    a, b = album.faces.index("chief:red"), album.faces.index("chief:black")
    mixed = as_floats(view(album.flats[a]) + view(album.flats[b])) / np.float32(2)
    assert twins.leaning(mixed, a, b) == pytest.approx(0.5, abs=0.1)
    assert twins.leaning(view(album.flats[a]), a, a) == 0.5


def test_leaning_where_nothing_that_differs_shows(album: Album) -> None:
    """A red and a black twin differ at the top and at the bottom: between, there is nothing to tell."""
    twins = Twins(album)
    a, b = album.faces.index("chief:red"), album.faces.index("chief:black")
    height, width = album.flats[0].shape[:2]
    between = np.zeros((height, width), bool)
    between[round(0.3 * height) : round(0.48 * height)] = True
    card = view(album.flats[a])
    assert twins.leaning(card, a, b, between.reshape(-1)) == 0.5
    assert twins.leaning(card, a, b, ~between.reshape(-1)) == pytest.approx(1, abs=0.05)


@pytest.mark.parametrize("card", ["chief:red", "chief:black"])
def test_red_and_black_twins_are_named_apart(judge: Judge, card: str) -> None:
    sighting = said(judge, table(ground(600, 520), {card: QUAD}))
    other = {"chief:red": "chief:black", "chief:black": "chief:red"}[card]
    assert sighting.candidates[1].face == other
    assert sighting.candidates[1].confidence < 0.1


# Doubts


def test_half_of_one_and_half_of_another_is_not_sure(judge: Judge) -> None:
    upper, lower = cut_out("eagle").copy(), cut_out("furs")
    upper[upper.shape[0] // 2 :] = lower[lower.shape[0] // 2 :]
    image = ground(600, 520)
    paint(image, upper, QUAD)
    sighting = said(judge, image)
    assert not sighting.sure
    assert sighting.doubts


def test_a_twin_with_the_other_s_ring_is_not_sure(judge: Judge) -> None:
    """Band and ring, all that tells the two apart, are a blend of both."""
    image = ground(600, 520)
    red, black = cut_out("chief:red"), cut_out("chief:black")
    paint(image, np.asarray(cv2.addWeighted(red, 0.5, black, 0.5, 0), np.uint8), QUAD)
    sighting = said(judge, image)
    assert {c.face for c in sighting.candidates[:2]} == {"chief:red", "chief:black"}
    assert not sighting.sure


def test_a_doubtful_reference_makes_a_name_doubtful() -> None:
    references = [
        Reference(card, flat(card), doubts=("is blurred",) if card == "chief:black" else ())
        for card in ("eagle", "chief:red", "chief:black")
    ]
    album = Album("x", references)
    judge = Judge(album, Twins(album))
    image = {c: table(ground(600, 520), {c: QUAD}) for c in album.faces}
    black = said(judge, image["chief:black"])
    assert (black.face, black.sure) == ("chief:black", False)
    assert black.doubts == ("the deck's picture of chief:black is doubtful",)
    assert said(judge, image["eagle"]).sure


def _strange() -> Image:
    card = cut_out("eagle").copy()
    card[..., :3] = 245
    for radius, colour in ((110, (160, 40, 40)), (70, (245, 245, 245)), (35, (40, 160, 220))):
        cv2.circle(card, (card.shape[1] // 2, card.shape[0] // 2), radius, colour, -1)
    return card


def test_an_unknown_picture_is_never_sure(judge: Judge) -> None:
    image = ground(600, 520)
    paint(image, _strange(), QUAD)
    assert not said(judge, image).sure
    assert not said(judge, ground(600, 520, noise=25)).sure


def test_an_unnamed_card_says_so() -> None:
    sighting = unnamed(QUAD)
    assert (sighting.face, sighting.sure, sighting.candidates) == (None, False, ())
    assert sighting.doubts == ("looks like no card of the deck",)


def test_cut_off_and_covered_cards_are_doubted(judge: Judge) -> None:
    found = Found(name(seen("totem"), QUAD, judge.album))
    assert judge.sighting(found).sure
    cut = judge.sighting(found, edge=True)
    assert (cut.face, cut.sure) == ("totem", False)
    assert "is cut off by the edge of the photo" in cut.doubts
    hidden = judge.sighting(replace(found, visible=0.3))
    assert hidden.doubts == ("only 30 % of it is visible",)


def test_look_alikes_must_be_ruled_out(judge: Judge) -> None:
    """The red chief by its scores, but where red and black differ it is half of each."""
    album = judge.album
    red, black = (album.faces.index(card) for card in ("chief:red", "chief:black"))
    named = name(seen("chief:red"), QUAD, album)
    assert judge.sighting(Found(named)).sure
    half = cv2.addWeighted(album.flats[red], 0.5, album.flats[black], 0.5, 0)
    sighting = judge.sighting(Found(replace(named, flat=np.asarray(half, np.uint8))))
    assert (sighting.face, sighting.sure) == ("chief:red", False)
    assert sighting.doubts == ("may also be chief:black",)
    assert "chief:black" in {c.face for c in sighting.candidates if c.confidence >= 0.02}


def test_two_ways_of_looking_must_agree(judge: Judge) -> None:
    """Scores are given: by its detail an eagle, by its ink furs; where the two differ it is half of each."""
    album = judge.album
    eagle, furs = (album.faces.index(card) for card in ("eagle", "furs"))
    named = name(seen("eagle"), QUAD, album)
    ink = named.ink.copy()
    ink[furs] = ink.max() + np.float32(0.2)
    half = cv2.addWeighted(album.flats[eagle], 0.5, album.flats[furs], 0.5, 0)
    torn = replace(named, ink=ink, flat=np.asarray(half, np.uint8))
    sighting = judge.sighting(Found(torn))
    assert (sighting.face, sighting.sure) == ("eagle", False)
    assert "may also be furs" in sighting.doubts
    assert "furs" in {c.face for c in sighting.candidates if c.confidence >= 0.02}
    assert judge.sighting(
        Found(replace(named, ink=ink))
    ).sure  # its own picture is clearly an eagle
