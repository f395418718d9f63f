"""Readings as sight would give them, written in words: `eagle`, `eagle?furs`, `.`, `??`."""

from companion.vision.sighting import Candidate, Placed, Reading, Sighting


def reading(*rows: str) -> Reading:
    """Rows of cards; `a?b?c` is unsure and may be any of them, `??` has no name, `a#3` shows a 3."""
    return Reading(tuple(_row(row, down) for down, row in enumerate(rows)))


def _row(row: str, down: int) -> tuple[Placed, ...]:
    words = enumerate(row.split(), 1)
    return tuple(Placed(at, _sighting(word, at, down)) for at, word in words if word != ".")


def _sighting(word: str, at: int, down: int) -> Sighting:
    x, y = 100.0 * at, 150.0 * down
    region = ((x, y), (x + 80, y), (x + 80, y + 112), (x, y + 112))
    if word == "??":
        return Sighting(region, doubts=("looks like no card of the deck",))
    name, _, number = word.partition("#")
    best, *others = name.split("?")
    share = 0.4 / len(others) if others and others[0] else 0.0
    candidates = [Candidate(best, 0.6 if "?" in name else 0.99)]
    candidates += [Candidate(other, share) for other in others if other]
    candidates.append(Candidate("squaw", 0.001))
    sure = "?" not in name
    doubts = () if sure else ("can hardly be told",)
    return Sighting(region, tuple(candidates), sure, int(number) if number else None, doubts)
