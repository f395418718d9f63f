"""Which typist reads the entry line of which game."""

from companion.tui.entry.any_game import AnyGameTypist
from companion.tui.entry.prompt import Typist


def typist_of(game: str) -> Typist:
    """The typist of a game; one that only knows its legal acts where it has none of its own."""
    if game == "up-the-creek":
        from companion.tui.entry.up_the_creek import UpTheCreekTypist

        return UpTheCreekTypist()
    if game == "without-a-paddle":
        from companion.tui.entry.without_a_paddle import WithoutAPaddleTypist

        return WithoutAPaddleTypist()
    if game == "gold-up":
        from companion.tui.entry.gold_up import GoldUpTypist

        return GoldUpTypist()
    return AnyGameTypist()
