"""The sample photographs by the real command: their cards and places as composed, their scores as worked out by hand."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.vision import tesseract
from tests.bench.sight import measure

ROOT = Path(__file__).parents[1]
SHORT = "samples/photos"
PHOTOS = ROOT / SHORT
CREEK, GOLD, NAMES = "up-the-creek", "our-gold", "names"
POINTS = {
    "creek-ana": (16 + 90 + 10 + 10) + (4 + 10 + 10) + (4 + 10),
    "creek-ben": (6 + 90) + (5 + 40) + (18 + 10 + 10 + 4 * 10),
    "creek-overlapping": 16 + 90,
    "creek-glare": 6 + 10 + 40,
    "gold-chests": 3 * 2 + 2 * 4 + 5 + 6 + 8 + 10,
}
"""The same working stands in words in `samples/photos/README.md`."""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The drawn decks, made once for all processes of a test run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "drawn-once"
    folder.mkdir(exist_ok=True)
    return folder


def scan(cache: Path, *words: str) -> list[dict[str, Any]]:
    """The documents of the real command."""
    told = {k: v for k, v in os.environ.items() if k != "COMPANION_DEBUG"}
    decks = str(PHOTOS / "decks")
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli.main", "scan", *words, "--json"],
        cwd=ROOT,
        env={**told, "XDG_CACHE_HOME": str(cache), "COMPANION_DECKS": decks},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def truth(name: str) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((PHOTOS / f"{name}.json").read_text("utf-8"))
    return known


def rows(document: dict[str, Any]) -> list[str]:
    """The rows as they are written, `.` for an empty place."""
    return [_row(row["cards"]) for row in document["rows"]]


def _row(cards: list[dict[str, Any]]) -> str:
    by_column = {card["column"]: str(card["card"]) for card in cards}
    return " ".join(by_column.get(column, ".") for column in range(1, max(by_column) + 1))


def check(name: str, document: dict[str, Any]) -> measure.Counts:
    """Every card by its place, with its row and column; what is printed in a ring at most unread."""
    known = truth(name)
    score = measure.composed([{**c, "name": c["card"]} for c in known["cards"]], document)
    count = score.counts
    assert [f for f in score.faults if f.kind != "flagged"] == []
    assert count.right == count.in_place == count.cards == len(known["cards"])
    assert count.numbers == count.numbers_right
    assert rows(document) == known["rows"]
    return count


@pytest.mark.parametrize(
    ("deck", "players"),
    [
        (CREEK, {"Ana": "creek-ana", "Ben": "creek-ben"}),
        (CREEK, {"Cleo": "creek-overlapping", "Dan": "creek-glare"}),
        (GOLD, {"Player 1": "gold-chests"}),
    ],
    ids=["tables", "hard", "chests"],
)
def test_cards_and_scores(deck: str, players: dict[str, str], cache: Path) -> None:
    """Each photo counts for whom it is said to show."""
    words = [w for who, name in players.items() for w in ("--player", who, f"{SHORT}/{name}.jpg")]
    documents = scan(cache, *words, "--deck", deck, "--score", "--jobs", "1")
    for (who, name), document in zip(players.items(), documents, strict=True):
        count = check(name, document)
        assert count.flagged <= 0.2 * count.cards
        (player,) = document["players"]
        unsure = [card for row in document["rows"] for card in row["cards"] if not card["sure"]]
        assert player["name"] == who
        assert sum(line["points"] for line in player["lines"]) == POINTS[name]
        assert player["total"] == (None if unsure else POINTS[name])
        assert player["lowest"] <= POINTS[name] <= player["highest"]


@pytest.mark.skipif(not tesseract.available(), reason="tesseract is not there")
def test_by_the_names_printed_on_them(cache: Path) -> None:
    """A deck without pictures: what is sure is right, and most of it is sure."""
    (document,) = scan(cache, f"{SHORT}/creek-titles.jpg", "--deck", NAMES)
    known = truth("creek-titles")
    score = measure.composed([{**c, "name": c["card"]} for c in known["cards"]], document)
    assert score.counts.found == 8
    assert score.counts.silent == score.counts.ghosts == 0
    assert score.counts.right - score.counts.flagged >= 6
    assert score.counts.in_place == 8


@pytest.fixture(scope="module")
def titled(cache: Path) -> dict[str, Any]:
    """Cards of `companion deck print --titles`, read by the deck's drawings."""
    (document,) = scan(cache, f"{SHORT}/creek-titles.jpg", "--deck", CREEK)
    return document


def test_titles_do_not_hide_the_drawings(titled: dict[str, Any]) -> None:
    check("creek-titles", titled)


def test_a_deck_printed_with_titles_is_the_deck(titled: dict[str, Any]) -> None:
    assert "other-deck" not in [warning["code"] for warning in titled["warnings"]]
    assert check("creek-titles", titled).flagged <= 1


def test_the_photographs_are_small_and_their_truth_is_whole() -> None:
    files = sorted(PHOTOS.glob("*.jpg"))
    assert len(files) == 6
    for file in files:
        assert file.stat().st_size <= 350_000
        known = truth(file.stem)
        lying = [
            (row, column, name)
            for row, line in enumerate(known["rows"], 1)
            for column, name in enumerate(line.split(), 1)
            if name != "."
        ]
        assert [(c["row"], c["column"], c["card"]) for c in known["cards"]] == lying
        assert np.array([c["corners"] for c in known["cards"]]).min() > 0


def test_the_readme_tells_the_scores() -> None:
    text = (PHOTOS / "README.md").read_text("utf-8")
    for name, points in POINTS.items():
        (line,) = [at for at in text.splitlines() if at.startswith(f"| `{name}.jpg`")]
        assert line.split("|")[3].split()[0] == str(points)
