"""Where a reviewed photo goes: to a table being counted, or to a match being tracked."""

from collections.abc import Mapping
from typing import Any, Protocol

from card_catalog.lookup import UnknownCard
from card_catalog.model import Card, Deck
from companion import library
from companion.core.errors import Fault, UnusableInput
from companion.intake.position import MOST_ROWS, chests_of, row_text, too_many
from companion.intake.review import Review
from companion.intake.review.counting import Standing, sentence, standing
from companion.intake.review.provenance import provenance
from companion.tui.counting import SEEN
from companion.tui.counting.reading import names_of, options_of

TRICK = ""
"""Whose photo it is where it shows the trick in the middle of the table."""


class Target(Protocol):
    """What a photo is taken for."""

    key: str
    """Tells one table from another, for a review that waits."""
    game: str
    owners: tuple[tuple[str, str], ...]
    """Whose photo it may be: as the review has it, and in words."""

    def standing(self, review: Review, deck: Deck) -> Standing:
        """What the review comes to by now."""
        ...

    def words(self, review: Review, found: Standing) -> str:
        """That in words."""
        ...


class CountingTarget:
    """A table that is being counted: the rows of its players, or their chests of one hand."""

    def __init__(self, raw: Mapping[str, Any], hand: int = 1) -> None:
        self.raw = raw
        self.hand = hand
        self.game = str(raw["game"])
        names = names_of(raw)
        self.key = f"count {self.game} {hand} {' '.join(names)}"
        self.owners = tuple((name, name) for name in names)
        self._options = options_of(raw)

    def standing(self, review: Review, deck: Deck) -> Standing:
        """By the house rules of the table."""
        return standing(review, deck, with_coins(self._options, deck))

    def words(self, review: Review, found: Standing) -> str:
        """Totals, ranges, the cards that decide."""
        return sentence(review, found)

    def taken(self, review: Review, deck: Deck) -> dict[str, Any]:
        """The document with what the photos show in place of what was there for those players.

        Raises `UnusableInput`.
        """
        faults = []
        raw = {**self.raw}
        seen = {one.player: one for one in review.seen() if one.rows}
        for name, one in seen.items():
            if name not in names_of(raw):
                faults.append(
                    Fault("", f"{name} does not play at this table", "F2 says whose it is")
                )
            elif self.game == "up-the-creek" and len(one.rows) > MOST_ROWS:
                faults.append(Fault("", too_many(one)))
        if faults:
            raise UnusableInput(faults)
        if self.game == "up-the-creek":
            raw["players"] = [
                {**p, "rows": [row_text(r, deck) for r in seen[p["name"]].rows]}
                if p["name"] in seen
                else p
                for p in raw["players"]
            ]
        else:
            raw = self._with_chests(raw, {n: chests_of(one, deck) for n, one in seen.items()})
            raw = _with_values(raw, deck)
        return _with_seen(raw, review, list(seen), self.hand if self.game == "gold-up" else 0)

    def _with_chests(self, raw: dict[str, Any], chests: Mapping[str, list[Card]]) -> dict[str, Any]:
        from companion.tui.counting.gold_up import with_text

        for name, cards in chests.items():
            words = [str(card).removeprefix("chest-") for card in cards]
            raw = with_text(raw, self.hand, name, " ".join(words) or "none")
        return raw


class TableTarget:
    """A match that is being tracked."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.game = str(session.game.id)
        self.key = f"match {session.match_id} {session.match.created}"
        mine = {"up-the-creek": "{}'s rows", "gold-up": "{}'s chests"}.get(self.game, "{}'s hand")
        players = tuple((name, mine.format(name)) for name in session.players)
        trick = ((TRICK, "the trick, from left to right as it was played"),)
        self.owners = (*trick, *players) if self.game == "without-a-paddle" else players

    def standing(self, review: Review, deck: Deck) -> Standing:
        """By the house rules of the match."""
        return standing(review, deck, with_coins(self.session.options, deck))

    def words(self, review: Review, found: Standing) -> str:
        """Totals and ranges; who takes a trick."""
        if self.game != "without-a-paddle":
            return sentence(review, found)
        from companion.session.observed import observation

        asks = sentence(review, found) if found.deciding else ""
        return f"{observation(self.session, review).summary}. {asks}".strip()


def with_coins(options: Any, deck: Deck) -> Any:
    """House rules of Gold Up that know the coins of the household's deck, where they tell none."""
    from dataclasses import replace

    if deck.values and not getattr(options, "values", True):
        from companion.core.options import as_dict, read_options

        given = {**as_dict(options), "values": dict(deck.values)}
        known, faults = read_options(type(options), given)
        return options if faults else replace(known)
    return options


def _with_values(raw: dict[str, Any], deck: Deck) -> dict[str, Any]:
    options = dict(raw.get("options", {}))
    if deck.values and not options.get("values"):
        options["values"] = dict(deck.values)
        return {**raw, "options": options}
    return raw


def _with_seen(
    raw: dict[str, Any], review: Review, players: list[str], hand: int
) -> dict[str, Any]:
    """The document with where its cards were seen; earlier photos of the same players give way."""
    kept = [
        one
        for one in raw.get(SEEN, ())
        if one.get("player") not in players or one.get("hand", 0) != hand
    ]
    for player in players:
        rows = {n: row for row, (n, _) in enumerate(review.lines_of(player), 1)}
        places = {
            (n, c): {"player": player, "row": rows[n], "column": c}
            | ({"hand": hand} if hand else {})
            for n, line in review.lines_of(player)
            for c, _ in line.boxes()
        }
        told = provenance(review, player, places)
        if told is not None:
            cards = [c for c in told["cards"] if "row" in c]
            kept.append({"player": player, "hand": hand, **told, "cards": cards})
    return {**raw, SEEN: kept}


def decks_for(game: str) -> list[str]:
    """Decks that photos of a game can be read with, the likeliest first.

    The household's own with pictures come first, then those that ship with drawings.
    """
    from card_catalog.loader import shipped
    from companion.intake import own_decks
    from companion.intake.eyes import deck_for_sight

    found = []
    for deck in own_decks.own_decks():
        try:
            if deck.enrolled and deck.catalogue().game == game:
                found.append(deck.name)
        except UnusableInput:
            continue
    for name in shipped():
        try:
            if library.deck_of(game, None, None).game == deck_for_sight(name).game:
                found.append(name)
        except (UnusableInput, UnknownCard):
            continue
    return found
