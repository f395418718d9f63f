"""The samples: totals that were worked out by hand before the code existed."""

from dataclasses import replace
from pathlib import Path

from companion.interchange.answers import score_of
from companion.interchange.sheets import Sheet, load_sheet
from companion.interchange.source import read_document

SAMPLES = Path(__file__).parents[3] / "samples"


def sheet(name: str) -> Sheet:
    return load_sheet(read_document(str(SAMPLES / name)))


def test_the_sheet_of_ten_rounds_hangs_on_how_two_reneges_are_read() -> None:
    once = sheet("without-a-paddle.toml")
    score = score_of(once)
    assert score.totals == {"Ana": 167, "Ben": 163, "Cleo": 162, "Dan": 171}
    assert (score.winners, score.complete, score.problems) == (("Dan",), True, ())
    each = score_of(replace(once, options=replace(once.options, renege="per-offence")))
    assert (each.totals["Dan"], each.winners) == (151, ("Ana",))


def test_the_match_with_a_hook_bid_and_a_correction() -> None:
    match = sheet("without-a-paddle-match.toml")
    score = score_of(match)
    assert score.totals == {"Mia": 180, "Noah": 163, "Olga": 162, "Pau": 171}
    assert (score.winners, score.complete) == (("Mia",), True)
    assert {p.rule for p in score.problems} == {"wap:bid.hook"}
    assert match.state.corrections == ("Round 4: bid of Pau set to 1 (it said 0).",)
