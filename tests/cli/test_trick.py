"""`companion scan --deck standard-52`, with `--trick` and `--letters`, by the real command."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import Run, companion
from tests.vision.standard import photo


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the photo of a trick, and one of Dutch cards."""
    folder = tmp_path_factory.mktemp("trick")
    (folder / "trick.jpg").write_bytes(photo([["9C", "AH", "JC", "10C"]], 12).jpeg)
    (folder / "dutch.jpg").write_bytes(photo([["JS", "QH", "KD"]], 13, letters="BVH").jpeg)
    return folder


def scan(home: Path, *words: str) -> Run:
    return companion(home, "scan", *words, "--deck", "standard-52")


def test_the_winner_is_named(home: Path) -> None:
    done = scan(home, "trick.jpg", "--trick", "Ana Ben Cleo Dan")
    assert (done.code, done.err) == (0, "")
    assert "Trick: Ana 9C, Ben AH, Cleo JC, Dan 10C" in done.out
    assert "Cleo takes it." in done.out


def test_the_trick_stands_in_json(home: Path) -> None:
    done = scan(home, "trick.jpg", "--json", "--trick", "Dan, Ana Maria, Ben, Cleo")
    trick = json.loads(done.out)["trick"]
    assert trick["winner"] == "Ben"
    assert [play["player"] for play in trick["plays"]] == ["Dan", "Ana Maria", "Ben", "Cleo"]
    assert [play["card"] for play in trick["plays"]] == ["9C", "AH", "JC", "10C"]
    assert trick["problems"] == []


def test_too_few_cards_are_told_in_words(home: Path) -> None:
    done = scan(home, "trick.jpg", "--trick", "Ana Ben Cleo Dan Eva")
    assert done.code == 0
    assert "5 players are named, but 4 cards are seen" in " ".join(done.out.split())
    assert "takes it" not in done.out


def test_letters_of_another_language(home: Path) -> None:
    done = scan(home, "dutch.jpg", "--json", "--letters", "bvh")
    (row,) = json.loads(done.out)["rows"]
    assert [card["card"] for card in row["cards"]] == ["JS", "QH", "KD"]
