"""From photos to the table, and what follows in the background: photos kept, the deck taught."""

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.errors import UnusableInput
from companion.intake.review import Review
from companion.tui.review import after, incoming
from companion.tui.review.target import CountingTarget, TableTarget


def photograph_count(
    app: Any, target: CountingTarget, taken: Callable[[dict[str, Any]], None]
) -> None:
    """Photos for a table that is being counted; `taken` gets the document with what they show."""
    from companion.tui.screens.photos import PhotosScreen

    def take(photos: Any) -> None:
        try:
            raw, said = target.taken(photos.review, photos.eyes.deck)
        except UnusableInput as error:
            app.notify(str(error), severity="warning", timeout=15)
            return
        taken(raw)
        for text in said:
            app.notify(text, timeout=15)
        photos.finish()

    app.push_screen(PhotosScreen(target, take))


def photograph_table(app: Any, session: Any, done: Callable[[tuple[str, ...]], None]) -> None:
    """Photos for a match that is being tracked; `done` gets what entering them led to."""
    from companion.tui.screens.observed import ObservedScreen
    from companion.tui.screens.photos import PhotosScreen

    def take(photos: Any) -> None:
        def entered(news: tuple[str, ...] | None) -> None:
            if news is None:  # something may have been entered all the same
                keep(app, photos.review, photos.files)
                return
            done(news)
            photos.finish()

        app.push_screen(ObservedScreen(session, photos.review), entered)

    app.push_screen(PhotosScreen(TableTarget(session), take))


def settle(app: Any, review: Review, files: Mapping[str, str]) -> None:
    """Asks whether the deck may learn from the photos; keeps them, and how they were read."""
    found = after.offer(review)
    if found is not None:
        _ask(app, found, review, files)
    else:
        keep(app, review, files, done=True)


def keep(app: Any, review: Review, files: Mapping[str, str], done: bool = False) -> None:
    """Puts the photos on the shelf in the background; `done`: nothing needs their files any longer."""

    def work() -> None:
        wrong = after.kept(app.store, review, files)
        if done:
            try:
                after.remembered(review)
            except UnusableInput as error:
                wrong.append(str(error))
            if not wrong and app.store is not None:
                incoming.let_go(files.values())
        app.call_from_thread(_tell, app, wrong)

    app.run_worker(work, thread=True, group="after", exit_on_error=False)


def _tell(app: Any, wrong: list[str]) -> None:
    for text in wrong:
        app.notify(text, title="The photo is not kept", severity="warning", timeout=15)


def _ask(app: Any, found: after.Offer, review: Review, files: Mapping[str, str]) -> None:
    from companion.tui.screens.learn import LearnScreen

    def answered(yes: bool | None) -> None:
        if yes:
            app.run_worker(teach, thread=True, group="after", exit_on_error=False)
        else:
            keep(app, review, files, done=True)

    def teach() -> None:
        try:
            said = after.learnt(found, review, files)
        except UnusableInput as error:
            said = str(error)
        app.call_from_thread(app.notify, said)
        app.call_from_thread(keep, app, review, files, True)

    app.push_screen(LearnScreen(after.question(found)), answered)
