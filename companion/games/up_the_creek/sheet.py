"""The whole score of a table: lines of every player, problems, and the rulings it leans on."""

from collections.abc import Iterator, Mapping

from card_catalog.model import Deck
from companion.core.options import readings
from companion.core.score import Line, Note, Score, leaders, ranked
from companion.core.verdict import Clarity
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.position import Standing, Tables
from companion.games.up_the_creek.problems import count_notes, problems
from companion.games.up_the_creek.scoring import lines_of
from companion.games.up_the_creek.table import Board, canoes_of

_SCORING = ("pair_adjacent", "half_order", "character_adjacent", "lone_character")
"""The unclear options that can change points."""


def score(tables: Tables, options: Options, deck: Deck) -> Score:
    """The itemised score; `complete` is None where a table cannot tell whether the game is over."""
    boards = tables.boards
    lines = {name: lines_of(board, options) for name, board in boards.items()}
    players = ranked(list(lines.items()))
    ended = tables.ended if isinstance(tables, Standing) else None
    notes = [
        *_observed(tables),
        *_reading_notes(boards, lines, options),
        *(_tie_notes(leaders(players)) if ended is not False else ()),
        *_open_notes(boards, options),
        *count_notes(boards, options, deck),
    ]
    return Score(players, leaders(players), ended, tuple(problems(boards, options)), tuple(notes))


def _observed(tables: Tables) -> Iterator[Note]:
    if isinstance(tables, Standing):
        for text in tables.notes:
            yield Note("utc:match.observed", text, Clarity.CLEAR)


_TEXTS = {
    "utc:score.pair": "two halves count as a pair when they lie side by side in one canoe",
    "utc:score.triple": "a character makes a triple when it touches its pair",
    "utc:score.lone-character": "a character away from its treasure counts like a single card",
    "utc:score.surplus": "a card too many of a treasure counts 10",
}


def _reading_notes(
    boards: Mapping[str, Board], lines: Mapping[str, list[Line]], options: Options
) -> Iterator[Note]:
    """One note for each unclear rule that a line cites or that would change a total."""
    totals = {name: sum(line.points for line in own) for name, own in lines.items()}
    cited = {line.rule for own in lines.values() for line in own}
    changes: dict[str, list[str]] = {}
    for reading in readings(options):
        if reading.name not in _SCORING:
            continue
        rule = _rule_of(reading.name)
        other = {n: sum(x.points for x in lines_of(b, reading.options)) for n, b in boards.items()}
        moved = [f"{n} {other[n]} instead of {totals[n]}" for n in totals if other[n] != totals[n]]
        if moved:
            changes.setdefault(rule, []).append(f"with {reading.label} {', '.join(moved)}")
    for rule, text in _TEXTS.items():
        if rule not in cited and rule not in changes:
            continue
        tail = "; ".join(changes.get(rule, ())) or "no other reading changes this sheet"
        yield Note(rule, f"{text}; {tail}", Clarity.INTERPRETATION)


def _rule_of(option: str) -> str:
    return {
        "pair_adjacent": "utc:score.pair",
        "half_order": "utc:score.pair",
        "character_adjacent": "utc:score.triple",
    }.get(option, "utc:score.lone-character")


def _tie_notes(winners: tuple[str, ...]) -> Iterator[Note]:
    if len(winners) > 1:
        text = f"{' and '.join(winners)} have the same total; the rulebook names no tie-break, so they share the win"
        yield Note("utc:score.tie", text, Clarity.SILENT)


def _open_notes(boards: Mapping[str, Board], options: Options) -> Iterator[Note]:
    """Which cards earn nothing because their canoe is not completed."""
    for name, board in boards.items():
        parts = [
            f"row {c.row}, columns {c.first}-{c.last}"
            for c in canoes_of(board, options.canoe_extent)
            if not c.complete
        ]
        if parts:
            text = f"{name}: no completed canoe in {'; '.join(parts)}, so nothing for those cards"
            yield Note("utc:score.completed-only", text, Clarity.CLEAR)
