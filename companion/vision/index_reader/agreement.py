"""When what its corners say makes a card sure: pure rules over what the network saw.

A card carries its name twice. Two corners that agree need not be very clear; one alone has to be, and
the other must not say anything else.
"""

from dataclasses import dataclass

import numpy as np

from companion.vision.geometry import Floats
from companion.vision.index_reader.classes import FACES
from companion.vision.sighting import Candidate

BOTH = 0.5
"""Share from which two corners that agree make a card sure."""
ALONE, SILENT = 0.8, 0.05
"""One corner at the first makes a card sure where the other is below the second: one-index cards."""
RIVAL = 0.3
"""Share of another name, in any look at a corner, from which a card is asked about."""
CLEAR = 0.95
"""Share of both ends from which no other name counts."""
LONE = 0.8
"""Share from which a corner is sure of which nothing else of the card is to be seen: fans."""
HINT = 0.25
"""Share from which a corner names a card at all, to be asked about."""
_TOLD = 4
"""Most candidates of a card that are told."""
_POSSIBLE = 0.03
_DOUBTED = 0.9
"""Most confidence in a name that is asked about."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a card is by its corners; without doubts it is sure."""

    candidates: tuple[Candidate, ...]
    doubts: tuple[str, ...] = ()

    @property
    def sure(self) -> bool:
        """Whether it is passed on unasked."""
        return not self.doubts

    @property
    def face(self) -> str:
        """The best name."""
        return self.candidates[0].face

    @property
    def confidence(self) -> float:
        """Of the best name, 0 to 1."""
        return self.candidates[0].confidence


def of_ends(one: Floats, other: Floats) -> Verdict | None:
    """A card by what both of its ends may say, (52,) each; None: neither is an index."""
    first, second = int(one.argmax()), int(other.argmax())
    a, b = float(one[first]), float(other[second])
    if a < b:
        first, second, a, b, one, other = second, first, b, a, other, one
    if a < HINT:
        return None
    together = 1 - (1 - one) * (1 - other)
    rivals = np.maximum(one, other)
    rivals[[first, second]] = 0
    if rivals.max() >= RIVAL and not (first == second and b >= CLEAR):
        rival = int(rivals.argmax())
        doubt = f"looked at more closely it may be {FACES[rival]}"
        return _doubted(np.maximum(one, other), first, doubt, rival)
    if first == second and b >= BOTH:
        return Verdict(_candidates(together, first))
    if b < SILENT:
        if a >= ALONE:
            return Verdict(_candidates(one, first))
        return _doubted(one, first, "only one of its corners can be read, and not well")
    if first == second:
        if a >= ALONE:
            # the other end whispers the same name
            return Verdict(_candidates(together, first))
        return _doubted(together, first, "its corners can hardly be read")
    doubt = f"one corner says {FACES[first]}, the other {FACES[second]}"
    return _doubted(np.maximum(one, other), first, doubt, second)


def of_corner(seen: Floats) -> Verdict | None:
    """A card of which one corner is to be seen, (52,)."""
    best = int(seen.argmax())
    share = float(seen[best])
    if share < HINT:
        return None
    if share >= LONE:
        return Verdict(_candidates(seen, best))
    return _doubted(seen, best, "only one corner of it is to be seen, and not well")


def _doubted(shares: Floats, best: int, doubt: str, other: int = -1) -> Verdict:
    likely = np.minimum(shares, _DOUBTED)
    likely = np.where(np.arange(len(FACES)) == best, np.maximum(likely, likely.max()), likely)
    if other >= 0:
        likely[other] = max(likely[other], _POSSIBLE)
    return Verdict(_candidates(likely, best), (doubt,))


def _candidates(shares: Floats, best: int) -> tuple[Candidate, ...]:
    order = [best, *(int(i) for i in np.argsort(-shares) if i != best)][:_TOLD]
    return tuple(
        Candidate(FACES[i], round(float(shares[i]), 3))
        for i in order
        if i == best or shares[i] >= _POSSIBLE
    )


def strength(verdict: Verdict) -> float:
    """For choosing between readings of one place: a sure one comes before all that are not."""
    return verdict.confidence + (1.0 if verdict.sure else 0.0)
