"""Cards named by their titles, on composed photographs, with the real tesseract where it is installed."""

from collections import Counter

import numpy as np
import pytest

from card_catalog.loader import shipped_deck
from companion.vision import tesseract
from companion.vision.geometry import Pyramid, Quad, iou
from companion.vision.tesseract import Word
from companion.vision.titles import Names, TitleReader, title_of
from tests.bench.sight.compose import Condition, Photo
from tests.vision.printed import photo, quad_of

with_tesseract = pytest.mark.skipif(not tesseract.available(), reason=tesseract.why_not() or "-")
CREEK = "up-the-creek"
NAMES = Names(shipped_deck(CREEK))


def words(text: str, confidence: float = 0.95) -> list[Word]:
    """Words of one line, as tesseract tells them."""
    found, x = [], 20
    for word in text.split():
        found.append(Word(word, confidence, (x, 20, x + 18 * len(word), 50)))
        x += 18 * len(word) + 12
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Bow (front)", "bow"),
        ("Lookout (bow)", "paddler-bow"),
        ("Bow & Arrows", "bow-and-arrows"),
        ("BOW & ARROWS", "bow-and-arrows"),
        ("Steersman (stern)", "paddler-stern"),
        ("2 Paddlers", "paddlers-2"),
        ("Bear (front half)", "bear-a"),
        ("| Baar (back half) ~", "bear-b"),
        ("Bear Hunter", "bear-hunter"),
        ("Woman", "squaw"),
        ("Tomahawk", "wild-axe"),
    ],
)
def test_a_title_names_its_card(text: str, kind: str) -> None:
    title = NAMES.title(words(text))
    assert title.sure, title
    assert title.matches[0].kind == kind


@pytest.mark.parametrize(
    "text",
    ["Bow", "front", "(front half)", "back half)", "Hunter", "Paddler", "Paddlers", "stern", "1 Paddlers",
     "the Chief may be stolen by", "Ax", "10", "Gold", "Buffalo"],
)  # fmt: skip
def test_part_of_a_title_or_a_mention_of_it_is_not_sure(text: str) -> None:
    assert not NAMES.title(words(text)).sure


def test_a_short_name_found_in_a_drawing_is_not_sure() -> None:
    assert not NAMES.title(words("Tent", 0.31)).sure
    assert not NAMES.title(words("Furs", 0.3)).sure
    assert NAMES.title(words("Furs", 0.9)).sure


def test_a_title_in_two_lines_is_one() -> None:
    upper, lower = words("Buffalo"), words("Hunter")
    lower = [w._replace(box=(w.box[0], 56, w.box[2], 86)) for w in lower]
    title = NAMES.title(upper + lower)
    assert title.sure
    assert title.matches[0].kind == "buffalo-hunter"


def result(taken: Photo, deck: str = CREEK) -> tuple[Counter[str], list[object]]:
    """How the cards of a photo were read, and what was not right."""
    seen = TitleReader(shipped_deck(deck)).read(taken.image).sightings
    found: Counter[str] = Counter()
    faults: list[object] = []
    for card in taken.cards:
        quad = np.array(card.corners, np.float32)
        near = [s for s in seen if iou(quad_(s.region), quad) > 0.6]
        if not near:
            kind = "missing"
        elif near[0].face == card.name and near[0].sure:
            kind = "right"
        else:
            kind = "silent" if near[0].sure else "unsure"
        if near and near[0].number not in (None, card.number):
            found["wrong number"] += 1
        found[kind] += 1
        if kind != "right":
            faults.append((card.name, near))
    found["more"] = len(seen) - len(taken.cards) + found["missing"]
    return found, faults


def quad_(region: object) -> Quad:
    """A sighting's region as a quad."""
    return np.array(region, np.float32)


ROWS = [
    ["bow", "paddlers-2:red=5", "bear-a", "bear-b", "bear-hunter", "paddler-stern:black"],
    ["paddler-bow:red", "bow-and-arrows:black=3", "wigwam", None, "totem", "stern"],
    ["lasso:red", "furs", "dynamite", "gold-a", "chief:black=4", "shaman:red"],
]
LONG = [
    "bow", "paddler-1:red", "eagle", "horse-a", "horse-b", "cowboy", "tobacco", "middle", "firewater",
    "logs-a", "logs-b", "lumberjack", "chief:red=6", "stern",
]  # fmt: skip


@with_tesseract
@pytest.mark.parametrize(
    ("rows", "condition", "least"),
    [
        (ROWS[1:2], Condition(tables=("cloth",), any_way=0.5, long_side=2000), 4),
        (ROWS, Condition(tables=("wood",), gap=(0.05, 0.15), long_side=2400), 15),
        ([LONG], Condition(gap=(0.06, 0.12), turn=2.5, long_side=3000, tilt=(0, 6)), 11),
    ],
    ids=["one row, a gap, upside down", "three rows", "fourteen"],
)
def test_titles_are_read_or_left_open_but_never_wrong(
    rows: list[list[str | None]], condition: Condition, least: int
) -> None:
    found, faults = result(photo(CREEK, rows, condition, seed=21, titled=True))
    assert (found["silent"], found["wrong number"], found["more"]) == (0, 0, 0), faults
    assert found["right"] >= least, faults


@with_tesseract
def test_cards_without_titles_are_listed_without_a_name() -> None:
    taken = photo(CREEK, [["eagle", "bear-a", "furs", "totem"]], Condition(long_side=1600), seed=9)
    seen = TitleReader(shipped_deck(CREEK)).read(taken.image).sightings
    assert len(seen) == 4
    assert not any(s.sure for s in seen)


@with_tesseract
def test_the_witness_names_one_card() -> None:
    taken = photo(
        CREEK, [["eagle", "bear-b", "shaman:red"]], Condition(long_side=1600), seed=6, titled=True
    )
    pyramid, deck = Pyramid(taken.image), shipped_deck(CREEK)
    told = [title_of(pyramid, quad_of(card.corners, 0.01), deck) for card in taken.cards]
    assert [kind for kind, _ in told] == ["eagle", "bear-b", "shaman"]
    assert min(certain for _, certain in told) >= 0.9


def test_without_tesseract_there_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "program", lambda: tesseract.Program(trouble="none here"))
    reading = TitleReader(shipped_deck(CREEK)).read(np.zeros((300, 400, 3), np.uint8))
    assert reading.rows == ()
    assert [(w.code, w.text) for w in reading.warnings] == [("no-ocr", "none here")]


@with_tesseract
def test_an_empty_table_shows_nothing() -> None:
    reading = TitleReader(shipped_deck(CREEK)).read(np.full((600, 800, 3), 90, np.uint8))
    assert reading.rows == ()
