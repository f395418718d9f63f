"""A counted table becomes a match of the history."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from card_catalog.notation import split_row
from companion.core.errors import Fault, UnusableInput
from companion.tui.counting import SEEN
from companion.tui.counting.reading import acts_of, clean, names_of, options_of


def hindrances(raw: Mapping[str, Any]) -> list[str]:
    """What must be mended before it can be saved: a match holds only what was counted."""
    _, wrong, awaited = clean(raw)
    return [w.text for w in (*wrong, *awaited)]


def seen_of(
    raw: Mapping[str, Any], player: str, words: Sequence[str], hand: int = 1
) -> dict[str, Any] | None:
    """Where the cards of an act were seen, of those that were not changed since by hand."""
    for told in raw.get(SEEN, ()):
        if told.get("player") != player or told.get("hand", 0) not in (0, hand):
            continue
        cards = told["cards"]
        if words[0] == "observe":
            row = split_row(words[2])
            cards = [c for c in cards if str(c["row"]) == words[1] and _stands(c, row)]
        elif words[0] == "takes":
            cards = [c for c in cards if c["card"] in words or c["card"].partition("=")[0] in words]
        else:
            continue
        if cards:
            used = {card["photo"] for card in cards}
            photos = {sha: name for sha, name in told["photos"].items() if sha in used}
            return {"source": "photo", "deck": told["deck"], "photos": photos, "cards": cards}
    return None


def _stands(card: Mapping[str, Any], row: Sequence[str]) -> bool:
    """Whether the card still stands where it was seen."""
    at = card["column"] - 1
    same = at < len(row) and row[at].partition("=")[0] == card["card"].partition("=")[0]
    return bool(same)


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
        hand = 1
        for player, words in acts_of(raw):
            told = seen_of(raw, player, words, hand)
            hand += words[0] == "end-hand"
            session.play(session.parse(player, words), anyway=True, provenance=told)
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
