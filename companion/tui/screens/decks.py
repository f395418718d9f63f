"""The decks: those that ship and the household's own; what each knows, and what to do with it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from companion.core.errors import UnusableInput
from companion.intake import own_decks
from companion.intake.own_decks import OwnDeck
from companion.tui.enrolling import later, shelf
from companion.tui.enrolling.shelf import Face, Judged, Shelved
from companion.tui.screens.choose import ChooseScreen
from companion.tui.screens.history import ConfirmScreen
from companion.tui.screens.line import LineScreen
from companion.tui.widgets.picture import Picture

ENDING = ".companion-deck"
"""Of a deck in one file, where a person gives none."""


class DecksScreen(Screen[None]):
    """Lists the decks."""

    CSS_PATH: ClassVar[str] = "../styles/enrol.tcss"
    HELP_TEXT = """
Decks
  The decks that ship, and your own. Enter: its cards, their
    pictures, and what to photograph again.
  N begins a deck of your own; E enrols cards into one, and goes on
    where it was left.
  X writes a deck into one file, I takes one in.
  Del removes a deck of your own, F forgets what it learnt at the
    table; both ask first.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("question_mark", "app.help", show=False),
        Binding("n", "new", "New"),
        Binding("e", "enrol", "Enrol"),
        Binding("x", "export", "Export"),
        Binding("i", "import_", "Import"),
        Binding("f", "forget", "Forget"),
        Binding("delete", "remove", "Remove"),
    ]

    @dataclass
    class Listed(Message):
        """The decks were read."""

        request: int
        decks: list[Shelved]

    @dataclass
    class Done(Message):
        """Something was done, or could not be."""

        text: str
        failed: bool = False
        again: Any = None
        """What to do where a deck of that name is there already."""

    def __init__(self) -> None:
        super().__init__()
        self.decks: list[Shelved] = []
        self._request = 0

    def compose(self) -> ComposeResult:
        """The list, and what is said of the one chosen."""
        yield Static("Decks", id="title")
        yield OptionList(id="decks")
        yield Static("Reading the decks …", id="about", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one("#decks", OptionList).focus()

    def on_screen_resume(self) -> None:
        """They may have changed."""
        self.read()

    def read(self) -> None:
        """Reads the decks in the background."""
        self._request += 1
        self._read(self._request)

    @work(thread=True, exclusive=True, group="decks", exit_on_error=False)
    def _read(self, request: int) -> None:
        self.post_message(self.Listed(request, shelf.decks()))

    @on(Listed)
    def _show(self, event: Listed) -> None:
        if event.request != self._request:
            return
        listed = self.query_one("#decks", OptionList)
        at = self._at()
        before = at.name if at is not None else ""
        known = {deck.name for deck in self.decks}
        fresh = [deck.name for deck in event.decks if known and deck.name not in known]
        before = fresh[0] if fresh else before
        self.decks = event.decks
        listed.clear_options()
        wide = min(24, max(len(deck.name) for deck in self.decks))
        title = max(len(deck.game) for deck in self.decks)
        lines = [(deck.name, deck.line(wide, title)) for deck in self.decks]
        listed.add_options([Option(line.replace("[", r"\["), id=name) for name, line in lines])
        names = [deck.name for deck in self.decks]
        own = next((i for i, deck in enumerate(self.decks) if deck.own), 0)
        listed.highlighted = names.index(before) if before in names else own
        self._about()

    def _at(self) -> Shelved | None:
        """The deck that is chosen."""
        at = self.query_one("#decks", OptionList).highlighted
        return self.decks[at] if at is not None and at < len(self.decks) else None

    @on(OptionList.OptionHighlighted, "#decks")
    def _about(self) -> None:
        deck = self._at()
        text = deck.quality if deck is not None else ""
        if not any(d.own for d in self.decks):
            text += "\nN begins a deck of your own: photograph your cards, and they are known."
        self.query_one("#about", Static).update(text)
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What ships can only be looked at."""
        deck = self._at() if self.is_mounted else None
        if action == "forget":
            return deck is not None and (deck.at_table > 0 or bool(deck.photos))
        if action in ("enrol", "export", "remove"):
            return deck is not None and deck.own
        return True

    @on(OptionList.OptionSelected, "#decks")
    def _open(self) -> None:
        deck = self._at()
        if deck is not None and deck.faces:
            self.app.push_screen(DeckScreen(deck))
        elif deck is not None and deck.own and not deck.fault:
            self.action_enrol()

    def action_new(self) -> None:
        """A new deck: its name, its game; then its cards are enrolled."""
        from companion.tui.screens.enrol import EnrolScreen

        def named(name: str | None) -> None:
            if name is not None:
                chosen = ChooseScreen(f"What is {name} for?", shelf.games())
                self.app.push_screen(chosen, lambda game: begun(name, game))

        def begun(name: str, game: str | None) -> None:
            if game is not None:
                self.app.push_screen(EnrolScreen(name, game))

        self.app.push_screen(
            LineScreen("The name of the new deck, such as our-box", "", _taken), named
        )

    def action_enrol(self) -> None:
        """More cards for the deck, or what was left for later."""
        from companion.tui.screens.enrol import EnrolScreen

        deck = self._at()
        if deck is not None and not deck.fault:
            waiting = later.read(deck.name)
            self.app.push_screen(EnrolScreen(deck.name, waiting.game if waiting else ""))

    def action_export(self) -> None:
        """The deck in one file."""
        deck = self._at()
        if deck is None:
            return
        own = OwnDeck(deck.name)

        def told(path: str | None) -> None:
            if path is not None:
                self._do(lambda: _exported(own, Path(path).expanduser()))

        value = str(Path.cwd() / f"{deck.name}{ENDING}")
        self.app.push_screen(
            LineScreen(f"Write {deck.name} into the file", value, _overwritten), told
        )

    def action_import_(self) -> None:
        """A deck from its file."""

        def told(path: str | None) -> None:
            if path is not None:
                self._import(Path(path).expanduser())

        self.app.push_screen(LineScreen("The deck file to take in"), told)

    def _import(self, path: Path) -> None:
        def again() -> None:
            def answered(yes: bool | None) -> None:
                if yes:
                    self._do(lambda: _imported(path, replace=True))

            question = f"The deck in {path.name} is there already. Replace it?"
            self.app.push_screen(ConfirmScreen(question), answered)

        self._do(lambda: _imported(path, replace=False), again)

    def action_remove(self) -> None:
        """Its pictures and its deck file are gone, after asking."""
        deck = self._at()
        if deck is None:
            return

        def removed() -> str:
            later.drop(deck.name)
            own = OwnDeck(deck.name)
            kept = own_decks.remove(own) if own.exists else []
            return "; ".join([f"{deck.name} is removed", *kept])

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(removed)

        question = f"Remove the deck {deck.name} with all its pictures? It cannot be undone."
        self.app.push_screen(ConfirmScreen(question), answered)

    def action_forget(self) -> None:
        """What was learnt at the table is gone, after asking."""
        from companion.cli.scan_text import counted_as
        from companion.intake import confirmed
        from companion.intake.learning import forget_learnt

        deck = self._at()
        if deck is None:
            return

        def forgot() -> str:
            pictures = forget_learnt(OwnDeck(deck.name)) if deck.at_table else 0
            photos = confirmed.forget(deck.name)
            told = (
                f"{counted_as(pictures, 'picture')} and the record of {counted_as(photos, 'photo')}"
            )
            return f"{deck.name}: forgotten are {told}"

        def answered(yes: bool | None) -> None:
            if yes:
                self._do(forgot)

        pictures = counted_as(deck.at_table, "picture")
        question = f"Forget what {deck.name} learnt at the table: {pictures}, and how photos went?"
        self.app.push_screen(ConfirmScreen(question), answered)

    @work(thread=True, group="deck", exit_on_error=False)
    def _do(self, step: Callable[[], str], again: Callable[[], None] | None = None) -> None:
        """Does it in the background, and says what came of it."""
        try:
            message = self.Done(step())
        except UnusableInput as error:
            there = again is not None and any(f.found.endswith(_THERE) for f in error.faults)
            text = "; ".join(map(str, error.faults))
            message = self.Done(text, failed=True, again=again if there else None)
        except OSError as error:
            message = self.Done(f"{error.filename}: {error.strerror or error}", failed=True)
        self.post_message(message)

    @on(Done)
    def _was_done(self, event: Done) -> None:
        if event.again is not None:
            event.again()
            return
        severity: Any = "error" if event.failed else "information"
        self.app.notify(event.text, severity=severity, timeout=15 if event.failed else 6)
        self.read()


_THERE = "already"
"""How the refusal of a deck that is there ends."""


def _taken(name: str) -> str:
    """Why a new deck cannot be called so."""
    try:
        own = own_decks.named(name)
    except UnusableInput as error:
        return "; ".join(map(str, error.faults))
    return f"there is a deck {name} already; E enrols more cards into it" if own.exists else ""


def _overwritten(text: str) -> str:
    """Why a deck cannot be written there."""
    path = Path(text).expanduser()
    if path.exists():
        return f"{path} is there already; name another file"
    return "" if path.parent.is_dir() else f"there is no folder {path.parent}"


def _exported(own: OwnDeck, path: Path) -> str:
    from companion.intake.deck_file import write_deck_file

    write_deck_file(own, path)
    return f"{own.name} is in {path}"


def _imported(path: Path, replace: bool) -> str:
    from companion.intake.deck_file import read_deck_file

    return f"{read_deck_file(path, replace=replace).name} is taken in"


class DeckScreen(Screen[None]):
    """The cards of one deck: pictures of each, what to photograph again, what it is mistaken for."""

    CSS_PATH: ClassVar[str] = "../styles/enrol.tcss"
    HELP_TEXT = """
A deck
  Its cards: ✓ is known, ! is to be photographed again, a dot has no
    picture yet. A shows only those that are to do.
  Left and Right go through the pictures of a card. Del takes the
    picture that is shown out of the deck, N only the number that the
    card was named with (chief:red=3), after asking.
  E enrols more.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "app.pop_screen", "Back"),
        Binding("question_mark", "app.help", show=False),
        Binding("left", "leaf(-1)", "Picture", key_display="←", show=False),
        Binding("right", "leaf(1)", "Next picture", key_display="→"),
        Binding("a", "again", "To do again"),
        Binding("e", "enrol", "Enrol"),
        Binding("delete", "remove", "Remove picture"),
        Binding("n", "number", "Forget number"),
    ]

    @dataclass
    class Shown(Message):
        """A picture was read."""

        key: tuple[str, int]
        image: Any

    @dataclass
    class Read(Message):
        """The deck was read anew."""

        request: int
        deck: Shelved

    @dataclass
    class Removed(Message):
        """A picture or a number is out of the deck, or could not be taken out."""

        fault: str
        said: str = ""

    @dataclass
    class Compared(Message):
        """The pictures were compared with each other."""

        judged: Judged

    def __init__(self, deck: Shelved) -> None:
        super().__init__()
        self.deck = deck
        self._judged = Judged()
        self._faces: list[Face] = []
        self._request = 0
        self._number = 0
        self._only = False

    def compose(self) -> ComposeResult:
        """The cards, and the picture of the one chosen."""
        yield Static("", id="title", markup=False)
        with Horizontal(id="both"):
            yield OptionList(id="cards")
            yield Picture(id="reference")
        yield Static("", id="about", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """The list takes the keys."""
        self.query_one("#cards", OptionList).focus()
        self._list()
        self._compare()

    def on_screen_resume(self) -> None:
        """It may have learnt."""
        self.read()

    @work(thread=True, exclusive=True, group="alike", exit_on_error=False)
    def _compare(self) -> None:
        self.post_message(self.Compared(shelf.judged(self.deck)))

    @on(Compared)
    def _was_compared(self, event: Compared) -> None:
        self._judged = event.judged
        self._draw()

    def read(self) -> None:
        """Reads the deck anew in the background."""
        self._request += 1
        self._read(self._request)

    @work(thread=True, exclusive=True, group="deck", exit_on_error=False)
    def _read(self, request: int) -> None:
        self.post_message(self.Read(request, shelf.deck_named(self.deck.name)))

    @on(Read)
    def _was_read(self, event: Read) -> None:
        if event.request == self._request and event.deck != self.deck:
            self.deck = event.deck
            self._list()
            self._compare()

    def _list(self) -> None:
        deck, listed = self.deck, self.query_one("#cards", OptionList)
        at = listed.highlighted or 0
        self._faces = [face for face in deck.faces if not self._only or face.again]
        listed.clear_options()
        listed.add_options([Option(_line(face).replace("[", "\\[")) for face in self._faces])
        title = f"{deck.name}: {deck.game}, {deck.learnt} of {len(deck.faces)} cards"
        self.query_one("#title", Static).update(title)
        if self._faces:
            listed.highlighted = min(at, len(self._faces) - 1)
        self._number = 0
        self._draw()

    def _face(self) -> Face | None:
        at = self.query_one("#cards", OptionList).highlighted
        return self._faces[at] if at is not None and at < len(self._faces) else None

    @on(OptionList.OptionHighlighted, "#cards")
    def _moved(self) -> None:
        self._number = 0
        self._draw()

    def _draw(self) -> None:
        face = self._face()
        picture = self.query_one("#reference", Picture)
        about = f"{self.deck.quality} {self._judged.line}".strip()
        if face is None:
            picture.show(None, "Every card has a good picture." if self._only else "")
        elif not face.references:
            picture.show(None, f"{face.name} has no picture yet.")
        else:
            reference = face.references[self._number]
            if reference.doubts:
                about = f"Doubts: {'; '.join(reference.doubts)}\n{about}"
            self._load(face, self._number)
        self.query_one("#about", Static).update(about)
        self.refresh_bindings()

    @work(thread=True, exclusive=True, group="picture", exit_on_error=False)
    def _load(self, face: Face, number: int) -> None:
        image = None
        with suppress(OSError):
            image = shelf.picture_of(self.deck.name, face.name, face.references[number])
        self.post_message(self.Shown((face.name, number), image))

    @on(Shown)
    def _was_loaded(self, event: Shown) -> None:
        face = self._face()
        if face is None or event.key != (face.name, self._number):
            return
        reference, many = face.references[self._number], len(face.references)
        which = f"picture {self._number + 1} of {many}, " if many > 1 else ""
        source = "learnt at the table" if reference.at_table else "enrolled"
        words = f"{face.name}: {which}{f'{source} from {reference.photo}' if self.deck.own else 'drawn'}"
        if others := self._judged.alike.get(face.name):
            words += f"; hard to tell apart from {' and '.join(others[:2])}"
        if event.image is None:
            words = f"{face.name}: its picture cannot be read"
        self.query_one("#reference", Picture).show(event.image, words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what can be done here is shown."""
        face = self._face() if self.is_mounted and self.query("#cards") else None
        if action == "leaf":
            return face is not None and len(face.references) > 1
        if action == "remove":
            return self.deck.own and face is not None and bool(face.references)
        if action == "number":
            numbered = face is not None and "=" in face.name and self.deck.game != shelf.ANY
            return self.deck.own and numbered
        return action != "enrol" or self.deck.own

    def action_leaf(self, step: int) -> None:
        """The next picture of the card."""
        face = self._face()
        if face is not None and face.references:
            self._number = (self._number + step) % len(face.references)
            self._draw()

    def action_again(self) -> None:
        """Only the cards to photograph again, or all."""
        self._only = not self._only
        self._list()

    def action_enrol(self) -> None:
        """More cards for the deck."""
        from companion.tui.screens.enrol import EnrolScreen

        self.app.push_screen(EnrolScreen(self.deck.name))

    def action_remove(self) -> None:
        """The picture that is shown leaves the deck, after asking."""
        face = self._face()
        if face is None:
            return
        word = f"{face.name}.{self._number + 1}"
        question = f"Take picture {self._number + 1} of {face.name} out of {self.deck.name}?"

        def forget() -> str:
            from companion.intake.learning import forget_card

            forget_card(OwnDeck(self.deck.name), word)
            return ""

        self._ask(question, forget)

    def action_number(self) -> None:
        """The card is no longer named with its number, after asking; its pictures stay."""
        face = self._face()
        if face is None:
            return
        plain, _, number = face.name.partition("=")

        def forget() -> str:
            from companion.intake.learning import forget_number

            by_hand = forget_number(OwnDeck(self.deck.name), face.name).by_hand
            stays = f"{by_hand} was written by hand: what it says of numbers stays."
            return stays if by_hand is not None else ""

        self._ask(f"Forget that {plain} shows a {number}? Its pictures stay.", forget)

    def _ask(self, question: str, forget: Callable[[], str]) -> None:
        """Asks, then forgets it in the background; `forget` gives what is to be said then."""

        def answered(yes: bool | None) -> None:
            if yes:
                self._forget(forget)

        self.app.push_screen(ConfirmScreen(question), answered)

    @work(thread=True, group="remove", exit_on_error=False)
    def _forget(self, forget: Callable[[], str]) -> None:
        fault = said = ""
        try:
            said = forget()
        except UnusableInput as error:
            fault = "; ".join(map(str, error.faults))
        self.post_message(self.Removed(fault, said))

    @on(Removed)
    def _was_removed(self, event: Removed) -> None:
        if event.fault:
            self.app.notify(event.fault, severity="error", timeout=15)
        elif event.said:
            self.app.notify(event.said, timeout=15)
        self.read()


def _line(face: Face) -> str:
    """A card of the list: how many pictures, and whether they are good."""
    if not face.references:
        return f"·  {face.name}"
    many = f"   {len(face.references)} pictures" if len(face.references) > 1 else ""
    return f"{'!' if face.again else '✓'}  {face.name}{many}"
