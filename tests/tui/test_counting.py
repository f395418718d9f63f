"""What is typed while counting, without a screen: words, cells, faults by place, drafts, saving."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.lookup import lookup_in
from companion import library
from companion.core.errors import UnusableInput
from companion.session import open_store
from companion.tui.counting import draft, gold_up, up_the_creek
from companion.tui.counting import without_a_paddle as paddle
from companion.tui.counting.reading import blank, count, options_of, problems_at
from companion.tui.counting.saving import hindrances, save

LOOKUP = lookup_in(library.deck_of("up-the-creek", None, None))


def new(game: str, *names: str, dealer: str = "") -> dict[str, Any]:
    return blank(game, names, library.load(game).game.options(), dealer)


def totals(raw: dict[str, Any]) -> dict[str, int]:
    score = count(raw).score
    assert score is not None
    return score.totals


# -------------------------------------------------------------------- Up the Creek


def test_a_row_as_people_write_it() -> None:
    """Ids with blanks, or names with commas: the same row. 6x1 + (10+10)x2 + 10 = 56."""
    raw = new("up-the-creek", "Ana")
    by_id = up_the_creek.with_row(raw, 1, 1, "bow paddler-1 bear-a bear-b furs stern")
    by_name = up_the_creek.with_row(
        raw, 1, 1, "bow, 1 paddler, bear front, Bear (back half), furs, stern"
    )
    assert totals(by_id) == totals(by_name) == {"Ana": 56}
    assert count(by_name).wrong == ()


def test_a_misspelt_word_is_named_and_the_rest_counts() -> None:
    """The nearest card is offered; the canoe in the other row still earns its 2 points."""
    raw = new("up-the-creek", "Ana", "Ben")
    raw = up_the_creek.with_row(raw, 2, 1, "bow bera-b stern")
    raw = up_the_creek.with_row(raw, 2, 3, "bow stern")
    found = count(raw)
    (wrong,) = found.wrong
    assert wrong.place == (2, 1)
    assert wrong.word == "bera-b"
    assert "bear-b" in wrong.text and "column 2" in wrong.text
    assert totals(raw) == {"Ana": 0, "Ben": 2}


def test_problems_stand_beside_their_row() -> None:
    raw = up_the_creek.with_row(new("up-the-creek", "Ana", "Ben"), 2, 3, "bow furs furs stern")
    assert [p.place for p in problems_at(count(raw), ("Ana", "Ben"))] == [(2, 3)]


@pytest.mark.parametrize(
    ("text", "cursor", "word", "choices"),
    [
        ("bow be", 6, "be", ["bear-a", "bear-b", "bear-hunter"]),
        ("bow, bear f", 11, "bear f", ["bear-a"]),
        ("bow ", 4, "", []),
        ("bow be stern", 5, "be", []),
        ("lookout:", 8, "lookout:", ["lookout:red", "lookout:black"]),
        ("bow .", 5, ".", []),
    ],
)
def test_the_word_under_the_cursor(text: str, cursor: int, word: str, choices: list[str]) -> None:
    found = up_the_creek.completion(text, cursor, LOOKUP)
    assert found.word == word
    assert [c for c, _ in found.choices] == choices


def test_a_taken_word_takes_the_place_of_what_was_typed() -> None:
    text = "bow be stern"
    found = up_the_creek.completion(text, 6, LOOKUP)
    assert up_the_creek.taken(text, found, "bear-a") == ("bow bear-a stern", 11)
    text = "bow, be"
    found = up_the_creek.completion(text, 7, LOOKUP)
    assert up_the_creek.taken(text, found, "bear-a") == ("bow, bear-a, ", 13)


def test_a_whole_word_is_not_replaced_unasked() -> None:
    assert up_the_creek.completion("bow", 3, LOOKUP).whole
    assert not up_the_creek.completion("bo", 2, LOOKUP).whole


def test_cards_on_the_grid() -> None:
    """A card further right leaves a gap; one left of column 1 moves all rows."""
    rows = ["bow", "", "furs"]
    assert up_the_creek.placed(rows, 1, 3, "stern") == (["bow . stern", "", "furs"], 3)
    assert up_the_creek.placed(rows, 3, 0, "eagle") == ([". bow", "", "eagle furs"], 1)
    assert up_the_creek.removed(["bow . stern", "", ""], 1, 3) == ["bow", "", ""]
    assert up_the_creek.removed(rows, 2, 5) == rows


def test_pasted_lines_lose_the_quotes_of_a_file() -> None:
    text = 'rows = x\n"bow stern",\n". furs"\n\n""]'
    assert up_the_creek.pasted(text)[1:3] == ["bow stern", ". furs"]


@given(st.text(max_size=60), st.integers(0, 60))
def test_no_text_breaks_the_rows(text: str, cursor: int) -> None:
    """Whatever is typed is scored or named; nothing raises."""
    raw = up_the_creek.with_row(new("up-the-creek", "Ana", "Ben"), 1, 2, text)
    assert count(raw).table is not None
    found = up_the_creek.completion(text, min(cursor, len(text)), LOOKUP)
    for choice, _ in found.choices[:3]:
        after, at = up_the_creek.taken(text, found, choice)
        assert choice in after[:at]


# -------------------------------------------------------------------- Without a Paddle


def filled(raw: dict[str, Any], number: int, bids: list[int], tricks: list[int]) -> dict[str, Any]:
    for key, told in (("bids", bids), ("tricks", tricks)):
        for player, value in enumerate(told, 1):
            raw = paddle.with_value(raw, paddle.Cell(number, player, key), value)
    return raw


def test_a_round_counts_once_it_is_whole() -> None:
    """Ana made 4: 14. Ben missed by 1, Cleo by 1. The second round waits and says for what."""
    raw = new("without-a-paddle", "Ana", "Ben", "Cleo", dealer="Cleo")
    assert totals(raw) == {"Ana": 100, "Ben": 100, "Cleo": 100}
    raw = filled(raw, 1, [4, 3, 2], [4, 2, 3])
    raw = paddle.with_value(raw, paddle.Cell(2, 1, "bids"), 1)
    assert totals(raw) == {"Ana": 114, "Ben": 99, "Cleo": 99}
    (awaited,) = count(raw).awaited
    assert awaited.place == (2,)
    assert "Ben" in awaited.text


def test_the_sum_check_and_the_barred_bid() -> None:
    raw = new("without-a-paddle", "Ana", "Ben", "Cleo", dealer="Cleo")
    raw = filled(raw, 1, [4, 3], [4, 2, 3])
    options = options_of(raw)
    assert "!" in paddle.sums(raw, 1, options).text
    assert "not 3" in paddle.hint(raw, paddle.Cell(1, 3, "bids"), options)
    raw = paddle.with_value(raw, paddle.Cell(1, 3, "bids"), 3)
    rules = {p.rule for p in (count(raw).score or pytest.fail("no score")).problems}
    assert rules == {"wap:bid.hook", "wap:trick.all"}


def test_digits() -> None:
    """10 is two digits; where 10 cannot be, the second digit stands alone."""
    assert paddle.typed(None, 1, 10, False) == 1
    assert paddle.typed(1, 0, 10, False) == 10
    assert paddle.typed(1, 2, 10, False) == 2
    assert paddle.typed(7, 3, 10, True) == 3


def test_reneges_cost_twenty_and_can_be_taken_back() -> None:
    raw = new("without-a-paddle", "Ana", "Ben", "Cleo", dealer="Cleo")
    raw = filled(raw, 1, [4, 3, 2], [4, 3, 3])
    before = totals(raw)["Ben"]
    charged = paddle.with_reneges(raw, 1, 2, 1)
    assert totals(charged)["Ben"] == before - 20
    assert paddle.with_reneges(charged, 1, 2, 0) == raw


def test_emptied_rounds_are_dropped() -> None:
    raw = new("without-a-paddle", "Ana", "Ben", "Cleo", dealer="Ana")
    cell = paddle.Cell(4, 2, "tricks")
    assert paddle.with_value(paddle.with_value(raw, cell, 3), cell, None) == raw


# -------------------------------------------------------------------- Gold Up


def test_chests_by_letter_and_colour() -> None:
    raw = gold_up.with_values(new("gold-up", "Ana", "Ben"), "w=2 red=4, b = 5")
    raw = gold_up.with_text(raw, 1, "Ana", "w w r blue y=12 3w")
    raw = gold_up.with_text(raw, 1, "Ben", "none")
    assert raw["hands"][0]["chests"]["Ana"][:5] == ["white", "white", "red", "blue", "yellow=12"]
    assert totals(raw) == {"Ana": 5 * 2 + 4 + 5 + 12, "Ben": 0}


def test_coins_beside_chests_in_one_hand() -> None:
    """A file has one of the two a hand; here the chests are added up to coins."""
    raw = gold_up.with_values(new("gold-up", "Ana", "Ben"), "w=2")
    raw = gold_up.with_text(raw, 1, "Ana", "w w")
    raw = gold_up.with_text(raw, 1, "Ben", "45")
    assert count(raw).wrong == ()
    assert totals(raw) == {"Ana": 4, "Ben": 45}


def test_faults_of_a_hand() -> None:
    raw = gold_up.with_values(new("gold-up", "Ana", "Ben"), "w=2 pink=3 red=x")
    raw = gold_up.with_text(raw, 1, "Ana", "w gren y")
    raw = gold_up.with_text(raw, 2, "Ben", "-4")
    found = count(raw)
    assert {w.place for w in found.wrong} == {("values",), (1, 1), (2, 2)}
    texts = " ".join(w.text for w in found.at(1, 1))
    assert "green" in texts and "yellow" in texts
    assert totals(raw) == {"Ana": 2, "Ben": 0}


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_text_breaks_the_hands(values: str, text: str) -> None:
    raw = gold_up.with_values(new("gold-up", "Ana", "Ben"), values)
    raw = gold_up.with_text(raw, 1, "Ben", text)
    assert count(raw).table is not None
    again = gold_up.with_text(raw, 1, "Ben", gold_up.text_of(raw, 1, "Ben"))
    assert again == raw


# -------------------------------------------------------------------- drafts, saving

DOCUMENTS = {
    "up-the-creek": up_the_creek.with_rows(
        new("up-the-creek", "Ana", "Big [Ben]"),
        2,
        ["bow 1-paddler eagle stern", "", ". . lookout bear-a bear-b steersman"],
    ),
    "without-a-paddle": paddle.with_reneges(
        filled(
            filled(
                new("without-a-paddle", "Ana", "Ben", "Cleo", dealer="Ben"),
                1,
                [4, 3, 3],
                [4, 2, 3],
            ),
            2,
            [12, 0, 1],
            [9, 0, 0],
        ),
        2,
        3,
        2,
    ),
    "gold-up": gold_up.with_text(
        gold_up.with_text(
            gold_up.with_text(
                gold_up.with_values(new("gold-up", "Ana", "Ben", "Cleo"), "w=2 r=4"),
                1,
                "Ana",
                "w w r y=12",
            ),
            2,
            "Ben",
            "320",
        ),
        2,
        "Cleo",
        "w r",
    ),
}


@pytest.mark.parametrize("game", library.SHIPPED)
def test_a_saved_match_has_the_totals_that_were_shown(game: str) -> None:
    """The match scores as the table did; it is finished unless rounds or hands are left."""
    raw = DOCUMENTS[game]
    store = open_store("sqlite://")
    session = save(store, raw)
    (match,) = store.matches()
    assert totals(raw) == session.score().totals
    score = count(raw).score
    assert score is not None
    assert str(match.stage) == ("paused" if score.complete is False else "finished")
    if match.final is not None:
        assert {p["name"]: p["total"] for p in match.final["players"]} == score.totals
        assert match.final["winners"] == list(score.winners)
    store.close()


def test_what_was_not_counted_is_not_saved() -> None:
    """A match would quietly lack a misspelt card; so it is refused, and nothing is stored."""
    raw = up_the_creek.with_row(new("up-the-creek", "Ana", "Ben"), 1, 1, "bow egale stern")
    store = open_store("sqlite://")
    assert len(hindrances(raw)) == 1
    with pytest.raises(UnusableInput, match="egale"):
        save(store, raw)
    alone = up_the_creek.with_row(new("up-the-creek", "Ana"), 1, 1, "bow stern")
    with pytest.raises(UnusableInput, match="players"):
        save(store, alone)
    assert store.matches() == ()
    store.close()


@pytest.mark.parametrize("game", library.SHIPPED)
def test_a_draft_is_read_as_it_was(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))
    assert draft.read() is None
    assert draft.keep(DOCUMENTS[game]) == ""
    assert draft.read() == DOCUMENTS[game]
    assert [p.name for p in (tmp_path / "state").iterdir()] == [draft.NAME]
    draft.put_aside()
    assert draft.read() is None
    draft.take_up(draft.EARLIER)
    assert draft.read() == DOCUMENTS[game]
    draft.drop()
    assert draft.read() is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"game": "chess", "players": ["Ana"]}',
        '{"game": "up-the-creek", "options": {}, "players": [{"name": 3}]}',
        '{"game": "gold-up", "options": {}, "players": ["Ana", "Ben"], "hands": [3]}',
        '{"game": "without-a-paddle", "options": {}, "players": ["A", "B", "C"], '
        '"dealer": "Z", "rounds": []}',
        json.dumps({**DOCUMENTS["without-a-paddle"], "rounds": [[]]}),
    ],
)
def test_a_file_that_is_no_draft(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    (tmp_path / draft.NAME).write_text(text, "utf-8")
    assert draft.read() is None


def test_a_draft_that_cannot_be_kept_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "file"))
    assert "draft" in draft.keep(DOCUMENTS["gold-up"])


@pytest.mark.parametrize("game", library.SHIPPED)
def test_the_score_sheet_can_ask_what_if(game: str) -> None:
    """Every screen of a score wants these of a session."""
    from companion.tui.screens.score import what_if

    table = count(DOCUMENTS[game]).table
    assert table is not None
    assert table.score().totals == totals(DOCUMENTS[game])
    assert what_if(table)
    if game == "without-a-paddle":
        other = table.rescore({"renege": "per-offence"})
        assert other.totals["Cleo"] == table.score().totals["Cleo"] - 20


def test_taking_a_suggestion_keeps_the_card_behind_it() -> None:
    """`wigwam stern` between commas are two cards: nothing typed is lost."""
    found = up_the_creek.Completion(11, 23, "wigwam stern")
    text, _ = up_the_creek.taken("bow, egle, wigwam stern", found, "wigwam")
    assert text == "bow, egle, wigwam, stern"
