"""The range of a score against every combination counted one by one."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import pytest

from card_catalog.loader import shipped_deck
from card_catalog.lookup import lookup_in
from card_catalog.model import Card
from card_catalog.notation import split_row
from companion.games.up_the_creek.options import Options
from companion.intake import range as ranges
from companion.intake.count import Counted, counted, winners
from companion.intake.range import Place, Spread, chest_spread, nameless, row_points, row_spread
from companion.intake.table import seated
from companion.interchange.answers import score_of
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document
from companion.vision.sighting import Warn
from tests.intake.readings import reading

UTC = shipped_deck("up-the-creek")
WORDS = (
    "bow bow stern stern middle eagle furs chief:red chief:black bear-a bear-b bear-hunter gold-a "
    "gold-b prospector paddler-bow:red paddler-stern:red . totem"
)
SOME = split_row(WORDS)


def cards(words: str) -> list[Card | None]:
    return [None if word == "." else lookup_in(UTC).card(word) for word in words.split()]


def by_hand(places: Sequence[Place], options: Options) -> Spread:
    """Every combination of the whole row; a place decides if it alone can change the points."""
    table = {
        choice: row_points([p.cards[n] for p, n in zip(places, choice, strict=True)], options)
        for choice in product(*(range(len(p.cards)) for p in places))
    }
    deciding = [
        at
        for at in range(len(places))
        if any(table[choice] != table[(*choice[:at], 0, *choice[at + 1 :])] for choice in table)
    ]
    return Spread(min(table.values()), max(table.values()), tuple(deciding))


def rows(count: int, seed: int, most: int) -> list[list[Place]]:
    """Rows with a few unsure places; their combinations are few enough to count by hand."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        row = [Place(tuple(cards(chance.choice(SOME)))) for _ in range(chance.randint(2, 12))]
        for at in chance.sample(range(len(row)), min(len(row), chance.randint(1, most))):
            others = chance.sample(SOME, chance.randint(1, 3))
            row[at] = Place(tuple(cards(" ".join([*others, chance.choice(SOME)]))))
        made.append(row)
    return made


@pytest.mark.parametrize("options", [Options(), Options(lone_character=0, pair_adjacent=False)])
def test_range_of_random_rows(options: Options) -> None:
    moved = 0
    for row in rows(150, 11, 4):
        spread = row_spread(row, options)
        assert spread == by_hand(row, options), row
        moved += spread.lowest != spread.highest
    assert moved > 20


@pytest.mark.parametrize("options", [Options(), Options(lone_character=0, double_from=9)])
def test_no_total_leaves_the_bound(options: Options, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where combinations are too many, the range may be wider, never narrower."""
    monkeypatch.setattr(ranges, "MOST", 1)
    tight = 0
    for row in rows(300, 23, 4):
        bound, exact = row_spread(row, options), by_hand(row, options)
        assert bound.highest is not None and exact.highest is not None
        assert bound.lowest <= exact.lowest <= exact.highest <= bound.highest, row
        assert set(exact.deciding) <= set(bound.deciding)
        tight += bound.lowest > 0
    assert tight > 5


def test_a_long_unsure_row_is_quick() -> None:
    """Fourteen cards, each of which may be six: counting would take for ever."""
    six = tuple(cards("eagle bear-a bear-b bear-hunter gold-a chief:red"))
    row = [Place(tuple(cards("bow"))), *[Place(six)] * 12, Place(tuple(cards("stern")))]
    spread = row_spread(row, Options())
    assert spread.lowest == 28
    assert spread.highest is not None and spread.highest >= 28 + 90 + 40 + 70


def test_a_card_without_a_name() -> None:
    """It may be anything or nothing: the highest is unknown, unless it cannot matter."""
    inside = [Place(tuple(cards("bow"))), nameless(UTC), Place(tuple(cards("stern")))]
    assert row_spread(inside, Options()) == Spread(0, None, (1,))
    apart = [*(Place((c,)) for c in cards("bow eagle stern . totem")), nameless(UTC)]
    assert row_spread(apart, Options()) == Spread(13, 13)


def test_chests() -> None:
    assert chest_spread([[2], [4, 5], [10, 0]]) == Spread(6, 17, (1, 2))
    assert chest_spread([[2], [None]]) == Spread(2, None, (1,))
    assert chest_spread([[2], []]) == Spread(2, None, (1,))
    assert chest_spread([[3, 3], [4]]) == Spread(7, 7)


def total_of(*rows: str) -> int:
    raw = {"game": "up-the-creek", "players": [{"name": "Ana", "rows": list(rows)}]}
    return score_of(load_sheet(Document("-", raw, ""))).totals["Ana"]


def count(*rows: str, player: str = "Ana", deck: str = "up-the-creek") -> Counted:
    (seen,) = seated([(player, "a.jpg", reading(*rows))])
    return counted(deck, shipped_deck(deck), seen)


def test_counted_against_whole_sheets() -> None:
    """Lowest and highest are those of all the sheets that the photo may mean."""
    unsure = [
        "bow bear-a?gold-a bear-b?bear-a bear-hunter stern",
        ". bow eagle?totem furs?stern stern",
    ]
    found = count(*unsure)
    choices = [[word.split("?") for word in row.split()] for row in unsure]
    sheets = [
        total_of(*(" ".join(row) for row in (chosen[:5], chosen[5:])))
        for chosen in product(*choices[0], *choices[1])
    ]
    assert (found.player["lowest"], found.player["highest"]) == (min(sheets), max(sheets))
    assert found.total is None
    assert found.player["unsure"] == 4
    assert sum(line["points"] for line in found.player["lines"]) == total_of(
        "bow bear-a bear-b bear-hunter stern", ". bow eagle furs stern"
    )
    assert {(d["row"], d["column"], d["place"]) for d in found.player["deciding"]} == {
        (1, 2, 2),
        (1, 3, 3),
        (2, 3, 7),
        (2, 4, 8),
    }
    assert found.player["deciding"][0]["alternatives"] == ["bear-a", "gold-a"]


def test_settled_rows_have_a_total() -> None:
    found = count("bow paddler-1:red bear-a bear-b bear-hunter stern")
    assert (found.total, found.player["lowest"], found.player["highest"]) == (96, 96, 96)
    assert found.player["deciding"] == []


def test_unsure_cards_that_change_nothing_are_still_to_be_settled() -> None:
    found = count("bow chief:red?chief:black eagle stern")
    assert found.total is None
    assert (found.player["lowest"], found.player["highest"]) == (14, 14)
    assert found.player["deciding"] == []


def test_more_than_three_rows() -> None:
    """All are counted as they are seen, and the total stays open."""
    found = count("bow stern", "bow eagle stern", "totem", "bow furs stern")
    assert found.total is None
    assert found.player["lowest"] == found.player["highest"] == 2 + 13 + 13
    assert {line["row"] for line in found.player["lines"]} == {1, 2, 4}
    assert "4 rows" in found.problems[-1]["text"]


def test_a_photo_that_was_not_read_leaves_the_highest_open() -> None:
    shots = [("Ana", "a.jpg", reading("bow eagle stern")), ("Ana", "b.jpg", None)]
    found = counted("up-the-creek", UTC, seated(shots)[0])
    assert (found.total, found.player["lowest"], found.player["highest"]) == (None, 13, None)
    assert "b.jpg could not be read" in found.notes[-1]["text"]


def test_columns_that_are_unclear_are_told() -> None:
    warned = replace(
        reading("bow eagle stern"), warnings=(Warn("columns-unclear", "row 1: it is unclear"),)
    )
    found = counted("up-the-creek", UTC, seated([("Ana", "a.jpg", warned)])[0])
    assert found.total == 13
    assert found.notes[-1]["text"].startswith("a.jpg: row 1: it is unclear; a gap parts canoes")


def test_a_gap_that_may_not_be_there_leaves_the_total_open() -> None:
    """With a gap of one place between Eagle and Stern the canoe is none: 0; without it 3 + 10."""
    warned = replace(
        reading("bow eagle . stern"), warnings=(Warn("gap-unclear", "row 1: it is unclear", 1),)
    )
    found = counted("up-the-creek", UTC, seated([("Ana", "a.jpg", warned)])[0])
    assert (found.total, found.player["lowest"], found.player["highest"]) == (None, 0, 13)
    closed = replace(reading("bow eagle stern"), warnings=warned.warnings)
    found = counted("up-the-creek", UTC, seated([("Ana", "a.jpg", closed)])[0])
    assert (found.total, found.player["lowest"], found.player["highest"]) == (None, 0, 13)


def test_gold_up_counts_chests_by_what_is_printed_on_them() -> None:
    found = count("chest-white#2 chest-red?chest-blue#4", "key-red chest-red#5", deck="gold-up")
    assert (found.player["lowest"], found.player["highest"]) == (11, 11)
    unknown = count("chest-white#2 chest-red", deck="gold-up")
    assert (unknown.total, unknown.player["lowest"], unknown.player["highest"]) == (None, 2, None)
    assert "red = ..." in unknown.problems[-1]["text"]


def test_who_wins_however_the_unsure_cards_turn_out() -> None:
    ana, ben = count("bow bear-a bear-b stern"), count("bow eagle?totem stern", player="Ben")
    assert winners([ana, ben]) == ["Ana"]
    assert winners([count("bow middle stern"), ben]) == []
    assert winners([ana]) == []
