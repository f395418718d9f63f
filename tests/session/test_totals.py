"""What a photo would make of a match's totals: said before, and what entering it then comes to."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.intake.eyes import ScannedPhoto
from companion.intake.review import Review, added, edits, opened
from companion.intake.table import LIKELY
from companion.session import MatchSession, open_store
from companion.session.observed import enter, observation, totals
from tests.intake.readings import reading

STORE = open_store("sqlite://")
VALUES = {"white": 2, "red": 5, "blue": 9}
Begin = Callable[[], MatchSession]


def photo(deck: str, *rows: str, owner: str = "Ana") -> Review:
    """As the program read it: nobody has looked yet."""
    return added(
        opened(deck), ScannedPhoto("/x/a.jpg", deck, reading(*rows), 0.1, f"{1:064}"), owner
    )


def creek(*lines: str) -> MatchSession:
    session = MatchSession.create(STORE, "up-the-creek", ("Ana", "Ben"))
    for line in lines:
        session.play(session.parse(line), anyway=True)
    return session


def gold(*lines: str, values: Any = None) -> MatchSession:
    options = {"values": VALUES if values is None else values}
    session = MatchSession.create(STORE, "gold-up", ("Ana", "Ben"), options)
    for line in lines:
        session.play(session.parse(line), anyway=True)
    return session


def entered(begin: Begin, review: Review) -> dict[str, int]:
    """The totals of the match once everything is entered as observed."""
    session = begin()
    found = observation(session, review)
    enter(session, found.acts, found)
    return dict(session.score().totals)


def namings(review: Review) -> list[Review]:
    """The review with its unsure cards named, in every way that they may turn out."""
    asked = [(at, box.seen) for at in review.unsettled() if (box := review.at(at)) is not None]
    ways = [[c.face for c in seen.candidates if c.confidence >= LIKELY] for _, seen in asked]
    found = []
    for way in product(*ways):
        told = review
        for (at, _), card in zip(asked, way, strict=True):
            told = edits.told(told, at, card)
        found.append(told)
    return found


def said(session: MatchSession, review: Review) -> list[str]:
    return list(map(str, totals(session, review)))


def test_before_and_after_are_said() -> None:
    """The log has 3x1 + 10 = 13 in row 1 and 2x1 in row 2, which is on no photo.

    Row 1 with the whole bear is 5x1 + (10+10+10)x3 = 95; with the half and an eagle 4x1 + 10 + 10 = 24,
    with paddlers instead 14. Where a card without a name is none, its canoe is open and worth nothing.
    """
    log = ('Ana observe 1 "bow bear-a stern"', 'Ana observe 2 "bow stern"')
    row = "bow bear-a bear-b bear-hunter stern"
    assert said(creek(*log), photo("up-the-creek", row)) == ["Ana 15 → 97"]
    assert said(creek(*log), photo("up-the-creek", "bow bear-a stern")) == ["Ana 15 as before"]
    unsure = photo("up-the-creek", "bow bear-a eagle?paddlers-2:red stern")
    assert said(creek(*log), unsure) == ["Ana 15 → 16 to 26"]
    assert said(creek(*log), photo("up-the-creek", "bow bear-a ?? stern")) == ["Ana 15 → 2 or more"]


def test_a_gap_that_may_be_there_makes_a_range() -> None:
    """With the gap the canoe is open; without it 3x1 + 10 = 13."""
    review = photo("up-the-creek", "bow . eagle stern")
    (line,) = review.lines
    review = replace(review, lines=(replace(line, gap="may be one"),))
    assert said(creek('Ana observe 1 "bow eagle"'), review) == ["Ana 0 → 0 to 13"]


def test_coins_of_earlier_hands_are_in_the_total() -> None:
    """7 coins of the first hand; then a white chest of 2 lies there, and the photo shows 2 + 5."""
    log = ("Ana takes white red", "Ana end-hand", "Ana takes white")
    session = gold(*log)
    assert said(session, photo("gold-up", "chest-white chest-red key-red")) == ["Ana 9 → 14"]
    assert said(session, photo("gold-up", "chest-white chest-red?chest-blue")) == [
        "Ana 9 → 14 to 18"
    ]
    assert said(session, photo("gold-up", "chest-white ??")) == ["Ana 9 → 9 or more"]


def test_a_chest_that_nobody_has_valued_leaves_the_highest_open() -> None:
    session = gold("Ana takes white", values={"white": 2})
    assert said(session, photo("gold-up", "chest-white chest-red")) == ["Ana 2 → 2 or more"]


def test_coins_that_were_counted_stay_whatever_chests_lie_there() -> None:
    session = gold("Ana coins 40")
    assert said(session, photo("gold-up", "chest-white chest-red")) == ["Ana 40 as before"]


def test_beside_counted_coins_a_chest_that_nobody_has_valued_takes_all() -> None:
    """Ben has counted, so Ana's chests count by their sum, which nobody knows with a green one."""
    log = ("Ana takes white", "Ben coins 25")
    review = photo("gold-up", "chest-white chest-green")
    assert said(gold(*log), review) == ["Ana 2 → 0 or more"]
    assert entered(lambda: gold(*log), review)["Ana"] == 0


def test_a_guess_holds_the_coins_that_the_log_knows() -> None:
    """The log has red chests of 20 and of 1; where both cards are red they are those two."""
    review = photo("gold-up", "chest-red?chest-white chest-red")
    assert said(gold("Ana takes red=1 red=20"), review) == ["Ana 21 → 3 to 21"]
    assert said(gold("Ana takes red=20"), photo("gold-up", "chest-white?chest-red")) == [
        "Ana 20 → 2 to 20"
    ]


def test_of_many_guesses_the_range_is_a_bound() -> None:
    row = " ".join(["chest-white?chest-red"] * 12)
    (found,) = totals(gold("Ana takes red=20"), photo("gold-up", row))
    assert found.lowest <= 12 * 2 and found.highest is not None
    assert found.highest >= 20 + 11 * 5


def test_a_guess_that_the_match_does_not_know_leaves_what_the_log_has() -> None:
    """Where it is a dog, which this deck has not, nothing lies there and the canoe is open."""
    review = photo("up-the-creek", "bow eagle?dog stern")
    assert said(creek(), review) == ["Ana 0 → 0 to 13"]
    named = edits.told(review, (1, 2), "dog")
    assert entered(creek, named)["Ana"] == 0
    log = 'Ana observe 1 "bow paddlers-2:red stern"'
    review = edits.as_row(photo("up-the-creek", "bow dog?eagle stern"), 1, 1)
    assert said(creek(log), review) == ["Ana 3 → 3 to 13"]


def test_who_does_not_play_and_a_trick_have_no_total() -> None:
    assert totals(creek(), photo("up-the-creek", "bow stern", owner="Zoe")) == ()
    session = MatchSession.create(STORE, "without-a-paddle", ("Ana", "Ben", "Cleo"))
    assert totals(session, photo("standard-52", "10C QC")) == ()


KINDS = ["bow", "stern", "eagle", "bear-a", "bear-b", "bear-hunter", "paddlers-2:red", "."]
UNSURE = ["eagle?furs", "bear-b?bear-a", "stern?paddlers-2:red"]
logs = st.lists(
    st.lists(st.sampled_from(KINDS), min_size=1, max_size=6)
    .map(" ".join)
    .filter(lambda row: row.strip(" .") != ""),
    max_size=3,
)
shown = st.lists(
    st.lists(st.sampled_from([*KINDS, *UNSURE]), min_size=1, max_size=6)
    .map(" ".join)
    .filter(lambda row: row.strip(" .") != ""),
    min_size=1,
    max_size=2,
)


@settings(max_examples=40)
@given(logs, shown, st.data())
def test_the_range_is_what_entering_any_naming_comes_to(
    log: list[str], rows: list[str], data: st.DataObject
) -> None:
    """Both ends are reached and nothing lies outside; which rows they are was said, so that a name
    moves none of them elsewhere."""

    def begin() -> MatchSession:
        acts = [f'Ana observe {n} "{row}"' for n, row in enumerate(log, 1)]
        return creek(*acts, 'Ben observe 1 "bow eagle stern"')

    review = photo("up-the-creek", *rows)
    places = data.draw(st.permutations((1, 2, 3)))
    for line in range(1, len(review.lines) + 1):
        review = edits.as_row(review, line, places[line - 1])
    named = namings(review)
    assume(len(named) <= 8)
    session = begin()
    (found,) = totals(session, review)
    came = [entered(begin, one) for one in named]
    assert found.before == session.score().totals["Ana"]
    assert (found.lowest, found.highest) == (
        min(c["Ana"] for c in came),
        max(c["Ana"] for c in came),
    )
    assert all(c["Ben"] == 13 for c in came)


CHESTS = ["chest-white", "chest-red", "chest-blue", "key-red", "chest-red#4"]
UNSURE_CHESTS = ["chest-white?chest-red", "chest-blue?key-red", "key-red?chest-blue"]


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(["white", "red", "blue", "red=4", "red=20", "white=8"]), max_size=4),
    st.lists(st.sampled_from([*CHESTS, *UNSURE_CHESTS]), min_size=1, max_size=5),
)
def test_the_coins_are_what_entering_any_naming_comes_to(log: list[str], row: list[str]) -> None:
    def begin() -> MatchSession:
        takes = (f"Ana takes {' '.join(log)}",) if log else ()
        return gold("Ana takes blue", "Ana end-hand", *takes)

    review = photo("gold-up", " ".join(row))
    named = namings(review)
    assume(len(named) <= 8)
    (found,) = totals(begin(), review)
    came = [entered(begin, one)["Ana"] for one in named]
    assert found.before == begin().score().totals["Ana"]
    assert (found.lowest, found.highest) == (min(came), max(came))
