"""Random sessions against a model that keeps every version of the match as a list of lines."""

from dataclasses import dataclass
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from companion.core.errors import ImpossibleAction, UnusableInput
from companion.interchange.answers import score_json, score_of
from companion.interchange.match_file import replay
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document, parse
from companion.session import AmendmentRefused, MatchSession, Store, open_store

PLAYERS = ("Ana", "Big Ben #2", "Cleo")
OBSERVED = {
    "up-the-creek": ['observe 1 "bow eagle stern"', 'observe 2 ""', "observe 3 furs from -2"],
    "without-a-paddle": ["observe dealer"],
    "gold-up": ['observe chests "white red"', "observe chests none", "coins 12"],
}
MOST = 4
"""Candidates of each verb that are tried: a few of each instead of all places of a table."""


@dataclass(frozen=True)
class Version:
    """The acts in force as lines, and who made the step that led here; no player for an amendment."""

    lines: tuple[str, ...] = ()
    player: str = ""


class Sessions(RuleBasedStateMachine):
    """Play, undo, redo, amend and reopen; the session must always be what the lines come to."""

    store: Store

    def __init__(self) -> None:
        super().__init__()
        self.store = open_store("sqlite://")
        self.past: list[Version] = []
        self.now = Version()
        self.future: list[Version] = []

    @initialize(game=st.sampled_from(sorted(OBSERVED)), tracking=st.sampled_from(["light", "full"]))
    def begin(self, game: str, tracking: str) -> None:
        """A match of any game."""
        head: dict[str, Any] = {"dealer": "Ana"} if game == "without-a-paddle" else {}
        self.session = MatchSession.create(self.store, game, PLAYERS, tracking=tracking, **head)

    def candidates(self, state: Any) -> list[Any]:
        """A few acts of each kind, legal or not."""
        game = self.session.game
        found: dict[str, list[Any]] = {}
        for act in game.candidates(state):
            some = found.setdefault(type(act).__name__, [])
            if len(some) < MOST:
                some.append(act)
        acts = [act for some in found.values() for act in some]
        for words in OBSERVED[game.id]:
            acts.append(self.session.parse(f"Ana {words}"))
        return acts

    def state_after(self, lines: tuple[str, ...]) -> Any:
        """By replaying a match file of these lines; raises `UnusableInput`."""
        start = load_sheet(self.document(()))
        return replay(self.session.game, start.state, "\n".join(lines), PLAYERS).state

    def document(self, lines: tuple[str, ...]) -> Document:
        """A match file of these lines."""
        text = self.session.export()
        raw = {**parse(text), "actions": "\n".join(lines)}
        return Document("-", raw, text)

    def line(self, act: Any, recorded: bool) -> str:
        """An act as one writes it."""
        player = f'"{act.player}"' if " " in act.player else act.player
        return f"{player} {self.session.game.encode(act)}{' !' if recorded else ''}"

    @rule(moves=st.lists(st.sampled_from("pppaauuurrRi"), min_size=1, max_size=6), data=st.data())
    def move(self, moves: list[str], data: st.DataObject) -> None:
        """A few moves at a time: as rules of their own, some would hardly ever meet in one session."""
        for kind in moves:
            if kind == "p":
                self.play(data, data.draw(st.integers(1, 4), "count"))
            elif kind == "a" and self.now.lines:
                self.amend(data)
            elif kind == "u" and self.past:
                self.undo(data.draw(st.booleans(), "turn"))
            elif kind == "r" and self.future:
                self.redo(data.draw(st.booleans(), "turn"))
            elif kind == "R":
                self.reopen()
            elif kind == "i":
                self.impossible(data)
            self.is_what_the_lines_come_to()

    def play(self, data: st.DataObject, count: int) -> None:
        """Acts that can have happened, legal or not."""
        for _ in range(count):
            state = self.session.state
            acts = [a for a in self.candidates(state) if self.session.verdict(a).possible]
            act = data.draw(st.sampled_from(acts), "act")
            recorded = bool(self.session.verdict(act).objections)
            self.session.play(act, anyway=True)
            lines = (*self.now.lines, self.line(act, recorded))
            self.past.append(self.now)
            self.now, self.future = Version(lines, act.player), []

    def impossible(self, data: st.DataObject) -> None:
        """What cannot have happened changes nothing."""
        acts = [
            a for a in self.candidates(self.session.state) if not self.session.verdict(a).possible
        ]
        if acts:
            before = self.session.state
            with pytest.raises(ImpossibleAction):
                self.session.play(data.draw(st.sampled_from(acts), "act"), anyway=True)
            assert self.session.state is before

    def amend(self, data: st.DataObject) -> None:
        """Any act in force becomes another one, unless the rest could then not have happened."""
        standing = [view for view in self.session.entries() if view.in_force]
        at = data.draw(st.integers(0, len(standing) - 1), "at")
        before = self.state_after(self.now.lines[:at])
        act = data.draw(st.sampled_from(self.candidates(before)), "act")
        verdict = self.session.game.check(before, act)
        line = self.line(act, bool(verdict.objections))
        lines = (*self.now.lines[:at], line, *self.now.lines[at + 1 :])
        try:
            self.state_after(lines)
            possible = True
        except UnusableInput:
            possible = False
        try:
            told = self.session.amend(standing[at].seq, act, anyway=True)
        except (ImpossibleAction, AmendmentRefused):
            assert not possible
            return
        assert possible
        assert all(change.seq > standing[at].seq for change in told.changes)
        self.past.append(self.now)
        self.now, self.future = Version(lines), []

    def undo(self, turn: bool) -> None:
        """One step, or all of a player in a row."""
        told = self.session.undo(turn)
        player, count = self.now.player, 0
        while self.past and (count == 0 or (turn and player and self.now.player == player)):
            self.future.append(self.now)
            self.now = self.past.pop()
            count += 1
        assert len(told) == count

    def redo(self, turn: bool) -> None:
        """One step, or all of a player in a row."""
        told = self.session.redo(turn)
        player = self.future[-1].player if self.future else ""
        count = 0
        while self.future and (
            count == 0 or (turn and player and self.future[-1].player == player)
        ):
            self.past.append(self.now)
            self.now = self.future.pop()
            count += 1
        assert len(told) == count

    def reopen(self) -> None:
        """As after a crash."""
        self.session = MatchSession.open(self.store, self.session.match_id)

    def is_what_the_lines_come_to(self) -> None:
        """State, score, problems, and the file that is exported."""
        session = self.session
        sheet = load_sheet(self.document(self.now.lines))
        assert session.state == sheet.state
        ours = score_json(session.sheet, session.score())
        theirs = score_json(sheet, score_of(sheet))
        assert {**ours, "problems": None} == {**theirs, "problems": None}
        assert [p["rule"] for p in ours["problems"]] == [p["rule"] for p in theirs["problems"]]
        exported = parse(session.export())["actions"]
        assert len(exported.splitlines()) == len(self.now.lines)
        assert self.state_after(tuple(exported.splitlines())) == session.state
        assert (session.can_undo, session.can_redo) == (bool(self.past), bool(self.future))

    def teardown(self) -> None:
        """Closes the store."""
        self.store.close()


TestSessions = Sessions.TestCase
TestSessions.settings = settings(
    max_examples=50,
    stateful_step_count=8,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
