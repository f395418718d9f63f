"""A counted table becomes a match of the history."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.tui.counting.reading import acts_of, clean, names_of, options_of


def hindrances(raw: Mapping[str, Any]) -> list[str]:
    """What must be mended before it can be saved: a match holds only what was counted."""
    _, wrong, awaited = clean(raw)
    return [w.text for w in (*wrong, *awaited)]


def save(store: Any, raw: Mapping[str, Any]) -> Any:
    """The session of the new match: finished, or waiting where rounds or hands are left. Raises `UnusableInput` and `StoreTrouble`."""
    from companion.session import MatchSession

    found = hindrances(raw)
    if found:
        raise UnusableInput([Fault("", text, "mend it first") for text in found])
    head = {"dealer": raw["dealer"]} if "dealer" in raw else {}
    session = MatchSession.create(
        store, raw["game"], names_of(raw), options_of(raw), title="counted", **head
    )
    try:
        for player, words in acts_of(raw):
            session.play(session.parse(player, words), anyway=True)
        if session.score().complete is False:
            session.pause()
        else:
            session.finish()
    except Exception:
        # Half a match is worth nothing: what was typed is still in the draft.
        with suppress(Exception):
            store.delete(session.match_id)
        raise
    return session
