"""What an act makes of a match. Everything but the impossible is applied, legal or not."""

from dataclasses import replace
from typing import Any

from card_catalog.model import Card
from companion.core.errors import ImpossibleAction
from companion.games.up_the_creek import ending, piracy, specials
from companion.games.up_the_creek.acts import (
    Act,
    Attack,
    Axe,
    DecksOut,
    Decline,
    Discard,
    End,
    Lay,
    Observe,
    Pass,
    Reshuffle,
    Reveal,
    Shoot,
    Spot,
    Steal,
    Take,
)
from companion.games.up_the_creek.check import (
    after_laying,
    check,
    find_offer,
    had_offer,
    offer_of,
    spoils_with,
)
from companion.games.up_the_creek.flow import (
    COMPLETED,
    DISCARDED,
    DUPLICATE,
    SPECIAL,
    STOPPED,
    declined,
    let_pass,
    over,
    say,
    settle,
)
from companion.games.up_the_creek.state import Awaiting, Offer, State
from companion.games.up_the_creek.table import (
    Board,
    Canoe,
    Row,
    canoe_at,
    cards_of,
    completed,
    with_row,
)


def apply(state: State, act: Act) -> State:
    """The state after the act; raises `ImpossibleAction` for what cannot have happened."""
    if not isinstance(act, Observe):
        verdict = check(state, act)
        if not verdict.possible:
            raise ImpossibleAction(verdict)
    return applied(state, act)


def applied(state: State, act: Act) -> State:
    """As `apply`, for an act that is known to be possible."""
    late = had_offer(state, act.player, offer_of(act)) and not state.awaiting
    state = replace(state, news=(), lost=())
    if isinstance(act, Observe):
        return settle(_observe(state, act))
    state = let_pass(state, act)
    if state.turn is None or (not state.awaiting and act.player != state.active and not late):
        if not isinstance(act, Reshuffle | DecksOut):
            state = replace(state, turn=state.players.index(act.player), ending="")
    return settle(_APPLY[type(act)](state, act))


def _with_board(state: State, player: str, board: Board) -> State:
    at = state.players.index(player)
    return replace(state, boards=(*state.boards[:at], board, *state.boards[at + 1 :]))


def _answered(state: State, awaited: Awaiting | None) -> State:
    return replace(state, awaiting=tuple(a for a in state.awaiting if a is not awaited))


def _reveal(state: State, act: Reveal) -> State:
    kind = act.card.kind
    state = replace(state, out=state.out + 1)
    if kind.group == "axe":
        return _axe_revealed(state, act)
    duplicate = any(card.kind.id == kind.id for card in cards_of(state.board(act.player)))
    ends = SPECIAL.get(kind.id) or (DUPLICATE if duplicate else "")
    state = replace(state, revealed=act.card, ending=ends)
    return say(state, f"{act.player} reveals {act.card}" + (f": {ends}" if ends else ""))


def _axe_revealed(state: State, act: Reveal) -> State:
    state = replace(state, discard=(*state.discard, act.card), ending=SPECIAL["wild-axe"])
    if not specials.axe(state.board(act.player)):
        return say(state, f"{act.player} has no completed canoe: the Wild Axe has no effect")
    text = f"{act.player} must sink a completed canoe"
    return say(replace(state, awaiting=(*state.awaiting, Awaiting(Offer.SINK, act.player))), text)


def _lay(state: State, act: Lay) -> State:
    card = _known(state.revealed, act.card)
    board = state.board(act.player)
    ends = state.ending
    if state.revealed is None:
        state = replace(state, out=state.out + 1)
        if any(c.kind.id == card.kind.id for c in cards_of(board)):
            ends = DUPLICATE
        ends = SPECIAL.get(card.kind.id, ends)
    state = replace(state, revealed=None, ending=ends)
    state = _laid(state, act.player, card, act.to, "reveal")
    first: tuple[Awaiting, ...] = ()
    if state.options.lasso_and_bow and card.kind.id in ("lasso", "bow-and-arrows"):
        offer = Offer.STEAL if card.kind.id == "lasso" else Offer.SHOOT
        first = (Awaiting(offer, act.player),)
    return replace(state, awaiting=(*first, *state.awaiting))


def _known(revealed: Card | None, told: Card) -> Card:
    """The card with whatever colour and number either act told."""
    if revealed is None:
        return told
    return Card(
        told.kind,
        told.colour if told.colour is not None else revealed.colour,
        told.number if told.number is not None else revealed.number,
    )


def _laid(state: State, player: str, card: Card, to: Any, source: str) -> State:
    """The card lies there; canoes that this completes may attack, and perhaps end the game."""
    before = state.board(player)
    board = after_laying(before, card, to, source)
    now = _followed(before, board, card)
    state = _moved(_with_board(state, player, board), player, now)
    where = f"row {to.row}" + (f", column {to.column}" if isinstance(to, Spot) else "")
    state = say(state, f"{player} lays {card} in {where}")
    new = next((canoe for canoe, was in now.items() if was is None), None)
    if new is None or len(now) <= len(completed(before)):
        return state
    state = say(state, f"{player} completes a canoe of {len(new.cards)} cards in row {new.row}")
    offers = [Awaiting(Offer.ATTACK, player, new.row, new.first)]
    if len(now) >= ending.ENOUGH and not any(a.offer is Offer.END for a in state.awaiting):
        offers.append(Awaiting(Offer.END, player))
    attacks = [a for a in state.awaiting if a.offer is not Offer.END]
    ends = [a for a in state.awaiting if a.offer is Offer.END]
    return replace(
        state, awaiting=(*attacks, offers[0], *ends, *offers[1:]), ending=state.ending or COMPLETED
    )


def _followed(before: Board, after: Board, card: Card) -> dict[Canoe, Canoe | None]:
    """Every completed canoe with what it was before: the same, shifted or grown; None: it is new."""
    old = completed(before)
    found: dict[Canoe, Canoe | None] = {}
    for canoe in completed(after):
        ways = (canoe.cells, tuple(c for c in canoe.cells if c is not card))
        was = next((c for c in old if c.row == canoe.row and c.cells in ways), None)
        if was is not None:
            old.remove(was)
        found[canoe] = was
    return found


def _moved(state: State, player: str, now: dict[Canoe, Canoe | None]) -> State:
    """Attacks that are still offered follow their canoes where these were shifted."""
    places = {(was.row, was.first): canoe.first for canoe, was in now.items() if was is not None}
    awaiting = tuple(
        replace(a, column=places.get((a.row, a.column), a.column))
        if a.offer is Offer.ATTACK and a.player == player
        else a
        for a in state.awaiting
    )
    return replace(state, awaiting=awaiting)


def _discard(state: State, act: Discard) -> State:
    spoils = spoils_with(state, act.player, act.card.kind.id)
    if spoils is not None and state.revealed is None:
        card, state = _from_spoils(state, spoils, act.card)
        return say(
            replace(state, discard=(*state.discard, card)), f"{card} goes to the discard pile"
        )
    out = state.out + (state.revealed is None)
    card = _known(state.revealed, act.card)
    ends = state.ending or DISCARDED
    state = replace(state, revealed=None, out=out, discard=(*state.discard, card), ending=ends)
    return say(state, f"{act.player} puts {card} on the discard pile")


def _from_spoils(
    state: State, spoils: Awaiting, told: Card, row: int | None = None
) -> tuple[Card, State]:
    exact = [c for c in spoils.cards if c == told]
    card = exact[0] if exact else next(c for c in spoils.cards if c.kind.id == told.kind.id)
    rest = list(spoils.cards)
    rest.remove(card)
    left = replace(spoils, cards=tuple(rest), row=spoils.row or row or 0)
    awaiting = tuple(left if a is spoils else a for a in state.awaiting)
    return card, replace(state, awaiting=awaiting)


def _take(state: State, act: Take) -> State:
    spoils = spoils_with(state, act.player, act.card.kind.id)
    assert spoils is not None, "checked: without spoils it is impossible"
    card, state = _from_spoils(state, spoils, act.card, act.to.row)
    return _laid(state, act.player, card, act.to, "spoils")


def _steal(state: State, act: Steal) -> State:
    victim = state.board(act.victim)
    card = victim[act.row - 1].at(act.column)
    assert card is not None, "checked: an empty place is impossible"
    state = _answered(state, find_offer(state, act.player, (Offer.STEAL,)))
    row = victim[act.row - 1].having(act.column, None)
    state = _with_board(state, act.victim, with_row(victim, act.row, row))
    state = say(state, f"{act.player}'s Lasso takes {act.victim}'s {card} from row {act.row}")
    if act.to is None:
        return say(
            replace(state, discard=(*state.discard, card)), f"{card} fits nowhere: discarded"
        )
    return _laid(state, act.player, card, act.to, "steal")


def _shoot(state: State, act: Shoot) -> State:
    board = state.board(act.victim)
    card = board[act.row - 1].at(act.column)
    assert card is not None, "checked: an empty place is impossible"
    state = _answered(state, find_offer(state, act.player, (Offer.SHOOT,)))
    row = board[act.row - 1].having(act.column, None)
    state = _with_board(state, act.victim, with_row(board, act.row, row))
    state = replace(state, discard=(*state.discard, card))
    return say(state, f"{act.player}'s archer hits {act.victim}'s {card} in row {act.row}")


def _removed(board: Board, canoe: Canoe) -> Board:
    row: Row = board[canoe.row - 1]
    for column in range(canoe.first, canoe.last + 1):
        row = row.having(column, None)
    return with_row(board, canoe.row, row)


def _axe(state: State, act: Axe) -> State:
    board = state.board(act.player)
    canoe = canoe_at(board, act.row, act.column, "span")
    assert canoe is not None, "checked: no canoe is impossible"
    awaited = find_offer(state, act.player, (Offer.SINK,))
    if state.revealed is not None:
        state = replace(state, discard=(*state.discard, state.revealed), revealed=None)
    if awaited is None:
        axe = Card(state.deck["wild-axe"])
        state = replace(state, discard=(*state.discard, axe), out=state.out + 1)
    state = _answered(state, awaited)
    state = _with_board(state, act.player, _removed(board, canoe))
    state = replace(state, discard=(*state.discard, *canoe.cards), ending=SPECIAL["wild-axe"])
    return say(
        state, f"the Wild Axe sinks {act.player}'s canoe of {len(canoe.cards)} in row {act.row}"
    )


def _attack(state: State, act: Attack) -> State:
    extent = state.options.canoe_extent
    mine = canoe_at(state.board(act.player), act.row, act.column, extent)
    assert mine is not None, "checked: no canoe is impossible"
    state = replace(
        state,
        awaiting=tuple(
            a
            for a in state.awaiting
            if (a.offer, a.player, a.row, a.column)
            != (Offer.ATTACK, act.player, mine.row, mine.first)
        ),
    )
    sunk = [
        (t.victim, canoe_at(state.board(t.victim), t.row, t.column, extent)) for t in act.targets
    ]
    kept: list[Card] = []
    for victim, canoe in sunk:
        assert canoe is not None, "checked: no canoe is impossible"
        state = _with_board(state, victim, _removed(state.board(victim), canoe))
        spoils = piracy.spoils(canoe, state.options)
        kept += spoils.to_attacker
        added = len(spoils.to_attacker) + len(spoils.discarded) - len(canoe.cards)
        discard = (*state.discard, *spoils.discarded)
        state = replace(state, discard=discard, out=state.out + added)
        state = say(
            state,
            f"{act.player} captures {victim}'s canoe of {len(canoe.cards)} in row {canoe.row}",
        )
    if kept:
        state = replace(
            state,
            awaiting=(Awaiting(Offer.SPOILS, act.player, cards=tuple(kept)), *state.awaiting),
        )
    return state


def _decline(state: State, act: Decline) -> State:
    awaited = find_offer(state, act.player, tuple(Offer))
    assert awaited is not None, "checked: nothing to decline is impossible"
    return declined(state, awaited)


def _pass(state: State, act: Pass) -> State:
    if state.revealed is not None:
        state = replace(state, discard=(*state.discard, state.revealed), revealed=None)
    return replace(state, ending=state.ending or STOPPED)


def _end(state: State, act: End) -> State:
    return over(
        state,
        f"{act.player} ends it with {len(completed(state.board(act.player)))} completed canoes",
    )


def _reshuffle(state: State, act: Reshuffle) -> State:
    text = f"the discard pile ({len(state.discard)} cards known) becomes a new deck"
    return say(replace(state, discard=(), out=state.out - len(state.discard)), text)


def _decks_out(state: State, act: DecksOut) -> State:
    return over(state, "all decks and the discard pile are used up")


def _observe(state: State, act: Observe) -> State:
    board = state.board(act.player)
    before, after = board[act.row - 1], Row.of(act.cells, act.first)
    state = _with_board(state, act.player, with_row(board, act.row, after))
    state = replace(state, out=state.out + len(after.cards()) - len(before.cards()))
    kept = tuple(b for a in state.awaiting if (b := _still_there(state, a)) is not None)
    state = replace(state, awaiting=kept)
    if state.turn is None and not before.cells:  # nobody has acted: a start in mid-game
        return say(state, f"{act.player}, row {act.row}: `{after}` lies there")
    text = f"{act.player}, row {act.row}: observed `{after}`, the log had `{before}`"
    return say(replace(state, observed=(*state.observed, text)), text)


def _still_there(state: State, awaited: Awaiting) -> Awaiting | None:
    """The offer after a correction: an attack goes with its canoe, and away without it."""
    if awaited.offer is not Offer.ATTACK:
        return awaited
    canoe = canoe_at(state.board(awaited.player), awaited.row, awaited.column, "span")
    if canoe is None or not canoe.complete:
        return None
    return replace(awaited, column=canoe.first)


_APPLY: dict[type[Any], Any] = {
    Reveal: _reveal,
    Lay: _lay,
    Discard: _discard,
    Steal: _steal,
    Shoot: _shoot,
    Axe: _axe,
    Attack: _attack,
    Take: _take,
    Decline: _decline,
    Pass: _pass,
    End: _end,
    Reshuffle: _reshuffle,
    DecksOut: _decks_out,
}
