"""Gold Up: the chests of a photo against those that lie before a player in the log."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING

from card_catalog.model import Card, Deck
from companion.games.gold_up.cards import Mark
from companion.games.gold_up.position import coins_of
from companion.intake.range import Spread, chest_spread
from companion.intake.review import At, Review
from companion.intake.table import known_card, likely
from companion.session.observed.difference import Act, Difference, Observation, counted
from companion.vision.sighting import Sighting

if TYPE_CHECKING:
    from companion.session.match import MatchSession

_MOST = 1000
"""Namings of a player's cards that are counted one by one."""


def observation(session: "MatchSession", review: Review) -> Observation:
    """What lies before each player by the photo; cards that are no chests are left out."""
    differences: list[Difference] = []
    acts: list[Act] = []
    remarks: list[str] = []
    places: dict[At, dict[str, str]] = {}
    said = []
    for player in review.shown():
        if player not in session.players:
            remarks.append(f"{player} does not play in this match, so their photo is left out")
            continue
        cards = _cards(session, review, player)
        now = [c for c in session.state.chests[session.state.seat(player)] if isinstance(c, Card)]
        chests = _with_numbers([card for _, card in cards if card.kind.group == "chest"], now)
        places |= {at: {"player": player} for at, card in cards if card.kind.group == "chest"}
        mine = [at for at in review.places() if review.lines[at[0] - 1].player == player]
        nameless = sum((box := review.at(at)) is not None and box.card is None for at in mine)
        others = len(mine) - len(chests) - nameless
        if others:
            remarks.append(f"{player}: {counted(others, 'no chest')}, left out")
        if nameless:
            missing = list((Counter(map(str, now)) - Counter(map(str, chests))).elements())
            known = {str(card): card for card in now}
            chests += [known[name] for name in missing[:nameless]]
            remarks.append(
                f"{player}: {counted(nameless, 'without a name')}; what the log has there stays"
            )
        unseen = [
            c for c in session.state.chests[session.state.seat(player)] if isinstance(c, Mark)
        ]
        said.append(_worth(session, player, chests))
        new, gone = Counter(map(str, chests)), Counter(map(str, now))
        if new == gone and not unseen:
            continue
        acts.append((player, ("observe", "chests", " ".join(map(str, chests)) or "none")))
        fresh, lost = list((new - gone).elements()), list((gone - new).elements())
        ways: tuple[tuple[Act, ...], ...] = ()
        if fresh and not lost and not unseen:
            ways = (((player, ("takes", *fresh)),),)
        words = [f"{', '.join(fresh)} new"] * bool(fresh) + [f"{', '.join(lost)} gone"] * bool(lost)
        differences.append(Difference(f"{player}: {'; '.join(words) or 'chests told'}", ways))
    summary = "; ".join(said) if said else "No player of this match is on the photos"
    if not differences and said:
        summary += ": as the log says"
    return Observation(summary, tuple(differences), tuple(acts), tuple(remarks), review, places)


def worth(session: "MatchSession", review: Review, player: str) -> tuple[int, Spread]:
    """The coins of the player's hand in progress: as the log has them, and as the photos show them."""
    state, values = session.state, dict(session.options.values)
    seat, hand = state.seat(player), len(state.done) + 1
    lines = next(one.lines for one in session.score().players if one.name == player)
    log = sum(line.points for line in lines if dict(line.where).get("hand") == hand)
    if state.coins[seat] is not None:  # counted coins stay, whatever chests lie there
        return log, Spread(log, log)
    seen = [
        box.sighting
        for at in review.places()
        if review.lines[at[0] - 1].player == player and (box := review.at(at)) is not None
    ]
    now = [card for card in state.chests[seat] if isinstance(card, Card)]
    found = _spread(seen, now, session.deck, values)
    if found.highest is None and any(coins is not None for coins in state.coins):
        found = replace(found, lowest=0)  # beside counted coins, chests count only if all are known
    return log, found


def _spread(
    seen: Sequence[Sighting], log: list[Card], deck: Deck, values: Mapping[str, int]
) -> Spread:
    """What the cards seen are worth, however they may be named.

    As when they are entered, a chest holds what the log knows of it. Of too many namings it is a bound.
    """
    ways = [[known_card(name, one.number, deck) for name in likely(one)] for one in seen]
    open_end: list[list[int | None]] = [[] for may in ways if not may]
    named = [may for may in ways if may]
    if prod(map(len, named)) > _MOST:
        return chest_spread([*open_end, *(_bound(may, log, values) for may in named)])
    spreads = [
        chest_spread([*open_end, *([coins_of(card, values)] for card in _with_numbers(way, log))])
        for way in map(_chests, product(*named))
    ]
    highest = [spread.highest for spread in spreads]
    return Spread(
        min(spread.lowest for spread in spreads),
        None if None in highest else max(h for h in highest if h is not None),
    )


def _bound(
    may: Sequence[Card | None], log: Sequence[Card], values: Mapping[str, int]
) -> list[int | None]:
    """The coins that one card may hold: its own, or those that the log knows of any such chest."""
    found: list[int | None] = [] if len(_chests(may)) == len(may) else [0]
    for chest in _chests(may):
        known = [c for c in log if c.kind == chest.kind and chest.number is None]
        found += [coins_of(card, values) for card in (chest, *known)]
    return found


def _chests(cards: Iterable[Card | None]) -> list[Card]:
    return [card for card in cards if card is not None and card.kind.group == "chest"]


def _with_numbers(seen: list[Card], log: list[Card]) -> list[Card]:
    """The chests seen; the coins that the log knows of one are kept where the photo shows none."""
    left, found = list(log), []
    for card in seen:
        same = [c for c in left if c.kind == card.kind and card.number in (None, c.number)]
        same.sort(key=lambda c: c.number is None)
        if same:
            left.remove(same[0])
        found.append(same[0] if same else card)
    return found


def _worth(session: "MatchSession", player: str, chests: list[Card]) -> str:
    """`Ana: 4 chests, 11 coins`."""
    values = dict(session.options.values)
    coins = [coins_of(card, values) for card in chests]
    unknown = sorted({c.kind.family for c, n in zip(chests, coins, strict=True) if n is None})
    many = f"{player}: {len(chests)} chest{'' if len(chests) == 1 else 's'}"
    if unknown:
        return f"{many}; nobody has told how many coins {' and '.join(unknown)} hold"
    return f"{many}, {sum(n for n in coins if n is not None)} coins"


def _cards(session: "MatchSession", review: Review, player: str) -> list[tuple[At, Card]]:
    found = []
    for at in review.places():
        box = review.at(at)
        if box is None or review.lines[at[0] - 1].player != player:
            continue
        card = known_card(box.card, box.sighting.number, session.deck)
        if card is not None:
            found.append((at, card))
    return found
