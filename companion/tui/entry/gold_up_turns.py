"""A turn of Gold Up card by card: lines and the keys that open them, draws, thieves, refills."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from card_catalog.model import Card
from companion.core.log import quoted
from companion.core.verdict import Outcome
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import Mark, counted, is_joker, listed, short
from companion.games.gold_up.choices import candidates
from companion.games.gold_up.layout import LINES, SIZES, line_of
from companion.games.gold_up.payment import cheapest, closed_chests
from companion.games.gold_up.referee import check
from companion.games.gold_up.state import DEALT, State, seen
from companion.games.gold_up.theft import keys_to_take
from companion.tui.entry.gold_up_words import expanded, grouped, offer, plain
from companion.tui.entry.prompt import Choice, Prompt
from companion.tui.entry.typed import named_first, whole


@dataclass(frozen=True, slots=True)
class Awaited:
    """Cards that lie on the table or in a hand and that nobody has named yet."""

    verb: str
    player: str
    number: int
    """How many cards."""
    line: int = 0

    @property
    def group(self) -> str:
        """What kind of cards."""
        return "key" if self.verb == "deal" else "chest"

    @property
    def asked(self) -> str:
        """The question."""
        if self.verb == "deal":
            return f"{self.player}'s {self.number} keys? w r j k c, or start the turn"
        what = "lies now" if self.verb == "refill" else "lies"
        return f"what {what} in line {self.line}? {counted(self.number, 'chest')}, left to right"


def awaited(state: State) -> Awaited | None:
    """What should be named next: a refilled line, the layout, the keys that were dealt."""
    if state.refill is not None:
        turn = state.turn or state.players[0]
        collector = state.players[state.seat(turn) - 1]
        return Awaited("refill", collector, len(state.refill[1]), state.refill[0])
    if state.acted:
        return None
    starter = state.turn or state.players[0]
    for line, size in enumerate(SIZES, 1):
        if set(line_of(state.layout, line)) == {Mark.UNSEEN}:
            return Awaited("layout", starter, size, line)
    for seat, name in enumerate(state.players):
        if state.keys[seat] == (Mark.UNSEEN,) * DEALT:
            return Awaited("deal", name, DEALT)
    return None


def opening(state: State, player: str, line: int) -> tuple[tuple[Card, ...] | None, str]:
    """The keys that open a line with the fewest jokers, else None; and how that stands, in words."""
    chests = [c for c in line_of(state.layout, line) if c is not Mark.EMPTY]
    hand = state.keys[state.seat(player)] or ()
    if not chests:
        return None, "empty"
    known = list(seen(hand))
    paid = cheapest(chests, known)
    if paid is not None:
        jokers = sum(map(is_joker, paid))
        return paid, " + ".join(map(short, paid)) + (
            f" ({counted(jokers, 'joker')})" * bool(jokers)
        )
    closed = [short(c) for c in closed_chests(chests, known)]
    closed += ["?"] * (chests.count(Mark.UNSEEN) - max(0, _spare_jokers(chests, known)))
    unseen = hand.count(Mark.UNSEEN)
    if unseen >= len(closed):
        return None, f"perhaps: needs {' + '.join(closed)} among {unseen} unseen"
    return None, f"lacks {' + '.join(closed) or 'a key'}"


def _spare_jokers(chests: Sequence[Card | Mark], known: Sequence[Card]) -> int:
    """Jokers that are left when the known chests are open."""
    lying = Counter(c.kind.family for c in chests if isinstance(c, Card))
    held = Counter(k.kind.family for k in known if k.kind.family)
    return sum(map(is_joker, known)) - (lying - held).total()


def turns(session: Any, named: str | None, typed: str) -> Prompt:
    """The cards that wait to be named, and the turn of a pirate."""
    state: State = session.state
    due = awaited(state)
    player = named or state.turn or state.players[0]
    title = f"{player}: line 1-7, d draw, k key thief, c chest thief, p pass"
    words = typed.split()
    if not words:
        return _everything(session, player, due, title)
    named_cards = _named(session, due, named, words)
    if named_cards is None:
        return _turn(session, player, words, typed, title)
    if named_cards.words or any(c.words for c in named_cards.choices):
        return named_cards
    # Too few cards so far; a single letter may be a turn as well.
    prompt = _turn(session, player, words, typed, title)
    if not any(c.words for c in prompt.choices):
        return named_cards
    choices = (*prompt.choices, *named_cards.choices)
    return Prompt(prompt.player, prompt.title, choices, note=named_cards.note)


def _turn(session: Any, player: str, words: list[str], typed: str, title: str) -> Prompt:
    state: State = session.state
    first, rest = words[0].casefold(), words[1:]
    if first == "collect" and rest:
        first, rest = rest[0], rest[1:]
    if whole(first) is not None:
        return _line(session, player, first, rest)
    if first in ("d", "draw"):
        return _draw(session, player, rest)
    if first in ("k", "kt", "key-thief", "steal-keys"):
        return _key_thief(session, player, typed.split(maxsplit=1)[1:], title)
    if first in ("c", "ct", "chest-thief", "steal-chests"):
        return chest_thief(session, player, typed.split(maxsplit=1)[1:], title)
    if first in ("p", "pass"):
        return offer(session, player, title, f"{player} passes", ("pass",))
    if "end-hand".startswith(first):
        return offer(session, state.players[0], title, "end the hand", ("end-hand",))
    names = [n for n in state.players if n.casefold().startswith(typed.casefold())]
    found = tuple(Choice(f"{n}: a turn out of order", (), f"{quoted(n)} ") for n in names)
    note = "" if found else "a line 1 to 7, d, k, c, p; or an act as in a match file"
    return Prompt(player, title, found, note=note)


def _everything(session: Any, player: str, due: Awaited | None, title: str) -> Prompt:
    """The whole list before anything is typed."""
    state: State = session.state
    if due is not None:
        title = due.asked
        choices = [Choice("type the cards and Enter (? is one not seen), or choose below")]
    else:
        choices = [Choice("type a line 1 to 7 or a letter, or choose below")]
    for action in candidates(state):
        if action.player != player or check(state, action).outcome is Outcome.ILLEGAL:
            continue
        if isinstance(action, act.Collect):
            if Mark.UNSEEN not in line_of(state.layout, action.line):
                choices.append(_collect_choice(state, action))
        elif isinstance(action, act.Draw):
            choices.append(Choice("d: draw two keys", ("draw",), "", player))
        elif isinstance(action, act.StealKeys):
            choices.append(_rob_keys_choice(state, action))
        elif isinstance(action, act.StealChests) and not action.chests:
            text = f"{quoted(player)} c {quoted(action.victim)} "
            choices.append(Choice(f"c: chest thief on {action.victim}: which chests?", (), text))
        elif isinstance(action, act.Pass):
            choices.append(Choice("p: pass", ("pass",), "", player))
    return Prompt(player, title, tuple(choices))


def _named(session: Any, due: Awaited | None, named: str | None, words: list[str]) -> Prompt | None:
    """The text as the cards that wait to be named; None where it is something else."""
    verb = words[0].casefold()
    state: State = session.state
    if verb in ("refill", "layout") and len(words) > 1 and words[1] in "1234567":
        line = int(words[1])
        if due is None or (due.verb, due.line) != (verb, line):
            due = Awaited(verb, state.turn or state.players[0], len(LINES[line]), line)
        words = words[2:]
    elif verb == "deal":
        due, words = Awaited("deal", named or state.players[0], DEALT), words[1:]
    if due is None or not words:
        return None
    names = expanded(words, due.group, state)
    if names is None:
        return None
    player = named or due.player
    place = (due.line, 0) if due.line else None
    line_words = (str(due.line),) if due.line else ()
    if len(names) < due.number:
        more = f"{grouped(names)}: {counted(due.number - len(names), 'card')} more"
        return Prompt(player, due.asked, (Choice(more, place=place),), note=more)
    what = f"line {due.line}" if due.line else f"{player} holds"
    label = f"{what}: {' '.join(names)}"
    return offer(session, player, due.asked, label, (due.verb, *line_words, *names), place)


def _collect_choice(state: State, action: act.Collect) -> Choice:
    chests = listed([c for c in line_of(state.layout, action.line) if c is not Mark.EMPTY])
    jokers = sum(map(is_joker, action.keys))
    with_jokers = f", {counted(jokers, 'joker')}" if jokers else ""
    label = f"{action.line}: {chests} with {listed(action.keys)}{with_jokers}"
    words = ("collect", str(action.line), "with", *plain(action.keys))
    return Choice(label, words, "", action.player, (action.line, 0))


def _line(session: Any, player: str, digits: str, rest: list[str]) -> Prompt:
    """A line was named: with which keys can it be opened, or with those that were typed."""
    state: State = session.state
    number = whole(digits) or 0
    if number not in LINES:
        return Prompt(player, f"{player}: lines are numbered 1 to 7", note=f"no line {number}")
    chests = [c for c in line_of(state.layout, number) if c is not Mark.EMPTY]
    title = f"{player}: line {number} ({listed(chests)}); keys? or Enter for the fewest jokers"
    words = [w for w in rest if w.casefold() != "with"]
    if words:
        keys = expanded(words, "key", state)
        if keys is None:
            return Prompt(player, title, note="keys are typed like w r j")
        label = f"{number}: {listed(chests)} with {' + '.join(keys)}"
        return offer(
            session, player, title, label, ("collect", str(number), "with", *keys), (number, 0)
        )
    why = f"line {number}, {player}: {opening(state, player, number)[1]}"
    if Mark.UNSEEN in chests:
        why = f"line {number} has chests that nobody has named: type the keys, {number} w r j"
        return Prompt(player, title, (Choice(why, place=(number, 0)),), note=why)
    found = [
        _collect_choice(state, a)
        for a in candidates(state)
        if isinstance(a, act.Collect) and a.player == player and a.line == number
    ]
    keys_held = opening(state, player, number)[0]
    if not found and keys_held is not None:
        words = ["collect", str(number), "with", *plain(keys_held)]
        return offer(session, player, title, why, tuple(words), (number, 0))
    return Prompt(player, title, tuple(found) or (Choice(why, place=(number, 0)),), note=why)


def _draw(session: Any, player: str, rest: list[str]) -> Prompt:
    title = f"{player} draws two keys: which? (d w r), or Enter where nobody tells"
    keys = expanded(rest, "key", session.state)
    if keys is None:
        return Prompt(player, title, note="keys are typed like w r j k c")
    label = f"{player} draws {grouped(keys)}" if keys else f"{player} draws two keys, not told"
    return offer(session, player, title, label, ("draw", *keys))


def _rob_keys_choice(state: State, action: act.StealKeys) -> Choice:
    hand = state.keys[state.seat(action.victim)]
    take = None if hand is None else keys_to_take(len(hand), len(state.players), state.options)
    number = "the keys" if take is None else counted(take, "key")
    random = " at random (type them behind the name)" if len(state.players) == 2 else ""
    label = f"k: key thief takes {number} of {action.victim}{random}"
    return Choice(label, ("steal-keys", action.victim), "", action.player)


def _key_thief(session: Any, player: str, rest: list[str], title: str) -> Prompt:
    """Whom the key thief robs, and of which keys."""
    state: State = session.state
    victim, keys_typed = named_first(rest[0] if rest else "", state.players)
    if victim is None:
        begun = rest[0].casefold() if rest else ""
        choices = tuple(
            _rob_keys_choice(state, act.StealKeys(player, name))
            for name in state.players
            if name != player and name.casefold().startswith(begun)
        )
        return Prompt(player, f"{player} shows a key thief: who is robbed?", choices)
    keys = expanded(keys_typed.split(), "key", state)
    if keys is None:
        return Prompt(player, title, note="keys are typed like w r j k c")
    label = _rob_keys_choice(state, act.StealKeys(player, victim)).label
    if keys:
        label = f"k: key thief takes {grouped(keys)} of {victim}"
    asked = f"{player} robs {victim} of keys: which? or Enter where nobody tells"
    return offer(session, player, asked, label, ("steal-keys", victim, *keys))


def chest_thief(session: Any, player: str, rest: list[str], title: str) -> Prompt:
    """Whom the chest thief robs, of which chests, with which keys."""
    state: State = session.state
    victim, typed = named_first(rest[0] if rest else "", state.players)
    others = [name for name in state.players if name != player]
    if victim is None and typed and len(others) == 1:
        victim = others[0]
    if victim is None:
        begun = rest[0].casefold() if rest else ""
        choices = tuple(
            Choice(
                f"{name}, who has {grouped(plain(state.chests[seat]))}",
                (),
                f"{quoted(player)} c {quoted(name)} ",
            )
            for seat, name in enumerate(state.players)
            if name != player and name.casefold().startswith(begun)
        )
        return Prompt(player, f"{player} shows a chest thief: who is robbed?", choices)
    chest_words, _, key_words = typed.casefold().partition("with")
    chests = expanded(chest_words.replace("none", "").split(), "chest", state)
    keys = expanded(key_words.split(), "key", state)
    asked = f"{player} robs {victim}: which chests? (w r), keys behind with"
    if chests is None or keys is None:
        return Prompt(player, asked, note="chests like w r, keys like w j")
    if not typed:
        return Prompt(player, asked, tuple(_robberies(session, player, victim)))
    keys = keys or _payment(state, player, chests)
    label = f"c: {grouped(chests)} of {victim} with {' + '.join(keys) or 'no key'}"
    words = ("steal-chests", victim, *(chests or ("none",)), "with", *(keys or ("none",)))
    return offer(session, player, asked, label, words)


def _payment(state: State, player: str, chests: tuple[str, ...]) -> tuple[str, ...]:
    """The keys of the hand that open the chests with few jokers, else those of the same colours."""
    hand = state.keys[state.seat(player)] if state.full else None
    names = tuple(name.partition("=")[0] for name in chests)
    wanted = [Card(state.names["chest", name]) for name in names if ("chest", name) in state.names]
    paid = cheapest(wanted, list(seen(hand))) if hand is not None else None
    return names if paid is None else plain(paid)


def _robberies(session: Any, player: str, victim: str) -> list[Choice]:
    """What the chest thief may take: nothing, one chest, as many as the keys open."""
    state: State = session.state
    if not state.full:
        lead = f"{quoted(player)} c {quoted(victim)}"
        lying = plain(dict.fromkeys(seen(state.chests[state.seat(victim)])))
        return [Choice(f"one {name} chest", (), f"{lead} {name} ") for name in lying]
    found: list[tuple[bool, Choice]] = []  # taking nothing stands last
    for action in candidates(state):
        if not isinstance(action, act.StealChests) or action.player != player:
            continue
        if action.victim == victim and check(state, action).outcome is not Outcome.ILLEGAL:
            chests, keys = plain(action.chests), plain(action.keys)
            label = f"{grouped(chests)} of {victim} with {' + '.join(keys) or 'no key'}"
            words = ("steal-chests", victim, *(chests or ("none",)), "with", *(keys or ("none",)))
            found.append((not chests, Choice(label, words, "", player)))
    return [choice for _, choice in sorted(found, key=lambda pair: pair[0])]
