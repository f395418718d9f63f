from typing import Any

import pytest

from card_catalog.model import Card
from companion.core.verdict import Outcome
from companion.session import MatchSession, open_store
from companion.tui.entry.facts import Telling, coins_known
from companion.tui.entry.gold_up_turns import opening
from companion.tui.entry.gold_up_words import expanded
from companion.tui.entry.prompt import Prompt
from companion.tui.entry.typed import named_first
from companion.tui.entry.typists import typist_of
from companion.tui.entry.without_a_paddle import picked

VALUES = {"white": 2, "red": 4, "blue": 5, "green": 6, "purple": 8, "yellow": 10}


def begun(game: str, players: tuple[str, ...], acts: str = "", **more: Any) -> MatchSession:
    """A match after some acts, one a line."""
    session = MatchSession.create(open_store("sqlite://"), game, players, **more)
    for line in acts.splitlines():
        session.play(session.parse(line), anyway=True)
    return session


def read(session: MatchSession, text: str) -> Prompt:
    return typist_of(session.game.id).read(session, text)


def offered(session: MatchSession, text: str) -> list[str]:
    """The acts that the list offers, `PLAYER words`."""
    prompt = read(session, text)
    return [f"{c.player or prompt.player} {' '.join(c.words)}" for c in prompt.choices if c.words]


def meant(session: MatchSession, text: str) -> str:
    """The act that Enter would play."""
    prompt = read(session, text)
    if prompt.words:
        return f"{prompt.player} {' '.join(prompt.words)}"
    if not prompt.choices or not prompt.choices[0].words:
        return ""
    first = prompt.choices[0]
    return f"{first.player or prompt.player} {' '.join(first.words)}"


def nothing_illegal(session: MatchSession, text: str) -> None:
    """Whatever is offered may be done."""
    for choice in read(session, text).choices:
        if choice.words:
            act = session.parse(choice.player, choice.words)
            assert session.verdict(act).outcome is not Outcome.ILLEGAL, choice


def test_the_longest_name_in_front_is_the_player() -> None:
    players = ("Ben", "Ben Big", "Ana")
    assert named_first("ben big 3", players) == ("Ben Big", "3")
    assert named_first("ben 3", players) == ("Ben", "3")
    assert named_first('"Ben Big" 3', players) == ("Ben Big", "3")
    assert named_first("bent 3", players) == (None, "bent 3")


# ------------------------------------------------------------------ Without a Paddle

THREE = ("Ana", "Big Ben", "Cleo")
BID = 'Ana bid 3\n"Big Ben" bid 3\nCleo bid 5\n'


def paddle(acts: str = "", **more: Any) -> MatchSession:
    return begun("without-a-paddle", THREE, acts, **{"dealer": "Cleo"} | more)


@pytest.mark.parametrize(
    ("acts", "text", "act"),
    [
        ("", "", ""),
        ("", "3", "Ana bid 3"),
        ("", "1", "Ana bid 1"),
        ("", "10", "Ana bid 10"),
        ("", "3!", "Ana bid 3"),
        ("", "bid 3", "Ana bid 3"),
        ("", "11", "Ana bid 11"),
        ("", "big ben 2", "Big Ben bid 2"),
        ('Ana bid 3\n"Big Ben" bid 3', "4", "Cleo bid 4"),
        (BID, "4", "Ana tricks 4"),
        (BID, "cleo 4", "Cleo tricks 4"),
        (BID, "12", "Ana tricks 12"),
        (BID, "cleo t", "Cleo wins"),
        (BID, "big", "Big Ben wins"),
        (BID, "renege cleo", "Cleo renege"),
        (BID, "cleo renege", "Cleo renege"),
        (BID, "renege cleo 1", "Cleo renege 1"),
        (BID, "renege big ben", "Big Ben renege"),
        (BID, "mis", "Cleo misdeal"),
        (BID + 'Ana tricks 3\n"Big Ben" tricks 3', "", "Cleo tricks 4"),
        (BID + 'Ana tricks 3\n"Big Ben" tricks 3', "5", "Cleo tricks 5"),
    ],
)
def test_numbers_are_bids_and_then_tricks(acts: str, text: str, act: str) -> None:
    session = paddle(acts)
    assert meant(session, text) == act
    nothing_illegal(session, text)


def test_the_forbidden_bid_is_told_and_not_offered() -> None:
    session = paddle('Ana bid 3\n"Big Ben" bid 3')
    assert "not 4" in read(session, "").title
    bids = [act for act in offered(session, "") if " bid " in act]
    assert bids == [f"Cleo bid {n}" for n in range(11) if n != 4]


def test_r_lists_who_may_have_reneged() -> None:
    session = paddle(BID)
    assert offered(session, "r") == ["Ana renege", "Big Ben renege", "Cleo renege"]
    assert offered(session, "cleo r") == ["Cleo renege"]
    assert [c.label for c in read(session, "ben ren").choices] == [
        "Big Ben reneged in round 1: 20 points"
    ]


def test_before_any_round_nobody_has_reneged() -> None:
    session = paddle()
    assert not offered(session, "r")
    assert "number from 0 to 10" in read(session, "r").note


def test_the_missing_tricks_are_told() -> None:
    session = paddle(BID + "Ana tricks 3")
    assert "7 of 10 missing" in read(session, "").title
    assert "Big Ben tricks 7" in offered(session, "")
    assert "Big Ben tricks 8" not in offered(session, "")


def test_letters_pick_a_card() -> None:
    deck = paddle().deck
    cards = [Card(kind) for kind in deck.kinds.values()]
    names = {text: [str(c) for c in picked(cards, text)] for text in ("qs", "sq", "10", "th", "q")}
    assert names["qs"] == ["QS"] and names["sq"] == ["QS"]
    assert set(names["10"]) == {"10S", "10H", "10D", "10C"}
    assert names["th"] == ["10H"]
    assert len(names["q"]) == 4
    assert len(picked(cards, "h")) == 13
    assert [str(c) for c in picked(cards, "queen of hearts")] == ["QH"]


HANDS = BID + '"Big Ben" hand "AS KD QS 2C 3C 4C 5C 6C 7C 8C"\nAna play KS\n'


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("as", "Big Ben play AS"),
        ("s", "Big Ben play AS"),
        ("q", "Big Ben play QS"),
        ("2c", "Big Ben play 2C"),
        ("play 2c", "Big Ben play 2C"),
        ("ta", "Ana wins"),
        ("r", "Ana renege"),
        ("hand as kd", "Big Ben hand as kd"),
        ("cleo hand 2h", "Cleo hand 2h"),
    ],
)
def test_cards_of_the_hand(text: str, act: str) -> None:
    session = paddle(HANDS, tracking="full")
    assert meant(session, text) == act
    nothing_illegal(session, text)


def test_who_must_follow_and_who_wins_is_told() -> None:
    session = paddle(HANDS, tracking="full")
    title = read(session, "").title
    assert "must follow spades" in title
    assert "Ana's KS wins so far" in read(session, "").choices[0].label
    cards = [act for act in offered(session, "") if " play " in act]
    assert cards == ["Big Ben play AS", "Big Ben play QS"]
    labels = [c.label for c in read(session, "").choices]
    assert "A♠ ace of spades: wins so far" in labels


def test_the_cut_comes_first_and_the_end_last() -> None:
    session = begun("without-a-paddle", THREE)
    assert meant(session, "qs") == meant(session, "cut qs") == "Ana cut QS"
    assert "cuts" in read(session, "").title
    over = begun("without-a-paddle", THREE, dealer="Cleo")
    while not over.state.over:
        over.play(next(iter(over.game.legal(over.state))))
    assert "over" in read(over, "").title and not offered(over, "")
    assert offered(over, "r") == ["Ana renege", "Big Ben renege", "Cleo renege"]


# ------------------------------------------------------------------ Gold Up


def gold(acts: str = "", **more: Any) -> MatchSession:
    return begun("gold-up", ("Ana", "Ben", "Cleo"), acts, **more)


@pytest.mark.parametrize(
    ("typed", "group", "cards"),
    [
        ("w w r", "chest", "white white red"),
        ("wwr", "chest", "white white red"),
        ("2w r", "chest", "white white red"),
        ("white, Red yellow=12", "chest", "white red yellow=12"),
        ("wh re", "chest", "white red"),
        ("w j k c ?", "key", "white joker key-thief chest-thief ?"),
        ("wwrjk", "key", "white white red joker key-thief"),
        ("key-thief", "key", "key-thief"),
        ("pink", "chest", None),
        ("j", "chest", None),
    ],
)
def test_colours_by_their_letters(typed: str, group: str, cards: str | None) -> None:
    found = expanded(typed.split(), group, gold().state)
    assert found == (None if cards is None else tuple(cards.split()))


@pytest.mark.parametrize(
    ("acts", "text", "act"),
    [
        ("", "", ""),
        ("", "w w r", "Ana takes white white red"),
        ("", "ben w r", "Ben takes white red"),
        ("", "takes w", "Ana takes white"),
        ("", "45", "Ana coins 45"),
        ("", "cleo 45", "Cleo coins 45"),
        ("", "e", "Ana end-hand"),
        ("", "zzz", ""),
        ("Ana takes white", "w", "Ben takes white"),
        ("Ana takes white\nBen coins 3", "r", "Cleo takes red"),
        ("Ana takes white", "ben c ana w", "Ben steal-chests Ana white with white"),
        ("Ana takes white", "ben c ana w with j", "Ben steal-chests Ana white with joker"),
    ],
)
def test_colours_and_coins_in_light_tracking(acts: str, text: str, act: str) -> None:
    session = gold(acts)
    assert meant(session, text) == act
    nothing_illegal(session, text)


def test_unknown_coins_are_asked_once_and_kept() -> None:
    session = gold("Ana takes white red")
    assert "value white 4" in read(session, "").note
    assert "not known yet" in read(session, "w").choices[0].label
    (choice,) = read(session, "values w=2 red 4").choices
    assert isinstance(choice, Telling)
    choice.keep(session)
    (choice,) = read(session, "value blue 5").choices
    assert isinstance(choice, Telling)
    choice.keep(session)
    assert coins_known(session) == {"white": 2, "red": 4, "blue": 5}
    # What was won before is worth something now, and a later match knows it as well.
    assert session.score().totals["Ana"] == 6
    assert "not known yet" not in read(session, "w b").choices[0].label
    again = MatchSession.create(session.store, "gold-up", ("Ana", "Ben"))
    assert coins_known(again) == {"white": 2, "red": 4, "blue": 5}


def test_odd_values_are_told() -> None:
    session = gold(options={"values": {"white": 2}})
    assert "rarer" in read(session, "value red 1").choices[0].label
    assert "keeps that" in read(session, "value white 3").choices[0].label
    assert not read(session, "value pink 3").choices
    assert meant(session, "w") == "Ana takes white"


LAID = """\
Ana layout 1 white white red
Ana layout 2 white blue
Ana layout 3 green
Ana layout 4 white yellow
Ana layout 5 purple red blue
Ana deal white white red joker key-thief
Ben deal white white white white chest-thief
Cleo deal red red red blue blue
"""


def keys(acts: str = LAID) -> MatchSession:
    return gold(acts, options={"values": VALUES}, tracking="full", first_player="Ana")


@pytest.mark.parametrize(
    ("acts", "text", "act"),
    [
        ("", "", ""),
        ("", "w w r", "Ana layout 1 white white red"),
        ("", "w w", ""),
        ("", "w ? ?", "Ana layout 1 white ? ?"),
        ("Ana layout 1 white white red", "w b", "Ana layout 2 white blue"),
        ("", "layout 3 g", "Ana layout 3 green"),
        ("", "d", "Ana draw"),
        ("", "p", "Ana pass"),
        ("", "1", ""),
        (LAID, "1", "Ana collect 1 with white white red"),
        (LAID, "4", "Ana collect 4 with white joker"),
        (LAID, "7", ""),
        (LAID, "2 w w", "Ana collect 2 with white white"),
        (LAID, "collect 2 w j", "Ana collect 2 with white joker"),
        (LAID, "d b g", "Ana draw blue green"),
        (LAID, "k", "Ana steal-keys Ben"),
        (LAID, "k cleo", "Ana steal-keys Cleo"),
        (LAID, "c", ""),
        (LAID, "p", "Ana pass"),
        (LAID, "cleo 1", ""),
        (LAID, "ben 1 w w w", "Ben collect 1 with white white white"),
        (LAID, "end", "Ana end-hand"),
        (LAID + "Ana collect 1 with white white red", "w g p", "Ana refill 1 white green purple"),
        (LAID + "Ana collect 1 with white white red", "refill 1 ? ? w", "Ana refill 1 ? ? white"),
        (LAID + "Ana collect 1 with white white red", "p", "Ben pass"),
        (
            LAID + "Ana collect 1 with white white red",
            "c ana 2w",
            "Ben steal-chests Ana white white with white white",
        ),
        (
            LAID + "Ana collect 1 with white white red",
            "c ana",
            "Ben steal-chests Ana white with white",
        ),
    ],
)
def test_a_turn_card_by_card(acts: str, text: str, act: str) -> None:
    session = keys(acts)
    assert meant(session, text) == act
    nothing_illegal(session, text)


def test_what_a_hand_opens() -> None:
    session = keys()
    assert opening(session.state, "Ana", 4)[1] == "white + joker (1 joker)"
    assert opening(session.state, "Ana", 5)[1] == "lacks blue"
    assert opening(session.state, "Ana", 6)[1] == "lacks yellow + blue"
    assert opening(keys(LAID.split("Ben deal", maxsplit=1)[0]).state, "Ben", 3)[1] == (
        "perhaps: needs green among 5 unseen"
    )
    assert read(session, "5").note == "line 5, Ana: lacks blue"


def test_the_list_of_a_turn() -> None:
    acts = offered(keys(), "")
    assert acts == [
        "Ana collect 1 with white white red",
        "Ana collect 2 with white joker",
        "Ana collect 3 with joker",
        "Ana collect 4 with white joker",
        "Ana draw",
        "Ana steal-keys Ben",
        "Ana steal-keys Cleo",
        "Ana pass",
    ]
