"""Up the Creek: canoes of cards in three rows."""

from companion.games.up_the_creek.game import GAME

__all__ = ["GAME"]
