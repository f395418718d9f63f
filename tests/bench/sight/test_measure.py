"""The counting itself: a bench that counts wrongly is worse than none."""

from typing import Any

import numpy as np

from tests.bench.sight import measure
from tests.bench.sight.align import aligned
from tests.bench.sight.compose import Condition, compose


def box(x: float, y: float = 0) -> list[list[float]]:
    return [[x, y], [x + 60, y], [x + 60, y + 90], [x, y + 90]]


def truth(*names: str, visible: float = 1.0, pitch: float = 70) -> list[dict[str, Any]]:
    return [
        {"name": n, "corners": box(k * pitch), "row": 1, "column": k + 1, "visible": visible, "number": None}
        for k, n in enumerate(names)
    ]  # fmt: skip


def document(*cards: tuple[str | None, bool, float]) -> dict[str, Any]:
    listed = [
        {"card": name, "sure": sure, "box": box(x), "column": k + 1, "confidence": 0.9}
        for k, (name, sure, x) in enumerate(cards)
    ]
    return {"rows": [{"cards": listed}]}


def figures(score: measure.Score) -> tuple[int, ...]:
    c = score.counts
    return (c.cards, c.found, c.right, c.silent, c.flagged, c.ghosts)


def test_each_kind_of_answer_is_counted_once() -> None:
    said = document(
        ("eagle=3", True, 2), ("furs", False, 72), ("totem", True, 141), (None, False, 212), ("bow", True, 600)
    )  # fmt: skip
    score = measure.composed(truth("eagle", "furs", "bow", "wigwam", "stern"), said)
    assert figures(score) == (5, 4, 2, 2, 1, 1)
    assert [f.kind for f in score.faults] == ["flagged", "silent", "unnamed", "missed", "ghost"]


def test_a_right_name_at_another_place_is_not_right() -> None:
    score = measure.composed(
        truth("eagle", "furs"), document(("furs", True, 0), ("eagle", True, 70))
    )
    assert figures(score) == (2, 2, 0, 2, 0, 0)


def test_the_wrong_colour_is_wrong() -> None:
    score = measure.composed(truth("chief:red"), document(("chief:black", True, 0)))
    assert (score.counts.silent, score.counts.twins) == (1, 1)


def test_a_card_listed_twice_is_a_ghost() -> None:
    score = measure.composed(truth("eagle"), document(("eagle", True, 0), ("eagle", False, 3)))
    assert figures(score) == (1, 1, 1, 0, 0, 1)


def test_a_hidden_card_may_be_missed_but_not_misnamed() -> None:
    hidden = truth("eagle", visible=0.2)
    assert figures(measure.composed(hidden, document())) == (0, 0, 0, 0, 0, 0)
    assert figures(measure.composed(hidden, document(("eagle", True, 0)))) == (0, 0, 0, 0, 0, 0)
    assert figures(measure.composed(hidden, document(("furs", True, 0)))) == (0, 0, 0, 1, 0, 0)


def test_half_covered_neighbours_are_told_apart() -> None:
    cards = truth("eagle", "furs", "totem", pitch=30)
    score = measure.composed(cards, document(("eagle", True, 0), ("totem", True, 60)))
    assert figures(score) == (3, 2, 2, 0, 0, 0)


def test_lists_are_aligned_by_place() -> None:
    said = document(("A", True, 0), ("X", True, 70), ("C", True, 140), ("Y", True, 300))
    score = measure.listed(["A", "B", "C"], "x-centre", said)
    assert figures(score) == (3, 3, 2, 2, 0, 1)
    assert aligned("ABC", "AC") == [(0, 0), (1, None), (2, 1)]


def test_cards_above_each_other_may_stand_either_way() -> None:
    said = {"rows": [document(("B", True, 4))["rows"][0], document(("A", True, 0))["rows"][0]]}
    said["rows"][0]["cards"][0]["box"] = box(4, 200)
    assert figures(measure.listed(["B", "A"], "x-centre", said)) == (2, 2, 2, 0, 0, 0)


def test_sets_and_fans_know_no_place() -> None:
    said = document(("KH", True, 0), ("7C", True, 50))
    order = "front card first, then the card partly under it"
    assert figures(measure.listed(["QH", "KH"], order, said)) == (2, 2, 1, 1, 0, 0)
    twice = document(("KH", True, 0), ("KH", True, 50), ("7C", True, 90))
    assert figures(measure.fan(["QH", "KH"], twice)) == (2, 1, 1, 1, 0, 1)


def test_a_seed_is_a_photo_and_cards_lie_where_the_truth_says() -> None:
    card = np.full((90, 60, 4), 255, np.uint8)
    pictures = {"a": card, "b": card}
    condition = Condition(tables=("dark",), long_side=400, gap=(-0.5, -0.5), jitter=0, turn=0)
    one, two = (
        compose(pictures, [["a", "b", None, "a"]], condition, np.random.default_rng(5))
        for _ in "12"
    )
    assert one.jpeg == two.jpeg
    shares = sorted(c.visible for c in one.cards)
    assert 0.4 < shares[0] < 0.6 and shares[1] > 0.95
    for placed in one.cards:
        x, y = np.mean(placed.corners, axis=0).astype(int)
        assert one.image[y, x].mean() > 120
    assert [c.column for c in one.cards] == [1, 2, 4]
