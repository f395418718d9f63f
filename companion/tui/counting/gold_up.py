"""Hands of Gold Up as text: chests by colour or letter, or the coins counted; values a colour."""

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

from card_catalog.lookup import Lookup, UnknownCard, shown
from companion.games.gold_up.cards import COLOURS
from companion.games.gold_up.position import coins_of
from companion.tui.counting import Wrong

LETTERS = {colour[0]: colour for colour in COLOURS}
NONE = ("none", "-", ".")
_COINS = re.compile(r"[0-9]{1,4}")
_NUMBER = re.compile(r"-?[0-9]{1,6}")
Act = tuple[str, tuple[str, ...]]


def blank(names: Sequence[str]) -> dict[str, Any]:
    """A sheet without hands."""
    return {"players": list(names), "hands": []}


def values_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Coins a colour, as far as they were told."""
    return dict(raw.get("options", {}).get("values", {}))


def values_text(values: Mapping[str, Any]) -> str:
    """`white=2 red=4`."""
    return " ".join(f"{colour}={coins}" for colour, coins in values.items())


def with_values(raw: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The sheet with the values as typed: `w=2 red=4`, colours by name or letter."""
    values: dict[str, Any] = {}
    for word in re.sub(r"\s*[=:]\s*", "=", text.replace(",", " ")).split():
        name, _, coins = word.partition("=")
        colour = _colour(name)
        values[colour] = int(coins) if _COINS.fullmatch(coins) else coins
    after = copy.deepcopy(dict(raw))
    options = after.setdefault("options", {})
    options["values"] = values
    if not values:
        del options["values"]
    return after


def sound_values(raw: Mapping[str, Any]) -> tuple[dict[str, int], list[Wrong]]:
    """The values that can be used, and what is wrong with the others."""
    sound: dict[str, int] = {}
    wrong: list[Wrong] = []
    for colour, coins in values_of(raw).items():
        if colour not in COLOURS:
            text = f"no chest is {shown(colour)}; the colours are {', '.join(COLOURS)}"
            wrong.append(Wrong(("values",), text, colour))
        elif not isinstance(coins, int) or not 0 <= coins <= 9999:
            found = f"{colour}={coins}" if coins != "" else f"{colour} without coins"
            wrong.append(Wrong(("values",), f"{shown(found)}; write {colour}=NUMBER", colour))
        else:
            sound[colour] = coins
    return sound, wrong


def _colour(word: str) -> str:
    """The colour that a word begins (each begins with a letter of its own), else the word."""
    begun = [c for c in COLOURS if word and c.startswith(word.casefold())]
    return begun[0] if begun else word.casefold()


def text_of(raw: Mapping[str, Any], hand: int, name: str) -> str:
    """What stands in a player's line of a hand (from 1)."""
    hands = raw.get("hands", [])
    if hand > len(hands):
        return ""
    written = hands[hand - 1]
    if name in written.get("coins", {}):
        return str(written["coins"][name])
    if name in written.get("chests", {}):
        return " ".join(written["chests"][name]) or "none"
    return ""


def with_text(raw: Mapping[str, Any], hand: int, name: str, text: str) -> dict[str, Any]:
    """The sheet with a line typed anew; empty hands at the end are dropped."""
    after = copy.deepcopy(dict(raw))
    hands = after.setdefault("hands", [])
    while len(hands) < hand:
        hands.append({})
    written = hands[hand - 1]
    for key in ("chests", "coins"):
        written.get(key, {}).pop(name, None)
    words = _words(text)
    if len(words) == 1 and _NUMBER.fullmatch(words[0]):
        written.setdefault("coins", {})[name] = int(words[0])
    elif words == ["none"]:
        written.setdefault("chests", {})[name] = []
    elif words:
        written.setdefault("chests", {})[name] = words
    for key in ("chests", "coins"):
        if not written.get(key):
            written.pop(key, None)
    while hands and not hands[-1]:
        hands.pop()
    return after


def _words(text: str) -> list[str]:
    """The chests of a line: letters and colours as colours, `3w` or `3 x white` as three of them."""
    tight = re.sub(r"\s*=\s*", "=", text.replace(",", " "))
    tight = re.sub(r"\b(\d{1,2})\s*(?:x|\*)\s*(?=[A-Za-z])", r"\1", tight)
    words: list[str] = []
    for word in tight.split():
        often, name = 1, word
        counted = re.fullmatch(r"(\d{1,2})([A-Za-z].*)", word)
        if counted is not None:
            often, name = int(counted[1]), counted[2]
        colour, equals, coins = name.partition("=")
        words += [_colour(colour) + equals + coins] * often
    return ["none"] if len(words) == 1 and words[0].lower() in NONE else words


def scorable(raw: Mapping[str, Any], lookup: Lookup) -> tuple[dict[str, Any], list[Wrong]]:
    """The sheet without the words that name no chest and the chests that have no value."""
    values, wrong = sound_values(raw)
    after = {**raw, "hands": [], "options": dict(raw.get("options", {}))}
    after["options"].pop("values", None)
    if values:
        after["options"]["values"] = values
    for number, written in enumerate(raw.get("hands", []), 1):
        hand, faults = _hand(raw, number, written, lookup, values)
        after["hands"].append(hand)
        wrong += faults
    return after, wrong


def _hand(
    raw: Mapping[str, Any],
    number: int,
    written: Mapping[str, Any],
    lookup: Lookup,
    values: Mapping[str, int],
) -> tuple[dict[str, Any], list[Wrong]]:
    """A hand as a file may have it: coins for all as soon as somebody's coins were counted."""
    wrong: list[Wrong] = []
    chests: dict[str, list[str]] = {}
    worth: dict[str, int] = {}
    coins: dict[str, int] = {}
    for seat, name in enumerate(raw["players"], 1):
        place = (number, seat)
        if name in written.get("coins", {}):
            counted = written["coins"][name]
            if counted < 0:
                text = f"{counted} coins; use a whole number from 0"
                wrong.append(Wrong(place, text, str(counted)))
            else:
                coins[name] = counted
        if name in written.get("chests", {}):
            words = written["chests"][name]
            chests[name], worth[name], faults = _chests(words, lookup, values)
            wrong += [Wrong(place, text, word) for word, text in faults]
    if coins:
        return {"coins": {**worth, **coins}}, wrong
    return {"chests": chests}, wrong


def _chests(
    words: Sequence[str], lookup: Lookup, values: Mapping[str, int]
) -> tuple[list[str], int, list[tuple[str, str]]]:
    sound: list[str] = []
    total = 0
    faults: dict[str, str] = {}
    for word in words:
        try:
            card = lookup.card(word, "chest")
        except UnknownCard as error:
            letters = " ".join(f"{letter}={colour}" for letter, colour in LETTERS.items())
            text = str(error).replace("chest-", "").partition("; `")[0]
            faults.setdefault(word, text if "did you" in text else f"{text} ({letters})")
            continue
        coins = coins_of(card, values)
        if coins is None:
            colour = card.kind.family or card.id
            text = f"no value for {colour} yet: type it above, or {colour}=NUMBER here"
            faults.setdefault(word, text)
            continue
        sound.append(str(card))
        total += coins
    return sound, total, list(faults.items())


def acts(raw: Mapping[str, Any], lookup: Lookup) -> list[Act]:
    """The hands as acts of a match."""
    clean, _ = scorable(raw, lookup)
    found: list[Act] = []
    first = raw["players"][0]
    for hand in clean["hands"]:
        for name in raw["players"]:
            if name in hand.get("coins", {}):
                found.append((name, ("coins", str(hand["coins"][name]))))
            elif hand.get("chests", {}).get(name):
                found.append((name, ("takes", *hand["chests"][name])))
        found.append((first, ("end-hand",)))
    return found


def road(total: int, target: int, width: int) -> str:
    """How far to the target: a bar of so many cells."""
    done = width if total >= target else max(0, total) * width // max(1, target)
    return "█" * done + "·" * (width - done)
