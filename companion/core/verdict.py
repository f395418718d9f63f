"""Verdicts: every objection to an act with its rule, and how clear the rulebook is about it.

A game answers with a plain `Verdict` under one set of house rules. `settle` asks again under every
other reading of the unclear rules and so finds out what the answer hangs on, instead of each rule
having to declare it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Clarity(StrEnum):
    """How well the rulebook covers a point."""

    CLEAR = "clear"
    INTERPRETATION = "interpretation"
    """Unclear: a default reading is applied, another one is an option."""
    SILENT = "silent"
    """Not covered: the household decides."""

    @property
    def doubt(self) -> int:
        """0 for clear, more for less clear."""
        return _DOUBT[self]


_DOUBT = {Clarity.CLEAR: 0, Clarity.INTERPRETATION: 1, Clarity.SILENT: 2}


def least_clear(*clarities: Clarity) -> Clarity:
    """The least clear of them; clear when there is none."""
    return max(clarities, key=lambda c: c.doubt, default=Clarity.CLEAR)


class Outcome(StrEnum):
    """What a verdict comes to."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNDETERMINED = "undetermined"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Objection:
    """One rule that an act would break."""

    rule: str
    text: str
    instead: tuple[str, ...] = ()
    """What would be legal."""
    clarity: Clarity = Clarity.CLEAR
    """Of the points it rests on that no option switches."""
    place: tuple[Any, ...] = ()
    """What it is about (player, row, columns), so that the same objection is known again."""
    impossible: bool = False
    """It cannot have happened, as opposed to being against the rules."""

    @property
    def key(self) -> tuple[Any, ...]:
        """Equal for the same objection under other house rules."""
        return (self.rule, self.place)


@dataclass(frozen=True, slots=True)
class Unknown:
    """A fact that is missing and that the answer hangs on."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer of a game to an act or a question, under one set of house rules."""

    objections: tuple[Objection, ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    value: Any = None
    needs: tuple[str, ...] = ()
    """Ids of the rules that give leave, or that the value follows from."""
    points: tuple[tuple[str, Clarity], ...] = ()
    """Rules without an option that it rests on and that the rulebook leaves open."""
    asks_value: bool = False
    reasons: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """Illegal before undetermined before legal."""
        if self.objections:
            return Outcome.ILLEGAL
        if self.unknowns:
            return Outcome.UNDETERMINED
        return Outcome.ANSWER if self.asks_value else Outcome.LEGAL

    @property
    def legal(self) -> bool:
        """No objection, and nothing missing."""
        return not self.objections and not self.unknowns

    @property
    def possible(self) -> bool:
        """It can have happened, be it against the rules or not."""
        return not any(o.impossible for o in self.objections)


LEGAL = Verdict()


@dataclass(frozen=True, slots=True)
class OtherReading:
    """The verdict if one unclear rule is read the other way."""

    label: str
    outcome: Outcome
    value: Any
    clarity: Clarity


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict with its clarity and the readings under which it would differ."""

    verdict: Verdict
    clarity: Clarity
    rules: tuple[str, ...]
    objections: tuple[Objection, ...]
    """The clearest first."""
    readings: tuple[OtherReading, ...]


def settle(ask: Callable[[Any], Verdict], options: Any) -> Ruling:
    """The ruling on a question: `ask` answers it under one set of options.

    An objection is as clear as the least clear rule it needs, and it needs an option if it goes away
    under another value of it. The clearest objection decides; for anything else the least clear
    among the readings that change the answer.
    """
    from companion.core.options import readings

    verdict = ask(options)
    others = [(reading, ask(reading.options)) for reading in readings(options)]
    differing = tuple(
        OtherReading(reading.label, other.outcome, other.value, reading.clarity)
        for reading, other in others
        if _differs(other, verdict)
    )
    if verdict.outcome is Outcome.ILLEGAL:
        graded = sorted(
            ((_clarity(objection, others), objection) for objection in verdict.objections),
            key=lambda pair: pair[0].doubt,
        )
        clarity = graded[0][0]
        objections = tuple(objection for _, objection in graded)
        rules = tuple(dict.fromkeys(o.rule for o in objections))
    else:
        objections = ()
        clarity = least_clear(
            *(reading.clarity for reading in differing), *(c for _, c in verdict.points)
        )
        rules = tuple(
            dict.fromkeys(
                [
                    *(u.rule for u in verdict.unknowns),
                    *verdict.needs,
                    *(rule for rule, _ in verdict.points),
                    *(reading.rule for reading, other in others if _differs(other, verdict)),
                ]
            )
        )
    if clarity is Clarity.CLEAR:
        differing = ()
    return Ruling(verdict, clarity, rules, objections, differing)


def _differs(other: Verdict, verdict: Verdict) -> bool:
    return (other.outcome, other.value) != (verdict.outcome, verdict.value)


def _clarity(objection: Objection, others: list[tuple[Any, Verdict]]) -> Clarity:
    needed = [
        reading.clarity
        for reading, other in others
        if objection.key not in {o.key for o in other.objections}
    ]
    return least_clear(objection.clarity, *needed)
