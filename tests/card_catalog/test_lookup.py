"""Finding a card by what somebody calls it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.loader import deck_from, shipped, shipped_deck
from card_catalog.lookup import UnknownCard, lookup_in, shown

UTC = lookup_in(shipped_deck("up-the-creek"))
GOLD = lookup_in(shipped_deck("gold-up"))
CARDS = lookup_in(shipped_deck("standard-52"))


@pytest.mark.parametrize("deck_id", shipped())
def test_every_name_finds_its_kind(deck_id: str) -> None:
    """Id, display name and alias, whatever the case and the spacing."""
    deck = shipped_deck(deck_id)
    lookup = lookup_in(deck)
    for kind in deck.kinds.values():
        for name in (kind.id, kind.name, *kind.aliases):
            for written in (name, name.upper(), name.replace("-", " "), name.replace(" ", "_")):
                found = lookup.kind(written, kind.group)
                assert found is not None, written
                assert found.id == kind.id


@pytest.mark.parametrize(
    ("alias", "kind_id"),
    [
        ("lookout", "paddler-bow"), ("steersman", "paddler-stern"), ("1-paddler", "paddler-1"),
        ("2-paddlers", "paddlers-2"), ("bow-front", "bow"), ("archer", "bow-and-arrows"),
        ("medicine-man", "shaman"), ("gold-miner", "prospector"), ("woman", "squaw"),
        ("Bow & Arrows", "bow-and-arrows"), ("Lookout (bow)", "paddler-bow"),
    ],
)  # fmt: skip
def test_aliases_of_the_contract(alias: str, kind_id: str) -> None:
    """They are accepted and normalised."""
    assert UTC.card(alias).id == kind_id


def test_a_name_of_two_kinds_goes_by_group() -> None:
    """`white` is a chest among chests and a key among keys."""
    assert GOLD.card("white", "chest").id == "chest-white"
    assert GOLD.card("white", "key").id == "key-white"
    assert GOLD.card("chest-thief", "key").id == "chest-thief"
    for word, group in (("joker", "chest"), ("key-white", "chest"), ("chest-white", "key")):
        with pytest.raises(UnknownCard, match=group):
            GOLD.card(word, group)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("eagel", "eagle"), ("lassso", "lasso"), ("firewatr", "firewater"), ("shamen", "shaman"),
        ("lumber jak", "lumberjack"), ("bufalo-a", "buffalo-a"), ("stren", "stern"),
    ],
)  # fmt: skip
def test_a_misspelling_names_the_nearest(written: str, meant: str) -> None:
    """The nearest known card is in the reason."""
    assert UTC.nearest(written) == meant
    with pytest.raises(UnknownCard, match=meant) as caught:
        UTC.card(written)
    assert written.replace(" ", "-") in str(caught.value)


def test_nothing_like_it() -> None:
    """No guess for what is like nothing; where the names stand is said."""
    assert UTC.nearest("xyzzyx") is None
    with pytest.raises(UnknownCard, match="companion rules up-the-creek --cards"):
        UTC.card("xyzzyx")


@given(st.text(max_size=2000))
def test_any_text_may_be_asked_for(text: str) -> None:
    """Kinds or none; similar names are at most as many as asked for."""
    kind = UTC.kind(text)
    assert kind is None or kind.id in UTC.deck.kinds
    assert len(UTC.similar(text, most=3)) <= 3


def test_a_very_long_name_is_cut() -> None:
    """A message stays a line."""
    with pytest.raises(UnknownCard) as caught:
        UTC.card("e" * 100_000)
    assert len(str(caught.value)) < 300


def test_completions_follow_the_deck() -> None:
    """What typing picks from: `bow` may be several cards."""
    found = [kind.id for kind in UTC.completions("bow")]
    assert found[0] == "bow"
    assert "bow-and-arrows" in found
    assert UTC.completions("zz") == []
    assert len(UTC.completions("")) == 38


def test_a_renamed_card_keeps_its_old_names() -> None:
    """A household's word is added; the ones of the shipped deck still hold."""
    raw = {"extends": "up-the-creek", "kinds": [{"id": "wigwam", "name": "Tepee"}]}
    lookup = lookup_in(deck_from(raw, "our-box", "our-box"))
    for name in ("wigwam", "Tepee", "tent", "Wigwam"):
        assert lookup.card(name).id == "wigwam"
    assert lookup.card("wigwam").kind.name == "Tepee"


@given(st.text())
def test_shown_text_is_harmless(text: str) -> None:
    """One line, no control characters, not too long."""
    assert shown(text).isprintable()
    assert len(shown(text)) <= 60
