"""What stands in the entry line: without its mark, and with the player it names in front."""

import re
from collections.abc import Sequence

from companion.interchange.match_file import player_named

_WHOLE = re.compile(r"[0-9]{1,6}")


def whole(word: str) -> int | None:
    """The whole number that a word is; None where it is none, or absurdly long."""
    return int(word) if _WHOLE.fullmatch(word) else None


def bare(text: str) -> str:
    """The text without the `!` of an act that is recorded despite an objection."""
    return text.replace("!", " ").strip()


def named_first(text: str, players: Sequence[str]) -> tuple[str | None, str]:
    """The player whose whole name the text begins with, and the rest; the longest name wins."""
    if text.startswith('"'):
        name, _, rest = text[1:].partition('"')
        return player_named(name, tuple(players)), rest.strip()
    for name in sorted(players, key=len, reverse=True):
        head, rest = text[: len(name)], text[len(name) :]
        if head.casefold() == name.casefold() and (not rest or rest[0].isspace()):
            return name, rest.strip()
    return None, text
