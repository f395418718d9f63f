"""Scores: each round by hand, totals as sums of lines, no matter in which order players stand."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.model import Deck
from companion.core.game import PlayerName
from companion.games.without_a_paddle import GAME
from companion.games.without_a_paddle.deal import cards_in, rounds_of
from companion.games.without_a_paddle.options import Options
from companion.games.without_a_paddle.position import Position, Round
from companion.games.without_a_paddle.scoring import points_of, round_lines, score

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")
ONCE, EACH = Options(), Options(renege="per-offence")


@pytest.mark.parametrize(
    ("bid", "tricks", "cards", "reneges", "options", "points"),
    [
        (0, 0, 10, 0, ONCE, 10),
        (6, 6, 10, 0, ONCE, 16),
        (6, 4, 10, 0, ONCE, -2),
        (6, 7, 10, 0, ONCE, -1),
        (10, 10, 10, 0, ONCE, 25),
        (9, 10, 10, 0, ONCE, 4),
        (1, 1, 1, 0, ONCE, 16),
        (0, 1, 1, 0, ONCE, 4),
        (3, 3, 8, 1, ONCE, -7),
        (3, 3, 8, 3, ONCE, -7),
        (3, 3, 8, 3, EACH, -47),
        (0, 8, 8, 2, EACH, -43),
    ],
)
def test_points_of_one_round(
    bid: int, tricks: int, cards: int, reneges: int, options: Options, points: int
) -> None:
    assert points_of(bid, tricks, cards, reneges, options) == points
    lines = round_lines(4, bid, tricks, cards, reneges, options)
    assert sum(line.points for line in lines) == points
    assert all(line.where == (("round", 4),) for line in lines)


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Position, Options]:
    options = Options(
        direction=draw(st.sampled_from(("down", "down-up"))),
        hook=draw(st.sampled_from(("always", "not-last", "off"))),
        renege=draw(st.sampled_from(("per-round", "per-offence"))),
        tie=draw(st.sampled_from(("shared", "extra-round"))),
    )
    players = NAMES[: draw(st.integers(3, 8))]
    most = rounds_of(len(players), options.direction)
    numbers = st.fixed_dictionaries({PlayerName(n): st.integers(0, 11) for n in players})
    reneged = st.lists(st.sampled_from(players), max_size=3).map(
        lambda names: tuple(map(PlayerName, names))
    )
    rounds = draw(st.lists(st.builds(Round, numbers, numbers, reneged), max_size=most))
    dealer = PlayerName(draw(st.sampled_from(players)))
    return Position(players, dealer, tuple(rounds)), options


@given(sheets())
def test_a_total_is_the_sum_of_its_lines_and_every_formula_comes_to_its_points(
    given_sheet: tuple[Position, Options],
) -> None:
    position, options = given_sheet
    assert GAME.faults(position, options) == []
    result = score(position, options)
    for player in result.players:
        first, *rest = player.lines
        assert (first.points, first.what, first.rule) == (100, "start", "wap:score.start")
        assert player.total == 100 + sum(line.points for line in rest)
        for line in player.lines:
            assert re.fullmatch(r"[-+x0-9()]+", line.formula)
            assert eval(line.formula.replace("x", "*")) == line.points
    best = max(result.totals.values())
    assert set(result.winners) == {n for n, total in result.totals.items() if total == best}
    assert result.complete is (
        len(position.rounds) == rounds_of(len(position.players), options.direction)
    )


@given(sheets(), st.randoms(use_true_random=False))
def test_the_order_of_players_changes_no_total(
    given_sheet: tuple[Position, Options], random: object
) -> None:
    position, options = given_sheet
    shuffled = list(position.players)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    other = Position(tuple(shuffled), position.dealer, position.rounds)
    assert score(other, options).totals == score(position, options).totals


@given(sheets())
def test_problems_are_one_a_fault(given_sheet: tuple[Position, Options]) -> None:
    position, options = given_sheet
    found = score(position, options).problems
    keys = [(p.rule, p.where) for p in found]
    assert len(set(keys)) == len(keys)
    for number, written in enumerate(position.rounds, 1):
        cards = cards_in(number, len(position.players), options.direction)
        here = [p.rule for p in found if ("round", number) in p.where]
        assert here.count("wap:bid.range") == sum(bid > cards for bid in written.bids.values())
        assert ("wap:trick.all" in here) is (sum(written.tricks.values()) != cards)
        if options.hook == "off":
            assert "wap:bid.hook" not in here


def test_the_readings_note_tells_what_each_total_would_be() -> None:
    written = Round(
        {PlayerName("Ana"): 5, PlayerName("Ben"): 3, PlayerName("Cleo"): 1},
        {PlayerName("Ana"): 5, PlayerName("Ben"): 3, PlayerName("Cleo"): 2},
        (PlayerName("Ana"),) * 3,
    )
    position = Position(("Ana", "Ben", "Cleo"), PlayerName("Cleo"), (written,))
    (note,) = [n for n in score(position, ONCE).notes if n.rule == "wap:score.renege-once"]
    # 100 + 15 - 20 against 100 + 15 - 60
    assert "Ana 55 instead of 95" in note.text


def test_a_floor_would_stop_each_round_at_zero() -> None:
    names = [PlayerName(n) for n in ("Ana", "Ben", "Cleo")]
    lost = Round(dict.fromkeys(names, 4), {names[0]: 5, names[1]: 4, names[2]: 1}, (names[0],) * 6)
    won = Round(dict.fromkeys(names, 4), {names[0]: 4, names[1]: 4, names[2]: 1})
    position = Position(tuple(names), names[2], (lost, won))
    # 100 - 1 - 120 = -21, then + 14: -7; with a floor 0 + 14
    assert score(position, EACH).totals["Ana"] == -7
    (note,) = [n for n in score(position, EACH).notes if n.rule == "wap:score.no-floor"]
    assert "Ana 14 instead of -7" in note.text


def test_more_rounds_than_the_game_has_are_unusable(deck: Deck) -> None:
    names = [PlayerName(n) for n in NAMES[:7]]
    zeros = Round(dict.fromkeys(names, 0), dict.fromkeys(names, 0))
    position = Position(tuple(names), names[0], (zeros,) * 7)
    (fault,) = GAME.faults(position, Options())
    assert "7 rounds" in str(fault)
    assert "6" in fault.right
    assert GAME.faults(position, Options(direction="down-up")) == []
    assert GAME.score(position, Options(direction="down-up"), deck).complete is False


def test_a_sheet_without_a_dealer_has_no_rounds() -> None:
    names = [PlayerName(n) for n in NAMES[:3]]
    zeros = Round(dict.fromkeys(names, 0), dict.fromkeys(names, 0))
    assert [f.where for f in GAME.faults(Position(tuple(names), None, (zeros,)), Options())] == [
        "dealer"
    ]
