"""The acts that a player may want to choose from; what chance decides is left out."""

from collections.abc import Iterator, Sequence

from card_catalog.model import Card
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import CHEST_THIEF, JOKER, KEY_THIEF, Mark
from companion.games.gold_up.layout import LINES, line_of
from companion.games.gold_up.payment import cheapest
from companion.games.gold_up.state import State, seen


def candidates(state: State) -> Iterator[act.Act]:
    """Acts worth asking about, each once: no cards are guessed that only a draw can tell."""
    if state.full and not state.counting:
        for player in (state.turn,) if state.turn is not None else state.players:
            yield from _turns(state, player)
    elif not state.full:
        for player in state.players:
            yield from _won(state, player)
    if state.counting or not state.full:
        for seat, player in enumerate(state.players):
            coins = state.own_coins(seat)
            if coins is not None and (state.full or state.chests[seat]):
                yield act.Coins(player, coins)
    yield act.EndHand(state.players[0])


def _turns(state: State, player: str) -> Iterator[act.Act]:
    """What a player may do with a turn."""
    hand = state.keys[state.seat(player)] or ()
    for line in LINES:
        chests = [c for c in line_of(state.layout, line) if c is not Mark.EMPTY]
        keys = _payment(state, chests, hand)
        if keys:
            yield act.Collect(player, line, keys)
    yield act.Draw(player)
    others = [name for name in state.players if name != player]
    if _may_hold(hand, KEY_THIEF):
        for victim in others:
            yield act.StealKeys(player, victim)
    if _may_hold(hand, CHEST_THIEF):
        for victim in others:
            yield from _robberies(state, player, victim, hand)
    yield act.Pass(player)


def _may_hold(hand: act.Cards, kind_id: str) -> bool:
    return any(isinstance(c, Mark) or c.id == kind_id for c in hand)


def _payment(
    state: State, chests: Sequence[Card | Mark], hand: act.Cards
) -> tuple[Card, ...] | None:
    """Keys for the chests, known ones first; unseen cards of the hand stand for what is short."""
    unseen = hand.count(Mark.UNSEEN)
    wild = [Card(state.deck[JOKER])] * unseen
    paid = cheapest(chests, [*seen(hand), *wild])
    if paid is None:
        return None
    short = len([k for k in paid if k.id == JOKER]) - len([k for k in seen(hand) if k.id == JOKER])
    keys: list[Card] = []
    # An unseen card is more likely the coloured key than a joker.
    for key, chest in zip(paid, chests, strict=True):
        if key.id == JOKER and short > 0 and isinstance(chest, Card):
            short -= 1
            keys.append(Card(state.names["key", chest.kind.family]))
        else:
            keys.append(key)
    return tuple(keys)


def _robberies(state: State, player: str, victim: str, hand: act.Cards) -> Iterator[act.Act]:
    """Taking nothing, one chest of a colour, or as many of the victim's chests as can be opened."""
    yield act.StealChests(player, victim, (), ())
    lying = list(seen(state.chests[state.seat(victim)]))
    without_thief = list(hand)
    thief = next((c for c in hand if isinstance(c, Card) and c.id == CHEST_THIEF), Mark.UNSEEN)
    without_thief.remove(thief)
    keys_left = tuple(without_thief)
    for chest in dict.fromkeys(lying):
        keys = _payment(state, [chest], keys_left)
        if keys:
            yield act.StealChests(player, victim, (chest,), keys)
    most: list[Card] = []
    for chest in lying:
        if _payment(state, [*most, chest], keys_left):
            most.append(chest)
    keys = _payment(state, most, keys_left)
    if keys and len(most) > 1:
        yield act.StealChests(player, victim, tuple(most), keys)


def _won(state: State, player: str) -> Iterator[act.Act]:
    """One chest of each colour, where only results are entered."""
    for kind in state.deck.kinds.values():
        if kind.group == "chest":
            yield act.Takes(player, (Card(kind),))
