"""What a deck's pictures are worth, and which faces look alike."""

import numpy as np

from companion.vision.album import Album, Reference
from companion.vision.album_folder import Entry
from companion.vision.quality import lookalikes, quality


def test_faces_are_good_doubtful_or_missing(album: Album) -> None:
    entries = [
        Entry("eagle", "eagle.1.png"),
        Entry("eagle", "eagle.2.png", doubts=("is blurred",)),
        Entry("furs", "furs.1.png"),
        Entry("bow", "bow.1.png", doubts=("is blurred",)),
        Entry("bow", "bow.2.png", doubts=("is blurred", "is glaring")),
        Entry("totem", "totem.1.png", doubts=("is glaring", "cut askew?")),
    ]
    found = quality(album, entries, missing=4)
    assert (found.cards, found.good) == (8, 2)
    assert found.share == 0.25
    assert found.again == (("totem", "is glaring; cut askew?"), ("bow", "is blurred"))
    assert found.single == ("furs",)


def test_a_deck_of_nothing(album: Album) -> None:
    assert quality(album, []).share == 0


def test_red_and_black_look_most_alike(album: Album) -> None:
    alike = lookalikes(album, margin=1.2)
    assert {alike[0].one, alike[0].other} == {"chief:red", "chief:black"}
    assert [a.margin for a in alike] == sorted(a.margin for a in alike)


def test_the_same_picture_under_two_names(album: Album) -> None:
    eagle = next(r for r in album.references if r.face == "eagle")
    noise = np.random.default_rng(1).normal(0, 4, eagle.image.shape)
    other = Reference("hawk", np.clip(eagle.image + noise, 0, 255).astype(np.uint8))
    (first, *rest) = lookalikes(Album("", [*album.references, other]))
    assert {first.one, first.other} == {"eagle", "hawk"}
    assert first.margin < 0.2
    assert all(0 <= a.margin <= 0.9 and a.one != a.other for a in rest)
    assert lookalikes(Album("", [eagle, eagle])) == []
