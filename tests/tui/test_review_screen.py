"""Photos reviewed on the screens: what is unsure first, everything mended by keys, the result at the table."""

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.widgets import Input, OptionList, Static

from card_catalog.loader import shipped_deck
from companion.intake.eyes import ScannedPhoto
from companion.intake.review import added, opened
from companion.session import MatchSession
from companion.tui.app import CompanionApp
from companion.tui.counting.reading import blank
from companion.tui.review import draft, target
from companion.tui.review.mending import mended, offers
from companion.tui.review.target import CountingTarget
from companion.tui.screens.choose import ChooseScreen
from companion.tui.screens.counting import CountingScreen
from companion.tui.screens.history import ConfirmScreen
from companion.tui.screens.home import HomeScreen
from companion.tui.screens.observed import ObservedScreen
from companion.tui.screens.photos import PhotosScreen
from companion.tui.screens.review import ReviewScreen
from companion.tui.screens.table import TableScreen
from companion.vision.sighting import Candidate, Sighting
from tests.intake.readings import reading
from tests.tui.waiting import until

Play = Callable[[CompanionApp, Any], Awaitable[None]]
SIZES = [(80, 24), (140, 45)]


class FakeEyes:
    """Reads photos as the test has written them, by file name."""

    def __init__(self, name: str, rows: dict[str, tuple[str, ...]]) -> None:
        self.name = name
        self.deck = shipped_deck(name)
        self.game = self.deck.game
        self.rows = rows

    def read(self, path: str) -> ScannedPhoto:
        name = Path(path).name
        return ScannedPhoto(path, self.name, reading(*self.rows[name]), 0.1, f"{name:0>64}")

    def look(self, path: str, region: Any) -> Sighting:
        return Sighting(region, (Candidate("eagle", 0.9),), sure=True)

    def picture(self, face: str) -> None:
        return None


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "DECKS", "PHOTOS"):
        monkeypatch.setenv(f"COMPANION_{name}", str(tmp_path / name.lower()))


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[str]]:
    """Writes photos that show these rows, and opens eyes that see them."""
    from PIL import Image

    def make(deck: str, **rows: tuple[str, ...]) -> list[str]:
        shown = {f"{name}.png": found for name, found in rows.items()}
        monkeypatch.setattr(target, "open_eyes", lambda name: FakeEyes(deck, shown))
        folder = tmp_path / "photos in"
        folder.mkdir(exist_ok=True)
        for i, name in enumerate(shown):
            Image.new("RGB", (1600, 600), (40 + 30 * i, 90, 60)).save(folder / name)
        return [str(folder / name) for name in shown]

    return make


def run(tmp_path: Path, play: Play, size: tuple[int, int] = (80, 24)) -> None:
    async def whole() -> None:
        app = CompanionApp(db=f"sqlite:///{tmp_path}/t.db")
        async with app.run_test(size=size) as pilot:
            await until(pilot, lambda: app.store is not None)
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
            await play(app, pilot)

    asyncio.run(whole())


def counting(app: CompanionApp, game: str, *names: str) -> CountingScreen:
    from companion import library

    screen = CountingScreen(blank(game, names, library.load(game).game.options()))
    app.push_screen(screen)
    return screen


async def give(app: CompanionApp, pilot: Any, *paths: str) -> PhotosScreen:
    """Pastes the paths into the photos screen, and waits until they were read."""
    await until(pilot, lambda: isinstance(app.screen, PhotosScreen))
    screen = app.screen
    assert isinstance(screen, PhotosScreen)
    screen.query_one(Input).value = " ".join(f"'{path}'" for path in paths)
    await pilot.press("enter")
    await until(pilot, lambda: screen.shots and not any(s.waiting for s in screen.shots))
    return screen


async def look(app: CompanionApp, pilot: Any) -> ReviewScreen:
    await pilot.press("f5")
    await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
    assert isinstance(app.screen, ReviewScreen)
    return app.screen


def said(app: CompanionApp, selector: str) -> str:
    return str(app.screen.query_one(selector, Static).render())


@pytest.mark.parametrize("size", SIZES)
def test_a_sure_table_needs_two_keys(tmp_path: Path, photos: Any, size: tuple[int, int]) -> None:
    """5x1 + (10+10+10)x3 = 95 for Ana, 3x1 + 10 = 13 for Ben; nothing is typed but the paths."""
    paths = photos(
        "up-the-creek",
        ana=("bow bear-a bear-b bear-hunter stern",),
        ben=("bow eagle stern",),
    )

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, paths[0])
        await pilot.press("f2")
        await give(app, pilot, paths[1])
        await look(app, pilot)
        assert "Ana 95" in said(app, "#standing") and "Ben 13" in said(app, "#standing")
        assert "nothing left to ask" in said(app, "#title")
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.counted.score is not None
        assert screen.counted.score.totals == {"Ana": 95, "Ben": 13}
        await pilot.press("ctrl+z")
        assert screen.counted.score.totals == {"Ana": 0, "Ben": 0}
        await pilot.press("ctrl+y")
        assert draft.read(CountingTarget(lambda: screen.raw).key) is None
        await pilot.press("f10")
        await until(pilot, lambda: app.screen is not screen)
        (match,) = app.store.matches()
        session = MatchSession.open(app.store, match.id)
        assert session.score().totals == {"Ana": 95, "Ben": 13}
        first = session.entries()[0].provenance
        assert [c["card"] for c in first["cards"]][:2] == ["bow", "bear-a"]
        assert list(first["photos"].values()) == ["ana.png"]

    run(tmp_path, play, size)


def test_only_what_decides_is_asked(tmp_path: Path, photos: Any) -> None:
    """A half that may be another half decides; two Indians that may be each other change nothing."""
    paths = photos(
        "up-the-creek",
        ana=("bow paddlers-2:red?paddlers-2:black bear-a bear-b?horse-b bear-hunter stern",),
    )

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, *paths)
        review = await look(app, pilot)
        standing = said(app, "#standing")
        assert "Ana 56 to 96" in standing or "96" in standing
        assert "card 4 decides" in standing and "1 unsure card can change nothing" in standing
        assert review.at == (1, 4)
        await pilot.press("enter")
        assert "Ana 96" in said(app, "#standing")
        assert review.at == (1, 2), "then the card that changes nothing"
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.counted.score is not None
        assert screen.counted.score.totals["Ana"] == 96

    run(tmp_path, play)


def test_any_card_can_be_typed_added_taken_away(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow eagle?paddlers-2:red stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, *paths)
        review = await look(app, pilot)
        await pilot.press("f5")
        assert app.screen is review, "a card can still change the score: that is said first"
        await pilot.press(*"zzz")
        assert "zzz" in said(app, "#about")
        await pilot.press("escape")
        await pilot.press(*"bear-h")
        assert "bear-hunter" in str(
            review.query_one("#choices", OptionList).get_option_at_index(0).prompt
        )
        await pilot.press("enter")
        assert review.review.at((1, 2)).card == "bear-hunter"  # type: ignore[union-attr]
        await pilot.press("ctrl+right")
        assert review.review.at((1, 2)) is None and review.at == (1, 3)
        await pilot.press("ctrl+left", "insert")
        await until(pilot, lambda: (b := review.review.at((1, 3))) and b.card == "eagle")
        assert review.review.at((1, 4)).card == "stern"  # type: ignore[union-attr]
        await pilot.press("delete")
        assert review.review.at((1, 3)) is None
        for _ in range(6):
            await pilot.press("ctrl+z")
        assert review.review.at((1, 2)).card == "eagle"  # type: ignore[union-attr]
        assert not review.review.at((1, 2)).settled  # type: ignore[union-attr]

    run(tmp_path, play)


def test_what_was_done_waits_after_a_crash(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow eagle?furs stern",))

    async def first(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press(*"dynamite", "enter")

    async def second(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PhotosScreen) and app.screen.eyes)
        review = await look(app, pilot)
        assert review.review.at((1, 2)).told == "dynamite"  # type: ignore[union-attr]

    run(tmp_path, first)
    run(tmp_path, second)


def test_two_photos_of_one_long_row_are_joined(tmp_path: Path, photos: Any) -> None:
    paths = photos(
        "up-the-creek",
        left=("bow furs bear-a bear-b bear-hunter",),
        right=("bear-b bear-hunter eagle stern",),
    )

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        screen = await give(app, pilot, *paths)
        assert "goes on with" in screen.shots[1].words
        review = await look(app, pilot)
        assert len(review.review.lines) == 1
        cards = [box.card for _, box in review.review.lines[0].boxes()]
        assert " ".join(map(str, cards)) == "bow furs bear-a bear-b bear-hunter eagle stern"

    run(tmp_path, play)


def test_files_dropped_on_the_window_are_read(tmp_path: Path, photos: Any) -> None:
    """Some terminals paste a line a file, some quote, some escape blanks; what is no photo stays text."""
    paths = photos("up-the-creek", a=("bow",), b=("eagle",), c=("furs",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await until(
            pilot, lambda: isinstance(app.screen, PhotosScreen) and app.screen.query("#entry")
        )
        screen = app.screen
        assert isinstance(screen, PhotosScreen)
        for text in (f"'{paths[0]}'\n'{paths[1]}'\n", paths[2].replace(" ", "\\ ")):
            app.post_message(events.Paste(text))
            await pilot.pause()
        await until(pilot, lambda: [s.path for s in screen.shots] == paths)
        app.post_message(events.Paste("/no/such\nfile.jpg"))
        await until(pilot, lambda: screen.query_one(Input).value == "/no/such file.jpg")

    run(tmp_path, play)


def test_chests_are_summed(tmp_path: Path, photos: Any) -> None:
    """Two white chests of 2 and a red one of 5: 9 coins."""
    paths = photos("gold-up", ana=("chest-white chest-red chest-white",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "gold-up", "Ana", "Ben")
        await until(pilot, lambda: screen.query("#values"))
        screen._change({**screen.raw, "options": {"values": {"white": 2, "red": 5}}})
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        assert "Ana 9" in said(app, "#standing")
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.counted.score is not None
        assert screen.counted.score.totals["Ana"] == 9

    run(tmp_path, play)


def test_what_differs_from_the_log_is_said_first(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow furs bear-a . eagle",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(app.store, "up-the-creek", ("Ana", "Ben"))
        for line in (
            "Ana place bow 1 1",
            "Ana place furs 1 2",
            "Ana pass",
            "Ben place bow 1 1",
            "Ben pass",
        ):
            session.play(session.parse(line))
        app.push_screen(TableScreen(session))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        assert "two cards are new" in said(app, "#summary")
        listed = app.screen.query_one("#differences", OptionList)
        assert "place bear-a 1 3" in str(listed.get_option_at_index(0).prompt)
        await pilot.press("enter")
        assert session.entries()[-1].text == "place bear-a 1 3"
        assert session.entries()[-1].provenance["cards"][0]["card"] == "bear-a"
        assert "one card is new" in said(app, "#summary")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert str(session.state.board("Ana")[0]) == "bow furs bear-a . eagle"
        assert len(session.entries()[-1].provenance["cards"]) == 4

    run(tmp_path, play)


def test_a_photographed_trick_is_played_and_won(tmp_path: Path, photos: Any) -> None:
    """Clubs were led: Ben's queen takes it; Cleo's heart is right only without clubs."""
    paths = photos("standard-52", trick=("10C QC 2H",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(
            app.store, "without-a-paddle", ("Ana", "Ben", "Cleo"), dealer="Cleo", tracking="full"
        )
        for line in ("Ana bid 1", "Ben bid 0", "Cleo bid 1"):
            session.play(session.parse(line))
        app.push_screen(TableScreen(session))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        screen = app.screen
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        assert "Ben wins the trick" in said(app, "#standing")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert session.state.table.won == (0, 1, 0)

    run(tmp_path, play)


def test_a_deck_that_ships_asks_nothing(tmp_path: Path, photos: Any) -> None:
    """A deck that ships is not offered anything to learn."""
    paths = photos("up-the-creek", ana=("bow eagle?furs stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("enter", "f5")
        await until(pilot, lambda: app.screen is screen)
        await until(pilot, lambda: not app.workers)
        assert app.screen is screen

    run(tmp_path, play)


def test_rows_photographed_one_after_the_other_add_up(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", one=("bow eagle stern",), two=("bow furs bear-a stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        for path in paths:
            await pilot.press("f5")
            await give(app, pilot, path)
            await look(app, pilot)
            await pilot.press("f5")
            await until(pilot, lambda: app.screen is screen)
        rows = screen.raw["players"][0]["rows"]
        assert rows == ["bow eagle stern", "bow furs bear-a stern"]
        assert [c["row"] for told in screen.raw["seen"] for c in told["cards"]] == [1] * 3 + [2] * 4

    run(tmp_path, play)


def test_what_was_typed_stays_where_the_photo_shows_nothing(tmp_path: Path, photos: Any) -> None:
    """A row half typed, a word that is no card yet: photos of other rows take nothing of them."""
    paths = photos("up-the-creek", one=("bow eagle stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await until(pilot, lambda: app.screen is screen and screen.query("#row-1"))
        ana = {"name": "Ana", "rows": ["", "bow bear front, bera-b"]}
        screen._change({**screen.raw, "players": [ana, screen.raw["players"][1]]})
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen and screen.query("#row-1"))
        rows = screen.raw["players"][0]["rows"]
        assert "bow bear front, bera-b" in rows and "bow eagle stern" in rows

    run(tmp_path, play)


def test_a_photo_whose_name_is_no_text_is_gone_on_with(tmp_path: Path, photos: Any) -> None:
    """It is read and named from a copy whose name is text, and waits for another day like any other."""
    (path,) = photos("up-the-creek", ana=("bow eagle?furs stern",))
    odd = path.replace("ana.png", "an\udcff.png")
    Path(path).rename(odd)
    name = f"{sha256(Path(odd).read_bytes()).hexdigest()[:16]}-an_.png"
    shown = {name: ("bow eagle?furs stern",)}

    async def opened(app: CompanionApp, pilot: Any) -> tuple[CountingScreen, PhotosScreen]:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PhotosScreen) and app.screen.eyes)
        assert isinstance(app.screen, PhotosScreen)
        return screen, app.screen

    async def first(app: CompanionApp, pilot: Any) -> None:
        _, shots = await opened(app, pilot)
        shots.eyes.rows = shown  # type: ignore[union-attr]
        for _ in range(2):
            shots._add(odd, "Ana")
        await until(pilot, lambda: not shots.shots[0].waiting)
        assert [Path(shot.path).name for shot in shots.shots] == [name], "given twice, read once"
        await look(app, pilot)
        await pilot.press("enter")

    async def second(app: CompanionApp, pilot: Any) -> None:
        screen, shots = await opened(app, pilot)
        assert [shot.failed for shot in shots.shots] == [False]
        review = await look(app, pilot)
        assert review.review.at((1, 2)).told == "eagle"  # type: ignore[union-attr]
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.raw["players"][0]["rows"] == ["bow eagle stern"]
        assert Path(odd).is_file(), "only the copy goes"

    run(tmp_path, first)
    run(tmp_path, second)


def test_a_name_that_is_no_text_and_cannot_be_read_is_said(tmp_path: Path, photos: Any) -> None:
    photos("up-the-creek")

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await until(
            pilot, lambda: isinstance(app.screen, PhotosScreen) and app.screen.query("#hint")
        )
        app.screen._add(str(tmp_path / "gone\udcff.png"), "Ana")  # type: ignore[attr-defined]
        assert "gone_.png" in said(app, "#hint") and "rename it" in said(app, "#hint")
        assert app.screen.shots == []  # type: ignore[attr-defined]

    run(tmp_path, play)


def test_leaving_after_one_act_keeps_the_photos(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow furs bear-a . eagle",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(app.store, "up-the-creek", ("Ana", "Ben"))
        for line in ("Ana place bow 1 1", "Ana place furs 1 2"):
            session.play(session.parse(line))
        app.push_screen(TableScreen(session))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        table = app.screen
        await pilot.press("f5")
        screen = await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        await pilot.press("enter", "escape")
        await until(pilot, lambda: app.screen is screen)
        assert screen.review.lines and session.entries()[-1].text == "place bear-a 1 3"
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is table)
        assert "Bea" in said(app, "#board"), "the table shows what was entered"
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, PhotosScreen) and app.screen.shots)

    run(tmp_path, play)


def test_what_another_program_entered_is_said_before_anything_is_written(
    tmp_path: Path, photos: Any
) -> None:
    paths = photos("up-the-creek", ana=("bow totem furs",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(app.store, "up-the-creek", ("Ana", "Ben"))
        session.play(session.parse("Ana place bow 1 1"))
        session.play(session.parse("Ana place totem 1 2"))
        app.push_screen(TableScreen(session))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        other = MatchSession.open(app.store, session.match_id)
        other.play(other.parse("Ana place eagle 1 3"))
        await pilot.press("f5")
        assert isinstance(app.screen, ObservedScreen), "compared anew instead"
        assert str(session.state.board("Ana")[0]) == "bow totem eagle"
        assert "eagle is gone" in "".join(
            str(o.prompt) for o in app.screen.query_one("#differences", OptionList).options
        )

    run(tmp_path, play)


def test_keys_that_could_lose_something_do_not(tmp_path: Path, photos: Any) -> None:
    """Del while a path is typed, Del of a corrected photo, F5 with a name half typed, a box half moved."""
    paths = photos("up-the-creek", ana=("bow eagle?paddlers-2:red stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        shots = await give(app, pilot, *paths)
        await pilot.press(*"abc", "delete")
        assert len(shots.shots) == 1
        await pilot.press("escape")
        review = await look(app, pilot)
        asked = review.review
        await pilot.press("f7", "right", "delete")
        assert review.boxing is None and review.review.at((1, 2)) is None
        assert review.review.at((1, 1)) == asked.at((1, 1)), "the box of another card stays"
        await pilot.press("ctrl+z")
        assert review.review == asked
        await pilot.press("tab", *"furs", "f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.raw["players"][0]["rows"] == ["bow furs stern"]

    run(tmp_path, play)


def test_a_corrected_photo_is_not_taken_off_without_asking(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow eagle?paddlers-2:red stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        shots = await give(app, pilot, *paths)
        await look(app, pilot)
        await pilot.press("enter", "escape")
        await until(pilot, lambda: app.screen is shots)
        await pilot.press("delete")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is shots)
        assert len(shots.shots) == 1 and shots.review.lines
        await pilot.press("delete", "y")
        await until(pilot, lambda: not shots.shots)

    run(tmp_path, play)


def test_too_many_rows_are_refused_where_they_can_be_mended(tmp_path: Path, photos: Any) -> None:
    rows = ("bow eagle stern", "bow furs stern", "bow totem stern", "bow dynamite stern")
    paths = photos("up-the-creek", ana=rows)

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        await give(app, pilot, *paths)
        review = await look(app, pilot)
        assert "at most 3" in said(app, "#standing")
        await pilot.press("f5")
        await pilot.pause()
        assert app.screen is review

    run(tmp_path, play)


def test_a_trick_is_read_from_left_to_right(tmp_path: Path, photos: Any) -> None:
    """Cards in two rows of the photo lie in one line all the same: by how far left they lie."""
    paths = photos("standard-52", trick=("10C . 2H", ". QC ."))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = MatchSession.create(
            app.store, "without-a-paddle", ("Ana", "Ben", "Cleo"), dealer="Cleo", tracking="full"
        )
        for line in ("Ana bid 1", "Ben bid 0", "Cleo bid 1"):
            session.play(session.parse(line))
        app.push_screen(TableScreen(session))
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        assert "Ana 10C, Ben QC, Cleo 2H" in " ".join(said(app, "#standing").split())

    run(tmp_path, play)


def tracked(app: CompanionApp, *lines: str) -> MatchSession:
    session = MatchSession.create(app.store, "up-the-creek", ("Ana", "Ben"))
    for line in lines:
        session.play(session.parse(line), anyway=True)
    app.push_screen(TableScreen(session))
    return session


async def mend(app: CompanionApp, pilot: Any, words: str) -> None:
    """F6, and the line of the list that begins so."""
    review = app.screen
    await pilot.press("f6")
    await until(pilot, lambda: isinstance(app.screen, ChooseScreen))
    offered = app.screen.query_one("#offers", OptionList)
    labels = [str(option.prompt) for option in offered.options]
    offered.highlighted = next(n for n, label in enumerate(labels) if label.startswith(words))
    await pilot.press("enter")
    await until(pilot, lambda: app.screen is review)


@pytest.mark.parametrize("size", SIZES)
def test_the_totals_of_the_match_are_said_before_and_after(
    tmp_path: Path, photos: Any, size: tuple[int, int]
) -> None:
    """13 of row 1 in the log; the photo shows 4x1 + 10 + 10 = 24, or 14 with paddlers instead."""
    paths = photos("up-the-creek", ana=("bow bear-a eagle?paddlers-2:red stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = tracked(
            app, 'Ana observe 1 "bow bear-a stern"', 'Ben observe 1 "bow eagle stern"'
        )
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        await give(app, pilot, *paths)
        review = await look(app, pilot)
        assert said(app, "#standing") == "Ana 13 → 14 to 24; card 3 decides."
        await pilot.press("enter")
        assert said(app, "#standing") == "Ana 13 → 24."
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        assert "Ana 13 → 24." in said(app, "#summary")
        assert session.score().totals == {"Ana": 13, "Ben": 13}, "nothing is entered yet"
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert session.score().totals == {"Ana": 24, "Ben": 13}
        assert review.review.settled

    run(tmp_path, play, size)


def test_which_row_it_is_is_chosen_in_the_second_look(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("dynamite stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = tracked(app, 'Ana observe 1 "bow eagle stern"', 'Ana observe 2 "bow totem"')
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        await give(app, pilot, *paths)
        await look(app, pilot)
        await mend(app, pilot, "This is row 2 of Ana: bow totem")
        assert "Ana 2" in said(app, "#rows") and "row 2" in said(app, "#about")
        await pilot.press("ctrl+z")
        assert "Ana 1" in said(app, "#rows")
        await pilot.press("ctrl+y", "f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        assert [str(row) for row in session.state.board("Ana")] == [
            "bow eagle stern",
            "dynamite stern",
            "",
        ]

    run(tmp_path, play)


def test_a_row_of_a_counted_table_is_chosen_too(tmp_path: Path, photos: Any) -> None:
    """The second photo shows one card of the row that was counted wrongly."""
    paths = photos("up-the-creek", one=("bow eagle stern",), two=("bow furs stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        for path in paths:
            await pilot.press("f5")
            await give(app, pilot, path)
            await look(app, pilot)
            if path == paths[1]:
                await mend(app, pilot, "This is row 3 of Ana, a new one")
            await pilot.press("f5")
            await until(pilot, lambda: app.screen is screen)
        assert screen.raw["players"][0]["rows"] == ["bow eagle stern", "", "bow furs stern"]

    run(tmp_path, play)


def test_a_photo_given_to_the_wrong_player_moves_whole(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ben=("bow eagle stern", "bow furs bear-a stern"))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        shots = await give(app, pilot, *paths)
        await look(app, pilot)
        await mend(app, pilot, "The whole photo is Ben's")
        assert said(app, "#standing") == "Ben 37."
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is shots)
        assert [shot.owner for shot in shots.shots] == ["Ben"]
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        ana, ben = screen.raw["players"]
        assert not any(ana.get("rows", ())) and ben["rows"] == [
            "bow eagle stern",
            "bow furs bear-a stern",
        ]

    run(tmp_path, play)


def test_a_photo_that_comes_during_the_second_look_waits_for_its_turn(
    tmp_path: Path, photos: Any
) -> None:
    """Undo takes back what was said, never a photo; and no photo counts that nobody has looked at."""
    paths = photos("up-the-creek", ana=("bow eagle?furs stern",), two=("bow totem stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        screen = counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        shots = await give(app, pilot, paths[0])
        await look(app, pilot)
        await pilot.press("enter")
        shots.post_message(PhotosScreen.Came(paths[1]))
        await until(pilot, lambda: len(shots.shots) == 2)
        assert draft.read(shots.target.key).unread == ((paths[1], "Ana"),)  # type: ignore[union-attr]
        await pilot.press("ctrl+z", "ctrl+y", "f5")
        await until(pilot, lambda: app.screen is shots)
        await until(pilot, lambda: not any(s.waiting for s in shots.shots))
        assert len(shots.review.lines) == 2 and shots.review.at((1, 2)).told == "eagle"  # type: ignore[union-attr]
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: app.screen is screen)
        assert screen.raw["players"][0]["rows"] == ["bow eagle stern", "bow totem stern"]

    run(tmp_path, play)


def test_a_photo_that_comes_while_the_match_is_compared_is_not_taken_for_looked_at(
    tmp_path: Path, photos: Any
) -> None:
    """It waits, and is read where the player goes back; else it is said that it came too late."""
    paths = photos(
        "up-the-creek", ana=("bow eagle stern",), two=("bow totem stern",), three=("bow furs",)
    )

    async def play(app: CompanionApp, pilot: Any) -> None:
        session = tracked(app, 'Ana observe 1 "bow stern"')
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        await pilot.press("f5")
        shots = await give(app, pilot, paths[0])
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        shots.post_message(PhotosScreen.Came(paths[1]))
        await until(pilot, lambda: len(shots.shots) == 2)
        await pilot.pause()
        assert len(shots.review.photos) == 1
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is shots and not shots.shots[1].waiting)
        await look(app, pilot)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, ObservedScreen))
        shots.post_message(PhotosScreen.Came(paths[2]))
        await until(pilot, lambda: len(shots.shots) == 3)
        await pilot.press("f5")
        await until(pilot, lambda: isinstance(app.screen, TableScreen))
        rows = [str(row) for row in session.state.board("Ana")]
        assert rows == ["bow eagle stern", "bow totem stern", ""]
        assert any("three.png" in one.message for one in app._notifications)
        assert len(shots.review.photos) == 2

    run(tmp_path, play)


def test_a_photo_that_comes_while_another_is_taken_off_stays(tmp_path: Path, photos: Any) -> None:
    paths = photos("up-the-creek", ana=("bow eagle?furs stern",), two=("bow totem stern",))

    async def play(app: CompanionApp, pilot: Any) -> None:
        counting(app, "up-the-creek", "Ana", "Ben")
        await pilot.press("f5")
        shots = await give(app, pilot, paths[0])
        await look(app, pilot)
        await pilot.press("enter", "escape")
        await until(pilot, lambda: app.screen is shots)
        await pilot.press("delete")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen))
        shots.post_message(PhotosScreen.Came(paths[1]))
        await until(pilot, lambda: len(shots.shots) == 2 and not shots.shots[1].waiting)
        await pilot.press("y")
        await until(pilot, lambda: len(shots.shots) == 1)
        review = await look(app, pilot)
        assert [box.card for _, box in review.review.lines[0].boxes()] == ["bow", "totem", "stern"]
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is shots)

    run(tmp_path, play)


def test_a_photo_of_two_players_rows_can_become_either_players() -> None:
    """Wherever one is: at a row that is that player's already too."""
    review = added(
        opened("up-the-creek"),
        ScannedPhoto("a.jpg", "up-the-creek", reading("bow eagle", "bow furs"), 0.1, f"{1:064}"),
        "Ana",
    )
    owners = (("Ana", "Ana's"), ("Ben", "Ben's"))
    assert "give-photo Ana" not in dict(offers(review, (1, 1), owners))
    mixed, _ = mended(review, (2, 1), "give Ben")
    for line in (1, 2):
        assert {"give-photo Ana", "give-photo Ben"} <= dict(offers(mixed, (line, 1), owners)).keys()
        for player in ("Ana", "Ben"):
            whole, _ = mended(mixed, (line, 1), f"give-photo {player}")
            assert [one.player for one in whole.lines] == [player, player]
            assert whole.photos[0].player == player
