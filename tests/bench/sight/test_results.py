"""The section of RESULTS.md: sums and shares, causes, and that no other section is lost."""

from dataclasses import asdict
from typing import Any

from tests.bench.sight.measure import Counts
from tests.bench.sight.results import TITLE, Measured, causes_of, section, with_section

BOX = [[0.0, 0.0], [60.0, 0.0], [60.0, 90.0], [0.0, 90.0]]


def photo(counts: Counts, faults: list[dict[str, Any]], doubts: list[str]) -> dict[str, Any]:
    alternatives = [["eagle", 0.9], ["furs", 0.1]]
    card = {"card": "eagle", "box": BOX, "doubts": doubts, "alternatives": alternatives}
    document = {"rows": [{"cards": [card]}]}
    found = {"seconds": 1.5, "counts": asdict(counts), "faults": faults, "error": ""}
    return {**found, "document": document, "file": "a.jpg"}


def fault(kind: str, truth: str | None, said: str | None) -> dict[str, Any]:
    corners = [list(point) for point in BOX]
    return {"kind": kind, "truth": truth, "said": said, "sure": False, "corners": corners}


def lines() -> str:
    flagged = fault("flagged", "eagle", "eagle")
    doubts = ["only 47 % of it is visible", "can hardly be told from furs"]
    one = Measured("standard (up-the-creek)", [photo(Counts(200, 199, 198), [], [])] * 2, 300)
    two = Measured(
        "overlap-50 (second)",
        [photo(Counts(10, 9, 8, flagged=1, silent=1), [flagged, fault("silent", "a:red", "a:black")], doubts)],
        400,
    )  # fmt: skip
    return "\n".join(section([one, two], "the command"))


def test_shares_and_counts_of_each_condition() -> None:
    wanted = "| standard (up-the-creek) | 2 | 400 | 99.5 % (398) | 99.0 % (396) | 0.0 % (0) | 0.0 % (0) | 0.0 % (0) | 1.50 | 300 |"
    assert wanted in lines()


def test_goals_are_met_missed_or_not_measured() -> None:
    rows = {line.split(" | ")[0]: line for line in lines().splitlines() if line.startswith("| ")}
    own = rows["| own deck, standard conditions"]
    assert "99.5 % (398); >= 99" in own
    assert own.endswith("| met, without chests (gold-up) |")
    assert "10.0 % (1); <= 1" in rows["| overlap 50 %"]
    assert rows["| overlap 50 %"].endswith("**missed** |")
    assert rows["| fans, real photos"].endswith("not measured |")


def test_causes_are_the_same_for_all_cards() -> None:
    text = lines()
    assert "| flagged | only N % of it is visible | overlap-50 (second) | 1 | eagle |" in text
    assert "| flagged | can hardly be told from ... | overlap-50 (second) | 1 | eagle |" in text
    assert (
        "| silent | the wrong colour of the right card | overlap-50 (second) | 1 | a:red as a:black |"
        in text
    )
    assert causes_of(fault("missed", "eagle", None), {"rows": []}) == ["nothing is listed there"]
    assert causes_of(fault("silent", None, "eagle"), {"rows": []}) == ["another card"]


def test_other_sections_stay() -> None:
    text = "# What was measured\n\n## Scoring\n\nfast\n\n## Mutants\n\nmany\n"
    once = with_section(text, ["first", "", "### Goals"])
    assert once == f"{text}\n## {TITLE}\n\nfirst\n\n### Goals\n"
    assert with_section(once, ["second"]) == f"{text}\n## {TITLE}\n\nsecond\n"
    between = f"# What was measured\n\n## {TITLE}\n\nold\n\n### Goals\n\nx\n\n## Mutants\n\nmany\n"
    after = with_section(between, ["new"])
    assert after == f"# What was measured\n\n## {TITLE}\n\nnew\n\n## Mutants\n\nmany\n"
    assert with_section(after, ["new"]) == after
