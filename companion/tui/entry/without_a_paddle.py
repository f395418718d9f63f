"""Typing at the score pad: numbers are bids and tricks, letters cards, names the players."""

import re
from collections.abc import Iterator
from typing import Any

from card_catalog.model import Card
from companion.core.log import quoted
from companion.core.verdict import Outcome
from companion.games.without_a_paddle.actions import Play, Renege, Tricks, Wins
from companion.games.without_a_paddle.bidding import forbidden
from companion.games.without_a_paddle.knowledge import seen_cards
from companion.games.without_a_paddle.match import legal
from companion.games.without_a_paddle.referee import check
from companion.games.without_a_paddle.state import (
    State,
    Table,
    bids_of,
    charged_round,
    next_bidder,
    next_to_tell,
    turn,
)
from companion.games.without_a_paddle.trick import SUITS, listed, suit, winner
from companion.tui.entry.prompt import Choice, Prompt
from companion.tui.entry.typed import bare, named_first

MOST = 60
"""Choices listed at once."""
_RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "10": "ten"}
_PIPS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_MAIN = ("bid", "play", "tricks", "cut")
"""The verbs of the acts that are due, the rest is aside."""


class WithoutAPaddleTypist:
    """See `Typist`."""

    HELP = """
Without a Paddle
  A number is the bid of the player who is due, then the tricks of each.
  renege Ben    charges a renege     misdeal    deals the round again
  observe tricks 3 round 2    corrects what was entered
  Followed card by card: cut QS, hand "AS KD 10H", then letters of the card.
"""

    def read(self, session: Any, text: str) -> Prompt:
        """The bid, the cards or the tricks that are due; a name in front acts for that player."""
        state: State = session.state
        named, rest = named_first(bare(text), state.players)
        if rest.casefold().split()[:1] == ["renege"]:
            return _reneges(state, named, rest.split()[1:])
        if state.over:
            found = _fitting(_reneged(state), rest) if rest else []
            title = "the match is over: F8 shows the score (r: a renege found out later)"
            return Prompt(named or state.players[0], title, tuple(found))
        table = state.table
        if table is None:
            return _cutting(state, named, rest)
        if rest.casefold().split()[:1] == ["hand"]:
            return _hand(state, named, rest)
        if next_bidder(state, table) is not None:
            return _bidding(state, table, named, rest)
        player = turn(state, table)
        if state.tracking == "full" and player is not None and set(table.said) == {None}:
            return _playing(state, table, named or player, rest)
        return _counting(state, table, named, rest)


def card_name(card: Card) -> str:
    """`Q♠ queen of spades`."""
    rank = card.id[:-1]
    return f"{rank}{_PIPS[suit(card)]} {_RANKS.get(rank, rank)} of {SUITS[suit(card)]}"


def picked(cards: list[Card], typed: str) -> list[Card]:
    """The cards that the letters begin: a rank, a suit, or both; a whole id first."""
    typed = typed.casefold().replace(" ", "")
    if typed.startswith("t") and not typed.startswith(("te", "th", "tw", "tr")):
        typed = f"10{typed[1:]}"
    elif typed == "th":
        typed = "10h"
    found = [
        c
        for c in cards
        if c.id.casefold().startswith(typed)
        or suit(c).casefold() == typed
        or suit(c).casefold() + c.id[:-1].casefold() == typed
    ]
    if not found and len(typed) > 2:
        found = [c for c in cards if typed in card_name(c).replace(" ", "")]
    return sorted(found, key=lambda c: c.id.casefold() != typed)


def _listed(lead: str, choices: list[Choice], typed: str) -> tuple[Choice, ...]:
    """The choices; before anything is typed a line that Enter does not play, unless one is left."""
    if typed or sum(bool(c.words) and c.words[0] in _MAIN for c in choices) == 1:
        return tuple(choices)
    return (Choice(lead), *choices)


def _fitting(choices: list[Choice], typed: str) -> list[Choice]:
    """The choices with all words typed, each the beginning of a word before their explanation."""
    wanted = typed.casefold().split()
    found = []
    for choice in choices:
        words = re.split(r"[:,]| in ", choice.label.casefold())[0].split()
        if all(any(w.startswith(word) for w in words) for word in wanted):
            found.append(choice)
    return found


def _number(typed: str) -> int | None:
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 4 else None


def _numbered(choices: list[Choice], typed: str) -> list[Choice]:
    """The choices whose number begins with what was typed; the number itself first."""
    found = [c for c in choices if c.words[1].startswith(typed)]
    return sorted(found, key=lambda c: c.words[1] != typed)


def _cutting(state: State, named: str | None, typed: str) -> Prompt:
    cut = dict(state.cuts)
    player = named or next(p for p in state.cutters if p not in cut)
    cards = [Card(kind) for kind in state.deck.kinds.values()]
    typed = typed[3:].strip() if typed.casefold().startswith("cut") else typed
    found = picked(cards, typed) if typed else cards
    cut_cards = [Choice(card_name(c), ("cut", c.id), player=player) for c in found[:MOST]]
    choices = _listed("type the card and Enter, or choose it below", cut_cards, typed)
    again = " again" if state.cutters != state.players else ""
    title = f"{player} cuts{again} for the first deal; aces are high: which card?"
    return Prompt(player, title, choices, note=_no_card(typed, choices))


def _no_card(typed: str, found: Any) -> str:
    return f"no card begins with {typed}: rank and suit, like QS or 10H" if not found else ""


def _bidding(state: State, table: Table, named: str | None, typed: str) -> Prompt:
    bidder = next_bidder(state, table)
    assert bidder is not None, "asked only while a bid is due"
    player = named or bidder
    deal = state.deal
    barred = forbidden(deal, player, bids_of(state, table), state.options) or ()
    but = f", not {barred[0]}" if barred and player == bidder else ""
    title = f"{player} bids, 0 to {deal.cards}{but}"
    typed = typed[3:].strip() if typed.casefold().startswith("bid") else typed
    number = _number(typed)
    choices: list[Choice] = []
    if player == bidder:
        choices = [
            Choice(f"{player} bids {act.number}", ("bid", str(act.number)), player=player)
            for act in legal(state)
            if hasattr(act, "number")
        ]
    if number is None:
        hand = [_hand_choice(player)] if state.tracking == "full" else []
        found = _fitting([*choices, *hand, *_aside(state)], typed)
        note = "" if found else f"a bid is a number from 0 to {deal.cards}{but}"
        shown = _listed("type the bid and Enter, or choose one below", found, typed)
        return Prompt(player, title, shown, note=note)
    found = _numbered(choices, str(number))
    if any(c.words[1] == str(number) for c in found):
        return Prompt(player, title, tuple(found))
    return Prompt(player, title, tuple(found), ("bid", str(number)))


def _counting(state: State, table: Table, named: str | None, typed: str) -> Prompt:
    """Tricks as numbers, or one by one by the name of the player who took the trick."""
    seat = next_to_tell(table)
    due = state.players[seat] if seat is not None else state.players[0]
    player = named or due
    deal = state.deal
    left = deal.cards - sum(table.counts)
    missing = f"{left} of {deal.cards} missing" if left >= 0 else f"{-left} too many"
    typed = typed[6:].strip() if typed.casefold().startswith("tricks") else typed
    number = _number(typed)
    title = f"{player}: tricks won? {missing}"
    told = [
        Choice(f"{player} won {n}{_made(table, state, player, n)}", ("tricks", str(n)), "", player)
        for n in range(deal.cards + 1)
        if check(state, Tricks(player, n)).legal
    ]
    if number is not None:
        found = _numbered(told, str(number))
        exact = any(c.words[1] == str(number) for c in found)
        words = () if exact else ("tricks", str(number))
        return Prompt(player, title, tuple(found), words)
    if set(table.said) == {None}:
        told += _taking(state, table)
    found = [c for c in _fitting([*told, *_aside(state)], typed) if named in (None, c.player)]
    note = "" if found else f"a number from 0 to {deal.cards}, or who took the trick"
    lead = "type the tricks and Enter, or choose below"
    return Prompt(player, title, _listed(lead, found, typed), note=note)


def _taking(state: State, table: Table) -> Iterator[Choice]:
    for name in state.players:
        if check(state, Wins(name)).outcome is not Outcome.ILLEGAL:
            yield Choice(f"{name} takes trick {table.done + 1}", ("wins",), player=name)


def _made(table: Table, state: State, player: str, tricks: int) -> str:
    """Whether so many tricks are the bid."""
    bid = table.bids[state.seat(player)]
    return "" if bid is None else f" (bid {bid}: made)" if bid == tricks else f" (bid {bid})"


def _playing(state: State, table: Table, player: str, typed: str) -> Prompt:
    """A card to the trick: what must be followed, who wins so far."""
    title = _trick_title(state, table, player)
    if typed.casefold().split()[:1] == ["play"]:
        typed = typed[4:].strip()
    hand = table.hands[state.seat(player)]
    if hand is None:
        seen = set(seen_cards(table))
        cards = [c for c in map(Card, state.deck.kinds.values()) if c not in seen]
    else:
        cards = list(hand)
    led = suit(table.trick[0][1]) if table.trick else ""
    cards.sort(key=lambda c: (suit(c) != led, "SHDC".find(suit(c)), -(c.value or 0)))
    playable = [c for c in cards if check(state, Play(player, c)).outcome is not Outcome.ILLEGAL]
    found = picked(playable, typed) if typed else playable
    choices = [Choice(_played(table, player, c), ("play", c.id), "", player) for c in found]
    if not found or not typed:
        others = [*_taking(state, table), *_aside(state)]
        choices += _fitting([*others, _hand_choice(player)], typed)
    whole = state.cards.get("".join(typed.casefold().split()))
    words = ("play", whole.id) if whole is not None and whole not in found else ()
    note = _no_card(typed, choices) or _hand_note(player, hand)
    shown = _listed(_trick_lead(table), choices, typed)
    return Prompt(player, title, shown[:MOST], words, note=note)


def _hand(state: State, named: str | None, typed: str) -> Prompt:
    table = state.table
    assert table is not None, "asked only while a round is on the table"
    player = named or next_bidder(state, table) or turn(state, table) or state.players[0]
    cards = typed[4:].replace('"', " ").replace(",", " ").split()
    words = ("hand", *cards) if cards else ()
    note = f"the cards {player} holds, like AS KD 10H"
    return Prompt(player, f"{player}: {note}", words=words, note=note)


def _hand_choice(player: str) -> Choice:
    return Choice(f"hand: tell the cards {player} holds", (), f"{quoted(player)} hand ")


def _hand_note(player: str, hand: Any) -> str:
    return "" if hand is not None else f"{player}'s hand is not known"


def _trick_title(state: State, table: Table, player: str) -> str:
    of = f"trick {table.done + 1} of {state.deal.cards}"
    if not table.trick:
        return f"{player} leads to {of}"
    led = suit(table.trick[0][1])
    hand = table.hands[state.seat(player)]
    if hand is not None and not any(suit(c) == led for c in hand):
        return f"{player} has no {SUITS[led]}: any card, {of}"
    return f"{player} must follow {SUITS[led]}, {of}"


def _trick_lead(table: Table) -> str:
    """Who wins so far, and how to enter a card."""
    how = "type a card and Enter, or choose one below"
    if not table.trick:
        return how
    best = winner(table.trick)
    return f"{best}'s {dict(table.trick)[best]} wins so far: {how}"


def _played(table: Table, player: str, card: Card) -> str:
    """The card, and what it does to the trick."""
    name = card_name(card)
    if not table.trick:
        return name
    if suit(card) != suit(table.trick[0][1]):
        return f"{name}: another suit"
    return f"{name}: wins so far" if winner([*table.trick, (player, card)]) == player else name


def _aside(state: State) -> list[Choice]:
    """What may happen at any time: a renege, a misdeal."""
    choices = _reneged(state)
    if state.table is not None and not state.table.fresh:
        text = f"misdeal: round {state.number} is dealt again"
        choices.append(Choice(text, ("misdeal",), player=state.deal.dealer))
    return choices


def _reneged(state: State, number: int | None = None, name: str | None = None) -> list[Choice]:
    if state.dealer is None:
        return []
    words = ("renege",) if number is None else ("renege", str(number))
    return [
        Choice(
            f"{player} reneged in round {charged_round(state, number)}: 20 points",
            words,
            player=player,
        )
        for player in state.players
        if name in (None, player) and check(state, Renege(player, number)).legal
    ]


def _reneges(state: State, named: str | None, words: list[str]) -> Prompt:
    """`renege Ben`, `renege Ben 3`, `Ben renege 3`."""
    name, rest = named_first(" ".join(words), state.players)
    number = _number(rest)
    name = named or name
    found = _reneged(state, number, name) if name or number is not None else _reneged(state)
    if name is None and rest and number is None:
        found = _fitting(found, rest)
    told: tuple[str, ...] = ()
    if name is not None and not found:
        told = ("renege",) if number is None else ("renege", str(number))
    note = "" if found else "nobody can have reneged yet"
    title = "who reneged? 20 points each"
    return Prompt(name or state.players[0], title, tuple(found), told, note=note)


def holding(state: State, player: str) -> str:
    """The cards that a player is known to hold, or nothing."""
    table = state.table
    hand = None if table is None else table.hands[state.seat(player)]
    return listed(hand) if hand else ""
