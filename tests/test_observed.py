"""A reviewed photo against the log: what differs is found wherever the photo begins, and entering it
makes the log say what lies there."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from card_catalog.loader import shipped_deck
from companion.intake.eyes import ScannedPhoto
from companion.intake.review import Review, added, edits, opened
from companion.intake.table import single_in
from companion.session import MatchIsFinished, MatchSession, open_store
from companion.session.observed import enter, observation
from companion.session.seen import behind, seen_cards
from tests.intake.readings import reading

SINGLE = single_in(shipped_deck("up-the-creek"))
STORE = open_store("sqlite://")
KINDS = ["bow", "eagle", "furs", "bear-a", "bear-b", "bear-hunter", "totem", "dynamite", "stern"]


def photo(
    deck: str, *rows: str, owner: str = "Ana", name: str = "a.jpg", before: Review | None = None
) -> Review:
    made = before if before is not None else opened(deck)
    shot = ScannedPhoto(f"/x/{name}", deck, reading(*rows), 0.1, f"{name:0>64}")
    return edits.all_confirmed(added(made, shot, owner))


def creek(*lines: str, **head: Any) -> MatchSession:
    session = MatchSession.create(STORE, "up-the-creek", ("Ana", "Ben"), **head)
    for line in lines:
        session.play(session.parse(line), anyway=True)
    return session


def rows_of(session: MatchSession, player: str = "Ana") -> list[str]:
    return [str(row) for row in session.state.board(player)]


cells = st.lists(st.sampled_from([*KINDS, "."]), min_size=1, max_size=7).map(" ".join)
boards = st.lists(cells.filter(lambda r: r.strip(" .") != ""), min_size=1, max_size=3)


@given(boards, boards, st.integers(-4, 4))
def test_entering_what_differs_makes_the_log_say_it(
    log: list[str], seen: list[str], start: int
) -> None:
    session = creek(*(f'Ana observe {n} "{row}" from {start + 5}' for n, row in enumerate(log, 1)))
    review = photo("up-the-creek", *seen)
    found = observation(session, review)
    enter(session, found.acts, found)
    after = [row for row in rows_of(session) if row]
    wanted = [" ".join(row.strip(" .").split()) for row in seen]
    stays = [row for row in after if row not in wanted]
    for row in wanted:
        assert row in after
    assert len(stays) <= max(0, 3 - len(seen))
    again = observation(session, review)
    assert again.acts == () and again.differences == ()


@given(boards, st.integers(0, 3))
def test_a_photo_of_what_the_log_says_changes_nothing(log: list[str], shift: int) -> None:
    session = creek(*(f'Ana observe {n} "{row}"' for n, row in enumerate(log, 1)))
    moved = [" ".join([*["."] * shift, row]) for row in log]
    words = [w for row in log for w in row.split() if w != "."]
    assume(
        len(set(words)) == len(words)
    )  # where a card stands twice, the photo may fit at several places
    found = observation(session, photo("up-the-creek", *moved))
    assert found.acts == () and found.summary == "The table is as the log says"


def test_new_gone_and_moved_cards_are_told_apart() -> None:
    session = creek('Ana observe 1 "bow eagle furs . totem"', 'Ben observe 1 "bow dynamite stern"')
    review = photo("up-the-creek", "bow eagle bear-a totem")
    review = photo("up-the-creek", "bow furs stern", owner="Ben", name="b.jpg", before=review)
    found = observation(session, review)
    texts = [one.text for one in found.differences]
    assert found.summary == (
        "one card is new, one card is gone, one card is in another place, one card is with another player"
    )
    assert "Ana, row 1, column 3: bear-a is new" in texts
    assert "Ben, row 1, column 2: dynamite is gone" in texts
    assert "Ana, row 1, column 5: totem now lies in row 1, column 4" in texts
    assert "Ana, row 1, column 3: furs now lies with Ben, row 1, column 2" in texts


def test_a_row_that_is_on_no_photo_stays_and_that_is_said() -> None:
    session = creek('Ana observe 1 "bow eagle"', 'Ana observe 3 "furs totem"')
    found = observation(session, photo("up-the-creek", "furs totem stern"))
    assert found.acts == (("Ana", ("observe", "3", "furs totem stern")),)
    assert any("row 1 is on no photo" in text for text in found.remarks)


def test_a_number_that_the_log_knows_is_kept() -> None:
    session = creek('Ana observe 1 "bow paddlers-2:red=3"')
    assert observation(session, photo("up-the-creek", "bow paddlers-2:red")).acts == ()
    found = observation(session, photo("up-the-creek", "bow paddlers-2:red#4"))
    assert found.acts == (("Ana", ("observe", "1", "bow paddlers-2:red=4")),)


@pytest.mark.parametrize("tracking", ["light", "full"])
def test_a_new_card_may_be_an_ordinary_act_instead(tracking: str) -> None:
    lines = ("Ana reveal bow",) * (tracking == "full")
    session = creek(*lines, "Ana place bow 1 1", tracking=tracking)
    found = observation(session, photo("up-the-creek", "bow eagle"))
    (one,) = found.differences
    assert one.instead[-1] == ("Ana", ("place", "eagle", "1", "2"))
    enter(session, one.instead, found)
    assert rows_of(session)[0] == "bow eagle"
    assert not session.state.observed, "it is no correction"
    (card,) = session.entries()[-1].provenance["cards"]  # type: ignore[index]
    assert card["card"] == "eagle" and card["column"] == 2
    assert observation(session, photo("up-the-creek", "bow eagle")).acts == ()


def test_a_theft_may_be_the_lasso() -> None:
    session = creek(
        'Ben observe 1 "bow eagle"',
        'Ana observe 1 "bow"',
        "Ana reveal lasso",
        "Ana place lasso 1 2",
    )
    review = photo("up-the-creek", "bow lasso eagle")
    review = photo("up-the-creek", "bow", owner="Ben", name="b.jpg", before=review)
    (one,) = observation(session, review).differences
    assert one.instead == (("Ana", ("steal", "Ben", "1", "2", "to", "1", "3")),)


def test_the_crop_behind_a_line_of_the_score() -> None:
    session = creek()
    found = observation(session, photo("up-the-creek", "bow bear-a bear-b bear-hunter stern"))
    enter(session, found.acts, found)
    (length, triple) = session.score().players[0].lines
    seen = seen_cards(session)
    assert [c.card for c in behind(triple, "Ana", seen, SINGLE)] == [
        "bear-a",
        "bear-b",
        "bear-hunter",
    ]
    assert [c.column for c in behind(length, "Ana", seen, SINGLE)] == [1, 2, 3, 4, 5]
    assert {c.name for c in behind(length, "Ana", seen, SINGLE)} == {"a.jpg"}
    assert behind(length, "Ben", seen, SINGLE) == []


def wap(*lines: str, tracking: str = "full") -> MatchSession:
    session = MatchSession.create(
        STORE, "without-a-paddle", ("Ana", "Ben", "Cleo"), dealer="Cleo", tracking=tracking
    )
    for line in ("Ana bid 1", "Ben bid 0", "Cleo bid 1", *lines):
        session.play(session.parse(line), anyway=True)
    return session


def test_a_trick_goes_on_where_the_log_is() -> None:
    session = wap("Ana play 10C")
    found = observation(session, photo("standard-52", "10C QC KC", owner=""))
    assert found.acts == (("Ben", ("play", "QC")), ("Cleo", ("play", "KC")))
    assert found.summary.startswith("Cleo wins the trick")
    enter(session, found.acts, found)
    assert session.state.table.won == (0, 0, 1)


def test_who_reneged_is_said_and_recorded() -> None:
    """Ben's hand was photographed and holds clubs, and he plays a heart."""
    session = wap()
    hand = "2C 3C 4C 5C 6C 7C 8C 2H 3H 4H 5H 6H 7H 8H 9H 10H JH"
    told = observation(session, photo("standard-52", hand, owner="Ben"))
    enter(session, told.acts, told)
    found = observation(session, photo("standard-52", "10C 2H KC", owner=""))
    assert "does not follow suit" in found.differences[1].text
    enter(session, found.acts, found)
    assert [e.recorded for e in session.entries()][-3:] == [False, True, False]


def test_cards_too_many_for_a_trick_are_left_out_and_that_is_said() -> None:
    session = wap()
    found = observation(session, photo("standard-52", "10C QC KC 2D 3D", owner=""))
    assert len(found.acts) == 3 and "last 2 are left out" in found.remarks[0]


def test_chests_by_sum_and_by_ordinary_act() -> None:
    session = MatchSession.create(
        STORE, "gold-up", ("Ana", "Ben"), {"values": {"white": 2, "red": 5}}
    )
    found = observation(session, photo("gold-up", "chest-white chest-red key-red"))
    assert found.summary == "Ana: 2 chests, 7 coins"
    (one,) = found.differences
    assert one.instead == (("Ana", ("takes", "chest-white", "chest-red")),)
    enter(session, found.acts, found)
    assert session.state.own_coins(0) == 7
    assert observation(session, photo("gold-up", "chest-red chest-white")).acts == ()


def test_who_does_not_play_is_left_out_and_said() -> None:
    found = observation(creek(), photo("up-the-creek", "bow", owner="Zoe"))
    assert found.acts == () and "Zoe does not play" in found.remarks[0]


def test_rows_photographed_from_across_the_table_find_theirs() -> None:
    session = creek(
        'Ana observe 1 "bow eagle bear-a bear-b stern"', 'Ana observe 2 "bow totem stern"'
    )
    found = observation(
        session, photo("up-the-creek", "bow totem stern", "bow eagle bear-a bear-b stern")
    )
    assert found.acts == ()


def test_a_photo_of_the_new_row_alone_leaves_the_others() -> None:
    session = creek('Ana observe 1 "bow eagle furs stern"')
    found = observation(session, photo("up-the-creek", "bow totem"))
    assert found.acts == (("Ana", ("observe", "2", "bow totem")),)


def test_a_card_without_a_name_takes_nothing_from_the_log() -> None:
    session = creek('Ana observe 1 "bow eagle furs stern"')
    assert observation(session, photo("up-the-creek", "bow ?? furs stern")).acts == ()
    gold = MatchSession.create(STORE, "gold-up", ("Ana", "Ben"), {"values": {"red": 5, "blue": 2}})
    gold.play(gold.parse("Ana takes red=4 blue"))
    assert observation(gold, photo("gold-up", "chest-red ??")).acts == (), "nor the coins it knows"


def test_a_trick_ends_at_a_card_without_a_name() -> None:
    session = wap()
    found = observation(session, photo("standard-52", "10C ?? 2H", owner=""))
    assert found.acts == (("Ana", ("play", "10C")),)
    assert "card 2 of the trick has no name" in found.remarks[0]


def test_cards_of_two_photos_of_one_trick_count_once() -> None:
    session = wap()
    review = photo("standard-52", "10C", owner="")
    review = photo("standard-52", "10C QC 2H", owner="", name="b.jpg", before=review)
    found = observation(session, review)
    assert [words[1] for _, words in found.acts] == ["10C", "QC", "2H"]
    enter(session, found.acts, found)
    again = observation(session, photo("standard-52", "10C QC 2H", owner=""))
    assert again.acts == () and "earlier trick" in again.remarks[0]


def test_a_hand_and_a_trick_in_one_review() -> None:
    session = wap()
    review = photo("standard-52", "10S QS", owner="Ben")
    review = photo("standard-52", "10C QC KC", owner="", name="b.jpg", before=review)
    found = observation(session, review)
    assert len(found.acts) == 4 and "holds" in found.summary and "wins the trick" in found.summary


def test_a_match_that_another_program_finished_is_not_written_to() -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        store = open_store(f"sqlite:///{folder}/c.db")
        here = MatchSession.create(store, "up-the-creek", ("Ana", "Ben"))
        found = observation(here, photo("up-the-creek", "bow eagle stern"))
        MatchSession.open(store, here.match_id).finish()
        with pytest.raises(MatchIsFinished):
            enter(here, found.acts, found)
        assert store.entries(here.match_id) == ()
        store.close()


def test_a_numbered_card_has_its_photo_too() -> None:
    session = creek("Ana place bow 1 1")
    found = observation(session, photo("up-the-creek", "bow paddlers-2:red#4"))
    (one,) = found.differences
    enter(session, one.instead, found)
    (card,) = session.entries()[-1].provenance["cards"]  # type: ignore[index]
    assert card["card"] == "paddlers-2:red"


def test_which_row_it_is_can_be_said() -> None:
    """Two cards that agree with no row are taken for a new one, and that is said, until a person says
    which row they are; then what lay there is gone."""
    session = creek('Ana observe 1 "bow eagle furs"', 'Ana observe 2 "bow totem"')
    review = photo("up-the-creek", "dynamite bear-a")
    found = observation(session, review)
    assert found.acts == (("Ana", ("observe", "3", "dynamite bear-a")),)
    assert any("agree with no row" in text and "F6" in text for text in found.remarks)
    told = edits.as_row(review, 1, 2)
    found = observation(session, told)
    assert found.acts == (("Ana", ("observe", "2", "dynamite bear-a")),)
    assert not any("agree with no row" in text for text in found.remarks)
    enter(session, found.acts, found)
    assert rows_of(session) == ["bow eagle furs", "dynamite bear-a", ""]
    assert {c["row"] for c in session.entries()[-1].provenance["cards"]} == {2}  # type: ignore[index]
    assert observation(session, edits.as_row(told, 1, 0)).acts == (), "its cards tell now"


def test_what_was_said_of_a_row_goes_before_what_its_cards_say() -> None:
    session = creek('Ana observe 1 "bow eagle furs"')
    review = edits.as_row(photo("up-the-creek", "bow eagle furs", "bow totem"), 2, 1)
    found = observation(session, review)
    assert {words[1]: words[2] for _, words in found.acts}["1"] == "bow totem"


def test_of_lines_too_many_one_that_was_said_to_be_a_row_stays() -> None:
    review = photo(
        "up-the-creek", "bow eagle stern", "bow furs stern", "bow totem", "bow wigwam stern"
    )
    found = observation(creek(), edits.as_row(review, 4, 1))
    rows = {words[1]: words[2] for _, words in found.acts}
    assert rows["1"] == "bow wigwam stern" and "bow totem" not in rows.values()
    assert any("line 3 is left out" in text for text in found.remarks)


@pytest.mark.parametrize("rows", [(7,), (-1,), (2, 2)])
def test_a_waiting_review_that_says_impossible_rows_is_laid_by_its_cards(
    rows: tuple[int, ...],
) -> None:
    """The file that it waits in may have been written by anything."""
    session = creek('Ana observe 1 "bow eagle furs"', 'Ana observe 2 "bow totem stern"')
    review = photo("up-the-creek", *("bow eagle furs", "bow totem stern")[: len(rows)])
    told = [replace(line, row=row) for line, row in zip(review.lines, rows, strict=True)]
    assert observation(session, replace(review, lines=tuple(told))).acts == ()


def test_a_new_row_beside_rows_that_agree_needs_no_remark() -> None:
    session = creek('Ana observe 1 "bow eagle furs"')
    assert observation(session, photo("up-the-creek", "bow eagle furs", "bow totem")).remarks == ()


@pytest.mark.parametrize("move", [edits.given, lambda r, n, p: edits.photo_given(r, n - 1, p)])
def test_who_has_no_card_on_the_photos_any_more_loses_none(move: Any) -> None:
    session = MatchSession.create(
        STORE, "gold-up", ("Ana", "Ben"), {"values": {"white": 2, "red": 5}}
    )
    session.play(session.parse("Ana takes white"))
    found = observation(session, move(photo("gold-up", "chest-red"), 1, "Ben"))
    assert found.acts == (("Ben", ("observe", "chests", "chest-red")),)
