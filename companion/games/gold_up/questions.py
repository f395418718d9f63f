"""Questions about a move of Gold Up: may I, what does it cost, is it over."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from card_catalog.model import Card
from companion.core.errors import Fault, UnusableInput
from companion.core.game import PlayerName, Question
from companion.core.verdict import Clarity, Verdict
from companion.games.gold_up.cards import counted, is_joker, listed, short
from companion.games.gold_up.layout import (
    LINES,
    OTHER_DIAGONAL,
    laid_out,
    line_faults,
    line_of,
)
from companion.games.gold_up.options import Options
from companion.games.gold_up.payment import Chests, Cited, Judged, cheapest, judge
from companion.games.gold_up.position import Chest, Key, Position
from companion.games.gold_up.theft import keys_to_take, missing_chests

DIAGONALS = ("gup:deal.diagonals", Clarity.INTERPRETATION)


def judge_line(layout: Chests, line: int, keys: tuple[Card, ...]) -> Verdict:
    """Whether the keys collect a line of the layout; the two diagonals are read both ways."""
    judged = _judged(layout, line, keys)
    needs = ["gup:collect.keys", "gup:collect.one-each"]
    if any(map(is_joker, keys)):
        needs.append("gup:joker.any")
    if line not in OTHER_DIAGONAL:
        return Verdict(judged.objections, judged.unknowns, needs=tuple(needs))
    other = _judged(layout, OTHER_DIAGONAL[line], keys)
    shared = {o.key for o in other.objections}
    objections = tuple(
        o if o.key in shared else replace(o, clarity=Clarity.INTERPRETATION)
        for o in judged.objections
    )
    turned = bool(other.objections) != bool(objections) or bool(other.unknowns) != bool(
        judged.unknowns
    )
    needs.append("gup:deal.diagonals")
    return Verdict(
        objections,
        judged.unknowns,
        needs=tuple(needs),
        points=(DIAGONALS,) if turned else (),
    )


def _judged(layout: Chests, line: int, keys: tuple[Card, ...]) -> Judged:
    # Both diagonals are judged under the number asked for, so that shared objections compare equal.
    goods = f"line {line}" if line in LINES else ""
    cited = Cited("gup:collect.keys", "gup:collect.one-each", goods, ("line",))
    return judge(line_of(layout, line), keys, cited)


@dataclass(frozen=True, slots=True)
class Collect:
    """May this line be collected with these keys?"""

    layout: Mapping[str, tuple[Chest, ...]]
    line: int
    keys: tuple[Key, ...]

    def ask(self, position: Position, options: Options) -> Verdict:
        """Leave or every objection."""
        layout, faults = laid_out(self.layout)
        faults += line_faults(self.line)
        if faults:
            raise UnusableInput(faults)
        return judge_line(layout, self.line, self.keys)


@dataclass(frozen=True, slots=True)
class Payments:
    """Which lines can this hand of keys collect, and with which keys?"""

    layout: Mapping[str, tuple[Chest, ...]]
    hand: tuple[Key, ...]

    def ask(self, position: Position, options: Options) -> Verdict:
        """A list of line, keys in the order of the chests and number of jokers, by line."""
        layout, faults = laid_out(self.layout)
        if faults:
            raise UnusableInput(faults)
        value: list[dict[str, Any]] = []
        paid_by_line: dict[int, tuple[str, ...] | None] = {}
        for line in LINES:
            paid = cheapest(line_of(layout, line), self.hand)
            paid_by_line[line] = None if paid is None else tuple(map(short, paid))
            if paid is not None:
                value.append(
                    {
                        "line": line,
                        "keys": [short(key) for key in paid],
                        "jokers": sum(map(is_joker, paid)),
                    }
                )
        needs = ["gup:collect.keys", "gup:collect.one-each"]
        if any(entry["jokers"] for entry in value):
            needs.append("gup:joker.any")
        reasons = tuple(f"Line {e['line']}: {', '.join(e['keys'])}." for e in value) or (
            f"No line can be opened with {listed(self.hand)}.",
        )
        return Verdict(
            value=value,
            asks_value=True,
            needs=tuple(needs),
            points=(DIAGONALS,) if paid_by_line[6] != paid_by_line[7] else (),
            reasons=reasons,
        )


@dataclass(frozen=True, slots=True)
class StealChests:
    """May these chests of a pirate be stolen with these keys? The thief card is taken as shown."""

    victim_chests: tuple[Chest, ...]
    chests: tuple[Chest, ...]
    keys: tuple[Key, ...]

    def ask(self, position: Position, options: Options) -> Verdict:
        """Leave or every objection."""
        objections = missing_chests(self.chests, self.victim_chests, "the victim")
        cited = Cited(
            "gup:steal-chests.keys", "gup:steal-chests.keys", "the victim's chests", ("victim",)
        )
        judged = judge(self.chests, self.keys, cited)
        needs = ["gup:steal-chests.chests", "gup:steal-chests.keys"]
        if any(map(is_joker, self.keys)):
            needs.append("gup:joker.any")
        return Verdict((*objections, *judged.objections), needs=tuple(needs))


@dataclass(frozen=True, slots=True)
class StealKeys:
    """How many keys does a key thief take?"""

    victim_keys: tuple[Key, ...]
    players: int

    def ask(self, position: Position, options: Options) -> Verdict:
        """The number taken, and whether blindly."""
        if self.players < 2:
            raise UnusableInput(
                [Fault("players", f"{self.players} players", "a theft needs at least 2")]
            )
        held = len(self.victim_keys)
        taken = keys_to_take(held, self.players, options)
        two = self.players == 2
        short_hand = two and held < options.two_player_thief
        reasons = (
            f"With two players a key thief takes {counted(taken, 'key')} at random."
            if two
            else f"All {counted(taken, 'card')} that the victim holds are taken.",
        )
        return Verdict(
            value={"take": taken, "at_random": two},
            asks_value=True,
            needs=("gup:two.thief", "gup:two.random") if two else ("gup:steal-keys.all",),
            points=(("gup:two.short", Clarity.SILENT),) if short_hand else (),
            reasons=reasons,
        )


@dataclass(frozen=True, slots=True)
class Draw:
    """What does drawing keys bring and cost?"""

    keys_pile: int | None = None
    """Cards in the Keys pile; None: enough."""

    def ask(self, position: Position, options: Options) -> Verdict:
        """The number drawn, and whether the next turn is missed."""
        pile = self.keys_pile
        if pile is not None and pile < 0:
            raise UnusableInput([Fault("keys_pile", str(pile), "use a whole number from 0")])
        drawn = 2 if pile is None else min(2, pile)
        missed = options.miss_turn == "next"
        return Verdict(
            value={"draw": drawn, "misses_next_turn": missed},
            asks_value=True,
            needs=("gup:draw.two", "gup:draw.miss"),
            points=(("gup:draw.short", Clarity.SILENT),) if drawn < 2 else (),
            reasons=(
                f"{counted(drawn, 'key')} to draw; "
                + ("the next turn is missed too." if missed else "that is the whole turn."),
            ),
        )


@dataclass(frozen=True, slots=True)
class HandOver:
    """Is the hand over with so many cards in the Chests pile?"""

    chests_pile: int

    def ask(self, position: Position, options: Options) -> Verdict:
        """Whether it is over."""
        if self.chests_pile < 0:
            raise UnusableInput(
                [Fault("chests_pile", str(self.chests_pile), "use a whole number from 0")]
            )
        over = self.chests_pile == 0
        left = counted(self.chests_pile, "card")
        return Verdict(
            value={"over": over},
            asks_value=True,
            needs=("gup:end.chests-pile",),
            reasons=(
                "The Chests pile is empty: the hand is over."
                if over
                else f"The Chests pile still has {left}: play goes on.",
            ),
        )


@dataclass(frozen=True, slots=True)
class MatchOver:
    """Is the match over with these totals after a hand, and who has won?"""

    totals: Mapping[PlayerName, int]

    def ask(self, position: Position, options: Options) -> Verdict:
        """Whether it is over, and the winners in the order of the file; nobody before the end."""
        faults = [
            Fault(f"totals.{name}", f"{coins} coins", "use a whole number from 0")
            for name, coins in self.totals.items()
            if coins < 0
        ]
        if not self.totals:
            faults.append(Fault("totals", "no player's coins", "give the coins of each player"))
        if faults:
            raise UnusableInput(faults)
        best = max(self.totals.values())
        over = best >= options.target
        first = [
            name for name in position.players if over and self.totals.get(PlayerName(name)) == best
        ]
        points: list[tuple[str, Clarity]] = []
        if over:
            points.append(("gup:score.winner", Clarity.INTERPRETATION))
        if len(first) > 1:
            points.append(("gup:score.tie", Clarity.SILENT))
        return Verdict(
            value={"over": over, "winners": first},
            asks_value=True,
            needs=("gup:score.target",),
            points=tuple(points),
            reasons=(_end_reason(first, best, options),),
        )


def _end_reason(winners: list[str], best: int, options: Options) -> str:
    if not winners:
        return f"The most is {counted(best, 'coin')}; the match goes on to {options.target}."
    if len(winners) == 1:
        return f"{winners[0]} has {best} of {options.target} coins, the most of all."
    names = " and ".join(winners)
    if options.tie == "extra-round":
        return f"{names} are level at {best} coins; by the house rule they play one more hand."
    return f"{names} are level at {best} coins and share the win."


QUESTIONS: Mapping[str, type[Question]] = {
    "collect": Collect,
    "payments": Payments,
    "steal-chests": StealChests,
    "steal-keys": StealKeys,
    "draw": Draw,
    "hand-over": HandOver,
    "match-over": MatchOver,
}
