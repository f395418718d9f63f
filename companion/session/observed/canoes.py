"""Up the Creek: the rows of a photo laid over the rows of the log."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Any

from card_catalog.model import Card, Deck
from card_catalog.notation import write_row
from companion.games.up_the_creek.state import Offer, State
from companion.games.up_the_creek.table import ROWS, Board, Row
from companion.intake.range import Place, Spread, nameless, row_points, row_spread
from companion.intake.review import Line, Review
from companion.intake.table import known_card, likely, single_in
from companion.session.observed.difference import Act, Difference, Observation, counted

if TYPE_CHECKING:
    from companion.session.match import MatchSession


_AGREES = {True: 20, False: 4}
"""What a card that agrees counts: one of which there is one, any other."""
_GONE = {True: 2, False: 1}
"""What a card of the log counts against it where the photo shows nothing."""
_ANOTHER = {True: 6, False: 2}
"""The same where the photo shows another card."""


@dataclass(frozen=True, slots=True)
class Laid:
    """A line of the review as a row of the match."""

    player: str
    line: int
    row: int
    shift: int
    """Column in the match less the column in the photo."""
    before: Row
    after: Row
    fits: bool
    """Whether its cards agree with the row; otherwise it is a new one."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A card that lies where the log has none, or does not lie where the log has it."""

    player: str
    row: int
    column: int
    card: Card

    @property
    def where(self) -> str:
        """`Ana, row 1, column 7`."""
        return f"{self.player}, row {self.row}, column {self.column}"


def observation(session: "MatchSession", review: Review) -> Observation:
    """What the photo of one or more players' rows tells of the match."""
    laid: list[Laid] = []
    remarks: list[str] = []
    for player in review.shown():
        if player not in session.players:
            remarks.append(f"{player} does not play in this match, so their photo is left out")
            continue
        board = session.state.board(player)
        rows, said = laid_over(review, player, board, session.deck)
        laid += rows
        remarks += [*_doubtful(rows, board, review), *said]
    new = [change for one in laid for change in _over(one, one.after, one.before)]
    gone = [change for one in laid for change in _over(one, one.before, one.after)]
    moved = _pairs(new, gone, same_player=True)
    went = _pairs(new, gone, same_player=False)
    differences = (
        *(_arrived(one, session.state) for one in new),
        *(_left(one, session.state) for one in gone),
        *(_moved(one, other) for one, other in moved),
        *(_went(one, other, session.state) for one, other in went),
    )
    places = {
        (one.line, c): {"player": one.player, "row": one.row, "column": c + one.shift}
        for one in laid
        for c, _ in review.lines[one.line - 1].boxes()
    }
    changed = [one for one in laid if one.after != one.before]
    return Observation(
        _summary(new, gone, moved, went),
        differences,
        tuple(_observe(one) for one in changed),
        tuple(remarks),
        review,
        places,
    )


def worth(session: "MatchSession", review: Review, player: str) -> tuple[int, Spread]:
    """The points of the player's rows that the photos show: as the log has them, and as they lie there."""
    laid, _ = laid_over(review, player, session.state.board(player), session.deck)
    spreads = [
        row_spread(
            _places(review.lines[one.line - 1], one, session.deck),
            session.options,
            bool(review.lines[one.line - 1].gap),
        )
        for one in laid
    ]
    highest = [spread.highest for spread in spreads]
    return sum(row_points(one.before.cells, session.options) for one in laid), Spread(
        sum(spread.lowest for spread in spreads),
        None if None in highest else sum(h for h in highest if h is not None),
    )


def _places(line: Line, laid: Laid, deck: Deck) -> list[Place]:
    """What may lie in each column of a line; a card that is none of the deck leaves what the log has."""
    places = []
    for column, box in enumerate(line.cells, 1):
        if box is None:
            places.append(Place())
        elif box.card is None:
            places.append(nameless(deck))
        else:
            there = laid.before.at(column + laid.shift)
            cards = [known_card(name, None, deck) or there for name in likely(box.sighting)]
            places.append(Place(tuple(cards)))
    return places


def _summary(*found: Sequence[Any]) -> str:
    words = ("new", "gone", "in another place", "with another player")
    said = [counted(len(many), what) for many, what in zip(found, words, strict=True) if many]
    return ", ".join(said) or "The table is as the log says"


# ---------------------------------------------------------------- laying photo over log


def laid_over(
    review: Review, player: str, board: Board, deck: Deck
) -> tuple[list[Laid], list[str]]:
    """The player's lines as rows of the board: those, at that shift, that fit best; and what to say.

    A row fits by the cards that agree, less those that would be gone: a line that hardly agrees with
    any row is a new row. Cards that the box holds once weigh most. Where a person has said which row
    a line is, it is that one; of lines too many, the last of which nobody has said so are left out.
    """
    lines = review.lines_of(player)
    remarks = []
    if len(lines) > len(ROWS):
        many = len(lines)
        kept = sorted(lines, key=lambda one: one[1].row == 0)[: len(ROWS)]
        left = [str(number) for number, _ in lines if number not in dict(kept)]
        lines = sorted(kept, key=lambda one: one[0])
        which = f"line {left[0]} is" if len(left) == 1 else f"lines {', '.join(left)} are"
        remarks.append(
            f"{player} has {many} rows on the photos and at most {len(ROWS)} on the table: "
            f"{which} left out"
        )
    single = single_in(deck)
    cells = [_cards(line, deck) for _, line in lines]
    unknown = [_unknown(line, deck) for _, line in lines]
    fits = [
        [_fit(one, gaps, row, single) for row in board]
        for one, gaps in zip(cells, unknown, strict=True)
    ]
    told = [line.row for _, line in lines]

    def suits(rows: tuple[int, ...]) -> tuple[int, int]:
        # A review that waited may say a row that no table has, or one row twice.
        as_told = sum(said == row + 1 for said, row in zip(told, rows, strict=True))
        return as_told, sum(fits[line][row][0] for line, row in enumerate(rows))

    best = max(permutations(range(len(ROWS)), len(lines)), key=suits)
    agreed = Counter(
        fits[line][row][1] for line, row in enumerate(best) if fits[line][row][0] > 0
    ).most_common(1)
    found = []
    for at, ((number, line), row) in enumerate(zip(lines, best, strict=True)):
        worth, shift = fits[at][row]
        if worth <= 0 and agreed:
            shift = agreed[0][0]
        before = board[row]
        after = _with_log(Row.of(cells[at], 1 + shift), before, {c + shift for c in unknown[at]})
        found.append(Laid(player, number, row + 1, shift, before, after, worth > 0))
        remarks += _left_out(number, line, deck)
    seen = {one.row for one in found}
    remarks += [
        f"{player}'s row {row} is on no photo, so it stays as the log has it"
        for row in ROWS
        if row not in seen and board[row - 1].cells
    ]
    return found, remarks


def _doubtful(laid: list[Laid], board: Board, review: Review) -> list[str]:
    """Which lines agree with no row, though they may be one that is on no photo, in words."""
    photographed = {one.row for one in laid if one.fits}
    if all(row in photographed or not board[row - 1].cells for row in ROWS):
        return []
    return [
        f"{one.player}'s row {one.row}: its cards agree with no row of the log; if it is another "
        "row, say which with F6 in the second look"
        for one in laid
        if not one.fits and not review.lines[one.line - 1].row
    ]


def _unknown(line: Line, deck: Deck) -> set[int]:
    """Columns in which a card lies that has no name, or none of this deck."""
    return {c for c, box in line.boxes() if known_card(box.card, None, deck) is None}


def _left_out(number: int, line: Line, deck: Deck) -> list[str]:
    """Cards of a line that the match cannot take, in words."""
    nameless = sum(box.card is None for _, box in line.boxes())
    strange = [
        box.card for _, box in line.boxes() if box.card and known_card(box.card, None, deck) is None
    ]
    said = []
    if nameless:
        rest = "it is left out" if nameless == 1 else "they are left out"
        said.append(f"line {number}: {counted(nameless, 'without a name')}, {rest}")
    if strange:
        said.append(f"line {number}: {', '.join(strange)} left out: no card of this match's deck")
    return said


def _cards(line: Line, deck: Deck) -> list[Card | None]:
    return [
        None if box is None else known_card(box.card, box.sighting.number, deck)
        for box in line.cells
    ]


def _fit(
    cells: Sequence[Card | None], unknown: Set[int], row: Row, single: Callable[[str], bool]
) -> tuple[int, int]:
    """How well a line fits a row, and the shift at which it does best; 0 and 0 for an empty row."""
    if not row.cells:
        return 0, 0
    best = (-sum(_GONE[single(str(card))] for card in row.cards()), 0)
    for shift in range(row.first - len(cells), row.last):
        worth = 0
        for column, known in row.items():
            at = column - shift
            card = cells[at - 1] if 0 < at <= len(cells) else None
            weight = single(str(known))
            if card is not None and _alike(card, known):
                worth += _AGREES[weight]
            elif at not in unknown:
                worth -= _GONE[weight] if card is None else _ANOTHER[weight]
        if (worth, -abs(shift)) > (best[0], -abs(best[1])):
            best = worth, shift
    return best


def _alike(one: Card, other: Card) -> bool:
    """Whether they may be the same card: a number or colour that was not seen says nothing."""
    return (
        one.kind.id == other.kind.id
        and one.colour in (None, other.colour)
        and one.number in (None, other.number)
    )


def _with_log(seen: Row, log: Row, unknown: Set[int]) -> Row:
    """The row seen; what the log knows better is written as the log has it.

    That is a number that was not read, and a card without a name where the log has one.
    """
    cells = []
    for column, card in enumerate(seen.cells, seen.first):
        known = log.at(column)
        same = card is not None and known is not None and _alike(card, known)
        cells.append(known if same else card)
    row = replace(seen, cells=tuple(cells))
    for column in unknown:
        if log.at(column) is not None:
            row = row.having(column, log.at(column))
    return row


# ---------------------------------------------------------------- differences


def _over(laid: Laid, one: Row, other: Row) -> Iterator[_Change]:
    """Cards of the first row that the second has not in the same place."""
    for column, card in one.items():
        if other.at(column) != card:
            yield _Change(laid.player, laid.row, column, card)


def _pairs(
    new: list[_Change], gone: list[_Change], same_player: bool
) -> list[tuple[_Change, _Change]]:
    """A card that is gone in one place and new in another; both are taken out of the lists."""
    found = []
    for one in list(gone):
        for other in new:
            if _alike(other.card, one.card) and (other.player == one.player) == same_player:
                found.append((one, other))
                gone.remove(one)
                new.remove(other)
                break
    return found


def _arrived(new: _Change, state: State) -> Difference:
    place: Act = (new.player, ("place", str(new.card), str(new.row), str(new.column)))
    reveal: Act = (new.player, ("reveal", str(new.card)))
    take: Act = (new.player, ("take", str(new.card), str(new.row), str(new.column)))
    ways = [(take,), (place,), (reveal, place)]
    if state.full:
        ways = [(take,), (reveal, place), (place,)]
    return Difference(f"{new.where}: {new.card} is new", tuple(ways))


def _left(gone: _Change, state: State) -> Difference:
    ways: list[tuple[Act, ...]] = []
    row, column = str(gone.row), str(gone.column)
    for awaited in state.awaiting:
        if awaited.offer is Offer.SHOOT:
            ways.append(((awaited.player, ("shoot", gone.player, row, column)),))
        elif awaited.offer is Offer.SINK and awaited.player == gone.player:
            ways.append(((gone.player, ("axe", row, column)),))
    return Difference(f"{gone.where}: {gone.card} is gone", tuple(ways))


def _moved(gone: _Change, new: _Change) -> Difference:
    text = f"{gone.where}: {gone.card} now lies in row {new.row}, column {new.column}"
    return Difference(text)


def _went(gone: _Change, new: _Change, state: State) -> Difference:
    words = ("steal", gone.player, str(gone.row), str(gone.column), "to")
    steal: Act = (new.player, (*words, str(new.row), str(new.column)))
    stealing = any(a.offer is Offer.STEAL for a in state.awaiting)
    text = (
        f"{gone.where}: {gone.card} now lies with {new.player}, row {new.row}, column {new.column}"
    )
    return Difference(text, ((steal,),) if stealing else ())


def _observe(laid: Laid) -> Act:
    words = ("observe", str(laid.row), write_row(laid.after.cells))
    if laid.after.first == 1 or not laid.after.cells:
        return (laid.player, words)
    return (laid.player, (*words, "from", str(laid.after.first)))
