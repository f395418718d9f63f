"""Itemised scores: a total is always the sum of its lines, and every line cites its rule."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.core.verdict import Clarity


@dataclass(frozen=True, slots=True)
class Line:
    """Points for one thing."""

    points: int
    what: str
    rule: str
    formula: str = ""
    cards: tuple[str, ...] = ()
    where: tuple[tuple[str, Any], ...] = ()
    """Keys of the place: row and columns, round, or hand."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something on the table that the rules do not allow; it is scored as written."""

    rule: str
    text: str
    where: tuple[tuple[str, Any], ...] = ()
    """Those of player, row, columns, round, hand and line that apply."""


@dataclass(frozen=True, slots=True)
class Note:
    """What a score leans on: an unclear rule, a missing fact."""

    rule: str
    text: str
    clarity: Clarity


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """One player's lines; `rank` is 1 for the best, shared by equal totals."""

    name: str
    lines: tuple[Line, ...]
    rank: int = 0

    @property
    def total(self) -> int:
        """Points of all lines."""
        return sum(line.points for line in self.lines)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of all players, in the order of the file."""

    players: tuple[PlayerScore, ...]
    winners: tuple[str, ...]
    """Those of the best total: the winners, or the leaders while `complete` is not true."""
    complete: bool | None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Note, ...] = field(default=())

    @property
    def totals(self) -> dict[str, int]:
        """Points by player."""
        return {p.name: p.total for p in self.players}


def ranked(lines: Sequence[tuple[str, Iterable[Line]]]) -> tuple[PlayerScore, ...]:
    """Players with their ranks: equal totals share one, the next is skipped."""
    players = [(name, tuple(own)) for name, own in lines]
    totals = [sum(line.points for line in own) for _, own in players]
    best_first = sorted(totals, reverse=True)
    return tuple(
        PlayerScore(name, own, 1 + best_first.index(total))
        for (name, own), total in zip(players, totals, strict=True)
    )


def leaders(players: Iterable[PlayerScore]) -> tuple[str, ...]:
    """Names of those who rank first, in the order given."""
    return tuple(p.name for p in players if p.rank == 1)
