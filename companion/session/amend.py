"""Amending an earlier act: what it alters is found out before anything is stored."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from companion.core.log import InForce
from companion.core.verdict import Objection
from companion.session.record import Record
from companion.session.replay import Step, impossible, joined, steps, taken, words
from companion.session.told import Alteration, Change


def alteration_of(record: Record, seq: int, act: Any) -> tuple[Alteration, InForce, Any]:
    """What it alters, the act as the log will have it, and the state before it."""
    game = record.start.game
    at = record.place_of(seq)
    now, later = record.steps[at], record.steps[at + 1 :]
    before = record.before(at)
    told = replace(now.told, player=act.player, words=words(game, act, before))
    step = taken(game, before, told, act)
    after = steps(game, step.state, [s.told for s in later])
    changes = [_change(old, new) for old, new in zip(later, after, strict=True)]
    was, text = (f"{t.player} {joined(t.words)}" for t in (now.told, told))
    found = tuple(change for change in changes if change is not None)
    return Alteration(told.seq, was, text, step.verdict, found), told, before


def _change(old: Step, new: Step) -> Change | None:
    """What became of a later entry; None where nothing did."""
    blocked = ""
    if new.fault and not old.fault:
        blocked = impossible(new.verdict) or new.fault
    gained = _without(new.verdict.objections, old.verdict.objections)
    lost = _without(old.verdict.objections, new.verdict.objections)
    if not (blocked or gained or lost):
        return None
    return Change(old.told.seq, old.told.player, old.text, gained, lost, blocked)


def _without(those: Sequence[Objection], these: Sequence[Objection]) -> tuple[Objection, ...]:
    keys = {o.key for o in these}
    return tuple(o for o in those if o.key not in keys)
