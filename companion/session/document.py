"""Matches as documents: the head of one to be begun, a match file to be written."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from companion import __version__, library
from companion.core.errors import Fault, UnusableInput
from companion.core.log import InForce, Played, quoted
from companion.core.options import as_dict, choices, plain, read_options
from companion.interchange.answers import act_ruling
from companion.interchange.match_file import read_entries
from companion.interchange.sheets import Sheet, load_sheet, raise_if
from companion.interchange.source import Document
from companion.session.replay import Step, recorded_ruling, steps, words
from companion.storage.port import NewEntry, NewMatch, StoredMatch

_COMMON = ("game", "deck", "options", "question", "actions", "players")


@lru_cache(maxsize=16)
def rules_version(game: str) -> str:
    """Program and rule book that a match was begun or finished with."""
    rules = (library.load(game).folder / "rules.toml").read_bytes()
    return f"{__version__}+{hashlib.sha256(rules).hexdigest()[:12]}"


def begun(
    game: str, players: Sequence[str], options: Any, deck: str | None, head: Mapping[str, Any]
) -> tuple[Sheet, NewMatch]:
    """A match before its first act, checked as a match file is; raises `UnusableInput`."""
    given = dict(options) if isinstance(options, Mapping) else as_dict(options) if options else {}
    raw: dict[str, Any] = {"game": game, "players": list(players), "actions": ""}
    if deck is not None:
        raw["deck"] = deck
    raw["options"] = {key: plain(value) for key, value in given.items()}
    told = {key: value for key, value in head.items() if value is not None}
    for key in told:
        if key in _COMMON:
            raise UnusableInput([Fault(key, "is no key of a match's head", "")])
    sheet = load_sheet(Document("-", {**raw, **told}, ""))
    names = tuple(players)
    match = NewMatch(game, deck, names, told, as_dict(sheet.options), rules_version(game))
    return sheet, match


def reopened(match: StoredMatch) -> Sheet:
    """A stored match before its first act, under the house rules that were frozen into it."""
    sheet, _ = begun(match.game, match.players, {}, match.deck, match.head)
    options, faults = read_options(sheet.game.options, match.options)
    raise_if(faults)
    return replace(sheet, options=options, state=replace(sheet.state, options=options))


def with_told(sheet: Sheet, facts: Mapping[str, Any]) -> Sheet:
    """The match before its first act, its cards knowing what the household has told about its box.

    `strengths` and `values`, as in a deck file, fill in what deck and house rules leave open; they
    never change what those say.
    """
    kinds, options = dict(sheet.deck.kinds), sheet.options
    for name, number in _numbers(facts.get("strengths")).items():
        kind = kinds.get(name)
        if kind is not None and kind.numbered and kind.number is None:
            kinds[name] = replace(kind, number=number)
    told = _numbers(facts.get("values"))
    for choice in choices(type(options)):
        if choice.keys and told:
            known = {**told, **dict(getattr(options, choice.name))}
            ordered = tuple((k, known[k]) for k in choice.keys if k in known)
            options = replace(options, **{choice.name: ordered})
    deck = replace(sheet.deck, kinds=kinds)
    state = replace(sheet.state, options=options, deck=deck)
    return replace(sheet, deck=deck, options=options, state=state)


def _numbers(told: Any) -> dict[str, int]:
    return dict(told) if isinstance(told, Mapping) else {}


def imported(document: Document) -> tuple[Sheet, NewMatch, list[NewEntry]]:
    """A match file as a match to be stored, with its entries; raises `UnusableInput`."""
    load_sheet(document)
    raw = dict(document.raw)
    if "actions" not in raw:
        right = "a match file has actions; a position can be scored, not continued"
        raise UnusableInput([Fault("actions", "is missing: this is no match file", right)])
    head = {key: value for key, value in raw.items() if key not in _COMMON}
    start, match = begun(raw["game"], raw["players"], raw.get("options", {}), raw.get("deck"), head)
    entries, faults = read_entries(raw["actions"], match.players)
    raise_if(faults)
    acts = [InForce(i, e.player, e.words, e.recorded, i) for i, e in enumerate(entries, 1)]
    new: list[NewEntry] = []
    state = start.state
    for step in steps(start.game, state, acts):
        if step.fault:
            raise UnusableInput([Fault(f"actions entry {step.told.seq}", step.fault, "")])
        told = step.told
        entry = Played(told.player, words(start.game, step.act, state), told.recorded)
        ruling = None
        if not step.verdict.legal:
            ruling = recorded_ruling(act_ruling(replace(start, state=state), step.act))
        new.append(NewEntry(entry, None, ruling))
        state = step.state
    return start, match, new


def match_file(match: StoredMatch, sheet: Sheet, steps: Iterable[Step]) -> str:
    """The match as TOML that `companion show` reads; the acts in force, one a line."""
    lines = [f"# {match.title}"] if match.title.isprintable() and match.title else []
    lines += [f"game = {_toml(match.game)}"]
    if match.deck is not None:
        lines.append(f"deck = {_toml(match.deck)}")
    lines.append(f"players = {_toml(list(match.players))}   # clockwise")
    lines += [f"{key} = {_toml(value)}" for key, value in match.head.items()]
    lines += ['actions = """', *map(_line, steps), '"""', "", "[options]"]
    lines += [f"{key} = {_toml(value)}" for key, value in as_dict(sheet.options).items()]
    return "\n".join(lines) + "\n"


def _line(step: Step) -> str:
    told = step.told
    text = f"{quoted(told.player)} {step.text}{' !' if told.recorded else ''}"
    text = text.replace("\\", "\\\\").replace('"""', '""\\"')
    return f"# does not count, {' '.join(step.fault.split())}: {text}" if step.fault else text


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_toml(str(key))} = {_toml(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
