"""Typing at the table of Gold Up: colours are chests won, a number is coins, a digit a line."""

from itertools import pairwise
from typing import Any

from companion.core.log import quoted
from companion.core.verdict import Outcome
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import COLOURS, counted
from companion.games.gold_up.referee import check
from companion.games.gold_up.state import State
from companion.tui.entry.facts import Telling, coins_known
from companion.tui.entry.gold_up_turns import chest_thief, turns
from companion.tui.entry.gold_up_words import (
    expanded,
    grouped,
    offer,
    worthless,
)
from companion.tui.entry.prompt import Choice, Prompt
from companion.tui.entry.typed import bare, named_first, whole


class GoldUpTypist:
    """See `Typist`."""

    HELP = """
Gold Up
  Chests by letter or colour (w w r, 2w r, white white red), or the counted
  coins as a number; a name in front acts for another pirate: Ben w r
  c Ben w with w    the chest thief      end    the hand is over
  value red 4    coins on a chest, asked once and kept for your box
  Card by card: 1 to 7 opens a line, d draws, k steals keys, p passes.
"""

    def read(self, session: Any, text: str) -> Prompt:
        """What was won or counted, or the turn of a pirate; a name in front acts for that pirate."""
        state: State = session.state
        named, rest = named_first(bare(text), state.players)
        first = rest.casefold().split()[:1]
        if first and "values".startswith(first[0]):
            return _values(session, rest.casefold().split()[1:])
        if state.over and check(state, act.EndHand(state.players[0])).objections:
            return Prompt(named or state.players[0], "the match is over: F8 shows the score")
        if state.counting or not state.full:
            return _told(session, named, rest)
        prompt = turns(session, named, rest)
        if not rest and worthless(session):
            return _with(prompt, _value_hint(session))
        return prompt


def _with(prompt: Prompt, *more: Choice) -> Prompt:
    choices = (*prompt.choices, *more)
    return Prompt(prompt.player, prompt.title, choices, prompt.words, prompt.lit, prompt.note)


def _due(state: State) -> str:
    """The first pirate of whom nothing has been told in this hand."""
    for seat, name in enumerate(state.players):
        if state.coins[seat] is None and (state.full or not state.chests[seat]):
            return name
    return state.players[0]


def _told(session: Any, named: str | None, typed: str) -> Prompt:
    """Chests won (light tracking) and coins counted, then the end of the hand."""
    state: State = session.state
    player = named or _due(state)
    words = typed.split()
    first = words[0].casefold() if words else ""
    title = f"{player}: chests won (w w r), or coins counted (45)?"
    if state.full:
        title = f"the hand is over; {player}: coins counted? then end-hand"
    if not words:
        return Prompt(player, title, tuple(_open(session, player, named)), note=_missing(session))
    if first in ("coins", "takes", "take") and len(words) > 1:
        first, words = words[1], words[1:]
    coins = whole(first)
    if coins is not None and len(words) == 1:
        label = f"{player} has counted {counted(coins, 'coin')}"
        return offer(session, player, title, label, ("coins", str(coins)))
    if "end-hand".startswith(first):
        return offer(session, state.players[0], title, _ending(state), ("end-hand",))
    if first in ("c", "ct", "steal", "steal-chests", "chest-thief"):
        return chest_thief(session, player, typed.split(maxsplit=1)[1:], title)
    names = None if state.full else expanded(words, "chest", state)
    if names is None:
        others = [n for n in state.players if n.casefold().startswith(typed.casefold())]
        found = tuple(_look_at(n) for n in others)
        what = "a number of coins" if state.full else "colours (w w r) or a number of coins"
        return Prompt(player, title, found, note="" if found else f"type {what}, or end-hand")
    lacking = [c for c in worthless(session) if c in names]
    label = f"{player} won {grouped(names)}"
    if lacking:
        label += f" (coins of {', '.join(lacking)} not known yet: value {lacking[0]} N)"
    return offer(session, player, title, label, ("takes", *names))


def _open(session: Any, player: str, named: str | None) -> list[Choice]:
    """What can be told before anything is typed."""
    state: State = session.state
    lead = "type what was won and Enter: w w r, white red, 2w r; or coins: 45"
    if state.full:
        lead = "type the coins counted and Enter, or choose below"
    choices = [Choice(lead)]
    all_told = all(state.own_coins(seat) is not None for seat in range(len(state.players)))
    if check(state, act.EndHand(state.players[0])).outcome is not Outcome.ILLEGAL:
        ending = Choice(_ending(state), ("end-hand",), player=state.players[0])
        # Counted out: the end of the hand is what comes next.
        choices.insert(0 if state.full and all_told else len(choices), ending)
    if not named:
        choices += [_look_at(name) for name in state.players if name != player]
    if worthless(session):
        choices.append(_value_hint(session))
    if not state.full and any(state.chests):
        choices.append(Choice("chest thief: who was robbed?", (), f"{quoted(player)} c "))
    return choices


def _look_at(name: str) -> Choice:
    return Choice(f"{name}: chests or coins", (), f"{quoted(name)} ")


def _ending(state: State) -> str:
    """The end of the hand with what it brings everybody."""
    told = []
    for seat, name in enumerate(state.players):
        coins = state.own_coins(seat)
        told.append(f"{name} {'?' if coins is None else coins}")
    unknown = " (? counts 0)" if any(text.endswith(" ?") for text in told) else ""
    return f"end the hand: {', '.join(told)}{unknown}"


def _missing(session: Any) -> str:
    """Which coins are not known, and what to do about it."""
    unknown = worthless(session)
    if not unknown:
        return ""
    return (
        f"Coins of {', '.join(unknown)} chests are not known and count 0: read them off the cards, "
        f"value {unknown[0]} 4; or count the coins of the hand."
    )


def _value_hint(session: Any) -> Choice:
    colour = worthless(session)[0]
    return Choice(f"value: how many coins does a {colour} chest hold?", (), f"value {colour} ")


def _values(session: Any, words: list[str]) -> Prompt:
    """`value red 4`, `values white=2 red=4`: kept for this box."""
    state: State = session.state
    player = state.turn or state.players[0]
    title = "coins on a chest, read off your cards: value red 4"
    parts = " ".join(words).replace("=", " ").replace(",", " ").split()
    facts: dict[str, int] = {}
    for name, number in zip(parts[::2], parts[1::2], strict=False):
        colours = expanded([name], "chest", state) or ()
        if len(colours) != 1 or colours[0] not in COLOURS or whole(number) is None:
            note = f"{name} {number}: a colour and a number of coins, like red 4"
            return Prompt(player, title, note=note)
        facts[colours[0]] = whole(number) or 0
    known = coins_known(session)
    if not facts or len(parts) % 2:
        begun = parts[-1] if len(parts) % 2 else ""
        lead = " ".join(["value", *parts[: len(parts) // 2 * 2]])
        choices = tuple(
            Choice(f"{c}: {counted(known[c], 'coin') if c in known else 'not known'}", (), text)
            for c in COLOURS
            for text in (f"{lead} {c} ",)
            if c.startswith(begun)
        )
        return Prompt(player, title, choices, note="a colour and a number of coins, like red 4")
    text = ", ".join(f"{key} {n}" for key, n in facts.items())
    label = f"keep for this box: {text}{_doubts(session, known, facts)}"
    return Prompt(player, title, (Telling(label, facts=facts),))


def _doubts(session: Any, known: dict[str, int], facts: dict[str, int]) -> str:
    """What is odd about the values: they do not rise, or the match has its own."""
    ruled = session.match.options.get("values") or {}
    own = [c for c in COLOURS if c in facts and c in ruled]
    if own:
        return f" (this match was begun with {own[0]} {ruled[own[0]]} and keeps that)"
    after = known | facts
    order = [c for c in COLOURS if c in after]
    for common, rare in pairwise(order):
        if after[rare] <= after[common]:
            return (
                f" (but a rarer chest holds more: {common} {after[common]}, {rare} {after[rare]})"
            )
    return ""
