"""Score sheets to fill in, from the `template.toml` beside each game.

In it `@players@` stands for the list of names, `@last@` for the last of them, `@zeros@` and `@empty@`
for a table of 0 or [] a player; lines between `#@each` and `#@end` are repeated for each `@name@`.
"""

import dataclasses
import json

from companion.core.errors import UnusableInput
from companion.core.options import choices, text_of
from companion.interchange.sheets import load_sheet
from companion.interchange.source import Document, parse
from companion.library import Installed

EXAMPLE_PLAYERS = ("Ana", "Ben", "Cleo", "Dan")


def write_template(installed: Installed, players: list[str], match: bool = False) -> str:
    """The sheet as TOML; it can be scored as it is. Raises `UnusableInput` for players that cannot be."""
    game = installed.game
    if not players:
        players = list(EXAMPLE_PLAYERS[: max(2, game.seats[0])])
    names = [p.strip() for p in players]
    if match:
        text = _match(installed, names)
    else:
        source = (installed.folder / "template.toml").read_text("utf-8")
        text = _filled(source, names).replace("#@options", _options(installed)).rstrip()
    try:
        load_sheet(Document("-", parse(text), text))
    except UnusableInput as error:
        mine = [f for f in error.faults if f.where.startswith("players")]
        raise UnusableInput(mine or error.faults) from None
    return text


def _filled(source: str, names: list[str]) -> str:
    lines: list[str] = []
    block: list[str] | None = None
    for line in source.splitlines():
        if line.strip() == "#@each":
            block = []
        elif line.strip() == "#@end" and block is not None:
            for name in names:
                lines += [part.replace("@name@", _text(name)) for part in block]
            block = None
        elif block is not None:
            block.append(line)
        else:
            lines.append(line)
    keys = [(_text(n)) for n in names]
    return (
        "\n".join(lines)
        .replace("@players@", f"[{', '.join(keys)}]")
        .replace("@last@", keys[-1])
        .replace("@zeros@", "{ " + ", ".join(f"{k} = 0" for k in keys) + " }")
        .replace("@empty@", "{ " + ", ".join(f"{k} = []" for k in keys) + " }")
    )


def _text(name: str) -> str:
    return json.dumps(name, ensure_ascii=False)


def _options(installed: Installed) -> str:
    lines = [
        "[options]   # house rules; take out the # of those that differ",
        f"# `companion rules {installed.game.id} --options` explains them",
    ]
    for choice in choices(installed.game.options):
        if choice.keys:
            table = ", ".join(f"{key} = 0" for key in choice.keys)
            lines.append(f"# {choice.name} = {{ {table} }}   # {choice.meaning}")
            continue
        default = choice.default
        value = (
            json.dumps(list(default))
            if isinstance(default, tuple)
            else json.dumps(default)
            if isinstance(default, str)
            else text_of(default)
        )
        others = [text_of(v) for v in (*choice.values, *choice.others) if v != default]
        also = f" (or {', '.join(others)})" if others else ""
        lines.append(f"# {choice.name} = {value}   # {choice.meaning}{also}")
    return "\n".join(lines)


def _match(installed: Installed, names: list[str]) -> str:
    game = installed.game
    verbs = "\n".join(f"# PLAYER {syntax}: {meaning}" for syntax, meaning in game.verbs.items())
    return (
        f"# A match of {game.title}: one act a line, in order; # begins a comment,\n"
        "# ! at the end records an act although it is against the rules.\n"
        f"# `companion play FILE 'ACT'` adds one, `companion show FILE` shows the table.\n"
        f"{verbs}\n\n"
        f'game = "{game.id}"\n'
        f"players = [{', '.join(map(_text, names))}]   # clockwise\n"
        f"{_head(installed, names)}"
        'tracking = "light"   # "full": every card is told\n'
        'actions = """\n"""\n\n'
        f"{_options(installed)}"
    )


_HEAD = {
    "dealer": "deals round 1; take the line out to cut for it",
    "first_player": "starts; take the line out if it is not known",
}


def _head(installed: Installed, names: list[str]) -> str:
    """The keys of the game's head that name a player: the last deals, the first starts."""
    lines = []
    for field in dataclasses.fields(installed.game.head):
        if field.name in _HEAD:
            name = names[-1] if field.name == "dealer" else names[0]
            lines.append(f"{field.name} = {_text(name)}   # {_HEAD[field.name]}\n")
    return "".join(lines)
