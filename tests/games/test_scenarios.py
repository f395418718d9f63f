"""The project's own scenarios: every rule that is enforced and every option, as data."""

import tomllib
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from companion import library
from companion.core.errors import UnusableInput
from companion.core.options import choices
from companion.interchange.answers import ruling_json, ruling_of, score_json, score_of
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document, parse
from tests.matching import mismatches, prepared

HERE = Path(__file__).parent


def scenarios() -> list[Any]:
    """Every scenario with its file as the id."""
    found = []
    for path in sorted(HERE.glob("*/scenarios/*.toml")):
        for scenario in tomllib.loads(path.read_text("utf-8"))["scenarios"]:
            label = f"{path.parent.parent.name}/{path.stem}: {scenario['name']}"
            found.append(pytest.param(scenario, id=label))
    return found


def answer_to(text: str) -> dict[str, Any]:
    """The answer of `score`, or of `check` where the file asks a question."""
    try:
        raw = parse(text)
        sheet = load_sheet(Document("-", raw, text))
        if "question" in raw:
            return ruling_json(sheet, ruling_of(sheet))
        return score_json(sheet, score_of(sheet))
    except UnusableInput as error:
        return {"error": [str(fault) for fault in error.faults]}


def cited(answer: dict[str, Any]) -> set[str]:
    """Ids of all rules that an answer cites."""
    lines = [line for player in answer.get("players", ()) for line in player["lines"]]
    entries = [*lines, *answer.get("problems", ()), *answer.get("notes", ())]
    return {entry["rule"] for entry in entries} | set(answer.get("rules", ()))


@pytest.mark.parametrize("scenario", scenarios())
def test_scenario(scenario: dict[str, Any]) -> None:
    """The answer is the one that was worked out by hand, and cites the rules named."""
    answer = answer_to(scenario["file"])
    expect, got = prepared(scenario["expect"], answer)
    assert not mismatches(expect, got)
    assert set(scenario.get("rules", ())) <= cited(answer)
    said = str(answer).lower()
    assert [w for w in scenario.get("must_mention", ()) if w.lower() not in said] == []


def test_names_are_used_once() -> None:
    """A failing scenario is found by its name."""
    seen = defaultdict(int)
    for param in scenarios():
        seen[param.id] += 1
    assert [name for name, count in seen.items() if count > 1] == []


@lru_cache(maxsize=1)
def values_seen() -> dict[str, set[Any]]:
    """Values of each option that some scenario plays with, by `game option`."""
    seen: dict[str, set[Any]] = defaultdict(set)
    for param in scenarios():
        try:
            raw = tomllib.loads(param.values[0]["file"])
        except tomllib.TOMLDecodeError:
            continue
        if raw.get("game") not in library.SHIPPED:
            continue
        for choice in choices(library.load(raw["game"]).game.options):
            given = raw.get("options", {})
            value = given.get(choice.name, choice.default) if isinstance(given, dict) else None
            seen[f"{raw['game']} {choice.name}"].add(str(value))
    return seen


@pytest.mark.parametrize("name", library.SHIPPED)
def test_every_option_is_played_on_each_side(name: str) -> None:
    """An option without a scenario under its other value is a promise nobody checks."""
    one_sided = [
        choice.name
        for choice in choices(library.load(name).game.options)
        if len(choice.values) != 1 and len(values_seen()[f"{name} {choice.name}"]) < 2
    ]
    assert one_sided == []
