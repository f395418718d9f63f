"""The second look without its screens: where a review goes, what a card may be, what waits."""
