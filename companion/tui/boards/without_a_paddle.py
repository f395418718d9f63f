"""The score pad: a row a round, the round on the table marked, bids and tricks checked beneath it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from companion.core.game import PlayerName
from companion.games.without_a_paddle.bidding import forbidden, restricted
from companion.games.without_a_paddle.scoring import START, points_of
from companion.games.without_a_paddle.state import (
    State,
    Table,
    bids_of,
    leading,
    next_bidder,
    next_to_tell,
    totals,
    turn,
)
from companion.games.without_a_paddle.trick import SUITS, suit, winner
from companion.tui.entry.prompt import Choice, Prompt

_LEFT = 10
"""Columns of the round number and its cards."""
_PIPS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_STYLES = ("#5f9fd8", "#d8b84a", "#7fb069", "#d96c5f", "#b48ade", "#5fc8c8", "#e08a4a", "#c0c0c0")
"""A colour a seat, beside the letter or number that stands for it."""


@dataclass(frozen=True, slots=True)
class _Pad:
    """What the lines of the pad are drawn from."""

    state: State
    cell: int
    viewed: str
    due: str
    """Whose number is awaited."""
    ghost: tuple[str, str, str]
    """Player, verb and number that the entry would write."""
    sums: tuple[dict[str, int], ...]
    """Totals at the start and after each finished round."""


def board(
    session: Any, prompt: Prompt, choice: Choice | None, viewed: str, width: int, height: int
) -> Text:
    """See `boards.board_of`."""
    state: State = session.state
    pad = _Pad(
        state,
        max(8, min(18, (width - _LEFT) // len(state.players))),
        viewed,
        _due(state),
        _ghost(prompt, choice),
        running(state),
    )
    info = _info(state, viewed, width)
    room = max(1, height - 2 - len(info))
    rows = _window(pad, room)
    lines = [_heading(pad), *rows, _totals(pad), *info]
    left = height - len(lines)
    if left >= 9 and len(state.rounds) > 1:
        lines += [Text(), *chart(state.players, pad.sums, state.last_round, width, left - 1)]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def running(state: State) -> tuple[dict[str, int], ...]:
    """Totals at the start and after every finished round."""
    now = dict.fromkeys(state.players, START)
    found = [dict(now)]
    for number, written in enumerate(state.rounds, 1):
        cards = state.deal_in(number).cards
        for name in map(PlayerName, state.players):
            bid, won, often = written.bids[name], written.tricks[name], written.reneged.count(name)
            now[name] += points_of(bid, won, cards, often, state.options)
        found.append(dict(now))
    return tuple(found)


def _due(state: State) -> str:
    table = state.table
    if table is None:
        return ""
    bidder = next_bidder(state, table)
    if bidder is not None:
        return bidder
    playing = turn(state, table) if state.tracking == "full" else None
    seat = next_to_tell(table)
    return playing or ("" if seat is None else state.players[seat])


def _ghost(prompt: Prompt, choice: Choice | None) -> tuple[str, str, str]:
    words, player = prompt.words, prompt.player
    if not words and choice is not None:
        words, player = choice.words, choice.player or player
    if len(words) == 2 and words[0] in ("bid", "tricks") and words[1].isdigit():
        return player, words[0], words[1]
    return "", "", ""


def _heading(pad: _Pad) -> Text:
    text = Text("  rd crds".ljust(_LEFT), style="dim")
    for name in pad.state.players:
        label = set_cell_size(_short(name, pad.cell - 1), pad.cell)
        text.append(label, "bold underline" if name == pad.viewed else "bold")
    return text


def _short(name: str, width: int) -> str:
    """The name in at most `width` cells, with an ellipsis where it is cut."""
    if cell_len(name) <= width:
        return name
    return set_cell_size(name, width - 1).rstrip() + "…"


def _window(pad: _Pad, room: int) -> list[Text]:
    """The rounds around the one on the table, as many as there is room for."""
    state = pad.state
    if state.dealer is None:
        cut = ", ".join(f"{name} {card}" for name, card in state.cuts) or "nobody yet"
        return [Text(f"No dealer yet: the highest card cut deals. Cut so far: {cut}.")]
    last = state.last_round
    here = min(state.number, last)
    first = max(1, min(here - room * 2 // 3, last - room + 1))
    shown = range(first, min(last, first + room - 1) + 1)
    more = {first: "↑" if first > 1 else " ", shown[-1]: "↓" if shown[-1] < last else " "}
    return [_row(pad, number, more.get(number, " ")) for number in shown]


def _row(pad: _Pad, number: int, more: str) -> Text:
    """One round; `more` marks the edge of the window."""
    state = pad.state
    deal = state.deal_in(number)
    done, now = number <= len(state.rounds), number == state.number and not state.over
    mark = "▶" if now else more
    if done and sum(state.rounds[number - 1].tricks.values()) != deal.cards:
        mark = "≠"
    text = Text(f"{mark} {number:>2} {deal.cards:>3}".ljust(_LEFT))
    for name in state.players:
        dealer = "D" if name == deal.dealer else ""
        if done:
            text.append_text(_done_cell(pad, number, name, dealer))
        elif now and state.table is not None:
            text.append_text(_open_cell(pad, state.table, name, dealer))
        else:
            text.append(set_cell_size(dealer, pad.cell), "dim")
    if now:
        text.stylize("bold")
        text.stylize("on #2f3b48", 0, len(text))
    return text


def _done_cell(pad: _Pad, number: int, name: str, dealer: str) -> Text:
    written = pad.state.rounds[number - 1]
    player = PlayerName(name)
    bid, won = written.bids[player], written.tricks[player]
    mark = "!" if player in written.reneged else ""
    before, after = pad.sums[number - 1][name], pad.sums[number][name]
    told = f"{bid}/{won}{dealer}{mark}"
    total = str(after)
    if pad.cell >= 14:
        total = f"{after - before:+} {after:>4}"
    gap = max(0, pad.cell - 1 - len(told) - len(total))
    style = "green" if bid == won else "red"
    text = Text(told, style=style)
    text.append(" " * gap + total + " ")
    text.truncate(pad.cell, pad=True)
    return text


def _open_cell(pad: _Pad, table: Table, name: str, dealer: str) -> Text:
    seat = pad.state.seat(name)
    player, verb, number = pad.ghost
    bid, said, won = table.bids[seat], table.said[seat], table.won[seat]
    bids_open = None in table.bids
    due = name == pad.due
    first = "·" if bid is None else str(bid)
    if bid is None and due:
        first = "?"
    second = ""
    if not bids_open:
        second = str(said) if said is not None else str(won) if table.done else "·"
        second = "?" if due and said is None and pad.state.tracking == "light" else second
    ghosted = player == name
    if ghosted and verb == "bid":
        first = f"[{number}]"
    elif ghosted:
        second = f"[{number}]"
    told = f"{first}/{second}" if second else first
    told += dealer + "!" * bool(table.reneges[seat]) + (" ◂" if due else "")
    text = Text(told, style="reverse" if ghosted else "")
    text.truncate(pad.cell, pad=True)
    return text


def _totals(pad: _Pad) -> Text:
    state = pad.state
    now = pad.sums[-1]
    best = leading(now) if state.rounds else []
    text = Text("  total".ljust(_LEFT), style="bold")
    for name in state.players:
        star = "★" if name in best else ""
        text.append(f"{star}{now[name]}".rjust(pad.cell - 1) + " ", "bold")
    return text


def _info(state: State, viewed: str, width: int) -> list[Text]:
    """What is awaited, the sums, the trick; and what the marks of the pad mean."""
    table = state.table
    lines: list[Text] = []
    if state.over:
        best = " and ".join(leading(totals(state)))
        lines.append(Text(f"The match is over. The most points: {best}.", style="bold"))
    elif table is not None:
        lines.append(Text(_bids_line(state, table, width)))
        if None not in table.bids:
            text, right = _tricks_line(state, table)
            lines.append(Text(text, style="" if right else "bold red"))
        lines += _cards_lines(state, table, viewed)
    legend = "bid/tricks, points, total   D deals   ! reneged   ◂ due   ★ leads"
    if any(sum(r.tricks.values()) != state.deal_in(n).cards for n, r in enumerate(state.rounds, 1)):
        legend += "   ≠ tricks do not add up"
    lines.append(Text(legend, style="dim"))
    return lines


def _bids_line(state: State, table: Table, width: int) -> str:
    """The bids in order with their sum, and what the dealer may not bid."""
    deal = state.deal
    bids = bids_of(state, table)
    told = ", ".join(f"{name} {bids[name]}" for name in deal.order if name in bids)
    sums = "+".join(str(bids[name]) for name in deal.order if name in bids)
    total = sum(bids.values())
    over = total - deal.cards
    if None not in table.bids:
        rest = f"{total} for {_tricks(deal.cards)}"
        rest += f" ({abs(over)} {'too many' if over > 0 else 'to spare'})." if over else "."
        return _fitting(width, f"Bids: {told}; {rest}", f"Bids: {sums} = {rest}")
    waiting = ", ".join(name for name in deal.order if name not in bids)
    others = {name: bid for name, bid in bids.items() if name != deal.dealer}
    barred = forbidden(deal, deal.dealer, others, state.options)
    hook = f"{deal.dealer} (D) may not make it {deal.cards}."
    if barred:
        hook = f"{deal.dealer} (D) may not bid {barred[0]}."
    elif not restricted(deal, state.options) or barred == ():
        hook = f"{deal.dealer} (D) may bid anything."
    if not bids:
        return _fitting(width, f"{hook} Bids go round: {waiting}.", hook)
    rest = f"{total} for {_tricks(deal.cards)}."
    long = f"{hook} Bids: {told}; {rest} Next: {waiting}."
    return _fitting(width, long, f"{hook} Bids: {told}; {rest}", f"{hook} Bids: {sums} = {rest}")


def _fitting(width: int, *texts: str) -> str:
    """The first text that fits, else the last."""
    return next((text for text in texts if cell_len(text) <= width), texts[-1])


def _tricks(number: int) -> str:
    return "1 trick" if number == 1 else f"{number} tricks"


def _tricks_line(state: State, table: Table) -> tuple[str, bool]:
    """The sum check of the tricks, and whether it can still come out right."""
    cards, counts = state.deal.cards, table.counts
    told = sum(counts)
    open_seats = [n for n, said in zip(state.players, table.said, strict=True) if said is None]
    text = f"Tricks told: {told} of {cards}"
    if told > cards:
        return f"{text}: {told - cards} too many - one of them is wrong.", False
    if told == cards and open_seats and table.done < cards:
        return f"{text}: none is left for {', '.join(open_seats)}.", True
    if told == cards:
        return f"{text}: they add up.", True
    return f"{text}: {cards - told} still missing.", bool(open_seats)


def _cards_lines(state: State, table: Table, viewed: str) -> list[Text]:
    """The trick on the table and the hand of the player who is looked at (full tracking)."""
    if state.tracking != "full" or None in table.bids:
        return _hand_lines(table, state, viewed)
    text = Text(f"Trick {table.done + 1}: " if table.done < state.deal.cards else "")
    if table.trick:
        best = winner(table.trick)
        led = SUITS[suit(table.trick[0][1])]
        for i, (name, card) in enumerate(table.trick):
            text.append(", " if i else "")
            wins = " (wins so far)" if name == best else ""
            pip = _PIPS[suit(card)]
            style = "red" if suit(card) in "HD" else ""
            text.append(f"{name} ")
            text.append(f"{card.id[:-1]}{pip}", style)
            text.append(wins)
        text.append(f"; {_due(state)} is next and follows {led}")
    elif _due(state):
        text.append(f"{_due(state)} leads")
    return [text, *_hand_lines(table, state, viewed)]


def _hand_lines(table: Table, state: State, viewed: str) -> list[Text]:
    if state.tracking != "full":
        return []
    hand = table.hands[state.seat(viewed)] if viewed in state.players else None
    text = Text(f"{viewed} holds ")
    if hand is None:
        return [text.append('cards that nobody has told (hand "AS KD" tells them)', "dim")]
    for letter, pip in _PIPS.items():
        own = sorted((c for c in hand if suit(c) == letter), key=lambda c: -(c.value or 0))
        for card in own:
            text.append(f"{card.id[:-1]}{pip} ", "red" if letter in "HD" else "")
    return [text]


def marks_of(players: Sequence[str]) -> list[str]:
    """A sign a player: the first letter where all differ, else the number of the seat."""
    letters = [name[:1].upper() for name in players]
    plain = len(set(letters)) == len(letters) and all(c.isascii() and c.isalpha() for c in letters)
    return letters if plain else [str(seat) for seat in range(1, len(players) + 1)]


def chart(
    players: Sequence[str],
    sums: Sequence[dict[str, int]],
    rounds: int,
    width: int,
    height: int,
) -> list[Text]:
    """The totals round by round, a letter or number a player; those that are level side by side."""
    marks = marks_of(players)
    levels = max(4, min(height - 3, 14))
    step = max(1, min(max(6, len(players) + 1), (width - 8) // (rounds + 1)))
    lowest = min(min(s.values()) for s in sums)
    highest = max(max(s.values()) for s in sums)
    span = max(1, highest - lowest)
    grid = [[" "] * (step * (rounds + 1)) for _ in range(levels)]
    seats: dict[tuple[int, int], int] = {}
    for at, totals_then in enumerate(sums):
        for seat, name in enumerate(players):
            row = round((highest - totals_then[name]) * (levels - 1) / span)
            column = at * step + seat % step
            taken = (row, column) in seats
            grid[row][column] = "+" if taken else marks[seat]
            seats[row, column] = -1 if taken else seat
    lines = []
    for row, cells in enumerate(grid):
        value = highest - round(row * span / (levels - 1))
        text = Text(f"{value:>5} ┤", style="dim")
        for column, sign in enumerate(cells):
            seat = seats.get((row, column), -1)
            text.append(sign, f"bold {_STYLES[seat % len(_STYLES)]}" if seat >= 0 else "")
        lines.append(text)
    axis = "".join(str(n).ljust(step)[:step] for n in range(rounds + 1))
    lines.append(Text(f"after  {axis}", style="dim"))
    legend = Text("       ")
    for seat, (mark, name) in enumerate(zip(marks, players, strict=True)):
        legend.append(f"{mark} {name}   ", _STYLES[seat % len(_STYLES)])
    return [*lines, legend]
