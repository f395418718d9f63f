"""Failures with a place: everything that is wrong with an input is reported together."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input: where it stands, what was found, what would be right."""

    where: str
    found: str
    right: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.found}" if self.where else self.found
        text = f"{text}; {self.right}" if self.right else text
        return "".join(c if c.isprintable() else " " for c in text)


class UnusableInput(Exception):
    """The input cannot be read as what it should be; `faults` names all that is wrong with it."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[type["UnusableInput"], tuple[tuple[Fault, ...]]]:
        return (UnusableInput, (self.faults,))


class IllegalAction(Exception):
    """An act against the rules was applied without being recorded despite its objections."""

    def __init__(self, verdict: "Verdict") -> None:
        self.verdict = verdict
        super().__init__("; ".join(o.text for o in verdict.objections))


class ImpossibleAction(IllegalAction):
    """An act that cannot have happened: an occupied place, a card that is not there."""
