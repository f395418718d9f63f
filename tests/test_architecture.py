"""The structure that CI holds: rule ids that exist, and a start that loads nothing heavy."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from companion import library
from companion.core.options import choices

ROOT = Path(__file__).parents[1]
_ID = re.compile(r'"((?:utc|wap|gup):[a-z-]+\.[a-z0-9-]+)"')


@pytest.mark.parametrize("name", library.SHIPPED)
def test_every_cited_rule_exists(name: str) -> None:
    """An id in the code, or one that an option names, is in the rule book of its game."""
    installed = library.load(name)
    ids = {
        found
        for path in installed.folder.rglob("*.py")
        for found in _ID.findall(path.read_text("utf-8"))
    }
    ids |= {choice.rule for choice in choices(installed.game.options)}
    assert ids, "no id found: does the pattern still fit the code?"
    assert {i for i in ids if i not in installed.rules} == set()


@pytest.mark.parametrize("name", library.SHIPPED)
def test_rule_book_is_whole(name: str) -> None:
    """Every rule parses, has all its words, and names only options of its game."""
    installed = library.load(name)
    known = {choice.name for choice in choices(installed.game.options)}
    numbers = []
    for rule in installed.rules:
        assert rule.section and rule.title and len(rule.text) > 20, rule.id
        assert set(rule.options) <= known, rule.id
        numbers.append(rule.number)
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", library.SHIPPED)
def test_options_and_rules_agree(name: str) -> None:
    """The rule that an option reads says so, and is no clearer than the option."""
    installed = library.load(name)
    for choice in choices(installed.game.options):
        rule = installed.rules[choice.rule]
        assert choice.name in rule.options, f"{rule.id} does not name {choice.name}"


HEAVY = ("textual", "cv2", "numpy", "sqlalchemy", "rich", "rapidfuzz", "hypothesis")


def test_scoring_loads_nothing_heavy() -> None:
    """`companion score` must start quickly, so it imports no library that it does not need."""
    code = (
        "import sys; sys.argv = ['companion', 'score', 'samples/family-of-four.toml']\n"
        "from companion.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert run.stderr.strip().splitlines()[-1] == "[]"
    assert "wins with" in run.stdout
