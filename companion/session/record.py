"""The log of one match as the store has it, replayed: nothing here decides what may be played."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.log import Amended, BrokenLog, InForce, Log, Played, Redone, Undone, act_of
from companion.interchange.sheets import Sheet
from companion.session.replay import Step, joined, steps
from companion.session.told import EntryView, NotInForce
from companion.storage.port import NewEntry, Stage, Store, StoredEntry, StoredMatch
from companion.storage.trouble import MatchIsFinished, SomebodyElseWrote, StoreTrouble


class Record:
    """What is stored of a match, and what it comes to."""

    def __init__(self, store: Store, match: StoredMatch, start: Sheet) -> None:
        self.store = store
        self.match = match
        self.start = start
        """Before the first act."""
        self.stored: list[StoredEntry] = []
        self.log = Log()
        self.steps: list[Step] = []
        """The acts in force."""
        self._take_in(store.entries(match.id))

    @property
    def state(self) -> Any:
        """After the last act in force."""
        return self.steps[-1].state if self.steps else self.start.state

    def before(self, at: int) -> Any:
        """The state before the act at that place among those in force."""
        return self.steps[at - 1].state if at else self.start.state

    def open_for_change(self) -> None:
        """A paused match goes on; a finished one raises `MatchIsFinished`."""
        if self.match.stage is Stage.FINISHED:
            raise MatchIsFinished
        if self.match.stage is Stage.PAUSED:
            self.set_stage(Stage.RUNNING)

    def set_stage(self, stage: Stage, final: Mapping[str, Any] | None = None) -> None:
        """Running, paused, or finished with the final score."""
        self.store.set_stage(self.match.id, stage, final)
        self.match = self.store.match(self.match.id)

    def append(self, entries: Sequence[NewEntry], step: Step | None = None) -> None:
        """Stores entries, then takes them in; `step` is what a single new act comes to.

        Raises `SomebodyElseWrote`, the entries of the other program taken in and told, and
        `MatchIsFinished` where it has finished the match.
        """
        try:
            added = self.store.append(self.match.id, len(self.stored), entries)
        except SomebodyElseWrote:
            raise SomebodyElseWrote(self.refresh()) from None
        except MatchIsFinished:
            self.match = self.store.match(self.match.id)
            raise
        if step is None:
            self._take_in(added)
            return
        self.stored += added
        for new in entries:
            self.log = self.log.added(new.entry)
        self.steps.append(step)

    def refresh(self) -> tuple[str, ...]:
        """Takes in what other programs have added meanwhile, and tells it."""
        known = len(self.stored)
        added = self.store.entries(self.match.id, known)
        self.match = self.store.match(self.match.id)
        if added:
            self._take_in(added)
        return tuple(self.described(seq) for seq in range(known + 1, len(self.stored) + 1))

    def _take_in(self, added: Sequence[StoredEntry]) -> None:
        """Folds the entries in and replays from the first act that they change."""
        try:
            log = self.log.plus(stored.entry for stored in added)
        except BrokenLog as error:
            todo = "put a backup in its place, or delete the match"
            what = f"the log of match {self.match.id} is damaged: {error}"
            raise StoreTrouble(what, todo) from None
        self.stored += added
        self.log = log
        acts = log.in_force()
        same = 0
        for step, told in zip(self.steps, acts, strict=False):
            if step.told != told:
                break
            same += 1
        del self.steps[same:]
        self.steps += steps(self.start.game, self.state, acts[same:])

    def described(self, seq: int) -> str:
        """An entry in words."""
        match self.log.entries[seq - 1]:
            case Played(player, found, _):
                return f"{player} {joined(found)}"
            case Amended(act, player, found, _):
                return f"entry {act} amended to {player} {joined(found)}"
            case Undone(step):
                return f"undone: {self.described(step)}"
            case Redone(step):
                return f"done again: {self.described(step)}"

    def place_of(self, seq: int) -> int:
        """Where among the acts in force the entry stands; raises `NotInForce`."""
        try:
            act = act_of(self.log, seq)
        except BrokenLog:
            raise NotInForce(seq) from None
        for place, step in enumerate(self.steps):
            if step.told.seq == act:
                return place
        raise NotInForce(seq)

    def views(self) -> tuple[EntryView, ...]:
        """Every act that was ever entered, in order, undone ones too."""
        standing = {step.told.seq: step for step in self.steps}
        played = [
            (seq, stored)
            for seq, stored in enumerate(self.stored, 1)
            if isinstance(stored.entry, Played)
        ]
        return tuple(self._view(seq, stored, standing.get(seq)) for seq, stored in played)

    def _view(self, seq: int, stored: StoredEntry, step: Step | None) -> EntryView:
        first = stored.entry
        assert isinstance(first, Played)
        if step is None:
            told = InForce(seq, first.player, first.words, first.recorded, seq)
            return EntryView(
                seq, told.player, joined(told.words), False, told.recorded, (), stored.created
            )
        told = step.told
        return EntryView(
            seq,
            told.player,
            step.text,
            True,
            told.recorded,
            step.verdict.objections,
            stored.created,
            step.news,
            f"{first.player} {joined(first.words)}" if told.told != seq else "",
            self.stored[told.told - 1].provenance,
            step.fault,
        )
