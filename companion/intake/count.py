"""The score of what photos show: lines by the best reading, and how far unsure cards can move it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from card_catalog.model import Deck
from companion import library
from companion.core.options import choices, read_options
from companion.core.score import Score
from companion.games.gold_up.position import Hand, coins_of
from companion.games.gold_up.position import Position as GoldUpSheet
from companion.games.up_the_creek.position import Position as Table
from companion.games.up_the_creek.position import Seat
from companion.intake.position import MOST_ROWS, chests_of, too_many
from companion.intake.range import Place, Spread, chest_spread, nameless, row_spread
from companion.intake.table import Seen, SeenRow, Spot, may_be, read_card, unsettled
from companion.interchange.answers import score_json
from companion.interchange.sheets import Sheet


@dataclass(frozen=True, slots=True)
class Counted:
    """The score of one player, as `companion scan --score --json` has it."""

    player: dict[str, Any]
    """Name, total, lowest, highest, deciding, lines."""
    problems: list[dict[str, Any]]
    notes: list[dict[str, Any]]

    @property
    def total(self) -> int | None:
        """None while a card is unsure."""
        total: int | None = self.player["total"]
        return total


def counted(deck_name: str, deck: Deck, seen: Seen, options: Any = None) -> Counted:
    """What lies before one player, counted under these house rules; None for the default ones."""
    options = _options(deck) if options is None else options
    game = library.load(deck.game)
    found = _gold_up(deck, seen, options) if deck.game == "gold-up" else _rows(deck, seen, options)
    lines: list[dict[str, Any]] = []
    problems: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for moved, position, score in found.scores:
        sheet = Sheet(game.game, game.rules, deck, options, position)
        said = score_json(sheet, score)
        lines += [_moved(line, moved) for line in said["players"][0]["lines"]]
        if len(found.scores) == 1:  # with rows too many, they would speak of a part of the table
            problems, notes = said["problems"], said["notes"]
    problems += [{"player": seen.player, "text": text} for text in found.problems]
    deciding = [_decides(seen, row, spot, deck) for row, spot in found.deciding]
    settled = seen.settled and found.spread.highest is not None and not found.problems
    player = {
        "name": seen.player,
        "total": sum(line["points"] for line in lines) if settled else None,
        "lowest": found.spread.lowest,
        "highest": None if seen.unread else found.spread.highest,
        "deciding": deciding,
        "unsure": len(unsettled(seen.rows)),
        "lines": lines,
    }
    return Counted(player, problems, notes + [{"text": text} for text in _words(seen, found)])


@dataclass(frozen=True, slots=True)
class _Found:
    """What a game makes of a player's cards."""

    spread: Spread
    deciding: list[tuple[int, Spot]]
    """Row, from 1, and place."""
    scores: list[tuple[int, Any, Score]]
    """Rows that lie before those of a score, its position, and the score."""
    problems: list[str]
    """What makes the total unsettled though every card may be sure."""
    remarks: tuple[str, ...] = ()
    """What may be otherwise than the lines take it to be."""


def _options(deck: Deck) -> Any:
    """The default house rules; coins a colour as the household's deck tells them."""
    options_type = library.load(deck.game).game.options
    told = {c.name: dict(deck.values) for c in choices(options_type) if c.keys and deck.values}
    options, _ = read_options(options_type, told)
    return options


def _rows(deck: Deck, seen: Seen, options: Any) -> _Found:
    """Up the Creek: each row counts by itself."""
    game = library.load(deck.game).game
    lowest, highest, deciding = 0, 0, []
    unknown = False
    for number, row in enumerate(seen.rows, 1):
        cells = row.cells()
        places = [_place(spot, deck) for spot in cells]
        part = row_spread(places, options, number in seen.gaps)
        lowest += part.lowest
        highest += part.highest or 0
        unknown |= part.highest is None
        deciding += [(number, spot) for i in part.deciding if (spot := cells[i]) is not None]
    scores = []
    for first in range(0, max(1, len(seen.rows)), MOST_ROWS):
        rows = tuple(_cards(row, deck) for row in seen.rows[first : first + MOST_ROWS])
        position = Table((Seat(seen.player, rows),))
        scores.append((first, position, game.score(position, options, deck)))
    problems = [too_many(seen)] if len(seen.rows) > MOST_ROWS else []
    remarks = tuple(f"{text}; a gap parts canoes, so look there" for text in seen.unclear)
    spread = Spread(lowest, None if unknown else highest)
    return _Found(spread, deciding, scores, problems, remarks)


def _place(spot: Spot | None, deck: Deck) -> Place:
    if spot is None:
        return Place()
    return Place(tuple(may_be(spot, deck))) if spot.sighting.face else nameless(deck)


def _cards(row: SeenRow, deck: Deck) -> tuple[Any, ...]:
    return tuple(read_card(spot, deck) if spot else None for spot in row.cells())


def _gold_up(deck: Deck, seen: Seen, options: Any) -> _Found:
    """Gold Up: the coins of all chests; what is no chest is worth nothing."""
    game = library.load(deck.game).game
    values = dict(options.values)
    places = [(number, spot) for number, row in enumerate(seen.rows, 1) for spot in row.spots]
    coins = [
        [coins_of(c, values) if c.kind.group == "chest" else 0 for c in may_be(spot, deck)]
        for _, spot in places
    ]
    spread = chest_spread(coins)
    chests = chests_of(seen, deck)
    position = GoldUpSheet((seen.player,), (Hand(chests={seen.player: tuple(chests)}),))  # type: ignore[dict-item]
    priceless = sorted({c.kind.family for c in chests if coins_of(c, values) is None})
    told = ", ".join(f"{colour} = ..." for colour in priceless)
    problems = [
        f"nobody has told how many coins these chests hold: write values = {{ {told} }} in the file "
        "of your own deck, or under [options] of a --position file"
    ]
    score = game.score(position, options, deck)
    deciding = [places[i] for i in spread.deciding if not places[i][1].sighting.sure]
    return _Found(spread, deciding, [(0, position, score)], problems if priceless else [])


def _moved(entry: dict[str, Any], by: int) -> dict[str, Any]:
    """A line of rows that lie below others."""
    return {**entry, "row": entry["row"] + by} if by and "row" in entry else entry


def _decides(seen: Seen, row: int, spot: Spot, deck: Deck) -> dict[str, Any]:
    card = read_card(spot, deck)
    return {
        "photo": seen.rows[row - 1].photo,
        "row": row,
        "column": spot.placed.column,
        "place": spot.number,
        "card": None if card is None else str(card),
        "alternatives": [str(c) for c in may_be(spot, deck)],
    }


def _words(seen: Seen, found: _Found) -> list[str]:
    """What the numbers leave out, in words."""
    words = [
        f"{photo} could not be read, so {seen.player}'s total is not known" for photo in seen.unread
    ]
    words += found.remarks
    unnamed = [spot for _, spot in found.deciding if spot.sighting.face is None]
    if unnamed:
        which = "a card has" if len(unnamed) == 1 else f"{len(unnamed)} cards have"
        words.append(f"{which} no name and may bring any points, so the highest total is not known")
    return words


def winners(players: Sequence[Counted]) -> list[str]:
    """Who has the most points however the unsure cards turn out; empty while that is open."""
    if len(players) < 2:
        return []
    if all(p.total is not None for p in players):
        best = max(p.total or 0 for p in players)
        return [p.player["name"] for p in players if p.total == best]
    for one in players:
        others = [p.player["highest"] for p in players if p is not one]
        if all(high is not None and high < one.player["lowest"] for high in others):
            return [one.player["name"]]
    return []
