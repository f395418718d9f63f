"""The photo of an enrolment with the outlines of its cards; with the keys, it moves corners."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.message import Message

from companion.tui.enrolling import corners
from companion.tui.enrolling.desk import Card
from companion.tui.widgets.marks import Mark
from companion.tui.widgets.picture import Picture
from companion.vision.sighting import Point, Region

if TYPE_CHECKING:
    from companion.vision.geometry import Image

_ACROSS = 1600
"""Pixels of a photo's longer side as it is drawn; it is cut at full size."""
_MARGIN = 0.12
"""What is seen around a card that is looked at closely, as a share of its longer side."""
_STEPS = {"step": corners.STEP, "fine": corners.FINE, "coarse": corners.COARSE}
_KEYS: tuple[tuple[str, str], ...] = (("", "step"), ("shift+", "fine"), ("ctrl+", "coarse"))
_ARROWS = (("left", -1, 0), ("right", 1, 0), ("up", 0, -1), ("down", 0, 1))


@dataclass(frozen=True, slots=True)
class View:
    """Which part of the photo is drawn, and how large."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    """Drawn pixels for one of the photo."""

    def drawn(self, place: Point) -> Point:
        """A place in the photo, in drawn pixels."""
        return (place[0] - self.x) * self.scale, (place[1] - self.y) * self.scale

    def meant(self, x: float, y: float) -> Point:
        """A drawn pixel, in pixels of the photo."""
        return x / self.scale + self.x, y / self.scale + self.y


class OutlinePicture(Picture, can_focus=True):
    """Shows a photo and its cards; the one that is worked on closely while the keys are here."""

    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,f3", "screen.corners", "Done", key_display="Enter"),
        Binding("tab", "hold(1)", "Corner", key_display="Tab"),
        Binding("shift+tab", "hold(-1)", show=False),
        *(Binding(str(i + 1), f"take({i})", show=False) for i in range(4)),
        Binding("5,a", "take(4)", "All", key_display="5"),
        *(
            Binding(f"{keys}{arrow}", f"shift({dx}, {dy}, '{by}')", show=False)
            for keys, by in _KEYS
            for arrow, dx, dy in _ARROWS
        ),
        Binding("plus,equals_sign", "scale(1.02)", "Larger", key_display="+"),
        Binding("minus", "scale(0.98)", "Smaller", key_display="-"),
        Binding("r", "turn", "Turn", key_display="R"),
        Binding("z", "zoom", "Zoom", key_display="Z"),
        Binding("o", "as_found", "As found", key_display="O"),
    ]

    @dataclass
    class Reshaped(Message):
        """The outline is to be this one."""

        region: Region
        begins: bool = True
        """False: the pointer goes on dragging."""

    @dataclass
    class Released(Message):
        """The pointer let go of the outline."""

    @dataclass
    class Chosen(Message):
        """Another card was pointed at, from 0."""

        number: int

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.held = corners.WHOLE
        """The corner that is held, or the whole outline."""
        self.dragging = False
        self._zoomed = True
        self._photo: Image | None = None
        self._name = ""
        self._cards: tuple[Card, ...] = ()
        self._at = 0
        self._view = View()
        self._small: tuple[Any, Image, float] | None = None
        self._grip: Point = (0.0, 0.0)
        self._moved = False

    @property
    def card(self) -> Card | None:
        """The card that is worked on."""
        return self._cards[self._at] if self._at < len(self._cards) else None

    def place(self, photo: "Image", name: str, cards: Sequence[Card], at: int) -> None:
        """Shows this photo, and the card of it that is worked on."""
        if (photo is not self._photo) or at != self._at:
            self.held, self._zoomed = corners.WHOLE, True
        self._photo, self._name, self._cards, self._at = photo, name, tuple(cards), at
        self.redraw()

    def clear(self, words: str) -> None:
        """Shows no photo, only words."""
        self._photo, self._cards = None, ()
        self.show(None, words, ())

    def redraw(self) -> None:
        """Draws the photo anew, closely where the keys are here."""
        card = self.card
        if self._photo is None:
            return
        if card is not None and self.has_focus and self._zoomed:
            image = self._surroundings(self._photo, card)
            points = [self._view.drawn(point) for point in card.region]
            self.show(image, self._says(), (Mark(points, selected=True, handles=self.held),))
            return
        image, scale = self._reduced(self._photo)
        self._view = View(scale=scale)
        words = self._says() if self.has_focus else self._tells()
        self.show(image, words, tuple(self._mark(i, one) for i, one in enumerate(self._cards)))

    def _says(self) -> str:
        which = "The whole outline"
        if self.held != corners.WHOLE:
            which = f"Corner {self.held + 1} ({corners.NAMES[self.held]})"
        return f"{which} is held; arrows move it."

    def _tells(self) -> str:
        """What the photo shows, in words: where the card lies, too."""
        if self.card is None or self._photo is None:
            return f"{self._name}: no card is outlined"
        x, y = corners.centre(self.card.region)
        height, width = self._photo.shape[:2]
        down = ("at the top", "in the middle", "at the bottom")[min(2, max(0, int(3 * y / height)))]
        across = ("left", "centre", "right")[min(2, max(0, int(3 * x / width)))]
        return f"{self._name}: card {self._at + 1} of {len(self._cards)}, {down}, {across}"

    def _mark(self, number: int, card: Card) -> Mark:
        here = number == self._at
        handles = self.held if here and self.has_focus else -1
        points = [self._view.drawn(point) for point in card.region]
        done = "✓" if card.learnt else "–" if card.skipped else ""
        return Mark(points, f"{number + 1}{done}", here, True, not card.skipped, handles)

    def _reduced(self, photo: "Image") -> "tuple[Image, float]":
        """The photo at drawing size, and its scale."""
        if self._small is None or self._small[0] is not photo:
            import cv2
            import numpy as np

            scale = min(1.0, _ACROSS / max(photo.shape[:2]))
            small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self._small = photo, np.asarray(small, np.uint8), scale
        return self._small[1], self._small[2]

    def _surroundings(self, photo: "Image", card: Card) -> "Image":
        """The part of the photo around the card; while it is dragged, the view keeps still."""
        height, width = photo.shape[:2]
        xs, ys = zip(*card.region, strict=True)
        margin = _MARGIN * max(corners.sides(card.region))
        left, top = (max(0, int(min(v) - margin)) for v in (xs, ys))
        right, bottom = (
            min(width, int(max(xs) + margin) + 1),
            min(height, int(max(ys) + margin) + 1),
        )
        if self.dragging and self.image is not None:
            left, top = int(self._view.x), int(self._view.y)
            right, bottom = left + self.image.shape[1], top + self.image.shape[0]
        self._view = View(left, top)
        return photo[top:bottom, left:right]

    # ---------------------------------------------------------------- keys

    def action_hold(self, step: int) -> None:
        """The next corner, or the one before; then the whole outline."""
        self.action_take((self.held + step) % (corners.WHOLE + 1))

    def action_take(self, which: int) -> None:
        """Holds a corner, or the whole outline."""
        self.held = which
        self.redraw()

    def action_shift(self, dx: int, dy: int, by: str) -> None:
        """Moves what is held."""
        if self.card is not None:
            region = self.card.region
            step = max(1.0, _STEPS[by] * max(corners.sides(region)))
            self.post_message(self.Reshaped(corners.moved(region, self.held, dx * step, dy * step)))

    def action_scale(self, factor: float) -> None:
        """Grows or shrinks the outline."""
        if self.card is not None:
            self.post_message(self.Reshaped(corners.scaled(self.card.region, factor)))

    def action_turn(self) -> None:
        """Turns the crop round: by a quarter, or upside down where it stands."""
        if self.card is not None:
            self.post_message(self.Reshaped(corners.turned_round(self.card.region)))

    def action_zoom(self) -> None:
        """The card and its surroundings, or the whole photo."""
        self._zoomed = not self._zoomed
        self.redraw()

    def action_as_found(self) -> None:
        """The outline as it was proposed."""
        if self.card is not None and self.card.found is not None:
            self.post_message(self.Reshaped(self.card.found))

    # ---------------------------------------------------------------- the mouse

    @on(Picture.Pointed)
    def _pointed(self, event: Picture.Pointed) -> None:
        """Takes hold of a corner or the outline and drags it; elsewhere another card is chosen."""
        event.stop()
        card, place = self.card, self._view.meant(event.x, event.y)
        if event.what == "down":
            held = corners.held_at(card.region, place) if card is not None else None
            if held is None:
                self._choose(place)
                return
            self.held, self.dragging, self._grip, self._moved = held, True, place, False
            self.redraw()
        elif self.dragging and event.what == "up":
            self.dragging = False
            self.redraw()
            self.post_message(self.Released())
        elif self.dragging and card is not None:
            dx, dy = place[0] - self._grip[0], place[1] - self._grip[1]
            self._grip = place
            region = corners.moved(card.region, self.held, dx, dy)
            self.post_message(self.Reshaped(region, begins=not self._moved))
            self._moved = True

    def _choose(self, place: Point) -> None:
        for number, card in enumerate(self._cards):
            if number != self._at and corners.holds(card.region, place):
                self.post_message(self.Chosen(number))
                return
