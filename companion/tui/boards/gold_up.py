"""The table of Gold Up: the layout with its seven lines, chests and coins, the road to the target."""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from card_catalog.model import Card
from companion.games.gold_up.cards import COLOURS, Mark, colour, counted
from companion.games.gold_up.layout import LINES, line_of
from companion.games.gold_up.moves import totals
from companion.games.gold_up.position import Position
from companion.games.gold_up.scoring import score as sheet_of
from companion.games.gold_up.state import State
from companion.tui.entry.facts import coins_known
from companion.tui.entry.gold_up_turns import opening
from companion.tui.entry.prompt import Choice, Prompt

SIGNS = {
    "white": ("○W", "bright_white"),
    "red": ("◆R", "red"),
    "blue": ("■B", "dodger_blue1"),
    "green": ("▲G", "green"),
    "purple": ("★P", "medium_purple"),
    "yellow": ("●Y", "yellow"),
    "key-joker": ("✱J", "bright_cyan"),
    "key-thief": ("†K", "bright_magenta"),
    "chest-thief": ("†C", "bright_magenta"),
}
"""Symbol and letter of each colour and special key, with its style: never the colour alone."""
_SPOTS = ((0, 2, 4), (1, 3), (2,), (1, 3), (0, 2, 4))
"""Where the chests of lines 1 to 5 lie, in half steps."""


def board(
    session: Any, prompt: Prompt, choice: Choice | None, viewed: str, width: int, height: int
) -> Text:
    """See `boards.board_of`."""
    state: State = session.state
    coins = coins_known(session)
    lines = [_heading(state, coins)]
    name = viewed if viewed in state.players else state.players[0]
    if state.full and not state.over:
        picked = choice.place[0] if choice is not None and choice.place is not None else 0
        lines += _layout(state, coins, name, picked, width, height)
    room = max(1, height - len(lines))
    unknown = [c for c in COLOURS if c not in coins and _lies(state, c)]
    told = bool(unknown) and room > len(state.players)
    lines += _pirates(state, name, prompt.player, width, room - told)
    if told:
        hint = f"coins of {', '.join(unknown)} not known, they count 0: type value {unknown[0]} 4"
        lines.append(Text(hint, style="yellow"))
    lines += _hands(state, width, height - len(lines))
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return Text("\n", no_wrap=True, overflow="crop").join(lines)


def _lies(state: State, name: str) -> bool:
    """Whether a chest of the colour without coins lies before somebody."""
    return any(
        isinstance(c, Card) and colour(c) == name and c.number is None
        for own in state.chests
        for c in own
    )


def _heading(state: State, coins: dict[str, int]) -> Text:
    if state.over:
        text = Text(f"Over after {counted(len(state.done), 'hand')}", style="bold")
    else:
        text = Text(f"Hand {len(state.done) + 1}", style="bold")
    if state.chests_pile is not None:
        text.append(f"  chests {state.chests_pile}")
        text.append(f"  keys {'?' if state.keys_pile is None else state.keys_pile}")
    text.append("  coins:")
    for name in COLOURS:
        sign, style = SIGNS[name]
        text.append(f" {sign} ", style)
        text.append(str(coins.get(name, "?")))
    return text


def sign_of(card: Card | Mark) -> tuple[str, str]:
    """Symbol and letter of a card, and its style."""
    if isinstance(card, Mark):
        return (" ?", "dim") if card is Mark.UNSEEN else (" ·", "dim")
    known = SIGNS.get(card.kind.family) or SIGNS.get(card.id)
    return known or (f" {card.kind.name[:1]}", "bold")


def _groups(cards: Iterable[Card | Mark]) -> Text:
    """`2○W 1◆R 3 ?`: how many of each, the most common colour first."""
    counts = Counter(map(sign_of, cards))
    order = [*SIGNS.values(), *(s for s in counts if s not in SIGNS.values())]
    text = Text()
    for sign in order:
        if counts[sign]:
            text.append(" " if text else "")
            text.append(f"{counts[sign]}{sign[0]}", sign[1])
    return text or Text("none", style="dim")


def _layout(
    state: State, coins: dict[str, int], name: str, picked: int, width: int, height: int
) -> list[Text]:
    """The chests as they lie, beside what the viewed pirate's keys open."""
    large = height >= 26 and width >= 100
    left = _boxes(state, coins, picked) if large else _cells(state, picked)
    wide = max(line.cell_len for line in left) + 2
    right = _openings(state, name, picked)
    if large:
        right = [Text(), *right]
    lines = []
    for at in range(max(len(left), len(right))):
        line = left[at].copy() if at < len(left) else Text()
        line.append(" " * (wide - line.cell_len))
        if at < len(right):
            line.append_text(right[at])
        lines.append(line)
    return lines


def _openings(state: State, name: str, picked: int) -> list[Text]:
    """The keys of a pirate, then line by line with which of them it opens."""
    hand = state.keys[state.seat(name)]
    head = Text(f"{name}'s keys: ", style="bold")
    head.append_text(_groups(hand) if hand is not None else Text("not told", style="dim"))
    lines = [head]
    for line in LINES:
        keys, how = opening(state, name, line)
        text = Text(f"{_mark(keys, how)} {line} ", style="green" if keys else "dim")
        for chest in line_of(state.layout, line):
            sign, style = sign_of(chest)
            text.append(sign.strip(), style)
            text.append(" ")
        text.append(f" {how}", "" if keys else "dim")
        if line == picked:
            text.stylize("reverse")
        lines.append(text)
    return lines


def _mark(keys: object, how: str) -> str:
    """Whether a line opens, perhaps opens, or does not."""
    if keys:
        return "✓"
    return "?" if how.startswith("perhaps") else "✗"


def _cells(state: State, picked: int) -> list[Text]:
    """One row a line, diagonals 6 and 7 marked above their first chest."""
    lit = LINES.get(picked, ())
    lines = [Text("  6↘             ↙7", style="dim")]
    if picked in (6, 7):
        lines[0].stylize("bold reverse", 2 if picked == 6 else 17, 4 if picked == 6 else 19)
    for number, spots in enumerate(_SPOTS, 1):
        text = Text(f"{number} ", style="bold reverse" if number == picked else "bold")
        for spot, place in zip(spots, LINES[number], strict=True):
            text.append(" " * (2 + spot * 4 - text.cell_len))
            sign, style = sign_of(state.layout[place])
            shown = f"[{sign}]" if place not in lit else f"«{sign}»"
            text.append(shown, f"{style} reverse" if place in lit else style)
        lines.append(text)
    return lines


def _boxes(state: State, coins: dict[str, int], picked: int) -> list[Text]:
    """The same three rows high, with the coins where they are known."""
    lit = LINES.get(picked, ())
    lines = [Text("    6↘                     ↙7", style="dim")]
    for number, spots in enumerate(_SPOTS, 1):
        rows = [Text("  "), Text(f"{number} ", style="bold"), Text("  ")]
        for spot, place in zip(spots, LINES[number], strict=True):
            chest = state.layout[place]
            sign, style = sign_of(chest)
            value = "" if isinstance(chest, Mark) else _value(chest, coins)
            style = f"{style} reverse" if place in lit else style
            double = place in lit
            top, side, bottom = (
                ("╔══════╗", "║", "╚══════╝") if double else ("╭──────╮", "│", "╰──────╯")
            )
            for row, shown in zip(
                rows, (top, f"{side} {sign}{value:>3}{side}"[:8], bottom), strict=True
            ):
                row.append(" " * (2 + spot * 5 - row.cell_len))
                row.append(shown, style)
        lines += rows
    return lines


def _value(chest: Card, coins: dict[str, int]) -> str:
    value = chest.number if chest.number is not None else coins.get(colour(chest))
    return "?" if value is None else str(value)


def _pirates(state: State, viewed: str, due: str, width: int, room: int) -> list[Text]:
    """A line a pirate, or two where there is room; as many around the one whose turn it is."""
    players = state.players
    all_totals = totals(state)
    double = state.full and room >= 2 * len(players)
    fits = max(1, room // (2 if double else 1))
    at = state.seat(due) if due in players else 0
    first = max(0, min(at - fits // 2, len(players) - fits))
    shown = range(first, min(len(players), first + fits))
    lines = []
    for seat in shown:
        name = players[seat]
        more = "↑" if seat == shown[0] and seat else " "
        if seat == shown[-1] and seat < len(players) - 1:
            more = "↓"
        mark = "▶" if name == due and not state.over else more
        lines.append(_pirate(state, seat, all_totals[seat], mark, width, name == viewed))
        if double:
            hand = state.keys[seat]
            keys = Text("   keys ", style="dim")
            keys.append_text(_groups(hand) if hand is not None else Text("not told", style="dim"))
            lines.append(keys)
    return lines


def _hands(state: State, width: int, room: int) -> list[Text]:
    """The coins of the last finished hands, where there is room."""
    if not state.done or room < 4:
        return []
    score = sheet_of(Position(state.players, state.done), state.options, state.deck)
    cell = max(6, min(18, (width - 8) // len(state.players)))
    lines = [Text(), Text("hand".ljust(8), style="dim")]
    for player in score.players:
        label = set_cell_size(player.name, cell - 1)
        lines[1].append(f"{label} ", "bold")
    first = max(1, len(state.done) - (room - 3))
    for number in range(first, len(state.done) + 1):
        text = Text(f"{number:>4}    ", style="dim")
        for player in score.players:
            coins = sum(x.points for x in player.lines if dict(x.where).get("hand") == number)
            text.append(str(coins).ljust(cell))
        lines.append(text)
    return lines


def _pirate(state: State, seat: int, total: int, mark: str, width: int, viewed: bool) -> Text:
    names = min(18, max(map(cell_len, state.players))) + 1
    bar = max(8, min(40, width - names - 56))
    name = state.players[seat]
    text = Text(mark, style="bold")
    text.append(set_cell_size(name, names - 1), "bold underline" if viewed else "bold")
    text.append(" ")
    room = min(52, width - names - bar - 22)
    own = _groups(state.chests[seat])
    if state.full:
        hand = state.keys[seat]
        own.append(f"  {'?' if hand is None else len(hand)} keys", "dim")
    own.truncate(room, overflow="ellipsis", pad=True)
    text.append_text(own)
    gained = state.own_coins(seat)
    text.append(f"{'+?' if gained is None else f'+{gained}':>5}{total:>6} ")
    text.append_text(_road(total, gained or 0, state.options.target, bar))
    text.append(f" {state.options.target}", "dim")
    return text


def _road(total: int, gained: int, target: int, width: int) -> Text:
    """The road to the target: what is on the sheet, what this hand may add, what is left."""
    done = min(width, total * width // target)
    more = min(width - done, (total + gained) * width // target - done)
    text = Text("▕")
    text.append("█" * done, "yellow")
    text.append("▒" * more, "yellow")
    text.append("·" * (width - done - more), "dim")
    text.append("▏")
    return text
