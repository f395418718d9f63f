"""How photos come in: a deck opened for sight, photos read, rows made a position and its score."""
