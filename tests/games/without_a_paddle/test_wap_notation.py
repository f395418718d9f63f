"""How acts are written: every act reads back, and half an act is told what is missing."""

import shlex
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_catalog.model import Card, Deck
from companion.core.errors import UnusableInput
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

NAMES = ("Ana", "Big Ben", "Cleo")


def actions(deck: Deck) -> st.SearchStrategy[Any]:
    players = st.sampled_from(NAMES)
    numbers = st.integers(0, 99)
    rounds = st.none() | st.integers(1, 19)
    cards = st.sampled_from([Card(kind) for kind in deck.kinds.values()])
    hands = st.lists(cards, min_size=1, max_size=10, unique_by=lambda c: c.id).map(tuple)
    return st.one_of(
        st.builds(Cut, players, cards),
        st.builds(Bid, players, numbers),
        st.builds(Play, players, cards),
        st.builds(Wins, players),
        st.builds(Tricks, players, numbers),
        st.builds(Renege, players, rounds),
        st.builds(Hand, players, hands),
        st.builds(Misdeal, players),
        st.builds(
            Observe,
            players,
            st.sampled_from(("bid", "tricks", "reneges")),
            numbers,
            st.just(()),
            rounds,
        ),
        st.builds(Observe, players, st.just("hand"), st.just(0), hands),
        st.builds(Observe, players, st.just("dealer")),
    )


@given(data=st.data())
def test_every_act_reads_back(data: st.DataObject, deck: Deck, opened: Callable[..., Any]) -> None:
    state = GAME.start(GAME.head(NAMES, "Ana"), GAME.options(), deck)
    action = data.draw(actions(deck))
    assert GAME.parse(action.player, shlex.split(GAME.encode(action)), state) == action


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("play th", "play 10H"),
        ("PLAY qc", "play QC"),
        ("play ten of hearts", "play 10H"),
        ("play 10 of Hearts", "play 10H"),
        ("hand 2s, as", 'hand "2S AS"'),
        ("observe HAND 2s as", 'observe hand "2S AS"'),
        ("observe bid 3 Round 2", "observe bid 3 round 2"),
    ],
)
def test_other_ways_to_write_an_act(text: str, same: str, opened: Callable[..., Any]) -> None:
    state = opened("Ana Ben Cleo", "Cleo")
    assert GAME.encode(GAME.parse("Ana", shlex.split(text), state)) == same


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", ["verb is missing", "bid N"]),
        ("bid", ["number is missing"]),
        ("bid -4", ["-4", "whole number from 0"]),
        ("bid three", ["three"]),
        ("bid 3 4", ["unexpected 4"]),
        ("bod 3", ["bod", "did you mean bid?"]),
        ("play", ["card is missing"]),
        ("play 1OH", ["1OH", "did you mean 10H?"]),
        ("play QC KC", ["unexpected KC"]),
        ("tricks", ["number is missing"]),
        ("wins 3", ["unexpected 3"]),
        ("misdeal now", ["unexpected now"]),
        ("renege 0", ["0", "round"]),
        ("hand", ["cards are missing"]),
        ('hand "AS XX AS"', ["XX", "AS is listed twice"]),
        ("observe", ["missing", "bid, tricks, reneges, hand or dealer"]),
        ("observe trick 3", ["did you mean tricks?"]),
        ("observe bid", ["number is missing"]),
        ("observe bid 3 in 2", ["unexpected in"]),
        ("observe bid 3 round", ["the round is missing"]),
        ("observe hand", ["cards are missing"]),
        ("observe dealer Ana", ["unexpected Ana"]),
    ],
)
def test_what_is_wrong_with_an_act_is_said(
    text: str, parts: list[str], opened: Callable[..., Any]
) -> None:
    with pytest.raises(UnusableInput) as caught:
        GAME.parse("Ana", shlex.split(text), opened("Ana Ben Cleo", "Cleo"))
    for part in parts:
        assert part in str(caught.value)


def test_an_unknown_player_and_verb_are_told_together(opened: Callable[..., Any]) -> None:
    with pytest.raises(UnusableInput) as caught:
        GAME.parse("Anna", ["bdi", "3"], opened("Ana Ben Cleo", "Cleo"))
    assert "did you mean Ana?" in str(caught.value)
    assert "did you mean bid?" in str(caught.value)


def test_every_verb_of_the_help_can_be_written(opened: Callable[..., Any]) -> None:
    state = opened("Ana Ben Cleo", "Cleo")
    for usage in GAME.verbs:
        text = usage.replace(" [ROUND]", " 1").replace("[round R]", "round 1")
        text = text.replace('"CARDS"', '"AS KD"').replace("CARD", "AS").replace(" N", " 2")
        assert GAME.encode(GAME.parse("Ana", shlex.split(text), state)).startswith(usage.split()[0])
