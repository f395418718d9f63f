"""Which games are installed: `load(name)` gives a game with its rule book.

Shipped games are found by their folder, others by the entry-point group `companion.games`.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any

from card_catalog.loader import BadDeck, read_deck, shipped_deck
from card_catalog.model import Deck
from companion.core.game import Game
from companion.core.rulebook import Rule, Rulebook
from companion.core.verdict import Clarity

SHIPPED = ("up-the-creek", "without-a-paddle", "gold-up")
_DECKS = {"without-a-paddle": "standard-52"}
"""Games whose shipped deck has another name."""


class UnknownGame(KeyError):
    """No game of that name is installed."""


@dataclass(frozen=True, slots=True)
class Installed:
    """A game, the folder that it lives in."""

    game: Game
    folder: Path

    @property
    def rules(self) -> Rulebook:
        """Its rule book."""
        return _rulebook(self.folder / "rules.toml")


def names() -> list[str]:
    """Ids of all installed games, the shipped ones first."""
    return [*SHIPPED, *(n for n in _entry_points() if n not in SHIPPED)]


@lru_cache(maxsize=1)
def _entry_points() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group="companion.games")}


@lru_cache(maxsize=16)
def load(name: str) -> Installed:
    """The installed game of that id; raises `UnknownGame`."""
    if name in SHIPPED:
        module_name, _, attribute = f"companion.games.{name.replace('-', '_')}:GAME".partition(":")
    elif name in _entry_points():
        module_name, _, attribute = _entry_points()[name].partition(":")
    else:
        raise UnknownGame(name)
    module = import_module(module_name)
    game: Game = getattr(module, attribute)
    assert module.__file__ is not None
    return Installed(game, Path(module.__file__).parent)


@lru_cache(maxsize=16)
def _rulebook(path: Path) -> Rulebook:
    """The rules of a file. Every `[[rules]]` table begins with its id and is parsed alone, when asked
    for: parsing all of them takes longer than scoring a table."""
    head, *tables = path.read_text("utf-8").split("\n[[rules]]\n")
    sources = {}
    for number, table in enumerate(tables, 1):
        rule_id = tomllib.loads(table.split("\n", 1)[0])["id"]
        sources[rule_id] = partial(_rule, table, number)
    return Rulebook(tomllib.loads(head)["game"], sources)


def _rule(table: str, number: int) -> Rule:
    row: dict[str, Any] = tomllib.loads(table)
    return Rule(
        row["id"],
        row["section"],
        row["title"],
        row["text"],
        Clarity(row.get("clarity", "clear")),
        tuple(row.get("options", ())),
        number,
    )


def own_decks_folder() -> Path:
    """Where the household's own deck files lie: `COMPANION_DECKS`, else the user's data folder."""
    import os

    told = os.environ.get("COMPANION_DECKS")
    if told:
        return Path(told)
    from platformdirs import user_data_path

    return user_data_path("companion", appauthor=False) / "decks"


def deck_of(game: str, name: str | None, beside: Path | None) -> Deck:
    """The deck that a file names, else the shipped one of its game; raises `BadDeck`.

    A household's deck `our-box` is `our-box.toml` beside the file, in a folder `decks` beside it, or
    in the household's own folder.
    """
    shipped_name = _DECKS.get(game, game)
    if name is None or name == shipped_name:
        return shipped_deck(shipped_name)
    folders = [own_decks_folder()]
    if beside is not None:
        folders = [beside, beside / "decks", *folders]
    for folder in folders:
        path = folder / f"{name}.toml"
        if path.is_file() and _is_deck(path):
            return read_deck(path)
    looked = ", ".join(str(folder) for folder in folders)
    raise BadDeck(name, [("deck", f"no deck file {name}.toml in {looked}")])


def _is_deck(path: Path) -> bool:
    """Whether the file says that it extends a deck: a sample of the same name may lie beside it."""
    try:
        return "extends" in path.read_text("utf-8", errors="ignore")[:100_000]
    except OSError:
        return False
