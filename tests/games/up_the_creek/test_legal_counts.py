"""How many legal ways a match can go on, counted by the engine, by hand and by a second, plain referee.

A file of `legal-counts` is a match file, the kinds left in the decks, and the counts: `depth N: COUNT`.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from card_catalog.model import Deck
from companion.games.up_the_creek import GAME
from companion.games.up_the_creek.state import Awaiting, State
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document
from tests.games.up_the_creek.matches import DECK, act_of, legal_lines

FILES = sorted((Path(__file__).parent / "legal-counts").glob("*.txt"))
_DEPTH = re.compile(r"depth (\d+): (\d+)")


@dataclass(frozen=True)
class Counts:
    """What a file says."""

    state: State
    by_depth: dict[int, int]


@cache
def counts_of(path: Path) -> Counts:
    """The position of a file, with only its kinds left to draw."""
    match_file, kinds, by_depth = [], [], {}
    for line in path.read_text("utf-8").splitlines():
        if depth := _DEPTH.fullmatch(line):
            by_depth[int(depth[1])] = int(depth[2])
        elif line.startswith("kinds "):
            kinds = line.split()[1:]
        else:
            match_file.append(line)
    text = "\n".join(match_file)
    sheet = load_sheet(Document(str(path), tomllib.loads(text), text))
    assert not sheet.problems
    deck = Deck(DECK.id, DECK.game, DECK.title, {kind: DECK[kind] for kind in kinds})
    return Counts(replace(sheet.state, deck=deck), by_depth)


def continuations(state: State, depth: int) -> int:
    """Legal sequences of so many acts."""
    legal = list(GAME.legal(state))
    if depth == 1:
        return len(legal)
    return sum(continuations(GAME.apply(state, action), depth - 1) for action in legal)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_are_those_of_the_file(path: Path) -> None:
    counts = counts_of(path)
    assert 1 in counts.by_depth and 2 in counts.by_depth
    assert {d: continuations(counts.state, d) for d in counts.by_depth} == counts.by_depth


# The second referee: default house rules, every card tracked, strengths known. It knows rows as texts only.

INDIANS = {"paddler-1", "paddlers-2", "chief", "shaman", "lasso", "bow-and-arrows"}
STRENGTH = {"paddler-bow": 1, "paddler-stern": 1, "paddler-1": 1}
Cells = dict[tuple[int, int], str]
"""Written cards by (row, column)."""


def cells_of(state: State, player: str) -> Cells:
    found = {}
    for number, row in enumerate(state.board(player), 1):
        for offset, word in enumerate(str(row).split()):
            if word != ".":
                found[number, row.first + offset] = word
    return found


def name_of(word: str) -> str:
    return word.split("=", maxsplit=1)[0].split(":", maxsplit=1)[0]


def end_of(word: str) -> str:
    found = re.fullmatch(r"(?:paddler-)?(bow|stern)", name_of(word))
    return found[1] if found else ""


def columns(cells: Cells, row: int) -> list[int]:
    return sorted(c for r, c in cells if r == row)


def may_place(cells: Cells, card: str, row: int, column: int) -> bool:
    """The building rules, for one free place."""
    near = [(row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    if (row, column) in cells or not any(place in cells for place in near):
        return False
    if name_of(card) in [name_of(cells[row, c]) for c in columns(cells, row)]:
        return False
    after = {**cells, (row, column): card}
    line = columns(after, row)
    ends = [end_of(after[row, c]) for c in line if end_of(after[row, c])]
    alternating = all(left != right for left, right in pairwise(ends))
    return line[-1] - line[0] < 14 and (alternating or not end_of(card))


def ways_to_lay(cells: Cells, card: str, may_shift: bool) -> Iterator[tuple[str, str]]:
    """Where a card may go, as (`place` or `insert`, the words behind the card)."""
    if not cells:
        yield from (("place", f"{row} 1") for row in (1, 2, 3))
        return
    for row in (1, 2, 3):
        for column in range(-20, 40):
            if may_place(cells, card, row, column):
                yield "place", f"{row} {column}"
    half = re.fullmatch(r"(\w+)-([ab])", name_of(card))
    if half is None:
        return
    other = f"{half[1]}-{'b' if half[2] == 'a' else 'a'}"
    for (row, column), word in cells.items():
        if word != other:
            continue
        for side, step in (("left", -1), ("right", 1)):
            for shift in ("left", "right"):
                free = (row, column + step) not in cells
                if free and not may_place(cells, card, row, column + step):
                    continue
                if not free and not (may_shift and may_squeeze(cells, card, row, column, shift)):
                    continue
                yield "insert", f"{row} beside {other} {side} shift {shift}"


def may_squeeze(cells: Cells, card: str, row: int, column: int, shift: str) -> bool:
    """Whether a shifted row keeps its width: it grows by one column unless it has a gap on that side."""
    line = columns(cells, row)
    if name_of(card) in [name_of(cells[row, c]) for c in line]:
        return False
    edge, step = (line[-1], 1) if shift == "right" else (line[0], -1)
    has_gap = any((row, c) not in cells for c in range(column, edge, step))
    return has_gap or line[-1] - line[0] + 1 < 14


def canoes(cells: Cells) -> Iterator[tuple[int, int, list[str], bool]]:
    """Row, first column, cards and completeness of every canoe of a player."""
    for row in (1, 2, 3):
        pieces: list[list[int]] = [[]]
        for column in columns(cells, row):
            if end_of(cells[row, column]) == "bow":
                pieces.append([])
            pieces[-1].append(column)
            if end_of(cells[row, column]) == "stern":
                pieces.append([])
        for piece in filter(None, pieces):
            words = [cells[row, c] for c in piece]
            closed = end_of(words[0]) == "bow" and end_of(words[-1]) == "stern"
            complete = len(piece) > 1 and closed and piece[-1] - piece[0] == len(piece) - 1
            yield row, piece[0], words, complete


def strength(words: list[str]) -> int:
    return sum(int(w.split("=")[1]) if "=" in w else STRENGTH.get(name_of(w), 0) for w in words)


def referee(state: State) -> set[str]:
    """Every legal act in the state, as a line."""
    if state.over:
        return set()
    if state.revealed is not None:
        return set(with_revealed(state))
    if state.awaiting:
        return set(answers(state, state.awaiting[0]))
    lines = {f"{state.active} reveal {kind}" for kind in state.deck.kinds}
    return lines | ({f"{state.active} reshuffle"} if state.discard else set())


def with_revealed(state: State) -> Iterator[str]:
    player, card = str(state.active), str(state.revealed)
    for verb, where in ways_to_lay(cells_of(state, player), card, True):
        yield f"{player} {verb} {card} {where}"
    yield f"{player} discard {card}"


def answers(state: State, awaited: Awaiting) -> Iterator[str]:
    player = awaited.player
    mine = cells_of(state, player)
    others = {name: cells_of(state, name) for name in state.players if name != player}
    if awaited.offer == "axe":
        yield from (f"{player} axe {r} {c}" for r, c, _, complete in canoes(mine) if complete)
        return
    yield f"{player} decline"
    if awaited.offer == "end":
        yield f"{player} end"
    if awaited.offer == "spoils":
        for card in set(map(str, awaited.cards)):
            yield f"{player} discard {card}"
            for _, where in ways_to_lay(mine, card, False):
                yield f"{player} take {card} {where}"
    if awaited.offer in ("steal", "shoot"):
        for name, cells in others.items():
            safe = {
                (row, column + i)
                for row, column, words, complete in canoes(cells)
                if complete
                for i in range(len(words))
            }
            for (row, column), card in cells.items():
                if (row, column) in safe:
                    continue
                if awaited.offer == "shoot" and name_of(card) in INDIANS:
                    yield f"{player} shoot {name} {row} {column}"
                if awaited.offer == "steal":
                    for _, where in ways_to_lay(mine, card, False):
                        yield f"{player} steal {name} {row} {column} to {where}"
    if awaited.offer == "attack":
        yield from attacks(player, mine, others, awaited)


def attacks(player: str, mine: Cells, others: dict[str, Cells], awaited: Awaiting) -> Iterator[str]:
    words = next(w for r, c, w, _ in canoes(mine) if (r, c) == (awaited.row, awaited.column))
    targets = [
        (f"{name} {row} {column}", strength(theirs))
        for name, cells in others.items()
        for row, column, theirs, _ in canoes(cells)
        if "totem" not in theirs
    ]
    start = f"{player} attack {awaited.row} {awaited.column} on"
    for i, (target, weak) in enumerate(targets):
        if strength(words) > weak:
            yield f"{start} {target}"
        if any(name_of(word) == "shaman" for word in words):
            for second, also in targets[i + 1 :]:
                if strength(words) >= weak + 1 + also + 1:
                    yield f"{start} {target} and {second}"


def agreed(state: State, depth: int) -> int:
    """Legal sequences of so many acts, both referees asked at every step."""
    lines = referee(state)
    assert legal_lines(state) == lines
    if depth == 1:
        return len(lines)
    whole_box = replace(state, deck=DECK)
    return sum(
        agreed(GAME.apply(state, act_of(whole_box, line)), depth - 1) for line in sorted(lines)
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_second_referee_allows_the_same_acts(path: Path) -> None:
    counts = counts_of(path)
    assert {d: agreed(counts.state, d) for d in counts.by_depth} == counts.by_depth
