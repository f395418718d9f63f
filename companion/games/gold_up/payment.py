"""Which keys open which chests: one key of its colour, or a joker, for each chest."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from card_catalog.model import Card
from companion.core.verdict import Objection, Unknown
from companion.games.gold_up.cards import (
    Mark,
    colour,
    counted,
    in_box,
    is_joker,
    is_thief,
    listed,
    short,
)

Chests = Sequence[Card | Mark]


@dataclass(frozen=True, slots=True)
class Cited:
    """The rules that speak of a payment, and the words for what is paid."""

    keys: str
    one_each: str
    goods: str
    """`line 4`, `the victim's chests`."""
    place: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """What speaks against a payment, and what would have to be known."""

    objections: tuple[Objection, ...]
    unknowns: tuple[Unknown, ...]


def cheapest(chests: Chests, hand: Sequence[Card]) -> tuple[Card, ...] | None:
    """The keys of a hand that open all chests, in their order and with as few jokers as possible.

    Of two chests of one colour the key goes to the first and the joker to the later one. None when
    the hand cannot open them all; a chest that nobody has seen takes a joker.
    """
    left: dict[str, list[Card]] = {}
    jokers: list[Card] = []
    for key in hand:
        if is_joker(key):
            jokers.append(key)
        elif colour(key):
            left.setdefault(colour(key), []).append(key)
    paid: list[Card] = []
    for chest in chests:
        own = left.get(colour(chest))
        if own:
            paid.append(own.pop())
        elif jokers:
            paid.append(jokers.pop())
        else:
            return None
    return tuple(paid)


def spare_colours(chests: Chests, keys: Sequence[Card]) -> list[str]:
    """Colours of the coloured keys that fit no known chest, one entry a key."""
    lying = Counter(colour(c) for c in chests if not isinstance(c, Mark))
    played = Counter(colour(k) for k in keys if colour(k))
    return [c for c in played for _ in range(played[c] - lying[c])]


def closed_chests(chests: Chests, keys: Sequence[Card]) -> list[Card]:
    """Known chests that the keys leave closed when jokers go where no key fits."""
    left = Counter(colour(k) for k in keys if colour(k))
    jokers = sum(map(is_joker, keys))
    closed = []
    for chest in chests:
        if isinstance(chest, Mark):
            continue
        if left[colour(chest)] > 0:
            left[colour(chest)] -= 1
        elif jokers > 0:
            jokers -= 1
        else:
            closed.append(chest)
    return closed


def beyond_the_box(keys: Sequence[Card]) -> list[Objection]:
    """Objections to more keys of a kind than the box holds."""
    found = []
    for key, number in Counter(keys).items():
        most = in_box(key)
        if most is not None and number > most:
            found.append(
                Objection(
                    "gup:box.keys",
                    f"{number} x {short(key)} were played, but the box holds only {most}.",
                    place=(key.id,),
                    impossible=True,
                )
            )
    return found


def judge(chests: Chests, keys: Sequence[Card], cited: Cited) -> Judged:
    """Everything that speaks against opening these chests with these keys.

    Chests that nobody has seen count as one each; whether a key fits one of them is unknown.
    """
    lying = [c for c in chests if c is not Mark.EMPTY]
    price = ", ".join(short(c) for c in lying) or "no key at all"
    instead = (f"play one key or joker a chest for {cited.goods}: {price}",)
    objections = beyond_the_box(keys)
    thieves = [k for k in keys if is_thief(k)]
    if thieves:
        objections.append(
            Objection(
                "gup:collect.thief",
                f"A thief is no key and opens no chest: {listed(thieves)}.",
                instead,
                place=cited.place,
            )
        )
    if len(keys) != len(lying):
        objections.append(
            Objection(
                cited.one_each,
                f"{counted(len(keys), 'key')} for {counted(len(lying), 'chest')} "
                f"({cited.goods}): each chest takes exactly one.",
                instead,
                place=(*cited.place, "count"),
            )
        )
    unseen = lying.count(Mark.UNSEEN)
    spare = spare_colours(lying, keys)
    closed = closed_chests(lying, keys)
    # A number of keys that is merely too low or too high needs no second sentence about colours.
    miscounted = len(keys) != len(lying) and not (closed and spare)
    if (closed or len(spare) > unseen) and not miscounted:
        objections.append(_misfit(closed, spare, unseen, cited, instead))
    if objections or not spare:
        return Judged(tuple(objections), ())
    open_question = Unknown(
        cited.keys,
        f"Whether a {' and a '.join(spare)} key fits depends on {counted(unseen, 'chest')} "
        f"of {cited.goods} that nobody has named.",
    )
    return Judged((), (open_question,))


def _misfit(
    closed: Sequence[Card],
    spare: Sequence[str],
    unseen: int,
    cited: Cited,
    instead: tuple[str, ...],
) -> Objection:
    parts = []
    if closed:
        parts.append(f"no key was played for {listed(closed)}")
    if len(spare) > unseen:
        parts.append(f"no chest is left there for the {' and the '.join(spare)} key")
    text = f"The keys do not fit {cited.goods}: {'; '.join(parts)}."
    return Objection(cited.keys, text, instead, place=(*cited.place, "colours"))
