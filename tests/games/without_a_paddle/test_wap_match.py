"""Matches: what each act is told by the referee, and what it leads to."""

from collections.abc import Callable
from typing import Any

import pytest

from card_catalog.model import Card, Deck
from companion.core.errors import ImpossibleAction
from companion.core.verdict import Clarity, Outcome, settle
from companion.games.without_a_paddle import GAME
from companion.games.without_a_paddle.actions import Bid, Tricks
from companion.games.without_a_paddle.state import totals

Opened = Callable[..., Any]

BIDS = """
    Ana bid 4
    Ben bid 3
    Cleo bid 2
"""
LIGHT = (
    BIDS
    + """
    Ana tricks 4
    Ben tricks 4
    Cleo tricks 2
"""
)
BEN_HOLDS = 'Ben hand "2S 3S 4S 5S 6S 7S 2H 3H 4H 5H"\n'
SEVEN = "Ana Ben Cleo Dan Eve Finn Gus"


def verdict_on(state: Any, line: str) -> Any:
    import shlex

    player, *words = shlex.split(line)
    return GAME.check(state, GAME.parse(player, words, state))


@pytest.mark.parametrize(
    ("before", "act", "rules"),
    [
        ("", "Ana bid 10", []),
        ("", "Ana bid 11", ["wap:bid.range"]),
        ("", "Ben bid 3", ["wap:bid.order"]),
        ("", "Cleo bid 11", ["wap:bid.range", "wap:bid.order"]),
        ("Ana bid 4\nBen bid 3", "Cleo bid 3", ["wap:bid.hook"]),
        ("Ana bid 4\nBen bid 3", "Cleo bid 2", []),
        ("Ana bid 4", "Ana bid 5", []),
        ("Ana bid 4\nBen bid 3", "Ana bid 5", ["wap:bid.stands"]),
        (BIDS, "Cleo bid 1", []),
        (BIDS, "Cleo bid 3", ["wap:bid.hook"]),
        (BIDS + "Ana play AS", "Cleo bid 1", ["wap:bid.stands"]),
        (BIDS + "Ana tricks 4", "Cleo bid 1", ["wap:bid.stands"]),
        ("", "Ana cut AS", ["wap:start.cut"]),
        ("", "Ana play AS", ["wap:bid.order"]),
        (BIDS, "Ben play AS", ["wap:play.lead"]),
        (BIDS + "Ana play AS", "Cleo play 2S", ["wap:play.turn"]),
        (BIDS + "Ana wins", "Cleo play 2S", ["wap:trick.next-lead"]),
        (BIDS + BEN_HOLDS + "Ana play AS", "Ben play 2H", ["wap:play.follow"]),
        (BIDS + BEN_HOLDS + "Ana play AC", "Ben play 2H", []),
        (BIDS + "Ana play 9S\nBen play 10S", "Ana wins", ["wap:trick.winner"]),
        ("Ana bid 4", "Ana wins", ["wap:bid.order"]),
        (BIDS, "Ana tricks 11", ["wap:trick.all"]),
        (BIDS + "Ana tricks 4\nBen tricks 4", "Cleo tricks 3", ["wap:trick.all"]),
        (BIDS + "Ana tricks 4\nBen tricks 4", "Cleo tricks 1", ["wap:trick.all"]),
        (BIDS + "Ana wins\nAna wins", "Ana tricks 1", ["wap:trick.all"]),
        (BIDS + "Ana wins\nAna tricks 1", "Ana wins", ["wap:trick.all"]),
        (BIDS + "Ana tricks 6\nBen tricks 4", "Cleo wins", ["wap:trick.all"]),
        ("", 'Ben hand "AS KS"', ["wap:deal.cards"]),
        (LIGHT, 'Ben hand "AS KS"', ["wap:round.fewer"]),
        ("", "Ana renege", ["wap:bid.order"]),
        (BIDS, "Ana renege", []),
        (LIGHT, "Ana renege", []),
        ("", "Ana misdeal", []),
    ],
)
def test_objections(before: str, act: str, rules: list[str], opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), before)
    verdict = verdict_on(state, act)
    assert [o.rule for o in verdict.objections] == rules
    assert verdict.possible
    play(state, act)


@pytest.mark.parametrize(
    ("before", "act", "rule"),
    [
        (BIDS + "Ana play AS", "Ben play AS", "wap:cards.once"),
        (BIDS + BEN_HOLDS, "Ana play 2S", "wap:cards.once"),
        (BIDS + "Ana play AS", 'Ben hand "AS KS"', "wap:cards.once"),
        (BEN_HOLDS, 'Ana hand "2S"', "wap:cards.once"),
        (BEN_HOLDS, 'Ben hand "9C"', "wap:play.from-hand"),
        (BIDS + BEN_HOLDS + "Ana play AS", "Ben play 9S", "wap:play.from-hand"),
        (BIDS + "Ana play AS", "Ana play KS", "wap:play.turn"),
        (BIDS, "Ana renege 2", "wap:renege.offence"),
        (BIDS, "Ana observe tricks 1 round 2", "wap:round.count"),
        ("Ana bid 4\n" + "Ana wins\n" * 10, "Ana wins", "wap:trick.all"),
        ("Ana bid 4\n" + "Ana wins\n" * 10, "Ana play AS", "wap:trick.all"),
    ],
)
def test_what_cannot_have_happened(
    before: str, act: str, rule: str, opened: Opened, play: Opened
) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), before)
    verdict = verdict_on(state, act)
    assert rule in [o.rule for o in verdict.objections if o.impossible]
    with pytest.raises(ImpossibleAction):
        play(state, act)


def test_negative_numbers_and_strangers_cannot_act(opened: Opened) -> None:
    state = opened("Ana Ben Cleo", "Cleo")
    for action in (Bid("Ana", -1), Tricks("Ana", -1), Bid("Zoe", 1)):
        assert not GAME.check(state, action).possible


@pytest.mark.parametrize("act", ["bid 1", "wins", "tricks 1", "misdeal", "play AS", 'hand "AS"'])
def test_nothing_of_a_round_happens_before_the_deal_and_after_the_end(
    act: str, opened: Opened, play: Opened
) -> None:
    uncut = opened("Ana Ben Cleo")
    (objection,) = verdict_on(uncut, f"Ana {act}").objections
    assert (objection.rule, objection.impossible) == ("wap:start.cut", True)
    over = finished(opened(SEVEN, "Gus"), play)
    for verb in (act, "cut AS"):
        (objection,) = verdict_on(over, f"Ana {verb}").objections
        assert (objection.rule, objection.impossible) == ("wap:end.over", True)


def finished(state: Any, play: Opened) -> Any:
    """Everybody bids 0, the first bidder takes all tricks, round after round."""
    while not state.over:
        order, cards = state.deal.order, state.deal.cards
        state = play(state, "\n".join(f"{name} bid 0" for name in order))
        state = play(state, f"{order[0]} wins\n" * cards)
    return state


def test_the_end_is_told_with_its_reason(opened: Opened, play: Opened, deck: Deck) -> None:
    state = finished(opened(SEVEN, "Gus"), play)
    # round 1 to Ana: -6+5, 2 to Ben: -5+5, ... 6 to Finn: -1+5; everything else +10
    expected = {
        "Ana": 149,
        "Ben": 150,
        "Cleo": 151,
        "Dan": 152,
        "Eve": 153,
        "Finn": 154,
        "Gus": 160,
    }
    assert totals(state) == expected
    assert GAME.score(GAME.standing(state), state.options, deck).totals == expected
    assert "The last round is over" in state.news[-1]
    assert state.news[-1].endswith("Gus wins.")


def test_a_correction_after_the_end_may_make_a_tie(opened: Opened, play: Opened) -> None:
    acts = "Ana observe tricks 0 round 1\nBen observe tricks 6 round 1"
    state = play(finished(opened(SEVEN, "Gus"), play), acts)
    # Ana now makes her bid of 0 in round 1 too: 100 + 6 x 10
    assert totals(state)["Ana"] == totals(state)["Gus"] == 160
    assert GAME.view(state)[-1] == "The match is over; the most points: Ana and Gus."


@pytest.mark.parametrize(
    ("tie", "words"), [("shared", "share the win"), ("extra-round", "extra round settles it")]
)
def test_a_tie_is_announced(tie: str, words: str, opened: Opened, play: Opened) -> None:
    state = opened(SEVEN, "Gus", hook="off", tie=tie)
    while not state.over:
        cards = state.deal.cards
        bids = dict.fromkeys(state.deal.order, 0) | {"Gus": 1}
        state = play(state, "\n".join(f"{name} bid {bid}" for name, bid in bids.items()))
        state = play(state, "Gus wins\n" * cards)
    # all but Gus have 160: he never makes 1 but in the last round
    assert words in state.news[-1]


def test_the_deal_passes_left_and_the_cards_go_down_and_up(opened: Opened, play: Opened) -> None:
    state = opened(SEVEN, "Gus", direction="down-up")
    seen = []
    while not state.over:
        seen.append((state.deal.dealer, state.deal.cards))
        order, cards = state.deal.order, state.deal.cards
        state = play(state, "\n".join(f"{name} bid 0" for name in order))
        state = play(state, f"{order[0]} tricks {cards}")
        state = play(state, "\n".join(f"{name} tricks 0" for name in order[1:]))
    dealers = ["Gus", "Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Ana", "Ben", "Cleo"]
    assert seen == list(zip(dealers, [6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6], strict=True))


def test_the_hook_moves_with_the_deal(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), LIGHT + "Ben bid 4\nCleo bid 3")
    # round 2: nine cards, Ana deals
    assert [a.number for a in GAME.legal(state)] == [0, 1, 3, 4, 5, 6, 7, 8, 9]
    assert GAME.view(state)[-1] == "Ana bids, 0 to 9, not 2."


def test_a_bid_that_may_be_changed_rests_on_silence(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), "Ana bid 4")
    again = Bid("Ana", 5)
    ruling = settle(lambda o: GAME.check(state, again), state.options)
    assert (ruling.verdict.outcome, ruling.clarity) == (Outcome.LEGAL, Clarity.SILENT)
    state = play(state, "Ana bid 5\nBen bid 3")
    late = settle(lambda o: GAME.check(state, again), state.options)
    assert (late.verdict.outcome, late.clarity) == (Outcome.ILLEGAL, Clarity.SILENT)


def test_cutting_for_the_deal(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo"), "Ana cut KS\nBen cut AD\nCleo cut AC")
    assert (state.dealer, state.cutters) == (None, ("Ben", "Cleo"))
    assert [o.rule for o in verdict_on(state, "Ana cut 2S").objections] == ["wap:start.cut-again"]
    assert play(state, "Ana cut 2S").cuts == ()
    state = play(state, "Cleo cut 2C\nBen cut 3D")
    assert state.dealer == "Ben"
    assert state.news[-1] == "Ben deals round 1 of 10, 10 cards each; Cleo bids first."


def test_an_unknown_hand_makes_another_suit_undetermined(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BIDS + "Ana play AS")
    assert verdict_on(state, "Ben play 2S").outcome is Outcome.LEGAL
    verdict = verdict_on(state, "Ben play 2H")
    assert verdict.outcome is Outcome.UNDETERMINED
    assert "spades" in verdict.unknowns[0].text
    # once he has denied the suit he is taken at his word
    state = play(state, "Ben play 2H\nCleo play 3S\nAna play KS")
    assert verdict_on(state, "Ben play 3H").outcome is Outcome.LEGAL


def test_the_last_card_of_a_hand_cannot_be_wrong(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BIDS + "Ana wins\n" * 9 + "Ana play AS")
    assert verdict_on(state, "Ben play 2H").outcome is Outcome.LEGAL


def test_a_suit_that_has_been_seen_elsewhere_cannot_be_held(opened: Opened, play: Opened) -> None:
    hands = 'Ana hand "AS KS QS JS 10S 9S 8S 7S 6S 5S"\nCleo hand "4S 3S 2S 2H 3H 4H 5H 6H 7H 8H"\n'
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BIDS + hands + "Ana play AS")
    assert verdict_on(state, "Ben play AC").outcome is Outcome.LEGAL


def test_a_renege_that_shows_later_is_counted_and_noted(opened: Opened, play: Opened) -> None:
    acts = BIDS + "Ana play AS\nBen play 2H\nCleo play 3S\nAna play KS"
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), acts)
    shown = verdict_on(state, "Ben play 4S")
    assert shown.legal
    assert "renege" in shown.reasons[0]
    state = play(state, "Ben play 4S")
    assert any("renege" in text for text in state.news)
    assert any("trick 1" in text and "Ben" in text for text in state.notes)
    assert state.table.reneges == (0, 1, 0)
    # naming the same offence does not double it, naming another one adds to it
    assert play(state, "Ben renege").table.reneges == (0, 1, 0)
    assert play(state, "Ben renege\nBen renege").table.reneges == (0, 2, 0)
    assert play(state, "Ben observe reneges 0").table.reneges == (0, 0, 0)


def test_a_hand_that_is_told_later_proves_a_renege(opened: Opened, play: Opened) -> None:
    acts = BIDS + "Ana play AS\nBen play 2H\nCleo play 3S\n"
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), acts)
    clean = play(state, 'Ben hand "3H 4H 5H 6H 7H 8H 9H 10H JH"')
    assert clean.table.reneges == (0, 0, 0)
    guilty = play(state, 'Ben hand "4S 4H 5H 6H 7H 8H 9H 10H JH"')
    assert guilty.table.reneges == (0, 1, 0)
    seen = play(state, 'Ben observe hand "4S 4H 5H 6H 7H 8H 9H 10H JH"')
    assert seen.table.reneges == (0, 1, 0)
    assert len(seen.corrections) == 1


def test_a_known_hand_that_reneges_is_charged_at_once(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), BIDS + BEN_HOLDS + "Ana play AS\nBen play 2H")
    assert state.table.reneges == (0, 1, 0)
    assert any("20 points" in text for text in state.news)
    assert state.notes


def test_a_trick_goes_to_the_best_card_of_the_suit_led(
    opened: Opened, play: Opened, card: Callable[[str], Card]
) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), BIDS + "Ana play 9S\nBen play AH\nCleo play 10S")
    assert (state.table.won, state.table.leader) == ((0, 0, 1), "Cleo")
    assert state.table.trick == ()
    assert state.table.played[1] == (card("AH"),)
    assert GAME.view(state)[-1].startswith("The tricks of Ana")


def test_a_trick_that_nobody_recorded_makes_hands_unknown(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BIDS + BEN_HOLDS + "Ana play AS")
    assert verdict_on(state, "Cleo wins").outcome is Outcome.UNDETERMINED
    state = play(state, "Cleo wins")
    assert state.table.hands == (None, None, None)
    light = play(opened("Ana Ben Cleo", "Cleo"), BIDS)
    assert verdict_on(light, "Cleo wins").legal


def test_a_renege_belongs_to_the_round_that_was_played(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), LIGHT + "Ben renege")
    assert [r.reneged for r in state.rounds] == [("Ben",)]
    later = play(state, "Ben bid 4\nCleo bid 3\nAna bid 1\nCleo renege\nCleo renege 1")
    assert [r.reneged for r in later.rounds] == [("Ben", "Cleo")]
    assert later.table.reneges == (0, 0, 1)


def test_observe_sets_what_is_there_and_is_remembered(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), LIGHT)
    # 114, 99, 112; then Ana bid 3 and won 5, Ben won 3 of 3
    acts = "Ana observe bid 3 round 1\nAna observe tricks 5\nBen observe tricks 3"
    for line in acts.splitlines():
        assert verdict_on(state, line).legal
    state = play(state, acts)
    assert totals(state) == {"Ana": 98, "Ben": 113, "Cleo": 112}
    assert state.corrections == (
        "Round 1: bid of Ana set to 3 (it said 4).",
        "Round 1: tricks of Ana set to 5 (it said 4).",
        "Round 1: tricks of Ben set to 3 (it said 4).",
    )
    state = play(state, "Ana observe reneges 2 round 1")
    assert totals(state)["Ana"] == 78


def test_observe_in_the_round_on_the_table(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), BIDS + "Ana tricks 3\nAna observe tricks 4")
    assert state.table.said == (4, None, None)
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BIDS + "Ana wins\nAna observe tricks 0")
    assert state.table.won == (0, 0, 0)


def test_observe_the_dealer(opened: Opened, play: Opened) -> None:
    assert play(opened("Ana Ben Cleo"), "Ben observe dealer").deal.dealer == "Ben"
    state = play(opened("Ana Ben Cleo", "Cleo"), LIGHT + "Cleo observe dealer")
    assert (state.deal.dealer, state.deal.round) == ("Cleo", 2)
    assert GAME.standing(state).dealer == "Ben"


def test_observe_a_hand_makes_a_clashing_one_unknown(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo", "full"), BEN_HOLDS + 'Ana observe hand "2S AS"')
    assert state.table.hands[1] is None
    assert len(state.table.hands[0]) == 2


def test_a_misdeal_clears_the_round_only(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), LIGHT + "Ben bid 4\nCleo bid 9")
    again = play(state, "Ana misdeal")
    assert again.rounds == state.rounds
    assert again.table.bids == (None, None, None)
    assert again.deal == state.deal
    assert GAME.check(state, GAME.parse("Ana", ["misdeal"], state)).points == (
        ("wap:deal.misdeal", Clarity.SILENT),
    )


def test_a_round_waits_for_a_missing_bid(opened: Opened, play: Opened) -> None:
    state = play(opened("Ana Ben Cleo", "Cleo"), "Ana bid 4\nBen bid 3\n" + "Ana wins\n" * 10)
    assert state.rounds == ()
    assert GAME.view(state)[-1] == "Cleo bids, 0 to 10, not 3."
    assert len(play(state, "Cleo bid 2").rounds) == 1


def test_the_view_shows_the_sheet_and_the_trick(opened: Opened, play: Opened) -> None:
    acts = LIGHT + "Ben renege\nBen bid 4\nCleo bid 3\nAna bid 1\nBen play 9S"
    lines = GAME.view(play(opened("Ana Ben Cleo", "Cleo", "full"), acts))
    assert lines[1].split() == ["1", "10", "4/4", "114", "3/4!", "79", "2/2", "112"]
    assert "Trick: Ben 9S" in lines
    assert lines[-1] == "Cleo plays to trick 1 of 9."
