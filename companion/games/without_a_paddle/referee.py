"""What the rules say to an act: every objection, and what nobody can know."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.core.verdict import Clarity, Objection, Unknown, Verdict
from companion.games.without_a_paddle.actions import (
    Action,
    Bid,
    Cut,
    Hand,
    Misdeal,
    Observe,
    Play,
    Renege,
    Tricks,
    Wins,
)
from companion.games.without_a_paddle.bidding import changed_bid, judge_bid
from companion.games.without_a_paddle.knowledge import (
    may_hold,
    not_there,
    proven,
    told,
    where_seen,
)
from companion.games.without_a_paddle.state import (
    State,
    Table,
    bids_of,
    cards_left,
    charged_round,
    next_bidder,
    turn,
)
from companion.games.without_a_paddle.trick import SUITS, listed, not_following, suit, winner


def check(state: State, action: Action) -> Verdict:
    """Every objection to the act in this state; impossible ones are marked so."""
    if action.player not in state.players:
        text = f"{action.player} is not one of the players."
        return _cannot("wap:table.players", text, f"one of {', '.join(state.players)}")
    return _JUDGES[type(action)](state, action)


def _cannot(rule: str, text: str, *instead: str, place: tuple[Any, ...] = ()) -> Verdict:
    return Verdict((Objection(rule, text, instead, place=place, impossible=True),))


def _no_round(state: State, act: str) -> Verdict:
    """The verdict on an act of a round while none is on the table."""
    if state.over:
        text = f"The match is over after round {state.last_round}; nothing is left to {act}."
        return _cannot("wap:end.over", text, "start another match")
    text = "Nobody has dealt yet; everybody cuts for the first deal before that."
    return _cannot("wap:start.cut", text, "cut for the first deal")


def _before_bids(state: State, table: Table) -> list[Objection]:
    """The objection to playing while bids are missing."""
    waiting = next_bidder(state, table)
    if waiting is None:
        return []
    text = f"{waiting} has not bid yet; everybody bids before the first card is played."
    return [Objection("wap:bid.order", text, (f"{waiting} bids",), place=(waiting, state.number))]


def _cut(state: State, action: Cut) -> Verdict:
    player = action.player
    if state.over:
        return _no_round(state, "cut for")
    if state.dealer is not None:
        text = f"{state.dealer} deals the first round; there is nothing to cut for."
        return Verdict((Objection("wap:start.cut", text, place=(player,)),))
    if player not in state.cutters:
        tied = " and ".join(state.cutters)
        text = f"Only {tied} cut again, because they were level."
        again = Objection(
            "wap:start.cut-again", text, (f"{tied} cut",), Clarity.SILENT, place=(player,)
        )
        return Verdict((again,))
    if player in dict(state.cuts):
        text = f"{player} has cut {dict(state.cuts)[player]} already."
        return Verdict((Objection("wap:start.cut", text, place=(player,)),))
    repeated = state.cutters != state.players
    points = (("wap:start.cut-again", Clarity.SILENT),) if repeated else ()
    return Verdict(needs=("wap:start.cut",), points=points)


def _bid(state: State, action: Bid) -> Verdict:
    table, player = state.table, action.player
    if table is None:
        return _no_round(state, "bid for")
    if action.number < 0:
        text = f"{action.number} is not a number of tricks."
        return _cannot("wap:bid.range", text, "a bid from 0", place=(player, state.number))
    deal, bids = state.deal, bids_of(state, table)
    verdict = judge_bid(deal, player, action.number, bids, state.options)
    if player in bids:
        started = bool(table.done or table.trick) or any(s is not None for s in table.said)
        return changed_bid(verdict, deal, player, bids, started)
    waiting = next_bidder(state, table)
    if player == waiting:
        return verdict
    text = f"{waiting} bids before {player}: the bids go round from the dealer's left."
    order = Objection("wap:bid.order", text, (f"{waiting} bids",), place=(player, state.number))
    return replace(verdict, objections=(*verdict.objections, order))


def _play(state: State, action: Play) -> Verdict:
    table, player, card = state.table, action.player, action.card
    if table is None:
        return _no_round(state, "play")
    impossible = not_there(state, table, player, card)
    if impossible:
        return Verdict(tuple(impossible))
    objections = [*_before_bids(state, table), *_out_of_turn(state, table, player)]
    led = suit(table.trick[0][1]) if table.trick else suit(card)
    unknowns: list[Unknown] = []
    hand = table.hands[state.seat(player)]
    if hand is not None:
        revoke = not_following(card, led, hand, player)
        if revoke is not None:
            objections.append(revoke)
    elif suit(card) != led and may_hold(state, table, player, led):
        text = (
            f"{SUITS[led]} were led and {player}'s hand is not known: {card} is right only if "
            f"{player} has no {SUITS[led]}"
        )
        unknowns.append(Unknown("wap:play.follow", text))
    return Verdict(
        tuple(objections),
        tuple(unknowns),
        needs=("wap:play.follow" if table.trick else "wap:play.lead",),
        reasons=tuple(told(d) for d in proven(table, player, (card,))),
    )


def _out_of_turn(state: State, table: Table, player: str) -> list[Objection]:
    expected = turn(state, table)
    if player == expected:
        return []
    if table.trick:
        rule, text = "wap:play.turn", f"It is {expected}'s turn to play, not {player}'s."
    else:
        rule = "wap:trick.next-lead" if table.done else "wap:play.lead"
        text = f"{expected} leads to trick {table.done + 1}, not {player}."
    return [Objection(rule, text, (f"{expected} plays",), place=(player, table.done))]


def _wins(state: State, action: Wins) -> Verdict:
    table, player = state.table, action.player
    if table is None:
        return _no_round(state, "win")
    deal = state.deal
    place = (player, table.done)
    if table.done >= deal.cards:
        text = f"All {deal.cards} tricks of round {deal.round} have been taken."
        return _cannot("wap:trick.all", text, place=place)
    objections = _before_bids(state, table)
    counts = list(table.counts)
    seat = state.seat(player)
    said = table.said[seat]
    if said is not None and table.won[seat] >= said:
        text = f"{player} won {said} in round {deal.round} as told, and all of them are counted."
        objections.append(Objection("wap:trick.all", text, place=place))
    elif said is None and sum(counts) >= deal.cards:
        objections.append(_too_many(state, sum(counts) + 1, place))
    unknowns: list[Unknown] = []
    if table.trick:
        own = dict(table.trick).get(player)
        best = winner(table.trick)
        if own is not None and best != player:
            text = f"{best}'s {dict(table.trick)[best]} beats {player}'s {own}."
            objections.append(Objection("wap:trick.winner", text, (f"{best} wins",), place=place))
    if table.trick or state.tracking == "full":
        text = f"not all cards of trick {table.done + 1} are told, so nobody can check who won it"
        unknowns.append(Unknown("wap:trick.winner", text))
    return Verdict(tuple(objections), tuple(unknowns), needs=("wap:trick.winner",))


def _too_many(state: State, total: int, place: tuple[Any, ...], *instead: str) -> Objection:
    deal = state.deal
    text = f"The tricks of round {deal.round} would come to {total}, but {deal.cards} were played."
    return Objection("wap:trick.all", text, instead, place=place)


def _tricks(state: State, action: Tricks) -> Verdict:
    table, player = state.table, action.player
    if table is None:
        return _no_round(state, "count")
    place = (player, state.number)
    if action.number < 0:
        text = f"{action.number} is not a number of tricks."
        return _cannot("wap:trick.all", text, "a number from 0", place=place)
    objections = _before_bids(state, table)
    seat, deal = state.seat(player), state.deal
    if action.number < table.won[seat]:
        text = f"{player} has won {table.won[seat]} tricks in round {deal.round} already."
        instead = f"tricks {table.won[seat]}"
        objections.append(Objection("wap:trick.all", text, (instead,), place=place))
    others = sum(table.counts) - table.counts[seat]
    complete = all(said is not None for s, said in enumerate(table.said) if s != seat)
    total = others + action.number
    if total > deal.cards or (complete and total != deal.cards):
        right = deal.cards - others
        instead = f"tricks {right}" if right >= 0 else "count the tricks of all again"
        objections.append(_too_many(state, total, place, instead))
    return Verdict(tuple(objections), needs=("wap:trick.all",))


def _renege(state: State, action: Renege) -> Verdict:
    number = charged_round(state, action.round)
    place = (action.player, number)
    if state.dealer is None:
        return _no_round(state, "charge")
    if not 1 <= number <= min(state.number, state.last_round):
        text = f"Round {number} has not been played."
        return _cannot("wap:renege.offence", text, f"a round up to {state.number}", place=place)
    objections: list[Objection] = []
    if state.table is not None and number == state.number:
        objections = _before_bids(state, state.table)
    needs = ("wap:renege.offence", "wap:score.renege")
    return Verdict(tuple(objections), needs=needs)


def _hand(state: State, action: Hand) -> Verdict:
    table, player = state.table, action.player
    if table is None:
        return _no_round(state, "hold")
    place = (player, state.number)
    seat, deal = state.seat(player), state.deal
    if len(set(action.cards)) != len(action.cards):
        text = "A card is listed twice, and every card exists once."
        return _cannot("wap:cards.once", text, place=place)
    for card in action.cards:
        holder, played = where_seen(state, table, card)
        if played or (holder and holder != player):
            text = f"{card} {'was played by' if played else 'is in the hand of'} {holder}."
            return _cannot("wap:cards.once", text, "observe the hand", place=place)
    known = table.hands[seat]
    if known is not None and known != frozenset(action.cards):
        text = f"{player}'s hand is known: {listed(known)}."
        return _cannot("wap:play.from-hand", text, "observe the hand", place=place)
    objections: list[Objection] = []
    right = cards_left(state, table, player)
    if len(action.cards) != right:
        text = (
            f"{player} holds {len(action.cards)} cards where it should be {right}: {deal.cards} "
            f"are dealt to each in round {deal.round}."
        )
        rule = "wap:deal.cards" if deal.round == 1 else "wap:round.fewer"
        objections.append(Objection(rule, text, ("misdeal",), place=place))
    return Verdict(
        tuple(objections),
        needs=("wap:deal.cards",),
        reasons=tuple(told(d) for d in proven(table, player, action.cards)),
    )


def _misdeal(state: State, action: Misdeal) -> Verdict:
    if state.table is None:
        return _no_round(state, "deal")
    return Verdict(needs=("wap:deal.order",), points=(("wap:deal.misdeal", Clarity.SILENT),))


def _observe(state: State, action: Observe) -> Verdict:
    if action.what == "dealer":
        return _no_round(state, "deal") if state.over else Verdict()
    if action.what == "hand":
        return _no_round(state, "hold") if state.table is None else Verdict()
    if state.dealer is None:
        return _no_round(state, "correct")
    number = observed_round(state, action)
    if not 1 <= number <= min(state.number, state.last_round):
        text = f"There is no round {number} to correct yet."
        return _cannot("wap:round.count", text, f"a round up to {state.number}")
    if action.number < 0:
        text = f"{action.number} is not a number of {action.what}."
        return _cannot("wap:trick.all", text, "a number from 0")
    return Verdict()


def observed_round(state: State, action: Observe) -> int:
    """The round that a corrected number belongs to."""
    if action.what == "bid" and action.round is None and not state.over:
        return state.number
    return charged_round(state, action.round)


_JUDGES: dict[type, Callable[[State, Any], Verdict]] = {
    Cut: _cut,
    Bid: _bid,
    Play: _play,
    Wins: _wins,
    Tricks: _tricks,
    Renege: _renege,
    Hand: _hand,
    Misdeal: _misdeal,
    Observe: _observe,
}
