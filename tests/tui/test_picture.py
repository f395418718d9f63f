"""Pictures on the screen: their shape and place, the marks over them, ways of showing, nothing else printed."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.geometry import Offset, Region, Size
from textual.widgets import Static

from companion.core.errors import UnusableInput
from companion.tui import settings as kept
from companion.tui.settings import Settings, settings
from companion.tui.widgets.marks import SELECTED, Mark, outlined
from companion.tui.widgets.picture import Picture, fitted
from companion.tui.widgets.terminal import known_by


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config"))
    monkeypatch.delenv("COMPANION_PICTURES", raising=False)


def halves(height: int = 200, width: int = 300) -> Any:
    """Blue on the left, red on the right (BGR)."""
    image = np.zeros((height, width, 3), np.uint8)
    image[:, : width // 2] = (255, 0, 0)
    image[:, width // 2 :] = (0, 0, 255)
    return image


class Shows(App[None]):
    """A picture that fills the screen."""

    CSS = "Picture { height: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.told: list[Picture.Pointed] = []

    def compose(self) -> ComposeResult:
        yield Picture("two halves", id="picture")

    def on_picture_pointed(self, event: Picture.Pointed) -> None:
        self.told.append(event)


def look(play: Callable[[Shows, Picture, Any], Awaitable[None]], size: tuple[int, int]) -> None:
    async def whole() -> None:
        app = Shows()
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await play(app, app.query_one(Picture), pilot)

    asyncio.run(whole())


def text_of(app: App[Any]) -> str:
    """Every character on the screen."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in line) for line in lines)


def ground_at(app: App[Any], x: int, y: int) -> tuple[int, int, int]:
    """The colour of the lower half of a cell."""
    at = 0
    for segment in app.screen._compositor.render_strips()[y]:
        at += len(segment.text)
        if at > x:
            assert segment.style is not None and segment.style.bgcolor is not None
            colour = segment.style.bgcolor.get_truecolor()
            return colour.red, colour.green, colour.blue
    raise AssertionError("beyond the line")


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(6, 200), st.integers(3, 80))
def test_a_picture_keeps_its_shape_in_any_room(
    width: int, height: int, columns: int, rows: int
) -> None:
    cells = fitted(width, height, Size(columns, rows), (10, 20))
    assert 1 <= cells.width <= columns and 1 <= cells.height <= rows
    # One of the two is as large as may be; the other follows to within half a cell.
    assert cells.width == columns or cells.height == rows
    scale = min(10 * columns / width, 20 * rows / height)
    assert abs(cells.width - max(1.0, width * scale / 10)) <= 0.5
    assert abs(cells.height - max(1.0, height * scale / 20)) <= 0.5


def test_half_blocks_show_what_is_where() -> None:
    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        picture.show(halves())
        await pilot.pause()
        left = picture.query_one("Cells").region
        assert picture.way == "blocks" and picture.visible_cells == left.size
        middle = left.y + left.height // 2
        assert ground_at(app, left.x + 2, middle) == pytest.approx((0, 0, 255), abs=4)
        assert ground_at(app, left.right - 2, middle) == pytest.approx((255, 0, 0), abs=4)
        assert "two halves" in text_of(app)

    look(play, (80, 24))


@pytest.mark.parametrize(
    ("way", "size"), [("none", (80, 24)), ("blocks", (5, 24)), ("blocks", (80, 3))]
)
def test_without_pictures_or_room_the_words_stand_there(
    way: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_PICTURES", way)

    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        picture.show(halves(), "both")
        await pilot.pause()
        assert picture.visible_cells == Size(0, 0) and "▀" not in text_of(app)
        assert "both" in text_of(app)
        assert picture.pixel_at(Offset(1, 1)) is None

    look(play, size)


def test_grey_shades_need_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_PICTURES", "unicode")
    image = halves()
    image[:, :150], image[:, 150:] = 255, 0

    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        picture.show(image)
        await pilot.pause()
        half = picture.visible_cells.width // 2
        line = text_of(app).splitlines()[5].strip()
        assert line[: half - 1] == "█" * (half - 1) and len(line) <= half + 1

    look(play, (80, 24))


def test_numbers_of_marks_are_written_as_characters() -> None:
    """At 60 pixels across no drawn digit could be read."""

    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        box = [(30.0, 40.0), (90.0, 40.0), (90.0, 160.0), (30.0, 160.0)]
        other = [(x + 150, y) for x, y in box]
        picture.show(halves(), marks=(Mark(box, "12"), Mark(other, "7", selected=True, sure=False)))
        await pilot.pause()
        assert "12" in text_of(app) and "▸7?◂" in text_of(app)
        picture.mark(())
        await pilot.pause()
        assert "12" not in text_of(app)

    look(play, (60, 20))


def test_a_mark_is_drawn_around_its_corners() -> None:
    image = np.zeros((100, 100, 3), np.uint8)
    square = [(20.0, 20.0), (180.0, 20.0), (180.0, 180.0), (20.0, 180.0)]
    drawn = outlined(image, [Mark(square, selected=True)], (0.5, 0.5), fine=False)
    on = (drawn == np.array(SELECTED[::-1], np.uint8)).all(axis=2)
    assert on[10, 10:90].all() and on[10:90, 90].all() and not on[12:88, 12:88].any()
    assert not image.any()


def within(region: Region, part: int) -> Offset:
    """Half way down, and one part of so many across."""
    return Offset(region.x + region.width // part, region.y + region.height // 2)


def test_the_pointer_is_told_in_pixels_of_the_picture() -> None:
    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        picture.show(halves())
        await pilot.pause()
        region = picture.query_one("Cells").region
        await pilot.mouse_down(offset=within(region, 4))
        await pilot.hover(offset=within(region, 2))
        await pilot.mouse_up(offset=Offset(79, region.height // 2))
        await pilot.pause()
        assert app.told[0].what == "down" and app.told[-1].what == "up"
        assert "move" in {event.what for event in app.told}
        cell = 300 / region.width
        assert app.told[0].x == pytest.approx(75, abs=cell)
        assert app.told[0].y == pytest.approx(100, abs=2 * cell)
        assert app.told[-1].x == 300  # beside the picture: its edge

    look(play, (80, 24))


def test_a_picture_follows_the_size_of_the_window() -> None:
    async def play(app: Shows, picture: Picture, pilot: Any) -> None:
        picture.show(halves())
        await pilot.pause()
        before = picture.visible_cells
        await pilot.resize_terminal(40, 12)
        await pilot.pause()
        await pilot.pause()
        assert picture.visible_cells.height <= 11 < before.height
        assert app.query_one(".words", Static).region.bottom <= 12

    look(play, (80, 24))


# ---------------------------------------------------------------- which way


@pytest.mark.parametrize(
    ("environment", "way"),
    [
        ({"TERM": "xterm-kitty"}, "kitty"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "kitty"),
        ({"TERM": "xterm-ghostty"}, "kitty"),
        ({"TERM": "foot"}, "sixel"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "sixel"),
        # In tmux the pictures of the terminal around it come to nothing.
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"}, "blocks"),
        ({"TERM": "screen-256color"}, "blocks"),
        ({"TERM": "xterm-256color", "SSH_CONNECTION": "a b"}, "blocks"),
        ({"TERM": "linux"}, "unicode"),
        ({"TERM": "xterm-256color"}, None),
    ],
)
def test_what_the_environment_tells(environment: dict[str, str], way: str | None) -> None:
    assert known_by(environment) == way


def in_terminal(code: str, answer: bytes = b"", **environment: str) -> bytes:
    """What a Python program writes to a terminal that answers a question for its attributes so."""
    pty = pytest.importorskip("pty")
    inner, outer = pty.openpty()[::-1]
    told = {**os.environ, "TERM": "xterm-256color", **environment}
    for name in ("TMUX", "SSH_CONNECTION", "TERM_PROGRAM", "KITTY_WINDOW_ID"):
        told.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=inner, stdout=inner, stderr=inner, env=told
    )
    os.close(inner)
    written = b""
    try:
        while True:
            try:
                data = os.read(outer, 65536)
            except OSError:  # the program has ended
                break
            written += data
            if answer and b"\x1b[c" in written:
                os.write(outer, answer)
                answer = b""
    finally:
        process.wait(30)
        os.close(outer)
    return written


ASK = "from companion.tui.widgets.terminal import able; print('it is', able())"


def test_sixel_is_asked_for_with_one_question() -> None:
    written = in_terminal(ASK, b"\x1b[?62;4;22c")
    assert b"it is sixel" in written
    assert written.count(b"\x1b") == 1 and b"\x1b[c" in written


def test_a_terminal_without_sixel_or_without_an_answer() -> None:
    assert b"it is blocks" in in_terminal(ASK, b"\x1b[?64;1;9c")
    assert b"it is blocks" in in_terminal(ASK)


def test_nothing_is_asked_through_pipes() -> None:
    run = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert "\x1b" not in run.stdout + run.stderr


def test_the_picture_library_asks_the_terminal_nothing() -> None:
    """Its import would write questions and wait for their answers on the keyboard."""
    pytest.importorskip("textual_image")
    code = (
        "from companion.tui.widgets.picture import _canvas, _tell_cell_size\n"
        "widgets = [_canvas('kitty'), _canvas('sixel')]; _tell_cell_size()\n"
        "from textual_image._terminal import get_cell_size\n"
        "print('size', tuple(get_cell_size()), [type(w).__name__ for w in widgets])"
    )
    written = in_terminal(code)
    assert b"size (10, 20) ['TGPImage'" in written and b"\x1b" not in written


SHOW = """
import numpy as np
from textual.app import App
from companion.tui.widgets.picture import Picture
class Shows(App):
    CSS = "Picture { height: 1fr; }"
    def compose(self):
        yield Picture("words below", id="p")
    def on_mount(self):
        self.query_one(Picture).show(np.full((200, 300, 3), 99, np.uint8))
        self.call_later(self.wait)
    def wait(self):
        self.set_timer(0.4, self.exit)
Shows().run()
"""


@pytest.mark.parametrize(("way", "sign"), [("kitty", b"\x1b_G"), ("sixel", b"q")])
def test_a_real_picture_reaches_the_terminal(way: str, sign: bytes) -> None:
    pytest.importorskip("textual_image")
    written = in_terminal(SHOW, COMPANION_PICTURES=way)
    others = {b"\x1b_G", b"\x1bP"}
    own = b"\x1b_G" if way == "kitty" else b"\x1bP"
    assert own in written and sign in written
    assert not any(other in written for other in others - {own})
    assert b"words below" in written


# ---------------------------------------------------------------- settings


def test_settings_are_kept_with_what_else_stands_in_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert settings() == Settings("auto")
    kept.file().parent.mkdir(parents=True)
    kept.file().write_text("# ours\npictures = 'none'\nother = 1\n")
    assert settings() == Settings("none")
    kept.keep(Settings("blocks"))
    assert settings() == Settings("blocks")
    assert "# ours" in kept.file().read_text() and "other = 1" in kept.file().read_text()
    monkeypatch.setenv("COMPANION_PICTURES", "Unicode")
    assert settings() == Settings("unicode")
    monkeypatch.setenv("COMPANION_PICTURES", "oil")
    assert settings() == Settings("blocks")


@pytest.mark.parametrize("text", ["pictures = 'oil'", "pictures = 3", "pictures = [", "\0\0", ""])
def test_a_damaged_file_is_as_none(text: str) -> None:
    kept.file().parent.mkdir(parents=True)
    kept.file().write_text(text)
    assert settings() == Settings("auto")
    kept.keep(Settings("none"))
    assert settings() == Settings("none")


def test_settings_that_cannot_be_written_are_said(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file, no folder")
    with pytest.raises(UnusableInput) as told:
        kept.keep(Settings("none"))
    assert "cannot be written" in str(told.value)
