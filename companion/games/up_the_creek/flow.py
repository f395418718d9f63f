"""How a match goes on: offers that lapse, turns that end, the end itself."""

from dataclasses import replace
from typing import Any

from companion.games.up_the_creek import ending, piracy, specials
from companion.games.up_the_creek.acts import Act, DecksOut, Discard, End, Lay, Observe, Reshuffle
from companion.games.up_the_creek.check import find_offer, offer_of
from companion.games.up_the_creek.state import Awaiting, Offer, State
from companion.games.up_the_creek.table import Canoe, canoe_at, canoes_of, completed

# Why a turn ends.
DUPLICATE = "the revealed card is one that already lies in the rows"
SPECIAL = {
    "lasso": "a Lasso was revealed",
    "bow-and-arrows": "Bow & Arrows were revealed",
    "wild-axe": "a Wild Axe was revealed",
}
COMPLETED = "a canoe was completed"
DISCARDED = "a card was put on the discard pile"
STOPPED = "the player stopped"


def say(state: State, *news: str) -> State:
    """The state with sentences on what happened."""
    return replace(state, news=(*state.news, *news))


def let_pass(state: State, act: Act) -> State:
    """What is still awaited when somebody does something else is declined; nothing ever blocks."""
    if isinstance(act, Reshuffle | DecksOut | Observe):
        return state
    if find_offer(state, act.player, offer_of(act)) is not None:
        return state
    if state.revealed is not None and act.player != state.active:
        card, state = state.revealed, replace(state, revealed=None)
        state = say(state, f"{card} of {state.active} goes to the discard pile")
        state = replace(state, discard=(*state.discard, card), ending=state.ending or DISCARDED)
    if isinstance(act, End) or (isinstance(act, Lay | Discard) and state.revealed is not None):
        return state
    while state.awaiting and not state.over:
        state = settle(declined(state, state.awaiting[0]))
    return settle(state)


def declined(state: State, awaited: Awaiting) -> State:
    """The state with one offer let pass."""
    state = replace(
        state,
        awaiting=tuple(a for a in state.awaiting if a is not awaited),
        discard=(*state.discard, *awaited.cards),
    )
    if awaited.offer is Offer.END:
        state = replace(state, continued=state.continued | {awaited.player})
        return say(state, f"{awaited.player} goes on playing")
    if awaited.offer is Offer.SPOILS and awaited.cards:
        left = ", ".join(map(str, awaited.cards))
        return say(state, f"{left} of the spoils go to the discard pile")
    return state


def settle(state: State) -> State:
    """Drops offers that nothing can answer, ends the game where it must, passes the turn."""
    while state.awaiting and not state.over:
        awaited = state.awaiting[0]
        if awaited.offer is Offer.END and _must_end(state, awaited.player):
            return over(state, f"{awaited.player} completed the canoe that ends the game")
        if answerable(state, awaited):
            return state
        state = replace(state, awaiting=state.awaiting[1:])
        if awaited.offer is not Offer.SPOILS:
            state = replace(state, lost=(*state.lost, awaited))
            state = say(state, f"nothing can be done with the {awaited.offer}: it is lost")
    if state.ending and state.revealed is None and not state.over and state.turn is not None:
        after = (state.turn + 1) % len(state.players)
        text = f"{state.active}'s turn ends: {state.ending}; {state.players[after]} is next"
        state = say(replace(state, turn=after, ending=""), text)
    return state


def _must_end(state: State, player: str) -> bool:
    others = bool(state.continued - {player})
    lying = len(completed(state.board(player)))
    verdict = ending.end(lying, True, others, False, state.options)
    value: dict[str, Any] = verdict.value
    return bool(value["ends"] == "must")


def answerable(state: State, awaited: Awaiting) -> bool:
    """Whether the offer can be taken up at all."""
    match awaited.offer:
        case Offer.SPOILS:
            return bool(awaited.cards)
        case Offer.STEAL:
            return _reachable(state, awaited.player, "steal")
        case Offer.SHOOT:
            return _reachable(state, awaited.player, "shoot")
        case Offer.ATTACK:
            return _may_attack(state, awaited)
        case Offer.SINK:
            return bool(specials.axe(state.board(awaited.player)))
        case Offer.END:
            return len(completed(state.board(awaited.player))) >= ending.ENOUGH
    return False


def _reachable(state: State, player: str, how: str) -> bool:
    own = state.board(player)
    for other in state.players:
        if other == player:
            continue
        board = state.board(other)
        for number, row in enumerate(board, 1):
            for column, _ in row.items():
                if how == "shoot":
                    verdict = specials.shoot(board, False, number, column, state.options)
                else:
                    verdict = specials.steal(own, board, False, number, column, state.options)
                if not verdict.objections:
                    return True
    return False


def _may_attack(state: State, awaited: Awaiting) -> bool:
    """Whether some canoe might be attacked, strengths that nobody knows counted in favour."""
    boards = dict(state.tables)
    mine = canoe_at(boards[awaited.player], awaited.row, awaited.column, "span")
    if mine is None or not mine.complete or mine.strength == 0:
        return False
    for canoe, victim in targets_of(state, awaited.player):
        target = (piracy.Target(victim, canoe.row, canoe.first),)
        verdict = piracy.attack(
            boards, awaited.player, awaited.row, awaited.column, target, False, state.options
        )
        if not verdict.objections:
            return True
    return False


def targets_of(state: State, player: str) -> list[tuple[Canoe, str]]:
    """Every canoe of the other players."""
    return [
        (canoe, other)
        for other in state.players
        if other != player
        for canoe in canoes_of(state.board(other), state.options.canoe_extent)
    ]


def over(state: State, why: str) -> State:
    """The match is over; spoils not laid go to the discard pile."""
    left = [card for awaited in state.awaiting for card in awaited.cards]
    state = replace(state, discard=(*state.discard, *left), over=why, awaiting=(), ending="")
    return say(state, f"the match is over: {why}")
