"""Plain data to a sheet: a position, a question about it, or a match, checked as a whole.

Every fault of a file is reported together: what the structure, the names, the options and the game
itself have to say.
"""

import copy
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import ValidationError

from card_catalog.loader import BadDeck
from card_catalog.lookup import lookup_in, shown
from card_catalog.model import Deck
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.core.game import Game, Question
from companion.core.options import choices, nearest_hint, read_options
from companion.core.rulebook import Rulebook
from companion.core.score import Problem
from companion.interchange.schema import Reading, faults_of, neutral_at, validator
from companion.interchange.source import Document

LONGEST_NAME = 60
_COMMON = ("game", "deck", "options", "question", "actions")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file that was understood: what lies on the table, under which house rules."""

    game: Game
    rules: Rulebook
    deck: Deck
    options: Any
    position: Any
    question: Question | None = None
    kind: str = ""
    """Kind of the question."""
    state: Any = None
    """Of a match file: the state after its last act."""
    problems: tuple[Problem, ...] = ()
    """Of a match file: acts against the rules, each with its line."""
    events: tuple[tuple[int, str], ...] = ()
    """Of a match file: what each act led to, as (line, sentence)."""


def load_sheet(document: Document, question: bool = False) -> Sheet:
    """The sheet of a document; with `question`, one must be asked in it. Raises `UnusableInput`."""
    raw = document.raw
    game, rules = _game(raw)
    deck, faults = _deck(game, document)
    names, wrong_names = _names(raw.get("players"), game, "actions" in raw)
    faults += wrong_names
    options, wrong_options = _options(game, raw, deck)
    faults += wrong_options
    reading = Reading(lookup_in(deck), names)
    body = {k: v for k, v in raw.items() if k not in _COMMON}
    if "actions" in raw:
        head, wrong = _read(game.head, body, reading, _COMMON)
        faults += _but_names(wrong, wrong_names)
        asked, kind, wrong = _question(game, raw, reading, question)
        faults += wrong
        sheet = Sheet(game, rules, deck, options, None, asked, kind)
        if head is not None and not wrong_names:
            try:
                sheet = _replayed(sheet, head, raw["actions"], names)
            except UnusableInput as error:
                faults += error.faults
        raise_if(faults)
        return sheet
    position, wrong = _read(game.position, body, reading, _COMMON)
    wrong = _but_names(wrong, wrong_names)
    if position is None and not wrong_names:
        position_left = _salvaged(game.position, body, reading)
        if position_left is not None:
            wrong += game.faults(position_left, options)
    elif position is not None and not wrong_names:
        wrong += game.faults(position, options)
    faults += wrong
    asked, kind, wrong = _question(game, raw, reading, question)
    raise_if(faults + wrong)
    return Sheet(game, rules, deck, options, position, asked, kind)


def _but_names(wrong: list[Fault], wrong_names: list[Fault]) -> list[Fault]:
    """The faults without those of names that are told already."""
    told = {f.where for f in wrong_names} | {f"{f.where}.name" for f in wrong_names}
    return [f for f in wrong if f.where not in told]


def raise_if(faults: list[Fault]) -> None:
    """Raises all of them together, each once, if there are any."""
    if faults:
        raise UnusableInput(dict.fromkeys(faults))


def _game(raw: Mapping[str, Any]) -> tuple[Game, Rulebook]:
    name = raw.get("game")
    known = library.names() if not isinstance(name, str) or name not in library.SHIPPED else ()
    if name is None:
        close = nearest_hint("game", [k for k in raw if k not in _COMMON])
        typed = close.removeprefix("did you mean ").removesuffix("?") if "did" in close else ""
        found = f"is missing ({shown(typed)} is no key)" if typed else "is missing"
        raise UnusableInput([Fault("game", found, f"add game = one of {', '.join(known)}")])
    if not isinstance(name, str):
        raise UnusableInput(
            [Fault("game", f"{shown(repr(name))} is not text", f"use one of {', '.join(known)}")]
        )
    try:
        installed = library.load(name)
    except library.UnknownGame:
        raise UnusableInput(
            [Fault("game", f"unknown game {shown(name)}", nearest_hint(name, known))]
        ) from None
    return installed.game, installed.rules


def _deck(game: Game, document: Document) -> tuple[Deck, list[Fault]]:
    name = document.raw.get("deck")
    plain = library.deck_of(game.id, None, None)
    if name is None:
        return plain, []
    if not isinstance(name, str) or not name.replace("-", "").isalnum() or len(name) > 40:
        right = "a deck is named by letters, digits and -"
        return plain, [Fault("deck", f"{shown(str(name))} cannot be a deck", right)]
    try:
        deck = library.deck_of(game.id, name, document.folder)
    except BadDeck as error:
        return plain, [Fault(f"deck {name}: {key}", text) for key, text in error.faults]
    if deck.game != game.id:
        return plain, [
            Fault("deck", f"{name} is a deck for {deck.game}", f"this file is {game.id}")
        ]
    return deck, []


def _options(game: Game, raw: Mapping[str, Any], deck: Deck) -> tuple[Any, list[Fault]]:
    given = raw.get("options", {})
    if not isinstance(given, dict):
        return game.options(), [
            Fault("options", f"{shown(repr(given))} is not a table", "write [options]")
        ]
    merged = dict(given)
    for choice in choices(game.options):
        if choice.keys and deck.values and isinstance(merged.get(choice.name, {}), dict):
            merged[choice.name] = {**deck.values, **merged.get(choice.name, {})}
    options, faults = read_options(game.options, merged)
    return options, faults


def _names(players: Any, game: Game, match: bool) -> tuple[tuple[str, ...], list[Fault]]:
    """The names of the players of a file, and what is wrong with them."""
    if not isinstance(players, list):
        return (), [
            Fault("players", "is missing" if players is None else "is not a list", "add players")
        ]
    faults: list[Fault] = []
    names: list[str] = []
    for i, player in enumerate(players, 1):
        name = player.get("name") if isinstance(player, dict) else player
        where = f"players[{i}]"
        if not isinstance(name, str):
            if isinstance(player, dict) and "name" not in player:
                continue
            faults.append(Fault(where, f"{shown(repr(name))} is no name", "write a name in quotes"))
            continue
        if not name.strip():
            faults.append(Fault(where, "an empty name", "write a name"))
        elif any(_unseen(c) for c in name):
            faults.append(
                Fault(
                    where,
                    f"the name {shown(name)} holds a line break or control character",
                    "write it on one line",
                )
            )
        elif len(name) > LONGEST_NAME:
            faults.append(
                Fault(where, f"a name of {len(name)} characters", f"use at most {LONGEST_NAME}")
            )
        elif match and '"' in name:
            right = "in a match file a name is put in quotation marks where it needs them"
            faults.append(Fault(where, f"the name {shown(name)} holds a quotation mark", right))
        names.append(name)
    folded = [unicodedata.normalize("NFC", n).casefold().strip() for n in names]
    for name in dict.fromkeys(n for n, f in zip(names, folded, strict=True) if folded.count(f) > 1):
        if folded.index(unicodedata.normalize("NFC", name).casefold().strip()) == names.index(name):
            faults.append(
                Fault(
                    "players",
                    f"two players are named {shown(name)}",
                    "give each a name of their own",
                )
            )
    fewest, most = game.match_seats if match else game.seats
    if len(players) < fewest or (most < 99 and len(players) > most):
        count = f"{len(players)} player{'' if len(players) == 1 else 's'}"
        right = (
            f"{game.title} takes {fewest} to {most}"
            if most < 99
            else f"{game.title} takes {fewest} or more"
        )
        faults.append(Fault("players", count, right + (" in a match" if match else "")))
    return tuple(names), faults


def _unseen(character: str) -> bool:
    """Whether nobody can see it: breaks, control and direction marks; emoji may be joined."""
    return character != "\u200d" and unicodedata.category(character) in (
        "Cc",
        "Cf",
        "Cs",
        "Zl",
        "Zp",
    )


def _read(
    cls: type, raw: Mapping[str, Any], reading: Reading, also: tuple[str, ...], prefix: str = ""
) -> tuple[Any, list[Fault]]:
    try:
        return validator(cls).validate_python(dict(raw), context=reading), []
    except ValidationError as error:
        return None, faults_of(error, cls, raw, also, prefix)


def _salvaged(cls: type, raw: Mapping[str, Any], reading: Reading) -> Any:
    """What is left of a faulty file without its faulty entries, if that makes sense at all."""
    left = copy.deepcopy(dict(raw))
    for _ in range(3):
        try:
            return validator(cls).validate_python(left, context=reading)
        except ValidationError as error:
            wrong = sorted(error.errors(), key=lambda e: _order(e["loc"]), reverse=True)
            for one in wrong:
                loc = one["loc"]
                extra = one["type"] == "extra_forbidden" or loc[-1] == "[key]"
                value = None if extra else neutral_at(cls, loc, reading.players)
                _set(left, loc[:-1] if loc[-1] == "[key]" else loc, value)
    return None


def _order(loc: tuple[int | str, ...]) -> tuple[Any, ...]:
    """Sorts places so that, from the last on, each can be left out without moving those to come."""
    return len(loc), tuple((isinstance(part, int), part) for part in loc)


def _set(raw: Any, loc: tuple[int | str, ...], value: Any) -> None:
    """The value put there; None: the entry left out."""
    here, last = raw, loc[-1]
    for part in loc[:-1]:
        inner = None
        if isinstance(here, dict):
            inner = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            inner = here[part]
        if not isinstance(inner, dict | list):
            last, value = part, []
            break
        here = inner
    if isinstance(here, dict):
        here[last] = value
        if value is None:
            del here[last]
    elif isinstance(here, list) and isinstance(last, int) and last < len(here):
        here[last : last + 1] = [] if value is None else [value]


def _question(
    game: Game, raw: Mapping[str, Any], reading: Reading, wanted: bool
) -> tuple[Question | None, str, list[Fault]]:
    asked = raw.get("question")
    if asked is None:
        if wanted:
            kinds = ", ".join(game.questions)
            right = f"add [question] with kind = one of {kinds}"
            return None, "", [Fault("question", "is missing", right)]
        return None, "", []
    if not isinstance(asked, dict):
        return (
            None,
            "",
            [Fault("question", f"{shown(repr(asked))} is not a table", "write [question]")],
        )
    kind = asked.get("kind")
    if not isinstance(kind, str) or kind not in game.questions:
        found = "is missing" if kind is None else f"unknown kind of question {shown(str(kind))}"
        return None, "", [Fault("question.kind", found, nearest_hint(str(kind), game.questions))]
    fields = {k: v for k, v in asked.items() if k != "kind"}
    question, faults = _read(game.questions[kind], fields, reading, ("kind",), "question.")
    return question, kind, faults


def _replayed(sheet: Sheet, head: Any, actions: Any, names: tuple[str, ...]) -> Sheet:
    from companion.interchange.match_file import replay

    if not isinstance(actions, str):
        raise UnusableInput(
            [Fault("actions", "is not text", 'write actions = """ ... """, one act a line')]
        )
    state = sheet.game.start(head, sheet.options, sheet.deck)
    played = replay(sheet.game, state, actions, names)
    return replace(
        sheet,
        state=played.state,
        position=sheet.game.standing(played.state),
        problems=played.problems,
        events=played.events,
    )
