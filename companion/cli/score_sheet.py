"""A score as a sheet that can be read aloud at the table."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from companion.cli.ink import Ink, wrapped
from companion.core.rulebook import Rulebook
from companion.core.score import Line, PlayerScore, Score
from companion.core.verdict import Clarity
from companion.interchange.sheets import Sheet


def sheet_text(sheet: Sheet, score: Score, ink: Ink) -> str:
    """The whole sheet: every player's lines, the winner, problems, notes on unclear rules."""
    lines = [ink(sheet.game.title, "bold", "cyan")]
    for player in score.players:
        lines += ["", *_player(player, ink)]
    lines += ["", ink(_verdict(score), "bold", "green")]
    if score.problems:
        lines += ["", ink("Against the rules, scored as written:", "bold", "yellow")]
        for problem in score.problems:
            lines.append(_cited(problem.text, problem.rule, sheet.rules, ink))
    if score.notes:
        lines += ["", ink("Notes:", "bold")]
        for note in score.notes:
            mark = "" if note.clarity is Clarity.CLEAR else f" [{_clarity(note.clarity)}]"
            lines.append(_cited(note.text + mark, note.rule, sheet.rules, ink))
    return "\n".join(lines)


def _clarity(clarity: Clarity) -> str:
    return "the rulebook is silent" if clarity is Clarity.SILENT else "the rulebook is unclear"


def _cited(text: str, rule: str, rules: Rulebook, ink: Ink) -> str:
    return wrapped(f"  - {text}", "    ") + " " + ink(f"({rule}, {rules[rule].section})", "dim")


def _player(player: PlayerScore, ink: Ink) -> Iterator[str]:
    yield ink(f"{player.name}: {_points(player.total)}", "bold") + f", {_ordinal(player.rank)}"
    if not player.lines:
        yield "  nothing that scores"
    running = 0
    groups = [(key, list(own)) for key, own in groupby(player.lines, key=lambda line: line.where)]
    several = len(groups) > 1 and any(key and key[0][0] != "row" for key, _ in groups)
    for key, own in groups:
        points = sum(line.points for line in own)
        running += points
        tail = f"  (now {running})" if several and key else ""
        if len(own) == 1 and "row" not in dict(key):
            yield _line(own[0], ink, indent="  ") + tail
            continue
        head = _group_head(key, own, points)
        if head:
            yield f"  {head}{tail}"
        for line in own:
            yield _line(line, ink, indent="    " if head else "  ")


def _group_head(key: Sequence[tuple[str, Any]], own: list[Line], points: int) -> str:
    place = dict(key)
    if not place:
        return ""
    if "row" in place:
        first, last = place["columns"]
        formula = " + ".join(line.formula for line in own if line.formula)
        return f"Row {place['row']}, columns {first}-{last}: {formula} = {points}"
    name, number = key[0]
    return f"{name.capitalize()} {number}: {points:+d}"


def _line(line: Line, ink: Ink, indent: str) -> str:
    several = len(set(line.cards)) > 1
    cards = f": {' '.join(line.cards)}" if several else ""
    return f"{indent}{line.points:>4}  {line.what}{cards} " + ink(f"({line.rule})", "dim")


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def _ordinal(rank: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(rank, f"{rank}th")


def _verdict(score: Score) -> str:
    *first, last = score.winners or ("nobody",)
    names = f"{', '.join(first)} and {last}" if first else last
    verb = "lead" if len(score.winners) > 1 else "leads"
    best = _points(max((p.total for p in score.players), default=0))
    if score.complete is False:
        return f"So far {names} {verb} with {best}; the match is not over."
    if len(score.players) == 1:
        return f"{names} has {best}."
    if len(score.winners) > 1:
        return f"{names} win together with {best}."
    return f"{names} wins with {best}."
