"""What every screen shares: the palette, starting without the store, what is imported when."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static

from companion import library
from companion.session import MatchSession
from companion.tui.app import CompanionApp
from companion.tui.commands import KeyedActions
from companion.tui.screens.house_rules import HouseRulesScreen
from companion.tui.screens.new_match import NewMatchScreen
from companion.tui.screens.rule_books import RuleBooksScreen
from companion.tui.screens.table import TableScreen
from tests.tui.waiting import until


def test_importing_the_screens_loads_no_camera_code() -> None:
    """cv2 takes long to load, and SQLAlchemy is for the store's own thread."""
    code = (
        "import sys, companion.tui.app, companion.tui.screens.home, companion.tui.screens.table\n"
        "print([m for m in ('cv2', 'sqlalchemy', 'numpy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_home_does_not_wait_for_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of what can be done is there while the store is still being opened."""
    import companion.session

    opened = threading.Event()
    real = companion.session.open_store

    def slow(url: str | None = None) -> object:
        opened.wait(20)
        return real(url)

    monkeypatch.setattr(companion.session, "open_store", slow)

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            try:
                menu = app.screen.query_one("#menu", OptionList)
                assert menu.option_count >= 6 and app.store is None
            finally:
                opened.set()
            await until(pilot, lambda: app.store is not None)

    asyncio.run(look())


def test_typed_markup_and_absurd_numbers_end_nothing(tmp_path: Path) -> None:
    """`[/b]` in a toast, `²` and 5000 digits as numbers: said, never a crash."""

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: app.store is not None)
            app.notify("a name like [/b] and [link")
            for game in ("up-the-creek", "without-a-paddle", "gold-up"):
                for tracking in ("light", "full"):
                    players = ("[/b]", "Bén 🎲", "Cleo")
                    session = MatchSession.create(app.store, game, players, tracking=tracking)
                    screen = TableScreen(session)
                    app.push_screen(screen)
                    await until(pilot, lambda: len(screen.query("#entry")) > 0)  # noqa: B023
                    for typed in ("²", "5²", "--5", "9" * 5000, "value red ²", "number chief ²",
                                  "[/b] w", "!", '"', "place", "1 1 1 1"):  # fmt: skip
                        screen.query_one("#entry", Input).value = typed
                        await pilot.pause()
                        await pilot.press("enter")
                        await pilot.pause()
            app.push_screen(
                HouseRulesScreen("up-the-creek", library.load("up-the-creek").game.options())
            )
            await until(pilot, lambda: len(app.screen.query("#value")) > 0)
            for typed in ("²", "--5", "9" * 5000):
                app.screen.query_one("#value", Input).value = typed
                app.screen.query_one("#value", Input).focus()
                await pilot.press("enter")
                await pilot.pause()

    asyncio.run(look())


def test_a_store_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    """Rubbish where the store should be: a message, no traceback, home still works."""
    path = tmp_path / "t.db"
    path.write_bytes(b"this is no database, it only says so " * 100)
    before = path.read_bytes()

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{path}")
        async with app.run_test(size=(80, 24), notifications=True) as pilot:
            await until(pilot, lambda: len(app._notifications) > 0)
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewMatchScreen))

    asyncio.run(look())
    assert path.read_bytes() == before


def test_the_palette_lists_what_the_keys_do(tmp_path: Path) -> None:
    """Every action of the table is found by its name."""

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db", first="demo")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, TableScreen))
            provider = KeyedActions(app.screen)
            names = [hit.text async for hit in provider.discover()]  # type: ignore[union-attr]
            assert {"Undo", "Redo", "Why", "Score", "Log", "Deck", "Help"} <= set(map(str, names))
            found = [hit async for hit in provider.search("red")]
            assert len(found) == 1

    asyncio.run(look())


def test_house_rules_are_taken_over(tmp_path: Path) -> None:
    """Enter takes the next value; the new match says what was changed."""

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, NewMatchScreen))
            await pilot.press("f7")
            await until(pilot, lambda: isinstance(app.screen, HouseRulesScreen))
            await pilot.press("enter")
            assert "side by side" in str(app.screen.query_one("#meaning", Static).render())
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, NewMatchScreen))
            assert app.screen.options.pair_adjacent is False  # type: ignore[attr-defined]

    asyncio.run(look())


def test_rules_are_found_by_their_words(tmp_path: Path) -> None:
    """Typing narrows the list."""

    async def look() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            app.push_screen(RuleBooksScreen())
            await until(pilot, lambda: len(app.screen.query("#rules")) > 0)
            await until(pilot, lambda: app.screen.query_one("#rules", OptionList).option_count > 0)
            everything = app.screen.query_one("#rules", OptionList).option_count
            await pilot.press(*"totem lasso".replace(" ", "_").split("_")[0], "space", *"lasso")
            await pilot.pause()
            assert 0 < app.screen.query_one("#rules", OptionList).option_count < everything

    asyncio.run(look())
