"""Typing at the table of a game that has no typist of its own: its legal acts, as written."""

from typing import Any

from companion.interchange.match_file import words_of
from companion.tui.entry.prompt import Choice, Prompt, matching

MOST = 80


class AnyGameTypist:
    """Lists what is legal now."""

    def read(self, session: Any, text: str) -> Prompt:
        """The legal acts that hold what was typed."""
        choices = []
        for act in session.game.legal(session.state):
            words = session.game.encode(act)
            choices.append(
                Choice(f"{act.player} {words}", tuple(words_of(words)[0]), player=act.player)
            )
            if len(choices) == MOST:
                break
        player = choices[0].player if choices else session.players[0]
        title = session.game.view(session.state)[-1]
        return Prompt(player, title, matching(choices, text.replace("!", "")))
