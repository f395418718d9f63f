"""The chests in the middle of the table: five lines, and two diagonals across the same cards.

Places are numbered 0 to 10, line after line, each from left to right.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from companion.core.errors import Fault
from companion.core.options import nearest_hint

SIZES = (3, 2, 1, 2, 3)
"""Chests in lines 1 to 5."""
PLACES = sum(SIZES)

LINES: Mapping[int, tuple[int, ...]] = {
    1: (0, 1, 2),
    2: (3, 4),
    3: (5,),
    4: (6, 7),
    5: (8, 9, 10),
    6: (0, 3, 5, 7, 10),
    7: (2, 4, 5, 6, 8),
}
"""The places of each line, in the order in which the keys are named."""

OTHER_DIAGONAL = {6: 7, 7: 6}
"""The rulebook's picture numbers them; which one is which is a reading of it."""

Slot = TypeVar("Slot")


def line_of(layout: Sequence[Slot], line: int) -> tuple[Slot, ...]:
    """What lies in a line of the eleven places."""
    return tuple(layout[place] for place in LINES[line])


def laid_out(lines: Mapping[str, Sequence[Slot]]) -> tuple[list[Slot], list[Fault]]:
    """The eleven places of a layout written line by line, and everything wrong with it."""
    faults = [
        Fault(
            f"layout.{name}",
            "6 and 7 are the diagonals of lines 1 to 5"
            if name in {"6", "7"}
            else f"there is no line {name}",
            nearest_hint(name, {str(line) for line in range(1, 6)}),
        )
        for name in lines
        if name not in {"1", "2", "3", "4", "5"}
    ]
    places: list[Slot] = []
    for number, size in enumerate(SIZES, start=1):
        found = lines.get(str(number))
        if found is None:
            faults.append(Fault(f"layout.{number}", "missing", f"line {number} has {size}"))
            continue
        if len(found) != size:
            faults.append(
                Fault(
                    f"layout.{number}",
                    f"{len(found)} in line {number}",
                    f"line {number} has {size}",
                )
            )
        places.extend(found)
    return places, faults


def line_faults(line: int) -> list[Fault]:
    """The fault of a line number that does not exist."""
    if line in LINES:
        return []
    return [Fault("line", f"there is no line {line}", "lines are numbered 1 to 7")]
