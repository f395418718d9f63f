"""A deck as one file: what comes back is what went out, and nothing else gets in."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from companion.core.errors import UnusableInput
from companion.intake.deck_file import read_deck_file, write_deck_file
from companion.intake.own_decks import named
from companion.vision.album_folder import Entry, Index, Picture, load_album, save_album


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path


def a_deck(name: str = "our-box") -> None:
    deck = named(name)
    rng = np.random.default_rng(3)
    pictures = [
        Picture(Entry(face, ""), rng.integers(0, 256, (512, 366, 3)).astype(np.uint8))
        for face in ("eagle", "chief:red")
    ]
    save_album(deck.folder, Index(name, 1.4, ()), [], pictures)
    deck.toml.write_text('extends = "up-the-creek"\nstrengths = { chief = 3 }\n', "utf-8")


def test_a_deck_comes_back_whole_under_another_name(home: Path) -> None:
    a_deck()
    write_deck_file(named("our-box"), home / "box.deck")
    back = read_deck_file(home / "box.deck", "again")
    one, two = load_album(named("our-box").folder), load_album(back.folder)
    assert one.faces == two.faces
    assert all(
        (a.image == b.image).all() for a, b in zip(one.references, two.references, strict=True)
    )
    assert back.catalogue()["chief"].number == 3


def test_a_deck_that_is_there_is_not_overwritten_unasked(home: Path) -> None:
    a_deck()
    write_deck_file(named("our-box"), home / "box.deck")
    with pytest.raises(UnusableInput, match="already"):
        read_deck_file(home / "box.deck")
    assert read_deck_file(home / "box.deck", replace=True).enrolled


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04broken"])
def test_other_files_are_refused(home: Path, content: bytes) -> None:
    (home / "bad.deck").write_bytes(content)
    with pytest.raises(UnusableInput, match="deck"):
        read_deck_file(home / "bad.deck", "x")


def test_nothing_is_written_outside_the_deck(home: Path) -> None:
    with zipfile.ZipFile(home / "evil.deck", "w") as archive:
        archive.writestr("companion.json", json.dumps({"version": 1, "name": "evil"}))
        archive.writestr("deck.toml", 'extends = "up-the-creek"\n')
        archive.writestr("../outside.txt", "x")
        archive.writestr("album/../../outside.txt", "x")
    read_deck_file(home / "evil.deck")
    assert not list(home.rglob("outside.txt"))


def test_a_damaged_picture_keeps_the_whole_deck_out(home: Path) -> None:
    a_deck()
    write_deck_file(named("our-box"), home / "box.deck")
    with (
        zipfile.ZipFile(home / "box.deck") as good,
        zipfile.ZipFile(home / "bad.deck", "w") as bad,
    ):
        for member in good.namelist():
            data = good.read(member)
            bad.writestr(member, data[: len(data) // 2] if member.endswith(".png") else data)
    with pytest.raises(UnusableInput) as told:
        read_deck_file(home / "bad.deck", "broken")
    assert len(told.value.faults) == 2
    assert not named("broken").exists
