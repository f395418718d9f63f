"""From photos to the table, and what follows in the background: photos kept, the deck taught."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.errors import UnusableInput
from companion.intake.review import Review
from companion.tui.review import after
from companion.tui.review.target import CountingTarget, TableTarget


def photograph_count(
    app: Any, target: CountingTarget, taken: Callable[[dict[str, Any]], None]
) -> None:
    """Photos for a table that is being counted; `taken` gets the document with what they show."""
    from companion.tui.screens.photos import PhotosScreen

    def take(photos: Any) -> None:
        try:
            raw = target.taken(photos.review, photos.eyes.deck)
        except UnusableInput as error:
            app.notify(str(error), severity="warning", timeout=15)
            return
        photos.finish()
        taken(raw)

    app.push_screen(PhotosScreen(target, take))


def photograph_table(app: Any, session: Any, done: Callable[[tuple[str, ...]], None]) -> None:
    """Photos for a match that is being tracked; `done` gets what entering them led to."""
    from companion.tui.screens.observed import ObservedScreen
    from companion.tui.screens.photos import PhotosScreen

    def take(photos: Any) -> None:
        def entered(news: tuple[str, ...] | None) -> None:
            if news is not None:
                photos.finish()
                done(news)

        app.push_screen(ObservedScreen(session, photos.review), entered)

    app.push_screen(PhotosScreen(TableTarget(session), take))


def settle(app: Any, review: Review, files: Mapping[str, str]) -> None:
    """Keeps the photos, remembers how they were read, and asks whether the deck may learn from them."""

    def work() -> None:
        wrong = after.kept(app.store, review, files)
        try:
            after.remembered(review)
        except UnusableInput as error:
            wrong.append(str(error))
        found = after.offer(review)
        app.call_from_thread(_tell, app, wrong)
        if found is not None:
            app.call_from_thread(_ask, app, found, review, files)

    app.run_worker(work, thread=True, group="after", exit_on_error=False)


def _tell(app: Any, wrong: list[str]) -> None:
    for text in wrong:
        app.notify(text, title="The photo is not kept", severity="warning", timeout=15)


def _ask(app: Any, found: after.Offer, review: Review, files: Mapping[str, str]) -> None:
    from companion.tui.screens.history import ConfirmScreen

    def answered(yes: bool | None) -> None:
        if yes:
            app.run_worker(teach, thread=True, group="after", exit_on_error=False)

    def teach() -> None:
        try:
            said = after.learnt(found, review, files)
        except UnusableInput as error:
            said = str(error)
        app.call_from_thread(app.notify, said)

    app.push_screen(ConfirmScreen(after.question(found)), answered)
