"""The itemised score of a sheet, its problems, and what it leaned on."""

from collections.abc import Sequence

from companion.core.game import PlayerName
from companion.core.options import readings
from companion.core.score import Line, Note, PlayerScore, Problem, Score, leaders, ranked
from companion.core.verdict import Clarity
from companion.games.without_a_paddle.bidding import restricted
from companion.games.without_a_paddle.deal import Deal, deal_of, rounds_of
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position, Round

START = 100
MADE = 10
ALL_TRICKS = 5
RENEGE = 20


def offences_charged(reneges: int, options: Options) -> int:
    """How often the loss of 20 is taken for so many reneges in one round."""
    return min(reneges, 1) if options.renege == "per-round" else reneges


def points_of(bid: int, tricks: int, cards: int, reneges: int, options: Options) -> int:
    """What one round brings one player."""
    points = MADE + tricks if bid == tricks else -abs(bid - tricks)
    if tricks == cards:
        points += ALL_TRICKS
    return points - RENEGE * offences_charged(reneges, options)


def round_lines(
    number: int, bid: int, tricks: int, cards: int, reneges: int, options: Options
) -> tuple[Line, ...]:
    """The lines of one round and player; they add up to `points_of`."""
    where = (("round", number),)
    if bid == tricks:
        lines = [
            Line(
                MADE + tricks,
                f"round {number}: bid {bid} and won {tricks}",
                "wap:score.made",
                f"{MADE}+{tricks}",
                where=where,
            )
        ]
    else:
        lines = [
            Line(
                -abs(bid - tricks),
                f"round {number}: bid {bid} but won {tricks}",
                "wap:score.missed",
                f"-({max(bid, tricks)}-{min(bid, tricks)})",
                where=where,
            )
        ]
    if tricks == cards:
        what = "the only trick" if cards == 1 else f"all {cards} tricks"
        lines.append(
            Line(
                ALL_TRICKS,
                f"round {number}: won {what}",
                "wap:score.all-tricks",
                str(ALL_TRICKS),
                where=where,
            )
        )
    times = offences_charged(reneges, options)
    if times:
        often = "" if times == 1 else f" {times} times"
        lines.append(
            Line(
                -RENEGE * times,
                f"round {number}: reneged{often}",
                "wap:score.renege",
                f"-{RENEGE}" if times == 1 else f"-{RENEGE}x{times}",
                where=where,
            )
        )
    return tuple(lines)


def score(position: Position, options: Options) -> Score:
    """The score of a sheet as it is written, for 3 to 8 players and sound numbers (`faults`)."""
    players = _players(position, options)
    complete = len(position.rounds) == rounds_of(len(position.players), options.direction)
    best = leaders(players)
    return Score(
        players,
        best,
        complete,
        tuple(_problems(position, options)),
        tuple(_notes(position, options, players, best if complete else ())),
    )


def _players(position: Position, options: Options) -> tuple[PlayerScore, ...]:
    deals = _deals(position, options)
    entries: list[tuple[str, list[Line]]] = []
    for name in map(PlayerName, position.players):
        lines = [Line(START, "start", "wap:score.start", str(START))]
        for deal, written in zip(deals, position.rounds, strict=True):
            lines += round_lines(
                deal.round,
                written.bids[name],
                written.tricks[name],
                deal.cards,
                written.reneged.count(name),
                options,
            )
        entries.append((name, lines))
    return ranked(entries)


def _deals(position: Position, options: Options) -> list[Deal]:
    # Without a dealer there are no rounds yet.
    dealer = position.dealer or position.players[-1]
    return [
        deal_of(position.players, dealer, number, options.direction)
        for number in range(1, len(position.rounds) + 1)
    ]


def _problems(position: Position, options: Options) -> list[Problem]:
    found: list[Problem] = []
    for deal, written in zip(_deals(position, options), position.rounds, strict=True):
        found += round_problems(deal, written, options)
    return found


def round_problems(deal: Deal, written: Round, options: Options) -> list[Problem]:
    """Everything in one round that the rules do not allow, one entry a fault."""
    found: list[Problem] = []
    here = ("round", deal.round)
    for name in deal.order:
        bid = written.bids[PlayerName(name)]
        if bid > deal.cards:
            found.append(
                Problem(
                    "wap:bid.range",
                    f"Round {deal.round}: {name} bid {bid}, more than the {deal.cards} dealt to "
                    "each.",
                    (("player", name), here),
                )
            )
    if restricted(deal, options) and sum(written.bids.values()) == deal.cards:
        bids = "+".join(str(written.bids[PlayerName(name)]) for name in deal.order)
        found.append(
            Problem(
                "wap:bid.hook",
                f"Round {deal.round}: the bids {bids} come to {deal.cards}, as many as there are "
                f"tricks; {deal.dealer} dealt and had to avoid "
                f"{written.bids[PlayerName(deal.dealer)]}.",
                (("player", deal.dealer), here),
            )
        )
    won = sum(written.tricks.values())
    if won != deal.cards:
        found.append(
            Problem(
                "wap:trick.all",
                f"Round {deal.round}: the tricks add up to {won} instead of {deal.cards}.",
                (here,),
            )
        )
    return found


def _notes(
    position: Position,
    options: Options,
    players: Sequence[PlayerScore],
    winners: tuple[str, ...],
) -> list[Note]:
    """`winners` are those of a finished match, else none."""
    found = _reading_notes(position, options, players)
    renegers = [
        f"{name} in round {number}"
        for number, written in enumerate(position.rounds, 1)
        for name in dict.fromkeys(written.reneged)
    ]
    if renegers:
        found.append(
            Note(
                "wap:renege.stands",
                f"Reneged: {_and(renegers)}. The rulebook does not say whether such a trick is "
                "played again or the bid still counts; here the tricks stand and the bid is scored "
                "as usual.",
                Clarity.SILENT,
            )
        )
    found += _floor_notes(position, players)
    if len(winners) > 1:
        if options.tie == "extra-round":
            how = "by the house rule they play an extra round, which this sheet does not hold"
        else:
            how = "they share the win; an extra round would be another way"
        total = max(p.total for p in players)
        found.append(
            Note(
                "wap:end.tie",
                f"{_and(winners)} end level with {total}. The rulebook names no tie-break: {how}.",
                Clarity.SILENT,
            )
        )
    return found


def _reading_notes(
    position: Position, options: Options, players: Sequence[PlayerScore]
) -> list[Note]:
    """One note for each other reading that would change a total."""
    found = []
    for reading in readings(options):
        others = _players(position, reading.options)
        changed = [
            f"{new.name} {new.total} instead of {old.total}"
            for old, new in zip(players, others, strict=True)
            if old.total != new.total
        ]
        if reading.name == "renege" and changed:
            now, then = "once a round", "for each offence"
            if options.renege == "per-offence":
                now, then = then, now
            text = (
                f"More than one renege by one player in one round: the 20 points are taken {now}. "
                f"Taken {then} it would be {_and(changed)}"
            )
            best = leaders(others)
            if best != leaders(players):
                text += f", and {_and(best)} would have the most points"
            found.append(Note("wap:score.renege-once", f"{text}.", reading.clarity))
    return found


def _floor_notes(position: Position, players: Sequence[PlayerScore]) -> list[Note]:
    """A note where a total fell below 0 after some round, with what a floor would make of it."""
    changed = []
    for player in players:
        by_round = [0] * len(position.rounds)
        for line in player.lines[1:]:
            by_round[dict(line.where)["round"] - 1] += line.points
        total = floored = START
        below = False
        for points in by_round:
            total += points
            floored = max(0, floored + points)
            below = below or total < 0
        if below:
            changed.append(f"{player.name} {floored} instead of {total}")
    if not changed:
        return []
    return [
        Note(
            "wap:score.no-floor",
            "The rulebook mentions no lowest total, so totals may fall below 0. If no round could "
            f"take anybody below 0 it would be {_and(changed)}.",
            Clarity.INTERPRETATION,
        )
    ]


def _and(items: Sequence[str]) -> str:
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])} and {items[-1]}"
