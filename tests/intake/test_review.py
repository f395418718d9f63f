"""A review: corrections lose no card, photos of one row join, and what is said of the score holds."""

from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from card_catalog.loader import shipped_deck
from companion.intake.eyes import ScannedPhoto
from companion.intake.review import Line, Review, added, edits, lines_joined, opened, parted
from companion.intake.review.counting import cards_in_words, sentence, standing
from companion.intake.review.edits import without
from companion.intake.review.opening import overlap, rebuilt, sound
from companion.intake.table import single_in
from companion.tui.review import draft, mending
from tests.intake.readings import reading

DECK = shipped_deck("up-the-creek")
KINDS = [
    "bow",
    "stern",
    "bear-a",
    "bear-b",
    "bear-hunter",
    "eagle",
    "furs",
    "paddlers-2:red",
    "totem",
]


SINGLE = single_in(DECK)


def _never(_: str) -> bool:
    return False


def review(*photos: tuple[str, ...], owners: tuple[str, ...] = (), joining: bool = True) -> Review:
    made = opened("up-the-creek")
    for i, rows in enumerate(photos):
        photo = ScannedPhoto(f"{i}.jpg", "up-the-creek", reading(*rows), 0.1, f"{i:064}")
        made = added(made, photo, owners[i] if owners else "Ana", SINGLE if joining else _never)
    return made


def cards(made: Review) -> Counter[str | None]:
    return Counter(box.card for at in made.places() if (box := made.at(at)))


def row(made: Review, line: int = 1) -> str:
    return " ".join("." if b is None else str(b.card) for b in made.lines[line - 1].cells)


words = st.sampled_from([*KINDS, ".", "eagle?furs", "bear-a?bear-b", "??"])
rows = st.lists(words, min_size=1, max_size=8).map(" ".join).filter(lambda r: r.strip(" ."))
places = st.tuples(st.integers(1, 3), st.integers(1, 9))
MOVES: dict[str, Any] = {
    "spread": edits.spread,
    "tightened": edits.tightened,
    "turned": lambda r, at: edits.turned(r, min(at[0], len(r.lines))),
    "lifted": lambda r, at: edits.lifted(r, at[0], -1),
    "given": lambda r, at: edits.given(r, min(at[0], len(r.lines)), "Ben"),
    "photo": lambda r, at: edits.photo_given(r, 0, "Ben" if at[1] % 2 else "Ana"),
    "row": lambda r, at: edits.as_row(r, min(at[0], len(r.lines)), at[1] % 4),
    "moved": lambda r, at: edits.moved(r, at, (at[1] % 3 + 1, at[0])),
    "clear": lambda r, at: edits.columns_clear(r, min(at[0], len(r.lines))),
}


@given(
    st.lists(rows, min_size=1, max_size=3),
    st.lists(st.tuples(st.sampled_from(sorted(MOVES)), places)),
)
def test_moving_about_keeps_every_card(
    shown: list[str], moves: list[tuple[str, tuple[int, int]]]
) -> None:
    made = review(tuple(shown))
    before = cards(made)
    for name, at in moves:
        made = MOVES[name](made, at)
        assert cards(made) == before
        assert all(any(line.cells) and line.cells[-1] is not None for line in made.lines)
        rows = [(line.player, made.row_of(n)) for n, line in enumerate(made.lines, 1)]
        assert len(set(rows)) == len(rows), "no two rows of a player are called the same"


@given(st.lists(rows, min_size=1, max_size=3), places, st.sampled_from(KINDS))
def test_a_name_that_is_told_changes_that_card_alone(shown: list[str], at: Any, card: str) -> None:
    made = review(tuple(shown))
    after = edits.told(made, at, card)
    for place in made.places():
        box = after.at(place)
        assert box is not None
        if place == at:
            assert box.card == card and box.settled
        else:
            assert box == made.at(place)


@given(st.lists(rows, min_size=1, max_size=3), places)
def test_a_card_taken_away_or_split_or_joined(shown: list[str], at: Any) -> None:
    made = review(tuple(shown))
    there = made.at(at) is not None
    assert len(edits.removed(made, at).places()) == len(made.places()) - there
    assert len(edits.split(made, at).places()) == len(made.places()) + there
    beside = made.at((at[0], at[1] + 1)) is not None
    assert len(edits.joined(made, at).places()) == len(made.places()) - (there and beside)


def test_split_boxes_lie_side_by_side_and_joined_ones_span_both() -> None:
    made = review(("eagle furs",))
    box = made.at((1, 1))
    assert box is not None
    (x0, _), (x1, _), *_ = box.seen.region
    halves = edits.split(made, (1, 1))
    left, right = halves.at((1, 1)), halves.at((1, 2))
    assert left and right and left.card is None and right.card is None
    assert left.seen.region[0][0] == x0 and right.seen.region[1][0] == x1
    assert left.seen.region[1] == right.seen.region[0]
    assert row(halves).endswith("furs")
    whole = edits.joined(made, (1, 1)).at((1, 1))
    other = made.at((1, 2))
    assert whole and other and whole.seen.region[0] == box.seen.region[0]
    assert whole.seen.region[1] == other.seen.region[1]


def test_what_is_sure_stays_and_the_rest_is_confirmed_in_one_step() -> None:
    made = review(("bow eagle?furs ?? stern",))
    assert made.unsettled() == [(1, 2), (1, 3)]
    after = edits.all_confirmed(made)
    assert after.unsettled() == [(1, 3)], "a card without a name keeps asking"
    assert not after.settled and edits.removed(after, (1, 3)).settled


@given(
    st.permutations(KINDS),
    st.integers(4, 9),
    st.integers(2, 4),
    st.integers(0, 3),
    st.integers(0, 3),
)
def test_two_photos_of_a_row_join_to_that_row(
    kinds: list[str], length: int, shared: int, gap: int, before: int
) -> None:
    whole = kinds[:length]
    if gap:
        whole.insert(min(gap, len(whole) - 1), ".")
    cut = max(1, len(whole) - shared - 1)
    left, right = whole[: cut + shared], [*["."] * before, *whole[cut:]]
    assume(sum(word != "." for word in whole[cut : cut + shared]) >= 2)
    assume("." not in (left[0], left[-1]))
    if not any(SINGLE(word) for word in whole[cut : cut + shared]):
        assert len(review((" ".join(left),), (" ".join(right),)).lines) == 2
        return
    made = review((" ".join(left),), (" ".join(right),))
    assert [row(made)] == [" ".join(whole)] and len(made.lines) == 1
    turned = review((" ".join(right),), (" ".join(left),))
    assert row(turned).split()[-len(whole) :] == whole, "the left part may come last"


def test_rows_that_contradict_each_other_are_not_joined() -> None:
    for second in ("bear-a furs stern", "furs bear-a stern", "eagle stern", "bow"):
        assert len(review(("bow bear-a eagle",), (second,)).lines) == 2, second


def test_photos_of_different_players_are_never_joined() -> None:
    made = review(("bow bear-a bear-b",), ("bow bear-a bear-b",), owners=("Ana", "Ben"))
    assert [line.player for line in made.lines] == ["Ana", "Ben"]


def test_rows_can_be_joined_by_hand_and_a_photo_taken_off() -> None:
    made = review(("bow eagle",), ("furs stern",))
    joined = lines_joined(made, 1)
    assert row(joined) == "bow eagle furs stern"
    assert row(without(joined, 1)) == "bow eagle"
    assert overlap(list(made.lines[:1]), list(made.lines[1:]), SINGLE) is None


unsure = st.sampled_from(
    [
        "bow",
        "stern",
        "bear-a?bear-b",
        "bear-b",
        "bear-hunter?eagle",
        "eagle?furs",
        "paddlers-2:red?totem",
        ".",
    ]
)


@given(st.lists(st.lists(unsure, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=2))
def test_the_range_is_what_naming_every_card_can_come_to(shown: list[str]) -> None:
    """Every combination is told and counted: none lies outside, both ends are reached, and a card
    decides exactly where saying it alone can change the total."""
    shown = [r for r in shown if r.strip(" .")]
    assume(shown)
    made = review(tuple(shown), joining=False)
    asked = made.unsettled()
    options = [
        [c.face for c in made.at(at).seen.candidates if c.confidence >= 0.02] for at in asked
    ]  # type: ignore[union-attr]
    totals = {}
    for choice in product(*options):
        told = made
        for at, card in zip(asked, choice, strict=True):
            told = edits.told(told, at, card)
        totals[choice] = standing(told, DECK).players[0].total
    found = standing(made, DECK)
    player = found.players[0].player
    assert (player["lowest"], player["highest"]) == (min(totals.values()), max(totals.values()))
    for i, at in enumerate(asked):
        alone: dict[Any, set[Any]] = {}
        for choice, total in totals.items():
            alone.setdefault(choice[:i] + choice[i + 1 :], set()).add(total)
        assert (at in found.deciding) == any(len(v) > 1 for v in alone.values())
    assert set(found.deciding) | set(found.idle) == set(asked)


def test_it_is_said_who_wins_whatever_the_card_is() -> None:
    made = review(
        ("bow bear-a bear-b bear-hunter stern",), ("bow eagle?totem stern",), owners=("Ana", "Ben")
    )
    said = sentence(made, standing(made, DECK, None, ("Ana", "Ben")))
    assert said == "Ana 95. Ben 3 to 13; card 7 decides. Ana wins all the same."


def test_cards_in_words() -> None:
    assert [cards_in_words(list(range(1, n + 1))) for n in (1, 2, 3, 7)] == [
        "card 1",
        "cards 1 and 2",
        "cards 1, 2 and 3",
        "cards 1, 2, 3, 4, 5 and 2 more",
    ]


@given(st.lists(rows, min_size=1, max_size=3))
def test_a_draft_comes_back_as_it_was(shown: list[str]) -> None:
    import os
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("COMPANION_STATE")
        os.environ["COMPANION_STATE"] = folder
        try:
            made = edits.told(review(tuple(shown)), (1, 1), "eagle")
            waits = draft.Waiting(made, {"a": "b.jpg"}, (("c.jpg", "Ana"),))
            assert draft.keep("here", waits) == ""
            assert draft.read("here") == waits
            assert draft.read("elsewhere") is None
            draft.drop("here")
            assert draft.read("here") is None
        finally:
            os.environ.pop("COMPANION_STATE")
            if before is not None:
                os.environ["COMPANION_STATE"] = before


def test_reviews_of_several_tables_wait_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path))
    one, other = review(("bow eagle",)), review(("furs stern",))
    draft.keep("match 1", draft.Waiting(one, {}))
    draft.keep("match 2", draft.Waiting(other, {}))
    draft.drop("match 2")
    assert draft.read("match 1") == draft.Waiting(one, {}) and draft.read("match 2") is None
    for file in tmp_path.iterdir():
        file.write_text("{broken")
    assert draft.read("match 1") is None


@given(st.lists(rows, min_size=1, max_size=3), st.data())
def test_everything_that_is_offered_to_be_mended_can_be(shown: list[str], data: Any) -> None:
    made = review(tuple(shown), owners=("Ana",))
    at = data.draw(st.sampled_from(made.places()))
    more = {"inserted": 1, "split": 1, "joined": -1}
    owners = (("Ana", "Ana's rows"), ("Ben", "Ben's rows"))
    rows = ((2, "row 2 of Ana"), (3, "row 3 of Ana"))
    for what, words in mending.offers(made, at, owners, rows):
        after, to = mending.mended(made, at, what)
        assert words and len(to) == 2
        changed = after != made
        now, then = len(after.places()), len(made.places())
        if what == "joined-lines":  # what both rows show lies there once
            assert now <= then
        else:
            assert now == then + more.get(what, 0) * changed
        assert "Ana's" not in words, "whose it is already is not offered"
        if what.startswith(mending.ROW):
            assert after.lines[at[0] - 1].row == int(what.removeprefix(mending.ROW))


def test_what_lies_in_every_box_many_times_joins_nothing() -> None:
    for rows in (("bow paddlers-2:red stern",) * 2, ("bow stern", "bow stern eagle")):
        made = review((rows[0],), (rows[1],))
        assert len(made.lines) == 2


def test_a_long_row_of_two_canoes_joins() -> None:
    made = review(
        ("bow eagle stern bow furs bear-a",), ("furs bear-a bear-b stern bow totem stern",)
    )
    assert [row(made)] == ["bow eagle stern bow furs bear-a bear-b stern bow totem stern"]


def test_photos_that_were_joined_can_be_taken_apart() -> None:
    made = review(("bow furs bear-a",), ("furs bear-a stern",))
    assert len(made.lines) == 1
    apart = parted(edits.told(made, (1, 1), "totem"), 1)
    assert [row(apart, 1), row(apart, 2)] == ["totem furs bear-a", "furs bear-a stern"]


def test_what_a_photo_taken_off_shared_is_still_on_the_other() -> None:
    made = review(("bow eagle furs?totem bear-a?dynamite",), ("furs bear-a bear-b stern",))
    assert row(made) == "bow eagle furs bear-a bear-b stern"
    left = rebuilt(edits.told(made, (1, 2), "dynamite"), 1, SINGLE)
    assert row(left) == "bow dynamite furs bear-a", "and what was told stays"


def test_a_printed_number_is_not_lost_by_confirming() -> None:
    made = review(("paddlers-2:red?paddlers-2:black#3 eagle",))
    after = edits.all_confirmed(made)
    assert after.at((1, 1)).sighting.number == 3  # type: ignore[union-attr]
    assert str(after.seen()[0].rows[0].spots[0].sighting.number) == "3"


def test_nobody_has_won_while_somebody_is_on_no_photo() -> None:
    made = review(("bow eagle stern",), ("bow furs?totem stern",), owners=("Ana", "Ben"))
    assert "win" not in sentence(made, standing(made, DECK, None, ("Ana", "Ben", "Cleo")))


def test_a_gap_that_may_be_there_lets_cards_decide() -> None:
    """With the gap the canoe is open and worth nothing; without it the eagle brings 10."""
    made = review(("bow . eagle?paddlers-2:red stern",))
    (line,) = made.lines
    made = Review(
        made.deck, made.photos, (Line(line.player, line.cells, "may be one"),), made.players
    )
    found = standing(made, DECK)
    assert found.deciding == ((1, 3),) and found.gaps == (1,) and found.left == 2


def test_cards_that_the_deck_does_not_know_any_more_have_no_name() -> None:
    made = edits.told(review(("bow eagle",)), (1, 1), "zeppelin")
    after = sound(made, lambda face: face in ("bow", "furs"))
    assert row(after) == "bow None" and after.at((1, 1)).told is None  # type: ignore[union-attr]


def test_a_whole_photo_goes_to_another_player() -> None:
    """The rows of the other photo stay; a row that goes on in a third photo takes that one along."""
    made = review(
        ("bow eagle stern", "bow furs bear-a"), ("bow totem stern",), owners=("Ana", "Ana")
    )
    after = edits.photo_given(made, 0, "Ben")
    assert [line.player for line in after.lines] == ["Ben", "Ben", "Ana"]
    assert [photo.player for photo in after.photos] == ["Ben", "Ana"]
    assert after.shown() == ["Ana", "Ben"] and cards(after) == cards(made)
    long = review(("bow furs bear-a",), ("furs bear-a stern",), ("bow totem stern",))
    after = edits.photo_given(long, 1, "Ben")
    assert [(line.player, row(after, n)) for n, line in enumerate(after.lines, 1)] == [
        ("Ben", "bow furs bear-a stern"),
        ("Ana", "bow totem stern"),
    ]
    assert [photo.player for photo in after.photos] == ["Ben", "Ben", "Ana"]


def test_a_photo_of_which_every_row_was_given_is_the_others() -> None:
    """So that it stays theirs where it is read into the rows anew."""
    made = review(("bow eagle stern", "bow furs stern"), ("bow totem stern",))
    one = edits.given(made, 1, "Ben")
    assert one.photos[0].player == "Ana"
    left = rebuilt(edits.as_row(one, 1, 3), 1, SINGLE)
    assert [(line.player, line.row) for line in left.lines] == [("Ben", 3), ("Ana", 0)]
    both = edits.given(one, 2, "Ben")
    assert both.photos[0].player == "Ben"
    again = rebuilt(both, 1, SINGLE)
    assert [line.player for line in again.lines] == ["Ben", "Ben"]


def test_nobody_stands_with_nothing_whose_cards_are_on_no_photo() -> None:
    made = edits.photo_given(review(("bow eagle stern",)), 0, "Ben")
    assert sentence(made, standing(made, DECK)) == "Ben 13."


def test_what_was_said_of_a_row_is_of_its_player() -> None:
    made = edits.as_row(review(("bow eagle stern", "bow furs stern")), 1, 2)
    assert [made.row_of(1), made.row_of(2)] == [2, 1]
    assert [line.row for line in edits.as_row(made, 2, 2).lines] == [0, 2], "one row, one line"
    assert edits.given(made, 1, "Ben").lines[0].row == 0
