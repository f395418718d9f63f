"""The log: which entries are in force after any mixture of acts, amendments, undo and redo."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.log import Amended, BrokenLog, Entry, Log, Played, Redone, Undone, act_of

A, B, C = (Played("Ana", (word,)) for word in ("one", "two", "three"))
BEN = Played("Ben", ("four",))


def said(log: Log) -> list[str]:
    """The words in force."""
    return [f"{act.player} {' '.join(act.words)}" for act in log.in_force()]


def test_acts_stand_in_order() -> None:
    assert said(Log.of([A, B, BEN])) == ["Ana one", "Ana two", "Ben four"]


def test_an_empty_log_has_nothing_to_undo() -> None:
    assert Log().undo() == Log().undo(turn=True) == Log().redo() == Log().redo(turn=True) == ()


def test_undo_takes_back_the_last_and_redo_brings_it_again() -> None:
    log = Log.of([A, B, Undone(2)])
    assert said(log) == ["Ana one"]
    assert (log.undo(), log.redo()) == ((1,), (2,))
    assert said(log.added(Redone(2))) == ["Ana one", "Ana two"]


def test_a_new_act_leaves_nothing_to_redo() -> None:
    log = Log.of([A, B, Undone(2), C])
    assert said(log) == ["Ana one", "Ana three"]
    assert log.redo() == ()


def test_a_turn_is_all_acts_of_one_player_in_a_row() -> None:
    log = Log.of([BEN, A, B, C])
    assert log.undo() == (4,)
    assert log.undo(turn=True) == (4, 3, 2)
    undone = Log.of([*log.entries, Undone(4), Undone(3), Undone(2)])
    assert undone.redo(turn=True) == (2, 3, 4)
    assert undone.undo(turn=True) == (1,)


def test_an_amendment_is_a_step_of_its_own() -> None:
    log = Log.of([A, B, Amended(1, "Ben", ("other",), True)])
    assert said(log) == ["Ben other", "Ana two"]
    assert log.in_force()[0].told == 3
    assert log.in_force()[0].recorded
    assert log.undo(turn=True) == (3,)
    assert said(log.added(Undone(3))) == ["Ana one", "Ana two"]
    more = log.added(C)
    assert more.undo(turn=True) == (4,), "a turn does not reach over an amendment"


def test_the_last_of_two_amendments_holds() -> None:
    log = Log.of([A, Amended(1, "Ana", ("x",)), Amended(1, "Ana", ("y",))])
    assert said(log) == ["Ana y"]
    assert said(log.added(Undone(3))) == ["Ana x"]


@pytest.mark.parametrize(
    "entries",
    [
        [Undone(1)],
        [A, Undone(2)],
        [A, B, Undone(1)],
        [A, Redone(1)],
        [A, B, Undone(2), Undone(1), Redone(2)],
        [Amended(1, "Ana", ("x",))],
        [A, Undone(1), Amended(1, "Ana", ("x",))],
        [A, Amended(1, "Ana", ("x",)), Amended(2, "Ana", ("y",))],
        [A, Undone(1), B, Redone(1)],
    ],
)
def test_an_entry_that_cannot_follow_is_refused(entries: list[Entry]) -> None:
    with pytest.raises(BrokenLog):
        Log.of(entries)


def test_every_entry_is_about_an_act() -> None:
    log = Log.of([A, Amended(1, "Ana", ("x",)), Undone(2), Redone(2), B])
    assert [act_of(log, seq) for seq in range(1, 6)] == [1, 1, 1, 1, 5]
    for seq in (0, 6):
        with pytest.raises(BrokenLog):
            act_of(log, seq)


@given(st.lists(st.tuples(st.sampled_from("ppurat"), st.integers(0, 30)), max_size=40))
def test_the_fold_is_what_keeping_every_version_would_give(moves: list[tuple[str, int]]) -> None:
    """Compared with lists of whole versions, and one entry at a time with all at once."""
    log = Log()
    now: list[tuple[int, str]] = []
    past: list[list[tuple[int, str]]] = []
    future: list[list[tuple[int, str]]] = []
    for kind, number in moves:
        seq = len(log.entries) + 1
        if kind == "p":
            log = log.added(Played("AB"[number % 2], (str(seq),)))
            past, future, now = [*past, now], [], [*now, (seq, str(seq))]
        elif kind == "a" and now:
            at = number % len(now)
            log = log.added(Amended(now[at][0], "A", (f"x{seq}",)))
            changed = [*now]
            changed[at] = (now[at][0], f"x{seq}")
            past, future, now = [*past, now], [], changed
        elif kind in "ut" and past:
            for step in log.undo(turn=kind == "t"):
                log = log.added(Undone(step))
                future, now = [*future, now], past.pop()
        elif kind == "r" and future:
            for step in log.redo():
                log = log.added(Redone(step))
                past, now = [*past, now], future.pop()
        assert [(act.seq, *act.words) for act in log.in_force()] == now
        assert (bool(log.undo()), bool(log.redo())) == (bool(past), bool(future))
    assert Log.of(log.entries) == log
