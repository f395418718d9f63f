"""`companion deck enrol`, `list`, `show`, `remove`, and photos read with a deck that was enrolled."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import UnusableInput
from companion.intake.enrolment import Names, from_list
from tests.cli.test_commands import Run, companion
from tests.intake.pictures import WIDE, card, save, table

SHEET = "bow eagle furs stern totem"


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sheets, single cards, and what cannot be used."""
    folder = tmp_path_factory.mktemp("photos")
    save(table(["bow eagle furs", "stern totem"]), folder / "sheet.jpg")
    save(table(["bow eagle furs", "stern totem"], tilt=0.06), folder / "again.jpg")
    single = folder / "single"
    single.mkdir()
    for name in ("wigwam", "paddlers-2--red", "medicine-man--black.1", "eagel"):
        drawn = name.split(".")[0].replace("--", ":").replace("medicine-man", "shaman")
        save(table([drawn if drawn != "eagel" else "eagle"]), single / f"{name}.jpg")
    save(card("lasso:red"), single / "lasso--red.png")  # a scan, cut to the card
    save(table([". ."]), single / "squaw.jpg")  # nothing lies there
    (single / "notes.txt").write_text("ours")
    (single / ".hidden").write_text("")
    return folder


class Home:
    """A folder for the household's decks, and the commands run with it."""

    def __init__(self, folder: Path, photos: Path) -> None:
        self.decks = folder / "decks"
        self.photos = photos

    def run(self, *words: str) -> Run:
        env = {"COMPANION_DECKS": str(self.decks)}
        return companion(self.photos, *words, env=env)

    def enrol(self, *words: str) -> Run:
        return self.run("deck", "enrol", "ours", *words)

    def json(self, *words: str) -> Any:
        done = self.run(*words, "--json")
        assert done.code == 0, done.err
        return json.loads(done.out)

    def files(self) -> set[str]:
        return {path.name for path in (self.decks / "ours").iterdir()}


@pytest.fixture
def home(tmp_path: Path, photos: Path) -> Home:
    return Home(tmp_path, photos)


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory, photos: Path) -> Home:
    """A deck that a sheet taught; not to be changed."""
    home = Home(tmp_path_factory.mktemp("taught"), photos)
    done = home.enrol("--game", "up-the-creek", "--sheet", f"sheet.jpg={SHEET}")
    assert done.code == 0, done.err
    return home


def test_a_sheet(taught: Home) -> None:
    assert (taught.decks / "ours.toml").read_text().splitlines()[1:] == [
        'extends = "up-the-creek"',
        'title = "Up the Creek: ours"',
    ]
    assert taught.files() == {f"{name}.1.png" for name in SHEET.split()} | {"album.json"}
    shown = taught.json("deck", "show", "ours")
    assert [face["card"] for face in shown["faces"]] == SHEET.split()
    assert shown["faces"][0]["references"] == [
        {"file": "bow.1.png", "photo": "sheet.jpg", "doubts": [], "origin": "enrolled"}
    ]
    assert abs(shown["aspect"] - 88 / 63) < 0.06
    assert len(shown["missing"]) == 46 - 5
    rows = {row["id"]: row for row in taught.json("deck", "list")}
    assert (rows["ours"]["cards"], rows["ours"]["learnt"], rows["ours"]["references"]) == (46, 5, 5)
    assert not rows["ours"]["shipped"]
    assert (rows["gold-up"]["references"], rows["standard-52"]["references"]) == (15, 0)


def test_scanning_with_it(taught: Home) -> None:
    save(table(["bow eagle stern", ". totem . furs"]), taught.photos / "scene.jpg")
    done = taught.run(
        *("scan", "scene.jpg", "--deck", "ours", "--json", "--score"),
        *("--position", str(taught.decks / "p.toml")),
    )
    document = json.loads(done.out)
    assert [[c["card"] for c in row["cards"]] for row in document["rows"]] == [
        ["bow", "eagle", "stern"],
        ["totem", "furs"],
    ]
    assert document["players"][0]["total"] == 13
    text = (taught.decks / "p.toml").read_text()
    assert 'deck = "ours"' in text
    assert taught.run("score", str(taught.decks / "p.toml")).code == 0


def test_files_named_by_their_card(home: Home) -> None:
    """Aliases are normalised; what cannot be used is told, and the rest is learnt."""
    done = home.enrol("--game", "up-the-creek", "--from", "single")
    assert done.code == 0
    assert home.files() == {
        *("wigwam.1.png", "paddlers-2--red.1.png", "shaman--black.1.png", "lasso--red.1.png"),
        "album.json",
    }
    lines = done.err.splitlines()
    assert lines[0] == "Not used: 3 photos"
    assert any("eagel.jpg: unknown card eagel; did you mean eagle?" in line for line in lines)
    assert any("squaw.jpg: no card's outline is found" in line for line in lines)
    assert any("notes.txt: is no picture" in line for line in lines)
    assert "Still without a picture: 42 cards" in done.out


def test_adding_learning_again_and_replacing(home: Home) -> None:
    first = ("--sheet", f"sheet.jpg={SHEET}")
    home.enrol("--game", "up-the-creek", *first)
    toml = home.decks / "ours.toml"
    toml.write_text(toml.read_text() + "strengths = { chief = 3 }\n")
    added = home.enrol("--sheet", f"again.jpg={SHEET.replace('totem', '?')}", *first)
    assert added.code == 0, added.err
    assert "now has 9 pictures of 5 cards" in added.out
    assert "in the place of 5 earlier pictures from the same photos" in added.out
    assert home.files() == {
        *(f"{name}.{number}.png" for name in SHEET.split() for number in (2, 3)),
        "album.json",
    } - {"totem.3.png"}
    replaced = home.enrol("--replace", "--sheet", f"again.jpg={SHEET}")
    assert replaced.code == 0
    assert home.files() == {f"{name}.1.png" for name in SHEET.split()} | {"album.json"}
    assert "strengths" in toml.read_text()
    removed = home.run("deck", "remove", "ours", "--yes")
    assert removed.code == 0
    assert "changed by hand, so it stays" in removed.out
    assert toml.is_file() and not (home.decks / "ours").exists()


def test_a_free_deck_and_its_removal(home: Home) -> None:
    """Any names; adding cards adds kinds; removal leaves nothing."""
    told = home.photos / "list.csv"
    told.write_text(
        "File;Cards;Order\nsheet.jpg;Herz As, Herz Zehn, wolf--x, a, B2;rows\n", "utf-8-sig"
    )
    assert home.enrol("--game", "none", "--sheets", "list.csv").code == 0
    assert "Herz As.1.png" in home.files()
    done = home.enrol("--from", "single/wigwam.jpg", "single/lasso--red.png")
    assert done.code == 0, done.err
    shown = home.json("deck", "show", "ours")
    assert (shown["game"], shown["missing"], shown["cards"]) == ("none", [], 7)
    assert {"Herz As", "wolf--x", "lasso--red"} <= {face["card"] for face in shown["faces"]}
    scanned = home.json("scan", "again.jpg", "--deck", "ours")
    assert scanned["rows"][0]["cards"][1]["card"] == "Herz Zehn"
    refused = home.run("scan", "again.jpg", "--deck", "ours", "--score")
    assert refused.code == 2 and "no game that this program scores" in refused.err
    assert home.run("deck", "remove", "ours").code == 2
    assert home.run("deck", "remove", "ours", "--yes").code == 0
    assert list(home.decks.iterdir()) == []


def test_names_mixed_up_with_those_of_before(taught: Home, home: Home) -> None:
    shutil.copytree(taught.decks, home.decks)
    done = home.enrol("--sheet", "again.jpg=eagle bow furs stern totem")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "looks more like bow: are the names mixed up?" in said
    assert "looks more like eagle: are the names mixed up?" in said
    assert said.count("mixed up?") == 2
    faces = home.json("deck", "show", "ours")["faces"]
    doubtful = {r["file"] for face in faces for r in face["references"] if r["doubts"]}
    assert doubtful == {"bow.2.png", "eagle.2.png"}


def test_photos_among_the_decks_own_pictures(home: Home) -> None:
    own = home.decks / "ours"
    own.mkdir(parents=True)
    mine = save(table(["eagle"]), own / "eagle.1.png")
    before = mine.read_bytes()
    for words in (["--from", str(own)], ["--sheet", f"{mine}=eagle"]):
        done = home.enrol("--game", "up-the-creek", *words)
        assert done.code == 2
        assert "lies in the folder of the deck ours; keep your photos in another folder" in done.err
    done = home.enrol("--game", "up-the-creek", "--sheet", f"sheet.jpg={SHEET}")
    assert "no part of the deck: eagle.1.png" in done.out
    assert mine.read_bytes() == before
    assert "eagle.2.png" in home.files()


def test_a_lock(home: Home) -> None:
    """One that another program holds is kept; one that was left behind is taken over."""
    lock = home.decks / ".ours.lock"
    home.decks.mkdir()
    lock.write_text(str(os.getpid()))
    words = ("--game", "up-the-creek", "--sheet", f"sheet.jpg={SHEET}")
    done = home.enrol(*words)
    assert done.code == 2
    assert "another program is changing the deck ours; wait until it is done" in done.err
    assert lock.read_text() == str(os.getpid())
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    lock.write_text(str(gone.pid))
    assert home.enrol(*words).code == 0
    assert not lock.exists()
    lock.write_text(str(os.getpid()))
    os.utime(lock, (0, 0))
    assert home.run("deck", "remove", "ours", "--yes").code == 0
    assert list(home.decks.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file,cards\na.jpg," + "Q" * 200_000, "line 2: is no CSV: field larger than"),
        ("file,cards\n\na.jpg,QC,KC", "line 3: has 3 columns, the first line 2; part the cards"),
        ("file,cards,Cards\na.jpg,QC,KC", "has the column cards more than once"),
        ("file,crads\na.jpg,QC", "no column cards (did you mean cards?), its columns are file, cr"),
        ("", "no column file and no column cards, it is empty; its first line is to be file,cards"),
    ],
)
def test_a_list_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(UnusableInput) as error:
        from_list(str(path), Names(None))
    assert said in str(error.value.faults[0])


def test_columns_that_are_empty(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("file;cards;;\na.jpg;QC KC;;;\n")
    assert from_list(str(tmp_path / "list.csv"), Names(None))[0].cards == ("QC", "KC")


def test_no_more_than_six_pictures_a_card(home: Home) -> None:
    for number in range(8):
        save(card("eagle")[number:, : WIDE - number], home.photos / f"eagle.{number}.png")
    paths = [f"eagle.{number}.png" for number in range(8)]
    done = home.enrol("--game", "up-the-creek", "--from", *paths)
    assert done.code == 0
    assert "it now has 6 pictures of 1 card," in done.out
    assert done.out.count("not kept, it has enough pictures") == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ours", "--from", "single"], "--game: ours is new, so its game is needed"),
        (["ours", "--game", "up-teh-creek", "--from", "single"], "did you mean up-the-creek?"),
        (["gold-up", "--game", "gold-up", "--from", "single"], "gold-up is a deck that ships"),
        (["our box", "--game", "none", "--from", "single"], "'our box' cannot be the name"),
        (["ours", "--game", "none"], "no photo is named"),
        (["ours", "--game", "none", "--sheet", "sheet.jpg"], "names no cards"),
        (["ours", "--game", "none", "--sheets", "no.csv"], "no.csv: there is no such file"),
        (["ours", "--game", "none", "--sheets", "bad.csv"], "bad.csv: line 2: unknown order z"),
        (
            ["ours", "--game", "none", "--sheets", "head.csv"],
            "has no column cards (did you mean cards?), its columns are file, card",
        ),
        (
            ["ours", "--game", "none", "--sheet", "sheet.jpg=a b c d e f"],
            "6 cards are named and",
        ),
        (["ours", "--game", "none", "--from", "nope.jpg"], "there is no such file"),
        (["ours", "--game", "none", "--sheet", "sheet.jpg=a/b c d e f"], "/ cannot stand in"),
    ],
)
def test_what_cannot_be_enrolled(home: Home, words: list[str], said: str) -> None:
    (home.photos / "bad.csv").write_text("file,cards,order\nsheet.jpg,a b,z\n")
    (home.photos / "head.csv").write_text("file,card\nsheet.jpg,a b\n")
    done = home.run("deck", "enrol", *words)
    assert done.code == 2
    assert said in done.err
    assert not home.decks.exists()


def test_a_broken_album_tells_every_fault(taught: Home, home: Home) -> None:
    shutil.copytree(taught.decks, home.decks)
    index = home.decks / "ours" / "album.json"
    (home.decks / "ours" / "bow.1.png").unlink()
    (home.decks / "ours" / "furs.1.png").write_text("no picture")
    index.write_text(index.read_text().replace('"face": "stern"', '"face": "stren"'))
    done = home.run("scan", "sheet.jpg", "--deck", "ours")
    assert done.code == 2
    assert "3 faults" in done.err
    assert "bow.1.png: there is no such file" in done.err
    assert "furs.1.png: is no readable picture" in done.err
    assert "unknown card stren; did you mean stern?" in done.err
    index.write_text("{")
    assert "is damaged" in home.run("deck", "show", "ours").err
    assert "cannot be used" in home.run("deck", "list").out
    assert home.enrol("--from", "single").code == 2
    again = home.enrol("--replace", "--sheet", f"sheet.jpg={SHEET}")
    assert again.code == 0, again.err


def test_shipped_decks_stay(home: Home) -> None:
    assert "it stays" in home.run("deck", "remove", "gold-up", "--yes").err
    assert "did you mean gold-up?" in home.run("deck", "remove", "goldup").err
    assert home.json("deck", "show", "gold-up")["missing"] == []
    assert len(home.json("deck", "show", "standard-52")["missing"]) == 52
