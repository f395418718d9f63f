"""What can be known of hidden hands: cards seen, suits denied, reneges that the cards prove."""

from collections.abc import Iterable, Iterator

from card_catalog.model import Card
from companion.core.verdict import Objection
from companion.games.without_a_paddle.state import Denial, State, Table, cards_left
from companion.games.without_a_paddle.trick import SUITS, listed, suit


def seen_cards(table: Table) -> Iterator[Card]:
    """Every card of the round whose place is known."""
    for cards in table.played:
        yield from cards
    for hand in table.hands:
        yield from hand or ()


def may_hold(state: State, table: Table, player: str, letter: str) -> bool:
    """Whether an unseen hand that is about to play may hold another card of the suit."""
    if cards_left(state, table, player) <= 1:
        return False
    if any(d.player == player and d.suit == letter for d in table.denials):
        # Taken at his word until he shows one; `proven` then tells.
        return False
    seen = sum(suit(c) == letter for c in seen_cards(table))
    return seen < sum(kind.family == letter for kind in state.deck.kinds.values())


def proven(table: Table, player: str, cards: Iterable[Card]) -> tuple[Denial, ...]:
    """The tricks of this round that the player must have reneged in, holding these cards."""
    if not table.denials:
        return ()
    suits = {suit(c) for c in cards}
    return tuple(d for d in table.denials if d.player == player and d.suit in suits)


def told(denial: Denial) -> str:
    """A proven renege as a sentence."""
    return (
        f"{denial.player} threw {denial.card} on {SUITS[denial.suit]} in trick {denial.trick} and "
        f"held {SUITS[denial.suit]} all the same: that was a renege, 20 points."
    )


def where_seen(state: State, table: Table, card: Card) -> tuple[str, bool]:
    """Who has shown or holds the card (empty: nobody known), and whether it has been played."""
    for name, cards in zip(state.players, table.played, strict=True):
        # By id: comparing whole cards would take most of the time of an act.
        if any(c.id == card.id for c in cards):
            return name, True
    for name, hand in zip(state.players, table.hands, strict=True):
        if hand is not None and card in hand:
            return name, False
    return "", False


def not_there(state: State, table: Table, player: str, card: Card) -> list[Objection]:
    """Why the player cannot have played the card, if he cannot."""
    place = (player, str(card))
    found: list[Objection] = []

    def add(rule: str, text: str, *instead: str) -> None:
        found.append(Objection(rule, text, instead, place=place, impossible=True))

    if cards_left(state, table, player) <= 0 and table.done >= state.deal.cards:
        add("wap:trick.all", f"All {table.done} tricks of round {state.number} have been taken.")
        return found
    already = dict(table.trick).get(player)
    if already is not None:
        add("wap:play.turn", f"{player} has played {already} to this trick already.")
    holder, played = where_seen(state, table, card)
    hand = table.hands[state.seat(player)]
    if played:
        add("wap:cards.once", f"{card} has been played by {holder} in this round.")
    elif holder and holder != player:
        add("wap:cards.once", f"{holder} holds {card}.")
    if hand is not None and card not in hand and not played:
        text = f"{card} is not in {player}'s hand ({listed(hand)})."
        add("wap:play.from-hand", text, f"one of {listed(hand)}", "observe the hand anew")
    return found
