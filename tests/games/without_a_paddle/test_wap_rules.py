"""The rule book: every rule that the code cites exists, under a heading of the rulebook."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import companion.games.without_a_paddle as package
from companion.core.options import choices
from companion.core.verdict import Clarity
from companion.games.without_a_paddle.options import Options

FOLDER = Path(package.__file__).parent
RULES = {r["id"]: r for r in tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rules"]}
HEADINGS = {*"1234567", "Aim", "No. of players", "Equipment", "Age", "Time", "Variation"}
CITED = {
    rule
    for path in FOLDER.glob("*.py")
    for rule in re.findall(r"wap:[a-z-]+\.[a-z-]+", path.read_text("utf-8"))
}


def test_every_rule_cited_in_the_code_exists() -> None:
    assert CITED
    assert set(RULES) >= CITED


def test_rules_stand_under_the_headings_of_the_rulebook_and_none_is_left_out() -> None:
    assert {rule["section"] for rule in RULES.values()} == HEADINGS


def test_rules_are_complete_and_told_once() -> None:
    rows = tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rules"]
    assert len(rows) == len(RULES)
    assert len({row["text"] for row in rows}) == len(rows)
    names = {f.name for f in fields(Options)}
    for row in rows:
        assert row["title"]
        assert row["text"].endswith(".")
        assert set(row.get("options", ())) <= names
        Clarity(row.get("clarity", "clear"))


def test_every_option_reads_a_rule_that_names_it_and_shares_its_clarity() -> None:
    for choice in choices(Options):
        rule = RULES[choice.rule]
        assert choice.name in rule["options"]
        assert rule.get("clarity", "clear") == choice.clarity
        assert "\n" not in choice.meaning
