"""Gold Up as the rest of the program sees it."""

from collections.abc import Iterator, Mapping

from companion.core.game import Game, Question
from companion.games.gold_up import actions, choices, moves, notation, referee, scoring
from companion.games.gold_up import position as sheet
from companion.games.gold_up import state as match
from companion.games.gold_up.options import Options
from companion.games.gold_up.questions import QUESTIONS
from companion.games.gold_up.table import view


class GoldUp:
    """The game; see `companion.core.game.Game` for what each part does."""

    id = "gold-up"
    title = "Gold Up"
    options = Options
    position = sheet.Position
    head = match.Head
    questions: Mapping[str, type[Question]] = QUESTIONS
    verbs: Mapping[str, str] = actions.VERBS
    seats = (2, 99)
    match_seats = (2, 12)
    """Not more can be dealt five of the 62 key cards."""

    faults = staticmethod(sheet.faults)
    score = staticmethod(scoring.score)
    start = staticmethod(match.start)
    parse = staticmethod(notation.parse)
    encode = staticmethod(notation.encode)
    check = staticmethod(referee.check)
    apply = staticmethod(moves.apply)
    candidates = staticmethod(choices.candidates)
    standing = staticmethod(match.standing)
    view = staticmethod(view)

    observed_rule = "gup:match.observed"

    @staticmethod
    def corrections(state: match.State) -> tuple[str, ...]:
        """Where the log was corrected by what was seen."""
        return state.corrected

    @staticmethod
    def legal(state: match.State) -> Iterator[actions.Act]:
        """The candidates that nothing speaks against."""
        return (act for act in choices.candidates(state) if referee.check(state, act).legal)


GAME: Game = GoldUp()
