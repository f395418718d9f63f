"""A document being typed to its score: whatever can be counted is, the rest is named by its place."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from card_catalog.lookup import lookup_in
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.core.options import choices, plain, read_options
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document
from companion.tui.counting import SEEN, Count, CountedTable, Place, Wrong, gold_up, up_the_creek
from companion.tui.counting import without_a_paddle as paddle

_PLAYER = re.compile(r"players\[(\d+)\]")
_ROUND = re.compile(r"round (\d+)")


def blank(game: str, names: Sequence[str], options: Any, dealer: str = "") -> dict[str, Any]:
    """A document with nothing on the table, under these house rules."""
    body: dict[str, Any]
    if game == "up-the-creek":
        body = up_the_creek.blank(names)
    elif game == "without-a-paddle":
        body = paddle.blank(names, dealer or names[-1])
    else:
        body = gold_up.blank(names)
    return {"game": game, "options": changed(options), **body}


def changed(options: Any) -> dict[str, Any]:
    """The house rules that differ from the default, as a file has them."""
    found = {}
    for choice in choices(type(options)):
        value = getattr(options, choice.name)
        if value != choice.default:
            found[choice.name] = dict(value) if choice.keys else plain(value)
    return found


def names_of(raw: Mapping[str, Any]) -> tuple[str, ...]:
    """The players of a document."""
    return tuple(p["name"] if isinstance(p, Mapping) else p for p in raw["players"])


def options_of(raw: Mapping[str, Any]) -> Any:
    """The house rules of a document; faulty ones keep their default."""
    game = library.load(raw["game"]).game
    return read_options(game.options, raw.get("options", {}))[0]


def sheet_of(raw: Mapping[str, Any]) -> CountedTable:
    """The table of a document as it stands; raises `UnusableInput`."""
    told = {key: value for key, value in raw.items() if key != SEEN}
    return CountedTable(load_sheet(Document("-", told, "")), seen=tuple(raw.get(SEEN, ())))


def clean(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Wrong], list[Wrong]]:
    """What of a document can be scored, what is wrong with it, and what is not entered yet."""
    game = raw["game"]
    lookup = lookup_in(library.deck_of(game, None, None))
    if game == "up-the-creek":
        sound, wrong = up_the_creek.scorable(raw, lookup)
        return sound, wrong, []
    if game == "gold-up":
        sound, wrong = gold_up.scorable(raw, lookup)
        return sound, wrong, []
    sound, awaited = paddle.scorable(raw, options_of(raw))
    return sound, [], awaited


def count(raw: Mapping[str, Any]) -> Count:
    """The score of what has been typed so far; it never raises for what a person can type."""
    sound, wrong, awaited = clean(raw)
    try:
        table = sheet_of(sound)
    except UnusableInput as error:
        wrong += [Wrong(_place(fault), str(fault)) for fault in error.faults]
        return Count(None, None, tuple(wrong), tuple(awaited))
    return Count(table, table.score(), tuple(wrong), tuple(awaited))


def _place(fault: Fault) -> Place:
    if fault.where.startswith("options.values"):
        return ("values",)
    for pattern in (_PLAYER, _ROUND):
        found = pattern.search(fault.where)
        if found:
            return (int(found[1]),)
    return ()


def problems_at(counted: Count, names: Sequence[str]) -> tuple[Wrong, ...]:
    """What is against the rules, by its place on the screen."""
    if counted.score is None:
        return ()
    found = []
    for problem in counted.score.problems:
        where = dict(problem.where)
        place: list[int | str] = []
        for key in ("hand", "round"):
            if key in where:
                place.append(where[key])
        if not place and where.get("player") in names:
            place.append(list(names).index(where["player"]) + 1)
            if "row" in where:
                place.append(where["row"])
        told = f"{where.get('player')}, row {where.get('row')}: "
        found.append(Wrong(tuple(place), problem.text.removeprefix(told)))
    return tuple(found)


def acts_of(raw: Mapping[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    """The document as acts of a match, in order."""
    game = raw["game"]
    lookup = lookup_in(library.deck_of(game, None, None))
    if game == "up-the-creek":
        return up_the_creek.acts(raw, lookup)
    if game == "gold-up":
        return gold_up.acts(raw, lookup)
    return paddle.acts(raw, options_of(raw))


def is_empty(raw: Mapping[str, Any]) -> bool:
    """Whether nothing has been typed that could be lost."""
    if raw["game"] == "up-the-creek":
        return not any(text for player in raw["players"] for text in player.get("rows", ()))
    return not raw.get("rounds") and not raw.get("hands")
