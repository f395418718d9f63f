"""Scores and rulings as the JSON of the public contract."""

from dataclasses import replace
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.core.options import as_dict
from companion.core.rulebook import Rulebook
from companion.core.score import Line, Note, Problem, Score
from companion.core.verdict import Clarity, Outcome, Ruling, settle
from companion.interchange.sheets import Sheet


def score_of(sheet: Sheet) -> Score:
    """The score of a sheet; of a match with its acts against the rules and its corrections.

    A fault that a line of the match already tells is not told again for the table it left.
    """
    score = sheet.game.score(sheet.position, sheet.options, sheet.deck)
    if sheet.state is None:
        return score
    told = list(sheet.problems)
    left = []
    for problem in score.problems:
        same = next((t for t in told if _is_same(t, problem)), None)
        if same is None:
            left.append(problem)
        else:
            told.remove(same)
    corrected = [
        Note(sheet.game.observed_rule, text, Clarity.CLEAR)
        for text in sheet.game.corrections(sheet.state)
    ]
    return Score(
        score.players,
        score.winners,
        score.complete,
        (*sheet.problems, *left),
        (*corrected, *score.notes),
    )


def _is_same(told: Problem, found: Problem) -> bool:
    """Whether a line of the match tells the fault that lies on the table: rule, player and row."""
    line, table = dict(told.where), dict(found.where)
    return told.rule == found.rule and all(
        line[key] == table[key] for key in ("player", "row") if key in line and key in table
    )


def score_json(sheet: Sheet, score: Score) -> dict[str, Any]:
    """The answer of `companion score --json`."""
    return {
        "game": sheet.game.id,
        "options": as_dict(sheet.options),
        "players": [
            {
                "name": player.name,
                "total": player.total,
                "rank": player.rank,
                "lines": [_line(line) for line in player.lines],
            }
            for player in score.players
        ],
        "winners": list(score.winners),
        "complete": score.complete,
        "notes": [_note(note, sheet.rules) for note in score.notes],
        "problems": [_problem(problem, sheet.rules) for problem in score.problems],
    }


def _line(line: Line) -> dict[str, Any]:
    entry: dict[str, Any] = {"points": line.points, "what": line.what}
    if line.formula:
        entry["formula"] = line.formula
    entry["rule"] = line.rule
    if line.cards:
        entry["cards"] = list(line.cards)
    return entry | {key: _list(value) for key, value in line.where}


def _list(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _note(note: Note, rules: Rulebook) -> dict[str, Any]:
    return {
        "rule": note.rule,
        "section": rules[note.rule].section,
        "text": note.text,
        "clarity": str(note.clarity),
    }


def _problem(problem: Problem, rules: Rulebook) -> dict[str, Any]:
    return {
        "rule": problem.rule,
        "section": rules[problem.rule].section,
        **{key: _list(value) for key, value in problem.where},
        "text": problem.text,
    }


def ruling_of(sheet: Sheet) -> Ruling:
    """The ruling on the question of a sheet; raises `UnusableInput` for one that makes no sense."""
    question = sheet.question
    assert question is not None, "load_sheet(question=True) guarantees one"
    try:
        return settle(lambda options: question.ask(sheet.position, options), sheet.options)
    except UnusableInput as error:
        raise UnusableInput(
            Fault(f"question.{f.where.removeprefix('question.')}".rstrip("."), f.found, f.right)
            for f in error.faults
        ) from None


def ruling_json(sheet: Sheet, ruling: Ruling) -> dict[str, Any]:
    """The answer of `companion check --json`."""
    outcome = ruling.verdict.outcome
    return {
        "verdict": str(outcome),
        "value": ruling.verdict.value,
        "clarity": str(ruling.clarity),
        "rules": list(ruling.rules),
        "sections": sheet.rules.sections(ruling.rules),
        "reasons": reasons(ruling, sheet.rules),
        "instead": instead(sheet, ruling),
        "readings": [
            {"option": other.label, "verdict": str(other.outcome), "value": other.value}
            for other in ruling.readings
        ],
    }


def reasons(ruling: Ruling, rules: Rulebook) -> list[str]:
    """Why: the objections, the missing facts, or the rules that it follows from."""
    texts = [o.text for o in ruling.objections] or [u.text for u in ruling.verdict.unknowns]
    texts = texts or list(ruling.verdict.reasons) or [rules[r].title for r in ruling.rules]
    return list(dict.fromkeys(texts))


def instead(sheet: Sheet, ruling: Ruling) -> list[str]:
    """What would be legal, where something was not."""
    if ruling.verdict.outcome is not Outcome.ILLEGAL:
        return []
    texts = [text for objection in ruling.objections for text in objection.instead]
    offer = getattr(sheet.question, "instead", None)
    if offer is not None and not texts:
        texts = list(offer(sheet.position, sheet.options))
    return list(dict.fromkeys(texts))


def act_ruling(sheet: Sheet, act: Any) -> Ruling:
    """The ruling on an act of a match, with the readings under which it would differ."""
    game, state = sheet.game, sheet.state
    return settle(lambda options: game.check(replace(state, options=options), act), sheet.options)
