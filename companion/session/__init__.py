"""One match as the screens and the command line use it: check, play, undo, amend, score, keep."""

from companion.session.match import MatchSession
from companion.session.replay import Step
from companion.session.told import (
    Alteration,
    AmendmentRefused,
    Change,
    EntryView,
    NotInForce,
)
from companion.storage.port import Stage, Store, StoredMatch
from companion.storage.store import open_store
from companion.storage.trouble import MatchIsFinished, NoSuchMatch, SomebodyElseWrote, StoreTrouble

__all__ = [
    "Alteration",
    "AmendmentRefused",
    "Change",
    "EntryView",
    "MatchIsFinished",
    "MatchSession",
    "NoSuchMatch",
    "NotInForce",
    "SomebodyElseWrote",
    "Stage",
    "Step",
    "Store",
    "StoreTrouble",
    "StoredMatch",
    "open_store",
]
