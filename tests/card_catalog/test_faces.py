"""The drawn faces: all there, each unlike the others, and no number that nobody knows."""

from itertools import combinations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from card_catalog import faces as drawn
from card_catalog.faces import Face, Ring, cutout, faces, picture, ring, svg, title_band
from card_catalog.loader import deck_from, shipped_deck
from card_catalog.model import Card, Colour, Deck

DECKS = ("gold-up", "up-the-creek")
HEIGHT = 176
"""Pixels; enough to tell faces apart."""
Small = NDArray[np.float32]


def deck(name: str) -> Deck:
    return shipped_deck(name)


def face(name: str, number: int | None = None, titled: bool = False) -> Face:
    """A face by its name."""
    kind_id, _, colour = name.partition(":")
    for deck_id in DECKS:
        if kind_id in deck(deck_id).kinds:
            kind = deck(deck_id)[kind_id]
            return Face(Card(kind, Colour(colour) if colour else None, number), titled)
    raise AssertionError(name)


def pixels(a_face: Face, height: int = HEIGHT) -> NDArray[np.int16]:
    return np.asarray(picture(a_face, height), dtype=np.int16)


def likeness(a: Small, b: Small) -> float:
    """Normalised correlation of two pictures: 1 is the same, 0 unlike."""
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


@pytest.fixture(scope="module")
def small() -> dict[str, dict[str, Small]]:
    """Every face of each deck, 64 by 90 pixels."""
    return {
        name: {
            f.name: np.asarray(picture(f, HEIGHT).resize((64, 90)), dtype=np.float32)
            for f in faces(deck(name))
        }
        for name in DECKS
    }


def test_the_drawn_decks() -> None:
    assert drawn.drawn_decks() == DECKS
    assert (drawn.WIDTH_MM, drawn.HEIGHT_MM) == (63, 88)


@pytest.mark.parametrize("name", DECKS)
def test_every_kind_in_the_order_of_the_deck(name: str) -> None:
    """A coloured kind has a red face and then a black one, every other kind one face."""
    wanted = [
        text
        for kind in deck(name).kinds.values()
        for text in ([f"{kind.id}:red", f"{kind.id}:black"] if kind.coloured else [kind.id])
    ]
    found = faces(deck(name))
    assert [f.name for f in found] == wanted
    assert len({svg(f) for f in found}) == len(wanted)
    assert all(f.card.number is None and not f.titled for f in found)


def test_sizes_and_corners() -> None:
    """Whole pixels of the card's shape; the corners have the border's colour, or are cut off."""
    whole, cut = picture(face("eagle"), 880), cutout(face("eagle"), 880)
    assert (whole.size, whole.mode) == ((630, 880), "RGB")
    assert (cut.size, cut.mode) == ((630, 880), "RGBA")
    assert whole.getpixel((0, 0)) == whole.getpixel((315, 8)) == (0xF7, 0xF3, 0xE6)
    alphas = np.asarray(cut)[:, :, 3]
    assert [alphas[y, x] for y, x in ((0, 0), (879, 629), (0, 315), (440, 0))] == [0, 0, 255, 255]
    assert picture(face("eagle")).size == (756, 1056)


def test_the_same_at_every_drawing() -> None:
    for name in ("chief:red", "gold-b", "key-joker"):
        assert svg(face(name)) == svg(face(name))
        assert (pixels(face(name)) == pixels(face(name))).all()


@pytest.mark.parametrize("name", DECKS)
def test_no_two_kinds_look_alike(name: str, small: dict[str, dict[str, Small]]) -> None:
    """In colour and in grey."""
    for (a, one), (b, other) in combinations(small[name].items(), 2):
        if a.split(":")[0] != b.split(":")[0]:
            assert likeness(one, other) < 0.8, (a, b)
            assert likeness(one.mean(2), other.mean(2)) < 0.8, (a, b)


@pytest.mark.parametrize("name", DECKS)
def test_a_card_upside_down_looks_different(name: str, small: dict[str, dict[str, Small]]) -> None:
    for face_name, one in small[name].items():
        assert likeness(one, one[::-1, ::-1]) < 0.8, face_name


def test_red_and_black_differ_in_more_than_the_ring() -> None:
    """In at least a twentieth of the card outside the ring; grey readers see it too."""
    for kind in deck("up-the-creek").kinds.values():
        if kind.coloured:
            red, black = (pixels(face(f"{kind.id}:{c}")) for c in Colour)
            unlike = np.abs(red - black).mean(2) > 24
            place = ring(face(f"{kind.id}:red"))
            assert place is not None
            y, x, r = place.y * HEIGHT, place.x * red.shape[1], 1.2 * place.radius * red.shape[1]
            unlike[int(y - r) : int(y + r), int(x - r) : int(x + r)] = False
            assert unlike.mean() > 0.05, kind.id


def test_halves_differ_and_show_their_treasure(small: dict[str, dict[str, Small]]) -> None:
    for family in ("bear", "buffalo", "horse", "gold", "logs", "cannon"):
        a, b = (small["up-the-creek"][f"{family}-{half}"] for half in "ab")
        assert likeness(a, b) < 0.7


def test_halves_join_to_one_picture() -> None:
    """What is cut off at the right of a goes on at the left of b: the same picture, moved by a card."""
    assert "translate(0 0)" in svg(face("bear-a"))
    assert "translate(-630 0)" in svg(face("bear-b"))


def inside(name: str, number: int | None) -> NDArray[np.int16]:
    """The pixels within a ring."""
    a_face = face(name, number)
    place, shown = ring(a_face), pixels(a_face, 352)
    assert place is not None
    height, width = shown.shape[:2]
    x, y, r = place.x * width, place.y * height, 0.6 * place.radius * width
    return shown[int(y - r) : int(y + r), int(x - r) : int(x + r)]


@pytest.mark.parametrize("name", ["paddlers-2:red", "chief:black", "shaman:red", "chest-white"])
def test_an_unknown_number_is_an_empty_ring(name: str) -> None:
    """One colour within the ring; a number that was told is more."""
    assert np.ptp(inside(name, None), axis=(0, 1)).max() <= 2
    for number in (0, 3, 12, 345, 9999):
        assert np.ptp(inside(name, number), axis=(0, 1)).max() > 100, number
    assert (inside(name, 3) != inside(name, 8)).any()


def test_a_number_of_the_catalogue_is_printed() -> None:
    """Paddlers, lookout and steersman have strength 1 in the rulebook's table."""
    for kind_id in ("paddler-bow", "paddler-stern", "paddler-1"):
        for colour in Colour:
            assert (inside(f"{kind_id}:{colour}", None) == inside(f"{kind_id}:{colour}", 1)).all()


def test_rings_stand_at_the_same_place() -> None:
    """Strength at the top of Indians, coins at the bottom of chests, none elsewhere."""
    rings: dict[str, set[Ring | None]] = {
        k.group: set() for name in DECKS for k in deck(name).kinds.values()
    }
    for name in DECKS:
        for a_face in faces(deck(name)):
            rings[a_face.card.kind.group].add(ring(a_face))
    (top,), (bottom,) = rings.pop("indian"), rings.pop("chest")
    assert top is not None and bottom is not None
    assert top.y < 0.25 and bottom.y > 0.75
    assert min(top.radius, bottom.radius) >= 0.1
    assert all(places == {None} for places in rings.values())


def test_ten_at_the_bottom_of_every_treasure() -> None:
    """Single treasures, halves and characters show the same medal; no other card has it."""
    medals = {}
    for a_face in faces(deck("up-the-creek")):
        shown = pixels(a_face, 352)
        medals[a_face.name] = shown[301:322, 202:222]
    eagle = medals["eagle"]
    for name, medal in medals.items():
        group = face(name).card.kind.group
        same = np.abs(medal - eagle).max() < 40
        assert same == (group in ("single", "half", "character")), name


def test_numbers_by_name_and_by_kind() -> None:
    """A face's own number goes before its kind's."""
    found = faces(deck("up-the-creek"), numbers={"chief": 4, "chief:red": 3, "paddler-1": 2})
    numbers = {f.name: f.card.value for f in found}
    assert (numbers["chief:red"], numbers["chief:black"]) == (3, 4)
    assert (numbers["paddler-1:red"], numbers["paddler-bow:red"]) == (2, 1)
    assert numbers["shaman:red"] is None
    assert "chief:red" in {f.name for f in found}


def test_titles() -> None:
    """On a light band, within its place and nowhere else."""
    for name in ("bear-a", "chief:red", "paddler-stern:black", "chest-white"):
        plain, titled = (pixels(face(name, titled=t), 528) for t in (False, True))
        height, width = plain.shape[:2]
        x0, y0, x1, y1 = title_band(face(name))
        rows, columns = np.nonzero((plain != titled).any(2))
        assert rows.min() >= int(y0 * height) - 1 and rows.max() <= y1 * height + 1
        assert columns.min() >= int(x0 * width) - 1 and columns.max() <= x1 * width + 1
        band = titled[int(y0 * height) : int(y1 * height), int(x0 * width) : int(x1 * width)]
        assert y1 - y0 >= 0.09
        assert np.median(band) >= 235
        assert (band.max(2) < 90).mean() > 0.05, name


def test_corners_for_a_feature_matcher() -> None:
    """Spread over the card: in at least twelve of its sixteen parts."""
    find = cv2.ORB_create(2000)  # type: ignore[attr-defined]
    for name in ("key-yellow", "key-blue", "horse-a", "cannon-a", "wigwam", "eagle"):
        shown = cv2.cvtColor(np.asarray(picture(face(name), 360)), cv2.COLOR_RGB2GRAY)
        points = [p.pt for p in find.detect(shown, None)]
        assert len(points) > 150, name
        parts = {(int(x * 4 / shown.shape[1]), int(y * 4 / shown.shape[0])) for x, y in points}
        assert len(parts) >= 12, name


def test_a_household_deck_has_the_drawings_of_its_shipped_one() -> None:
    own = deck_from(
        {
            "extends": "gold-up",
            "values": {"white": 2},
            "kinds": [{"id": "key-red", "name": "Ruby"}],
        },
        "own",
        "own",
    )
    found = {f.name: f for f in faces(own, titled=True)}
    assert found["chest-white"].card.value == 2
    assert (pixels(found["chest-white"]) == pixels(face("chest-white", 2, titled=True))).all()
    assert (pixels(found["key-red"]) != pixels(face("key-red", titled=True))).any()


def test_what_is_not_drawn() -> None:
    """Says which decks are, or which card is not."""
    with pytest.raises(KeyError, match="'standard-52' has no drawings; drawn are gold-up, up-the"):
        faces(deck("standard-52"))
    with pytest.raises(KeyError, match="no such card: chieff"):
        faces(deck("up-the-creek"), numbers={"chieff": 3})
    more = deck_from(
        {"extends": "gold-up", "kinds": [{"id": "key-rust", "name": "Rusty", "group": "key"}]},
        "more",
    )
    with pytest.raises(KeyError, match="no drawing of 'key-rust'"):
        faces(more)
    kind = next(iter(deck("standard-52").kinds.values()))
    with pytest.raises(KeyError, match="no drawing of"):
        picture(Face(Card(kind)), HEIGHT)
