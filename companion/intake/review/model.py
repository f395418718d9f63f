"""A review: the photos, and the rows as they are read by now."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from companion.intake.table import Seen, SeenRow, Spot
from companion.vision.sighting import Candidate, Placed, Reading, Sighting

At = tuple[int, int]
"""Line and column, both from 1."""
NOTHING = Reading(())


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo under review."""

    name: str
    """As the user gave it."""
    sha256: str
    reading: Reading = NOTHING
    """As the program read it, before anybody looked."""
    player: str = ""
    """Whose cards it shows, as was said when it was given."""


@dataclass(frozen=True, slots=True)
class Box:
    """A card of a photo."""

    photo: int
    """Which of the photos, from 0."""
    seen: Sighting
    """As it was read, and where it lies; without candidates where a person has drawn the box."""
    told: str | None = None
    """The card as a person says; None: as it was read."""

    @property
    def card(self) -> str | None:
        """The card in notation; None while it has no name."""
        return self.seen.face if self.told is None else self.told

    @property
    def settled(self) -> bool:
        """Whether nobody needs to be asked about it."""
        return self.told is not None or self.seen.sure

    @property
    def sighting(self) -> Sighting:
        """What it counts as: sure once a person has said so."""
        if self.told is None:
            return self.seen
        told = (Candidate(self.told, 1.0),)
        return Sighting(self.seen.region, told, sure=True, number=self.seen.number)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of cards from left to right, and whose it is."""

    player: str
    cells: tuple[Box | None, ...] = ()
    """Every column from 1; None where nothing lies."""
    gap: str = ""
    """Why a gap may be there or not, in words; empty: the columns are clear."""
    photo: int = 0
    """The photo that it was first seen in."""
    row: int = 0
    """Which row of its player's table it is, from 1, as a person says; 0: found by its cards."""

    def boxes(self) -> Iterator[tuple[int, Box]]:
        """Column and box of every card."""
        for column, box in enumerate(self.cells, 1):
            if box is not None:
                yield column, box

    def at(self, column: int) -> Box | None:
        """The box in a column, if there is one."""
        return self.cells[column - 1] if 0 < column <= len(self.cells) else None

    def having(self, column: int, box: Box | None) -> "Line":
        """The line with that in the column; empty columns at the end are dropped."""
        cells = [*self.cells, *(None,) * (column - len(self.cells))]
        cells[column - 1] = box
        while cells and cells[-1] is None:
            cells.pop()
        return replace(self, cells=tuple(cells))


@dataclass(frozen=True, slots=True)
class Review:
    """All that is under review; lines and columns are counted from 1."""

    deck: str
    """The deck that the photos were read with."""
    photos: tuple[Photo, ...] = ()
    lines: tuple[Line, ...] = ()
    players: tuple[str, ...] = field(default=())
    """Everybody whose photos they are, in order."""

    def at(self, at: At) -> Box | None:
        """The box there, if there is one."""
        line, column = at
        return self.lines[line - 1].at(column) if 0 < line <= len(self.lines) else None

    def places(self) -> list[At]:
        """Every card's place, line by line; a card's number is its place in this list, from 1."""
        return [(n, c) for n, line in enumerate(self.lines, 1) for c, _ in line.boxes()]

    def gaps(self) -> list[int]:
        """Lines in which a gap may be there or not."""
        return [number for number, line in enumerate(self.lines, 1) if line.gap]

    def unsettled(self) -> list[At]:
        """Cards that nobody is sure of."""
        return [at for at in self.places() if (box := self.at(at)) and not box.settled]

    @property
    def settled(self) -> bool:
        """Whether every card has a name that is sure, and every column is clear."""
        return not self.unsettled() and not any(line.gap for line in self.lines)

    def lines_of(self, player: str) -> list[tuple[int, Line]]:
        """The player's lines with their numbers."""
        return [(n, line) for n, line in enumerate(self.lines, 1) if line.player == player]

    def row_of(self, number: int) -> int:
        """Which row of its player a line is called: as a person said, else the next that is free."""
        line = self.lines[number - 1]
        mine = self.lines_of(line.player)
        told = {one.row for _, one in mine if one.row}
        rest = [n for n, one in mine if not one.row]
        free = [row for row in range(1, len(mine) + len(told) + 1) if row not in told]
        return line.row or free[rest.index(number)]

    def shown(self) -> list[str]:
        """The players before whom a card lies, in order."""
        mine = {line.player for line in self.lines}
        return [player for player in self.players if player in mine]

    def seen(self) -> list[Seen]:
        """What lies before each player, for counting; cards keep their numbers."""
        number = {at: i for i, at in enumerate(self.places(), 1)}
        found = []
        for player in self.players:
            rows, unclear, gaps = [], [], []
            for place, (n, line) in enumerate(self.lines_of(player), 1):
                spots = [Spot(number[n, c], Placed(c, b.sighting)) for c, b in line.boxes()]
                rows.append(SeenRow(self.photos[line.photo].name, tuple(spots)))
                if line.gap:
                    gaps.append(place)
                    unclear.append(line.gap)
            found.append(Seen(player, tuple(rows), (), tuple(unclear), tuple(gaps)))
        return found
