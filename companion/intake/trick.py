"""A trick in a photo: its cards are taken, from left to right, as played by the players in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from card_catalog.lookup import lookup_in
from card_catalog.model import Card, Deck
from companion.core.errors import Fault, UnusableInput
from companion.games.without_a_paddle.trick import winner
from companion.intake.table import LIKELY
from companion.vision.sighting import Placed, Reading, Sighting

GAME = "without-a-paddle"
_MOST_WAYS = 4_096
"""Ways to settle the unsure cards that are tried."""


@dataclass(frozen=True, slots=True)
class Trick:
    """Who takes the trick of a photo, or what keeps that from being told."""

    plays: tuple[tuple[str, Sighting], ...]
    winner: str | None
    problems: tuple[str, ...] = ()

    def document(self) -> dict[str, Any]:
        """As it stands in JSON."""
        plays = [
            {"player": player, "card": seen.face, "sure": seen.sure} for player, seen in self.plays
        ]
        return {"plays": plays, "winner": self.winner, "problems": list(self.problems)}


def players_of(text: str, deck_name: str, deck: Deck) -> tuple[str, ...]:
    """The names in `Ana Ben Cleo Dan` (or `Ana, Ben, ...`); raises `UnusableInput` with all faults."""
    names = [n.strip() for n in (text.split(",") if "," in text else text.split())]
    faults = []
    if deck.game != GAME:
        found = f"{deck_name} is no deck that tricks are played with"
        faults.append(Fault("--trick", found, "use --deck standard-52, or your own deck of it"))
    if len(names) < 2 or not all(names):
        count = len([n for n in names if n])
        found = "1 player is named" if count == 1 else f"{count} players are named"
        faults.append(
            Fault("--trick", found, 'name all in the order of play: --trick "Ana Ben Cleo"')
        )
    twice = sorted({n for n in names if n and names.count(n) > 1})
    if twice:
        found = f"{', '.join(twice)} is named twice"
        faults.append(Fault("--trick", found, "give every player another name"))
    if faults:
        raise UnusableInput(faults)
    return tuple(names)


def in_order(reading: Reading) -> Reading:
    """The reading of a trick as one row, from left to right in the photo: the order of play."""
    cards = sorted(reading.sightings, key=lambda sighting: sighting.centre[0])
    row = tuple(Placed(column, card) for column, card in enumerate(cards, 1))
    return replace(reading, rows=(row,) if row else ())


def trick_of(reading: Reading, players: Sequence[str], deck: Deck) -> Trick:
    """The trick that lies in a photo, one card for each player in the order of play."""
    cards = sorted(reading.sightings, key=lambda sighting: sighting.centre[0])
    plays = tuple(zip(players, cards, strict=False))
    if len(cards) != len(players):
        seen = "1 card is" if len(cards) == 1 else f"{len(cards)} cards are"
        text = (
            f"{len(players)} players are named, but {seen} seen: lay one card of each side by side"
        )
        return Trick(plays, None, (text,))
    problems = [*_nameless(plays), *_doubles(plays)]
    if problems:
        return Trick(plays, None, tuple(problems))
    won = {_winner(players, cards) for cards in _ways(plays, deck)}
    if len(won) == 1:
        return Trick(plays, won.pop())
    return Trick(plays, None, tuple(_unsure(plays)))


def _winner(players: Sequence[str], cards: Sequence[Card]) -> str:
    return winner(list(zip(players, cards, strict=True)))


def _ways(plays: Sequence[tuple[str, Sighting]], deck: Deck) -> Iterator[tuple[Card, ...]]:
    """The cards as read, and all that the unsure ones may be instead."""
    table = lookup_in(deck)
    return islice(
        product(*([table.card(face) for face in faces_of(seen)] for _, seen in plays)), _MOST_WAYS
    )


def faces_of(seen: Sighting) -> list[str]:
    """What a card may be, the best reading first."""
    likely = [c.face for c in seen.candidates if c.confidence >= LIKELY]
    return likely[:1] if seen.sure else likely or [c.face for c in seen.candidates]


def _nameless(plays: Sequence[tuple[str, Sighting]]) -> Iterator[str]:
    for player, seen in plays:
        if seen.face is None:
            yield f"the card of {player} cannot be read: {'; '.join(seen.doubts)}"


def _doubles(plays: Sequence[tuple[str, Sighting]]) -> Iterator[str]:
    by_face: dict[str, list[str]] = {}
    for player, seen in plays:
        if seen.face is not None and seen.sure:
            by_face.setdefault(seen.face, []).append(player)
    for face, players in by_face.items():
        if len(players) > 1:
            yield f"{face} is read as the card of {' and of '.join(players)}: one deck has it once"


def _unsure(plays: Sequence[tuple[str, Sighting]]) -> Iterator[str]:
    for player, seen in plays:
        if not seen.sure:
            others = " or ".join(faces_of(seen))
            why = f" ({'; '.join(seen.doubts)})" if seen.doubts else ""
            yield f"the card of {player} is not sure, it may be {others}{why}: it decides the trick"
