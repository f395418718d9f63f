"""Cards enrolled on the screen: from a photo to the pictures of the deck, with real sight."""

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from textual import events
from textual.geometry import Offset
from textual.widgets import Input, OptionList, Static

from card_catalog.loader import shipped_deck
from companion.core.errors import Fault, UnusableInput
from companion.intake import learning
from companion.intake.cutting import crop_of
from companion.intake.own_decks import OwnDeck, cards_of
from companion.tui.app import CompanionApp
from companion.tui.enrolling import corners, later
from companion.tui.enrolling.teacher import Lesson, Teacher
from companion.tui.screens.enrol import EnrolScreen
from companion.tui.screens.help import TextScreen
from companion.tui.widgets.entry import DropLine
from companion.tui.widgets.outlines import OutlinePicture
from companion.tui.widgets.picture import Picture
from companion.vision.album_folder import load_pictures
from companion.vision.load import open_photo
from tests.intake.pictures import save, table
from tests.tui.waiting import until

SMALL, LARGE = (80, 24), (140, 45)
Play = Callable[[CompanionApp, Any], Awaitable[None]]
DECK = "our-box"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "DECKS", "CONFIG"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))
    monkeypatch.delenv("COMPANION_PICTURES", raising=False)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of two cards, one of one card, one of chests and one of a bare table."""
    folder = tmp_path_factory.mktemp("photos")
    save(table(["eagle furs"]), folder / "two.png")
    save(table(["totem"]), folder / "one.png")
    save(np.full((900, 1200, 3), (58, 84, 40), np.uint8), folder / "bare.png")
    (folder / "text.png").write_text("no picture")
    return folder


def run(tmp_path: Path, play: Play, size: tuple[int, int] = SMALL) -> None:
    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=size, notifications=True) as pilot:
            await pilot.pause()
            await play(app, pilot)

    asyncio.run(whole())


async def begin(app: CompanionApp, pilot: Any, game: str = "none", *photos: Path) -> EnrolScreen:
    """The screen with these photos, the first of them looked at."""
    screen = EnrolScreen(DECK, game, [str(path) for path in photos])
    app.push_screen(screen)
    await until(pilot, lambda: app.screen is screen and screen.teacher is not None)
    await settled(pilot, screen)
    return screen


async def settled(pilot: Any, screen: EnrolScreen) -> None:
    """Nothing is looked at or learnt any more."""
    await until(pilot, lambda: not screen.looking and not screen.learning, tries=2000)
    await pilot.pause()


def shown(screen: Any, selector: str) -> str:
    return str(screen.query_one(selector, Static).render())


def faces() -> list[str]:
    """Faces that the deck has pictures of."""
    index = OwnDeck(DECK).index()
    return sorted(entry.face for entry in index.entries) if index is not None else []


def stored(face: str) -> Any:
    """The picture of a face in the deck."""
    own = OwnDeck(DECK)
    index = own.index()
    assert index is not None
    (picture,) = load_pictures(own.folder, index.of(face))
    return picture.image


def alike(a: Any, b: Any) -> float:
    """Correlation of two pictures at one size."""
    one, other = (cv2.resize(i, (180, 256)).astype(float).ravel() for i in (a, b))
    return float(np.corrcoef(one, other)[0, 1])


async def write(pilot: Any, text: str) -> None:
    """Types the keys of a text."""
    await pilot.press(*("space" if c == " " else c for c in text))


def test_a_fast_hand_loses_nothing(tmp_path: Path, photos: Path) -> None:
    """Two names and a choice from the list, all before the program has looked at the first key."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "without-a-paddle", photos / "two.png")
        entry = screen.query_one("#entry", DropLine)
        entry.value = "QC"
        await entry.action_submit()
        await until(pilot, lambda: screen.desk.at == (0, 1))
        entry.value = "10"
        screen.action_choose(1)
        await entry.action_submit()
        await until(pilot, lambda: screen.desk.sheet is None)
        await settled(pilot, screen)

    run(tmp_path, play)
    tens = [card for card in cards_of(shipped_deck("standard-52")) if "10" in card]
    assert faces() == sorted([tens[1], "QC"])


def held_up(screen: EnrolScreen) -> threading.Event:
    """Learning waits until the event is set."""
    assert screen.teacher is not None
    teach, go_on = screen.teacher.teach, threading.Event()

    def slowly(lessons: Any) -> Any:
        go_on.wait(20)
        return teach(lessons)

    screen.teacher.teach = slowly  # type: ignore[method-assign]
    return go_on


def test_a_card_skipped_while_it_is_learnt_is_not_in_the_deck(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        await write(pilot, "Adler")
        await pilot.press("enter")
        await settled(pilot, screen)
        go_on = held_up(screen)
        await write(pilot, "Fell")
        await pilot.press("enter", "pageup", "f9")
        go_on.set()
        await until(pilot, lambda: not screen.learning, 1000)
        await until(pilot, lambda: faces() == ["Adler"], 1000)
        assert (screen.desk.sheets[0].cards or ())[1].skipped

    run(tmp_path, play)
    assert faces() == ["Adler"]


def test_what_is_done_meanwhile_disturbs_nobody(tmp_path: Path, photos: Path) -> None:
    """A choice in the list and a held corner stay while cards are learnt and photos looked at."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "without-a-paddle", photos / "two.png")
        go_on = held_up(screen)
        screen.looking = "one.png"  # the photo that comes next takes long, too
        screen._add_photos([str(photos / "one.png")])
        await pilot.press("Q", "C", "enter", "down", "down", "down")
        face = screen._marked()
        assert (
            screen.teacher is not None
            and face == screen.teacher.missing[2]
            and screen.learning == 1
        )
        screen.post_message(screen.Forgot(""))  # the deck is compared before the card is in it
        await pilot.pause()
        assert (screen.desk.sheets[0].cards or ())[0].learnt == "QC"
        go_on.set()
        await until(pilot, lambda: not screen.learning, 1000)
        await pilot.pause()
        assert screen._marked() == face
        await pilot.press("f3", "2")
        screen.looking = ""
        screen.look_ahead()
        await settled(pilot, screen)
        assert len(screen._looks) == 2
        assert screen.cornering and screen.query_one("#photo", OutlinePicture).held == 1

    run(tmp_path, play)


def test_two_cards_of_a_photo_are_learnt(tmp_path: Path, photos: Path) -> None:
    """The whole way: dropped photo, names, Enter; the deck knows them, nothing waits."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot)
        app.post_message(events.Paste(str(photos / "two.png")))
        await until(pilot, lambda: screen.desk.sheets)
        await settled(pilot, screen)
        assert "card 1 of 2" in shown(screen, "#title")
        await write(pilot, "Adler")
        await pilot.press("enter")
        assert "card 2 of 2" in shown(screen, "#title")
        await write(pilot, "Fell")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert faces() == ["Adler", "Fell"]
        assert "All cards" in screen.query_one("#photo", Picture).words
        assert "2 cards learnt" in shown(screen, "#checklist")

    run(tmp_path, play)
    assert later.read(DECK) is None
    drawn = {"Adler": table(["eagle"], tilt=0), "Fell": table(["furs"], tilt=0)}
    for face, picture in drawn.items():
        assert alike(stored(face), picture[66:306, 60:232]) > 0.9
    assert alike(stored("Adler"), drawn["Fell"][66:306, 60:232]) < 0.5


def test_a_moved_corner_changes_the_crop_and_what_is_stored(tmp_path: Path, photos: Path) -> None:
    moved: list[Any] = []

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        before = screen.desk.card
        assert before is not None
        crop = screen.query_one("#crop", Picture)
        first = crop.image
        await write(pilot, "Ad")
        await pilot.press("f3", "1", *["ctrl+right"] * 3, "down", "shift+down")
        after = screen.desk.card
        assert (
            after is not None and after.typed == "Ad"
        )  # the keys moved corners, and typed nothing
        assert after.region[1:] == before.region[1:]
        assert after.region[0][0] > before.region[0][0] + 20 > after.region[0][1]
        await until(pilot, lambda: crop.image is not first)
        assert alike(crop.image, first) < 0.99
        await pilot.press("enter")
        await write(pilot, "ler")
        await pilot.press("enter")
        await settled(pilot, screen)
        moved.extend([before.region, after.region])

    run(tmp_path, play)
    photo = open_photo(photos / "two.png")
    assert (stored("Adler") == crop_of(photo, moved[1])).all()
    assert alike(stored("Adler"), crop_of(photo, moved[0])) < 0.99


def test_corners_are_undone_turned_and_put_back(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")

        def region() -> Any:
            assert screen.desk.card is not None
            return screen.desk.card.region

        found = region()
        await pilot.press("f3", "2", "left", "left")
        once = region()
        await pilot.press("ctrl+z")
        await pilot.press("ctrl+z")
        assert region() == found
        await pilot.press("ctrl+y", "ctrl+y")
        assert region() == once
        await pilot.press("o")
        assert region() == found
        await pilot.press("plus", "5", "right")
        assert region() != found
        await pilot.press("o", "r")
        assert region() == (*found[2:], *found[:2])
        await pilot.press("escape", "f7")
        assert region() == found and app.screen is screen
        # Corners that cannot be those of a card are refused in words.
        await pilot.press("f3", "1", *["ctrl+right"] * 40)
        assert "Not further" in shown(screen, "#verdict")
        assert region()[0][0] < region()[1][0]

    run(tmp_path, play)


def cell_of(picture: OutlinePicture, place: tuple[float, float]) -> Offset:
    """The cell on the screen that shows a place of the photo."""
    region = picture.query_one("Cells").region
    assert picture.image is not None
    height, width = picture.image.shape[:2]
    x, y = picture._view.drawn(place)
    return Offset(
        region.x + int(x / width * region.width), region.y + int(y / height * region.height)
    )


def test_the_mouse_drags_a_corner_and_chooses_a_card(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        picture = screen.query_one("#photo", OutlinePicture)
        await until(pilot, lambda: picture.visible_cells.width > 0)
        card = screen.desk.card
        assert card is not None
        start, bottom = card.region[0], card.region[3]
        goal = (start[0] + 60, start[1] + 60)
        await pilot.mouse_down(offset=cell_of(picture, start))
        await pilot.hover(offset=cell_of(picture, goal))
        await pilot.mouse_up(offset=cell_of(picture, goal))
        await pilot.pause()
        after = screen.desk.card
        assert after is not None
        cell = 1.5 * picture._small[1].shape[1] / picture.visible_cells.width  # type: ignore[index]
        assert after.region[0] == pytest.approx(goal, abs=2 * cell)
        assert after.region[0] != start and after.region[3] == bottom
        await pilot.press("ctrl+z")
        assert screen.desk.card == card
        other = screen.desk.sheets[0].cards[1].region  # type: ignore[index]
        middle = (sum(p[0] for p in other) / 4, sum(p[1] for p in other) / 4)
        await pilot.click(offset=cell_of(picture, middle))
        await pilot.pause()
        assert screen.desk.at == (0, 1)

    run(tmp_path, play, LARGE)


def test_what_is_not_finished_waits(tmp_path: Path, photos: Path) -> None:
    """One card learnt, the next half named and moved: the program ends, and goes on there."""
    kept: list[Any] = []

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png", photos / "one.png")
        await write(pilot, "Adler")
        await pilot.press("enter", "f3", "3", "left", "left", "enter")
        await write(pilot, "Fe")
        await settled(pilot, screen)
        assert screen.desk.card is not None
        kept.append(screen.desk.card.region)
        await pilot.press("escape")
        assert app.screen is not screen

    run(tmp_path, play)
    assert faces() == ["Adler"]

    async def again(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "")
        assert screen.desk.at == (0, 1) and screen.query_one("#entry", Input).value == "Fe"
        assert screen.desk.card is not None and screen.desk.card.region == kept[0]
        assert "2 photos to do" in shown(screen, "#verdict")
        await write(pilot, "ll")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert screen.desk.at == (1, 0)  # the photo that was not looked at yet
        await pilot.press("f9")

    run(tmp_path, again)
    assert faces() == ["Adler", "Fell"]
    assert later.read(DECK) is None


def test_a_card_whose_learning_was_cut_short_is_to_do(tmp_path: Path, photos: Path) -> None:
    """The draft says learnt, the deck has nothing of it: its name stands there again."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        screen.teach = lambda lesson: None  # type: ignore[method-assign]
        await write(pilot, "Adler")
        await pilot.press("enter", "escape")

    run(tmp_path, play)

    async def again(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none")
        await pilot.press("pageup")
        assert screen.desk.at == (0, 0) and screen.query_one("#entry", Input).value == "Adler"
        await pilot.press("enter")
        await settled(pilot, screen)

    run(tmp_path, again)
    assert faces() == ["Adler"]


def test_a_wrong_name_is_refused_and_the_checklist_shrinks(tmp_path: Path, photos: Path) -> None:
    """A deck for a game: its names, what is still missing, and what is meant by Enter."""

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "without-a-paddle", photos / "two.png")
        assert shown(screen, "#checklist").startswith("0 of 52 learnt; still missing:")
        await write(pilot, "QX")
        await pilot.press("enter")
        assert "QX" in shown(screen, "#verdict")
        assert screen.desk.at == (0, 0) and screen.query_one("#entry", Input).value == "QX"
        await pilot.press("backspace", "C", "enter")
        assert screen.desk.at == (0, 1)
        assert shown(screen, "#checklist").startswith("1 of 52 learnt")
        await pilot.press("K", "H", "enter")
        await settled(pilot, screen)
        assert shown(screen, "#checklist").startswith("2 of 52 learnt")
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, TextScreen))
        text = shown(app.screen, "#page-text").split()
        assert len(text) == 50 and "QC" not in text and "KS" in text

    run(tmp_path, play)
    assert faces() == ["KH", "QC"]


def test_the_list_chooses_and_tab_writes_out(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "without-a-paddle", photos / "two.png")
        choices = screen.query_one("#choices", OptionList)
        await pilot.press("enter")
        assert screen.desk.at == (0, 0)  # nothing typed and nothing suggested is no name
        await pilot.press("down", "down", "tab")
        assert screen.query_one("#entry", Input).value == screen.teacher.missing[1]  # type: ignore[union-attr]
        await pilot.press("ctrl+u", "1", "0")
        first = str(choices.get_option_at_index(0).prompt).split()[0]
        assert choices.highlighted == 0 and first.startswith("10")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert faces() == [first]

    run(tmp_path, play)


def test_another_name_takes_the_first_one_back(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        for name in ("Adlre", "Fell"):
            await write(pilot, name)
            await pilot.press("enter")
        await settled(pilot, screen)
        await pilot.press("pageup", "pageup")
        assert "Learnt as Adlre" in shown(screen, "#doubts")
        await write(pilot, "Adler")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert faces() == ["Adler", "Fell"]
        await pilot.press("pageup")
        await until(pilot, lambda: screen.desk.card is not None)
        await pilot.press("f9")
        await until(pilot, lambda: len(faces()) == 1, tries=1000)

    run(tmp_path, play)


def test_photos_that_cannot_be_used_are_told_and_passed_over(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none")
        text = f"{photos / 'text.png'} {photos / 'one.png'} {photos / 'there-is-none.png'}"
        entry = screen.query_one("#entry", Input)
        entry.value = text
        await pilot.press("enter")
        await settled(pilot, screen)
        told = " ".join(note.message for note in app._notifications)
        assert "there-is-none.png" in told and "text.png" in told
        assert screen.desk.sheet is not None and screen.desk.sheet.path.endswith("one.png")
        assert next(s for s in screen.desk.sheets if s.path.endswith("text.png")).fault

    run(tmp_path, play)


def test_a_card_that_was_not_found_is_outlined_by_hand(tmp_path: Path, photos: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "bare.png")
        assert "F4" in shown(screen, "#verdict")
        await pilot.press("f4")
        await until(pilot, lambda: screen.cornering)
        await pilot.press("left", "enter")
        await write(pilot, "Nichts")
        await pilot.press("enter")
        await settled(pilot, screen)

    run(tmp_path, play)
    assert faces() == ["Nichts"]


def test_what_the_deck_refuses_stands_there_again(
    tmp_path: Path, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UnusableInput([Fault(DECK, "the disk is full", "make room")])

    monkeypatch.setattr(learning, "learn_cuts", full)

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "one.png")
        await write(pilot, "Totem")
        await pilot.press("enter")
        await settled(pilot, screen)
        assert any("the disk is full" in note.message for note in app._notifications)
        assert screen.desk.at == (0, 0) and screen.query_one("#entry", Input).value == "Totem"

    run(tmp_path, play)
    assert faces() == []


def test_a_number_is_typed_with_the_name_and_two_that_differ_are_told(photos: Path) -> None:
    teacher = Teacher(DECK, "up-the-creek")
    assert "paddlers-2:red" in teacher.missing
    said = []
    for name, face in (("one.png", "paddlers-2:red=3"), ("two.png", "paddlers-2:red=4")):
        photo = open_photo(photos / name)
        height, width = photo.image.shape[:2]
        place = corners.in_the_middle(width, height, 1.4)
        (report,) = teacher.teach([Lesson(photo, name, 0, place, face)])
        assert not report.fault
        said.append(" ".join(report.doubts))
    assert faces() == ["paddlers-2:red=3", "paddlers-2:red=4"]
    assert "paddlers-2:red" not in teacher.missing and "paddlers-2:black" in teacher.missing
    assert "numbers" not in said[0] and "3" in said[1] and "4" in said[1]


def test_a_full_disk_is_told_in_words(
    tmp_path: Path, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "album.json")

    monkeypatch.setattr(learning, "learn_cuts", full)

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "one.png")
        await write(pilot, "Totem")
        await pilot.press("enter")
        await settled(pilot, screen)
        (note,) = [n for n in app._notifications if "No space" in n.message]
        assert "album.json" in note.message and "program failed" not in note.message

    run(tmp_path, play)


def test_a_deck_that_cannot_learn_is_said(tmp_path: Path) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = EnrolScreen("up-the-creek")
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and len(screen.query("#entry")) > 0)
        await pilot.pause()
        assert "ships" in shown(screen, "#verdict")
        for key in (
            "a",
            "enter",
            "f3",
            "f4",
            "f5",
            "f6",
            "escape",
            "f7",
            "f9",
            "pagedown",
            "ctrl+z",
            "tab",
        ):
            await pilot.press(key)

    run(tmp_path, play)


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_everything_that_matters_is_on_the_screen(
    size: tuple[int, int], tmp_path: Path, photos: Path
) -> None:
    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = await begin(app, pilot, "none", photos / "two.png")
        for _ in range(2):
            for selector in ("#crop Cells", "#photo Cells", "#entry", "#title", "#verdict"):
                region = screen.query_one(selector).region
                assert region.area > 0 and app.screen.region.contains_region(region)
            assert screen.query_one("#crop", Picture).visible_cells.height >= size[1] // 2
            await pilot.press("f3")
            await pilot.pause()

    run(tmp_path, play, size)
