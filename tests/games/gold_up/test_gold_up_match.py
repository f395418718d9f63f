"""Whole matches of Gold Up: random walks with the real box behind them, and without."""

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_catalog.loader import shipped_deck
from card_catalog.model import Card
from companion.core.errors import ImpossibleAction, UnusableInput
from companion.games.gold_up import GAME
from companion.games.gold_up import actions as act
from companion.games.gold_up.cards import COLOURS, Mark
from companion.games.gold_up.layout import LINES
from companion.games.gold_up.options import Options
from companion.games.gold_up.state import Head, State

DECK = shipped_deck("gold-up")
NAMES = ("Ana", "Big Ben", "Cleo", "Dan")
VALUES = tuple(zip(COLOURS, (2, 4, 5, 6, 8, 10), strict=True))
CHESTS = [Card(k) for k in DECK.kinds.values() if k.group == "chest"]
KEYS = [Card(k) for k in DECK.kinds.values() if k.group == "key"]


def begin(count: int, tracking: Any, **options: Any) -> State:
    """A match of so many players whose household knows its coins."""
    head = Head(NAMES[:count], None, tracking)
    state: State = GAME.start(head, Options(values=VALUES, **options), DECK)
    return state


@dataclass
class Table:
    """The real box: what chance decides in a match with full tracking."""

    random: Random
    chests: list[Card] = field(default_factory=list)
    keys: list[Card] = field(default_factory=list)

    def shuffle(self) -> None:
        """All cards back, shuffled."""
        self.chests = [c for c in CHESTS for _ in range(c.kind.copies["box"])]
        self.keys = [k for k in KEYS for _ in range(k.kind.copies["box"])]
        self.random.shuffle(self.chests)
        self.random.shuffle(self.keys)

    def deal(self, players: tuple[str, ...]) -> Iterator[act.Act]:
        """The acts that name everything at the start of a hand."""
        self.shuffle()
        for name in players:
            yield act.Deal(name, tuple(self.keys.pop() for _ in range(5)))
        for line in range(1, 6):
            yield act.Layout(players[0], line, tuple(self.chests.pop() for _ in LINES[line]))

    def told(self, state: State, action: act.Act) -> act.Act:
        """The act with the cards that chance has brought."""
        if isinstance(action, act.Draw):
            return act.Draw(action.player, tuple(self.keys.pop() for _ in range(self.drawn())))
        if isinstance(action, act.StealKeys):
            hand = list(state.keys[state.seat(action.victim)] or ())
            if len(state.players) == 2:
                hand = self.random.sample(hand, min(2, len(hand)))
            known = tuple(c for c in hand if isinstance(c, Card))
            return act.StealKeys(action.player, action.victim, known)
        return action

    def drawn(self) -> int:
        """Keys that can be drawn."""
        return min(2, len(self.keys))

    def put_back(self, state: State, action: act.Act) -> None:
        """Played keys and thieves go under the Keys pile."""
        used: list[Card] = []
        if isinstance(action, act.Collect | act.StealChests):
            used += action.keys
        if isinstance(action, act.StealChests):
            used.append(Card(DECK["chest-thief"]))
        if isinstance(action, act.StealKeys):
            used.append(Card(DECK["key-thief"]))
        self.keys = used + self.keys


def walk(state: State, random: Random, longest: int) -> Iterator[tuple[State, act.Act]]:
    """Acts of a match with full tracking, each with the state that it was done in."""
    table = Table(random)
    hand = -1
    for _ in range(longest):
        if state.over:
            return
        if len(state.done) != hand:
            hand = len(state.done)
            for dealt in table.deal(state.players):
                yield state, dealt
                state = GAME.apply(state, dealt)
        choices = list(GAME.legal(state))
        best = [a for a in choices if isinstance(a, act.Collect | act.StealChests)]
        action = table.told(
            state, random.choice(best if best and random.random() < 0.7 else choices)
        )
        yield state, action
        state = GAME.apply(state, action)
        table.put_back(state, action)
        if state.refill is not None:
            line, places = state.refill
            new = act.Refill(action.player, line, tuple(table.chests.pop() for _ in places))
            yield state, new
            state = GAME.apply(state, new)


def again(state: State, log: list[tuple[str, str]]) -> State:
    """The state after reading a written log."""
    for player, words in log:
        state = GAME.apply(state, GAME.parse(player, shlex.split(words), state))
    return state


def conserved(state: State) -> None:
    """No card is lost or doubled."""
    held = sum(len(hand or ()) for hand in state.keys)
    assert state.keys_pile is not None and held + state.keys_pile == 62
    lying = sum(c is not Mark.EMPTY for c in state.layout)
    assert state.chests_pile is not None
    assert lying + sum(map(len, state.chests)) + state.chests_pile == 48
    for known in (state.known_keys(), state.known_chests()):
        for kind, number in Counter(card.kind for card in known).items():
            assert number <= kind.copies["box"]


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 4), st.randoms(use_true_random=False), st.sampled_from(["this", "next"]))
def test_full_walk_conserves_cards_and_replays(count: int, random: Random, miss: str) -> None:
    start = begin(count, "full", miss_turn=miss)
    state, log = start, []
    for before, action in walk(start, random, 60):
        assert GAME.check(before, action).legal, (action, GAME.check(before, action))
        state = GAME.apply(before, action)
        conserved(state)
        words = GAME.encode(action)
        assert GAME.parse(action.player, shlex.split(words), before) == action
        log.append((action.player, words))
    assert again(start, log) == state


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_full_match_reaches_its_end(count: int, seed: int) -> None:
    state = begin(count, "full", target=120)
    for before, action in walk(state, Random(seed), 5000):
        state = GAME.apply(before, action)
    assert state.over and state.news
    score = GAME.score(GAME.standing(state), state.options, DECK)
    assert score.complete and not score.problems
    assert max(score.totals.values()) >= 120


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.randoms(use_true_random=False))
def test_walk_with_unseen_cards(count: int, random: Random) -> None:
    """Full tracking where nobody tells which cards they are: numbers still hold."""
    state = start = begin(count, "full")
    log = []
    for _ in range(50):
        choices = list(GAME.legal(state))
        if state.over or not choices:
            break
        action = random.choice(choices)
        log.append((action.player, GAME.encode(action)))
        state = GAME.apply(state, action)
        conserved(state)
    assert again(start, log) == state


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2**32))
def test_light_match_reaches_its_end(count: int, seed: int) -> None:
    random = Random(seed)
    state = start = begin(count, "light", target=30)
    log = []
    for _ in range(5000):
        if state.over:
            break
        action = random.choice(list(GAME.legal(state)))
        log.append((action.player, GAME.encode(action)))
        state = GAME.apply(state, action)
    assert state.over
    assert again(start, log) == state
    assert not GAME.score(GAME.standing(state), state.options, DECK).problems


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.randoms(use_true_random=False))
def test_legal_is_the_checked_candidates(count: int, random: Random) -> None:
    for before, _ in walk(begin(count, "full"), random, 20):
        candidates = list(GAME.candidates(before))
        assert len(set(map(repr, candidates))) == len(candidates)
        assert list(GAME.legal(before)) == [a for a in candidates if GAME.check(before, a).legal]


players = st.sampled_from(NAMES[:3])
chests = st.lists(st.sampled_from(CHESTS), min_size=1, max_size=5).map(tuple)
keys = st.lists(st.sampled_from(KEYS), min_size=1, max_size=5).map(tuple)
lines = st.integers(1, 7)
short_lines = st.integers(1, 5)


@st.composite
def whole_lines(draw: st.DrawFn) -> tuple[int, act.Cards]:
    line = draw(short_lines)
    size = len(LINES[line])
    cards: st.SearchStrategy[Card | Mark] = st.sampled_from(
        [*CHESTS, Mark.UNSEEN, Card(DECK["chest-yellow"], None, 12)]
    )
    return line, tuple(draw(st.lists(cards, min_size=size, max_size=size)))


acts = st.one_of(
    st.builds(act.Deal, players, keys),
    st.tuples(players, whole_lines()).map(lambda t: act.Layout(t[0], *t[1])),
    st.builds(act.Collect, players, lines, keys),
    st.builds(act.Draw, players, st.none() | keys),
    st.builds(act.StealKeys, players, players, st.none() | keys),
    st.builds(act.StealChests, players, players, st.just(()) | chests, st.just(()) | keys),
    st.builds(act.Refill, players, lines, chests),
    st.builds(act.Pass, players),
    st.builds(act.Coins, players, st.integers(0, 500)),
    st.builds(act.EndHand, players),
    st.tuples(players, whole_lines()).map(lambda t: act.Observe(t[0], "layout", *t[1])),
    st.builds(act.Observe, players, st.just("keys"), st.just(0), st.just(()) | keys),
    st.builds(act.Observe, players, st.just("chests"), st.just(0), st.just(()) | chests),
    st.builds(act.Observe, players, st.just("turn")),
)


@given(acts)
def test_writing_and_reading_an_act(action: act.Act) -> None:
    state = begin(3, "full")
    assert GAME.parse(action.player, shlex.split(GAME.encode(action)), state) == action


def test_chests_won_are_written_and_read() -> None:
    action = act.Takes("Ana", (CHESTS[0], Card(DECK["chest-yellow"], None, 12)))
    state = begin(2, "light")
    assert GAME.encode(action) == "takes white yellow=12"
    assert GAME.parse("Ana", ["takes", "white", "yellow=12"], state) == action
    assert GAME.parse("Ana", ["takes", "white, Yellow chest=12"], state) == action


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.lists(acts, min_size=1, max_size=12))
def test_any_act_leaves_the_old_state_alone(random: Random, wild: list[act.Act]) -> None:
    state = begin(3, "full")
    for before, action in walk(state, random, 8):
        state = GAME.apply(before, action)
    for action in wild:
        shown = repr(state)
        verdict = GAME.check(state, action)
        if verdict.possible:
            after = GAME.apply(state, action)
        else:
            with pytest.raises(ImpossibleAction):
                GAME.apply(state, action)
            after = state
        assert repr(state) == shown
        state = after
        assert GAME.view(state)[-1]
        GAME.score(GAME.standing(state), state.options, DECK)


def after(text: str, count: int = 3, tracking: str = "full", **options: Any) -> State:
    """The state after a log, one act a line."""
    state = begin(count, tracking, **options)
    for line in text.strip().splitlines():
        state = GAME.apply(state, read(state, line))
    return state


def read(state: State, line: str) -> act.Act:
    """The act of a line."""
    player, *words = shlex.split(line)
    action: act.Act = GAME.parse(player, words, state)
    return action


def objections(state: State, line: str) -> dict[str, bool]:
    """Rules that an act would break, and whether it cannot have happened."""
    verdict = GAME.check(state, read(state, line))
    return {o.rule: o.impossible for o in verdict.objections}


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("Ana collect 3 with joker", "gup:collect.hand"),
        ("Ana steal-keys Cleo", "gup:steal-keys.card"),
        ("Ana steal-chests Cleo none", "gup:steal-chests.card"),
        ("Cleo steal-keys Cleo", "gup:steal-keys.another"),
        ("Cleo steal-chests Cleo none", "gup:steal-chests.another"),
        ("Cleo steal-chests Ana red with red", "gup:steal-chests.chests"),
        ("Ana layout 3 red", "gup:deal.layout"),
        ("Ana refill 3 red", "gup:collect.refill"),
        ("Ana layout 1 yellow yellow yellow", "gup:box.chests"),
        ("Cleo draw joker joker joker joker joker", "gup:box.keys"),
    ],
)
def test_what_cannot_have_happened(line: str, rule: str) -> None:
    state = after("Ana deal white white red green blue\nAna layout 3 green")
    assert objections(state, line)[rule] is True


def test_chests_are_not_just_taken_where_every_card_is_tracked() -> None:
    verdict = GAME.check(begin(2, "full"), act.Takes("Ana", (CHESTS[0],)))
    assert [o.rule for o in verdict.objections] == ["gup:collect.line"]
    assert not verdict.possible
    with pytest.raises(UnusableInput):
        GAME.parse("Ana", ["takes", "white"], begin(2, "full"))


def test_an_unseen_card_cannot_be_the_fifth_joker() -> None:
    state = after("Ana deal joker joker joker joker white\nAna pass")
    assert objections(state, '"Big Ben" collect 3 with joker') == {"gup:box.keys": True}


def test_passing_rests_on_a_silent_rule() -> None:
    verdict = GAME.check(begin(2, "full"), act.Pass("Ana"))
    assert verdict.legal
    assert [(rule, str(clarity)) for rule, clarity in verdict.points] == [
        ("gup:turn.pass", "silent")
    ]


def test_a_key_for_an_unseen_chest_is_undetermined_and_names_the_chest() -> None:
    state = after("Ana layout 4 red blue")
    unknown = GAME.check(state, read(state, "Ana collect 1 with white white red"))
    assert str(unknown.outcome) == "undetermined"
    state = after("Ana collect 1 with white white red")
    assert [c.id for c in state.chests[0] if isinstance(c, Card)] == [
        "chest-white",
        "chest-white",
        "chest-red",
    ]
    jokers = GAME.check(state, read(state, '"Big Ben" collect 2 with joker joker'))
    assert jokers.legal


def test_the_key_thief_takes_a_hand_that_was_never_told() -> None:
    state = after("Ana deal key-thief white white white white\nAna steal-keys Cleo")
    assert state.keys[0] is not None and state.keys[0].count(Mark.UNSEEN) == 5
    assert state.keys[2] == ()
    assert state.keys_pile == 62 - 14


def test_the_pile_ends_in_the_middle_of_a_refill() -> None:
    state = begin(2, "full")
    every = [c for c in CHESTS for _ in range(c.kind.copies["box"])]
    won, left = every[:36], every[36:]
    state = GAME.apply(state, act.Observe("Ana", "chests", 0, tuple(won)))
    assert state.chests_pile == 1
    state = GAME.apply(state, read(state, "Ana collect 1 with joker joker joker"))
    # One chest is drawn for the first of the three places; the hand is over with it.
    assert state.layout[:3] == (Mark.UNSEEN, Mark.EMPTY, Mark.EMPTY)
    assert state.counting and "hand is over" in state.news[0]
    assert len(state.chests[0]) == 39
    state = GAME.apply(state, act.Refill("Ana", 1, (left[0],)))
    assert state.layout[0] == left[0]
    assert "end-hand" in GAME.view(state)[-1]


def test_starters_pass_to_the_left() -> None:
    state = after("Cleo pass\nCleo end-hand")
    assert (state.starter, state.turn) == ("Ana", "Ana")
    assert any("Ana starts hand 2" in line for line in state.news)


def test_observing_corrects_without_a_ruling_and_is_remembered() -> None:
    state = after('Ana observe keys "yellow yellow ?"')
    assert state.corrected == ("hand 1: Ana's keys",)
    assert "corrected" in GAME.view(state)[0]
    assert GAME.check(state, act.Observe("Ana", "turn")).legal


def test_an_empty_keys_pile_leaves_nothing_to_draw() -> None:
    state = begin(2, "full")
    every = [k for k in KEYS for _ in range(k.kind.copies["box"])]
    state = GAME.apply(state, act.Observe("Ana", "keys", 0, tuple(every[:30])))
    state = GAME.apply(state, act.Observe("Big Ben", "keys", 0, tuple(every[30:61])))
    verdict = GAME.check(state, act.Draw("Ana", (every[61],)))
    assert verdict.legal and [rule for rule, _ in verdict.points] == ["gup:draw.short"]
    assert objections(state, "Ana draw yellow yellow")["gup:draw.two"] is True
