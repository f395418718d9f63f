"""The whole score of a table: lines of every player, problems, and the rulings it leans on."""

from collections.abc import Iterator, Mapping

from card_catalog.model import Deck
from companion.core.options import readings
from companion.core.score import Line, Note, Score, leaders, ranked
from companion.core.verdict import Clarity
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.position import Standing, Tables
from companion.games.up_the_creek.problems import count_notes, problems
from companion.games.up_the_creek.scoring import canoe_lines, combination_points, treasures_in
from companion.games.up_the_creek.table import Canoe, canoes_of

_SCORING = ("pair_adjacent", "half_order", "character_adjacent", "lone_character")
"""The unclear options that can change points."""


def score(tables: Tables, options: Options, deck: Deck) -> Score:
    """The itemised score; `complete` is None where a table cannot tell whether the game is over."""
    boards = tables.boards
    canoes = {name: canoes_of(board, options.canoe_extent) for name, board in boards.items()}
    done = {name: [c for c in own if c.complete] for name, own in canoes.items()}
    lines = {
        name: [line for canoe in own for line in canoe_lines(canoe, options)]
        for name, own in done.items()
    }
    players = ranked(list(lines.items()))
    ended = tables.ended if isinstance(tables, Standing) else None
    notes = [
        *_reading_notes(done, lines, options),
        *(_tie_notes(leaders(players)) if ended is not False else ()),
        *_open_notes(canoes),
        *count_notes(boards, options, deck),
    ]
    return Score(players, leaders(players), ended, tuple(problems(boards, options)), tuple(notes))


_TEXTS = {
    "utc:score.pair": "two halves count as a pair when they lie side by side in one canoe",
    "utc:score.triple": "a character makes a triple when it touches its pair",
    "utc:score.lone-character": "a character away from its treasure counts like a single card",
    "utc:score.surplus": "a card too many of a treasure counts 10",
}


def _reading_notes(
    done: Mapping[str, list[Canoe]], lines: Mapping[str, list[Line]], options: Options
) -> Iterator[Note]:
    """One note for each unclear rule that a line cites or that would change a total."""
    cited = {line.rule for own in lines.values() for line in own}
    changes: dict[str, list[str]] = {}
    totals = {name: sum(line.points for line in own) for name, own in lines.items()}
    combining = [
        (name, combination_points(treasures, options), treasures)
        for name, own in done.items()
        for canoe in own
        if (treasures := treasures_in(canoe.cards))
    ]
    for reading in readings(options) if combining else ():
        if reading.name not in _SCORING:
            continue
        more = dict.fromkeys(done, 0)
        for name, points, treasures in combining:
            more[name] += combination_points(treasures, reading.options) - points
        moved = [f"{n} {totals[n] + m} instead of {totals[n]}" for n, m in more.items() if m]
        if moved:
            text = f"with {reading.label} {', '.join(moved)}"
            changes.setdefault(reading.rule, []).append(text)
    for rule, text in _TEXTS.items():
        if rule not in cited and rule not in changes:
            continue
        tail = "; ".join(changes.get(rule, ())) or "no other reading changes this sheet"
        yield Note(rule, f"{text}; {tail}", Clarity.INTERPRETATION)


def _tie_notes(winners: tuple[str, ...]) -> Iterator[Note]:
    if len(winners) > 1:
        text = f"{' and '.join(winners)} have the same total; the rulebook names no tie-break, so they share the win"
        yield Note("utc:score.tie", text, Clarity.SILENT)


def _open_notes(canoes: Mapping[str, list[Canoe]]) -> Iterator[Note]:
    """Which cards earn nothing because their canoe is not completed."""
    for name, own in canoes.items():
        parts = [f"row {c.row}, {c.where}" for c in own if not c.complete]
        if parts:
            text = f"{name}: no completed canoe in {'; '.join(parts)}, so nothing for those cards"
            yield Note("utc:score.completed-only", text, Clarity.CLEAR)
