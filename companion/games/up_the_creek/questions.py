"""The questions that can be asked about a table, one class a kind; fields are those of the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from card_catalog.model import Card
from card_catalog.notation import EMPTY, write_row
from companion.core.errors import Fault, UnusableInput
from companion.core.game import PlayerName, Question
from companion.core.verdict import Objection, Unknown, Verdict
from companion.games.up_the_creek import ending, piracy, placement, specials
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.placement import Insertion
from companion.games.up_the_creek.position import Tables
from companion.games.up_the_creek.table import canoe_at, canoes_of, cards_of, completed

RowNumber = Literal[1, 2, 3]
Side = Literal["left", "right"]
SHOWN = 12
"""Places named in `instead`; more than that nobody reads."""


def name_places(found: list[tuple[int, int]]) -> str:
    """`row 1: columns 0, 7; row 2: column 3` for (row, column) pairs."""
    rows: dict[int, list[int]] = {}
    for row, column in found[:SHOWN]:
        rows.setdefault(row, []).append(column)
    parts = [
        f"row {row}: column{'s' if len(columns) > 1 else ''} {', '.join(map(str, columns))}"
        for row, columns in rows.items()
    ]
    more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return "; ".join(parts) + more


@dataclass(frozen=True, slots=True)
class Place:
    """May the player place the card there?"""

    player: PlayerName
    card: Card
    row: RowNumber
    column: int

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to place."""
        return placement.place(
            position.boards[self.player], self.card, self.row, self.column, options
        )

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """Where it may lie."""
        found = placement.places(position.boards[self.player], self.card, options)
        return (
            (f"{self.card.id} may lie in {name_places(found)}",)
            if found
            else ("it fits nowhere: put it on the discard pile",)
        )


@dataclass(frozen=True, slots=True)
class Places:
    """Every place where the card may lie."""

    player: PlayerName
    card: Card

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Value: the places."""
        found = placement.places(position.boards[self.player], self.card, options)
        needs = ["utc:build.touch", "utc:build.duplicate", "utc:build.width"]
        if self.card.kind.end:
            needs.append("utc:build.bow-stern")
        if not found:
            needs = [o.rule for o in placement.forbidden_kind(self.card, options)] or needs
        value = [{"row": row, "column": column} for row, column in found]
        return Verdict(value=value, needs=tuple(needs), asks_value=True)


@dataclass(frozen=True, slots=True)
class Insert:
    """May the card be put beside another one, the others shifted?"""

    player: PlayerName
    card: Card
    row: RowNumber
    beside: Card
    side: Side
    shift: Side
    source: Literal["reveal", "steal", "spoils"] = "reveal"

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to insert; value: the row afterwards."""
        board = position.boards[self.player]
        way = Insertion(self.card, self.row, self.beside.id, self.side, self.shift, self.source)
        verdict = placement.insert(board, way, options)
        if verdict.objections:
            return verdict
        after = way.result(board[self.row - 1])
        value = {"row": write_row(after.cells), "first_column": after.first}
        return Verdict((), verdict.unknowns, value, verdict.needs)

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """Where it may lie without shifting."""
        return Place(self.player, self.card, self.row, 0).instead(position, options)


@dataclass(frozen=True, slots=True)
class Reveal:
    """What follows from revealing the card?"""

    player: PlayerName
    card: Card

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Value: whether the turn ends, the card may be placed, a canoe completed."""
        board = position.boards[self.player]
        duplicate = any(card.kind.id == self.card.kind.id for card in cards_of(board))
        special = self.card.kind.id in ("lasso", "bow-and-arrows") or self.card.kind.group == "axe"
        may_place = placement.places(board, self.card, options) != [] or any(
            placement.insertions(board, self.card, options, "reveal")
        )
        may_complete = may_place and placement.completes(board, self.card, options)
        needs = ["utc:turn.reveal"]
        if duplicate:
            needs.append("utc:turn.duplicate-ends")
        if special:
            needs.append("utc:turn.special-ends")
        if not may_place:
            needs.append("utc:turn.discard-ends")
        if may_complete:
            needs.append("utc:turn.completed-ends")
        value = {
            "turn_ends": duplicate or special or not may_place,
            "may_place": may_place,
            "may_complete": may_complete,
        }
        return Verdict(value=value, needs=tuple(needs), asks_value=True)


@dataclass(frozen=True, slots=True)
class Steal:
    """May the Lasso just placed take that card?"""

    player: PlayerName
    victim: PlayerName
    row: RowNumber
    column: int

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to steal."""
        boards = position.boards
        own = self.player == self.victim
        return specials.steal(
            boards[self.player], boards[self.victim], own, self.row, self.column, options
        )

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """What the Lasso could take."""
        return _reachable(position, self.player, Steal, options, "could be taken")


@dataclass(frozen=True, slots=True)
class Shoot:
    """May Bow & Arrows just placed hit that card?"""

    player: PlayerName
    victim: PlayerName
    row: RowNumber
    column: int

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to shoot."""
        own = self.player == self.victim
        return specials.shoot(position.boards[self.victim], own, self.row, self.column, options)

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """What could be hit."""
        return _reachable(position, self.player, Shoot, options, "could be hit")


def _reachable(
    position: Tables,
    player: PlayerName,
    kind: type[Steal] | type[Shoot],
    options: Options,
    verb: str,
) -> tuple[str, ...]:
    found = [
        f"{other}'s {card.id} in row {number}, column {column}"
        for other, board in position.boards.items()
        if other != player
        for number, row in enumerate(board, 1)
        for column, card in row.items()
        if kind(player, PlayerName(other), number, column).ask(position, options).legal  # type: ignore[arg-type]
    ]
    if not found:
        return (f"nothing {verb}: the action is lost",)
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return (f"{', '.join(found[:SHOWN])}{more} {verb}",)


@dataclass(frozen=True, slots=True)
class Axe:
    """Which own completed canoes may a Wild Axe sink?"""

    player: PlayerName

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Value: the canoes to choose from."""
        found = specials.axe(position.boards[self.player])
        needs = ("utc:axe.sinks",) if found else ("utc:axe.none",)
        value = [{"row": canoe.row, "columns": canoe.columns} for canoe in found]
        return Verdict(value=value, needs=needs, asks_value=True)


@dataclass(frozen=True, slots=True)
class Strength:
    """How strong is the canoe there?"""

    player: PlayerName
    row: RowNumber
    column: int

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Value: its strength; undetermined with a number that nobody has told."""
        board = position.boards[self.player]
        canoe = canoe_at(board, self.row, self.column, options.canoe_extent)
        if canoe is None:
            text = f"{self.player} has no canoe in row {self.row}, column {self.column}"
            return Verdict((Objection("utc:strength.sum", text, impossible=True),))
        needs = ["utc:strength.sum"]
        if not canoe.complete:
            needs.append("utc:build.extent")
        unknowns: tuple[Unknown, ...] = ()
        if canoe.unknown:
            names = ", ".join(card.kind.id for card in canoe.unknown)
            text = (
                f"the number printed on {names} is not known; the rest adds up to {canoe.at_least}"
            )
            unknowns = (Unknown("utc:strength.printed", text),)
        return Verdict((), unknowns, canoe.strength, tuple(needs), asks_value=True)

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """The canoes of the row."""
        found = [
            f"row {c.row}, columns {c.first}-{c.last}"
            for c in canoes_of(position.boards[self.player], options.canoe_extent)
        ]
        return (f"{self.player}'s canoes: {'; '.join(found)}",) if found else ()


@dataclass(frozen=True, slots=True)
class AttackTarget:
    """One target of an attack; `strength` is the share of a Shaman's split."""

    victim: PlayerName
    row: RowNumber
    column: int
    strength: int | None = None


@dataclass(frozen=True, slots=True)
class Attack:
    """May the canoe just completed attack these?"""

    player: PlayerName
    row: RowNumber
    column: int
    targets: tuple[AttackTarget, ...]
    attacked: bool = False

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to attack; value: where the captured cards go."""
        targets = tuple(piracy.Target(t.victim, t.row, t.column, t.strength) for t in self.targets)
        faults = share_faults(targets)
        if faults:
            raise UnusableInput(faults)
        return piracy.attack(
            dict(position.boards),
            self.player,
            self.row,
            self.column,
            targets,
            self.attacked,
            options,
        )

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """Single canoes that could be attacked."""
        found = []
        for other, board in position.boards.items():
            for canoe in canoes_of(board, options.canoe_extent) if other != self.player else []:
                target = AttackTarget(PlayerName(other), canoe.row, canoe.first)  # type: ignore[arg-type]
                alone = Attack(self.player, self.row, self.column, (target,), self.attacked)
                if alone.ask(position, options).legal:
                    found.append(
                        f"{other}'s canoe in row {canoe.row}, columns {canoe.first}-{canoe.last}"
                    )
        if not found:
            return ("there is no canoe that it may attack: the attack is lost",)
        return (f"it may attack {'; or '.join(found[:SHOWN])}",)


def share_faults(targets: tuple[piracy.Target, ...]) -> list[Fault]:
    """What makes the targets of an attack unusable: none at all, or shares that make no sense."""
    if not targets:
        return [Fault("question.targets", "no target", "name one canoe, or two with a Shaman")]
    faults = [
        Fault(f"question.targets[{i}].strength", f"{t.strength}", "use a whole number from 0")
        for i, t in enumerate(targets, 1)
        if t.strength is not None and t.strength < 0
    ]
    given = [t for t in targets if t.strength is not None]
    if len(targets) > 1 and given and len(given) < len(targets):
        faults.append(
            Fault(
                "question.targets",
                "a strength is given for only one of the targets",
                "give a share for each, or for none",
            )
        )
    return faults


@dataclass(frozen=True, slots=True)
class End:
    """May the player end the game now?"""

    player: PlayerName
    completed_now: bool
    continued: bool
    decks_empty: bool = False

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Leave to end; value: may, must or no."""
        lying = len(completed(position.boards[self.player]))
        return ending.end(lying, self.completed_now, self.continued, self.decks_empty, options)

    def instead(self, position: Tables, options: Options) -> tuple[str, ...]:
        """How the game goes on."""
        return ("the game goes on with the next player",)


@dataclass(frozen=True, slots=True)
class Canoes:
    """Which canoes does the player have?"""

    player: PlayerName

    def ask(self, position: Tables, options: Options) -> Verdict:
        """Value: every canoe, completed or not, with its strength."""
        value: list[dict[str, Any]] = [
            {
                "row": canoe.row,
                "columns": canoe.columns,
                "complete": canoe.complete,
                "strength": canoe.strength,
                "at_least": canoe.at_least,
                "protected": canoe.protected,
            }
            for canoe in canoes_of(position.boards[self.player], options.canoe_extent)
        ]
        needs = ("utc:build.completed", "utc:build.extent", "utc:strength.sum")
        return Verdict(value=value, needs=needs, asks_value=True)


QUESTIONS: Mapping[str, type[Question]] = {
    "place": Place,
    "places": Places,
    "insert": Insert,
    "reveal": Reveal,
    "steal": Steal,
    "shoot": Shoot,
    "axe": Axe,
    "strength": Strength,
    "attack": Attack,
    "end": End,
    "canoes": Canoes,
}
__all__ = ["EMPTY", "QUESTIONS", "name_places"]
