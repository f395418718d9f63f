"""How the screens look: few, at fixed sizes, waiting for conditions."""

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import pytest
from textual.widgets import Input

from companion import library
from companion.intake.crops import Crops
from companion.intake.eyes import ScannedPhoto
from companion.intake.review import added, opened
from companion.session import MatchSession, open_store
from companion.tui.app import CompanionApp
from companion.tui.counting.reading import blank
from companion.tui.review.target import CountingTarget
from companion.tui.screens.help import HelpScreen
from companion.tui.screens.house_rules import HouseRulesScreen
from companion.tui.screens.new_match import NewMatchScreen
from companion.tui.screens.review import ReviewScreen
from companion.tui.screens.rule_books import RuleBooksScreen
from companion.tui.screens.score import ScoreScreen
from companion.tui.screens.table import TableScreen
from tests.intake.readings import reading
from tests.tui.waiting import until

SMALL, LARGE = (80, 24), (120, 40)
CREEK = """\
Ana place bow 1 1
Ana place 1-paddler:red 1 2
Ana place bear-a 1 3
Ana place bear-b 1 4
Ana place bear-hunter 1 5
Ben place lookout 1 1
Ben place eagle 1 2
Ana place stern 1 6
Ana place totem 2 2
Ben place furs 2 0
"""
PADDLE = """\
Ana bid 4
Ben bid 3
Cleo bid 0
Ana tricks 4
Ben tricks 3
Cleo tricks 3
Ben bid 2
Cleo bid 5
"""
GOLD = """\
Ana takes white white red
Ben takes blue
Cleo takes yellow green
"""
VALUES = {"white": 2, "red": 4, "blue": 5, "green": 6, "purple": 8, "yellow": 10}


def session_of(game: str) -> MatchSession:
    """A match in its middle, kept nowhere."""
    players = ("Ana", "Ben") if game == "up-the-creek" else ("Ana", "Ben", "Cleo")
    head = {"dealer": "Cleo"} if game == "without-a-paddle" else {}
    options = {"values": VALUES} if game == "gold-up" else None
    session = MatchSession.create(open_store("sqlite://"), game, players, options, **head)
    text = {"up-the-creek": CREEK, "without-a-paddle": PADDLE, "gold-up": GOLD}[game]
    for line in text.splitlines():
        session.play(session.parse(line), anyway=True)
    return session


def showing(make: Callable[[], Any], typed: str = "") -> Callable[[Any], Awaitable[None]]:
    """Opens a screen over home, types, and stops every cursor from blinking."""

    async def run(pilot: Any) -> None:
        app = pilot.app
        home = app.screen
        await until(pilot, lambda: "Nothing is stored" in str(home.query_one("#subtitle").render()))
        screen = make()
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and len(screen.query("*")) > 2)
        for line in screen.query(Input):
            line.cursor_blink = False
        if typed:
            screen.query_one("#entry", Input).value = typed
        for _ in range(5):
            await pilot.pause()

    return run


class _Words:
    """Eyes without pictures: what is to be seen is the screen."""

    name = "up-the-creek"
    deck = library.deck_of("up-the-creek", None, None)

    def picture(self, face: str) -> None:
        return None


def second_look() -> ReviewScreen:
    """A review of two players' rows, two of whose cards are unsure and one without a name."""
    raw = blank("up-the-creek", ("Ana", "Ben"), library.load("up-the-creek").game.options())
    review = opened("up-the-creek", ("Ana", "Ben"))
    for owner, rows in (
        (
            "Ana",
            (
                "bow paddlers-2:red?paddlers-2:black bear-a bear-b?horse-b bear-hunter stern",
                ". bow furs . totem",
            ),
        ),
        ("Ben", ("bow eagle ?? stern",)),
    ):
        shot = ScannedPhoto(f"{owner}.jpg", "up-the-creek", reading(*rows), 1.0, owner)
        review = added(review, shot, owner)
    photos = SimpleNamespace(
        target=CountingTarget(raw), eyes=_Words(), review=review, crops=Crops(), keep=lambda: None
    )
    return ReviewScreen(photos)


SCREENS: dict[str, tuple[Callable[[], Any], str, tuple[int, int]]] = {
    "new-match": (lambda: NewMatchScreen("gold-up", ("Ana", "Bén 🎲")), "", SMALL),
    "house-rules": (
        lambda: HouseRulesScreen("up-the-creek", library.load("up-the-creek").game.options()),
        "",
        SMALL,
    ),
    "rule-books": (RuleBooksScreen, "", SMALL),
    "help": (lambda: HelpScreen(TableScreen.HELP_GENERAL), "", SMALL),
    "creek-80": (lambda: TableScreen(session_of("up-the-creek")), "eagle ", SMALL),
    "creek-120": (lambda: TableScreen(session_of("up-the-creek")), "eagle 3 9", LARGE),
    "paddle-80": (lambda: TableScreen(session_of("without-a-paddle")), "", SMALL),
    "paddle-120": (lambda: TableScreen(session_of("without-a-paddle")), "2", LARGE),
    "gold-80": (lambda: TableScreen(session_of("gold-up")), "w w r", SMALL),
    "gold-120": (lambda: TableScreen(session_of("gold-up")), "", LARGE),
    "review-80": (second_look, "", SMALL),
    "review-120": (second_look, "bear", LARGE),
    "score-80": (lambda: ScoreScreen(session_of("up-the-creek")), "", SMALL),
    "score-120": (lambda: ScoreScreen(session_of("without-a-paddle")), "", LARGE),
}


@pytest.mark.parametrize("name", SCREENS)
def test_looks(name: str, snap_compare: Any) -> None:
    """The picture is the one that somebody has looked at."""
    make, typed, size = SCREENS[name]
    app = CompanionApp(db="sqlite://")
    assert snap_compare(app, terminal_size=size, run_before=showing(make, typed))
