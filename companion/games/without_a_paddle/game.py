"""The game as the rest of the program sees it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from card_catalog.model import Deck
from companion.core.errors import Fault
from companion.core.game import Game, Question
from companion.core.score import Score
from companion.core.verdict import Verdict
from companion.games.without_a_paddle import actions, match, referee, scoring, sheet
from companion.games.without_a_paddle.actions import Action
from companion.games.without_a_paddle.deal import FEWEST, MOST
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position
from companion.games.without_a_paddle.position import faults as faults_of
from companion.games.without_a_paddle.questions import (
    BidQuestion,
    DealQuestion,
    PlayQuestion,
    TrickQuestion,
)
from companion.games.without_a_paddle.state import Head, State
from companion.games.without_a_paddle.state import standing as standing_of
from companion.games.without_a_paddle.state import start as start_of


class WithoutAPaddle:
    """Up the Creek Without a Paddle; see `companion.core.game.Game` for what each member is."""

    __slots__ = ()

    id: str = "without-a-paddle"
    title: str = "Up the Creek Without a Paddle"
    options: type[Options] = Options
    position: type[Position] = Position
    head: type[Head] = Head
    questions: Mapping[str, type[Question]] = MappingProxyType(
        {"bid": BidQuestion, "play": PlayQuestion, "trick": TrickQuestion, "deal": DealQuestion}
    )
    seats: tuple[int, int] = (FEWEST, MOST)
    match_seats: tuple[int, int] = (FEWEST, MOST)
    observed_rule: str = "wap:match.observed"
    verbs: Mapping[str, str] = MappingProxyType(actions.VERBS)

    def faults(self, position: Position, options: Options) -> list[Fault]:
        """What makes a sheet unusable."""
        return faults_of(position, options)

    def score(self, position: Position, options: Options, deck: Deck) -> Score:
        """The itemised score of a sheet."""
        return scoring.score(position, options)

    def start(self, head: Head, options: Options, deck: Deck) -> State:
        """The state before the first act."""
        return start_of(head, options, deck)

    def parse(self, player: str, words: Sequence[str], state: State) -> Action:
        """The act of one line; raises `UnusableInput`."""
        return actions.parse(player, words, state)

    def encode(self, action: Action) -> str:
        """The words of an act."""
        return actions.encode(action)

    def check(self, state: State, action: Action) -> Verdict:
        """Every objection to the act."""
        return referee.check(state, action)

    def apply(self, state: State, action: Action) -> State:
        """The state after the act; raises `ImpossibleAction`."""
        return match.apply(state, action)

    def candidates(self, state: State) -> Iterable[Action]:
        """Acts that would carry the match on."""
        return match.candidates(state)

    def legal(self, state: State) -> Iterator[Action]:
        """Those of them that nothing speaks against."""
        return match.legal(state)

    def standing(self, state: State) -> Position:
        """The finished rounds as a sheet."""
        return standing_of(state)

    def corrections(self, state: State) -> tuple[str, ...]:
        """Where `observe` corrected the log."""
        return state.corrections

    def view(self, state: State) -> tuple[str, ...]:
        """The table as lines of text."""
        return sheet.view(state)


GAME: Game = WithoutAPaddle()
