"""The rule book of a game: numbered statements that objections and score lines cite by id."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.core.verdict import Clarity


@dataclass(frozen=True, slots=True)
class Rule:
    """One statement of the rules, in the project's own words."""

    id: str
    section: str
    """The heading of the rulebook that it stands under."""
    title: str
    text: str
    clarity: Clarity = Clarity.CLEAR
    options: tuple[str, ...] = ()
    """House rules that change it."""
    number: int = 0


class Rulebook:
    """All rules of one game, by id, in the order of its rulebook.

    Each is read when it is asked for: a score cites a handful of two hundred.
    """

    def __init__(self, game: str, sources: Mapping[str, Callable[[], Rule]]) -> None:
        self.game = game
        self._sources = sources
        self._read: dict[str, Rule] = {}

    def __getitem__(self, rule_id: str) -> Rule:
        if rule_id not in self._read:
            self._read[rule_id] = self._sources[rule_id]()
        return self._read[rule_id]

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._sources

    def __iter__(self) -> Iterator[Rule]:
        return (self[rule_id] for rule_id in self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def ids(self) -> tuple[str, ...]:
        """The ids of all rules, in order."""
        return tuple(self._sources)

    def sections(self, rule_ids: Iterable[str]) -> list[str]:
        """Their headings, each once, in the order of the ids."""
        return list(dict.fromkeys(self[r].section for r in rule_ids))
