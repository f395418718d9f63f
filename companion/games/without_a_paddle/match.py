"""A match as the fold of its acts: what each act makes of the state."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from card_catalog.model import Card
from companion.core.errors import ImpossibleAction
from companion.core.game import PlayerName
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
from companion.games.without_a_paddle.knowledge import proven, seen_cards, told
from companion.games.without_a_paddle.position import Round
from companion.games.without_a_paddle.referee import check, observed_round
from companion.games.without_a_paddle.state import (
    Denial,
    State,
    Table,
    charged_round,
    leading,
    new_table,
    next_bidder,
    next_to_tell,
    totals,
    turn,
)
from companion.games.without_a_paddle.trick import SUITS, suit, winner

T = TypeVar("T")


def apply(state: State, action: Action) -> State:
    """The state after the act, against the rules or not; raises `ImpossibleAction`."""
    verdict = check(state, action)
    if not verdict.possible:
        raise ImpossibleAction(verdict)
    return _STEPS[type(action)](replace(state, news=()), action)


def candidates(state: State) -> Iterator[Action]:
    """The acts that would carry the match on: cuts, bids, cards, tricks.

    Reneges, misdeals, hands and observations can be checked at any time and are not listed.
    """
    if state.over:
        return
    table = state.table
    if table is None:
        cut = dict(state.cuts)
        player = next(p for p in state.cutters if p not in cut)
        yield from (Cut(player, Card(kind)) for kind in state.deck.kinds.values())
        return
    cards = state.deal.cards
    bidder = next_bidder(state, table)
    if bidder is not None:
        yield from (Bid(bidder, number) for number in range(cards + 1))
        return
    told_some = any(said is not None for said in table.said)
    if state.tracking == "full" and not told_some:
        yield from _plays(state, table)
        return
    if not told_some:
        yield from map(Wins, state.players)
    seat = next_to_tell(table)
    if seat is not None:
        yield from (Tricks(state.players[seat], number) for number in range(cards + 1))


def _plays(state: State, table: Table) -> Iterator[Play]:
    player = turn(state, table)
    if player is None:
        return
    hand = table.hands[state.seat(player)]
    if hand is None:
        seen = set(seen_cards(table))
        cards = [c for c in map(Card, state.deck.kinds.values()) if c not in seen]
    else:
        cards = sorted(hand, key=lambda c: (suit(c), c.value or 0))
    yield from (Play(player, card) for card in cards)


def legal(state: State) -> Iterator[Action]:
    """The candidates that nothing speaks against."""
    return (action for action in candidates(state) if check(state, action).legal)


def _put(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _told(state: State, *news: str, note: bool = False) -> State:
    """The state with more news, which are kept as notes on demand."""
    notes = state.notes
    if note:
        notes += tuple(f"Round {min(state.number, state.last_round)}: {text}" for text in news)
    return replace(state, news=state.news + news, notes=notes)


def _table(state: State) -> Table:
    assert state.table is not None, "the referee calls acts without a round impossible"
    return state.table


def _cut(state: State, action: Cut) -> State:
    done = dict(state.cuts)
    if state.dealer is not None or action.player not in state.cutters or action.player in done:
        return _told(state, f"{action.player}'s cut changes nothing.", note=True)
    cuts = (*state.cuts, (action.player, action.card))
    state = _told(replace(state, cuts=cuts), f"{action.player} cuts {action.card}.")
    if len(cuts) < len(state.cutters):
        return state
    best = max(card.value or 0 for _, card in cuts)
    highest = tuple(name for name, card in cuts if (card.value or 0) == best)
    if len(highest) > 1:
        state = replace(state, cutters=highest, cuts=())
        return _told(state, f"{' and '.join(highest)} are level and cut again.")
    return _dealt(state, highest[0])


def _dealt(state: State, dealer: str) -> State:
    state = replace(state, dealer=dealer, table=new_table(len(state.players)))
    return _told(state, _opening(state))


def _opening(state: State) -> str:
    deal = state.deal
    cards = "1 card" if deal.cards == 1 else f"{deal.cards} cards"
    return (
        f"{deal.dealer} deals round {deal.round} of {deal.rounds}, {cards} each; "
        f"{deal.order[0]} bids first."
    )


def _bid(state: State, action: Bid) -> State:
    table = _table(state)
    bids = _put(table.bids, state.seat(action.player), action.number)
    state = replace(state, table=replace(table, bids=bids))
    state = _told(state, f"{action.player} bids {action.number}.")
    made = [bid for bid in bids if bid is not None]
    if len(made) == len(bids) and None in table.bids:
        deal = state.deal
        tricks = "1 trick" if deal.cards == 1 else f"{deal.cards} tricks"
        text = f"All have bid: {sum(made)} for {tricks}; {deal.order[0]} leads."
        state = _told(state, text)
    return _finished(state)


def _play(state: State, action: Play) -> State:
    table, player, card = _table(state), action.player, action.card
    seat = state.seat(player)
    hand = table.hands[seat]
    led = suit(table.trick[0][1]) if table.trick else suit(card)
    table, reneges = _with_proofs(table, seat, player, (card,))
    news = [f"{player} plays {card}.", *reneges]
    if hand is not None and suit(card) != led and any(suit(c) == led for c in hand):
        proofs = _put(table.proven, seat, table.proven[seat] + 1)
        table = replace(table, proven=proofs)
        reneges.append(
            f"{player} played {card} on {SUITS[led]} in trick {table.done + 1} while holding "
            f"{SUITS[led]}: that is a renege, 20 points."
        )
        news.append(reneges[-1])
    elif hand is None and suit(card) != led:
        denial = Denial(player, led, table.done + 1, card)
        table = replace(table, denials=(*table.denials, denial))
    table = replace(
        table,
        hands=table.hands if hand is None else _put(table.hands, seat, hand - {card}),
        played=_put(table.played, seat, (*table.played[seat], card)),
        trick=(*table.trick, (player, card)),
    )
    if len(table.trick) == len(state.players):
        taker = winner(table.trick)
        news.append(f"{taker} wins trick {table.done + 1} with {dict(table.trick)[taker]}.")
        table = _taken(state, table, taker)
    state = _told(replace(state, table=table), *news)
    return _finished(_noted(state, reneges))


def _taken(state: State, table: Table, taker: str) -> Table:
    """The table after a trick: whoever has not shown a card has an unknown hand from here on."""
    played = {name for name, _ in table.trick}
    hands = tuple(
        hand if name in played else None
        for name, hand in zip(state.players, table.hands, strict=True)
    )
    seat = state.seat(taker)
    won = _put(table.won, seat, table.won[seat] + 1)
    return replace(table, hands=hands, won=won, trick=(), leader=taker)


def _with_proofs(
    table: Table, seat: int, player: str, cards: tuple[Card, ...]
) -> tuple[Table, list[str]]:
    """The table with the reneges that these cards of the player prove, and a sentence for each."""
    found = proven(table, player, cards)
    if not found:
        return table, []
    denials = tuple(d for d in table.denials if d not in found)
    proofs = _put(table.proven, seat, table.proven[seat] + len(found))
    return replace(table, denials=denials, proven=proofs), [told(d) for d in found]


def _noted(state: State, texts: list[str]) -> State:
    if not texts:
        return state
    return replace(state, notes=state.notes + tuple(f"Round {state.number}: {t}" for t in texts))


def _wins(state: State, action: Wins) -> State:
    table = _table(state)
    number = table.done + 1
    state = replace(state, table=_taken(state, table, action.player))
    return _finished(_told(state, f"{action.player} wins trick {number}."))


def _tricks(state: State, action: Tricks) -> State:
    table = _table(state)
    said = _put(table.said, state.seat(action.player), action.number)
    state = replace(state, table=replace(table, said=said))
    won = "1 trick" if action.number == 1 else f"{action.number} tricks"
    return _finished(_told(state, f"{action.player} won {won}."))


def _renege(state: State, action: Renege) -> State:
    number = charged_round(state, action.round)
    text = f"{action.player} is charged with a renege in round {number}."
    if number <= len(state.rounds):
        written = state.rounds[number - 1]
        reneged = (*written.reneged, PlayerName(action.player))
        return _told(_with_round(state, number, replace(written, reneged=reneged)), text)
    table, seat = _table(state), state.seat(action.player)
    charged = _put(table.charged, seat, table.charged[seat] + 1)
    return _told(replace(state, table=replace(table, charged=charged)), text)


def _hand(state: State, action: Hand) -> State:
    seat = state.seat(action.player)
    table, reneges = _with_proofs(_table(state), seat, action.player, action.cards)
    hands = _put(table.hands, seat, frozenset(action.cards))
    state = replace(state, table=replace(table, hands=hands))
    return _noted(_told(state, f"{action.player}'s hand is known.", *reneges), reneges)


def _misdeal(state: State, action: Misdeal) -> State:
    state = replace(state, table=new_table(len(state.players)))
    state = _told(state, "A misdeal: what was done in this round does not count.", note=True)
    return _told(state, _opening(state))


def _observe(state: State, action: Observe) -> State:
    player = action.player
    if action.what == "dealer":
        return _observed_dealer(state, player)
    if action.what == "hand":
        return _observed_hand(state, action)
    number = observed_round(state, action)
    if number <= len(state.rounds):
        written, was = _corrected(state.rounds[number - 1], action)
        state = _with_round(state, number, written)
    else:
        table, was = _corrected_table(state, _table(state), action)
        state = replace(state, table=table)
    before = "" if was is None else f" (it said {was})"
    text = f"Round {number}: {action.what} of {player} set to {action.number}{before}."
    state = _corrections(state, text)
    return _finished(state) if state.table is not None else state


def _corrections(state: State, text: str) -> State:
    return _told(replace(state, corrections=(*state.corrections, text)), text)


def _observed_dealer(state: State, player: str) -> State:
    first = state.players[(state.seat(player) - len(state.rounds)) % len(state.players)]
    text = f"Round {state.number}: {player} deals."
    state = _dealt(state, first) if state.table is None else replace(state, dealer=first)
    return _corrections(state, text)


def _observed_hand(state: State, action: Observe) -> State:
    table, seat = _table(state), state.seat(action.player)
    cards = frozenset(action.cards)
    # Whoever was thought to hold one of these cards has a hand that nobody knows any more.
    hands = tuple(None if hand is not None and hand & cards else hand for hand in table.hands)
    table, reneges = _with_proofs(table, seat, action.player, action.cards)
    state = replace(state, table=replace(table, hands=_put(hands, seat, cards)))
    state = _corrections(state, f"Round {state.number}: hand of {action.player} set anew.")
    return _noted(_told(state, *reneges), reneges)


def _corrected(written: Round, action: Observe) -> tuple[Round, int | None]:
    """A finished round with the number set, and what it was before."""
    name = PlayerName(action.player)
    match action.what:
        case "bid":
            bids = {**written.bids, name: action.number}
            return replace(written, bids=bids), written.bids[name]
        case "tricks":
            tricks = {**written.tricks, name: action.number}
            return replace(written, tricks=tricks), written.tricks[name]
    others = tuple(n for n in written.reneged if n != name)
    reneged = (*others, *(name,) * action.number)
    return replace(written, reneged=reneged), written.reneged.count(name)


def _corrected_table(state: State, table: Table, action: Observe) -> tuple[Table, int | None]:
    """The round on the table with the number set, and what it was before."""
    seat, number = state.seat(action.player), action.number
    match action.what:
        case "bid":
            return replace(table, bids=_put(table.bids, seat, number)), table.bids[seat]
        case "tricks":
            was = table.said[seat]
            if was is None and state.tracking == "full":
                was = table.won[seat]
            if state.tracking == "light" or table.said[seat] is not None:
                table = replace(table, said=_put(table.said, seat, number))
            if state.tracking == "full":
                table = replace(table, won=_put(table.won, seat, number))
            return table, was
    was = table.reneges[seat]
    return replace(
        table,
        proven=_put(table.proven, seat, 0),
        charged=_put(table.charged, seat, number),
        denials=tuple(d for d in table.denials if d.player != action.player),
    ), was


def _with_round(state: State, number: int, written: Round) -> State:
    rounds = (*state.rounds[: number - 1], written, *state.rounds[number:])
    return replace(state, rounds=rounds)


def _finished(state: State) -> State:
    """The state with the round closed, if its bids and tricks are all told."""
    table = _table(state)
    if None in table.bids:
        return state
    if None in table.said and table.done < state.deal.cards:
        return state
    names = [PlayerName(name) for name in state.players]
    written = Round(
        bids={n: b for n, b in zip(names, table.bids, strict=True) if b is not None},
        tricks=dict(zip(names, table.counts, strict=True)),
        reneged=tuple(
            n for n, often in zip(names, table.reneges, strict=True) for _ in range(often)
        ),
    )
    number = state.number
    state = replace(state, rounds=(*state.rounds, written), table=None)
    points = totals(state)
    standing = ", ".join(f"{name} {total}" for name, total in points.items())
    if state.over:
        return _told(state, _ending(state, points, standing))
    state = replace(state, table=new_table(len(names)))
    return _told(state, f"Round {number} is over: {standing}.", _opening(state))


def _ending(state: State, points: Mapping[str, int], standing: str) -> str:
    text = f"The last round is over, and so is the match: {standing}."
    winners = leading(points)
    if len(winners) == 1:
        return f"{text} {winners[0]} wins."
    tied = " and ".join(winners)
    if state.options.tie == "extra-round":
        return f"{text} {tied} are level; by the house rule an extra round settles it."
    return f"{text} {tied} share the win."


_STEPS: dict[type, Callable[[State, Any], State]] = {
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
