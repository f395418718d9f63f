"""Where a reviewed photo goes: to a table being counted, or to a match being tracked."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from textwrap import shorten
from typing import Any, Protocol

from card_catalog.loader import shipped
from card_catalog.model import Card, Deck
from card_catalog.notation import write_row
from companion.core.errors import Fault, UnusableInput
from companion.games.up_the_creek.table import EMPTY, Board
from companion.intake import own_decks
from companion.intake.eyes import Eyes, deck_for_sight, has_indices, open_eyes
from companion.intake.position import chests_of
from companion.intake.review import At, Review
from companion.intake.review.counting import Standing, crowded, sentence, standing
from companion.intake.review.provenance import provenance
from companion.intake.table import known_card
from companion.session.observed.canoes import laid_over
from companion.tui.counting import SEEN
from companion.tui.counting.reading import count, names_of, options_of
from companion.tui.counting.up_the_creek import moved_right

LETTERS = ("BVH", "BDK", "VDR")
"""On jack, queen and king elsewhere than in English; JQK needs no word."""
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

    def refuses(self, review: Review) -> str:
        """What keeps the review from counting, in words; empty where nothing does."""
        ...

    def rows(self, review: Review, line: int, deck: Deck) -> list[tuple[int, str]]:
        """The rows of its player's table that the line may be said to be, each in words.

        None where it does not matter.
        """
        ...


class CountingTarget:
    """A table that is being counted: the rows of its players, or their chests of one hand."""

    def __init__(self, document: Callable[[], Mapping[str, Any]], hand: int = 1) -> None:
        """`document` gives the table as it is by then: it may learn something meanwhile."""
        self._document = document
        self.hand = hand
        self.game = str(document()["game"])
        self._names = names_of(document())
        self.key = json.dumps(["count", self.game, hand, *self._names])
        self.owners = tuple((name, name) for name in self._names)

    def standing(self, review: Review, deck: Deck) -> Standing:
        """By the house rules of the table; a hand of Gold Up alone wins nothing."""
        compared = self._names if self.game == "up-the-creek" else ()
        options = with_coins(options_of(self._document()), deck)
        return standing(review, deck, options, compared)

    def words(self, review: Review, found: Standing) -> str:
        """Totals, ranges, the cards that decide."""
        return sentence(review, found)

    def refuses(self, review: Review) -> str:
        """What keeps the review from counting, in words; empty where nothing does."""
        faults = [
            f"{name} does not play at this table: F6 gives the row to another player"
            for name in dict.fromkeys(line.player for line in review.lines)
            if name not in self._names
        ]
        if self.game == "up-the-creek":
            faults += crowded(review)
        return "; ".join(faults)

    def rows(self, review: Review, line: int, deck: Deck) -> list[tuple[int, str]]:
        """Those of Up the Creek, as they were counted so far."""
        player = review.lines[line - 1].player
        if self.game != "up-the-creek" or player not in self._names:
            return []
        return _rows(review, line, self._board(player), deck)

    def _board(self, player: str) -> Board:
        """The player's rows as they were counted so far."""
        table = count(self._document()).table
        return EMPTY if table is None else table.sheet.position.boards[player]

    def taken(self, review: Review, deck: Deck) -> tuple[dict[str, Any], list[str]]:
        """The document with what the photos show, and what is to be said about it.

        Rows that are on no photo stay. Raises `UnusableInput`.
        """
        raw = dict(self._document())
        seen = {one.player: one for one in review.seen() if one.rows}
        wrong = self.refuses(review)
        if wrong:
            raise UnusableInput([Fault("", wrong)])
        said: list[str] = []
        places: dict[At, dict[str, Any]] = {}
        if self.game == "up-the-creek":
            raw["players"] = [
                self._with_rows(player, review, deck, said, places)
                if player["name"] in seen
                else player
                for player in raw["players"]
            ]
        else:
            raw = self._with_chests(raw, {n: chests_of(one, deck) for n, one in seen.items()})
            raw = _with_values(raw, deck)
            places = {
                at: {"player": review.lines[at[0] - 1].player, "hand": self.hand}
                for at in review.places()
                if _is_chest(review, at, deck)
            }
        return _with_seen(raw, review, list(seen), places, self.hand), said

    def _with_rows(
        self,
        player: Mapping[str, Any],
        review: Review,
        deck: Deck,
        said: list[str],
        places: dict[At, dict[str, Any]],
    ) -> dict[str, Any]:
        """The player's rows with those of the photos laid over them."""
        name = player["name"]
        board = self._board(name)
        laid, remarks = laid_over(review, name, board, deck)
        said += remarks
        left = max(0, 1 - min((one.after.first for one in laid if one.after.cells), default=1))
        typed = [*player.get("rows", ()), *("",) * len(board)][: len(board)]
        rows = [moved_right(text, left) for text in typed]
        for one in laid:
            rows[one.row - 1] = write_row(
                [*(None,) * (one.after.first + left - 1), *one.after.cells]
            )
            for column, _ in review.lines[one.line - 1].boxes():
                at = column + one.shift + left
                places[one.line, column] = {"player": name, "row": one.row, "column": at}
        while rows and not rows[-1]:
            rows.pop()
        return {**player, "rows": rows}

    def _with_chests(self, raw: dict[str, Any], chests: Mapping[str, list[Card]]) -> dict[str, Any]:
        from companion.tui.counting.gold_up import with_text

        for name, cards in chests.items():
            words = [str(card).removeprefix("chest-") for card in cards]
            raw = with_text(raw, self.hand, name, " ".join(words) or "none")
        return raw


class TableTarget:
    """A match that is being tracked; what it cannot take is said where it is entered."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.game = str(session.game.id)
        self.key = f"match {session.match_id} {session.match.created}"
        mine = {"up-the-creek": "{}'s rows", "gold-up": "{}'s chests"}.get(self.game, "{}'s hand")
        players = tuple((name, mine.format(name)) for name in session.players)
        trick = ((TRICK, "the trick, from left to right as it was played"),)
        self.owners = (*trick, *players) if self.game == "without-a-paddle" else players

    def refuses(self, review: Review) -> str:
        """Nothing."""
        return ""

    def rows(self, review: Review, line: int, deck: Deck) -> list[tuple[int, str]]:
        """Those of Up the Creek, as the log has them."""
        player = review.lines[line - 1].player
        if self.game != "up-the-creek" or player not in self.session.players:
            return []
        return _rows(review, line, self.session.state.board(player), self.session.deck)

    def standing(self, review: Review, deck: Deck) -> Standing:
        """By the house rules of the match, with its totals before and after."""
        from companion.session.observed import totals

        # Nobody is said to win: rows that are on no photo count too, and the match goes on.
        found = standing(review, deck, with_coins(self.session.options, deck))
        told = {one.player: str(one) for one in totals(self.session, review)}
        return replace(found, totals=told)

    def words(self, review: Review, found: Standing) -> str:
        """The totals of the match, before and after; who takes a trick."""
        if self.game != "without-a-paddle":
            return sentence(review, found)
        from companion.session.observed import observation

        seen = observation(self.session, review)
        asks = sentence(review, found).rstrip(".") if found.deciding else ""
        return ". ".join(filter(None, (seen.summary, *seen.remarks, asks))) + "."


def _rows(review: Review, line: int, board: Board, deck: Deck) -> list[tuple[int, str]]:
    """The rows of a board with what lies there, and which of them the line is taken for."""
    player = review.lines[line - 1].player
    laid, _ = laid_over(review, player, board, deck)
    now = [one.row for one in laid if one.line == line]
    found = []
    for number, row in enumerate(board, 1):
        lies = f": {shorten(str(row), 36, placeholder=' ...')}" if row.cells else ", a new one"
        taken = "   (as it is now)" if number in now else ""
        found.append((number, f"row {number} of {player}{lies}{taken}"))
    return found


def with_coins(options: Any, deck: Deck) -> Any:
    """House rules of Gold Up that know the coins of the household's deck, where they tell none."""
    if deck.values and not getattr(options, "values", True):
        from companion.core.options import as_dict, read_options

        given = {**as_dict(options), "values": dict(deck.values)}
        known, faults = read_options(type(options), given)
        return options if faults else known
    return options


def _with_values(raw: dict[str, Any], deck: Deck) -> dict[str, Any]:
    options = dict(raw.get("options", {}))
    if deck.values and not options.get("values"):
        options["values"] = dict(deck.values)
        return {**raw, "options": options}
    return raw


def _is_chest(review: Review, at: At, deck: Deck) -> bool:
    box = review.at(at)
    card = None if box is None else known_card(box.card, None, deck)
    return card is not None and card.kind.group == "chest"


def _with_seen(
    raw: dict[str, Any],
    review: Review,
    players: list[str],
    places: Mapping[At, Mapping[str, Any]],
    hand: int,
) -> dict[str, Any]:
    """The document with where its cards were seen; earlier photos of the same rows give way."""
    kept = []
    rows = {(place["player"], place.get("row")) for place in places.values()}
    for told in raw.get(SEEN, ()):
        mine = told.get("player") in players and told.get("hand", hand) == hand
        cards = [c for c in told["cards"] if not (mine and (told["player"], c.get("row")) in rows)]
        if cards:
            kept.append({**told, "cards": cards})
    for player in players:
        found = provenance(review, player, places)
        if found is not None:
            kept.append({"player": player, "hand": hand, **found})
    return {**raw, SEEN: kept}


def decks_for(game: str) -> list[str]:
    """Decks that photos of a game can be read with, the likeliest first, as `eyes_for` takes them.

    The household's own come first, those with pictures before all, then those that ship, then those that
    know only some of their cards. A standard deck is there once more for each set of letters that may stand
    on jack, queen and king.
    """
    found = []
    own = sorted(own_decks.own_decks(), key=lambda deck: not deck.enrolled)
    parts = [deck.name for deck in own if _half_taught(deck)]
    whole = [deck.name for deck in own if deck.name not in parts]
    for name in (*whole, *shipped(), *parts):
        try:
            if deck_for_sight(name).game == game:
                found.append(name)
        except UnusableInput:
            continue
    standard = [name for name in found if has_indices(catalogue_for(name))]
    return found + [f"{name} {letters}" for name in standard for letters in LETTERS]


def _half_taught(deck: own_decks.OwnDeck) -> bool:
    """Whether it has pictures, and not of every card: most of a table would be unknown to it."""
    try:
        index = deck.index()
        return index is not None and bool(own_decks.missing(deck.catalogue(), index.faces))
    except UnusableInput:
        return True


def name_of(choice: str) -> str:
    """The deck's own name: without the letters on its courts."""
    return choice.partition(" ")[0]


def catalogue_for(choice: str) -> Deck:
    """The cards of a deck of `decks_for`; raises `UnusableInput`."""
    return deck_for_sight(name_of(choice))


def eyes_for(choice: str) -> Eyes:
    """A deck of `decks_for`, opened for photos; raises `UnusableInput`."""
    name, _, letters = choice.partition(" ")
    eyes = open_eyes(name, letters) if letters else open_eyes(name)
    return replace(eyes, name=choice) if letters else eyes
