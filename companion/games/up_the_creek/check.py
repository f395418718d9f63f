"""Whether an act may be done in a match: every objection, against the rules or impossible."""

from card_catalog.model import Card
from companion.core.verdict import LEGAL, Objection, Verdict
from companion.games.up_the_creek import ending, piracy, placement, specials
from companion.games.up_the_creek.acts import (
    Act,
    Attack,
    Axe,
    Beside,
    DecksOut,
    Decline,
    Destination,
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
from companion.games.up_the_creek.state import Awaiting, Offer, State
from companion.games.up_the_creek.table import Board, canoe_at, with_row


def check(state: State, act: Act) -> Verdict:
    """Every objection to the act in this state, and what is missing to tell."""
    if isinstance(act, Observe):
        return LEGAL
    verdict = _of_act(state, act)
    general = _general(state, act)
    if not general:
        return verdict
    return Verdict((*verdict.objections, *general), verdict.unknowns)


def _of_act(state: State, act: Act) -> Verdict:
    match act:
        case Reveal():
            return _reveal(state, act)
        case Lay():
            return _lay(state, act)
        case Discard():
            return _discard(state, act)
        case Steal():
            return _steal(state, act)
        case Shoot():
            return _shoot(state, act)
        case Axe():
            return _axe(state, act)
        case Attack():
            return _attack(state, act)
        case Take():
            return _take(state, act)
        case Decline():
            return _decline(state, act)
        case End():
            return _end(state, act)
        case DecksOut():
            return _decks_out(state)
        case Reshuffle():
            return _reshuffle(state)
        case Pass():
            return _pass(state)
    return LEGAL


def _general(state: State, act: Act) -> list[Objection]:
    """Objections that any act can meet: the match is over, it is another player's turn."""
    objections = []
    if state.over:
        text = f"the match is over: {state.over}"
        objections.append(Objection("utc:end.over", text))
    if isinstance(act, Reshuffle | DecksOut):
        return objections
    answers = offer_of(act)
    if answers and had_offer(state, act.player, answers):
        return objections
    if isinstance(act, Pass) and find_offer(state, act.player, tuple(Offer)) is not None:
        return objections
    turn = next_turn(state)
    if state.full and turn is not None and act.player != turn:
        text = f"it is {turn}'s turn, not {act.player}'s"
        objections.append(Objection("utc:turn.order", text, (f"{turn} plays next",)))
    return objections


def next_turn(state: State) -> str | None:
    """Whose turn it is once everything that is still offered is let pass."""
    if state.turn is None:
        return None
    step = 1 if state.ending and state.revealed is None else 0
    return state.players[(state.turn + step) % len(state.players)]


def offer_of(act: Act) -> tuple[Offer, ...]:
    """The offers that the act can answer."""
    match act:
        case Steal():
            return (Offer.STEAL,)
        case Shoot():
            return (Offer.SHOOT,)
        case Axe():
            return (Offer.SINK,)
        case Attack():
            return (Offer.ATTACK,)
        case Take() | Discard():
            return (Offer.SPOILS,)
        case End():
            return (Offer.END,)
        case Decline():
            return tuple(Offer)
    return ()


def find_offer(state: State, player: str, offers: tuple[Offer, ...]) -> Awaiting | None:
    """The first thing awaited of the player that is one of these."""
    for awaited in state.awaiting:
        if awaited.player == player and awaited.offer in offers:
            return awaited
    return None


def had_offer(state: State, player: str, offers: tuple[Offer, ...]) -> bool:
    """Whether one of these is or was on offer in this turn, be it that nothing could answer it."""
    return any(a.player == player and a.offer in offers for a in (*state.awaiting, *state.lost))


def spoils_with(state: State, player: str, kind_id: str) -> Awaiting | None:
    """The player's captured cards that hold the kind; else the first lot of them, if any."""
    lots = [a for a in state.awaiting if a.player == player and a.offer is Offer.SPOILS]
    held = [lot for lot in lots if any(card.kind.id == kind_id for card in lot.cards)]
    return next(iter(held or lots), None)


def _reveal(state: State, act: Reveal) -> Verdict:
    objections = []
    if state.revealed is not None and act.player == state.active:
        text = f"{state.revealed} was revealed and is neither placed nor discarded yet"
        objections.append(Objection("utc:turn.placing", text, impossible=True))
    for awaited in state.awaiting:
        if awaited.offer is Offer.SINK:
            text = f"{awaited.player} must first sink a completed canoe with the Wild Axe"
            objections.append(Objection("utc:axe.sinks", text))
    if not state.options.lasso_and_bow:
        objections += placement.forbidden_kind(act.card, state.options)[:1] * (
            act.card.kind.group != "axe"
        )
    return Verdict(tuple(objections))


def _same_card(state: State, act: Lay | Discard) -> list[Objection]:
    """Only the card that was revealed can be dealt with."""
    if state.revealed is not None and act.player == state.active:
        if state.revealed.kind.id != act.card.kind.id:
            text = f"the revealed card is {state.revealed}, not {act.card}"
            return [Objection("utc:turn.placing", text, impossible=True)]
    elif state.full:
        text = f"no card was revealed, so {act.card} is not there"
        return [Objection("utc:turn.reveal", text, impossible=True)]
    return []


def laid(board: Board, act: Lay | Take | Steal, source: str, state: State) -> Verdict:
    """Whether the building rules let the card lie where the act puts it."""
    to = act.to
    assert to is not None
    card = act.card if not isinstance(act, Steal) else _stolen(state, act)
    assert card is not None
    if isinstance(to, Spot):
        return placement.place(board, card, to.row, to.column, state.options)
    return placement.insert(board, _insertion(card, to, source), state.options)


def _insertion(card: Card, to: Beside, source: str) -> placement.Insertion:
    return placement.Insertion(card, to.row, to.card, to.side, to.shift, source)


def after_laying(board: Board, card: Card, to: Destination, source: str) -> Board:
    """The board with the card where it was put."""
    if isinstance(to, Spot):
        row = board[to.row - 1].having(to.column, card)
    else:
        row = _insertion(card, to, source).result(board[to.row - 1])
    return with_row(board, to.row, row)


def _lay(state: State, act: Lay) -> Verdict:
    wrong = _same_card(state, act)
    if state.revealed is None and any(a.offer is Offer.SINK for a in state.awaiting):
        wrong.append(Objection("utc:axe.sinks", "the Wild Axe must first sink a completed canoe"))
    verdict = laid(state.board(act.player), act, "reveal", state)
    if not wrong:
        return verdict
    return Verdict((*wrong, *verdict.objections), verdict.unknowns)


def _discard(state: State, act: Discard) -> Verdict:
    spoils = spoils_with(state, act.player, act.card.kind.id)
    if spoils is not None and state.revealed is None:
        return Verdict(tuple(_among_spoils(spoils, act.card.kind.id)))
    return Verdict(tuple(_same_card(state, act)))


def _among_spoils(spoils: Awaiting, kind_id: str) -> list[Objection]:
    if any(card.kind.id == kind_id for card in spoils.cards):
        return []
    left = ", ".join(map(str, spoils.cards)) or "nothing"
    text = f"{kind_id} is not among the captured cards: {left}"
    return [Objection("utc:piracy.spoils", text, impossible=True)]


def _stolen(state: State, act: Steal) -> Card | None:
    return state.board(act.victim)[act.row - 1].at(act.column)


def _steal(state: State, act: Steal) -> Verdict:
    thief, victim = state.board(act.player), state.board(act.victim)
    own = act.player == act.victim
    verdict = specials.steal(thief, victim, own, act.row, act.column, state.options)
    if not verdict.possible:
        return verdict
    objections = list(verdict.objections)
    unknowns = list(verdict.unknowns)
    if not had_offer(state, act.player, (Offer.STEAL,)):
        text = "no Lasso was revealed and placed just now"
        objections.append(Objection("utc:lasso.placed", text))
    if act.to is None:
        card = _stolen(state, act)
        if card is not None and placement.fits(thief, card, state.options, "steal"):
            text = "a stolen card is laid in a row at once: say where"
            objections.append(Objection("utc:lasso.at-once", text))
    else:
        where = laid(_without_own(state, act), act, "steal", state)
        objections += where.objections
        unknowns += where.unknowns
    return Verdict(tuple(objections), tuple(unknowns))


def _without_own(state: State, act: Steal) -> Board:
    """The thief's board; without the card where he takes his own, against the rules."""
    board = state.board(act.player)
    if act.player != act.victim:
        return board
    row = board[act.row - 1].having(act.column, None)
    return with_row(board, act.row, row)


def _shoot(state: State, act: Shoot) -> Verdict:
    own = act.player == act.victim
    verdict = specials.shoot(state.board(act.victim), own, act.row, act.column, state.options)
    if had_offer(state, act.player, (Offer.SHOOT,)):
        return verdict
    text = "no Bow & Arrows card was revealed and placed just now"
    return Verdict((*verdict.objections, Objection("utc:bow-arrows.placed", text)))


def _axe(state: State, act: Axe) -> Verdict:
    objections = []
    canoe = canoe_at(state.board(act.player), act.row, act.column, "span")
    if canoe is None or not canoe.complete:
        text = f"no completed canoe of {act.player} lies in row {act.row}, column {act.column}"
        objections.append(Objection("utc:axe.sinks", text, impossible=canoe is None))
    if state.full and find_offer(state, act.player, (Offer.SINK,)) is None:
        text = "no Wild Axe was revealed just now"
        objections.append(Objection("utc:axe.sinks", text, place=("revealed",)))
    return Verdict(tuple(objections))


def _attack(state: State, act: Attack) -> Verdict:
    boards = state.tables
    canoe = canoe_at(boards[act.player], act.row, act.column, state.options.canoe_extent)
    offered = canoe is not None and any(
        a.offer is Offer.ATTACK
        and (a.player, a.row, a.column) == (act.player, canoe.row, canoe.first)
        for a in (*state.awaiting, *state.lost)
    )
    verdict = piracy.attack(
        dict(boards), act.player, act.row, act.column, act.targets, not offered, state.options
    )
    if any(o.rule == "utc:shaman.different" for o in verdict.objections):
        impossible = Objection(
            "utc:shaman.different", "one canoe cannot be captured twice", impossible=True
        )
        return Verdict((*verdict.objections, impossible))
    return verdict


def _take(state: State, act: Take) -> Verdict:
    spoils = spoils_with(state, act.player, act.card.kind.id)
    if spoils is None:
        text = f"{act.player} has no captured cards to lay"
        return Verdict((Objection("utc:piracy.spoils", text, impossible=True),))
    objections = _among_spoils(spoils, act.card.kind.id)
    if state.options.spoils_rows == "one" and spoils.row not in (0, act.to.row):
        text = f"all captured cards go to one row here, and row {spoils.row} took the first"
        objections.append(Objection("utc:piracy.spoils-rows", text))
    verdict = laid(state.board(act.player), act, "spoils", state)
    return Verdict((*objections, *verdict.objections), verdict.unknowns)


def _decline(state: State, act: Decline) -> Verdict:
    awaited = find_offer(state, act.player, tuple(Offer))
    if awaited is None:
        text = f"nothing is offered to {act.player} that could be declined"
        return Verdict((Objection("utc:turn.stop", text, impossible=True),))
    if awaited.offer is Offer.SINK:
        text = "a Wild Axe cannot be declined: one of the completed canoes must sink"
        return Verdict((Objection("utc:axe.sinks", text),))
    return LEGAL


def _end(state: State, act: End) -> Verdict:
    lying = len(specials.axe(state.board(act.player)))
    offered = find_offer(state, act.player, (Offer.END, Offer.ATTACK)) is not None
    others = bool(state.continued - {act.player})
    verdict = ending.end(lying, offered, others, False, state.options)
    return Verdict(verdict.objections, needs=verdict.needs)


def _decks_out(state: State) -> Verdict:
    if state.full and state.discard:
        text = f"{len(state.discard)} cards lie on the discard pile: shuffle them into a new deck first"
        return Verdict((Objection("utc:decks.out", text, ("reshuffle",)),))
    return LEGAL


def _reshuffle(state: State) -> Verdict:
    if state.full and not state.discard:
        text = "the discard pile is empty, so there is nothing to shuffle"
        return Verdict((Objection("utc:decks.reshuffle", text),))
    return LEGAL


def _pass(state: State) -> Verdict:
    if any(a.offer is Offer.SINK for a in state.awaiting):
        text = "the Wild Axe must first sink a completed canoe"
        return Verdict((Objection("utc:axe.sinks", text),))
    if state.revealed is not None:
        text = f"{state.revealed} was revealed: place it or put it on the discard pile"
        return Verdict((Objection("utc:turn.placing", text),))
    if state.full and not state.ending:
        text = "a turn goes on until a card ends it or is put on the discard pile"
        return Verdict((Objection("utc:turn.stop", text, ("reveal the next card",)),))
    return LEGAL
