"""Real pixels from the file to the history: the samples, read by the deck that ships."""

import asyncio
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList

from companion.intake.photo_shelf import shelf_of
from companion.session import MatchSession
from companion.session.photos import photos_of
from companion.tui.app import CompanionApp
from companion.tui.screens.counting import CountingScreen, CountingSetupScreen
from companion.tui.screens.crops import CropsScreen
from companion.tui.screens.history import ConfirmScreen, HistoryScreen
from companion.tui.screens.home import HomeScreen
from companion.tui.screens.observed import ObservedScreen
from companion.tui.screens.photos import PhotosScreen
from companion.tui.screens.pick import PickScreen
from companion.tui.screens.review import ReviewScreen
from companion.tui.screens.score import ScoreScreen
from companion.tui.screens.table import TableScreen
from companion.tui.widgets.picture import Picture
from tests.tui.waiting import until

SAMPLES = Path(__file__).parents[2] / "samples" / "photos"
LONG = 3000
"""Tries of `until` while a photo is read on a busy machine."""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "DECKS"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))


def run(tmp_path: Path, play: Callable[[CompanionApp, Any], Awaitable[None]]) -> None:
    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(100, 32)) as pilot:
            await until(pilot, lambda: app.store is not None)
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
            await play(app, pilot)

    asyncio.run(whole())


async def photos_of_two(app: CompanionApp, pilot: Any) -> PhotosScreen:
    """From home to the photos of a table of two, without typing."""
    await pilot.press("p")
    await until(pilot, lambda: isinstance(app.screen, CountingSetupScreen))
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, PhotosScreen))
    screen = app.screen
    assert isinstance(screen, PhotosScreen)
    await until(pilot, lambda: screen.query("#entry"))
    return screen


async def read(pilot: Any, screen: PhotosScreen, many: int) -> None:
    await until(
        pilot,
        lambda: len(screen.shots) == many and not any(s.waiting for s in screen.shots),
        LONG,
    )


@pytest.mark.slow
def test_two_players_photographed_scored_and_saved(tmp_path: Path) -> None:
    """164 and 219, as worked out by hand beside the samples; the crop stands behind the line."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await photos_of_two(app, pilot)
        for name in ("creek-ana.jpg", "creek-ben.jpg"):
            screen.query_one(Input).value = str(SAMPLES / name)
            await pilot.press("enter", "f2")
        await read(pilot, screen, 2)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        picture = app.screen.query_one("#crop", Picture)
        await until(pilot, lambda: picture.image is not None, LONG)
        await pilot.press("f4", "f5")
        await until(pilot, lambda: isinstance(app.screen, CountingScreen))
        counting = app.screen
        assert isinstance(counting, CountingScreen) and counting.counted.score is not None
        assert counting.counted.score.totals == {"Player 1": 164, "Player 2": 219}
        await until(pilot, lambda: len(shelf_of(app.store).photos()) == 2, LONG)
        await pilot.press("f10")
        await until(pilot, lambda: isinstance(app.screen, ScoreScreen), LONG)
        (match,) = app.store.matches()
        assert MatchSession.open(app.store, match.id).score().totals["Player 2"] == 219
        assert [p.name for p in photos_of(app.store, match.id)] == [
            "creek-ana.jpg",
            "creek-ben.jpg",
        ]
        lines = app.screen.query_one("#lines", OptionList)
        lines.highlighted = next(
            i
            for i in range(lines.option_count)
            if "bear" in str(lines.get_option_at_index(i).prompt)
        )
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, CropsScreen))
        crop = app.screen.query_one("#crop", Picture)
        await until(pilot, lambda: crop.image is not None, LONG)
        assert "bear" in crop.words
        await pilot.press("escape", "escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.screen, HistoryScreen))
        matches = app.screen.query_one("#matches", OptionList)
        await until(pilot, lambda: matches.option_count == 1)
        await pilot.press("t")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("y")
        await until(pilot, lambda: not shelf_of(app.store).photos())
        assert len(app.store.matches()) == 1, "the match stays"
        assert (SAMPLES / "creek-ana.jpg").exists()

    run(tmp_path, play)


@pytest.mark.slow
def test_photos_come_from_a_folder_a_picker_and_a_camera(tmp_path: Path) -> None:
    import cv2

    inbox = tmp_path / "inbox"
    inbox.mkdir()
    shutil.copy(SAMPLES / "creek-glare.jpg", tmp_path / "one.jpg")
    video = str(tmp_path / "camera.avi")
    frame = cv2.resize(cv2.imread(str(SAMPLES / "creek-overlapping.jpg")), (1600, 1200))
    writer = cv2.VideoWriter(video, cv2.VideoWriter_fourcc(*"MJPG"), 10, (1600, 1200))  # type: ignore[attr-defined]
    for _ in range(30):
        writer.write(frame)
    writer.release()

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await photos_of_two(app, pilot)
        entry = screen.query_one(Input)
        entry.value = str(inbox)
        await pilot.press("f4")
        assert entry.value == ""
        shutil.copy(SAMPLES / "creek-ana.jpg", inbox / "IMG_1.jpg")
        shutil.copy(SAMPLES / "creek-ana.jpg", inbox / "IMG_2.jpg")
        await read(pilot, screen, 1)
        assert "20 cards in 3 rows" in screen.shots[0].words
        entry.value = video
        await pilot.press("f7")
        await read(pilot, screen, 2)
        assert "cards in 1 row" in screen.shots[1].words
        app.push_screen(PickScreen(tmp_path), lambda path: screen._add(path, "Player 2"))
        await until(pilot, lambda: isinstance(app.screen, PickScreen))
        await pilot.pause(0.3)
        await pilot.press("end", "enter")
        await until(pilot, lambda: app.screen is screen)
        await read(pilot, screen, 3)
        assert screen.shots[2].path.endswith("one.jpg")
        await pilot.press("delete")
        assert len(screen.shots) == 2 and (tmp_path / "one.jpg").exists()
        assert len(screen.review.lines) == 4

    run(tmp_path, play)


@pytest.mark.slow
def test_a_trick_of_a_deck_that_nobody_enrolled(tmp_path: Path) -> None:
    """Clubs are led; the queen takes it. From the pixels to the log, nothing typed but the path."""
    from tests.vision.standard import photo

    (tmp_path / "trick.jpg").write_bytes(photo([["10C", "QC", "2H"]], 11).jpeg)

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(
            app.store, "without-a-paddle", ("Ana", "Ben", "Cleo"), dealer="Cleo", tracking="full"
        )
        for line in ("Ana bid 1", "Ben bid 0", "Cleo bid 1"):
            session.play(session.parse(line))
        table = TableScreen(session)
        app.push_screen(table)
        await until(pilot, lambda: app.screen is table and table.query("#entry"))
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PhotosScreen))
        screen = app.screen
        assert isinstance(screen, PhotosScreen) and screen.decks[0] == "standard-52"
        await until(pilot, lambda: screen.query("#entry"))
        screen.query_one(Input).value = str(tmp_path / "trick.jpg")
        await pilot.press("enter")
        await read(pilot, screen, 1)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("f4", "f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is table)
        assert session.state.table.won == (0, 1, 0)

    run(tmp_path, play)
