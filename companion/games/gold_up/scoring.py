"""The itemised score of a sheet: coins a hand, added up until somebody reaches the target."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise

from card_catalog.model import Card, Deck
from companion.core.game import PlayerName
from companion.core.score import Line, Note, PlayerScore, Problem, Score, leaders, ranked
from companion.core.verdict import Clarity
from companion.games.gold_up.cards import COLOURS, counted, short
from companion.games.gold_up.options import Options
from companion.games.gold_up.position import Hand, Position, coins_of


def score(position: Position, options: Options, deck: Deck) -> Score:
    """Lines, problems and notes of a sheet; a chest of unknown value counts 0, with a note."""
    values = dict(options.values)
    players = ranked([(name, tuple(_lines(name, position, values))) for name in position.players])
    ended = _ended_after(position, options, players)
    return Score(
        players=players,
        winners=leaders(players),
        complete=ended is not None,
        problems=(
            *_values_that_do_not_rise(values),
            *_beyond_the_box(position, deck),
            *_hands_after_the_end(position, options, players),
        ),
        notes=tuple(_notes(position, options, players, complete=ended is not None)),
    )


def _lines(name: str, position: Position, values: Mapping[str, int]) -> Iterator[Line]:
    player = PlayerName(name)
    for number, hand in enumerate(position.hands, start=1):
        where = (("hand", number),)
        if hand.coins is not None and player in hand.coins:
            coins = hand.coins[player]
            yield Line(
                coins,
                f"{counted(coins, 'coin')} counted",
                "gup:score.count",
                formula=str(coins),
                where=where,
            )
        elif hand.chests is not None and player in hand.chests:
            yield from _chest_lines(hand.chests[player], values, where)
        else:
            yield Line(0, "nothing entered", "gup:score.missing", formula="0", where=where)


def _chest_lines(
    chests: tuple[Card, ...], values: Mapping[str, int], where: tuple[tuple[str, int], ...]
) -> Iterator[Line]:
    if not chests:
        yield Line(0, "no chests", "gup:score.count", formula="0", where=where)
    groups: dict[tuple[str, int | None], list[Card]] = {}
    for chest in sorted(chests, key=_rarity):
        groups.setdefault((chest.kind.family, coins_of(chest, values)), []).append(chest)
    for (colour, coins), alike in groups.items():
        named = counted(len(alike), f"{colour} chest")
        cards = tuple(map(str, alike))
        if coins is None:
            yield Line(
                0, f"{named}, value not known", "gup:value.coins", "0", cards=cards, where=where
            )
            continue
        yield Line(
            len(alike) * coins,
            f"{named} of {counted(coins, 'coin')}{' each' if len(alike) > 1 else ''}",
            "gup:score.count",
            formula=f"{len(alike)}x{coins}",
            cards=cards,
            where=where,
        )


def _rarity(chest: Card) -> int:
    """From the most common colour to the rarest; a household's own colours come last."""
    family = chest.kind.family
    return COLOURS.index(family) if family in COLOURS else len(COLOURS)


def _totals_by_hand(position: Position, players: tuple[PlayerScore, ...]) -> list[list[int]]:
    """Totals of all players after each hand."""
    gained = [Counter[int]() for _ in players]
    for own, player in zip(gained, players, strict=True):
        for line in player.lines:
            own[dict(line.where)["hand"]] += line.points
    totals: list[list[int]] = []
    for number in range(1, len(position.hands) + 1):
        before = totals[-1] if totals else [0] * len(players)
        totals.append([b + own[number] for b, own in zip(before, gained, strict=True)])
    return totals


def _ended_after(
    position: Position, options: Options, players: tuple[PlayerScore, ...]
) -> int | None:
    """Number of the first finished hand after which somebody has reached the target."""
    totals = _totals_by_hand(position, players)
    for number, hand in enumerate(position.hands, start=1):
        if hand.finished and max(totals[number - 1]) >= options.target:
            return number
    return None


def _hands_after_the_end(
    position: Position, options: Options, players: tuple[PlayerScore, ...]
) -> Iterator[Problem]:
    ended = _ended_after(position, options, players)
    if ended is None:
        return
    totals = _totals_by_hand(position, players)
    for number in range(ended + 1, len(position.hands) + 1):
        before = totals[number - 2]
        best = max(before)
        # A household that settles ties by one more hand plays on while the best are level.
        if options.tie == "extra-round" and before.count(best) > 1:
            continue
        names = [p.name for p, t in zip(players, before, strict=True) if t >= options.target]
        yield Problem(
            "gup:score.target",
            f"Hand {number} was played although the match was over: {' and '.join(names)} had "
            f"reached {options.target} coins. Its coins are added all the same.",
            where=(("hand", number),),
        )


def _values_that_do_not_rise(values: Mapping[str, int]) -> Iterator[Problem]:
    given = [colour for colour in COLOURS if colour in values]
    for common, rare in pairwise(given):
        if values[rare] <= values[common]:
            yield Problem(
                "gup:value.rise",
                f"A {rare} chest is rarer than a {common} one and must hold more coins, but "
                f"{rare} = {values[rare]} and {common} = {values[common]}.",
            )


def _beyond_the_box(position: Position, deck: Deck) -> Iterator[Problem]:
    copies = deck.copies_in("box")
    for number, hand in enumerate(position.hands, start=1):
        won = Counter(c.kind for chests in (hand.chests or {}).values() for c in chests)
        for kind, count in won.items():
            most = copies.get(kind.id, kind.copies.get("box"))
            if most is not None and count > most:
                yield Problem(
                    "gup:box.chests",
                    f"{count} {kind.family} chests were won in hand {number}, but the box holds "
                    f"only {most}.",
                    where=(("hand", number),),
                )


def _notes(
    position: Position, options: Options, players: tuple[PlayerScore, ...], *, complete: bool
) -> Iterator[Note]:
    yield from _value_notes(position, options)
    for number, hand in enumerate(position.hands, start=1):
        entered = {**(hand.coins or {}), **(hand.chests or {})}
        for name in position.players:
            if name not in entered:
                yield Note(
                    "gup:score.missing",
                    f"{name} is missing from hand {number} and gets 0 coins for it.",
                    Clarity.SILENT,
                )
        for player, unseen in (hand.unseen or {}).items():
            if unseen:
                yield Note(
                    "gup:value.coins",
                    f"{counted(unseen, 'chest')} of {player} in hand {number} "
                    f"{'is' if unseen == 1 else 'are'} not known by colour and count 0 so far.",
                    Clarity.SILENT,
                )
    if position.hands and not position.hands[-1].finished:
        yield Note(
            "gup:score.count",
            f"Hand {len(position.hands)} is still being played; its chests can yet be stolen.",
            Clarity.CLEAR,
        )
    if complete:
        yield from _end_notes(options, players)


def _value_notes(position: Position, options: Options) -> Iterator[Note]:
    values = dict(options.values)
    used: set[str] = set()
    unknown: Counter[str] = Counter()
    for chest in _all_chests(position.hands):
        if chest.number is None and coins_of(chest, values) is None:
            unknown[short(chest)] += 1
        elif chest.number is None:
            used.add(chest.kind.family)
    if used:
        told = ", ".join(f"{c} {values[c]}" for c in COLOURS if c in used and c in values)
        yield Note(
            "gup:value.coins",
            "The rulebook gives no coins for a colour; the household's own values were used"
            + (f": {told}." if told else "."),
            Clarity.SILENT,
        )
    for name, number in unknown.items():
        yield Note(
            "gup:value.coins",
            f"The coins of {counted(number, f'{name} chest')} are not known and count 0 so far.",
            Clarity.SILENT,
        )


def _all_chests(hands: tuple[Hand, ...]) -> Iterator[Card]:
    for hand in hands:
        for chests in (hand.chests or {}).values():
            yield from chests


def _end_notes(options: Options, players: tuple[PlayerScore, ...]) -> Iterator[Note]:
    past = [p for p in players if p.total >= options.target]
    best = leaders(players)
    yield Note(
        "gup:score.winner",
        f"{' and '.join(best)} had the most coins when the match was over and so won. "
        + (
            f"{len(past)} pirates have reached {options.target}: by the other reading whoever "
            "reached it first wins; no total would change."
            if len(past) > 1
            else "No other reading would change a total."
        ),
        Clarity.INTERPRETATION,
    )
    if len(best) > 1:
        after = (
            "by the house rule they play one more hand to settle it"
            if options.tie == "extra-round"
            else "they share the win"
        )
        yield Note(
            "gup:score.tie",
            f"{' and '.join(best)} have equally many coins and no tie-break is given: {after}.",
            Clarity.SILENT,
        )
