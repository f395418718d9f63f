"""Replaying the acts in force, and reading and writing them as lines of a match file."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.core.errors import Fault, ImpossibleAction, UnusableInput
from companion.core.game import Game
from companion.core.log import InForce, quoted
from companion.core.score import Problem
from companion.core.verdict import LEGAL, Ruling, Verdict
from companion.interchange.match_file import Entry, line_problems, words_of
from companion.interchange.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Step:
    """An act in force and what came of it."""

    told: InForce
    act: Any
    """None where the words cannot be read."""
    verdict: Verdict
    state: Any
    """After it."""
    news: tuple[str, ...] = ()
    fault: str = ""
    """Why it does not count; the state is then the one before it."""

    @property
    def text(self) -> str:
        """Its words as in a match file, without the player."""
        return joined(self.told.words)


def steps(game: Game, state: Any, acts: Iterable[InForce]) -> Iterator[Step]:
    """Each act with its verdict and the state after it.

    An act that cannot have happened is passed over and says so: a log that an older program wrote
    must still open.
    """
    for told in acts:
        try:
            act = game.parse(told.player, told.words, state)
        except UnusableInput as error:
            yield Step(told, None, LEGAL, state, fault="; ".join(f.found for f in error.faults))
            continue
        step = taken(game, state, told, act)
        state = step.state
        yield step


def taken(game: Game, state: Any, told: InForce, act: Any) -> Step:
    """The step of an act that has been read."""
    verdict = game.check(state, act)
    try:
        if not verdict.possible:
            raise ImpossibleAction(verdict)
        after = game.apply(state, act)
    except ImpossibleAction as error:
        return Step(told, act, error.verdict, state, fault=impossible(error.verdict))
    return Step(told, act, verdict, after, tuple(getattr(after, "news", ())))


def impossible(verdict: Verdict) -> str:
    """Why an act cannot have happened; empty where it can."""
    return "; ".join(o.text for o in verdict.objections if o.impossible)


def sheet_after(start: Sheet, found: Sequence[Step]) -> Sheet:
    """The match as a sheet after these steps, as a match file of it would be read."""
    state = found[-1].state if found else start.state
    problems: list[Problem] = []
    events: list[tuple[int, str]] = []
    for line, step in enumerate(found, 1):
        told = step.told
        if step.verdict.objections:
            entry = Entry(line, told.player, told.words, told.recorded)
            problems += line_problems(step.verdict, entry)
        events += [(line, text) for text in step.news]
    return replace(
        start,
        position=start.game.standing(state),
        state=state,
        problems=tuple(problems),
        events=tuple(events),
    )


def words(game: Game, act: Any, state: Any) -> tuple[str, ...]:
    """An act as the words that the log keeps; raises `UnusableInput` if they would not be it again."""
    found = tuple(words_of(game.encode(act))[0])
    if not found or game.parse(act.player, found, state) != act:
        raise UnusableInput([Fault("act", f"{game.encode(act)} cannot be written down", "")])
    return found


def joined(found: Sequence[str]) -> str:
    """Words as one writes them in a match file."""
    return " ".join(map(quoted, found))


def recorded_ruling(ruling: Ruling) -> dict[str, Any]:
    """A ruling as the log keeps it."""
    return {
        "verdict": str(ruling.verdict.outcome),
        "clarity": str(ruling.clarity),
        "rules": list(ruling.rules),
        "reasons": [
            *(o.text for o in ruling.objections),
            *(u.text for u in ruling.verdict.unknowns),
        ],
        "instead": [text for o in ruling.objections for text in o.instead],
        "readings": [other.label for other in ruling.readings],
    }
