"""What the rules say to an act of a match: every objection, and what would have to be known."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from card_catalog.model import Card
from companion.core.verdict import LEGAL, Clarity, Objection, Unknown, Verdict
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import (
    CHEST_THIEF,
    KEY_THIEF,
    Mark,
    colour,
    counted,
    in_box,
    is_joker,
    listed,
    short,
)
from companion.games.gold_up.layout import LINES, line_of
from companion.games.gold_up.payment import Cited, judge, spare_colours
from companion.games.gold_up.position import Position
from companion.games.gold_up.questions import judge_line
from companion.games.gold_up.scoring import score
from companion.games.gold_up.state import DEALT, State, seen
from companion.games.gold_up.theft import keys_to_take, missing_chests, taken_from


def check(state: State, action: act.Act) -> Verdict:
    """Every objection to the act in this state; one of them may be that it cannot have happened."""
    match action:
        case act.Observe():
            return LEGAL
        case act.Deal():
            return _deal(state, action)
        case act.Layout():
            return _layout(state, action)
        case act.Collect():
            return _collect(state, action)
        case act.Takes():
            return _takes(state, action)
        case act.Draw():
            return _draw(state, action)
        case act.StealKeys():
            return _steal_keys(state, action)
        case act.StealChests():
            return _steal_chests(state, action)
        case act.Refill():
            return _refill(state, action)
        case act.Pass():
            passing = (("gup:turn.pass", Clarity.SILENT),)
            return Verdict(tuple(_turn(state, action.player)), points=passing)
        case act.Coins():
            return _coins(state, action)
        case act.EndHand():
            return _end_hand(state)


def refillable(state: State, line: int) -> tuple[int, ...]:
    """Places of a line whose new chest nobody has named: those just refilled, else all unseen."""
    if state.refill is not None and state.refill[0] == line:
        return state.refill[1]
    return tuple(p for p in LINES[line] if state.layout[p] is Mark.UNSEEN)


def resolved(chests: act.Cards, keys: Sequence[Card], state: State) -> act.Cards:
    """The chests of a line, unseen ones named by the keys that must have opened them."""
    spare = spare_colours([c for c in chests if c is not Mark.EMPTY], keys)
    known = Counter(c.kind for c in state.known_chests())
    found: list[Card | Mark] = []
    for chest in chests:
        if chest is Mark.EMPTY:
            continue
        if chest is Mark.UNSEEN and spare:
            kind = state.names.get(("chest", spare.pop(0)))
            most = None if kind is None else kind.copies.get("box")
            if kind is not None and (most is None or known[kind] < most):
                known[kind] += 1
                found.append(Card(kind))
                continue
        found.append(chest)
    return tuple(found)


def _over(state: State) -> list[Objection]:
    """The objection to anything after the end of the match."""
    if not state.over:
        return []
    sheet = score(Position(state.players, state.done), state.options, state.deck)
    top = max(sheet.totals.values())
    # By this house rule a tie is settled by one more hand.
    if state.options.tie == "extra-round" and len(sheet.winners) > 1:
        return []
    return [
        Objection(
            "gup:score.target",
            f"The match is over: {state.options.target} coins were reached ({top} the most).",
            ("start a new match",),
        )
    ]


def _turn(state: State, player: str) -> list[Objection]:
    """Objections to a turn at this moment by this player."""
    found = _over(state)
    if not found and state.counting:
        found.append(
            Objection(
                "gup:end.chests-pile",
                "The Chests pile is empty, so this hand is over: nobody has another turn in it.",
                ("count the coins, then end-hand",),
            )
        )
    elif state.turn is not None and state.turn != player:
        found.append(
            Objection(
                "gup:turn.order",
                f"It is {state.turn}'s turn, not {player}'s.",
                (f"let {state.turn} have this turn",),
                place=(player,),
            )
        )
    return found


def _held(
    state: State, player: str, cards: Sequence[Card], thief_rule: str = ""
) -> list[Objection]:
    """Objections to playing cards that the player cannot hold."""
    hand = state.keys[state.seat(player)]
    if hand is None:
        return []
    found, _, absent = taken_from(cards, hand)
    objections = []
    for card in dict.fromkeys(absent):
        thief = thief_rule if isinstance(card, Card) and card is cards[0] and thief_rule else ""
        objections.append(
            Objection(
                thief or "gup:collect.hand",
                f"{player} does not hold {absent.count(card)} x {short(card)} (more).",
                (f"{player} holds {listed(hand)}",),
                place=(player, short(card)),
                impossible=True,
            )
        )
    revealed = Counter(seen(found)) - Counter(seen(hand))
    return objections + _beyond(revealed.elements(), state.known_keys(), "gup:box.keys")


def _beyond(
    new: Iterable[Card | Mark], known: Iterable[Card], rule: str, *, impossible: bool = True
) -> list[Objection]:
    """Objections to newly named cards that the box does not hold beside those known elsewhere."""
    named = Counter(card.kind for card in seen(new))
    if not named:
        return []
    elsewhere = Counter(card.kind for card in known)
    found = []
    for kind, number in named.items():
        most = in_box(Card(kind))
        if most is not None and number + elsewhere[kind] > most:
            found.append(
                Objection(
                    rule,
                    f"{number + elsewhere[kind]} x {short(Card(kind))} would be out, but the box "
                    f"holds only {most}.",
                    ("correct what was entered wrongly with observe",),
                    place=(kind.id,),
                    impossible=impossible,
                )
            )
    return found


def _deal(state: State, action: act.Deal) -> Verdict:
    found = _over(state)
    if len(action.keys) != DEALT:
        text = f"{counted(len(action.keys), 'key')} dealt; everybody starts with {DEALT}."
        found.append(Objection("gup:deal.keys", text, place=("count",)))
    if state.acted:
        text = "Keys are dealt before the first turn of a hand; this hand has begun."
        instead = ("observe keys KEYS says what is really held",)
        found.append(Objection("gup:deal.keys", text, instead, place=("late",)))
    seat = state.seat(action.player)
    elsewhere = [c for i, hand in enumerate(state.keys) if i != seat for c in seen(hand or ())]
    found += _beyond(action.keys, elsewhere, "gup:box.keys")
    return Verdict(tuple(found), needs=("gup:deal.keys",))


def _layout(state: State, action: act.Layout) -> Verdict:
    return _named(state, action.line, action.chests, "gup:deal.layout", LINES[action.line])


def _refill(state: State, action: act.Refill) -> Verdict:
    places = refillable(state, action.line)
    return _named(state, action.line, action.chests, "gup:collect.refill", places)


def _named(
    state: State, line: int, chests: act.Cards, rule: str, places: tuple[int, ...]
) -> Verdict:
    """Whether these chests can be those at the places of a line."""
    found = _over(state)
    free = [p for p in places if state.layout[p] is Mark.UNSEEN]
    if len(free) < len(places) or not places:
        found.append(
            Objection(
                rule,
                f"Line {line} lies there already: {listed(line_of(state.layout, line))}.",
                (f"observe layout {line} CHESTS says what really lies there",),
                place=(line, "known"),
                impossible=True,
            )
        )
    elif len(chests) != len(places):
        found.append(
            Objection(
                rule,
                f"Line {line} gets {counted(len(places), 'new chest')}, not {len(chests)}.",
                (f"name {counted(len(places), 'chest')}",),
                place=(line, "count"),
                impossible=len(chests) > len(places),
            )
        )
    found += _beyond(chests, state.known_chests(), "gup:box.chests")
    return Verdict(tuple(found), needs=(rule,))


def _collect(state: State, action: act.Collect) -> Verdict:
    line = judge_line(state.layout, action.line, action.keys)
    found = _turn(state, action.player)
    found += _held(state, action.player, action.keys)
    if all(c is Mark.EMPTY for c in line_of(state.layout, action.line)):
        text = f"No chest lies in line {action.line}."
        found.append(Objection("gup:collect.line", text, place=(action.line,), impossible=True))
    return replace(line, objections=(*found, *line.objections))


def _takes(state: State, action: act.Takes) -> Verdict:
    found = _over(state)
    if state.full:
        text = "In a match that tracks every card, chests are won by collecting a line."
        instead = ("collect LINE with KEYS",)
        found.append(Objection("gup:collect.line", text, instead, impossible=True))
    # On a plain sheet too many chests of a colour are a problem, not an unusable entry.
    found += _beyond(action.chests, state.known_chests(), "gup:box.chests", impossible=False)
    return Verdict(tuple(found), needs=("gup:collect.open",))


def _draw(state: State, action: act.Draw) -> Verdict:
    found = _turn(state, action.player)
    pile = state.keys_pile
    drawn = 2 if pile is None else min(2, pile)
    if action.keys is not None:
        if len(action.keys) != drawn:
            left = "" if pile is None or pile >= 2 else f" (the Keys pile has {pile})"
            found.append(
                Objection(
                    "gup:draw.two",
                    f"{counted(drawn, 'key')} to draw{left}, not {len(action.keys)}.",
                    (f"draw {drawn}",),
                    place=("count",),
                    impossible=pile is not None and len(action.keys) > pile,
                )
            )
        found += _beyond(action.keys, state.known_keys(), "gup:box.keys")
    return Verdict(
        tuple(found),
        needs=("gup:draw.two", "gup:draw.miss"),
        points=(("gup:draw.short", Clarity.SILENT),) if drawn < 2 else (),
    )


def _another(player: str, victim: str, rule: str) -> list[Objection]:
    if player != victim:
        return []
    text = f"{player} cannot rob {player}: another pirate must be named."
    return [Objection(rule, text, place=("victim",), impossible=True)]


def _steal_keys(state: State, action: act.StealKeys) -> Verdict:
    found = _turn(state, action.player)
    found += _another(action.player, action.victim, "gup:steal-keys.another")
    thief = Card(state.deck[KEY_THIEF])
    found += _held(state, action.player, [thief], "gup:steal-keys.card")
    two = len(state.players) == 2
    hand = state.keys[state.seat(action.victim)]
    if action.keys is not None:
        found += _stolen_keys(state, action, action.keys, hand)
    short_hand = two and hand is not None and len(hand) < state.options.two_player_thief
    return Verdict(
        tuple(found),
        needs=("gup:steal-keys.card", "gup:two.thief" if two else "gup:steal-keys.all"),
        points=(("gup:two.short", Clarity.SILENT),) if short_hand else (),
    )


def _stolen_keys(
    state: State, action: act.StealKeys, keys: tuple[Card, ...], hand: act.Cards | None
) -> list[Objection]:
    """Objections to the keys that are said to have been stolen."""
    two = len(state.players) == 2
    rule = "gup:two.thief" if two else "gup:steal-keys.all"
    found = []
    if hand is not None:
        due = keys_to_take(len(hand), len(state.players), state.options)
        wrong = len(keys) != due
        found = _held(state, action.victim, keys)
    else:
        due = state.options.two_player_thief
        wrong = two and len(keys) > due
    if wrong:
        which = "at random" if two else f"all that {action.victim} holds"
        text = f"A key thief takes {counted(due, 'key')} here, {which}, not {len(keys)}."
        found.append(Objection(rule, text, (f"take {due}",), place=("count",)))
    return found


def _steal_chests(state: State, action: act.StealChests) -> Verdict:
    found = _turn(state, action.player)
    found += _another(action.player, action.victim, "gup:steal-chests.another")
    thief = Card(state.deck[CHEST_THIEF])
    found += _held(state, action.player, [thief, *action.keys], "gup:steal-chests.card")
    lying = state.chests[state.seat(action.victim)]
    absent = missing_chests(action.chests, lying, action.victim)
    unknowns: list[Unknown] = []
    if absent and not state.full:
        # A light log may not have named every chest yet.
        text = f"Whether {action.victim} has {listed(action.chests)}: not all of them were entered."
        unknowns.append(Unknown("gup:steal-chests.chests", text))
    else:
        found += absent
    rule = "gup:steal-chests.keys"
    goods = f"the chests of {action.victim}"
    judged = judge(action.chests, action.keys, Cited(rule, rule, goods, ("chests",)))
    needs = ["gup:steal-chests.card", "gup:steal-chests.chests", rule]
    if any(map(is_joker, action.keys)):
        needs.append("gup:joker.any")
    return Verdict((*found, *judged.objections), tuple(unknowns), needs=tuple(needs))


def _coins(state: State, action: act.Coins) -> Verdict:
    found = _over(state)
    seat = state.seat(action.player)
    if action.coins < 0:
        text = f"{action.coins} coins cannot be counted."
        found.append(Objection("gup:score.count", text, place=("negative",), impossible=True))
    if state.full and not state.counting:
        text = "Coins are counted when the hand is over; the Chests pile is not empty."
        found.append(Objection("gup:score.count", text, place=("early",)))
    by_chests = replace(state, coins=(None,) * len(state.players)).own_coins(seat)
    tracked = state.full or bool(state.chests[seat])
    if tracked and by_chests is not None and by_chests != action.coins:
        own = ", ".join(sorted({colour(c) for c in state.chests[seat]})) or "no chests"
        text = f"{action.player} has counted {action.coins}, but the chests come to {by_chests}."
        instead = (f"{by_chests} coins ({own})",)
        found.append(Objection("gup:score.count", text, instead, place=("sum",)))
    return Verdict(tuple(found), needs=("gup:score.count",))


def _end_hand(state: State) -> Verdict:
    found = _over(state)
    pile = state.chests_pile
    if pile and not found:
        text = f"The Chests pile still has {counted(pile, 'card')}: the hand goes on."
        instead = ("play on until the Chests pile is empty",)
        found.append(Objection("gup:end.chests-pile", text, instead))
    return Verdict(tuple(found), needs=("gup:end.chests-pile",))
