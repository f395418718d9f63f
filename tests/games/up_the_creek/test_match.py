"""The flow of a match of Up the Creek, a test a rule; and what always holds of scores and places."""

import re
from itertools import pairwise, permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from card_catalog.model import Card, Colour
from companion.core.errors import ImpossibleAction
from companion.games.up_the_creek import GAME, placement
from companion.games.up_the_creek.flow import (
    COMPLETED,
    DISCARDED,
    DUPLICATE,
    SPECIAL,
    STOPPED,
)
from companion.games.up_the_creek.options import Options
from companion.games.up_the_creek.position import Standing
from companion.games.up_the_creek.state import State
from companion.games.up_the_creek.table import ROWS, Board, Row
from companion.interchange.answers import score_of
from companion.interchange.sheets import load_sheet
from companion.interchange.source import read_document
from tests.games.up_the_creek.matches import (
    DECK,
    NAMES,
    begin,
    broken,
    counted,
    legal_lines,
    offers,
    pile,
    play,
    replayed,
    rows,
)


def table(
    ana: tuple[str, ...] = (),
    ben: tuple[str, ...] = (),
    cleo: tuple[str, ...] | None = None,
    **rules: Any,
) -> State:
    """Cards as they lie in the middle of a match; it is Ana's turn, and every card is tracked."""
    boards = {"Ana": ana, "Ben": ben} | ({} if cleo is None else {"Cleo": cleo})
    state = begin(tuple(boards), **{"tracking": "full", "first": "Ana", **rules})
    for name, lying in boards.items():
        for number, row in enumerate(lying, 1):
            state = play(state, f'{name} observe {number} "{row}"')
    return state


# Turns


def test_turn_order() -> None:
    state = begin(NAMES)
    assert broken(state, "Ben reveal bow") == {"utc:turn.order": False}
    for name, after in (("Ana", "Ben"), ("Ben", "Cleo"), ("Cleo", "Ana")):
        assert state.active == name
        state = play(state, f"{name} reveal bow\n{name} discard bow")
        assert state.active == after


def test_turn_order_out_of_turn_makes_it_that_players_turn() -> None:
    state = play(begin(NAMES), "Cleo reveal bow\nCleo discard bow")
    assert state.active == "Ana"


def test_turn_order_is_not_looked_at_in_light_tracking() -> None:
    state = play(begin(tracking="light"), "Ana place bow 1 1\nAna discard eagle")
    assert state.active == "Ben"
    assert broken(state, "Ana place furs 1 2") == {}


def test_nobody_named_as_the_first_whoever_acts_first_begins() -> None:
    state = begin(NAMES, first=None)
    assert {line.split()[0] for line in legal_lines(state)} == set(NAMES)
    assert play(state, "Cleo reveal bow").active == "Cleo"


def test_turn_goes_on_after_an_ordinary_card() -> None:
    state = play(begin(), "Ana reveal bow\nAna place bow 1 1")
    assert state.active == "Ana" and not state.ending
    assert broken(state, "Ana reveal eagle") == {}


@pytest.mark.parametrize(
    ("acts", "why"),
    [
        ("Ana reveal furs\nAna place furs 2 1", DUPLICATE),
        ("Ana reveal lasso\nAna place lasso 1 3", SPECIAL["lasso"]),
        ("Ana reveal bow-and-arrows\nAna place archer 1 3", SPECIAL["bow-and-arrows"]),
        ("Ana reveal wild-axe", SPECIAL["wild-axe"]),
        ("Ana reveal stern\nAna place stern 1 3", COMPLETED),
        ("Ana reveal chief\nAna discard chief", DISCARDED),
        ("Ana pass", STOPPED),
    ],
)
def test_turn_ends_and_says_why(acts: str, why: str) -> None:
    state = play(table(("bow furs",)), acts)
    assert state.active == "Ben"
    assert any(why in text and "Ben is next" in text for text in state.news)


def test_turn_duplicate_ends_but_may_still_be_placed_elsewhere() -> None:
    state = play(table(("bow furs",)), "Ana reveal furs")
    assert state.ending == DUPLICATE
    assert broken(state, "Ana place furs 1 3") == {"utc:build.duplicate": False}
    assert broken(state, "Ana place furs 2 2") == {}


def test_turn_duplicate_is_one_of_the_own_rows_only() -> None:
    assert not play(table((), ("furs",)), "Ana reveal furs").ending


def test_turn_duplicate_placed_in_light_tracking() -> None:
    state = play(begin(tracking="light"), "Ana place furs 1 1\nAna place furs 2 1")
    assert state.active == "Ben"


def test_turn_placing_another_card_than_the_revealed_one_cannot_be() -> None:
    state = play(begin(), "Ana reveal bow")
    assert broken(state, "Ana place stern 1 1") == {"utc:turn.placing": True}
    assert broken(state, "Ana discard stern") == {"utc:turn.placing": True}
    assert broken(state, "Ana reveal stern") == {"utc:turn.placing": True}
    assert broken(state, "Ana pass") == {"utc:turn.placing": False}
    with pytest.raises(ImpossibleAction):
        play(state, "Ana reveal stern")


def test_turn_placing_what_is_told_later_about_the_revealed_card_counts() -> None:
    state = play(begin(), "Ana reveal chief:red\nAna place chief=3 1 1")
    assert rows(state, "Ana") == ["chief:red=3", "", ""]


def test_turn_reveal_comes_before_placing_in_full_tracking() -> None:
    assert broken(begin(), "Ana place bow 1 1") == {"utc:turn.reveal": True}
    assert broken(begin(), "Ana discard bow") == {"utc:turn.reveal": True}


def test_turn_stop_without_a_card_that_ends_it() -> None:
    assert broken(begin(), "Ana pass") == {"utc:turn.stop": False}
    assert broken(begin(tracking="light"), "Ana pass") == {}


def test_turn_stop_nothing_offered_nothing_to_decline() -> None:
    assert broken(begin(), "Ana decline") == {"utc:turn.stop": True}


# Lasso, Bow & Arrows, Wild Axe


def test_lasso_offers_a_steal_when_it_was_revealed_and_placed() -> None:
    state = table(("bow",), ("eagle chief",))
    assert offers(play(state, "Ana reveal lasso")) == []
    state = play(state, "Ana reveal lasso\nAna place lasso 1 2")
    assert offers(state) == ["Ana steal"]
    assert state.active == "Ana"
    state = play(state, "Ana steal Ben 1 1 to 1 3")
    assert rows(state, "Ana") == ["bow lasso eagle", "", ""]
    assert rows(state, "Ben") == ["chief", "", ""]
    assert state.board("Ben")[0].first == 2, "what is left does not move"
    assert state.active == "Ben"


def test_lasso_placed_only_not_discarded_not_declined_before() -> None:
    state = table(("bow",), ("eagle chief",))
    gone = play(state, "Ana reveal lasso\nAna discard lasso")
    assert offers(gone) == [] and gone.active == "Ben"
    assert "utc:lasso.placed" in broken(gone, "Ana steal Ben 1 1 to 1 2")
    declined = play(state, "Ana reveal lasso\nAna place lasso 1 2\nAna decline")
    assert declined.active == "Ben"
    assert "utc:lasso.placed" in broken(declined, "Ana steal Ben 1 1 to 1 3")


@pytest.mark.parametrize("card", ["lasso", "bow-and-arrows"])
def test_lasso_a_stolen_special_card_has_no_action(card: str) -> None:
    state = table(("bow",), (f"eagle {card} chief",))
    state = play(state, "Ana reveal lasso\nAna place lasso 1 2\nAna steal Ben 1 2 to 2 1")
    assert rows(state, "Ana") == ["bow lasso", card, ""]
    assert offers(state) == [] and state.active == "Ben"


def test_lasso_none_to_steal_the_action_is_lost() -> None:
    state = play(table(("bow",), ("bow stern",)), "Ana reveal lasso\nAna place lasso 1 2")
    assert offers(state) == [] and state.active == "Ben"


def test_lasso_in_light_tracking_needs_no_reveal() -> None:
    state = begin(tracking="light")
    state = play(state, "Ben place eagle 1 1\nAna place lasso 1 1")
    assert offers(state) == ["Ana steal"]
    assert broken(state, "Ana steal Ben 1 1 to 1 2") == {}


def test_lasso_at_once_the_place_of_the_stolen_card_is_told() -> None:
    placed = "Ana reveal lasso\nAna place lasso 1 2"
    state = play(table(("bow",), ("eagle",)), placed)
    assert broken(state, "Ana steal Ben 1 1") == {"utc:lasso.at-once": False}
    full = ("bow eagle", "eagle", "eagle")
    may = play(table(full, ("eagle",), lasso_must_fit=False), placed.replace("2", "3"))
    assert broken(may, "Ana steal Ben 1 1") == {}
    fits = play(table(("bow",), ("eagle",), lasso_must_fit=False), placed)
    assert broken(fits, "Ana steal Ben 1 1") == {"utc:lasso.at-once": False}
    assert pile(play(may, "Ana steal Ben 1 1")) == ["eagle"]


def test_lasso_the_stolen_card_obeys_the_building_rules() -> None:
    state = play(table(("bow eagle",), ("eagle",)), "Ana reveal lasso\nAna place lasso 1 3")
    assert broken(state, "Ana steal Ben 1 1 to 1 4") == {"utc:build.duplicate": False}
    assert broken(state, "Ana steal Ben 1 1 to 2 9") == {"utc:build.touch": False}
    assert broken(state, "Ana steal Ben 1 1 to 1 1")["utc:build.occupied"] is True
    assert broken(state, "Ana steal Ben 1 2 to 2 1") == {"utc:lasso.steal": True}


def test_lasso_stolen_half_shifts_only_where_that_is_played() -> None:
    shifted = "Ana steal Ben 1 1 to 1 beside bear-a right shift right"
    placed = "Ana reveal lasso\nAna place lasso 2 1"
    lying = (("bow bear-a furs",), ("bear-b",))
    assert broken(play(table(*lying), placed), shifted) == {"utc:treasure.shift-source": False}
    state = play(table(*lying, shift_on=("reveal", "steal")), placed)
    assert broken(state, shifted) == {}
    assert rows(play(state, shifted), "Ana")[0] == "bow bear-a bear-b furs"


def test_bow_arrows_offer_a_shot_when_revealed_and_placed() -> None:
    state = table(("bow",), ("paddler-bow chief totem shaman",))
    state = play(state, "Ana reveal archer\nAna place archer 1 2")
    assert offers(state) == ["Ana shoot"]
    shots = {"Ana shoot Ben 1 2", "Ana shoot Ben 1 4"}
    assert legal_lines(state) == {*shots, "Ana decline"}
    state = play(state, "Ana shoot Ben 1 2")
    assert rows(state, "Ben")[0] == "paddler-bow . totem shaman"
    assert pile(state) == ["chief"] and state.active == "Ben"


def test_bow_arrows_placed_only() -> None:
    state = play(table(("bow",), ("chief",)), "Ana reveal archer\nAna discard archer")
    assert offers(state) == []
    assert "utc:bow-arrows.placed" in broken(state, "Ana shoot Ben 1 1")


def test_bow_arrows_nobody_to_shoot_the_shot_is_lost() -> None:
    state = table(("bow",), ("paddler-bow totem eagle soldier",))
    state = play(state, "Ana reveal archer\nAna place archer 1 2")
    assert offers(state) == [] and state.active == "Ben"


def test_addition_lasso_bow_left_out_have_no_action() -> None:
    state = table(("bow",), ("chief",), lasso_and_bow=False)
    assert broken(state, "Ana reveal lasso") == {"utc:addition.lasso-bow": False}
    state = play(state, "Ana reveal lasso\nAna place lasso 1 2")
    assert offers(state) == []


def test_axe_sinks_one_of_the_completed_canoes_and_cannot_be_declined() -> None:
    state = table(("bow totem stern", "paddler-bow paddler-stern", "bow eagle"), ("bow stern",))
    state = play(state, "Ana reveal wild-axe")
    assert offers(state) == ["Ana axe"]
    assert legal_lines(state) == {"Ana axe 1 1", "Ana axe 2 1"}
    assert broken(state, "Ana decline") == {"utc:axe.sinks": False}
    assert "utc:axe.sinks" in broken(state, "Ana reveal chief")
    assert "utc:axe.sinks" in broken(state, "Ben reveal chief")
    assert broken(state, "Ana axe 3 1") == {"utc:axe.sinks": False}
    assert broken(state, "Ana axe 3 9") == {"utc:axe.sinks": True}
    state = play(state, "Ana axe 1 2")
    assert rows(state, "Ana") == ["", "paddler-bow paddler-stern", "bow eagle"]
    assert pile(state) == ["bow", "stern", "totem", "wild-axe"]
    assert state.active == "Ben"


def test_axe_none_completed_no_effect() -> None:
    state = play(table(("bow eagle",), ("bow stern",)), "Ana reveal wild-axe")
    assert offers(state) == [] and pile(state) == ["wild-axe"]
    assert rows(state, "Ana")[0] == "bow eagle" and state.active == "Ben"


def test_axe_never_placed() -> None:
    state = play(begin(tracking="light"), "Ana place bow 1 1")
    assert broken(state, "Ana place wild-axe 1 2") == {"utc:axe.never-placed": False}


def test_axe_was_not_revealed() -> None:
    assert broken(table(("bow stern",)), "Ana axe 1 1") == {"utc:axe.sinks": False}
    light = play(begin(tracking="light"), "Ana place bow 1 1\nAna place stern 1 2")
    assert broken(light, "Ana axe 1 1") == {}
    assert pile(play(light, "Ana axe 1 1")) == ["bow", "stern", "wild-axe"]


def test_axe_out_of_the_blue_leaves_the_revealed_card_somewhere() -> None:
    state = play(table(("bow stern",)), "Ana reveal eagle\nAna axe 1 1")
    assert counted(state) == state.out


# Attacks


def attacking(ben: tuple[str, ...] = ("eagle", "chief=9"), **rules: Any) -> State:
    """Ana has just completed a canoe of strength 4."""
    state = table(("bow chief=3 . totem",), ben, **rules)
    return play(state, "Ana reveal steersman\nAna place steersman 1 3")


def test_piracy_once_the_attack_is_offered_when_the_canoe_is_completed() -> None:
    state = attacking()
    assert offers(state) == ["Ana attack"] and state.active == "Ana"
    assert legal_lines(state) == {"Ana attack 1 1 on Ben 1 1", "Ana decline"}
    after = play(state, "Ana attack 1 3 on Ben 1 1\nAna take eagle 2 1")
    assert after.active == "Ben"
    assert "utc:piracy.once" in broken(after, "Ana attack 1 1 on Ben 2 1")
    declined = play(state, "Ana decline")
    assert declined.active == "Ben"
    assert "utc:piracy.once" in broken(declined, "Ana attack 1 1 on Ben 1 1")


def test_piracy_once_a_half_squeezed_in_later_gives_no_new_attack() -> None:
    state = play(table(("bow bear-a paddler-stern",), ("furs",)), "Ana reveal bear-b")
    state = play(state, "Ana insert bear-b 1 beside bear-a left shift right")
    assert rows(state, "Ana")[0] == "bow bear-b bear-a paddler-stern"
    assert offers(state) == [] and state.active == "Ana"


def test_piracy_strength_nobody_weaker_the_attack_is_lost() -> None:
    state = attacking(("chief=4",))
    assert offers(state) == [] and state.active == "Ben"


def test_piracy_strength_unknown_does_not_lose_the_attack() -> None:
    state = attacking(("chief",))
    assert offers(state) == ["Ana attack"]
    assert broken(state, "Ana attack 1 1 on Ben 1 1") == {}
    assert legal_lines(state) == {"Ana decline"}, "undetermined is not legal"


def test_piracy_zero_no_attack_of_a_canoe_without_strength() -> None:
    state = play(table(("bow furs",), ("eagle",)), "Ana reveal stern\nAna place stern 1 3")
    assert offers(state) == [] and state.active == "Ben"


def test_totem_protects_no_attack_on_its_canoe() -> None:
    assert offers(attacking(("totem eagle",))) == []
    state = attacking(("totem eagle", "furs"))
    assert broken(state, "Ana attack 1 1 on Ben 1 1") == {"utc:totem.protects": False}


def test_shaman_two_targets_of_different_players() -> None:
    state = table(("bow shaman=3",), ("eagle chief=2", "furs"), ("wigwam",))
    state = play(state, "Ana reveal steersman\nAna place steersman 1 3")
    # Strength 4: Ben's first row (2) and a row of strength 0 take 3 + 1; both rows of 0 take 1 + 1.
    assert legal_lines(state) == {
        "Ana decline",
        *(f"Ana attack 1 1 on {one}" for one in ("Ben 1 1", "Ben 2 1", "Cleo 1 1")),
        "Ana attack 1 1 on Ben 1 1 and Ben 2 1",
        "Ana attack 1 1 on Ben 1 1 and Cleo 1 1",
        "Ana attack 1 1 on Ben 2 1 and Cleo 1 1",
    }
    split = "Ana attack 1 1 on Ben 1 1 with {} and Cleo 1 1 with {}"
    assert broken(state, split.format(3, 1)) == {}
    assert broken(state, split.format(2, 1)) == {"utc:piracy.strength": False}
    assert broken(state, split.format(4, 1)) == {"utc:shaman.split": False}
    state = play(state, split.format(3, 1))
    assert rows(state, "Ben") == ["", "furs", ""] and rows(state, "Cleo") == ["", "", ""]
    assert pile(state) == ["chief=2"]
    assert sorted(map(str, state.held())) == ["eagle", "wigwam"]


def test_shaman_different_targets() -> None:
    state = table(("bow shaman=3",), ("eagle furs",))
    state = play(state, "Ana reveal steersman\nAna place steersman 1 3")
    twice = broken(state, "Ana attack 1 1 on Ben 1 1 and Ben 1 2")
    assert twice == {"utc:shaman.different": True}


def test_piracy_spoils_are_laid_one_by_one_or_discarded() -> None:
    state = play(attacking(("bow eagle chief=2 furs",)), "Ana attack 1 1 on Ben 1 1")
    assert offers(state) == ["Ana spoils"]
    assert sorted(map(str, state.held())) == ["bow", "eagle", "furs"]
    assert pile(state) == ["chief=2"]
    assert broken(state, "Ana take wigwam 2 1") == {"utc:piracy.spoils": True}
    assert broken(state, "Ana discard wigwam") == {"utc:piracy.spoils": True}
    assert broken(state, "Ana take eagle 2 9") == {"utc:build.touch": False}
    state = play(state, "Ana take eagle 2 1\nAna discard furs")
    assert offers(state) == ["Ana spoils"]
    state = play(state, "Ana decline")
    assert pile(state) == ["bow", "chief=2", "furs"] and state.active == "Ben"
    assert broken(state, "Ana take bow 2 2")["utc:piracy.spoils"] is True


def test_piracy_spoils_rows_one() -> None:
    state = attacking(("eagle furs",), spoils_rows="one")
    state = play(state, "Ana attack 1 1 on Ben 1 1\nAna take eagle 2 1")
    assert broken(state, "Ana take furs 3 1") == {"utc:piracy.spoils-rows": False}
    assert broken(state, "Ana take furs 2 2") == {}


def test_piracy_spoils_half_shifts_only_where_that_is_played() -> None:
    lying: tuple[tuple[str, ...], ...] = (("bow chief=3", "gold-a eagle"), ("gold-b",))
    done = "Ana reveal steersman\nAna place steersman 1 3\nAna attack 1 1 on Ben 1 1"
    shifted = "Ana take gold-b 2 beside gold-a right shift right"
    assert broken(play(table(*lying), done), shifted) == {"utc:treasure.shift-source": False}
    state = play(table(*lying, shift_on=("reveal", "spoils")), done)
    assert broken(state, shifted) == {}
    assert rows(play(state, shifted), "Ana")[1] == "gold-a gold-b eagle"


def test_addition_sections_come_with_the_captured_indians() -> None:
    state = attacking(("paddler-bow chief=2 eagle",), spoils_sections=True)
    state = play(state, "Ana attack 1 1 on Ben 1 1")
    assert sorted(map(str, state.held())) == ["bow", "eagle", "middle"]
    assert pile(state) == ["chief=2", "paddler-bow"]
    assert counted(state) == state.out


def test_piracy_a_canoe_completed_by_spoils_attacks_again() -> None:
    state = table(("bow chief=3", "lookout furs"), ("eagle stern", "wigwam"))
    state = play(state, "Ana reveal steersman\nAna place steersman 1 3")
    state = play(state, "Ana attack 1 1 on Ben 1 2\nAna take stern 2 3")
    # The lookout makes the second canoe 1 strong: enough against the wigwam. The eagle still waits.
    assert offers(state) == ["Ana spoils", "Ana attack"]
    state = play(state, "Ana take eagle 3 2\nAna attack 2 1 on Ben 2 1\nAna take wigwam 3 3")
    assert rows(state, "Ana") == [
        "bow chief=3 paddler-stern",
        "paddler-bow furs stern",
        "eagle wigwam",
    ]
    assert rows(state, "Ben") == ["", "", ""]
    assert state.active == "Ben"


def test_piracy_a_canoe_completed_by_a_steal_attacks() -> None:
    state = table(("lookout . furs", "chief"), ("stern wigwam",))
    state = play(state, "Ana reveal lasso\nAna place lasso 1 2\nAna steal Ben 1 1 to 1 4")
    assert rows(state, "Ana")[0] == "paddler-bow lasso furs stern"
    assert offers(state) == ["Ana attack"] and state.active == "Ana"
    state = play(state, "Ana attack 1 1 on Ben 1 2\nAna take wigwam 2 2")
    assert rows(state, "Ana")[1] == "chief wigwam" and state.active == "Ben"


def test_lasso_that_completes_a_canoe_first_steals_then_attacks() -> None:
    state = table(("bow . stern",), ("eagle furs",))
    state = play(state, "Ana reveal lasso=2\nAna place lasso 1 2")
    assert offers(state) == ["Ana steal", "Ana attack"]
    state = play(state, "Ana steal Ben 1 1 to 2 1")
    assert offers(state) == ["Ana attack"]
    state = play(state, "Ana attack 1 1 on Ben 1 2\nAna decline")
    assert rows(state, "Ben") == ["", "", ""] and state.active == "Ben"


def test_treasure_shift_that_closes_a_gap_lets_the_completed_canoe_attack() -> None:
    """`gold-b` pushes the lookout to its stern; the canoe in row 3 lay there before."""
    state = table(("gold-a lookout . steersman", "", "bow stern"), ("eagle",))
    state = play(state, "Ana reveal gold-b\nAna insert gold-b 1 beside gold-a right shift right")
    assert rows(state, "Ana")[0] == "gold-a gold-b paddler-bow paddler-stern"
    assert offers(state) == ["Ana attack"]
    assert broken(state, "Ana attack 1 3 on Ben 1 1") == {}
    assert "utc:piracy.once" in broken(state, "Ana attack 3 1 on Ben 1 1")


def test_treasure_shift_grows_one_canoe_and_completes_another() -> None:
    """The canoe that took the half lay there before: only the one behind it is new."""
    state = table(("bow gold-a chief=3 stern lookout . steersman",), ("eagle",))
    state = play(state, "Ana reveal gold-b\nAna insert gold-b 1 beside gold-a right shift right")
    assert rows(state, "Ana")[0] == "bow gold-a gold-b chief=3 stern paddler-bow paddler-stern"
    assert "utc:piracy.once" in broken(state, "Ana attack 1 1 on Ben 1 1")
    assert broken(state, "Ana attack 1 6 on Ben 1 1") == {}


def test_treasure_shift_does_not_lose_an_attack_that_is_still_offered() -> None:
    """The Lasso completes a canoe; the half it steals shifts that canoe before it attacks."""
    state = table(
        ("gold-a bow . paddler-stern",), ("gold-b", "eagle"), shift_on=("reveal", "steal")
    )
    state = play(state, "Ana reveal lasso=2\nAna place lasso 1 3")
    state = play(state, "Ana steal Ben 1 1 to 1 beside gold-a right shift right")
    assert rows(state, "Ana")[0] == "gold-a gold-b bow lasso=2 paddler-stern"
    assert offers(state) == ["Ana attack"]
    assert broken(state, "Ana attack 1 3 on Ben 2 1") == {}


# The end

THIRD = ("bow stern eagle lookout steersman", "bow eagle")
"""Two completed canoes, and a third that lacks its stern."""
COMPLETES = "Ana reveal stern\nAna place stern 2 3"


def test_end_is_offered_with_the_third_canoe() -> None:
    state = play(table(THIRD), COMPLETES)
    assert offers(state) == ["Ana end"]
    assert legal_lines(state) == {"Ana end", "Ana decline"}
    state = play(state, "Ana end")
    assert state.over and offers(state) == [] and legal_lines(state) == set()
    assert GAME.score(GAME.standing(state), state.options, DECK).complete is True


def test_end_declined_the_match_goes_on() -> None:
    state = play(table(THIRD), COMPLETES + "\nAna decline")
    assert not state.over and state.active == "Ben"
    assert "utc:end.third" in broken(state, "Ana end")
    assert GAME.score(GAME.standing(state), state.options, DECK).complete is False


def test_end_comes_after_the_attack_and_may_come_instead_of_it() -> None:
    lying = ("bow stern eagle lookout steersman", "bow chief=3")
    state = play(table(lying, ("furs",)), COMPLETES)
    assert offers(state) == ["Ana attack", "Ana end"]
    assert play(state, "Ana end").over
    state = play(state, "Ana attack 2 1 on Ben 1 1")
    assert offers(state) == ["Ana spoils", "Ana end"]
    assert play(state, "Ana take furs 3 1\nAna end").over


def test_end_with_spoils_still_to_be_laid_loses_no_card() -> None:
    lying = ("bow stern eagle lookout steersman", "bow chief=3")
    state = play(table(lying, ("furs",)), COMPLETES + "\nAna attack 2 1 on Ben 1 1\nAna end")
    assert state.over and counted(state) == state.out


def test_end_three_lying_not_two() -> None:
    state = play(table(("bow stern", "bow eagle")), COMPLETES)
    assert offers(state) == [] and state.active == "Ben"
    rules = broken(state, "Ana end")
    assert rules == {
        "utc:end.third": False,
        "utc:end.three-lying": False,
        "utc:turn.order": False,
    }


def gone_on(**rules: Any) -> State:
    """Ana has gone on past her third canoe; Ben is about to complete his third."""
    state = play(table(THIRD, THIRD, **rules), COMPLETES + "\nAna decline")
    return play(state, COMPLETES.replace("Ana", "Ben"))


def test_end_continue_completer_has_the_choice() -> None:
    state = gone_on()
    assert not state.over and offers(state) == ["Ben end"]


def test_end_continue_automatic_anothers_third_canoe_ends_it() -> None:
    state = gone_on(continue_end="automatic")
    assert state.over and offers(state) == []


def test_end_continue_automatic_leaves_the_own_fourth_a_choice() -> None:
    lying = (*THIRD, "lookout furs")
    state = play(table(lying, continue_end="automatic"), COMPLETES + "\nAna decline")
    state = play(state, "Ben reveal furs\nBen discard furs\nAna reveal steersman")
    state = play(state, "Ana place steersman 3 3")
    assert offers(state) == ["Ana end"] and not state.over


def test_end_forced_by_the_fourth_canoe_once_its_attack_is_done() -> None:
    four = ("bow stern eagle lookout steersman", "bow chief=3", "bow stern")
    state = play(table(four, ("furs",), forced_end=4), COMPLETES)
    assert offers(state) == ["Ana attack", "Ana end"]
    assert play(state, "Ana decline").over
    state = play(state, "Ana attack 2 1 on Ben 1 1")
    assert not state.over
    assert play(state, "Ana take furs 3 3").over
    assert play(table(four, forced_end=4), COMPLETES).over


def test_end_forced_also_when_the_offers_are_let_pass() -> None:
    four = ("bow stern eagle lookout steersman", "bow chief=3", "bow stern")
    state = play(table(four, ("furs",), forced_end=4), COMPLETES)
    assert play(state, "Ben reveal furs").over


def test_end_over_every_later_act_is_against_the_rules() -> None:
    state = play(table(THIRD), COMPLETES + "\nAna end")
    for line in ("Ben reveal bow", "Ana end", "Ben reshuffle", "Ben decks-out", "Ana axe 1 1"):
        assert "utc:end.over" in broken(state, line)
    assert broken(state, 'Ben observe 1 "bow"') == {}
    after = play(state, "Ben reveal bow\nBen place bow 1 1")
    assert after.over == state.over and rows(after, "Ben")[0] == "bow"


def test_decks_reshuffle_takes_the_discard_pile() -> None:
    assert broken(begin(), "Ana reshuffle") == {"utc:decks.reshuffle": False}
    state = play(begin(), "Ana reveal bow\nAna discard bow")
    assert "Ben reshuffle" in legal_lines(state)
    state = play(state, "Ben reshuffle")
    assert (pile(state), state.out, state.active) == ([], 0, "Ben")


def test_decks_reshuffle_in_the_middle_of_a_turn_changes_nothing_else() -> None:
    state = play(begin(), "Ana reveal bow\nAna discard bow\nBen reveal furs")
    after = play(state, "Ana reshuffle")
    assert after.revealed == state.revealed and after.active == "Ben"


def test_decks_out_ends_the_match() -> None:
    state = play(begin(), "Ana reveal bow\nAna discard bow")
    assert broken(state, "Ben decks-out") == {"utc:decks.out": False}
    state = play(state, "Ben reshuffle\nBen reveal bow\nBen place bow 1 1")
    assert broken(state, "Ben decks-out") == {}
    assert play(state, "Ben decks-out").over
    assert broken(begin(tracking="light"), "Ana decks-out") == {}


# What is not told


def test_light_tracking_without_reveals() -> None:
    state = begin(tracking="light", first=None)
    state = play(
        state,
        """
        Ben place eagle 1 1
        Ana place bow 1 1
        Ana place paddler-1 1 2
        Ana place stern 1 3
        """,
    )
    assert offers(state) == ["Ana attack"]
    state = play(state, "Ana attack 1 1 on Ben 1 1\nAna take eagle 2 1")
    assert rows(state, "Ana") == ["bow paddler-1 stern", "eagle", ""]
    assert GAME.score(GAME.standing(state), state.options, DECK).totals == {"Ana": 3, "Ben": 0}


def test_offers_are_declined_by_doing_something_else() -> None:
    state = attacking()
    after = play(state, "Ben reveal furs")
    assert broken(state, "Ben reveal furs") == {}
    assert offers(after) == [] and after.active == "Ben"
    spoils = play(state, "Ana attack 1 1 on Ben 1 1")
    after = play(spoils, "Ben reveal furs")
    assert pile(after) == ["eagle"]
    end = play(table(THIRD), COMPLETES)
    assert play(end, "Ben reveal furs").continued == {"Ana"}


def test_offers_of_another_player_are_not_mine_to_answer() -> None:
    state = attacking()
    assert broken(state, "Ben decline")["utc:turn.stop"] is True
    assert "utc:lasso.placed" in broken(state, "Ben steal Ana 1 1 to 1 2")


def test_turn_stop_passing_lets_all_offers_go() -> None:
    """Once the turn has its end, `pass` says no to whatever is still offered."""
    state = attacking()
    assert broken(state, "Ana pass") == {}
    after = play(state, "Ana pass")
    assert offers(after) == [] and after.active == "Ben"


def test_a_revealed_card_nobody_told_the_end_of_goes_to_the_discard_pile() -> None:
    state = play(begin(tracking="light"), "Ana reveal eagle")
    assert broken(state, "Ben place bow 1 1") == {}
    state = play(state, "Ben place bow 1 1")
    assert pile(state) == ["eagle"] and rows(state, "Ben")[0] == "bow"


# What really lies there


def test_observe_is_never_against_the_rules_and_is_remembered() -> None:
    state = play(begin(), 'Ben observe 2 ". bow eagle" from -1')
    assert rows(state, "Ben")[1] == "bow eagle" and state.board("Ben")[1].first == 0
    assert len(state.observed) == 1 and "Ben, row 2" in state.observed[0]
    assert state.active == "Ana" and counted(state) == state.out == 2


def test_observe_ends_the_offer_of_a_canoe_that_is_not_there() -> None:
    state = play(attacking(), 'Ana observe 1 "bow chief=3 . totem"')
    assert offers(state) == []


def test_observe_elsewhere_leaves_the_offer() -> None:
    state = play(attacking(), 'Ana observe 3 "furs"')
    assert offers(state) == ["Ana attack"]
    assert broken(state, "Ana attack 1 1 on Ben 1 1") == {}


def test_observe_that_takes_the_last_offer_away_passes_the_turn() -> None:
    state = play(attacking(), 'Ana observe 1 "bow chief=3 . totem"')
    assert state.active == "Ben"
    assert "Ben reveal furs" in legal_lines(state)


def test_observe_that_leaves_no_canoe_to_sink_does_not_block() -> None:
    state = play(table(("bow stern",)), 'Ana reveal wild-axe\nAna observe 1 "bow"')
    assert legal_lines(state)


def test_observe_that_moves_the_canoe_keeps_its_attack() -> None:
    state = play(attacking(), 'Ana observe 1 "bow chief=3 steersman" from 0')
    assert broken(state, "Ana attack 1 0 on Ben 1 1") == {}


def test_a_mark_records_an_act_against_the_rules() -> None:
    start = begin()
    lines = "Ana reveal bow\nAna place bow 1 1\nAna reveal stern\nAna place stern 1 5"
    plain = replayed(start, lines)
    for mark in (" !", "!"):
        marked = replayed(start, lines + mark)
        assert marked.state == plain.state and marked.entries[-1].recorded
        (problem,) = marked.problems
        assert problem.rule == "utc:build.touch" and "recorded all the same" in problem.text
        assert dict(problem.where) == {"player": "Ana", "line": 4, "row": 1}
    assert [p.rule for p in plain.problems] == ["utc:build.touch"]
    assert "recorded" not in plain.problems[0].text


def test_the_sample_match_comes_to_what_its_comment_says() -> None:
    path = Path(__file__).parents[3] / "samples" / "up-the-creek-match.toml"
    sheet = load_sheet(read_document(str(path)))
    score = score_of(sheet)
    assert score.totals == {"Lea": 133, "Jonas": 14}
    assert score.winners == ("Lea",) and score.complete is True
    (problem,) = score.problems
    assert problem.rule == "utc:build.touch" and "lumberjack" in problem.text
    assert len(sheet.state.observed) == 1 and counted(sheet.state) == sheet.state.out


# What always holds of scores and places

KINDS = [k for k in DECK.kinds if k != "wild-axe"]
BODIES = [k for k in KINDS if not DECK[k].end]
TREASURE = [k for k in KINDS if DECK[k].group in ("single", "half", "character")]
FAMILIES = ("bear", "buffalo", "horse", "gold", "logs", "cannon")
CHARACTER = {DECK[k].family: k for k in KINDS if DECK[k].group == "character"}
bodies = st.lists(st.sampled_from(BODIES), max_size=9, unique=True)
boats = st.builds(
    lambda bow, inside, stern: " ".join([bow, *inside, stern]),
    st.sampled_from(["bow", "paddler-bow"]),
    bodies,
    st.sampled_from(["stern", "paddler-stern"]),
)
loose = st.lists(st.sampled_from([".", *KINDS]), max_size=8, unique=True).map(" ".join)
lines = st.one_of(boats, loose, st.builds("{} . {}".format, boats, loose), st.just(""))
boards = st.lists(lines, min_size=3, max_size=3)


def row_of(text: str, first: int = 1) -> Row:
    cells = [None if w == "." else Card(DECK[w]) for w in text.split()]
    return Row.of(cells, first)


def board_of(rows_: list[str], first: int = 1) -> Board:
    return row_of(rows_[0], first), row_of(rows_[1], first), row_of(rows_[2], first)


def totals(boards_: dict[str, Board], **rules: Any) -> dict[str, int]:
    return GAME.score(Standing(boards_), Options(**rules), DECK).totals


def counted_by_hand(text: str) -> int:
    """Points of a row whose canoes hold each card once, by the scoring table alone."""
    points = 0
    for boat in re.findall(r"(?<!\S)(?:paddler-)?bow(?: (?!\S*\b(?:bow|stern)(?!\S))[a-z0-9]\S*)*"
                           r" (?:paddler-)?stern(?!\S)", text):  # fmt: skip
        cards = boat.split()
        points += len(cards) * (1 if len(cards) <= 7 else 2)
        points += 10 * sum(card in TREASURE for card in cards)
        for family in FAMILIES:
            halves = {f"{family}-a", f"{family}-b"}
            pairs = pairwise(cards)
            if not any({left, right} == halves for left, right in pairs):
                continue
            points += 20
            triple = {*halves, CHARACTER[family]}
            threes = zip(cards, cards[1:], cards[2:], strict=False)
            if any({*three} == triple and three[1] in halves for three in threes):
                points += 40
    return points


@pytest.mark.parametrize(
    ("boat", "points"),
    [
        ("bow middle chief bear-a bear-b bear-hunter stern", 7 + 90),
        ("bow bear-a bear-hunter bear-b stern", 5 + 30),
        ("bow bear-a bear-b furs bear-hunter stern", 6 + 40 + 10 + 10),
        ("bow stern . paddler-bow eagle paddler-stern", 2 + 3 + 10),
        ("bow eagle", 0),
    ],
)
def test_score_by_hand_is_itself_right(boat: str, points: int) -> None:
    assert counted_by_hand(boat) == points


@given(boards)
def test_score_is_the_one_by_the_scoring_table(lying: list[str]) -> None:
    by_hand = sum(counted_by_hand(line) for line in lying)
    score = GAME.score(Standing({"Ana": board_of(lying)}), Options(), DECK)
    assert [len(p.lines) > 0 for p in score.players] == [by_hand > 0]
    assert sum(line.points for line in score.players[0].lines) == by_hand
    assert score.totals == {"Ana": by_hand}


@given(boards, boards, st.integers(-9, 9))
def test_score_does_not_depend_on_seats_rows_or_columns(
    ana: list[str], ben: list[str], first: int
) -> None:
    there = totals({"Ana": board_of(ana), "Ben": board_of(ben)})
    assert totals({"Ben": board_of(ben), "Ana": board_of(ana)}) == there
    for order in permutations(range(3)):
        assert totals({"Ana": board_of([ana[i] for i in order])})["Ana"] == there["Ana"]
    assert totals({"Ana": board_of(ana, first), "Ben": board_of(ben, first)}) == there


@given(boats, st.sampled_from(TREASURE), st.booleans(), st.sampled_from([0, 10]))
def test_score_is_never_lower_for_one_more_treasure(
    boat: str, treasure: str, behind_the_bow: bool, lone: int
) -> None:
    """Laid behind the bow or before the stern, where it comes between no pair."""
    cards = boat.split()
    more = (
        [*cards[:1], treasure, *cards[1:]] if behind_the_bow else [*cards[:-1], treasure, cards[-1]]
    )
    before = totals({"Ana": board_of([boat, "", ""])}, lone_character=lone)["Ana"]
    after = totals({"Ana": board_of([" ".join(more), "", ""])}, lone_character=lone)["Ana"]
    assert after > before


@given(boards, st.sampled_from(KINDS), st.integers(-3, 3), st.data())
@settings(max_examples=60, deadline=None)
def test_places_are_all_the_legal_ones_however_far_one_looks(
    lying: list[str], kind: str, first: int, data: st.DataObject
) -> None:
    board = board_of(lying, first)
    rules = data.draw(
        st.sampled_from(
            [
                Options(),
                Options(width=6),
                Options(width=9, area="shared"),
                Options(bow_stern="off"),
                Options(bow_stern="at-most-one"),
                Options(tribes=True),
                Options(lasso_and_bow=False),
            ]
        )
    )
    card = Card(
        DECK[kind], Colour.RED if DECK[kind].coloured and data.draw(st.booleans()) else None
    )
    if not any(row.cells for row in board):
        wanted = [(row, 1) for row in ROWS]
        assert placement.place(board, card, 2, 77, rules).objections == (
            placement.place(board, card, 2, 1, rules).objections
        )
    else:
        wanted = [(r, c) for r in ROWS for c in range(-25, 45)]
    legal = [(r, c) for r, c in wanted if placement.place(board, card, r, c, rules).legal]
    assert sorted(placement.places(board, card, rules)) == legal
