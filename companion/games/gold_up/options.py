"""House rules of Gold Up."""

from dataclasses import dataclass
from typing import Literal

from companion.core.options import option
from companion.core.verdict import Clarity
from companion.games.gold_up.cards import COLOURS


@dataclass(frozen=True, slots=True)
class Options:
    """All house rules of a match; the defaults are how the rulebook is read here."""

    values: tuple[tuple[str, int], ...] = option(
        (),
        rule="gup:value.coins",
        clarity=Clarity.SILENT,
        keys=COLOURS,
        meaning="coins on a chest of each colour, read off the cards of your box",
    )
    target: int = option(
        300,
        rule="gup:score.target",
        clarity=Clarity.CLEAR,
        at_least=1,
        meaning="coins that end the match, once the hand is finished",
    )
    miss_turn: Literal["this", "next"] = option(
        "this",
        rule="gup:draw.miss",
        clarity=Clarity.INTERPRETATION,
        values=("this", "next"),
        meaning="whether drawing two keys uses up this turn only or costs the next one as well",
    )
    two_player_thief: int = option(
        2,
        rule="gup:two.thief",
        clarity=Clarity.CLEAR,
        at_least=1,
        meaning="keys that a key thief takes at random when only two play",
    )
    tie: Literal["shared", "extra-round"] = option(
        "shared",
        rule="gup:score.tie",
        clarity=Clarity.SILENT,
        values=("shared", "extra-round"),
        meaning="what happens when the best pirates have equally many coins",
    )
