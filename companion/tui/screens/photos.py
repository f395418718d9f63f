"""Photos of a table: given by path, picked, dropped, from a watched folder or a camera; read at once."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.intake import own_decks
from companion.intake.crops import Crops
from companion.intake.eyes import Eyes, ScannedPhoto
from companion.intake.review import Review, added, opened
from companion.intake.review.edits import without
from companion.intake.review.opening import is_joined, rebuilt, sound
from companion.intake.table import single_in
from companion.intake.trick import in_order
from companion.tui.review import draft, incoming
from companion.tui.review.target import TRICK, Target, catalogue_for, decks_for, eyes_for
from companion.tui.widgets.entry import DropLine, EntryLine


@dataclass(frozen=True, slots=True)
class Shot:
    """A photo of the list."""

    path: str
    owner: str
    words: str = "waits"
    """How it is, in words."""
    index: int | None = None
    """Its place among the photos of the review, once it was read."""
    failed: bool = False

    @property
    def waiting(self) -> bool:
        """Whether it is still to be read."""
        return self.index is None and not self.failed


class PhotosScreen(Screen[None]):
    """Collects the photos of one table, and hands over the review once it is done."""

    CSS_PATH: ClassVar[str] = "../styles/review.tcss"
    HELP_TEXT = """
Photos of a table
  Type or paste the path of a photo and press Enter; drop files on the
    window where the terminal can. Several at once, patterns (*.jpg) and
    folders do too. F3 picks a file.
  F2 says whose cards the next photos show.
  F4 watches a folder: type it, press F4, and every photo that arrives
    there is read. F7 takes a picture: 0 is the first camera; the
    address of a stream does too.
  A long row may be taken in two or more photos that overlap by two
    cards: they are joined.
  F6 reads them with another deck. Del takes the marked photo off.
  F5: look at what was read. Nothing counts before that.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("f1", "app.help", "Help", show=False),
        Binding("f2", "whose", "Whose"),
        Binding("f3", "pick", "Pick"),
        Binding("f4", "watch", "Watch"),
        Binding("f5", "review", "Look", priority=True),
        Binding("f6", "deck", "Deck"),
        Binding("f7", "camera", "Camera"),
        Binding("delete", "remove", "Remove a photo", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("tab", "complete", show=False, priority=True),
    ]

    @dataclass
    class WasRead(Message):
        """A photo was read, or could not be."""

        shot: str
        deck: str
        photo: ScannedPhoto | None
        fault: str = ""

    @dataclass
    class Came(Message):
        """A photo came from a folder or a camera, and was kept aside."""

        path: str

    @dataclass
    class Said(Message):
        """Something to be told."""

        text: str

    def __init__(self, target: Target, take: Callable[["PhotosScreen"], None]) -> None:
        """`take` gets this screen once the review is done, and calls `finish` if that was all."""
        super().__init__()
        self.target = target
        self.take = take
        self.owner = target.owners[0][0]
        self.decks = decks_for(target.game)
        self.eyes: Eyes | None = None
        self.review: Review = opened(self.decks[0] if self.decks else "")
        self.shots: list[Shot] = []
        self.files: dict[str, str] = {}
        self.crops = Crops(self._on_shelf)
        self._deck = self.review.deck
        self._opening = threading.Lock()
        self._reading = False
        """Whether a photo is being read."""
        self._looking = False
        """From the second look until this screen is there again: what comes meanwhile waits.

        So undo there loses no photo, and none counts that nobody has looked at.
        """
        self._watch: Any = None
        self._closed = False
        self._troubled = False
        """Whether it was said that nothing can be kept."""
        self._newest = False
        """Whether the last photo is to be marked, because it has just come."""

    def compose(self) -> ComposeResult:
        """Whose, the list, a line to type on."""
        yield Static("", id="title", markup=False)
        yield Static("", id="whose", markup=False)
        yield OptionList(id="shots")
        yield Static("", id="hint", markup=False)
        yield DropLine(id="entry")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """A review that waits for this table goes on; the deck is opened meanwhile."""
        self.query_one("#shots", OptionList).can_focus = False
        self.query_one(EntryLine).focus()
        self._go_on()
        self._draw()
        if not self.decks:
            self._say(_no_deck(self.target.game))
        else:
            self._open(self._deck)
            self._say("Type, paste or drop photos here, Enter reads them. F3 picks one.")
            if self.shots:
                self._say("Gone on with the photos of before. F5 looks at them; Del takes one off.")

    def on_screen_resume(self) -> None:
        """What came during the second look is read."""
        if self.app.screen is self:  # the review may have gone on to what it changes in a match
            self._looking = False
            self._read_on()

    def on_unmount(self) -> None:
        """The folder is not watched any longer."""
        self._closed = True
        if self._watch is not None:
            self._watch.stop()

    def _on_shelf(self, sha256: str) -> Path | None:
        from companion.intake.photo_shelf import shelf_of

        store = self.app.store  # type: ignore[attr-defined]
        return None if store is None else shelf_of(store).open(sha256)

    # ---------------------------------------------------------------- what waits

    def _go_on(self) -> None:
        waiting = draft.read(self.target.key)
        if waiting is None:
            return
        if waiting.review.deck not in self.decks:
            text = f"Photos wait here that were read with the deck {waiting.review.deck}, which is gone."
            self.app.notify(text, severity="warning", timeout=15)
            return
        deck = catalogue_for(waiting.review.deck)
        self.review = sound(waiting.review, lambda face: not own_decks.face_fault(deck, face))
        self.files = waiting.files
        self._deck = self.review.deck
        for sha256, path in self.files.items():
            self.crops.told(sha256, path)
        for index, photo in enumerate(self.review.photos):
            if any(box.photo == index for line in self.review.lines for _, box in line.boxes()):
                path = self.files.get(photo.sha256, photo.name)
                self.shots.append(Shot(path, photo.player, _found(photo.reading), index))
        for path, owner in waiting.unread:
            self._add(path, owner)

    def keep(self) -> None:
        """What there is survives whatever happens to the program."""
        unread = tuple((s.path, s.owner) for s in self.shots if s.waiting)
        if not self.review.lines and not unread:
            draft.drop(self.target.key)
            return
        trouble = draft.keep(self.target.key, draft.Waiting(self.review, self.files, unread))
        if trouble and not self._troubled:
            self.app.notify(trouble, severity="error", timeout=15)
        self._troubled = bool(trouble)

    # ---------------------------------------------------------------- drawing

    def _draw(self) -> None:
        deck = self._deck or "no deck"
        self.query_one("#title", Static).update(f"Photos   read with the deck {deck}")
        named = [f"▸{w}" if o == self.owner else w for o, w in self.target.owners]
        self.query_one("#whose", Static).update("Whose: " + "   ".join(named))
        listed = self.query_one("#shots", OptionList)
        at = listed.highlighted
        listed.clear_options()
        wide = max((len(o) for o, _ in self.target.owners), default=0)
        for number, shot in enumerate(self.shots, 1):
            owner = (shot.owner or "trick").ljust(max(wide, 5))
            text = f"{number:>2}  {owner}  {Path(shot.path).name}   {shot.words}"
            listed.add_option(Option(Text(text)))
        if self.shots:
            last = len(self.shots) - 1
            listed.highlighted = last if at is None or self._newest else min(at, last)
        self._newest = False

    def _say(self, text: str) -> None:
        self.query_one("#hint", Static).update(text)

    # ---------------------------------------------------------------- the deck

    def _eyes(self, deck: str) -> Eyes:
        """The deck opened for photos, once; raises `UnusableInput`. For any thread."""
        with self._opening:
            if self.eyes is None or self.eyes.name != deck:
                self.eyes = eyes_for(deck)
            return self.eyes

    @work(thread=True, group="deck", exit_on_error=False)
    def _open(self, deck: str) -> None:
        try:
            self._eyes(deck)
        except UnusableInput as error:
            self._from_thread(self.Said(str(error)))

    def action_deck(self) -> None:
        """The next deck, after asking where a person has said something; all is read anew with it."""
        if len(self.decks) < 2:
            self._say(f"{self.target.game} photos can be read with {self._deck or 'no deck'} only.")
            return
        after = self.decks[(self.decks.index(self._deck) + 1) % len(self.decks)]
        question = f"Read all photos anew with the deck {after}? What you said of cards is lost."
        self._unless_lost(question, self.review, lambda: self._read_with(after))

    def _unless_lost(self, question: str, lost: Review, do: Callable[[], None]) -> None:
        """Does it, after asking where it would lose what a person has said."""
        from companion.tui.screens.history import ConfirmScreen

        told = any(box.told is not None for line in lost.lines for _, box in line.boxes())
        if not told:
            do()
            return
        self.app.push_screen(
            ConfirmScreen(f"{question}\n\ny / n"), lambda yes: do() if yes else None
        )

    def _read_with(self, deck: str) -> None:
        self._deck = deck
        self.review = opened(deck)
        again, self.shots = self.shots, [s for s in self.shots if s.failed]
        for shot in again:
            if not shot.failed:
                self._add(shot.path, shot.owner)
        self._open(deck)
        self._draw()

    # ---------------------------------------------------------------- photos come

    @on(Input.Submitted, "#entry")
    def _entered(self, event: Input.Submitted) -> None:
        from companion.intake.inbox.paths import paths_of

        if not event.value.strip():
            self.action_review()
            return
        pasted = paths_of(event.value)
        if pasted.photos:
            self._say("")
        for path in pasted.photos:
            self._add(path, self.owner)
        if pasted.faults and not pasted.photos:
            self._say("; ".join(map(str, pasted.faults)))
            self.query_one(EntryLine).put_back(event.value)
        elif pasted.faults:
            for fault in pasted.faults:
                words = f"{fault.found}; {fault.right}" if fault.right else fault.found
                self.shots.append(Shot(fault.where, self.owner, words, failed=True))
        self._draw()

    def action_complete(self) -> None:
        """The path is completed."""
        from companion.intake.inbox.paths import common, completions

        entry = self.query_one(EntryLine)
        found = completions(entry.value)
        if found:
            entry.value = found[0] if len(found) == 1 else common(found, entry.value)
            entry.cursor_position = len(entry.value)
            if len(found) > 1:
                self._say("   ".join(Path(text).name for text in found))

    @on(DropLine.Dropped)
    def _dropped(self, event: DropLine.Dropped) -> None:
        """Files dropped on the window are read without a key."""
        for path in event.paths:
            self._add(path, self.owner)
        self._draw()

    def _add(self, path: str, owner: str) -> None:
        try:
            path = incoming.named_in_text(path)
        except UnusableInput as error:
            self._say(str(error))
            return
        if any(s.path == path and not s.failed for s in self.shots):
            self._say(f"{Path(path).name} is on the list already.")
            return
        self.shots.append(Shot(path, owner))
        self._newest = True
        self.keep()
        self._read_on()

    def _read_on(self) -> None:
        """Reads the first photo that waits, unless one is being read: rows follow in the order given."""
        shot = next((shot for shot in self.shots if shot.waiting), None)
        if shot is not None and not self._reading and not self._looking:
            self._reading = True
            self._told(shot.path, words="reading ...")
            self._read(shot.path, self._deck)

    @work(thread=True, group="reading", exit_on_error=False)
    def _read(self, path: str, deck: str) -> None:
        try:
            photo = self._eyes(deck).read(path)
        except UnusableInput as error:
            self._from_thread(self.WasRead(path, deck, None, str(error)))
        else:
            self._from_thread(self.WasRead(path, deck, photo))

    def _told(self, path: str, **changes: Any) -> None:
        self.shots = [
            replace(s, **changes) if s.path == path and s.waiting else s for s in self.shots
        ]
        if self.is_mounted:
            self._draw()

    @on(WasRead)
    def _was_read(self, event: WasRead) -> None:
        self._reading = False
        if event.deck == self._deck:  # else another deck was chosen meanwhile
            self._take_in(event)
            self.keep()
        self._read_on()
        if not self._reading and self.review.lines:
            self._say("F5 looks at what was read.")

    def _take_in(self, event: WasRead) -> None:
        photo = event.photo
        if photo is None:
            self._told(event.shot, words=event.fault.removeprefix(f"{event.shot}: "), failed=True)
            return
        shot = next((s for s in self.shots if s.path == event.shot and s.waiting), None)
        if shot is None:  # taken off meanwhile
            return
        if any(p.sha256 == photo.sha256 for p in self._shown()):
            self._told(event.shot, words="is the same photo as another of the list", failed=True)
            return
        assert self.eyes is not None, "a photo was read with it"
        if shot.owner == TRICK:
            photo = replace(photo, reading=in_order(photo.reading))
        before = len(self.review.lines)
        index = len(self.review.photos)
        self.review = added(self.review, photo, shot.owner, single_in(self.eyes.deck))
        self.files[photo.sha256] = event.shot
        self.crops.told(photo.sha256, event.shot)
        words = f"{_found(photo.reading)}   {photo.seconds:.1f} s"
        if photo.reading.rows and len(self.review.lines) == before:
            words += "; goes on with an earlier photo"
        self._told(event.shot, words=words, index=index)

    def _shown(self) -> list[Any]:
        used = {s.index for s in self.shots if s.index is not None}
        return [photo for i, photo in enumerate(self.review.photos) if i in used]

    @on(Came)
    def _came(self, event: Came) -> None:
        self._add(event.path, self.owner)
        self._draw()

    @on(Said)
    def _said(self, event: Said) -> None:
        self._say(event.text)

    def action_pick(self) -> None:
        """Picks a file in a tree of folders."""
        from companion.tui.screens.pick import PickScreen

        def picked(path: str | None) -> None:
            if path is not None:
                self._add(path, self.owner)
                self._draw()

        start = Path(self.shots[-1].path).parent if self.shots else Path.cwd()
        self.app.push_screen(PickScreen(start), picked)

    def action_watch(self) -> None:
        """Reads every photo that arrives in the folder typed; once more: no longer."""
        from companion.intake.inbox.paths import folder_of
        from companion.intake.inbox.watch import FolderWatch

        entry = self.query_one(EntryLine)
        typed = entry.value.strip()
        if self._watch is not None:
            self._watch.stop()
            self._watch = None
            if not typed:
                self._say("The folder is not watched any longer.")
                return
        if not typed:
            self._say("Type the folder first, then press F4.")
            return
        folder = folder_of(typed)
        if folder is None:
            self._say(f"{typed} is no folder; type one, then press F4.")
            return
        entry.value = ""
        self._watch = FolderWatch(
            folder,
            self._arrived,
            lambda text: self._from_thread(self.Said(text)),
        )
        self._watch.start()
        self._say(f"Watching {folder}: every photo that arrives there is read. F4 ends it.")

    def _arrived(self, came: Any) -> None:
        """Keeps it aside at once: the next photo may have the same name."""
        try:
            self._from_thread(self.Came(incoming.copied(came.path, came.sha256)))
        except UnusableInput as error:
            self._from_thread(self.Said(str(error)))

    def _from_thread(self, message: Message) -> None:
        if not self._closed:
            self.post_message(message)

    def action_camera(self) -> None:
        """Takes a picture with the camera typed, 0 by itself."""
        entry = self.query_one(EntryLine)
        source, entry.value = entry.value.strip() or "0", ""
        self._say("The camera is asked for a picture ...")
        self._snap(int(source) if source.isdigit() else source)

    @work(thread=True, group="camera", exclusive=True, exit_on_error=False)
    def _snap(self, source: int | str) -> None:
        from datetime import datetime

        from companion.vision.camera import snap

        try:
            name = f"camera-{datetime.now():%Y%m%d-%H%M%S}.jpg"
            path = incoming.written(snap(source).jpeg(), name)
        except UnusableInput as error:
            self._from_thread(self.Said(str(error)))
        else:
            self._from_thread(self.Came(path))

    # ---------------------------------------------------------------- keys

    def action_whose(self) -> None:
        """The next photos show the next player's cards."""
        owners = [owner for owner, _ in self.target.owners]
        self.owner = owners[(owners.index(self.owner) + 1) % len(owners)]
        self._draw()

    def action_move(self, step: int) -> None:
        """Another photo of the list."""
        listed = self.query_one("#shots", OptionList)
        if step > 0:
            listed.action_cursor_down()
        else:
            listed.action_cursor_up()

    def action_remove(self) -> None:
        """Takes the marked photo off the list, with the cards that it showed; its file stays."""
        entry = self.query_one(EntryLine)
        if entry.value:
            entry.action_delete_right()
            return
        at = self.query_one("#shots", OptionList).highlighted
        if at is None or not 0 <= at < len(self.shots):
            return
        shot = self.shots[at]
        index = shot.index
        if index is None:
            self._take_off(shot)
            return
        lost = without_others(self.review, index)
        question = f"Take {Path(shot.path).name} off? What you said of its cards is lost."
        self._unless_lost(question, lost, lambda: self._take_off(shot))

    def _take_off(self, shot: Shot) -> None:
        self.shots.remove(shot)
        if shot.index is not None:
            self.review = self._without(shot.index)
        self.keep()
        self._draw()

    def _without(self, index: int) -> Review:
        """The review as it is by now, without that photo."""
        single = single_in(self.eyes.deck) if self.eyes is not None else None
        if single is not None and is_joined(self.review, index):  # the others show what it shared
            return rebuilt(self.review, index, single)
        return without(self.review, index)

    def action_review(self) -> None:
        """The second look."""
        if any(s.waiting for s in self.shots):
            self._say("Some photos are still being read; F5 again in a moment.")
            return
        if not self.review.lines:
            self._say("There is no photo with cards yet.")
            return
        if self.eyes is None or self.eyes.name != self.review.deck:
            self._say("The deck is still being opened; F5 again in a moment.")
            return
        from companion.tui.screens.review import ReviewScreen

        self._looking = True
        self.app.push_screen(ReviewScreen(self), self._reviewed)

    def _reviewed(self, done: bool | None) -> None:
        photos = self.review.photos  # a photo may have been given to another player
        self.shots = [
            s if s.index is None else replace(s, owner=photos[s.index].player) for s in self.shots
        ]
        self._draw()
        if done and any(s.waiting for s in self.shots):
            text = "Photos came meanwhile, so nothing counts yet. F5 looks at them too."
            self.app.notify(text, severity="warning", timeout=15)
        elif done:
            self.take(self)

    def finish(self) -> None:
        """The review has gone where it belongs: nothing waits any longer."""
        from companion.tui.review.flow import settle

        if late := [Path(s.path).name for s in self.shots if s.waiting]:
            text = f"Came too late to be looked at, give again: {', '.join(late)}"
            self.app.notify(text, severity="warning", timeout=15)
        draft.drop(self.target.key)
        settle(self.app, self.review, self.files)
        self.dismiss()

    def action_leave(self) -> None:
        """Takes back what is half typed; else back, and what was read waits."""
        entry = self.query_one(EntryLine)
        if entry.value:
            entry.value = ""
        else:
            self.dismiss()


def without_others(review: Review, photo: int) -> Review:
    """Only what this photo shows, counted from 0."""
    for other in range(len(review.photos)):
        if other != photo:
            review = without(review, other)
    return review


def _found(reading: Any) -> str:
    """`31 cards in 3 rows, 2 to look at`."""
    cards = reading.sightings
    unsure = sum(not card.sure for card in cards)
    if not cards:
        warned = reading.warnings[0].text if reading.warnings else ""
        return f"no card was found{f': {warned}' if warned else ''}"
    rows = len(reading.rows)
    text = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
    text += f" in {rows} row{'' if rows == 1 else 's'}"
    return f"{text}, {f'{unsure} to look at' if unsure else 'all sure'}"


def _no_deck(game: str) -> str:
    return (
        f"No deck of {game} can be seen yet: enrol your own cards first (home, Decks), or "
        f"companion deck enrol NAME --game {game} --from FOLDER"
    )
