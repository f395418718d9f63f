"""Whole tables entered from the keyboard: live score, mending, pasting, saving, drafts."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from textual import events
from textual.widgets import Input, OptionList, Static

from companion.session import MatchSession
from companion.tui.app import CompanionApp
from companion.tui.counting import draft
from companion.tui.counting.panes.pad import PadPane
from companion.tui.counting.panes.rows import RowsPane
from companion.tui.screens.counting import CountingScreen, CountingSetupScreen
from companion.tui.screens.history import HistoryScreen
from companion.tui.screens.home import HomeScreen
from companion.tui.screens.score import ScoreScreen
from tests.tui.waiting import until

SIZES = [(80, 24), (120, 40)]
Play = Callable[[CompanionApp, Any], Awaitable[None]]


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_STATE", str(tmp_path / "state"))


def run(tmp_path: Path, play: Play, size: tuple[int, int] = (80, 24)) -> None:
    """Runs the program on a store of its own, home on top and the store open."""

    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.store is not None)
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
            await play(app, pilot)

    asyncio.run(whole())


async def type_in(pilot: Any, text: str) -> None:
    """All keys at once, as from a fast hand, to whatever has the focus."""
    for character in text:
        key = "space" if character == " " else character
        pilot.app.post_message(events.Key(key, character))
    await pilot.pause()


async def begin(app: CompanionApp, pilot: Any, game: int, *names: str) -> CountingScreen:
    """From home to an empty table; the first of the names deals."""
    await pilot.press("c")
    await until(pilot, lambda: isinstance(app.screen, CountingSetupScreen))
    for _ in range(game):
        app.screen.query_one("#form", OptionList).focus()
        app.screen.query_one("#form", OptionList).highlighted = 0
        await pilot.pause()
        await pilot.press("enter")
    app.screen.query_one("#name", Input).focus()
    await pilot.pause()
    for name in names:
        await type_in(pilot, name)
        await pilot.press("enter")
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, CountingScreen))
    assert isinstance(app.screen, CountingScreen)
    return app.screen


def shown(app: CompanionApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).render())


def totals(screen: CountingScreen) -> dict[str, int]:
    assert screen.counted.score is not None
    return screen.counted.score.totals


def starts_with(screen: CountingScreen, row: str) -> bool:
    return bool(screen.raw["players"][0]["rows"][0] == row)


async def save_and_find(app: CompanionApp, pilot: Any, expected: dict[str, int]) -> None:
    """Saves; the sheet is shown, and the history has the match with these totals."""
    await pilot.press("f10")
    await until(pilot, lambda: isinstance(app.screen, ScoreScreen))
    assert draft.read() is None
    await pilot.press("escape")
    await until(pilot, lambda: isinstance(app.screen, HomeScreen))
    await pilot.press("h")
    await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
    listed = app.screen.query_one("#matches", OptionList)
    await until(pilot, lambda: listed.option_count == 1)
    assert "counted" in str(listed.get_option_at_index(0).prompt)
    (match,) = app.store.matches()
    assert MatchSession.open(app.store, match.id).score().totals == expected


@pytest.mark.parametrize("size", SIZES)
def test_up_the_creek(tmp_path: Path, size: tuple[int, int]) -> None:
    """Completion, a misspelling mended, the next player, a card on the grid, undo, save.

    Ana: 5x1 + (10+10+10)x3 = 95. Ben: 3x1 + 10 = 13.
    """

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, 0, "Ana", "Ben [x]")
        pane = screen.query_one(RowsPane)
        await type_in(pilot, "bow be")
        assert "bear-a" in shown(app, "#below") and "bear-hunter" in shown(app, "#below")
        assert not screen.query_one("#wrong-1").display
        await pilot.press("tab")
        assert screen.query_one("#row-1", Input).value == "bow bear-a "
        await type_in(pilot, "bera-b bear-hunter stern")
        await until(pilot, lambda: "bera-b; did you mean bear-b" in shown(app, "#wrong-1"))
        line = screen.query_one("#row-1", Input)
        line.cursor_position -= len(" bear-hunter stern")
        await pilot.press("backspace", "backspace", "backspace", "backspace")
        await type_in(pilot, "ar-b")
        assert line.value == "bow bear-a bear-b bear-hunter stern"
        await until(pilot, lambda: totals(screen) == {"Ana": 95, "Ben [x]": 0})
        assert "95" in shown(app, "#totals") and "95" in shown(app, "#grid")
        await pilot.press("pagedown")
        await until(pilot, lambda: pane.seat == 2 and "▸Ben [x]" in shown(app, "#totals"))
        await pilot.press("f3")
        await until(pilot, lambda: pane.on_grid)
        await _on_the_grid(pilot, pane)
        await until(pilot, lambda: totals(screen) == {"Ana": 95, "Ben [x]": 13})
        await pilot.press("f8")
        await until(pilot, lambda: isinstance(app.screen, ScoreScreen))
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await save_and_find(app, pilot, {"Ana": 95, "Ben [x]": 13})

    run(tmp_path, play, size)


async def _on_the_grid(pilot: Any, pane: RowsPane) -> None:
    """Bow, a card too many, taken away and undone, eagle, stern in row 1."""
    await type_in(pilot, "bow")
    await pilot.press("enter")
    await type_in(pilot, "fu")
    await pilot.press("enter")
    assert pane.raw["players"][1]["rows"] == ["bow furs", "", ""]
    await pilot.press("left", "delete")
    assert pane.raw["players"][1]["rows"] == ["bow", "", ""]
    await pilot.press("ctrl+z")
    assert pane.raw["players"][1]["rows"] == ["bow furs", "", ""]
    await type_in(pilot, "eagle")
    await pilot.press("enter")
    await type_in(pilot, "ste")
    await pilot.press("down", "up", "enter")
    assert pane.raw["players"][1]["rows"] == ["bow eagle stern", "", ""]
    await pilot.press("down", "left", "left", "left", "left")
    assert pane.cursor == (2, 0)
    await pilot.press("f3")
    await until(pilot, lambda: not pane.on_grid)


def test_rows_are_pasted(tmp_path: Path) -> None:
    """One row as one writes it, or three lines at once."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, 0, "Ana", "Ben")
        screen.query_one("#row-1", Input).post_message(
            events.Paste("bow, 1 paddler, bear front, bear back, bear hunter, stern\n")
        )
        await until(pilot, lambda: totals(screen)["Ana"] == 96)
        await pilot.press("pagedown")
        screen.query_one("#row-1", Input).post_message(
            events.Paste("bow stern\n. lookout steersman\nfurs")
        )
        await until(pilot, lambda: totals(screen)["Ben"] == 4)
        assert screen.raw["players"][1]["rows"] == ["bow stern", ". lookout steersman", "furs"]
        assert screen.query_one("#row-3", Input).value == "furs"
        await pilot.press("ctrl+z")
        assert screen.query_one("#row-2", Input).value == ""

    run(tmp_path, play)


@pytest.mark.parametrize("size", SIZES)
def test_without_a_paddle(tmp_path: Path, size: tuple[int, int]) -> None:
    """Two rounds; Ana dealt the first, so the bids may not come to 10.

    Round 1, 10 cards: Ana 4/4 +14, Ben 3/3 +13, Cleo 2/3 -1. Round 2, 9 cards: Ana 0/0 +10,
    Ben 9/9 +10+9+5, Cleo 1/0 -1 and a renege -20.
    """

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, 1, "Ana", "Ben", "Cleo")
        pane = screen.query_one(PadPane)
        assert screen.raw["dealer"] == "Ana"
        await pilot.press("right", "right", "3", "right", "3", "right", "2", "right", "3")
        await pilot.press("home")
        await until(pilot, lambda: "not 5" in shown(app, "#may"))
        await pilot.press("5", "enter", "4")
        await until(pilot, lambda: "had to avoid 5" in shown(app, "#below"))
        await pilot.press("left", "4", "right")
        await until(pilot, lambda: totals(screen) == {"Ana": 114, "Ben": 113, "Cleo": 99})
        await pilot.press("down", "left", "0", "enter", "0", "enter", "9", "enter", "9")
        await pilot.press("enter", "1", "enter", "1")
        await until(pilot, lambda: "add up to 10 instead of 9" in shown(app, "#below"))
        await pilot.press("delete", "0", "r")
        await until(pilot, lambda: totals(screen) == {"Ana": 124, "Ben": 137, "Cleo": 78})
        assert pane.cell.round == 2
        await pilot.press("r")
        await until(pilot, lambda: "r2" in shown(app, "#pad"))
        await pilot.press("R")
        await until(pilot, lambda: "r2" not in shown(app, "#pad"))
        await pilot.press("down", "1")
        await pilot.press("f10")
        assert app.screen is screen, "an unfinished round is not saved"
        await pilot.press("delete")
        await save_and_find(app, pilot, {"Ana": 124, "Ben": 137, "Cleo": 78})

    run(tmp_path, play, size)


@pytest.mark.parametrize("size", SIZES)
def test_gold_up(tmp_path: Path, size: tuple[int, int]) -> None:
    """Values once, chests by letter, a misspelling mended, coins in the second hand.

    Ana 2+2+4+12 then 290; Ben 5+5 then nothing.
    """

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, 2, "Ana", "Ben")
        assert screen.query_one("#values", Input).has_focus
        await type_in(pilot, "w=2 r=4 b=5")
        await pilot.press("enter")
        await type_in(pilot, "w w r yelow=12")
        await until(pilot, lambda: "did you mean yellow" in shown(app, "#wrong-1"))
        await pilot.press(*["backspace"] * len("ow=12"))
        await type_in(pilot, "low=12")
        await until(pilot, lambda: totals(screen) == {"Ana": 20, "Ben": 0})
        await pilot.press("enter")
        await type_in(pilot, "2b")
        await until(pilot, lambda: "10" in shown(app, "#coins-2"))
        await pilot.press("enter")
        await until(pilot, lambda: "Hand 2" in shown(app, "#hand"))
        await type_in(pilot, "290")
        await until(pilot, lambda: totals(screen) == {"Ana": 310, "Ben": 10})
        assert "310/300  there" in shown(app, "#road")
        await until(
            pilot,
            lambda: (
                app.store.facts.of("gold-up").get("values") == {"white": 2, "red": 4, "blue": 5}
            ),
        )
        await save_and_find(app, pilot, {"Ana": 310, "Ben": 10})

    run(tmp_path, play, size)


def test_values_are_asked_once(tmp_path: Path) -> None:
    """What an earlier evening told is there, and the keys go to the first hand."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        app.store.facts.tell("gold-up", "values", {"white": 3})
        screen = await begin(app, pilot, 2, "Ana", "Ben")
        await until(pilot, lambda: screen.query_one("#hand-1", Input).has_focus)
        await type_in(pilot, "w w")
        await until(pilot, lambda: totals(screen) == {"Ana": 6, "Ben": 0})

    run(tmp_path, play)


def test_a_draft_survives_closing_the_program(tmp_path: Path) -> None:
    """Quit in mid-word: the table is offered again, goes on, and is gone once it is saved."""

    async def first(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, 0, "Ana", "Zoë漢字🚣")
        await type_in(pilot, "bow ste")
        await until(pilot, lambda: screen.raw["players"][0]["rows"][0] == "bow ste")

    async def again(app: CompanionApp, pilot: Any) -> None:
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, CountingSetupScreen))
        form = app.screen.query_one("#form", OptionList)
        assert "Go on counting" in str(form.get_option_at_index(0).prompt)
        await until(pilot, lambda: form.highlighted == 0)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, CountingScreen))
        screen = app.screen
        assert isinstance(screen, CountingScreen)
        line = screen.query_one("#row-1", Input)
        await until(pilot, lambda: line.has_focus and line.value == "bow ste")
        await pilot.press("end")
        await type_in(pilot, "rn")
        await until(pilot, lambda: totals(screen)["Ana"] == 2)
        await save_and_find(app, pilot, {"Ana": 2, "Zoë漢字🚣": 0})

    async def nothing_left(app: CompanionApp, pilot: Any) -> None:
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, CountingSetupScreen))
        form = app.screen.query_one("#form", OptionList)
        assert str(form.get_option_at_index(0).prompt).startswith("Game")

    run(tmp_path, first)
    run(tmp_path, again)
    run(tmp_path, nothing_left)


def test_another_count_puts_the_draft_aside(tmp_path: Path) -> None:
    """Beginning anew loses nothing: both tables are offered."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        for name in ("Ana", "Ben"):
            screen = await begin(app, pilot, 0, name)
            await type_in(pilot, "bow")
            await until(pilot, partial(starts_with, screen, "bow"))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, CountingSetupScreen))
        form = app.screen.query_one("#form", OptionList)
        await until(pilot, lambda: form.option_count > 2)
        offered = [str(form.get_option_at_index(i).prompt) for i in range(2)]
        assert "Ben" in offered[0] and "Ana" in offered[1]

    run(tmp_path, play)


def test_without_a_store_the_table_still_counts(tmp_path: Path) -> None:
    """A store that cannot be opened stops only the saving."""

    async def whole() -> None:
        (tmp_path / "t.db").write_text("this is no database, and never was one" * 50, "utf-8")
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
            screen = await begin(app, pilot, 0, "Ana", "Ben")
            await type_in(pilot, "bow stern")
            await until(pilot, lambda: totals(screen)["Ana"] == 2)
            await pilot.press("f10")
            assert app.screen is screen

    asyncio.run(whole())


def test_names_keep_the_layout(tmp_path: Path) -> None:
    """Brackets, emoji and wide characters take the cells they take, no more."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        names = ("[b]Ana[/b]", "漢字漢字漢字漢字漢字", "🚣🚣🚣", "Ben")
        screen = await begin(app, pilot, 1, *names)
        await until(pilot, lambda: "[b]Ana" in shown(app, "#totals"))
        await pilot.press("1")
        await until(pilot, lambda: screen.raw["rounds"])
        pad = screen.query_one("#pad", Static)
        assert pad.size.height == 1 + 10
        heading, first, *_ = str(pad.render()).splitlines()
        assert cell_len(heading.removesuffix("sums")) == cell_len(first.removesuffix("1/0"))

    run(tmp_path, play)
