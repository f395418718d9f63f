"""Typing at the table of Up the Creek: letters pick a card, a row and a column place it."""

from typing import Any

from card_catalog.lookup import UnknownCard, lookup_in
from card_catalog.model import Card
from companion.games.up_the_creek import placement, specials
from companion.games.up_the_creek.acts import (
    Act,
    Attack,
    Axe,
    Decline,
    Discard,
    End,
    Lay,
    Shoot,
    Spot,
    Steal,
    Take,
    encode,
)
from companion.games.up_the_creek.candidates import destinations
from companion.games.up_the_creek.state import Awaiting, Offer, State
from companion.games.up_the_creek.table import (
    canoe_at,
    canoes,
    cards_of,
    strength_of,
    with_row,
)
from companion.interchange.match_file import words_of
from companion.tui.entry.facts import Telling
from companion.tui.entry.prompt import Choice, Prompt, matching
from companion.tui.entry.typed import whole

MOST = 60
"""Choices listed at once."""
_TITLES = {
    Offer.STEAL: "the Lasso may take a card",
    Offer.SHOOT: "Bow & Arrows may hit an Indian",
    Offer.SINK: "the Wild Axe must sink a completed canoe",
    Offer.SPOILS: "lay the captured cards",
    Offer.ATTACK: "the completed canoe may attack",
    Offer.END: "the game may be ended",
}


class UpTheCreekTypist:
    """See `Typist`."""

    HELP = """
Up the Creek
  Two or three letters pick a card (be); with a space behind it the legal
  places light up; a row and a column (2 5), or Up and Down, choose one.
  A printed number or colour may follow the card: chief:red=3
  Lasso, Bow & Arrows, Wild Axe, attacks, spoils and the end are offered when
  it is time. F4: the turn passes. F6: the cards seen so far.
  number chief 3    tells what is printed on the card, kept for your box
  observe 1 "bow eagle"    what really lies in row 1
"""

    def read(self, session: Any, text: str) -> Prompt:
        """Offers first; then the card, then its place."""
        state: State = session.state
        if state.over:
            return Prompt(state.players[0], "the match is over: F8 shows the score")
        if state.revealed is None and state.awaiting:
            return _offered(session, text)
        player = state.active or state.players[0]
        if state.revealed is not None:
            return _placing(session, player, state.revealed, text.strip(), "")
        return _card(session, player, text)


def _offered(session: Any, text: str) -> Prompt:
    state: State = session.state
    head = state.awaiting[0]
    title = f"{head.player}: {_TITLES[head.offer]}"
    if head.cards:
        title += f" ({', '.join(c.kind.name for c in head.cards)})"
    telling = _told(session, head.player, title, text)
    if telling is not None:
        return telling
    if head.offer is Offer.STEAL:
        return _steal(session, head, title, text)
    if head.offer is Offer.SPOILS:
        return _spoils(session, head, title, text)
    choices: list[Choice] = []
    unknown: dict[str, None] = {}
    for act in session.game.candidates(state):
        verdict = session.game.check(state, act)
        label = describe(act, state)
        if verdict.objections:
            continue
        if verdict.unknowns:
            label += ": hangs on a number that nobody has told"
            unknown.update(dict.fromkeys(_unknown_kinds(state)))
        choices.append(Choice(label, _words(act), player=act.player))
    for kind in unknown:
        name = session.deck[kind].name
        choices.insert(0, Choice(f"tell the number printed on {name}", (), f"number {kind} "))
    return _offering(head.player, title, choices, text.replace("!", ""))


def _offering(player: str, title: str, choices: list[Choice], typed: str) -> Prompt:
    """The choices that hold what was typed, or a word on why none is listed."""
    found = matching(choices, typed)[:MOST]
    note = "" if found else f"nothing offered holds {typed.strip()}: choose, or decline"
    return Prompt(player, title, found, note=note)


def _steal(session: Any, head: Awaiting, title: str, text: str) -> Prompt:
    """First the card, then where it is laid: `lasso 2 `, a number of the list, comes between."""
    state: State = session.state
    player = head.player
    found = [
        (other, row, column, card)
        for other in state.players
        if other != player
        for row, line in enumerate(state.board(other), 1)
        for column, card in line.items()
        if not specials.steal(
            state.board(player), state.board(other), False, row, column, session.options
        ).objections
    ]
    typed = text.replace("!", "")
    chosen = _chosen(typed, "lasso", len(found))
    if chosen is None:
        choices = [
            Choice(f"take {o}'s {card.kind.name} (row {r}, column {c})", (), f"lasso {i} ")
            for i, (o, r, c, card) in enumerate(found, 1)
        ]
        choices.append(Choice("decline: let it pass", ("decline",)))
        return _offering(player, title, choices, typed)
    (victim, row, column, card), rest = found[chosen - 1], typed.split()[2:]
    acts: list[Act] = [
        Steal(player, victim, row, column, to)
        for to in destinations(state.board(player), card.kind)
    ]
    acts.append(Steal(player, victim, row, column, None))
    return _laying(session, player, f"{player}: where does {card.kind.name} go?", acts, rest)


def _spoils(session: Any, head: Awaiting, title: str, text: str) -> Prompt:
    """First which captured card, then where it is laid: `lay 2 ` comes between."""
    state: State = session.state
    player = head.player
    cards = list(dict.fromkeys(head.cards))
    typed = text.replace("!", "")
    words = typed.split()
    named = [i for i, card in enumerate(cards, 1) if words and card.kind.id == words[0]]
    if named:
        typed = " ".join(["lay", str(named[0]), *words[1:]])
    chosen = 1 if len(cards) == 1 else _chosen(typed, "lay", len(cards))
    if chosen is None:
        choices = [Choice(f"lay {c.kind.name}", (), f"lay {i} ") for i, c in enumerate(cards, 1)]
        choices.append(Choice("decline: the rest goes to the discard pile", ("decline",)))
        return _offering(player, title, choices, typed)
    card = cards[chosen - 1]
    rest = typed.split()[2:] if typed.startswith("lay ") else typed.split()
    acts: list[Act] = [
        Take(player, card, to) for to in destinations(state.board(player), card.kind)
    ]
    acts.append(Discard(player, card))
    return _laying(session, player, f"{player}: where does {card.kind.name} go?", acts, rest)


def _chosen(typed: str, word: str, most: int) -> int | None:
    """The number behind the word, if one of the list's is there."""
    words = typed.split()
    number = whole(words[1]) if len(words) > 1 and words[0] == word else None
    return number if number is not None and 0 < number <= most else None


def _laying(session: Any, player: str, title: str, acts: list[Act], rest: list[str]) -> Prompt:
    """The legal ones of these acts, each with its place; a row and a column narrow them down."""
    state: State = session.state
    choices = []
    for act in acts:
        place = _place_of(act)
        narrowed = place is None or all(
            str(number).startswith(word) for number, word in zip(place, rest, strict=False)
        )
        if narrowed and not session.game.check(state, act).objections:
            choices.append(Choice(describe(act, state), _words(act), player=player, place=place))
    lit = frozenset(c.place for c in choices if c.place is not None)
    return Prompt(player, title, tuple(choices[:MOST]), lit=lit)


def _unknown_kinds(state: State) -> list[str]:
    """Kinds on the table whose strength is printed on the card and was not told."""
    cards = [card for board in state.boards for card in cards_of(board)]
    return [card.kind.id for card in cards if strength_of(card) is None]


def _told(session: Any, player: str, title: str, text: str) -> Prompt | None:
    """`number chief 3`: a fact of the household's box, kept for it."""
    words = text.split()
    if not words or words[0] != "number":
        return None
    kinds = [k for k in words[1:2] if k in session.deck.kinds]
    number = whole(words[2]) if len(words) > 2 else None
    if not kinds or number is None:
        return Prompt(player, title, note="write the number that is printed: number chief 3")
    name = session.deck[kinds[0]].name
    label = f"{name} has the number {number}, on every such card of this box"
    return Prompt(player, title, (Telling(label, key="strengths", facts={kinds[0]: number}),))


def _words(act: Act) -> tuple[str, ...]:
    return tuple(words_of(encode(act))[0])


def _place_of(act: Act) -> tuple[int, int] | None:
    if isinstance(act, Take | Steal) and isinstance(act.to, Spot):
        return act.to.row, act.to.column
    return None


def describe(act: Act, state: State) -> str:
    """An act in a short sentence."""
    match act:
        case Lay(_, card, to) | Take(_, card, to):
            return f"{card.kind.name} {_where(to)}"
        case Steal(_, victim, row, column, to):
            rest = "discard it" if to is None else f"lay it {_where(to)}"
            return f"take {victim}'s {_name(state, victim, row, column)} (row {row}, column {column}), {rest}"
        case Shoot(_, victim, row, column):
            return (
                f"hit {victim}'s {_name(state, victim, row, column)} in row {row}, column {column}"
            )
        case Axe(player, row, column):
            canoe = canoe_at(state.board(player), row, column, "span")
            size = len(canoe.cards) if canoe else 0
            return f"sink the canoe of {size} in row {row}, column {column}"
        case Attack(_, _, _, targets):
            return "attack " + " and ".join(
                f"{t.victim}'s canoe in row {t.row}, column {t.column}" for t in targets
            )
        case Discard(_, card):
            return f"{card.kind.name} on the discard pile"
        case Decline():
            return "decline: let it pass"
        case End():
            return "end the game"
    return encode(act)


def _name(state: State, player: str, row: int, column: int) -> str:
    card = state.board(player)[row - 1].at(column)
    return card.kind.name if card is not None else "?"


def _where(to: Any) -> str:
    if isinstance(to, Spot):
        return f"in row {to.row}, column {to.column}"
    return f"in row {to.row}, {to.side} of {to.card}, the others shifted {to.shift}"


def _card(session: Any, player: str, text: str) -> Prompt:
    """No card is chosen yet, or the text begins with one."""
    state: State = session.state
    lookup = lookup_in(session.deck)
    typed = text.replace("!", "").strip()
    first, _, rest = typed.partition(" ")
    card = None
    if first and (rest or text.endswith(" ")):
        try:
            card = lookup.card(first)
        except UnknownCard:
            card = None
    if card is not None:
        if state.full or card.kind.group == "axe":
            return Prompt(player, f"{player} reveals {card}", words=("reveal", str(card)))
        return _placing(session, player, card, rest.strip(), first)
    verb = "reveal" if state.full else "place"
    kinds = lookup.completions(first) if first else list(session.deck.kinds.values())
    choices = [
        Choice(
            f"{kind.name}  {kind.id}",
            ("reveal", kind.id) if state.full or kind.group == "axe" else (),
            f"{kind.id} ",
        )
        for kind in kinds
    ]
    note = ""
    if not choices:
        near = lookup.similar(first)
        choices = [Choice(f"{lookup.deck[k].name}  {k}", (), f"{k} ") for k in near]
        close = f"; did you mean {lookup.deck[near[0]].name}? Enter takes it" if near else ""
        note = f"no card begins with {first}{close}"
    return Prompt(player, f"{player}: which card? ({verb})", tuple(choices), note=note)


def _placing(session: Any, player: str, card: Card, typed: str, prefix: str) -> Prompt:
    """The card is known: where does it go?"""
    state: State = session.state
    board = state.board(player)
    options = session.options
    spots = placement.places(board, card, options)
    ways = list(placement.insertions(board, card, options, "reveal"))
    numbers = typed.replace("!", "").replace(",", " ").split()
    name = str(card)
    title = f"{player}: where does {card.kind.name} go?"
    lead = f"{prefix} " if prefix else ""
    choices = [
        Choice(
            _spot_label(state, player, card, row, column, options),
            ("place", name, str(row), str(column)),
            f"{lead}{row} {column}",
            place=(row, column),
        )
        for row, column in spots
        if not numbers
        or (str(row) == numbers[0] and (len(numbers) < 2 or str(column).startswith(numbers[1])))
    ]
    choices += [
        Choice(
            f"row {w.row}: {w.side} of {w.beside}, the others shifted {w.shift}",
            ("insert", name, str(w.row), "beside", w.beside, w.side, "shift", w.shift),
        )
        for w in ways
        if not numbers or str(w.row) == numbers[0]
    ]
    if not numbers or "discard".startswith(numbers[0].lower()):
        choices.append(Choice("discard: on the discard pile, the turn is over", ("discard", name)))
    words: tuple[str, ...] = ()
    if len(numbers) == 2 and numbers[0] in ("1", "2", "3") and _is_number(numbers[1]):
        words = ("place", name, numbers[0], numbers[1])
    note = "" if spots or ways else "it fits nowhere: discard it"
    return Prompt(player, title, tuple(choices[:MOST]), words, frozenset(spots), note)


def _is_number(word: str) -> bool:
    return whole(word.removeprefix("-")) is not None and len(word) < 4


def _spot_label(state: State, player: str, card: Card, row: int, column: int, options: Any) -> str:
    board = state.board(player)
    after = with_row(board, row, board[row - 1].having(column, card))
    canoe = canoe_at(after, row, column, options.canoe_extent)
    label = f"row {row}, column {column}"
    if canoe is not None and canoe.complete and canoe not in canoes(board[row - 1], row, "span"):
        return f"{label}: completes a canoe of {len(canoe.cards)}"
    return label
