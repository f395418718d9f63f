"""What follows a review: its photos are kept, what was read is remembered, its crops are offered to the deck."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.errors import Fault, UnusableInput
from companion.intake.review import At, Review
from companion.tui.review.target import name_of


@dataclass(frozen=True, slots=True)
class Offer:
    """Cards that the household's deck could learn from a review."""

    deck: str
    places: tuple[At, ...]
    cards: tuple[str, ...]


def kept(store: Any, review: Review, files: Mapping[str, str]) -> list[str]:
    """Puts the photos of a review on the household's shelf; what went wrong, in words."""
    from companion.intake.photo_shelf import shelf_of

    wrong: list[str] = []
    if store is None:
        return wrong
    shelf = shelf_of(store)
    for photo in shown(review):
        path = files.get(photo.sha256)
        if path is None or shelf.open(photo.sha256) is not None:
            continue
        try:
            kept_as = shelf.keep(path, photo.name)
        except UnusableInput as error:
            wrong.append(str(error))
            continue
        if kept_as.sha256 != photo.sha256:
            shelf.remove([kept_as.sha256])
            wrong.append(f"{path} is another picture by now, so it is not kept")
    return wrong


def shown(review: Review) -> list[Any]:
    """The photos of which a card counts."""
    used = {box.photo for line in review.lines for _, box in line.boxes()}
    return [photo for index, photo in enumerate(review.photos) if index in used]


def remembered(review: Review) -> None:
    """How well the photos were read goes into the deck's private benchmark.

    Only photos of which every card has a name now, and none lies under another photo of the same row.
    """
    from companion.intake.confirmed import TrueCard, outcome, record

    for index, photo in enumerate(review.photos):
        lines = [line for line in review.lines if any(b.photo == index for _, b in line.boxes())]
        boxes = [box for line in lines for _, box in line.boxes()]
        whole = all(box.photo == index and box.settled and box.card for box in boxes)
        if not boxes or not whole:
            continue
        rows = [
            [TrueCard(_face(box.card), box.seen.region) for _, box in line.boxes()]
            for line in lines
        ]
        record(name_of(review.deck), outcome(photo.reading, rows, photo.sha256, photo.name), rows)


def _face(card: str | None) -> str:
    return (card or "").partition("=")[0]


def offer(review: Review) -> Offer | None:
    """The cards that a person had to name, where the deck is the household's own; None for none."""
    from companion.intake.learning import pupil_at_table

    places = tuple(
        at
        for at in review.places()
        if (box := review.at(at)) and box.told is not None and not box.seen.sure
    )
    if not places:
        return None
    try:
        pupil_at_table(name_of(review.deck))
    except UnusableInput:  # a deck that ships learns nothing
        return None
    cards = [_face(box.card) for at in places if (box := review.at(at))]
    return Offer(name_of(review.deck), places, tuple(dict.fromkeys(cards)))


def question(found: Offer) -> str:
    """What a person is asked."""
    many = len(found.cards)
    cards = f"{many} card{'' if many == 1 else 's'}"
    names = ", ".join(found.cards[:8]) + (" ..." if many > 8 else "")
    it = "its picture" if many == 1 else "their pictures"
    them = "it" if many == 1 else "them"
    return (
        f"You named {cards}: {names}.\n\nMay the deck {found.deck} learn {it} from this photo? "
        f"The deck knows {them} better then. Home, Decks, F forgets what was learnt so."
    )


def learnt(found: Offer, review: Review, files: Mapping[str, str]) -> str:
    """Teaches the deck the crops that are good enough; what came of it, in a sentence."""
    from companion.intake.cutting import as_loaded
    from companion.intake.learning import Cut, learn_cuts, pupil_at_table
    from companion.vision.load import open_photo

    cuts, photos = [], {}
    for at in found.places:
        box = review.at(at)
        assert box is not None, "places of an offer hold a card"
        photo = review.photos[box.photo]
        if box.photo not in photos:
            photos[box.photo] = open_photo(files.get(photo.sha256, photo.name))
            if photos[box.photo].sha256 != photo.sha256:
                found_now = "is another picture by now"
                raise UnusableInput([Fault(photo.name, found_now, "give the photo again")])
        loaded = photos[box.photo]
        cuts.append(Cut(_face(box.card), loaded, as_loaded(loaded, box.seen.region)))
    done = learn_cuts(pupil_at_table(found.deck), cuts, "table")
    said = []
    if done.added:
        said.append(f"learnt {', '.join(entry.face for entry in done.added)}")
    said += [f"not {face}: {why}" for face, why in done.declined]
    return f"{found.deck}: " + ("; ".join(said) or "nothing new to learn")
