"""Gold Up: pirates collect chests with keys; scoring, questions and whole matches."""

from companion.games.gold_up.game import GAME

__all__ = ["GAME"]
