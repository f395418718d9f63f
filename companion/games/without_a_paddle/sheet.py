"""The table as lines of text: the score pad, the round on the table, whose turn it is."""

from companion.core.game import PlayerName
from companion.games.without_a_paddle.bidding import forbidden
from companion.games.without_a_paddle.deal import cards_in
from companion.games.without_a_paddle.scoring import START, points_of
from companion.games.without_a_paddle.state import (
    State,
    Table,
    bids_of,
    leading,
    next_bidder,
    next_to_tell,
    totals,
    turn,
)
from companion.games.without_a_paddle.trick import listed


def view(state: State) -> tuple[str, ...]:
    """The score pad and what lies on the table; the last line says what is awaited."""
    lines = _pad(state)
    if state.table is not None:
        lines += _round(state, state.table)
    return (*lines, awaited(state))


def awaited(state: State) -> str:
    """Whose turn it is, and for what."""
    if state.over:
        best = " and ".join(leading(totals(state)))
        return f"The match is over; the most points: {best}."
    table = state.table
    if table is None:
        cut = dict(state.cuts)
        return f"{next(p for p in state.cutters if p not in cut)} cuts for the first deal."
    bidder = next_bidder(state, table)
    if bidder is not None:
        others = bids_of(state, table)
        barred = forbidden(state.deal, bidder, others, state.options)
        but = f", not {barred[0]}" if barred else ""
        return f"{bidder} bids, 0 to {state.deal.cards}{but}."
    told_some = any(said is not None for said in table.said)
    player = turn(state, table)
    if state.tracking == "full" and not told_some and player is not None:
        verb = "plays to" if table.trick else "leads to"
        return f"{player} {verb} trick {table.done + 1} of {state.deal.cards}."
    seat = next_to_tell(table)
    who = "everybody" if seat is None else state.players[seat]
    left = state.deal.cards - sum(table.counts)
    return f"The tricks of {who} are awaited, {left} of {state.deal.cards} are left."


def _pad(state: State) -> list[str]:
    """One line a finished round: cards, and bid/tricks = total of each player."""
    wide = max(9, *(len(name) + 1 for name in state.players))
    lines = ["round cards " + "".join(f"{name:>{wide}}" for name in state.players)]
    totals = dict.fromkeys(state.players, START)
    for number, written in enumerate(state.rounds, 1):
        cards = cards_in(number, len(state.players), state.options.direction)
        cells = []
        for name in map(PlayerName, state.players):
            bid, tricks = written.bids[name], written.tricks[name]
            reneges = written.reneged.count(name)
            totals[name] += points_of(bid, tricks, cards, reneges, state.options)
            mark = "!" if reneges else ""
            cells.append(f"{f'{bid}/{tricks}{mark} {totals[name]}':>{wide}}")
        lines.append(f"{number:>5} {cards:>5} " + "".join(cells))
    return lines


def _round(state: State, table: Table) -> list[str]:
    deal = state.deal
    lines = [f"Round {deal.round} of {deal.rounds}: {deal.cards} cards each, {deal.dealer} deals."]
    for name in deal.order:
        seat = state.seat(name)
        bid = table.bids[seat]
        told = f"bid {'-' if bid is None else bid}, won {table.counts[seat]}"
        if table.reneges[seat]:
            told += f", reneged {table.reneges[seat]}"
        hand = table.hands[seat]
        if hand:
            told += f", holds {listed(hand)}"
        lines.append(f"{name}: {told}")
    if table.trick:
        lines.append("Trick: " + ", ".join(f"{name} {card}" for name, card in table.trick))
    return lines
