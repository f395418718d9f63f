"""Without a Paddle: a photographed trick is played card by card, a photographed hand is told."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from card_catalog.model import Card
from companion.core.errors import UnusableInput
from companion.games.without_a_paddle.deal import clockwise
from companion.games.without_a_paddle.state import State, Table, turn
from companion.games.without_a_paddle.trick import listed, winner
from companion.intake.review import At, Review
from companion.session.observed.difference import Act, Difference, Observation, counted

if TYPE_CHECKING:
    from companion.session.match import MatchSession


def observation(session: "MatchSession", review: Review) -> Observation:
    """The hands of players that photos show, and the cards of the others as the trick on the table."""
    state: State = session.state
    if state.table is None:
        text = "The match is over" if state.over else "Nobody has dealt yet, so there is no trick"
        return Observation(text, review=review)
    named = [player for player in review.players if player in session.players]
    found = _hands(session, review, named) if named else None
    if found is not None and all(line.player in named for line in review.lines):
        return found
    trick = _trick(session, review, state, state.table, named)
    if found is None:
        return trick
    return Observation(
        f"{found.summary}; {trick.summary}",
        (*found.differences, *trick.differences),
        (*found.acts, *trick.acts),
        (*found.remarks, *trick.remarks),
        review,
        {**found.places, **trick.places},
    )


def _cards(
    session: "MatchSession", review: Review, mine: Callable[[str], bool]
) -> list[tuple[At, Card | None]]:
    """Cards in reading order, each once; None for one without a name."""
    found: list[tuple[At, Card | None]] = []
    for at in review.places():
        box = review.at(at)
        if box is None or not mine(review.lines[at[0] - 1].player):
            continue
        card = session.state.cards.get((box.card or "").casefold())
        if card is None or card not in [other for _, other in found]:
            found.append((at, card))
    return found


def _trick(
    session: "MatchSession", review: Review, state: State, table: Table, named: Collection[str]
) -> Observation:
    """The cards from left to right, beginning with the one that was led; a nameless one ends it."""
    seen = _cards(session, review, lambda player: player not in named)
    remarks = []
    gone_before = {card for cards in table.played for card in cards}
    gone_before -= {card for _, card in table.trick}
    again = [str(card) for _, card in seen if card in gone_before]
    if again:
        remarks.append(f"{', '.join(again)}: played in an earlier trick of this round, left out")
    seen = [(at, card) for at, card in seen if card not in gone_before]
    cards: list[tuple[At, Card]] = []
    for number, (at, card) in enumerate(seen, 1):
        if card is None:
            remarks.append(f"card {number} of the trick has no name: nothing from it on is entered")
            break
        cards.append((at, card))
    known = [card for _, card in table.trick]
    fresh = [(at, card) for at, card in cards if card not in known]
    gone = [f"{name}'s {card}" for name, card in table.trick if card not in dict(cards).values()]
    if gone:
        remarks.append(f"{' and '.join(gone)} {'is' if len(gone) == 1 else 'are'} not on the photo")
    first = turn(state, table)
    if first is None:
        text = "All tricks of this round have been taken"
        return Observation(text, (), (), tuple(remarks), review)
    seats = [p for p in clockwise(state.players, first) if p not in dict(table.trick)]
    if len(fresh) > len(seats):
        many, most = len(fresh), len(seats)
        remarks.append(
            f"{many} cards for a trick that takes {most} more: the last {many - most} are left out"
        )
    plays = list(zip(seats, fresh, strict=False))
    acts: list[Act] = [(name, ("play", str(card))) for name, (_, card) in plays]
    differences = []
    after = state
    for (name, words), (_, (_, card)) in zip(acts, plays, strict=True):
        text, after = _judged(session, after, name, words, card)
        differences.append(Difference(text, (((name, words),),)))
    whole = [*table.trick, *((name, card) for name, (_, card) in plays)]
    places = {at: {"player": name} for name, (at, _) in plays}
    summary = _told(whole, len(plays), len(state.players))
    return Observation(summary, tuple(differences), tuple(acts), tuple(remarks), review, places)


def _told(whole: Sequence[tuple[str, Card]], fresh: int, players: int) -> str:
    """Who takes the trick, or how far it is."""
    if len(whole) == players:
        cards = ", ".join(f"{name} {card}" for name, card in whole)
        return f"{winner(whole)} wins the trick: {cards} ({whole[0][1]} was led)"
    if fresh:
        return f"{counted(fresh, 'played')}; {players - len(whole)} to come"
    return "The trick is as the log says"


def _judged(
    session: "MatchSession", state: State, name: str, words: tuple[str, ...], card: Card
) -> tuple[str, State]:
    """A play in words, with what speaks against it, and the state after it."""
    try:
        act = session.game.parse(name, words, state)
    except UnusableInput as error:
        return f"{name}: {card} ({error})", state
    verdict = session.game.check(state, act)
    said = [o.text for o in verdict.objections] + [u.text for u in verdict.unknowns]
    text = f"{name} plays {card}{': ' if said else ''}{' '.join(said)}"
    return text, session.game.apply(state, act) if verdict.possible else state


def _hands(session: "MatchSession", review: Review, named: list[str]) -> Observation:
    table: Table = session.state.table
    differences: list[Difference] = []
    acts: list[Act] = []
    places: dict[At, dict[str, str]] = {}
    nameless = 0
    for name in named:
        seen = _cards(session, review, lambda player, name=name: player == name)  # type: ignore[misc]
        cards = [(at, card) for at, card in seen if card is not None]
        nameless += len(seen) - len(cards)
        places |= {at: {"player": name} for at, _ in cards}
        now = table.hands[session.players.index(name)]
        held = frozenset(card for _, card in cards)
        if len(seen) > len(cards) and now is not None:
            held |= now  # what has no name may be any card that the log knows
        if not cards or held == now:
            continue
        acts.append((name, ("observe", "hand", listed(held))))
        if now is None:
            text = f"{name} holds {listed(held)}"
        else:
            words = [f"{listed(held - now)} new"] * bool(held - now)
            words += [f"{listed(now - held)} gone"] * bool(now - held)
            text = f"{name}'s hand: {', '.join(words)}"
        differences.append(Difference(text))
    summary = "; ".join(d.text for d in differences) or "The hands are as the log says"
    remarks = (f"{counted(nameless, 'without a name')} and left out",) if nameless else ()
    return Observation(summary, tuple(differences), tuple(acts), remarks, review, places)
