"""What the network tells apart: ranks in the letters of four languages, a joker, suits, and neither."""

WIDE, HIGH = 64, 96
"""Pixels of a patch."""
JOKER = "joker"
LABELS = (
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "B", "V", "H", "D", "R", JOKER,
)  # fmt: skip
"""Rank classes in the order of the network's first output; its last output is none of these."""
RANK_CLASSES = {label: i for i, label in enumerate(LABELS)}
REJECT_RANK = len(LABELS)
SUITS = "SHCD"
"""Suit classes in the order of the second output; its last output is none of these."""
REJECT_SUIT = len(SUITS)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""Ranks as the catalogue names them."""
FACES = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The cards of the standard deck, rank by rank."""
LETTERS = ("JQK", "BVH", "BDK", "VDR")
"""What stands on jack, queen and king: English, Dutch, German, French."""


def columns(letters: str) -> list[int]:
    """Of each rank of the catalogue, its class when the court cards carry these letters."""
    written = dict(zip("JQK", letters, strict=True))
    return [RANK_CLASSES[written.get(rank, rank)] for rank in RANKS]
