"""Which cards exist: kinds, decks and their notation. Data first; no rules, no user interface."""
