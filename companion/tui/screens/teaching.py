"""A screen that teaches a deck: the desk, and the slow work behind it, one thing after another."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual import on
from textual.message import Message
from textual.screen import Screen

from companion.core.errors import UnusableInput
from companion.tui.enrolling import later
from companion.tui.enrolling.desk import Card, Desk
from companion.tui.enrolling.teacher import Lesson, LookedAt, Report, Teacher


class TeachingScreen(Screen[None]):
    """Looks at photos ahead of the person and learns cards behind, so that nobody waits for it."""

    @dataclass
    class Looked(Message):
        """A photo was looked at, or could not be."""

        path: str
        found: LookedAt | None
        fault: str = ""

    @dataclass
    class Taught(Message):
        """Cards were learnt, or not."""

        reports: list[Report]

    @dataclass
    class Forgot(Message):
        """A picture was taken out of the deck, or could not be."""

        fault: str

    def __init__(self, deck: str, game: str) -> None:
        super().__init__()
        self.desk = Desk(deck, game)
        self.teacher: Teacher | None = None
        self.looking = ""
        """The photo that is being looked at."""
        self._looks: dict[str, LookedAt] = {}
        self._lessons: list[Lesson] = []
        self._warned = False

    @property
    def look(self) -> LookedAt | None:
        """The photo on the screen, once it is there."""
        sheet = self.desk.sheet
        return self._looks.get(sheet.path) if sheet is not None else None

    @property
    def learning(self) -> int:
        """Cards that are being learnt."""
        return len(self._lessons)

    @property
    def missing(self) -> list[str]:
        """Faces without a picture, less those that are being learnt."""
        if self.teacher is None:
            return []
        coming = {lesson.face.partition("=")[0] for lesson in self._lessons}
        return [face for face in self.teacher.missing if face not in coming]

    def change(self, desk: Desk) -> None:
        """This is the desk now; what is not finished is kept at once."""
        self.desk = desk
        trouble = later.keep(desk)
        if trouble and not self._warned:
            self.app.notify(trouble, severity="error", timeout=15)
        self._warned = bool(trouble)

    def compared(self, desk: Desk) -> Desk:
        """The desk beside the deck as it is, and as it will be in a moment."""
        assert self.teacher is not None
        coming = [(lesson.face, lesson.photo.sha256) for lesson in self._lessons]
        return desk.told_of([*self.teacher.pictures, *coming])

    # ---------------------------------------------------------------- photos

    def look_ahead(self) -> None:
        """Looks at the photo on the screen, else at the next one to come, one at a time."""
        teacher = self.teacher
        if self.looking or teacher is None:
            return
        next_two = self.desk.sheets[self.desk.at[0] :][:2]
        wanted = [sheet.path for sheet in next_two if not sheet.fault]
        path = next((path for path in wanted if path not in self._looks), "")
        if not path:
            return
        for gone in [other for other in self._looks if other not in wanted]:
            del self._looks[gone]  # a photo takes some 40 MB
        self.looking = path

        def look() -> None:
            try:
                message = self.Looked(path, teacher.look(path))
            except UnusableInput as error:
                message = self.Looked(path, None, "; ".join(map(str, error.faults)))
            except Exception as error:  # one photo must not end the enrolment of the others
                message = self.Looked(path, None, f"{path}: {_failed(error)}")
            self.post_message(message)

        self._in_background(look)

    @on(Looked)
    def _was_looked_at(self, event: Looked) -> None:
        self.looking = ""
        sheet = self.desk.sheet
        here = sheet is not None and sheet.path == event.path
        if event.found is None:
            desk = self.desk.looked_at(event.path, "", (), event.fault)
            self.change(desk.onward() if here else desk)
        else:
            self._looks[event.path] = event.found
            digest = event.found.photo.sha256
            self.change(self.compared(self.desk.looked_at(event.path, digest, event.found.cards)))
        self.was_looked_at(event.path, event.fault, here)

    def was_looked_at(self, path: str, fault: str, here: bool) -> None:
        """A photo is there, or cannot be used; `here`: it is the one on the screen."""
        raise NotImplementedError

    # ---------------------------------------------------------------- cards

    def teach(self, lesson: Lesson) -> None:
        """Hands a card over; several that wait are learnt together."""
        self._lessons.append(lesson)
        if len(self._lessons) == 1:
            self._go_on_teaching()

    def _go_on_teaching(self) -> None:
        batch, teacher = list(self._lessons), self.teacher
        assert teacher is not None

        def teach() -> None:
            try:
                reports = teacher.teach(batch)
            except UnusableInput as error:
                said = "; ".join(map(str, error.faults))
                reports = [Report(lesson, said) for lesson in batch]
            except Exception as error:  # the cards wait to be learnt again
                reports = [Report(lesson, _failed(error)) for lesson in batch]
            self.post_message(self.Taught(reports))

        self._in_background(teach)

    @on(Taught)
    def _was_taught(self, event: Taught) -> None:
        done = [report.lesson for report in event.reports]
        self._lessons = [lesson for lesson in self._lessons if lesson not in done]
        if self._lessons:
            self._go_on_teaching()
        for report in event.reports:
            card = self._card_of(report.lesson)
            if card is not None and card.skipped and not report.fault:  # it was skipped meanwhile
                self.forget(report.lesson.face, report.lesson.photo.sha256)
        self.was_taught(event.reports)

    def _card_of(self, lesson: Lesson) -> Card | None:
        for sheet in self.desk.sheets:
            if sheet.path == lesson.path and lesson.at < len(sheet.cards or ()):
                return (sheet.cards or ())[lesson.at]
        return None

    def reopened(self, lesson: Lesson, typed: str = "", skipped: bool = False) -> Desk:
        """The desk with a card that was handed over and not learnt."""
        card = self._card_of(lesson)
        if card is None:
            return self.desk
        number = next(i for i, sheet in enumerate(self.desk.sheets) if sheet.path == lesson.path)
        back = replace(card, learnt=lesson.former, typed=typed, skipped=skipped)
        return self.desk.with_card(back, (number, lesson.at))

    def was_taught(self, reports: list[Report]) -> None:
        """What became of cards that were handed over."""
        raise NotImplementedError

    def forget(self, face: str, sha256: str) -> None:
        """Takes the picture of a card in a photo out of the deck again."""
        teacher = self.teacher
        assert teacher is not None

        def forget() -> None:
            fault = ""
            try:
                teacher.forget(face, sha256)
            except UnusableInput as error:
                fault = "; ".join(map(str, error.faults))
            except OSError as error:
                fault = f"{error.filename}: {error.strerror or error}"
            self.post_message(self.Forgot(fault))

        self._in_background(forget)

    @on(Forgot)
    def _was_forgotten(self, event: Forgot) -> None:
        if event.fault:
            self.app.notify(event.fault, title="Still in the deck", severity="error", timeout=15)
        self.change(self.compared(self.desk))
        self.was_taught([])

    def _in_background(self, step: Callable[[], None]) -> None:
        # The program's own worker: what was handed over is learnt even when the screen is left.
        self.app.run_worker(step, thread=True, group="teaching", exit_on_error=False)


def _failed(error: Exception) -> str:
    return f"the program failed on it ({type(error).__name__}: {error})"
