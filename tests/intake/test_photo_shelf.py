"""The photos kept beside a household's matches."""

import errno
import hashlib
import os
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from companion.core.errors import UnusableInput
from companion.intake import photo_shelf
from companion.intake.photo_shelf import PhotoShelf, Size, shelf_of
from companion.session import open_store


def photo(number: int = 1, kind: str = "JPEG") -> bytes:
    blocks = np.random.default_rng(number).integers(0, 255, (12, 16, 3), np.uint8)
    exif = Image.Exif()
    exif[0x010E] = "our kitchen"
    file = BytesIO()
    Image.fromarray(blocks).resize((320, 240)).save(file, kind, exif=exif)
    return file.getvalue()


@pytest.fixture
def shelf(tmp_path: Path) -> PhotoShelf:
    return PhotoShelf(tmp_path / "home" / "photos")


def test_keep_open_remove(shelf: PhotoShelf, tmp_path: Path) -> None:
    path = tmp_path / "a photo.jpg"
    path.write_bytes(photo())
    kept = shelf.keep(path)
    assert kept.sha256 == hashlib.sha256(photo()).hexdigest()
    assert shelf.open(kept.sha256) == kept.file == shelf.folder / f"{kept.sha256}.jpg"
    assert b"our kitchen" in photo()
    assert b"our kitchen" not in kept.file.read_bytes()
    assert path.read_bytes() == photo(), "the original is left alone"
    before = kept.file.stat()
    assert shelf.keep(photo()) == kept
    assert shelf.keep(str(path)) == kept
    assert kept.file.stat().st_mtime_ns == before.st_mtime_ns, "once kept, it is not written again"
    other = shelf.keep(photo(2, "PNG"))
    assert other.file.suffix == ".png"
    assert {p.sha256 for p in shelf.photos()} == {kept.sha256, other.sha256}
    assert shelf.remove([kept.sha256, kept.sha256, "0" * 64]) == 1
    assert shelf.open(kept.sha256) is None
    assert shelf.photos() == [other]


def test_an_empty_shelf(shelf: PhotoShelf) -> None:
    assert shelf.photos() == []
    assert shelf.open("0" * 64) is None
    assert shelf.remove(["0" * 64]) == 0
    assert str(shelf.size()) == "0 photos, 0 bytes"
    assert not shelf.folder.exists()


def test_no_digest_leads_elsewhere(shelf: PhotoShelf, tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "x.jpg").write_bytes(photo())
    shelf.keep(photo(2))
    for digest in ("../x", "", "x", "a" * 63, "A" * 64, "0" * 64 + "\n", f"../{'0' * 61}"):
        assert shelf.open(digest) is None
        assert shelf.remove([digest]) == 0
    assert (tmp_path / "home" / "x.jpg").exists()


def test_what_else_lies_in_the_folder_is_left_alone(shelf: PhotoShelf) -> None:
    kept = shelf.keep(photo())
    for name in ("notes.txt", "holiday.jpg", f"{'0' * 64}.gif", f".{'1' * 64}.jpg"):
        (shelf.folder / name).write_text("mine")
    assert shelf.photos() == [kept]
    assert shelf.size() == Size(1, kept.file.stat().st_size)


def test_a_photo_that_is_none(shelf: PhotoShelf, tmp_path: Path) -> None:
    (tmp_path / "text.jpg").write_text("hello")
    for source, said in (
        (tmp_path / "text.jpg", "is text"),
        (tmp_path / "nothing.jpg", "there is no such file"),
        (tmp_path, "is a folder"),
        (b"", "the photo: is empty"),
        (photo()[:2000], "is cut off"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(UnusableInput) as caught:
            shelf.keep(source)
        assert said in str(caught.value)
    assert not shelf.folder.exists()


def test_a_full_disk_leaves_nothing_behind(
    shelf: PhotoShelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("companion.vision.album_folder.Path.replace", full)
    with pytest.raises(UnusableInput) as caught:
        shelf.keep(photo(), "table.jpg")
    said = str(caught.value)
    assert said.startswith(f"table.jpg: cannot be kept in {shelf.folder}: No space left on device")
    assert "companion photos tidy" in said
    assert list(shelf.folder.iterdir()) == []


def test_a_file_in_place_of_the_folder(shelf: PhotoShelf) -> None:
    shelf.folder.parent.mkdir()
    shelf.folder.write_text("a file")
    with pytest.raises(UnusableInput):
        shelf.keep(photo())
    with pytest.raises(UnusableInput):
        shelf.photos()
    assert shelf.open("0" * 64) is None


def test_an_empty_file_after_a_power_cut_is_written_again(shelf: PhotoShelf) -> None:
    kept = shelf.keep(photo())
    kept.file.write_bytes(b"")
    assert shelf.open(kept.sha256) is None
    assert shelf.keep(photo()).file.stat().st_size > 0


def test_many_keep_the_same_photo_at_once(shelf: PhotoShelf) -> None:
    kept: list[Path] = []
    threads = [
        threading.Thread(target=lambda: kept.append(shelf.keep(photo()).file)) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 8
    assert list(shelf.folder.iterdir()) == [kept[0]]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (Size(1, 1), "1 photo, 1 byte"),
        (Size(0, 0), "0 photos, 0 bytes"),
        (Size(2, 999), "2 photos, 999 bytes"),
        (Size(2, 1500), "2 photos, 1.5 kB"),
        (Size(23, 61_400_000), "23 photos, 61 MB"),
        (Size(900, 9_960_000_000), "900 photos, 10 GB"),
    ],
)
def test_sizes_for_people(size: Size, told: str) -> None:
    assert str(size) == told


def test_each_store_has_its_own_shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_PHOTOS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    home = open_store(f"sqlite:///{tmp_path}/home.sqlite3")
    club = open_store("sqlite:///club.sqlite3")
    (tmp_path / "link.sqlite3").symlink_to(tmp_path / "home.sqlite3")
    linked = open_store(f"sqlite:///{tmp_path}/link.sqlite3")
    try:
        assert shelf_of(home).folder == tmp_path / "home.sqlite3-photos"
        assert shelf_of(club).folder == tmp_path / "club.sqlite3-photos"
        assert shelf_of(linked) == shelf_of(home)
    finally:
        for store in (home, club, linked):
            store.close()

    class Server:
        def __init__(self, where: str) -> None:
            self.where = where

    one = shelf_of(Server("postgresql+psycopg://ana:***@club/cards")).folder
    two = shelf_of(Server("postgresql+psycopg://ana:***@club/other")).folder
    assert one != two
    assert tmp_path in one.parents
    monkeypatch.setenv("COMPANION_PHOTOS", str(tmp_path / "chosen"))
    assert shelf_of(Server("postgresql+psycopg://club/cards")).folder == tmp_path / "chosen"


def test_photos_of_a_store_in_memory_go_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COMPANION_PHOTOS", raising=False)
    first, second = open_store("sqlite://"), open_store("sqlite:///:memory:")
    kept = shelf_of(first).keep(photo())
    assert shelf_of(first).open(kept.sha256) == kept.file
    assert shelf_of(second).open(kept.sha256) is None
    folder = shelf_of(first).folder
    first.close()
    photo_shelf._IN_MEMORY.pop(first).cleanup()
    assert not folder.exists()
