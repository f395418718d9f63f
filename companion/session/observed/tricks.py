"""Without a Paddle: a photographed trick is played card by card, a photographed hand is told."""

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
    """The cards of the photo as the trick on the table; of one named player's photo, as that hand."""
    state: State = session.state
    if state.table is None:
        text = "The match is over" if state.over else "Nobody has dealt yet, so there is no trick"
        return Observation(text, review=review)
    named = [player for player in review.players if player in session.players]
    if named:
        return _hands(session, review, named)
    return _trick(session, review, state, state.table)


def _cards(session: "MatchSession", review: Review, player: str | None) -> list[tuple[At, Card]]:
    """The named cards in reading order."""
    found = []
    for at in review.places():
        box = review.at(at)
        if box is None or (player is not None and review.lines[at[0] - 1].player != player):
            continue
        card = session.state.cards.get((box.card or "").casefold())
        if card is not None:
            found.append((at, card))
    return found


def _nameless(review: Review, found: int) -> tuple[str, ...]:
    left = len(review.places()) - found
    return (f"{counted(left, 'without a name')} and left out",) if left else ()


def _trick(session: "MatchSession", review: Review, state: State, table: Table) -> Observation:
    """The cards from left to right, beginning with the one that was led."""
    cards = _cards(session, review, None)
    remarks = list(_nameless(review, len(cards)))
    known = [card for _, card in table.trick]
    fresh = [(at, card) for at, card in cards if card not in known]
    gone = [f"{name}'s {card}" for name, card in table.trick if card not in dict(cards).values()]
    if gone:
        remarks.append(f"{' and '.join(gone)} {'is' if len(gone) == 1 else 'are'} not on the photo")
    first = turn(state, table)
    if first is None:
        return Observation(
            "All tricks of this round have been taken", (), (), tuple(remarks), review
        )
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
    for (name, words), (_, (at, card)) in zip(acts, plays, strict=True):
        text, after = _judged(session, after, name, words, card)
        differences.append(Difference(text, (((name, words),),), at=at))
    whole = [*table.trick, *((name, card) for name, (_, card) in plays)]
    if len(whole) == len(state.players):
        led = whole[0][1]
        summary = f"{winner(whole)} wins the trick: {', '.join(f'{n} {c}' for n, c in whole)} ({led} was led)"
    elif plays:
        summary = f"{counted(len(plays), 'played')}; {len(state.players) - len(whole)} to come"
    else:
        summary = "The trick is as the log says"
    places = {at: {"player": name} for name, (at, _) in plays}
    return Observation(summary, tuple(differences), tuple(acts), tuple(remarks), review, places)


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
    found = 0
    for name in named:
        cards = _cards(session, review, name)
        found += len(cards)
        places |= {at: {"player": name} for at, _ in cards}
        now = table.hands[session.players.index(name)]
        held = frozenset(card for _, card in cards)
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
    remarks = _nameless(review, found)
    return Observation(summary, tuple(differences), tuple(acts), remarks, review, places)
