"""When the game may or must end."""

from companion.core.verdict import Objection, Verdict
from companion.games.up_the_creek.options import Options

ENOUGH = 3
"""Completed canoes that let a player end the game (`utc:end.third`)."""


def end(
    lying: int, completed_now: bool, continued: bool, decks_empty: bool, options: Options
) -> Verdict:
    """Whether the game may end now; value `{"ends": "may" | "must" | "no"}`.

    `lying`: completed canoes of the player at this moment; `completed_now`: he has just completed
    one; `continued`: another player has gone on past a third canoe before.
    """
    if decks_empty:
        return Verdict(value={"ends": "must"}, needs=("utc:end.decks",))
    objections = []
    if not completed_now:
        text = "no canoe was completed just now; the offer to end comes with completing one"
        objections.append(Objection("utc:end.third", text))
    if lying < ENOUGH:
        text = f"{lying} completed canoe{'' if lying == 1 else 's'} lying there; it takes {ENOUGH}"
        objections.append(Objection("utc:end.three-lying", text))
    if objections:
        return Verdict(tuple(objections), value={"ends": "no"})
    needs = ["utc:end.third", "utc:end.three-lying"]
    must = False
    if options.forced_end and lying >= options.forced_end:
        must = True
        needs.append("utc:end.forced")
    if continued or lying > ENOUGH:
        needs.append("utc:end.continue")
    if options.continue_end == "automatic" and continued and lying == ENOUGH:
        must = True
    return Verdict(value={"ends": "must" if must else "may"}, needs=tuple(needs))
