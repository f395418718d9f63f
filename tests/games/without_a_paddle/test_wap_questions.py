"""Questions: the barred number, following suit, the chart of deals."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.model import Card
from companion.core.errors import UnusableInput
from companion.core.game import PlayerName
from companion.core.verdict import Clarity, Outcome, settle
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position
from companion.games.without_a_paddle.questions import (
    BidQuestion,
    DealQuestion,
    PlayQuestion,
    TrickQuestion,
)

ANA, BEN, CLEO, DAN = map(PlayerName, ("Ana", "Ben", "Cleo", "Dan"))
FOUR = Position((ANA, BEN, CLEO, DAN), DAN, ())
RULES = Options()


@given(st.tuples(*(st.integers(0, 10),) * 3), st.integers(0, 13))
def test_the_dealer_may_bid_all_but_the_number_that_fills_the_round(
    others: tuple[int, int, int], bid: int
) -> None:
    bids = dict(zip((ANA, BEN, CLEO), others, strict=True))
    verdict = BidQuestion(DAN, bid, 1, bids).ask(FOUR, RULES)
    assert verdict.legal is (bid <= 10 and sum(others) + bid != 10)
    free = BidQuestion(DAN, bid, 1, bids).ask(FOUR, Options(hook="off"))
    assert free.legal is (bid <= 10)


@given(st.dictionaries(st.sampled_from((ANA, BEN)), st.integers(0, 10)), st.integers(0, 10))
def test_a_missing_bid_matters_only_while_it_can_fill_the_round(
    bids: dict[PlayerName, int], bid: int
) -> None:
    verdict = BidQuestion(DAN, bid, 1, bids).ask(FOUR, RULES)
    known = sum(bids.values())
    assert verdict.outcome is (Outcome.UNDETERMINED if known + bid <= 10 else Outcome.LEGAL)
    assert verdict.value == {"forbidden": None if known <= 10 else []}


def test_a_changed_bid_is_silent_both_ways() -> None:
    early = BidQuestion(BEN, 3, 1, {ANA: 2, BEN: 5})
    ruling = settle(lambda o: early.ask(FOUR, o), RULES)
    assert (ruling.verdict.outcome, ruling.clarity) == (Outcome.LEGAL, Clarity.SILENT)
    late = BidQuestion(BEN, 3, 1, {ANA: 2, BEN: 5, CLEO: 0})
    ruling = settle(lambda o: late.ask(FOUR, o), RULES)
    assert (ruling.verdict.outcome, ruling.clarity) == (Outcome.ILLEGAL, Clarity.SILENT)
    assert ruling.rules == ("wap:bid.stands",)


def test_the_own_bid_repeated_is_no_change() -> None:
    same = BidQuestion(BEN, 5, 1, {ANA: 2, BEN: 5, CLEO: 0})
    ruling = settle(lambda o: same.ask(FOUR, o), RULES)
    assert (ruling.verdict.outcome, ruling.clarity) == (Outcome.LEGAL, Clarity.CLEAR)


@pytest.mark.parametrize(
    ("players", "direction", "cards"),
    [
        (3, "down", [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (6, "down", [8, 7, 6, 5, 4, 3, 2, 1]),
        (8, "down", [6, 5, 4, 3, 2, 1]),
        (7, "down-up", [6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6]),
        (5, "down-up", [8, 7, 6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6, 7, 8]),
    ],
)
def test_the_chart_of_deals(players: int, direction: str, cards: list[int]) -> None:
    names = tuple("ABCDEFGH"[:players])
    position = Position(names, PlayerName("A"), ())
    rules = Options(direction=direction)
    for number, dealt in enumerate(cards, 1):
        value = DealQuestion(number).ask(position, rules).value
        assert value == {
            "cards": dealt,
            "dealer": names[(number - 1) % players],
            "first_bidder": names[number % players],
            "rounds": len(cards),
            "left_over": 52 - dealt * players,
        }
    for number in (0, -1, len(cards) + 1):
        with pytest.raises(UnusableInput, match=f"round {number} does not exist"):
            DealQuestion(number).ask(position, rules)


def test_a_match_that_has_not_cut_knows_no_deal() -> None:
    unknown = Position((ANA, BEN, CLEO), None, ())
    with pytest.raises(UnusableInput, match="dealer"):
        DealQuestion(1).ask(unknown, RULES)
    with pytest.raises(UnusableInput, match="dealer"):
        BidQuestion(ANA, 1, 1, {}).ask(unknown, RULES)


def test_a_card_must_follow_the_suit_led_and_not_what_others_threw(
    card: Callable[[str], Card],
) -> None:
    hand = (card("4S"), card("9H"))
    plays = ((ANA, card("QS")), (BEN, card("2H")))
    verdict = PlayQuestion(hand, card("9H"), plays).ask(FOUR, RULES)
    assert [o.rule for o in verdict.objections] == ["wap:play.follow"]
    assert verdict.objections[0].instead == ("play 4S",)
    assert PlayQuestion(hand, card("4S"), plays).ask(FOUR, RULES).legal
    assert PlayQuestion(hand, card("9H"), led="C").ask(FOUR, RULES).legal


def test_unusable_plays_are_told_all_at_once(card: Callable[[str], Card]) -> None:
    everybody = tuple(
        (n, card(c)) for n, c in ((ANA, "2S"), (BEN, "3S"), (CLEO, "4S"), (DAN, "2S"))
    )
    with pytest.raises(UnusableInput) as caught:
        PlayQuestion((card("3S"), card("9H"), card("9H")), card("9H"), everybody, "H").ask(
            FOUR, RULES
        )
    text = str(caught.value)
    for part in (
        "2S is played twice",
        "9H is listed twice",
        "3S lies in the trick",
        "all 4",
        "use S",
    ):
        assert part in text


@given(st.permutations(range(52)), st.integers(1, 4))
def test_the_winner_has_the_best_card_of_the_suit_led(
    card: Callable[[str], Card], order: list[int], count: int
) -> None:
    ranks = [*map(str, range(2, 11)), "J", "Q", "K", "A"]
    cards = [(i % 13, "SHDC"[i // 13]) for i in order[:count]]
    plays = tuple(
        (name, card(ranks[rank] + suit))
        for name, (rank, suit) in zip((ANA, BEN, CLEO, DAN), cards, strict=False)
    )
    value = TrickQuestion(plays).ask(FOUR, RULES).value
    led = cards[0][1]
    best = max(range(count), key=lambda i: (cards[i][1] == led, cards[i][0]))
    assert value == plays[best][0]
