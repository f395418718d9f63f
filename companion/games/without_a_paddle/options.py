"""House rules of Up the Creek Without a Paddle."""

from dataclasses import dataclass

from companion.core.options import option
from companion.core.verdict import Clarity


@dataclass(frozen=True, slots=True)
class Options:
    """The house rules in force; the defaults are the rulebook's."""

    direction: str = option(
        "down",
        rule="wap:variation.down-up",
        clarity=Clarity.CLEAR,
        meaning="one card fewer each round down to one, or down to one and back up again",
        values=("down", "down-up"),
    )
    hook: str = option(
        "always",
        rule="wap:bid.hook",
        clarity=Clarity.CLEAR,
        meaning="the dealer may not make the bids add up to the cards: in every round, in all but "
        "the last, or never",
        values=("always", "not-last", "off"),
    )
    renege: str = option(
        "per-round",
        rule="wap:score.renege-once",
        clarity=Clarity.INTERPRETATION,
        meaning="who reneges more than once in a round loses 20 once, or 20 for each offence",
        values=("per-round", "per-offence"),
    )
    tie: str = option(
        "shared",
        rule="wap:end.tie",
        clarity=Clarity.SILENT,
        meaning="equal highest totals share the win, or play an extra round to settle it",
        values=("shared", "extra-round"),
    )
