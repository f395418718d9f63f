"""What the words typed at the table mean: one reader a game, pure and tested without a screen."""

from companion.tui.entry.prompt import Choice, Prompt, Typist

__all__ = ["Choice", "Prompt", "Typist"]
