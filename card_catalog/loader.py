"""Decks from `decks/*.toml`, validated: every fault at once, with its file and key.

A household's own deck file names the shipped deck it extends (`extends = "up-the-creek"`), adds kinds,
changes names, and tells strengths and coins. Validation is pydantic's engine, without its models,
because `companion score` must start quickly.
"""

import copy
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic_core import SchemaValidator, ValidationError, core_schema

from card_catalog.model import Deck, Kind

DECKS = Path(__file__).with_name("decks")
_SLUG = r"^[a-z0-9][a-z0-9&-]{0,39}$"
_CARD_ID = r"^[A-Za-z0-9][A-Za-z0-9&-]{0,39}$"
_SIZE_LIMIT = 1_000_000
"""Bytes; the largest real deck file has 8 000."""


class BadDeck(Exception):
    """A deck file that cannot be used; `faults` are (key, text) pairs, all of them."""

    def __init__(self, name: str, faults: list[tuple[str, str]]) -> None:
        self.name = name
        self.faults = faults
        super().__init__("\n".join(f"{name}: {key}: {text}" for key, text in faults))


def _field(schema: Any, required: bool = False) -> Any:
    return core_schema.typed_dict_field(schema, required=required)


_NAME = core_schema.str_schema(
    min_length=1, max_length=60, strip_whitespace=True, pattern=r"^[^\p{C}\p{Zl}\p{Zp}]*$"
)
_COUNT = core_schema.int_schema(ge=0, le=9999, strict=True)
_FLAG = core_schema.bool_schema(strict=True)


def _kind_fields(new: bool) -> dict[str, Any]:
    return {
        "id": _field(core_schema.str_schema(pattern=_CARD_ID), required=True),
        "name": _field(_NAME, required=new),
        "group": _field(core_schema.str_schema(pattern=_SLUG), required=new),
        "code": _field(core_schema.str_schema(min_length=1, max_length=3)),
        "family": _field(core_schema.str_schema(pattern=r"^[A-Za-z0-9-]{1,40}$")),
        "end": _field(core_schema.literal_schema(["bow", "stern"])),
        "half": _field(core_schema.literal_schema(["a", "b"])),
        "number": _field(_COUNT),
        "numbered": _field(_FLAG),
        "coloured": _field(_FLAG),
        "copies": _field(core_schema.dict_schema(core_schema.str_schema(pattern=_SLUG), _COUNT)),
        "aliases": _field(core_schema.list_schema(_NAME)),
    }


@lru_cache(maxsize=2)
def _validator(extends: bool) -> SchemaValidator:
    kinds = core_schema.list_schema(
        core_schema.typed_dict_schema(_kind_fields(new=not extends), extra_behavior="forbid")
    )
    fields = {
        "id": _field(core_schema.str_schema(pattern=_SLUG), required=not extends),
        "game": _field(core_schema.str_schema(pattern=_SLUG), required=not extends),
        "title": _field(_NAME, required=not extends),
        "kinds": _field(kinds, required=not extends),
    }
    if extends:
        table = core_schema.dict_schema(core_schema.str_schema(), _COUNT)
        fields["extends"] = _field(core_schema.str_schema(), required=True)
        fields["strengths"] = _field(table)
        fields["values"] = _field(table)
    return SchemaValidator(core_schema.typed_dict_schema(fields, extra_behavior="forbid"))


def shipped() -> list[str]:
    """Ids of the decks that ship."""
    return sorted(path.stem for path in DECKS.glob("*.toml"))


@lru_cache(maxsize=16)
def shipped_deck(deck_id: str) -> Deck:
    """A deck that ships; raises `KeyError` for an id that does not."""
    path = DECKS / f"{deck_id}.toml"
    if deck_id not in shipped():
        raise KeyError(deck_id)
    return read_deck(path)


def read_deck(path: Path) -> Deck:
    """The deck of a file, shipped or a household's own; raises `BadDeck`."""
    try:
        if not path.is_file():
            raise BadDeck(str(path), [("file", "there is no such file")])
        if path.stat().st_size > _SIZE_LIMIT:
            raise BadDeck(
                str(path), [("file", f"larger than {_SIZE_LIMIT} bytes; is this a deck?")]
            )
        raw = tomllib.loads(path.read_bytes().decode("utf-8"))
    except OSError as error:
        raise BadDeck(str(path), [("file", error.strerror or "cannot be read")]) from None
    except UnicodeDecodeError:
        raise BadDeck(str(path), [("file", "is not text in UTF-8")]) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadDeck(str(path), [("file", f"is not TOML: {error}")]) from None
    return deck_from(raw, str(path), path.stem)


def deck_from(raw: Mapping[str, Any], name: str, stem: str = "") -> Deck:
    """A deck from its parsed file; raises `BadDeck` with all faults."""
    extends = "extends" in raw
    try:
        valid = _validator(extends).validate_python(raw)
    except ValidationError as error:
        wrong = [(_key(e["loc"], raw), _said(e)) for e in error.errors(include_url=False)]
        left = _without(raw, [e["loc"] for e in error.errors()])
        try:
            deck_from(left, name, stem) if left != raw else None
        except BadDeck as other:
            wrong += [fault for fault in other.faults if fault not in wrong]
        raise BadDeck(name, wrong) from None
    if not extends:
        kinds, faults = _kinds({}, valid["kinds"])
        if faults:
            raise BadDeck(name, faults)
        return Deck(valid["id"], valid["game"], valid["title"], kinds)
    return _extended(valid, name, stem)


def _said(error: Any) -> str:
    """A fault that the validator found, in words."""
    kind, value = error["type"], error["input"]
    found = repr(value) if len(repr(value)) < 60 else f"{repr(value)[:57]}..."
    if kind == "extra_forbidden":
        close = get_close_matches(str(error["loc"][-1]), _KEYS, n=1)
        return "unknown key" + (f"; did you mean {close[0]}?" if close else "")
    if kind == "missing":
        return "is missing"
    if kind.startswith("int") or kind in ("greater_than_equal", "less_than_equal"):
        return f"{found} is not a whole number from 0 to 9999"
    if kind == "string_pattern_mismatch":
        return f"{found} cannot stand here; use letters, digits and -"
    if kind == "string_too_long":
        return f"{found} is too long; {error['msg'].removeprefix('String should have ')}"
    if kind == "literal_error":
        return f"{found} cannot stand here; use {error['msg'].removeprefix('Input should be ')}"
    return f"{found}: {error['msg'][0].lower()}{error['msg'][1:]}"


_KEYS = (
    *("id", "game", "title", "kinds", "extends", "strengths", "values"),
    *("name", "group", "code", "family", "end", "half", "number", "numbered", "coloured"),
    *("copies", "aliases"),
)


def _without(raw: Mapping[str, Any], places: list[tuple[Any, ...]]) -> dict[str, Any]:
    """A copy without the entries at these places, so that the rest can be looked at too."""
    left = copy.deepcopy(dict(raw))
    gone = {place[:2] if place[2:] == ("id",) else place for place in places}  # a kind has its id
    for place in sorted(gone, key=lambda p: [(isinstance(x, int), x) for x in p], reverse=True):
        here: Any = left
        for part in place[:-1]:
            here = here[part] if isinstance(here, dict | list) else None
        if isinstance(here, dict):
            here.pop(place[-1], None)
        elif isinstance(here, list) and place[-1] < len(here):
            del here[place[-1]]
    return left


def _extended(valid: dict[str, Any], name: str, stem: str) -> Deck:
    if valid["extends"] not in shipped():
        known = ", ".join(shipped())
        raise BadDeck(
            name, [("extends", f"no shipped deck {valid['extends']!r}; use one of {known}")]
        )
    base = shipped_deck(valid["extends"])
    kinds, faults = _kinds(base.kinds, valid.get("kinds", []))
    for kind_id, strength in valid.get("strengths", {}).items():
        if kind_id not in kinds:
            faults.append((f"strengths.{kind_id}", "no such card in this deck"))
        elif not kinds[kind_id].numbered:
            faults.append((f"strengths.{kind_id}", "no number is printed on this card"))
        else:
            kinds[kind_id] = replace(kinds[kind_id], number=strength)
    families = {k.family for k in kinds.values() if k.group == "chest"}
    for colour in valid.get("values", {}):
        if colour not in families:
            right = f"use {', '.join(sorted(families))}" if families else "this game has no chests"
            faults.append((f"values.{colour}", f"no chest of that colour; {right}"))
    if faults:
        raise BadDeck(name, faults)
    title = valid.get("title", base.title)
    return Deck(valid.get("id", stem or base.id), base.game, title, kinds, valid.get("values", {}))


def _kinds(
    base: Mapping[str, Kind], rows: list[dict[str, Any]]
) -> tuple[dict[str, Kind], list[tuple[str, str]]]:
    """The base's kinds with those of the rows added or changed, and what is wrong with them."""
    kinds = dict(base)
    faults: list[tuple[str, str]] = []
    seen: set[str] = set()
    groups = {k.group for k in base.values()}
    for row in rows:
        kind_id, key = row["id"], f"kinds {row['id']}"
        facts = {**row, "aliases": tuple(row.get("aliases", ()))}
        if kind_id in seen:
            faults.append((key, "stands twice"))
        seen.add(kind_id)
        if kind_id in base:
            facts["aliases"] = (*base[kind_id].aliases, base[kind_id].name, *facts["aliases"])
            del facts["id"]
            kinds[kind_id] = replace(base[kind_id], **facts)
            continue
        missing = [f for f in ("name", "group") if f not in row]
        if missing:
            faults.append((key, f"a new kind needs {' and '.join(missing)}"))
            continue
        if base and row["group"] not in groups:
            faults.append(
                (f"{key}.group", f"{row['group']} is none of {', '.join(sorted(groups))}")
            )
        kinds[kind_id] = Kind(**facts)
    for kind in kinds.values():
        faults += _consistent(kind)
    return kinds, faults


def _consistent(kind: Kind) -> list[tuple[str, str]]:
    key = f"kinds {kind.id}"
    wrong = []
    if kind.coloured and not kind.numbered:
        wrong.append((f"{key}.coloured", "only a printed number has a colour; set numbered = true"))
    if (kind.group == "half") != bool(kind.half):
        wrong.append(
            (f"{key}.half", 'a card of group half, and only such a one, is half "a" or "b"')
        )
    if kind.group in ("half", "character") and not kind.family:
        wrong.append(
            (f"{key}.family", "a half or character needs the family (treasure) it belongs to")
        )
    if kind.end and kind.group not in ("section", "indian"):
        wrong.append((f"{key}.end", "only a section or an Indian can be a bow or stern"))
    return wrong


def _key(loc: tuple[Any, ...], raw: Mapping[str, Any]) -> str:
    """`kinds[3] (chief).number`, counting from 1."""
    parts: list[str] = []
    for i, part in enumerate(loc):
        if isinstance(part, int) and parts:
            rows = raw.get(str(loc[0]))
            row = rows[part] if isinstance(rows, list) and i == 1 and part < len(rows) else None
            named = (
                f" ({row['id']})"
                if isinstance(row, dict) and isinstance(row.get("id"), str)
                else ""
            )
            parts[-1] += f"[{part + 1}]{named}"
        else:
            parts.append(str(part))
    return ".".join(parts)
