"""What the tests of Up the Creek Without a Paddle share."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from card_catalog.loader import shipped_deck
from card_catalog.model import Card, Deck
from companion.games.without_a_paddle import GAME
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.state import Head, State

Play = Callable[..., State]


@pytest.fixture(scope="session")
def deck() -> Deck:
    """The shipped deck."""
    return shipped_deck("standard-52")


@pytest.fixture(scope="session")
def card(deck: Deck) -> Callable[[str], Card]:
    """A card by its id."""
    return lambda name: Card(deck[name])


@pytest.fixture(scope="session")
def opened(deck: Deck) -> Play:
    """Starts a match: players as one string, the dealer, tracking and options by name."""

    def start(
        players: str, dealer: str | None = None, tracking: str = "light", **rules: Any
    ) -> Any:
        head = Head(tuple(players.split()), dealer, tracking)  # type: ignore[arg-type]
        return GAME.start(head, Options(**rules), deck)

    return start


@pytest.fixture(scope="session")
def play() -> Play:
    """Applies acts, one a line, to a state."""

    def run(state: Any, acts: str) -> Any:
        for line in filter(None, map(str.strip, acts.splitlines())):
            player, *words = shlex.split(line)
            state = GAME.apply(state, GAME.parse(player, words, state))
        return state

    return run
