"""Random matches: whatever happens, the log gives the state again, and every match can end."""

import shlex
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from card_catalog.model import Card, Deck
from companion.core.errors import ImpossibleAction
from companion.games.without_a_paddle import GAME
from companion.games.without_a_paddle.actions import (
    Bid,
    Cut,
    Hand,
    Misdeal,
    Observe,
    Play,
    Renege,
    Tricks,
    Wins,
)
from companion.games.without_a_paddle.knowledge import seen_cards
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.state import Head, State

SEEDS = st.integers(0, 2**32 - 1).map(Random)
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
WALKS = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def openings(draw: st.DrawFn, tracking: str) -> tuple[Head, Options]:
    players = NAMES[: draw(st.integers(3, 8))]
    dealer = draw(st.none() | st.sampled_from(players))
    options = Options(
        direction=draw(st.sampled_from(("down", "down-up"))),
        hook=draw(st.sampled_from(("always", "not-last", "off"))),
        renege=draw(st.sampled_from(("per-round", "per-offence"))),
    )
    return Head(players, dealer, tracking), options  # type: ignore[arg-type]


def walk(deck: Deck, opening: tuple[Head, Options], random: Any) -> tuple[State, list[Any]]:
    """A legal match to its end: the last state and the log."""
    head, options = opening
    state: State = GAME.start(head, options, deck)
    log: list[Any] = []
    dealt = 0
    while True:
        acts = list(GAME.legal(state))
        if not acts:
            break
        candidates = list(GAME.candidates(state))
        assert acts == [a for a in candidates if GAME.check(state, a).legal]
        if state.tracking == "full" and state.table is not None and dealt < state.number:
            dealt = state.number
            state = _some_hands(deck, state, random, log)
            continue
        action = random.choice(acts)
        log.append(action)
        state = GAME.apply(state, action)
        _conserved(state)
        assert state.news
    return state, log


def _some_hands(deck: Deck, state: State, random: Any, log: list[Any]) -> State:
    """The hands of some players, dealt from a shuffled pack."""
    pack = [Card(kind) for kind in deck.kinds.values()]
    random.shuffle(pack)
    count = state.deal.cards
    for seat, player in enumerate(state.players):
        if random.random() < 0.6:
            hand = Hand(player, tuple(pack[seat * count : (seat + 1) * count]))
            assert GAME.check(state, hand).legal
            log.append(hand)
            state = GAME.apply(state, hand)
    return state


def _conserved(state: State) -> None:
    """Every card lies in one place, and known hands shrink by one card a trick."""
    table = state.table
    if table is None:
        return
    cards = [c.id for c in seen_cards(table)]
    assert len(set(cards)) == len(cards) <= 52
    playing = {name for name, _ in table.trick}
    for name, hand, played in zip(state.players, table.hands, table.played, strict=True):
        if hand is not None:
            assert len(hand) == state.deal.cards - table.done - (name in playing)
            assert len(hand) + len(played) == state.deal.cards


def replayed(deck: Deck, opening: tuple[Head, Options], log: list[Any]) -> State:
    head, options = opening
    state: State = GAME.start(head, options, deck)
    for action in log:
        words = shlex.split(GAME.encode(action))
        state = GAME.apply(state, GAME.parse(action.player, words, state))
    return state


@WALKS
@given(openings("light"), SEEDS)
def test_a_light_match_walks_to_its_end(deck: Deck, opening: Any, random: Any) -> None:
    state, log = walk(deck, opening, random)
    _ended_well(deck, opening, state, log)


@WALKS
@given(openings("full"), SEEDS)
def test_a_full_match_walks_to_its_end(deck: Deck, opening: Any, random: Any) -> None:
    state, log = walk(deck, opening, random)
    _ended_well(deck, opening, state, log)


def _ended_well(deck: Deck, opening: Any, state: State, log: list[Any]) -> None:
    assert state.over
    assert list(GAME.candidates(state)) == []
    assert replayed(deck, opening, log) == state
    position = GAME.standing(state)
    assert GAME.faults(position, state.options) == []
    score = GAME.score(position, state.options, deck)
    assert score.complete is True
    assert score.problems == ()
    told = " ".join(state.news)
    assert all(f"{name} {total}" in told for name, total in score.totals.items())
    assert all(name in GAME.view(state)[-1] for name in score.winners)


def _any_act(state: State, random: Any, pack: list[Card]) -> Any:
    player = random.choice(state.players)
    number = random.randint(-1, 12)
    hand = tuple(random.sample(pack, random.randint(1, 10)))
    what = random.choice(("bid", "tricks", "reneges"))
    return random.choice(
        (
            Bid(player, number),
            Cut(player, random.choice(pack)),
            Play(player, random.choice(pack)),
            Play(player, random.choice(pack)),
            Wins(player),
            Tricks(player, number),
            Renege(player, random.choice((None, 1, 3, 40))),
            Hand(player, hand),
            Misdeal(player) if random.random() < 0.1 else Wins(player),
            Observe(player, what, number, round=random.choice((None, 1, 2, 30))),
            Observe(player, "hand", cards=hand),
            Observe(player, "dealer"),
            Bid("Zoe", 1),
        )
    )


@WALKS
@given(
    st.sampled_from(("light", "full")).flatmap(openings),
    SEEDS,
    st.integers(0, 120),
)
def test_no_act_changes_a_state_and_impossible_ones_raise(
    deck: Deck, opening: Any, random: Any, count: int
) -> None:
    """Wild acts, against the rules or not, mixed with legal ones."""
    head, options = opening
    state, log = GAME.start(head, options, deck), []
    pack = [Card(kind) for kind in deck.kinds.values()]
    for _ in range(count):
        acts = list(GAME.legal(state))
        wild = not acts or random.random() < 0.4
        action = _any_act(state, random, pack) if wild else random.choice(acts)
        before = repr(state)
        verdict = GAME.check(state, action)
        assert all(o.rule.startswith("wap:") and o.text for o in verdict.objections)
        try:
            after = GAME.apply(state, action)
        except ImpossibleAction as error:
            assert not verdict.possible
            assert error.verdict == verdict
        else:
            assert verdict.possible
            log.append(action)
            state, old = after, state
            assert repr(old) == before
            assert GAME.view(state)[-1].endswith(".")
            GAME.score(GAME.standing(state), state.options, deck)
            continue
        assert repr(state) == before
    assert replayed(deck, opening, log) == state
