"""A picture on the screen, as well as the terminal can show it, and always named in words."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from companion.tui.settings import settings
from companion.tui.widgets import terminal
from companion.tui.widgets.marks import Mark, Scale, outlined
from companion.tui.widgets.terminal import Pictures

if TYPE_CHECKING:
    from companion.vision.geometry import Image

SMALLEST = Size(6, 3)
"""Cells below which a picture says nothing; its words take the room."""
_SHADES = " ░▒▓█"


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture reduced to the cells that it takes, and the marks over it."""

    image: Image
    """BGR; in cells one pixel wide and two high a cell."""
    cells: Size
    scale: Scale
    marks: tuple[Mark, ...]


def fitted(width: int, height: int, room: Size, cell: tuple[int, int]) -> Size:
    """Cells that a picture of so many pixels takes, as large as the room lets it be in its shape."""
    across = room.width * cell[0]
    down = room.height * cell[1]
    scale = min(across / width, down / height)
    columns = round(width * scale / cell[0])
    rows = round(height * scale / cell[1])
    return Size(min(room.width, max(1, columns)), min(room.height, max(1, rows)))


class Cells(Widget):
    """The picture in characters: two pixels a cell in colour, or a shade of grey."""

    DEFAULT_CSS = "Cells { width: auto; height: auto; }"

    def __init__(self, grey: bool) -> None:
        super().__init__()
        self._grey = grey
        self._lines: list[Strip] = []

    def take(self, shown: Shown) -> None:
        """Shows this from now on."""
        self._lines = _strips(shown, self._grey)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One line of cells."""
        return self._lines[y] if y < len(self._lines) else Strip.blank(self.size.width)


def _strips(shown: Shown, grey: bool) -> list[Strip]:
    """The lines of cells, the words of the marks written over them."""
    import numpy as np

    columns, rows = shown.cells
    pixels = shown.image.astype(np.int32)
    if grey:
        shades = (pixels.reshape(rows, 2, columns, 3).mean(axis=(1, 3)) / 51.2).astype(int)
        plain = Style()
        cells = [[(_SHADES[shade], plain) for shade in line] for line in shades.tolist()]
    else:
        # Colours are told to 6 bits a channel: nobody sees it, and many cells share a style.
        packed = (pixels[..., 2] << 16 | pixels[..., 1] << 8 | pixels[..., 0]) & 0xFCFCFC
        uppers, lowers = packed[::2].tolist(), packed[1::2].tolist()
        cells = [
            [("▀", _style(a, b)) for a, b in zip(upper, lower, strict=True)]
            for upper, lower in zip(uppers, lowers, strict=True)
        ]
    marks = sorted(shown.marks, key=lambda m: m.selected)
    for label in (label for mark in marks for label in mark.labels(shown.scale)):
        wide = cell_len(label.text)
        left = min(max(0, round(label.x - wide / 2)), max(0, columns - wide))
        line = min(max(0, int(label.y / 2)), rows - 1)
        red, green, blue = label.ground
        style = _style(0, red << 16 | green << 8 | blue) + Style(bold=True)
        for i, character in enumerate(label.text[:columns]):
            cells[line][left + i] = (character, style)
    return [Strip([Segment(c, style) for c, style in line], columns) for line in cells]


@lru_cache(maxsize=1 << 15)
def _style(upper: int, lower: int) -> Style:
    """The style of a cell, its colours as 0xRRGGBB."""
    return Style.from_color(_colour(upper), _colour(lower))


@lru_cache(maxsize=1 << 14)
def _colour(rgb: int) -> Color:
    return Color.from_rgb(rgb >> 16, rgb >> 8 & 255, rgb & 255)


class Picture(Widget):
    """A picture with its words below; only the words where pictures are off or have no room.

    `show` gives it another picture. The pointer on the picture is told in its pixels, by `Pointed`.
    """

    DEFAULT_CSS = """
    Picture { layout: vertical; }
    Picture .words { height: auto; max-height: 100%; width: 100%; color: $foreground; }
    Picture.drawn .words { max-height: 3; }
    """

    @dataclass
    class Pointed(Message):
        """The pointer went down, moved while held down, or was let go."""

        picture: Picture
        x: float
        """Pixels of the picture."""
        y: float
        what: str
        """`down`, `move` or `up`."""

        @property
        def control(self) -> Picture:
            """The picture that was pointed at."""
            return self.picture

    def __init__(self, words: str = "", id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._words = self._said = words
        self._image: Image | None = None
        self._marks: tuple[Mark, ...] = ()
        self._room = Size(0, 0)
        self._shown: Shown | None = None
        self._canvas: Widget | None = None
        self._held = False
        self.way: Pictures = "blocks"
        """How it is shown: never `auto` once it is on the screen."""

    def compose(self) -> ComposeResult:
        """The picture, and its words."""
        self.way = way_for(self.app)
        if self.way != "none":
            self._canvas = _canvas(self.way)
            yield self._canvas
        yield Static(self._words, classes="words", markup=False)

    def show(
        self, image: Any = None, words: str | None = None, marks: tuple[Mark, ...] | None = None
    ) -> None:
        """Another picture: BGR array or PIL image, None for none; words and marks stay unless given.

        Marks are in pixels of the picture. Giving the same array with other marks is quick.
        """
        self._image = None if image is None else _bgr(image)
        if words is not None:
            self._words = words
        if marks is not None:
            self._marks = tuple(marks)
        self._draw()

    def mark(self, marks: tuple[Mark, ...]) -> None:
        """The same picture with other marks."""
        self._marks = tuple(marks)
        self._draw()

    async def use(self, way: Pictures) -> None:
        """Shows it another way from now on."""
        self.way = way
        self._shown = None
        if self._canvas is not None:
            await self._canvas.remove()
        self._canvas = None if way == "none" else _canvas(way)
        if self._canvas is not None:
            await self.mount(self._canvas, before=0)
        self._draw()

    @property
    def image(self) -> Image | None:
        """The picture, BGR, as it was given."""
        return self._image

    @property
    def visible_cells(self) -> Size:
        """Cells that the picture itself takes; none where only its words are shown."""
        return self._shown.cells if self._shown is not None else Size(0, 0)

    @property
    def words(self) -> str:
        """What is said below it."""
        return self._words

    def on_resize(self) -> None:
        """As large as there is room now."""
        self._draw()

    def on_unmount(self) -> None:
        """A terminal that keeps pictures gives this one up."""
        if self._canvas is not None and not isinstance(self._canvas, Cells):
            self._canvas.image = None  # type: ignore[attr-defined]

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        if self._said != self._words:
            self._said = self._words
            self.query_one(".words", Static).update(self._words)
        if self._canvas is None:
            return
        room = Size(self.size.width, self.size.height - self._lines_of_words())
        fits = room.width >= SMALLEST.width and room.height >= SMALLEST.height
        self._canvas.display = fits and self._image is not None
        self.set_class(self._canvas.display, "drawn")
        if not fits or self._image is None:
            self._shown = None
            return
        fine = self.way in ("kitty", "sixel")
        self._shown = _reduced(self._image, self._marks, room, fine)
        self._canvas.styles.width, self._canvas.styles.height = self._shown.cells
        beside = (room.width - self._shown.cells.width) // 2
        self._canvas.styles.margin = (0, 0, 0, beside)
        if isinstance(self._canvas, Cells):
            self._canvas.take(self._shown)
        else:
            from PIL import Image as Pictures

            _tell_cell_size()
            rgb = self._shown.image[..., ::-1].copy()
            self._canvas.image = Pictures.fromarray(rgb)  # type: ignore[attr-defined]

    def _lines_of_words(self) -> int:
        """Lines that the words take at this width, at most three."""
        width = max(1, self.size.width)
        lines = sum(-(-max(1, cell_len(line)) // width) for line in self._words.splitlines())
        return min(3, lines)

    # ---------------------------------------------------------------- the pointer

    def pixel_at(self, place: Offset) -> tuple[float, float] | None:
        """The pixel of the picture under a place on the screen; None where it shows no picture.

        Places beside the picture give the nearest pixel of its edge.
        """
        if self._shown is None or self._canvas is None:
            return None
        region = self._canvas.region
        height, width = self._image.shape[:2]  # type: ignore[union-attr]
        x = (place.x - region.x + 0.5) / max(1, region.width) * width
        y = (place.y - region.y + 0.5) / max(1, region.height) * height
        return min(max(0.0, x), float(width)), min(max(0.0, y), float(height))

    def _point(self, event: events.MouseEvent, what: str) -> None:
        pixel = self.pixel_at(event.screen_offset)
        if pixel is not None:
            event.stop()
            self.post_message(self.Pointed(self, *pixel, what))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Held from here, wherever the pointer goes."""
        self._held = True
        self.capture_mouse()
        self._point(event, "down")

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Told while it is held down."""
        if self._held:
            self._point(event, "move")

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let go."""
        if self._held:
            self._held = False
            self.release_mouse()
            self._point(event, "up")


def way_for(app: Any, told: Pictures | None = None) -> Pictures:
    """How pictures are shown: as set, else as the terminal can; half blocks where there is none."""
    told = told or settings().pictures
    if told != "auto":
        return told if told in ("blocks", "unicode", "none") or not app.is_headless else "blocks"
    if app.is_headless or app.is_web:
        return "blocks"
    able = terminal.able()
    if able == "blocks" and app.console.color_system not in ("truecolor", "256"):
        return "unicode"
    return able


def _canvas(way: Pictures) -> Widget:
    """The widget that draws the picture that way."""
    if way not in ("kitty", "sixel"):
        return Cells(grey=way == "unicode")
    widgets = _graphics()
    canvas: Widget = widgets.TGPImage() if way == "kitty" else widgets.SixelImage()
    return canvas


def _graphics() -> Any:
    """`textual_image.widget`, kept from asking the terminal anything.

    At its import it writes questions to the terminal and waits for the answers on the keyboard, which
    belongs to Textual by now; it asks only where standard output is a terminal.
    """
    loaded = sys.modules.get("textual_image.widget")
    if loaded is not None:
        return loaded
    names = vars(sys)
    told, names["__stdout__"] = names["__stdout__"], io.StringIO()
    try:
        import textual_image.widget as its_widgets
    finally:
        names["__stdout__"] = told
    return its_widgets


def _tell_cell_size() -> None:
    """Puts the size of a cell where `textual_image` keeps it, so that it does not ask for it."""
    from textual_image import _terminal

    _terminal.get_cell_size._result = _terminal.CellSize(*terminal.cell_size())  # type: ignore[attr-defined]


def _bgr(image: Any) -> Image:
    """What was given, as BGR."""
    import numpy as np

    if isinstance(image, np.ndarray):
        if image.ndim == 2:
            return np.repeat(image[..., None], 3, axis=2)
        return image
    return np.ascontiguousarray(np.asarray(image.convert("RGB"), np.uint8)[..., ::-1])


def _reduced(image: Image, marks: tuple[Mark, ...], room: Size, fine: bool) -> Shown:
    """The picture at the size of the room, with its marks."""
    import cv2
    import numpy as np

    cell = terminal.cell_size()
    height, width = image.shape[:2]
    cells = fitted(width, height, room, cell)
    pixels = (
        (cells.width * cell[0], cells.height * cell[1]) if fine else (cells.width, 2 * cells.height)
    )
    way = cv2.INTER_AREA if pixels[0] < width else cv2.INTER_CUBIC
    small = np.asarray(cv2.resize(image, pixels, interpolation=way), np.uint8)
    scale = pixels[0] / width, pixels[1] / height
    return Shown(outlined(small, marks, scale, fine), cells, scale, marks)
