"""Rules ask about what was read, and never overrule it."""

from dataclasses import replace

from card_catalog.loader import shipped_deck
from companion.intake.witness import witnessed
from companion.vision.sighting import Candidate, Reading
from tests.intake.readings import reading

CREEK, GOLD = shipped_deck("up-the-creek"), shipped_deck("gold-up")


def with_confidence(seen: Reading, row: int, column: int, confidence: float) -> Reading:
    rows = [list(r) for r in seen.rows]
    placed = rows[row][column]
    first = Candidate(placed.sighting.candidates[0].face, confidence)
    sighting = replace(placed.sighting, candidates=(first, *placed.sighting.candidates[1:]))
    rows[row][column] = replace(placed, sighting=sighting)
    return replace(seen, rows=tuple(tuple(r) for r in rows))


def unsure(seen: Reading) -> list[str | None]:
    return [s.face for s in seen.sightings if not s.sure]


def test_of_two_alike_in_a_row_the_less_certain_is_asked_about() -> None:
    seen = with_confidence(reading("bow eagle furs eagle stern", "eagle"), 0, 1, 0.8)
    told = witnessed(seen, CREEK)
    assert not told.rows[0][1].sighting.sure
    assert (
        "twice" in told.rows[0][1].sighting.doubts[-1]
        or "2 times" in told.rows[0][1].sighting.doubts[-1]
    )
    assert unsure(told) == ["eagle"]


def test_a_red_and_a_black_one_are_alike() -> None:
    seen = with_confidence(reading("chief:red chief:black"), 0, 1, 0.7)
    assert unsure(witnessed(seen, CREEK)) == ["chief:black"]


def test_what_is_certain_stays_sure_though_the_row_is_against_the_rules() -> None:
    seen = reading("eagle furs eagle")
    assert unsure(witnessed(seen, CREEK)) == []


def test_names_and_places_are_never_changed() -> None:
    seen = with_confidence(reading("bow eagle . eagle ?? stern"), 0, 1, 0.5)
    told = witnessed(seen, CREEK)
    assert [(p.column, p.sighting.face) for p in told.rows[0]] == [
        (p.column, p.sighting.face) for p in seen.rows[0]
    ]


def test_more_chests_of_a_colour_than_the_box_holds() -> None:
    seen = with_confidence(reading("chest-yellow chest-yellow chest-yellow"), 0, 2, 0.9)
    assert unsure(witnessed(seen, GOLD)) == ["chest-yellow"]
    assert unsure(witnessed(reading("chest-yellow chest-yellow"), GOLD)) == []
