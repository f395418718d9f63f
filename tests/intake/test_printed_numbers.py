"""Numbers typed with cards while enrolling: which hold for a kind, which contradict."""

import tomllib
from collections.abc import Mapping

import pytest

from card_catalog.loader import deck_from, shipped_deck
from companion.intake.own_decks import new_deck_file
from companion.intake.printed_numbers import printed

CREEK, GOLD = shipped_deck("up-the-creek"), shipped_deck("gold-up")


@pytest.mark.parametrize(
    ("faces", "strengths"),
    [
        ("chief:red=3 chief:black=3", {"chief": 3}),
        ("chief:red=3", {}),  # the black one may show another number
        ("chief:red=3 chief:black", {}),
        ("chief:red=3 chief:black=4", {}),  # two facts, each of its own card: no contradiction
        ("chief=3", {"chief": 3}),
        ("paddlers-2:red=2 paddlers-2:black=2 eagle furs", {"paddlers-2": 2}),
        ("eagle furs", {}),
    ],
)
def test_strengths(faces: str, strengths: Mapping[str, int]) -> None:
    known = CREEK.kinds["paddlers-2"].number
    found = printed(CREEK, faces.split())
    if known is not None:
        assert "paddlers-2" not in found.strengths or known == 2
    assert found.strengths == strengths
    assert found.values == {}
    assert found.contradictions == ()


def test_coins_of_a_colour() -> None:
    found = printed(GOLD, ["chest-red=4", "chest-white=2", "key-red", "chest-blue"])
    assert (found.strengths, found.values) == ({}, {"red": 4, "white": 2})


def test_two_numbers_of_one_card_are_told() -> None:
    found = printed(GOLD, ["chest-yellow=10", "chest-yellow=12", "chest-red=4"])
    assert found.values == {"red": 4}
    assert found.contradictions == ("chest-yellow: the numbers 10 and 12 were told for it",)


def test_what_the_deck_file_says_otherwise_is_told() -> None:
    raw = {"extends": "gold-up", "values": {"red": 5}}
    found = printed(deck_from(raw, "ours"), ["chest-red=4"])
    assert found.values == {}
    assert found.contradictions == ("chest-red: 4 was told, the deck says 5",)
    assert printed(deck_from(raw, "ours"), ["chest-red=5"]).contradictions == ()


def test_the_deck_file_carries_them() -> None:
    faces = ["chief:red=3", "chief:black=3", "eagle"]
    deck = deck_from(tomllib.loads(new_deck_file("ours", "up-the-creek", faces)), "ours")
    assert deck.kinds["chief"].number == 3
    assert deck.kinds["shaman"].number == CREEK.kinds["shaman"].number
    gold = deck_from(tomllib.loads(new_deck_file("ours", "gold-up", ["chest-red=4"])), "ours")
    assert gold.values == {"red": 4}
    assert "[" not in new_deck_file("ours", "gold-up", ["chest-red"])
