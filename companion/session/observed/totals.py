"""What a reviewed photo would make of the totals of a match, before anything is entered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.intake.range import Spread
from companion.intake.review import Review
from companion.intake.review.counting import points_in_words
from companion.session.observed import canoes, chests

if TYPE_CHECKING:
    from companion.session.match import MatchSession

_CHANGES: dict[str, Callable[["MatchSession", Review, str], tuple[int, Spread]]] = {
    "up-the-creek": canoes.worth,
    "gold-up": chests.worth,
}
"""By game: what the log has where the photo looks, in points of one player, and what the photo shows."""


@dataclass(frozen=True, slots=True)
class Total:
    """A player's total as the log has it, and once what the photos show is entered."""

    player: str
    before: int
    lowest: int
    highest: int | None
    """None: a card without a name may bring any points."""

    def __str__(self) -> str:
        """`Ana 212 → 231`, `Ana 212 → 220 to 231`, `Ana 212 → 220 or more`, `Ana 212 as before`."""
        if self.before == self.lowest == self.highest:
            return f"{self.player} {self.before} as before"
        return f"{self.player} {self.before} → {points_in_words(self.lowest, self.highest)}"


def totals(session: "MatchSession", review: Review) -> tuple[Total, ...]:
    """Of each player of the match whose cards the photos show.

    None in Without a Paddle, where a photo shows a trick or a hand and no points.
    """
    worth = _CHANGES.get(session.game.id)
    if worth is None:
        return ()
    now = session.score().totals
    found = []
    for player in review.shown():
        if player in session.players:
            log, seen = worth(session, review, player)
            rest = now[player] - log
            highest = None if seen.highest is None else rest + seen.highest
            found.append(Total(player, now[player], rest + seen.lowest, highest))
    return tuple(found)
