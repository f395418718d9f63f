"""`companion scan` by the real command: photos in, rows, positions and scores out; all that goes wrong."""

import json
import os
import tomllib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.cli.test_commands import Run, companion
from tests.intake.pictures import ACROSS, LEFT, WIDE, Image, save, table

ANA = ["bow paddler-1:red bear-a bear-b bear-hunter stern", ". . totem eagle . furs"]
BEN = ["bow eagle # stern", ". bow wigwam stern"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with photos and what is none."""
    folder = tmp_path_factory.mktemp("scan")
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "drawn-once"
    cache.mkdir(exist_ok=True)
    (folder / "cache").symlink_to(cache)
    save(table(ANA), folder / "ana.jpg")
    save(table(BEN), folder / "ben.jpg")
    save(table(["chest-white chest-red chest-red", ". key-blue"], "gold-up"), folder / "gold.png")
    save(table(["bow eagle stern", ". bow stern"]), folder / "two.jpg")
    (folder / "text.jpg").write_text("no photo")
    (folder / "decks").mkdir()
    (folder / "decks" / "our-gold.toml").write_text(
        'extends = "gold-up"\nvalues = { white = 2, red = 4 }\n'
    )
    _teach(folder, "our-gold", "--sheet", "gold.png=white red red key-blue")
    sheet = ("--sheet", "ben.jpg=bow eagle ? stern bow wigwam stern")
    _teach(folder, "few", "--game", "up-the-creek", *sheet)
    return folder


def _teach(folder: Path, *words: str) -> None:
    env = {"COMPANION_DECKS": str(folder / "decks")}
    done = companion(folder, "deck", "enrol", *words, env=env)
    assert done.code == 0, done.err


def scan(home: Path, *words: str, stdin: bytes = b"") -> Run:
    """Runs it with decks and cache in the folder."""
    env = {"COMPANION_DECKS": str(home / "decks"), "XDG_CACHE_HOME": str(home / "cache")}
    return companion(home, "scan", *words, stdin=stdin, env=env)


@pytest.fixture(scope="module")
def both(home: Path) -> tuple[Run, list[dict[str, Any]]]:
    """Two players' photos, one that is missing and one that is none, in one command."""
    done = scan(
        home,
        *("--player", "Ana", "ana.jpg", "anna.jpg", "--player=Ben 🛶", "ben.jpg", "text.jpg"),
        *("--deck", "up-the-creek", "--json", "--score", "--jobs", "2"),
        *("--annotated", "seen.png", "--position", "table.toml"),
    )
    return done, [json.loads(line) for line in done.out.splitlines()]


def names(document: dict[str, Any]) -> list[list[str | None]]:
    return [[card["card"] for card in row["cards"]] for row in document["rows"]]


def test_documents_one_a_line_in_the_order_given(both: tuple[Run, list[dict[str, Any]]]) -> None:
    done, (ana, missing, ben, text) = both
    assert done.code == 2
    assert done.err == ""
    assert names(ana) == [[n for n in row.split() if n != "."] for row in ANA]
    assert [card["column"] for card in ana["rows"][1]["cards"]] == [3, 4, 6]
    assert names(ben) == [["bow", "eagle", None, "stern"], ["bow", "wigwam", "stern"]]
    assert missing["error"] == ["there is no such file; did you mean ana.jpg?"]
    assert missing["photo"] == "anna.jpg"
    assert text["error"][0].startswith("is text; give a photo")
    assert {"photo", "deck", "seconds", "rows", "warnings"} <= set(ana)
    assert 0 < ana["seconds"] < 30


def test_a_card_of_the_document(both: tuple[Run, list[dict[str, Any]]]) -> None:
    _, (ana, _, ben, _) = both
    eagle = ana["rows"][1]["cards"][1]
    assert (eagle["card"], eagle["sure"], eagle["number"]) == ("eagle", True, None)
    assert eagle["alternatives"][0] == ["eagle", eagle["confidence"]]
    box = np.array(eagle["box"])
    assert box.shape == (4, 2)
    assert 150 < (box[1] - box[0])[0] < 200
    assert 220 < (box[3] - box[0])[1] < 270
    strange = ben["rows"][0]["cards"][2]
    assert [card["place"] for row in ben["rows"] for card in row["cards"]] == [*range(1, 8)]
    assert (strange["card"], strange["sure"], strange["alternatives"]) == (None, False, [])


def test_scores_of_the_players(both: tuple[Run, list[dict[str, Any]]]) -> None:
    """A missing photo of Ana, an unnamed card and a broken photo of Ben leave both totals open."""
    _, (ana, missing, ben, text) = both
    (hers,), (his,) = ana["players"], ben["players"]
    assert (hers["name"], hers["total"], hers["lowest"], hers["highest"]) == ("Ana", None, 96, None)
    assert sum(line["points"] for line in hers["lines"]) == 6 + 90
    assert (his["name"], his["total"], his["lowest"], his["highest"]) == ("Ben 🛶", None, 13, None)
    assert [(d["row"], d["column"], d["card"]) for d in his["deciding"]] == [(1, 3, None)]
    assert "anna.jpg could not be read" in json.dumps(ana["notes"])
    assert missing["players"] == ana["players"]
    assert text["players"] == ben["players"]


def test_the_position_file(home: Path, both: tuple[Run, list[dict[str, Any]]]) -> None:
    text = (home / "table.toml").read_text("utf-8")
    assert tomllib.loads(text)["players"] == [
        {"name": "Ana", "rows": ANA},
        {"name": "Ben 🛶", "rows": ["bow eagle . stern", ". bow wigwam stern"]},
    ]
    assert "# ? row 1, column 3: a card without a name" in text
    scored = companion(home, "score", "table.toml", "--json")
    assert [p["total"] for p in json.loads(scored.out)["players"]] == [96, 13]


def test_copies_with_boxes(home: Path, both: tuple[Run, list[dict[str, Any]]]) -> None:
    """One a photo that was read, drawn over where the cards are."""
    assert not (home / "seen-2.png").exists()
    before, after = (cv2.imread(str(home / name)) for name in ("ben.jpg", "seen-3.png"))
    assert before is not None and after is not None and before.shape == after.shape
    changed = np.abs(before.astype(int) - after.astype(int)).max(axis=2) > 60
    assert 0.005 < changed.mean() < 0.1
    assert not changed[:40].any()


def test_words_for_people(home: Path) -> None:
    done = scan(home, "ben.jpg", "--deck", "few", "--score", "--annotated", "here")
    assert done.code == 0
    lines = [line.replace("\N{NO-BREAK SPACE}", " ") for line in done.out.splitlines()]
    assert lines[0].startswith("ben.jpg: 7 cards in 2 rows, ")
    assert lines[1:3] == [
        "  Row 1: 1 bow  2 eagle  3 ??  4 stern",
        "  Row 2: .  5 bow  6 wigwam  7 stern",
    ]
    assert "    3 ?? (column 3): looks like no card of the deck" in lines
    assert "Player 1: 13 points or more; 13 as read" in lines
    assert "  Decides: row 1, column 3 (3 in ben.jpg): a card without a name" in lines
    assert (home / "here").read_bytes()[:2] == b"\xff\xd8"


def test_more_than_three_rows_and_standard_input(home: Path) -> None:
    """Two photos of one player: four rows, all listed; one of the photos is piped in."""
    photo = (home / "two.jpg").read_bytes()
    done = scan(
        home,
        "two.jpg",
        "-",
        "--deck",
        "few",
        "--json",
        "--score",
        "--jobs",
        "1",
        stdin=photo,
    )
    first, second = (json.loads(line) for line in done.out.splitlines())
    assert done.code == 0
    assert names(first) == names(second)
    assert first["warnings"] == []
    assert second["warnings"][-1]["code"] == "too-many-rows"
    (player,) = second["players"]
    assert (player["total"], player["lowest"], player["highest"]) == (None, 30, 30)
    assert {line["row"] for line in player["lines"]} == {1, 2, 3, 4}


def test_chests_of_gold_up(home: Path) -> None:
    """Coins a colour come from the household's deck file."""
    done = scan(home, "gold.png", "--deck", "our-gold", "--score", "--position", "gold.toml")
    assert done.code == 0
    assert "Player 1: 10 coins" in done.out
    raw = tomllib.loads((home / "gold.toml").read_text("utf-8"))
    assert raw["deck"] == "our-gold"
    assert raw["hands"] == [{"chests": {"Player 1": ["chest-white", "chest-red", "chest-red"]}}]


def test_boxes_are_in_pixels_of_the_file(home: Path) -> None:
    """A photo of more pixels than are worked on: boxes are where the cards are in the file."""
    small = table(["chest-white . chest-red"], "gold-up")
    scale = (30_000_000 / (small.shape[0] * small.shape[1])) ** 0.5
    large: Image = np.asarray(cv2.resize(small, None, fx=scale, fy=scale), np.uint8)
    save(large, home / "large.jpg")
    done = scan(home, "large.jpg", "--deck", "gold-up", "--json")
    white, red = json.loads(done.out)["rows"][0]["cards"]
    assert (white["card"], red["card"], red["column"]) == ("chest-white", "chest-red", 3)
    middle = np.mean(red["box"], axis=0)
    assert abs(middle[0] / large.shape[1] - (LEFT + 2 * ACROSS + WIDE / 2) / small.shape[1]) < 0.03


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["x.jpg", "--deck", "up-teh-creek"], "did you mean up-the-creek?"),
        (["x.jpg", "--deck", "standard-52"], "there is no such file"),
        (["x.jpg", "--deck", "standard-52", "--letters", "XYZ"], "use JQK, BVH, BDK or VDR"),
        (["x.jpg", "--deck", "standard-52", "--trick", "Ana"], "1 player is named"),
        (["x.jpg", "--deck", "gold-up", "--trick", "Ana Ben"], "no deck that tricks are played"),
        (["x.jpg", "--deck", "../decks"], "there is no deck ../decks"),
        (["--deck", "up-the-creek"], "Missing argument 'PHOTO...'"),
        (["x.jpg"], "Missing option '--deck'"),
        (["x.jpg", "--deck", "gold-up", "--player", "Ana"], "no photo follows Ana"),
        (["x.jpg", "--deck", "gold-up", "--player"], "requires an argument"),
        (["--player", " ", "x.jpg", "--deck", "gold-up"], "--player: an empty name"),
        (["--player", "A\nB", "x.jpg", "--deck", "gold-up"], "control character"),
        (["--player", "Ana", "--deck", "gold-up"], "no photo is named"),
        (["x.jpg", "--deck", "gold-up", "--position", "no/where.toml"], "no folder no"),
        (["x.jpg", "--deck", "gold-up", "--position", "decks"], "decks is a folder"),
        (["x.jpg", "--deck", "gold-up", "--annotated", "no/where.jpg"], "no folder no"),
        (["x.jpg", "--deck", "gold-up", "--jobs", "-1"], "--jobs: -1"),
        (["-", "-", "--deck", "gold-up"], "standard input: is named twice"),
    ],
)
def test_all_that_is_wrong_with_the_words(home: Path, words: list[str], said: str) -> None:
    done = scan(home, *words)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


def test_photos_that_are_none(home: Path) -> None:
    """Each is told, and with none read no position is written."""
    done = scan(home, "decks", "text.jpg", "--deck", "gold-up", "--position", "none.toml")
    assert done.code == 2
    assert done.err.splitlines() == [
        "decks: is a folder; name the photos in it",
        "text.jpg: is text; give a photo: JPEG, PNG, HEIC, AVIF, WebP, TIFF, GIF or BMP",
        "none.toml: not written, since no card was read",
    ]
    assert not (home / "none.toml").exists()


def test_a_deck_file_without_pictures(home: Path) -> None:
    """Cards printed from the shipped drawings are known by these; the file tells their coins."""
    (home / "decks" / "plain.toml").write_text(
        'extends = "gold-up"\nvalues = { white = 3, red = 5 }\n'
    )
    done = scan(home, "gold.png", "--deck", "plain", "--score", "--json")
    document = json.loads(done.out)
    assert names(document) == [["chest-white", "chest-red", "chest-red"], ["key-blue"]]
    assert document["players"][0]["total"] == 13
