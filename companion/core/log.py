"""The log of a match: append-only entries, which of them are in force, what undo would hit next.

Nothing in a log is ever changed. An act is taken back by an entry that says so, and an earlier act is
put right by an entry that names it. Entries are numbered from 1 (`seq`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Played:
    """An act of a player, as the words of a match file."""

    player: str
    words: tuple[str, ...]
    recorded: bool = False
    """Recorded although it is against the rules."""


@dataclass(frozen=True, slots=True)
class Undone:
    """The step `seq`, an act or an amendment, is taken back."""

    seq: int


@dataclass(frozen=True, slots=True)
class Redone:
    """The step `seq` stands again."""

    seq: int


@dataclass(frozen=True, slots=True)
class Amended:
    """The act `seq` was really this one."""

    seq: int
    player: str
    words: tuple[str, ...]
    recorded: bool = False


Entry = Played | Undone | Redone | Amended


class BrokenLog(ValueError):
    """An entry that cannot follow the entries before it."""


@dataclass(frozen=True, slots=True)
class InForce:
    """An act that stands, in the words that hold now."""

    seq: int
    """Of the entry that played it."""
    player: str
    words: tuple[str, ...]
    recorded: bool
    told: int
    """Of the entry that these words come from: the act itself, or its last amendment."""


@dataclass(frozen=True, slots=True)
class Log:
    """All entries of a match, and what they come to.

    A *step* is an act or an amendment. Undo takes back the last step that stands, redo the last one
    taken back; a new step leaves nothing to redo.
    """

    entries: tuple[Entry, ...] = ()
    done: tuple[int, ...] = ()
    """Steps that stand, in their order."""
    undone: tuple[int, ...] = ()
    """Steps taken back that redo can bring again, the next one last."""

    @staticmethod
    def of(entries: Iterable[Entry]) -> "Log":
        """The log of these entries; raises `BrokenLog`."""
        return Log().plus(entries)

    def plus(self, entries: Iterable[Entry]) -> "Log":
        """The log with more entries; raises `BrokenLog`."""
        every = list(self.entries)
        done, undone = self.done, self.undone
        for entry in entries:
            done, undone = _after(every, entry, done, undone)
            every.append(entry)
        return Log(tuple(every), done, undone)

    def added(self, entry: Entry) -> "Log":
        """The log with one more entry; raises `BrokenLog`."""
        return self.plus((entry,))

    def in_force(self) -> tuple[InForce, ...]:
        """The acts that stand, in their order, as they were last amended."""
        acts: dict[int, InForce] = {}
        for seq in self.done:
            match self.entries[seq - 1]:
                case Played(player, words, recorded):
                    acts[seq] = InForce(seq, player, words, recorded, seq)
                case Amended(target, player, words, recorded):
                    acts[target] = InForce(target, player, words, recorded, seq)
        return tuple(acts.values())

    def undo(self, turn: bool = False) -> tuple[int, ...]:
        """The steps that undo would take back, the last first; with `turn` the whole turn."""
        return self._run(self.done, turn)

    def redo(self, turn: bool = False) -> tuple[int, ...]:
        """The steps that redo would bring again, in that order; with `turn` the whole turn."""
        return self._run(self.undone, turn)

    def _run(self, steps: tuple[int, ...], turn: bool) -> tuple[int, ...]:
        """The last step; with `turn` all acts of its player in a row. An amendment stands alone."""
        count = 1
        last = self.entries[steps[-1] - 1] if steps else None
        if turn and isinstance(last, Played):
            while count < len(steps):
                entry = self.entries[steps[-count - 1] - 1]
                if not isinstance(entry, Played) or entry.player != last.player:
                    break
                count += 1
        return steps[-count:][::-1]


def _after(
    before: Sequence[Entry], entry: Entry, done: tuple[int, ...], undone: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The steps that stand and those that can be redone, after one more entry."""
    seq = len(before) + 1
    match entry:
        case Played():
            return (*done, seq), ()
        case Amended(act):
            if act not in done or not isinstance(before[act - 1], Played):
                raise BrokenLog(f"entry {seq} amends {act}, which is no act in force")
            return (*done, seq), ()
        case Undone(step):
            if done[-1:] != (step,):
                raise BrokenLog(f"entry {seq} undoes {step}, which is not the last step")
            return done[:-1], (*undone, step)
        case Redone(step):
            if undone[-1:] != (step,):
                raise BrokenLog(f"entry {seq} redoes {step}, which is not the last one undone")
            return (*done, step), undone[:-1]


def act_of(log: Log, seq: int) -> int:
    """The act that an entry is about: itself, the one amended, undone or redone; raises `BrokenLog`."""
    if not 1 <= seq <= len(log.entries):
        raise BrokenLog(f"there is no entry {seq}")
    entry = log.entries[seq - 1]
    return seq if isinstance(entry, Played) else act_of(log, entry.seq)


def quoted(word: str) -> str:
    """A word of a line, in quotation marks where it would not be read as one."""
    plain = word and not any(c in '#"!' or c.isspace() for c in word)
    return word if plain else f'"{word}"'
