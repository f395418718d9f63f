"""The second look at photos: what is unsure first, in seconds; any card can be said, added, moved."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.intake.crops import View
from companion.intake.review import At, Box, Review, edits
from companion.intake.review.counting import Standing
from companion.tui.review import about
from companion.tui.review.choices import Choice, choices, fault
from companion.tui.review.mending import NAMED_ANEW, mended, offers
from companion.tui.review.rows import grown, row_text
from companion.tui.screens.help import TextScreen
from companion.tui.widgets.entry import EntryLine
from companion.tui.widgets.marks import Mark
from companion.tui.widgets.picture import Picture

WIDE = 120
"""Columns from which the whole photo stands beside the card."""
MOST_STEPS = 500
_LEAST = 0.5
"""A step that would make a box smaller than this share of itself is not taken."""
Step = tuple[Review, At | None]


class ReviewScreen(Screen[bool]):
    """The review of the photos of one table; gives back whether it is done."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    HELP_TEXT = """
The second look
  Cards that can change the score are asked about first. Up and Down
    choose what a card is, Enter takes it and goes to the next; or type
    the name of any card of the deck.
  F4: the rest is right. F5: done, it counts.
  Left and Right: the card before or after; Tab and Shift+Tab: the next
    or the last one to be asked about.
  Del: no card lies there. Ins: a card was missed (F7 moves its box).
  Ctrl+Right, Ctrl+Left: a gap before the card, or none.
  F6: all that can be mended: split and join boxes, turn a row round,
    join rows, say which row it is, give it or the whole photo to
    another player.
  F7: the box of the card: arrows move it, Shift with them makes it
    wider or narrower, Enter looks at it anew, Esc leaves it.
  F3: the whole photo with its boxes; click one to go there.
  F2: why a card is not sure.
  Ctrl+Z takes back, Ctrl+Y does again. Esc: back to the photos.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("f1", "app.help", "Help", show=False),
        Binding("f2", "why", "Why", priority=True),
        Binding("f3", "photo", "Photo", priority=True),
        Binding("f4", "rest", "Rest is right", priority=True),
        Binding("f5", "done", "Done", priority=True),
        Binding("f6", "mend", "Mend", priority=True),
        Binding("f7", "box", "Box", priority=True),
        Binding("ctrl+z", "undo", "Undo", priority=True),
        Binding("ctrl+y", "redo", "Redo", show=False, priority=True),
        Binding("tab", "ask(1)", "Next to ask", show=False, priority=True),
        Binding("shift+tab", "ask(-1)", "Last to ask", show=False, priority=True),
        Binding("up", "choose(-1)", show=False, priority=True),
        Binding("down", "choose(1)", show=False, priority=True),
        Binding("left", "step(-1)", show=False, priority=True),
        Binding("right", "step(1)", show=False, priority=True),
        Binding("shift+up", "size(0,-1)", show=False, priority=True),
        Binding("shift+down", "size(0,1)", show=False, priority=True),
        Binding("shift+left", "size(-1,0)", show=False, priority=True),
        Binding("shift+right", "size(1,0)", show=False, priority=True),
        Binding("ctrl+right", "edit('spread')", "A gap before it", show=False, priority=True),
        Binding("ctrl+left", "edit('tightened')", "No gap before it", show=False, priority=True),
        Binding("delete", "delete", "No card there", show=False, priority=True),
        Binding("insert", "edit('inserted')", "A card was missed", show=False, priority=True),
    ]

    @dataclass
    class Seen(Message):
        """The card in a box was looked at anew."""

        at: At
        region: Any
        sighting: Any

    def __init__(self, photos: Any) -> None:
        """`photos`: the screen that holds the review, its deck and files."""
        super().__init__()
        self.photos = photos
        self.target = photos.target
        self.eyes = photos.eyes
        self.deck = photos.eyes.deck
        self.standing = Standing()
        self.at: At | None = None
        self.offered: list[Choice] = []
        self.boxing: Any = None
        """The region while the box is moved by keys; None while it is not."""
        self.whole = False
        self._view: View | None = None
        """The part of the photo that is shown."""
        self._back: list[Step] = []
        self._forth: list[Step] = []
        self._warned = False

    @property
    def review(self) -> Review:
        """As it is by now."""
        found: Review = self.photos.review
        return found

    def compose(self) -> ComposeResult:
        """Where it stands; pictures and candidates; the rows; a line to type on."""
        yield Static("", id="title", markup=False)
        yield Static("", id="standing", markup=False)
        with Horizontal(id="looks"):
            yield Picture(id="whole")
            with Vertical(id="beside"):
                with Horizontal(id="pair"):
                    yield Picture(id="crop")
                    yield Picture(id="face")
                yield OptionList(id="choices")
        yield Static("", id="rows", markup=False)
        yield Static("", id="about", markup=False)
        yield EntryLine(id="entry")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The first card to be asked about."""
        self.query_one("#choices", OptionList).can_focus = False
        self.query_one(EntryLine).focus()
        self._count()
        asked = self.standing.to_ask
        places = self.review.places()
        self.at = asked[0] if asked else (places[0] if places else None)
        self._draw()

    def on_resize(self) -> None:
        """At 120 columns the whole photo has room beside the card."""
        self.call_after_refresh(self._draw)

    # ---------------------------------------------------------------- changing

    def _take(self, review: Review, at: At | None) -> None:
        """This is the review now; the last one can be had back."""
        if review == self.review:
            return
        self._back = [*self._back[-MOST_STEPS:], (self.review, self.at)]
        self._forth = []
        self._set(review, at)

    def _set(self, review: Review, at: At | None) -> None:
        self.photos.review = review
        self.photos.keep()
        self.boxing = None
        self.at = at if at is not None and review.at(at) is not None else _nearest(review, at)
        self._warned = False
        self._count()
        self._draw()

    def _count(self) -> None:
        self.standing = self.target.standing(self.review, self.deck)

    def action_undo(self) -> None:
        """The last change is taken back."""
        self._step(self._back, self._forth, "Nothing to undo.")

    def action_redo(self) -> None:
        """It is made again."""
        self._step(self._forth, self._back, "Nothing to redo.")

    def _step(self, source: list[Step], other: list[Step], nothing: str) -> None:
        self.boxing = None
        if not source:
            self.app.notify(nothing)
            return
        review, at = source.pop()
        other.append((self.review, self.at))
        self._set(review, at)

    # ---------------------------------------------------------------- drawing

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        many = len(self.review.places())
        left = self.standing.left
        asks = f", {left} to look at" if left else ", nothing left to ask"
        self.query_one("#title", Static).update(f"Second look   {many} cards{asks}")
        line = self.query_one("#standing", Static)
        line.update(self.target.words(self.review, self.standing))
        line.set_class(not left, "right")
        room = max(3, self.size.height - 18)
        self.query_one("#rows", Static).update(
            row_text(self.review, self.deck, self.standing, self.at, self.size.width - 2, room)
        )
        self.query_one("#about", Static).update(self._about())
        self._offer()
        self._show_pictures()

    def _box(self) -> Box | None:
        return None if self.at is None else self.review.at(self.at)

    def _about(self) -> Text:
        """The card in words: where it lies, why it is asked about."""
        if self.at is None:
            return Text("No card is left. Ctrl+Z takes back, Esc goes back to the photos.")
        text = Text(f"{about.where(self.review, self.at)} ", "bold")
        if self.boxing is not None:
            return text.append("Arrows move the box, Shift with them sizes it, Enter takes it.")
        return text.append(about.state(self.review, self.at, self.standing))

    def _offer(self) -> None:
        box, typed = self._box(), self.query_one(EntryLine).value
        self.offered = choices(box, typed, self.deck) if box is not None else []
        listed = self.query_one("#choices", OptionList)
        listed.clear_options()
        listed.add_options([Option(Text(c.label)) for c in self.offered])
        listed.highlighted = 0 if self.offered else None
        if typed.strip() and not self.offered and box is not None:
            wrong = fault(typed, self.deck)
            self.query_one("#about", Static).update(Text(wrong, "bold red"))

    def _choice(self) -> Choice | None:
        at = self.query_one("#choices", OptionList).highlighted
        return self.offered[at] if at is not None and at < len(self.offered) else None

    # ---------------------------------------------------------------- pictures

    def _show_pictures(self) -> None:
        wide = self.size.width >= WIDE
        whole, beside = self.query_one("#whole", Picture), self.query_one("#beside", Vertical)
        whole.display = wide or self.whole
        beside.display = wide or not self.whole
        self.query_one("#looks", Horizontal).set_class(wide, "wide")
        box = self._box()
        if box is None:
            return
        self._look(self.at, self.boxing or box.seen.region, whole.display)
        self._show_face()

    def _show_face(self) -> None:
        choice = self._choice()
        face = self.query_one("#face", Picture)
        if choice is None:
            face.show(None, "")
            return
        face.show(self.eyes.picture(choice.face), choice.card)

    @work(thread=True, exclusive=True, group="looking", exit_on_error=False)
    def _look(self, at: At | None, region: Any, whole: bool) -> None:
        """Opens the photo and cuts the card out of it, away from the keys."""
        box = None if at is None else self.review.at(at)
        if box is None:
            return
        photo = self.review.photos[box.photo]
        try:
            crop = self.photos.crops.card(photo.sha256, region)
            picture = self.photos.crops.around(photo.sha256, self._part(box)) if whole else None
        except UnusableInput as error:
            self.app.call_from_thread(self._looked, at, None, None, str(error))
            return
        self.app.call_from_thread(self._looked, at, crop, picture, "")

    def _part(self, box: Box) -> list[Any]:
        """What of the photo is shown: all its cards; around the one whose box is moved where it is small."""
        if self.boxing is not None and self.size.width < WIDE:
            return [grown(box.seen.region, 1.5), self.boxing]
        boxes = [b for line in self.review.lines for _, b in line.boxes()]
        return [b.seen.region for b in boxes if b.photo == box.photo]

    def _looked(self, at: At | None, crop: Any, picture: Any, wrong: str) -> None:
        if at != self.at or not self.is_mounted:
            return
        box = self._box()
        said = wrong or f"card {about.number_of(self.review, self.at)}"
        self.query_one("#crop", Picture).show(crop, said)
        if picture is not None and box is not None:
            self._view = picture
            name = Path(self.review.photos[box.photo].name).name
            self.query_one("#whole", Picture).show(
                picture.image, name, self._marks(box.photo, picture)
            )

    def _marks(self, photo: int, view: View) -> tuple[Mark, ...]:
        marks = []
        for number, at in enumerate(self.review.places(), 1):
            box = self.review.at(at)
            if box is None or box.photo != photo:
                continue
            region = self.boxing if at == self.at and self.boxing else box.seen.region
            corners = [view.shown(point) for point in region]
            chosen = at == self.at
            marks.append(Mark(corners, str(number), chosen, box.settled, box.card is not None))
        return tuple(marks)

    @on(Picture.Pointed)
    def _pointed(self, event: Picture.Pointed) -> None:
        """A click on a card of the photo goes there."""
        if event.what != "down" or event.picture.id != "whole":
            return
        box = self._box()
        if box is None or self._view is None:
            return
        x, y = self._view.told(event.x, event.y)
        inside = [
            at
            for at in self.review.places()
            if (b := self.review.at(at)) and b.photo == box.photo and _inside(b.seen.region, x, y)
        ]
        if inside:
            self._go(inside[-1])

    # ---------------------------------------------------------------- keys

    def _go(self, at: At | None) -> None:
        if at is not None:
            self.boxing = None
            self.at = at
            self.query_one(EntryLine).value = ""
            self._draw()

    @on(Input.Changed, "#entry")
    def _typed(self) -> None:
        self.boxing = None
        self.query_one("#about", Static).update(self._about())
        self._offer()
        self._show_face()

    @on(OptionList.OptionHighlighted, "#choices")
    def _moved(self) -> None:
        self._show_face()

    @on(Input.Submitted, "#entry")
    def _entered(self, event: Input.Submitted) -> None:
        """Takes what is chosen, and goes to the next card to be asked about."""
        if self.boxing is not None:
            self._look_anew()
            return
        choice = self._choice_for(event.value)
        if choice is None or self.at is None:
            self.query_one(EntryLine).put_back(event.value)
            return
        self._settle(choice)

    @on(OptionList.OptionSelected, "#choices")
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._settle(self.offered[event.option_index])
        self.query_one(EntryLine).focus()

    def _choice_for(self, typed: str) -> Choice | None:
        """What is chosen; the entry is empty by now, so the letters are given."""
        box = self._box()
        if box is None:
            return None
        at = self.query_one("#choices", OptionList).highlighted or 0
        found = choices(box, typed, self.deck)
        return found[min(at, len(found) - 1)] if found else None

    def _settle(self, choice: Choice) -> None:
        if self.at is None:
            return
        here = self.at
        self._take(edits.told(self.review, here, choice.card), here)
        after = [at for at in self.standing.to_ask if at != here]
        self._go(after[0] if after else here)

    def action_choose(self, step: int) -> None:
        """Another of the cards offered; while a box is moved: up and down."""
        if self.boxing is not None:
            self._shift(0, step)
            return
        listed = self.query_one("#choices", OptionList)
        if step > 0:
            listed.action_cursor_down()
        else:
            listed.action_cursor_up()

    def action_step(self, step: int) -> None:
        """The next card or the one before; in letters typed, the cursor."""
        if self.boxing is not None:
            self._shift(step, 0)
            return
        entry = self.query_one(EntryLine)
        if entry.value:
            entry.cursor_position += step
            return
        places = self.review.places()
        if places:
            now = places.index(self.at) if self.at in places else 0
            self._go(places[(now + step) % len(places)])

    def action_ask(self, step: int) -> None:
        """The next card to be asked about; then the rows in which a gap is not clear."""
        asked = [*self.standing.to_ask, *map(self._first_of, self.standing.gaps)]
        if not asked:
            self.app.notify("Nothing is left to ask. F5: done.")
            return
        now = asked.index(self.at) if self.at in asked else (-1 if step > 0 else 0)
        self._go(asked[(now + step) % len(asked)])

    def _first_of(self, line: int) -> At:
        """The first card of a line."""
        return line, next(column for column, _ in self.review.lines[line - 1].boxes())

    def action_delete(self) -> None:
        """No card lies there; in letters typed, the one behind the cursor goes."""
        entry = self.query_one(EntryLine)
        if entry.value:
            entry.action_delete_right()
        elif self.at is not None:
            self._take(edits.removed(self.review, self.at), self.at)

    def action_edit(self, what: str) -> None:
        """One of the things that can be mended."""
        self.boxing = None
        self._mend(what)

    def _mend(self, what: str) -> None:
        if self.at is None:
            return
        review, to = mended(self.review, self.at, what)
        if review == self.review:
            self.app.notify("That changes nothing here.")
            return
        self._take(review, to)
        if what in NAMED_ANEW:
            self._name_anew(to)
        if what == "split":
            self._name_anew((to[0], to[1] + 1))

    def action_mend(self) -> None:
        """Everything that can be mended, listed."""
        from companion.tui.screens.choose import ChooseScreen

        def chosen(what: str | None) -> None:
            if what is not None:
                self._mend(what)

        if self.at is not None:
            rows = self.target.rows(self.review, self.at[0], self.deck)
            found = offers(self.review, self.at, self.target.owners, rows)
            self.app.push_screen(ChooseScreen("Mend", found), chosen)

    # ---------------------------------------------------------------- the box

    def action_box(self) -> None:
        """The box is moved by keys from now on; once more: it is looked at anew."""
        box = self._box()
        if self.boxing is not None:
            self._look_anew()
        elif box is not None:
            self.query_one(EntryLine).value = ""
            self.boxing = box.seen.region
            self.whole = self.size.width < WIDE
            self._draw()

    def _shift(self, x: int, y: int) -> None:
        step = self._pace()
        self.boxing = tuple((a + x * step, b + y * step) for a, b in self.boxing)
        self._draw()

    def action_size(self, x: int, y: int) -> None:
        """The box becomes wider or higher by a step, or less so."""
        if self.boxing is None:
            return
        step = self._pace() / 2
        xs, ys = zip(*self.boxing, strict=True)
        across = 1 + 2 * x * step / max(1.0, max(xs) - min(xs))
        down = 1 + 2 * y * step / max(1.0, max(ys) - min(ys))
        if min(across, down) > _LEAST:
            self.boxing = grown(self.boxing, across, down)
        self._draw()

    def _pace(self) -> float:
        """Pixels of one step: a twentieth of the card's height."""
        ys = [float(y) for _, y in self.boxing]
        return max(2.0, (max(ys) - min(ys)) / 20)

    def _look_anew(self) -> None:
        assert self.at is not None
        region, self.boxing, self.whole = self.boxing, None, False
        self._take(edits.placed(self.review, self.at, region), self.at)
        self._name_anew(self.at)

    @work(thread=True, group="naming", exit_on_error=False)
    def _name_anew(self, at: At) -> None:
        """What the deck's pictures say of the box as it is now."""
        box = self.review.at(at)
        if box is None:
            return
        path = self.photos.crops.path(self.review.photos[box.photo].sha256)
        if path is None:
            return
        try:
            seen = self.eyes.look(str(path), box.seen.region)
        except UnusableInput:
            return
        self.post_message(self.Seen(at, box.seen.region, seen))

    @on(Seen)
    def _was_seen(self, event: Seen) -> None:
        box = self.review.at(event.at)
        if box is not None and box.seen.region == event.region:
            self.photos.review = edits.seen_anew(self.review, event.at, event.sighting)
            self.photos.keep()
            self._count()
            self._draw()

    # ---------------------------------------------------------------- the rest

    def action_why(self) -> None:
        """Everything that is known of the card, and what was said of its photo."""
        if self.at is not None:
            page = about.page(self.review, self.at, self.standing)
            self.app.push_screen(TextScreen("Why", page))

    def action_photo(self) -> None:
        """The whole photo with its boxes, or the card again."""
        self.whole = not self.whole
        self._draw()

    def _half_done(self) -> bool:
        """Takes what was begun, a box or a name; False where the letters name no card, which is said."""
        if self.boxing is not None:
            self._look_anew()
        entry = self.query_one(EntryLine)
        if not entry.value.strip():
            return True
        choice = self._choice_for(entry.value)
        if choice is None:
            self._offer()
            return False
        entry.value = ""
        self._settle(choice)
        return True

    def action_rest(self) -> None:
        """Everything else is as it was read."""
        if not self._half_done():
            return
        self._take(edits.all_confirmed(self.review), self.at)
        left = self.standing.to_ask
        if left:
            self._go(left[0])
            self.app.notify("Only cards without a name are left: type their names, or Del.")
        else:
            self.app.notify("All confirmed. F5: done.")

    def action_done(self) -> None:
        """It counts; where something could still change the score, that is said first."""
        if not self._half_done():
            return
        wrong = self.target.refuses(self.review)
        if wrong:
            self.app.notify(wrong, severity="warning", timeout=15)
            return
        left = self.standing.deciding
        gaps = self.standing.gaps
        if (left or gaps) and not self._warned:
            self._warned = True
            what = [f"{len(left)} card{'' if len(left) == 1 else 's'}"] if left else []
            what += ["a gap that may be there or not"] if gaps else []
            self.app.notify(
                f"{' and '.join(what)} can still change the score. F5 again takes all as it was read.",
                severity="warning",
            )
            if left:
                self._go(left[0])
            return
        self.dismiss(True)

    def action_leave(self) -> None:
        """Takes back what is half done; else back to the photos, where it waits."""
        entry = self.query_one(EntryLine)
        if self.boxing is not None:
            self.boxing, self.whole = None, False
            self._draw()
        elif entry.value:
            entry.value = ""
        elif self.whole and self.size.width < WIDE:
            self.action_photo()
        else:
            self.dismiss(False)


def _nearest(review: Review, at: At | None) -> At | None:
    """The card next to a place where none lies any more."""
    places = review.places()
    if at is None or not places:
        return places[0] if places else None
    return min(places, key=lambda p: (abs(p[0] - at[0]), abs(p[1] - at[1])))


def _inside(region: Any, x: float, y: float) -> bool:
    """Whether a point lies in a box: on one side of all its edges."""
    sides = []
    for (ax, ay), (bx, by) in zip(region, (*region[1:], region[0]), strict=True):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0)
    return all(sides) or not any(sides)
