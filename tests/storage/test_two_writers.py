"""Two programs on one match: each is told what the other has written, and neither loses an entry."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.core.errors import ImpossibleAction
from companion.session import MatchIsFinished, MatchSession, SomebodyElseWrote, Store
from tests.storage.script import begin

Opener = Callable[[str], Store]
Pair = tuple[MatchSession, MatchSession]
ROOT = Path(__file__).parents[2]
COUNT = 40


def test_two_processes_at_once(url: str, opened: Opener) -> None:
    store = opened(url)
    match = begin(store).match_id
    programs = {
        player: subprocess.Popen(
            [sys.executable, "-m", "tests.storage.script", url, str(match), str(COUNT), player],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for player in ("Ana", "Ben")
    }
    for program in programs.values():
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs.values():
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs.values():
        said, _ = program.communicate(timeout=120)
        assert program.returncode == 0
        assert said.split() == [str(n) for n in range(1, COUNT + 1)]
    session = MatchSession.open(store, match)
    for player in programs:
        texts = [v.text for v in session.entries() if v.player == player]
        right = [f"observe 1 eagle from {n}" for n in range(1, COUNT + 1)]
        right[0] = "observe 1 eagle"  # column 1 goes without saying
        assert texts == right
    assert len(store.entries(match)) == 2 * COUNT


@pytest.fixture
def pair(url: str, opened: Opener) -> Pair:
    """One match, open in two programs."""
    mine = begin(opened(url))
    return mine, MatchSession.open(opened(url), mine.match_id)


def play(session: MatchSession, line: str, anyway: bool = False) -> tuple[str, ...]:
    """Plays a line."""
    return session.play(session.parse(line), anyway)


def agree(mine: MatchSession, other: MatchSession, lines: list[str]) -> None:
    """Both show the same, and it is these acts."""
    mine.refresh()
    other.refresh()
    for session in (mine, other):
        assert [f"{v.player} {v.text}" for v in session.entries() if v.in_force] == lines
    assert mine.state == other.state
    assert MatchSession.open(mine.store, mine.match_id).state == mine.state


def test_an_act_that_still_stands_is_added_and_the_other_is_told(pair: Pair) -> None:
    mine, other = pair
    play(mine, "Ana place bow 1 1")
    news = play(other, "Ben place bow 1 1")
    assert news[0] == "Meanwhile, in another program: Ana place bow 1 1"
    agree(mine, other, ["Ana place bow 1 1", "Ben place bow 1 1"])


def test_the_same_act_is_not_entered_twice(pair: Pair) -> None:
    mine, other = pair
    play(mine, 'Ana observe 1 "eagle"')
    with pytest.raises(SomebodyElseWrote) as caught:
        play(other, 'Ana observe 1 "eagle"')
    assert caught.value.added == ("Ana observe 1 eagle",)
    agree(mine, other, ["Ana observe 1 eagle"])
    play(other, 'Ana observe 1 "eagle"')  # meant so after all
    agree(mine, other, ["Ana observe 1 eagle"] * 2)


def test_an_act_that_becomes_another_one_is_not_added(pair: Pair) -> None:
    mine, other = pair
    play(mine, "Ana place eagle 1 1")
    with pytest.raises(SomebodyElseWrote) as caught:
        play(other, "Ana place furs 1 1")
    assert caught.value.added == ("Ana place eagle 1 1",)
    with pytest.raises(ImpossibleAction):
        play(other, "Ana place furs 1 1")
    agree(mine, other, ["Ana place eagle 1 1"])


def test_an_objection_may_come_from_an_old_table(pair: Pair) -> None:
    mine, other = pair
    play(mine, "Ana place eagle 1 1")
    news = play(other, "Ana place furs 1 2")
    assert "Meanwhile, in another program: Ana place eagle 1 1" in news
    play(mine, "Ana place totem 1 3")
    agree(mine, other, ["Ana place eagle 1 1", "Ana place furs 1 2", "Ana place totem 1 3"])


def test_undo_redo_and_amending_do_not_hit_what_one_has_not_seen(pair: Pair) -> None:
    mine, other = pair
    play(mine, 'Ana observe 1 "eagle"')
    other.refresh()
    play(mine, 'Ben observe 1 "furs"')
    with pytest.raises(SomebodyElseWrote):
        other.undo()
    agree(mine, other, ["Ana observe 1 eagle", "Ben observe 1 furs"])
    mine.undo()
    with pytest.raises(SomebodyElseWrote) as caught:
        other.undo()
    assert caught.value.added == ("undone: Ben observe 1 furs",)
    mine.redo()
    with pytest.raises(SomebodyElseWrote):
        other.redo()
    mine.amend(1, mine.parse('Ana observe 1 "totem"'))
    with pytest.raises(SomebodyElseWrote) as caught:
        other.amend(1, other.parse('Ana observe 1 "wigwam"'))
    assert caught.value.added == ("entry 1 amended to Ana observe 1 totem",)
    agree(mine, other, ["Ana observe 1 totem", "Ben observe 1 furs"])


def test_a_match_that_was_finished_elsewhere(pair: Pair) -> None:
    mine, other = pair
    play(mine, 'Ana observe 1 "eagle"')
    mine.finish()
    assert other.refresh() == ("Ana observe 1 eagle",)
    with pytest.raises(MatchIsFinished):
        play(other, 'Ben observe 1 "eagle"')
