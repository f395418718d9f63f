"""How decks and enrolment look, without pictures: those differ from one OpenCV to the next."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from companion.tui.app import CompanionApp
from companion.tui.enrolling import later
from companion.tui.enrolling.desk import Desk
from companion.tui.screens.decks import DecksScreen
from companion.tui.screens.enrol import EnrolScreen
from tests.intake.pictures import save, table
from tests.tui.waiting import until

SMALL, LARGE = (80, 24), (120, 40)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "DECKS", "CONFIG"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))
    monkeypatch.setenv("COMPANION_PICTURES", "none")


def showing(screen: Any, *keys: str) -> Callable[[Any], Awaitable[None]]:
    """Opens a screen over home, waits until it rests, presses keys; no cursor blinks."""

    async def run(pilot: Any) -> None:
        app = pilot.app
        home = app.screen
        await until(pilot, lambda: "Nothing is stored" in str(home.query_one("#subtitle").render()))
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and len(screen.query("*")) > 2)
        for line in screen.query(Input):
            line.cursor_blink = False
        if isinstance(screen, EnrolScreen):
            await until(pilot, lambda: screen.teacher is not None and not screen.looking, 2000)
        else:
            await until(pilot, lambda: screen.decks)
        await pilot.press(*keys)
        for _ in range(5):
            await pilot.pause()

    return run


def test_decks(snap_compare: Any) -> None:
    later.keep(Desk("our-box", "up-the-creek").with_photos(["a.jpg", "b.jpg"]))
    app = CompanionApp(db="sqlite://")
    assert snap_compare(app, terminal_size=SMALL, run_before=showing(DecksScreen()))


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_enrolling(size: tuple[int, int], snap_compare: Any, tmp_path: Path) -> None:
    photo = save(table(["eagle furs", "totem wigwam"]), tmp_path / "four.png")
    screen = EnrolScreen("our-box", "without-a-paddle", [str(photo)])
    app = CompanionApp(db="sqlite://")
    assert snap_compare(app, terminal_size=size, run_before=showing(screen, "1", "0"))
