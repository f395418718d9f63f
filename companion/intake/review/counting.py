"""What a review scores by now, how far that may still move, and which cards would move it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from card_catalog.model import Deck
from companion.intake.count import Counted, counted, winners
from companion.intake.position import GAMES, MOST_ROWS
from companion.intake.review.model import At, Review


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a review stands."""

    players: tuple[Counted, ...] = ()
    """Each player's score; none where a photo is no table that scores (a trick, a hand)."""
    deciding: tuple[At, ...] = ()
    """Unsettled cards that can change a score."""
    idle: tuple[At, ...] = ()
    """Unsettled cards that change nothing whatever they are."""
    gaps: tuple[int, ...] = ()
    """Lines in which a gap may be there or not."""
    everybody: bool = False
    """Whether all that are to be compared are there, so that somebody can have won."""
    crowded: tuple[str, ...] = ()
    """Who has more rows than can lie on a table, in words."""
    totals: Mapping[str, str] = field(default_factory=dict)
    """At a match: each player's total there, before and after, in words: `Ana 212 → 231`."""

    @property
    def to_ask(self) -> tuple[At, ...]:
        """Unsettled cards, those first that can change a score."""
        return (*self.deciding, *self.idle)

    @property
    def left(self) -> int:
        """Cards and gaps that are still to be looked at."""
        return len(self.deciding) + len(self.idle) + len(self.gaps)

    @property
    def winners(self) -> list[str]:
        """Who has won however the unsettled cards turn out; empty while that is open."""
        return winners(self.players) if self.everybody else []


def standing(
    review: Review, deck: Deck, options: Any = None, compared: Collection[str] = ()
) -> Standing:
    """The standing of a review of a deck's cards, under house rules; None for the default ones.

    `compared` are the players among whom somebody wins: nobody can have while one of them is missing.
    """
    unsettled, gaps = review.unsettled(), tuple(review.gaps())
    if deck.game not in GAMES:
        return Standing(deciding=tuple(unsettled), gaps=gaps)
    players = tuple(
        counted(review.deck, deck, seen, options) for seen in review.seen() if seen.rows
    )
    places = review.places()
    deciding = {places[card["place"] - 1] for one in players for card in one.player["deciding"]}
    shown = {line.player for line in review.lines}
    return Standing(
        players,
        tuple(at for at in unsettled if at in deciding),
        tuple(at for at in unsettled if at not in deciding),
        gaps,
        bool(compared) and set(compared) == shown,
        tuple(crowded(review)) if deck.game == "up-the-creek" else (),
    )


def crowded(review: Review) -> list[str]:
    """Who has more rows than can lie on a table of Up the Creek, in words."""
    return [
        f"{player} has {many} rows, and at most {MOST_ROWS} lie on the table: F6 gives one to "
        "another player"
        for player in review.players
        if (many := len(review.lines_of(player))) > MOST_ROWS
    ]


def sentence(review: Review, found: Standing) -> str:
    """The standing in words: `Ana 96 to 116; card 7 decides. 2 unsure cards can change nothing.`

    At a match the totals are those of the match: `Ana 212 → 231.`
    """
    numbers = {at: i for i, at in enumerate(review.places(), 1)}
    if not found.players:
        return _without_score(len(numbers), [numbers[at] for at in found.deciding])
    said = []
    for one in found.players:
        name = one.player["name"]
        mine = {n for n, _ in review.lines_of(name)}
        cards = [numbers[at] for at in found.deciding if at[0] in mine]
        decides = f"; {cards_in_words(cards)} decide{'s' if len(cards) == 1 else ''}"
        total = found.totals.get(name) or f"{name} {_points(one)}"
        said.append(f"{total}{decides if cards else ''}")
    said += found.crowded
    said += [f"A gap in line {number} may be there or not: F6" for number in found.gaps]
    if found.idle:
        idle = len(found.idle)
        said.append(f"{idle} unsure card{'' if idle == 1 else 's'} can change nothing")
    if found.deciding and (best := found.winners):
        said.append(f"{' and '.join(best)} {'wins' if len(best) == 1 else 'win'} all the same")
    return ". ".join(said) + "."


def _without_score(many: int, deciding: list[int]) -> str:
    if deciding:
        return f"To look at: {cards_in_words(deciding)}."
    return f"{many} card{'' if many == 1 else 's'}, all sure."


def _points(one: Counted) -> str:
    if one.total is not None:
        return str(one.total)
    return points_in_words(one.player["lowest"], one.player["highest"])


def points_in_words(lowest: int, highest: int | None) -> str:
    """`96`, `96 to 116`; `96 or more` where nobody knows the highest."""
    if highest is None:
        return f"{lowest} or more"
    return f"{lowest} to {highest}" if lowest != highest else str(lowest)


def cards_in_words(numbers: list[int]) -> str:
    """`card 7`, `cards 3 and 7`, `cards 3, 7, 8, 9, 11 and 4 more`."""
    if not numbers:
        return "no card"
    if len(numbers) == 1:
        return f"card {numbers[0]}"
    shown = list(map(str, numbers[:5]))
    if len(numbers) > len(shown):
        return f"cards {', '.join(shown)} and {len(numbers) - len(shown)} more"
    return f"cards {', '.join(shown[:-1])} and {shown[-1]}"
