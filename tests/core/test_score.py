"""Totals and ranks."""

from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import Fault, UnusableInput
from companion.core.score import Line, PlayerScore, Score, leaders, ranked


def players(*points: tuple[int, ...]) -> tuple[PlayerScore, ...]:
    return ranked(
        [(f"P{i}", [Line(p, "thing", "x:rule") for p in own]) for i, own in enumerate(points)]
    )


def test_equal_totals_share_the_rank_and_the_next_is_skipped() -> None:
    """1, 2, 2, 4; order of the file."""
    found = players((5,), (10,), (3, 2), (-1,))
    assert [(p.name, p.total, p.rank) for p in found] == [
        ("P0", 5, 2), ("P1", 10, 1), ("P2", 5, 2), ("P3", -1, 4),
    ]  # fmt: skip
    assert leaders(found) == ("P1",)


def test_all_equal_win_together() -> None:
    """Also with nothing at all, and with one player."""
    assert leaders(players((), (), ())) == ("P0", "P1", "P2")
    assert leaders(players((-20,))) == ("P0",)
    assert leaders(()) == ()


@given(st.lists(st.lists(st.integers(-200, 200), max_size=4).map(tuple), max_size=8))
def test_ranks(points: list[tuple[int, ...]]) -> None:
    """The total is the sum of the lines; a rank counts those who are better."""
    found = players(*points)
    assert [p.total for p in found] == [sum(own) for own in points]
    for player in found:
        assert player.rank == 1 + sum(other.total > player.total for other in found)
    assert bool(leaders(found)) == bool(found)
    score = Score(found, leaders(found), None)
    assert score.totals == {p.name: p.total for p in found}


def test_a_fault_in_words() -> None:
    """Place, what was found, what would be right; parts that are missing leave no trace."""
    assert str(Fault("row 1", "unknown card", "write eagle")) == "row 1: unknown card; write eagle"
    assert str(Fault("", "is empty")) == "is empty"
    error = UnusableInput(iter([Fault("a", "b"), Fault("c", "d")]))
    assert len(error.faults) == 2
    assert str(error).splitlines() == ["a: b", "c: d"]
