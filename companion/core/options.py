"""House rules: one frozen dataclass of options a game, each option with its clarity and its readings.

`option()` declares a field; `readings()` lists every single other value that the rulebook's unclear
or missing words would allow, which is how a verdict knows what hangs on a reading.
"""

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, TypeVar

from companion.core.errors import Fault
from companion.core.verdict import Clarity

Value = bool | int | str | tuple[str, ...]
O = TypeVar("O")


@dataclass(frozen=True, slots=True)
class Choice:
    """What is known of one option."""

    name: str
    default: Value
    rule: str
    """Id of the rule that it reads."""
    clarity: Clarity
    meaning: str
    values: tuple[Value, ...]
    """The values it may take; empty: any whole number from `at_least` on."""
    at_least: int
    also: tuple[Value, ...]
    """Values allowed below `at_least`."""
    others: tuple[Value, ...]
    """The other values to try as readings, where the values are not listed."""
    keys: tuple[str, ...]
    """The keys of a table option (coins a colour)."""


def option(
    default: Any,
    *,
    rule: str,
    clarity: Clarity,
    meaning: str,
    values: tuple[Value, ...] = (),
    at_least: int = 0,
    also: tuple[Value, ...] = (),
    others: tuple[Value, ...] = (),
    keys: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that is an option; see `Choice` for the arguments."""
    if isinstance(default, bool) and not values:
        values = (True, False)
    facts = {
        "rule": rule,
        "clarity": clarity,
        "meaning": meaning,
        "values": values,
        "at_least": at_least,
        "also": also,
        "others": others,
        "keys": keys,
    }
    return field(default=default, metadata=facts)


def _choice(f: Field[Any]) -> Choice:
    default: Any = f.default
    return Choice(name=f.name, default=default, **f.metadata)


_CHOICES: dict[type, tuple[Choice, ...]] = {}


def choices(options_type: Any) -> tuple[Choice, ...]:
    """Every option of a game's options type, in the order of its fields."""
    known = _CHOICES.get(options_type)
    if known is None:
        known = _CHOICES[options_type] = tuple(_choice(f) for f in fields(options_type))
    return known


def text_of(value: Any) -> str:
    """A value as it is written behind `=`: `false`, `5`, `reveal,steal`."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(map(text_of, value))
    return str(value)


def plain(value: Any) -> Any:
    """A value as JSON and TOML have it: tuples as lists, tables as dictionaries."""
    if isinstance(value, tuple):
        if value and isinstance(value[0], tuple):
            return dict(value)
        return list(value)
    return value


def as_dict(options: Any) -> dict[str, Any]:
    """All options in force, by name, as JSON has them."""
    return {
        c.name: plain(getattr(options, c.name)) if not c.keys else dict(getattr(options, c.name))
        for c in choices(type(options))
    }


@dataclass(frozen=True, slots=True)
class Reading:
    """The same house rules but for one option, read the other way."""

    name: str
    value: Value
    clarity: Clarity
    rule: str
    options: Any

    @property
    def label(self) -> str:
        """`pair_adjacent=false`."""
        return f"{self.name}={text_of(self.value)}"


@lru_cache(maxsize=256)
def readings(options: Any) -> tuple[Reading, ...]:
    """Every other reading of one option that is not clear, the rest unchanged.

    A set of sources (`shift_on`) is read with one member more or one less.
    """
    return tuple(_readings(options))


def _readings(options: Any) -> Iterator[Reading]:
    for choice in choices(type(options)):
        if choice.clarity is Clarity.CLEAR:
            continue
        now = getattr(options, choice.name)
        candidates: tuple[Any, ...] = choice.values or (*choice.others, choice.default)
        for value in candidates:
            if value == now:
                continue
            if isinstance(value, tuple) and len(set(value) ^ set(now)) != 1:
                continue
            if not choice.values and choice.default not in (now, value):
                continue
            other = replace(options, **{choice.name: value})
            yield Reading(choice.name, value, choice.clarity, choice.rule, other)


def _described(choice: Choice) -> str:
    if choice.keys:
        return f"a table of coins a colour ({', '.join(choice.keys)})"
    if not choice.values:
        low = f"a whole number from {choice.at_least}"
        return " or ".join([*map(text_of, choice.also), low])
    if isinstance(choice.default, tuple):
        return " or ".join(f"[{text_of(v)}]" for v in choice.values)
    return " or ".join(text_of(v) for v in choice.values)


LARGEST = 1_000_000
"""No number of a house rule is larger."""


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST


def _checked(choice: Choice, value: Any) -> tuple[Any, str]:
    """The value as the options hold it, or what would be right."""
    right = _described(choice)
    if choice.keys:
        if not isinstance(value, Mapping):
            return None, right
        wrong = [
            k
            for k, v in value.items()
            if k not in choice.keys or not _whole(v) or v < choice.at_least
        ]
        if wrong:
            good = tuple((k, value[k]) for k in choice.keys if k in value and k not in wrong)
            hints = ", ".join(f"{k} ({nearest_hint(str(k), choice.keys)})" for k in wrong)
            return good, f"{right}, each a whole number from {choice.at_least}; not {hints}"
        return tuple((k, value[k]) for k in choice.keys if k in value), ""
    if not choice.values:
        if _whole(value) and (value >= choice.at_least or value in choice.also):
            return value, ""
        return None, right
    if isinstance(choice.default, tuple):
        if isinstance(value, str):
            value = value.replace(",", " ").split()
        if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value):
            for known in choice.values:
                if (
                    isinstance(known, tuple)
                    and set(known) == set(value)
                    and len(known) == len(value)
                ):
                    return known, ""
        return None, right
    for known in choice.values:
        if type(known) is type(value) and known == value:
            return known, ""
    return None, right


def read_options(options_type: type[O], given: Mapping[str, Any]) -> tuple[O, list[Fault]]:
    """Options from a file's `[options]` table, defaults for the rest, and every fault in it.

    Faulty entries keep their default, so that the rest of a file can still be checked.
    """
    known = {c.name: c for c in choices(options_type)}
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for name, value in given.items():
        if name not in known:
            faults.append(Fault(f"options.{name}", "unknown option", nearest_hint(name, known)))
            continue
        checked, right = _checked(known[name], value)
        if right:
            found = text_of(tuple(map(str, value)) if isinstance(value, list) else value)
            if isinstance(value, str):
                found = f'"{value}"'
            if checked is not None:
                values[name] = checked
            faults.append(
                Fault(f"options.{name}", f"{found} is not a value of this option", f"use {right}")
            )
        else:
            values[name] = checked
    return options_type(**values), faults


def nearest_hint(name: str, known: Any) -> str:
    """`did you mean ...?` for the most similar known name, else all of them; pure edit likeness."""
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]}?"
    return f"known here: {', '.join(names)}" if names else ""
