"""The slow work of enrolment, for a thread: photos are looked at, cards are learnt."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from companion.core.errors import UnusableInput
from companion.intake import learning
from companion.intake.cutting import FEWEST_KNOWN, Proposer
from companion.intake.learning import Cut, Learnt, Pupil
from companion.intake.own_decks import FREE
from companion.tui.enrolling.desk import Card
from companion.tui.enrolling.naming import still_missing
from companion.vision.sighting import Region

if TYPE_CHECKING:
    from companion.vision.gates import Usual
    from companion.vision.load import Photo

_ONE_AT_A_TIME = Lock()
"""A deck takes one change after another, also from a screen that was just left."""


@dataclass(frozen=True, slots=True, eq=False)
class LookedAt:
    """A photo with the cards that seem to lie in it."""

    path: str
    photo: "Photo" = field(repr=False)
    usual: "Usual" = field(repr=False)
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Lesson:
    """A card that a person named, to be learnt."""

    photo: "Photo" = field(repr=False)
    path: str
    at: int
    """Which card of the photo."""
    region: Region
    face: str
    former: str = ""
    """The face that it was learnt as before; that picture goes."""


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a lesson."""

    lesson: Lesson
    fault: str = ""
    """Why it was not learnt, in words."""
    doubts: tuple[str, ...] = ()
    over: bool = False
    """Not kept: the face has as many pictures as are kept."""


class Teacher:
    """Teaches one deck; `who` is the deck as it was last read."""

    def __init__(self, deck: str, game: str = "") -> None:
        """Raises `UnusableInput` where the deck cannot learn."""
        self.who: Pupil = learning.pupil(deck, game, replacing=False)
        self._proposer: tuple[int, Proposer] | None = None

    @property
    def faces(self) -> tuple[str, ...]:
        """Faces that have a picture."""
        return self.who.index.faces if self.who.index else ()

    @property
    def missing(self) -> list[str]:
        """Faces that have none; empty for a free deck."""
        return still_missing(self.who.deck, self.faces)

    @property
    def names(self) -> list[str]:
        """Names of cards to offer: what is missing, or what a free deck has."""
        if self.who.deck is not None and self.who.base == FREE:
            kinds = [kind.name for kind in self.who.deck.kinds.values()]
            return list(dict.fromkeys([*kinds, *self.faces]))
        return self.missing

    @property
    def pictures(self) -> list[tuple[str, str]]:
        """Face and sha256 of the photo, of every picture."""
        entries = self.who.index.entries if self.who.index else ()
        return [(entry.face, entry.sha256) for entry in entries]

    def look(self, path: str) -> LookedAt:
        """Looks for cards in a photo, some seconds; raises `UnusableInput`."""
        found = self._current().propose(path)
        cards = tuple(Card(o.region, o.region, candidates=o.candidates) for o in found.outlines)
        return LookedAt(path, found.photo, found.usual, cards)

    def _current(self) -> Proposer:
        """One that knows the cards learnt since, made anew now and then: that takes a while."""
        knows = len(self.faces) // FEWEST_KNOWN
        if self._proposer is None or self._proposer[0] != knows:
            self._proposer = knows, Proposer(self.who)
        return self._proposer[1]

    def teach(self, lessons: Sequence[Lesson]) -> list[Report]:
        """Learns the cards, each told of by itself; about a second."""
        with _ONE_AT_A_TIME:
            try:
                reports = self._taught(lessons)
            except UnusableInput:
                reports = [report for lesson in lessons for report in self._alone(lesson)]
            except OSError as error:
                said = f"{error.filename or self.who.own.folder}: {error.strerror or error}"
                reports = [Report(lesson, said) for lesson in lessons]
            self._reread()
        return reports

    def forget(self, face: str, sha256: str) -> None:
        """Takes the picture of a card in a photo out of the deck again; raises `UnusableInput`."""
        with _ONE_AT_A_TIME:
            self._drop(face, sha256)
            self._reread()

    def _alone(self, lesson: Lesson) -> list[Report]:
        try:
            return self._taught([lesson])
        except UnusableInput as error:
            return [Report(lesson, "; ".join(map(str, error.faults)))]

    def _taught(self, lessons: Sequence[Lesson]) -> list[Report]:
        cuts = [Cut(lesson.face, lesson.photo, lesson.region) for lesson in lessons]
        learnt = learning.learn_cuts(self.who, cuts)
        for lesson in lessons:
            if lesson.former and lesson.former != lesson.face:
                self._drop(lesson.former, lesson.photo.sha256)
        return [_report(lesson, learnt) for lesson in lessons]

    def _drop(self, face: str, sha256: str) -> None:
        self._reread()
        its = self.who.index.of(face) if self.who.index else []
        for number, entry in enumerate(its, 1):
            if entry.sha256 == sha256:
                learning.forget_card(self.who.own, f"{face}.{number}")
                return

    def _reread(self) -> None:
        self.who = learning.pupil(self.who.own.name, self.who.base, replacing=False)


def _report(lesson: Lesson, learnt: Learnt) -> Report:
    digest, kind = lesson.photo.sha256, lesson.face.partition("=")[0].partition(":")[0]
    against = [text for text in learnt.printed.contradictions if text.startswith(f"{kind}: ")]
    for entry in learnt.added:
        if (entry.face, entry.sha256) == (lesson.face, digest):
            return Report(lesson, doubts=(*entry.doubts, *against))
    return Report(lesson, over=True)
