"""Rule books, house rules, cards and questions as text and as JSON."""

import dataclasses
from itertools import groupby
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from card_catalog.lookup import shown
from card_catalog.model import Card, Group
from companion import library
from companion.cli.ink import ink, wrapped
from companion.core.game import PlayerName
from companion.core.options import choices, nearest_hint, plain, text_of
from companion.core.rulebook import Rule, Rulebook
from companion.core.verdict import Clarity
from companion.library import Installed


def game_of_rule(rule_id: str) -> str:
    """The game whose rules carry the prefix of this id; the prefix itself if there is none."""
    prefix = rule_id.split(":", 1)[0]
    for name in library.names():
        if library.load(name).rules.ids()[0].split(":", 1)[0] == prefix:
            return name
    return prefix


def unknown_game(name: str) -> str:
    """What to say to a game that is not there."""
    return f"unknown game {shown(name)}; {nearest_hint(name, library.names())}"


def unknown_rule(rule_id: str, rules: Rulebook) -> str:
    """What to say to a rule that is not there."""
    return f"no rule {shown(rule_id)}; {nearest_hint(rule_id, rules.ids())[:300]}"


def games_text() -> str:
    """Every game with the number of its rules."""
    lines = []
    for name in library.names():
        found = library.load(name)
        unclear = sum(rule.clarity is not Clarity.CLEAR for rule in found.rules)
        lines.append(
            f"{name:<22} {len(found.rules):>3} rules, {unclear} of them unclear or silent"
            f"   {found.game.title}"
        )
    lines += ["", "`companion rules GAME` lists them, `companion rules RULE-ID` shows one."]
    return "\n".join(lines)


def games_json() -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {
            "game": name,
            "title": library.load(name).game.title,
            "rules": len(library.load(name).rules),
        }
        for name in library.names()
    ]


def rules_list(installed: Installed) -> str:
    """All rules by section: number, id, title; unclear and silent ones marked."""
    paint = ink()
    lines = [paint(installed.game.title, "bold", "cyan")]
    for section, own in groupby(installed.rules, key=lambda rule: rule.section):
        lines += ["", paint(section, "bold")]
        for rule in own:
            mark = "" if rule.clarity is Clarity.CLEAR else f"  [{rule.clarity}]"
            lines.append(f"  {rule.number:>3}  {rule.id:<34} {rule.title}{paint(mark, 'yellow')}")
    return "\n".join(lines)


def rule_full(rule: Rule) -> str:
    """One rule whole."""
    paint = ink()
    lines = [
        paint(f"{rule.number}. {rule.title}", "bold"),
        wrapped(rule.text, ""),
        paint(f"{rule.id}; section: {rule.section}; clarity: {rule.clarity}", "dim"),
    ]
    if rule.options:
        lines.append(f"house rules that change it: {', '.join(rule.options)}")
    return "\n".join(lines)


def rule_json(rule: Rule) -> dict[str, Any]:
    """One rule as data."""
    return {
        "rule": rule.id,
        "number": rule.number,
        "section": rule.section,
        "title": rule.title,
        "text": rule.text,
        "clarity": str(rule.clarity),
        "options": list(rule.options),
    }


def rules_json(installed: Installed) -> list[dict[str, Any]]:
    """All rules as data."""
    return [rule_json(rule) for rule in installed.rules]


def options_text(installed: Installed) -> str:
    """Every house rule with its values, the default first."""
    lines = [f"House rules of {installed.game.title}; the default stands first"]
    for choice in choices(installed.game.options):
        values = [
            choice.default,
            *(v for v in choice.values if v != choice.default),
            *choice.others,
        ]
        shown = " | ".join(_value(v) for v in values) if not choice.keys else ", ".join(choice.keys)
        lines.append(f"\n{choice.name} = {shown}   [{choice.clarity}; {choice.rule}]")
        lines.append(f"    {choice.meaning}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    return f"[{text_of(value)}]" if isinstance(value, tuple) else text_of(value)


def options_json(installed: Installed) -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {
            "option": c.name,
            "default": plain(c.default),
            "values": [plain(v) for v in c.values],
            "clarity": str(c.clarity),
            "rule": c.rule,
            "meaning": c.meaning,
        }
        for c in choices(installed.game.options)
    ]


def cards_text(installed: Installed) -> str:
    """Every kind of card: id, name, other names, what is known of it."""
    deck = library.deck_of(installed.game.id, None, None)
    lines = [f"Cards of {deck.title} (write ID, ID:COLOUR or ID=NUMBER)"]
    for kind in deck.kinds.values():
        facts = [kind.name]
        if kind.number is not None and kind.group != "standard":
            facts.append(f"number {kind.number}")
        if kind.copies:
            facts.append(", ".join(f"{count} in {name}" for name, count in kind.copies.items()))
        if kind.aliases:
            facts.append(f"also {', '.join(kind.aliases)}")
        lines.append(f"  {kind.id:<16} {'; '.join(facts)}")
    return "\n".join(lines)


def cards_json(installed: Installed) -> list[dict[str, Any]]:
    """The same as data."""
    deck = library.deck_of(installed.game.id, None, None)
    return [
        {
            "card": k.id,
            "name": k.name,
            "group": k.group,
            "number": k.number,
            "copies": dict(k.copies),
            "aliases": list(k.aliases),
        }
        for k in deck.kinds.values()
    ]


def questions_text(installed: Installed) -> str:
    """Every kind of question with its fields."""
    lines = [f"Questions about {installed.game.title}: add to a position file"]
    for kind, cls in installed.game.questions.items():
        doc = (cls.__doc__ or "").strip().splitlines()[0]
        lines += ["", "[question]", f'kind = "{kind}"   # {doc}']
        lines += [f"# {name}: {described}" for name, described in _fields(cls)]
    return "\n".join(lines)


def questions_json(installed: Installed) -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {"kind": kind, "asks": (cls.__doc__ or "").strip(), "fields": dict(_fields(cls))}
        for kind, cls in installed.game.questions.items()
    ]


def _fields(cls: Any) -> list[tuple[str, str]]:
    """The fields of a question with what may stand there."""
    hints = get_type_hints(cls, include_extras=True)
    found = []
    for field in dataclasses.fields(cls):
        text = _described(hints[field.name])
        if field.default is not dataclasses.MISSING:
            unset = field.default is None
            text += ", may be left out" + ("" if unset else f" ({text_of(field.default)})")
        found.append((field.name, text))
    return found


_PLAIN = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    PlayerName: "a player",
    Card: "a card",
}


def _described(kind: Any) -> str:
    """What may stand in a field, in words: `a list of { victim = a player, row = 1 or 2 or 3 }`."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if dataclasses.is_dataclass(kind):
        inner = ", ".join(f"{name} = {text}" for name, text in _fields(kind))
        return f"{{ {inner} }}"
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return f"a {args[1].name}" if isinstance(args[1], Group) else _described(args[0])
    if origin is Literal:
        return " or ".join(map(str, args))
    if origin is tuple:
        if args[-1] is Ellipsis:
            return f"a list of {_described(args[0])}"
        return f"[ {', '.join(map(_described, args))} ]"
    if type(None) in args:
        return _described(next(a for a in args if a is not type(None)))
    if len(args) == 2:
        return f"a table: {_described(args[0])} = {_described(args[1])}"
    return str(kind)
