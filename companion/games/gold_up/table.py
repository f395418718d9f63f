"""The table of a match as lines of text."""

from collections import Counter

from companion.games.gold_up.actions import Cards
from companion.games.gold_up.cards import counted, short
from companion.games.gold_up.layout import line_of
from companion.games.gold_up.moves import totals
from companion.games.gold_up.state import State, standing


def view(state: State) -> tuple[str, ...]:
    """Piles, layout and players; the last line says whose turn it is and what is awaited."""
    all_totals = totals(state)
    lines = [_heading(state)]
    closed = state.over and not standing(state).hands[len(state.done) :]
    if closed:
        lines += [
            f"{name}: {counted(total, 'coin')}"
            for name, total in zip(state.players, all_totals, strict=True)
        ]
        return (*lines, _awaited(state, all_totals))
    if state.full:
        lines += [
            f"line {n}: {' '.join(map(short, line_of(state.layout, n)))}" for n in range(1, 6)
        ]
    for seat, name in enumerate(state.players):
        own = state.own_coins(seat)
        worth = "" if own is None else f" ({counted(own, 'coin')})"
        parts = [f"{name}: {counted(all_totals[seat], 'coin')} so far"]
        parts.append(f"this hand {_grouped(state.chests[seat])}{worth}")
        hand = state.keys[seat]
        if hand is not None:
            parts.append(f"keys {_grouped(hand)}")
        lines.append("; ".join(parts))
    lines.append(_awaited(state, all_totals))
    return tuple(lines)


def _grouped(cards: Cards) -> str:
    """`2 white, 1 joker`; `none` when there are none."""
    return ", ".join(f"{n} {name}" for name, n in Counter(map(short, cards)).items()) or "none"


def _heading(state: State) -> str:
    if state.over:
        return f"After {counted(len(state.done), 'hand')}"
    parts = [f"Hand {len(state.done) + 1}"]
    if state.chests_pile is not None:
        parts.append(f"Chests pile {state.chests_pile}")
    if state.keys_pile is not None:
        parts.append(f"Keys pile {state.keys_pile}")
    if state.corrected:
        parts.append(f"log corrected: {', '.join(state.corrected)}")
    return "; ".join(parts)


def _awaited(state: State, all_totals: list[int]) -> str:
    if state.over:
        best = max(all_totals)
        first = [n for n, t in zip(state.players, all_totals, strict=True) if t == best]
        return f"The match is over: {' and '.join(first)} with {counted(best, 'coin')}."
    if state.counting:
        return "The hand is over: count the coins (coins N), then end-hand."
    if not state.full:
        return "Enter what is won (takes, or coins N after the hand), then end-hand."
    refill = f" Line {state.refill[0]} has new chests (refill)." if state.refill else ""
    if state.turn is None:
        return f"Who starts? The first to act does.{refill}"
    return f"{state.turn}'s turn.{refill}"
