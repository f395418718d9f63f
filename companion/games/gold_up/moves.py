"""What an act changes: the state after it, legal or not."""

from dataclasses import replace

from card_catalog.model import Card
from companion.core.errors import ImpossibleAction
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import CHEST_THIEF, KEY_THIEF, Mark, counted
from companion.games.gold_up.layout import LINES, line_of
from companion.games.gold_up.position import Position
from companion.games.gold_up.referee import check, refillable, resolved
from companion.games.gold_up.scoring import score
from companion.games.gold_up.state import State, fresh, this_hand
from companion.games.gold_up.theft import keys_to_take, taken_from


def apply(state: State, action: act.Act) -> State:
    """The state after the act; raises `ImpossibleAction` for one that cannot have happened."""
    verdict = check(state, action)
    if not verdict.possible:
        raise ImpossibleAction(verdict)
    state = replace(state, news=())
    match action:
        case act.Observe():
            return _observe(state, action)
        case act.Deal(player=player, keys=keys):
            return _with_keys(state, player, keys)
        case act.Layout(line=line, chests=chests):
            return _laid(state, LINES[line], chests)
        case act.Refill(line=line, chests=chests):
            laid = _laid(state, refillable(state, line), chests)
            named = laid.refill is not None and laid.refill[0] == line
            return replace(laid, refill=None) if named else laid
        case act.Takes(player=player, chests=chests):
            return _with_chests(state, player, (*state.chests[state.seat(player)], *chests))
        case act.Coins(player=player, coins=coins):
            seat = state.seat(player)
            return replace(state, coins=(*state.coins[:seat], coins, *state.coins[seat + 1 :]))
        case act.EndHand():
            return _end_hand(state)
        case _:
            return _turn(state, action)


def totals(state: State) -> list[int]:
    """Coins of each player over the finished hands."""
    sheet = score(Position(state.players, state.done), state.options, state.deck)
    return [player.total for player in sheet.players]


def _turn(state: State, action: act.Act) -> State:
    """An act that is somebody's turn, and whose turn it is then."""
    before = state.counting
    begun = replace(
        state, acted=True, refill=None, starter=state.starter or _starter(state, action.player)
    )
    match action:
        case act.Collect():
            after = _collect(begun, action)
        case act.Draw():
            after = _draw(begun, action)
        case act.StealKeys():
            after = _steal_keys(begun, action)
        case act.StealChests():
            after = _steal_chests(begun, action)
        case _:
            after = begun
    if after.counting and not before:
        text = (
            "The Chests pile is empty: the hand is over. Chests left on the table count for nobody."
        )
        return replace(after, news=(*after.news, text))
    return _passed_on(after, action.player)


def _starter(state: State, player: str) -> str | None:
    return player if state.full else None


def _passed_on(state: State, player: str) -> State:
    """The turn goes to the left of the player, past those who miss theirs."""
    if not state.full:
        return state
    seat = state.seat(player)
    missing = list(state.missing)
    news = list(state.news)
    while True:
        seat = (seat + 1) % len(state.players)
        name = state.players[seat]
        if name not in missing:
            break
        missing.remove(name)
        news.append(f"{name} misses this turn, having drawn keys.")
    return replace(state, turn=name, missing=tuple(missing), news=tuple(news))


def _collect(state: State, action: act.Collect) -> State:
    places = LINES[action.line]
    won = resolved(line_of(state.layout, action.line), action.keys, state)
    pile = state.chests_pile
    full_places = [p for p in places if state.layout[p] is not Mark.EMPTY]
    # The line is filled place by place as far as the Chests pile goes.
    filled = full_places if pile is None else full_places[:pile]
    layout = list(state.layout)
    for place in full_places:
        layout[place] = Mark.UNSEEN if place in filled else Mark.EMPTY
    seat = state.seat(action.player)
    state = _without_keys(state, action.player, action.keys)
    state = _with_chests(state, action.player, (*state.chests[seat], *won))
    pending = (action.line, tuple(filled)) if filled and state.full else None
    return replace(state, layout=tuple(layout), refill=pending)


def _draw(state: State, action: act.Draw) -> State:
    seat = state.seat(action.player)
    hand = state.keys[seat]
    pile = state.keys_pile
    drawn = 2 if pile is None else min(2, pile)
    keys = action.keys if action.keys is not None else (Mark.UNSEEN,) * drawn
    if hand is not None:
        state = _with_keys(state, action.player, (*hand, *keys))
    if state.options.miss_turn == "next" and state.full:
        state = replace(state, missing=(*state.missing, action.player))
    return state


def _steal_keys(state: State, action: act.StealKeys) -> State:
    state = _without_keys(state, action.player, (Card(state.deck[KEY_THIEF]),))
    own = state.keys[state.seat(action.player)]
    hand = state.keys[state.seat(action.victim)]
    taken, left = _robbed(state, hand, action.keys)
    gained = None if own is None or taken is None else (*own, *taken)
    state = _with_keys(state, action.player, gained)
    return _with_keys(state, action.victim, left)


def _robbed(
    state: State, hand: act.Cards | None, keys: tuple[Card, ...] | None
) -> tuple[act.Cards | None, act.Cards | None]:
    """What a key thief takes from a hand, and what stays there; None where nobody can tell."""
    if hand is None:
        return keys, None
    if keys is not None:
        found, left, _ = taken_from(keys, hand)
        return tuple(found), tuple(left)
    number = keys_to_take(len(hand), len(state.players), state.options)
    if number == len(hand) or len(set(hand)) == 1:
        return hand[:number], hand[number:]
    # Taken blindly and not told: from now on nobody knows which cards are where.
    return (Mark.UNSEEN,) * number, (Mark.UNSEEN,) * (len(hand) - number)


def _steal_chests(state: State, action: act.StealChests) -> State:
    thief = Card(state.deck[CHEST_THIEF])
    state = _without_keys(state, action.player, (thief, *action.keys))
    found, left, absent = taken_from(action.chests, state.chests[state.seat(action.victim)])
    seat = state.seat(action.player)
    state = _with_chests(state, action.player, (*state.chests[seat], *found, *absent))
    return _with_chests(state, action.victim, tuple(left))


def _end_hand(state: State) -> State:
    number = len(state.done) + 1
    done = (*state.done, this_hand(state, finished=True))
    state = replace(state, done=done)
    all_totals = totals(state)
    best = max(all_totals)
    over = state.over or best >= state.options.target
    standing = ", ".join(
        f"{name} {total}" for name, total in zip(state.players, all_totals, strict=True)
    )
    news = [f"Hand {number} is over: {standing}."]
    starter = None
    if state.starter is not None:
        starter = state.players[(state.seat(state.starter) + 1) % len(state.players)]
    first = [n for n, t in zip(state.players, all_totals, strict=True) if t == best]
    if over:
        level = len(first) > 1 and state.options.tie == "extra-round"
        news.append(
            f"The match is over: {counted(best, 'coin')} of {state.options.target} reached. "
            + f"{' and '.join(first)} {'won' if len(first) == 1 else 'are level'}"
            + ("; one more hand settles it." if level else ".")
        )
    elif starter is not None:
        news.append(f"{starter} starts hand {number + 1}.")
    return replace(fresh(state), over=over, starter=starter, turn=starter, news=tuple(news))


def _observe(state: State, action: act.Observe) -> State:
    number = len(state.done) + 1
    match action.what:
        case "layout":
            state = _laid(state, LINES[action.line], action.cards)
            what = f"line {action.line}"
        case "keys":
            state = _with_keys(state, action.player, action.cards)
            what = f"{action.player}'s keys"
        case "chests":
            state = _with_chests(state, action.player, action.cards)
            what = f"{action.player}'s chests"
        case "turn":
            turn = action.player if state.full else None
            starter = state.starter if state.acted else turn
            state = replace(state, turn=turn, starter=starter)
            what = f"{action.player}'s turn"
    return replace(state, corrected=(*state.corrected, f"hand {number}: {what}"))


def _laid(state: State, places: tuple[int, ...], chests: act.Cards) -> State:
    layout = list(state.layout)
    for place, chest in zip(places, chests, strict=False):
        layout[place] = chest
    return replace(state, layout=tuple(layout))


def _with_keys(state: State, player: str, keys: act.Cards | None) -> State:
    seat = state.seat(player)
    return replace(state, keys=(*state.keys[:seat], keys, *state.keys[seat + 1 :]))


def _without_keys(state: State, player: str, keys: tuple[Card, ...]) -> State:
    hand = state.keys[state.seat(player)]
    if hand is None:
        return state
    _, left, _ = taken_from(keys, hand)
    return _with_keys(state, player, tuple(left))


def _with_chests(state: State, player: str, chests: act.Cards) -> State:
    seat = state.seat(player)
    return replace(state, chests=(*state.chests[:seat], chests, *state.chests[seat + 1 :]))
