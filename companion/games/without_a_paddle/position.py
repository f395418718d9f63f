"""A score sheet: who plays, who dealt first, and each round's bids, tricks and reneges."""

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.errors import Fault
from companion.core.game import PlayerName
from companion.games.without_a_paddle.deal import FEWEST, MOST, cards_in, rounds_of
from companion.games.without_a_paddle.options import Options


@dataclass(frozen=True, slots=True)
class Round:
    """One round as it was written down."""

    bids: Mapping[PlayerName, int]
    tricks: Mapping[PlayerName, int]
    reneged: tuple[PlayerName, ...] = ()
    """Who reneged; a name twice stands for two offences."""


@dataclass(frozen=True, slots=True)
class Position:
    """A whole sheet, finished or not."""

    players: tuple[str, ...]
    """Clockwise."""
    dealer: PlayerName | None
    """Of round 1; None only while a match has not cut for it."""
    rounds: tuple[Round, ...] = ()


def faults(position: Position, options: Options) -> list[Fault]:
    """What makes a sheet unusable: too many rounds, numbers that are missing or negative."""
    found: list[Fault] = []
    players = position.players
    seated = FEWEST <= len(players) <= MOST
    if position.dealer is None and position.rounds:
        found.append(Fault("dealer", "missing", "name the player who dealt round 1"))
    if seated:
        most = rounds_of(len(players), options.direction)
        if len(position.rounds) > most:
            found.append(
                Fault(
                    "rounds",
                    f"{len(position.rounds)} rounds",
                    f"{len(players)} players play {most} rounds (direction = {options.direction})",
                )
            )
    for number, written in enumerate(position.rounds, 1):
        cards = cards_in(number, len(players), options.direction) if seated else 0
        top = f" to {cards}" if cards > 0 else ""
        for key, numbers in (("bids", written.bids), ("tricks", written.tricks)):
            for name in players:
                value = numbers.get(PlayerName(name))
                where = f"round {number}, {key} of {name}"
                if value is None:
                    found.append(
                        Fault(where, "missing", f"write {name} = a whole number from 0{top}")
                    )
                elif value < 0:
                    found.append(Fault(where, str(value), f"use a whole number from 0{top}"))
    return found
