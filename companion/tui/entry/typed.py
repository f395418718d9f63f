"""What stands in the entry line: without its mark, and with the player it names in front."""

from collections.abc import Sequence

from companion.interchange.match_file import player_named


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


def quoted(name: str) -> str:
    """The name as it has to be typed in front of an act."""
    plain = name and not any(c.isspace() or c in '"#!' for c in name)
    return name if plain else f'"{name}"'
