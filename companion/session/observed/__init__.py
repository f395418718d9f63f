"""A reviewed photo against the log of a match: what differs, and the acts that make the log say it.

What is seen on the table is entered with `observe`, which carries no ruling; where an ordinary act of the
game would lead to the same, the player may enter that instead.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.errors import IllegalAction
from companion.intake.review import Review
from companion.session.observed import canoes, chests, tricks
from companion.session.observed.difference import Difference, Observation, ordinary
from companion.session.observed.totals import Total, totals

if TYPE_CHECKING:
    from companion.session.match import MatchSession

__all__ = [
    "Difference",
    "Observation",
    "Total",
    "enter",
    "observation",
    "ordinary",
    "totals",
]

_GAMES = {
    "up-the-creek": canoes.observation,
    "without-a-paddle": tricks.observation,
    "gold-up": chests.observation,
}


def observation(session: "MatchSession", review: Review) -> Observation:
    """What a review tells of the table of a match as it stands."""
    found = _GAMES[session.game.id](session, review)
    differences = tuple(
        replace(one, instead=ordinary(session, one.ways)) for one in found.differences
    )
    return replace(found, differences=differences)


def enter(
    session: "MatchSession", acts: Iterable[tuple[str, tuple[str, ...]]], seen: Observation
) -> tuple[str, ...]:
    """Enters acts in order, with where they were seen; what they led to, in sentences.

    What is against the rules is recorded all the same: it lies on the table. Raises as
    `MatchSession.play`; what was entered before that stays entered.
    """
    news: list[str] = []
    for player, words in acts:
        act = session.parse(player, words)
        told = seen.provenance(player, words)
        try:
            news += session.play(act, provenance=told)
        except IllegalAction as error:
            news += [o.text for o in error.verdict.objections]
            news += session.play(act, anyway=True, provenance=told)
    return tuple(news)
