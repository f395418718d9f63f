"""Enrolment: photo after photo, card after card; each is seen as it will be learnt, mended and named."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.intake.cutting import crop_of, doubts_of, region_faults
from companion.intake.inbox.paths import common, completions, paths_of
from companion.tui.enrolling import corners, later, words
from companion.tui.enrolling.desk import Card, Desk, Sheet
from companion.tui.enrolling.naming import LIKELY, Named, read_name
from companion.tui.enrolling.teacher import Lesson, LookedAt, Report, Teacher
from companion.tui.screens.teaching import TeachingScreen
from companion.tui.widgets.entry import DropLine
from companion.tui.widgets.outlines import OutlinePicture
from companion.tui.widgets.picture import Picture

MOST_STEPS = 200
"""Steps that undo goes back."""
_SHAPE = 1.4
"""Height over width of an outline that a person adds, where no card tells."""
_HOW = """\
Photograph your cards from above: one, or several that lie apart, on a plain ground of another colour.
Then type the path of the photo below, paste it, or drop the files on this window."""
_TYPE_PHOTOS = "path of a photo, or several; Tab completes, F2 picks"
_TYPE_NAME = "name of the card; F1 helps"


class EnrolScreen(TeachingScreen):
    """Teaches photos to a deck of the household; what is not finished waits for another day."""

    CSS_PATH: ClassVar[str] = "../styles/enrol.tcss"
    HELP_TEXT = """
Enrolling cards
  Type, paste or drop the paths of photos: of one card each, or of
    several that lie apart. F5 adds more at any time, F2 picks one.
  Left is the card as it will be learnt: upright, cut at its edges.
    If it is not, mend it: F7 turns it, F3 moves its corners.
  Type its name. Up and Down choose from the list, Tab completes;
    Enter learns it and goes on. What Enter means is marked there.
    A number printed on it may be added: paddlers-2:red=3
  F9 skips what is no card, and takes a learnt one out again. F4
    adds an outline that was not found. PgDn and PgUp: the next
    card, the one before.
  F6 lists the cards without a picture.
  Corners (F3): 1 2 3 4 or Tab pick one, 5 all; arrows move it,
    with Shift finely, with Ctrl far; + and - grow and shrink; R
    turns, Z zooms, O as it was found; Enter when it is good. With
    the mouse: drag a corner, or the whole.
  Ctrl+Z takes a change back. What was learnt is in the deck at
    once. The rest waits: Esc leaves, and later it goes on there.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("f1", "app.help", "Help", show=False),
        Binding("f2", "pick", "Pick"),
        Binding("f3", "corners", "Corners"),
        Binding("f4", "add", "Add"),
        Binding("f5", "photos", "Photos"),
        Binding("f6", "missing", "Missing"),
        Binding("f7", "turn", "Turn"),
        Binding("f9", "skip", "Skip"),
        Binding("pagedown", "leaf(1)", "Next", key_display="PgDn", priority=True),
        Binding("pageup", "leaf(-1)", "Before", key_display="PgUp", priority=True, show=False),
        Binding("ctrl+z", "undo", "Undo", show=False, priority=True),
        Binding("ctrl+y", "redo", "Redo", show=False, priority=True),
        Binding("up", "choose(-1)", show=False),
        Binding("down", "choose(1)", show=False),
        Binding("tab", "complete", show=False),
    ]

    def __init__(self, deck: str, game: str = "", photos: Sequence[str | Sheet] = ()) -> None:
        """`photos`: paths, or photos whose cards are outlined already."""
        super().__init__(deck, game)
        self._given = photos
        self.named = Named()
        self._asked: object = None
        """The place and name about which it was asked whether they belong together."""
        self._asking = False
        """Paths are typed although there is a card."""
        self._back: list[tuple[tuple[int, int], Card]] = []
        self._forth: list[tuple[tuple[int, int], Card]] = []
        self._drawn: tuple[Any, ...] = ()
        self._reads: tuple[Any, ...] = ()

    def compose(self) -> ComposeResult:
        """Title, checklist, the card and its photo, the name."""
        yield Static("", id="title", markup=False)
        yield Static("", id="checklist", markup=False)
        with Horizontal(id="work"):
            yield Picture(id="crop")
            with Vertical(id="side"):
                yield OutlinePicture(id="photo")
                yield Static("", id="doubts", markup=False)
                yield OptionList(id="choices")
        yield Static("", id="verdict", markup=False)
        yield DropLine(id="entry")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """The deck is read; what waits is taken up."""
        self.query_one("#choices", OptionList).can_focus = False
        self._entry.focus()
        try:
            self.teacher = Teacher(self.desk.deck, self.desk.game)
        except UnusableInput as error:
            self._say("; ".join(map(str, error.faults)), "wrong")
            self._draw()
            return
        waiting = later.read(self.desk.deck)
        desk = waiting or Desk(self.desk.deck, self.teacher.who.base)
        self.desk = self.compared(desk).onward(here=True)
        if waiting is not None:
            self._say(f"Going on where it was: {words.photos(self.desk.open)} to do.")
        paths = [p if isinstance(p, str) else p.path for p in self._given]
        if paths:
            prepared = {p.path: p for p in self._given if isinstance(p, Sheet)}
            after = self.desk.with_photos(paths)
            sheets = tuple(prepared.get(sheet.path, sheet) for sheet in after.sheets)
            self.change(replace(after, sheets=sheets))
        self._arrive()

    def on_resize(self) -> None:
        """The palette's key is named where there is room."""
        self.query_one(Footer).show_command_palette = self.size.width >= 100

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only the keys that work here are shown."""
        if action == "pick":
            return self._typing_paths
        if self.cornering and action in (
            "add",
            "photos",
            "missing",
            "skip",
            "leave",
            "turn",
            "leaf",
        ):
            return False
        if action in ("corners", "turn", "skip"):
            return self.look is not None and self.desk.card is not None
        if action == "add":
            return self.look is not None
        if action == "leaf":
            return len(self.desk.places()) > 1
        return True

    @property
    def _entry(self) -> DropLine:
        return self.query_one("#entry", DropLine)

    @property
    def _choices(self) -> OptionList:
        return self.query_one("#choices", OptionList)

    @property
    def _photo(self) -> OutlinePicture:
        return self.query_one("#photo", OutlinePicture)

    @property
    def cornering(self) -> bool:
        """Whether the keys move corners."""
        return self.focused is self._photo

    @property
    def _typing_paths(self) -> bool:
        """Whether the line is for paths: nothing waits for a name, or more photos were asked for."""
        return self._asking or self.desk.sheet is None

    # ---------------------------------------------------------------- the desk

    def _arrive(self, keep_typed: bool = False) -> None:
        """Shows the card that the desk is at; a photo that is not there yet is looked at."""
        self._asking = False
        if self.cornering:
            self._entry.focus()
        card = self.desk.card
        if not keep_typed:
            self._type(card.typed if card is not None else "")
        self.look_ahead()
        self._read_entry()

    def _type(self, text: str) -> None:
        with self._entry.prevent(Input.Changed):
            self._entry.value = text
        self._entry.cursor_position = len(text)

    def was_looked_at(self, path: str, fault: str, here: bool) -> None:
        """Says what was found; the card on the screen is left alone."""
        sheet, name = self.desk.sheet, Path(path).name
        if fault:
            self._warn(fault)
        elif here and sheet is not None:
            if not sheet.cards:
                self._say(f"No card was found in {name}: F4 adds an outline.", "unsure")
            elif self.desk.at[1] == 0:
                self._say(f"{words.cards(len(sheet.cards))} found in {name}.")
        if here and not self._asking:
            self._arrive(keep_typed=True)
        else:
            self.look_ahead()
            self._draw()

    # ---------------------------------------------------------------- drawing

    def _say(self, text: str, style: str = "quiet") -> None:
        line = self.query_one("#verdict", Static)
        line.update(text)
        line.set_classes(style)

    def _warn(self, text: str) -> None:
        """Says what is wrong for longer than the next photo takes."""
        self.app.notify(text, severity="warning", timeout=15)
        self._say(text, "wrong")

    def _draw(self) -> None:
        """Draws everything anew, pictures only where they changed."""
        look, card = self.look, self.desk.card
        self.set_class(self.cornering, "corners")
        self.set_class(card is None or look is None, "nothing")
        self._draw_title()
        self._entry.placeholder = _TYPE_PHOTOS if self._typing_paths else _TYPE_NAME
        if self.cornering:
            self._entry.placeholder = "Enter: the corners are good; then its name"
        self.query_one("#checklist", Static).update(self._checklist())
        region = card.region if card is not None else None
        states = tuple((c.region, c.open, c.skipped) for c in self._cards())
        now = (look, region, self.desk.at, self.cornering, states, self.looking)
        if now != self._drawn:
            self._drawn = now
            self._draw_pictures(look, card)
        self.refresh_bindings()

    def _draw_title(self) -> None:
        desk = self.desk
        parts = [f"Enrolling {desk.deck}"]
        if desk.sheet is not None:
            place = f"photo {desk.at[0] + 1} of {len(desk.sheets)}"
            if desk.card is not None:
                place += f", card {desk.at[1] + 1} of {len(self._cards())}"
            parts.append(place)
        if self.looking:
            parts.append(f"looking at {Path(self.looking).name} …")
        if self.learning:
            parts.append(f"learning {words.cards(self.learning)} …")
        self.query_one("#title", Static).update("   ".join(parts))

    def _cards(self) -> tuple[Card, ...]:
        return (self.desk.sheet.cards or ()) if self.desk.sheet is not None else ()

    def _checklist(self) -> str:
        """What is learnt and what is missing, in two lines."""
        if self.teacher is None:
            return ""
        deck, learnt = self.teacher.who.deck, len(self.teacher.faces)
        return words.checklist(deck, learnt, self.missing, 2, max(20, self.size.width - 2))

    def _draw_pictures(self, look: LookedAt | None, card: Card | None) -> None:
        crop = self.query_one("#crop", Picture)
        self._show_photo(look)
        if look is None or card is None:
            crop.show(None, "")
            self.query_one("#doubts", Static).update("")
            return
        doubts: tuple[str, ...] = ()
        try:
            image = crop_of(look.photo, card.region)
            if not self._photo.dragging:
                doubts = doubts_of(look.photo, card.region, look.usual)
        except UnusableInput as error:
            crop.show(None, "; ".join(fault.found for fault in error.faults))
        else:
            across, down = (round(side) for side in corners.sides(card.region))
            crop.show(image, f"to learn: {across} x {down} pixels")
        text = "Doubts: " + "; ".join(doubts) if doubts else ""
        if card.learnt:
            text = f"Learnt as {card.learnt}; another name and Enter changes that. {text}"
        elif card.skipped:
            text = f"Skipped; a name and Enter learns it all the same. {text}"
        if not self._photo.dragging:
            self.query_one("#doubts", Static).update(text)

    def _show_photo(self, look: LookedAt | None) -> None:
        """The photo with its outlines, or why there is none."""
        if look is not None:
            self._photo.place(
                look.photo.image, Path(look.path).name, self._cards(), self.desk.at[1]
            )
        elif self.looking:
            self._photo.clear(f"Looking at {Path(self.looking).name} …")
        elif self.desk.sheets and not self.desk.open:
            self._photo.clear(
                "All cards of these photos are done. Add further photos, or leave with Esc."
            )
        else:
            self._photo.clear(_HOW)

    # ---------------------------------------------------------------- the name

    @on(Input.Changed, "#entry")
    def _changed(self, event: Input.Changed) -> None:
        if event.value == self._entry.value:  # else a fast hand has gone on: see what comes next
            self._typed()

    def _typed(self) -> None:
        card, text = self.desk.card, self._entry.value
        if self._typing_paths:
            if text:
                self._say("")
        elif card is not None and card.typed != text:
            self.change(self.desk.with_card(replace(card, typed=text)))
            self._say("")
        self._read_entry()

    def _read_entry(self, typed: str | None = None) -> None:
        """Reads what is typed, lists what it may mean, and draws."""
        card, text = self.desk.card, self._entry.value if typed is None else typed
        reads = (self.desk.at, text)
        marked = self._marked() if reads == self._reads else ""
        self._reads, self.named = reads, Named()
        if self.teacher is not None and card is not None and not self._typing_paths:
            who, text = self.teacher.who, text or card.learnt
            self.named = read_name(text, who.deck, who.names, self.teacher.names, card.candidates)
        choices, faces = self._choices, [choice.face for choice in self.named.choices]
        choices.clear_options()
        lines = [f"{c.face}   {c.says}".rstrip() for c in self.named.choices]
        choices.add_options([Option(line.replace("[", "\\[")) for line in lines])
        choices.highlighted = 0 if self.named.likely and faces else None
        if marked in faces:  # the deck has learnt something meanwhile: what was chosen stays so
            choices.highlighted = faces.index(marked)
        self._draw()

    def _marked(self) -> str:
        """The face that is marked in the list."""
        at = self._choices.highlighted
        if at is None or at >= len(self.named.choices):
            return ""
        return self.named.choices[at].face

    def _chosen(self) -> str:
        """The face that Enter means: the one marked in the list, else the one typed."""
        return self._marked() or self.named.face

    def action_choose(self, step: int) -> None:
        """The next or previous choice."""
        if self._reads != (self.desk.at, self._entry.value):
            self._typed()
        if self._choices.option_count:
            if step > 0:
                self._choices.action_cursor_down()
            else:
                self._choices.action_cursor_up()

    @on(OptionList.OptionSelected, "#choices")
    def _clicked(self, event: OptionList.OptionSelected) -> None:
        self._type(self.named.choices[event.option_index].face)
        self._typed()
        self._entry.focus()

    def action_complete(self) -> None:
        """Tab: the path, or the name that is marked, is written out."""
        text = self._entry.value
        if self._typing_paths:
            found = completions(text)
            if found:
                self._type(found[0] if len(found) == 1 else common(found, text))
            if len(found) > 1:
                self._say("   ".join(Path(path.rstrip("/")).name for path in found[:8]))
            return
        face = self._chosen() or (self.named.choices[0].face if self.named.choices else "")
        if face:
            self._type(face)
            self._typed()

    @on(Input.Submitted, "#entry")
    def _entered(self, event: Input.Submitted) -> None:
        text = event.value
        if self.teacher is None:
            self._entry.put_back(text)
        elif self._typing_paths or _is_photo(text):
            self._take_paths(text)
        elif self.desk.card is None or self.look is None:
            self._entry.put_back(text)
            self._say("The photo is still being looked at; a moment.", "unsure")
        else:
            self._learn(text)

    def _take_paths(self, text: str) -> None:
        """Puts the photos that are meant on the desk."""
        if not text.strip():
            if self._asking:
                self._arrive()
            return
        found = paths_of(text)
        if found.photos:
            self._add_photos(found.photos)
        else:
            self._entry.put_back(text)
        if found.faults:
            self._warn("; ".join(map(str, found.faults)))

    @on(DropLine.Dropped)
    def _dropped(self, event: DropLine.Dropped) -> None:
        self._add_photos(event.paths)

    def _add_photos(self, paths: Sequence[str]) -> None:
        before = len(self.desk.sheets)
        typed = self.desk.card.typed if self.desk.card is not None else ""
        self.change(self.desk.with_photos([str(Path(path).absolute()) for path in paths]))
        added = len(self.desk.sheets) - before
        self._say(
            f"{words.photos(added)} added." if added else "These photos are on the desk already."
        )
        self._arrive()
        if self.desk.card is not None and typed:
            self._type(self.desk.card.typed)

    def _learn(self, text: str) -> None:
        """Learns the card under the name that Enter means, and goes on to the next."""
        self._read_entry(text)
        look, card, face = self.look, self.desk.card, self._chosen()
        assert look is not None and card is not None
        faults = region_faults(look.photo, card.region)
        if not face or faults:
            said = "; ".join(str(fault) for fault in faults) if faults else self.named.fault
            self._refuse(text, said or "Choose with Up and Down, or type the name of the card.")
            return
        if face == card.learnt and card.region == card.taught:
            self.change(self.desk.onward())
            self._arrive()
            return
        doubt = self._mixed_up(face)
        if doubt and self._asked != (card.region, face):
            self._asked = (card.region, face)
            self._refuse(text, f"{doubt}; Enter again learns it all the same.")
            return
        lesson = Lesson(look.photo, look.path, self.desk.at[1], card.region, face, card.learnt)
        self._remember()
        done = replace(card, typed="", learnt=face, taught=card.region, skipped=False)
        self.change(self.desk.with_card(done).onward())
        self.teach(lesson)
        self._say(f"{face}: learning it …")
        self._arrive(keep_typed=not self._entry.value and self.desk.card is None)

    def _mixed_up(self, face: str) -> str:
        """Why the name may be that of another card; empty where nothing speaks against it."""
        sheet, card = self.desk.sheet, self.desk.card
        if sheet is None or card is None:
            return ""
        for number, other in enumerate(sheet.cards or (), 1):
            if other is not card and other.learnt == face:
                return (
                    f"{face} is card {number} of this photo already, whose picture it would replace"
                )
        likely = card.candidates[0] if card.candidates else None
        if likely is None or likely.confidence < LIKELY:
            return ""
        if likely.face.partition(":")[0] == face.partition("=")[0].partition(":")[0]:
            return ""
        return f"It looks like {likely.face} ({round(100 * likely.confidence)} %), not like {face}"

    def _refuse(self, text: str, said: str) -> None:
        """Says what is wrong; what was typed stands there again."""
        with self._entry.prevent(Input.Changed):
            self._entry.put_back(text)
        card = self.desk.card
        if card is not None:
            self.change(self.desk.with_card(replace(card, typed=self._entry.value)))
        self._read_entry()
        self._say(said, "wrong")

    # ---------------------------------------------------------------- learning

    def was_taught(self, reports: list[Report]) -> None:
        """Says what became of the cards; what was not learnt is to do again."""
        for report in reports:
            self._report(report)
        if self.desk.sheet is None and self.desk.open:  # all was done, and one came back
            self.change(self.desk.onward())
            self._arrive(keep_typed=bool(self._entry.value))
        elif not self._typing_paths:
            self._read_entry()
        self._draw()

    def _report(self, report: Report) -> None:
        face = report.lesson.face
        if report.fault:
            self.change(self.reopened(report.lesson, typed=face))
            told = f"{face}: {report.fault}"
            self.app.notify(told, title="Not learnt", severity="error", timeout=15)
        elif report.over:
            self.change(self.reopened(report.lesson, skipped=True))
            self._say(f"{face} has as many pictures as are kept; this one is not.", "unsure")
        elif report.doubts:
            said = "; ".join(report.doubts)
            self._say(f"{face} is learnt, with doubts: {said}. PgUp goes back.", "unsure")
        else:
            self._say(f"{face} is learnt.", "right")

    # ---------------------------------------------------------------- corners

    def action_corners(self) -> None:
        """The keys move corners, or type the name again."""
        if self.cornering:
            self._entry.focus()
        elif self.desk.card is not None and self.look is not None:
            self._asking = False
            self._photo.focus()
        self.call_after_refresh(self._draw)

    def on_descendant_focus(self) -> None:
        """Whoever has the keys now."""
        self.call_after_refresh(self._draw)

    def action_turn(self) -> None:
        """Turns the crop round."""
        self._photo.action_turn()

    @on(OutlinePicture.Reshaped)
    def _reshaped(self, event: OutlinePicture.Reshaped) -> None:
        """The outline of the card is this one, if it can be one."""
        look, card = self.look, self.desk.card
        if look is None or card is None or event.region == card.region:
            return
        faults = region_faults(look.photo, event.region)
        if faults:
            self._say(f"Not further: {faults[0].found}.", "wrong")
            return
        if event.begins:
            self._remember()
        self.change(self.desk.with_card(replace(card, region=event.region)))
        self._say("Enter learns it anew with these corners." if card.learnt else "")
        self._draw()

    @on(OutlinePicture.Released)
    def _released(self) -> None:
        self._drawn = ()
        self._draw()

    @on(OutlinePicture.Chosen)
    def _chosen_by_hand(self, event: OutlinePicture.Chosen) -> None:
        self.change(replace(self.desk, at=(self.desk.at[0], event.number)))
        self._arrive()

    # ---------------------------------------------------------------- other keys

    def _remember(self) -> None:
        card = self.desk.card
        if card is not None:
            self._back = [*self._back[-MOST_STEPS:], (self.desk.at, card)]
            self._forth = []

    def action_undo(self) -> None:
        """Takes back the last change of an outline, or a skip."""
        self._step(self._back, self._forth, "Nothing to undo.")

    def action_redo(self) -> None:
        """Does it again."""
        self._step(self._forth, self._back, "Nothing to redo.")

    def _step(self, source: list[Any], other: list[Any], nothing: str) -> None:
        places = self.desk.places()
        while source and source[-1][0] not in places:
            source.pop()
        if not source:
            self.app.notify(nothing)
            return
        place, card = source.pop()
        now = (self.desk.sheets[place[0]].cards or ())[place[1]]
        other.append((place, now))
        # What the deck has learnt stays: F9 takes that out.
        typed = card.typed or ("" if now.learnt else card.learnt)
        back = replace(card, learnt=now.learnt, taught=now.taught, typed=typed)
        cornering = self.cornering
        moved = place != self.desk.at
        self.change(replace(self.desk.with_card(back, place), at=place))
        if moved or not cornering:
            self._arrive()
        else:
            self._draw()

    def action_leaf(self, step: int) -> None:
        """The next card or the one before."""
        after = self.desk.moved(step)
        if after.at != self.desk.at:
            self.change(after)
            self._say("")
            self._arrive()

    def action_skip(self) -> None:
        """This is not to be learnt; a card that was is taken out of the deck again."""
        look, card = self.look, self.desk.card
        if look is None or card is None:
            return
        self._remember()
        learnt = card.learnt
        self.change(self.desk.with_card(replace(card, learnt="", typed="", skipped=True)))
        if learnt:
            self.forget(learnt, look.photo.sha256)
            self._say(f"{learnt} is taken out of the deck again.")
        else:
            self._say("Skipped; PgUp goes back to it.")
        self.change(self.desk.onward())
        self._arrive()

    def action_add(self) -> None:
        """A further outline, in the middle of the photo; its corners are moved onto the card."""
        look = self.look
        if look is None:
            return
        height, width = look.photo.image.shape[:2]
        others = [corners.sides(card.region) for card in self._cards()]
        shapes = sorted(down / max(across, 1.0) for across, down in others)
        shape = shapes[len(shapes) // 2] if shapes else _SHAPE
        self.change(self.desk.added(corners.in_the_middle(width, height, shape)))
        self._arrive()
        self._photo.action_zoom()
        self._photo.focus()
        self._say(
            "Move the outline onto the card: drag it, or use the keys. Enter when it is good."
        )

    def action_photos(self) -> None:
        """The line is for the paths of further photos; once more, for the name."""
        if self.teacher is None or self.desk.sheet is None:
            return
        self._asking = not self._asking
        self._entry.focus()
        card = self.desk.card
        self._type("" if self._asking or card is None else card.typed)
        self._say("Type, paste or drop the paths of photos; Enter alone goes back." * self._asking)
        self._read_entry()

    def action_pick(self) -> None:
        """Picks a photo in a tree of folders."""
        from companion.tui.screens.pick import PickScreen

        def picked(path: str | None) -> None:
            if path is not None:
                self._add_photos([path])

        start = Path(self.desk.sheets[-1].path).parent if self.desk.sheets else Path.cwd()
        self.app.push_screen(PickScreen(start), picked)

    def action_missing(self) -> None:
        """All cards that have no picture yet."""
        from companion.tui.screens.help import TextScreen

        missing = self.missing
        text = "\n".join(missing) or "Every card that the deck lists has a picture."
        self.app.push_screen(TextScreen(self._checklist().partition(";")[0], text))

    def action_leave(self) -> None:
        """Back; what is not finished waits."""
        if self._asking:
            self.action_photos()
            return
        later.keep(self.desk)
        self.app.pop_screen()


def _is_photo(text: str) -> bool:
    """Whether a path was typed where a name was asked for; no card's name holds a slash."""
    return any(slash in text for slash in "/\\") and bool(paths_of(text).photos)
