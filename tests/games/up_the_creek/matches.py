"""Matches of Up the Creek for the tests of this folder: begun, played from written acts, looked at."""

from typing import Any

from card_catalog.loader import shipped_deck
from card_catalog.model import Deck
from companion.core.game import PlayerName
from companion.games.up_the_creek import GAME
from companion.games.up_the_creek.acts import Act
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.state import Head, State
from companion.games.up_the_creek.table import cards_of
from companion.interchange.match_file import Played, player_named, replay, words_of

DECK = shipped_deck("up-the-creek")
NAMES = ("Ana", "Ben", "Cleo")


def begin(
    names: tuple[str, ...] = NAMES[:2],
    tracking: Any = "full",
    first: str | None = "Ana",
    deck: Deck = DECK,
    options: Options | None = None,
    **house_rules: Any,
) -> State:
    """A match before its first act; house rules by name, or as a whole."""
    head = Head(names, tracking, None if first is None else PlayerName(first))
    return GAME.start(head, options or Options(**house_rules), deck)


def act_of(state: State, line: str) -> Act:
    """The act of one line."""
    words, wrong = words_of(line)
    assert not wrong, wrong
    player = player_named(words[0], state.players)
    assert player is not None, line
    return GAME.parse(player, words[1:], state)


def play(state: State, text: str) -> State:
    """The state after these acts, one a line, legal or not."""
    for line in filter(None, map(str.strip, text.splitlines())):
        state = GAME.apply(state, act_of(state, line))
    return state


def replayed(start: State, text: str) -> Played:
    """The match of these acts as a match file has them; only impossible ones are refused."""
    game: Any = GAME
    return replay(game, start, text, start.players)


def broken(state: State, line: str) -> dict[str, bool]:
    """Rules that an act would break; true where it cannot have happened."""
    return {o.rule: o.impossible for o in GAME.check(state, act_of(state, line)).objections}


def legal_lines(state: State) -> set[str]:
    """Every legal act as a line of a match file."""
    return {f"{act.player} {GAME.encode(act)}" for act in GAME.legal(state)}


def rows(state: State, player: str) -> list[str]:
    """The three rows of a player as written, wherever they begin."""
    return [str(row) for row in state.board(player)]


def pile(state: State) -> list[str]:
    """The discard pile, in alphabetical order."""
    return sorted(map(str, state.discard))


def offers(state: State) -> list[str]:
    """What is offered, in order: `Ana steal`."""
    return [f"{awaited.player} {awaited.offer}" for awaited in state.awaiting]


def counted(state: State) -> int:
    """All cards in rows, on the discard pile and on their way."""
    lying = sum(len(cards_of(board)) for board in state.boards)
    return lying + len(state.discard) + len(state.held())
