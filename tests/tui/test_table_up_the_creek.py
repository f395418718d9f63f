"""A whole match of Up the Creek from the keyboard, compared with the stored log and score."""

import asyncio
from pathlib import Path
from typing import Any

from textual.widgets import Input, OptionList, Static

from companion.session import MatchSession, open_store
from companion.tui.app import CompanionApp
from companion.tui.screens.help import TextScreen
from companion.tui.screens.home import HomeScreen
from companion.tui.screens.log import LogScreen, line_of
from companion.tui.screens.new_match import NewMatchScreen
from companion.tui.screens.score import ScoreScreen
from companion.tui.screens.table import TableScreen
from tests.tui.waiting import until

MATCH = """\
Ana place bow 1 1
Ana place bear-a 1 2
Ana place bear-b 1 3
Ana place bear-hunter 1 4
Ben place paddler-bow 1 1
Ben place eagle 1 2
Ana place stern 1 5
Ben place furs 2 1
Ana place paddler-bow 2 2
Ana place paddler-stern 2 3
Ana place bow 3 3
Ana place paddler-stern 3 4
"""
"""Ana: 5x1 + 90, then 2 and 2; Ben: nothing completed."""


async def enter(pilot: Any, text: str) -> None:
    """Types a line and presses Enter."""
    entry = pilot.app.screen.query_one("#entry", Input)
    entry.value = text
    await pilot.pause()
    await pilot.press("enter")
    await pilot.pause()


def text_of(app: CompanionApp, selector: str) -> str:
    """What a line of the screen says."""
    return str(app.screen.query_one(selector, Static).render())


def test_a_match_from_an_empty_store(tmp_path: Path) -> None:
    """Set up, played, disputed, undone, redone, mended, ended, scored: all by keys."""
    url = f"sqlite:///{tmp_path}/t.db"

    async def play() -> None:
        app = CompanionApp(db=url)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.store is not None)
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewMatchScreen))
            await pilot.press("A", "n", "a", "enter", "B", "e", "n", "enter", "f5")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            await _first_card_by_letters(pilot)
            for line in MATCH.splitlines()[1:]:
                await enter(pilot, line)
                await _decline_attacks(pilot)
            session = app.screen.session  # type: ignore[attr-defined]
            assert line_of(session.entries()[0]) == "Ana place bow 1 1"
            await _dispute(pilot)
            await _mend(pilot)
            await enter(pilot, "Ana end !")
            assert session.state.over
            await pilot.press("f8")
            await until(pilot, lambda: isinstance(app.screen, ScoreScreen))
            lines = app.screen.query_one("#lines", OptionList)
            assert any("90" in str(lines.get_option_at_index(i).prompt) for i in range(5))
            await pilot.press("s", "escape", "escape")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))

    asyncio.run(play())
    store = open_store(url)
    (match,) = store.matches()
    again = MatchSession.open(store, match.id)
    assert again.score().totals == {"Ana": 99, "Ben": 0}
    assert str(match.stage) == "finished"


async def _first_card_by_letters(pilot: Any) -> None:
    """`bow` picks the card, Enter takes the first place that is lit."""
    app = pilot.app
    await pilot.press("b", "o", "w")
    labels = [c.label for c in app.screen.prompt.choices]
    assert labels[0].startswith("Bow (front)") and len(labels) == 3, labels
    await pilot.press("enter")
    await pilot.pause()
    assert app.screen.prompt.lit == {(1, 1), (2, 1), (3, 1)}
    await pilot.press("enter")
    await pilot.pause()
    assert "lays bow in row 1" in text_of(app, "#event")


async def _decline_attacks(pilot: Any) -> None:
    """Lets every offer pass but the end of the game."""
    screen = pilot.app.screen
    for _ in range(4):
        if not screen.session.state.awaiting:
            return
        if screen.session.state.awaiting[0].offer == "end":
            return
        await enter(pilot, f"{screen.session.state.awaiting[0].player} decline")


async def _dispute(pilot: Any) -> None:
    """A place that touches nothing: told before Enter, refused, recorded with !, undone."""
    app = pilot.app
    session = app.screen.session
    count = len(session.entries())
    app.screen.query_one("#entry", Input).value = "Ben place tobacco 3 9"
    await pilot.pause()
    assert "utc:build.touch" in text_of(app, "#verdict")
    await pilot.press("enter")
    await pilot.pause()
    assert len(session.entries()) == count
    await enter(pilot, "Ben place tobacco 3 9 !")
    assert len(session.entries()) == count + 1
    assert session.entries()[-1].objections
    await pilot.press("ctrl+z")
    assert not session.entries()[-1].in_force
    await pilot.press("ctrl+y")
    assert session.entries()[-1].in_force
    await pilot.press("ctrl+z")
    await pilot.pause()


async def _mend(pilot: Any) -> None:
    """The log: Ben's furs lay in column 2, not 1."""
    app = pilot.app
    await pilot.press("f9")
    await until(pilot, lambda: isinstance(app.screen, LogScreen))
    entries = app.screen.session.entries()
    at = next(i for i, e in enumerate(entries) if e.text.endswith("place furs 2 1"))
    app.screen.query_one("#entries", OptionList).highlighted = at
    await pilot.press("enter")
    app.screen.query_one("#mend", Input).value = "Ben place furs 2 2"
    await pilot.press("enter")
    await pilot.pause()
    assert "no later entry changes" in text_of(app, "#alters")
    await pilot.press("enter")
    await pilot.pause()
    assert "Mended" in text_of(app, "#alters")
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(app.screen, TableScreen))
    assert app.screen.session.state.board("Ben")[1].first == 2


def test_why_deck_and_the_other_player(tmp_path: Path) -> None:
    """F2, F6 and Tab; names with brackets and emoji do no harm."""
    url = f"sqlite:///{tmp_path}/t.db"
    store = open_store(url)
    session = MatchSession.create(store, "up-the-creek", ("[b]Ana[/b]", "Bén 🎲"))
    session.play(session.parse('"[b]Ana[/b]" place bow 1 1'))

    async def look() -> None:
        app = CompanionApp(db=url)
        async with app.run_test(size=(120, 40)) as pilot:
            await until(pilot, lambda: app.store is not None)
            await until(pilot, lambda: app.screen.query_one("#menu", OptionList).option_count > 6)
            await pilot.press("enter")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            assert "[b]Ana[/b]" in text_of(app, "#board")
            app.screen.query_one("#entry", Input).value = "stern 1 2"
            await pilot.pause()
            await pilot.press("f2")
            await until(pilot, lambda: isinstance(app.screen, TextScreen))
            assert "Canoe Building Rules" in text_of(app, "#page-text")
            await pilot.press("escape", "f6")
            await until(pilot, lambda: isinstance(app.screen, TextScreen))
            assert "Bow (front)" in text_of(app, "#page-text")
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            await pilot.press("tab")
            await pilot.pause()
            assert text_of(app, "#board").startswith("Bén 🎲")

    asyncio.run(look())


def test_an_unknown_strength_is_asked_for_when_an_attack_needs_it(tmp_path: Path) -> None:
    """The number on a Chief is told once, and the box keeps it."""
    url = f"sqlite:///{tmp_path}/t.db"

    async def play() -> None:
        app = CompanionApp(db=url)
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.store is not None)
            session = MatchSession.create(app.store, "up-the-creek", ("Ana", "Ben"))
            app.push_screen(TableScreen(session))
            await until(pilot, lambda: len(app.screen.query("#entry")) > 0)
            for line in ("Ben place paddler-1 1 1", "Ana place bow 1 1", "Ana place chief 1 2"):
                await enter(pilot, line)
            await enter(pilot, "Ana place stern 1 3")
            labels = [c.label for c in app.screen.prompt.choices]  # type: ignore[attr-defined]
            assert labels[0] == "tell the number printed on Chief", labels
            await pilot.press("enter", "4", "enter")
            await pilot.pause()
            choices = app.screen.prompt.choices  # type: ignore[attr-defined]
            assert choices[0].label == "attack Ben's canoe in row 1, column 1"
            await pilot.press("enter")
            await pilot.pause()
            assert not app.screen.session.state.board("Ben")[0].cells  # type: ignore[attr-defined]

    asyncio.run(play())
    store = open_store(url)
    assert store.facts.of("up-the-creek") == {"strengths": {"chief": 4}}
    again = MatchSession.open(store, store.matches()[0].id)
    assert again.deck["chief"].number == 4
