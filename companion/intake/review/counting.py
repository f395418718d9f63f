"""What a review scores by now, how far that may still move, and which cards would move it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from card_catalog.model import Deck
from companion.intake.count import Counted, counted, winners
from companion.intake.position import GAMES
from companion.intake.review.model import At, Review

Count = Callable[[Any], Counted]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a review stands."""

    players: tuple[Counted, ...] = ()
    """Each player's score; none where a photo is no table that scores (a trick, a hand)."""
    deciding: tuple[At, ...] = ()
    """Unsettled cards that can change a score."""
    idle: tuple[At, ...] = ()
    """Unsettled cards that change nothing whatever they are."""

    @property
    def to_ask(self) -> tuple[At, ...]:
        """Unsettled cards, those first that can change a score."""
        return (*self.deciding, *self.idle)

    @property
    def winners(self) -> list[str]:
        """Who has won however the unsettled cards turn out; empty while that is open."""
        return winners(self.players)


def standing(review: Review, deck: Deck, options: Any = None) -> Standing:
    """The standing of a review of a deck's cards, under house rules; None for the default ones."""
    unsettled = review.unsettled()
    if deck.game not in GAMES:
        return Standing(deciding=tuple(unsettled))
    players = tuple(counted(review.deck, deck, seen, options) for seen in review.seen())
    places = review.places()
    deciding = {places[card["place"] - 1] for one in players for card in one.player["deciding"]}
    return Standing(
        players,
        tuple(at for at in unsettled if at in deciding),
        tuple(at for at in unsettled if at not in deciding),
    )


def sentence(review: Review, found: Standing) -> str:
    """The standing in words: `Ana 96 to 116; card 7 decides. 2 unsure cards can change nothing.`"""
    numbers = {at: i for i, at in enumerate(review.places(), 1)}
    if not found.players:
        return _without_score(len(numbers), [numbers[at] for at in found.deciding])
    said = []
    for one in found.players:
        mine = {n for n, _ in review.lines_of(one.player["name"])}
        cards = [numbers[at] for at in found.deciding if at[0] in mine]
        decides = f"; {cards_in_words(cards)} decide{'s' if len(cards) == 1 else ''}"
        said.append(f"{one.player['name']} {_points(one)}{decides if cards else ''}")
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
    told = one.player
    low, high = told["lowest"], told["highest"]
    if one.total is not None:
        return str(one.total)
    if high is None:
        return f"{low} or more"
    return f"{low} to {high}" if low != high else str(low)


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
