"""What photos show as a position file: the structure that `companion score` takes, and its text.

A place that is unsure is written by its best reading, an unnamed card as an empty place; a comment above
the row says so, because a file is read by people too.
"""

import json
from collections.abc import Sequence
from typing import Any

from card_catalog.loader import shipped
from card_catalog.model import Card, Deck
from card_catalog.notation import write_row
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake.table import Seen, SeenRow, Spot, may_be, read_card

MOST_ROWS = 3
"""Of a player of Up the Creek (`utc:build.rows`)."""
GAMES = ("up-the-creek", "gold-up")
"""Those whose table a photo can tell."""


def check_game(deck_name: str, deck: Deck, wanted: str) -> None:
    """Raises `UnusableInput` where cards on a table are no position of the deck's game."""
    if deck.game in GAMES:
        return
    if deck.game in library.names():
        title = library.load(deck.game).game.title
        found = f"{deck_name} is a deck for {title}, whose score needs bids and tricks"
        right = f"write its sheet: companion template {deck.game} --players ..."
    else:
        found, right = f"{deck_name} is a deck of no game that this program scores", ""
    raise UnusableInput([Fault(wanted, found, right or f"scan it without {wanted}")])


def raw_position(deck_name: str, deck: Deck, seen: Sequence[Seen]) -> dict[str, Any]:
    """The document that `load_sheet` understands."""
    head: dict[str, Any] = {"game": deck.game}
    if deck_name not in shipped():
        head["deck"] = deck_name
    if deck.game == "gold-up":
        chests = {one.player: [str(c) for c in chests_of(one, deck)] for one in seen}
        return {**head, "players": list(chests), "hands": [{"chests": chests}]}
    players = [
        {"name": one.player, "rows": [row_text(row, deck) for row in one.rows]} for one in seen
    ]
    return {**head, "players": players}


def row_text(row: SeenRow, deck: Deck) -> str:
    """A row as it is written in a position file; columns left of its first card are empty."""
    return write_row(None if spot is None else read_card(spot, deck) for spot in row.cells())


def chests_of(seen: Seen, deck: Deck) -> list[Card]:
    """The chests among what was seen, by the best reading."""
    cards = (read_card(spot, deck) for spot in seen.spots)
    return [card for card in cards if card is not None and card.kind.group == "chest"]


def position_text(deck_name: str, deck: Deck, seen: Sequence[Seen]) -> str:
    """The position file as TOML, with a comment for every card that has to be looked at."""
    raw = raw_position(deck_name, deck, seen)
    lines = [
        "# Read from photographs by `companion scan`. What is marked # ? was not sure: look it over.",
        *(f"# {text}" for text in remarks(deck, seen)),
        *(f"{key} = {_quoted(raw[key])}" for key in ("game", "deck") if key in raw),
    ]
    if deck.game == "gold-up":
        lines += _gold_up(raw, deck, seen)
    else:
        for one in seen:
            lines += ["", "[[players]]", f"name = {_quoted(one.player)}", *_rows(one, deck)]
    return "\n".join(lines) + "\n"


def remarks(deck: Deck, seen: Sequence[Seen]) -> list[str]:
    """What keeps the position from being complete, or from being scored as it is."""
    said = [
        f"{one.player}: {photo} could not be read, so what lies there is missing"
        for one in seen
        for photo in one.unread
    ]
    if deck.game == "up-the-creek":
        said += [text for one in seen for text in one.unclear]
        said += [too_many(one) for one in seen if len(one.rows) > MOST_ROWS]
    fewest, most = library.load(deck.game).game.seats
    if not fewest <= len(seen) <= most:
        game = library.load(deck.game).game.title
        few = f"{game} needs {fewest} players or more" if len(seen) < fewest else f"at most {most}"
        said.append(f"{len(seen)} player{'' if len(seen) == 1 else 's'}; {few}: see --player")
    return said


def too_many(seen: Seen) -> str:
    """Says that a player has more rows than the game has."""
    return (
        f"{seen.player} has {len(seen.rows)} rows, and a player has at most {MOST_ROWS}: put --player "
        "NAME before the photos of each player, or photograph each player's rows alone"
    )


def _rows(seen: Seen, deck: Deck) -> list[str]:
    lines = ["rows = ["]
    for number, row in enumerate(seen.rows, 1):
        lines += [f"    # ? {text}" for text in marked(row, number, deck)]
        lines.append(f"    {_quoted(row_text(row, deck))},")
    return [*lines, "]"] if seen.rows else ["rows = []"]


def marked(row: SeenRow, number: int, deck: Deck) -> list[str]:
    """Of every card of a row that is not sure: where it lies, what it may be, and why."""
    return [
        f"row {number}, column {spot.placed.column}: {doubt(spot, deck)}"
        for spot in row.spots
        if not spot.sighting.sure
    ]


def doubt(spot: Spot, deck: Deck) -> str:
    """What an unsure card may be, and why it is unsure."""
    why = "; ".join(spot.sighting.doubts)
    if spot.sighting.face is None:
        return f"a card without a name, written as an empty place ({why})"
    best, *others = may_be(spot, deck)
    named = ", ".join(map(str, others))
    return f"{best}{f', or {named}' if named else ''}{f' ({why})' if why else ''}"


def _gold_up(raw: dict[str, Any], deck: Deck, seen: Sequence[Seen]) -> list[str]:
    lines = [f"players = {_quoted(raw['players'])}", "", "[[hands]]", "[hands.chests]"]
    for one in seen:
        for number, row in enumerate(one.rows, 1):
            lines += [f"# ? {text}" for text in marked(row, number, deck)]
        others = [
            c for c in (read_card(s, deck) for s in one.spots) if c and c.kind.group != "chest"
        ]
        if others:
            lines.append(f"# left out, no chests: {' '.join(map(str, others))}")
        lines.append(f"{_quoted(one.player)} = {_quoted(raw['hands'][0]['chests'][one.player])}")
    return lines


def _quoted(value: Any) -> str:
    """Text, or a list of texts, as TOML has it."""
    return json.dumps(value, ensure_ascii=False)
