"""What photos show as a position file: gaps, numbers, what is not sure, whose it is."""

import tomllib

import pytest

from card_catalog.loader import deck_from, shipped_deck
from companion.core.errors import UnusableInput
from companion.intake.position import check_game, position_text, raw_position
from companion.intake.table import Shot, seated
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document
from tests.intake.readings import reading

UTC, GOLD = shipped_deck("up-the-creek"), shipped_deck("gold-up")


def written(*shots: Shot, deck: str = "up-the-creek") -> tuple[str, dict[str, object]]:
    """The file, and what a reader of TOML makes of it: the same as the document."""
    catalogue, seen = shipped_deck(deck), seated(shots)
    text = position_text(deck, catalogue, seen)
    raw = tomllib.loads(text)
    assert raw == raw_position(deck, catalogue, seen)
    return text, raw


def test_rows_with_gaps_and_common_columns() -> None:
    _, raw = written(("Ana", "a.jpg", reading("bow . eagle stern", ". . totem furs")))
    assert raw == {
        "game": "up-the-creek",
        "players": [{"name": "Ana", "rows": ["bow . eagle stern", ". . totem furs"]}],
    }
    load_sheet(Document("-", raw, ""))


def test_photos_of_a_player_follow_one_another() -> None:
    _, raw = written(
        ("Ana", "a.jpg", reading("bow stern")),
        ("Ben 🛶", "b.jpg", reading("bow eagle stern")),
        ("Ana", "c.jpg", reading("totem", "furs")),
    )
    assert raw["players"] == [
        {"name": "Ana", "rows": ["bow stern", "totem", "furs"]},
        {"name": "Ben 🛶", "rows": ["bow eagle stern"]},
    ]


def test_numbers_that_the_catalogue_does_not_know() -> None:
    _, raw = written(
        ("A", "a.jpg", reading("chief:red#3 paddler-1:red#1 eagle#10 paddlers-2:red#4"))
    )
    assert raw["players"] == [
        {"name": "A", "rows": ["chief:red=3 paddler-1:red eagle paddlers-2:red=4"]}
    ]
    load_sheet(Document("-", raw, ""))


def test_what_is_not_sure_is_marked() -> None:
    text, raw = written(("Ana", "a.jpg", reading("bow ?? stern", "eagle?furs totem")))
    assert raw["players"] == [{"name": "Ana", "rows": ["bow . stern", "eagle totem"]}]
    assert "# ? row 1, column 2: a card without a name, written as an empty place" in text
    assert "# ? row 2, column 1: eagle, or furs (can hardly be told)" in text


def test_photos_that_are_missing_and_rows_too_many() -> None:
    text, _ = written(("Ana", "a.jpg", reading(*["bow stern"] * 4)), ("Ana", "b.jpg", None))
    assert "# Ana: b.jpg could not be read" in text
    assert "# Ana has 4 rows" in text


def test_gold_up_is_one_hand() -> None:
    shots = (
        ("Ana", "a.jpg", reading("chest-white chest-red#5", "key-red chest-white?chest-blue")),
        ("Ben", "b.jpg", reading("chest-yellow")),
    )
    text, raw = written(*shots, deck="gold-up")
    chests = {"Ana": ["chest-white", "chest-red=5", "chest-white"], "Ben": ["chest-yellow"]}
    assert raw == {"game": "gold-up", "players": ["Ana", "Ben"], "hands": [{"chests": chests}]}
    assert "left out, no chests: key-red" in text
    assert "# ? row 2, column 2: chest-white, or chest-blue" in text
    assert "2 players or more" in written(shots[0], deck="gold-up")[0]


def test_a_deck_of_the_household_is_named() -> None:
    seen = seated([("A", "a.jpg", reading("bow stern"))])
    assert raw_position("our-box", UTC, seen)["deck"] == "our-box"


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        (shipped_deck("standard-52"), "needs bids and tricks"),
        (
            deck_from(
                {
                    "id": "wild",
                    "game": "none",
                    "title": "Wild",
                    "kinds": [{"id": "a", "name": "a", "group": "card"}],
                },
                "wild",
            ),
            "no game",
        ),
    ],
)
def test_decks_whose_table_is_no_position(deck: object, said: str) -> None:
    with pytest.raises(UnusableInput, match=said):
        check_game("it", deck, "--score")  # type: ignore[arg-type]
    check_game("gold-up", GOLD, "--score")
