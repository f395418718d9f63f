"""A match in play: the state is the fold of the log in the store, and every step is stored first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.core.errors import Fault, IllegalAction, ImpossibleAction
from companion.core.log import Amended, InForce, Played, Redone, Undone
from companion.core.options import as_dict, read_options
from companion.core.score import Score
from companion.core.verdict import Ruling, Verdict
from companion.interchange.answers import act_ruling, score_json, score_of
from companion.interchange.match_file import read_entries
from companion.interchange.sheets import Sheet, raise_if
from companion.interchange.source import Document
from companion.session.amend import alteration_of
from companion.session.document import (
    begun,
    imported,
    match_file,
    reopened,
    rules_version,
    with_told,
)
from companion.session.record import Record
from companion.session.replay import Step, recorded_ruling, sheet_after, steps, taken, words
from companion.session.told import Alteration, AmendmentRefused, EntryView
from companion.storage.port import NewEntry, Stage, Store, StoredMatch
from companion.storage.trouble import MatchIsFinished, SomebodyElseWrote


class MatchSession:
    """One match, for the screens and the command line alike.

    It has more public methods than most classes because it is the one place where both meet a match;
    what they do is in the modules beside this one. Not for several threads at once.
    """

    def __init__(self, store: Store, match: StoredMatch, start: Sheet) -> None:
        """Use `create`, `open` or `import_match`."""
        self.store = store
        self.match_id = match.id
        self.game = start.game
        self.rules = start.rules
        self.players = match.players
        self._as_begun = start
        self._learn(match)

    def _learn(self, match: StoredMatch) -> None:
        """Replays the match with what the household has told about its box by now."""
        finished = match.stage is Stage.FINISHED and match.final is not None
        facts = match.final.get("told", {}) if finished and match.final is not None else None
        self._told = self.store.facts.of(self._as_begun.deck.id) if facts is None else facts
        self._start = with_told(self._as_begun, self._told)
        self.deck = self._start.deck
        self.options = self._start.options
        self._record = Record(self.store, match, self._start)

    # ---------------------------------------------------------------- beginning

    @classmethod
    def create(
        cls,
        store: Store,
        game_id: str,
        players: Sequence[str],
        options: Any = None,
        *,
        deck: str | None = None,
        tracking: str = "light",
        title: str = "",
        **head: Any,
    ) -> "MatchSession":
        """A new match. `options`: a mapping or the game's options value; `head`: as in a match file
        (`first_player`, `dealer`). Raises `UnusableInput` with every fault."""
        start, match = begun(game_id, players, options, deck, {"tracking": tracking, **head})
        return cls(store, store.create(replace(match, title=title)), start)

    @classmethod
    def open(cls, store: Store, match_id: int) -> "MatchSession":
        """A match of the store, exactly as it was left; raises `NoSuchMatch`."""
        match = store.match(match_id)
        return cls(store, match, reopened(match))

    def tell(self, key: str, facts: Mapping[str, int]) -> None:
        """Keeps facts of the household's deck, here and for later: `strengths` by kind, `values`
        (coins) by colour."""
        known = self.store.facts.of(self.deck.id).get(key)
        told = {**(known if isinstance(known, Mapping) else {}), **facts}
        self.store.facts.tell(self.deck.id, key, told)
        self._learn(self.store.match(self.match_id))

    @classmethod
    def import_match(cls, store: Store, document: Document, title: str = "") -> "MatchSession":
        """A match file becomes a match of the store, finished if it is over; raises `UnusableInput`."""
        start, match, entries = imported(document)
        session = cls(store, store.create(replace(match, title=title), entries), start)
        if session.score().complete:
            session.finish()
        return session

    # ---------------------------------------------------------------- looking

    @property
    def state(self) -> Any:
        """The table after the last act in force."""
        return self._record.state

    @property
    def stage(self) -> Stage:
        """Running, paused or finished."""
        return self._record.match.stage

    @property
    def match(self) -> StoredMatch:
        """What the store says of the match: title, head, when it was begun, the agreed score."""
        return self._record.match

    @property
    def news(self) -> tuple[str, ...]:
        """What the last act in force led to."""
        return self._record.steps[-1].news if self._record.steps else ()

    @property
    def sheet(self) -> Sheet:
        """The match as a sheet, as a match file of it would be read."""
        return sheet_after(self._start, self._record.steps)

    def entries(self) -> tuple[EntryView, ...]:
        """Every act that was ever entered, in order, undone ones too."""
        return self._record.views()

    def parse(self, line_or_player: str, found: Sequence[str] | None = None) -> Any:
        """The act of a line of a match file, or of a player and words; raises `UnusableInput`."""
        if found is not None:
            return self.game.parse(line_or_player, found, self.state)
        told, faults = read_entries(line_or_player, self.players)
        if not faults and len(told) != 1:
            faults = [Fault("act", f"{len(told)} acts", "write one: PLAYER VERB ...")]
        raise_if([Fault("act", f.found, f.right) for f in faults])
        return self.game.parse(told[0].player, told[0].words, self.state)

    def verdict(self, act: Any) -> Verdict:
        """What speaks against an act, under the house rules alone: for showing it while one types."""
        return self.game.check(self.state, act)

    def check(self, act: Any) -> Ruling:
        """The ruling on an act, with its clarity and the readings under which it would differ."""
        return self._ruling(self.state, act)

    def _ruling(self, state: Any, act: Any) -> Ruling:
        return act_ruling(replace(self._start, state=state), act)

    def score(self) -> Score:
        """The itemised score as it stands, with what was against the rules and what was corrected."""
        return score_of(self.sheet)

    def rescore(self, options: Any) -> Score:
        """What the score would be under other house rules; the match is not changed.

        `options`: the ones that differ as a mapping, or an options value. Where the match could not
        have gone that way under them, the table is scored as it lies.
        """
        if isinstance(options, Mapping):
            given = {**as_dict(self.options), **options}
            options, faults = read_options(self.game.options, given)
            raise_if(faults)
        state = replace(self._start.state, options=options)
        start = replace(self._start, options=options, state=state)
        acts = [step.told for step in self._record.steps if not step.fault]
        found = list(steps(self.game, state, acts))
        return score_of(
            sheet_after(start, self._record.steps if any(s.fault for s in found) else found)
        )

    def export(self) -> str:
        """The match as a match file: the acts in force, under the house rules in force."""
        return match_file(self.match, self._start, self._record.steps)

    # ---------------------------------------------------------------- acting

    def play(
        self, act: Any, anyway: bool = False, provenance: Mapping[str, Any] | None = None
    ) -> tuple[str, ...]:
        """Stores the act, then applies it; what it led to, in sentences.

        Raises `ImpossibleAction`, `IllegalAction` unless `anyway`, `MatchIsFinished`, `StoreTrouble`,
        and `SomebodyElseWrote` where another program has added something that makes the act another
        one, or the same act a second time.
        """
        self._record.open_for_change()
        meanwhile: list[str] = []
        if not self.verdict(act).legal:  # it may be this table that is out of date
            meanwhile += self._record.refresh()
        while True:
            step = self._allowed(act, anyway)
            ruling = None if step.verdict.legal else recorded_ruling(self.check(act))
            told = step.told
            entry = Played(told.player, told.words, told.recorded)
            known = len(self._record.stored)
            try:
                self._record.append([NewEntry(entry, provenance, ruling)], step)
            except SomebodyElseWrote as error:
                meanwhile += error.added
                if self._is_told_since(known, entry) or _keys(self.verdict(act)) != _keys(
                    step.verdict
                ):
                    raise SomebodyElseWrote(meanwhile) from None
                continue
            return (*(f"Meanwhile, in another program: {text}" for text in meanwhile), *step.news)

    def _allowed(self, act: Any, anyway: bool) -> Step:
        """The step of an act that may be stored."""
        found = words(self.game, act, self.state)
        seq = len(self._record.stored) + 1
        step = taken(self.game, self.state, InForce(seq, act.player, found, False, seq), act)
        if step.fault:
            raise ImpossibleAction(step.verdict)
        if step.verdict.objections:
            if not anyway:
                raise IllegalAction(step.verdict)
            return replace(step, told=replace(step.told, recorded=True))
        return step

    def _is_told_since(self, known: int, entry: Played) -> bool:
        """Whether the other program has entered this very act."""
        told = [stored.entry for stored in self._record.stored[known:]]
        return any(
            isinstance(e, Played) and (e.player, e.words) == (entry.player, entry.words)
            for e in told
        )

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to take back."""
        return bool(self._record.log.done) and self.stage is not Stage.FINISHED

    @property
    def can_redo(self) -> bool:
        """Whether there is a step that was taken back."""
        return bool(self._record.log.undone) and self.stage is not Stage.FINISHED

    @property
    def next_undo(self) -> str:
        """The step that undo would take back, in words."""
        return "; ".join(map(self._record.described, self._record.log.undo()))

    @property
    def next_redo(self) -> str:
        """The step that redo would bring again, in words."""
        return "; ".join(map(self._record.described, self._record.log.redo()))

    def undo(self, turn: bool = False) -> tuple[str, ...]:
        """Takes back the last act or amendment, or the whole turn; what was taken back, in words."""
        return self._move(self._record.log.undo(turn), Undone)

    def redo(self, turn: bool = False) -> tuple[str, ...]:
        """Brings again what was last taken back; what it was, in words."""
        return self._move(self._record.log.redo(turn), Redone)

    def _move(self, found: Sequence[int], kind: type[Undone | Redone]) -> tuple[str, ...]:
        if not found:
            return ()
        told = tuple(map(self._record.described, found))
        self._record.open_for_change()
        self._record.append([NewEntry(kind(seq)) for seq in found])
        return told

    def alters(self, seq: int, act: Any) -> Alteration:
        """What it would alter if entry `seq` had really been this act; nothing is changed."""
        return alteration_of(self._record, seq, act)[0]

    def amend(
        self,
        seq: int,
        act: Any,
        anyway: bool = False,
        provenance: Mapping[str, Any] | None = None,
    ) -> Alteration:
        """Entry `seq` was really this act; what that alters. Later entries stand.

        Raises `NotInForce`, `ImpossibleAction`, `IllegalAction` unless `anyway`, `AmendmentRefused`
        where a later entry could then not have happened, `MatchIsFinished`, `SomebodyElseWrote`.
        """
        self._record.open_for_change()
        alteration, told, before = alteration_of(self._record, seq, act)
        verdict = alteration.verdict
        if not verdict.possible:
            raise ImpossibleAction(verdict)
        if verdict.objections and not anyway:
            raise IllegalAction(verdict)
        if alteration.blocking:
            raise AmendmentRefused(alteration)
        ruling = None if verdict.legal else recorded_ruling(self._ruling(before, act))
        entry = Amended(told.seq, told.player, told.words, bool(verdict.objections))
        self._record.append([NewEntry(entry, provenance, ruling)])
        return alteration

    # ---------------------------------------------------------------- keeping

    def pause(self) -> None:
        """The match is to be continued another time."""
        self._record.set_stage(Stage.PAUSED)

    def resume(self) -> None:
        """Goes on with a paused match, or opens a finished one again."""
        self._record.set_stage(Stage.RUNNING)

    def finish(self, agreed: bool = True) -> Score:
        """The match is over: its score is kept as it is now, whatever becomes of the rules."""
        if self.stage is Stage.FINISHED:
            raise MatchIsFinished
        sheet = self.sheet
        score = score_of(sheet)
        version = rules_version(self.game.id)
        final = {
            **score_json(sheet, score),
            "agreed": agreed,
            "rules_version": version,
            "told": self._told,
        }
        self._record.set_stage(Stage.FINISHED, final)
        return score

    def refresh(self) -> tuple[str, ...]:
        """Reads what other programs have added meanwhile, and tells it."""
        return self._record.refresh()


def _keys(verdict: Verdict) -> frozenset[Any]:
    return frozenset(o.key for o in verdict.objections)
