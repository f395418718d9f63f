"""Random matches of Up the Creek: what holds after every act, whatever is played."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from card_catalog.model import Card, Colour, Deck
from companion.core.errors import ImpossibleAction
from companion.core.options import choices
from companion.games.up_the_creek import GAME
from companion.games.up_the_creek import acts as act
from companion.games.up_the_creek.candidates import candidates
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.piracy import Target
from companion.games.up_the_creek.state import State
from companion.games.up_the_creek.table import Row, completed
from companion.interchange.match_file import words_of
from tests.games.up_the_creek.matches import DECK, begin, counted, replayed

NAMES = ("Ana", "Big Ben", "Cleo #2")
"""Two of them have to be put in quotation marks."""
ALWAYS = [
    "bow",
    "stern",
    "middle",
    "paddler-bow",
    "paddler-stern",
    "lasso",
    "bow-and-arrows",
    "wild-axe",
    "shaman",
    "totem",
    "bear-a",
    "bear-b",
    "bear-hunter",
]
OTHERS = [kind for kind in DECK.kinds if kind not in ALWAYS]
QUICK = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])

decks = st.lists(st.sampled_from(OTHERS), min_size=2, max_size=6, unique=True).map(
    lambda more: Deck(DECK.id, DECK.game, DECK.title, {k: DECK[k] for k in [*ALWAYS, *more]})
)


@st.composite
def house_rules(draw: st.DrawFn) -> Options:
    """Up to four options with other values than the default."""
    values: dict[str, Any] = {}
    known = [c for c in choices(Options) if c.name not in ("tie", "set")]
    for choice in draw(st.lists(st.sampled_from(known), max_size=4, unique=True)):
        allowed = choice.values or (choice.default, *choice.others, choice.at_least, 6)
        values[choice.name] = draw(st.sampled_from(allowed))
    return Options(**values)


@st.composite
def starts(draw: st.DrawFn, tracking: str | None = None) -> State:
    """A match before its first act."""
    names = NAMES[: draw(st.integers(2, 3))]
    first = draw(st.sampled_from([None, *names]))
    how = tracking or draw(st.sampled_from(["light", "full"]))
    return begin(names, how, first, draw(decks), draw(house_rules()))


randoms = st.integers(0, 2**32).map(Random)
"""The same each time an example is run again; repr tells little, the match tells all."""


def dressed(card: Card, random: Random) -> Card:
    """The card, sometimes with its colour and number as somebody at the table would tell them."""
    if not card.kind.coloured or random.random() < 0.3:
        return card
    return replace(card, colour=random.choice([None, *Colour]), number=random.randint(1, 4))


def told(action: act.Act, random: Random) -> act.Act:
    """The act with more said about its card."""
    if isinstance(action, act.Reveal | act.Lay):
        return replace(action, card=dressed(action.card, random))
    return action


def chosen(state: State, random: Random) -> act.Act | None:
    """A legal act: of a few drawn, mostly one that makes something happen."""
    drawn = list(candidates(state))
    random.shuffle(drawn)
    legal: list[act.Act] = []
    for candidate in drawn:
        if GAME.check(state, candidate).legal:
            action = told(candidate, random)
            legal.append(action if GAME.check(state, action).legal else candidate)
        if len(legal) == 8:
            break
    if not legal:
        return None
    return max(legal, key=lambda a: interest(state, a)) if random.random() < 0.6 else legal[0]


def interest(state: State, action: act.Act) -> int:
    """Acts that complete canoes and answer offers are more interesting than passing by."""
    if isinstance(action, act.Decline | act.Discard | act.Reshuffle | act.End):
        return -1
    after = GAME.apply(state, action)
    return 2 * len(completed(after.board(action.player))) + len(after.awaiting)


Step = tuple[State, act.Act, State]


def walk(state: State, random: Random, longest: int) -> Iterator[Step]:
    """The acts of a match, each with the states before and after it."""
    for _ in range(longest):
        action = None if state.over else chosen(state, random)
        if action is None:
            assert state.over, "a match that is not over always has a legal act"
            return
        after = GAME.apply(state, action)
        yield state, action, after
        state = after


def line_of(action: act.Act) -> str:
    return f"{act.quoted(action.player)} {GAME.encode(action)}"


def read(state: State, action: act.Act) -> act.Act:
    """The act written and read again."""
    words, wrong = words_of(line_of(action))
    assert not wrong and words[0] == action.player
    return GAME.parse(words[0], words[1:], state)


@QUICK
@given(starts(), randoms)
def test_written_and_read_again_a_match_is_the_same_after_every_act(
    start: State, random: Random
) -> None:
    again, log, states = start, [], [start]
    for before, action, after in walk(start, random, 45):
        assert GAME.check(before, action).legal
        assert read(before, action) == action
        again = GAME.apply(again, read(again, action))
        assert again == after and hash(again) == hash(after)
        log.append(line_of(action))
        states.append(after)
    for cut in {random.randrange(len(states)), len(states) - 1}:
        played = replayed(start, "\n".join(log[:cut]))
        assert played.state == states[cut]
        assert not played.problems


@QUICK
@given(starts(), randoms)
def test_undoing_an_act_gives_the_state_before_it(start: State, random: Random) -> None:
    steps = list(walk(start, random, 35))
    log = [line_of(action) for _, action, _ in steps]
    for cut in random.sample(range(len(log)), min(4, len(log))):
        before, action, _ = steps[cut]
        undone = replayed(start, "\n".join(log[:cut])).state
        assert undone == before
        assert GAME.apply(undone, action) == steps[cut][2]


@QUICK
@given(starts(), randoms)
def test_no_card_appears_or_is_lost(start: State, random: Random) -> None:
    for _, _, after in walk(start, random, 45):
        assert counted(after) == after.out


BOAT = re.compile(r"(?:paddler-)?bow(?::\w+)?(?:=\d+)?(?: (?!(?:paddler-)?(?:bow|stern)\b(?!-))"
                  r"(?!\. |\.$)\S+)* (?:paddler-)?stern(?::\w+)?(?:=\d+)?(?= |$)")  # fmt: skip
"""A completed canoe in a written row, found without the engine."""


@QUICK
@given(starts(), randoms)
def test_a_completed_canoe_is_one_bow_then_no_ends_then_one_stern(
    start: State, random: Random
) -> None:
    for _, _, after in walk(start, random, 35):
        for board in after.boards:
            found = [" ".join(map(str, canoe.cards)) for canoe in completed(board)]
            assert found == [m.group() for row in board for m in BOAT.finditer(str(row))]
            for canoe in completed(board):
                ends = [card.kind.end for card in canoe.cards]
                assert ends == ["bow", *[""] * (len(ends) - 2), "stern"]


@settings(QUICK, max_examples=25)
@given(starts(), randoms)
def test_legal_is_the_candidates_that_nothing_speaks_against(start: State, random: Random) -> None:
    for number, (before, _, _) in enumerate(walk(start, random, 24)):
        if number % 4:
            continue
        asked = list(candidates(before))
        assert len(set(asked)) == len(asked), "nothing is asked twice"
        allowed = [a for a in asked if not (v := GAME.check(before, a)).objections + v.unknowns]
        assert list(GAME.legal(before)) == allowed
        assert allowed


@QUICK
@given(starts(), randoms)
def test_declining_never_blocks(start: State, random: Random) -> None:
    for before, _, _ in walk(start, random, 40):
        if not before.awaiting or before.awaiting[0].offer == "axe":
            continue
        head = before.awaiting[0]
        after = GAME.apply(before, act.Decline(head.player))
        assert after.over or after.turn != before.turn or after.awaiting[0] != head
        assert after.over or next(GAME.legal(after))
        assert counted(after) == after.out


@settings(QUICK, max_examples=15)
@given(starts(), st.integers(0, 2**32))
def test_letting_everything_pass_ends_the_turn(start: State, seed: int) -> None:
    """Whoever is asked may say no until nothing is asked any more."""
    random = Random(seed)
    for before, _, _ in walk(start, random, 25):
        state = before
        for _ in range(20):
            if not state.awaiting or state.awaiting[0].offer == "axe":
                break
            state = GAME.apply(state, act.Decline(state.awaiting[0].player))
        assert len(state.awaiting) <= 1


cards = st.builds(
    lambda name, seed: dressed(Card(DECK[name]), Random(seed)),
    st.sampled_from([*ALWAYS, "chief", "eagle", "paddler-1", "middle"]),
    st.integers(0, 99),
)
numbers = st.integers(-2, 9)
board_rows = st.integers(1, 3)
spots = st.builds(act.Spot, board_rows, numbers)
sides = st.sampled_from(["left", "right"])
besides = st.builds(act.Beside, board_rows, st.sampled_from(["bear-a", "bear-b"]), sides, sides)
somebody = st.sampled_from(NAMES)
rivals = st.builds(Target, somebody, board_rows, numbers)
shares = st.lists(
    st.builds(Target, somebody, board_rows, numbers, st.integers(0, 9)), min_size=1, max_size=3
)
MAKERS: list[Callable[..., Any]] = [act.Decline, act.Pass, act.End, act.Reshuffle, act.DecksOut]
any_act = st.one_of(
    *(st.builds(maker, somebody) for maker in MAKERS),
    st.builds(act.Reveal, somebody, cards),
    st.builds(act.Lay, somebody, cards, spots | besides),
    st.builds(act.Discard, somebody, cards),
    st.builds(act.Steal, somebody, somebody, board_rows, numbers, st.none() | spots | besides),
    st.builds(act.Shoot, somebody, somebody, board_rows, numbers),
    st.builds(act.Axe, somebody, board_rows, numbers),
    st.builds(
        act.Attack,
        somebody,
        board_rows,
        numbers,
        st.lists(rivals, min_size=1, max_size=3).map(tuple) | shares.map(tuple),
    ),
    st.builds(act.Take, somebody, cards, spots | besides),
    st.builds(
        act.Observe,
        somebody,
        board_rows,
        st.lists(st.none() | cards, max_size=5).map(tuple),
        numbers,
    ),
)


@given(any_act)
def test_every_act_is_written_and_read_again(action: act.Act) -> None:
    assert read(begin(NAMES, first=None), action) == action


@pytest.mark.parametrize(
    "name", ["Ana", "Big Ben", "to", "and", "with", "#1", "!", "Ana!", "1", "O'Neil", "a\u00a0b"]
)
def test_every_name_is_written_and_read_again(name: str) -> None:
    state = begin((name, "Zoe"), first=None)
    target = Target(name, 1, 2, 3)
    for action in (
        act.Steal(name, name, 1, 1, act.Spot(2, -1)),
        act.Steal("Zoe", name, 1, 1, None),
        act.Shoot("Zoe", name, 3, 0),
        act.Attack("Zoe", 1, 1, (target, target)),
    ):
        assert read(state, action) == action


def wild(state: State, random: Random) -> act.Act:
    """An act aimed at cards that lie there, with no thought of whose turn it is or what is offered."""
    player, victim, third = (random.choice(state.players) for _ in range(3))
    card = random.choice([*state.held(), dressed(Card(DECK[random.choice(ALWAYS)]), random)])

    def lying(owner: str) -> tuple[int, int]:
        board = state.board(owner)
        there = [(r, c) for r, row in enumerate(board, 1) for c, _ in row.items()]
        return random.choice([*there, (random.randint(1, 3), random.randint(-2, 9))])

    def free() -> act.Destination:
        if random.random() < 0.2:
            side, shift = random.choice(["left", "right"]), random.choice(["left", "right"])
            return act.Beside(
                random.randint(1, 3), random.choice(["bear-a", "bear-b"]), side, shift
            )
        row, column = lying(player)
        return act.Spot(row, column + random.choice([-1, 0, 1, 1]))

    targets = (Target(victim, *lying(victim)), Target(third, *lying(third)))
    cells = tuple(random.choices([None, card, Card(DECK["bow"]), Card(DECK["stern"])], k=4))
    ways: list[act.Act] = [
        act.Reveal(player, card),
        act.Lay(player, card, free()),
        act.Discard(player, card),
        act.Steal(player, victim, *lying(victim), random.choice([None, free(), free()])),
        act.Shoot(player, victim, *lying(victim)),
        act.Axe(player, *lying(player)),
        act.Attack(player, *lying(player), targets[: random.randint(1, 2)]),
        act.Take(player, card, free()),
        act.Observe(player, random.randint(1, 3), cells, random.randint(-1, 3)),
        random.choice(MAKERS)(player),
    ]
    return random.choice(ways)


@settings(QUICK, max_examples=100)
@given(starts(), randoms)
def test_any_act_at_all_leaves_the_old_state_alone(start: State, random: Random) -> None:
    state = replace(start, deck=DECK)
    for _, _, after in walk(state, random, random.randrange(25)):
        state = after
    for _ in range(25):
        action = wild(state, random)
        shown, hashed = repr(state), hash(state)
        verdict = GAME.check(state, action)
        if verdict.possible:
            after = GAME.apply(state, action)
            assert counted(after) == after.out, action
        else:
            with pytest.raises(ImpossibleAction):
                GAME.apply(state, action)
            after = state
        assert (repr(state), hash(state)) == (shown, hashed)
        state = after
        assert state.over or next(GAME.legal(state), None) is not None, action
        assert GAME.view(state)[-1]
        GAME.score(GAME.standing(state), state.options, DECK)


@settings(QUICK, max_examples=25)
@given(starts(), st.integers(0, 2**32))
def test_the_score_of_a_walk_has_no_problem_but_a_robbed_row(start: State, seed: int) -> None:
    """Legal play leaves nothing to object to; only a theft can leave ends that do not alternate."""
    state = start
    robbed = False
    for _, action, after in walk(start, Random(seed), 45):
        robbed = robbed or isinstance(action, act.Steal)
        state = after
    rules = {p.rule for p in GAME.score(GAME.standing(state), state.options, DECK).problems}
    assert rules <= ({"utc:build.bow-stern"} if robbed else set())


@given(st.lists(st.none() | cards, max_size=9), numbers)
def test_a_written_row_is_read_as_it_lay(cells: list[Card | None], first: int) -> None:
    action = act.Observe("Ana", 2, tuple(cells), first)
    state = begin(first=None)
    after = GAME.apply(state, read(state, action))
    assert after.board("Ana")[1] == Row.of(cells, first)
    back = act.Observe("Ana", 2, after.board("Ana")[1].cells, after.board("Ana")[1].first)
    assert GAME.apply(state, read(state, back)).boards == after.boards
