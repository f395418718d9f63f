"""The rule book of Gold Up: every id that the code cites exists, every option reads a rule."""

import re
import tomllib
from pathlib import Path
from typing import Any

import companion.games.gold_up as package
from card_catalog.loader import shipped_deck
from companion.core.game import Game
from companion.core.options import choices
from companion.games.gold_up import GAME
from companion.games.gold_up.options import Options

FOLDER = Path(str(package.__file__)).parent
SECTIONS = [
    "Principles of the Game",
    "It's in the Box",
    "Cards Dealing",
    "The Proceedings of a Game",
    "The Keys Joker Card",
    "The Value of the Chests",
    "The End of a Game",
    "Score",
    "Variant for Two Players",
]
RULES: list[dict[str, Any]] = tomllib.loads((FOLDER / "rules.toml").read_text("utf-8"))["rules"]
BY_ID = {rule["id"]: rule for rule in RULES}


def test_ids_are_single_and_well_formed() -> None:
    assert len(BY_ID) == len(RULES)
    assert all(re.fullmatch(r"gup:[a-z-]+\.[a-z-]+", rule_id) for rule_id in BY_ID)


def test_rules_stand_in_the_order_of_the_rulebook() -> None:
    found = [SECTIONS.index(rule["section"]) for rule in RULES]
    assert found == sorted(found) and set(found) == set(range(len(SECTIONS)))


def test_every_cited_rule_exists() -> None:
    cited = {
        rule_id
        for path in FOLDER.glob("*.py")
        for rule_id in re.findall(r"gup:[a-z-]+\.[a-z-]+", path.read_text("utf-8"))
    }
    assert cited and cited <= set(BY_ID)


def test_options_and_rules_name_each_other() -> None:
    for choice in choices(Options):
        rule = BY_ID[choice.rule]
        assert choice.name in rule["options"]
        assert rule.get("clarity", "clear") == str(choice.clarity)
    names = {choice.name for choice in choices(Options)}
    assert {name for rule in RULES for name in rule.get("options", ())} == names


def test_the_deck_is_the_box() -> None:
    copies = shipped_deck("gold-up").copies_in("box")
    assert sum(n for k, n in copies.items() if k.startswith("chest-") and k != "chest-thief") == 48
    assert sum(copies.values()) == 48 + 62
    assert shipped_deck("gold-up").values == {}


def test_the_game_has_the_shape_of_a_game() -> None:
    game: Game = GAME
    assert (game.id, game.seats[0]) == ("gold-up", 2)
    assert set(game.questions) == {
        "collect",
        "payments",
        "steal-chests",
        "steal-keys",
        "draw",
        "hand-over",
        "match-over",
    }
