"""`companion deck show` on how good a deck is, `deck forget`, `deck remove --card`, numbers in names."""

import json
from pathlib import Path

import pytest

from companion.intake.learning import Cut, learn_cuts, pupil, pupil_at_table
from companion.vision.album_folder import TABLE
from companion.vision.load import open_photo
from tests.cli.test_deck_enrol import Home
from tests.intake.pictures import exposed, save, table

ROWS = ("eagle furs stern chief:red", "totem chief:black bow wigwam")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A deck of eight cards, two of them named with their number."""
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    save(table(list(ROWS)), tmp_path / "sheet.jpg")
    home = Home(tmp_path, tmp_path)
    named = (
        " ".join(ROWS).replace("chief:red", "chief:red=3").replace("chief:black", "chief:black=3")
    )
    done = home.enrol("--game", "up-the-creek", "--sheet", f"sheet.jpg={named}")
    assert done.code == 0, done.err
    assert "chief counts 3" in done.out
    assert "Quality: 17 %, 8 of 46 cards have a good picture" in done.out
    return home


def confirm(home: Home) -> int:
    """Learns cards of another photo as confirmed at the table."""
    from companion.intake.cutting import Proposer

    image = exposed(table(list(ROWS), tilt=0.08), 1.8)
    photo = open_photo(save(image, home.photos / "t.png"))
    found = Proposer(pupil("free", "none", replacing=False)).propose(photo.name).outlines
    faces = " ".join(ROWS).split()
    cuts = [Cut(face, photo, o.region) for face, o in zip(faces, found, strict=True)]
    return len(learn_cuts(pupil_at_table("ours"), cuts, TABLE).added)


def test_how_good_a_deck_is(home: Home) -> None:
    shown = home.json("deck", "show", "ours")
    quality = shown["quality"]
    assert (quality["cards"], quality["good"], quality["percent"]) == (46, 8, 17)
    assert sorted(quality["single"]) == sorted(face["card"] for face in shown["faces"])
    assert quality["again"] == []
    assert ["chief:red=3", "chief:black=3"] in [alike["cards"] for alike in quality["alike"]]
    assert shown["confirmed"] == ""
    said = home.run("deck", "show", "ours").out
    assert "8 cards have only one; a second photo" in said
    assert "Hard to tell apart" in said
    assert "At your table" not in said
    assert home.json("deck", "show", "up-the-creek")["quality"] is None


def test_the_number_is_in_the_deck_file(home: Home) -> None:
    assert "[strengths]\nchief = 3\n" in (home.decks / "ours.toml").read_text()


def test_one_picture_and_one_card_are_removed(home: Home) -> None:
    gone = home.run("deck", "remove", "ours", "--card", "furs.1")
    assert (gone.code, gone.out.strip()) == (0, "ours: 1 picture of furs forgotten")
    assert "furs" in home.json("deck", "show", "ours")["missing"]
    assert home.run("deck", "remove", "ours", "--card", "chief:red=3").code == 0
    wrong = home.run("deck", "remove", "ours", "--card", "furs")
    assert wrong.code == 2
    assert "furs has no picture in ours" in wrong.err
    assert home.run("deck", "remove", "ours", "--card", "eagel").code == 2


def test_only_the_number_of_a_card_is_removed(home: Home) -> None:
    assert "--card" in home.run("deck", "remove", "ours", "--number").err
    done = home.run("deck", "remove", "ours", "--card", "chief", "--number")
    assert (done.code, done.out.strip()) == (
        0,
        "ours: chief:red=3, chief:black=3: the numbers are forgotten, the pictures stay",
    )
    assert "chief = 3" not in (home.decks / "ours.toml").read_text()
    cards = [face["card"] for face in home.json("deck", "show", "ours")["faces"]]
    assert "chief:red" in cards and "chief:black" in cards and len(cards) == 8
    again = home.run("deck", "remove", "ours", "--card", "chief", "--number")
    assert again.code == 2 and "no number was told with chief in ours" in again.err


def test_what_the_table_taught_is_forgotten(home: Home) -> None:
    learnt = confirm(home)
    assert learnt > 0
    origins = [
        r["origin"] for f in home.json("deck", "show", "ours")["faces"] for r in f["references"]
    ]
    assert origins.count("table") == learnt
    assert "say --yes" in home.run("deck", "forget", "ours").err
    done = home.run("deck", "forget", "ours", "--yes")
    assert done.code == 0
    assert f"forgotten are {learnt} picture" in done.out
    left = (home.decks / "ours" / "album.json").read_text()
    assert "table" not in {r.get("origin") for r in json.loads(left)["references"]}
    assert "nothing was learnt" in home.run("deck", "forget", "ours", "--yes").out
    assert home.run("deck", "forget", "nothing-of-mine", "--yes").code == 2
