"""Scores of Gold Up: totals are sums of lines, whoever sits where."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from card_catalog.loader import shipped_deck
from card_catalog.model import Card
from companion.core.game import PlayerName
from companion.core.score import Score
from companion.games.gold_up import GAME
from companion.games.gold_up.cards import COLOURS
from companion.games.gold_up.options import Options
from companion.games.gold_up.payment import cheapest
from companion.games.gold_up.position import Hand, Position

DECK = shipped_deck("gold-up")
COINS = (2, 4, 5, 6, 8, 10)
OPTIONS = Options(values=tuple(zip(COLOURS, COINS, strict=True)))
NAMES = tuple(map(PlayerName, ("Ana", "Ben", "Cleo", "Dan")))
KEYS = [Card(k) for k in DECK.kinds.values() if k.group == "key"]

chests = st.builds(
    Card,
    st.sampled_from([k for k in DECK.kinds.values() if k.group == "chest"]),
    st.none(),
    st.none() | st.integers(0, 20),
)
by_chests = st.builds(
    Hand, st.dictionaries(st.sampled_from(NAMES), st.lists(chests, max_size=12).map(tuple))
)
by_coins = st.builds(Hand, st.none(), st.dictionaries(st.sampled_from(NAMES), st.integers(0, 200)))
hands = st.lists(by_chests | by_coins, max_size=6).map(tuple)


def scored(names: tuple[str, ...], played: tuple[Hand, ...]) -> Score:
    return GAME.score(Position(names, played), OPTIONS, DECK)


def worth(chest: Card) -> int:
    """Coins of a chest, reckoned apart from the game's code."""
    return COINS[COLOURS.index(chest.kind.family)] if chest.number is None else chest.number


@given(hands)
def test_totals_are_the_sum_of_lines_and_of_coins(played: tuple[Hand, ...]) -> None:
    expected: Counter[str] = Counter()
    for hand in played:
        for name, own in (hand.chests or {}).items():
            expected[name] += sum(map(worth, own))
        expected.update(hand.coins or {})
    score = scored(NAMES, played)
    for player in score.players:
        assert player.total == sum(line.points for line in player.lines) == expected[player.name]
        numbers = [dict(line.where)["hand"] for line in player.lines]
        assert numbers == sorted(numbers) and set(numbers) == set(range(1, len(played) + 1))


@given(hands, st.permutations(NAMES))
def test_the_order_of_players_does_not_matter(
    played: tuple[Hand, ...], names: list[PlayerName]
) -> None:
    one, other = scored(NAMES, played), scored(tuple(names), played)
    assert one.totals == other.totals
    assert set(one.winners) == set(other.winners)
    assert one.complete == other.complete
    assert {(p.rule, p.where) for p in one.problems} == {(p.rule, p.where) for p in other.problems}


@given(hands)
def test_complete_from_the_first_hand_that_reaches_the_target(played: tuple[Hand, ...]) -> None:
    reached = any(
        max(scored(NAMES, played[:n]).totals.values()) >= 300 for n in range(1, len(played) + 1)
    )
    score = scored(NAMES, played)
    assert score.complete is reached
    best = max(score.totals.values())
    assert score.winners == tuple(n for n in NAMES if score.totals[n] == best)


def test_an_unfinished_hand_does_not_end_the_match() -> None:
    hand = Hand(coins={NAMES[0]: 400}, finished=False)
    assert scored(NAMES[:2], (hand,)).complete is False


@given(
    st.lists(st.sampled_from(KEYS), max_size=9),
    st.lists(chests, min_size=1, max_size=5),
)
def test_cheapest_payment_uses_as_few_jokers_as_any(hand: list[Card], line: list[Card]) -> None:
    held = Counter(k.kind.family for k in hand if k.kind.family)
    jokers = sum(k.id == "key-joker" for k in hand)
    needed = Counter(c.kind.family for c in line)
    short = sum((needed - held).values())
    paid = cheapest(line, hand)
    if short > jokers:
        assert paid is None
        return
    assert paid is not None and len(paid) == len(line)
    assert sum(k.id == "key-joker" for k in paid) == short
    assert not Counter(k.id for k in paid) - Counter(k.id for k in hand)
    for chest, key in zip(line, paid, strict=True):
        assert key.id == "key-joker" or key.kind.family == chest.kind.family
    # Of two chests of one colour the key goes to the first.
    for at, (chest, key) in enumerate(zip(line, paid, strict=True)):
        later = [k for c, k in zip(line[at:], paid[at:], strict=True) if c.kind == chest.kind]
        if key.id == "key-joker":
            assert all(k.id == "key-joker" for k in later)
