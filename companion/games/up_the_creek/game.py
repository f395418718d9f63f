"""Up the Creek as one value of the game contract.

Modules of the match and of the questions are imported when they are needed: scoring a table must
start quickly.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from card_catalog.model import Deck
from companion.core.errors import Fault
from companion.core.score import Score
from companion.games.up_the_creek import position, sheet
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.position import Position, Standing, Tables

if TYPE_CHECKING:
    from companion.core.game import Question
    from companion.core.verdict import Verdict
    from companion.games.up_the_creek.acts import Act
    from companion.games.up_the_creek.state import Head, State


class UpTheCreek:
    """The contract, each part in its own module."""

    id = "up-the-creek"
    title = "Up the Creek"
    options = Options
    position = Position
    seats = (1, 6)
    match_seats = (2, 6)
    observed_rule = "utc:match.observed"

    @property
    def head(self) -> "type[Head]":
        """See `state.Head`."""
        from companion.games.up_the_creek.state import Head

        return Head

    @property
    def questions(self) -> "Mapping[str, type[Question]]":
        """See `questions.QUESTIONS`."""
        from companion.games.up_the_creek.questions import QUESTIONS

        return QUESTIONS

    @property
    def verbs(self) -> Mapping[str, str]:
        """See `acts.VERBS`."""
        from companion.games.up_the_creek.acts import VERBS

        return VERBS

    def faults(self, found: Position, options: Options) -> list[Fault]:
        """More than three rows."""
        return position.faults(found)

    def score(self, tables: Tables, options: Options, deck: Deck) -> Score:
        """See `sheet.score`."""
        return sheet.score(tables, options, deck)

    def start(self, head: "Head", options: Options, deck: Deck) -> "State":
        """The state before the first act."""
        from companion.games.up_the_creek import state

        return state.start(head, options, deck)

    def parse(self, player: str, words: Sequence[str], now: "State") -> "Act":
        """See `reading.parse`."""
        from card_catalog.lookup import lookup_in
        from companion.games.up_the_creek import reading

        return reading.parse(player, words, lookup_in(now.deck), now.players)

    def encode(self, act: "Act") -> str:
        """See `acts.encode`."""
        from companion.games.up_the_creek import acts

        return acts.encode(act)

    def check(self, now: "State", act: "Act") -> "Verdict":
        """See `check.check`."""
        from companion.games.up_the_creek.check import check

        return check(now, act)

    def apply(self, now: "State", act: "Act") -> "State":
        """See `apply.apply`."""
        from companion.games.up_the_creek.apply import apply

        return apply(now, act)

    def candidates(self, now: "State") -> "Iterable[Act]":
        """See `candidates.candidates`."""
        from companion.games.up_the_creek.candidates import candidates

        return candidates(now)

    def legal(self, now: "State") -> "Iterator[Act]":
        """The candidates that nothing speaks against."""
        from companion.games.up_the_creek.candidates import candidates
        from companion.games.up_the_creek.check import check

        return (act for act in candidates(now) if check(now, act).legal)

    def standing(self, now: "State") -> Standing:
        """The tables as they lie."""
        # Where nobody has acted, the rows were only observed: a table cannot tell whether it is over.
        only_seen = now.turn is None and not now.over
        return Standing(now.tables, None if only_seen else bool(now.over))

    def corrections(self, now: "State") -> tuple[str, ...]:
        """Rows that were observed to be otherwise."""
        return now.observed

    def view(self, now: "State") -> tuple[str, ...]:
        """Every player's rows with their first column, then what is awaited."""
        lines: list[str] = []
        for player, board in now.tables.items():
            lines.append(player)
            for number, row in enumerate(board, 1):
                if row.cells:
                    lines.append(f"  row {number} from column {row.first}: {row}")
        return (*lines, _awaited(now))


def _awaited(now: "State") -> str:
    if now.over:
        return f"The match is over: {now.over}."
    if now.revealed is not None:
        return f"{now.active} has revealed {now.revealed}: place it or discard it."
    if now.awaiting:
        head = now.awaiting[0]
        cards = f" ({', '.join(map(str, head.cards))})" if head.cards else ""
        return f"{head.player} may answer: {head.offer}{cards}, or decline."
    return f"{now.active}'s turn." if now.active else "Nobody has acted yet."


GAME = UpTheCreek()
