"""The acts of a match file: one a line, `PLAYER VERB ...`, `#` comments, `!` for a recorded one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from card_catalog.lookup import shown
from companion.core.errors import Fault, ImpossibleAction, UnusableInput
from companion.core.game import Game
from companion.core.score import Problem
from companion.core.verdict import Objection, Verdict
from companion.interchange.schema import player_hint

_WORD = re.compile(r'\s*(?:"([^"\n]*)"|([^\s"#]+)|(#.*$)|(\S))')


@dataclass(frozen=True, slots=True)
class Entry:
    """One act of a match file."""

    line: int
    """Counted from 1 inside `actions`."""
    player: str
    words: tuple[str, ...]
    recorded: bool
    """Marked with `!`: known to be against the rules."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match after its last act."""

    state: Any
    problems: tuple[Problem, ...]
    entries: tuple[Entry, ...]
    actions: tuple[Any, ...]
    events: tuple[tuple[int, str], ...]
    """What each act led to, as (line, sentence)."""


class Quoted(str):
    """A word that stood in quotation marks: whatever it ends in is part of it."""


def words_of(line: str) -> tuple[list[str], str]:
    """The words of a line without its comment, quotes removed, and what is wrong with it if anything."""
    words: list[str] = []
    at = 0
    line = line.rstrip()
    while at < len(line):
        found = _WORD.match(line, at)
        if found is None:
            break
        quoted, plain, comment, stray = found.groups()
        if comment is not None:
            break
        if stray is not None:
            return words, "a quotation mark is never closed"
        words.append(Quoted(quoted) if quoted is not None else plain)
        at = found.end()
    return words, ""


def read_entries(text: str, names: tuple[str, ...]) -> tuple[list[Entry], list[Fault]]:
    """Every act of the text, and every line that is not one."""
    entries: list[Entry] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), 1):
        where = f"actions line {number}"
        words, wrong = words_of(line)
        if wrong:
            faults.append(
                Fault(
                    where, f"{shown(line.strip())}: {wrong}", 'write names with spaces as "Big Ben"'
                )
            )
            continue
        if not words:
            continue
        recorded = words[-1].endswith("!") and not isinstance(words[-1], Quoted)
        if recorded:
            last = words.pop()[:-1]
            words += [last] if last else []
        player = player_named(words[0], names) if words else None
        if player is None:
            found = shown(words[0]) if words else "nothing before the !"
            faults.append(Fault(where, f"no player {found}", player_hint(found, names)))
            continue
        if len(words) < 2:
            faults.append(Fault(where, f"{shown(line.strip())}: no act", "write PLAYER VERB ..."))
            continue
        entries.append(Entry(number, player, tuple(map(str, words[1:])), recorded))
    return entries, faults


def player_named(word: str, names: tuple[str, ...]) -> str | None:
    """The player of that name, upper and lower case alike."""
    if word in names:
        return word
    folded = [n for n in names if n.casefold() == word.casefold()]
    return folded[0] if len(folded) == 1 else None


def replay(game: Game, state: Any, text: str, names: tuple[str, ...]) -> Played:
    """The match of these acts; raises `UnusableInput` for lines that cannot be acts of it."""
    entries, faults = read_entries(text, names)
    problems: list[Problem] = []
    actions: list[Any] = []
    events: list[tuple[int, str]] = []
    for entry in entries:
        where = f"actions line {entry.line}"
        try:
            action = game.parse(entry.player, entry.words, state)
        except UnusableInput as error:
            faults += [Fault(where, _join(f), f.right) for f in error.faults]
            continue
        verdict = game.check(state, action)
        if not verdict.possible:
            faults += impossible_faults(verdict, where)
            continue
        problems += line_problems(verdict, entry)
        try:
            state = game.apply(state, action)
        except ImpossibleAction as error:
            faults += impossible_faults(error.verdict, where)
            continue
        actions.append(action)
        events += [(entry.line, text) for text in getattr(state, "news", ())]
    if faults:
        raise UnusableInput(faults)
    return Played(state, tuple(problems), tuple(entries), tuple(actions), tuple(events))


def _join(fault: Fault) -> str:
    return f"{fault.where}: {fault.found}" if fault.where else fault.found


def impossible_faults(verdict: Verdict, where: str) -> Iterator[Fault]:
    """Why it cannot have happened, and what would be right."""
    for objection in verdict.objections:
        if objection.impossible:
            text = f"cannot have happened: {objection.text}"
            yield Fault(where, text, " or ".join(objection.instead))


def line_problems(verdict: Verdict, entry: Entry) -> Iterator[Problem]:
    """The objections to an act as problems of its line."""
    for objection in verdict.objections:
        recorded = " (recorded all the same)" if entry.recorded else ""
        yield Problem(
            objection.rule,
            f"line {entry.line}, {entry.player} {shown(' '.join(entry.words))}: {objection.text}{recorded}",
            (("player", entry.player), ("line", entry.line), *_row(objection)),
        )


def _row(objection: Objection) -> Iterator[tuple[str, int]]:
    """The row that an objection is about, where it names one."""
    for key in objection.place:
        if isinstance(key, tuple) and key[0] == "row":
            yield key
