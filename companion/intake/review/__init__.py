"""The second look: what photos showed, corrected by a person before it counts.

A `Review` is a frozen value and every correction makes a new one, so undo is going back to an old one.
"""

from companion.intake.review.edits import without
from companion.intake.review.model import At, Box, Line, Photo, Review
from companion.intake.review.opening import added, lines_joined, opened

__all__ = ["At", "Box", "Line", "Photo", "Review", "added", "lines_joined", "opened", "without"]
