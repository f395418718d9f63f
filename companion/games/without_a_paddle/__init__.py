"""Up the Creek Without a Paddle: a trick-taking game of exact bids."""

from companion.games.without_a_paddle.game import GAME

__all__ = ["GAME"]
