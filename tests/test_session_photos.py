"""The photos behind matches: found in what the log says, thrown away, tidied."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.log import Amended, Played, Undone
from companion.intake.photo_shelf import PhotoShelf
from companion.session import Store, open_store
from companion.session.photos import only_of, photos_in, photos_of, throw_away, unused
from companion.storage.port import NewEntry, NewMatch

A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


def seen_in(*photos: str, names: bool = True) -> dict[str, Any]:
    """A provenance as the review writes it."""
    box = [[0, 0], [80, 0], [80, 112], [0, 112]]
    card = {"card": "bow", "box": box, "confidence": 0.98, "told": False}
    return {
        "source": "photo",
        "deck": "our-box",
        "photos": {photo: f"{photo[0]}.jpg" for photo in photos} if names else {},
        "cards": [{**card, "photo": photo} for photo in photos],
    }


def match(store: Store, *provenances: Any) -> int:
    players = ("Ana", "Ben")
    new = NewMatch("gold-up", None, players, {}, {}, "0")
    entries = [NewEntry(Played("Ana", ("pass",)), told) for told in provenances]
    return store.create(new, entries).id


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path}/store.sqlite3")
    yield opened
    opened.close()


@pytest.fixture
def shelf(tmp_path: Path) -> PhotoShelf:
    """Four photos, kept long ago."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for digest in (A, B, C, D):
        (folder / f"{digest}.jpg").write_bytes(b"a photo")
        os.utime(folder / f"{digest}.jpg", (1, 1))
    return PhotoShelf(folder)


def left(shelf: PhotoShelf) -> str:
    return "".join(kept.sha256[0] for kept in shelf.photos())


def test_photos_of_a_match_each_once(store: Store) -> None:
    number = match(store, None, seen_in(A, B), seen_in(B, C, names=False), seen_in(C))
    assert photos_of(store, number) == [(A, "a.jpg"), (B, "b.jpg"), (C, "c.jpg")]
    assert photos_of(store, number)[0].name == "a.jpg"


def test_undone_and_amended_entries_count(store: Store) -> None:
    number = match(store, seen_in(A))
    store.append(number, 1, [NewEntry(Amended(1, "Ana", ("pass",)), seen_in(B))])
    store.append(number, 2, [NewEntry(Undone(2))])
    assert [sha for sha, _ in photos_of(store, number)] == [A, B]


@pytest.mark.parametrize(
    "strange",
    [
        None, {}, [], "photo", 7, {"source": "typed"}, {"photos": None, "cards": None},
        {"photos": [A], "cards": {"photo": A}}, {"photos": {"../../etc": "x"}, "cards": ["x", None, 3]},
        {"photos": {A.upper(): "x"}}, {"cards": [{"photo": 5}, {"photo": None}, {"photo": A[:-1]}, {}]},
        {"photo": "table.jpg"},
    ],
)  # fmt: skip
def test_other_words_about_where_something_was_seen(strange: Any) -> None:
    assert photos_in(strange) == []


def test_what_can_be_told_of_a_photo() -> None:
    assert photos_in({"photo": A, "region": [], "confidence": 1}) == [(A, "")]
    assert photos_in({"photos": {A: 3, B: None, "x": "y"}}) == [(A, ""), (B, "")]
    assert photos_in({"cards": ({"photo": A}, {"photo": A})}) == [(A, "")]


def test_thrown_away_but_for_what_another_match_shows(store: Store, shelf: PhotoShelf) -> None:
    first, second = match(store, seen_in(A, B)), match(store, seen_in(B, C))
    assert only_of(store, [first]) == [A]
    assert sorted(only_of(store, [first, second])) == [A, B, C]
    assert throw_away(store, shelf, first) == 1
    assert left(shelf) == "bcd"
    assert throw_away(store, shelf, first) == 0, "the log still names it"
    store.delete(first)
    assert throw_away(store, shelf, second) == 2
    assert left(shelf) == "d"


def test_a_match_without_photos(store: Store, shelf: PhotoShelf) -> None:
    assert throw_away(store, shelf, match(store, None)) == 0
    assert left(shelf) == "abcd"


def test_unused_ones_but_not_what_may_be_under_review(store: Store, shelf: PhotoShelf) -> None:
    match(store, seen_in(A))
    assert unused(store, shelf) == [B, C, D]
    now = time.time()
    os.utime(shelf.folder / f"{C}.jpg", (now, now))
    assert unused(store, shelf) == [B, D]
    assert unused(store, shelf, older=0.0) == [B, C, D]
    match(store, seen_in(D, names=False))
    assert unused(store, shelf) == [B]
