"""Cards and rows as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.loader import shipped, shipped_deck
from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Card, Colour, Deck
from card_catalog.notation import is_empty, read_word, split_row, write_row

UTC = lookup_in(shipped_deck("up-the-creek"))


def cards_of(deck: Deck) -> st.SearchStrategy[Card]:
    """Every card that the deck can have on a table."""

    def printed(kind_id: str) -> st.SearchStrategy[Card]:
        kind = deck[kind_id]
        colours = st.sampled_from([None, *Colour]) if kind.coloured else st.none()
        numbers = st.none() | st.integers(0, 9999) if kind.numbered else st.none()
        return st.builds(Card, st.just(kind), colours, numbers)

    return st.sampled_from(sorted(deck.kinds)).flatmap(printed)


def row_read(text: str, deck: Deck) -> list[Card | None]:
    return [None if is_empty(w) else lookup_in(deck).card(w) for w in split_row(text)]


@pytest.mark.parametrize("deck_id", shipped())
@given(data=st.data())
def test_a_card_reads_as_it_was_written(deck_id: str, data: st.DataObject) -> None:
    """Writing and reading is the identity, upper and lower case alike."""
    deck = shipped_deck(deck_id)
    card = data.draw(cards_of(deck))
    for text in (str(card), str(card).upper(), str(card).lower(), f"  {card} "):
        again = lookup_in(deck).card(text)
        assert (again, again.colour, again.number) == (card, card.colour, card.number)


@pytest.mark.parametrize("deck_id", shipped())
@given(data=st.data())
def test_a_row_reads_as_it_was_written(deck_id: str, data: st.DataObject) -> None:
    """Rows too, gaps included, with spaces and with commas."""
    deck = shipped_deck(deck_id)
    row = data.draw(st.lists(st.none() | cards_of(deck), max_size=20))
    text = write_row(row)
    assert row_read(text, deck) == row
    if len(row) > 1:
        assert row_read(text.replace(" ", ", "), deck) == row


@given(st.text(max_size=60))
def test_any_text_is_a_card_or_an_unknown_one(text: str) -> None:
    """Nothing else happens, and the reason fits on a line of a terminal."""
    try:
        card = UTC.card(text)
    except UnknownCard as error:
        assert str(error).isprintable()
    else:
        assert UTC.card(str(card)) == card


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("bow, 1 paddler, bear front, bear back, bear hunter, stern",
         "bow paddler-1 bear-a bear-b bear-hunter stern"),
        ("bow,stern", "bow stern"),
        ("bow stern,", "bow-stern"),
        ("bow, ., stern", "bow . stern"),
        ("bow, gap, empty, -, stern", "bow . . . stern"),
        ("  bow\t.   stern ", "bow . stern"),
        ("red 1 paddler, chief black = 3, 2 paddlers red", "paddler-1:red chief:black=3 paddlers-2:red"),
        ("Bow (front), Bow & Arrows, LOOKOUT", "bow bow-and-arrows paddler-bow"),
        ("CHIEF:Red=4 steersman:BLACK", "chief:red=4 paddler-stern:black"),
        ("chief : red = 4, bow", "chief:red=4 bow"),
        ("", ""),
        ("   ", ""),
    ],
)  # fmt: skip
def test_rows_as_people_write_them(text: str, canonical: str) -> None:
    """Commas part the cards where there are any; colours may be words; gaps have names."""
    if canonical == "bow-stern":  # one card of two words: no such card, and no guess
        with pytest.raises(UnknownCard):
            row_read(text, UTC.deck)
        return
    assert write_row(row_read(text, UTC.deck)) == canonical


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("chief", ("chief", None, None)),
        ("chief=3", ("chief", None, "3")),
        ("chief:red", ("chief", "red", None)),
        ("2 Paddlers : RED = 2", ("2-paddlers", "red", "2")),
        ("bow_and_arrows", ("bow-and-arrows", None, None)),
        ("red", ("red", None, None)),
    ],
)
def test_the_parts_of_a_word(word: str, parts: tuple[str, str | None, str | None]) -> None:
    """A lone colour is a name: in Gold Up it is a chest."""
    written = read_word(word)
    assert written is not None
    assert (written.name, written.colour, written.number) == parts


@pytest.mark.parametrize(
    "word", ["", " ", ":", "=", "=3", ":red", "chief=3=4", "chief=3:red", "a:b:c"]
)
def test_not_written_like_a_card(word: str) -> None:
    """No name, or the parts in the wrong order."""
    assert read_word(word) is None


@pytest.mark.parametrize(
    ("word", "named"),
    [
        ("eagle:red", "red"),
        ("totem:black", "black"),
        ("wild-axe:red", "red"),
        ("bear-hunter:red", "red"),
        ("chief:blue", "blue"),
        ("chief:", "chief"),
        ("chief=-1", "-1"),
        ("chief=2.5", "2.5"),
        ("chief=", "chief"),
        ("chief=99999", "99999"),
        ("chief=²", "²"),
        ("chief=٣", "٣"),
        ("chief=1e3", "1e3"),
    ],
)
def test_what_cannot_be_printed_on_a_card(word: str, named: str) -> None:
    """Colours where there is no coloured number, and numbers that are none, each named."""
    with pytest.raises(UnknownCard) as caught:
        UTC.card(word)
    assert named in str(caught.value)


def test_all_that_is_wrong_with_a_card() -> None:
    """Colour and number at once."""
    with pytest.raises(UnknownCard) as caught:
        UTC.card("chief:blue=many")
    assert "blue" in str(caught.value)
    assert "many" in str(caught.value)


def test_ten_has_one_canonical_form() -> None:
    """`T` is read, `10` is written."""
    lookup = lookup_in(shipped_deck("standard-52"))
    assert [str(lookup.card(w)) for w in ("TH", "th", "10H", "10h")] == ["10H"] * 4
    with pytest.raises(UnknownCard):
        lookup.card("QC=12")
