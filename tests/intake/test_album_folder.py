"""An album on the disk: written whole, read back, every fault told; and the cache of the drawn ones."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pictures

from companion.core.errors import UnusableInput
from companion.vision import album_folder, drawn
from companion.vision.album_folder import Entry, Index, Picture, load_album, read_index, save_album
from companion.vision.drawn import cache_file, drawn_album
from tests.intake.pictures import card

EMPTY = Index("ours", 1.4, ())


def new(face: str, **facts: Any) -> Picture:
    return Picture(Entry(face, "", "photo.jpg", "ab" * 32, **facts), card("eagle"))


def faults(folder: Path, **facts: Any) -> list[str]:
    with pytest.raises(UnusableInput) as error:
        load_album(folder, **facts)
    return [str(fault) for fault in error.value.faults]


def test_what_is_written_is_read(tmp_path: Path) -> None:
    pictures = [new("paddlers-2:red"), new("eagle", doubts=("is blurred",)), new("eagle")]
    saved = save_album(tmp_path, EMPTY, (), pictures)
    assert [e.file for e in saved.entries] == [
        "paddlers-2--red.1.png",
        "eagle.1.png",
        "eagle.2.png",
    ]
    assert read_index(tmp_path) == saved
    album = load_album(tmp_path)
    assert (album.deck, album.aspect) == ("ours", 1.4)
    assert album.faces == ("paddlers-2:red", "eagle")
    assert np.array_equal(album.references[1].image, card("eagle"))
    assert album.references[1].source == "photo.jpg"


def test_names_that_meet_in_one_file_name(tmp_path: Path) -> None:
    """Where large and small letters are one, and where `:` is written as two strokes."""
    saved = save_album(tmp_path, EMPTY, (), [new("Ace"), new("ace"), new("a:b"), new("a--b")])
    assert [e.file for e in saved.entries] == [
        *("Ace.1.png", "ace.2.png", "a--b.1.png", "a--b.2.png"),
    ]


def test_keeping_some_and_removing_the_rest(tmp_path: Path) -> None:
    saved = save_album(tmp_path, EMPTY, (), [new("bow"), new("bow"), new("furs")])
    (tmp_path / "mine.txt").write_text("")
    save_album(tmp_path, EMPTY, saved.entries[1:2], [new("bow")])
    assert {p.name for p in tmp_path.iterdir()} == {
        *("bow.2.png", "bow.3.png", "mine.txt", "album.json"),
    }
    assert album_folder.remove_album(tmp_path) == ["mine.txt"]


def test_no_file_that_lies_there_is_touched(tmp_path: Path) -> None:
    """Neither by writing nor by removing, where nobody knows whose it is."""
    (tmp_path / "Bow.1.png").write_text("mine")
    saved = save_album(tmp_path, EMPTY, (), [new("bow")])
    assert [e.file for e in saved.entries] == ["bow.2.png"]
    assert album_folder.unnamed(tmp_path, saved) == ["Bow.1.png"]
    (tmp_path / "album.json").write_text("{")
    assert album_folder.remove_album(tmp_path) == ["Bow.1.png", "bow.2.png"]
    assert (tmp_path / "Bow.1.png").read_text() == "mine"


def test_an_end_in_between_leaves_names_with_their_pictures(tmp_path: Path) -> None:
    saved = save_album(tmp_path, EMPTY, (), [new("bow")])
    old = (tmp_path / "bow.1.png").read_bytes()
    seen = []

    def killed() -> None:
        seen.append(read_index(tmp_path).entries[0].file)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save_album(tmp_path, EMPTY, (), [new("bow")], killed)
    assert seen == ["bow.2.png"]
    assert (tmp_path / saved.entries[0].file).read_bytes() == old
    assert len(load_album(tmp_path).references) == 1


def test_a_picture_that_would_fill_the_memory(tmp_path: Path) -> None:
    save_album(tmp_path, EMPTY, (), [new("bow")])
    Pictures.new("1", (4001, 20)).save(tmp_path / "bow.1.png")
    assert "too large for a reference picture: 4001 x 20 pixels" in faults(tmp_path)[0]


def test_a_write_that_fails_leaves_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = save_album(tmp_path, EMPTY, (), [new("bow")])

    def full(_: Index) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(album_folder, "_json", full)
    with pytest.raises(OSError, match="No space"):
        save_album(tmp_path, EMPTY, (), [new("furs")])
    assert read_index(tmp_path) == saved
    assert load_album(tmp_path).faces == ("bow",)
    assert {p.name for p in tmp_path.iterdir()} == {"bow.1.png", "album.json"}


def test_every_fault_of_a_folder(tmp_path: Path) -> None:
    assert "there is no such file" in faults(tmp_path)[0]
    save_album(tmp_path, EMPTY, (), [new("bow"), new("furs"), new("eagle")])
    (tmp_path / "bow.1.png").unlink()
    (tmp_path / "furs.1.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    told = faults(tmp_path, unknown=lambda face: "no such card" if face == "eagle" else "")
    assert len(told) == 3
    assert "bow.1.png: there is no such file" in told[0]
    assert "furs.1.png: is no readable picture" in told[1]
    assert "eagle: no such card" in told[2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "version 2; this program reads version 1"),
        ({"aspect": "wide"}, "aspect: 'wide' is no shape of a card"),
        ({"aspect": True}, "aspect: True is no shape of a card"),
        ({"references": []}, "references: are missing"),
        ({"references": [{"face": "bow", "file": "../bow.png"}]}, "names no file of this folder"),
        ({"references": [{"file": "bow.png"}, 3]}, "references[1]: has no face"),
    ],
)
def test_an_index_that_is_wrong(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    save_album(tmp_path, EMPTY, (), [new("bow")])
    index = tmp_path / "album.json"
    index.write_text(json.dumps({**json.loads(index.read_text()), **change}))
    assert said in faults(tmp_path)[0]
    index.write_text("[")
    assert "is damaged" in faults(tmp_path)[0]


@pytest.fixture
def drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A cache of its own, and quick drawings that are counted."""
    done: list[str] = []

    def picture(face: Any, height: int) -> Pictures.Image:
        done.append(face.name)
        return Pictures.new("RGB", (367, height), (len(done), 20, 30))

    monkeypatch.setattr(drawn, "user_cache_path", lambda *_, **__: tmp_path / "companion")
    monkeypatch.setattr(drawn, "picture", picture)
    return done


def test_drawings_are_made_once(drawing: list[str]) -> None:
    first, second = drawn_album("gold-up"), drawn_album("gold-up")
    assert len(drawing) == len(first.references) == 15
    assert [r.face for r in second.references] == [r.face for r in first.references]
    for one, other in zip(first.references, second.references, strict=True):
        assert np.array_equal(one.image, other.image)
        assert other.image.flags.c_contiguous


@pytest.mark.parametrize("harm", ["cut", "changed", "text", "folder"])
def test_a_damaged_cache_is_made_anew(drawing: list[str], harm: str) -> None:
    first = drawn_album("gold-up")
    path = cache_file("gold-up")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.unlink()
    if harm == "folder":
        path.mkdir()
    else:
        path.write_bytes({"cut": data[: len(data) // 3], "changed": data, "text": b"no"}[harm])
    again = drawn_album("gold-up")
    assert len(drawing) == 30
    assert len(again.references) == len(first.references)


def test_a_cache_that_cannot_be_written(drawing: list[str], tmp_path: Path) -> None:
    (tmp_path / "companion").write_text("a file stands where the folder should be")
    assert len(drawn_album("gold-up").references) == 15
    assert len(drawn_album("gold-up").references) == 15
    assert len(drawing) == 30


def test_an_older_cache_of_the_deck_is_removed(drawing: list[str]) -> None:
    path = cache_file("gold-up")
    path.parent.mkdir(parents=True)
    old, other = path.with_stem(f"gold-up-{'0' * 16}"), path.with_stem("mine")
    for file in (old, other):
        file.write_text("")
    drawn_album("gold-up")
    assert sorted(p.name for p in path.parent.iterdir()) == sorted([path.name, other.name])
