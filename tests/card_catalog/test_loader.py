"""The decks that ship, and a household's own deck file."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.loader import BadDeck, deck_from, read_deck, shipped, shipped_deck

INDIANS_AND_SECTIONS = {
    "basic": {"bow": 8, "stern": 8, "paddler-bow": 8, "paddler-stern": 8, "paddler-1": 10},
    "expanded": {
        "bow": 10, "stern": 10, "paddler-bow": 12, "paddler-stern": 12, "paddler-1": 10, "middle": 4,
    },
}  # fmt: skip


def faults(raw: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(BadDeck) as caught:
        deck_from(raw, "our-box.toml", "our-box")
    assert caught.value.name == "our-box.toml"
    assert all(key and text for key, text in caught.value.faults)
    return dict(caught.value.faults)


def test_three_decks_ship() -> None:
    """One a game, each read once."""
    assert shipped() == ["gold-up", "standard-52", "up-the-creek"]
    assert shipped_deck("gold-up") is shipped_deck("gold-up")
    with pytest.raises(KeyError):
        shipped_deck("../decks/gold-up")


def test_up_the_creek_has_the_kinds_of_the_rulebook() -> None:
    """38 kinds, ids as in the contract."""
    deck = shipped_deck("up-the-creek")
    treasures = ("bear", "buffalo", "horse", "gold", "logs", "cannon")
    wanted = {
        "bow", "middle", "stern", "paddler-bow", "paddler-stern", "paddler-1", "paddlers-2", "chief",
        "shaman", "lasso", "bow-and-arrows", "wild-axe", "totem", "eagle", "furs", "tobacco",
        "firewater", "dynamite", "wigwam", "squaw", "bear-hunter", "buffalo-hunter", "cowboy",
        "prospector", "lumberjack", "soldier", *(f"{t}-{half}" for t in treasures for half in "ab"),
    }  # fmt: skip
    assert set(deck.kinds) == wanted
    assert len(deck.kinds) == 38


def test_only_the_visible_table_is_known() -> None:
    """Copies and strengths that no rulebook gives are unknown, not guessed."""
    deck = shipped_deck("up-the-creek")
    for name, known in INDIANS_AND_SECTIONS.items():
        counted = deck.copies_in(name)
        assert {k: v for k, v in counted.items() if v} == known
    numbers = {k.id: k.number for k in deck.kinds.values() if k.number is not None}
    assert numbers == {"paddler-bow": 1, "paddler-stern": 1, "paddler-1": 1}


def test_who_carries_a_coloured_number() -> None:
    """Every Indian, and nobody else."""
    deck = shipped_deck("up-the-creek")
    coloured = {k.id for k in deck.kinds.values() if k.coloured}
    assert coloured == {
        "paddler-bow", "paddler-stern", "paddler-1", "paddlers-2", "chief", "shaman", "lasso",
        "bow-and-arrows",
    }  # fmt: skip
    assert {k.id for k in deck.kinds.values() if k.end == "bow"} == {"bow", "paddler-bow"}
    assert {k.id for k in deck.kinds.values() if k.end == "stern"} == {"stern", "paddler-stern"}


def test_each_treasure_has_two_halves_and_a_character() -> None:
    """Six composite treasures."""
    kinds = shipped_deck("up-the-creek").kinds.values()
    halves = {(k.family, k.half) for k in kinds if k.group == "half"}
    people = {k.family: k.id for k in kinds if k.group == "character"}
    assert halves == {(family, half) for family in people for half in "ab"}
    assert people == {
        "bear": "bear-hunter", "buffalo": "buffalo-hunter", "horse": "cowboy", "gold": "prospector",
        "logs": "lumberjack", "cannon": "soldier",
    }  # fmt: skip


def test_gold_up_has_48_chests_and_62_keys() -> None:
    """As the rulebook counts them; no coins are told."""
    deck = shipped_deck("gold-up")
    count = deck.copies_in("box")
    split = {"white": 16, "red": 11, "blue": 8, "green": 7, "purple": 4, "yellow": 2}
    assert {c: count[f"chest-{c}"] for c in split} == split
    assert {c: count[f"key-{c}"] for c in split} == split
    assert (count["key-joker"], count["key-thief"], count["chest-thief"]) == (4, 4, 6)
    chests = sum(n for kind, n in count.items() if deck[kind].group == "chest")
    assert (chests, sum(count.values()) - chests) == (48, 62)
    assert not deck.values
    assert all(k.number is None for k in deck.kinds.values())


def test_the_standard_deck_has_52_cards() -> None:
    """Thirteen ranks in four suits, aces high."""
    deck = shipped_deck("standard-52")
    assert Counter(k.family for k in deck.kinds.values()) == dict.fromkeys("SHDC", 13)
    assert deck["AS"].number == max(k.number or 0 for k in deck.kinds.values())
    assert {k.number for k in deck.kinds.values()} == set(range(2, 15))
    assert len(deck.kinds) == 52


def test_a_household_deck(tmp_path: Path) -> None:
    """It adds kinds, tells strengths and coins, renames; what it does not say stays."""
    path = tmp_path / "our-box.toml"
    path.write_text(
        """
extends = "up-the-creek"
title = "Our box"
[strengths]
chief = 4
paddlers-2 = 2
[[kinds]]
id = "squaw"
name = "Squaw"
[[kinds]]
id = "canoe-dog"
name = "Dog"
group = "single"
numbered = true
aliases = ["hound"]
""",
        "utf-8",
    )
    deck = read_deck(path)
    assert (deck.id, deck.game, deck.title) == ("our-box", "up-the-creek", "Our box")
    assert (deck["chief"].number, deck["paddlers-2"].number, deck["shaman"].number) == (4, 2, None)
    assert deck["squaw"].name == "Squaw"
    assert deck["canoe-dog"].group == "single"
    assert len(deck.kinds) == 39
    assert shipped_deck("up-the-creek")["chief"].number is None, "the shipped deck is left alone"


def test_a_household_tells_coins() -> None:
    """Of the colours that it knows."""
    deck = deck_from({"extends": "gold-up", "values": {"white": 2, "yellow": 10}}, "x", "our-gold")
    assert dict(deck.values) == {"white": 2, "yellow": 10}


def test_every_fault_at_once() -> None:
    """Each with its key; the file is the exception's name."""
    found = faults(
        {
            "extends": "up-the-creek",
            "titel": "x",
            "strengths": {"chief": -1},
            "kinds": [
                {"id": "cat", "name": "Cat", "group": "single", "number": 2.5},
                {"id": "eagle", "coloured": "yes"},
                {"id": "!", "name": "x", "group": "single"},
            ],
        }
    )
    text = " ".join(found)
    for key in ("titel", "strengths.chief", "cat", "eagle", "coloured", "number"):
        assert key in text, (key, found)


def test_structure_and_meaning_at_once() -> None:
    """A wrong type does not hide a new kind without a name, or a strength of no kind."""
    found = faults(
        {
            "extends": "up-the-creek",
            "strengths": {"chief": -1, "cheif": 3},
            "kinds": [{"id": "dog"}, {"id": "eagle", "coloured": "yes"}],
        }
    )
    text = " ".join(found)
    for key in ("strengths.chief", "coloured", "dog", "cheif"):
        assert key in text, (key, found)


def test_faults_of_meaning_at_once() -> None:
    """What is well written but makes no deck."""
    found = faults(
        {
            "extends": "gold-up",
            "strengths": {"chest-wite": 3},
            "values": {"pink": 3},
            "kinds": [
                {"id": "chest-pink", "group": "chest"},
                {"id": "chest-gold", "name": "Gold", "group": "box"},
                {"id": "chest-red", "coloured": True, "numbered": False},
                {"id": "chest-blue", "half": "a"},
                {"id": "chest-blue", "end": "bow"},
            ],
        }
    )
    text = " ".join(f"{key} {what}" for key, what in found.items())
    for word in ("chest-wite", "pink", "chest-gold", "box", "chest-red", "chest-blue", "twice"):
        assert word in text, (word, found)


@pytest.mark.parametrize("name", ["E\x1b[2J", "two\nlines", "\x9b2J", "\u202eelgae"])
def test_names_go_to_the_terminal(name: str) -> None:
    """A deck may come from elsewhere: no control character in a name, an alias or a title."""
    for kind in ({"id": "eagle", "name": name}, {"id": "eagle", "aliases": [name]}):
        assert "eagle" in str(faults({"extends": "up-the-creek", "kinds": [kind]}))
    assert "title" in str(faults({"extends": "up-the-creek", "title": name}))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\xff\xfe", "UTF-8"),
        (b"extends = \n\n", "line 1"),
        (b"a = " + b"[" * 100_000, "TOML"),
        (b"#" * 2_000_000, "larger"),
        (b"extends = 'no-such-deck'", "no-such-deck"),
        (b"", "game"),
        (b"extends = 3", "extends"),
    ],
)
def test_files_that_are_no_deck(tmp_path: Path, content: bytes, said: str) -> None:
    """Words, never another exception."""
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(BadDeck) as caught:
        read_deck(path)
    assert said in str(caught.value)
    assert caught.value.name == str(path)


def test_no_file(tmp_path: Path) -> None:
    """A missing file and a folder."""
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BadDeck):
            read_deck(path)


_WORDS = st.sampled_from(["bow", "chief", "white", "", " ", "é"])
_JUNK = st.recursive(
    st.sampled_from([None, True, -1, 3, 10**20, 2.5, float("nan"), "", "\x1b", "bow"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
_KEYS = (
    "id", "game", "title", "kinds", "extends", "strengths", "values", "name", "group", "family",
    "end", "half", "number", "numbered", "coloured", "copies", "aliases",
)  # fmt: skip
_VALUES = st.sampled_from(
    ["up-the-creek", "gold-up", "eagle", "chief", "single", "half", "a", "bow"]
)
_KIND = st.dictionaries(st.sampled_from(_KEYS), _VALUES | st.booleans() | _JUNK, max_size=6)


@given(
    st.dictionaries(
        st.sampled_from(_KEYS), _VALUES | _JUNK | st.lists(_KIND, max_size=3), max_size=6
    )
)
def test_any_table_is_a_deck_or_a_bad_one(raw: dict[str, Any]) -> None:
    """No other exception for whatever a file may hold."""
    try:
        deck_from(raw, "x", "x")
    except BadDeck as error:
        assert error.faults
        assert all(text for _, text in error.faults)
