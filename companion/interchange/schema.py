"""A frozen dataclass of a game is the schema of its files.

`validator(cls)` builds a pydantic-core schema from the annotations, so that a file is checked and
turned into the dataclass in one pass, with every fault and its place. (pydantic's models are not used
here: building them takes longer than scoring a table.)
"""

import dataclasses
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic_core import PydanticCustomError, SchemaValidator, ValidationError, core_schema

from card_catalog.lookup import Lookup, UnknownCard, shown
from card_catalog.model import Card, Group
from card_catalog.notation import is_empty, split_row
from companion.core.errors import Fault
from companion.core.game import PlayerName
from companion.core.options import nearest_hint

LARGEST = 1_000_000
"""No number on a table or a sheet is larger."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What words of a file refer to: the deck's cards, the file's players."""

    lookup: Lookup
    players: tuple[str, ...]


@lru_cache(maxsize=64)
def validator(cls: type) -> SchemaValidator:
    """The validator that turns a table of a file into this dataclass; its context is a `Reading`."""
    return SchemaValidator(_schema(cls))


def _schema(kind: Any) -> Any:
    if kind is PlayerName:
        return core_schema.with_info_plain_validator_function(_player)
    if kind is Card:
        return _card_schema("")
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        return _dataclass_schema(kind)
    if kind is str:
        return core_schema.str_schema(strict=True)
    if kind is int:
        return core_schema.int_schema(strict=True, ge=-LARGEST, le=LARGEST)
    if kind is bool:
        return core_schema.bool_schema(strict=True)
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        if args[0] is Card and isinstance(args[1], Group):
            return _card_schema(args[1].name)
        return _schema(args[0])
    if origin is typing.Literal:
        return core_schema.literal_schema(list(args))
    if origin is types.UnionType or origin is typing.Union:
        (inner,) = (a for a in args if a is not type(None))
        return core_schema.nullable_schema(_schema(inner))
    if origin is tuple:
        return _tuple_schema(args)
    if origin in (dict, Mapping, typing.get_origin(Mapping[str, int])):
        return core_schema.dict_schema(_schema(args[0]), _schema(args[1]))
    raise TypeError(f"no file has a field of type {kind!r}")


def _tuple_schema(args: tuple[Any, ...]) -> Any:
    if len(args) == 2 and args[1] is Ellipsis:
        inner = args[0]
        items = core_schema.tuple_schema([_schema_in_row(inner)], variadic_item_index=0)
        if _holds_cards(inner):
            return core_schema.no_info_before_validator_function(_split, items)
        return items
    return core_schema.tuple_schema([_schema(a) for a in args])


def _holds_cards(kind: Any) -> bool:
    return kind is Card or Card in typing.get_args(kind)


def _schema_in_row(kind: Any) -> Any:
    """Cards of a row: an empty place may stand between them."""
    if type(None) in typing.get_args(kind) and _holds_cards(kind):
        return core_schema.no_info_before_validator_function(
            lambda v: None if isinstance(v, str) and is_empty(v) else v,
            core_schema.nullable_schema(_card_schema("")),
        )
    return _schema(kind)


def _split(value: Any) -> Any:
    return split_row(value) if isinstance(value, str) else value


def _card_schema(group: str) -> Any:
    def read(value: Any, info: Any) -> Card:
        if not isinstance(value, str):
            raise _wrong(f"{shown(repr(value))} is no card; write its name in quotes")
        try:
            card: Card = info.context.lookup.card(value, group)
        except UnknownCard as error:
            raise _wrong(str(error)) from None
        return card

    return core_schema.with_info_plain_validator_function(read)


def _player(value: Any, info: Any) -> str:
    names: tuple[str, ...] = info.context.players
    if value in names:
        return str(value)
    found = shown(value) if isinstance(value, str) else shown(repr(value))
    raise _wrong(f"no player {found}; {player_hint(found, names)}")


def player_hint(name: str, names: tuple[str, ...]) -> str:
    """Which player was probably meant."""
    folded = {n.casefold(): n for n in names}
    hint = nearest_hint(name.casefold(), folded)
    for low, real in folded.items():
        hint = hint.replace(f"did you mean {low}?", f"did you mean {shown(real)}?")
    return hint if hint.startswith("did") else f"players: {', '.join(map(shown, names))}"


def _wrong(text: str) -> PydanticCustomError:
    return PydanticCustomError("wrong", "{text}", {"text": text})


def _dataclass_schema(cls: type) -> Any:
    hints = _hints(cls)
    fields = {
        f.name: core_schema.typed_dict_field(
            _schema(hints[f.name]),
            required=f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING,
        )
        for f in dataclasses.fields(cls)
    }
    table = core_schema.typed_dict_schema(fields, extra_behavior="forbid")
    return core_schema.no_info_after_validator_function(lambda found: cls(**found), table)


@lru_cache(maxsize=256)
def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls, include_extras=True)


def faults_of(
    error: ValidationError, cls: type, raw: Any, also: tuple[str, ...], prefix: str = ""
) -> list[Fault]:
    """Every fault that the validator found, in words. `also`: other keys the table may have."""
    faults = []
    for one in error.errors(include_url=False):
        where = place_of(one["loc"], raw)
        kind, value = one["type"], one["input"]
        if kind == "extra_forbidden":
            known = _fields_at(cls, one["loc"][:-1]) + (also if len(one["loc"]) == 1 else ())
            found, right = (
                f"unknown key {shown(str(one['loc'][-1]))}",
                nearest_hint(str(one["loc"][-1]), known),
            )
        elif kind == "missing":
            found, right = "is missing", "add it"
        elif kind == "wrong":
            found, _, right = one["msg"].partition("; ")
        else:
            found, right = _described(kind, value, one["msg"])
        faults.append(Fault(prefix + where if where else prefix.rstrip("."), found, right))
    return faults


def _described(kind: str, value: Any, message: str) -> tuple[str, str]:
    found = shown(f'"{value}"' if isinstance(value, str) else repr(value))
    if kind.startswith("int"):
        return f"{found} is not a whole number", "write one in digits, like 3"
    if kind.startswith("bool"):
        return f"{found} is neither true nor false", ""
    if kind == "literal_error":
        right = message.removeprefix("Input should be ").replace("'", "")
        return f"{found} cannot stand here", f"use {right}"
    if kind.startswith("str"):
        return f"{found} is not text", "write it in quotes"
    if kind in ("tuple_type", "list_type"):
        return f"{found} is not a list", f"write [{found}]"
    if kind in ("dict_type", "mapping_type", "model_type"):
        return f"{found} is not a table", "write { key = value }"
    if kind == "too_long":
        return "too many entries", message
    return f"{found}: {message}", ""


def place_of(loc: tuple[int | str, ...], raw: Any) -> str:
    """`players[1] Ana.rows[2] card 3`: counted from 1, with the name of a player where there is one."""
    text = ""
    here = raw
    for part in loc:
        if part == "[key]":
            continue
        inside_row = isinstance(here, str)
        if isinstance(part, int):
            here = here[part] if isinstance(here, list) and part < len(here) else None
            text += f" card {part + 1}" if inside_row else f"[{part + 1}]"
            if isinstance(here, dict) and isinstance(here.get("name"), str):
                text += f" {shown(here['name'])}"
        else:
            here = here.get(part) if isinstance(here, dict) else None
            text += f".{shown(part)}" if text else shown(part)
    return text


def _kind_at(cls: Any, loc: tuple[int | str, ...]) -> Any:
    """The annotation of a place inside `cls`, without `| None`; None where there is no such place."""
    here = cls
    for part in loc:
        here = _strip(here)
        if isinstance(here, type) and dataclasses.is_dataclass(here):
            here = _hints(here).get(str(part))
        else:
            args = typing.get_args(here)
            here = args[-1] if args and args[-1] is not Ellipsis else (args[0] if args else None)
    return _strip(here)


def _fields_at(cls: Any, loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """Names of the fields of the dataclass that a place inside `cls` belongs to."""
    here = _kind_at(cls, loc)
    if isinstance(here, type) and dataclasses.is_dataclass(here):
        return tuple(f.name for f in dataclasses.fields(here))
    return ()


def neutral_at(cls: Any, loc: tuple[int | str, ...], players: tuple[str, ...]) -> Any:
    """A value that no fault can be found in, for the place of one; None where it is best left out."""
    here = _kind_at(cls, loc)
    origin, args = typing.get_origin(here), typing.get_args(here)
    if here is PlayerName:
        return players[0] if players else None
    if here is int:
        return 0
    if here is str:
        return "?"
    if origin is tuple and args[-1:] == (Ellipsis,):
        return []
    if origin in (dict, Mapping, typing.get_origin(Mapping[str, int])):
        return {name: neutral_at(here, (name,), players) for name in players}
    return None


def _strip(kind: Any) -> Any:
    """Without `| None`."""
    args = typing.get_args(kind)
    if type(None) in args:
        return next(a for a in args if a is not type(None))
    return kind
