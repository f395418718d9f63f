"""Who takes a trick that lies in a photo."""

import pytest

from card_catalog.loader import shipped_deck
from companion.core.errors import UnusableInput
from companion.intake.trick import players_of, trick_of
from companion.vision.sighting import Candidate, Placed, Reading, Sighting

DECK = shipped_deck("standard-52")
NAMES = ("Ana", "Ben", "Cleo", "Dan")


def seen(*cards: str) -> Reading:
    """A row of cards; `KH/KD` may be either; `?` has no name."""
    row = []
    for i, card in enumerate(cards):
        faces = [] if card == "?" else card.split("/")
        x = 100.0 * i
        region = ((x, 0.0), (x + 60, 0.0), (x + 60, 90.0), (x, 90.0))
        candidates = tuple(Candidate(face, 0.6 - 0.2 * k) for k, face in enumerate(faces))
        sure = len(faces) == 1
        row.append(
            Placed(i + 1, Sighting(region, candidates, sure, doubts=() if sure else ("dim",)))
        )
    return Reading((tuple(row),))


def test_the_highest_of_the_suit_led_takes_it() -> None:
    trick = trick_of(seen("9C", "AH", "JC", "10C"), NAMES, DECK)
    assert (trick.winner, trick.problems) == ("Cleo", ())


def test_rows_are_read_from_left_to_right_whatever_row_a_card_lies_in() -> None:
    first, second = seen("JC").rows[0], seen("?", "9C").rows[0][1:]
    trick = trick_of(Reading((second, first)), ("Ana", "Ben"), DECK)
    assert [s.face for _, s in trick.plays] == ["JC", "9C"]
    assert trick.winner == "Ana"


def test_an_unsure_card_that_changes_nothing_is_no_problem() -> None:
    assert trick_of(seen("KC", "9H/9D"), NAMES[:2], DECK).winner == "Ana"


def test_an_unsure_card_that_decides_is_told() -> None:
    trick = trick_of(seen("10C", "9C/JC"), NAMES[:2], DECK)
    assert trick.winner is None
    assert trick.problems == (
        "the card of Ben is not sure, it may be 9C or JC (dim): it decides the trick",
    )


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        (("9C", "10C"), "3 players are named, but 2 cards are seen"),
        (("9C", "?", "10C"), "the card of Ben cannot be read: dim"),
        (("9C", "10C", "9C"), "9C is read as the card of Ana and of Cleo"),
    ],
)
def test_what_keeps_the_winner_from_being_told(cards: tuple[str, ...], problem: str) -> None:
    trick = trick_of(seen(*cards), NAMES[:3], DECK)
    assert trick.winner is None
    assert trick.problems[0].startswith(problem)
    assert trick.document()["problems"] == list(trick.problems)


def test_names_with_spaces_are_parted_by_commas() -> None:
    assert players_of("Ana Maria, Ben", "standard-52", DECK) == ("Ana Maria", "Ben")
    assert players_of("Ana Ben", "standard-52", DECK) == ("Ana", "Ben")


def test_all_faults_of_the_names_are_told_together() -> None:
    with pytest.raises(UnusableInput) as caught:
        players_of("Ana Ana", "gold-up", shipped_deck("gold-up"))
    told = " ".join(map(str, caught.value.faults))
    assert "no deck that tricks are played with" in told
    assert "Ana is named twice" in told
