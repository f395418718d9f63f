"""What `companion scan` prints: a photo's rows, the cards to look over, the score that follows."""

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from card_catalog.model import Deck
from companion.cli.ink import Ink, plain, wrapped
from companion.core.errors import UnusableInput
from companion.intake.count import Counted, winners
from companion.intake.eyes import ScannedPhoto
from companion.intake.table import LIKELY, SeenRow, Spot, rows_of
from companion.intake.trick import Trick
from companion.vision.report import document

_WIDE = 96
"""Characters of a line."""


def counted_as(number: int, noun: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_TOGETHER = 3
"""Cards without a name that are told one by one; more are told in one line."""


def photo_json(
    name: str,
    photo: ScannedPhoto | UnusableInput,
    warnings: Sequence[dict[str, str]],
    more: dict[str, Any],
) -> str:
    """One document on one line: the photo, or why it cannot be read; with the score where wanted."""
    if isinstance(photo, UnusableInput):
        return json.dumps(
            {"photo": name, "error": [str(f) for f in photo.faults], **more}, ensure_ascii=False
        )
    said = document(photo.name, photo.deck, photo.reading, photo.seconds)
    said["warnings"] += warnings
    return json.dumps({**said, **more}, ensure_ascii=False)


def photo_text(
    photo: ScannedPhoto, warnings: Sequence[dict[str, str]], deck: Deck, ink: Ink
) -> str:
    """The rows with their cards numbered, what is to be looked over, and warnings."""
    rows = rows_of(photo.name, photo.reading)
    count = sum(len(row.spots) for row in rows)
    where = f" in {counted_as(len(rows), 'row')}" if rows else ""
    head = f"{plain(photo.name)}: {counted_as(count, 'card')}{where}"
    lines = [ink(head, "bold") + ink(f", {photo.seconds:.1f} s", "dim")]
    for number, row in enumerate(rows, 1):
        lines += _row(number, row, ink)
    unsure = [spot for row in rows for spot in row.spots if not spot.sighting.sure]
    if unsure:
        lines.append(ink("  Look over:", "bold", "yellow"))
        nameless = [spot for spot in unsure if spot.sighting.face is None]
        together = nameless if len(nameless) > _TOGETHER else []
        alone = [spot for spot in unsure if spot not in together]
        lines += [wrapped(f"    {_doubt(spot)}", "       ") for spot in alone]
        if together:
            which = ", ".join(str(spot.number) for spot in together)
            lines.append(wrapped(f"    {which} ??: look like no card of the deck", "       "))
    said = [(w.code, w.text) for w in photo.reading.warnings]
    for code, text in [*said, *((w["code"], w["text"]) for w in warnings)]:
        lines.append(wrapped(f"  {ink('Warning', 'yellow')}: {text} ({code})", "    "))
    if not rows:
        lines.append(f"  No card of {deck.title} was found.")
    return "\n".join(lines)


def trick_text(trick: Trick, ink: Ink) -> str:
    """Who played what, and who takes the trick, or why that cannot be told."""
    played = ", ".join(
        f"{player} {seen.face or '??'}{'' if seen.sure else '?'}" for player, seen in trick.plays
    )
    lines = [wrapped(f"  Trick: {played}", "    ")]
    if trick.winner is not None:
        sure = all(seen.sure for _, seen in trick.plays)
        told = f"{trick.winner} takes it{'' if sure else ', whatever the unsure cards are'}."
        return "\n".join([*lines, "  " + ink(told, "bold", "green")])
    return "\n".join(
        [*lines, *(wrapped(f"  {ink('Problem', 'yellow')}: {p}", "    ") for p in trick.problems)]
    )


def _row(number: int, row: SeenRow, ink: Ink) -> list[str]:
    """The cards of a row, each with its number; broken between cards where the line is full."""
    lines = [f"  Row {number}:"]
    free = _WIDE - len(lines[0])
    for spot in row.cells():
        plain = "." if spot is None else f"{spot.number} {_name(spot)}"
        if free < len(plain) + 2:
            lines.append(" " * 8)
            free = _WIDE - 8
        free -= len(plain) + 2
        lines[-1] += f"{'' if lines[-1].endswith(':') else ' '} {_cell(spot, ink)}"
    return lines


def _cell(spot: Spot | None, ink: Ink) -> str:
    if spot is None:
        return "."
    text = _name(spot)
    if not spot.sighting.sure:
        text = ink(text, "yellow" if spot.sighting.face else "red")
    return f"{ink(str(spot.number), 'dim')}\N{NO-BREAK SPACE}{text}"


def _name(spot: Spot) -> str:
    """`eagle`, `chief:red=3?`, `??`."""
    seen = spot.sighting
    if seen.face is None:
        return "??"
    number = f"={seen.number}" if seen.number is not None else ""
    return f"{seen.face}{number}{'' if seen.sure else '?'}"


def _doubt(spot: Spot) -> str:
    """`3 eagle? (column 4): 62 %, or furs 31 %; only 48 % of it is visible`."""
    seen = spot.sighting
    text = f"{spot.number} {_name(spot)} (column {spot.placed.column})"
    if seen.candidates:
        best, *others = seen.candidates
        named = [f"{c.face} {_percent(c.confidence)}" for c in others if c.confidence >= LIKELY]
        text += f": {_percent(best.confidence)}"
        text += f", or {', '.join(named)}" if named else ""
    told = {f"may also be {c.face}" for c in seen.candidates[1:] if c.confidence >= LIKELY}
    why = "; ".join(doubt for doubt in seen.doubts if doubt not in told)
    return f"{text}{'; ' if seen.candidates else ': '}{why}" if why else text


def _percent(confidence: float) -> str:
    return f"{round(100 * confidence)} %"


def score_text(players: Sequence[Counted], deck: Deck, ink: Ink) -> str:
    """Every player's lines, what the unsure cards can change, and who wins where that is settled."""
    lines: list[str] = []
    unit = "coins" if deck.game == "gold-up" else "points"
    for one in players:
        lines += ["", *_player(one, unit, ink)]
    won = winners(players)
    if won:
        names = " and ".join(won)
        sure = all(one.total is not None for one in players)
        verb = "win together" if len(won) > 1 else "wins"
        lines += [
            "",
            ink(
                f"{names} {verb}{'' if sure else ', whatever the unsure cards are'}.",
                "bold",
                "green",
            ),
        ]
    notes = {n["text"]: n for one in players for n in one.notes}
    if notes:
        lines += ["", ink("Notes:", "bold")]
        lines += [_cited(text, note, ink) for text, note in notes.items()]
    return "\n".join(lines[1:])


def _player(one: Counted, unit: str, ink: Ink) -> Iterator[str]:
    player = one.player
    best = sum(line["points"] for line in player["lines"])
    yield ink(f"{player['name']}: {_total(one, best, unit)}", "bold")
    if not player["lines"]:
        yield "  nothing that scores"
    for row, lines in groupby(player["lines"], key=lambda line: line.get("row")):
        own = list(lines)
        if row is not None:
            first, last = own[0]["columns"]
            points = sum(line["points"] for line in own)
            yield f"  Row {row}, columns {first}-{last}: {points}"
        for line in own:
            cards = f": {' '.join(line['cards'])}" if len(set(line.get("cards", ()))) > 1 else ""
            yield f"    {line['points']:>4}  {line['what']}{cards} " + ink(
                f"({line['rule']})", "dim"
            )
    for card in player["deciding"]:
        what = card["card"] or "a card without a name"
        others = ", ".join(card["alternatives"][1:])
        place = f"row {card['row']}, column {card['column']}"
        decides = f"{what}{f' or {others}' if others else ''}"
        yield f"  {ink('Decides', 'yellow')}: {place} ({card['place']} in {card['photo']}): {decides}"
    for problem in one.problems:
        yield wrapped(f"  {ink('Problem', 'yellow')}: {problem['text']}", "    ") + _rule(
            problem, ink
        )


def _total(one: Counted, best: int, unit: str) -> str:
    player = one.player
    if one.total is not None:
        return f"{one.total} {unit}"
    unsure = player["unsure"]
    cards = counted_as(unsure, "unsure card")
    low, high = player["lowest"], player["highest"]
    if high is None:
        return f"{low} {unit} or more; {best} as read"
    if low == high:
        change = "changes" if unsure == 1 else "change"
        return f"{best} {unit} as read" + (f"; the {cards} {change} nothing" if unsure else "")
    return f"{low} to {high} {unit} ({cards}); {best} as read"


def _cited(text: str, note: dict[str, Any], ink: Ink) -> str:
    return wrapped(f"  - {text}", "    ") + _rule(note, ink)


def _rule(said: dict[str, Any], ink: Ink) -> str:
    return " " + ink(f"({said['rule']}, {said['section']})", "dim") if "rule" in said else ""
