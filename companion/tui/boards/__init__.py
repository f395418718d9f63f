"""How a match looks: one module a game; a game without one is shown by its own `view`."""

from typing import Any

from rich.text import Text

from companion.tui.entry.prompt import Choice, Prompt


def board_of(
    session: Any, prompt: Prompt, choice: Choice | None, viewed: str, width: int, height: int
) -> Text:
    """The table in a box of `width` x `height` cells, places of the prompt lit up."""
    game = session.game.id
    if game == "up-the-creek":
        from companion.tui.boards.up_the_creek import board

        return board(session, prompt, choice, viewed, width, height)
    if game == "without-a-paddle":
        from companion.tui.boards.without_a_paddle import board as pad

        return pad(session, prompt, choice, viewed, width, height)
    if game == "gold-up":
        from companion.tui.boards.gold_up import board as chests

        return chests(session, prompt, choice, viewed, width, height)
    return Text("\n".join(session.game.view(session.state)), no_wrap=True, overflow="ellipsis")


def census(session: Any) -> str:
    """How many cards of each kind lie where, and how many are left where that is known."""
    game = session.game.id
    if game == "up-the-creek":
        from companion.tui.boards.up_the_creek import census as deck

        return deck(session)
    return "\n".join(session.game.view(session.state))
