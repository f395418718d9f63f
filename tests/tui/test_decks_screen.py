"""The decks on the screen: what each knows, begun, enrolled, exported, taken in, forgotten, removed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, OptionList, Static

from companion.intake.own_decks import FREE, OwnDeck, digest, new_deck_file
from companion.tui.app import CompanionApp
from companion.tui.enrolling import later, shelf
from companion.tui.enrolling.desk import Desk
from companion.tui.screens.choose import ChooseScreen
from companion.tui.screens.decks import DeckScreen, DecksScreen
from companion.tui.screens.enrol import EnrolScreen
from companion.tui.screens.history import ConfirmScreen
from companion.tui.screens.line import LineScreen
from companion.tui.screens.settings import SettingsScreen
from companion.tui.settings import Settings, settings
from companion.tui.widgets.picture import Picture
from companion.vision.album_folder import TABLE, Entry, Index, save_album
from companion.vision.album_folder import Picture as Stored
from tests.intake.pictures import card
from tests.tui.waiting import until

Play = Callable[[CompanionApp, Any, DecksScreen], Awaitable[None]]
DECK = "our-box"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "DECKS", "CONFIG"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))
    monkeypatch.delenv("COMPANION_PICTURES", raising=False)


def enrolled(*entries: Entry) -> OwnDeck:
    """A deck of the household with these pictures."""
    own = OwnDeck(DECK)
    text = f'extends = "up-the-creek"\ntitle = "{DECK}"\n'
    own.toml.parent.mkdir(parents=True, exist_ok=True)
    own.toml.write_text(text)
    pictures = [Stored(entry, card(entry.face)) for entry in entries]
    index = Index(DECK, 1.4, (), digest(text))
    save_album(own.folder, index, (), pictures, lambda: None)
    return own


def usual() -> OwnDeck:
    return enrolled(
        Entry("eagle", "", "a.jpg", "1"),
        Entry("paddler-1:red", "", "a.jpg", "1"),
        Entry("paddler-1:black", "", "a.jpg", "1"),
        Entry("totem", "", "b.jpg", "2", ("is blurred",)),
        Entry("eagle", "", "match.jpg", "3", (), TABLE),
    )


def run(tmp_path: Path, play: Play, size: tuple[int, int] = (80, 24)) -> None:
    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            await pilot.press("k")
            await until(pilot, lambda: isinstance(app.screen, DecksScreen))
            screen = app.screen
            assert isinstance(screen, DecksScreen)
            await until(pilot, lambda: screen.decks)
            await play(app, pilot, screen)

    asyncio.run(whole())


def lines(screen: Any, selector: str) -> list[str]:
    listed = screen.query_one(selector, OptionList)
    return [str(option.prompt) for option in listed.options]


def said(app: CompanionApp) -> str:
    return " ".join(note.message for note in app._notifications)


def shown(screen: Any, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


async def answer(app: CompanionApp, pilot: Any, kind: type[Any], *keys: str) -> None:
    """Waits for a screen of that kind, and presses keys on it."""
    await until(pilot, lambda: isinstance(app.screen, kind))
    await pilot.pause()
    await pilot.press(*keys)


async def type_line(app: CompanionApp, pilot: Any, text: str) -> None:
    await until(pilot, lambda: isinstance(app.screen, LineScreen) and app.screen.query("#line"))
    app.screen.query_one("#line", Input).value = text
    await pilot.press("enter")


def test_what_ships_and_what_the_household_has(tmp_path: Path) -> None:
    usual()
    later.keep(Desk("begun", "gold-up").with_photos(["a.jpg", "b.jpg"]))

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        found = lines(screen, "#decks")
        assert [line.split()[0] for line in found] == [
            "gold-up", "standard-52", "up-the-creek", "begun", "our-box",
        ]  # fmt: skip
        assert "Gold Up" in found[3] and "0 of 15" in found[3] and "2 photos wait" in found[3]
        assert "Up the Creek" in found[4] and "4 of 46" in found[4]
        screen.query_one("#decks", OptionList).highlighted = 4
        await pilot.pause()
        about = shown(screen, "#about")
        assert "5 pictures of 4 cards" in about and "1 of them learnt at the table" in about
        assert "totem" in about and "42 without" in about
        # What ships is neither enrolled, exported nor removed.
        screen.query_one("#decks", OptionList).highlighted = 0
        await pilot.pause()
        await pilot.press("e", "x", "delete", "f")
        assert app.screen is screen

    run(tmp_path, play)


def test_the_cards_of_a_deck_and_their_pictures(tmp_path: Path) -> None:
    usual()

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("enter")
        await until(
            pilot, lambda: isinstance(app.screen, DeckScreen) and app.screen._judged.line, 1000
        )
        deck: Any = app.screen
        assert "Quality" in shown(deck, "#about")
        picture = deck.query_one("#reference", Picture)
        cards = lines(deck, "#cards")
        assert len(cards) == 46 and sum(line.startswith("·") for line in cards) == 42
        assert [line for line in cards if line.startswith("!")] == ["!  totem"]
        at = next(i for i, line in enumerate(cards) if "paddler-1:red" in line)
        deck.query_one("#cards", OptionList).highlighted = at
        await until(pilot, lambda: "paddler-1:red" in picture.words and picture.visible_cells.area)
        assert "apart from paddler-1:black" in picture.words and "a.jpg" in picture.words
        await pilot.press("a")
        await pilot.pause()
        assert len(lines(deck, "#cards")) == 43
        await pilot.press("a")
        at = next(i for i, line in enumerate(cards) if "eagle" in line)
        deck.query_one("#cards", OptionList).highlighted = at
        await until(pilot, lambda: "eagle" in picture.words)
        await pilot.press("right")
        await until(pilot, lambda: "at the table" in picture.words)
        await pilot.press("delete")
        await answer(app, pilot, ConfirmScreen, "y")
        await until(pilot, lambda: "pictures" not in lines(deck, "#cards")[at])
        index = OwnDeck(DECK).index()
        assert index is not None and [e.photo for e in index.of("eagle")] == ["a.jpg"]

    run(tmp_path, play)


def test_a_new_deck_is_named_and_enrolled(tmp_path: Path) -> None:
    usual()

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("n")
        for wrong, why in (("our-box", "already"), ("up-the-creek", "ships"), ("a b", "cannot be")):
            await type_line(app, pilot, wrong)
            await pilot.pause()
            assert why in shown(app.screen, "#wrong")
        await type_line(app, pilot, "chests")
        await answer(app, pilot, ChooseScreen, "down", "down", "enter")
        await until(pilot, lambda: isinstance(app.screen, EnrolScreen) and app.screen.teacher)
        enrol: Any = app.screen
        assert enrol.desk.deck == "chests" and enrol.teacher.who.base == "gold-up"
        assert "0 of 15" in shown(enrol, "#checklist")
        await pilot.press("escape")
        assert app.screen is screen

    run(tmp_path, play)


def test_a_deck_goes_into_a_file_and_comes_back(tmp_path: Path) -> None:
    own = usual()
    file = tmp_path / "our.companion-deck"

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("x")
        await type_line(app, pilot, str(tmp_path / "no-folder" / "x"))
        await pilot.pause()
        assert "no folder" in shown(app.screen, "#wrong")
        await type_line(app, pilot, str(file))
        await until(pilot, lambda: file.is_file() and "is in" in said(app))
        await pilot.press("delete")
        await answer(app, pilot, ConfirmScreen, "n")
        assert own.enrolled
        await pilot.press("delete")
        await answer(app, pilot, ConfirmScreen, "y")
        await until(pilot, lambda: not own.exists and len(screen.decks) == 3)
        await pilot.press("i")
        await type_line(app, pilot, str(file))
        await until(pilot, lambda: own.exists and len(screen.decks) == 4)
        await pilot.press("i")  # it is there: asked before it is replaced
        await type_line(app, pilot, str(file))
        await answer(app, pilot, ConfirmScreen, "y")
        await until(pilot, lambda: said(app).count("taken in") == 2)
        await pilot.press("i")
        await type_line(app, pilot, str(tmp_path / "t.db"))
        await until(pilot, lambda: "no deck file" in said(app))

    run(tmp_path, play)
    index = own.index()
    assert index is not None and len(index.entries) == 5


def test_what_was_learnt_at_the_table_is_forgotten(tmp_path: Path) -> None:
    own = usual()

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("f")
        await answer(app, pilot, ConfirmScreen, "y")
        await until(pilot, lambda: "forgotten" in said(app))
        await until(pilot, lambda: screen.decks[-1].at_table == 0)
        await pilot.press("f")
        assert app.screen is screen

    run(tmp_path, play)
    index = own.index()
    assert index is not None and [e.origin for e in index.entries] == ["enrolled"] * 4


def test_a_broken_deck_is_said_and_breaks_nothing(tmp_path: Path) -> None:
    own = usual()
    (own.folder / "album.json").write_text("{")

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        assert "cannot be used" in lines(screen, "#decks")[-1]
        assert "damaged" in shown(screen, "#about")
        await pilot.press("enter", "e")
        assert app.screen is screen

    run(tmp_path, play)


def test_a_begun_deck_goes_on_from_the_list(tmp_path: Path) -> None:
    later.keep(Desk("begun", "gold-up").with_photos([str(tmp_path / "gone.jpg")]))

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("e")
        await until(pilot, lambda: isinstance(app.screen, EnrolScreen) and app.screen.teacher)
        enrol: Any = app.screen
        assert enrol.teacher.who.base == "gold-up"
        await until(pilot, lambda: "gone.jpg" in said(app))

    run(tmp_path, play)


def test_how_good_a_deck_is() -> None:
    shipped = shelf.judged(shelf.deck_named("up-the-creek"))
    assert shipped.alike["paddler-1:red"] == ("paddler-1:black",) and "eagle" not in shipped.alike
    usual()
    own = shelf.judged(shelf.deck_named(DECK))
    assert "6 %, 3 of 46" in own.line  # eagle and two paddlers; the totem is blurred


def test_the_setting_for_pictures_is_tried_and_kept(tmp_path: Path) -> None:
    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("s")
            await until(pilot, lambda: isinstance(app.screen, SettingsScreen))
            sample = app.screen.query_one("#sample", Picture)
            await until(pilot, lambda: sample.visible_cells.area > 0, 1000)
            await pilot.press("end")
            await until(pilot, lambda: sample.way == "none")
            assert sample.visible_cells.area == 0 and settings() == Settings("auto")
            await pilot.press("up")
            await until(pilot, lambda: sample.way == "unicode" and sample.visible_cells.area > 0)
            await pilot.press("enter")
            await until(pilot, lambda: settings() == Settings("unicode"))

    asyncio.run(whole())


def test_only_the_number_of_a_card_is_forgotten(tmp_path: Path) -> None:
    own = usual()
    index = own.index()
    assert index is not None
    red = replace(index.entries[1], face="paddler-1:red=2")
    save_album(
        own.folder, index, [red if e.face == "paddler-1:red" else e for e in index.entries], ()
    )

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DeckScreen) and app.screen._faces)
        deck: Any = app.screen
        await pilot.press("n")
        await pilot.pause()
        assert app.screen is deck, "this card has no number"
        at = next(i for i, line in enumerate(lines(deck, "#cards")) if "paddler-1:red=2" in line)
        deck.query_one("#cards", OptionList).highlighted = at
        await pilot.pause()
        await pilot.press("n")
        await answer(app, pilot, ConfirmScreen, "y")
        await until(
            pilot, lambda: any(line.endswith("paddler-1:red") for line in lines(deck, "#cards"))
        )
        now = own.index()
        assert now is not None and len(now.entries) == 5 and "paddler-1:red" in now.faces

    run(tmp_path, play)


def test_of_a_free_deck_no_number_is_offered_to_be_forgotten(tmp_path: Path) -> None:
    """There a name is a name, whatever stands in it."""
    own = usual()
    index = own.index()
    assert index is not None
    save_album(own.folder, index, [replace(index.entries[0], face="a=1")], ())
    own.toml.write_text(new_deck_file(DECK, FREE, ["a=1"]))

    async def play(app: CompanionApp, pilot: Any, screen: DecksScreen) -> None:
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DeckScreen) and app.screen._faces)
        deck: Any = app.screen
        assert any("a=1" in line for line in lines(deck, "#cards"))
        assert not deck.check_action("number", ()) and deck.check_action("remove", ())

    run(tmp_path, play)
